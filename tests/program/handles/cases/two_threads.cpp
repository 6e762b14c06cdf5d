// SPDX-License-Identifier: BSL-1.0
// Two threads copy one object; a child of fork copies it as well.
#include <memory>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

struct shape {
    int corners = 4;
};

__attribute__((noinline)) int by_value(std::shared_ptr<shape> owner) {
    return owner->corners;
}

void work(const std::shared_ptr<shape>& owner, int times) {
    for (int i = 0; i < times; ++i) by_value(owner);  // counts: copies=2500 releases=2500
}

int main() {
    const auto owner = std::make_shared<shape>();  // counts: objects=1
    std::thread other([&owner] { work(owner, 1000); });
    work(owner, 1000);
    other.join();
    const pid_t child = fork();
    if (child == 0) {
        work(owner, 500);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return 7;
}
