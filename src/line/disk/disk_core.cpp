// SPDX-License-Identifier: BSL-1.0
// What is on the disk, and what becomes of lines whose object has changed.
#include "line/disk/disk_core.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

const disk_tier_options& validated(const disk_tier_options& options) {
    const auto refuse = [&](const std::string& why) {
        throw std::invalid_argument("disk_tier '" + options.folder + "': " + why);
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

disk_tier_statistics disk_counters::read() const noexcept {
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

disk_core::disk_core(const disk_tier_options& options, disk_counters& counters, role as)
    : options_(options),
      counters_(counters),
      role_(as),
      file_(options.folder, options.line_size, as == role::owner ? options.capacity : 0),
      index_(file_.slots(), file_.used_slots()),
      header_(unzeroed_bytes(file_.header_size())) {}

disk_core::~disk_core() {
    {
        const std::lock_guard lock(mutex_);
        is_ending_ = true;
    }
    changed_.notify_all();
    if (writer_.joinable()) writer_.join();
    while (const auto slot = index_.take_to_erase()) file_.erase(*slot);
    while (scratch_ != nullptr) scratch_ = std::move(scratch_->next);
}

bool disk_core::holds(std::string_view object, std::string_view tag,
                      std::uint64_t number) noexcept {
    const std::lock_guard lock(mutex_);
    return index_.holds(object, tag, number);
}

std::uint64_t disk_core::next(std::string_view object, std::string_view tag, std::uint64_t number,
                              std::uint64_t end) noexcept {
    const std::lock_guard lock(mutex_);
    return index_.next(object, tag, number, end);
}

std::optional<object_info> disk_core::trusted_info(std::string_view name) {
    const std::lock_guard lock(mutex_);
    const disk_object* const object = index_.find(name);
    if (object == nullptr) return {};
    const bool is_trusted =
        options_.trust == std::chrono::milliseconds::max() ||
        (object->confirmed && clock::now() - *object->confirmed < options_.trust);
    return is_trusted ? std::optional(object->info) : std::nullopt;
}

void disk_core::confirm(std::string_view name, const object_info& info) noexcept {
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

void disk_core::drop(std::string_view name, std::string_view tag) noexcept {
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

std::optional<disk_core::acquired> disk_core::acquire(std::string_view object, std::string_view tag,
                                                      std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    const disk_object* const found = index_.find(object);
    if (found == nullptr) return {};
    object_info info = found->info;
    const disk_line* const line = index_.acquire(object, tag, number);
    if (line == nullptr) return {};
    return acquired{index_.slot_of(*line), line->sequence, line->content, std::move(info)};
}

void disk_core::release(std::uint32_t slot, bool is_usable) noexcept {
    const std::lock_guard lock(mutex_);
    if (!is_usable) index_.drop_line(slot);
    index_.release(slot);
    if (index_.has_to_erase()) wake_writer();
}

void disk_core::drop_copy(std::string_view object, std::string_view tag, std::uint64_t number,
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

std::unique_ptr<read_scratch> disk_core::take_scratch() {
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

void disk_core::give_back(std::unique_ptr<read_scratch> scratch) noexcept {
    const std::lock_guard lock(mutex_);
    scratch->next = std::move(scratch_);
    scratch_ = std::move(scratch);
}

disk_tier_statistics disk_core::statistics() noexcept {
    disk_tier_statistics all = counters_.read();
    all.most_lines = file_.slots();
    const std::lock_guard lock(mutex_);
    all.lines = index_.size();
    all.bytes_on_disk = index_.bytes();
    return all;
}

void disk_core::cancel_pending(std::string_view name, std::string_view current_tag) noexcept {
    for (pending_lines* const list : {&queued_, &writing_}) {
        for (pending_line& line : *list) {
            if (line.object == name && line.entity_tag != current_tag) {
                line.is_cancelled = true;
            }
        }
    }
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
