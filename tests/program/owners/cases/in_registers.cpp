// SPDX-License-Identifier: BSL-1.0
// Handles that compilers keep in registers, or in parts, while functions are called that save
// these registers.
#include <freehold/handle/arc.hpp>

#include <cstdio>
#include <memory>

struct alone {
    virtual ~alone() = default;
    int number = 1;
};
struct divided {
    int number = 2;
};
struct further_out {
    virtual ~further_out() = default;
    int number = 3;
};

// It needs all registers that a function must save.
[[gnu::noinline]] static int waits(int rounds) {
    int sums[6] = {rounds, 2, 3, 4, 5, 6};
    for (int i = 0; i != rounds; ++i) {
        if (i == 0) {
            std::puts("built");
            std::fflush(stdout);
            std::getchar();
        }
        for (int k = 0; k != 6; ++k) sums[k] += sums[(k + i) % 6] * (k + 1);
    }
    return sums[0] + sums[1] * sums[2] - sums[3] + sums[4] * sums[5];
}

[[gnu::noinline]] static int inner(freehold::arc<alone> given, int rounds) {
    const int result = waits(rounds);
    return result + given->number;
}

[[gnu::noinline]] static int middle(int rounds) {
    auto in_parts = std::make_shared<divided>();
    auto in_one = freehold::make_arc<alone>();
    const int result = inner(freehold::make_arc<alone>(), rounds);
    return result + in_parts->number + in_one->number;
}

[[gnu::noinline]] static int outer(int rounds) {
    auto kept_outside = freehold::make_arc<further_out>();
    const int result = middle(rounds);
    return result + kept_outside->number;
}

int main(int argc, char**) {
    return outer(argc) == 77 ? 1 : 0;
}
