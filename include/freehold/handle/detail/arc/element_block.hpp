// SPDX-License-Identifier: BSL-1.0
// What it is: the head before the elements of an arc<T[]>: their number and the counts.
//
//     allocator, if it has state | number | counts | first element ...
#pragma once

#include <freehold/handle/detail/arc/object_block.hpp>
#include <freehold/handle/detail/shared/array_block.hpp>
#include <freehold/handle/detail/shared/block_memory.hpp>
#include <freehold/handle/detail/shared/control_block.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

struct length_prefix {
    std::size_t number;
};

template <class T, class Count, class Allocator>
class element_block final : public allocator_holder<Allocator>,
                            public length_prefix,
                            public control_block<Count> {
    using row = element_row<T, Allocator, lifetime::by_language>;

public:
    using control = control_block<Count>;

    // Of the block, whatever this class has.
    static constexpr std::size_t alignment = alignof(T) > alignof(control_block<Count>)
                                                 ? alignof(T)
                                                 : alignof(control_block<Count>);

    // `initial` is nothing, for_overwrite, or the value that each element is to have.
    template <class... Initial>
    [[nodiscard]] static T* make(const Allocator& allocator, std::size_t length,
                                 const Initial&... initial) {
        return memory(allocator, units(length))
            .construct(allocator, length, initial...)
            ->elements();
    }

    // What is asked of the allocator.
    [[nodiscard]] static constexpr std::size_t size_for(std::size_t length) {
        return units(length) * sizeof(unit);
    }

    [[nodiscard]] static std::size_t length(const T* first) noexcept { return of(first)->number; }
    [[nodiscard]] static control* counts(const T* first) noexcept { return of(first); }
    static void destroy(control* counts) noexcept {
        static_cast<element_block*>(counts)->destroy_elements();
    }
    static void free(control* counts) noexcept {
        static_cast<element_block*>(counts)->free_block();
    }
    [[nodiscard]] static constexpr auto freeing() noexcept { return &free; }
    static void prepare_for_shared_ptr(const T* first) {
        counts(first)->set_manager_index(manager_table::index_of<&manage>());
    }

    template <class... Initial>
    element_block(const Allocator& allocator, std::size_t length, const Initial&... initial)
        : allocator_holder<Allocator>(allocator),
          length_prefix{length},
          control(typename control::template told<T[]>()) {
        row made(elements(), allocator);
        for (std::size_t i = 0; i < length; ++i) made.construct_next(initial...);
        made.keep();
    }

private:
    struct alignas(alignment) unit {
        std::byte bytes[alignment];
    };
    using memory = block_memory<element_block, Allocator, unit>;

    static constexpr std::size_t first_offset() noexcept {
        return (sizeof(element_block) + alignof(T) - 1) / alignof(T) * alignof(T);
    }
    static constexpr std::size_t units(std::size_t length) {
        return units_behind<sizeof(T), alignment>(first_offset(), length);
    }

    [[nodiscard]] T* elements() noexcept {
        return reinterpret_cast<T*>(reinterpret_cast<std::byte*>(this) + first_offset());
    }
    [[nodiscard]] static element_block* of(const T* first) noexcept {
        return reinterpret_cast<element_block*>(reinterpret_cast<std::uintptr_t>(first) -
                                                first_offset());
    }

    void destroy_elements() noexcept { row(elements(), this->allocator()).destroy(number); }
    void free_block() noexcept {
        const Allocator allocator(this->allocator());
        const std::size_t had = units(number);
        this->~element_block();
        memory::free(this, allocator, had);
    }

    static void* manage(control* counts, task what, const type_identity*) noexcept {
        if (destroys(what)) destroy(counts);
        if (frees(what)) free(counts);
        return nullptr;
    }
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
