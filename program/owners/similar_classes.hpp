// SPDX-License-Identifier: BSL-1.0
// Which objects that count their own owners could be confused with objects of other classes: those
// for which malloc gives as much memory, that have no pointer where the count is, and that may
// point to one another where the former have handles. Classes of the standard library are left out:
// the links of its containers' nodes tell these.
#pragma once

#include "owners/block_kinds.hpp"
#include "owners/type_layouts.hpp"

#include <cstdint>
#include <set>

namespace freehold {

/// Returns the numbers of such kinds, of those in `self_counted`.
std::set<std::uint32_t> kinds_like_other_classes(const block_kinds& kinds, type_layouts& types);

}  // namespace freehold
