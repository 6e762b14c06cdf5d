// SPDX-License-Identifier: BSL-1.0
// Stands for the allocator beneath a cache that is only played through: it counts what is asked of
// it, and hands out no more memory than a block's header takes, however large the block is. Only
// under the address sanitizer blocks are whole, for the cache marks there what nobody may touch.
#pragma once

#include <freehold/cache/size_class.hpp>
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
    /// What a cache puts before a buffer of the default alignment.
    static constexpr std::size_t header = 32;

    using counts = std::array<std::uint32_t, freehold::size_class::count>;

    /// Of buffers, by the class of their capacity.
    [[nodiscard]] const counts& allocations() const noexcept { return allocations_; }
    [[nodiscard]] std::uint64_t calls() const noexcept { return calls_; }
    /// The capacities of all buffers that have not come back.
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
        free_.reserve(cells_.size() * cells_at_once);  // for all to come back without allocating
        for (std::size_t i = 0; i < cells_at_once; ++i) free_.push_back(&cells_.back()[i]);
    }

    counts allocations_{};
    std::uint64_t calls_ = 0;
    std::size_t bytes_out_ = 0;
    std::vector<std::unique_ptr<cell[]>> cells_;
    std::vector<cell*> free_;
};

}  // namespace lab::buffers
