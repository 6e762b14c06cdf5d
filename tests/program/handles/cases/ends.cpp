// SPDX-License-Identifier: BSL-1.0
// Copies 1000 times, and then ends as its argument says.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include <unistd.h>

__attribute__((noinline)) int by_value(std::shared_ptr<int> owner) {
    return *owner;
}

// When the tool wrote the counts of this process. They are in the folder above Valgrind's files.
std::filesystem::file_time_type last_write() {
    const char* const files = std::getenv("VALGRIND_LIB");
    if (files == nullptr) return {};
    std::error_code not_yet;
    return std::filesystem::last_write_time(
        std::filesystem::path(files).parent_path() / ("counts." + std::to_string(getpid()) + ".0"),
        not_yet);
}

int main(int argc, char** argv) {
    const auto owner = std::make_shared<int>(1);
    int sum = 0;
    for (int i = 0; i < 1000; ++i) sum += by_value(owner);  // counts: copies=1000 releases=1000
    const std::string end = argc > 1 ? argv[1] : "";
    if (end == "crash") std::raise(SIGSEGV);
    if (end == "fail") return 3;
    if (end == "print") std::puts("image");
    if (end == "read") std::printf("%d\n", std::getchar());
    const auto sleep = [] { usleep(10000); };
    if (end == "kill") {
        const auto before = last_write();
        for (int i = 0; i < 3000 && last_write() == before; ++i) sleep();
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
