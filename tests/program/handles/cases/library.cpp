// SPDX-License-Identifier: BSL-1.0
// Handles that classes of the standard library hold, and objects with deleters.
#include <cstdio>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct element {
    int value = 1;
};

struct captured {
    int value = 1;
};

struct ended {
    int value = 1;
};

struct ended_by_delete {
    int value = 1;
};

__attribute__((noinline)) int by_value(std::vector<std::shared_ptr<element>> all) {
    return all.front()->value;
}

__attribute__((noinline)) int by_value(std::function<int()> call) {
    return call();
}

// The user has no handle of what a promise and its future share.
int by_promise() {
    std::promise<int> promised;
    std::future<int> result = promised.get_future();
    promised.set_value(1);
    return result.get();
}

int with_deleter() {
    const std::shared_ptr<ended> owner(new ended, [](ended* each) { delete each; });
    return owner->value;
}

int from_unique() {
    const std::shared_ptr<ended_by_delete> owner = std::make_unique<ended_by_delete>();
    return owner->value;
}

struct pushed {
    int value = 1;
};

int push() {
    std::vector<std::shared_ptr<pushed>> all;
    for (int i = 0; i < 100; ++i) {
        const auto made = std::make_shared<pushed>();
        all.push_back(made);
    }
    return all.back()->value;
}

struct traced {
    int value = 1;
};

// Its constant is copied where it is moved.
struct trace {
    explicit trace(const std::shared_ptr<traced>& from) : origin(from) {}
    const std::shared_ptr<traced> origin;
    int line = 0;
};

int push_trace(const std::shared_ptr<traced>& origin, std::vector<trace>& all) {
    all.push_back(trace(origin));
    return all.back().origin->value;
}

struct bound {
    int value = 1;
};

int use(std::shared_ptr<bound> owner) {
    return owner->value;
}

int call_bound() {
    const std::function<int()> call = std::bind(use, std::make_shared<bound>());
    int sum = 0;
    for (int i = 0; i < 100; ++i) sum += call();
    return sum - 99;
}

struct constant {
    int value = 1;
};

// A lambda holds a constant in a member that is constant, too, and so cannot be moved.
int keep_lambda(const std::shared_ptr<constant>& owner) {
    const std::function<int()> call = [owner] { return owner->value; };
    return call();
}

struct guarded {
    int value = 1;
};

std::mutex guard;
std::shared_ptr<guarded> current = std::make_shared<guarded>();

// Another thread may change `current` while the copy is used.
int outlive() {
    std::shared_ptr<guarded> copy;
    {
        const std::lock_guard<std::mutex> lock(guard);
        copy = current;
    }
    return copy->value;
}

struct locked {
    int value = 1;
};

std::shared_ptr<locked> changed = std::make_shared<locked>();

// The mutex is held as long as the copy lives.
int within() {
    const std::lock_guard<std::mutex> lock(guard);
    const std::shared_ptr<locked> copy = changed;
    return copy->value;
}

int main() {
    std::thread([] {}).join();
    int sum = 0;
    const std::vector<std::shared_ptr<element>> all(10, std::make_shared<element>());
    const auto origin = std::make_shared<traced>();
    std::vector<trace> traces;
    traces.reserve(100);
    for (int i = 0; i < 100; ++i) sum += push_trace(origin, traces);
    const auto held = std::make_shared<constant>();
    const auto kept = std::make_shared<captured>();
    const std::function<int()> call = [kept] { return kept->value; };
    for (int i = 0; i < 100; ++i) sum += by_value(all);
    for (int i = 0; i < 100; ++i) sum += by_value(call);
    for (int i = 0; i < 100; ++i) sum += by_promise() + with_deleter() + from_unique();
    sum += push() + call_bound();
    for (int i = 0; i < 100; ++i) sum += outlive() + within() + keep_lambda(held);
    return sum == 902 ? 0 : 1;
}
