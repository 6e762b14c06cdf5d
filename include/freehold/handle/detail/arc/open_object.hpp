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
    static void destroy(control* counts) noexcept { counts->manage(task::destroy); }
    static void free(control* counts) noexcept { counts->manage(task::free); }
    [[nodiscard]] static constexpr auto freeing() noexcept { return &free; }
    static void prepare_for_shared_ptr(const T*) noexcept {}
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
