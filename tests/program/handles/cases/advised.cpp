// SPDX-License-Identifier: BSL-1.0
// The comments say which advice belongs to their line.
#include <memory>
#include <thread>
#include <vector>

struct shared {
    int value = 1;
};
struct alone {
    int value = 1;
};
struct crossing {
    int value = 1;
};
struct setup {
    int value = 1;
};

// A sole owner that counts nothing.
struct counting_nothing {
    int value = 1;
};

const std::shared_ptr<setup> configured(new setup);  // counts: objects=1 advice: one_owner

__attribute__((noinline)) int by_value(std::shared_ptr<shared> owner) {
    return owner->value;
}

__attribute__((noinline)) int lock(const std::weak_ptr<shared>& weak) {
    int sum = 0;
    for (int i = 0; i < 1000; ++i) sum += weak.lock()->value;  // advice: repeated_lock
    return sum;
}

int main() {
    std::thread([] {}).join();
    const std::shared_ptr<shared> owner(new shared);  // advice: one_thread allocate_together
    int sum = 0;
    for (int i = 0; i < 10000; ++i) sum += by_value(owner);  // advice: removable_pair
    sum += lock(owner);
    for (int i = 0; i < 1000; ++i) {
        const std::shared_ptr<alone> only(new alone);  // counts: made_apart=1000 advice: one_owner
        sum += only->value;
    }
    // Needed copies: each is stored, and outlives the handle that it was made of.
    std::vector<std::shared_ptr<crossing>> all;
    const auto first = std::make_shared<crossing>();
    for (int i = 0; i < 1000; ++i) all.push_back(first);  // advice:
    std::thread([moved = std::move(all)]() mutable { moved.clear(); }).join();
    const auto unused = std::make_shared<counting_nothing>();  // counts: objects=1
    sum += configured->value + unused->value - 1;
    return sum == 12001 ? 0 : 1;
}
