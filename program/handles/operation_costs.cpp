// SPDX-License-Identifier: BSL-1.0
#include "handles/operation_costs.hpp"

#include "support/nanoseconds_of.hpp"

#include <algorithm>
#include <array>
#include <future>
#include <memory>
#include <thread>

namespace freehold {
namespace {

using support::nanoseconds_of;
using handle = std::shared_ptr<int>;

/// Forces the compiler to keep the object in memory.
void keep(const int* object) {
    asm volatile("" : : "r"(object) : "memory");
}

/// Work that does not depend on a count, and on which no count depends.
void work_independently() {
    static std::array<volatile int, 16> words;
    for (volatile int& each : words) each = 1;
}

[[gnu::noinline]] void use(const handle& owner) {
    keep(owner.get());
}

[[gnu::noinline]] void release(handle& owner) {
    owner.~shared_ptr();
}

union unowned {
    unowned() {}
    ~unowned() {}
    handle owner;
};

/// Returns the time of `take()`, which makes an owner, and of its release.
template <class Take>
time_interval cost_of(Take take) {
    const double alone = nanoseconds_of([&take] {
        const handle copy = take();
        keep(copy.get());
    });
    // The difference is a few nanoseconds, so both sides are measured one right after the other.
    std::array<double, 3> among_work{};
    for (double& each : among_work) {
        const double both = nanoseconds_of([&take] {
            const handle copy = take();
            work_independently();
            keep(copy.get());
        });
        each = std::max(0.0, both - nanoseconds_of(work_independently));
    }
    std::sort(among_work.begin(), among_work.end());
    const auto take_by_call = [&take](unowned & to) __attribute__((noinline)) {
        new (&to.owner) handle(take());
    };
    const double called = nanoseconds_of([&take_by_call] {
        unowned copy;
        take_by_call(copy);
        use(copy.owner);
        release(copy.owner);
    });
    static const handle none;
    const double call = nanoseconds_of([] { use(none); });
    return {alone, among_work[1], called - call};
}

double cost_of_counts_apart() {
    const double apart =
        nanoseconds_of([] { keep(handle(new int(0)).get()); });  // NOLINT(modernize-make-shared)
    const double together = nanoseconds_of([] { keep(std::make_shared<int>(0).get()); });
    return std::max(0.0, apart - together);
}

}  // namespace

operation_costs measure_operations() {
    operation_costs result;
    const auto owner = std::make_shared<int>(0);
    const std::weak_ptr<int> weak = owner;
    const auto copy = [&owner]() -> const handle& { return owner; };
    result.allocation = cost_of_counts_apart();
    result.plain = 0.5 * cost_of(copy);
    std::promise<void> end;
    std::thread second([waits = end.get_future()]() mutable { waits.get(); });
    result.locked = 0.5 * cost_of(copy);
    const time_interval lock = cost_of([&weak] { return weak.lock(); });
    result.weak_lock = {lock.usual - result.locked.usual, lock.least - result.locked.least,
                        lock.most - result.locked.most};
    end.set_value();
    second.join();
    return result;
}

double nanoseconds_of(const counted_line& line, const operation_costs& costs) {
    const auto plain = static_cast<double>(line.would_be_plain);
    const double locked = static_cast<double>(line.operations()) - plain;
    // A weak handle's lock is a compare-and-exchange, which is never plain.
    const double weak_locks = std::min(static_cast<double>(line.locks), locked);
    return plain * costs.plain.usual + (locked - weak_locks) * costs.locked.usual +
           weak_locks * costs.weak_lock.usual + static_cast<double>(line.samples) * costs.sample;
}

}  // namespace freehold
