// SPDX-License-Identifier: BSL-1.0
// Functions that differ in their types alone. A linker that folds identical code gives both names
// to one of them, as the alias does here.
#include <memory>
#include <vector>

struct circle {
    int value = 1;
};
struct square {
    int value = 1;
};

__attribute__((noinline)) int use_circle(std::shared_ptr<circle> owner) {
    const std::shared_ptr<circle> copy = owner;
    return copy->value;
}

int use_square(std::shared_ptr<square> owner)
    __attribute__((alias("_Z10use_circleSt10shared_ptrI6circleE")));

int main() {
    const auto round = std::make_shared<circle>();
    const auto angular = std::make_shared<square>();
    int sum = 0;
    for (int i = 0; i < 100; ++i) sum += use_circle(round);   // advice: removable_pair
    for (int i = 0; i < 20; ++i) sum += use_square(angular);  // advice: removable_pair
    return sum == 120 ? 0 : 1;
}
