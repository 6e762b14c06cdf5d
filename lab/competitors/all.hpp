// SPDX-License-Identifier: BSL-1.0
// Every competitor that owns one pointee by one handle, in the order in which they are reported. To
// add one: write its header beside this file, named like its struct, and put it into both lists
// here.
#pragma once

#include "competitors/boost_intrusive_ptr.hpp"
#include "competitors/boost_intrusive_ptr_atomic.hpp"
#include "competitors/boost_local_shared_ptr.hpp"
#include "competitors/boost_shared_ptr.hpp"
#include "competitors/competitor.hpp"
#include "competitors/cyclic.hpp"
#include "competitors/dumb.hpp"
#include "competitors/intrusive.hpp"
#include "competitors/intrusive_atomic.hpp"
#include "competitors/linked.hpp"
#include "competitors/loki_linked.hpp"
#include "competitors/raw.hpp"
#include "competitors/simple_counted.hpp"
#include "competitors/simple_counted_atomic.hpp"
#include "competitors/special_counted.hpp"
#include "competitors/special_counted_atomic.hpp"
#include "competitors/std_shared_ptr.hpp"
#include "competitors/std_unique_ptr.hpp"

namespace lab {

using all_competitors =
    competitor_list<raw, dumb, simple_counted, special_counted, intrusive, linked, cyclic,
                    simple_counted_atomic, special_counted_atomic, intrusive_atomic, std_unique_ptr,
                    std_shared_ptr, boost_shared_ptr, boost_local_shared_ptr, boost_intrusive_ptr,
                    boost_intrusive_ptr_atomic, loki_linked>;

}  // namespace lab
