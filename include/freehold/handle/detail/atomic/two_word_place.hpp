// SPDX-License-Identifier: BSL-1.0
// What it is: the place of a handle of two words, which are read and written together.
//
// x86-64: an aligned load or store of 16 bytes is one access on every processor with AVX, as Intel
// and AMD state. AArch64: a load of a pair is one access if the system reports it (USCAT: ARMv8.4
// and newer); elsewhere a pair of exclusive accesses is. If one access does not read both words,
// readers hold the writers' lock.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/atomic.hpp>

#include <cstdint>

#if defined(__SANITIZE_THREAD__)
#define FREEHOLD_TWO_WORDS_BY_BUILTIN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FREEHOLD_TWO_WORDS_BY_BUILTIN 1
#endif
#endif
#if !defined(FREEHOLD_TWO_WORDS_BY_BUILTIN)
#define FREEHOLD_TWO_WORDS_BY_BUILTIN 0
#endif

namespace freehold::inline FREEHOLD_ABI::detail {

struct pointer_and_control {
    std::uintptr_t pointer;
    std::uintptr_t control;

    bool operator==(const pointer_and_control&) const noexcept = default;
};

// Whether this machine reads two words at once. False until it is known, and then what it is.
[[gnu::visibility("default")]] inline constinit atomic<bool> reads_two_words{false};

class alignas(16) two_word_place {
public:
    using words = pointer_and_control;

    static constexpr std::uintptr_t word_of(words value) noexcept { return value.control; }
    static constexpr std::uintptr_t other_word_of(words value) noexcept { return value.pointer; }
    static constexpr words from(std::uintptr_t word, std::uintptr_t other) noexcept {
        return {other, word};
    }
    [[nodiscard]] static bool is_read_at_once() noexcept {
#if defined(__AVX__) || FREEHOLD_TWO_WORDS_BY_BUILTIN
        return true;
#else
        // relaxed: once it is true it remains so, and nothing else follows from it.
        return reads_two_words.load(std::memory_order_relaxed);
#endif
    }

    constexpr explicit two_word_place(words initial) noexcept : words_(initial) {}

    [[nodiscard]] std::uintptr_t load_word(std::memory_order order) const noexcept {
        // Not by std::atomic_ref, which libc++ 14 does not have.
        return __atomic_load_n(&words_.control, static_cast<int>(order));
    }

    // Sequentially consistent, both. exchange() may only be called with the writers' lock held, and
    // where two words are not read at once, load(), too.
    [[nodiscard, gnu::always_inline]] words load() const noexcept;
    words exchange(words desired) noexcept;

private:
    words words_;
};
static_assert(sizeof(two_word_place) == 2 * sizeof(void*));

#if FREEHOLD_TWO_WORDS_BY_BUILTIN

__extension__ typedef unsigned __int128 both_words;

inline auto two_word_place::load() const noexcept -> words {
    auto* const from = reinterpret_cast<both_words*>(const_cast<two_word_place*>(this));
    const both_words both = __atomic_load_n(from, __ATOMIC_SEQ_CST);
    return {static_cast<std::uintptr_t>(both), static_cast<std::uintptr_t>(both >> 64)};
}
inline auto two_word_place::exchange(words desired) noexcept -> words {
    auto* const to = reinterpret_cast<both_words*>(this);
    const both_words both = static_cast<both_words>(desired.control) << 64 | desired.pointer;
    const both_words former = __atomic_exchange_n(to, both, __ATOMIC_SEQ_CST);
    return {static_cast<std::uintptr_t>(former), static_cast<std::uintptr_t>(former >> 64)};
}

#elif defined(__x86_64__)

inline auto two_word_place::load() const noexcept -> words {
    using vector [[gnu::vector_size(16)]] = std::uint64_t;
    vector both;
    // Behind the fence that every exchange is, as each load of an x86 is.
    asm volatile("movdqa %1, %0" : "=x"(both) : "m"(words_) : "memory");
    return {both[0], both[1]};
}
inline auto two_word_place::exchange(words desired) noexcept -> words {
    const words former = words_;
    // One access where a load is one. The words come from two registers: g++ would join them in
    // memory, and wait for that. The locked instruction is a fence. Together they take half as long
    // as cmpxchg16b.
    asm volatile(
        "movq %1, %%xmm0\n\t"
        "movq %2, %%xmm1\n\t"
        "punpcklqdq %%xmm1, %%xmm0\n\t"
        "movdqa %%xmm0, %0\n\t"
        "lock orl $0, (%%rsp)"
        : "=m"(words_)
        : "r"(desired.pointer), "r"(desired.control)
        : "memory", "cc", "xmm0", "xmm1");
    return former;
}

#elif defined(__aarch64__)

inline auto two_word_place::load() const noexcept -> words {
    words read;
    std::uintptr_t ignored;
    // ldar keeps the pair behind earlier releases, as a load that is sequentially consistent is;
    // the barrier keeps later accesses behind the pair.
    asm volatile(
        "ldar %2, %3\n\t"
        "ldp %0, %1, %3\n\t"
        "dmb ishld"
        : "=&r"(read.pointer), "=&r"(read.control), "=&r"(ignored)
        : "Q"(words_)
        : "memory");
    return read;
}
inline auto two_word_place::exchange(words desired) noexcept -> words {
    words former;
    std::uint32_t failed;
    asm volatile(
        "1: ldaxp %0, %1, %3\n\t"
        "stlxp %w2, %4, %5, %3\n\t"
        "cbnz %w2, 1b\n\t"
        "dmb ish"
        : "=&r"(former.pointer), "=&r"(former.control), "=&r"(failed), "+Q"(words_)
        : "r"(desired.pointer), "r"(desired.control)
        : "memory");
    return former;
}

#else

inline auto two_word_place::load() const noexcept -> words {
    return words_;
}
inline auto two_word_place::exchange(words desired) noexcept -> words {
    const words former = words_;
    words_ = desired;
    return former;
}

#endif

}  // namespace freehold::inline FREEHOLD_ABI::detail
