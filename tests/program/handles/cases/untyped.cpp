// SPDX-License-Identifier: BSL-1.0
// Code that copies counts and does not say of what, as is left where a compiler merges the ends of
// several destructors. Two types use the same lines.
#include <memory>

struct circle {
    int radius = 1;
};
struct square {
    int side = 1;
};

__attribute__((noinline)) void copy(const std::__shared_count<>& count, int times) {
    for (int i = 0; i < times; ++i) const std::__shared_count<> owner(count);
}

int main() {
    const std::__shared_count<> first(new circle);
    const std::__shared_count<> second(new square);
    copy(first, 100);
    copy(second, 20);
}
