// SPDX-License-Identifier: BSL-1.0
// Every competitor that owns one pointee by one handle, in the order in which they are reported. To
// add one: write its header beside this file, named like its struct, and put it into both lists
// here.
#pragma once

#include "competitors/boost_intrusive_ptr.hpp"
#include "competitors/boost_intrusive_ptr_atomic.hpp"
#include "competitors/boost_local_shared_ptr.hpp"
#include "competitors/boost_make_local_shared.hpp"
#include "competitors/boost_make_shared.hpp"
#include "competitors/boost_make_shared_noinit.hpp"
#include "competitors/boost_shared_ptr.hpp"
#include "competitors/boost_shared_ptr_quick_allocator.hpp"
#include "competitors/competitor.hpp"
#include "competitors/cyclic.hpp"
#include "competitors/dumb.hpp"
#include "competitors/freehold_arc.hpp"
#include "competitors/freehold_arc_biased.hpp"
#include "competitors/freehold_arc_local.hpp"
#include "competitors/freehold_make_shared.hpp"
#include "competitors/freehold_make_shared_biased.hpp"
#include "competitors/freehold_make_shared_local.hpp"
#include "competitors/freehold_shared_ptr.hpp"
#include "competitors/freehold_shared_ptr_biased.hpp"
#include "competitors/freehold_shared_ptr_local.hpp"
#include "competitors/intrusive.hpp"
#include "competitors/intrusive_atomic.hpp"
#include "competitors/intrusive_biased.hpp"
#include "competitors/linked.hpp"
#include "competitors/llvm_intrusive_ref_cnt_ptr.hpp"
#include "competitors/llvm_intrusive_ref_cnt_ptr_atomic.hpp"
#include "competitors/loki_linked.hpp"
#include "competitors/qshared_pointer.hpp"
#include "competitors/qshared_pointer_create.hpp"
#include "competitors/raw.hpp"
#include "competitors/simple_counted.hpp"
#include "competitors/simple_counted_atomic.hpp"
#include "competitors/special_counted.hpp"
#include "competitors/special_counted_atomic.hpp"
#include "competitors/std_make_shared.hpp"
#include "competitors/std_shared_ptr.hpp"
#include "competitors/std_shared_ptr_single.hpp"
#include "competitors/std_unique_ptr.hpp"

namespace lab {

using all_competitors = competitor_list<
    raw, dumb, simple_counted, special_counted, intrusive, linked, cyclic,
    freehold_shared_ptr_local, freehold_make_shared_local, freehold_arc_local, intrusive_biased,
    freehold_shared_ptr_biased, freehold_make_shared_biased, freehold_arc_biased,
    simple_counted_atomic, special_counted_atomic, intrusive_atomic, freehold_shared_ptr,
    freehold_make_shared, freehold_arc, std_unique_ptr, std_shared_ptr, std_make_shared,
    std_shared_ptr_single, boost_shared_ptr, boost_shared_ptr_quick_allocator, boost_make_shared,
    boost_make_shared_noinit, boost_local_shared_ptr, boost_make_local_shared, boost_intrusive_ptr,
    boost_intrusive_ptr_atomic, llvm_intrusive_ref_cnt_ptr, llvm_intrusive_ref_cnt_ptr_atomic,
    qshared_pointer, qshared_pointer_create, loki_linked>;

}  // namespace lab
