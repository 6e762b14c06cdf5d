// SPDX-License-Identifier: BSL-1.0
// Destructors that the compiler writes, that end with a jump, and that other destructors call.
#include <memory>
#include <utility>

struct leaf {
    int value = 1;
};
struct branch {
    int value = 1;
};

// The last of its members is released by a jump.
struct part {
    part(std::shared_ptr<leaf> first, std::shared_ptr<branch> second)
        : first(std::move(first)), second(std::move(second)) {}
    part(part&&) = default;
    __attribute__((noinline)) ~part() = default;
    std::shared_ptr<leaf> first;
    std::shared_ptr<branch> second;
};

struct whole {
    explicit whole(part&& of) : of(std::move(of)) {}
    int value() const { return of.first->value + of.second->value; }
    part of;
};

__attribute__((noinline)) int value_of(const std::shared_ptr<leaf>& first,
                                       const std::shared_ptr<branch>& second) {
    const auto made = std::make_shared<whole>(part(first, second));
    const std::shared_ptr<whole> other = made;
    return other->value();
}

int main() {
    const auto first = std::make_shared<leaf>();
    const auto second = std::make_shared<branch>();
    int sum = 0;
    for (int i = 0; i < 100; ++i) sum += value_of(first, second);
    return sum == 200 ? 0 : 1;
}
