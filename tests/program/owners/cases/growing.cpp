// SPDX-License-Identifier: BSL-1.0
// Adds objects to a cache all the time, until a line is read.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <deque>
#include <memory>
#include <thread>
#include <vector>

struct cached {
    long values[4] = {};
};
struct kept {
    long value = 0;
};

static std::vector<std::shared_ptr<kept>> all_kept;
static std::deque<std::shared_ptr<cached>> cache;

int main() {
    for (int i = 0; i != 10; ++i) all_kept.push_back(std::make_shared<kept>());
    for (int i = 0; i != 10; ++i) cache.push_back(std::make_shared<cached>());
    std::puts("built");
    std::fflush(stdout);
    std::atomic<bool> ends{false};
    std::thread adds([&ends] {
        while (!ends) {
            cache.push_back(std::make_shared<cached>());
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    });
    std::getchar();
    ends = true;
    adds.join();
}
