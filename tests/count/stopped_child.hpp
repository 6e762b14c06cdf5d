// SPDX-License-Identifier: BSL-1.0
// Stops a thread at each instruction of an operation, while another thread does something. The
// system then lets the thread go on as after any interruption: a restartable sequence starts over.
//
// A scene is a class with
//   prepare()    before the operation
//   operate()    the operation, which takes the same way each time
//   meanwhile()  what the other thread does while the operation is stopped
//   is_right()   afterwards
// The first, third and fourth run undisturbed. Each stop has a scene of its own, in a child process
// that this process traces.
#pragma once

#include <freehold/count/detail/restartable.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold::tests {

/// What became of the operation that was stopped before the instruction with each number.
struct stops {
    std::size_t instructions = 0;
    std::vector<std::size_t> wrong;
};

class one_way {
public:
    one_way() {
        if (::pipe(ends_) != 0) throw std::runtime_error("no pipe");
    }
    one_way(const one_way&) = delete;
    one_way& operator=(const one_way&) = delete;
    ~one_way() {
        close_reading();
        close_writing();
    }
    void close_reading() noexcept { close_end(ends_[0]); }
    void close_writing() noexcept { close_end(ends_[1]); }
    bool send(char what) const noexcept { return ::write(ends_[1], &what, 1) == 1; }
    [[nodiscard]] std::optional<char> receive() const noexcept {
        char what = 0;
        return ::read(ends_[0], &what, 1) == 1 ? std::optional(what) : std::nullopt;
    }

private:
    static void close_end(int& end) noexcept {
        if (end >= 0) ::close(end);
        end = -1;
    }

    int ends_[2] = {-1, -1};
};

/// A child process of which the first thread is traced. Empty if the system refuses that.
class traced_child {
public:
    template <class Work>
    explicit traced_child(Work work) : process_(::fork()) {
        if (process_ == 0) {
            ::alarm(60);
            if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0) work();
            ::_exit(refused);
        }
        if (process_ < 0) throw std::runtime_error("no child process");
    }
    traced_child(const traced_child&) = delete;
    traced_child& operator=(const traced_child&) = delete;
    ~traced_child() {
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
    }

    enum class state { trapped, refused, other };
    /// Waits until it stops or ends.
    [[nodiscard]] state wait() const {
        int status = 0;
        if (::waitpid(process_, &status, 0) != process_) return state::other;
        if (WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP) return state::trapped;
        return WIFEXITED(status) && WEXITSTATUS(status) == refused ? state::refused : state::other;
    }
    void wait_for_a_trap() const {
        if (wait() != state::trapped) throw std::runtime_error("a traced process went wrong");
    }
    void go_on() const { call(PTRACE_CONT, 0); }
    void step() const { call(PTRACE_SINGLESTEP, 0); }

    [[nodiscard]] user_regs_struct registers() const {
        user_regs_struct all{};
        ::ptrace(PTRACE_GETREGS, process_, nullptr, &all);
        return all;
    }
    void go_to(std::uintptr_t instruction) const {
        user_regs_struct all = registers();
        all.rip = instruction;
        ::ptrace(PTRACE_SETREGS, process_, nullptr, &all);
    }
    [[nodiscard]] long word_at(std::uintptr_t address) const {
        return ::ptrace(PTRACE_PEEKDATA, process_, address, nullptr);
    }
    void set_word(std::uintptr_t address, long value) const {
        if (::ptrace(PTRACE_POKEDATA, process_, address, value) != 0)
            throw std::runtime_error("a traced process could not be changed");
    }

private:
    void call(__ptrace_request what, long signal) const {
        if (::ptrace(what, process_, nullptr, signal) != 0)
            throw std::runtime_error("a traced process has ended");
    }

    static constexpr int refused = 77;

    pid_t process_;
};

inline constexpr long trap_instruction = 0xcc;
inline bool is_trap(long word) noexcept {
    return (word & 0xff) == trap_instruction;
}
[[gnu::always_inline]] inline void trap() noexcept {
    asm volatile("int3" : : : "memory");
}

template <class Scene>
[[noreturn]] void act(const one_way& asked, const one_way& answered, const one_way& results) {
    std::optional<Scene> scene;
    std::thread([&] {
        while (asked.receive()) {
            scene->meanwhile();
            answered.send('.');
        }
    }).detach();
    for (;;) {
        scene.emplace();
        scene->prepare();
        trap();
        scene->operate();
        trap();
        results.send(scene->is_right() ? 'y' : 'n');
    }
}

/// Steps through the operation, and returns the addresses of its instructions. A stop would restart
/// a sequence each time; so the thread forgets that it is in one.
inline std::vector<std::uintptr_t> instructions_up_to_a_trap(const traced_child& child) {
    std::vector<std::uintptr_t> all;
    for (;;) {
        const user_regs_struct now = child.registers();
        if (is_trap(child.word_at(now.rip))) return all;
        all.push_back(now.rip);
        if (all.size() > 100'000) throw std::runtime_error("the operation does not end");
        constexpr std::uintptr_t descriptor = 8;
        child.set_word(now.fs_base + static_cast<std::uintptr_t>(detail::rseq_offset) + descriptor,
                       0);
        child.step();
        child.wait_for_a_trap();
    }
}

/// Empty if the system lets no process trace another one.
template <class Scene>
std::optional<stops> stop_at_each_instruction() {
    one_way asked, answered, results;
    const traced_child child([&] {
        asked.close_writing();
        act<Scene>(asked, answered, results);
    });
    answered.close_writing();
    results.close_writing();
    const auto go_on = [&] {
        child.go_on();
        child.wait_for_a_trap();
    };
    const traced_child::state first = child.wait();
    if (first == traced_child::state::refused) return std::nullopt;
    if (first != traced_child::state::trapped)
        throw std::runtime_error("the scene could not be prepared");
    const std::vector<std::uintptr_t> instructions = instructions_up_to_a_trap(child);
    stops seen{instructions.size(), {}};
    go_on();  // over the trap behind the operation
    go_on();  // to the trap before the next one
    static_cast<void>(results.receive());
    for (std::size_t i = 0; i != instructions.size(); ++i) {
        const std::uintptr_t place = instructions[i];
        const long before = child.word_at(place);
        child.set_word(place, (before & ~0xffL) | trap_instruction);
        go_on();
        if (child.registers().rip != place + 1)
            throw std::runtime_error("the operation took another way");
        child.set_word(place, before);
        child.go_to(place);
        if (!asked.send('.') || !answered.receive())
            throw std::runtime_error("the other thread has ended");
        go_on();  // to the trap behind the operation
        go_on();  // to the trap before the next one
        if (results.receive() != 'y') seen.wrong.push_back(i);
    }
    return seen;
}

}  // namespace freehold::tests
