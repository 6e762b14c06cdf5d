// SPDX-License-Identifier: BSL-1.0
// Freehold's own handles, with the count that FREEHOLD_CASE_COUNT names. The comments say what the
// program counts on their lines.
#include <freehold/count/biased_count.hpp>
#include <freehold/count/local_count.hpp>
#include <freehold/handle/arc.hpp>
#include <freehold/handle/counted_ptr.hpp>
#include <freehold/handle/intrusive_ptr.hpp>
#include <freehold/handle/shared_ptr.hpp>

#include <atomic>
#include <cstdio>
#include <thread>
#include <utility>
#include <vector>

using count = freehold::FREEHOLD_CASE_COUNT;

struct circle {
    int radius = 1;
};
struct figure {
    virtual ~figure() = default;
    int corners = 1;
};
struct square : figure {};
// The barriers keep the first and last stores to counts, which a compiler leaves out where it sees
// that the object is new or about to be freed.
struct node : freehold::intrusive_base<node, count> {
    node() { asm volatile("" : : "r"(this) : "memory"); }
    ~node() { asm volatile("" : : "r"(this) : "memory"); }
    int value = 1;
};
struct itself : freehold::enable_shared_from_this<itself, count> {
    int value = 1;
};
// Its owners are counted by hand.
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

using shared = freehold::shared_ptr<circle, count>;
using weak = freehold::weak_ptr<circle, count>;
using arc = freehold::arc<circle, count>;
using open_arc = freehold::arc<figure, count>;
using counted = freehold::counted_ptr<circle, count>;
using intrusive = freehold::intrusive_ptr<node>;
using by_hand = freehold::intrusive_ptr<packet>;

std::atomic<long> calls{0};

__attribute__((noinline)) int use(int value) {
    calls.fetch_add(1);         // counts: copies=0 releases=0
    calls.fetch_add(1L << 29);  // counts: copies=0 releases=0
    return value;
}
template <class Handle>
__attribute__((noinline)) int by_value(Handle owner) {
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
    for (int i = 0; i < times; ++i) sum += by_value(first);  // counts: copies=3700 releases=3700
    return sum;
}

__attribute__((noinline)) int shared_pointers() {
    shared first = freehold::make_shared<circle, count>();  // counts: objects=1
    int sum = copies(first, 1000);
    shared moved = std::move(first);  // counts: copies=0 releases=0
    first = std::move(moved);         // counts: copies=0 releases=0
    const weak seen = first;          // counts: weak_copies=1
    for (int i = 0; i < 100; ++i) sum += locked(seen);
    const std::vector<weak> many(20, seen);  // counts: weak_copies=20
    for (int i = 0; i < 10; ++i) {
        const shared apart(new circle);  // counts: objects=10 made_apart=10
        sum += use(apart->radius);
    }  // counts: releases=10 last_releases=10 unique_releases=10
    for (int i = 0; i < 10; ++i) {
        const auto own =
            freehold::make_shared<itself, count>();  // counts: objects=10 weak_copies=10
        sum += use(own->value);
    }  // counts: releases=10 last_releases=10 unique_releases=0
    const std::vector<shared> all(50, first);  // counts: copies=50
    return sum + use(static_cast<int>(all.size()));
}

__attribute__((noinline)) int arcs() {
    const arc first = freehold::make_arc<circle, count>();  // counts: objects=1
    int sum = copies(first, 800);
    const freehold::weak_arc<circle, count> seen = first;  // counts: weak_copies=1
    for (int i = 0; i < 50; ++i) sum += locked(seen);
    for (int i = 0; i < 10; ++i) {
        const arc alone = freehold::make_arc<circle, count>();  // counts: objects=10
        sum += use(alone->radius);
    }  // counts: releases=10 last_releases=10 unique_releases=10
    const open_arc open = freehold::make_arc<square, count>();  // counts: objects=1
    return copies(open, 200) + sum;
}

__attribute__((noinline)) int counted_pointers() {
    const counted first(new circle);  // counts: objects=1
    int sum = copies(first, 700);
    for (int i = 0; i < 10; ++i) {
        const counted alone(new circle);  // counts: objects=10
        sum += use(alone->radius);
    }  // counts: releases=10 last_releases=10
    return sum;
}

__attribute__((noinline)) int intrusive_pointers() {
    const intrusive first(new node);  // counts: copies=1
    int sum = copies(first, 600);
    for (int i = 0; i < 10; ++i) {
        const intrusive alone(new node);  // counts: copies=10
        sum += use(alone->value);
    }                                 // counts: releases=10 last_releases=10
    const by_hand other(new packet);  // counts: copies=1
    return sum + copies(other, 400);
}

// Nothing follows the release, so that a compiler jumps to its slow path.
__attribute__((noinline)) void release_at_end() {
    const shared owner = freehold::make_shared<circle, count>();  // counts: objects=5
    use(owner->radius);
}  // counts: last_releases=5
__attribute__((noinline)) void release_arc_at_end() {
    const arc owner = freehold::make_arc<circle, count>();  // counts: objects=5
    use(owner->radius);
}  // counts: last_releases=5

int main(int argc, char**) {
    // With a thread more, counts lock for good.
    if (argc > 1) std::thread([] {}).join();
    int sum = shared_pointers();
    sum += arcs();
    sum += counted_pointers();
    sum += intrusive_pointers();
    for (int i = 0; i < 5; ++i) {
        release_at_end();
        release_arc_at_end();
    }
    std::printf("%d\n", sum);
}
