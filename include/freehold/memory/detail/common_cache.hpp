// SPDX-License-Identifier: BSL-1.0
// A thread's cache of one common pool. The thread has one for each size that its code may use, so
// only what the fast path needs is a thread-local variable. Larger variables would take a page or
// two more of each thread.
#pragma once

#include <freehold/memory/detail/thread_cache.hpp>

namespace freehold::inline FREEHOLD_ABI::detail {

class common_source;
struct opened_cache;

struct alignas(32) common_cache : loaded_blocks {
    opened_cache* whole = nullptr;  // null while the cache is not open
};

// The rest, from the cache's first use to its thread's end. Its own loaded_blocks are those of the
// common_cache during a slow path, and otherwise out of date.
struct opened_cache : thread_cache {
    common_cache* fast = nullptr;
    common_source* source = nullptr;
    opened_cache* next_of_thread = nullptr;

    void take_blocks() noexcept { become(*fast); }
    void give_blocks() noexcept { fast->become(*this); }
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
