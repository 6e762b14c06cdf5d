// SPDX-License-Identifier: BSL-1.0
#include "owners/block_kinds.hpp"

#include "code/debug_attributes.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
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
                for (const auto& [name, what] : handle.blocks->unknown)
                    unknown_.emplace_back(in_symbols(last_part(name)) + "I", what);
            if (handle.blocks)
                for (const auto& each : handle.blocks->classes) {
                    if (each.by_handles || each.is_base)
                        for (const std::string& owner : handle.blocks->owner_handles) {
                            without_words_.push_back({in_symbols(owner.substr(0, owner.find("::"))),
                                                      in_symbols(last_part(owner)) + "I", &handle});
                            names_without_words_.emplace_back(std::string(last_part(owner)) + "<",
                                                              &handle);
                        }
                    block_kind kind;
                    kind.handle = &handle;
                    kind.is = &each;
                    kind.counts = &handle.blocks->layouts.front();
                    kind.count_at = each.counts_at;
                    kind.pointed_at = kind.counts->pointed_at;
                    classes_.push_back(std::move(kind));
                    parts_.emplace_back(last_part(each.name));
                }
        }
    }

    block_kinds find() {
        modules_.for_each_symbol([this](const char* name, std::uint64_t address, std::uint64_t,
                                        bool is_object) { look_at(name, address, is_object); });
        for (std::size_t i = 0; i != functions_.size(); ++i) {
            if (functions_[i].empty()) continue;
            const auto found = members_.find(functions_[i]);
            if (found != members_.end()) result_.all[i].function = found->second;
        }
        find_handles_in_debug_information();
        find_bases();
        if (!bases_.empty()) add_classes_with_bases();
        add_self_counted_classes();
        add_classes_with_own_counts();
        for (const auto& [name, handle] : without_functions_)
            result_.not_understood.insert(handle->name + " of classes without virtual functions");
        add_classes_by_handles();
        return std::move(result_);
    }

private:
    void look_at(const char* symbol, std::uint64_t address, bool is_object) {
        for (const auto& [around, name, handle] : not_understood_)
            if (std::strstr(symbol, name.c_str()) != nullptr &&
                std::strstr(symbol, around.c_str()) != nullptr)
                result_.not_understood.insert(handle->name);
        for (const auto& [name, what] : unknown_)
            if (std::strstr(symbol, name.c_str()) != nullptr) result_.not_understood.insert(what);
        for (const auto& [around, name, handle] : without_words_)
            if (std::strstr(symbol, name.c_str()) != nullptr &&
                std::strstr(symbol, around.c_str()) != nullptr)
                uses_.insert(handle);
        for (std::size_t i = 0; i != classes_.size(); ++i) {
            if (std::strstr(symbol, parts_[i].c_str()) == nullptr) continue;
            const known_blocks& blocks = *classes_[i].handle->blocks;
            const std::string_view name = symbol;
            if (classes_[i].is->by_handles || classes_[i].is->own_count) continue;
            if (classes_[i].is->is_base) {
                bases_.insert(i);
                continue;
            }
            if (!classes_[i].is->variable.empty()) {
                look_at_variable(classes_[i], symbol, address, is_object);
            } else if (!is_object && !blocks.symbol_of_function.empty()) {
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

    /// Blocks may point to a variable that describes them. Another static member of its class is a
    /// function, which the symbols name as `symbol_of_function` ends.
    void look_at_variable(const block_kind& found, const char* symbol, std::uint64_t address,
                          bool is_object) {
        const std::string& function = found.handle->blocks->symbol_of_function;
        const std::string behind = "::" + (is_object ? found.is->variable : function);
        const std::string name = without_inline_namespaces(
            without_parameters(demangled_signature(symbol)), *found.handle);
        if (!name.ends_with(behind)) return;
        const std::string member = name.substr(0, name.size() - behind.size()) + "::" + function;
        if (is_object)
            add(found, name, behind, address, member, 0);
        else if (without_arguments(name) == found.is->name + behind)
            members_.emplace(member, address);
    }

    static std::string without_inline_namespaces(std::string name, const known_handle& handle) {
        for (const std::string& each : handle.inline_namespaces)
            name = without_namespace(std::move(name), each);
        return name;
    }

    void add(const block_kind& found, std::string name, const std::string& behind,
             std::uint64_t word, const std::string& function, std::uint64_t address) {
        name = without_inline_namespaces(std::move(name), *found.handle);
        if (without_arguments(name) != found.is->name + behind) return;
        const auto& with = found.is->with;
        if (!with.empty() &&
            std::none_of(with.begin(), with.end(), [&name](const std::string& each) {
                return name.find(each) != std::string::npos;
            }))
            return;
        block_kind kind = found;
        kind.function = address;
        choose_counts(kind, name);
        if (found.is->size_argument == 0) {
            kind.type = template_argument(name, found.is->name, found.is->type_argument);
        } else {
            kind.bytes =
                number_in(template_argument(name, found.is->name, found.is->size_argument));
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

    /// Chooses the layout of the counts by the template argument that names them.
    static void choose_counts(block_kind& kind, std::string_view name) {
        if (kind.is->count_argument == 0) return;
        const std::string count =
            without_arguments(template_argument(name, kind.is->name, kind.is->count_argument));
        for (const auto& each : kind.handle->blocks->layouts)
            if (each.count == count) {
                kind.counts = &each;
                kind.pointed_at = each.pointed_at;
            }
    }

    /// Adds the classes of blocks that no word tells. Only debug information names them.
    void add_classes_by_handles() {
        std::map<const known_handle*, bool> is_described;
        for (const block_kind& each : classes_) {
            if (!each.is->by_handles || uses_.count(each.handle) == 0) continue;
            const std::size_t before = result_.by_handles.size();
            for (Dwarf_Die type : types_.classes_named(each.is->name))
                if (each.is->is_ring)
                    add_ring_by_handles(each, type);
                else if (each.is->number.empty())
                    add_class_by_handles(each, type);
                else
                    add_array_by_handles(each, type);
            is_described[each.handle] |= result_.by_handles.size() != before;
        }
        for (const auto& [handle, is] : is_described)
            if (!is)
                result_.not_understood.insert(handle->name + " without debug information (-g)");
    }

    void add_class_by_handles(block_kind kind, Dwarf_Die type) {
        const std::string name = types_.name_of_class(type);
        choose_counts(kind, name);
        kind.type = template_argument(name, kind.is->name, kind.is->type_argument);
        kind.object = type_layouts::argument(type, kind.is->type_argument - 1);
        const auto object = types_.offset_of(type, kind.is->member.c_str());
        const auto counts = types_.base_of(type, kind.is->counts_base);
        const std::uint64_t bytes = types_.size_of(type);
        if (!object || !counts || bytes == 0 || kind.type.empty()) return;
        kind.pointed_at = *object - counts->offset;
        kind.bytes = bytes - counts->offset;
        add_by_handles(std::move(kind));
    }

    /// The class is what is before the elements.
    void add_array_by_handles(block_kind kind, Dwarf_Die type) {
        const std::string name = types_.name_of_class(type);
        choose_counts(kind, name);
        kind.type = template_argument(name, kind.is->name, kind.is->type_argument) + "[]";
        kind.object = type_layouts::argument(type, kind.is->type_argument - 1);
        kind.element = types_.size_of(kind.object);
        const auto number = types_.offset_of(type, kind.is->number.c_str());
        const auto counts = types_.base_of(type, kind.is->counts_base);
        const std::uint64_t bytes = types_.size_of(type);
        if (!number || !counts || bytes == 0 || kind.element == 0) return;
        kind.number_at = *number;
        kind.count_at = counts->offset;
        // Debug information does not tell how elements are aligned, but their size does.
        std::uint64_t last = 0;
        for (std::uint64_t align = 8; align <= 64 && (align == 8 || kind.element % align == 0);
             align *= 2) {
            kind.bytes = (bytes + align - 1) & ~(align - 1);
            if (std::exchange(last, kind.bytes) == kind.bytes) continue;
            kind.pointed_at = kind.bytes - kind.count_at;
            add_by_handles(kind);
        }
    }

    /// The class is the handle itself. Those with several deleters own objects of one type.
    void add_ring_by_handles(block_kind kind, Dwarf_Die type) {
        kind.type = template_argument(types_.name_of_class(type), kind.is->name);
        kind.object = type_layouts::argument(type, 0);
        kind.bytes = types_.size_of(kind.object);
        if (kind.bytes == 0 || !ring_types_.insert(kind.type).second) return;
        if (result_.rings == nullptr) result_.rings = std::make_shared<linked_rings>();
        kind.rings = result_.rings.get();
        add_by_handles(std::move(kind));
    }

    void add_by_handles(block_kind kind) {
        result_.by_handles.push_back(static_cast<std::uint32_t>(result_.all.size()));
        result_.all.push_back(std::move(kind));
        functions_.emplace_back();
    }

    static std::uint64_t number_in(const std::string& text) {
        std::uint64_t result = 0;
        std::from_chars(text.data(), text.data() + text.size(), result);
        return result;
    }

    /// Compilers may inline all functions of a handle, so that no symbol names it.
    void find_handles_in_debug_information() {
        modules_.for_each_debug_name([this](std::string_view name) {
            for (const auto& [begin, handle] : names_without_words_)
                if (name.starts_with(begin)) uses_.insert(handle);
        });
    }

    /// Finds the bases that count in debug information, too: compilers may inline all that symbols
    /// name.
    void find_bases() {
        for (std::size_t i = 0; i != classes_.size(); ++i) {
            if (!classes_[i].is->is_base || classes_[i].is->own_count ||
                uses_.count(classes_[i].handle) == 0)
                continue;
            for (const Dwarf_Die& each : types_.classes_named(classes_[i].is->name)) {
                bases_.insert(i);
                without_functions_[types_.name_of_class(each)] = classes_[i].handle;
            }
        }
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
                if (!base) continue;
                const auto count = types_.offset_of(base->type, kind.is->member.c_str());
                if (!count) continue;
                without_functions_.erase(base->name);
                choose_counts(kind, base->name);
                constexpr std::string_view of_table = "vtable for ";
                kind.type = without_inline_namespaces(
                    demangled_signature(table.c_str()).substr(of_table.size()), *kind.handle);
                kind.count_at = base->offset + *count;
                kind.object = type;
                add(std::move(kind), address + table_head, {});
                break;
            }
        }
    }

    /// Adds the classes without virtual functions that have one of the bases that count.
    void add_self_counted_classes() {
        for (const std::size_t each : bases_)
            for (Dwarf_Die type : types_.classes_named(classes_[each].is->name)) {
                block_kind kind = classes_[each];
                kind.object = type_layouts::argument(type, kind.is->type_argument - 1);
                const auto base = types_.base_of(kind.object, kind.is->name);
                const auto count = types_.offset_of(type, kind.is->member.c_str());
                kind.bytes = types_.size_of(kind.object);
                if (!base || !count || kind.bytes == 0 || types_.is_polymorphic(kind.object))
                    continue;
                without_functions_.erase(base->name);
                choose_counts(kind, base->name);
                kind.type = types_.name_of_class(kind.object);
                kind.count_at = base->offset + *count;
                add_self_counted(std::move(kind));
            }
    }

    /// Adds the classes for which the program itself has written how owners are counted, if a
    /// member's name says that it is the count.
    void add_classes_with_own_counts() {
        for (const block_kind& each : classes_) {
            if (!each.is->own_count || uses_.count(each.handle) == 0) continue;
            for (Dwarf_Die type : types_.classes_named(each.is->name)) {
                block_kind kind = each;
                kind.object = type_layouts::argument(type, 0);
                kind.bytes = types_.size_of(kind.object);
                if (kind.bytes == 0 || has_known_base(kind)) continue;
                const auto count = types_.count_of(kind.object);
                if (!count || types_.is_polymorphic(kind.object)) {
                    result_.not_understood.insert(kind.handle->name +
                                                  " of classes with a count of the program's own");
                    continue;
                }
                kind.type = types_.name_of_class(kind.object);
                kind.count_at = *count;
                kind.is_inferred = true;
                add_self_counted(std::move(kind));
            }
        }
    }
    void add_self_counted(block_kind&& kind) {
        result_.self_counted.push_back(static_cast<std::uint32_t>(result_.all.size()));
        result_.all.push_back(std::move(kind));
        functions_.emplace_back();
    }
    bool has_known_base(const block_kind& kind) {
        return std::any_of(classes_.begin(), classes_.end(), [&](const block_kind& each) {
            return each.is->is_base && !each.is->own_count &&
                   types_.base_of(kind.object, each.is->name);
        });
    }

    const program_modules& modules_;
    type_layouts& types_;
    std::vector<block_kind> classes_;
    std::set<std::size_t> bases_;  // of `classes_`, those that the program has
    std::vector<std::string> parts_;
    /// A handle, and how symbols name its namespace and its template.
    struct named_handle {
        std::string around;
        std::string name;
        const known_handle* handle;
    };
    std::vector<named_handle> not_understood_;  // without blocks
    // Templates, as symbols name them, and what has them.
    std::vector<std::pair<std::string, std::string>> unknown_;
    std::vector<named_handle> without_words_;  // some of their blocks no word tells
    std::vector<std::pair<std::string, const known_handle*>> names_without_words_;
    std::set<const known_handle*> uses_;  // of these, those that the program has
    std::map<std::string, const known_handle*> without_functions_;  // bases that no found class has
    std::vector<std::string> functions_;                            // of each kind, by symbol
    std::unordered_map<std::string, std::uint64_t> members_;
    std::set<std::string> ring_types_;
    block_kinds result_;
};

}  // namespace

block_kinds find_block_kinds(const program_modules& modules, type_layouts& types,
                             const std::vector<known_handle>& known) {
    return kind_finder(modules, types, known).find();
}

}  // namespace freehold
