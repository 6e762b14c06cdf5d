// SPDX-License-Identifier: BSL-1.0
// What it is: how an arc handles an object of which it may know only a base class. If the base is
// at the object's start, the counts are directly before it. The manager that open_block stored
// before the counts does the rest.
#pragma once

#include <freehold/handle/detail/shared/control_block.hpp>

#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

template <class T, class Count>
struct open_object {
    using control = control_block<Count>;

    [[nodiscard]] static control* counts(const T* object) noexcept {
        return reinterpret_cast<control*>(reinterpret_cast<std::uintptr_t>(object) -
                                          sizeof(control));
    }
    [[nodiscard]] static T* object_of(control* counts) noexcept {
        return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(counts) + sizeof(control));
    }
    static void destroy(const T* object) noexcept { counts(object)->manage(task::destroy); }
    static void free(const T* object) noexcept { counts(object)->manage(task::free); }
    static void prepare_for_shared_ptr(const T*) noexcept {}
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
