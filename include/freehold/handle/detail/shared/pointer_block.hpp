// SPDX-License-Identifier: BSL-1.0
// What it is: the block of a shared_ptr that was made from a pointer. It keeps the original
// pointer, its deleter, and the allocator that the block came from.
#pragma once

#include <freehold/handle/detail/shared/block_memory.hpp>
#include <freehold/handle/detail/shared/control_block.hpp>

#include <memory>
#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

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
        : managed_block<Count>(&manage, typename control_block<Count>::template told<Pointer>()),
          pointer_(std::move(pointer)),
          deleter_(std::forward<Deleter>(deleter)),
          allocator_(allocator) {}

private:
    static void* manage(control_block<Count>* block, task what,
                        const type_identity* type) noexcept {
        auto& self = static_cast<pointer_block&>(*block);
        if (what == task::find_deleter) {
            if (!(*type == identity_of<Deleter>())) return nullptr;
            return const_cast<std::remove_const_t<Deleter>*>(std::addressof(self.deleter_));
        }
        if (destroys(what)) self.deleter_(self.pointer_);
        if (frees(what)) {
            const Allocator allocator(std::move(self.allocator_));
            self.~pointer_block();
            memory::free(&self, allocator);
        }
        return nullptr;
    }

    Pointer pointer_;
    [[no_unique_address]] Deleter deleter_;
    [[no_unique_address]] Allocator allocator_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
