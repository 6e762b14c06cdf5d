// SPDX-License-Identifier: BSL-1.0
// An upstream that knows at any moment how many of its bytes are idle: what it has allocated minus
// what is in use. The test reports what is in use, and rather too much than too little.
#pragma once

#include <freehold/memory/memory_resource.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>

namespace freehold::tests {

class counted_upstream : public memory_resource {
public:
    // Capacities.
    [[nodiscard]] std::int64_t given_out() const { return locked(given_out_); }
    [[nodiscard]] std::int64_t most_idle() const { return locked(most_idle_); }
    [[nodiscard]] std::int64_t allocations() const { return locked(allocations_); }

    void add_in_use(std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        in_use_ += static_cast<std::int64_t>(bytes);
    }
    // The cache has the buffer, or has freed it.
    void take_from_use(std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        in_use_ -= static_cast<std::int64_t>(bytes);
        look();
    }

private:
    static std::int64_t capacity_of(std::size_t bytes, std::size_t alignment) {
        return static_cast<std::int64_t>(bytes - std::max<std::size_t>(alignment, 32));
    }
    [[nodiscard]] std::int64_t locked(const std::int64_t& number) const {
        const std::lock_guard lock(mutex_);
        return number;
    }
    // Requires the mutex.
    void look() { most_idle_ = std::max(most_idle_, given_out_ - in_use_); }

    void* do_allocate(std::size_t bytes, std::size_t alignment) override {
        void* const memory = ::operator new(bytes, std::align_val_t(alignment));
        const std::lock_guard lock(mutex_);
        given_out_ += capacity_of(bytes, alignment);
        ++allocations_;
        look();
        return memory;
    }
    void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
        ::operator delete(memory, std::align_val_t(alignment));
        const std::lock_guard lock(mutex_);
        given_out_ -= capacity_of(bytes, alignment);
    }
    [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
        return this == &other;
    }

    mutable std::mutex mutex_;
    std::int64_t given_out_ = 0;
    std::int64_t in_use_ = 0;
    std::int64_t most_idle_ = 0;
    std::int64_t allocations_ = 0;
};

}  // namespace freehold::tests
