// SPDX-License-Identifier: BSL-1.0
// Reads in DWARF debug information whether the constructors of a class are public.
#pragma once

#include "code/constructor_access.hpp"

#include <optional>
#include <vector>

#include <elfutils/libdw.h>

namespace freehold {

/// Returns the class to which the first parameter of a function points. The pointer may be passed
/// by reference.
[[nodiscard]] std::optional<Dwarf_Die> class_of_argument(Dwarf_Die function);

/// `entries` are those of one class: its definition, and declarations in units that need only some
/// of its functions.
[[nodiscard]] constructor_access access_of_constructors(const std::vector<Dwarf_Die>& entries);

}  // namespace freehold
