// SPDX-License-Identifier: BSL-1.0
// What it is: the restart of the sequences of all threads.
#pragma once

#include <freehold/count/detail/bias_platform.hpp>
#include <freehold/detail/fork_mutex.hpp>
#include <freehold/detail/fork_participant.hpp>
#include <freehold/detail/platform/lasting_memory.hpp>
#include <freehold/detail/platform/membarrier.hpp>

#include <cstdint>

#if FREEHOLD_HAS_RESTARTABLE_SEQUENCES
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

#include <sys/rseq.h>
#endif

namespace freehold::inline FREEHOLD_ABI::detail {

#if FREEHOLD_HAS_RESTARTABLE_SEQUENCES

// Never destroyed, because handles are released by destructors that run after all others.
[[gnu::visibility("default")]] inline constinit fork_mutex<> bias_mutex;

enum class restartability { unknown, present, absent };
// Guarded by the mutex.
inline constinit restartability known_restartability = restartability::unknown;

inline bool prepare_restarts() noexcept {
    if (!fork_participant::is_prepared()) return false;
#if FREEHOLD_USES_RESTARTABLE_SEQUENCES
    if (__rseq_size == 0) return false;
    return register_for_membarrier(membarrier_command::private_expedited_rseq,
                                   membarrier_command::register_private_expedited_rseq);
#else
    return false;
#endif
}

restartable_platform::lock::lock() noexcept {
    bias_mutex.lock();
}

restartable_platform::lock::~lock() {
    bias_mutex.unlock();
}

bool restartable_platform::can_restart() noexcept {
    if (known_restartability == restartability::unknown)
        known_restartability =
            prepare_restarts() ? restartability::present : restartability::absent;
    return known_restartability == restartability::present && is_registered();
}

void restartable_platform::restart_all() noexcept {
    if (membarrier_registered(membarrier_command::private_expedited_rseq,
                              membarrier_command::register_private_expedited_rseq))
        return;
    std::fprintf(stderr,
                 "freehold: membarrier, which biased and sharded counts were promised, fails (%s); "
                 "allow it, or use atomic_count\n",
                 std::strerror(errno));
    std::terminate();
}

basic_bias_record<restartable_platform>* restartable_platform::make_record(
    const void* thread, basic_biased_type<restartable_platform>& type) noexcept {
    using record = basic_bias_record<restartable_platform>;
    void* const memory = lasting_memory(alignof(record), sizeof(record));
    return memory != nullptr ? ::new (memory) record(thread, type) : nullptr;
}

#endif

std::uintptr_t ask_for_bias(std::uintptr_t& of_new, biased_type& type) noexcept {
    // Asked for a second time, it has been revoked.
    bias_record* const record = of_new == 0 ? find_or_make_record(type) : nullptr;
    of_new = record != nullptr ? reinterpret_cast<std::uintptr_t>(record) : fresh;
    return of_new;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
