// SPDX-License-Identifier: BSL-1.0
// DPDK's rte_mempool as a packet source, with its cache for each thread.
//
// Every thread is one of DPDK's threads or registered as one, because only these have a cache. The
// cache has the largest size that DPDK allows. Objects are never given to a device, so they need
// not be in one physical page. That requirement would put each object at the start of a page
// without huge pages, and all would compete for the same cache sets. Without it, they have DPDK's
// own stride, an odd number of lines.
#pragma once

#include "suites/packets/source.hpp"

#include <cstddef>
#include <new>
#include <span>
#include <stdexcept>
#include <string>

#include <rte_errno.h>
#include <rte_lcore.h>
#include <rte_mempool.h>

namespace lab::packets {

/// DPDK's name of the code that keeps the common pool.
constexpr const char* handler = RTE_MEMPOOL_OPS;

template <std::size_t Bytes>
class rte_mempool_source {
public:
    static constexpr bool has_bulk = true;

    explicit rte_mempool_source(std::size_t capacity)
        : pool_(rte_mempool_create_empty("packets", static_cast<unsigned>(capacity), Bytes,
                                         RTE_MEMPOOL_CACHE_MAX_SIZE, 0, SOCKET_ID_ANY,
                                         RTE_MEMPOOL_F_NO_IOVA_CONTIG)) {
        if (pool_ == nullptr) throw failure("be made", rte_errno);
        if (const int error = rte_mempool_set_ops_byname(pool_, handler, nullptr); error != 0) {
            rte_mempool_free(pool_);
            throw failure(std::string("have the handler ") + handler, -error);
        }
        if (const int made = rte_mempool_populate_default(pool_); made < 0) {
            rte_mempool_free(pool_);
            throw failure("get its objects", -made);
        }
    }
    ~rte_mempool_source() { rte_mempool_free(pool_); }
    rte_mempool_source(const rte_mempool_source&) = delete;
    rte_mempool_source& operator=(const rte_mempool_source&) = delete;

    void thread_starts(std::size_t) {
        if (rte_lcore_id() == LCORE_ID_ANY && rte_thread_register() != 0) {
            throw failure("register a thread", rte_errno);
        }
    }
    void thread_ends() noexcept {
        if (rte_lcore_id() != rte_get_main_lcore()) rte_thread_unregister();
    }

    void* allocate() {
        void* block = nullptr;
        if (rte_mempool_get(pool_, &block) != 0) throw std::bad_alloc();
        return block;
    }
    void deallocate(void* block) noexcept { rte_mempool_put(pool_, block); }

    void allocate_bulk(std::span<void*> blocks) {
        if (rte_mempool_get_bulk(pool_, blocks.data(), static_cast<unsigned>(blocks.size())) != 0) {
            throw std::bad_alloc();
        }
    }
    void deallocate_bulk(std::span<void* const> blocks) noexcept {
        rte_mempool_put_bulk(pool_, blocks.data(), static_cast<unsigned>(blocks.size()));
    }

    /// Returns the number of objects in this thread's cache.
    std::size_t cached_here() const {
        const rte_mempool_cache* const cache = rte_mempool_default_cache(pool_, rte_lcore_id());
        return cache == nullptr ? 0 : cache->len;
    }

private:
    static std::runtime_error failure(const std::string& what, int error) {
        return std::runtime_error("the rte_mempool cannot " + what + ": " + rte_strerror(error));
    }

    rte_mempool* const pool_;
};

}  // namespace lab::packets
