// SPDX-License-Identifier: BSL-1.0
// Every competitor of the suites that own one pointee by one handle, in the order in which they are
// reported.
#pragma once

#include "competitors/boost_intrusive_ptr.hpp"
#include "competitors/boost_intrusive_ptr_atomic.hpp"
#include "competitors/boost_local_shared_ptr.hpp"
#include "competitors/boost_shared_ptr.hpp"
#include "competitors/competitor.hpp"
#include "competitors/raw.hpp"
#include "competitors/std_shared_ptr.hpp"
#include "competitors/std_unique_ptr.hpp"

namespace lab {

using all_competitors =
    competitor_list<raw, std_unique_ptr, std_shared_ptr, boost_shared_ptr, boost_local_shared_ptr,
                    boost_intrusive_ptr, boost_intrusive_ptr_atomic>;

}  // namespace lab
