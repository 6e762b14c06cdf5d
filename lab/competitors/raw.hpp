// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "competitors/competitor.hpp"

namespace lab {

/// A plain pointer in the clothes of a handle: copies own nothing, the pointee is deleted by hand.
template <class T>
class raw_handle {
public:
    raw_handle() noexcept = default;
    explicit raw_handle(T* p) noexcept : p_(p) {}
    T* get() const noexcept { return p_; }
    T& operator*() const noexcept { return *p_; }
    T* operator->() const noexcept { return p_; }

private:
    T* p_ = nullptr;
};

struct raw : competitor {
    static constexpr const char* name = "raw";
    static constexpr bool in_single = true;

    template <class T>
    using handle = raw_handle<T>;

    template <class T>
    static void abandon(raw_handle<T>& last) noexcept {
        delete last.get();
    }
};

}  // namespace lab
