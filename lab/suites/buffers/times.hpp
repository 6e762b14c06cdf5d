// SPDX-License-Identifier: BSL-1.0
// One thread gets buffers and gives them back, or one thread gets them and another gives them back.
// Only the first byte of each buffer is written.
#pragma once

#include "suites/buffers/ways.hpp"
#include "suites/common/barrier.hpp"
#include "suites/common/burst_ring.hpp"
#include "suites/common/settle_heap.hpp"
#include "suites/common/state.hpp"
#include "suites/common/thread_group.hpp"
#include "suites/common/thread_processors.hpp"
#include "suites/common/timing.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace lab::buffers {

/// The number of gets between two readings of the clock.
constexpr std::size_t gets_at_once = 8192;
constexpr std::size_t burst = 32;
/// The size of the ring between two threads.
constexpr std::size_t bursts_of_the_ring = 8;

constexpr std::array<std::int64_t, 7> sizes_on_one_thread = {64,    256,   1024,   4096,
                                                             16384, 65536, 1048576};
constexpr std::array<std::int64_t, 4> sizes_across_threads = {64, 1024, 16384, 65536};

constexpr const char* get_and_put_case = "get_and_put";
constexpr const char* across_threads_case = "returned_across_threads";
/// Converts seconds for each iteration to ns for each buffer.
constexpr double each_of_them = 1e9 / gets_at_once;

template <class Way>
[[gnu::always_inline]] inline void write_first_byte(const typename Way::handle& held) noexcept {
    std::byte* const first = Way::data(held);
    *first = std::byte{1};
    escape(first);
}

/// A copy of a user that is no more than an address, so that no barrier affects it; a reference to
/// any other user.
template <class User>
using in_registers = std::conditional_t<std::is_trivially_copyable_v<User>, User, User&>;

/// The compiler cannot know the number of bytes, as it cannot in programs.
template <class Way>
void get_and_put(kernel_state& state, std::size_t size, Way& way) {
    settle_heap();
    typename Way::user user(way);
    const std::size_t bytes = *hidden(&size);
    const auto round = [&] {
        // Local variables stay in registers, even if this is inlined. A barrier would make the
        // program read memory again.
        in_registers<typename Way::user> by = user;
        const std::size_t asked = bytes;
        for (std::size_t i = 0; i < gets_at_once; ++i) {
            typename Way::handle held = by.get(asked);
            write_first_byte<Way>(held);
            by.put(std::move(held));
        }
    };
    round();
    for ([[maybe_unused]] auto _ : state)
        state.set_iteration_time(undisturbed_seconds([] {}, round));
}

template <class Way>
void get_and_put(kernel_state& state, std::size_t size) {
    Way way;
    get_and_put(state, size, way);
}

template <class Handle>
using ring_of = burst_ring<Handle, burst, bursts_of_the_ring>;

/// The work of one of two threads. The first gets and sends buffers, and the other gives them back.
template <class Way>
class worker {
public:
    worker(Way& way, ring_of<typename Way::handle>& ring, std::size_t bytes, std::size_t number)
        : ring_(ring), bytes_(bytes), gets_(number == 0), user_(way) {}

    void operator()() {
        for (std::size_t i = 0; i < gets_at_once; i += burst) {
            if (gets_) {
                ring_.put([this] {
                    typename Way::handle held = user_.get(bytes_);
                    write_first_byte<Way>(held);
                    return held;
                });
            } else {
                ring_.take([this](typename Way::handle& held) { user_.put(std::move(held)); });
            }
        }
    }

private:
    ring_of<typename Way::handle>& ring_;
    const std::size_t bytes_;
    const bool gets_;
    typename Way::user user_;
};

template <class Way>
void returned_across_threads(kernel_state& state, std::size_t size) {
    settle_heap();
    const std::size_t bytes = *hidden(&size);
    Way way;
    ring_of<typename Way::handle> ring(processors_of(2));
    measure_together(state, 2,
                     [&](std::size_t number) { return worker<Way>(way, ring, bytes, number); });
}

}  // namespace lab::buffers
