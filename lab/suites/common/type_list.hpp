// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace lab {

template <class... Types>
struct type_list {
    /// Calls `visit.operator()<Type>()` for each.
    template <class Visitor>
    static void for_each(Visitor&& visit) {
        (visit.template operator()<Types>(), ...);
    }
};

}  // namespace lab
