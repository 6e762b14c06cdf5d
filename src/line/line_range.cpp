// SPDX-License-Identifier: BSL-1.0
// get_range, and what it returns: lines of one version of an object that are pinned together, and
// lie one behind the other in memory.
#include <freehold/line/line_cache.hpp>

#include "line/line_access.hpp"
#include "line/requests.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {
namespace {

using line_ptr = arc<cached_line>;

// Owns the lines, and allocates nothing: from the first line's slot it finds the others, because a
// slot knows its line. Invariant: several lines are counted as pinned by their store, from
// count_as_pinned on.
class adjacent_lines {
public:
    adjacent_lines() noexcept = default;
    // The lines of a line_range.
    adjacent_lines(cached_line* first, std::size_t lines) noexcept
        : first_(first), count_(lines), is_counted_(lines > 1) {}
    adjacent_lines(adjacent_lines&& other) noexcept
        : first_(other.first_),
          count_(std::exchange(other.count_, 0)),
          is_counted_(other.is_counted_) {}
    adjacent_lines& operator=(adjacent_lines&& other) noexcept {
        std::swap(first_, other.first_);
        std::swap(count_, other.count_);
        std::swap(is_counted_, other.is_counted_);
        return *this;
    }
    ~adjacent_lines() {
        if (count_ == 0) return;
        const arc<line_store> store = first_->store();
        for (std::size_t i = count_; i-- != 0;) remove_owner(&(*this)[i]);
        if (is_counted_) store->unpin(count_);
    }

    // Returns false if the line does not follow the last one, in the object and in memory.
    [[nodiscard]] bool add(line_ptr line) noexcept {
        if (line->slot() == nullptr) return false;
        if (count_ == 0) {
            first_ = line.get();
        } else {
            const cached_line& last = (*this)[count_ - 1];
            if (line->version != last.version || line->number != last.number + 1 ||
                !line->store()->is_behind(*line->slot(), *last.slot())) {
                return false;
            }
        }
        static_cast<void>(arc_access::disown(line));
        ++count_;
        return true;
    }
    // Called after the last add. Returns false if too much memory would be pinned like this.
    [[nodiscard]] bool count_as_pinned() noexcept {
        if (count_ > 1) is_counted_ = first_->store()->pin(count_);
        return count_ <= 1 || is_counted_;
    }

    [[nodiscard]] explicit operator bool() const noexcept { return count_ != 0; }
    [[nodiscard]] std::size_t size() const noexcept { return count_; }
    [[nodiscard]] cached_line& operator[](std::size_t i) const noexcept {
        return i == 0 ? *first_ : *first_->slot()[i].line;
    }

    // Leaves the lines to a line_range of these bytes.
    [[nodiscard]] line_range release(std::span<const std::byte> bytes) noexcept {
        return line_access::make(first_, std::exchange(count_, 0), bytes);
    }

private:
    cached_line* first_ = nullptr;
    std::size_t count_ = 0;
    bool is_counted_ = false;
};

std::uint64_t most_lines_of_range(const line_core& core) noexcept {
    return std::max<std::uint64_t>(1, core.store().max_slots / 2);
}

// Returns none unless all lines of the bytes from `offset` to `end` are there and adjacent. The
// bytes may not have arrived.
adjacent_lines pin_range(const line_core& core, const line_key& object, std::uint64_t offset,
                         std::uint64_t end) noexcept {
    const std::uint64_t first = core.geometry().number_at(offset);
    const std::uint64_t last = core.geometry().number_at(end - 1);
    if (last - first >= most_lines_of_range(core)) return {};
    adjacent_lines held;
    for (std::uint64_t number = first; number <= last; ++number) {
        line_ptr line = core.pin(object.at(number));
        if (!line || !held.add(std::move(line))) return {};
    }
    if (!held.count_as_pinned()) return {};
    return held;
}

// Starts requests for the missing lines of these bytes. Returns where the bytes end if the object
// ends before `end`, or 0 if they are too many or none.
std::uint64_t request_range(line_requests& requests, const line_key& object, std::uint64_t offset,
                            std::uint64_t end, const stop_check& stop) {
    line_core& core = requests.core();
    const std::uint64_t most = most_lines_of_range(core);
    const line_key key = object.at(core.geometry().number_at(offset));
    const auto lines_to = [&](std::uint64_t to) {
        return core.geometry().number_at(to - 1) - key.number + 1;
    };
    line_run run{key.number, std::min(lines_to(end), most)};
    if (!core.knows_size_of(key)) {
        requests.fetch_runs(object, {&run, 1});
        const line_ptr first = core.pin(key);
        // Another thread may be waiting for the line's memory, and may fail for lack of it.
        if (first && first->slot() != nullptr) first->await(first->offset(), 1, stop);
    }
    const std::uint64_t size = core.size_of(key);
    if (size == object_entry::unknown || offset >= size) return 0;
    end = std::min(end, size);
    run.lines = lines_to(end);
    if (run.lines > most) return 0;
    requests.fetch_runs(object, {&run, 1});
    return end;
}

}  // namespace
}  // namespace detail

line_range any_line_cache::get_range_or_stop(const object_ref& of, std::uint64_t offset,
                                             std::uint64_t size, const detail::stop_check& stop) {
    using clock = std::chrono::steady_clock;
    detail::line_core& core = requests_->core();
    const detail::line_key object = detail::line_access::key(of, 0);
    std::uint64_t end = offset + std::min(size, whole_line - offset);
    if (end == offset) return {};
    detail::adjacent_lines held = detail::pin_range(core, object, offset, end);
    if (!held) {
        end = detail::request_range(*requests_, object, offset, end, stop);
        if (end == 0) return {};
        held = detail::pin_range(core, object, offset, end);
        if (!held) return {};
    }
    const clock::time_point begin = clock::now();
    const auto end_in = [&](const detail::cached_line& line) {
        return detail::line_geometry::end_from(line.offset(), offset, end - offset);
    };
    detail::line_ptr first_request;
    for (std::size_t i = 0; i != held.size(); ++i) {
        detail::line_core::found found = core.find(object.at(held[i].number), end_in(held[i]));
        if (found.is_first) first_request = std::move(found.line);
    }
    // Backwards: when the last line of a request has arrived, so have the others, and this thread
    // was woken once.
    bool has_all = true;
    for (std::size_t i = held.size(); i-- != 0;) {
        detail::cached_line& line = held[i];
        if (line.has(end_in(line))) continue;
        has_all = false;
        line.await(std::max(offset, line.offset()), end_in(line), stop);
    }
    if (!has_all) core.waits().add(clock::now() - begin);
    if (first_request) requests_->fetch_ahead_of(first_request, object.how);
    for (std::size_t i = 1; i != held.size(); ++i) {
        if (!held[i].has_same_info_as(held[0])) return {};
    }
    end = std::min(end, held[0].object_size());
    if (end <= offset) return {};
    const std::byte* const bytes = held[0].bytes().data() + (offset - held[0].offset());
    return held.release({bytes, static_cast<std::size_t>(end - offset)});
}

void line_range::unpin() noexcept {
    const detail::adjacent_lines last(std::exchange(first_, nullptr), lines_);
}

std::string_view line_range::object() const noexcept {
    return first_->object->name;
}

std::uint64_t line_range::object_size() const noexcept {
    return first_->object_size();
}

std::string_view line_range::entity_tag() const noexcept {
    return first_->entity_tag();
}

}  // namespace freehold::inline FREEHOLD_ABI
