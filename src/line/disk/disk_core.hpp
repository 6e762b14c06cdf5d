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
#include <freehold/line/disk_tier_options.hpp>
#include <freehold/line/line_source.hpp>

#include "line/disk/disk_index.hpp"
#include "line/disk/slot_file.hpp"
#include "line/disk/slot_header.hpp"
#include "line/event_counter.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>

namespace freehold::inline FREEHOLD_ABI::detail {

// Returns the options. Throws std::invalid_argument if they make no sense.
const disk_tier_options& validated(const disk_tier_options& options);

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

    [[nodiscard]] disk_tier_statistics read() const noexcept;
};

class disk_core {
public:
    using clock = disk_object::clock;
    enum class role { owner, guest };

    // Both must outlive the core. Throws folder_in_use if an owner cannot lock the folder.
    disk_core(const disk_tier_options& options, disk_counters& counters, role as);
    disk_core(const disk_core&) = delete;
    disk_core& operator=(const disk_core&) = delete;
    // Writes what waits to be written.
    ~disk_core();

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
    void load();

    [[nodiscard]] bool holds(std::string_view object, std::string_view tag,
                             std::uint64_t number) noexcept;
    [[nodiscard]] std::uint64_t next(std::string_view object, std::string_view tag,
                                     std::uint64_t number, std::uint64_t end) noexcept;
    // What is known of the object, unless the source must be asked. Throws std::bad_alloc.
    [[nodiscard]] std::optional<object_info> trusted_info(std::string_view name);
    // The source has told this of the object. Lines of another version are dropped.
    void confirm(std::string_view name, const object_info& info) noexcept;
    // The source no longer has this version. An empty tag stands for any.
    void drop(std::string_view name, std::string_view tag) noexcept;

    // A line that is being read. Its slot does not change until release().
    struct acquired {
        std::uint32_t slot = 0;
        std::uint64_t sequence = 0;
        std::uint32_t content = 0;
        object_info object;
    };
    // Throws std::bad_alloc.
    [[nodiscard]] std::optional<acquired> acquire(std::string_view object, std::string_view tag,
                                                  std::uint64_t number);
    void release(std::uint32_t slot, bool is_usable) noexcept;

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
    [[nodiscard]] claim_result claim(std::string_view object, std::string_view tag,
                                     std::uint64_t first, std::uint64_t end, bool may_wait,
                                     const std::function<bool()>& is_wanted);
    void end_claim(line_claim*& claim) noexcept;
    // Whether lines that are requested now will be kept, as far as is known.
    [[nodiscard]] bool can_keep() noexcept {
        const std::lock_guard lock(mutex_);
        return may_wait_for_disk();
    }
    // Waits while the line is claimed and not yet on the disk, as long as is_wanted().
    void wait_for_line(std::string_view object, std::string_view tag, std::uint64_t number,
                       const std::function<bool()>& is_wanted) noexcept;
    // Drops the line if the disk still has this copy of it.
    void drop_copy(std::string_view object, std::string_view tag, std::uint64_t number,
                   std::uint64_t sequence) noexcept;

    // Throws std::bad_alloc.
    [[nodiscard]] std::unique_ptr<read_scratch> take_scratch();
    void give_back(std::unique_ptr<read_scratch> scratch) noexcept;

    // Returns a list with a buffer for one line, or an empty list if the line will not be kept.
    // The caller passes it to keep() or discard(). `claim` may be none.
    [[nodiscard]] pending_lines begin_line(std::string_view object, const object_info& info,
                                           std::uint64_t number, std::uint32_t content,
                                           line_claim* claim) noexcept;
    // Leaves the list empty.
    void keep(pending_lines& line) noexcept;
    // Leaves the list empty.
    void discard(pending_lines& line) noexcept;

    // Waits until all lines that were passed to keep() are written.
    void flush() noexcept {
        std::unique_lock lock(mutex_);
        flushed_.wait(lock, [&] { return queued_.empty() && writing_.empty(); });
    }

    [[nodiscard]] disk_tier_statistics statistics() noexcept;

private:
    [[nodiscard]] slot_header read_header(std::uint32_t slot, std::span<std::byte> header) noexcept;

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
    [[nodiscard]] bool is_claimed(std::string_view object, std::uint64_t number) const noexcept;
    // How many lines a read may claim.
    [[nodiscard]] std::uint64_t claimable(std::string_view object, std::string_view tag,
                                          std::uint64_t first, std::uint64_t end) const noexcept;
    void leave_claim(line_claim*& claim) noexcept;
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
    void cancel_pending(std::string_view name, std::string_view current_tag) noexcept;
    // If there is no thread, the lines are not kept, and the slots are erased later.
    void wake_writer() noexcept;

    void write_lines() noexcept;
    void write_one(const pending_line& line, std::unique_lock<std::mutex>& lock) noexcept;

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
