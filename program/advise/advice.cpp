// SPDX-License-Identifier: BSL-1.0
#include "advise/advice.hpp"

#include "advise/scoped_events.hpp"
#include "advise/trace_spool.hpp"
#include "report/amounts.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace freehold {

namespace {

constexpr std::uint64_t events_between_reports = 1U << 16U;

/// Points on the optimum's curve for each doubling of the idle bytes.
constexpr double points_per_doubling = 2;

std::vector<process_profile> read(trace_reader& trace, trace_spool& spool, std::uint64_t min_size,
                                  const advise_progress& progress) {
    trace_profiler profiler(min_size);
    std::uint64_t events = 0;
    for (trace_event event; trace.next(event);) {
        spool.add(event);
        profiler.add(event);
        if (++events % events_between_reports == 0) progress("reading", trace.progress());
    }
    spool.finish();
    return profiler.processes();
}

/// Chooses the process to advise on, because a cache serves one process.
void choose_process(advice& found, const std::vector<process_profile>& processes,
                    const std::vector<trace_process>& names, const allocation_costs& costs,
                    std::uint64_t min_size) {
    double all = 0;
    double most = 0;
    for (std::size_t i = 0; i != processes.size(); ++i) {
        if (processes[i].considered == 0) continue;
        ++found.processes;
        const double cost = processes[i].allocator_time(costs, min_size);
        all += cost;
        if (cost <= most) continue;
        most = cost;
        found.scope.process = static_cast<std::uint32_t>(i);
    }
    if (found.processes == 0) {
        throw no_advice(min_size > 1
                            ? fmt::format("no request in the trace is for {} or more: give a "
                                          "smaller --min-size",
                                          bytes_text(min_size))
                            : "nothing was allocated in the trace: record the program while it "
                              "works");
    }
    found.share_of_cost = most / all;
    found.program = processes[found.scope.process];
    if (found.scope.process < names.size()) found.process = names[found.scope.process];
}

/// If a program had more bytes in use at once, its requests are not played, because other programs
/// need memory too.
std::uint64_t most_played() {
    return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
           static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) / 4;
}

/// Returns how many requests make the first half. They are at least half of the requests, and they
/// cost the allocator half of what all requests cost. Otherwise a program that first starts and
/// then works would be judged by its start. At least a tenth stays for the second half, or a single
/// large buffer at the end could be all of it.
std::uint64_t first_half(const trace_spool& spool, const replay_scope& scope,
                         const allocation_costs& costs) {
    const auto visit_costs = [&](auto&& goes_on) {
        scoped_events events(spool, scope);
        for (trace_event event; events.next(event);) {
            if (event.what == trace_event::kind::allocate && !goes_on(costs.of(event.size))) return;
        }
    };
    double all = 0;
    visit_costs([&](double cost) {
        all += cost;
        return true;
    });
    std::uint64_t requests = 0;
    double so_far = 0;
    const std::uint64_t most = scope.requests - scope.requests / 10;
    visit_costs([&](double cost) {
        if (requests >= scope.requests / 2 && (so_far >= all / 2 || requests >= most)) return false;
        ++requests;
        so_far += cost;
        return true;
    });
    return requests;
}

struct optima {
    explicit optima(const allocation_costs& costs)
        : hits(costs, offline_optimum::aim::hits), time(costs, offline_optimum::aim::time) {}

    offline_optimum hits;
    offline_optimum time;
};

/// Finds the optima of the second half.
void find_optima(optima& found, const trace_spool& spool, const replay_scope& scope) {
    std::uint64_t requests = 0;
    scoped_events events(spool, scope);
    for (trace_event event; events.next(event);) {
        const bool is_request = event.what == trace_event::kind::allocate;
        const bool begins = is_request && requests++ == scope.first_half;
        for (offline_optimum* each : {&found.hits, &found.time}) {
            if (begins) each->begin(event.time);
            if (is_request) {
                each->request(event.time, event.size);
            } else {
                each->release(event.time, event.size);
            }
            each->end(event.time);
        }
    }
}

/// Runs all tasks on as many threads as there are processors. The calling thread is one of them.
/// Throws the first exception of a task, after all threads have ended.
void run_all(const std::vector<std::function<void()>>& tasks, const std::string& doing,
             const advise_progress& progress) {
    std::atomic<std::size_t> next = 0;
    std::size_t done = 0;
    std::mutex mutex;
    std::exception_ptr problem;
    const auto work = [&] {
        for (;;) {
            // Relaxed: the counter only distributes the tasks. The data that tasks share was made
            // before the threads started.
            const std::size_t mine = next.fetch_add(1, std::memory_order_relaxed);
            if (mine >= tasks.size()) return;
            try {
                tasks[mine]();
                const std::lock_guard lock(mutex);
                progress(doing, static_cast<double>(++done) / static_cast<double>(tasks.size()));
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (!problem) problem = std::current_exception();
                return;
            }
        }
    };
    std::vector<std::thread> helpers;
    const std::size_t threads =
        std::min<std::size_t>(std::max(1U, std::thread::hardware_concurrency()), tasks.size());
    try {
        while (helpers.size() + 1 < threads) helpers.emplace_back(work);
    } catch (const std::system_error&) {
        // The threads that did start do the work.
    }
    work();
    for (std::thread& each : helpers) each.join();
    if (problem) std::rethrow_exception(problem);
}

std::vector<offline_optimum::point> curve(const offline_optimum& optimum, double largest) {
    std::vector<offline_optimum::point> points;
    const double factor = std::exp2(1 / points_per_doubling);
    for (double idle = 1024; idle < 2 * largest; idle *= factor) {
        const offline_optimum::point each = optimum.at(idle);
        points.push_back(each);
        if (each.mean_idle < 0.99 * idle) break;
    }
    return points;
}

}  // namespace

advice advise(trace_reader& trace, const settings_wanted& wanted, const measured_costs& costs,
              const advise_progress& progress, allocator_process* player) {
    advice found;
    found.costs = costs;
    found.scope.min_size = wanted.min_size;

    trace_spool spool;
    const auto processes = read(trace, spool, wanted.min_size, progress);
    found.losses = trace.losses();
    choose_process(found, processes, trace.processes(), allocation_costs(costs.allocator),
                   wanted.min_size);
    if (player != nullptr && found.program.peak_live_bytes <= most_played()) {
        progress("playing", 0);
        const auto played = player->costs_of(spool, found.scope.process);
        found.costs.allocator = with_played(costs.allocator, played);
        found.costs_are_played = !played.empty();
    }
    const allocation_costs prices(found.costs.allocator);
    found.scope.requests = found.program.considered;
    found.scope.has_times =
        found.losses.has_times() && found.program.last_time > found.program.first_time;
    found.scope.first_half = first_half(spool, found.scope, prices);

    for (policy_setting& each : settings_for(found.program, wanted, prices)) {
        found.outcomes.push_back({std::move(each), {}});
    }
    auto optimum = std::make_unique<optima>(prices);
    const auto play = [&](setting_outcome& each) {
        each.result = each.setting.play(spool, found.scope, prices, each.setting.bounds);
    };
    std::vector<std::function<void()>> tasks;
    tasks.emplace_back([&] { find_optima(*optimum, spool, found.scope); });
    for (setting_outcome& each : found.outcomes) tasks.emplace_back([&] { play(each); });
    run_all(tasks, "replaying", progress);

    found.chosen = choose(found.outcomes, costs.cache);
    if (const auto cutoff = cutoff_for(found.choice().result, found.program, prices)) {
        setting_outcome cut{with_cutoff(found.choice().setting, *cutoff), {}};
        play(cut);
        const auto place = found.outcomes.begin() + static_cast<std::ptrdiff_t>(found.chosen) + 1;
        found.outcomes.insert(place, std::move(cut));
        ++found.chosen;
    }
    found.worth = judge(found.choice().result, costs.cache, found.knows_time());

    const replay_figures& held_out = found.choice().result.halves[1];
    double largest_idle = 0;
    for (std::size_t i = 0; i != found.outcomes.size(); ++i) {
        const replay_figures& each = found.outcomes[i].result.halves[1];
        largest_idle = std::max(largest_idle, each.mean_idle());
        if (!found.outcomes[i].setting.is_reimplemented ||
            each.time_saved() < held_out.time_saved() || each.mean_idle() > held_out.mean_idle()) {
            continue;
        }
        if (!found.better_reimplemented ||
            each.mean_idle() <
                found.outcomes[*found.better_reimplemented].result.halves[1].mean_idle()) {
            found.better_reimplemented = i;
        }
    }
    found.most_hits = curve(optimum->hits, largest_idle);
    found.most_time = curve(optimum->time, largest_idle);
    found.optimum_as_chosen = optimum->time.at(held_out.mean_idle());
    return found;
}

}  // namespace freehold
