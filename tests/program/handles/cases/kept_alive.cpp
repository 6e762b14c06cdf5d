// SPDX-License-Identifier: BSL-1.0
// A copy that keeps an object alive while a function releases the object's other owner, and a copy
// that could be left out.
#include <memory>

struct session {
    void close();
    int value = 1;
};

std::shared_ptr<session> registered;

__attribute__((noinline)) void session::close() {
    registered.reset();
}

__attribute__((noinline)) int end(const std::shared_ptr<session>& owner) {
    const std::shared_ptr<session> kept = owner;
    kept->close();
    return kept->value;
}

struct message {
    int value = 1;
};

std::shared_ptr<message> latest;

__attribute__((noinline)) void store(const std::shared_ptr<message>& owner) {
    latest = owner;
}

__attribute__((noinline)) int note(const std::shared_ptr<message>& owner, bool stores) {
    const std::shared_ptr<message> needless = owner;
    if (stores) store(needless);
    return needless->value;
}

int main() {
    const auto owner = std::make_shared<session>();
    const auto first = std::make_shared<message>();
    int sum = 0;
    for (int i = 0; i < 100; ++i) {
        if (i % 4 == 0) registered = owner;
        sum += end(owner);
    }
    for (int i = 0; i < 100; ++i) {
        if (i % 10 == 0) latest.reset();
        sum += note(first, i % 10 == 1);
    }
    return sum == 200 ? 0 : 1;
}
