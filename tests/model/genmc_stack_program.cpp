// SPDX-License-Identifier: BSL-1.0
// The program that GenMC interprets for the stack of magazines, and for what a depot and the
// threads that wait for its blocks say to one another: functions that it can begin with, known to
// genmc_test.cpp. All is compiled from the headers that are shipped.
#include <freehold/memory/detail/depot_layout.hpp>
#include <freehold/memory/detail/magazine_stack.hpp>

#include "model/genmc.hpp"
#include "model/genmc_memory.hpp"

#include <array>
#include <cstdint>

namespace freehold::model {
namespace {

using detail::magazine;

// Who has a magazine writes to its blocks and reads them, which is a race if another has it too, or
// had it without having handed it over.
void use(magazine& mine) {
    plain& block = *reinterpret_cast<plain*>(mine.blocks());
    block.write(block.read() + 1);
}

struct pool {
    pool() {
        while (shelf.room() < magazines.size()) {
            shelf.add_board(::operator new(shelf.board_size(), std::align_val_t(64)));
        }
        for (magazine*& each : magazines) {
            each = &shelf.make();
            ::new (static_cast<void*>(each->blocks())) plain;
        }
    }

    detail::magazine_shelf shelf{1};
    detail::magazine_stack stack;
    std::array<magazine*, 3> magazines;
    detail::block_waiters waiters{nullptr};
    bool was_woken = false, found_nothing = false;
};

using part = void* (*)(void*);

void run(pool& shared, part first, part second, part third = nullptr) {
    const long one = __VERIFIER_thread_create(nullptr, first, &shared);
    const long two = __VERIFIER_thread_create(nullptr, second, &shared);
    if (third != nullptr) __VERIFIER_thread_join(__VERIFIER_thread_create(nullptr, third, &shared));
    __VERIFIER_thread_join(one);
    __VERIFIER_thread_join(two);
}

// How many the stack has, which no thread uses any more.
int rest_of(pool& shared) {
    int count = 0;
    while (magazine* const taken = shared.stack.pop(shared.shelf)) {
        use(*taken);
        ++count;
    }
    return count;
}

void* take_use_and_put(void* pool_) {
    pool& shared = *static_cast<pool*>(pool_);
    if (magazine* const taken = shared.stack.pop(shared.shelf)) {
        use(*taken);
        shared.stack.push(*taken);
    }
    return nullptr;
}
template <int Number>
void* use_and_put(void* pool_) {
    pool& shared = *static_cast<pool*>(pool_);
    use(*shared.magazines[Number]);
    shared.stack.push(*shared.magazines[Number]);
    return nullptr;
}
void* make_and_put(void* pool_) {
    pool& shared = *static_cast<pool*>(pool_);
    magazine& made = shared.shelf.make();
    ::new (static_cast<void*>(made.blocks())) plain;
    shared.stack.push(made);
    return nullptr;
}
// The top comes back, but what is below it does not.
void* take_two_put_the_top(void* pool_) {
    pool& shared = *static_cast<pool*>(pool_);
    magazine* const top = shared.stack.pop(shared.shelf);
    magazine* const below = shared.stack.pop(shared.shelf);
    if (top != nullptr) {
        use(*top);
        shared.stack.push(*top);
    }
    if (below != nullptr) use(*below);
    return nullptr;
}
void* take_and_use(void* pool_) {
    pool& shared = *static_cast<pool*>(pool_);
    if (magazine* const taken = shared.stack.pop(shared.shelf)) use(*taken);
    return nullptr;
}

// What a thread does around a fork.
void* set_aside_and_put_back(void* pool_) {
    pool& shared = *static_cast<pool*>(pool_);
    const std::uint32_t top = shared.stack.set_aside();
    shared.stack.put_back(top, shared.shelf);
    return nullptr;
}

void* give_and_wake(void* pool_) {
    pool& shared = *static_cast<pool*>(pool_);
    shared.stack.push(*shared.magazines[0]);
    shared.was_woken = shared.waiters.is_occupied();
    return nullptr;
}
void* enter_and_look(void* pool_) {
    pool& shared = *static_cast<pool*>(pool_);
    shared.waiters.enter();
    shared.found_nothing = shared.stack.is_empty();
    return nullptr;
}
void* enter_and_take(void* pool_) {
    pool& shared = *static_cast<pool*>(pool_);
    shared.waiters.enter();
    shared.found_nothing = shared.stack.pop(shared.shelf) == nullptr;
    return nullptr;
}

}  // namespace

extern "C" {

void magazines_are_handed_over() {
    pool shared;
    run(shared, use_and_put<0>, use_and_put<1>, take_use_and_put);
    require(rest_of(shared) == 2, "a magazine was lost, or is there twice");
}

void a_magazine_is_made_meanwhile() {
    pool shared;
    shared.stack.push(*shared.magazines[0]);
    run(shared, make_and_put, take_use_and_put);
    require(rest_of(shared) == 2, "a magazine was lost, or is there twice");
}

void a_magazine_is_taken_by_two() {
    pool shared;
    shared.stack.push(*shared.magazines[0]);
    run(shared, take_use_and_put, take_use_and_put);
    require(rest_of(shared) == 1, "a magazine was lost, or is there twice");
}

void the_top_is_taken_and_put_back() {
    pool shared;
    for (magazine* const each : shared.magazines) shared.stack.push(*each);
    run(shared, take_two_put_the_top, take_and_use);
    require(rest_of(shared) <= 1, "a magazine is in the stack that a thread has");
}

void magazines_are_set_aside() {
    pool shared;
    run(shared, use_and_put<0>, use_and_put<1>, set_aside_and_put_back);
    require(rest_of(shared) == 2, "a magazine was lost, or is there twice");
}

void magazines_are_put_back_and_taken() {
    pool shared;
    shared.stack.push(*shared.magazines[0]);
    run(shared, use_and_put<1>, take_use_and_put, set_aside_and_put_back);
    require(rest_of(shared) == 2, "a magazine was lost, or is there twice");
}

void a_waiter_looks_or_is_woken() {
    pool shared;
    run(shared, give_and_wake, enter_and_look);
    require(shared.was_woken || !shared.found_nothing, "a thread waits for what is there");
}

void a_waiter_takes_or_is_woken() {
    pool shared;
    run(shared, give_and_wake, enter_and_take);
    require(shared.was_woken || !shared.found_nothing, "a thread waits for what is there");
}

// The waiter may see what another takes before it does.
void a_waiter_comes_too_late_or_is_woken() {
    pool shared;
    shared.stack.push(*shared.magazines[1]);
    run(shared, give_and_wake, enter_and_take, take_and_use);
    require(shared.was_woken || !shared.found_nothing, "a thread waits for what is there");
}
}

}  // namespace freehold::model
