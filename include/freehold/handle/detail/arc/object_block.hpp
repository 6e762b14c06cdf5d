// SPDX-License-Identifier: BSL-1.0
// What it is: the block of an arc's object whose static type is its actual type. The compiler knows
// how to destroy the object and how to free its memory.
//
//     allocator, if it has state | counts | object
//
// An object that is aligned to less than a word is in the counts' padding.
#pragma once

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

// A base class rather than a member of the block: an empty one takes no room before the counts.
template <class Allocator>
class allocator_holder {
public:
    explicit allocator_holder(const Allocator& allocator) noexcept : allocator_(allocator) {}
    [[nodiscard]] const Allocator& allocator() const noexcept { return allocator_; }

private:
    [[no_unique_address]] Allocator allocator_;
};

// Stands for the blocks of all objects without a destructor that have this size and alignment, in
// memory of the default_allocator. They begin with their counts.
template <class Count, std::size_t Size, std::size_t Alignment>
struct plain_block {
    using control = control_block<Count>;
    static constexpr bool is_plain = true;

    static void destroy(control*) noexcept {}
    [[gnu::always_inline]] static void free(control* counts) noexcept {
        counts->~control();
        default_memory<Size, Alignment>::free(counts, 1);
    }
    // Returns `free`, for callers that do not inline it.
    [[nodiscard]] static constexpr auto freeing() noexcept { return &free_by_call; }

private:
    [[gnu::noinline]] static void free_by_call(control* counts) noexcept { free(counts); }
};

template <class T, class Count, class Allocator>
class object_block final : public allocator_holder<Allocator>, public control_block<Count> {
    using memory = block_memory<object_block, Allocator>;

public:
    using control = control_block<Count>;

    template <class... Args>
    [[nodiscard, FREEHOLD_INLINED]] static T* make(const Allocator& allocator, Args&&... args) {
        object_block* const made =
            memory(allocator).construct(allocator, static_cast<Args&&>(args)...);
        return __builtin_addressof(made->object_);
    }

    [[nodiscard, gnu::always_inline]] static control* counts(const T* object) noexcept {
        return of(object);
    }

    [[FREEHOLD_INLINED]] static void destroy(control* counts) noexcept {
        static_cast<object_block*>(counts)->object_.~T();
    }
    [[FREEHOLD_INLINED]] static void free(control* counts) noexcept {
        static_cast<object_block*>(counts)->free_block();
    }
    [[nodiscard]] static constexpr auto freeing() noexcept {
        if constexpr (std::is_same_v<Allocator, default_allocator>) {
            return plain_block<Count, sizeof(object_block), alignof(object_block)>::freeing();
        } else {
            return &free;
        }
    }

    [[nodiscard]] static const Allocator& allocator_of(const T* object) noexcept {
        return of(object)->allocator();
    }
    // Does what `free` does, without freeing the memory.
    [[nodiscard]] static void* end(const T* object) noexcept {
        object_block* const ended = of(object);
        ended->~object_block();
        return ended;
    }

    // What shared_ptr needs to know to own such an object.
    static void prepare_for_shared_ptr(const T* object) {
        counts(object)->set_manager_index(manager_table::index_of<&manage>());
    }

    object_block(const Allocator& allocator, for_overwrite)
        : allocator_holder<Allocator>(allocator), control(typename control::template told<T>()) {
        ::new (static_cast<void*>(__builtin_addressof(object_))) T;
    }
    template <class... Args>
    explicit object_block(const Allocator& allocator, Args&&... args)
        : allocator_holder<Allocator>(allocator), control(typename control::template told<T>()) {
        ::new (static_cast<void*>(__builtin_addressof(object_))) T(static_cast<Args&&>(args)...);
    }
    ~object_block() {}

private:
    [[nodiscard, gnu::always_inline]] static object_block* of(const T* object) noexcept {
        // Without virtual bases, the offset is what it should be. g++ forgets the pragma in a
        // precompiled header, and does not warn within `sizeof`.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
        constexpr std::size_t offset = sizeof(char[offsetof(object_block, object_) + 1]) - 1;
#pragma GCC diagnostic pop
        const auto address = reinterpret_cast<std::uintptr_t>(object) - offset;
        return reinterpret_cast<object_block*>(address);
    }

    [[FREEHOLD_INLINED]] void free_block() noexcept {
        const Allocator allocator(this->allocator());
        this->~object_block();
        memory::free(this, allocator);
    }

    static void* manage(control* counts, task what, const type_identity*) noexcept {
        if (destroys(what)) destroy(counts);
        if (frees(what)) free(counts);
        return nullptr;
    }

    // Alive from the constructor's end until `destroy`.
    union {
        T object_;
    };
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
