// SPDX-License-Identifier: BSL-1.0
#include "owners/block_kinds.hpp"

#include "code/debug_entries.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace freehold {
namespace {

constexpr std::string_view table_prefix = "_ZTV";
// A pointer to a table of virtual functions points behind its first two words.
constexpr std::uint64_t table_head = 16;

std::string_view last_part(std::string_view name) {
    const auto colon = name.rfind("::");
    return colon == std::string_view::npos ? name : name.substr(colon + 2);
}

std::string in_symbols(std::string_view name) {
    return fmt::format("{}{}", name.size(), name);
}

class kind_finder {
public:
    kind_finder(const program_modules& modules, type_layouts& types,
                const std::vector<known_handle>& known)
        : modules_(modules), types_(types) {
        for (const known_handle& handle : known) {
            if (!handle.blocks && !handle.pointee.empty()) {
                const std::string_view whole = handle.pointee.front();
                const std::string_view first = whole.substr(0, whole.find("::"));
                const std::string_view name = last_part(whole);
                not_understood_.push_back(
                    {first == name ? "" : in_symbols(first), in_symbols(name) + "I", &handle});
            }
            if (handle.blocks)
                for (const auto& each : handle.blocks->classes) {
                    block_kind kind;
                    kind.handle = &handle;
                    kind.is = &each;
                    classes_.push_back(std::move(kind));
                    parts_.emplace_back(last_part(each.name));
                }
        }
    }

    block_kinds find() {
        modules_.for_each_symbol([this](const char* name, std::uint64_t address, std::uint64_t,
                                        bool is_object) { look_at(name, address, is_object); });
        for (std::size_t i = 0; i != functions_.size(); ++i) {
            const auto found = members_.find(functions_[i]);
            if (found != members_.end()) result_.all[i].function = found->second;
        }
        if (!bases_.empty()) add_classes_with_bases();
        return std::move(result_);
    }

private:
    void look_at(const char* symbol, std::uint64_t address, bool is_object) {
        for (const auto& [around, name, handle] : not_understood_)
            if (std::strstr(symbol, name.c_str()) != nullptr &&
                std::strstr(symbol, around.c_str()) != nullptr)
                result_.not_understood.insert(handle->name);
        for (std::size_t i = 0; i != classes_.size(); ++i) {
            if (std::strstr(symbol, parts_[i].c_str()) == nullptr) continue;
            const known_blocks& blocks = *classes_[i].handle->blocks;
            const std::string_view name = symbol;
            if (classes_[i].is->is_base) {
                bases_.insert(i);
                continue;
            }
            if (!is_object && !blocks.symbol_of_function.empty()) {
                if (name.ends_with(blocks.symbol_of_function)) members_.emplace(symbol, address);
            } else if (is_object && name.starts_with(table_prefix) &&
                       classes_[i].is->function.empty()) {
                constexpr std::string_view of_table = "vtable for ";
                const std::string text = demangled_signature(symbol);
                if (text.starts_with(of_table))
                    add(classes_[i], text.substr(of_table.size()), {}, address + table_head,
                        symbol_of_member(name, blocks.symbol_of_function), 0);
            } else if (!is_object && !classes_[i].is->function.empty()) {
                const std::string text = without_parameters(demangled_signature(symbol));
                add(classes_[i], text, "::" + classes_[i].is->function, address, {}, address);
            }
        }
    }

    void add(const block_kind& found, std::string name, const std::string& behind,
             std::uint64_t word, const std::string& function, std::uint64_t address) {
        for (const std::string& each : found.handle->inline_namespaces)
            name = without_namespace(std::move(name), each);
        if (without_arguments(name) != found.is->name + behind || is_left_out(found, name)) return;
        const auto& with = found.is->with;
        if (!with.empty() &&
            std::none_of(with.begin(), with.end(), [&name](const std::string& each) {
                return name.find(each) != std::string::npos;
            }))
            return;
        block_kind kind = found;
        kind.function = address;
        if (found.is->size_argument == 0) {
            kind.type = template_argument(name, found.is->name);
        } else {
            kind.bytes = number_in(name, found.is->size_argument);
            if (kind.bytes == 0) return;
            kind.type = fmt::format("(no destructor, in a block of {} bytes)", kind.bytes);
        }
        add(std::move(kind), word, function);
    }

    void add(block_kind kind, std::uint64_t word, const std::string& function) {
        const auto number = static_cast<std::uint32_t>(result_.all.size());
        if (kind.type.empty() || !result_.by_word.emplace(word, number).second) return;
        result_.all.push_back(std::move(kind));
        functions_.push_back(function);
        result_.least = std::min(result_.least, word);
        result_.most = std::max(result_.most, word);
    }

    bool is_left_out(const block_kind& kind, const std::string& name) {
        for (const std::string& each : kind.handle->blocks->without)
            if (name.find(each) != std::string::npos) {
                result_.not_understood.insert(fmt::format("{} with {}", kind.handle->name, each));
                return true;
            }
        return false;
    }

    /// Returns the argument of the first template in a name, by its number from 1 on. It is 0 if it
    /// is no number.
    static std::uint64_t number_in(std::string_view name, unsigned argument) {
        std::size_t at = name.find('<');
        int depth = 0;
        for (; at < name.size(); ++at) {
            if (name[at] == '<' || name[at] == '(') ++depth;
            if (name[at] == '>' || name[at] == ')') --depth;
            const bool is_next = depth == 1 && (name[at] == ',' || name[at] == '<');
            if (is_next && --argument == 0) break;
        }
        std::uint64_t result = 0;
        if (at < name.size()) at = name.find_first_not_of(' ', at + 1);
        if (at < name.size()) std::from_chars(name.data() + at, name.data() + name.size(), result);
        return result;
    }

    /// Adds the classes with virtual functions that have one of the bases that count. A class's
    /// table is found by its symbol, and its debug information by its destructor.
    void add_classes_with_bases() {
        std::vector<std::pair<std::string, std::uint64_t>> tables;
        std::unordered_map<std::string, std::uint64_t> destructors;
        modules_.for_each_symbol(
            [&](const char* symbol, std::uint64_t address, std::uint64_t, bool is_object) {
                const std::string_view name = symbol;
                if (is_object && name.starts_with(table_prefix))
                    tables.emplace_back(name, address);
                else if (!is_object && name.ends_with("D0Ev"))
                    destructors.emplace(name, address);
            });
        for (const auto& [table, address] : tables) {
            const auto destructor = destructors.find(symbol_of_member(table, "D0Ev"));
            if (destructor == destructors.end()) continue;
            const Dwarf_Die type = modules_.class_of_function(destructor->second);
            if (type.addr == nullptr) continue;
            for (const std::size_t each : bases_) {
                block_kind kind = classes_[each];
                const auto base = types_.base_of(type, kind.is->name);
                if (!base || is_left_out(kind, base->name)) continue;
                const auto count = types_.offset_of(base->type, kind.is->member.c_str());
                if (!count) continue;
                constexpr std::string_view of_table = "vtable for ";
                kind.type = demangled_signature(table.c_str()).substr(of_table.size());
                for (const std::string& inline_namespace : kind.handle->inline_namespaces)
                    kind.type = without_namespace(std::move(kind.type), inline_namespace);
                kind.count_at = base->offset + *count;
                kind.object = type;
                add(std::move(kind), address + table_head, {});
                break;
            }
        }
    }

    const program_modules& modules_;
    type_layouts& types_;
    std::vector<block_kind> classes_;
    std::set<std::size_t> bases_;  // of `classes_`, those of which there are symbols
    std::vector<std::string> parts_;
    /// A handle without blocks, and how symbols name its namespace and its template.
    struct named_handle {
        std::string around;
        std::string name;
        const known_handle* handle;
    };
    std::vector<named_handle> not_understood_;
    std::vector<std::string> functions_;  // of each kind, by symbol
    std::unordered_map<std::string, std::uint64_t> members_;
    block_kinds result_;
};

}  // namespace

block_kinds find_block_kinds(const program_modules& modules, type_layouts& types,
                             const std::vector<known_handle>& known) {
    return kind_finder(modules, types, known).find();
}

}  // namespace freehold
