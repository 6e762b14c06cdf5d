// SPDX-License-Identifier: BSL-1.0
// A memory resource that is held to the letter: all memory goes back to it with the size and the
// alignment that it was given out for. It fails when told, and counts.
#pragma once

#include <cstddef>
#include <map>
#include <memory_resource>
#include <mutex>
#include <new>
#include <utility>

#include <gtest/gtest.h>

namespace freehold::contracts {

class observed_resource : public std::pmr::memory_resource {
public:
    observed_resource() = default;
    ~observed_resource() override { EXPECT_TRUE(lent_.empty()) << "memory was not given back"; }

    // From here on the k-th allocation fails, and all after it (1 is the next); 0 lets all succeed.
    void fail_from(long k) {
        const std::lock_guard lock(mutex_);
        until_failure_ = k;
        failures_ = 0;
    }
    [[nodiscard]] long failures() const {
        const std::lock_guard lock(mutex_);
        return failures_;
    }
    [[nodiscard]] long allocations() const {
        const std::lock_guard lock(mutex_);
        return allocations_;
    }
    [[nodiscard]] std::size_t pieces_lent() const {
        const std::lock_guard lock(mutex_);
        return lent_.size();
    }
    // What was asked for, of these.
    [[nodiscard]] std::size_t bytes_lent() const {
        const std::lock_guard lock(mutex_);
        return bytes_lent_;
    }
    [[nodiscard]] bool has_lent(const void* place) const {
        const std::lock_guard lock(mutex_);
        const auto* const byte = static_cast<const std::byte*>(place);
        for (const auto& [start, piece] : lent_) {
            const auto* const first = static_cast<const std::byte*>(start);
            if (byte >= first && byte < first + piece.bytes) return true;
        }
        return false;
    }

private:
    struct loan {
        std::size_t bytes;
        std::size_t alignment;
    };

    void* do_allocate(std::size_t bytes, std::size_t alignment) override {
        const std::lock_guard lock(mutex_);
        if (until_failure_ == 1) {
            ++failures_;
            throw std::bad_alloc();
        }
        // The address sanitizer's operator new would end the program.
        if (bytes > std::size_t{1} << 40) throw std::bad_alloc();
        if (until_failure_ > 1) --until_failure_;
        void* const memory = ::operator new(bytes, std::align_val_t(alignment));
        lent_[memory] = {bytes, alignment};
        bytes_lent_ += bytes;
        ++allocations_;
        return memory;
    }
    void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
        const std::lock_guard lock(mutex_);
        const auto found = lent_.find(memory);
        ASSERT_NE(found, lent_.end()) << "this memory was not lent, or is given back twice";
        EXPECT_EQ(found->second.bytes, bytes);
        EXPECT_EQ(found->second.alignment, alignment);
        ::operator delete(memory, std::align_val_t(found->second.alignment));
        bytes_lent_ -= found->second.bytes;
        lent_.erase(found);
    }
    [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
        return this == &other;
    }

    mutable std::mutex mutex_;
    std::map<void*, loan> lent_;
    std::size_t bytes_lent_ = 0;
    long until_failure_ = 0;
    long failures_ = 0;
    long allocations_ = 0;
};

}  // namespace freehold::contracts
