// SPDX-License-Identifier: BSL-1.0
// Allocates and frees blocks: from a memory resource, or by operator new.
//
//     padding up to the alignment | header of 32 bytes | data
//
// Overhead: the header's 32 bytes, or the alignment if that is larger. Thread-safe if the upstream
// is. allocate throws what the upstream throws, and std::bad_alloc if the size overflows.
#pragma once

#include <freehold/buffer/buffer_block.hpp>
#include <freehold/buffer/size_class.hpp>
#include <freehold/config.hpp>
#include <freehold/detail/annotations.hpp>
#include <freehold/memory/memory_resource.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <new>

namespace freehold::inline FREEHOLD_ABI::detail {

class buffer_memory {
public:
    // The largest size that a policy is asked about.
    static constexpr std::size_t largest =
        static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max());

    explicit buffer_memory(memory_resource* upstream) noexcept : upstream_(upstream) {}

    [[nodiscard]] buffer_block& allocate(std::size_t capacity, std::size_t alignment) const {
        const std::size_t aligned = std::max(alignment, alignof(buffer_block));
        const std::size_t offset = std::max(alignment, sizeof(buffer_block));
        const std::size_t bytes = offset + capacity;
        if (bytes < capacity) throw std::bad_alloc();
        auto* const begin = static_cast<std::byte*>(
            upstream_ != nullptr ? upstream_->allocate(bytes, aligned) : get(bytes, aligned));
        buffer_block& block = buffer_block::of(begin + offset);
        block.capacity = capacity;
        block.size_class = static_cast<std::uint16_t>(size_class::of(capacity)) & 1023;
        block.log2_alignment = static_cast<std::uint16_t>(std::countr_zero(aligned)) & 63;
        return block;
    }

    void deallocate(buffer_block& block) const noexcept {
        annotate_returned(block.data(), block.capacity);
        const std::size_t alignment = std::size_t{1} << block.log2_alignment;
        const std::size_t offset = std::max(alignment, sizeof(buffer_block));
        std::byte* const begin = block.data() - offset;
        if (upstream_ != nullptr) {
            upstream_->deallocate(begin, offset + block.capacity, alignment);
        } else if (alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
            ::operator delete(begin, std::align_val_t(alignment));
        } else {
            ::operator delete(begin);
        }
    }

private:
    [[nodiscard]] static void* get(std::size_t bytes, std::size_t alignment) {
        return alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__
                   ? ::operator new(bytes, std::align_val_t(alignment))
                   : ::operator new(bytes);
    }

    memory_resource* upstream_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
