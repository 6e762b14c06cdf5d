// SPDX-License-Identifier: BSL-1.0
#include "code/known_handles.hpp"

#include "known_handles_text.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace freehold {
namespace {

using nlohmann::json;

using kinds = std::vector<std::shared_ptr<const count_kind>>;

std::vector<std::string> texts(const json& object, const char* key) {
    return object.value(key, std::vector<std::string>{});
}

count_word parse_word(const json& object) {
    count_word word;
    word.bytes = object.value("bytes", word.bytes);
    word.owner = object.value("owner", word.owner);
    word.weak = object.value("weak", word.weak);
    word.initial = object.value("new", word.initial);
    if (word.owner == 0 || (word.bytes != 4 && word.bytes != 8))
        throw handles_error("a word has 4 or 8 bytes, and an owner adds more than 0 to it");
    if (const auto bit = object.find("gone_bit"); bit != object.end())
        word.gone = std::uint64_t{1} << (bit->get<unsigned>() % 64);
    if (const auto load = object.find("unique_if"); load != object.end())
        word.unique = {load->at("bytes").get<unsigned>(), load->at("behind").get<std::int64_t>(),
                       load->at("is").get<std::uint64_t>()};
    return word;
}

std::shared_ptr<const count_kind> parse_kind(const json& object, std::string name) {
    count_kind kind;
    kind.name = std::move(name);
    kind.note = object.value("note", std::string{});
    kind.dispatch = texts(object, "dispatch");
    const auto kind_is = [&](const char* flag) { return object.value(flag, false); };
    kind.dispatches = kind_is("dispatches");
    kind.biased = kind_is("biased");
    kind.weak_by_address = kind_is("weak_by_address");
    kind.strong_by_address = kind_is("strong_by_address");
    kind.weak_behind = kind_is("weak_behind");
    kind.last_is_minus = kind_is("last_is_minus");
    if (const auto word = object.find("word"); word != object.end()) kind.word = parse_word(*word);
    for (const json& row : object.at("counts")) {
        const auto is = [&](const char* flag) { return row.value(flag, false); };
        kind.functions.push_back({row.at("function"), row.value("argument", std::string{}),
                                  is("lock"), is("weak"), is("make"), is("unique"), is("plain"),
                                  is("by_caller"), is("outer"), is("own")});
    }
    return std::make_shared<const count_kind>(std::move(kind));
}

known_blocks::count_field parse_field(const json& object) {
    known_blocks::count_field field;
    field.at = object.at("at");
    field.bytes = object.value("bytes", field.bytes);
    field.first_bit = object.value("first_bit", field.first_bit);
    field.bits = object.value("bits", 8 * field.bytes);
    field.more = object.value("more", field.more);
    field.has_owners = object.value("has_owners", field.has_owners);
    if ((field.bytes != 4 && field.bytes != 8) || field.bits == 0 ||
        field.first_bit + field.bits > 8 * field.bytes)
        throw handles_error("a count of a block has bits of 4 or 8 bytes");
    return field;
}

/// Adds to a layout what the object says of it.
void parse_layout(const json& object, known_blocks::count_layout& layout) {
    layout.count = object.value("count", layout.count);
    const auto parse_one = [&object](const char* name, auto& field) {
        if (const auto found = object.find(name); found != object.end())
            field = parse_field(*found);
    };
    parse_one("owners", layout.owners);
    parse_one("weak", layout.weak);
    parse_one("dead", layout.dead);
    parse_one("apart", layout.apart);
    layout.dead_is = object.value("dead_is", layout.dead_is);
    layout.word_at = object.value("word_at", layout.word_at);
    layout.pointed_at = object.value("pointed_at", layout.pointed_at);
}

known_blocks parse_blocks(const json& object) {
    known_blocks blocks;
    for (const json& row : object.at("classes"))
        blocks.classes.push_back({row.at("class"),
                                  row.value("function", std::string{}),
                                  row.at("member"),
                                  row.value("at", 0U),
                                  row.value("by_pointer", false),
                                  row.value("of_pointer", false),
                                  row.value("owned", true),
                                  texts(row, "with"),
                                  row.value("base", false),
                                  row.value("size_argument", 0U),
                                  row.value("type_argument", 1U),
                                  row.value("block_argument", 0U),
                                  row.value("count_argument", 0U),
                                  row.value("variable", std::string{}),
                                  row.value("counts_at", 0U),
                                  row.value("by_counts", false),
                                  row.value("by_handles", false),
                                  row.value("counts_base", std::string{}),
                                  row.value("ring", false),
                                  row.value("own_count", false),
                                  row.value("number", std::string{})});
    known_blocks::count_layout layout;
    parse_layout(object, layout);
    blocks.layouts.push_back(layout);
    for (const json& each : object.value("layouts", json::array())) {
        blocks.layouts.push_back(layout);
        parse_layout(each, blocks.layouts.back());
    }
    blocks.handle_bytes = object.value("handle_bytes", blocks.handle_bytes);
    blocks.handle_word = object.value("handle_word", blocks.handle_word);
    blocks.weak_handle_word = object.value("weak_handle_word", blocks.handle_word);
    blocks.has_object_before = object.value("has_object_before", blocks.has_object_before);
    blocks.unknown = object.value("unknown", blocks.unknown);
    blocks.symbol_of_function = object.value("function", std::string{});
    blocks.owner_handles = texts(object, "owner_handles");
    blocks.weak_handles = texts(object, "weak_handles");
    return blocks;
}

/// Adds what the text describes. Its handles may be counted by the kinds of a text before.
void parse(const std::string& text, kinds& named, std::vector<known_handle>& handles) {
    const json file = json::parse(text);
    for (const json& each : file.value("kinds", json::array()))
        named.push_back(parse_kind(each, each.at("name")));
    for (const json& each : file.at("handles")) {
        known_handle handle;
        handle.name = each.at("name");
        handle.library = texts(each, "library");
        handle.pointee = texts(each, "pointee");
        handle.needed = texts(each, "needed");
        handle.itself = texts(each, "itself");
        handle.apart = texts(each, "apart");
        handle.deleter = texts(each, "deleter");
        handle.delete_alone = texts(each, "delete_alone");
        handle.hidden = texts(each, "hidden");
        handle.one_type = each.value("one_type", false);
        handle.in_register = each.value("in_register", false);
        handle.inline_namespaces = texts(each, "inline_namespaces");
        for (const std::string& name : texts(each, "counted_by")) {
            const std::size_t before = handle.counts.size();
            std::copy_if(named.begin(), named.end(), std::back_inserter(handle.counts),
                         [&name](const auto& kind) { return kind->name == name; });
            if (handle.counts.size() == before)
                throw handles_error(
                    fmt::format("{} is counted by {}, which is none of the kinds that are "
                                "described",
                                handle.name, name));
        }
        if (const auto blocks = each.find("blocks"); blocks != each.end())
            handle.blocks = parse_blocks(*blocks);
        if (handle.counts.empty() || each.contains("counts"))
            handle.counts.push_back(parse_kind(each, {}));
        handles.push_back(std::move(handle));
    }
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
    kinds named;
    std::vector<known_handle> result;
    parse(known_handles_text, named, result);
    if (more.empty()) return result;
    std::ifstream file(more);
    if (!file) throw handles_error(fmt::format("{}: cannot be read", more.string()));
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto refuse = [&more](const std::exception& error) {
        throw handles_error(
            fmt::format("{}: does not describe handles: {}", more.string(), error.what()));
    };
    try {
        parse(text, named, result);
    } catch (const json::exception& error) {
        refuse(error);
    } catch (const handles_error& error) {
        refuse(error);
    }
    return result;
}

std::string text_of(const known_handle& handle, const count_kind& kind) {
    return kind.name.empty() ? handle.name : fmt::format("{} ({})", handle.name, kind.name);
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

std::string template_argument(std::string_view name, std::string_view of, unsigned number) {
    if (name.size() <= of.size() || name.substr(0, of.size()) != of || name[of.size()] != '<')
        return {};
    std::size_t begin = of.size() + 1;
    std::size_t end = begin;
    for (;; begin = ++end) {
        while (end < name.size() && name[end] != ',' && name[end] != '>')
            end = behind_brackets(name, end);
        if (--number == 0) break;
        if (end >= name.size() || name[end] == '>') return {};
    }
    std::string_view argument = name.substr(begin, end - begin);
    const auto trim = [&] {
        while (!argument.empty() && argument.back() == ' ') argument.remove_suffix(1);
        while (!argument.empty() && argument.front() == ' ') argument.remove_prefix(1);
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

std::string without_namespace(std::string name, std::string_view inline_namespace) {
    const std::size_t own = inline_namespace.rfind("::") + 2;
    for (std::size_t at = 0; (at = name.find(inline_namespace, at)) != std::string::npos;) {
        std::size_t end = at + inline_namespace.size();
        while (end < name.size() && is_word(name[end])) ++end;
        const bool begins = at == 0 || (!is_word(name[at - 1]) && name[at - 1] != ':');
        at += own;
        if (begins && name.compare(end, 2, "::") == 0) name.erase(at, end + 2 - at);
    }
    return name;
}

bool matches(std::string_view name, std::string_view pattern) {
    const std::size_t star = pattern.find('*');
    if (star == std::string_view::npos) return name == pattern;
    if (name.substr(0, star) != pattern.substr(0, star)) return false;
    const std::string_view rest = pattern.substr(star + 1);
    for (std::size_t at = star; at <= name.size(); ++at)
        if (matches(name.substr(at), rest)) return true;
    return false;
}

}  // namespace freehold
