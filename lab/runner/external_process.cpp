// SPDX-License-Identifier: BSL-1.0
#include "runner/external_process.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace lab {
namespace {

using nlohmann::json;

family family_from(const std::string& key) {
    for (std::size_t i = 0; i < family_names.size(); ++i) {
        if (family_names[i].key == key) return static_cast<family>(i);
    }
    throw std::runtime_error("there is no family '" + key + "'");
}

subject subject_from(const json& from) {
    subject result{key_of(std::string(from.at("name"))), from.at("name"),
                   family_from(from.at("family"))};
    result.order = from.value("order", 0);
    result.folded = from.value("folded", false);
    result.single = from.value("single", false);
    result.version = from.value("version", "");
    result.origin = from.value("origin", "");
    result.missing = from.value("missing", "");
    return result;
}

external_cell cell_from(const json& from) {
    external_cell cell{from.at("suite"), from.at("subject"),       from.at("case"), {},
                       from.at("scale"), from.value("once", false)};
    if (from.contains("n")) cell.n = from.at("n").get<std::int64_t>();
    if (!(cell.scale > 0)) {
        throw std::runtime_error("the scale of " + cell.case_key + " is not positive");
    }
    return cell;
}

process_description description_from(const json& from) {
    if (from.at("format") != "freehold-process" || from.at("version") != 2) {
        throw std::runtime_error("its format is not freehold-process, version 2");
    }
    process_description description;
    description.compiler = from.at("compiler");
    description.flags = from.at("flags");
    description.standard_library = from.at("standard_library");
    for (const json& each : from.at("subjects")) {
        description.subjects.push_back(subject_from(each));
    }
    for (const json& each : from.at("cells")) {
        if (each.contains("figures")) {
            description.joint_cells.push_back(
                {each.at("suite"), each.at("subject"), each.at("figures")});
            if (description.joint_cells.back().cases.empty()) {
                throw std::runtime_error("a cell has no figures");
            }
        } else if (description.joint_cells.empty()) {
            description.cells.push_back(cell_from(each));
        } else {
            throw std::runtime_error("a cell with one figure follows a cell with several");
        }
    }
    for (const auto& each : description.cells)
        static_cast<void>(description.why_missing(each.subject));
    for (const auto& each : description.joint_cells) {
        static_cast<void>(description.why_missing(each.subject));
    }
    return description;
}

/// Returns the blank-separated numbers of a line, or none if a word is not a finite number.
std::vector<double> numbers_in(const std::string& line) {
    std::istringstream words(line);
    std::vector<double> numbers;
    for (std::string word; words >> word;) {
        const json number = json::parse(word, nullptr, false);
        if (!number.is_number() || !std::isfinite(number.get<double>())) return {};
        numbers.push_back(number.get<double>());
    }
    return numbers;
}

std::string shortened(const std::string& line) {
    constexpr std::size_t enough = 60;
    return line.size() <= enough ? line : line.substr(0, enough) + "...";
}

}  // namespace

const std::string& process_description::why_missing(const std::string& key) const {
    const auto found = std::find_if(subjects.begin(), subjects.end(),
                                    [&](const subject& each) { return each.key == key; });
    if (found == subjects.end()) {
        throw std::runtime_error("its subject '" + key + "' has no identity");
    }
    return found->missing;
}

external_process::external_process(const std::filesystem::path& executable, process_kind kind,
                                   process_patience patience)
    : patience_(patience), process_(executable, {"--process", name_of(kind)}, patience.to_end) {
    const std::string line = process_.read_line(patience_.to_describe_itself);
    try {
        description_ = description_from(json::parse(line));
    } catch (const std::exception& error) {
        process_.fail("does not describe itself: " + std::string(error.what()));
    }
}

std::vector<double> external_process::ask(std::size_t cell, std::int64_t iterations,
                                          std::size_t count, bool positive,
                                          const std::string& wanted) {
    if (!failure_.empty()) throw process_error(failure_);
    try {
        process_.write_line(std::to_string(cell) + " " + std::to_string(iterations));
        const std::string line = process_.read_line(patience_.to_measure);
        std::vector<double> numbers = numbers_in(line);
        const bool good = std::all_of(numbers.begin(), numbers.end(), [positive](double each) {
            return positive ? each > 0 : each >= 0;
        });
        if (numbers.size() != count || !good) {
            process_.fail("answers no " + wanted + ": " + shortened(line));
        }
        return numbers;
    } catch (const process_error& error) {
        failure_ = error.what();
        throw;
    }
}

double external_process::measure(std::size_t cell, std::int64_t iterations) {
    return ask(cell, iterations, 1, true, "number of seconds").front();
}

std::vector<double> external_process::measure_jointly(std::size_t joint_cell,
                                                      std::int64_t iterations) {
    const std::size_t count = description_.joint_cells[joint_cell].cases.size();
    return ask(description_.cells.size() + joint_cell, iterations, count, false,
               std::to_string(count) + " figures");
}

}  // namespace lab
