// SPDX-License-Identifier: BSL-1.0
// What biased counts ask of the machine and of the system: restartable sequences, the system call
// that makes those of all threads start over, and a lock. A model checker puts its own in place.
#pragma once

#include <freehold/count/atomics.hpp>
#include <freehold/count/bias.hpp>
#include <freehold/count/restartable.hpp>

#include <cstdint>

#if FREEHOLD_HAS_RESTARTABLE_SEQUENCES
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace freehold::detail {

#if FREEHOLD_HAS_RESTARTABLE_SEQUENCES

// Never destroyed, because handles are released by destructors that run after all others.
inline constinit pthread_mutex_t bias_mutex = PTHREAD_MUTEX_INITIALIZER;

enum class restartability { unknown, present, absent };
// Guarded by the mutex.
inline constinit restartability known_restartability = restartability::unknown;

// membarrier(2), by the numbers of its interface: the headers of the kernel may be older.
inline long membarrier(int command) noexcept {
    return ::syscall(SYS_membarrier, command, 0, 0);
}
inline constexpr int membarrier_query = 0;
inline constexpr int membarrier_private_expedited_rseq = 1 << 7;
inline constexpr int membarrier_register_private_expedited_rseq = 1 << 8;

struct restartable_platform : standard_atomics, restartable_sequences {
    class lock {
    public:
        lock() noexcept { pthread_mutex_lock(&bias_mutex); }
        ~lock() { pthread_mutex_unlock(&bias_mutex); }
        lock(const lock&) = delete;
        lock& operator=(const lock&) = delete;
    };

    static const void* this_thread() noexcept {
        const void* thread_pointer;
        asm volatile("movq %%fs:0, %0" : "=r"(thread_pointer));
        return thread_pointer;
    }

    // Called with the lock held. Decided once for the process, where a second answer would be
    // another only if the system had lost what it had, and for each thread that asks.
    static bool can_restart() noexcept {
        if (known_restartability == restartability::unknown)
            known_restartability =
                prepare_restarts() ? restartability::present : restartability::absent;
        return known_restartability == restartability::present && is_registered();
    }

    // Returns when every sequence of the process, on whichever thread, has either committed, or
    // starts over and then sees what the caller wrote before.
    static void restart_all() noexcept {
        if (membarrier(membarrier_private_expedited_rseq) == 0) return;
        // The registration belongs to the process: a child made by fork() may have to repeat it.
        if (membarrier(membarrier_register_private_expedited_rseq) == 0 &&
            membarrier(membarrier_private_expedited_rseq) == 0)
            return;
        std::fprintf(stderr,
                     "freehold: membarrier, which biased counts were promised, fails (%s); allow "
                     "it, or use atomic_count\n",
                     std::strerror(errno));
        std::terminate();
    }

    static basic_bias_record<restartable_platform>* make_record(
        const void* thread, basic_biased_type<restartable_platform>& type) noexcept {
        using record = basic_bias_record<restartable_platform>;
        // Not by operator new: a program that replaces it counts its own allocations.
        void* const memory = std::aligned_alloc(alignof(record), sizeof(record));
        return memory != nullptr ? ::new (memory) record(thread, type) : nullptr;
    }

private:
    static bool prepare_restarts() noexcept {
        // A child must not find the lock taken by a thread that it does not have; that comes first
        // because the lock is taken even where there is nothing to be had.
        constexpr auto take = +[] { static_cast<void>(pthread_mutex_lock(&bias_mutex)); };
        constexpr auto give = +[] { static_cast<void>(pthread_mutex_unlock(&bias_mutex)); };
        if (pthread_atfork(take, give, give) != 0) return false;
#if FREEHOLD_USES_RESTARTABLE_SEQUENCES
        if (__rseq_size == 0) return false;
        const long commands = membarrier(membarrier_query);
        if (commands < 0 || (commands & membarrier_private_expedited_rseq) == 0) return false;
        return membarrier(membarrier_register_private_expedited_rseq) == 0;
#else
        return false;
#endif
    }
};

#else

// Never makes a record, so that nothing ever comes to be revoked.
struct restartable_platform : standard_atomics, restartable_sequences {
    class lock {
    public:
        lock() noexcept {}
    };
    static const void* this_thread() noexcept { return nullptr; }
    static bool can_restart() noexcept { return false; }
    static void restart_all() noexcept {}
    static basic_bias_record<restartable_platform>* make_record(
        const void*, basic_biased_type<restartable_platform>&) noexcept {
        return nullptr;
    }
};

#endif

using bias_record = basic_bias_record<restartable_platform>;
using biased_type = basic_biased_type<restartable_platform>;

template <class T>
inline constinit biased_type biased_type_of{};

// What this thread stores beside the counts of new objects of type T: null until it has asked for a
// record, then that, or `fresh`.
template <class T>
inline constinit thread_local std::uintptr_t bias_of_new{};

[[nodiscard, gnu::noinline, gnu::cold]] inline std::uintptr_t ask_for_bias(
    std::uintptr_t& of_new, biased_type& type) noexcept {
    // Asked for a second time, it has been revoked.
    bias_record* const record = of_new == 0 ? find_or_make_record(type) : nullptr;
    of_new = record != nullptr ? reinterpret_cast<std::uintptr_t>(record) : fresh;
    return of_new;
}

// What belongs beside the count of a new object of type T.
template <class T>
[[nodiscard]] std::uintptr_t new_owner() noexcept {
#if FREEHOLD_USES_RESTARTABLE_SEQUENCES
    std::uintptr_t& of_new = bias_of_new<T>;
    // relaxed: a record that is being revoked would do as well.
    if (of_new > fresh && reinterpret_cast<bias_record*>(of_new)->thread.load(
                              std::memory_order_relaxed) != nullptr) [[likely]]
        return of_new;
    return of_new == fresh ? fresh : ask_for_bias(of_new, biased_type_of<T>);
#else
    return fresh;
#endif
}

}  // namespace freehold::detail
