// SPDX-License-Identifier: BSL-1.0
// The two words of a shared_ptr and of a weak_ptr, and what both say of their owner: handles that
// share an object are the same to owner_before, owner_equal and owner_hash, whatever they point to.
#pragma once

#include <freehold/fwd.hpp>
#include <freehold/handle/shared/control_block.hpp>
#include <freehold/memory/in_register.hpp>

#include <compare>
#include <cstddef>
#include <type_traits>
#include <typeindex>  // std::hash, without <functional>

namespace freehold::inline FREEHOLD_ABI {

namespace detail {

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
    constexpr owner_words() noexcept {}
    owner_words(std::remove_extent_t<T>* pointer, control_block<Count>* control) noexcept {
        if constexpr (stores_words_together) {
            store_together(this, pointer, control);
        } else {
            pointer_ = pointer;
            control_ = control;
        }
    }
    owner_words(const owner_words&) noexcept = default;
    owner_words& operator=(const owner_words&) noexcept = default;
    ~owner_words() = default;

    constexpr void clear() noexcept {
        pointer_ = nullptr;
        control_ = nullptr;
    }
    // Reads all four words before it writes one, so that compilers move two at once.
    constexpr void exchange(owner_words& other) noexcept {
        std::remove_extent_t<T>* const pointer = pointer_;
        control_block<Count>* const control = control_;
        std::remove_extent_t<T>* const other_pointer = other.pointer_;
        control_block<Count>* const other_control = other.control_;
        pointer_ = other_pointer;
        control_ = other_control;
        other.pointer_ = pointer;
        other.control_ = control;
    }

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
