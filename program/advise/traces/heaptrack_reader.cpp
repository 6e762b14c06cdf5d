// SPDX-License-Identifier: BSL-1.0
#include "advise/traces/heaptrack_reader.hpp"

#include "advise/traces/compressed_lines.hpp"
#include "advise/traces/live_blocks.hpp"
#include "advise/traces/losses_text.hpp"
#include "report/amounts.hpp"

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace freehold {
namespace {

constexpr std::uint64_t file_version = 3;
constexpr std::uint64_t stamp = 10'000'000;  // ns between heaptrack's time stamps

/// Reads the hexadecimal numbers of a line, one after another.
class numbers {
public:
    explicit numbers(std::string_view text) : text_(text) {}

    bool next(std::uint64_t& value) {
        while (!text_.empty() && text_.front() == ' ') text_.remove_prefix(1);
        const auto [end, error] =
            std::from_chars(text_.data(), text_.data() + text_.size(), value, 16);
        if (error != std::errc()) return false;
        text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
        return text_.empty() || text_.front() == ' ';
    }
    [[nodiscard]] bool at_end() const { return text_.empty(); }

private:
    std::string_view text_;
};

class heaptrack_reader final : public trace_reader {
public:
    explicit heaptrack_reader(const std::filesystem::path& path)
        : path_(path), lines_(path), processes_(1) {
        losses_.has_threads = false;
        losses_.time_resolution = stamp;
        read_version();
    }

    bool next(trace_event& event) override;
    [[nodiscard]] double progress() const override { return lines_.progress(); }
    [[nodiscard]] const trace_losses& losses() const override { return losses_; }
    [[nodiscard]] const std::vector<trace_process>& processes() const override {
        return processes_;
    }

private:
    // In an interpreted file: the blocks that were allocated with one size from one call stack.
    struct allocation_class {
        std::uint64_t size = 0;
        std::uint64_t live = 0;
    };

    [[nodiscard]] unreadable_trace refusal(const std::string& why) const {
        return unreadable_trace(fmt::format("{}: {}", path_.string(), why));
    }
    void read_version();
    bool take(std::string_view line);
    bool take_allocation(numbers fields);
    bool take_free(numbers fields);
    void finish();

    std::filesystem::path path_;
    compressed_lines lines_;
    live_blocks blocks_;
    recorded_at at_;
    std::vector<allocation_class> classes_;
    std::vector<trace_process> processes_;
    std::vector<trace_event> events_;  // those before event_ are delivered
    std::size_t event_ = 0;
    trace_losses losses_;
    std::uint64_t line_ = 0;
    bool at_end_ = false;
};

void heaptrack_reader::read_version() {
    std::string_view line;
    if (!lines_.next(line))
        throw refusal(lines_.broken() ? *lines_.broken() + " and holds nothing before that"
                                      : "is empty");
    ++line_;
    std::uint64_t heaptrack = 0;
    std::uint64_t version = 0;
    if (line.substr(0, 2) != "v ")
        throw refusal(
            "neither a folder that `freehold record` made nor a file of heaptrack's (its first "
            "line is not a version)");
    numbers fields(line.substr(2));
    if (!fields.next(heaptrack) || !fields.next(version)) version = 0;
    if (version != file_version)
        throw refusal(fmt::format(
            "a file of heaptrack of version {}, but freehold reads version {}; record it "
            "again with heaptrack 1.4, or with `freehold record`",
            version, file_version));
}

/// Takes "+ size stack address" of a raw file, or "+ class" of an interpreted file.
bool heaptrack_reader::take_allocation(numbers fields) {
    std::uint64_t first = 0;
    std::uint64_t stack = 0;
    std::uint64_t address = 0;
    if (!fields.next(first)) return false;
    if (!fields.at_end()) {
        if (!fields.next(stack) || !fields.next(address)) return false;
        blocks_.allocated(at_, address, first, 0, events_, losses_);
        return true;
    }
    if (first >= classes_.size()) return false;
    allocation_class& of = classes_[first];
    at_.space = static_cast<std::uint32_t>(first);
    blocks_.allocated(at_, ++of.live, of.size, 0, events_, losses_);
    return true;
}

bool heaptrack_reader::take_free(numbers fields) {
    std::uint64_t which = 0;
    if (!fields.next(which)) return false;
    if (classes_.empty()) {
        blocks_.freed(at_, which, events_, losses_);
        return true;
    }
    if (which >= classes_.size()) return false;
    allocation_class& of = classes_[which];
    if (of.live == 0) {
        ++losses_.unknown_frees;
        return true;
    }
    at_.space = static_cast<std::uint32_t>(which);
    blocks_.freed(at_, of.live--, events_, losses_);
    return true;
}

/// Returns false if the line is not a line of heaptrack.
bool heaptrack_reader::take(std::string_view line) {
    if (line.size() < 2 || line[1] != ' ') return true;  // an empty line or a comment
    numbers fields(line.substr(2));
    std::uint64_t value = 0;
    switch (line.front()) {
        case '+':
            return take_allocation(fields);
        case '-':
            return take_free(fields);
        case 'a':
            if (!fields.next(value)) return false;
            classes_.push_back({value, 0});
            return true;
        case 'c':
            if (!fields.next(value)) return false;
            at_.time = value * 1'000'000;
            return true;
        case 'X':
            processes_.front().name = line.substr(2);
            return true;
        default:
            return true;
    }
}

void heaptrack_reader::finish() {
    at_end_ = true;
    if (lines_.broken()) {
        losses_.truncated = true;
        losses_.warnings.push_back(
            fmt::format("truncated: {}, after {}: an unknown number of later events is "
                        "missing",
                        *lines_.broken(), number_of(line_, "line")));
    }
    losses_.warnings.push_back(
        "heaptrack records no threads, so every event counts for one "
        "thread, and the effect of a cache for each thread is unknown; "
        "`freehold record` records threads");
    losses_.warnings.push_back(
        "heaptrack records the time only every 10 ms: shorter lifetimes "
        "cannot be distinguished");
    describe_losses(losses_);
}

bool heaptrack_reader::next(trace_event& event) {
    while (event_ == events_.size()) {
        if (at_end_) {
            if (losses_.events != 0) return false;
            throw refusal("holds no allocation");
        }
        events_.clear();
        event_ = 0;
        std::string_view line;
        if (!lines_.next(line)) {
            finish();
        } else {
            ++line_;
            if (!take(line))
                throw refusal(fmt::format("line {} is not a line of heaptrack", line_));
        }
    }
    event = events_[event_++];
    ++losses_.events;
    return true;
}

}  // namespace

std::unique_ptr<trace_reader> open_heaptrack(const std::filesystem::path& file) {
    try {
        return std::make_unique<heaptrack_reader>(file);
    } catch (const unreadable_file& error) {
        throw unreadable_trace(fmt::format("{}: {}", file.string(), error.what()));
    }
}

}  // namespace freehold
