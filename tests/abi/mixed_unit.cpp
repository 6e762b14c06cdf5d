// SPDX-License-Identifier: BSL-1.0
// Compiled twice: as the unit `main`, and as the unit `other`. Both make objects of the same size,
// and `PASS_HANDLE` has one give its handle to the other.
#include <freehold/handle/shared_ptr.hpp>

struct big {
    long words[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
};

#ifdef OTHER_UNIT

long sum_elsewhere() {
    long sum = 0;
    for (int i = 0; i < 5000; ++i) sum += freehold::make_shared<big>()->words[i % 9];
    return sum;
}
freehold::shared_ptr<big> make_elsewhere() {
    return freehold::make_shared<big>();
}

#else

long sum_elsewhere();
freehold::shared_ptr<big> make_elsewhere();

int main() {
    long sum = 0;
    for (int i = 0; i < 5000; ++i) sum += freehold::make_shared<big>()->words[i % 9];
#ifdef PASS_HANDLE
    sum += make_elsewhere()->words[0] - 1;
#endif
    return sum == sum_elsewhere() ? 0 : 1;
}

#endif
