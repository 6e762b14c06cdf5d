// SPDX-License-Identifier: BSL-1.0
// What it is: the machine's and the system's part of biased counts: restartable sequences, the
// system call that restarts those of all threads, and a lock. A model checker replaces it.
#pragma once

#include <freehold/config.hpp>
#include <freehold/count/detail/bias.hpp>
#include <freehold/count/detail/restartable.hpp>
#include <freehold/detail/atomics.hpp>

#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

#if FREEHOLD_HAS_RESTARTABLE_SEQUENCES

struct restartable_platform : standard_atomics, restartable_sequences {
    class lock {
    public:
        FREEHOLD_API lock() noexcept;
        FREEHOLD_API ~lock();
        lock(const lock&) = delete;
        lock& operator=(const lock&) = delete;
    };

    static const void* this_thread() noexcept {
        const void* thread_pointer;
        asm volatile("movq %%fs:0, %0" : "=r"(thread_pointer));
        return thread_pointer;
    }

    // The caller holds the lock. The answer is decided once for the process (a second answer would
    // differ only if the system had lost a feature), and for each thread that asks.
    FREEHOLD_API static bool can_restart() noexcept;

    // Returns when every sequence of the process, on whichever thread, has either committed, or
    // starts over and then sees what the caller wrote before.
    FREEHOLD_API static void restart_all() noexcept;

    FREEHOLD_API static basic_bias_record<restartable_platform>* make_record(
        const void* thread, basic_biased_type<restartable_platform>& type) noexcept;
};

#else

// It never makes a record, so that no bias is ever revoked.
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

// The calling thread stores this beside the counts of new objects of type T. It is null until the
// thread has asked for a record. Then it is that record, or `fresh`.
template <class T>
inline constinit thread_local std::uintptr_t bias_of_new{};

[[nodiscard, gnu::cold]] FREEHOLD_API std::uintptr_t ask_for_bias(std::uintptr_t& of_new,
                                                                  biased_type& type) noexcept;

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

}  // namespace freehold::inline FREEHOLD_ABI::detail

#if FREEHOLD_HEADER_ONLY
#include <freehold/count/detail/bias_platform_inl.hpp>
#endif
