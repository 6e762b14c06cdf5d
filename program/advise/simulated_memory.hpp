// SPDX-License-Identifier: BSL-1.0
// The upstream of a cache in a replay. It counts the requests that an allocator would have got and
// what they would have cost. It hands out memory for a buffer's header, and none for its bytes. So
// the replay of a program with gigabytes needs 64 bytes for each buffer.
//
// Under the address sanitizer it hands out whole blocks, because the cache poisons idle bytes
// there. For one thread.
#pragma once

#include <freehold/buffer/allocation_costs.hpp>
#include <freehold/buffer/buffer_block.hpp>
#include <freehold/detail/sanitizers.hpp>
#include <freehold/memory/memory_resource.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

namespace freehold {

class simulated_memory final : public memory_resource {
public:
    /// `costs` must outlive this object.
    explicit simulated_memory(const allocation_costs& costs) noexcept : costs_(costs) {}

    /// The sum of the capacities of the buffers that are handed out now.
    [[nodiscard]] std::uint64_t capacities() const noexcept { return capacities_; }
    [[nodiscard]] std::uint64_t allocations() const noexcept { return allocations_; }
    [[nodiscard]] std::uint64_t deallocations() const noexcept { return deallocations_; }
    /// The nanoseconds that the allocator would have taken. The free of a buffer counts when the
    /// buffer is allocated.
    [[nodiscard]] double cost() const noexcept { return cost_; }

private:
    static constexpr std::size_t header = sizeof(buffer_block);
    static constexpr std::size_t cells_at_a_time = 4096;

    struct alignas(64) cell {
        cell* next;
    };
    static_assert(sizeof(cell) >= header);

    /// The header ends where the buffer begins. The buffer begins at this offset in the block.
    [[nodiscard]] static std::size_t offset_for(std::size_t alignment) noexcept {
        return std::max(alignment, header);
    }
    [[nodiscard]] static bool fits_a_cell(std::size_t alignment) noexcept {
        return !detail::under_address_sanitizer && alignment <= header;
    }
    [[nodiscard]] static std::size_t real_bytes(std::size_t bytes, std::size_t alignment) noexcept {
        return detail::under_address_sanitizer ? bytes : offset_for(alignment);
    }

    void* do_allocate(std::size_t bytes, std::size_t alignment) override {
        void* const got = fits_a_cell(alignment) ? take_cell()
                                                 : ::operator new(real_bytes(bytes, alignment),
                                                                  std::align_val_t(alignment));
        const std::size_t capacity = bytes - offset_for(alignment);
        capacities_ += capacity;
        cost_ += costs_.of(capacity);
        ++allocations_;
        return got;
    }
    void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
        capacities_ -= bytes - offset_for(alignment);
        ++deallocations_;
        if (!fits_a_cell(alignment)) {
            ::operator delete(memory, std::align_val_t(alignment));
            return;
        }
        free_ = ::new (memory) cell{free_};
    }
    [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
        return this == &other;
    }

    [[nodiscard]] void* take_cell() {
        if (free_ == nullptr) {
            cells_.push_back(std::make_unique<cell[]>(cells_at_a_time));
            for (std::size_t i = cells_at_a_time; i-- != 0;) {
                cell& each = cells_.back()[i];
                each.next = free_;
                free_ = &each;
            }
        }
        cell* const taken = free_;
        free_ = taken->next;
        return taken;
    }

    const allocation_costs& costs_;
    std::vector<std::unique_ptr<cell[]>> cells_;
    cell* free_ = nullptr;
    std::uint64_t capacities_ = 0;
    std::uint64_t allocations_ = 0;
    std::uint64_t deallocations_ = 0;
    double cost_ = 0;
};

}  // namespace freehold
