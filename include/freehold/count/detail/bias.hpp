// SPDX-License-Identifier: BSL-1.0
// What it is: bias records, which say which thread counts the objects of which type plainly.
//
// There is one record for each thread and type. It names the thread until another thread revokes
// it, for good. The first other thread that has to count an object made under the record does so.
// Afterwards all threads count all objects made under the record atomically, and the first thread
// makes its further objects of that type unbiased. A type whose objects move between threads thus
// costs one revocation for each thread that makes them, and not one for each object. A type that
// was revoked `most_revocations` times is not biased to further threads.
//
// A record is never freed, since objects point to it. The next thread with the same address uses it
// again. A type therefore has at most as many records as there ever were threads at once, and
// `most_revocations`. Leak checkers can reach them.
//
// A revocation is one system call. It takes 0.3 us, or some 10 to 20 us if other threads of the
// process are running, which it interrupts. It takes one lock of the whole process, which is also
// held across fork().
#pragma once

#include <freehold/count/detail/restartable.hpp>
#include <freehold/detail/atomics.hpp>

#include <atomic>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

// The values of `owner` that are not the address of a record; see biased_word.hpp.
inline constexpr std::uintptr_t at_rest = 0;
inline constexpr std::uintptr_t shared = 1;
inline constexpr std::uintptr_t fresh = 2;

inline constexpr int most_revocations = 64;

template <class Platform>
struct basic_bias_record;

// The records of one type. All but `thread` and `revoked` of a record is guarded by the lock.
template <class Platform>
struct basic_biased_type {
    basic_bias_record<Platform>* records = nullptr;
    int revocations = 0;
};

// On a line of its own: it is read at each count.
template <class Platform>
struct alignas(64) basic_bias_record {
    basic_bias_record(const void* owner, basic_biased_type<Platform>& of) noexcept
        : thread(owner), revoked(false), type(of), next(of.records) {}

    // The value of Platform::this_thread() on the thread that counts plainly. Null from the
    // beginning of a revocation.
    typename Platform::template atomic<const void*> thread;
    // True from the end of the revocation. No sequence with this record commits any more.
    typename Platform::template atomic<bool> revoked;
    basic_biased_type<Platform>& type;
    basic_bias_record* next;
};

template <class Platform>
void revoke(basic_bias_record<Platform>& record) noexcept {
    // acquire: this thread counts after all that was counted plainly under the record.
    if (record.revoked.load(std::memory_order_acquire)) return;
    const typename Platform::lock lock;
    // relaxed: it is only ever stored under the lock.
    if (record.revoked.load(std::memory_order_relaxed)) return;
    // relaxed: restart_all orders it before the sequences that it lets start over, and those that
    // have committed before the store below.
    record.thread.store(nullptr, std::memory_order_relaxed);
    Platform::restart_all();
    // release: as above.
    record.revoked.store(true, std::memory_order_release);
    ++record.type.revocations;
}

// The record of this thread and `type`, made if there is none; null if it is not to be biased.
template <class Platform>
[[nodiscard]] basic_bias_record<Platform>* find_or_make_record(
    basic_biased_type<Platform>& type) noexcept {
    const typename Platform::lock lock;
    if (type.revocations >= most_revocations || !Platform::can_restart()) return nullptr;
    const void* const self = Platform::this_thread();
    for (auto* record = type.records; record != nullptr; record = record->next) {
        // relaxed: it is this thread's if and only if it was made, or is inherited, by this thread.
        if (record->thread.load(std::memory_order_relaxed) == self) return record;
    }
    auto* const made = Platform::make_record(self, type);
    if (made != nullptr) type.records = made;
    return made;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
