// SPDX-License-Identifier: BSL-1.0
// Freehold's own handles with each count. The comments say what each of the three counts counts on
// their lines. `packet` is not included in them: its owners are counted by hand.
#include <freehold/count/biased_count.hpp>
#include <freehold/count/local_count.hpp>
#include <freehold/count/sharded_count.hpp>
#include <freehold/handle/arc.hpp>
#include <freehold/handle/counted_ptr.hpp>
#include <freehold/handle/intrusive_ptr.hpp>
#include <freehold/handle/shared_ptr.hpp>

#include "freehold_atomics.hpp"
#include "freehold_objects.hpp"
#include "freehold_threads.hpp"

#include <atomic>
#include <cstdio>
#include <thread>
#include <utility>
#include <vector>

struct figure {
    virtual ~figure() = default;
    int corners = 1;
};
struct square : figure {};
struct packet {
    ~packet() { asm volatile("" : : "r"(this) : "memory"); }
    int owners = 0;
    int length = 1;
};
__attribute__((noinline)) void intrusive_ptr_add_ref(packet* counted) {
    ++counted->owners;
}
__attribute__((noinline)) void intrusive_ptr_release(packet* counted) {
    if (--counted->owners == 0) delete counted;
}

std::atomic<long> calls{0};

__attribute__((noinline)) int use(int value) {
    calls.fetch_add(1);         // counts: copies=0 releases=0
    calls.fetch_add(1L << 29);  // counts: copies=0 releases=0
    return value;
}
template <class Handle>
__attribute__((noinline)) int owned(Handle owner) {
    return use(owner != nullptr ? 1 : 0);
}
template <class Weak>
__attribute__((noinline)) int locked(const Weak& from) {
    const auto owner = from.lock();  // counts: locks=150 copies=0
    return use(owner != nullptr ? 1 : 0);
}

template <class Handle>
__attribute__((noinline)) int copies(const Handle& first, int times) {
    int sum = 0;
    for (int i = 0; i < times; ++i) sum += owned(first);  // counts: copies=3300 releases=3300
    return sum;
}

// One of the two, because g++ merges functions of theirs at -Os.
#ifdef SHARDED
using shared_count = freehold::sharded_count;
#else
using shared_count = freehold::atomic_count;
#endif

namespace of_shared_count {
using count = shared_count;
#include "freehold_handles.ipp"
}  // namespace of_shared_count
namespace of_local_count {
using count = freehold::local_count;
#include "freehold_handles.ipp"
}  // namespace of_local_count
namespace of_biased_count {
using count = freehold::biased_count;
#include "freehold_handles.ipp"
}  // namespace of_biased_count

int main(int argc, char**) {
    const bool has_threads = argc > 1;
    // With a thread more, counts lock for good.
    if (has_threads) std::thread([] {}).join();
    int sum = of_shared_count::all_handles();
    sum += of_local_count::all_handles();
    sum += of_biased_count::all_handles();
    const freehold::intrusive_ptr<packet> by_hand(new packet);
    sum += copies(by_hand, 400);
    with_atomics<shared_count>();
    with_atomics<freehold::biased_count>();
    if (has_threads) {
        on_two_threads<shared_count>();
        on_two_threads<freehold::biased_count>();
    }
    std::printf("%d\n", sum);
}
