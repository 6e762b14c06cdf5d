// SPDX-License-Identifier: BSL-1.0
#include "handles/operation_costs.hpp"

#include "support/nanoseconds_of.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
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

constexpr std::size_t object_count = 16;
constexpr std::size_t differences = 3;
// Of the time among work that keeps the processor busy. A processor that waits for memory meanwhile
// does more of it at the same time.
constexpr double least_share_of_work = 0.5;

/// Additions that do not depend on a count, and on which no count depends. They keep the
/// processor's units busy, so that a count must wait for its turn.
template <int times>
void work_independently() {
    std::size_t a = 0;
    std::size_t b = 0;
    std::size_t c = 0;
    std::size_t d = 0;
    // Unrolled, so that no branch at its end is predicted wrong.
#pragma GCC unroll 16
    for (int i = 0; i != times; ++i) {
        ++a;
        ++b;
        ++c;
        ++d;
        asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
    }
}

[[gnu::noinline]] void use_value(handle owner) {
    keep(owner.get());
}

[[gnu::noinline]] void use_reference(const handle& owner) {
    keep(owner.get());
}

/// Returns the time of one call of `work(i)` for several objects.
template <class Work>
double nanoseconds_of_each(Work work) {
    return nanoseconds_of([&work] {
               for (std::size_t i = 0; i != object_count; ++i) work(i);
           }) /
           static_cast<double>(object_count);
}

/// Returns by how many nanoseconds `more` takes longer than `less`. The difference is small, so
/// both are measured one right after the other, and the result is the median.
template <class More, class Less>
double difference_of(More more, Less less) {
    std::array<double, differences> found{};
    for (double& each : found) {
        const double all = nanoseconds_of_each(more);
        each = std::max(0.0, all - nanoseconds_of_each(less));
    }
    std::sort(found.begin(), found.end());
    return found[differences / 2];
}

/// Returns the time of `take(i)`, which makes an owner of object I, and of its release.
template <class Take>
time_interval cost_of(const std::array<handle, object_count>& owners, Take take) {
    const double alone = nanoseconds_of([&take] {
        const handle copy = take(0);
        keep(copy.get());
    });
    const double among_work = difference_of(
        [&take](std::size_t i) {
            const handle copy = take(i);
            work_independently<16>();
            keep(copy.get());
        },
        [&owners](std::size_t i) {
            work_independently<16>();
            keep(owners[i].get());
        });
    const double passed = difference_of(
        [&take](std::size_t i) {
            use_value(take(i));
            work_independently<8>();
        },
        [&owners](std::size_t i) {
            use_reference(owners[i]);
            work_independently<8>();
        });
    const double only_passed =
        difference_of([&take](std::size_t i) { use_value(take(i)); },
                      [&owners](std::size_t i) { use_reference(owners[i]); });
    return {(among_work + passed) / 2, least_share_of_work * among_work,
            std::max({alone, passed, only_passed})};
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
    std::array<handle, object_count> owners;
    for (handle& each : owners) each = std::make_shared<int>(0);
    std::array<std::weak_ptr<int>, object_count> weak;
    std::copy(owners.begin(), owners.end(), weak.begin());
    const auto copy = [&owners](std::size_t i) -> const handle& { return owners[i]; };
    result.allocation = cost_of_counts_apart();
    result.plain = 0.5 * cost_of(owners, copy);
    std::promise<void> end;
    std::thread second([waits = end.get_future()]() mutable { waits.get(); });
    result.locked = 0.5 * cost_of(owners, copy);
    const time_interval lock = cost_of(owners, [&weak](std::size_t i) { return weak[i].lock(); });
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
