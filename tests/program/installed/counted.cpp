// SPDX-License-Identifier: BSL-1.0
#include <memory>
#include <thread>

__attribute__((noinline)) std::shared_ptr<int> copied(const std::shared_ptr<int>& owner) {
    return owner;
}

int main() {
    std::thread([] {}).join();
    const auto owner = std::make_shared<int>(1);
    return *copied(owner) - 1;
}
