// SPDX-License-Identifier: BSL-1.0
// What it is: an object with locks that a child of fork() may use, such as a pool or a
// buffer_cache. The forking thread holds the locks of all participants around the fork. Therefore
// the child finds them free, and what they guard is whole.
//
// A participant enrols in the slow paths of its threads, and again in a child. Therefore a child
// does not touch a participant that was on the stack of a thread that the child does not have.
//
// No order of the locks is right for all programs, because the upstream of a cache may be a pool or
// another cache. If one lock is taken, the forking thread releases all of them and tries again.
// The cache_registry's mutex guards the list.
//
// A participant derives from this class and has the functions try_lock, unlock and around_fork, as
// below. They are not virtual: the tables for one class would take 400 bytes of each program.
//
// Visible even if a shared library hides its symbols: each library would otherwise have a list of
// its own, and try to take the registry's mutex once for each list.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/cache_registry.hpp>
#include <freehold/detail/lock_holder.hpp>
#include <freehold/detail/platform/fork.hpp>
#include <freehold/detail/process_number.hpp>
#include <freehold/detail/single_threaded.hpp>
#include <freehold/detail/spin_lock.hpp>

#include <atomic>
#include <cstdint>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

class [[gnu::visibility("default")]] fork_participant {
public:
    fork_participant(const fork_participant&) = delete;
    fork_participant& operator=(const fork_participant&) = delete;

    // To be called on slow paths, without a lock.
    void enrol() noexcept {
        // relaxed: it changes under the registry's mutex, or in a child before a second thread.
        if (enrolled_in_.load(std::memory_order_relaxed) != process()) [[unlikely]]
            enrol_anew();
    }
    // Does the same, unless the calling thread is the only one. To be called on each slow path,
    // before it takes a lock. No lock is then held at a fork: only this thread could fork, or start
    // a thread that does. The functions around a fork would cost a process without threads 64 KiB
    // of resident memory, because registering them reads that much of the C library.
    // A slow path must start no thread. An operator new that does can make a fork in that thread
    // find a lock taken.
    void enrol_beside_threads() noexcept {
        if (!is_single_threaded()) enrol();
    }
    // The same for a slow path that takes no lock but the registry's mutex.
    static void prepare_beside_threads() noexcept {
        if (!is_single_threaded()) prepare();
    }
    // To be called before the destruction, under the registry's mutex.
    void leave() noexcept {
        // relaxed: see enrol.
        if (enrolled_in_.load(std::memory_order_relaxed) != process()) return;
        fork_participant** link = &first_;
        while (*link != this) link = &(*link)->next_;
        *link = next_;
    }

    // For fork_functions.
    [[gnu::cold]] static void before() noexcept {
        cache_registry::mutex().lock();
        while (!try_lock_all()) {
            cache_registry::mutex().unlock();
            yield_processor();
            cache_registry::mutex().lock();
        }
        process_number::around_fork(fork_step::before);
        for (fork_participant* each = first_; each != nullptr; each = each->next_) {
            each->around_fork(fork_step::before);
        }
    }
    [[gnu::cold]] static void in_parent() noexcept {
        after(fork_step::in_parent);
    }
    [[gnu::cold]] static void in_child() noexcept {
        after(fork_step::in_child);
    }

protected:
    template <class Derived>
    constexpr explicit fork_participant(std::in_place_type_t<Derived>) noexcept
        : ask_(&ask<Derived>) {}
    ~fork_participant() = default;

private:
    enum class request : unsigned char { try_lock, unlock, take_step };

    template <class Derived>
    [[gnu::cold]] static bool ask(fork_participant & participant, request what,
                                  fork_step step) noexcept {
        auto& derived = static_cast<Derived&>(participant);
        switch (what) {
            case request::try_lock:
                return derived.try_lock();
            case request::unlock:
                derived.unlock();
                break;
            case request::take_step:
                derived.around_fork(step);
                break;
        }
        return true;
    }
    // Takes all locks of this object, or none.
    [[nodiscard]] bool try_lock() noexcept {
        return ask_(*this, request::try_lock, fork_step::before);
    }
    void unlock() noexcept {
        ask_(*this, request::unlock, fork_step::before);
    }
    // Called for each step while the locks of all participants are held.
    void around_fork(fork_step step) noexcept {
        ask_(*this, request::take_step, step);
    }

    // A process has the number of forks that lead to it from the first process, plus one.
    static std::uint32_t process() noexcept {
        // relaxed: it changes only in a child, before anything else happens there.
        return process_.load(std::memory_order_relaxed);
    }

    // Without memory for this, a child may use pools and caches only if its parent had one thread.
    // fork() may wait for the registry's mutex while it prevents registrations.
    static void prepare() noexcept {
        static_cast<void>(fork_functions<fork_participant>::keep());
    }
    [[gnu::noinline, gnu::cold]] void enrol_anew() noexcept {
        prepare();
        const lock_holder lock(cache_registry::mutex());
        // relaxed: see enrol.
        if (enrolled_in_.load(std::memory_order_relaxed) == process()) return;
        next_ = std::exchange(first_, this);
        enrolled_in_.store(process(), std::memory_order_relaxed);
    }

    [[gnu::cold]] static bool try_lock_all() noexcept {
        for (fork_participant* each = first_; each != nullptr; each = each->next_) {
            if (each->try_lock()) continue;
            for (fork_participant* held = first_; held != each; held = held->next_) held->unlock();
            return false;
        }
        return true;
    }
    [[gnu::cold, gnu::noinline]] static void after(fork_step step) noexcept {
        for (fork_participant* each = first_; each != nullptr; each = each->next_) {
            each->around_fork(step);
            each->unlock();
        }
        process_number::around_fork(step);
        if (step == fork_step::in_child) {
            first_ = nullptr;
            process_.store(process() + 1, std::memory_order_relaxed);  // relaxed: see process
        }
        cache_registry::mutex().unlock();
    }

    bool (*ask_)(fork_participant&, request, fork_step) noexcept;
    fork_participant* next_ = nullptr;
    std::atomic<std::uint32_t> enrolled_in_{0};

    static inline constinit fork_participant* first_ = nullptr;
    static inline constinit std::atomic<std::uint32_t> process_{1};
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
