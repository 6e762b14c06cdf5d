// SPDX-License-Identifier: BSL-1.0
// Handles that lambdas in a template capture by value. g++ gives these copies the line at which
// the template's function ends.
#include <memory>

struct captured {
    int value = 1;
};

template <class Function>
__attribute__((noinline)) int call(Function function) {
    return function();
}

template <class T>
struct runner {
    std::shared_ptr<T> owner = std::make_shared<T>();

    __attribute__((noinline)) int run(int added) {
        int sum = call([added] { return added; });
        sum += call([kept = added, this] { return kept + owner->value; });
        const std::shared_ptr<T>& own = owner;
        sum += call([own] { return own->value; });  // the copy
        return sum;
    }
};

int main() {
    runner<captured> all;
    int sum = 0;
    for (int i = 0; i < 100; ++i) sum += all.run(1);
    return sum == 400 ? 0 : 1;
}
