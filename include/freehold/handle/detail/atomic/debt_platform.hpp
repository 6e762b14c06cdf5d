// SPDX-License-Identifier: BSL-1.0
// What it is: the system's part of debts: the process's readers, each thread's next slot, the
// writers' lock, and the fence that a writer executes on all threads. A model checker replaces it.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/atomics.hpp>
#include <freehold/handle/detail/atomic/debts.hpp>
#include <freehold/handle/detail/atomic/one_word_place.hpp>
#include <freehold/handle/detail/atomic/two_word_place.hpp>

#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

// Visible even where a shared library is compiled to hide its symbols, as its variables are: a
// process has one lock, and writers must find the readers of all libraries.
struct [[gnu::visibility("default")]] debt_platform : standard_atomics {
    using one_word_place = basic_one_word_place<debt_platform>;
    using debt = basic_debt<debt_platform>;
    using reader = basic_reader<debt_platform>;
    using readers_of_all = basic_readers<debt_platform>;

    static constexpr std::size_t lasting_debts = 8;

    // A barrier takes 5 to 10 us with other threads running, and interrupts them; the two fences of
    // a snapshot take 5 to 10 ns.
    static constexpr std::uint32_t fences_for_a_barrier = 1024;

    // Held by writers, also across fork(). Also for the time of a count where a debt cannot be had.
    class lock {
    public:
        FREEHOLD_CORE lock() noexcept;
        FREEHOLD_CORE explicit lock(unless_taken) noexcept;
        FREEHOLD_CORE ~lock();
        lock(const lock&) = delete;
        lock& operator=(const lock&) = delete;
        [[nodiscard]] bool is_held() const noexcept { return is_alone_ || is_locked_; }

    private:
        // While the process has one thread, there is nobody to lock out. What is done with the lock
        // held starts no thread.
        bool is_alone_;
        bool is_locked_;
    };

    static readers_of_all& readers() noexcept;
    // A slot of this thread that was free when last seen; one in use if the thread has none.
    static debt*& next_debt() noexcept;

    // Keeps a compiler from moving a load before a store.
    static void keep_order() noexcept {
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    }

    FREEHOLD_CORE static bool can_fence_everywhere() noexcept;
    FREEHOLD_CORE static void fence_everywhere() noexcept;

    // Null if there is no memory for one, and when the thread ends, after its variables.
    FREEHOLD_CORE static reader* this_reader() noexcept;
    FREEHOLD_CORE static reader* make_reader() noexcept;

    template <class Place>
    using reading = basic_reading<debt_platform, Place>;

    // See debt_steps. Not inlined: their callers are.
    [[gnu::noinline]] FREEHOLD_API static reading<one_word_place> protect_slowly(
        const one_word_place& place, const owner_kind& kind) noexcept;
    [[gnu::noinline]] FREEHOLD_API static reading<two_word_place> protect_slowly(
        const two_word_place& place, const owner_kind& kind) noexcept;
    [[gnu::noinline, gnu::cold]] FREEHOLD_API static reading<one_word_place> protect_again(
        const one_word_place& place, const owner_kind& kind, debt& tried, debt_key vain) noexcept;
    [[gnu::noinline, gnu::cold]] FREEHOLD_API static reading<two_word_place> protect_again(
        const two_word_place& place, const owner_kind& kind, debt& tried, debt_key vain) noexcept;
    [[gnu::noinline]] FREEHOLD_API static bool end_slowly(debt & ended, debt_key key) noexcept;

    [[gnu::noinline]] FREEHOLD_API static std::uintptr_t replace(
        one_word_place & place, std::uintptr_t desired, const owner_kind& kind) noexcept;
    [[gnu::noinline]] FREEHOLD_API static pointer_and_control replace(
        two_word_place & place, pointer_and_control desired, const owner_kind& kind) noexcept;
    [[gnu::noinline]] FREEHOLD_API static std::uintptr_t replace_if(
        one_word_place & place, std::uintptr_t expected, std::uintptr_t desired,
        const owner_kind& kind) noexcept;
    [[gnu::noinline]] FREEHOLD_API static pointer_and_control replace_if(
        two_word_place & place, pointer_and_control expected, pointer_and_control desired,
        const owner_kind& kind) noexcept;
    [[nodiscard, gnu::noinline]] FREEHOLD_API static bool replace_protected(
        one_word_place & place, std::uintptr_t expected, std::uintptr_t desired,
        const owner_kind& kind, debt*& protecting) noexcept;
    [[nodiscard, gnu::noinline]] FREEHOLD_API static bool replace_protected(
        two_word_place & place, pointer_and_control expected, pointer_and_control desired,
        const owner_kind& kind, debt*& protecting) noexcept;
    [[gnu::noinline]] FREEHOLD_API static void pay_all(debt_key key,
                                                       const owner_kind& kind) noexcept;
};

[[gnu::visibility("default")]] inline constinit basic_readers<debt_platform> all_readers{};
[[gnu::visibility("default")]] inline constinit basic_debt<debt_platform> debt_of_no_thread{
    .owed{basic_debt<debt_platform>::ending}};
[[gnu::visibility(
    "default")]] inline constinit thread_local basic_debt<debt_platform>* next_debt_of_thread =
    &debt_of_no_thread;

inline auto debt_platform::readers() noexcept -> readers_of_all& {
    return all_readers;
}
inline auto debt_platform::next_debt() noexcept -> debt*& {
    return next_debt_of_thread;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail

#if FREEHOLD_HEADER_ONLY
#include <freehold/handle/detail/atomic/debt_platform_inl.hpp>
#endif
