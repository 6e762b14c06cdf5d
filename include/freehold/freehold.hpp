// SPDX-License-Identifier: BSL-1.0
// The whole library in one include, but for line/s3_source.hpp, which takes libcurl, and for
// line/arrow_file.hpp and line/arrow_filesystem.hpp, which take Apache Arrow. On Windows it also
// lacks line/file_source.hpp and line/disk_tier.hpp. With the headers alone, it lacks the caches.
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

// The caches take exceptions, and libraries of their own.
#if defined(__cpp_exceptions) && !FREEHOLD_HEADER_ONLY
#include <freehold/buffer/buffer.hpp>
#include <freehold/buffer/buffer_allocator.hpp>
#include <freehold/buffer/buffer_cache.hpp>
#include <freehold/buffer/buffer_policies.hpp>
#include <freehold/buffer/buffer_policy.hpp>
#include <freehold/buffer/buffer_resource.hpp>
#include <freehold/line/limited_source.hpp>
#include <freehold/line/line_cache.hpp>
#include <freehold/line/line_source.hpp>
#if !defined(_WIN32)
#include <freehold/line/disk_tier.hpp>
#include <freehold/line/file_source.hpp>
#endif
#endif
