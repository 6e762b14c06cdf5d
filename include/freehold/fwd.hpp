// SPDX-License-Identifier: BSL-1.0
// What it is: declarations of the handles, counts, pools and allocators, as <iosfwd> has for
// streams. The default template arguments are here and nowhere else.
// When to use it: in headers that only name these types.
// When not: for code that makes, copies or releases a handle. Such code includes the handle's own
// header.
// Example: `class widget; void draw(const freehold::shared_ptr<widget>& shown);`
//
// This header does not declare the caches, counted_ptr, linked_ptr and default_init_allocator. The
// default arguments of the last three are templates that only the standard header <memory>
// declares.
#pragma once

#include <freehold/config.hpp>

#include <cstddef>

namespace freehold::inline FREEHOLD_ABI {

namespace detail {
struct standard_atomics;
template <class Atomics>
class basic_atomic_count;
}  // namespace detail

// freehold/count/
class local_count;
// The count of handles that several threads share; count/atomic_count.hpp describes it.
using atomic_count = detail::basic_atomic_count<detail::standard_atomics>;
class biased_count;
class sharded_count;

// freehold/memory/
struct page_options;
class page_resource;
struct pool_options;
class pool;
class pool_resource;
template <class T>
class pool_allocator;
template <std::size_t BlockSize>
class common_pool;
template <class T>
class common_pool_allocator;

namespace detail {
// The allocator of the blocks of handles, unless the user gives another.
using default_allocator = common_pool_allocator<std::byte>;
}  // namespace detail

// freehold/handle/shared_ptr.hpp
template <class T, class Count = atomic_count>
class shared_ptr;
template <class T, class Count = atomic_count>
class weak_ptr;
template <class T, class Count = atomic_count>
class enable_shared_from_this;
template <class T = void>
struct owner_less;
struct owner_equal;
struct owner_hash;

// A shared_ptr whose owners are all on one thread.
template <class T>
using local_shared_ptr = shared_ptr<T, local_count>;
// A shared_ptr that the thread which made the object counts without locked instructions.
template <class T>
using biased_shared_ptr = shared_ptr<T, biased_count>;

// freehold/handle/arc.hpp
template <class T, class Count = atomic_count, class Allocator = detail::default_allocator>
class arc;
template <class T, class Count = atomic_count, class Allocator = detail::default_allocator>
class weak_arc;

// freehold/handle/atomic_arc.hpp, atomic_shared_ptr.hpp
template <class T, class Count = atomic_count, class Allocator = detail::default_allocator>
class atomic_arc;
template <class T, class Count = atomic_count>
class atomic_shared_ptr;
template <class Handle>
class snapshot_ptr;

// freehold/handle/anchor.hpp
template <class Handle>
class anchor;

// freehold/handle/intrusive_ptr.hpp, intrusive_base.hpp
template <class T>
class intrusive_ptr;
template <class Derived, class Count = atomic_count>
class intrusive_base;

// freehold/handle/cyclic_ptr.hpp
template <class T>
class cyclic_ptr;
template <class T>
class weak_cyclic_ptr;

// freehold/handle/dumb_ptr.hpp
template <class T>
class dumb_ptr;

}  // namespace freehold::inline FREEHOLD_ABI
