// SPDX-License-Identifier: BSL-1.0
#include "handles/operation_costs.hpp"

#include "support/nanoseconds_of.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <new>
#include <numeric>
#include <thread>
#include <vector>

namespace freehold {
namespace {

using support::nanoseconds_of;
using handle = std::shared_ptr<int>;

/// Forces the compiler to keep the object in memory.
void keep(const int* object) {
    asm volatile("" : : "r"(object) : "memory");
}

constexpr std::size_t object_count = 16;
using handles_array = std::array<handle, object_count>;
constexpr std::size_t differences = 51;
// Of the usual time. A processor that waits for memory meanwhile does more at the same time.
constexpr double least_share = 0.5;
// So many rounds must differ by this factor at most.
constexpr std::size_t agreeing_rounds = 3;
constexpr double agreement = 1.1;
constexpr std::size_t most_rounds = 16;

/// Additions that do not depend on each other. They keep the processor's units busy.
struct computing {
    void operator()() const {
        std::size_t a = 0;
        std::size_t b = 0;
        std::size_t c = 0;
        std::size_t d = 0;
        // Unrolled, so that it has no branch.
#pragma GCC unroll 16
        for (int i = 0; i != 16; ++i) {
            ++a;
            ++b;
            ++c;
            ++d;
            asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
        }
    }
};

/// Some hundred instructions, many of which wait for the one before.
struct allocating {
    void operator()() const {
        void* const memory = ::operator new(40);
        asm volatile("" : : "r"(memory) : "memory");
        ::operator delete(memory);
    }
};

/// Work with a branch that the processor predicts wrong in half of the calls.
struct branching {
    void operator()() const {
        static std::uint32_t random = 1;
        random = random * 1664525 + 1013904223;
        if (random >> 31 != 0) asm volatile("nop");
    }
};

const int* use_value(handle owner) {
    return owner.get();
}

const int* use_reference(const handle& owner) {
    return owner.get();
}

// Called through these, so that the compiler changes neither the parameters nor the calls.
const int* (*volatile call_with_value)(handle) = use_value;
const int* (*volatile call_with_reference)(const handle&) = use_reference;

/// Passes the handle on. The function has work to do behind the call, which releases the copy.
const int* pass_value_on(handle owner) {
    return call_with_value(owner);
}

/// The same without a copy. The compiler writes a jump in place of the call.
const int* pass_reference_on(const handle& owner) {
    return call_with_reference(owner);
}

const int* (*volatile call_by_value)(handle) = pass_value_on;
const int* (*volatile call_by_reference)(const handle&) = pass_reference_on;

/// Returns the nanoseconds of so many rounds. A round calls `work(i)` for each object.
template <class Work>
double nanoseconds_of_rounds(std::size_t rounds, Work work) {
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t round = 0; round != rounds; ++round)
        for (std::size_t i = 0; i != object_count; ++i) work(i);
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
    return taken.count();
}

/// Returns by how many nanoseconds a call of `more` takes longer than one of `less`. The difference
/// is small, and the processor's speed varies. So this function measures the two alternately, 20 us
/// each, and returns the median of the differences.
template <class More, class Less>
double difference_of(More more, Less less) {
    constexpr double moment = 20000;
    std::size_t rounds = 1;
    while (nanoseconds_of_rounds(rounds, less) < moment) rounds *= 2;
    std::array<double, differences> found{};
    for (double& each : found) {
        const double all = nanoseconds_of_rounds(rounds, more);
        each = std::max(0.0, all - nanoseconds_of_rounds(rounds, less));
    }
    std::nth_element(found.begin(), found.begin() + differences / 2, found.end());
    return found[differences / 2] / static_cast<double>(rounds * object_count);
}

/// The times of a copy and its release, one for each kind of work.
using work_times = std::vector<double>;

/// Returns the times of `take(i)`, which makes an owner of object I, and of its release. The owner
/// is a variable, which most often lives for some time: the work is done between the two, and it is
/// not short.
template <class Take>
work_times times_in_variable(const handles_array& owners, Take take) {
    const auto with = [&](auto work) {
        return difference_of(
            [&](std::size_t i) {
                const handle copy = take(i);
                work();
                keep(copy.get());
            },
            [&](std::size_t i) {
                work();
                keep(owners[i].get());
            });
    };
    return {with(allocating{}), with(branching{})};
}

/// Returns by how much it takes longer to pass a handle by value than by reference. A call passes
/// it twice, because the called function passes it on.
work_times times_passed(const handles_array& owners) {
    const auto with = [&](auto work) {
        return 0.5 * difference_of(
                         [&](std::size_t i) {
                             keep(call_by_value(owners[i]));
                             work();
                         },
                         [&](std::size_t i) {
                             keep(call_by_reference(owners[i]));
                             work();
                         });
    };
    return {with(computing{}), with(allocating{}), with(branching{})};
}

double mean_of(const work_times& times) {
    return std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
}

double least_of(const work_times& times) {
    return least_share * *std::min_element(times.begin(), times.end());
}

double most_of(const work_times& times) {
    return *std::max_element(times.begin(), times.end());
}

/// Returns the time of `take(0)` and its release without other work.
template <class Take>
double time_alone(Take take) {
    return nanoseconds_of([&take] {
        const handle copy = take(0);
        keep(copy.get());
    });
}

double apart_less_together() {
    const double apart =
        nanoseconds_of([] { keep(handle(new int(0)).get()); });  // NOLINT(modernize-make-shared)
    const double together = nanoseconds_of([] { keep(std::make_shared<int>(0).get()); });
    return std::max(0.0, apart - together);
}

/// What a round measures. The times are those of a copy and its release, or of a weak handle's lock
/// and its release.
struct round_times {
    explicit round_times(const handles_array& owners) {
        const auto copy = [&owners](std::size_t i) -> const handle& { return owners[i]; };
        std::array<std::weak_ptr<int>, object_count> weak;
        std::copy(owners.begin(), owners.end(), weak.begin());
        const auto lock = [&weak](std::size_t i) { return weak[i].lock(); };
        in_variable = times_in_variable(owners, copy);
        passed = times_passed(owners);
        locks = times_in_variable(owners, lock);
        alone = time_alone(copy);
        lock_alone = time_alone(lock);
        counts_apart = apart_less_together();
    }

    /// Returns the cost of one operation if the usual pair takes so long.
    [[nodiscard]] time_interval operation(double usual) const {
        return 0.5 * time_interval(usual, least_of(in_variable), std::max(most_of(passed), alone));
    }

    [[nodiscard]] double usual() const { return mean_of(in_variable) + mean_of(passed); }

    work_times in_variable;
    work_times passed;
    work_times locks;
    double alone;
    double lock_alone;
    double counts_apart;
};

/// Returns by how much an operation takes longer if it locks.
time_interval cost_of_locking(const round_times& plain, const round_times& locked) {
    const auto more = [](double with, double without) { return std::max(0.0, with - without); };
    const double in_variable = more(mean_of(locked.in_variable), mean_of(plain.in_variable));
    const double passed = more(mean_of(locked.passed), mean_of(plain.passed));
    return 0.5 * time_interval((in_variable + passed) / 2,
                               least_share * std::min(in_variable, passed),
                               more(locked.alone, plain.alone));
}

/// Returns the time of a weak handle's lock. The release of its owner takes half of a locked pair.
time_interval cost_of_weak_lock(const round_times& locked) {
    return {std::max(0.0, mean_of(locked.locks) - mean_of(locked.in_variable) / 2),
            least_of(locked.locks) / 2, locked.lock_alone / 2};
}

operation_costs costs_of(const round_times& plain, const round_times& locked) {
    operation_costs result;
    result.plain = plain.operation(mean_of(plain.passed));
    result.plain_in_variable = plain.operation(mean_of(plain.in_variable));
    result.locked = locked.operation(mean_of(locked.passed));
    result.locked_in_variable = locked.operation(mean_of(locked.in_variable));
    result.locking = cost_of_locking(plain, locked);
    result.weak_lock = cost_of_weak_lock(locked);
    result.allocation = plain.counts_apart;
    return result;
}

struct measured_rounds {
    std::vector<round_times> rounds;  // those that agree, or all
    bool is_steady = false;
};

measured_rounds measure_rounds(const handles_array& owners) {
    measured_rounds result;
    std::vector<double> usual;
    while (result.rounds.size() != most_rounds) {
        usual.push_back(result.rounds.emplace_back(owners).usual());
        const std::vector<std::size_t> agreeing = quickest_that_agree(usual);
        if (agreeing.empty()) continue;
        std::vector<round_times> chosen;
        for (const std::size_t each : agreeing) chosen.push_back(result.rounds[each]);
        return {std::move(chosen), true};
    }
    return result;
}

/// Returns the figure of the round in the middle. The interval contains those of all rounds.
time_interval middle_of(const std::vector<operation_costs>& rounds,
                        time_interval operation_costs::*figure) {
    std::vector<double> usual;
    time_interval result = rounds.front().*figure;
    for (const operation_costs& each : rounds) {
        usual.push_back((each.*figure).usual);
        result.least = std::min(result.least, (each.*figure).least);
        result.most = std::max(result.most, (each.*figure).most);
    }
    const auto middle = usual.begin() + static_cast<std::ptrdiff_t>(usual.size() / 2);
    std::nth_element(usual.begin(), middle, usual.end());
    result.usual = *middle;
    return result;
}

}  // namespace

std::vector<std::size_t> quickest_that_agree(const std::vector<double>& times) {
    if (times.size() < agreeing_rounds) return {};
    std::vector<std::size_t> order(times.size());  // NOLINT(freehold-hidden-zeroing): few rounds
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(),
              [&times](std::size_t a, std::size_t b) { return times[a] < times[b]; });
    order.resize(agreeing_rounds);
    if (times[order.back()] > agreement * times[order.front()]) return {};
    return order;
}

operation_costs joined(const std::vector<operation_costs>& rounds, bool is_steady) {
    operation_costs result;
    for (const auto& [name, figure] : cost_figures) {
        result.*figure = middle_of(rounds, figure);
        (result.*figure).is_steady = is_steady;
    }
    return result;
}

operation_costs measure_operations() {
    handles_array owners;
    for (handle& each : owners) each = std::make_shared<int>(0);
    const measured_rounds plain = measure_rounds(owners);
    std::promise<void> end;
    std::thread second([waits = end.get_future()]() mutable { waits.get(); });
    const measured_rounds locked = measure_rounds(owners);
    end.set_value();
    second.join();
    std::vector<operation_costs> rounds;
    for (std::size_t i = 0; i < std::max(plain.rounds.size(), locked.rounds.size()); ++i)
        rounds.push_back(costs_of(plain.rounds[i % plain.rounds.size()],
                                  locked.rounds[i % locked.rounds.size()]));
    return joined(rounds, plain.is_steady && locked.is_steady);
}

time_interval time_of(std::uint64_t operations, std::uint64_t plain, std::uint64_t in_variables,
                      const operation_costs& costs) {
    if (operations == 0) return {};
    // Which of those in variables do not lock is not known, so their share is that of all.
    const double in_variable =
        std::min(1.0, static_cast<double>(in_variables) / static_cast<double>(operations));
    const auto without_lock = static_cast<double>(plain);
    const double with_lock = static_cast<double>(operations) - without_lock;
    const auto mean = [in_variable](const time_interval& variable, const time_interval& passed) {
        return in_variable * variable + (1 - in_variable) * passed;
    };
    return without_lock * mean(costs.plain_in_variable, costs.plain) +
           with_lock * mean(costs.locked_in_variable, costs.locked);
}

time_interval time_of(const counted_line& line, const operation_costs& costs) {
    // A weak handle's lock is a compare-and-exchange, which is never plain.
    const std::uint64_t weak_locks =
        std::min(line.locks, line.operations() - std::min(line.operations(), line.would_be_plain));
    return time_of(line.operations() - weak_locks, line.would_be_plain, line.in_variables, costs) +
           static_cast<double>(weak_locks) * costs.weak_lock +
           static_cast<double>(line.samples) * time_interval(costs.sample);
}

double nanoseconds_of(const counted_line& line, const operation_costs& costs) {
    return time_of(line, costs).usual;
}

}  // namespace freehold
