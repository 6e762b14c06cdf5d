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
    // For the derived classes.
    constexpr owner_words(std::remove_extent_t<T>* pointer, control_block<Count>* control) noexcept
        : pointer_(pointer), control_(control) {}
    // For the derived classes.
    owner_words(const owner_words&) noexcept = default;
    // Both words at once, as replace_by reads them: what is written word by word, and then read at
    // once, waits until the stores are in the cache (6 ns a move in place of 2.5 on a Zen 4).
    owner_words(owner_words&& other) noexcept : pointer_(other.pointer_), control_(other.control_) {
        other.clear();
    }
    owner_words& operator=(const owner_words&) = delete;
    ~owner_words() = default;

    // Sets the handle to null without a release.
    constexpr void clear() noexcept {
        pointer_ = nullptr;
        control_ = nullptr;
    }
    // Takes another's words, or its own, and returns the block to release. Reads both
    // words before it writes one, so that compilers move both at once: a vector is shifted by many
    // of these, and a processor gives its cache one store a cycle.
    [[nodiscard, gnu::always_inline]] control_block<Count>* replace_by(
        owner_words& other) noexcept {
        std::remove_extent_t<T>* const pointer = other.pointer_;
        control_block<Count>* const control = other.control_;
        other.clear();
        control_block<Count>* const old = control_;  // null now, if `other` is this
        pointer_ = pointer;
        control_ = control;
        return old;
    }
    // Moves this handle's words at once, and the other's one by one: where neighbours are swapped
    // in a row, as std::rotate does, each swap waits for the one before it.
    void exchange(owner_words& other) noexcept {
        std::remove_extent_t<T>* const other_pointer = in_register(other.pointer_);
        control_block<Count>* const other_control = in_register(other.control_);
        std::remove_extent_t<T>* const pointer = pointer_;
        control_block<Count>* const control = control_;
        other.pointer_ = pointer;
        other.control_ = control;
        pointer_ = other_pointer;
        control_ = other_control;
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
