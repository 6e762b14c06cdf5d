// SPDX-License-Identifier: BSL-1.0
// What it is: the block of make_shared and allocate_shared for one object. It contains the object.
#pragma once

#include <freehold/handle/detail/shared/block_memory.hpp>
#include <freehold/handle/detail/shared/control_block.hpp>
#include <freehold/handle/detail/shared/plain_managed_block.hpp>

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

// Asks for default initialisation: no value is written to what has no constructor.
struct for_overwrite {};

// How the object in a block is constructed and destroyed: by its allocator, as allocate_shared
// promises, or by the language alone.
enum class lifetime { by_allocator, by_language };

template <class T, class Count, class Allocator, lifetime Lifetime>
class in_place_block final : public managed_block<Count> {
    using memory = block_memory<in_place_block, Allocator>;
    using object_allocator = rebound_allocator<Allocator, T>;
    using object_traits = std::allocator_traits<object_allocator>;

public:
    template <class... Args>
    [[nodiscard, FREEHOLD_INLINED]] static in_place_block* make(const Allocator& allocator,
                                                                Args&&... args) {
        return memory(allocator).construct(allocator, static_cast<Args&&>(args)...);
    }

    in_place_block(const Allocator& allocator, for_overwrite)
        requires(Lifetime == lifetime::by_language)
        : managed_block<Count>(manager_of_block(),
                               typename control_block<Count>::template told<T>()),
          allocator_(allocator) {
        ::new (static_cast<void*>(__builtin_addressof(object_))) T;
    }
    template <class... Args>
    explicit in_place_block(const Allocator& allocator, Args&&... args)
        : managed_block<Count>(manager_of_block(),
                               typename control_block<Count>::template told<T>()),
          allocator_(allocator) {
        if constexpr (Lifetime == lifetime::by_allocator) {
            object_allocator own(allocator);
            object_traits::construct(own, __builtin_addressof(object_),
                                     static_cast<Args&&>(args)...);
        } else {
            ::new (static_cast<void*>(__builtin_addressof(object_)))
                T(static_cast<Args&&>(args)...);
        }
    }
    ~in_place_block() {}

    [[nodiscard]] T* object() noexcept { return __builtin_addressof(object_); }

private:
    static constexpr manager<Count> manager_of_block() noexcept {
        if constexpr (Lifetime == lifetime::by_language &&
                      std::is_same_v<Allocator, default_allocator>) {
            if constexpr (std::is_trivially_destructible_v<T>) {
                return &plain_managed_block<Count, sizeof(in_place_block),
                                            alignof(in_place_block)>::manage;
            } else {
                return &manage_plainly;
            }
        } else {
            return &manage;
        }
    }
    static void* manage_plainly(control_block<Count>* block, task what,
                                const type_identity*) noexcept {
        if (destroys(what)) {
            static_cast<in_place_block&>(*block).object_.~T();
        } else if (what == task::find_deleter) {
            return nullptr;
        }
        return plain_managed_block<Count, sizeof(in_place_block), alignof(in_place_block)>::end(
            block);
    }
    static void* manage(control_block<Count>* block, task what, const type_identity*) noexcept {
        auto& self = static_cast<in_place_block&>(*block);
        if (destroys(what)) {
            if constexpr (Lifetime == lifetime::by_allocator) {
                object_allocator own(self.allocator_);
                object_traits::destroy(own, __builtin_addressof(self.object_));
            } else {
                self.object_.~T();
            }
        }
        if (frees(what)) {
            const Allocator allocator(static_cast<Allocator&&>(self.allocator_));
            self.~in_place_block();
            memory::free(__builtin_addressof(self), allocator);
        }
        return nullptr;
    }

    [[no_unique_address]] Allocator allocator_;
    // Alive from the constructor's end until the manager's task destroy.
    union {
        T object_;
    };
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
