// SPDX-License-Identifier: BSL-1.0
// A disk_tier without its source: the file, what is in it, and the thread that writes to it.
//
// Readers copy lines into buffers, which the thread writes. Buffers are recycled, and their number
// is bounded: if the disk is slower than the source, lines are not kept. No function waits for the
// disk, except the constructor, load(), the destructor, flush(), the functions of file() and those
// of claims.
//
// If the folder is shared, a read claims the lines that it requests from the source, so that no
// other read requests them meanwhile. A claim ends when its lines are written, or are not going to
// be. It reserves buffers, so that its lines are kept.
//
// In a guest, the core is empty: it reads the file, and does not write.
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/detail/disk/disk_index.hpp>
#include <freehold/line/detail/disk/slot_file.hpp>
#include <freehold/line/detail/disk/slot_header.hpp>
#include <freehold/line/detail/event_counter.hpp>
#include <freehold/line/disk_tier_options.hpp>
#include <freehold/line/line_source.hpp>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace freehold::inline FREEHOLD_ABI::detail {

// Throws std::invalid_argument if the options make no sense.
inline const disk_tier_options& validated(const disk_tier_options& options) {
    const auto refuse = [&](const std::string& why) {
        throw std::invalid_argument("disk_tier '" + options.folder.string() + "': " + why);
    };
    if (options.folder.empty()) refuse("folder is empty; name a folder for the tier alone");
    if (options.line_size == 0 || options.line_size % 4096 != 0) {
        refuse("line_size is " + std::to_string(options.line_size) +
               "; it must be a multiple of 4096");
    }
    constexpr std::size_t longest_line = std::size_t{1} << 30;
    if (options.line_size > longest_line) {
        refuse("line_size is " + std::to_string(options.line_size) + "; it must be at most " +
               std::to_string(longest_line));
    }
    const std::size_t least = slot_header::size_for(options.line_size) + options.line_size;
    if (options.capacity < least) {
        refuse("capacity is " + std::to_string(options.capacity) +
               " bytes; it must be at least one line with its header, " + std::to_string(least));
    }
    if (options.threads == 0) refuse("threads is 0; it must be at least 1");
    if (options.write_buffers == 0) refuse("write_buffers is 0; it must be at least 1");
    if (options.shared && options.patience < std::chrono::seconds(1)) {
        refuse("patience is " + std::to_string(options.patience.count()) +
               " ms; it must be at least a second");
    }
    return options;
}

// Memory whose content is left as it is. libc++ 14 lacks std::make_unique_for_overwrite.
[[nodiscard]] inline std::unique_ptr<std::byte[]> unzeroed_bytes(std::size_t size) {
    return std::unique_ptr<std::byte[]>(new std::byte[size]);
}

// Lines of one object that are requested from the source. It ends with its last user.
struct line_claim {
    std::string object;
    std::uint64_t first = 0;
    std::uint64_t end = 0;
    std::size_t users = 1;  // the read that claimed the lines, and lines on their way to the disk
};
using line_claims = std::list<line_claim>;

// A line on its way to the disk. Its memory is kept for the next line.
struct pending_line {
    std::unique_ptr<std::byte[]> bytes;
    std::string object;
    std::string entity_tag;
    std::uint64_t object_size = 0;
    std::uint64_t number = 0;
    std::uint32_t content = 0;
    bool is_cancelled = false;  // the object has changed
    line_claim* claim = nullptr;
};
using pending_lines = std::list<pending_line>;

// Memory for the header and one chunk of a line that is being read.
struct read_scratch {
    explicit read_scratch(std::size_t header_size)
        : header(unzeroed_bytes(header_size)), chunk(unzeroed_bytes(slot_header::chunk_size)) {}

    std::unique_ptr<std::byte[]> header;
    std::unique_ptr<std::byte[]> chunk;
    std::unique_ptr<read_scratch> next;
};

struct disk_counters {
    event_counter hits, misses, bytes_from_disk, bytes_from_source, checks;
    event_counter written, bytes_written, evictions, replaced, damaged;
    event_counter not_whole, not_in_time, failed_reads, failed_writes, passed_on;
    event_counter asked, served;

    [[nodiscard]] disk_tier_statistics read() const noexcept {
        disk_tier_statistics all;
        all.hits = hits.read();
        all.misses = misses.read();
        all.bytes_from_disk = bytes_from_disk.read();
        all.bytes_from_source = bytes_from_source.read();
        all.checks = checks.read();
        all.written = written.read();
        all.bytes_written = bytes_written.read();
        all.evictions = evictions.read();
        all.replaced = replaced.read();
        all.damaged = damaged.read();
        all.not_whole = not_whole.read();
        all.not_in_time = not_in_time.read();
        all.failed_reads = failed_reads.read();
        all.failed_writes = failed_writes.read();
        all.passed_on = passed_on.read();
        all.asked = asked.read();
        all.served = served.read();
        return all;
    }
};

class disk_core {
public:
    using clock = disk_object::clock;
    enum class role { owner, guest };

    // Both must outlive the core. Throws folder_in_use if an owner cannot lock the folder.
    disk_core(const disk_tier_options& options, disk_counters& counters, role as)
        : options_(options),
          counters_(counters),
          role_(as),
          file_(options.folder, options.line_size, as == role::owner ? options.capacity : 0),
          index_(file_.slots(), file_.used_slots()),
          header_(unzeroed_bytes(file_.header_size())) {}
    disk_core(const disk_core&) = delete;
    disk_core& operator=(const disk_core&) = delete;
    // Writes what waits to be written.
    ~disk_core() {
        {
            const std::lock_guard lock(mutex_);
            is_ending_ = true;
        }
        changed_.notify_all();
        if (writer_.joinable()) writer_.join();
        while (const auto slot = index_.take_to_erase()) file_.erase(*slot);
        while (scratch_ != nullptr) scratch_ = std::move(scratch_->next);
    }

    [[nodiscard]] const disk_tier_options& options() const noexcept { return options_; }
    [[nodiscard]] const slot_file& file() const noexcept { return file_; }
    [[nodiscard]] disk_counters& counters() noexcept { return counters_; }
    [[nodiscard]] bool is_guest() const noexcept { return role_ == role::guest; }
    // Whether lines must be claimed.
    [[nodiscard]] bool has_claims() const noexcept {
        return options_.shared && !is_guest() && file_.is_writable();
    }

    // Reads all headers, and inserts the lines in the order in which they were written. The newest
    // tenth was mostly in the small queue. To be called once, by an owner. Throws std::bad_alloc.
    void load() {
        struct found {
            std::uint64_t sequence;
            std::uint32_t slot;
        };
        std::vector<found> order;
        const std::span<std::byte> header(header_.get(), file_.header_size());
        for (std::uint32_t slot = 0; slot != file_.used_slots(); ++slot) {
            const slot_header read = read_header(slot, header);
            if (read.is_whole()) {
                order.push_back({read.line().sequence, slot});
            } else {
                index_.give_back({slot});
            }
        }
        std::sort(order.begin(), order.end(),
                  [](const found& a, const found& b) { return a.sequence < b.sequence; });
        std::size_t left = order.size();
        for (const found& each : order) {
            const slot_header read = read_header(each.slot, header);
            const bool is_old = left-- > file_.slots() / 10;
            if (read.is_whole()) {
                index_.insert(each.slot, read.line(), is_old);
                sequence_ = each.sequence;
            } else {
                index_.give_back({each.slot});
            }
        }
    }

    [[nodiscard]] bool holds(std::string_view object, std::string_view tag,
                             std::uint64_t number) noexcept {
        const std::lock_guard lock(mutex_);
        return index_.holds(object, tag, number);
    }
    [[nodiscard]] std::uint64_t next(std::string_view object, std::string_view tag,
                                     std::uint64_t number, std::uint64_t end) noexcept {
        const std::lock_guard lock(mutex_);
        return index_.next(object, tag, number, end);
    }
    // What is known of the object, unless the source must be asked. Throws std::bad_alloc.
    [[nodiscard]] std::optional<object_info> trusted_info(std::string_view name) {
        const std::lock_guard lock(mutex_);
        const disk_object* const object = index_.find(name);
        if (object == nullptr) return {};
        const bool is_trusted =
            options_.trust == std::chrono::milliseconds::max() ||
            (object->confirmed && clock::now() - *object->confirmed < options_.trust);
        return is_trusted ? std::optional(object->info) : std::nullopt;
    }
    // The source has told this of the object. Lines of another version are dropped.
    void confirm(std::string_view name, const object_info& info) noexcept {
        const std::lock_guard lock(mutex_);
        cancel_pending(name, info.entity_tag);
        disk_object* const object = index_.find(name);
        if (object == nullptr) return;
        if (object->info.entity_tag == info.entity_tag && object->info.size == info.size) {
            object->confirmed = clock::now();
        } else {
            drop(*object);
        }
    }
    // The source no longer has this version. An empty tag stands for any.
    void drop(std::string_view name, std::string_view tag) noexcept {
        const std::lock_guard lock(mutex_);
        for (pending_lines* const list : {&queued_, &writing_}) {
            for (pending_line& line : *list) {
                if (line.object == name && (tag.empty() || line.entity_tag == tag)) {
                    line.is_cancelled = true;
                }
            }
        }
        disk_object* const object = index_.find(name);
        if (object != nullptr && (tag.empty() || object->info.entity_tag == tag)) drop(*object);
    }

    // A line that is being read. Its slot does not change until release().
    struct acquired {
        std::uint32_t slot = 0;
        std::uint64_t sequence = 0;
        std::uint32_t content = 0;
        object_info object;
    };
    // Throws std::bad_alloc.
    [[nodiscard]] std::optional<acquired> acquire(std::string_view object, std::string_view tag,
                                                  std::uint64_t number) {
        const std::lock_guard lock(mutex_);
        const disk_object* const found = index_.find(object);
        if (found == nullptr) return {};
        object_info info = found->info;
        const disk_line* const line = index_.acquire(object, tag, number);
        if (line == nullptr) return {};
        return acquired{index_.slot_of(*line), line->sequence, line->content, std::move(info)};
    }
    void release(std::uint32_t slot, bool is_usable) noexcept {
        const std::lock_guard lock(mutex_);
        if (!is_usable) index_.drop_line(slot);
        index_.release(slot);
        if (index_.has_to_erase()) wake_writer();
    }

    // What became of a read's wish to request lines.
    struct claim_result {
        enum class outcome {
            claimed,   // by the caller, which must call end_claim
            in_use,    // by another read; it may be on the disk now
            not_kept,  // the disk cannot keep the lines
        };
        outcome is = outcome::not_kept;
        line_claim* claim = nullptr;
    };
    // Claims lines from `first` on, before `end`, up to the next one that is on the disk or is
    // claimed. If the first one is claimed, or if there are not enough buffers, waits for a change
    // as long as is_wanted(), if it may. Throws std::bad_alloc.
    template <class Wanted>
    [[nodiscard]] claim_result claim(std::string_view object, std::string_view tag,
                                     std::uint64_t first, std::uint64_t end, bool may_wait,
                                     Wanted is_wanted) {
        using outcome = claim_result::outcome;
        line_claims made;
        std::unique_lock lock(mutex_);
        for (;;) {
            if (!may_wait_for_disk()) return {};
            if (index_.holds(object, tag, first)) return {outcome::in_use};
            const std::uint64_t lines = claimable(object, tag, first, end);
            if (lines != 0 && (reserved_ == 0 || reserved_ + lines <= options_.write_buffers)) {
                if (made.empty()) {
                    lock.unlock();
                    made.emplace_back().object = object;
                    lock.lock();
                    continue;
                }
                made.front().first = first;
                made.front().end = first + lines;
                reserved_ += lines;
                claims_.splice(claims_.end(), made);
                return {outcome::claimed, &claims_.back()};
            }
            if (!may_wait || !is_wanted()) return {outcome::in_use};
            wait_for_claims(lock);
        }
    }
    void end_claim(line_claim*& claim) noexcept {
        if (claim == nullptr) return;
        const std::lock_guard lock(mutex_);
        leave_claim(claim);
    }
    // Whether lines that are requested now will be kept, as far as is known.
    [[nodiscard]] bool can_keep() noexcept {
        const std::lock_guard lock(mutex_);
        return may_wait_for_disk();
    }
    // Waits while the line is claimed and not yet on the disk, as long as is_wanted().
    template <class Wanted>
    void wait_for_line(std::string_view object, std::string_view tag, std::uint64_t number,
                       Wanted is_wanted) noexcept {
        std::unique_lock lock(mutex_);
        while (may_wait_for_disk() && is_claimed(object, number) &&
               !index_.holds(object, tag, number) && is_wanted()) {
            wait_for_claims(lock);
        }
    }
    // Drops the line if the disk still has this copy of it.
    void drop_copy(std::string_view object, std::string_view tag, std::uint64_t number,
                   std::uint64_t sequence) noexcept {
        const std::lock_guard lock(mutex_);
        const disk_line* const line = index_.acquire(object, tag, number);
        if (line == nullptr) return;
        const std::uint32_t slot = index_.slot_of(*line);
        if (line->sequence == sequence) {
            counters_.damaged.add(1);
            index_.drop_line(slot);
        }
        index_.release(slot);
        if (index_.has_to_erase()) wake_writer();
    }

    // Throws std::bad_alloc.
    [[nodiscard]] std::unique_ptr<read_scratch> take_scratch() {
        {
            const std::lock_guard lock(mutex_);
            if (scratch_ != nullptr) {
                std::unique_ptr<read_scratch> taken = std::move(scratch_);
                scratch_ = std::move(taken->next);
                return taken;
            }
        }
        return std::make_unique<read_scratch>(file_.header_size());
    }
    void give_back(std::unique_ptr<read_scratch> scratch) noexcept {
        const std::lock_guard lock(mutex_);
        scratch->next = std::move(scratch_);
        scratch_ = std::move(scratch);
    }

    // Returns a list with a buffer for one line, or an empty list if the line will not be kept.
    // The caller passes it to keep() or discard(). `claim` may be none.
    [[nodiscard]] pending_lines begin_line(std::string_view object, const object_info& info,
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
    // Leaves the list empty.
    void keep(pending_lines& line) noexcept {
        if (line.empty()) return;
        const std::lock_guard lock(mutex_);
        queued_.splice(queued_.end(), line);
        wake_writer();
    }
    // Leaves the list empty.
    void discard(pending_lines& line) noexcept {
        if (line.empty()) return;
        const std::lock_guard lock(mutex_);
        make_idle(line);
    }

    // Waits until all lines that were passed to keep() are written.
    void flush() noexcept {
        std::unique_lock lock(mutex_);
        flushed_.wait(lock, [&] { return queued_.empty() && writing_.empty(); });
    }

    [[nodiscard]] disk_tier_statistics statistics() noexcept {
        disk_tier_statistics all = counters_.read();
        all.most_lines = file_.slots();
        const std::lock_guard lock(mutex_);
        all.lines = index_.size();
        all.bytes_on_disk = index_.bytes();
        return all;
    }

private:
    [[nodiscard]] slot_header read_header(std::uint32_t slot,
                                          std::span<std::byte> header) noexcept {
        const int error = file_.read_header(slot, header);
        if (error != 0 && error != ENODATA) counters_.failed_reads.add(1);
        return slot_header(error == 0 ? header : std::span<std::byte>(), slot, options_.line_size);
    }

    // The functions below require mutex_.

    // False for a while after a failed write.
    [[nodiscard]] bool is_keeping() const noexcept {
        return file_.is_writable() && clock::now() >= no_write_before_;
    }
    // Whether it makes sense to wait for the disk: no write takes very long.
    [[nodiscard]] bool may_wait_for_disk() const noexcept {
        const auto longest = std::max(options_.retry_after, std::chrono::milliseconds(1000));
        return is_keeping() && (writing_.empty() || clock::now() - write_began_ <= longest);
    }
    [[nodiscard]] bool is_claimed(std::string_view object, std::uint64_t number) const noexcept {
        return std::any_of(claims_.begin(), claims_.end(), [&](const line_claim& each) {
            return each.first <= number && number < each.end && each.object == object;
        });
    }
    // How many lines a read may claim.
    [[nodiscard]] std::uint64_t claimable(std::string_view object, std::string_view tag,
                                          std::uint64_t first, std::uint64_t end) const noexcept {
        std::uint64_t last = index_.next(object, tag, first, end);
        for (const line_claim& each : claims_) {
            if (each.object != object || each.end <= first) continue;
            last = std::min(last, std::max(first, each.first));
        }
        return std::min<std::uint64_t>(last - first, options_.write_buffers);
    }
    void leave_claim(line_claim*& claim) noexcept {
        line_claim* const left = std::exchange(claim, nullptr);
        if (left == nullptr || --left->users != 0) return;
        reserved_ -= left->end - left->first;
        claims_.remove_if([&](const line_claim& each) { return &each == left; });
        claims_changed_.notify_all();
    }
    // Also returns after a tenth of a second, because the reader may lose its interest.
    void wait_for_claims(std::unique_lock<std::mutex>& lock) noexcept {
        claims_changed_.wait_for(lock, std::chrono::milliseconds(100));
    }
    void make_idle(pending_lines& lines) noexcept {
        for (pending_line& each : lines) leave_claim(each.claim);
        idle_.splice(idle_.end(), lines);
    }

    void drop(disk_object& object) noexcept {
        counters_.replaced.add(index_.drop(object));
        wake_writer();
    }
    void cancel_pending(std::string_view name, std::string_view current_tag) noexcept {
        for (pending_lines* const list : {&queued_, &writing_}) {
            for (pending_line& line : *list) {
                if (line.object == name && line.entity_tag != current_tag) {
                    line.is_cancelled = true;
                }
            }
        }
    }
    // If there is no thread, the lines are not kept, and the slots are erased later.
    void wake_writer() noexcept {
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

    void write_lines() noexcept {
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
    void write_one(const pending_line& line, std::unique_lock<std::mutex>& lock) noexcept {
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

    const disk_tier_options& options_;
    disk_counters& counters_;
    const role role_;
    slot_file file_;

    std::mutex mutex_;  // guards all below
    std::condition_variable changed_;
    std::condition_variable flushed_;
    std::condition_variable claims_changed_;
    disk_index index_;
    pending_lines idle_;
    pending_lines queued_;
    pending_lines writing_;  // at most one
    std::size_t buffers_ = 0;
    line_claims claims_;
    std::uint64_t reserved_ = 0;  // buffers, for all claims
    std::unique_ptr<read_scratch> scratch_;
    std::uint64_t sequence_ = 0;
    clock::time_point no_write_before_ = clock::time_point::min();
    clock::time_point write_began_ = clock::time_point::min();
    clock::time_point no_growth_before_ = clock::time_point::min();
    bool is_ending_ = false;
    std::unique_ptr<std::byte[]> header_;  // of the writing thread, without mutex_
    std::thread writer_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
