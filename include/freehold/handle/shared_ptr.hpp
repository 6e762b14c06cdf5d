// SPDX-License-Identifier: BSL-1.0
// std::shared_ptr's meaning at less cost: with `namespace sp = freehold;` in place of `std`, a
// program that uses any of C++20's [util.smartptr] compiles and does the same. Beyond it, the
// handles take their Count as a parameter: atomic_count (the default) for handles on several
// threads; local_count, as local_shared_ptr, for those on one; biased_count, as biased_shared_ptr,
// for those that are mostly on the thread that made the object.
//
// Costs two words, and one block for each object, from the common_pool of its size: 20 bytes beside
// an object of make_shared, its alignment not counted (28 with biased_count), 32 (40) for an object
// from a pointer. A copy is a null check and an increment, a move touches no count. A release is a
// null check and a decrement, and for the last owner one indirect call. With atomic_count, no
// locked instruction is executed as long as the process has one thread (see
// count/single_threaded.hpp), nor later for an object that is never copied.
//
// Thread-safety: that of Count. With atomic_count and biased_count, distinct handles to one object
// may be used from several threads, one handle never without a lock (or std::atomic of it).
// Exceptions: those of C++20; only what allocates throws, and loses nothing then. Deleters and
// destructors must not throw. The count terminates the program at 2^34 owners or 2^28 weak
// references, rather than wrap.
// Where it is better than it must be: assigning to a handle is safe from within the destructor that
// the assignment causes; unique() sees what former owners wrote.
#pragma once

#include <freehold/count/atomic_count.hpp>
#include <freehold/count/biased_count.hpp>
#include <freehold/count/local_count.hpp>
#include <freehold/fwd.hpp>
#include <freehold/handle/atomic/std_atomic.hpp>
#include <freehold/handle/shared/atomic_functions.hpp>
#include <freehold/handle/shared/enable_shared_from_this.hpp>
#include <freehold/handle/shared/make_shared.hpp>
#include <freehold/handle/shared/owner_order.hpp>
#include <freehold/handle/shared/pointer_casts.hpp>
#include <freehold/handle/shared/shared_ptr.hpp>
#include <freehold/handle/shared/weak_ptr.hpp>

#include <memory>

namespace freehold::inline FREEHOLD_ABI {

using std::bad_weak_ptr;

}  // namespace freehold::inline FREEHOLD_ABI
