// SPDX-License-Identifier: BSL-1.0
// Replaces the allocator below a cache in a replay. It counts what the cache requests from it.
// However large a block is, it hands out no more memory than the block's header needs. Only with
// the address sanitizer it hands out whole blocks, because the cache poisons idle buffers there.
#pragma once

#include <freehold/buffer/size_class.hpp>
#include <freehold/detail/sanitizers.hpp>
#include <freehold/memory/memory_resource.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

namespace lab::buffers {

class counting_upstream final : public freehold::memory_resource {
public:
    /// The size of the header that a cache puts before a buffer of the default alignment.
    static constexpr std::size_t header = 32;

    using counts = std::array<std::uint32_t, freehold::size_class::count>;

    /// The allocations of buffers, by the class of their capacity.
    [[nodiscard]] const counts& allocations() const noexcept { return allocations_; }
    [[nodiscard]] std::uint64_t calls() const noexcept { return calls_; }
    /// The capacities of all buffers that have not come back, together.
    [[nodiscard]] std::size_t bytes_out() const noexcept { return bytes_out_; }

private:
    struct alignas(2 * header) cell {
        std::byte bytes[2 * header];
    };
    static constexpr std::size_t cells_at_once = 1024;

    void* do_allocate(std::size_t bytes, std::size_t alignment) override {
        if (bytes < header || alignment > header) throw std::bad_alloc();
        void* const block = freehold::detail::under_address_sanitizer
                                ? ::operator new(bytes, std::align_val_t{header})
                                : take_cell();
        ++calls_;
        ++allocations_[freehold::size_class::of(bytes - header)];
        bytes_out_ += bytes - header;
        return block;
    }
    void do_deallocate(void* block, std::size_t bytes, std::size_t) override {
        ++calls_;
        bytes_out_ -= bytes - header;
        if constexpr (freehold::detail::under_address_sanitizer) {
            ::operator delete(block, std::align_val_t{header});
        } else {
            free_.push_back(static_cast<cell*>(block));
        }
    }
    bool do_is_equal(const freehold::memory_resource& other) const noexcept override {
        return this == &other;
    }

    void* take_cell() {
        if (free_.empty()) add_cells();
        cell* const taken = free_.back();
        free_.pop_back();
        return taken;
    }
    void add_cells() {
        cells_.push_back(std::make_unique<cell[]>(cells_at_once));
        free_.reserve(cells_.size() * cells_at_once);  // so that deallocate never allocates
        for (std::size_t i = 0; i < cells_at_once; ++i) free_.push_back(&cells_.back()[i]);
    }

    counts allocations_{};
    std::uint64_t calls_ = 0;
    std::size_t bytes_out_ = 0;
    std::vector<std::unique_ptr<cell[]>> cells_;
    std::vector<cell*> free_;
};

}  // namespace lab::buffers
