// SPDX-License-Identifier: BSL-1.0
// The comments say what the program counts on their lines.
#include <atomic>
#include <cstdio>
#include <memory>
#include <vector>

struct circle {
    int radius = 1;
    virtual ~circle() = default;
};

std::atomic<int> calls{0};

__attribute__((noinline)) int by_value(std::shared_ptr<circle> owner) {
    calls.fetch_add(1);  // counts: copies=0
    return owner->radius;
}

__attribute__((noinline)) int locked(const std::weak_ptr<circle>& weak) {
    const auto owner = weak.lock();  // counts: locks=100
    return owner ? owner->radius : 0;
}  // counts: releases=100 in_variables=100

int main() {
    auto first = std::make_shared<circle>();  // counts: objects=1
    int sum = 0;
    for (int i = 0; i < 1000; ++i)
        sum += by_value(first);                // counts: copies=1000 releases=1000 in_variables=0
    const std::weak_ptr<circle> weak = first;  // counts: weak_copies=1
    for (int i = 0; i < 100; ++i) sum += locked(weak);
    for (int i = 0; i < 10; ++i) {
        const std::shared_ptr<int> number(new int(3));  // counts: objects=10
        sum += *number;
    }
    const std::vector<std::shared_ptr<circle>> all(50, first);  // counts: copies=50
    std::printf("%d\n", sum + static_cast<int>(all.size()));
}
