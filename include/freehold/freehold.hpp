// SPDX-License-Identifier: BSL-1.0
// The whole library in one include, but for cache/s3_source.hpp, which takes libcurl, and for
// cache/arrow_file.hpp and cache/arrow_filesystem.hpp, which take Apache Arrow. On Windows it also
// lacks cache/file_source.hpp and cache/disk_tier.hpp.
#pragma once

#include <freehold/count/atomic_count.hpp>
#include <freehold/count/biased_count.hpp>
#include <freehold/count/local_count.hpp>
#include <freehold/count/reference_count.hpp>
#include <freehold/count/sharded_count.hpp>
#include <freehold/fwd.hpp>
#include <freehold/handle/anchor.hpp>
#include <freehold/handle/arc.hpp>
#include <freehold/handle/atomic_arc.hpp>
#include <freehold/handle/atomic_shared_ptr.hpp>
#include <freehold/handle/counted_ptr.hpp>
#include <freehold/handle/cyclic_ptr.hpp>
#include <freehold/handle/dumb_ptr.hpp>
#include <freehold/handle/intrusive_base.hpp>
#include <freehold/handle/intrusive_ptr.hpp>
#include <freehold/handle/linked_ptr.hpp>
#include <freehold/handle/shared_ptr.hpp>
#include <freehold/handle/std_interop.hpp>
#include <freehold/memory/common_pool.hpp>
#include <freehold/memory/common_pool_allocator.hpp>
#include <freehold/memory/default_init_allocator.hpp>
#include <freehold/memory/pages.hpp>
#include <freehold/memory/pool.hpp>
#include <freehold/memory/pool_allocator.hpp>
#include <freehold/memory/pool_options.hpp>
#include <freehold/memory/pool_resource.hpp>
#include <freehold/version.hpp>

#if defined(__cpp_exceptions)  // which the caches take
#include <freehold/cache/buffer.hpp>
#include <freehold/cache/buffer_allocator.hpp>
#include <freehold/cache/buffer_cache.hpp>
#include <freehold/cache/buffer_policies.hpp>
#include <freehold/cache/buffer_policy.hpp>
#include <freehold/cache/buffer_resource.hpp>
#include <freehold/cache/limited_source.hpp>
#include <freehold/cache/line_cache.hpp>
#include <freehold/cache/line_source.hpp>
#if !defined(_WIN32)
#include <freehold/cache/disk_tier.hpp>
#include <freehold/cache/file_source.hpp>
#endif
#endif
