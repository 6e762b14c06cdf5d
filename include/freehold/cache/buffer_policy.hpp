// SPDX-License-Identifier: BSL-1.0
// What a buffer_cache asks of its policy: which idle buffer serves a request, how large a new one
// is made, which of those that come back are kept, and which go for them.
//
// A policy holds idle blocks and decides; it neither allocates them, nor counts, nor locks: the
// cache calls each object of a policy by one thread at a time, keeps the bounds that are asked of
// it, and gives what was dropped to its upstream. It never touches a buffer's bytes.
#pragma once

#include <freehold/cache/buffers/buffer_block.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI {

struct buffer_request {
    std::size_t size;       // bytes, at least 1
    std::size_t alignment;  // a power of two
};

// When and by whom a policy is asked.
struct buffer_occasion {
    // Numbers the threads that use the cache, from 0; one that has exited may have left its to
    // another.
    std::uint32_t thread;
    // Nanoseconds of the cache's clock, at most a few dozen operations old.
    std::uint64_t now;
};

template <class Policy>
concept buffer_policy =
    std::constructible_from<Policy, const typename Policy::options&> &&
    requires(Policy policy, const Policy& constant, std::size_t bytes, std::uint64_t nanoseconds,
             buffer_request request, detail::buffer_block& block, buffer_occasion occasion,
             detail::dropped_buffers& dropped) {
        // Whether each thread is to have an object of this policy to itself, and one more what
        // those let go: then a hit takes no lock. Otherwise there is one object behind a lock.
        { Policy::per_thread } -> std::convertible_to<bool>;

        // The capacity of a new buffer for that request: at least its size.
        { constant.capacity_for(bytes) } noexcept -> std::same_as<std::size_t>;

        // An idle block that satisfies the request, which is no longer idle; nullptr for none.
        { policy.take(request, occasion) } noexcept -> std::same_as<detail::buffer_block*>;

        // Takes over a block that came back: it is idle afterwards, or in `dropped`, where others
        // may be for it. If there is then more idle than the cache's bounds allow, the cache calls
        // trim before anybody else can see it: the policy chooses what goes, that block included.
        { policy.keep(block, occasion, dropped) } noexcept -> std::same_as<void>;

        // Drops idle blocks, the least valuable ones first, until they have so many bytes at most.
        { policy.trim(bytes, occasion, dropped) } noexcept -> std::same_as<void>;
        // Drops those that came back that many nanoseconds ago or longer.
        { policy.trim_older(nanoseconds, occasion, dropped) } noexcept -> std::same_as<void>;

        // The capacities of all idle blocks together.
        { constant.idle_bytes() } noexcept -> std::same_as<std::size_t>;
    };

}  // namespace freehold::inline FREEHOLD_ABI
