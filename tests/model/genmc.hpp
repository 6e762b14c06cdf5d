// SPDX-License-Identifier: BSL-1.0
// What the model is made of, for GenMC: it interprets LLVM's code of the counts with the atomics of
// the standard library in it, in all executions that the memory model RC11 knows, and looks for
// races, uses of freed memory and deadlocks.
#pragma once

#include <atomic>
#include <cstddef>

// What GenMC has built in.
extern "C" {
struct __VERIFIER_mutex_t {
    int state;
};
int __VERIFIER_mutex_lock(__VERIFIER_mutex_t*) noexcept;
int __VERIFIER_mutex_unlock(__VERIFIER_mutex_t*) noexcept;
int __VERIFIER_thread_create(const void*, void* (*run)(void*), void* argument) noexcept;
void* __VERIFIER_thread_join(long thread) noexcept;
long __VERIFIER_thread_self() noexcept;
void __VERIFIER_assume(bool) noexcept;
void __VERIFIER_assert_fail(const char* what, const char* file, int line) noexcept;
void* __VERIFIER_malloc_aligned(std::size_t alignment, std::size_t size) noexcept;
}

namespace freehold::model {

// Ends the scenario, which has failed, unless it holds.
[[gnu::always_inline]] inline void require(bool condition, const char* what) {
    if (!condition) __VERIFIER_assert_fail(what, "", 0);
}

// How often a thread looks for what another puts: some executions have the second look.
inline constexpr int looks = 1;

// Thread 0 is the one that starts the others.
inline std::size_t thread_index() {
    return static_cast<std::size_t>(__VERIFIER_thread_self()) - 1;
}

// The mutants that GenMC is given are other headers.
constexpr bool is_left_out(const char*, unsigned) {
    return false;
}

template <class T>
class checked_atomic : public std::atomic<T> {
public:
    using std::atomic<T>::atomic;

    // GenMC gives an exchange that fails the order of one that succeeds. So here one that fails is
    // a load; one that succeeds begins with a load as well, and nothing is gained by failing after
    // it.
    bool compare_exchange_strong(T& expected, T desired, std::memory_order order,
                                 std::memory_order failed) noexcept {
        T before = this->load(failed);
        if (before == expected) {
            __VERIFIER_assume(std::atomic<T>::compare_exchange_strong(before, desired, order,
                                                                      std::memory_order_relaxed));
            return true;
        }
        expected = before;
        return false;
    }
    bool compare_exchange_weak(T& expected, T desired, std::memory_order order,
                               std::memory_order failed) noexcept {
        return compare_exchange_strong(expected, desired, order, failed);
    }

    // GenMC (0.11) adds a negative number of 32 bits as a positive one of 64, and keeps the carry.
    T fetch_add(T added, std::memory_order order) noexcept {
        if (added < 0) return this->fetch_sub(-added, order);
        return std::atomic<T>::fetch_add(added, order);
    }

    // For sequences, which are no part of the code under test.
    T read() const noexcept { return this->load(std::memory_order_relaxed); }
    void commit(T value) noexcept { this->store(value, std::memory_order_release); }
};

// A variable whose accesses have to be ordered by something else. Volatile, so that the compiler
// leaves them.
class plain {
public:
    plain() { write(0); }
    void write(int value) { value_ = value; }
    [[nodiscard]] int read() { return value_; }

private:
    volatile int value_;
};

class mutex {
public:
    void lock(const char*, unsigned) { __VERIFIER_mutex_lock(&mutex_); }
    void unlock() { __VERIFIER_mutex_unlock(&mutex_); }

private:
    __VERIFIER_mutex_t mutex_ = {0};
};

// A place for one handle to the first object, or for a message.
class mailbox {
public:
    void put() { full_.store(1, std::memory_order_release); }
    [[nodiscard]] bool take() { return full_.exchange(0, std::memory_order_acq_rel) == 1; }

private:
    std::atomic<int> full_ = 0;
};

}  // namespace freehold::model
