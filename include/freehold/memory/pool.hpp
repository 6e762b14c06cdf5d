// SPDX-License-Identifier: BSL-1.0
// What it is: a pool of blocks of one size, shared by all threads of a program. Any thread may free
// a block that another thread allocated.
// When to use it: many objects of one size are allocated and freed, such as packets, messages,
// requests or jobs. It helps most if one thread allocates and another thread frees.
// When not: for buffers of many sizes (see buffer_cache), or for small objects of the program's own
// types (common_pool needs no pool object).
// Example: `freehold::pool packets({.block_size = 2048, .name = "packets"});`
//
// Each thread has a small array of addresses of free blocks, its magazine. It allocates from this
// array and frees to it, whichever thread allocated the block. Threads exchange whole magazines
// through a shared depot, by pointer and without a lock. A block that one thread allocates and
// another frees costs both threads an array access, and one exchange in several hundred operations.
// The pool does not touch a free block, and never zeroes memory. A checked pool does write to
// blocks; see pool_options::checked.
//
// Blocks of 512 bytes or more are an odd number of cache lines apart, unless their alignment
// exceeds 64. Blocks whose distance is a power of two would compete for a few sets of the
// processor's caches.
//
// Give a pool at least two magazines for each thread, in addition to the blocks in use: the blocks
// that one thread caches are out of reach of the others. A thread that pauses its use of the pool
// should call release_thread_cache. A thread that exits returns its cached blocks by itself.
//
// Units: blocks for capacities, bytes for sizes. The pool takes 8 bytes and one bit for each block.
// It takes 16 bytes more for each block of a magazine, for each thread that uses it.
// Complexity: constant. An allocation or a free takes about ten instructions and no atomic
// read-modify-write, including the statistics. owns and each operation of a checked pool take a
// lock.
// Thread safety: all functions may be called by several threads at once, except the constructor and
// the destructor. The pool may be destroyed before or after the threads that used it exit. After
// fork, the child may use and destroy the pool, whatever other threads were doing with it. The
// child cannot reclaim the blocks that other threads had cached, or had in hand.
// Exceptions: the constructor throws std::invalid_argument and std::bad_alloc. allocate and
// allocate_bulk throw what pool_options::on_exhaustion says, what when_exhausted throws, and what
// the upstream throws. A std::bad_alloc of the upstream counts as exhaustion. statistics throws
// std::bad_alloc. The free functions never throw and always succeed, unless they end the program
// because of a misuse.
// Ownership: the pool owns all blocks. Its destructor returns their memory to the upstream. Blocks
// must not be used afterwards. The upstream must outlive the pool.
// Source: Bonwick & Adams, "Magazines and Vmem" (USENIX 2001). The magazine sizes, the last-in
// first-out order of the depot and the distance of blocks result from measurements (suite
// `packets`).
#pragma once

#include <freehold/detail/annotations.hpp>
#include <freehold/detail/cache_registry.hpp>
#include <freehold/detail/exceptions.hpp>
#include <freehold/detail/lock_holder.hpp>
#include <freehold/detail/process_number.hpp>
#include <freehold/memory/detail/checked_options.hpp>
#include <freehold/memory/detail/checks.hpp>
#include <freehold/memory/detail/depot.hpp>
#include <freehold/memory/detail/thread_caches.hpp>
#include <freehold/memory/detail/wait_queue.hpp>
#include <freehold/memory/memory_resource.hpp>
#include <freehold/memory/pages.hpp>
#include <freehold/memory/pool_options.hpp>
#include <freehold/memory/pool_statistics.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace freehold::inline FREEHOLD_ABI {

class pool {
public:
    // Throws std::invalid_argument, whose message names the pool and the option, and
    // std::bad_alloc. Throws what the upstream throws if initial_capacity is not 0.
    explicit pool(pool_options options)
        : options_(detail::checked_options(std::move(options))),
          pages_({.huge = options_.huge, .prefault = options_.prefault}),
          depot_(layout()),
          caches_(depot_) {
        if (options_.initial_capacity > 0) depot_.reserve(options_.initial_capacity);
        if (!options_.checked) fast_slot_ = std::min(number_.value(), fast_slot_);
        detail::annotate_pool(this);
    }
    pool(const pool&) = delete;
    pool& operator=(const pool&) = delete;

    // Reports blocks that are still in use on standard error. A checked pool also lists up to eight
    // of them.
    ~pool() {
        detail::caches_of_this_thread::forget(caches_);
        if (const std::size_t out = in_use(caches_.gone().cached); out > 0) report_out(out);
        detail::annotate_end(this);
    }

    // Returns nullptr only with exhaustion::return_null.
    [[nodiscard, gnu::always_inline]] void* allocate() {
        detail::thread_cache& mine = my_cache();
        if (mine.is_empty()) [[unlikely]]
            return allocate_slowly();
        void* const block = mine.take();
        mine.count_allocations(1);
        detail::annotate_allocated(this, block, options_.block_size);
        return block;
    }

    // `block` must come from this pool. Any thread may have allocated it.
    [[gnu::always_inline]] void deallocate(void* block) noexcept {
        detail::annotate_freed(this, block, options_.block_size);
        detail::thread_cache& mine = my_cache();
        if (mine.is_full()) [[unlikely]]
            return deallocate_slowly(block);
        mine.put(block);
    }

    // Writes the address of a new block to each element and returns their number. Returns fewer
    // only with exhaustion::return_null. If it throws, it has allocated nothing.
    [[gnu::always_inline]] std::size_t allocate_bulk(std::span<void*> blocks) {
        detail::thread_cache& mine = my_cache();
        if (!mine.take_all(blocks.data(), blocks.size())) [[unlikely]]
            return allocate_slowly(blocks);
        mine.count_allocations(blocks.size());
        annotate_all<detail::annotate_allocated>(blocks);
        return blocks.size();
    }

    // Frees all blocks. They must come from this pool, and any threads may have allocated them.
    [[gnu::always_inline]] void deallocate_bulk(std::span<void* const> blocks) noexcept {
        annotate_all<detail::annotate_freed>(blocks);
        if (!my_cache().put_all(blocks.data(), blocks.size())) [[unlikely]]
            deallocate_slowly(blocks);
    }

    // Returns the calling thread's cached blocks to the depot, where all threads can allocate them.
    void release_thread_cache() noexcept {
        if (detail::thread_cache* const mine = my_cache_if_any()) mine->give_back();
    }

    // Throws std::bad_alloc.
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

    // The size and the alignment of a block in bytes.
    [[nodiscard]] std::size_t block_size() const noexcept { return options_.block_size; }
    [[nodiscard]] std::size_t alignment() const noexcept { return options_.alignment; }
    // The distance in bytes from one block to the next.
    [[nodiscard]] std::size_t stride() const noexcept { return depot_.layout().stride; }
    // The number of blocks that a thread exchanges with the depot at a time.
    [[nodiscard]] std::size_t magazine_size() const noexcept { return options_.magazine_size; }
    // The options that the constructor got. If magazine_size was 0, it is the chosen one.
    [[nodiscard]] const pool_options& options() const noexcept { return options_; }
    // The pool's name, and the resource from which its blocks come.
    [[nodiscard]] const std::string& name() const noexcept { return options_.name; }
    [[nodiscard]] memory_resource& upstream() const noexcept {
        return *static_cast<memory_resource*>(upstream_.from);
    }
    // Returns whether the address is in the memory of the pool's blocks. Takes a lock.
    [[nodiscard]] bool owns(const void* address) const { return depot_.owns(address); }

protected:
    // The cache of the calling thread. If the thread has none, this is a cache that is both empty
    // and full.
    [[nodiscard, gnu::always_inline]] detail::thread_cache& my_cache() const noexcept {
        return detail::caches_of_this_thread::fast(fast_slot_);
    }

private:
    // Returns nullptr if the pool is checked, the thread is exiting, or memory is exhausted.
    [[nodiscard]] detail::thread_cache* my_cache_if_any() noexcept {
        if (options_.checked) {
            caches_.enrol();
            return nullptr;
        }
        return detail::caches_of_this_thread::find(number_.value(), caches_);
    }

    [[nodiscard, gnu::noinline]] void* allocate_slowly() {
        void* block = allocate_if_any();
        if (block == nullptr) {
            detail::deadline of_call;
            block = allocate_when_exhausted(of_call);
        }
        return block;
    }

    // Returns nullptr if the pool is exhausted.
    [[nodiscard]] void* allocate_if_any() {
        void* block = nullptr;
        return allocate_some({&block, 1}, 1) > 0 ? block : nullptr;
    }
    // Writes the blocks that are available at once, at least one. `burst` is the number of blocks
    // of the whole call. Returns their number, or 0 if the pool is exhausted.
    [[nodiscard]] std::size_t allocate_some(std::span<void*> blocks, std::size_t burst) {
        detail::thread_cache* const mine = my_cache_if_any();
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
        annotate_all<detail::annotate_allocated>(some);
        return some.size();
    }
    [[nodiscard]] bool refill(detail::thread_cache& mine, std::size_t next, std::size_t burst) {
        // Keeping the order would cost a lone thread 5 % with small blocks. It already gets them in
        // order from their chunk.
        return detail::is_small(stride()) ? mine.refill() : mine.refill_in_order(next, burst);
    }
    [[nodiscard]] void* allocate_uncached() {
        void* const block = depot_.take_one();
        if (block == nullptr) return nullptr;
        uncached_allocations_.fetch_add(1, std::memory_order_relaxed);
        if (options_.checked) checks().allocated(block);
        detail::annotate_allocated(this, block, block_size());
        return block;
    }

    [[nodiscard]] void* allocate_when_exhausted(detail::deadline& of_call) {
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
                while (block == nullptr && options_.when_exhausted(*this)) {
                    block = allocate_if_any();
                }
                break;
        }
        if (block == nullptr) FREEHOLD_THROW(pool_exhausted(options_.name));
        return block;
    }

    // Returns nullptr when the call's deadline is over. While this thread waits, the blocks that
    // other threads free go to the depot.
    [[nodiscard]] void* wait_for_block(detail::deadline& of_call) {
        struct visit {
            detail::wait_queue& queue;
            explicit visit(detail::wait_queue& entered) noexcept : queue(entered) { queue.enter(); }
            visit(const visit&) = delete;
            visit& operator=(const visit&) = delete;
            ~visit() { queue.leave(); }
        } const here(waiting_);
        return waiting_.wait_until(of_call.end(options_.wait_limit), [this] {
            {
                const detail::lock_holder lock(detail::cache_registry::mutex());
                caches_.for_each([](detail::cache_of_thread& each) { each.refuse(); });
            }
            return allocate_uncached();
        });
    }

    [[gnu::noinline]] void deallocate_slowly(void* block) noexcept {
        detail::thread_cache* const mine = my_cache_if_any();
        if (mine != nullptr) {
            if (mine->is_full()) mine->spill();
            if (!mine->is_full()) return mine->put(block);
            mine->give_back();  // to a waiting thread
        }
        deallocate_uncached(block);
    }
    void deallocate_uncached(void* block) noexcept {
        if (options_.checked) {
            depot_.expect_taken(block);
            checks().freed_by_user(block, depot_.has_block_before(block));
        }
        uncached_frees_.fetch_add(1, std::memory_order_relaxed);
        depot_.give(&block, 1);
    }

    [[gnu::noinline]] std::size_t allocate_slowly(std::span<void*> blocks) {
        if (options_.on_exhaustion == exhaustion::wait &&
            blocks.size() > options_.maximum_capacity) {
            exhaustions_.fetch_add(1, std::memory_order_relaxed);
            FREEHOLD_THROW(pool_exhausted(options_.name));  // waiting could never succeed
        }
        std::size_t done = 0;
        detail::deadline of_call;
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
            deallocate_bulk(blocks.first(done));
            FREEHOLD_RETHROW;
        }
        return done;
    }
    [[gnu::noinline]] void deallocate_slowly(std::span<void* const> blocks) noexcept {
        while (!blocks.empty()) {
            deallocate_slowly(blocks.front());
            blocks = blocks.subspan(1);
            const std::size_t more = std::min(blocks.size(), my_cache().room());
            if (more > 0 && my_cache().put_all(blocks.data(), more)) blocks = blocks.subspan(more);
        }
    }

    template <void (*Annotate)(const void*, void*, std::size_t) noexcept>
    void annotate_all(std::span<void* const> blocks) noexcept {
        if constexpr (detail::annotates_blocks) {
            for (void* const each : blocks) Annotate(this, each, options_.block_size);
        }
    }

    // Appends the statistics of each live thread. Returns the sum over all threads, including those
    // that have exited.
    [[nodiscard]] pool_thread_statistics read_threads(
        std::vector<pool_thread_statistics>& threads) const {
        for (std::size_t wanted = 0;; threads.reserve(wanted)) {
            const detail::lock_holder lock(detail::cache_registry::mutex());
            wanted = caches_.count();
            if (wanted > threads.capacity()) continue;
            pool_thread_statistics all = caches_.gone();
            caches_.for_each([&](const detail::cache_of_thread& each) {
                all += threads.emplace_back(detail::statistics_of(each));
            });
            return all;
        }
    }
    [[nodiscard]] std::size_t in_use(std::size_t cached) const {
        const std::size_t capacity = depot_.capacity();
        return capacity - std::min(capacity, cached + depot_.free_blocks());
    }

    [[nodiscard]] detail::block_checks checks() const noexcept {
        return {block_size(), stride(), options_.name.c_str()};
    }

    [[gnu::noinline, gnu::cold]] void report_out(std::size_t blocks) {
        detail::report_blocks_out(options_.name.c_str(), blocks, depot_.capacity());
        if (!options_.checked) return;
        int listed = 0;
        depot_.for_each_taken([&](const void* block) {
            if (++listed <= 8) detail::report_block_out(options_.name.c_str(), block);
        });
    }

    [[nodiscard]] detail::depot_layout layout() noexcept {
        const std::size_t stride = detail::stride_of(options_);
        constexpr std::size_t small_step = std::size_t{256} << 10;
        const std::size_t step = options_.huge == huge_pages::never ? small_step : huge_page_size;
        return {
            .stride = stride,
            .alignment = std::max<std::size_t>(options_.alignment, 64),
            .magazine_size = options_.magazine_size,
            // Small blocks benefit from increasing addresses.
            .most_full = detail::is_small(stride) ? 16 : detail::no_limit,
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

    static constexpr detail::pool_functions functions{
        .prepare = &detail::chunk_memory::prepare,
        .take_out = &detail::chunk_store::take_out,
        .free_overflow = &detail::depot::free_overflow,
        .wait_for_step = &detail::depot::wait_for_step,
        .tell_of_step = &detail::depot::tell_of_step};

    std::size_t fast_slot_ = detail::caches_of_this_thread::fast_slots;  // holds no cache
    const detail::process_number number_;
    const pool_options options_;
    page_resource pages_;
    const detail::chunk_upstream upstream_{
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
    detail::wait_queue waiting_;
    mutable detail::depot depot_;
    detail::pool_caches caches_;
    std::atomic<std::uint64_t> uncached_allocations_{0};
    std::atomic<std::uint64_t> uncached_frees_{0};
    std::atomic<std::uint64_t> exhaustions_{0};
};

}  // namespace freehold::inline FREEHOLD_ABI
