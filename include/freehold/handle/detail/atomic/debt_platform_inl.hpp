// SPDX-License-Identifier: BSL-1.0
// What it is: the definitions of debt_platform: its lock, a thread's reader, and the fence on all
// threads.
#pragma once

#include <freehold/count/detail/bias_platform.hpp>
#include <freehold/detail/backoff_lock.hpp>
#include <freehold/detail/fork_mutex.hpp>
#include <freehold/detail/platform/lasting_memory.hpp>
#include <freehold/detail/platform/membarrier.hpp>
#include <freehold/detail/platform/processor.hpp>
#include <freehold/detail/terminate.hpp>
#include <freehold/handle/detail/atomic/debt_platform.hpp>
#include <freehold/handle/detail/atomic/debts_slow.hpp>

#include <atomic>
#include <new>

namespace freehold::inline FREEHOLD_ABI::detail {

using debt_actions = debt_steps<debt_platform>;

// Whether a writer can execute a fence on all threads. Set by prepare_readers().
[[gnu::visibility("default")]] inline constinit std::atomic<bool> writers_can_fence{false};

// Constant, so that they may be used after the thread's other variables have been destroyed.
[[gnu::visibility(
    "default")]] inline constinit thread_local debt_platform::reader* reader_of_thread = nullptr;
[[gnu::visibility("default")]] inline constinit thread_local bool thread_has_ended = false;

struct [[gnu::visibility("default")]] end_of_thread{~end_of_thread(){thread_has_ended = true;
next_debt_of_thread = &debt_of_no_thread;
// release: the next thread takes it over as it is.
reader_of_thread->in_use.store(false, std::memory_order_release);
reader_of_thread = nullptr;
}
}
;

// In a child of fork().
[[gnu::visibility("default")]] inline void forget_other_readers() noexcept {
    debt_actions::forget_others(reader_of_thread);
}

// Never destroyed, because atomic pointers are used by destructors that run after all others.
// Enrolled before a reader is made, too. Without memory for that, a child must not use atomic
// pointers if another thread was storing. A writer that adds a biased count takes that lock with
// this one held.
[[gnu::visibility("default")]] inline constinit fork_mutex<&forget_other_readers, backoff_lock>
    debt_mutex;

// Several threads may do this at once.
[[gnu::cold, gnu::noinline]] inline void prepare_readers() noexcept {
    debt_mutex.enrol();
    // relaxed, both: a thread that sees it late only takes longer.
    reads_two_words.store(machine_reads_two_words(), std::memory_order_relaxed);
#if !defined(FREEHOLD_COUNTS_STAY_ATOMIC)  // the thread sanitizer does not see such fences
    if (!writers_can_fence.load(std::memory_order_relaxed))
        writers_can_fence.store(
            register_for_membarrier(membarrier_command::private_expedited,
                                    membarrier_command::register_private_expedited),
            std::memory_order_relaxed);
#endif
}

debt_platform::lock::lock() noexcept : is_alone_(single_threaded()), is_locked_(!is_alone_) {
    if (is_alone_) return;
    // A writer that runs holds the lock for one barrier at most, about 10 us. Its pauses let the
    // other writer store several times, which saves more than a lock for each atomic would.
    debt_mutex.lock();
}
debt_platform::lock::lock(unless_taken) noexcept : is_alone_(single_threaded()), is_locked_(false) {
    if (is_alone_) return;
    debt_mutex.enrol();
    is_locked_ = debt_mutex.try_lock();
}
debt_platform::lock::~lock() {
    if (is_locked_) debt_mutex.unlock();
}

bool debt_platform::can_fence_everywhere() noexcept {
    // relaxed: see prepare_readers.
    return writers_can_fence.load(std::memory_order_relaxed);
}

void debt_platform::fence_everywhere() noexcept {
    if (single_threaded()) return;
    if (!membarrier_registered(membarrier_command::private_expedited,
                               membarrier_command::register_private_expedited))
        terminate_with(
            "membarrier, which atomic pointers were promised, fails; allow it to the whole process "
            "or to none of it");
}

auto debt_platform::this_reader() noexcept -> reader* {
    if (reader_of_thread == nullptr && !thread_has_ended) {
        prepare_readers();
        reader_of_thread = debt_actions::take_reader();
        if (reader_of_thread != nullptr) {
            static thread_local end_of_thread last;
            static_cast<void>(&last);
        }
    }
    return reader_of_thread;
}

auto debt_platform::make_reader() noexcept -> reader* {
    void* const memory = lasting_memory(alignof(reader), sizeof(reader));
    return memory != nullptr ? ::new (memory) reader : nullptr;
}

auto debt_platform::protect_slowly(const one_word_place& place, const owner_kind& kind) noexcept
    -> reading<one_word_place> {
    return debt_actions::protect(place, kind);
}
auto debt_platform::protect_slowly(const two_word_place& place, const owner_kind& kind) noexcept
    -> reading<two_word_place> {
    return debt_actions::protect(place, kind);
}
auto debt_platform::protect_again(const one_word_place& place, const owner_kind& kind, debt& tried,
                                  debt_key vain) noexcept -> reading<one_word_place> {
    return debt_actions::protect_again(place, kind, tried, vain);
}
auto debt_platform::protect_again(const two_word_place& place, const owner_kind& kind, debt& tried,
                                  debt_key vain) noexcept -> reading<two_word_place> {
    return debt_actions::protect_again(place, kind, tried, vain);
}
bool debt_platform::end_slowly(debt& ended, debt_key key) noexcept {
    return debt_actions::end(ended, key);
}
std::uintptr_t debt_platform::replace(one_word_place& place, std::uintptr_t desired,
                                      const owner_kind& kind) noexcept {
    return debt_actions::replace(place, desired, kind);
}
pointer_and_control debt_platform::replace(two_word_place& place, pointer_and_control desired,
                                           const owner_kind& kind) noexcept {
    return debt_actions::replace(place, desired, kind);
}
std::uintptr_t debt_platform::replace_if(one_word_place& place, std::uintptr_t expected,
                                         std::uintptr_t desired, const owner_kind& kind) noexcept {
    return debt_actions::replace_if(place, expected, desired, kind);
}
pointer_and_control debt_platform::replace_if(two_word_place& place, pointer_and_control expected,
                                              pointer_and_control desired,
                                              const owner_kind& kind) noexcept {
    return debt_actions::replace_if(place, expected, desired, kind);
}
bool debt_platform::replace_protected(one_word_place& place, std::uintptr_t expected,
                                      std::uintptr_t desired, const owner_kind& kind,
                                      debt*& protecting) noexcept {
    return debt_actions::replace_protected(place, expected, desired, kind, protecting);
}
bool debt_platform::replace_protected(two_word_place& place, pointer_and_control expected,
                                      pointer_and_control desired, const owner_kind& kind,
                                      debt*& protecting) noexcept {
    return debt_actions::replace_protected(place, expected, desired, kind, protecting);
}
void debt_platform::pay_all(debt_key key, const owner_kind& kind) noexcept {
    debt_actions::pay_all(key, kind);
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
