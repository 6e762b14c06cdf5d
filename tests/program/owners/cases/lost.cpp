// SPDX-License-Identifier: BSL-1.0
// 7 objects whose handle was overwritten, 4 that only such an object owns, and 2 that are healthy.
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

struct owned {
    int number = 0;
};
struct overwritten {
    std::shared_ptr<owned> inner;
};
struct healthy {
    int number = 0;
};

static auto* const kept = new std::vector<std::shared_ptr<healthy>>;

static void __attribute__((noinline)) build() {
    for (int i = 0; i != 7; ++i) {
        alignas(
            std::shared_ptr<overwritten>) unsigned char place[sizeof(std::shared_ptr<overwritten>)];
        auto* const handle =
            ::new (place) std::shared_ptr<overwritten>(std::make_shared<overwritten>());
        if (i < 4) (*handle)->inner = std::make_shared<owned>();
        std::memset(place, 0, sizeof place);
        asm volatile("" : : "r"(place) : "memory");
    }
    for (int i = 0; i != 2; ++i) kept->push_back(std::make_shared<healthy>());
}

int main() {
    build();
    std::puts("built");
}
