// SPDX-License-Identifier: BSL-1.0
// 200 threads, each with two rings that leak and with an object on its stack. They add and free
// further objects all the time, until a line is read.
#include <atomic>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

struct ring {
    std::shared_ptr<ring> self;
    int values[10] = {};
};
struct local {
    std::vector<int> values = std::vector<int>(20);
};

static std::atomic<bool> ends{false};
static std::atomic<int> ready{0};

static void __attribute__((noinline)) make_rings() {
    for (int i = 0; i != 2; ++i) {
        auto made = std::make_shared<ring>();
        made->self = made;
    }
}

static void work() {
    make_rings();
    auto kept = std::make_shared<local>();
    ++ready;
    unsigned round = 0;
    while (!ends) {
        std::vector<std::unique_ptr<int[]>> blocks;
        for (unsigned i = 0; i != 50; ++i)
            blocks.push_back(std::make_unique<int[]>(1 + (++round * 37) % 400));
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    std::printf("%d", kept->values[3]);
}

int main() {
    std::vector<std::thread> threads;
    for (int i = 0; i != 200; ++i) threads.emplace_back(work);
    while (ready != 200) std::this_thread::yield();
    std::puts("built");
    std::fflush(stdout);
    std::getchar();
    ends = true;
    for (std::thread& each : threads) each.join();
}
