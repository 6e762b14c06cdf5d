// SPDX-License-Identifier: BSL-1.0
#include "runner/suites.hpp"

#include "runner/registry.hpp"
#include "suite_texts.hpp"  // made by CMake: constexpr std::string_view suite_texts[]

#include <algorithm>
#include <set>
#include <stdexcept>

namespace lab {

described_suite::described_suite(std::string_view text) try
    : json_(nlohmann::ordered_json::parse(text)), key_(json_.at("key")) {
    for (const auto& each : json_.at("cases")) {
        cases_.push_back({each.at("key"), each.at("unit"), each.contains("parameter"),
                          each.value("sizes", std::vector<std::int64_t>())});
    }
} catch (const nlohmann::json::exception& error) {
    throw std::runtime_error("a suite.json describes no suite: " + std::string(error.what()));
}

bool described_suite::is_measured_in(process_kind kind) const {
    const auto& all = json_.at("processes");
    return std::find(all.begin(), all.end(), name_of(kind)) != all.end();
}

bool described_suite::has_lower_bound(std::string_view subject) const {
    const auto& all = json_.at("lower_bounds");
    return std::find(all.begin(), all.end(), subject) != all.end();
}

const described_case& described_suite::find(const std::string& case_key) const {
    const auto found = std::find_if(cases_.begin(), cases_.end(), [&](const described_case& each) {
        return each.key == case_key;
    });
    if (found == cases_.end()) {
        throw std::runtime_error("the case '" + case_key + "' is not in lab/suites/" + key_ +
                                 "/suite.json");
    }
    return *found;
}

void described_suite::check(const plan& cells, const std::vector<subject>& subjects) const {
    std::set<std::string> known;
    for (const subject& each : subjects) known.insert(each.key);
    const auto check_subject = [&](const std::string& key) {
        if (!known.contains(key)) {
            throw std::runtime_error("the subject '" + key + "' of the suite '" + key_ +
                                     "' has no identity");
        }
    };
    const auto check_figure = [&](const figure& what) {
        check_subject(what.subject);
        if (find(what.case_key).has_size != what.n.has_value()) {
            throw std::runtime_error("the figures of '" + what.case_key + "' by '" + what.subject +
                                     "' do not have the sizes that lab/suites/" + key_ +
                                     "/suite.json says");
        }
    };
    for (const timed_cell& each : cells.timed) check_figure(each.what);
    for (const exact_cell& each : cells.exact) check_figure(each.what);
    for (const joint_cell& each : cells.joint) {
        for (const figure& one : each.what) check_figure(one);
    }
    for (const skipped_cell& each : cells.skipped) {
        check_subject(each.subject);
        static_cast<void>(find(each.case_key));
    }
}

const std::vector<described_suite>& described_suites() {
    static const std::vector<described_suite> all = [] {
        std::vector<described_suite> suites;
        for (const std::string_view text : suite_texts) {
            described_suite one(text);
            if (has_kernels(one.key())) suites.push_back(std::move(one));
        }
        std::stable_sort(suites.begin(), suites.end(), [](const auto& a, const auto& b) {
            return a.json().at("order") < b.json().at("order");
        });
        return suites;
    }();
    return all;
}

const described_suite& find_suite(std::string_view key) {
    const auto& all = described_suites();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const described_suite& each) { return each.key() == key; });
    if (found == all.end()) {
        throw std::runtime_error("there is no suite '" + std::string(key) +
                                 "'; `freehold-lab describe` lists them");
    }
    return *found;
}

}  // namespace lab
