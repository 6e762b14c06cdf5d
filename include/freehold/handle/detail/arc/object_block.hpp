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

    // The object of these counts.
    [[nodiscard]] static T* object_of(control* counts) noexcept {
        return __builtin_addressof(static_cast<object_block*>(counts)->object_);
    }

    [[FREEHOLD_INLINED]] static void destroy(const T* object) noexcept { of(object)->object_.~T(); }

    [[FREEHOLD_INLINED]] static void free(const T* object) noexcept { of(object)->free_block(); }

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
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"  // no virtual bases: it is what it should be
        constexpr std::size_t offset = offsetof(object_block, object_);
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
        auto* const self = static_cast<object_block*>(counts);
        if (destroys(what)) self->object_.~T();
        if (frees(what)) self->free_block();
        return nullptr;
    }

    // Alive from the constructor's end until destroy.
    union {
        T object_;
    };
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
