// SPDX-License-Identifier: BSL-1.0
// The module `freehold`: the handles, counts, pools and allocators. A test compares its names with
// those that the headers declare.
module;

#include <freehold/count/atomic_count.hpp>
#include <freehold/count/biased_count.hpp>
#include <freehold/count/local_count.hpp>
#include <freehold/count/reference_count.hpp>
#include <freehold/count/sharded_count.hpp>
#include <freehold/fwd.hpp>
#include <freehold/handle/anchor.hpp>
#include <freehold/handle/arc.hpp>
#include <freehold/handle/arc_bursts.hpp>
#include <freehold/handle/atomic_arc.hpp>
#include <freehold/handle/atomic_shared_ptr.hpp>
#include <freehold/handle/counted_ptr.hpp>
#include <freehold/handle/cyclic_ptr.hpp>
#include <freehold/handle/dumb_ptr.hpp>
#include <freehold/handle/intrusive_base.hpp>
#include <freehold/handle/intrusive_ptr.hpp>
#include <freehold/handle/linked_ptr.hpp>
#include <freehold/handle/shared_ptr.hpp>
#include <freehold/handle/snapshot_ptr.hpp>
#include <freehold/handle/std_interop.hpp>
#include <freehold/memory/common_pool.hpp>
#include <freehold/memory/common_pool_allocator.hpp>
#include <freehold/memory/default_init_allocator.hpp>
#include <freehold/memory/memory_resource.hpp>
#include <freehold/memory/pages.hpp>
#include <freehold/memory/pool.hpp>
#include <freehold/memory/pool_allocator.hpp>
#include <freehold/memory/pool_options.hpp>
#include <freehold/memory/pool_resource.hpp>
#include <freehold/memory/pool_statistics.hpp>
#include <freehold/memory/pool_thread_statistics.hpp>
#include <freehold/version.hpp>

export module freehold;

export namespace freehold {

// freehold/count/
using freehold::atomic_count;
using freehold::biased_count;
using freehold::local_count;
using freehold::reference_count;
using freehold::remaining;
using freehold::sharded_count;
using freehold::weak_reference_count;
using freehold::weakable_reference_count;

// freehold/handle/
using freehold::allocate_arc;
using freehold::allocate_arc_for_overwrite;
using freehold::allocate_shared;
using freehold::allocate_shared_for_overwrite;
using freehold::anchor;
using freehold::arc;
using freehold::atomic_arc;
using freehold::atomic_compare_exchange_strong;
using freehold::atomic_compare_exchange_strong_explicit;
using freehold::atomic_compare_exchange_weak;
using freehold::atomic_compare_exchange_weak_explicit;
using freehold::atomic_exchange;
using freehold::atomic_exchange_explicit;
using freehold::atomic_is_lock_free;
using freehold::atomic_load;
using freehold::atomic_load_explicit;
using freehold::atomic_shared_ptr;
using freehold::atomic_store;
using freehold::atomic_store_explicit;
using freehold::bad_weak_ptr;
using freehold::biased_shared_ptr;
using freehold::collect_cycles;
using freehold::const_pointer_cast;
using freehold::counted_ptr;
using freehold::current_cycle_statistics;
using freehold::cycle_statistics;
using freehold::cyclic_ptr;
using freehold::dumb_ptr;
using freehold::dynamic_pointer_cast;
using freehold::enable_shared_from_this;
using freehold::from_std;
using freehold::get_deleter;
using freehold::intrusive_base;
using freehold::intrusive_ptr;
using freehold::linked_ptr;
using freehold::local_shared_ptr;
using freehold::make_arc;
using freehold::make_arc_for_overwrite;
using freehold::make_cyclic;
using freehold::make_shared;
using freehold::make_shared_for_overwrite;
using freehold::operator<=>;
using freehold::operator<<;
using freehold::operator==;
using freehold::owner_equal;
using freehold::owner_hash;
using freehold::owner_less;
using freehold::prefetch;
using freehold::reinterpret_pointer_cast;
using freehold::release;
using freehold::set_automatic_cycle_collection;
using freehold::share;
using freehold::shared_block_alignment;
using freehold::shared_block_size;
using freehold::shared_ptr;
using freehold::snapshot_ptr;
using freehold::static_pointer_cast;
using freehold::swap;
using freehold::to_std;
using freehold::weak_arc;
using freehold::weak_cyclic_ptr;
using freehold::weak_ptr;

// freehold/memory/
using freehold::common_pool;
using freehold::common_pool_allocator;
using freehold::common_pool_for;
using freehold::default_init_allocator;
using freehold::exhaustion;
using freehold::huge_page_size;
using freehold::huge_pages;
using freehold::largest_common_block;
using freehold::memory_resource;
using freehold::page_options;
using freehold::page_resource;
using freehold::page_statistics;
using freehold::pool;
using freehold::pool_allocator;
using freehold::pool_exhausted;
using freehold::pool_options;
using freehold::pool_resource;
using freehold::pool_statistics;
using freehold::pool_thread_statistics;
using freehold::trim_common_pools;

}  // namespace freehold
