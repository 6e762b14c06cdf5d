// SPDX-License-Identifier: BSL-1.0
// How lines from the source come to the disk: into a buffer, into the queue, and by the thread that
// writes into a slot.
#include "line/disk/disk_core.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string_view>
#include <thread>

namespace freehold::inline FREEHOLD_ABI::detail {

pending_lines disk_core::begin_line(std::string_view object, const object_info& info,
                                    std::uint64_t number, std::uint32_t content,
                                    line_claim* claim) noexcept {
    pending_lines taken;
    try {
        {
            const std::lock_guard lock(mutex_);
            if (!is_keeping()) return {};
            if (!idle_.empty()) {
                taken.splice(taken.end(), idle_, idle_.begin());
            } else if (buffers_ != options_.write_buffers) {
                taken.emplace_back();
                ++buffers_;
            } else {
                counters_.not_in_time.add(1);
                return {};
            }
            if (claim != nullptr) ++claim->users;
            taken.front().claim = claim;
        }
        pending_line& line = taken.front();
        if (line.bytes == nullptr) {
            line.bytes = unzeroed_bytes(options_.line_size);
        }
        line.object = object;
        line.entity_tag = info.entity_tag;
        line.object_size = info.size;
        line.number = number;
        line.content = content;
        line.is_cancelled = false;
    } catch (...) {
        counters_.not_in_time.add(1);
        discard(taken);
    }
    return taken;
}

void disk_core::keep(pending_lines& line) noexcept {
    if (line.empty()) return;
    const std::lock_guard lock(mutex_);
    queued_.splice(queued_.end(), line);
    wake_writer();
}

void disk_core::discard(pending_lines& line) noexcept {
    if (line.empty()) return;
    const std::lock_guard lock(mutex_);
    make_idle(line);
}

void disk_core::wake_writer() noexcept {
    if (!file_.is_writable()) return;
    if (!writer_.joinable()) {
        try {
            writer_ = std::thread([this] { write_lines(); });
        } catch (...) {
            counters_.not_in_time.add(queued_.size());
            return make_idle(queued_);
        }
    }
    changed_.notify_one();
}

void disk_core::write_lines() noexcept {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock,
                      [&] { return is_ending_ || !queued_.empty() || index_.has_to_erase(); });
        if (const auto slot = index_.take_to_erase()) {
            lock.unlock();
            const int error = file_.erase(*slot);
            lock.lock();
            if (error != 0) counters_.failed_writes.add(1);
            index_.give_back({*slot});
            continue;
        }
        if (queued_.empty()) return;
        writing_.splice(writing_.end(), queued_, queued_.begin());
        write_one(writing_.front(), lock);
        make_idle(writing_);
        if (!claims_.empty()) claims_changed_.notify_all();
        if (queued_.empty()) flushed_.notify_all();
    }
}

void disk_core::write_one(const pending_line& line, std::unique_lock<std::mutex>& lock) noexcept {
    const clock::time_point now = clock::now();
    write_began_ = now;
    if (line.is_cancelled || now < no_write_before_ ||
        index_.holds(line.object, line.entity_tag, line.number)) {
        return;
    }
    const auto taken = index_.take(now >= no_growth_before_);
    if (!taken) return counters_.not_in_time.add(1);
    if (taken->was_evicted) counters_.evictions.add(1);
    const slot_line what{line.object, line.entity_tag, line.object_size,
                         line.number, ++sequence_,     line.content};
    lock.unlock();
    const std::span<std::byte> header(header_.get(), file_.header_size());
    const std::span<const std::byte> content(line.bytes.get(), line.content);
    const std::size_t used = slot_header::encode(header, taken->slot, what, content);
    const int error = file_.write(taken->slot, header.first(used), content);
    lock.lock();
    if (error != 0) {
        counters_.failed_writes.add(1);
        // A full disk may still take lines in slots that it has.
        (taken->is_fresh ? no_growth_before_ : no_write_before_) =
            clock::now() + options_.retry_after;
        return index_.give_back(*taken);
    }
    if (line.is_cancelled) return index_.give_back_to_erase(taken->slot);
    try {
        index_.insert(taken->slot, what, false);
    } catch (...) {
        return index_.give_back_to_erase(taken->slot);
    }
    counters_.written.add(1);
    counters_.bytes_written.add(line.content);
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
