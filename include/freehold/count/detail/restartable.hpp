// SPDX-License-Identifier: BSL-1.0
// What it is: changes to a count that take effect only if the calling thread owns the bias of the
// object, and that another thread can restart: restartable sequences of Linux (rseq(2)).
//
// Each sequence loads, compares, and ends with one store, its commit. The kernel restarts a
// sequence if its thread is preempted, moved to another processor or signalled, or if another
// thread calls restart_all. So the comparisons still hold at the commit. They also hold when a
// sequence ends without its commit, because the kernel may restart it up to the jump out of it. If
// restart_all returned after the sequence began, no load of the sequence sees what another thread
// stores afterwards.
//
// A sequence has no locked instruction. It stores the address of its descriptor where the kernel
// reads it, compares the thread, and clears that address at the end. Therefore a library with such
// code may be unloaded at any time.
//
// Sequences rely on the registration that glibc makes for each thread since 2.35 (it ends the
// process if it cannot). Its offset from the thread pointer is __rseq_offset. The thread pointer,
// read within the sequence, identifies a thread. So sequences work with every model of thread-local
// storage, and in fibers that change threads.
//
// Without support, at compile time or at run time, no object is ever biased. No object is biased
// under a sanitizer either, because sanitizers do not see what a sequence does. If a debugger steps
// through a sequence, the sequence starts over with each step.
#pragma once

#include <freehold/config.hpp>

#include <cstddef>
#include <cstdint>

#if defined(__linux__) && defined(__x86_64__) && defined(__LP64__) && \
    __has_include(<sys/rseq.h>) && __has_include(<linux/membarrier.h>)
#define FREEHOLD_HAS_RESTARTABLE_SEQUENCES 1
#else
#define FREEHOLD_HAS_RESTARTABLE_SEQUENCES 0
#endif

#if !FREEHOLD_HAS_RESTARTABLE_SEQUENCES || defined(__SANITIZE_ADDRESS__) || \
    defined(__SANITIZE_THREAD__)
#define FREEHOLD_USES_RESTARTABLE_SEQUENCES 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define FREEHOLD_USES_RESTARTABLE_SEQUENCES 0
#endif
#endif
#ifndef FREEHOLD_USES_RESTARTABLE_SEQUENCES
#define FREEHOLD_USES_RESTARTABLE_SEQUENCES 1
#endif

namespace freehold::inline FREEHOLD_ABI::detail {

#if FREEHOLD_USES_RESTARTABLE_SEQUENCES
// Declared here, because <sys/rseq.h> brings a dozen headers of the kernel.
extern const std::ptrdiff_t rseq_offset __asm__("__rseq_offset");
#endif

enum class sequence_outcome {
    done,
    refused,   // the bias is not this thread's (any more); nothing was changed
    none,      // add_to_some: the word was below a unit; nothing was changed
    overflow,  // add: done, and the word is negative
    last,      // subtract: the word was `alone`; nothing was changed
    few,       // subtract: done, and the word was below two units
};

// `word` is the count. biased_word.hpp describes the `owner` and the `record` beside it.
struct refused_sequences {
    static bool is_registered() noexcept { return false; }

    template <std::int64_t Unit, class Word, class Record>
    static sequence_outcome add(Word&, const Record&) noexcept {
        return sequence_outcome::refused;
    }
    template <std::int64_t Unit, class Word, class Record>
    static sequence_outcome add_to_some(Word&, const Record&) noexcept {
        return sequence_outcome::refused;
    }
    template <std::int64_t Unit, std::int64_t Alone, class Word, class Record>
    static sequence_outcome subtract(Word&, const Record&) noexcept {
        return sequence_outcome::refused;
    }
    template <std::int64_t Alone, std::uintptr_t Fresh, std::uintptr_t Shared, class Word,
              class Owner, class Record>
    static sequence_outcome share(const Word&, Owner&, const Record&) noexcept {
        return sequence_outcome::refused;
    }
};

#if FREEHOLD_USES_RESTARTABLE_SEQUENCES

// Writes the descriptor (version, flags, start, length, abort handler) and the abort handler. The
// kernel accepts a handler only if the registered signature precedes it. The flag `?` puts both
// into the section group of the enclosing function. If the linker drops the function, it drops
// both.
#define FREEHOLD_SEQUENCE_BEGIN                \
    ".pushsection __rseq_cs, \"aw?\"\n\t"      \
    ".balign 32\n"                             \
    "3:\t.long 0, 0\n\t"                       \
    ".quad 1f, 2f - 1f, 4f\n\t"                \
    ".popsection\n\t"                          \
    ".pushsection __rseq_failure, \"ax?\"\n\t" \
    ".byte 0x0f, 0xb9, 0x3d\n\t"               \
    ".long 0x53053053\n"                       \
    "4:\tjmp %l[retry]\n\t"                    \
    ".popsection\n\t"                          \
    "leaq 3b(%%rip), %%rax\n\t"                \
    "movq %%rax, %%fs:8(%[area])\n"            \
    "1:\tmovq %%fs:0, %%rax\n\t"               \
    "cmpq %%rax, %[thread]\n\t"                \
    "jne %l[refused]\n\t"

// Directly follows the commit. It does not change the flags that the commit has set.
#define FREEHOLD_SEQUENCE_END "2:\tmovq $0, %%fs:8(%[area])\n\t"

#define FREEHOLD_SEQUENCE_OPERANDS \
    [area] "r"(rseq_offset), [thread] "m"(record.thread), [word] "m"(word)

class restartable_sequences {
public:
    // Whether glibc has registered the calling thread for sequences.
    static bool is_registered() noexcept {
        std::int32_t processor;
        asm volatile("movl %%fs:4(%[area]), %[processor]"
                     : [processor] "=r"(processor)
                     : [area] "r"(rseq_offset));
        return processor >= 0;
    }

    template <std::int64_t Unit, class Word, class Record>
    [[gnu::always_inline]] static sequence_outcome add(Word& word, const Record& record) noexcept {
    retry:
        asm goto(FREEHOLD_SEQUENCE_BEGIN "addq %[unit], %[word]\n" FREEHOLD_SEQUENCE_END
                                         "js %l[overflow]"
                 :
                 : FREEHOLD_SEQUENCE_OPERANDS, [unit] "i"(Unit)
                 : "rax", "memory", "cc"
                 : retry, refused, overflow);
        return sequence_outcome::done;
    refused:
        return ended(sequence_outcome::refused);
    overflow:
        return sequence_outcome::overflow;
    }

    // Adds a unit if there is at least one.
    template <std::int64_t Unit, class Word, class Record>
    [[gnu::always_inline]] static sequence_outcome add_to_some(Word& word,
                                                               const Record& record) noexcept {
    retry:
        asm goto(FREEHOLD_SEQUENCE_BEGIN
                 "cmpq %[unit], %[word]\n\t"
                 "jl %l[none]\n\t"
                 "addq %[unit], %[word]\n" FREEHOLD_SEQUENCE_END "js %l[overflow]"
                 :
                 : FREEHOLD_SEQUENCE_OPERANDS, [unit] "i"(Unit)
                 : "rax", "memory", "cc"
                 : retry, refused, overflow, none);
        return sequence_outcome::done;
    refused:
        return ended(sequence_outcome::refused);
    overflow:
        return sequence_outcome::overflow;
    none:
        return ended(sequence_outcome::none);
    }

    template <std::int64_t Unit, std::int64_t Alone, class Word, class Record>
    [[gnu::always_inline]] static sequence_outcome subtract(Word& word,
                                                            const Record& record) noexcept {
    retry:
        asm goto(
            FREEHOLD_SEQUENCE_BEGIN
            "movq %[word], %%rax\n\t"
            "cmpq %[alone], %%rax\n\t"
            "je %l[last]\n\t"
            "subq %[unit], %[word]\n" FREEHOLD_SEQUENCE_END
            "cmpq %[two], %%rax\n\t"
            "jl %l[few]"
            :
            : FREEHOLD_SEQUENCE_OPERANDS, [unit] "i"(Unit), [two] "i"(2 * Unit), [alone] "i"(Alone)
            : "rax", "memory", "cc"
            : retry, refused, last, few);
        return sequence_outcome::done;
    refused:
        return ended(sequence_outcome::refused);
    last:
        return ended(sequence_outcome::last);
    few:
        return sequence_outcome::few;
    }

    // Ends the bias. `owner` becomes Fresh if the word is `Alone`, and Shared otherwise.
    template <std::int64_t Alone, std::uintptr_t Fresh, std::uintptr_t Shared, class Word,
              class Owner, class Record>
    [[gnu::always_inline]] static sequence_outcome share(const Word& word, Owner& owner,
                                                         const Record& record) noexcept {
    retry:
        asm goto(FREEHOLD_SEQUENCE_BEGIN
                 "movl %[shared], %%eax\n\t"
                 "movl %[fresh], %%ecx\n\t"
                 "cmpq %[alone], %[word]\n\t"
                 "cmoveq %%rcx, %%rax\n\t"
                 "movq %%rax, %[owner]\n" FREEHOLD_SEQUENCE_END
                 :
                 : FREEHOLD_SEQUENCE_OPERANDS, [owner] "m"(owner), [alone] "i"(Alone),
                   [fresh] "i"(Fresh), [shared] "i"(Shared)
                 : "rax", "rcx", "memory", "cc"
                 : retry, refused);
        return sequence_outcome::done;
    refused:
        return ended(sequence_outcome::refused);
    }

private:
    // Clears the descriptor's address after a sequence that ended without its commit. A library
    // that is unloaded must not leave that address behind.
    [[gnu::always_inline]] static sequence_outcome ended(sequence_outcome outcome) noexcept {
        asm volatile("movq $0, %%fs:8(%[area])" : : [area] "r"(rseq_offset) : "memory");
        return outcome;
    }
};

#undef FREEHOLD_SEQUENCE_BEGIN
#undef FREEHOLD_SEQUENCE_END
#undef FREEHOLD_SEQUENCE_OPERANDS

#else
using restartable_sequences = refused_sequences;
#endif

}  // namespace freehold::inline FREEHOLD_ABI::detail
