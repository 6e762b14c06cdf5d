// SPDX-License-Identifier: BSL-1.0
// What lines of 8 MiB cost that a program fills. The cost depends on how they are made, what fills
// them, and whether each line is new. The suite also runs the article's own program, which asks
// this question.
#include "runner/child.hpp"
#include "runner/registry.hpp"
#include "suites/common/type_list.hpp"
#include "suites/zeroing/article.hpp"
#include "suites/zeroing/filling.hpp"
#include "suites/zeroing/heap_ways.hpp"
#include "suites/zeroing/page_ways.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <unistd.h>

namespace lab {
namespace {

using namespace lines;

using all_ways = type_list<by_nothing, by_make_shared, by_make_shared_with_constructor,
                           by_make_shared_for_overwrite, by_vector, by_make_shared_noinit,
                           by_calloc, by_default_init_allocator, by_pages, by_prefaulted_pages,
                           by_huge_pages, by_prefaulted_huge_pages, by_pool, by_huge_pool>;
using ways_after_fork = type_list<by_nothing, by_pool, by_huge_pool, by_inherited_huge_pool>;

class builder {
public:
    builder(plan& into, const selection& chosen)
        : into_(into),
          chosen_(chosen),
          lines_(std::max<std::size_t>(chosen.data_bytes / line_bytes, 2)) {}

    template <class Ways>
    void add(const filler_kind& filled_by, keeping how) {
        Ways::for_each([&]<class Way>() {
            if (!chosen_.wants(Way::is)) return;
            const std::string key = key_of(Way::is.name);
            if constexpr (installed<Way>) {
                add_filling(key, filled_by, how, fill_lines<Way>);
            } else {
                skip(key, filled_by, how, Way::is.why_missing());
            }
        });
    }

    using seconds_of_article = double (*)(std::size_t threads, std::size_t bytes);

    void add_article(const identity& made_by, const std::string& test, std::size_t threads,
                     seconds_of_article seconds) {
        if (!chosen_.wants(made_by)) return;
        const std::string key = key_of(made_by.name);
        if (const std::string why = why_too_little_memory(threads); !why.empty()) {
            into_.skipped.push_back({key, test, why});
            return;
        }
        into_.joint.push_back({{{key, test, static_cast<std::int64_t>(threads)}},
                               [seconds, bytes = article_bytes(), threads, kind = chosen_.process] {
                                   return all_measured_in_a_child(kind, [&] {
                                       return std::vector<double>{seconds(threads, bytes)};
                                   });
                               }});
    }

    void skip_article(const identity& made_by, const char* test) {
        if (!chosen_.wants(made_by)) return;
        into_.skipped.push_back({key_of(made_by.name), test, std::string(made_by.why_missing())});
    }

private:
    using costs_of_lines = costs (*)(const filler_kind& filled_by, keeping how, std::size_t lines);

    void add_filling(const std::string& key, const filler_kind& filled_by, keeping how,
                     costs_of_lines fill) {
        joint_cell cell;
        for (const char* const each : cost_suffixes) {
            cell.what.push_back({key, case_of(filled_by, how) + each});
        }
        cell.measure = [fill, filled_by, how, lines = lines_, kind = chosen_.process] {
            return all_measured_in_a_child(
                kind, [&] { return fill(filled_by, how, lines).per_gibibyte(lines); });
        };
        into_.joint.push_back(std::move(cell));
    }

    void skip(const std::string& key, const filler_kind& filled_by, keeping how,
              std::string_view why) {
        for (const char* const each : cost_suffixes) {
            into_.skipped.push_back({key, case_of(filled_by, how) + each, std::string(why)});
        }
    }

    /// Half of the bytes of the data, in whole large objects, but at most as many as the article
    /// had.
    std::size_t article_bytes() const {
        const std::size_t large = chosen_.data_bytes / (2 * article::large_bytes);
        return std::clamp<std::size_t>(large * article::large_bytes, article::large_bytes,
                                       article::total_bytes);
    }

    std::string why_too_little_memory(std::size_t threads) const {
        const auto pages = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES));
        const std::size_t memory = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        const std::size_t needed = threads * article_bytes() / 2 * 3;
        if (needed <= memory) return "";
        return std::to_string(threads) + " threads need " + std::to_string(needed >> 20) +
               " MiB; this machine has " + std::to_string(memory >> 20) + " MiB of memory";
    }

    plan& into_;
    const selection& chosen_;
    std::size_t lines_;
};

template <class Making>
void add_article_cases(builder& plan) {
    using namespace article;
    const std::size_t all = std::max(std::thread::hardware_concurrency(), 1U);
    if constexpr (!installed<Making>) {
        for (const char* test : {"article.small", "article.large", "article.small.written",
                                 "article.large.written", "article.large.written.all_threads"})
            plan.skip_article(Making::is, test);
    } else {
        const auto add = [&](const char* test, std::size_t threads, auto seconds) {
            plan.add_article(Making::is, test, threads, seconds);
        };
        add("article.small", 1, seconds<Making, small_bytes, false>);
        add("article.large", 1, seconds<Making, large_bytes, false>);
        add("article.small.written", 1, seconds<Making, small_bytes, true>);
        add("article.large.written", 1, seconds<Making, large_bytes, true>);
        add("article.large.written.all_threads", all, seconds<Making, large_bytes, true>);
    }
}

void add_zeroing(plan& cells, const selection& chosen) {
    builder into(cells, chosen);
    for (const filler_kind& each : filler_kinds) {
        into.add<all_ways>(each, keeping::all);
        into.add<all_ways>(each, keeping::ring);
    }
    into.add<ways_after_fork>(copying, keeping::all_after_fork);
    add_article_cases<article::making>(into);
    add_article_cases<article::making_with_constructor>(into);
    add_article_cases<article::making_for_overwrite>(into);
}

std::vector<subject> all_subjects() {
    std::vector<subject> all;
    const auto add = [&]<class Way>() { all.push_back(subject_of(Way::is)); };
    all_ways::for_each(add);
    ways_after_fork::for_each(add);
    return all;
}

const registration here("zeroing", add_zeroing, all_subjects());

}  // namespace
}  // namespace lab
