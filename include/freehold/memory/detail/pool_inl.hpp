// SPDX-License-Identifier: BSL-1.0
// What a pool does if a thread's cache has no block or no room for one.
#pragma once

#include <freehold/detail/annotations.hpp>
#include <freehold/detail/cache_registry.hpp>
#include <freehold/detail/exceptions.hpp>
#include <freehold/detail/lock_holder.hpp>
#include <freehold/detail/process_number.hpp>
#include <freehold/memory/detail/checked_options.hpp>
#include <freehold/memory/detail/checks.hpp>
#include <freehold/memory/detail/depot.hpp>
#include <freehold/memory/detail/pool_caches.hpp>
#include <freehold/memory/detail/thread_caches_inl.hpp>
#include <freehold/memory/detail/wait_queue.hpp>
#include <freehold/memory/memory_resource.hpp>
#include <freehold/memory/pages.hpp>
#include <freehold/memory/pool.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {

class pool_core {
public:
    // The pool has checked its options.
    explicit pool_core(pool& owner)
        : pool_(owner),
          options_(owner.options_),
          pages_({.huge = options_.huge, .prefault = options_.prefault}),
          depot_(layout()),
          caches_(depot_) {
        if (options_.initial_capacity > 0) depot_.reserve(options_.initial_capacity);
    }
    pool_core(const pool_core&) = delete;
    pool_core& operator=(const pool_core&) = delete;
    ~pool_core() {
        caches_of_this_thread::forget(caches_);
        if (const std::size_t out = in_use(caches_.gone().cached); out > 0) report_out(out);
        annotate_end(&pool_);
    }

    [[nodiscard]] std::size_t slot() const noexcept { return number_.value(); }
    [[nodiscard]] const depot& its_depot() const noexcept { return depot_; }
    [[nodiscard]] bool owns(const void* address) const { return depot_.owns(address); }
    [[nodiscard]] memory_resource& upstream() const noexcept {
        return *static_cast<memory_resource*>(upstream_.from);
    }
    void release_thread_cache() noexcept {
        if (thread_cache* const mine = my_cache_if_any()) mine->give_back();
    }
    [[nodiscard]] pool_statistics statistics() const {
        pool_statistics result;
        result.name = options_.name;
        const pool_thread_statistics all = read_threads(result.threads);
        result.capacity = depot_.capacity();
        result.cached = all.cached;
        result.in_depot = depot_.free_blocks();
        result.in_use = in_use(all.cached);
        result.high_water = depot_.high_water();
        result.upstream_blocks = depot_.overflow_blocks();
        // Relaxed: these counters order nothing. They count the operations of threads without a
        // cache.
        const std::uint64_t uncached = uncached_allocations_.load(std::memory_order_relaxed);
        const std::uint64_t uncached_frees = uncached_frees_.load(std::memory_order_relaxed);
        result.allocations = all.allocations + uncached;
        result.frees = all.frees + uncached_frees;
        result.remote_frees = all.remote_frees;
        result.refills = all.refills;
        result.exhaustions = exhaustions_.load(std::memory_order_relaxed);
        return result;
    }

    [[nodiscard]] void* allocate_slowly() {
        void* block = allocate_if_any();
        if (block == nullptr) {
            deadline of_call;
            block = allocate_when_exhausted(of_call);
        }
        return block;
    }
    void deallocate_slowly(void* block) noexcept {
        thread_cache* const mine = my_cache_if_any();
        if (mine != nullptr) {
            if (mine->is_full()) mine->spill();
            if (!mine->is_full()) return mine->put(block);
            mine->give_back();  // to a waiting thread
        }
        deallocate_uncached(block);
    }
    [[nodiscard]] std::size_t allocate_slowly(std::span<void*> blocks) {
        if (options_.on_exhaustion == exhaustion::wait &&
            blocks.size() > options_.maximum_capacity) {
            exhaustions_.fetch_add(1, std::memory_order_relaxed);
            FREEHOLD_THROW(pool_exhausted(options_.name));  // waiting could never succeed
        }
        std::size_t done = 0;
        deadline of_call;
        FREEHOLD_TRY {
            while (done < blocks.size()) {
                const std::size_t some = allocate_some(blocks.subspan(done), blocks.size());
                done += some;
                if (some > 0) continue;
                void* const block = allocate_when_exhausted(of_call);
                if (block == nullptr) break;
                blocks[done++] = block;
            }
        }
        FREEHOLD_CATCH(...) {
            pool_.deallocate_bulk(blocks.first(done));
            FREEHOLD_RETHROW;
        }
        return done;
    }
    void deallocate_slowly(std::span<void* const> blocks) noexcept {
        while (!blocks.empty()) {
            deallocate_slowly(blocks.front());
            blocks = blocks.subspan(1);
            const std::size_t more = std::min(blocks.size(), pool_.my_cache().room());
            if (more > 0 && pool_.my_cache().put_all(blocks.data(), more))
                blocks = blocks.subspan(more);
        }
    }

private:
    // Returns nullptr if the pool is checked, the thread is exiting, or memory is exhausted.
    [[nodiscard]] thread_cache* my_cache_if_any() noexcept {
        if (options_.checked) {
            caches_.enrol();
            return nullptr;
        }
        return caches_of_this_thread::find(number_.value(), caches_);
    }

    // Returns nullptr if the pool is exhausted.
    [[nodiscard]] void* allocate_if_any() {
        void* block = nullptr;
        return allocate_some({&block, 1}, 1) > 0 ? block : nullptr;
    }
    // Writes the blocks that are available at once, at least one. `burst` is the number of blocks
    // of the whole call. Returns their number, or 0 if the pool is exhausted.
    [[nodiscard]] std::size_t allocate_some(std::span<void*> blocks, std::size_t burst) {
        thread_cache* const mine = my_cache_if_any();
        if (mine == nullptr) {
            void* const block = allocate_uncached();
            if (block == nullptr) return 0;
            blocks.front() = block;
            return 1;
        }
        if (mine->is_empty() && !refill(*mine, blocks.size(), burst)) return 0;
        const auto some = blocks.first(std::min(blocks.size(), mine->available()));
        static_cast<void>(mine->take_all(some.data(), some.size()));  // cannot fail
        mine->count_allocations(some.size());
        pool_.annotate_all<annotate_allocated>(some);
        return some.size();
    }
    [[nodiscard]] bool refill(thread_cache& mine, std::size_t next, std::size_t burst) {
        // Keeping the order would cost a lone thread 5 % with small blocks. It already gets them in
        // order from their chunk.
        return is_small(depot_.layout().stride) ? mine.refill() : mine.refill_in_order(next, burst);
    }
    [[nodiscard]] void* allocate_uncached() {
        void* const block = depot_.take_one();
        if (block == nullptr) return nullptr;
        uncached_allocations_.fetch_add(1, std::memory_order_relaxed);
        if (options_.checked) checks().allocated(block);
        annotate_allocated(&pool_, block, options_.block_size);
        return block;
    }

    [[nodiscard]] void* allocate_when_exhausted(deadline& of_call) {
        exhaustions_.fetch_add(1, std::memory_order_relaxed);
        void* block = nullptr;
        switch (options_.on_exhaustion) {
            case exhaustion::throw_bad_alloc:
                break;
            case exhaustion::return_null:
                return nullptr;
            case exhaustion::wait:
                block = wait_for_block(of_call);
                break;
            case exhaustion::grow:
                while (block == nullptr && depot_.grow(true)) block = allocate_if_any();
                break;
            case exhaustion::use_upstream:
                while (block == nullptr && depot_.add_overflow_block()) block = allocate_if_any();
                break;
            case exhaustion::call_back:
                while (block == nullptr && options_.when_exhausted(pool_)) {
                    block = allocate_if_any();
                }
                break;
        }
        if (block == nullptr) FREEHOLD_THROW(pool_exhausted(options_.name));
        return block;
    }

    // Returns nullptr when the call's deadline is over. While this thread waits, the blocks that
    // other threads free go to the depot.
    [[nodiscard]] void* wait_for_block(deadline& of_call) {
        struct visit {
            wait_queue& queue;
            explicit visit(wait_queue& entered) noexcept : queue(entered) { queue.enter(); }
            visit(const visit&) = delete;
            visit& operator=(const visit&) = delete;
            ~visit() { queue.leave(); }
        } const here(waiting_);
        return waiting_.wait_until(of_call.end(options_.wait_limit), [this] {
            {
                const lock_holder lock(cache_registry::mutex());
                caches_.for_each([](cache_of_thread& each) { each.refuse(); });
            }
            return allocate_uncached();
        });
    }

    void deallocate_uncached(void* block) noexcept {
        if (options_.checked) {
            depot_.expect_taken(block);
            checks().freed_by_user(block, depot_.has_block_before(block));
        }
        uncached_frees_.fetch_add(1, std::memory_order_relaxed);
        depot_.give(&block, 1);
    }

    // Appends the statistics of each live thread. Returns the sum over all threads, including those
    // that have exited.
    [[nodiscard]] pool_thread_statistics read_threads(
        std::vector<pool_thread_statistics>& threads) const {
        for (std::size_t wanted = 0;; threads.reserve(wanted)) {
            const lock_holder lock(cache_registry::mutex());
            wanted = caches_.count();
            if (wanted > threads.capacity()) continue;
            pool_thread_statistics all = caches_.gone();
            caches_.for_each([&](const cache_of_thread& each) {
                all += threads.emplace_back(statistics_of(each));
            });
            return all;
        }
    }
    [[nodiscard]] std::size_t in_use(std::size_t cached) const {
        const std::size_t capacity = depot_.capacity();
        return capacity - std::min(capacity, cached + depot_.free_blocks());
    }

    [[nodiscard]] block_checks checks() const noexcept {
        return {options_.block_size, depot_.layout().stride, options_.name.c_str()};
    }

    [[gnu::noinline, gnu::cold]] void report_out(std::size_t blocks) {
        report_blocks_out(options_.name.c_str(), blocks, depot_.capacity());
        if (!options_.checked) return;
        int listed = 0;
        depot_.for_each_taken([&](const void* block) {
            if (++listed <= 8) report_block_out(options_.name.c_str(), block);
        });
    }

    [[nodiscard]] depot_layout layout() noexcept {
        const std::size_t stride = stride_of(options_);
        constexpr std::size_t small_step = std::size_t{256} << 10;
        const std::size_t step = options_.huge == huge_pages::never ? small_step : huge_page_size;
        return {
            .stride = stride,
            .alignment = std::max<std::size_t>(options_.alignment, 64),
            .magazine_size = options_.magazine_size,
            // Small blocks benefit from increasing addresses.
            .most_full = is_small(stride) ? 16 : no_limit,
            .growth = options_.growth,
            .least_growth = std::max<std::size_t>(1, step / stride),
            .maximum_capacity = options_.maximum_capacity,
            .prefault = options_.prefault && options_.upstream != nullptr,
            .prefault_ahead = options_.prefault ? 0 : std::size_t{64} << 10,
            .block_size = options_.block_size,
            .checked = options_.checked,
            .functions = &functions,
            .upstream = &upstream_,
            .waiting = options_.on_exhaustion == exhaustion::wait ? &waiting_ : nullptr,
            .name = options_.name.c_str(),
        };
    }

    static constexpr pool_functions functions{.prepare = &chunk_memory::prepare,
                                              .take_out = &chunk_store::take_out,
                                              .free_overflow = &depot::free_overflow,
                                              .wait_for_step = &depot::wait_for_step,
                                              .tell_of_step = &depot::tell_of_step};

    pool& pool_;
    const pool_options& options_;
    const process_number number_;
    page_resource pages_;
    const chunk_upstream upstream_{
        .allocate = [](void* from, std::size_t size, std::size_t alignment) -> void* {
            FREEHOLD_TRY {
                return static_cast<memory_resource*>(from)->allocate(size, alignment);
            }
            FREEHOLD_CATCH(const std::bad_alloc&) {
                return nullptr;
            }
        },
        .deallocate =
            [](void* from, void* memory, std::size_t size, std::size_t alignment) noexcept {
                static_cast<memory_resource*>(from)->deallocate(memory, size, alignment);
            },
        .from = options_.upstream != nullptr ? options_.upstream : &pages_};
    wait_queue waiting_;
    mutable depot depot_;
    pool_caches caches_;
    std::atomic<std::uint64_t> uncached_allocations_{0};
    std::atomic<std::uint64_t> uncached_frees_{0};
    std::atomic<std::uint64_t> exhaustions_{0};
};

}  // namespace detail

pool::pool(pool_options options)
    : options_(detail::checked_options(std::move(options))),
      core_(std::make_unique<detail::pool_core>(*this)),
      counts_(core_->its_depot().counts()) {
    if (!options_.checked) fast_slot_ = std::min(core_->slot(), fast_slot_);
    detail::annotate_pool(this);
}

pool::~pool() = default;

void* pool::allocate_slowly() {
    return core_->allocate_slowly();
}

std::size_t pool::allocate_slowly(std::span<void*> blocks) {
    return core_->allocate_slowly(blocks);
}

void pool::deallocate_slowly(void* block) noexcept {
    core_->deallocate_slowly(block);
}

void pool::deallocate_slowly(std::span<void* const> blocks) noexcept {
    core_->deallocate_slowly(blocks);
}

void pool::release_thread_cache() noexcept {
    core_->release_thread_cache();
}

pool_statistics pool::statistics() const {
    return core_->statistics();
}

std::size_t pool::stride() const noexcept {
    return core_->its_depot().layout().stride;
}

memory_resource& pool::upstream() const noexcept {
    return core_->upstream();
}

bool pool::owns(const void* address) const {
    return core_->owns(address);
}

}  // namespace freehold::inline FREEHOLD_ABI
