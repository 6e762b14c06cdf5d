// SPDX-License-Identifier: BSL-1.0
// Sharded counts in the states in which tests want them.
#pragma once

#include <freehold/count/sharded_count.hpp>

#include <cstdint>
#include <utility>

namespace freehold::tests {

// Whether this system shards counts at all.
inline bool there_are_shards() {
    sharded_count probe(1);
    probe.share_out();
    const bool are = probe.is_shared_out();
    probe.gather();
    return are;
}

// Was shared out, counted in shards, and gathered, before it is used.
template <class Count>
void share_out_and_gather(Count& count) {
    count.share_out();
    count.increment();
    static_cast<void>(count.decrement());
    count.increment();
    count.gather();
    static_cast<void>(count.decrement());
}
struct gathered_at_once : sharded_count {
    explicit gathered_at_once(std::int64_t initial) noexcept : sharded_count(initial) {
        if (initial > 0) share_out_and_gather(*this);
    }
};
struct gathered_at_once_with_weak : sharded_count_with_weak {
    template <class T>
    explicit gathered_at_once_with_weak(std::in_place_type_t<T> type) noexcept
        : sharded_count_with_weak(type) {
        share_out_and_gather(*this);
    }
};

}  // namespace freehold::tests
