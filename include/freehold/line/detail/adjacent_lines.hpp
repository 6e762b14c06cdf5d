// SPDX-License-Identifier: BSL-1.0
// Lines of one version of an object that are pinned together, and lie one behind the other in
// memory. It allocates nothing: from the first line's slot it finds the others, because a slot
// knows its line.
#pragma once

#include <freehold/config.hpp>
#include <freehold/handle/arc.hpp>
#include <freehold/line/detail/cached_line.hpp>
#include <freehold/line/detail/line_store.hpp>

#include <cstddef>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

class adjacent_lines {
public:
    adjacent_lines() noexcept = default;
    adjacent_lines(adjacent_lines&& other) noexcept
        : first_(std::move(other.first_)),
          count_(std::exchange(other.count_, 0)),
          is_counted_(std::exchange(other.is_counted_, false)) {}
    adjacent_lines& operator=(adjacent_lines&& other) noexcept {
        adjacent_lines taken(std::move(other));
        std::swap(first_, taken.first_);
        std::swap(count_, taken.count_);
        std::swap(is_counted_, taken.is_counted_);
        return *this;
    }
    ~adjacent_lines() {
        if (!first_) return;
        for (std::size_t i = 1; i != count_; ++i) release(first_, (*this)[i]);
        if (is_counted_) first_->store()->unpin(count_);
    }

    // Returns false if the line does not follow the last one, in the object and in memory.
    [[nodiscard]] bool add(arc<cached_line> line) noexcept {
        if (line->slot() == nullptr) return false;
        if (count_ == 0) {
            first_ = std::move(line);
        } else {
            const cached_line& last = (*this)[count_ - 1];
            if (line->version != last.version || line->number != last.number + 1 ||
                !line->store()->is_behind(*line->slot(), *last.slot())) {
                return false;
            }
            static_cast<void>(arc_access::disown(line));
        }
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
        return *first_->slot()[i].line;
    }

private:
    template <class Count, class Allocator>
    static void release(const arc<cached_line, Count, Allocator>&, cached_line& line) noexcept {
        const auto last = arc_access::own<cached_line, Count, Allocator>(&line);
    }

    arc<cached_line> first_;
    std::size_t count_ = 0;
    bool is_counted_ = false;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
