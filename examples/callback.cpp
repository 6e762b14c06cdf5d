// SPDX-License-Identifier: BSL-1.0
// intrusive_ptr: an object that passes through an interface with a `void*`, and to another thread.
// The count is in the object, so a plain pointer is enough to become an owner again: no table of
// live objects, and no block for the handle.
#include <freehold/handle/intrusive_ptr.hpp>

#include "require.hpp"

#include <atomic>
#include <thread>

namespace {

std::atomic<int> requests_alive{0};

// intrusive_base counts atomically by default; `intrusive_base<request, local_count>` does not.
struct request : freehold::intrusive_base<request> {
    explicit request(int asked) : number(asked) { ++requests_alive; }
    ~request() { --requests_alive; }

    const int number;
    int answer = 0;
};

// The interface of a C library: it calls back later, on its own thread, with the word that it was
// given.
std::thread call_later(void (*callback)(void*), void* user_data) {
    return std::thread([=] { callback(user_data); });
}

void answer_request(void* user_data) {
    // false: detach() has counted this owner already.
    const freehold::intrusive_ptr<request> owner(static_cast<request*>(user_data), false);
    owner->answer = owner->number * 2;
}

}  // namespace

int main() {
    std::puts("A request owned by two threads, sent through a void*:");
    freehold::intrusive_ptr<request> mine(new request(21));
    require(sizeof mine == sizeof(void*), "the handle is one word");

    freehold::intrusive_ptr<request> sent = mine;
    std::thread worker = call_later(&answer_request, sent.detach());
    worker.join();
    require(mine->answer == 42, "the other thread answered it");
    require(mine.unique(), "and has released it");

    std::puts("A request that the sender forgets:");
    call_later(&answer_request, freehold::intrusive_ptr<request>(new request(1)).detach()).join();
    require(requests_alive == 1, "it was deleted by the thread that answered it");
    mine.reset();
    require(requests_alive == 0, "and the first one by its last owner here");
}
