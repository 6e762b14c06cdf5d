// SPDX-License-Identifier: BSL-1.0
// Pointers, and what threads do with them: they read and replace.
#pragma once

#include "subjects/pointer.hpp"
#include "suites/common/barrier.hpp"
#include "suites/common/state.hpp"
#include "suites/common/thread_group.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

namespace lab::atomics {

/// The pointee. Both numbers are equal, except if the object was freed or is not yet complete.
struct object {
    std::uint64_t value = 0;
    std::uint64_t again = 0;
};

template <class Subject>
using pointer_of = typename Subject::template pointer<object>;

/// `Count` pointers, side by side as in a vector. A single pointer has a cache line for itself.
template <class Subject, std::size_t Count = 1>
class scene {
public:
    using pointer = pointer_of<Subject>;

    /// A thread that reads and replaces. Each thread makes its own actor.
    class actor {
    public:
        explicit actor(scene& in) : in_(in) {}
        ~actor() {
            if (torn_ != 0) in_.torn_.store(true, std::memory_order_relaxed);
        }
        actor(const actor&) = delete;
        actor& operator=(const actor&) = delete;

        void begin() { thread_.begin(); }
        void end() { thread_.end(); }

        /// Reads the pointer `times` times. If there are several pointers, it reads each in turn.
        /// Not inlined: in a larger function, the loop's counters may lose their registers.
        [[gnu::noinline]] void read(std::size_t times) {
            std::uint64_t torn = 0;
            std::size_t at = at_;
            while (times != 0) {
                const std::size_t now = std::min(times, reads_before_a_pause);
                for (std::size_t i = 0; i < now; ++i) {
                    // An odd stride visits every element of a power of two. The order is none that
                    // processors prefetch.
                    static_assert((Count & (Count - 1)) == 0);
                    at += 61;
                    in_.pointers_[at % Count].read(
                        [&](const object& seen) { torn |= seen.value ^ seen.again; });
                    barrier();
                }
                thread_.pause();
                times -= now;
            }
            at_ = at;
            torn_ |= torn;
        }

        void store() {
            ++stored_;
            in_.pointers_.front().store({stored_, stored_});
            barrier();
        }

        /// Adds one to the object's numbers.
        void update() {
            in_.pointers_.front().update([](const object& seen) {
                return object{seen.value + 1, seen.again + 1};
            });
            barrier();
        }

    private:
        scene& in_;
        [[no_unique_address]] typename Subject::thread thread_;
        std::size_t at_ = 0;
        std::uint64_t torn_ = 0;
        std::uint64_t stored_ = 0;
    };

    /// Returns the pointee's value. No other thread may use the pointer meanwhile.
    [[nodiscard]] std::uint64_t value() const {
        std::uint64_t found = 0;
        typename Subject::thread here;
        here.begin();
        pointers_.front().read([&](const object& seen) { found = seen.value; });
        here.end();
        return found;
    }

    /// Throws std::logic_error if a reader saw an invalid object. All actors must be destroyed
    /// before.
    void check() const {
        if (Subject::protects && torn_.load(std::memory_order_relaxed)) {
            throw std::logic_error(std::string(Subject::is.name) +
                                   ": a reader saw an object that was freed or not complete");
        }
    }

private:
    alignas(64) std::array<pointer, Count> pointers_;
    alignas(64) std::atomic<bool> torn_{false};
};

/// Runs `act(actor, number)` in `threads` threads at the same time, repeatedly. If `seconds` is
/// given, it returns the time of each run after that run; otherwise the time is that of all
/// threads.
template <class Scene, class Act>
void perform(kernel_state& state, std::size_t threads, Scene& in, Act act,
             const seconds_of_batch& seconds = {}) {
    const auto make_batch = [&](std::size_t number) {
        return [number, act, actor = std::make_unique<typename Scene::actor>(in)]() mutable {
            actor->begin();
            act(*actor, number);
            actor->end();
        };
    };
    measure_together(state, threads, make_batch, seconds);
    in.check();
}

}  // namespace lab::atomics
