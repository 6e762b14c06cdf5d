// SPDX-License-Identifier: BSL-1.0
// Copies 1000 times, and then ends as its argument says.
#include <csignal>
#include <cstdio>
#include <memory>
#include <string>

#include <unistd.h>

__attribute__((noinline)) int by_value(std::shared_ptr<int> owner) {
    return *owner;
}

int main(int argc, char** argv) {
    const auto owner = std::make_shared<int>(1);
    int sum = 0;
    for (int i = 0; i < 1000; ++i) sum += by_value(owner);  // counts: copies=1000 releases=1000
    const std::string end = argc > 1 ? argv[1] : "";
    if (end == "crash") std::raise(SIGSEGV);
    if (end == "fail") return 3;
    if (end == "read") std::printf("%d\n", std::getchar());
    const auto sleep = [] { usleep(10000); };
    if (end == "kill") {
        for (int i = 0; i < 150; ++i) sleep();
        // Under Valgrind, a process that kills itself ends like any other.
        if (fork() == 0) {
            kill(getppid(), SIGKILL);
            _exit(0);
        }
        for (;;) sleep();
    }
    if (end == "daemon") {
        const pid_t parent = getpid();
        if (fork() != 0) return 0;
        setsid();
        while (getppid() == parent) sleep();
        for (int i = 0; i < 50; ++i) sleep();
        for (int i = 0; i < 500; ++i) sum += by_value(owner);
        std::printf("%d\n", sum);
        return 0;
    }
    if (end == "wait") {
        std::puts("waits");
        std::fflush(stdout);
        for (;;) sleep();
    }
    return sum == 1000 ? 0 : 1;
}
