// SPDX-License-Identifier: BSL-1.0
#include "advise/traces/ctf_reader.hpp"

#include "advise/traces/ctf_calls.hpp"
#include "advise/traces/ctf_graph.hpp"
#include "advise/traces/ctf_numbers.hpp"
#include "advise/traces/ctf_packets.hpp"
#include "advise/traces/live_blocks.hpp"
#include "advise/traces/losses_text.hpp"
#include "report/amounts.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace freehold {
namespace {

namespace fs = std::filesystem;

class ctf_reader final : public trace_reader {
public:
    explicit ctf_reader(const fs::path& path);

    bool next(trace_event& event) override;
    [[nodiscard]] double progress() const override {
        if (at_end_) return 1;
        return packets_ == 0 ? 0
                             : static_cast<double>(packets_read_) / static_cast<double>(packets_);
    }
    [[nodiscard]] const trace_losses& losses() const override { return losses_; }
    [[nodiscard]] const std::vector<trace_process>& processes() const override {
        return numbers_.processes();
    }

private:
    void warn_of_end(const ctf_stream_file& stream);
    void receive(const bt_message* message);
    void take_tails(const std::vector<fs::path>& folders);
    void take(const ctf_call& call);
    void take_tails_until(std::int64_t time);
    void read_more();
    void finish();
    [[nodiscard]] unreadable_trace refusal(const std::string& why) const {
        return unreadable_trace(fmt::format("{}: {}", path_.string(), why));
    }

    fs::path path_;
    std::vector<mended_ctf_folder> mended_;
    ctf_call_decoder decoder_;
    ctf_call call_;                // reused for each event
    std::vector<ctf_call> tails_;  // of broken packets, by time; those before tail_ are used
    std::size_t tail_ = 0;
    ctf_numbers numbers_;
    live_blocks blocks_;
    std::vector<trace_event> events_;  // those before event_ are delivered
    std::size_t event_ = 0;
    trace_losses losses_;
    std::optional<std::int64_t> began_;
    std::int64_t now_ = 0;
    std::uint64_t calls_ = 0;
    std::uint64_t packets_ = 0;
    std::uint64_t packets_read_ = 0;
    bool at_end_ = false;
    std::optional<ctf_graph> graph_;  // the last member: it calls receive
};

ctf_reader::ctf_reader(const fs::path& path) : path_(path) {
    const std::vector<ctf_folder> folders = find_ctf_folders(path);
    if (folders.empty())
        throw refusal(
            "no trace lies in this folder (no file `metadata`); give the folder that `freehold "
            "record -o` made");
    std::vector<fs::path> whole;
    std::vector<fs::path> tails;
    for (const ctf_folder& folder : folders) {
        if (!folder.metadata_is_whole)
            throw refusal(
                "its file `metadata` is empty or ends in the middle, and without it nothing can be "
                "decoded; record it again");
        for (const ctf_stream_file& stream : folder.streams) {
            packets_ += stream.packets;
            if (stream.missing_bytes != 0 || stream.broken) warn_of_end(stream);
        }
        if (!folder.is_broken()) {
            whole.push_back(folder.path);
            continue;
        }
        const mended_ctf_folder& mended = mended_.emplace_back(folder);
        whole.push_back(mended.whole());
        tails.insert(tails.end(), mended.tails().begin(), mended.tails().end());
    }
    take_tails(tails);
    graph_.emplace(whole, [this](const bt_message* message) { receive(message); });
}

void ctf_reader::warn_of_end(const ctf_stream_file& stream) {
    losses_.truncated = true;
    const std::string name = stream.path.filename().string();
    if (stream.missing_bytes == 0) {
        losses_.warnings.push_back(
            fmt::format("truncated: an unknown part at the end of its file {} is missing", name));
        return;
    }
    const auto whole = static_cast<double>(stream.bytes + stream.missing_bytes);
    losses_.warnings.push_back(
        fmt::format("truncated: the last {} of its file {}, {:.1f} % of it, are missing",
                    number_of(stream.missing_bytes, "byte"), name,
                    100 * static_cast<double>(stream.missing_bytes) / whole));
}

/// Broken packets are decoded into memory before all others. A broken packet is at most as large as
/// one of the recorder's buffers. Its decoding fails, and the failure ends the graph.
void ctf_reader::take_tails(const std::vector<fs::path>& folders) {
    for (const fs::path& folder : folders) {
        // The decoder identifies classes by their addresses, which are valid only as long as the
        // graph.
        ctf_call_decoder decoder;
        try {
            ctf_graph graph({folder}, [&](const bt_message* message) {
                if (bt_message_get_type(message) != BT_MESSAGE_TYPE_EVENT) return;
                ctf_call call;
                decoder.decode(message, call);
                if (call.what != ctf_call::kind::other) tails_.push_back(call);
            });
            while (graph.run_once()) {
            }
        } catch (const ctf_error&) {
            // The decoding reached the end of the present bytes.
        }
    }
    std::stable_sort(tails_.begin(), tails_.end(),
                     [](const ctf_call& a, const ctf_call& b) { return a.time < b.time; });
}

void ctf_reader::receive(const bt_message* message) {
    std::uint64_t count = 0;
    switch (bt_message_get_type(message)) {
        case BT_MESSAGE_TYPE_EVENT:
            decoder_.decode(message, call_);
            if (call_.what == ctf_call::kind::other) return;
            take_tails_until(call_.time);
            take(call_);
            return;
        case BT_MESSAGE_TYPE_PACKET_END:
            ++packets_read_;
            return;
        case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
            if (bt_message_discarded_events_get_count(message, &count) ==
                BT_PROPERTY_AVAILABILITY_AVAILABLE)
                losses_.lost_events += count;
            return;
        default:
            return;
    }
}

void ctf_reader::take_tails_until(std::int64_t time) {
    for (; tail_ != tails_.size() && tails_[tail_].time <= time; ++tail_) take(tails_[tail_]);
}

void ctf_reader::take(const ctf_call& call) {
    recorded_at at = numbers_.at(call);
    if (call.what == ctf_call::kind::process_begins) return;
    ++calls_;
    if (!call.has_thread) losses_.has_threads = false;
    if (!call.has_time) losses_.time_resolution = 0;
    if (!began_) began_ = call.time;
    now_ = std::max(now_, call.time - *began_);
    at.time = losses_.has_times() ? static_cast<std::uint64_t>(now_) : calls_ - 1;

    switch (call.what) {
        case ctf_call::kind::free:
            blocks_.freed(at, call.address, events_, losses_);
            break;
        case ctf_call::kind::reallocate:
            // realloc(block, 0) frees the block. Any other null result leaves the block unchanged.
            if (call.address != 0 || call.size == 0)
                blocks_.freed(at, call.old_address, events_, losses_);
            if (call.address != 0 || call.size != 0)
                blocks_.allocated(at, call.address, call.size, 0, events_, losses_);
            break;
        default:
            blocks_.allocated(at, call.address, call.size, call.alignment, events_, losses_);
    }
}

void ctf_reader::finish() {
    take_tails_until(INT64_MAX);
    at_end_ = true;
    if (!losses_.has_threads && calls_ != 0)
        losses_.warnings.push_back(
            "the trace does not say which thread called, so every event counts "
            "for one thread; record it with the context vtid");
    describe_losses(losses_);
}

void ctf_reader::read_more() {
    try {
        if (!graph_->run_once()) finish();
    } catch (const ctf_error& error) {
        if (calls_ == 0 && tails_.empty()) throw refusal(error.what());
        losses_.truncated = true;
        losses_.warnings.push_back(
            fmt::format("truncated: it breaks off after {} and {:.0f} % of its packets: {}",
                        number_of(calls_, "event"), 100 * progress(), error.what()));
        finish();
    }
}

bool ctf_reader::next(trace_event& event) {
    while (event_ == events_.size()) {
        if (at_end_) {
            if (losses_.events != 0) return false;
            throw refusal(losses_.truncated
                              ? "truncated before its first allocation; record it again"
                              : "holds no allocation that was recorded; record it with `freehold "
                                "record`, and a program that is not statically linked");
        }
        events_.clear();
        event_ = 0;
        read_more();
    }
    event = events_[event_++];
    ++losses_.events;
    return true;
}

}  // namespace

std::unique_ptr<trace_reader> open_ctf(const fs::path& folder) {
    try {
        return std::make_unique<ctf_reader>(folder);
    } catch (const ctf_error& error) {
        throw unreadable_trace(fmt::format("{}: {}", folder.string(), error.what()));
    } catch (const fs::filesystem_error& error) {
        throw unreadable_trace(
            fmt::format("{}: {}", error.path1().string(), error.code().message()));
    }
}

}  // namespace freehold
