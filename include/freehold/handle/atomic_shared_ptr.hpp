// SPDX-License-Identifier: BSL-1.0
// What it is: atomic_shared_ptr, an atomic pointer of two words that holds a shared_ptr. It is
// std::atomic<freehold::shared_ptr<T, Count>> under another name.
// When to use it: as atomic_arc, if the values are shared_ptrs.
// When not: as atomic_arc. If one word is enough, atomic_arc takes less space and time.
// Example:
//     freehold::atomic_shared_ptr<const configuration> current(read_configuration());
//
//     answer(request, *current.snapshot());               // a reader: protects it, counts nothing
//     current.store(read_configuration());                // a writer
//
// All that atomic_arc.hpp says of atomic_arc holds for atomic_shared_ptr. It also holds for
// std::atomic<weak_ptr>, which has no snapshots.
//
// Units: an atomic_shared_ptr is two words.
// Complexity: a snapshot takes 0.5 ns more than one of an atomic_arc, because it reads two words at
// once. A load takes as long as a snapshot, and one locked instruction more. Some processors cannot
// read two words at once: x86-64 without AVX, AArch64 before ARMv8.4, and others. There, loads and
// snapshots take the writers' lock and count.
// Thread safety: as atomic_arc's. Loads and snapshots that take the lock are not wait-free.
// Exceptions, ownership: as atomic_arc's.
// Source: std::atomic<std::shared_ptr> of C++20; for the method, see atomic/debts.hpp.
#pragma once

#include <freehold/fwd.hpp>
#include <freehold/handle/detail/atomic/std_atomic.hpp>
#include <freehold/handle/shared_ptr.hpp>

#include <atomic>

namespace freehold::inline FREEHOLD_ABI {

template <class T, class Count>
class atomic_shared_ptr : public std::atomic<shared_ptr<T, Count>> {
public:
    using std::atomic<shared_ptr<T, Count>>::atomic;
    using std::atomic<shared_ptr<T, Count>>::operator=;
};

}  // namespace freehold::inline FREEHOLD_ABI
