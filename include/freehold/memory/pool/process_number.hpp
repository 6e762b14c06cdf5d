// SPDX-License-Identifier: BSL-1.0
// The lowest number that no other object of this class has in the process, for its lifetime: where
// each thread finds what is its own of a pool.
//
// Costs its making a look at each of the others. Thread-safe; does not throw, and asks for no
// memory. Visible even where a shared library is compiled to hide its symbols.
#pragma once

#include <freehold/memory/immortal.hpp>

#include <cstddef>
#include <mutex>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

class [[gnu::visibility("default")]] process_number {
public:
    process_number() noexcept {
        const std::lock_guard lock(mutex_.value);
        process_number** link = &first_;
        for (; *link != nullptr && (*link)->value_ == value_; ++value_) link = &(*link)->next_;
        next_ = std::exchange(*link, this);
    }
    process_number(const process_number&) = delete;
    process_number& operator=(const process_number&) = delete;
    ~process_number() {
        const std::lock_guard lock(mutex_.value);
        process_number** link = &first_;
        while (*link != this) link = &(*link)->next_;
        *link = next_;
    }

    [[nodiscard]] std::size_t value() const noexcept {
        return value_;
    }

private:
    std::size_t value_ = 0;
    process_number* next_ = nullptr;

    static inline constinit immortal<std::mutex> mutex_{};
    static inline constinit process_number* first_ = nullptr;  // in the order of their values
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
