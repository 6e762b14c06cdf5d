// SPDX-License-Identifier: BSL-1.0
// Threads that repeatedly run the same batch at the same time.
#pragma once

#include "suites/common/state.hpp"

#include <cstddef>
#include <functional>

namespace lab {

/// Constructs the batch of the calling thread, which has this number, and passes it to `run`.
using with_batch = std::function<void(
    std::size_t number, const std::function<void(const std::function<void()>& batch)>& run)>;

/// Returns the seconds that a batch took, after that batch.
using seconds_of_batch = std::function<double()>;

/// Like the template below. It is compiled once for all kernels.
void measure_batches(kernel_state& state, std::size_t threads, const with_batch& with,
                     const seconds_of_batch& seconds);

/// Measures batches that the calling thread and `threads - 1` more threads run together. Each
/// thread has its own processor if there are enough; otherwise they share the processors evenly.
///
/// Each thread calls `make_batch(number)` with its own number. The calling thread has the number 0.
/// The thread calls the result for every batch. A thread whose batch throws ends the process,
/// because the others would wait for it forever.
///
/// Each iteration of `state` takes the time from the first thread's start to the last thread's end,
/// or what `seconds` returns. `seconds` is for batches in which only some threads have a fixed
/// working time and the others work until those have finished.
///
/// A measurement begins when the distance between the threads is the usual one, and it is repeated
/// if a thread was preempted. After a few attempts the shortest time counts. Threads that share
/// processors are preempted all the time, so there every first attempt counts. One batch before,
/// not measured, warms up.
template <class MakeBatch>
void measure_together(kernel_state& state, std::size_t threads, MakeBatch make_batch,
                      const seconds_of_batch& seconds = {}) {
    const with_batch with = [&make_batch](std::size_t number, const auto& run) {
        auto batch = make_batch(number);
        run([&batch] { batch(); });
    };
    measure_batches(state, threads, with, seconds);
}

}  // namespace lab
