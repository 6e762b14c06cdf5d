// SPDX-License-Identifier: BSL-1.0
#include "handles/operation_costs.hpp"

#include "support/nanoseconds_of.hpp"

#include <algorithm>
#include <future>
#include <memory>
#include <thread>

namespace freehold {
namespace {

/// The compiler must have the object where it is.
void keep(const int* object) {
    asm volatile("" : : "r"(object) : "memory");
}

double cost_of_copy_and_release(const std::shared_ptr<int>& owner) {
    return support::nanoseconds_of([&owner] {
        const std::shared_ptr<int> copy = owner;
        keep(copy.get());
    });
}

double cost_of_lock_and_release(const std::weak_ptr<int>& weak) {
    return support::nanoseconds_of([&weak] { keep(weak.lock().get()); });
}

double cost_of_counts_apart() {
    const double apart = support::nanoseconds_of(
        [] { keep(std::shared_ptr<int>(new int(0)).get()); });  // NOLINT(modernize-make-shared)
    const double together = support::nanoseconds_of([] { keep(std::make_shared<int>(0).get()); });
    return std::max(0.0, apart - together);
}

}  // namespace

operation_costs measure_operations() {
    operation_costs result;
    const auto owner = std::make_shared<int>(0);
    result.allocation = cost_of_counts_apart();
    result.plain = cost_of_copy_and_release(owner) / 2;
    std::promise<void> end;
    std::thread second([waits = end.get_future()]() mutable { waits.get(); });
    result.locked = cost_of_copy_and_release(owner) / 2;
    result.weak_lock = std::max(0.0, cost_of_lock_and_release(owner) - result.locked);
    end.set_value();
    second.join();
    return result;
}

double nanoseconds_of(const counted_line& line, const operation_costs& costs) {
    const auto plain = static_cast<double>(line.would_be_plain);
    const double locked = static_cast<double>(line.operations()) - plain;
    // A weak handle's lock compares and exchanges: it is never plain.
    const double weak_locks = std::min(static_cast<double>(line.locks), locked);
    return plain * costs.plain + (locked - weak_locks) * costs.locked +
           weak_locks * costs.weak_lock;
}

}  // namespace freehold
