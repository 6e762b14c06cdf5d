// SPDX-License-Identifier: BSL-1.0
// The cache of one thread: a policy object if the policy is per_thread, the counters, and the stack
// to which other threads return the buffers that this cache handed out. buffer_thread_cache is what
// is compiled; buffer_thread_cache_of has the fast paths, in which the policy is inlined.
//
// Only the thread that has acquired it may use it, except that any thread may call give_back and
// request_trim, and push_returned through them.
//
// Invariants: the policy's idle bytes never exceed limit_. The bytes on the return stack never
// exceed the room made for them. Both are reserved beforehand, from the thread's quota and from the
// cache's. A returned block counts as in use until the policy has decided about it.
//
// | owner of a returned block | what put does |
// |---|---|
// | this thread cache | keeps it, if fast_limit_ allows; else see keep_slowly |
// | another thread cache | pushes it to that cache's return stack; if closed or full, as below |
// | the central owner | gives it to the central cache |
// | the uncached owner | returns it to the upstream |
#pragma once

#include <freehold/buffer/buffer_block.hpp>
#include <freehold/buffer/buffer_policy.hpp>
#include <freehold/buffer/detail/buffer_counters.hpp>
#include <freehold/buffer/detail/buffer_thread_cache_table.hpp>
#include <freehold/buffer/detail/idle_policy.hpp>
#include <freehold/config.hpp>
#include <freehold/detail/annotations.hpp>
#include <freehold/detail/platform/fork.hpp>
#include <freehold/detail/relaxed.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace freehold::inline FREEHOLD_ABI::detail {

struct buffer_cache_state;
struct buffer_thread_sharing;
struct trim_request;

class __attribute__((visibility("default"))) buffer_thread_cache
    : public buffer_thread_cache_entry {
public:
    ~buffer_thread_cache() override;

    // The fast paths, for callers that do not know the policy.
    [[nodiscard]] virtual buffer_block& get_virtually(std::size_t size, std::size_t alignment) = 0;
    virtual void put_virtually(buffer_block& block) noexcept = 0;

    // Any thread may call it, and give_back.
    void request_trim(const trim_request& more) noexcept;

    // For the thread of this cache, if it forks.
    void around_fork(fork_step step) noexcept;

    // To be called first by the thread that has acquired this cache.
    void activate() noexcept;
    // Gives up all its contents, before release().
    void deactivate() noexcept override;
    // For a session that ends.
    void close() noexcept;
    // Gives everything to the upstream, for the destructor of the buffer_cache.
    void clear() noexcept;

    // Drops what the request asks for, and releases every reservation that is not in use.
    void apply(const trim_request& what) noexcept;
    // Returns the blocks to the upstream. `returned` counts as dropped, the others as evicted.
    // Then releases `owed` bytes of the quota, which belonged to blocks of the central cache.
    void discard_and_release(dropped_buffers& dropped, std::size_t owed,
                             const buffer_block* returned = nullptr) noexcept {
        discard(dropped, returned);
        if (owed > 0) release_quota(owed);
    }

    [[nodiscard]] buffer_context context() const noexcept { return {thread_, now_}; }
    [[nodiscard]] std::size_t idle_bytes() const noexcept {
        return policy_ != nullptr ? policy_->idle_bytes() : 0;
    }
    // nullptr if the cache does not count.
    [[nodiscard]] const buffer_counters* counters() const noexcept { return counters_; }
    // The bytes that were taken from the upstream, less those that were given back.
    [[nodiscard]] std::uint64_t bytes_from_upstream() const noexcept;

protected:
    buffer_thread_cache(buffer_cache_state& state, std::size_t max_idle_bytes,
                        std::uint32_t thread);
    // To be called by the constructor of the derived class, with its members. Both may be nullptr:
    // without a policy of its own, the cache gives every buffer to the central cache.
    void use(idle_policy* policy, buffer_counters* counters) noexcept {
        policy_ = policy;
        counters_ = counters;
    }

    [[nodiscard]] buffer_block& get_slowly(std::size_t size, std::size_t alignment);
    // For requests of 0 bytes, or of more than cutoff_.
    [[nodiscard]] buffer_block& get_empty_or_large(std::size_t size, std::size_t alignment);
    // For the case that a packed counter is full, or that the sizes are of different classes.
    [[nodiscard]] buffer_block& hand_out_slowly(buffer_block& block, std::size_t size) noexcept;
    void put_slowly(buffer_block& block) noexcept;
    // Takes back a block that this cache does not own.
    void put_foreign(buffer_block& block) noexcept;
    // Keeps a block for which fast_limit_ has no space. Raises the limit if the quota allows it,
    // and gives what does not fit to the central cache.
    void keep_slowly(buffer_block& block) noexcept;
    void discard_slowly(dropped_buffers dropped, const buffer_block* returned) noexcept;
    void tick() noexcept;
    // Takes back a block on a thread that has no cache in the table.
    void give_back_slowly(buffer_block& block) noexcept;
    [[gnu::always_inline]] buffer_block& hand_out(buffer_block& block, std::size_t size,
                                                  buffer_owner& owner) noexcept {
        block.owner = &owner;
        block.size = size;
        annotate_allocated(&state_, block.data(), block.capacity);
        return block;
    }

    std::size_t cutoff_ = 0;              // the largest request of the fast path
    relaxed<std::size_t> fast_limit_{0};  // limit_, or 0 while a trim request is pending
    std::size_t limit_ = 0;
    std::uint64_t now_ = 0;
    std::uint32_t operations_until_tick_ = 1;
    const std::uint32_t thread_;
    const std::size_t fast_slot_;
    buffer_cache_state& state_;

private:
    void keep_in_central(buffer_block& block) noexcept;
    void keep_returned(buffer_block* first) noexcept;
    [[nodiscard]] bool push_returned(buffer_block& block) noexcept;
    [[nodiscard]] buffer_block& get_new(std::size_t size, std::size_t capacity,
                                        std::size_t alignment, buffer_owner& owner);
    // Inline, because there is mostly nothing to discard.
    void discard(dropped_buffers& dropped, const buffer_block* returned) noexcept {
        if (!dropped.is_empty()) discard_each(dropped, returned);
    }
    void discard_each(dropped_buffers& dropped, const buffer_block* returned) noexcept;
    void release_quota(std::size_t bytes) noexcept;
    [[nodiscard]] bool raise_limit(std::size_t needed) noexcept;
    [[nodiscard]] bool request_surplus() noexcept;
    void release_surplus() noexcept;
    void update_fast_limit() noexcept;
    void refresh() noexcept;
    void grow_room() noexcept;

    idle_policy* policy_ = nullptr;
    buffer_counters* counters_ = nullptr;
    std::uint32_t shortages_ = 0;
    std::uint32_t ticks_for_room_ = 0;
    const std::unique_ptr<buffer_thread_sharing> sharing_;
};

template <buffer_policy Policy, bool Counted>
class buffer_thread_cache_of final : public buffer_thread_cache {
public:
    buffer_thread_cache_of(buffer_cache_state& state, const typename Policy::options& options,
                           std::size_t max_idle_bytes, std::uint32_t thread)
        : buffer_thread_cache(state, max_idle_bytes, thread), own_(options) {
        idle_policy* policy = nullptr;
        buffer_counters* counters = nullptr;
        if constexpr (Policy::per_thread) policy = &own_;
        if constexpr (Counted) counters = &counts_;
        use(policy, counters);
    }

    [[nodiscard, gnu::always_inline]] buffer_block& get(std::size_t size, std::size_t alignment) {
        // After this subtraction a size of 0 exceeds every cutoff.
        if (size - 1 >= cutoff_) [[unlikely]]
            return get_empty_or_large(size, alignment);
        if (--operations_until_tick_ == 0) [[unlikely]]
            tick();
        if constexpr (Policy::per_thread) {
            buffer_block* const block = own_.policy.take({size, alignment}, context());
            if (block != nullptr) [[likely]] {
                if constexpr (Counted) {
                    if (!counts_.record_hit(*block, size)) [[unlikely]]
                        return hand_out_slowly(*block, size);
                }
                return hand_out(*block, size, *this);
            }
        }
        return get_slowly(size, alignment);
    }

    [[gnu::always_inline]] void put(buffer_block& block) noexcept {
        if constexpr (Policy::per_thread) {
            if (block.owner != this) [[unlikely]]
                return put_foreign(block);
            if constexpr (Counted) {
                if (!counts_.record_return(block)) [[unlikely]]
                    return put_slowly(block);
            }
            annotate_freed(&state_, block.data(), block.capacity);
            if (own_.policy.idle_bytes() + block.capacity > fast_limit_.get()) [[unlikely]]
                return keep_slowly(block);
            dropped_buffers dropped;
            own_.policy.keep(block, context(), dropped);
            if (!dropped.is_empty()) [[unlikely]]
                discard_slowly(dropped, &block);
        } else {
            put_foreign(block);
        }
    }

    void give_back(buffer_block& block) noexcept override {
        auto* const mine = buffer_thread_cache_table::fast(fast_slot_);
        if (mine == nullptr) [[unlikely]]
            return give_back_slowly(block);
        static_cast<buffer_thread_cache_of*>(mine)->put(block);
    }
    [[nodiscard]] buffer_block& get_virtually(std::size_t size, std::size_t alignment) override {
        return get(size, alignment);
    }
    void put_virtually(buffer_block& block) noexcept override { put(block); }

private:
    struct nothing {
        nothing() = default;
        explicit nothing(const typename Policy::options&) noexcept {}
    };

    [[no_unique_address]] std::conditional_t<Policy::per_thread, idle_policy_of<Policy>, nothing>
        own_;
    [[no_unique_address]] std::conditional_t<Counted, buffer_counters, nothing> counts_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
