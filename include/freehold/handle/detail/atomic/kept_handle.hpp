// SPDX-License-Identifier: BSL-1.0
// What it is: for each kind of handle, the words and the counts by which an atomic keeps it.
#pragma once

#include <freehold/handle/detail/atomic/debt_platform.hpp>
#include <freehold/handle/detail/shared/shared_ptr_class.hpp>
#include <freehold/handle/detail/shared/weak_ptr.hpp>

#include <cstdint>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

// place       what the handle is kept in
// own, take   words to a handle and back, and their count with them
// words       the words of a handle
// key_of      the key of what the word of a place keeps alive
// add         adds a count of that; add_unless_disturbed: false, and nothing is added, if another
//             thread changes the count at this moment
// calls       the same, and the counting, for the core
template <class Handle>
struct kept_handle;

template <class Count>
[[nodiscard, FREEHOLD_INLINED]] inline control_block<Count>* counts_of(debt_key key) noexcept {
    return reinterpret_cast<control_block<Count>*>(key & ~debt_key{3});
}

template <class Count>
[[nodiscard, FREEHOLD_INLINED]] inline bool add_unless_disturbed(
    control_block<Count>& counts) noexcept {
    if constexpr (requires { counts.increment_unless_disturbed(); }) {
        return counts.increment_unless_disturbed();
    } else {
        counts.increment();
        return true;
    }
}

template <class T, class Count>
struct kept_handle<shared_ptr<T, Count>> {
    using handle = shared_ptr<T, Count>;
    using element_type = typename handle::element_type;
    using place = two_word_place;

    static element_type* pointer(pointer_and_control words) noexcept {
        return reinterpret_cast<element_type*>(words.pointer);
    }
    static handle own(pointer_and_control words) noexcept {
        return shared_access::own<T, Count>(pointer(words), control(words));
    }
    static pointer_and_control words(const handle& kept) noexcept {
        return {reinterpret_cast<std::uintptr_t>(kept.get()),
                reinterpret_cast<std::uintptr_t>(shared_access::control(kept))};
    }
    static pointer_and_control take(handle& kept) noexcept {
        const pointer_and_control taken = words(kept);
        shared_access::disown(kept);
        return taken;
    }

    [[FREEHOLD_INLINED]] static debt_key key_of(std::uintptr_t word) noexcept {
        return word + for_owner;
    }
    [[FREEHOLD_INLINED]] static void add(debt_key key) noexcept {
        counts_of<Count>(key)->increment();
    }
    [[nodiscard, FREEHOLD_INLINED]] static bool add_unless_disturbed(debt_key key) noexcept {
        return detail::add_unless_disturbed(*counts_of<Count>(key));
    }
    static void give_up(debt_key key) noexcept { counts_of<Count>(key)->release(); }
    static constexpr owner_kind calls = {&key_of, &add, &give_up};

private:
    static control_block<Count>* control(pointer_and_control words) noexcept {
        return reinterpret_cast<control_block<Count>*>(words.control);
    }
};

template <class T, class Count>
struct kept_handle<weak_ptr<T, Count>> {
    using handle = weak_ptr<T, Count>;
    using place = two_word_place;

    static handle own(pointer_and_control words) noexcept {
        return shared_access::own_weak<T, Count>(
            reinterpret_cast<typename handle::element_type*>(words.pointer),
            reinterpret_cast<control_block<Count>*>(words.control));
    }
    static pointer_and_control words(const handle& kept) noexcept {
        return {reinterpret_cast<std::uintptr_t>(shared_access::pointer(kept)),
                reinterpret_cast<std::uintptr_t>(shared_access::control(kept))};
    }
    static pointer_and_control take(handle& kept) noexcept {
        const pointer_and_control taken = words(kept);
        shared_access::disown(kept);
        return taken;
    }

    static debt_key key_of(std::uintptr_t word) noexcept { return word + for_weak_reference; }
    static void add(debt_key key) noexcept { counts_of<Count>(key)->increment_weak(); }
    static bool add_unless_disturbed(debt_key key) noexcept {
        add(key);
        return true;
    }
    static void give_up(debt_key key) noexcept { counts_of<Count>(key)->release_weak(); }
    static constexpr owner_kind calls = {&key_of, &add, &give_up};
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
