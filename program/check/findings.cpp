// SPDX-License-Identifier: BSL-1.0
#include "check/findings.hpp"

#include <charconv>
#include <optional>
#include <regex>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace freehold {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr std::string_view gave_up_mark = "freehold-gave-up ";
constexpr std::string_view promise_mark = "freehold-filler ";
constexpr std::string_view option_mark = "freehold-fill-functions ";

struct diagnostic {
    finding_note at;
    std::string kind;  // warning, error or note
    std::string check;
};

int number(const std::string& text) {
    int result = 0;
    std::from_chars(text.data(), text.data() + text.size(), result);
    return result;
}

std::optional<diagnostic> diagnostic_of(const std::string& line) {
    static const std::regex form(
        R"(^(.+):(\d+):(\d+): (warning|error|fatal error|note): (.*?)( \[([\w.,-]+)\])?$)");
    std::smatch match;
    if (!std::regex_match(line, match, form)) return std::nullopt;
    return diagnostic{{match[1], number(match[2]), number(match[3]), match[5]}, match[4], match[7]};
}

void read_message(finding& into) {
    static const std::regex form("^'(.*)' zeroes (.*) that are overwritten .*$");
    std::smatch match;
    if (!std::regex_match(into.message, match, form)) return;
    into.construct = match[1];
    into.amount = match[2];
    const std::string amount = into.amount;
    std::from_chars(amount.data(), amount.data() + amount.size(), into.bytes);
    static const std::regex macro(", in (\\d+)( of \\d+)? uses? of the macro ");
    if (std::regex_search(into.message, match, macro))
        into.uses = static_cast<std::uint64_t>(number(match[1]));
}

/// Clang skips a flag of another compiler with an error, and then compiles the code.
bool is_about_foreign_flag(const std::string& line) {
    static const std::regex form(
        "^error: (unknown argument|unsupported option|unsupported argument|"
        "argument unused|optimization flag)\\b.*");
    return std::regex_match(line, form);
}

bool is_configuration(const std::string& file) {
    return fs::path(file).filename() == ".clang-tidy";
}

/// The file's name as a part of a URI.
std::string encoded(std::string_view name) {
    constexpr std::string_view unreserved = "/-._~";
    std::string result;
    for (const char each : name) {
        const auto byte = static_cast<unsigned char>(each);
        const bool is_plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                              (byte >= '0' && byte <= '9') ||
                              unreserved.find(each) != std::string_view::npos;
        result += is_plain ? std::string(1, each) : fmt::format("%{:02X}", byte);
    }
    return result;
}

/// The name of the file in the first of the folders that has it, without `..` in it.
std::string full_name(const std::string& name, const std::vector<fs::path>& folders) {
    for (const fs::path& folder : folders) {
        const fs::path full = fs::absolute(folder / name).lexically_normal();
        std::error_code none;
        if (fs::is_regular_file(full, none)) return full.string();
    }
    return name;
}

json place_of(const std::string& file, int line, int column) {
    const char* const scheme = fs::path(file).is_absolute() ? "file://" : "";
    return {{"artifactLocation", {{"uri", scheme + encoded(file)}}},
            {"region", {{"startLine", line}, {"startColumn", column}}}};
}

}  // namespace

void add_uses(finding& to, const finding& other) {
    if (to.uses == 0) return;
    const std::string before = fmt::format(", in {}", to.uses);
    to.uses += other.uses;
    for (std::string* each : {&to.message, &to.text})
        if (const auto at = each->find(before); at != std::string::npos)
            each->replace(at, before.size(), fmt::format(", in {}", to.uses));
}

tidy_output parse_tidy_output(std::string_view output, const std::vector<fs::path>& folders) {
    tidy_output result;
    std::istringstream lines{std::string(output)};
    bool in_finding = false;
    for (std::string line; std::getline(lines, line);) {
        auto found = diagnostic_of(line);
        if (found) {
            const std::size_t length = found->at.file.size();
            found->at.file = full_name(found->at.file, folders);
            line.replace(0, length, found->at.file);
        }
        if (found && found->kind == "error" && is_configuration(found->at.file)) {
            in_finding = false;
            result.unread.push_back({found->at.file, found->at.line, found->at.message});
        } else if (found && found->kind == "note") {
            if (in_finding) result.findings.back().notes.push_back(found->at);
        } else if (found) {
            in_finding = found->check.rfind("freehold-", 0) == 0;
            if (in_finding) {
                finding each;
                each.check = found->check.substr(0, found->check.find(','));
                each.file = found->at.file;
                each.line = found->at.line;
                each.column = found->at.column;
                each.message = found->at.message;
                read_message(each);
                result.findings.push_back(std::move(each));
            } else if (found->kind != "warning") {
                result.errors.push_back(line);
            }
        } else if (is_about_foreign_flag(line)) {
            in_finding = false;
            result.has_foreign_flags = true;
        } else if (line.rfind("Error while processing ", 0) == 0 ||
                   (line.rfind("Error parsing ", 0) == 0 && !result.unread.empty())) {
            in_finding = false;  // Another line says which error.
        } else if (line.rfind(gave_up_mark, 0) == 0) {
            in_finding = false;
            line.erase(0, gave_up_mark.size());
            const std::string file = line.substr(0, line.find(':'));
            result.gave_up.push_back(full_name(file, folders) + line.substr(file.size()));
        } else if (line.rfind(promise_mark, 0) == 0) {
            in_finding = false;
            const std::size_t space = line.find(' ', promise_mark.size());
            if (space != std::string::npos)
                result.promised.push_back(
                    {line.substr(promise_mark.size(), space - promise_mark.size()),
                     line.substr(space + 1)});
        } else if (line.rfind(option_mark, 0) == 0) {
            in_finding = false;
            result.fill_functions = line.substr(option_mark.size());
        } else if (line.rfind("error: ", 0) == 0 || line.rfind("Error ", 0) == 0) {
            in_finding = false;
            result.errors.push_back(line);
        } else if (!line.empty() && line[0] != ' ') {
            in_finding = false;
        }
        if (in_finding) result.findings.back().text += line + "\n";
    }
    return result;
}

std::string as_sarif(const std::vector<finding>& findings) {
    json results = json::array();
    for (const finding& each : findings) {
        json related = json::array();
        for (const finding_note& note : each.notes)
            related.push_back({{"physicalLocation", place_of(note.file, note.line, note.column)},
                               {"message", {{"text", note.message}}}});
        results.push_back(
            {{"ruleId", each.check},
             {"level", "warning"},
             {"message", {{"text", each.message}}},
             {"locations",
              json::array({{{"physicalLocation", place_of(each.file, each.line, each.column)}}})},
             {"relatedLocations", related}});
    }
    const auto rule = [](const check_rule& of) {
        return json{{"id", of.name}, {"shortDescription", {{"text", of.description}}}};
    };
    const json rules = json::array({rule(zeroing_rule), rule(ring_rule)});
    const json document = {
        {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
        {"version", "2.1.0"},
        {"runs",
         json::array({{{"tool", {{"driver", {{"name", "freehold check"}, {"rules", rules}}}}},
                       {"results", results}}})}};
    return document.dump(2) + "\n";
}

std::string as_json(const std::vector<finding>& findings,
                    const std::vector<filler_proposal>& proposals,
                    const std::vector<std::string>& errors) {
    json list = json::array();
    for (const finding& each : findings) {
        json notes = json::array();
        for (const finding_note& note : each.notes)
            notes.push_back({{"file", note.file},
                             {"line", note.line},
                             {"column", note.column},
                             {"message", note.message}});
        json one = {{"check", each.check},   {"file", each.file},       {"line", each.line},
                    {"column", each.column}, {"message", each.message}, {"notes", notes}};
        if (!each.construct.empty()) one["construct"] = each.construct;
        if (!each.amount.empty()) one["amount"] = each.amount;
        if (each.bytes != 0) one["bytes"] = each.bytes;
        if (each.uses != 0) one["uses"] = each.uses;
        list.push_back(std::move(one));
    }
    json fillers = json::array();
    for (const filler_proposal& each : proposals)
        fillers.push_back({{"function", each.name},
                           {"fill_functions", each.entry},
                           {"findings", each.places.size()},
                           {"places", each.places}});
    return json{{"findings", list}, {"proposed_fillers", fillers}, {"errors", errors}}.dump(2) +
           "\n";
}

}  // namespace freehold
