// SPDX-License-Identifier: BSL-1.0
// Biased counts in the states in which tests want them, and a look at how a type is biased.
#pragma once

#include <freehold/count/biased_count.hpp>
#include <freehold/count/detail/bias_platform.hpp>

#include <cstdint>
#include <thread>
#include <type_traits>
#include <utility>

namespace freehold::tests {

// Runs on a thread of its own, to its end.
template <class Work>
void elsewhere(Work work) {
    std::thread(work).join();
}

// How many threads count objects of type T plainly, or did.
template <class T>
int records_of() {
    int records = 0;
    for (const auto* record = detail::biased_type_of<T>.records; record != nullptr;
         record = record->next)
        ++records;
    return records;
}

template <class T>
int revocations_of() {
    return detail::biased_type_of<T>.revocations;
}

// Whether this system lets objects be biased to this thread at all.
inline bool there_is_bias() {
    struct probe {};
    const biased_count count(1, std::in_place_type<probe>);
    return records_of<probe>() != 0;
}

// Biased to the thread that makes it.
template <class Tag>
struct biased_to_maker : biased_count {
    explicit biased_to_maker(std::int64_t initial) noexcept
        : biased_count(initial, std::in_place_type<Tag>) {}
};

// Given up before it is used.
struct shared_at_once : biased_count_with_weak {
    template <class T>
    explicit shared_at_once(std::in_place_type_t<T> type) noexcept : biased_count_with_weak(type) {
        share();
    }
};

// Counted by another thread before it is used, so that the bias is revoked.
struct revoked_at_once : biased_count_with_weak {
    template <class T>
    explicit revoked_at_once(std::in_place_type_t<T> type) noexcept : biased_count_with_weak(type) {
        elsewhere([this] {
            increment();
            static_cast<void>(decrement());
        });
    }
};

}  // namespace freehold::tests
