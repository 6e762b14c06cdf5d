// SPDX-License-Identifier: BSL-1.0
// What it is: arc, a handle of one word for shared ownership, and weak_arc. The object and its
// counts are in one block. The object's type determines its destruction. The object needs no base
// class.
// When to use it: many handles are stored or passed, and make_arc or allocate_arc can make the
// object.
// When not: for objects that exist already, for aliasing pointers and for most conversions to base
// classes (shared_ptr).
// Example: `auto packet = freehold::make_arc<message>(bytes); freehold::arc<message> copy =
// packet;`
//
// - arc<T[]> owns an array and knows its length.
// - An arc to an object with virtual functions converts to an arc to a base class if the base class
// is at the object's start. Other conversions to base classes do not compile, or terminate for
// abstract classes (see handle/detail/arc/arc_class.hpp).
// - An arc converts to a shared_ptr, which shares the block. The conversion allocates nothing for
// the object.
// - Handles that move between threads in bursts cost less if they are released and copied together:
// arc_bursts.hpp.
//
// Units: bytes. A handle is one word. An object that is aligned to 4 takes 12 bytes more, and one
// that is aligned to 8 takes 16 (20 and 24 with biased_count). An object with virtual functions
// takes another 8, for a pointer to its destruction. The block comes from the common_pool of its
// size or from the given allocator. Arrays and large objects come from operator new.
// Complexity: constant. A copy is a null check and an increment. A move does not access the count.
// A dereference costs as much as a plain pointer's. A release is a null check and a decrement. With
// atomic_count, no count executes a locked instruction while the process has one thread
// (detail/single_threaded.hpp). Afterwards, none is executed for an object that is never copied.
// There are no indirect calls, except for objects with virtual functions.
// Thread safety: that of Count; the default is safe to share. Several threads may use distinct
// handles to one object. Several threads may use one handle only with a lock.
// Exceptions: the make functions throw what the allocation and the object's constructor throw, and
// lose nothing then. The first conversion of a type to shared_ptr may throw std::bad_alloc, or
// std::length_error after 65535 types. Nothing else throws. Destructors must not throw. At 2^34
// owners or 2^28 weak references, the count terminates the program instead of wrapping. It also
// terminates if a handle is released or copied whose object has no owners (a destructor that ran
// twice, a copy of a handle's bytes). It detects this until the memory is reused.
// Ownership: all arcs to an object own it together. The last one destroys it; the block's memory is
// freed when the last weak_arc is gone, too.
// Source: Rust's std::sync::Arc, which also has one block for the counts and the object.
#pragma once

#include <freehold/count/atomic_count.hpp>
#include <freehold/count/local_count.hpp>
#include <freehold/handle/arc_bursts.hpp>
#include <freehold/handle/detail/arc/arc_class.hpp>
#include <freehold/handle/detail/arc/make_arc.hpp>
#include <freehold/handle/detail/arc/weak_arc.hpp>
