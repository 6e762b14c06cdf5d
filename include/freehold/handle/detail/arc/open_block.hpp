// SPDX-License-Identifier: BSL-1.0
// What it is: the block of an arc's object that has virtual functions, so that it may have base and
// derived classes. The code that makes the object stores a manager, which knows the object's actual
// type. An arc to a base class may therefore release it, with or without a virtual destructor.
//
//     allocator, if it has state | manager | counts | object
//
// The object follows its counts directly, whatever its alignment: open_object relies on this.
#pragma once

#include <freehold/handle/detail/arc/object_block.hpp>
#include <freehold/handle/detail/shared/block_memory.hpp>
#include <freehold/handle/detail/shared/control_block.hpp>

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

template <std::size_t Size>
struct front_padding {
    std::byte unused[Size];
};
template <>
struct front_padding<0> {};

// Brings the object behind the counts to a multiple of its alignment.
template <class T, class Count, class Allocator>
inline constexpr std::size_t open_padding = [] {
    constexpr std::size_t word = alignof(managed_block<Count>);
    constexpr std::size_t allocator =
        std::is_empty_v<Allocator> ? 0 : (sizeof(Allocator) + word - 1) / word * word;
    constexpr std::size_t before = allocator + sizeof(managed_block<Count>);
    return (alignof(T) - before % alignof(T)) % alignof(T);
}();

template <class T, class Count, class Allocator>
class open_block final : allocator_holder<Allocator>,
                         front_padding<open_padding<T, Count, Allocator>>,
                         managed_block<Count> {
    static_assert(alignof(T) % alignof(managed_block<Count>) == 0,
                  "an object with virtual functions holds pointers");
    using memory = block_memory<open_block, Allocator>;
    using control = control_block<Count>;

public:
    template <class... Args>
    [[nodiscard]] static T* make(const Allocator& allocator, Args&&... args) {
        open_block* const made =
            memory(allocator).construct(allocator, static_cast<Args&&>(args)...);
        return __builtin_addressof(made->object_);
    }

    open_block(const Allocator& allocator, for_overwrite)
        : allocator_holder<Allocator>(allocator),
          managed_block<Count>(&manage_object, typename control::template told<T>()) {
        ::new (static_cast<void*>(__builtin_addressof(object_))) T;
    }
    template <class... Args>
    explicit open_block(const Allocator& allocator, Args&&... args)
        : allocator_holder<Allocator>(allocator),
          managed_block<Count>(&manage_object, typename control::template told<T>()) {
        ::new (static_cast<void*>(__builtin_addressof(object_))) T(static_cast<Args&&>(args)...);
    }
    ~open_block() {}

private:
    static void* manage_object(control* counts, task what, const type_identity*) noexcept {
        auto& self = static_cast<open_block&>(*counts);
        if (destroys(what)) self.object_.T::~T();
        if (frees(what)) {
            const Allocator allocator(self.allocator());
            self.~open_block();
            memory::free(__builtin_addressof(self), allocator);
        }
        return nullptr;
    }

    // Alive from the constructor's end until the manager's task destroy.
    union {
        T object_;
    };
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
