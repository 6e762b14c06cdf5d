// SPDX-License-Identifier: BSL-1.0
#include "measure/lab_events.hpp"

#include "results/json_node.hpp"
#include "results/result_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace freehold {
namespace {

figure figure_from(const json_node& node) {
    figure result;
    result.subject = node.member("subject").string();
    result.test_case = node.member("case").string();
    if (const auto n = node.find("n")) result.n = n->integer();
    result.unit = node.member("unit").string();
    result.value = node.member("value").number();
    if (const auto note = node.find("note")) result.note = note->string();
    return result;
}

nlohmann::json parse_json(std::string_view line) {
    try {
        return nlohmann::json::parse(line);
    } catch (const nlohmann::json::exception&) {
        throw json_error(fmt::format("no JSON: `{:.60}`", line));
    }
}

}  // namespace

lab_event parse_lab_event(std::string_view line) {
    const auto document = parse_json(line);
    const json_node node(document);
    const std::string event = node.member("event").string();
    if (event == "plan") return plan_event{node.member("runs").integer()};
    if (event == "sample") return sample_event{figure_from(node)};
    if (event == "exact") return exact_event{figure_from(node)};
    if (event == "skipped") {
        const auto runs = node.find("runs");
        return skipped_event{node.member("subject").string(), node.member("case").string(),
                             node.member("reason").string(), runs ? runs->integer() : 0};
    }
    if (event == "done") return done_event{sample_counts_from(node)};
    node.refuse(fmt::format("unknown event \"{:.60}\"", event));
}

}  // namespace freehold
