// SPDX-License-Identifier: BSL-1.0
// What it is: the block of a shared_ptr that was made from a pointer. It keeps the original
// pointer, its deleter, and the allocator that the block came from.
#pragma once

#include <freehold/handle/detail/shared/block_memory.hpp>
#include <freehold/handle/detail/shared/control_block.hpp>
#include <freehold/handle/detail/shared/plain_managed_block.hpp>
#include <freehold/handle/detail/shared/type_identity.hpp>

#include <memory>
#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

// The deleter of shared_ptr<T>(new Y). It is not std::default_delete, because get_deleter finds
// only a deleter that the user gave.
template <class Y, class T>
struct plain_delete {
    void operator()(Y* pointer) const noexcept {
        static_assert(!std::is_void_v<Y>, "void cannot be deleted; give a deleter");
        static_assert(sizeof(Y) > 0, "an incomplete type cannot be deleted");
        if constexpr (std::is_array_v<T>) {
            delete[] pointer;
        } else {
            delete pointer;
        }
    }
};
template <class Deleter>
inline constexpr bool is_plain_delete = false;
template <class Y, class T>
inline constexpr bool is_plain_delete<plain_delete<Y, T>> = true;

template <class Pointer, class Deleter, class Allocator, class Count>
class pointer_block final : public managed_block<Count> {
    using memory = block_memory<pointer_block, Allocator>;

public:
    // Leaves pointer and deleter alone if memory cannot be had.
    [[nodiscard]] static pointer_block* make(Pointer& pointer, Deleter& deleter,
                                             const Allocator& allocator) {
        return memory(allocator).construct(pointer, deleter, allocator);
    }

    pointer_block(Pointer& pointer, Deleter& deleter, const Allocator& allocator)
        : managed_block<Count>(manager_of_block(),
                               typename control_block<Count>::template told<Pointer>()),
          pointer_(std::move(pointer)),
          deleter_(std::forward<Deleter>(deleter)),
          allocator_(allocator) {}

private:
    static constexpr manager<Count> manager_of_block() noexcept {
        if constexpr (std::is_same_v<Allocator, default_allocator> &&
                      std::is_trivially_destructible_v<Pointer> &&
                      std::is_trivially_destructible_v<Deleter>) {
            return &manage_plainly;
        } else {
            return &manage;
        }
    }
    static void* manage_plainly(control_block<Count>* block, task what,
                                const type_identity* type) noexcept {
        auto& self = static_cast<pointer_block&>(*block);
        if (destroys(what)) {
            self.deleter_(self.pointer_);
        } else if (what == task::find_deleter) {
            return self.find_deleter(*type);
        }
        return plain_managed_block<Count, sizeof(pointer_block), alignof(pointer_block)>::end(
            block);
    }
    static void* manage(control_block<Count>* block, task what,
                        const type_identity* type) noexcept {
        auto& self = static_cast<pointer_block&>(*block);
        if (what == task::find_deleter) [[unlikely]]
            return self.find_deleter(*type);
        if (destroys(what)) self.deleter_(self.pointer_);
        if (frees(what)) {
            const Allocator allocator(std::move(self.allocator_));
            self.~pointer_block();
            memory::free(__builtin_addressof(self), allocator);
        }
        return nullptr;
    }

    [[nodiscard]] void* find_deleter([[maybe_unused]] const type_identity& type) noexcept {
        if constexpr (is_plain_delete<Deleter>) {
            return nullptr;  // the user gave none
        } else {
            if (!is_same_type(type, identity_of<Deleter>())) return nullptr;
            return const_cast<std::remove_const_t<Deleter>*>(std::addressof(deleter_));
        }
    }

    Pointer pointer_;
    [[no_unique_address]] Deleter deleter_;
    [[no_unique_address]] Allocator allocator_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
