// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace freehold {

/// What the debug information says of the constructors of a class, but for those that copy or move.
enum class constructor_access {
    untold,      // nothing, or some are public and some are not
    all_public,  // also if it declares none
    none_public  // each is protected or private
};

}  // namespace freehold
