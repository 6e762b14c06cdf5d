// SPDX-License-Identifier: BSL-1.0
#include "results/suite_description.hpp"

#include <algorithm>

namespace freehold {
namespace {

std::string text_or_empty(const json_node& node, const char* name) {
    const auto found = node.find(name);
    return found ? found->string() : std::string();
}

std::optional<std::int64_t> optional_integer(const json_node& node, const char* name) {
    const auto found = node.find(name);
    return found ? std::optional(found->integer()) : std::nullopt;
}

suite_schedule schedule_from(const json_node& node) {
    suite_schedule made;
    made.rounds = static_cast<int>(node.member("rounds").integer());
    made.repetitions = static_cast<int>(node.member("repetitions").integer());
    made.min_time = node.member("min_time").number();
    made.typical_seconds = node.member("typical_seconds").number();
    made.limit_seconds = node.member("limit_seconds").number();
    made.data_mebibytes = optional_integer(node, "data_mebibytes");
    if (made.rounds < 1) node.member("rounds").refuse("is less than one");
    if (made.repetitions < 1) node.member("repetitions").refuse("is less than one");
    return made;
}

}  // namespace

const suite_case* suite_description::find_case(const std::string& case_key) const {
    const auto found = std::find_if(cases.begin(), cases.end(),
                                    [&](const suite_case& each) { return each.key == case_key; });
    return found == cases.end() ? nullptr : &*found;
}

suite_description suite_description_from(const json_node& node) {
    suite_description made;
    made.key = node.member("key").string();
    made.title = node.member("title").string();
    made.order = optional_integer(node, "order").value_or(0);
    if (const auto first = node.find("first")) made.first = first->boolean();
    for (const auto& process : node.member("processes").elements()) {
        made.processes.push_back(process.string());
        if (made.processes.back() != "threaded" && made.processes.back() != "single")
            process.refuse("is neither \"threaded\" nor \"single\"");
    }
    const auto schedule = node.member("schedule");
    for (const char* mode : {"quick", "default", "full"})
        made.schedule.emplace(mode, schedule_from(schedule.member(mode)));
    if (const auto bounds = node.find("lower_bounds"))
        for (const auto& each : bounds->elements()) made.lower_bounds.push_back(each.string());
    for (const auto& each : node.member("cases").elements())
        made.cases.push_back({each.member("key").string(), each.member("label").string(),
                              each.member("unit").string(), text_or_empty(each, "parameter"),
                              text_or_empty(each, "what")});
    made.needs = text_or_empty(node, "needs");
    made.text = node.text();
    return made;
}

}  // namespace freehold
