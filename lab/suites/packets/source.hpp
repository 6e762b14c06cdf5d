// SPDX-License-Identifier: BSL-1.0
// The source of packets' memory. Each subject in subjects/blocks has a class template
// `source<BlockBytes>` with these members. The lab makes a source for each repetition of each cell,
// and destroys it afterwards, outside the timing:
//
//   Source(capacity)                the most blocks in use and cached at a time
//   void* allocate()                throws std::bad_alloc; never returns null
//   deallocate(block)               on any thread, if the source is for several threads
//   allocate_bulk(span<void*>)      fills the whole span, or throws std::bad_alloc
//   deallocate_bulk(span<void* const>)
//   static constexpr bool has_bulk  false if these two are loops; `one_by_one` has the loops
//   thread_starts(pair), thread_ends()   optional: called on each thread that uses the source;
//                                   `pair` is the number of a pair of a producer and a consumer
#pragma once

#include "suites/common/state.hpp"

#include <concepts>
#include <cstddef>
#include <new>
#include <span>

namespace lab::packets {

constexpr std::size_t burst = 32;

/// What the cells with several threads require.
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

/// The same source; its bulk calls are loops over single calls.
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

/// A source of two functions like malloc and free. `Functions::allocate()` returns null if memory
/// is exhausted.
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

/// Calls thread_starts and thread_ends of a source, if it has them.
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
