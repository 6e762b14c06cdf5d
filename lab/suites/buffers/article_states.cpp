// SPDX-License-Identifier: BSL-1.0
#include "suites/buffers/article_states.hpp"

#include <freehold/cache/buffer_policies.hpp>

#include "suites/buffers/article.hpp"
#include "suites/buffers/counting_upstream.hpp"
#include "suites/buffers/policies.hpp"
#include "suites/buffers/replay.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace lab::buffers {
namespace {

constexpr std::uint64_t last_step = 1'000'000;
constexpr std::uint64_t steps_of_the_course = 10'000;
constexpr std::size_t bound_of_ours = std::size_t{64} << 10;

/// The article leaves out a part of what it prints.
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

/// `printed`: whether it is one of the article's own.
template <class Policy>
void add_states(plan& into, const selection& chosen, const std::string& competitor, bool printed,
                std::size_t max_idle) {
    if (!chosen.wants(competitor, false)) return;
    const auto add = [&](const char* test, std::uint64_t step, const char* unit, double value) {
        const auto n = static_cast<std::int64_t>(step);
        const std::string note = printed ? "" : in_words(max_idle);
        into.exact.push_back({{competitor, std::string("article, ") + test, n, unit, note}, value});
    };
    step_clock::set(0);
    session_way<Policy> way(max_idle);
    article<session_way<Policy>> program(way);
    for (std::uint64_t step = 0; step <= last_step; ++step) {
        step_clock::set(step);
        program.step();
        const article_state& state = program.state();
        if (printed && is_printed(step)) {
            add("buffers", step, "buffers", static_cast<double>(state.buffers));
            add("bytes asked for", step, "bytes", static_cast<double>(state.asked));
            add("bytes handed out", step, "bytes", static_cast<double>(state.handed_out));
        }
        if (is_printed(step) || is_of_the_course(step)) {
            add("used", step, "%", state.used_percent());
        }
    }
}

}  // namespace

void add_article_states(plan& into, const selection& chosen) {
    // One entry each, as in the article: bytes do not bound them.
    constexpr std::size_t no_bound = std::size_t{1} << 40;
    add_states<freehold::keep_largest>(into, chosen, "keep_largest", true, no_bound);
    add_states<freehold::keep_first_below>(into, chosen, "keep_first_below", true, no_bound);
    add_states<freehold::greedy_dual_fit>(into, chosen, "greedy_dual_fit", false, bound_of_ours);
}

}  // namespace lab::buffers
