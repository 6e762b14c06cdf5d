// SPDX-License-Identifier: BSL-1.0
#include <freehold/handle/shared_ptr.hpp>
#include <freehold/version.hpp>

#include <cstdio>

int main() {
    const auto owner = freehold::make_shared<int>(FREEHOLD_VERSION);
    const auto second = owner;
    std::printf("freehold %d, %ld owners\n", *second, owner.use_count());
    return owner.use_count() == 2 ? 0 : 1;
}
