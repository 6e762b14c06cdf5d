// SPDX-License-Identifier: BSL-1.0
// What it is: the head in front of every object that a cyclic_ptr owns: 24 bytes on a 64-bit
// machine.
#pragma once

#include <freehold/config.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace freehold::inline FREEHOLD_ABI::detail {

struct cyclic_node;
class edge_sink;

// The untyped half of every cyclic_ptr, and so of every edge: what a collection reads and severs.
// Invariant: both members are null, or both are not.
struct cyclic_handle {
    void* object = nullptr;
    cyclic_node* node = nullptr;
};

// One for each way of holding a pointee type; its address is that way's identity.
struct cyclic_type {
    void (*trace)(cyclic_node*, edge_sink&);  // reports the object's edges; null: it can have none
    void (*destroy)(cyclic_node*) noexcept;   // ends the object's life, keeps the node
    std::size_t size;                         // of node and object together, in bytes
    std::size_t alignment;
    std::size_t slot_class;  // see storage.hpp
};

// Invariants
// - `owners` is the number of handles less one, plus `settled` or `watched`. While an object is
//   watched, a release or a move must report it as a candidate for collection; reporting settles
//   it, an analysis of it watches it again; an object without edges is never watched. Only the
//   common case of a release, settled with owners left, leaves the top bit set: one decrement and
//   one branch on its sign.
// - `index` is 0, or one more than the object's place in the set of an analysis (`in_set`), else in
//   the candidates of its generation (`old`).
// - `shares` counts the weak handles, and one for all owners together; the node is freed when it
//   falls to 0.
// - a `survivor` was judged and lived once, an `old` object twice, or among others that were not
//   all seen.
// - `leaf` objects have no edges: they are in no list and no set.
// - `dead` is set before the object's destructor runs; from then on `owners` is free for use as a
//   link.
struct cyclic_node {
    static constexpr std::uint64_t settled = std::uint64_t{1} << 63;
    static constexpr std::uint64_t watched = std::uint64_t{1} << 62;
    static constexpr std::uint32_t old = 1;
    static constexpr std::uint32_t in_set = 2;
    static constexpr std::uint32_t dead = 4;
    static constexpr std::uint32_t leaf = 8;
    static constexpr std::uint32_t survivor = 16;
    static constexpr std::uint32_t one_share = 32;

    std::uint64_t owners;
    const cyclic_type* type;
    std::uint32_t index = 0;
    std::uint32_t shares_and_state;

    explicit cyclic_node(const cyclic_type& t) noexcept
        : owners(t.trace ? watched : settled),
          type(&t),
          shares_and_state(t.trace ? one_share : one_share + leaf) {}

    [[nodiscard]] bool is(std::uint32_t state) const noexcept {
        return (shares_and_state & state) != 0;
    }
    void set(std::uint32_t state) noexcept { shares_and_state |= state; }
    void clear(std::uint32_t state) noexcept { shares_and_state &= ~state; }

    void add_owner() noexcept { ++owners; }
    // False in the common case; else the object has lost its last owner or is to be reported.
    [[nodiscard]] bool drop_owner() noexcept { return static_cast<std::int64_t>(--owners) >= 0; }
    [[nodiscard]] std::uint64_t count() const noexcept { return (owners + 1) & (watched - 1); }
    [[nodiscard]] std::uint64_t use_count() const noexcept { return is(dead) ? 0 : count(); }

    [[nodiscard]] bool is_watched() const noexcept {
        return static_cast<std::int64_t>(owners) >= 0;
    }
    void watch() noexcept { owners ^= watched | settled; }   // must be settled
    void settle() noexcept { owners ^= watched | settled; }  // must be watched

    void add_weak() noexcept {
        if (shares_and_state >= UINT32_MAX - one_share) std::abort();  // 2^27 weak handles
        shares_and_state += one_share;
    }
    [[nodiscard]] bool drop_share() noexcept { return (shares_and_state -= one_share) < one_share; }
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
