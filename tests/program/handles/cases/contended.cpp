// SPDX-License-Identifier: BSL-1.0
// Four threads copy one object nearly all the time, and another one rarely. With an argument, they
// add to a number of the user's in place of a handle.
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

struct contended {
    int value = 1;
};
struct rare {
    int value = 1;
};

std::atomic<int> number{0};

template <class T>
__attribute__((noinline)) int by_value(std::shared_ptr<T> owner) {
    return owner->value;
}

int main(int argc, char**) {
    const auto first = std::make_shared<contended>();
    const auto second = std::make_shared<rare>();
    std::atomic<long> sum{0};
    const auto work = [&] {
        long values = 0;
        for (int i = 0; i < 4000000; ++i) {
            if (argc > 1) {
                number.fetch_add(1);
                continue;
            }
            values += by_value(first);
            if (i % 1000 == 0) values += by_value(second);
        }
        sum += values;
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back(work);
    for (std::thread& each : threads) each.join();
    return sum + number == 0 ? 1 : 0;
}
