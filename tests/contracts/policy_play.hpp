// SPDX-License-Identifier: BSL-1.0
// Plays the part of a buffer_cache towards one object of a policy, with real blocks and a clock
// that the test sets, and holds the policy to what it promises after each call.
#pragma once

#include <freehold/buffer/buffer_policy.hpp>
#include <freehold/buffer/size_class.hpp>

#include "contracts/marked_memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <new>
#include <set>

#include <gtest/gtest.h>

namespace freehold::contracts {

template <class Policy>
class policy_play {
public:
    using block = buffer_block;

    explicit policy_play(const typename Policy::options& options = {}) : policy_(options) {}
    policy_play(const policy_play&) = delete;
    policy_play& operator=(const policy_play&) = delete;
    ~policy_play() {
        trim(0);
        EXPECT_TRUE(idle_.empty());
        for (block* each : in_use_) free(*each);
    }

    // As a way of the article's program.
    block* get(std::size_t size, std::size_t alignment = 16, std::uint32_t thread = 0) {
        ++requests_;
        block* taken = policy_.take({size, alignment}, {thread, now});
        if (taken == nullptr) {
            const std::size_t capacity = policy_.capacity_for(size);
            EXPECT_GE(capacity, size);
            taken = make(capacity, alignment);
        } else {
            ++hits_;
            EXPECT_EQ(idle_.erase(taken), 1U) << "was not idle";
            EXPECT_GE(taken->capacity, size);
            EXPECT_TRUE(taken->is_aligned(alignment));
            EXPECT_TRUE(is_marked(taken->data(), marked(*taken))) << "was written to while idle";
            in_use_.insert(taken);
        }
        expect_all_accounted_for();
        return taken;
    }
    // A block in use, of which the policy has not been asked.
    block* make(std::size_t capacity, std::size_t alignment = 16) {
        const std::size_t offset = std::max(alignment, sizeof(block));
        auto* const memory = static_cast<std::byte*>(::operator new(
            offset + capacity, std::align_val_t(std::max<std::size_t>(alignment, 16))));
        block& made = block::of(memory + offset);
        // As in memory that had another use: what is not set here nobody may count on.
        std::fill_n(reinterpret_cast<std::byte*>(&made), sizeof(block), std::byte{0xa5});
        made.capacity = capacity;
        made.size_class = static_cast<std::uint16_t>(size_class::of(capacity)) & 1023;
        in_use_.insert(&made);
        alignments_[&made] = alignment;
        return &made;
    }
    void put(block* returned, std::uint32_t thread = 0) {
        EXPECT_EQ(in_use_.erase(returned), 1U);
        returned->owner = nullptr;
        returned->size = 0;
        mark(returned->data(), marked(*returned));
        idle_[returned] = now;
        dropped_buffers dropped;
        policy_.keep(*returned, {thread, now}, dropped);
        free_all(dropped);
    }
    static std::size_t capacity(const block* of) { return of->capacity; }

    void trim(std::size_t bytes) {
        dropped_buffers dropped;
        policy_.trim(bytes, {0, now}, dropped);
        free_all(dropped);
        EXPECT_LE(policy_.idle_bytes(), bytes);
    }
    // To the second, since no policy needs to keep time more finely.
    void trim_older(std::uint64_t nanoseconds) {
        dropped_buffers dropped;
        policy_.trim_older(nanoseconds, {0, now}, dropped);
        while (block* const each = dropped.pop()) {
            EXPECT_GE(now - idle_[each] + second, nanoseconds) << "was too young";
            idle_.erase(each);
            free(*each);
        }
        for (const auto& [each, since] : idle_) {
            EXPECT_LT(now - since, nanoseconds + second) << "was too old";
        }
        expect_all_accounted_for();
    }

    [[nodiscard]] bool is_idle(block* which) const { return idle_.count(which) != 0; }
    [[nodiscard]] std::size_t idle() const { return idle_.size(); }
    [[nodiscard]] std::size_t idle_bytes() const { return policy_.idle_bytes(); }
    [[nodiscard]] std::size_t requests() const { return requests_; }
    [[nodiscard]] std::size_t hits() const { return hits_; }
    [[nodiscard]] const Policy& policy() const { return policy_; }

    static constexpr std::uint64_t second = 1'000'000'000;
    std::uint64_t now = second;

private:
    [[nodiscard]] static std::size_t marked(const block& each) {
        return std::min<std::size_t>(each.capacity, 64);
    }
    void expect_all_accounted_for() const {
        std::size_t bytes = 0;
        for (const auto& [each, since] : idle_) bytes += each->capacity;
        EXPECT_EQ(policy_.idle_bytes(), bytes);
    }
    void free_all(dropped_buffers& dropped) {
        while (block* const each = dropped.pop()) {
            EXPECT_EQ(idle_.erase(each), 1U) << "was not the policy's to drop";
            free(*each);
        }
        expect_all_accounted_for();
    }
    void free(block& each) {
        const std::size_t alignment = alignments_[&each];
        alignments_.erase(&each);
        ::operator delete(each.data() - std::max(alignment, sizeof(block)),
                          std::align_val_t(std::max<std::size_t>(alignment, 16)));
    }

    Policy policy_;
    std::set<block*> in_use_;
    std::map<block*, std::uint64_t> idle_;  // and since when
    std::map<block*, std::size_t> alignments_;
    std::size_t requests_ = 0;
    std::size_t hits_ = 0;
};

}  // namespace freehold::contracts
