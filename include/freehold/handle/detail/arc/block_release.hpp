// SPDX-License-Identifier: BSL-1.0
// What it is: what happens when an arc or a weak_arc gives up its part of a block.
#pragma once

#include <freehold/config.hpp>
#include <freehold/count/reference_count.hpp>
#include <freehold/fwd.hpp>
#include <freehold/handle/detail/arc/object_block.hpp>
#include <freehold/handle/detail/arc/open_object.hpp>

#include <cstddef>
#include <type_traits>

namespace freehold::inline FREEHOLD_ABI::detail {

// The block that a release deals with. It is another than the object's own if many types can then
// share the code.
template <class Block>
struct released_block {
    using type = Block;
};
template <class T, class Count>
    requires std::is_trivially_destructible_v<T>
struct released_block<object_block<T, Count, default_allocator>> {
    using block = object_block<T, Count, default_allocator>;
    using type = plain_block<Count, sizeof(block), alignof(block)>;
};
template <class T, class Count>
struct released_block<open_object<T, Count>> {
    using type = open_object<std::byte, Count>;
};

// Settles a release, and then does with the block what it calls for. This function serves all types
// of one count.
template <class Control, class Departure>
[[gnu::noinline]] void settle_beside_others(Control* counts, Departure seen,
                                            void (*destroying)(Control*) noexcept,
                                            void (*freeing)(Control*) noexcept) noexcept {
    const remaining left = counts->settle(seen);
    if (left == remaining::owners) return;
    if (left != remaining::memory) destroying(counts);
    if (left != remaining::weak_references || counts->decrement_weak()) freeing(counts);
}

template <class Block>
struct block_release {
    using control = typename Block::control;
    // Whether a release inlines the end of the object. With a destructor inlined, clang++'s code of
    // std::variant and std::optional would take up to twice as long to release one of several
    // owners. With the end beside the release of a biased count, g++'s code takes 1.3 times as long
    // to copy a handle and release the copy.
#if defined(__clang__)
    static constexpr bool is_short = requires { Block::is_plain; };
#else
    static constexpr bool is_short =
        requires { Block::is_plain; } && !requires(control & counts) { counts.share(); };
#endif

    // Destructors and move assignments call this. With all of it inlined in each of them, a
    // container's functions would be too long to be inlined themselves.
    static void release(control* counts) noexcept {
        const auto seen = counts->depart();
        if (counts->leaves_owners(seen)) return;
#if defined(__OPTIMIZE__)
        if constexpr (is_short) {
            if (counts->rests_alone(seen)) {
                Block::destroy(counts);
                Block::free(counts);
                return;
            }
        }
#endif
        settle(counts, seen);
    }
    // Copy assignments call this. They seldom release the last owner. clang++ inlines all of
    // `release`, and then calls std::optional's assignment. g++ calls `release`, which is shorter,
    // unless the count is plain: a call takes longer than such a release.
    [[gnu::always_inline]] static void release_seldom_last(control* counts) noexcept {
#if !defined(__clang__)
        if constexpr (control::is_thread_safe) return release(counts);
#endif
        const auto seen = counts->depart();
        if (!counts->leaves_owners(seen)) settle(counts, seen);
    }
    static void release_weak(control* counts) noexcept {
        if (counts->decrement_weak()) [[unlikely]]
            free(counts);
    }
    // The last weak reference was given up.
    static void free(control* counts) noexcept { Block::freeing()(counts); }
    static void finish(control* counts, remaining left) noexcept {
        if (left == remaining::owners) return;
        if (left != remaining::memory) Block::destroy(counts);
        if (left != remaining::weak_references || counts->decrement_weak()) free(counts);
    }

private:
    // For a handle that is the only one, this is short: it keeps one register, and jumps to what
    // frees the memory. The other ways are in a function that all types share.
    template <class Departure>
    [[gnu::noinline]] static void settle(control* counts, Departure seen) noexcept {
        if (!counts->rests_alone(seen)) [[unlikely]]
            return settle_beside_others(counts, seen, &Block::destroy, Block::freeing());
        Block::destroy(counts);
        if constexpr (requires { Block::is_plain; }) {
            Block::free(counts);
        } else {
            free(counts);
        }
    }
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
