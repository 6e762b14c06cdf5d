// SPDX-License-Identifier: BSL-1.0
// What it is: the two words of a shared_ptr and of a weak_ptr, and the comparisons by owner.
// Handles that share an object are equal to owner_before, owner_equal and owner_hash, whatever they
// point to.
#pragma once

#include <freehold/detail/in_register.hpp>
#include <freehold/fwd.hpp>
#include <freehold/handle/detail/shared/control_block.hpp>

#include <compare>
#include <cstddef>
#include <type_traits>
#include <typeindex>  // std::hash, without <functional>

namespace freehold::inline FREEHOLD_ABI {

namespace detail {

// What shared_ptr and weak_ptr share.
template <class T, class Count>
class owner_words {
public:
    [[nodiscard]] long use_count() const noexcept {
        return control_ != nullptr ? static_cast<long>(control_->value()) : 0;
    }

    template <class U>
    [[nodiscard]] bool owner_before(const owner_words<U, Count>& other) const noexcept {
        return std::compare_three_way()(control_, other.control_) < 0;
    }
    template <class U>
    [[nodiscard]] bool owner_equal(const owner_words<U, Count>& other) const noexcept {
        return control_ == other.control_;
    }
    [[nodiscard]] std::size_t owner_hash() const noexcept {
        return std::hash<control_block<Count>*>()(control_);
    }

protected:
    // For the derived classes.
    constexpr owner_words() noexcept {}
    // For the derived classes. The words of a new handle were stored one by one, so that a load of
    // both at once would wait until they are in the cache, some 12 cycles. The pointer is therefore
    // loaded by itself, and by g++'s constructors that move from a handle, the control block, too.
    // Otherwise it is not: the compiler would forget that it is not null, and test it again.
    owner_words(std::remove_extent_t<T>* pointer, control_block<Count>* control) noexcept
        : pointer_(detail::in_register(pointer)), control_(control) {}
    // For the derived classes.
    owner_words(const owner_words&) noexcept = default;
    // For the derived classes.
    owner_words(owner_words&& other) noexcept
        : owner_words(other.pointer_, by_itself(other.control_)) {
        other.clear_one_by_one();
    }
    owner_words& operator=(const owner_words&) = delete;
    ~owner_words() = default;

    // Sets the handle to null without a release.
    constexpr void clear() noexcept {
        pointer_ = nullptr;
        control_ = nullptr;
    }
    // As clear(), but g++ stores each word by itself. Where handles are moved to and fro, stores of
    // both words and of each follow one another, and an EPYC may mistake which of them a load
    // needs: a move then takes 8 ns in place of 1, depending on where the code lies.
    void clear_one_by_one() noexcept {
        pointer_ = by_itself(static_cast<std::remove_extent_t<T>*>(nullptr));
        control_ = nullptr;
    }
    // Takes the words of `other`, which may be this handle. Returns the block to release. Loads
    // each word by itself, as the constructor does, and stores both at once: shifting a vector
    // calls this for each element, and a processor performs one store to its cache in a cycle.
    // Both compilers must find that the handle that std::swap moved from has nothing to release.
    // g++ 12 does if `other.control_` is set to null first. clang++ does if it is set to null last,
    // and this handle is known to be another.
    [[nodiscard, gnu::always_inline]] control_block<Count>* replace_by(
        owner_words& other) noexcept {
#if defined(__clang__)
        if (this == __builtin_addressof(other)) return nullptr;
        control_block<Count>* const old = control_;
        if (__builtin_constant_p(old == nullptr) && old == nullptr) {
            // In std::swap. A row of swaps passes on one handle: it stays in registers.
            std::remove_extent_t<T>* const pointer = detail::in_register(other.pointer_);
            control_block<Count>* const control = detail::in_register(other.control_);
            pointer_ = pointer;
            control_ = control;
        } else {
            two_words words =
                detail::in_register(two_words{reinterpret_cast<std::uintptr_t>(other.pointer_), 0});
            words[1] = reinterpret_cast<std::uintptr_t>(other.control_);
            __builtin_memcpy(static_cast<void*>(this), &words, sizeof words);
        }
        other.clear();
        return old;
#else
        // One word is left to the compiler, which then loads it into the vector of both. It stores
        // the words one by one where both are in registers.
        std::remove_extent_t<T>* const pointer = detail::in_register(other.pointer_);
        control_block<Count>* const control = other.control_;
        other.control_ = nullptr;
        other.pointer_ = nullptr;
        control_block<Count>* const old = control_;  // null now, if `other` is this
        pointer_ = pointer;
        control_ = control;
        return old;
#endif
    }
    // For a temporary handle, whose words are in registers.
    void exchange(owner_words& other) noexcept {
        std::remove_extent_t<T>* const other_pointer = detail::in_register(other.pointer_);
        control_block<Count>* const other_control = detail::in_register(other.control_);
        other.pointer_ = pointer_;
        other.control_ = control_;
        pointer_ = other_pointer;
        control_ = other_control;
    }
    // For two handles in memory. Swaps one word after the other, in the order of libstdc++'s
    // shared_ptr, so that compilers make the same of both. If both words were moved at once, a row
    // of swaps that pass on one handle, as in std::rotate by one, would take up to three times as
    // long: a processor waits longer for its own recent store of a vector than for that of a word.
    void exchange_in_memory(owner_words& other) noexcept {
        swap_words(pointer_, other.pointer_);
        swap_words(other.control_, control_);
    }

    // Makes g++ load the word by itself. clang++ does so if the other word is.
    template <class Word>
    [[nodiscard, gnu::always_inline]] static Word* by_itself(Word* word) noexcept {
#if defined(__clang__)
        return word;
#else
        return detail::in_register(word);
#endif
    }

    // As std::swap, but without a call where nothing is optimised.
    template <class Word>
    [[gnu::always_inline]] static void swap_words(Word& a, Word& b) noexcept {
        const Word word = a;
        a = b;
        b = word;
    }

    // The object's address.
    std::remove_extent_t<T>* pointer_ = nullptr;
    // Null if the handle owns nothing, whatever it points to.
    control_block<Count>* control_ = nullptr;

private:
    template <class U, class C>
    friend class owner_words;
    template <class U, class C>
    friend class freehold::shared_ptr;
    template <class U, class C>
    friend class freehold::weak_ptr;
};

}  // namespace detail
}  // namespace freehold::inline FREEHOLD_ABI
