// SPDX-License-Identifier: BSL-1.0
// What it is: a count of owners for objects that many threads copy and keep. While such an object
// is shared out, each processor counts in a place of its own: no thread waits for the cache line of
// another.
// When to use it: few objects that all threads copy again and again, and that live long: a
// configuration, a schema, a table of routes. atomic_arc and atomic_shared_ptr with this count
// share out what they hold, and gather what they held. handle/anchor.hpp does so for other owners.
// When not: if an object has few threads at a time, or a short life (atomic_count); if a reader
// needs no owner that it keeps (the snapshot() of an atomic pointer counts nothing).
// Example:
//     freehold::atomic_arc<const routes, freehold::sharded_count> current(read_routes());
//
//     const auto mine = current.load();         // any thread; does not contend with others
//     current.store(read_routes());             // gathers the old routes; they die with their last
//                                               // owner, at once
//
// A count is ordinary, as atomic_count, until share_out() is called. From then on, a copy, a
// release and the locking of a weak reference add to the shard of the processor on which the
// thread runs, by a restartable sequence without a locked instruction. No thread can find out that
// an owner is the last one, so that the object stays alive until gather(): that closes the shards,
// on all threads, and adds them up. From then on the count is ordinary and exact, and the thread
// that releases the last owner destroys the object at once. An object may be shared out again.
//
//   share_out()      requires an owner. It may be called several times: each call needs a gather().
//                    An object that is never gathered is never destroyed.
//   gather()         requires an owner that the caller holds until the function returns. It may be
//                    called once for each share_out(); the last one gathers. If nothing is shared
//                    out, it does nothing.
//   is_shared_out()  whether owners are counted in shards now
//   has_shards       false if this build has no shards: share_out() then does nothing, and the
//                    count is always ordinary
//   value()          while shared out, a number above 1, which is an estimate
//
// The shards need restartable sequences, which glibc 2.35 and newer register on Linux, and
// membarrier(2). This library has the sequences for x86-64; has_shards is false elsewhere, and with
// a sanitizer. If the system refuses either (old kernels, sandboxes, Valgrind), share_out() does
// nothing. It does nothing either if there is no memory for shards, if 65,535 counts are shared out
// already, or if the count has more than 2^29 owners (2^32 with weak references). A thread on a
// processor that was added after the first share_out() counts in the ordinary count.
//
// Threads may end at any time: they hold nothing. A child of fork() has the shards as they were.
//
// Units: bytes. The count has 8, and 12 with weak references; in handles' blocks that takes no more
// than atomic_count. While shared out, it has 16 for each processor that counts, and 16 more. These
// lie beside those of other counts, 256 on a page of 4 KiB. The first share_out() reserves
// addresses: 1 MiB for each processor, and 1 MiB more; memory is taken by the page, where counts
// are shared out, and kept.
// Complexity: ordinary, as atomic_count, and one load. Shared out, a copy or a release takes 1.2
// to 1.6 ns on an EPYC, where a locked addition that no other thread hinders takes 2 (Zen 3) or 5
// (Zen 2). share_out() takes a lock of the process. gather() does, too; it interrupts the process's
// other running threads (4 us with one of them), and reads one cache line for each processor. Weak
// references are counted by locked instructions in every state.
// Thread safety: several threads may use distinct owners and weak references at once, and share
// out and gather. Signal handlers must not use the count.
// Exceptions: none. The count terminates the program as atomic_count does. gather() also does if
// the shards have more than 2^30 owners (2^33 with weak references), and if the system withdraws
// membarrier(2) from the running process.
// Ownership: none; the object that has the count owns it. The process keeps the shards' memory.
// Source: the anchor and the switch back to one count are those of Linux's percpu_ref and folly's
// TLRefCount. Those wait for other threads, by RCU or by locks of thread-local counts; this count
// restarts sequences. Refcache (RadixVM, EuroSys 2013) counts for each processor, too, and waits
// for epochs before an object dies.
#pragma once

#include <freehold/count/detail/shard_platform.hpp>
#include <freehold/count/detail/sharded_word.hpp>
#include <freehold/count/reference_count.hpp>
#include <freehold/fwd.hpp>

#include <cstdint>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {

// sharded_count with weak references. handle/shared_ptr.hpp and handle/arc.hpp use it.
class sharded_count_with_weak
    : public detail::basic_sharded_count_with_weak<detail::shard_platform> {
public:
    // Starts with one owner.
    template <class T>
    constexpr explicit sharded_count_with_weak(std::in_place_type_t<T> type) noexcept
        : basic_sharded_count_with_weak(type) {}
};

class sharded_count : public detail::basic_sharded_count<detail::shard_platform> {
public:
    using with_weak = sharded_count_with_weak;
    // Whether this build has shards. If not, share_out() does nothing.
    static constexpr bool has_shards = FREEHOLD_USES_RESTARTABLE_SEQUENCES != 0;

    // Starts at `initial`.
    constexpr explicit sharded_count(std::int64_t initial) noexcept
        : basic_sharded_count(initial) {}
    // g++ 11 copies a result whose class only inherits a deleted copy constructor.
    sharded_count(const sharded_count&) = delete;
    sharded_count& operator=(const sharded_count&) = delete;
};

static_assert(weakable_reference_count<sharded_count>);
static_assert(sizeof(sharded_count) == sizeof(std::int64_t));

}  // namespace freehold::inline FREEHOLD_ABI
