// SPDX-License-Identifier: BSL-1.0
// What it is: shared_ptr and weak_ptr with the meaning of the standard's, at less cost. With
// `namespace sp = freehold;` in place of `std`, a program that uses any of C++20's [util.smartptr]
// compiles and does the same.
// When to use it: several owners share an object, and the program uses the standard's interface or
// converts between pointer types.
// When not: if one word for each handle matters (arc), or for rings of owners (cyclic_ptr).
// Example: `auto shown = freehold::make_shared<widget>(); freehold::shared_ptr<widget> copy =
// shown;`
//
// Beyond the standard, the handles have a template parameter Count:
//     atomic_count   the default: handles on several threads
//     local_count    local_shared_ptr: all handles on one thread
//     biased_count   biased_shared_ptr: most handles on the thread that made the object
//     sharded_count  few objects that many threads copy and keep
//
// A program that uses biased_count or sharded_count also includes the header of that count.
//
// An object's destructor may assign to the handle whose assignment caused it. An owner for which
// unique() returns true sees what former owners wrote to the object.
//
// Units: bytes. A handle is two words. Each object has one block. make_shared adds 20 bytes to the
// object (28 with biased_count), and its alignment. A block for an object from a pointer is 32
// bytes (40 with biased_count). Blocks come from the common_pool of their size, unless an allocator
// is given. Arrays and large objects come from operator new.
// Complexity: constant. A copy is a null check and an increment. A move does not access the count.
// A release is a null check and a decrement, and one indirect call for the last owner. With
// atomic_count, no count executes a locked instruction while the process has one thread
// (detail/single_threaded.hpp). Afterwards, none is executed for an object that is never copied.
// Thread safety: that of Count. With each count but local_count, several threads may use distinct
// handles to one object. Several threads may use one handle only with a lock, or through
// std::atomic of it.
// Exceptions: those of C++20. Functions that allocate throw what the allocation and the object's
// constructor throw, and lose nothing then. shared_ptr's constructor from a weak_ptr and
// shared_from_this throw std::bad_weak_ptr. Deleters and destructors must not throw. At 2^34 owners
// or 2^28 weak references, the count terminates the program instead of wrapping.
// Ownership: all shared_ptrs to an object own it together. The last one destroys it; the block's
// memory is freed when the last weak_ptr is gone, too.
// Source: [util.smartptr] of C++20.
#pragma once

#include <freehold/count/atomic_count.hpp>
#include <freehold/count/local_count.hpp>
#include <freehold/fwd.hpp>
#include <freehold/handle/detail/atomic/std_atomic.hpp>
#include <freehold/handle/detail/shared/atomic_functions.hpp>
#include <freehold/handle/detail/shared/enable_shared_from_this.hpp>
#include <freehold/handle/detail/shared/make_shared.hpp>
#include <freehold/handle/detail/shared/owner_order.hpp>
#include <freehold/handle/detail/shared/pointer_casts.hpp>
#include <freehold/handle/detail/shared/shared_ptr_class.hpp>
#include <freehold/handle/detail/shared/weak_ptr.hpp>

#include <memory>

namespace freehold::inline FREEHOLD_ABI {

using std::bad_weak_ptr;

}  // namespace freehold::inline FREEHOLD_ABI
