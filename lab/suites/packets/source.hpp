// SPDX-License-Identifier: BSL-1.0
// Where a packet's memory comes from. Each subject in subjects/blocks has a class template
// `source<BlockBytes>` of this shape, which is made for each repetition of each cell and destroyed
// after it, outside the timing:
//
//   Source(capacity)                so many blocks may be out at a time, cached ones included
//   void* allocate()                never null: throws std::bad_alloc
//   deallocate(block)               on any thread, if the source is for several
//   allocate_bulk(span<void*>)      fills all of it, or throws std::bad_alloc
//   deallocate_bulk(span<void* const>)
//   static constexpr bool has_bulk  whether these are more than a loop; `one_by_one` gives the loop
//   thread_starts(pair), thread_ends()   if they are there, called on each thread that uses it;
//                                   `pair` numbers the pairs of a producer and a consumer
#pragma once

#include "suites/common/state.hpp"

#include <concepts>
#include <cstddef>
#include <new>
#include <span>

namespace lab::packets {

constexpr std::size_t burst = 32;

/// All that is asked of it across threads.
template <class Source>
concept bulk_source = std::constructible_from<Source, std::size_t> &&
                      requires(Source source, std::span<void*> blocks) {
                          source.allocate_bulk(blocks);
                          source.deallocate_bulk(blocks);
                      };

template <class Source>
concept packet_source = bulk_source<Source> && requires(Source source, void* block) {
                                                   { source.allocate() } -> std::same_as<void*>;
                                                   source.deallocate(block);
                                                   {
                                                       Source::has_bulk
                                                       } -> std::convertible_to<bool>;
                                               };

/// The same source, whose bulk calls are loops of its single ones.
template <class Single>
class one_by_one : public Single {
public:
    static constexpr bool has_bulk = false;

    using Single::Single;

    void allocate_bulk(std::span<void*> blocks) {
        for (void*& block : blocks) block = Single::allocate();
    }
    void deallocate_bulk(std::span<void* const> blocks) noexcept {
        for (void* const block : blocks) Single::deallocate(block);
    }
};

/// From two functions like malloc and free: `Functions::allocate()`, which returns null when it has
/// none, and `Functions::deallocate(block)`.
template <class Functions>
class blocks_by {
public:
    explicit blocks_by(std::size_t) noexcept {}

    void* allocate() {
        void* const block = Functions::allocate();
        if (block == nullptr) [[unlikely]]
            throw std::bad_alloc();
        return block;
    }
    void deallocate(void* block) noexcept { Functions::deallocate(block); }
};

/// Tells a source, if it wants to know, that this thread uses it from now until this ends.
template <class Source>
class enrolled {
public:
    enrolled(Source& source, std::size_t pair) : source_(source) {
        if constexpr (requires { source.thread_starts(pair); }) source.thread_starts(pair);
    }
    ~enrolled() {
        if constexpr (requires(Source & s) { s.thread_ends(); }) source_.thread_ends();
    }
    enrolled(const enrolled&) = delete;
    enrolled& operator=(const enrolled&) = delete;

private:
    [[maybe_unused]] Source& source_;
};

/// A kernel and its case.
struct packet_kernel {
    const char* case_key;
    /// From seconds for each iteration to ns per packet.
    double scale;
    kernel measure;
};

}  // namespace lab::packets
