// SPDX-License-Identifier: BSL-1.0
// Objects that count their own owners, and with Freehold's handles also counts apart from their
// objects, biased counts, and objects without a destructor. BOOST takes Boost's handles.
#include "intrusive_handles.hpp"
#ifndef BOOST
#include <freehold/count/biased_count.hpp>
#include <freehold/count/sharded_count.hpp>
#include <freehold/handle/anchor.hpp>
#include <freehold/handle/arc.hpp>
#include <freehold/handle/counted_ptr.hpp>
#include <freehold/handle/linked_ptr.hpp>
#include <freehold/handle/shared_ptr.hpp>
#endif
#include <atomic>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

struct node : base<node> {
    virtual ~node() = default;
    std::string name = "a name that is too long for the object itself";
    intrusive<node> next;
};
struct named {
    virtual ~named() = default;
    long number = 0;
};
struct part : base<part> {
    virtual ~part() = default;
    std::vector<intrusive<part>> others;
};
// Handles to parts point into it, and not to its begin.
struct whole : named, part {
    std::vector<int> figures = std::vector<int>(10);
};

static std::vector<intrusive<part>> kept;

#ifndef BOOST
struct pair_half {
    freehold::counted_ptr<pair_half> other;
};
struct watcher {
    freehold::biased_shared_ptr<watcher> self;
};
struct plain {
    long values[3] = {1, 2, 3};
};
struct owner_of_plain {
    freehold::shared_ptr<owner_of_plain> self;
    freehold::shared_ptr<plain> figures;
};
struct published {
    std::atomic<std::shared_ptr<published>> current;
};
static freehold::shared_ptr<plain> kept_plain;
// Blocks of these have the same size. An owner of one of them tells which it is.
struct twin {
    freehold::arc<twin> other;
    long number = 1;
};
struct its_like {
    freehold::arc<its_like> other;
    double number = 1;
};
struct twins_owner {
    freehold::shared_ptr<twins_owner> self;
    freehold::arc<twin> first;
};
// Elements of an array that own the array, or elements of another.
struct element {
    freehold::arc<element[]> whole;
    long number = 1;
};
struct large_element {
    freehold::arc<large_element[], freehold::biased_count> whole;
    long numbers[7] = {};
};
static freehold::arc<element[]> kept_elements;
static freehold::arc<float[]> numbers;
// An object that is made as an arc may be owned by both handles.
struct in_both {
    freehold::shared_ptr<in_both> self;
    long numbers[20] = {};
};
struct shared_out {
    freehold::shared_ptr<shared_out, freehold::sharded_count> self;
    long numbers[30] = {};
};
using owner_of_shared_out = freehold::shared_ptr<shared_out, freehold::sharded_count>;
static freehold::anchor<owner_of_shared_out>* anchored;
// Handles without a count.
struct linked {
    freehold::linked_ptr<linked> first, second;
    std::vector<freehold::linked_ptr<struct linked_leaf>> leaves;
};
struct linked_leaf {
    long numbers[12] = {};
};
static freehold::linked_ptr<linked_leaf> in_ring, beside_it;
// It is larger than its base.
struct larger : named {
    long numbers[20] = {};
};
static freehold::linked_ptr<named> as_base;
struct plain_counted : freehold::intrusive_base<plain_counted, freehold::atomic_count> {};
static freehold::intrusive_ptr<plain_counted> without_functions;

static void __attribute__((noinline)) build_others() {
    for (int i = 0; i != 30; ++i) {
        freehold::counted_ptr<pair_half> first(new pair_half);
        freehold::counted_ptr<pair_half> second(new pair_half);
        first->other = second;
        second->other = first;
        auto watches = freehold::make_shared<watcher, freehold::biased_count>();
        watches->self = watches;
        auto publishes = std::make_shared<published>();
        publishes->current = publishes;
        auto owns = freehold::make_shared<owner_of_plain>();
        owns->self = owns;
        owns->figures = freehold::make_shared<plain>();
    }
    kept_plain = freehold::make_shared<plain>();
    for (int i = 0; i != 10; ++i) {
        auto twins = freehold::make_arc<twin>();
        twins->other = freehold::make_arc<twin>();
        twins->other->other = twins;
        auto owns = freehold::make_shared<twins_owner>();
        owns->self = owns;
        owns->first = twins;
        auto elements = freehold::make_arc<element[]>(static_cast<std::size_t>(i + 1));
        elements[static_cast<std::size_t>(i)].whole = elements;
        auto large = freehold::make_arc<large_element[], freehold::biased_count>(5);
        large[3].whole = large;
        large[4].whole = large;
        // Nothing tells which these are.
        auto alike = freehold::make_arc<its_like>();
        alike->other = alike;
        auto both = freehold::make_arc<in_both>();
        both->self = freehold::shared_ptr<in_both>(both);
        auto out = freehold::make_shared<shared_out, freehold::sharded_count>();
        out->self = out;
    }
    // While it is shared out, its count says nothing.
    anchored = new freehold::anchor<owner_of_shared_out>(
        freehold::make_shared<shared_out, freehold::sharded_count>());
    anchored->get()->self = anchored->get();
    for (int i = 0; i != 15; ++i) {
        freehold::linked_ptr<linked> made(new linked);
        made->first = made;
        made->second = made;
        for (int k = 0; k != 3; ++k)
            made->leaves.push_back(freehold::linked_ptr<linked_leaf>(new linked_leaf));
        made->leaves.push_back(made->leaves.front());
    }
    in_ring = freehold::linked_ptr<linked_leaf>(new linked_leaf);
    beside_it = in_ring;
    as_base = freehold::linked_ptr<named>(new larger);
    without_functions = new plain_counted;
    numbers = freehold::make_arc<float[]>(7);
    kept_elements = freehold::make_arc<element[]>(3);
    kept_elements[0].whole = kept_elements;
}
#endif

static void __attribute__((noinline)) build() {
    for (int i = 0; i != 100; ++i) {
        intrusive<node> first(new node);
        first->next = new node;
        first->next->next = first;
    }
    for (int i = 0; i != 20; ++i) {
        intrusive<part> lost(new whole);
        lost->others.push_back(lost);
        kept.push_back(intrusive<part>(new whole));
        kept.back()->others.push_back(kept.front());
    }
#ifndef BOOST
    build_others();
#endif
}

int main() {
    build();
    std::puts("built");
    std::fflush(stdout);
    std::getchar();
}
