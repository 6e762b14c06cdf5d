// SPDX-License-Identifier: BSL-1.0
// Shared ownership in one word: the object and its counts stand in one block, its type says how it
// is destroyed, and no base class is asked of it.
//
// Costs one word, and beside each object 12 bytes if it is aligned to 4, 16 if to 8 (20 and 24 with
// biased_count; 8 more if it has virtual functions, for a pointer to what destroys it), from the
// common_pool of its size or the allocator given. A copy is a null check and an increment, a move
// touches no count, dereferencing costs what a plain pointer's does. A release is a null check and
// a decrement. With atomic_count, no locked instruction is executed as long as the process has one
// thread (see count/single_threaded.hpp), nor later for an object that is never copied. Nothing is
// called through a pointer, unless the object has virtual functions.
//
// arc<T[]> owns an array and knows its length. An arc to an object with virtual functions converts
// to one to a base class if that stands at the object's start; other conversions to bases are
// refused. An arc converts to a shared_ptr, which shares the block: nothing is allocated.
//
// Thread-safety: that of Count; the default is safe to share. Distinct handles to one object may be
// used from several threads, one handle never without a lock. Handles that wander between threads
// in bursts are cheaper together: arc/bursts.hpp. Exceptions: only the make functions throw:
// std::bad_alloc, and what the object's constructor throws, and nothing is lost then. The first
// conversion of a type to shared_ptr may throw std::bad_alloc. Destructors must not throw. The
// count terminates the program at 2^34 owners or 2^28 weak references, rather than wrap, and when a
// handle is released or copied whose object has no owners any more (a destructor that ran twice, a
// copy of a handle's bytes), as long as its memory has not been given to somebody else.
#pragma once

#include <freehold/count/atomic_count.hpp>
#include <freehold/count/biased_count.hpp>
#include <freehold/count/local_count.hpp>
#include <freehold/handle/arc/arc.hpp>
#include <freehold/handle/arc/bursts.hpp>
#include <freehold/handle/arc/make_arc.hpp>
#include <freehold/handle/arc/weak_arc.hpp>
