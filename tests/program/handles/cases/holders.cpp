// SPDX-License-Identifier: BSL-1.0
// Handles in classes whose copies and destructors the compiler writes. The comments say what the
// program counts on their lines.
#include <memory>
#include <utility>
#include <vector>

struct circle {
    int radius = 1;
};

class defaulted {
public:
    explicit defaulted(std::shared_ptr<circle> owner) : owner_(std::move(owner)) {}
    defaulted(const defaulted&) = default;             // counts: copies=0
    defaulted& operator=(const defaulted&) = default;  // counts: copies=0 releases=0
    ~defaulted() = default;                            // counts: releases=0
    int radius() const { return owner_->radius; }

private:
    std::shared_ptr<circle> owner_;
};

// Its declared copy leaves it without moves.
class unmoved {
public:
    explicit unmoved(std::shared_ptr<circle> owner) : owner_(std::move(owner)) {}
    unmoved(const unmoved&) = default;
    unmoved& operator=(const unmoved&) = default;

private:
    std::shared_ptr<circle> owner_;
};

struct implicit {  // counts: copies=0 releases=0
    std::shared_ptr<circle> owner;
    int number = 0;
};

// Its last release releases the next, and so on: more callers than are looked at.
struct linked {
    std::shared_ptr<linked> next;
    int number = 0;
};

__attribute__((noinline)) int of_chain(int length) {
    std::shared_ptr<linked> first;
    for (int i = 0; i < length; ++i) {
        auto made = std::make_shared<linked>();
        made->next = std::move(first);
        first = std::move(made);
    }
    return first->next->number;
}

__attribute__((noinline)) int by_value(defaulted holder) {
    return holder.radius();
}

__attribute__((noinline)) int by_value(implicit holder) {
    return holder.owner->radius;
}

int main() {
    const defaulted first(std::make_shared<circle>());
    const implicit second{std::make_shared<circle>()};
    int sum = 0;
    for (int i = 0; i < 1000; ++i) sum += by_value(first);   // counts: copies=1000 releases=1000
    for (int i = 0; i < 1000; ++i) sum += by_value(second);  // counts: copies=1000 releases=1000
    const std::vector<defaulted> all(50, first);             // counts: copies=50
    defaulted other = all.front();                           // counts: copies=1
    other = first;                                           // counts: copies=0
    unmoved kept(nullptr);
    for (int i = 0; i < 1000; ++i) kept = unmoved(std::make_shared<circle>());  // advice: move
    const auto call = [&second] {
        return by_value(second);  // counts: copies=1 releases=1
    };
    sum += call() - 1;
    sum += of_chain(1000);
    return sum + other.radius() == 2001 ? 0 : 1;
}
