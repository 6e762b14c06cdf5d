// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/handle.hpp"

namespace lab::handles {

/// A plain pointer with a handle's interface. Copies own nothing, and `abandon` deletes the
/// pointee.
template <class T>
class raw_pointer {
public:
    raw_pointer() noexcept = default;
    explicit raw_pointer(T* p) noexcept : p_(p) {}
    T* get() const noexcept { return p_; }
    T& operator*() const noexcept { return *p_; }
    T* operator->() const noexcept { return p_; }

private:
    T* p_ = nullptr;
};

struct raw : handle_subject {
    static constexpr identity is = {
        .name = "raw", .family = family::lower_bound, .order = 1, .single = true, .threads = true};

    template <class T>
    using handle = raw_pointer<T>;

    template <class T>
    static void abandon(raw_pointer<T>& last) noexcept {
        delete last.get();
    }
};

}  // namespace lab::handles
