// SPDX-License-Identifier: BSL-1.0
// A policy behind virtual calls, for the slow paths, which are compiled once for all policies. The
// fast path calls the policy itself.
#pragma once

#include <freehold/buffer/buffer_block.hpp>
#include <freehold/buffer/buffer_policy.hpp>
#include <freehold/detail/compiled.hpp>

#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

// Its functions are those of the concept buffer_policy. take has the two words of the request as
// two parameters: g++ stores a parameter of two equal words in two halves and loads it as a whole,
// which waits for both stores.
class __attribute__((visibility("default"))) idle_policy {
public:
    idle_policy(const idle_policy&) = delete;
    idle_policy& operator=(const idle_policy&) = delete;
    virtual ~idle_policy();

    [[nodiscard]] virtual std::size_t capacity_for(std::size_t size) const noexcept = 0;
    [[nodiscard]] virtual buffer_block* take(std::size_t size, std::size_t alignment,
                                             buffer_context context) noexcept = 0;
    virtual void keep(buffer_block& block, buffer_context context,
                      dropped_buffers& dropped) noexcept = 0;
    virtual void trim(std::size_t bytes, buffer_context context,
                      dropped_buffers& dropped) noexcept = 0;
    virtual void trim_older(std::uint64_t nanoseconds, buffer_context context,
                            dropped_buffers& dropped) noexcept = 0;
    [[nodiscard]] virtual std::size_t idle_bytes() const noexcept = 0;

    // What idle_bytes() was after the last call of the others: without a virtual call, for an owner
    // that does not call the policy itself.
    [[nodiscard]] std::size_t last_idle_bytes() const noexcept { return last_idle_bytes_; }

protected:
    idle_policy() = default;

    std::size_t last_idle_bytes_ = 0;
};

template <buffer_policy Policy>
class idle_policy_of final : public idle_policy {
public:
    explicit idle_policy_of(const typename Policy::options& options) : policy(options) {}

    [[nodiscard]] std::size_t capacity_for(std::size_t size) const noexcept override {
        return policy.capacity_for(size);
    }
    [[nodiscard]] buffer_block* take(std::size_t size, std::size_t alignment,
                                     buffer_context context) noexcept override {
        buffer_block* const taken = policy.take({size, alignment}, context);
        last_idle_bytes_ = policy.idle_bytes();
        return taken;
    }
    void keep(buffer_block& block, buffer_context context,
              dropped_buffers& dropped) noexcept override {
        policy.keep(block, context, dropped);
        last_idle_bytes_ = policy.idle_bytes();
    }
    void trim(std::size_t bytes, buffer_context context,
              dropped_buffers& dropped) noexcept override {
        policy.trim(bytes, context, dropped);
        last_idle_bytes_ = policy.idle_bytes();
    }
    void trim_older(std::uint64_t nanoseconds, buffer_context context,
                    dropped_buffers& dropped) noexcept override {
        policy.trim_older(nanoseconds, context, dropped);
        last_idle_bytes_ = policy.idle_bytes();
    }
    [[nodiscard]] std::size_t idle_bytes() const noexcept override { return policy.idle_bytes(); }

    // Its lists of blocks then begin on cache lines.
    alignas(64) Policy policy;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
