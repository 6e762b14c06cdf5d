// SPDX-License-Identifier: BSL-1.0
// What an arc does with an object of which it may know only a base: it finds the counts right
// before it, provided that the base stands at the object's start, and leaves the rest to the
// manager that open_block wrote down before them.
#pragma once

#include <freehold/handle/shared/control_block.hpp>

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
