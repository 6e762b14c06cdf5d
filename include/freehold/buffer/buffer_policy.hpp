// SPDX-License-Identifier: BSL-1.0
// What it is: the concept of a buffer_cache's policy. A policy decides which idle buffer serves a
// request, what capacity a new buffer gets, which returned buffers are kept, and which buffers are
// evicted.
// When to use it: to write a policy of your own. The existing ones are in buffer_policies.hpp.
// Example: policies/keep_first_below.hpp is the shortest complete policy.
//
// A policy holds idle blocks. It does not allocate, count or lock, and it never touches a buffer's
// bytes. The cache enforces the bounds by calling trim, and returns dropped blocks to the upstream.
//
// Units: bytes, and nanoseconds of the cache's clock.
// Complexity: the policy's. With a central cache, the calls are made under its lock.
// Thread safety: the cache calls each policy object from one thread at a time.
// Exceptions: only the constructor may throw.
// Ownership: a policy owns its idle blocks from keep to take, or until it pushes them to `dropped`.
// Source: none.
#pragma once

#include <freehold/buffer/buffer_block.hpp>
#include <freehold/config.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI {

// What the caller of a cache asks for.
struct buffer_request {
    std::size_t size;       // at least 1
    std::size_t alignment;  // a power of two
};

// When, and for which thread, a policy is called.
struct buffer_context {
    // The number of the calling thread's cache, from 0. A new thread may reuse the number of an
    // exited one.
    std::uint32_t thread;
    // Nanoseconds of the cache's clock, at most a few dozen operations old.
    std::uint64_t now;
};

// The former name of buffer_context.
using buffer_occasion [[deprecated("renamed to buffer_context")]] = buffer_context;

template <class Policy>
concept buffer_policy =
    std::constructible_from<Policy, const typename Policy::options&> &&
    requires(Policy policy, const Policy& constant, std::size_t bytes, std::uint64_t nanoseconds,
             buffer_request request, buffer_block& block, buffer_context context,
             dropped_buffers& dropped) {
        // If true, each thread cache has a policy object, and so has the central cache. Hits take
        // no lock. If false, the central cache has the only policy object.
        { Policy::per_thread } -> std::convertible_to<bool>;

        // The capacity of a new buffer for a request of `bytes`. At least `bytes`.
        { constant.capacity_for(bytes) } noexcept -> std::same_as<std::size_t>;

        // Removes and returns an idle block that satisfies the request, or returns nullptr.
        { policy.take(request, context) } noexcept -> std::same_as<buffer_block*>;

        // Takes ownership of a returned block. The policy keeps it, or pushes it to `dropped`; it
        // may push other blocks too. If the idle bytes then exceed a bound, the cache calls trim
        // before another thread can observe them.
        { policy.keep(block, context, dropped) } noexcept -> std::same_as<void>;

        // Drops the least valuable blocks until at most `bytes` are idle.
        { policy.trim(bytes, context, dropped) } noexcept -> std::same_as<void>;
        // Drops the blocks that have been idle for at least `nanoseconds`.
        { policy.trim_older(nanoseconds, context, dropped) } noexcept -> std::same_as<void>;

        // The sum of the capacities of all idle blocks.
        { constant.idle_bytes() } noexcept -> std::same_as<std::size_t>;
    };

}  // namespace freehold::inline FREEHOLD_ABI
