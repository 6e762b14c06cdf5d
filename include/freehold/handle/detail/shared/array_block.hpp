// SPDX-License-Identifier: BSL-1.0
// What it is: the block of make_shared and allocate_shared for arrays. The elements are behind it.
//
// Elements are constructed from first to last, those of nested arrays one by one, and destroyed
// from last to first. If a constructor throws, the constructed elements are destroyed and the
// memory is freed.
#pragma once

#include <freehold/detail/exceptions.hpp>
#include <freehold/handle/detail/shared/block_memory.hpp>
#include <freehold/handle/detail/shared/control_block.hpp>
#include <freehold/handle/detail/shared/in_place_block.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

// The number of units of memory for a head of `head` bytes, followed by `length` objects.
template <std::size_t ObjectSize, std::size_t UnitSize>
constexpr std::size_t units_behind(std::size_t head, std::size_t length) {
    const std::size_t most = (SIZE_MAX / 2 - head) / ObjectSize;
    if (length > most) FREEHOLD_THROW(std::bad_array_new_length());
    return (head + length * ObjectSize + UnitSize - 1) / UnitSize;
}

// A row of objects that are not arrays. They are constructed and destroyed one at a time.
template <class Scalar, class Allocator, lifetime Lifetime>
class element_row {
    using allocator_type = rebound_allocator<Allocator, Scalar>;
    using traits = std::allocator_traits<allocator_type>;

public:
    element_row(Scalar* first, const Allocator& allocator) : first_(first), allocator_(allocator) {}
    element_row(const element_row&) = delete;
    element_row& operator=(const element_row&) = delete;
    ~element_row() { destroy(made_); }

    template <class... Args>
    void construct_next(const Args&... args) {
        if constexpr (Lifetime == lifetime::by_allocator) {
            traits::construct(allocator_, first_ + made_, args...);
        } else {
            ::new (static_cast<void*>(first_ + made_)) Scalar(args...);
        }
        ++made_;
    }
    void construct_next(for_overwrite) {
        ::new (static_cast<void*>(first_ + made_)) Scalar;
        ++made_;
    }

    void keep() noexcept { made_ = 0; }

    void destroy(std::size_t length) noexcept {
        while (length > 0) {
            --length;
            if constexpr (Lifetime == lifetime::by_allocator) {
                traits::destroy(allocator_, first_ + length);
            } else {
                first_[length].~Scalar();
            }
        }
    }

private:
    Scalar* first_;
    [[no_unique_address]] allocator_type allocator_;
    std::size_t made_ = 0;
};

template <class Element, class Count, class Allocator, lifetime Lifetime>
class array_block final : public managed_block<Count> {
    using scalar = std::remove_all_extents_t<Element>;
    using row = element_row<scalar, Allocator, Lifetime>;
    static constexpr std::size_t scalars_each = sizeof(Element) / sizeof(scalar);

    static constexpr std::size_t alignment = alignof(scalar) > alignof(managed_block<Count>)
                                                 ? alignof(scalar)
                                                 : alignof(managed_block<Count>);
    struct alignas(alignment) unit {
        std::byte bytes[alignment];
    };
    using memory = block_memory<array_block, Allocator, unit>;

public:
    // `initial` is absent, or for_overwrite, or the initial value of each Element.
    template <class... Initial>
    [[nodiscard]] static array_block* make(const Allocator& allocator, std::size_t length,
                                           const Initial&... initial) {
        return memory(allocator, units(length)).construct(allocator, length, initial...);
    }

    template <class... Initial>
    array_block(const Allocator& allocator, std::size_t length, const Initial&... initial)
        : managed_block<Count>(&manage, typename control_block<Count>::template told<Element[]>()),
          length_(length),
          allocator_(allocator) {
        row made(scalars(), allocator);
        for (std::size_t i = 0; i < length; ++i) construct_element(made, initial...);
        made.keep();
    }

    [[nodiscard]] Element* elements() noexcept {
        return std::launder(reinterpret_cast<Element*>(scalars()));
    }

private:
    static constexpr std::size_t first_offset() noexcept {
        return (sizeof(array_block) + alignof(scalar) - 1) / alignof(scalar) * alignof(scalar);
    }

    [[nodiscard]] scalar* scalars() noexcept {
        return reinterpret_cast<scalar*>(reinterpret_cast<std::byte*>(this) + first_offset());
    }

    static std::size_t units(std::size_t length) {
        return units_behind<sizeof(Element), alignment>(first_offset(), length);
    }

    static void construct_element(row& made) {
        for (std::size_t i = 0; i < scalars_each; ++i) made.construct_next();
    }
    static void construct_element(row& made, for_overwrite) {
        for (std::size_t i = 0; i < scalars_each; ++i) made.construct_next(for_overwrite{});
    }
    template <class Value>
    static void construct_element(row& made, const Value& value) {
        if constexpr (std::is_array_v<Value>) {
            for (const auto& part : value) construct_element(made, part);
        } else {
            made.construct_next(value);
        }
    }

    static void* manage(control_block<Count>* block, task what, const type_identity*) noexcept {
        auto& self = static_cast<array_block&>(*block);
        const std::size_t length = self.length_;
        if (destroys(what)) row(self.scalars(), self.allocator_).destroy(length * scalars_each);
        if (frees(what)) {
            const Allocator allocator(std::move(self.allocator_));
            self.~array_block();
            memory::free(__builtin_addressof(self), allocator, units(length));
        }
        return nullptr;
    }

    std::size_t length_;
    [[no_unique_address]] Allocator allocator_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
