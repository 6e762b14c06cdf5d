// SPDX-License-Identifier: BSL-1.0
// What it is: the memory of the objects of cyclic_ptr: segments of slots of one size class each.
// Addresses are stable for life (the Boost page's cyclic pointer used a std::deque for this).
// Taking a slot is a pop, and freeing it a push. Large and over-aligned objects come from operator
// new. Segments are kept until the heap ends. For one thread.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/poison.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>

namespace freehold::inline FREEHOLD_ABI::detail {

class slot_storage {
public:
    slot_storage() = default;
    slot_storage(const slot_storage&) = delete;
    slot_storage& operator=(const slot_storage&) = delete;
    ~slot_storage() {
        while (segments_) {
            segment* const next = segments_->next;
            unpoison(segments_, segments_->size);
            ::operator delete(segments_, std::align_val_t{slot_alignment});
            segments_ = next;
        }
    }

    static constexpr std::size_t no_class = SIZE_MAX;
    static constexpr std::size_t class_of(std::size_t size, std::size_t alignment) noexcept {
        return size > largest_slot || alignment > granule ? no_class : (size - 1) / granule;
    }

    // Throws std::bad_alloc.
    [[nodiscard]] void* allocate(std::size_t slot_class, std::size_t size, std::size_t alignment) {
        if (slot_class == no_class) return ::operator new(size, std::align_val_t{alignment});
        size_class& c = classes_[slot_class];
        if (c.free) [[likely]] {
            free_slot* const slot = c.free;
            unpoison(slot, size);
            c.free = slot->next;
            return slot;
        }
        const std::size_t slot_size = (slot_class + 1) * granule;
        if (static_cast<std::size_t>(c.fresh_end - c.fresh) < slot_size) add_segment(c);
        void* const slot = c.fresh;
        c.fresh += slot_size;
        unpoison(slot, size);
        return slot;
    }

    void deallocate(void* memory, std::size_t slot_class, std::size_t size,
                    std::size_t alignment) noexcept {
        if (slot_class == no_class) {
            ::operator delete(memory, std::align_val_t{alignment});
            return;
        }
        size_class& c = classes_[slot_class];
        c.free = ::new (memory) free_slot{c.free};
        poison(memory, size);
    }

private:
    static constexpr std::size_t granule = 16;
    static constexpr std::size_t largest_slot = 1024;
    static constexpr std::size_t slot_alignment = 64;
    static constexpr std::size_t smallest_segment = std::size_t{16} << 10;
    static constexpr std::size_t largest_segment = std::size_t{256} << 10;

    struct free_slot {
        free_slot* next;
    };
    struct alignas(slot_alignment) segment {
        segment* next;
        std::size_t size;
    };
    struct size_class {
        free_slot* free = nullptr;
        std::byte* fresh = nullptr;  // the part of the newest segment that was never a slot
        std::byte* fresh_end = nullptr;
        std::size_t next_size = smallest_segment;
    };

    [[gnu::noinline, gnu::cold]] void add_segment(size_class& c) {
        void* const memory = ::operator new(c.next_size, std::align_val_t{slot_alignment});
        segments_ = ::new (memory) segment{segments_, c.next_size};
        c.fresh = static_cast<std::byte*>(memory) + sizeof(segment);
        c.fresh_end = static_cast<std::byte*>(memory) + c.next_size;
        poison(c.fresh, c.next_size - sizeof(segment));
        if (c.next_size < largest_segment) c.next_size *= 2;
    }

    std::array<size_class, largest_slot / granule> classes_{};
    segment* segments_ = nullptr;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
