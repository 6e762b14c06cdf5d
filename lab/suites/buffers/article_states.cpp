// SPDX-License-Identifier: BSL-1.0
// What the article's program prints, and how its use of memory develops.

#include <freehold/buffer/buffer_policies.hpp>

#include "runner/registry.hpp"
#include "suites/buffers/article.hpp"
#include "suites/buffers/counting_upstream.hpp"
#include "suites/buffers/policies.hpp"
#include "suites/buffers/replay.hpp"
#include "suites/buffers/subjects.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace lab::buffers {
namespace {

constexpr std::uint64_t last_step = 1'000'000;
constexpr std::uint64_t steps_of_the_course = 10'000;
constexpr std::size_t bound_of_ours = std::size_t{64} << 10;

/// Returns whether the article shows the line for this step. It omits a part of its program's
/// output.
bool is_printed(std::uint64_t step) {
    return step % 100 == 0 && (step <= 500 || (step >= 37200 && step <= 37900));
}
bool is_of_the_course(std::uint64_t step) {
    return step % steps_of_the_course == 0 && step != 0;
}

template <class Policy>
class session_way {
public:
    explicit session_way(std::size_t max_idle)
        : cache_({.max_idle = max_idle, .max_idle_per_thread = max_idle, .upstream = &upstream_}),
          session_(cache_.open_session()) {}

    freehold::buffer get(std::size_t size) { return session_.get(size); }
    void put(freehold::buffer&& back) noexcept { session_.put(std::move(back)); }
    static std::size_t capacity(const freehold::buffer& of) noexcept { return of.capacity(); }

private:
    using cache = freehold::buffer_cache<Policy, step_clock>;

    counting_upstream upstream_;
    cache cache_;
    typename cache::session session_;
};

/// `printed` states whether the policy is one of the article's own.
template <class Policy>
void add_states(plan& into, const selection& chosen, const identity& of, bool printed,
                std::size_t max_idle) {
    if (!chosen.wants(of)) return;
    const std::string key = key_of(of.name);
    const auto add = [&](const char* test, std::uint64_t step, double value) {
        const auto n = static_cast<std::int64_t>(step);
        const std::string note = printed ? "" : in_words(max_idle);
        into.exact.push_back({{key, std::string("published.") + test, n, note}, value});
    };
    step_clock::set(0);
    session_way<Policy> way(max_idle);
    article<session_way<Policy>> program(way);
    for (std::uint64_t step = 0; step <= last_step; ++step) {
        step_clock::set(step);
        program.step();
        const article_state& state = program.state();
        if (printed && is_printed(step)) {
            add("buffers", step, static_cast<double>(state.buffers));
            add("bytes_asked_for", step, static_cast<double>(state.asked));
            add("bytes_handed_out", step, static_cast<double>(state.handed_out));
        }
        if (is_printed(step) || is_of_the_course(step)) {
            add("used", step, state.used_percent());
        }
    }
}

void add_article_states(plan& into, const selection& chosen) {
    // Each class keeps one entry, as in the article, so no number of bytes bounds these policies.
    constexpr std::size_t no_bound = std::size_t{1} << 40;
    add_states<freehold::keep_largest>(into, chosen, subjects::keep_largest, true, no_bound);
    add_states<freehold::keep_first_below>(into, chosen, subjects::keep_first_below, true,
                                           no_bound);
    add_states<freehold::greedy_dual_fit>(into, chosen, subjects::greedy_dual_fit, false,
                                          bound_of_ours);
}

const registration here("buffers", add_article_states,
                        subjects_of({subjects::keep_largest, subjects::keep_first_below,
                                     subjects::greedy_dual_fit}));

}  // namespace
}  // namespace lab::buffers
