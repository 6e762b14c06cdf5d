// SPDX-License-Identifier: BSL-1.0
#include "handles/known_handles.hpp"

#include "known_handles_text.hpp"

#include <cctype>
#include <fstream>
#include <initializer_list>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace freehold {
namespace {

using nlohmann::json;

std::vector<known_handle> parse(const std::string& text) {
    std::vector<known_handle> result;
    const json file = json::parse(text);
    for (const json& each : file.at("handles")) {
        known_handle handle;
        handle.name = each.at("name");
        handle.library = each.value("library", std::vector<std::string>{});
        handle.pointee = each.value("pointee", std::vector<std::string>{});
        handle.itself = each.value("itself", std::vector<std::string>{});
        handle.dispatch = each.value("dispatch", std::vector<std::string>{});
        handle.apart = each.value("apart", std::vector<std::string>{});
        handle.weak_by_address = each.value("weak_by_address", false);
        handle.strong_by_address = each.value("strong_by_address", false);
        handle.last_is_minus = each.value("last_is_minus", false);
        for (const json& row : each.at("counts")) {
            const auto is = [&](const char* flag) { return row.value(flag, false); };
            handle.counts.push_back({row.at("function"), is("lock"), is("weak"), is("make"),
                                     is("unique"), is("plain"), is("by_caller")});
        }
        result.push_back(std::move(handle));
    }
    return result;
}

/// Returns the position after the bracket that closes the one at `at`. If there is none, returns
/// the next position.
std::size_t behind_brackets(std::string_view text, std::size_t at) {
    int depth = 0;
    for (std::size_t i = at; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '<' || c == '(' || c == '[' || c == '{') ++depth;
        if ((c == ')' || c == ']' || c == '}' || (c == '>' && text[i - 1] != '-'))) --depth;
        if (depth <= 0) return i + 1;
    }
    return text.size();
}

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Returns the position after `operator<`, `operator()` and their like if one begins at `at`.
/// Otherwise it returns `at`.
std::size_t behind_operator(std::string_view text, std::size_t at) {
    constexpr std::string_view word = "operator";
    if (text.substr(at, word.size()) != word || (at > 0 && is_word(text[at - 1]))) return at;
    const std::size_t end = at + word.size();
    // The other operators have no brackets that could be mistaken for those of arguments.
    for (const std::string_view each : std::initializer_list<std::string_view>{
             "()", "[]", "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "<", ">"})
        if (text.substr(end, each.size()) == each) return end + each.size();
    return end;
}

}  // namespace

std::vector<known_handle> known_handles(const std::filesystem::path& more) {
    std::vector<known_handle> result = parse(known_handles_text);
    if (more.empty()) return result;
    std::ifstream file(more);
    if (!file) throw handles_error(fmt::format("{}: cannot be read", more.string()));
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    try {
        for (known_handle& each : parse(text)) result.push_back(std::move(each));
    } catch (const json::exception& error) {
        throw handles_error(
            fmt::format("{}: is not a description of handles: {}", more.string(), error.what()));
    }
    return result;
}

std::string without_arguments(std::string_view name) {
    std::string result;
    for (std::size_t i = 0; i < name.size();) {
        const std::size_t end = behind_operator(name, i);
        if (end != i) {
            result += name.substr(i, end - i);
            i = end;
        } else if (name[i] == '<' && i > 0 && name[i - 1] != ':') {
            i = behind_brackets(name, i);
        } else {
            result += name[i++];
        }
    }
    return result;
}

std::string template_argument(std::string_view name, std::string_view of) {
    if (name.size() <= of.size() || name.substr(0, of.size()) != of || name[of.size()] != '<')
        return {};
    const std::size_t begin = of.size() + 1;
    std::size_t end = begin;
    while (end < name.size() && name[end] != ',' && name[end] != '>')
        end = behind_brackets(name, end);
    std::string_view argument = name.substr(begin, end - begin);
    const auto trim = [&] {
        while (!argument.empty() && argument.back() == ' ') argument.remove_suffix(1);
    };
    trim();
    while (!argument.empty() && argument.back() == '*') argument.remove_suffix(1), trim();
    if (argument.substr(0, 6) == "const ") argument.remove_prefix(6);
    if (argument.size() > 6 && argument.substr(argument.size() - 6) == " const")
        argument.remove_suffix(6);
    return std::string(argument);
}

std::string class_of(std::string_view name, std::string_view of) {
    if (name.substr(0, of.size()) != of) return {};
    const bool is_template = name.substr(of.size(), 1) == "<";
    const std::size_t end = is_template ? behind_brackets(name, of.size()) : of.size();
    return name.substr(end, 2) == "::" ? std::string(name.substr(0, end)) : std::string();
}

std::string without_parameters(std::string_view demangled) {
    std::string_view text = demangled;
    if (const auto clone = text.find(" [clone"); clone != std::string_view::npos)
        text = text.substr(0, clone);
    // The return type precedes the name of a template. `const`, `&` and their like follow the
    // parameters. Any other outermost brackets belong to an unnamed namespace or to decltype.
    std::size_t begin = 0;
    std::string_view name;
    bool is_operator = false;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t behind = behind_operator(text, i);
        if (behind != i) {
            is_operator = true;
            i = behind;
            continue;
        }
        const std::size_t end = behind_brackets(text, i);
        if (text[i] == '(' && i > begin && text.find("::", end) == std::string_view::npos)
            name = text.substr(begin, i - begin);
        const bool is_local = text.substr(i, 8) == " const::";
        if (text[i] == ' ' && !is_operator && !is_local) begin = i + 1;
        i = end;
    }
    return std::string(name.empty() ? text.substr(begin) : name);
}

bool matches(std::string_view name, std::string_view pattern) {
    if (pattern.empty() || pattern.front() != '*') return name == pattern;
    pattern.remove_prefix(1);
    return name.size() >= pattern.size() && name.substr(name.size() - pattern.size()) == pattern;
}

}  // namespace freehold
