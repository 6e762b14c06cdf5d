// SPDX-License-Identifier: BSL-1.0
#include "owners/block_kinds.hpp"

#include "code/debug_entries.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace freehold {
namespace {

constexpr std::string_view table_prefix = "_ZTV";
// A pointer to a table of virtual functions points behind its first two words.
constexpr std::uint64_t table_head = 16;

std::string_view last_part(std::string_view name) {
    const auto colon = name.rfind("::");
    return colon == std::string_view::npos ? name : name.substr(colon + 2);
}

class kind_finder {
public:
    kind_finder(const program_modules& modules, const std::vector<known_handle>& known)
        : modules_(modules) {
        for (const known_handle& handle : known)
            if (handle.blocks)
                for (const auto& each : handle.blocks->classes) {
                    classes_.push_back({&handle, &each, {}, 0});
                    parts_.emplace_back(last_part(each.name));
                }
    }

    block_kinds find() {
        modules_.for_each_symbol([this](const char* name, std::uint64_t address, std::uint64_t,
                                        bool is_object) { look_at(name, address, is_object); });
        for (std::size_t i = 0; i != functions_.size(); ++i) {
            const auto found = members_.find(functions_[i]);
            if (found != members_.end()) result_.all[i].function = found->second;
        }
        return std::move(result_);
    }

private:
    void look_at(const char* symbol, std::uint64_t address, bool is_object) {
        for (std::size_t i = 0; i != classes_.size(); ++i) {
            if (std::strstr(symbol, parts_[i].c_str()) == nullptr) continue;
            const known_blocks& blocks = *classes_[i].handle->blocks;
            const std::string_view name = symbol;
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
        if (without_arguments(name) != found.is->name + behind) return;
        for (const std::string& each : found.handle->blocks->without)
            if (name.find(each) != std::string::npos) return;
        const auto& with = found.is->with;
        if (!with.empty() &&
            std::none_of(with.begin(), with.end(), [&name](const std::string& each) {
                return name.find(each) != std::string::npos;
            }))
            return;
        block_kind kind = found;
        kind.type = template_argument(name, found.is->name);
        kind.function = address;
        const auto number = static_cast<std::uint32_t>(result_.all.size());
        if (kind.type.empty() || !result_.by_word.emplace(word, number).second) return;
        result_.all.push_back(std::move(kind));
        functions_.push_back(function);
        result_.least = std::min(result_.least, word);
        result_.most = std::max(result_.most, word);
    }

    const program_modules& modules_;
    std::vector<block_kind> classes_;
    std::vector<std::string> parts_;
    std::vector<std::string> functions_;  // of each kind, by symbol
    std::unordered_map<std::string, std::uint64_t> members_;
    block_kinds result_;
};

}  // namespace

block_kinds find_block_kinds(const program_modules& modules,
                             const std::vector<known_handle>& known) {
    return kind_finder(modules, known).find();
}

}  // namespace freehold
