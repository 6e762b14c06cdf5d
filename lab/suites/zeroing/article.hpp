// SPDX-License-Identifier: BSL-1.0
// The article's program. It makes half a gigabyte of objects of 100 bytes and of 100 MB with shared
// owners. It leaves them as they are, or sets them to zero. Every hardware thread does the latter
// at the same time.
#pragma once

#include "subjects/handles/std_make_shared.hpp"
#include "subjects/shared_identities.hpp"
#include "suites/common/barrier.hpp"
#include "suites/zeroing/held_memory.hpp"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace lab::lines::article {

constexpr std::size_t small_bytes = 100;
constexpr std::size_t large_bytes = 100'000'000;
constexpr std::size_t total_bytes = 500'000'000;

template <std::size_t Bytes>
struct object {
    char data[Bytes];
};
template <std::size_t Bytes>
struct object_with_constructor {
    char data[Bytes];
    object_with_constructor() {}
};

struct making {
    static constexpr identity is = handles::std_make_shared::is;
    template <std::size_t Bytes>
    static auto make() {
        return std::make_shared<object<Bytes>>();
    }
};
struct making_with_constructor {
    static constexpr identity is = identities::std_make_shared_constructor;
    template <std::size_t Bytes>
    static auto make() {
        return std::make_shared<object_with_constructor<Bytes>>();
    }
};
struct making_for_overwrite {
    static constexpr identity is = identities::std_make_shared_for_overwrite;
#if defined(__cpp_lib_smart_ptr_for_overwrite)
    template <std::size_t Bytes>
    static auto make() {
        return std::make_shared_for_overwrite<object<Bytes>>();
    }
#endif
};

/// The objects stay until the process ends.
template <class Making, std::size_t Bytes, bool Written>
void make_objects(std::size_t bytes) {
    using owner = decltype(Making::template make<Bytes>());
    auto& all = *new std::vector<owner>;
    escape(&all);
    for (std::size_t made = 0; made < bytes; made += Bytes) {
        owner each = Making::template make<Bytes>();
        escape(each->data);  // otherwise the compiler might make one memset of two
        if constexpr (Written) std::memset(each->data, 0, Bytes);
        all.emplace_back(std::move(each));
        barrier();
    }
}

using clock = std::chrono::steady_clock;

inline double seconds_since(clock::time_point begin) {
    return std::chrono::duration<double>(clock::now() - begin).count();
}

template <class Run>
double seconds_of(Run&& run) {
    const auto begin = clock::now();
    run();
    return seconds_since(begin);
}

/// Returns the seconds that all threads take together, from the moment at which they start.
template <class Run>
double seconds_of_threads(std::size_t threads, Run&& run) {
    std::mutex mutex;
    std::condition_variable changed;
    std::size_t ready = 0;
    bool go = false;
    std::vector<std::thread> all;
    for (std::size_t i = 0; i < threads; ++i) {
        all.emplace_back([&] {
            {
                std::unique_lock lock(mutex);
                ++ready;
                changed.notify_all();
                changed.wait(lock, [&] { return go; });
            }
            run();
        });
    }
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return ready == threads; });
    go = true;
    const auto begin = clock::now();
    lock.unlock();
    changed.notify_all();
    for (std::thread& each : all) each.join();
    return seconds_since(begin);
}

/// Returns the seconds for `bytes` in each thread, measured with `threads` threads.
template <class Making, std::size_t Bytes, bool Written>
double seconds(std::size_t threads, std::size_t bytes) {
    // Small objects need more memory than their bytes: their blocks, and a vector that grows.
    const std::size_t taken = Bytes < 1024 ? 2 * bytes : bytes;
    hold_memory(threads * (taken + taken / 8));
    const auto run = [bytes] { make_objects<Making, Bytes, Written>(bytes); };
    const double measured = threads == 1 ? seconds_of(run) : seconds_of_threads(threads, run);
    return measured * static_cast<double>(total_bytes) / static_cast<double>(bytes);
}

}  // namespace lab::lines::article
