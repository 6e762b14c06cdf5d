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

// The untyped part of every cyclic_ptr, and so of every edge. A collection reads it and resets it.
// Invariant: both members are null, or neither is.
struct cyclic_handle {
    void* object = nullptr;
    cyclic_node* node = nullptr;
};

// There is one object for each pointee type and way of holding it. Its address identifies both.
struct cyclic_type {
    void (*trace)(cyclic_node*, edge_sink&);  // reports the edges; null if the object can have none
    void (*destroy)(cyclic_node*) noexcept;   // ends the object's life, keeps the node
    std::size_t size;                         // of node and object together, in bytes
    std::size_t alignment;
    std::size_t slot_class;  // see storage.hpp
};

// Invariants:
// - `owners` is the number of handles minus one, plus `settled` or `watched`.
// - If an object is watched, a release or a move must report it as a candidate for collection. The
//   report settles the object. The analysis of the object makes it watched again. An object without
//   edges is never watched.
// - After a release, only the common case leaves the top bit set: a settled object with owners
//   left. So the common case is one decrement and one branch on the sign.
// - `index` is 0 if the object is in no list. Otherwise it is one more than the object's place: in
//   the set of an analysis if `in_set` is set, and else in the candidates of the object's
//   generation (see `old`).
// - `shares` counts the weak handles, plus one for all owners together. The node is freed when
//   `shares` becomes 0.
// - A `survivor` was analysed once and lived. An `old` object was analysed twice and lived, or it
//   lived in an analysis that did not see all objects.
// - A `leaf` object has no edges. It is in no list and no set.
// - `dead` is set before the object's destructor runs. From then on, `owners` may be used as a
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
    // Returns false in the common case. If true, the object has lost its last owner or must be
    // reported.
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
