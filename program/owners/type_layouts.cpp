// SPDX-License-Identifier: BSL-1.0
// Offsets of standard containers are those of libstdc++ with its new ABI, and of libc++ with its
// first one.
#include "owners/type_layouts.hpp"

#include "code/debug_attributes.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include <dwarf.h>
#include <fmt/format.h>

namespace freehold {
namespace {

constexpr std::uint64_t word_size = bytes_of_word;

Dwarf_Die without_names(Dwarf_Die type) {
    const int tag = type.addr == nullptr ? 0 : dwarf_tag(&type);
    return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type
               ? type_of(type)
               : type;
}

/// Returns the file in which an entry is declared, or an empty text. elfutils' own function takes
/// number 0 for none, which from version 5 of DWARF on is a file.
std::string file_of_declaration(Dwarf_Die& entry) {
    Dwarf_Files* files = nullptr;
    Dwarf_Die unit;
    if (dwarf_hasattr(&entry, DW_AT_decl_file) == 0 ||
        dwarf_diecu(&entry, &unit, nullptr, nullptr) == nullptr ||
        dwarf_getsrcfiles(&unit, &files, nullptr) != 0)
        return {};
    const auto number = static_cast<std::size_t>(number_of(entry, DW_AT_decl_file));
    const char* const name = dwarf_filesrc(files, number, nullptr, nullptr);
    return name == nullptr || std::strcmp(name, "???") == 0 ? "" : name;
}

/// Whether a class is a lambda's. Most compilers give it no name. clang++ does not describe its
/// function if nothing calls it, but says that it is a class, and not a struct.
bool is_lambda(Dwarf_Die& entry) {
    if (!name_of(entry).empty()) return name_of(entry).starts_with("<lambda");
    if (dwarf_tag(&entry) == DW_TAG_class_type) return true;
    Dwarf_Die child;
    if (dwarf_child(&entry, &child) != 0) return false;
    do
        if (dwarf_tag(&child) == DW_TAG_subprogram && name_of(child) == "operator()") return true;
    while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

/// Returns what a closure is called in reports, or an empty text for other classes.
std::string closure_of(Dwarf_Die& entry) {
    static constexpr std::pair<std::string_view, std::string_view> bound[] = {
        {"_Bind<", "std::bind"},     {"_Bind_result<", "std::bind"},
        {"__bind<", "std::bind"},    {"__bind_r<", "std::bind"},
        {"bind_t<", "boost::bind"},  {"_Bind_front<", "std::bind_front"},
        {"_Mem_fn<", "std::mem_fn"}, {"__bind_front_op<", "std::bind_front"},
    };
    for (const auto& [begin, name] : bound)
        if (name_of(entry).starts_with(begin)) return std::string(name);
    if (!is_lambda(entry)) return {};
    const std::string place = file_and_line(entry);
    return place.empty() ? "a closure" : "a lambda made at " + place;
}

/// Returns the types in the parameter pack of a template.
std::vector<Dwarf_Die> pack_of(Dwarf_Die& entry) {
    std::vector<Dwarf_Die> result;
    Dwarf_Die pack;
    if (dwarf_child(&entry, &pack) != 0) return result;
    do {
        Dwarf_Die child;
        if (dwarf_tag(&pack) != DW_TAG_GNU_template_parameter_pack ||
            dwarf_child(&pack, &child) != 0)
            continue;
        do
            if (dwarf_tag(&child) == DW_TAG_template_type_parameter)
                result.push_back(type_of(child));
        while (dwarf_siblingof(&child, &child) == 0);
    } while (dwarf_siblingof(&pack, &pack) == 0);
    return result;
}

}  // namespace

std::string_view name_of(Dwarf_Die& entry) {
    const char* const name = dwarf_diename(&entry);
    return name == nullptr ? std::string_view() : std::string_view(name);
}

std::string file_and_line(Dwarf_Die& entry) {
    int line = 0;
    const std::string file = file_of_declaration(entry);
    if (file.empty() || dwarf_decl_line(&entry, &line) != 0) return {};
    return fmt::format("{}:{}", std::filesystem::path(file).filename().string(), line);
}

type_layouts::type_layouts(const program_modules& modules, const std::vector<known_handle>& known)
    : modules_(modules) {
    unknown_.is = type_shape::unknown;
    unknown_.holds = true;
    for (const known_handle& each : known) {
        if (!each.blocks) continue;
        for (const std::string& name : each.blocks->owner_handles) handles_[name] = {&each, false};
        for (const std::string& name : each.blocks->weak_handles) handles_[name] = {&each, true};
        for (const std::string& name : each.inline_namespaces)
            if (std::find(inline_namespaces_.begin(), inline_namespaces_.end(), name) ==
                inline_namespaces_.end())
                inline_namespaces_.push_back(name);
    }
}

Dwarf_Die type_layouts::argument(Dwarf_Die& entry, unsigned number) {
    Dwarf_Die child;
    if (dwarf_child(&entry, &child) != 0) return Dwarf_Die{};
    do {
        if (dwarf_tag(&child) != DW_TAG_template_type_parameter) continue;
        if (number-- == 0) return type_of(child);
    } while (dwarf_siblingof(&child, &child) == 0);
    return Dwarf_Die{};
}

Dwarf_Die type_layouts::pointee(Dwarf_Die type) {
    type = without_names(type);
    if (type.addr == nullptr || dwarf_tag(&type) != DW_TAG_pointer_type) return Dwarf_Die{};
    return type_of(type);
}

std::optional<std::uint64_t> type_layouts::offset_of(Dwarf_Die entry, const char* name, int depth) {
    if (entry.addr == nullptr || depth > deepest) return std::nullopt;
    for (Dwarf_Die part : parts_of(definition_of(entry))) {
        const std::uint64_t offset = offset_in_parent(part);
        if (dwarf_tag(&part) == DW_TAG_member && name_of(part) == name) return offset;
        Dwarf_Die type = type_of(part);
        if (type.addr == nullptr || (!is_class(type) && dwarf_tag(&type) != DW_TAG_union_type))
            continue;
        if (const auto inner = offset_of(type, name, depth + 1)) return offset + *inner;
    }
    return std::nullopt;
}

std::optional<type_layouts::pointer_member> type_layouts::pointer_at(Dwarf_Die entry,
                                                                     std::uint64_t offset,
                                                                     int depth) {
    entry = without_names(entry);
    if (entry.addr == nullptr || depth > deepest) return std::nullopt;
    for (Dwarf_Die part : parts_of(definition_of(entry))) {
        const std::uint64_t begin = offset_in_parent(part);
        const Dwarf_Die type = type_of(part);
        if (type.addr == nullptr || offset < begin) continue;
        pointer_member result{pointee(type), {}, 0, {}};
        if (offset != begin || !is_class(result.pointee)) {
            const auto inner = pointer_at(type, offset - begin, depth + 1);
            if (!inner) continue;
            result = *inner;
        }
        if (dwarf_tag(&part) == DW_TAG_inheritance) return result;
        // The members of a handle, as of std::unique_ptr, say nothing.
        const bool is_internal = result.name.starts_with('_');
        result.name = std::string(name_of(part)) +
                      (result.name.empty() || is_internal ? "" : "." + result.name);
        dwarf_decl_line(&part, &result.line);
        result.file = file_of_declaration(part);
        return result;
    }
    return std::nullopt;
}

std::string type_layouts::without_inline_namespaces(std::string name) const {
    for (const std::string& each : inline_namespaces_)
        name = without_namespace(std::move(name), each);
    return name;
}

std::uint64_t type_layouts::size_of(Dwarf_Die type) {
    type = without_names(type);
    if (type.addr == nullptr) return 0;
    return layout_of(type, 0)->size;
}

/// Returns the entry that defines a class, if this one only declares it.
Dwarf_Die type_layouts::definition_of(Dwarf_Die entry) {
    if (dwarf_hasattr(&entry, DW_AT_declaration) == 0) return entry;
    find_definitions();
    const auto found = definitions_.find("::" + qualified(entry));
    return found == definitions_.end() ? entry : found->second;
}

std::vector<Dwarf_Die> type_layouts::classes_named(const std::string& name) {
    find_definitions();
    const std::string last = name.substr(name.rfind(':') + 1) + "<";
    std::vector<Dwarf_Die> result;
    for (const auto& [whole, entry] : definitions_)
        if (whole.find(last) != std::string::npos &&
            without_arguments(without_inline_namespaces(whole.substr(2))) == name)
            result.push_back(entry);
    return result;
}

void type_layouts::find_definitions() {
    if (std::exchange(has_definitions_, true)) return;
    modules_.for_each_unit([this](Dwarf_Die unit, Dwfl_Module*, std::uint64_t) {
        std::vector<std::pair<Dwarf_Die, std::string>> open = {{unit, ""}};
        while (!open.empty()) {
            auto [parent, around] = std::move(open.back());
            open.pop_back();
            Dwarf_Die child;
            if (dwarf_child(&parent, &child) != 0) continue;
            do {
                const int tag = dwarf_tag(&child);
                const bool is_class = tag == DW_TAG_class_type || tag == DW_TAG_structure_type;
                if (!is_class && tag != DW_TAG_namespace) continue;
                const std::string name = around + "::" + std::string(name_of(child));
                if (is_class && dwarf_hasattr(&child, DW_AT_declaration) == 0 &&
                    !name_of(child).empty())
                    definitions_.emplace(name, child);
                open.emplace_back(child, name);
            } while (dwarf_siblingof(&child, &child) == 0);
        }
    });
}

/// Returns the name with those of the namespaces and classes around it.
std::string type_layouts::qualified(Dwarf_Die& entry) {
    std::string result(name_of(entry));
    for (Dwarf_Die scope = modules_.scope_around(entry); scope.addr != nullptr;
         scope = modules_.scope_around(scope)) {
        if (dwarf_tag(&scope) == DW_TAG_union_type) break;
        result = std::string(name_of(scope)) + "::" + result;
    }
    return result;
}

type_layout* type_layouts::layout_of(Dwarf_Die type, int depth) {
    type = without_names(type);
    if (type.addr == nullptr || depth > deepest) return &unknown_;
    const auto [found, is_new] = known_.emplace(type.addr, nullptr);
    if (!is_new) return found->second != nullptr ? found->second : &unknown_;
    layouts_.emplace_back();
    type_layout& result = layouts_.back();
    known_[type.addr] = &result;
    describe(type, result, depth);
    return &result;
}

void type_layouts::describe(Dwarf_Die& entry, type_layout& result, int depth) {
    Dwarf_Word size = 0;
    if (dwarf_aggregate_size(&entry, &size) == 0) result.size = size;
    switch (dwarf_tag(&entry)) {
        case DW_TAG_array_type: {
            result.element = type_of(entry);
            type_layout* const element = layout_of(result.element, depth + 1);
            if (!element->holds || element->size == 0) return;
            result.is = type_shape::array;
            result.holds = true;
            result.count = result.size / element->size;
            return;
        }
        case DW_TAG_union_type: {
            add_members(entry, result, depth);
            result.is = result.holds ? type_shape::unknown : type_shape::plain;
            return;
        }
        case DW_TAG_class_type:
        case DW_TAG_structure_type: {
            Dwarf_Die whole = definition_of(entry);
            if (dwarf_hasattr(&whole, DW_AT_declaration) != 0) {
                result.is = type_shape::unknown;
                result.holds = true;
                return;
            }
            if (dwarf_aggregate_size(&whole, &size) == 0) result.size = size;
            if (describe_special(whole, result, depth)) return;
            result.closure = closure_of(whole);
            add_members(whole, result, depth);
            result.is = result.holds ? type_shape::record : type_shape::plain;
            return;
        }
        case DW_TAG_pointer_type:
        case DW_TAG_reference_type:
        case DW_TAG_rvalue_reference_type: {
            Dwarf_Die to = type_of(entry);
            if (!follows_pointers_ || !is_class(to)) return;
            result.is = type_shape::pointer;
            result.element = to;
            result.holds = true;
            return;
        }
        default:
            return;
    }
}

void type_layouts::add_members(Dwarf_Die& entry, type_layout& result, int depth) {
    for (Dwarf_Die part : parts_of(entry)) {
        const bool is_base = dwarf_tag(&part) == DW_TAG_inheritance;
        // The offset of a virtual base depends on the object. Those of streams hold no handles.
        if (is_base && number_of(part, DW_AT_virtuality) != 0) {
            Dwarf_Die base = type_of(part);
            if (base.addr != nullptr && name_of(base).starts_with("basic_ios<")) continue;
            result.holds = true;
            result.members.push_back({0, &unknown_, {}, 0, {}});
            continue;
        }
        type_layout* const type = layout_of(type_of(part), depth + 1);
        if (!type->holds) continue;
        result.holds = true;
        int line = 0;
        dwarf_decl_line(&part, &line);
        std::string name(is_base ? "" : name_of(part));
        // g++ names what a lambda captures with two underscores before it.
        if (!result.closure.empty() && name.starts_with("__")) name.erase(0, 2);
        result.members.push_back(
            {offset_in_parent(part), type, std::move(name), line, file_of_declaration(part)});
    }
}

/// Handles and classes of the standard library.
bool type_layouts::describe_special(Dwarf_Die& entry, type_layout& result, int depth) {
    const std::string own(name_of(entry));
    const std::string_view base = std::string_view(own).substr(0, own.find('<'));
    const bool may_be_handle =
        std::any_of(handles_.begin(), handles_.end(), [base](const auto& each) {
            return each.first.ends_with(base) &&
                   (each.first.size() == base.size() ||
                    each.first[each.first.size() - base.size() - 1] == ':');
        });
    static constexpr std::pair<std::string_view, type_shape> containers[] = {
        {"unique_ptr", type_shape::unique},  {"vector", type_shape::vector},
        {"list", type_shape::list},          {"forward_list", type_shape::forward_list},
        {"map", type_shape::tree},           {"multimap", type_shape::tree},
        {"set", type_shape::tree},           {"multiset", type_shape::tree},
        {"unordered_map", type_shape::hash}, {"unordered_multimap", type_shape::hash},
        {"unordered_set", type_shape::hash}, {"unordered_multiset", type_shape::hash},
        {"deque", type_shape::deque},        {"function", type_shape::function},
        {"optional", type_shape::optional},  {"basic_string", type_shape::string},
        {"variant", type_shape::variant},    {"any", type_shape::any},
        {"atomic", type_shape::atomic},
    };
    const auto* const container =
        std::find_if(std::begin(containers), std::end(containers),
                     [base](const auto& each) { return each.first == base; });
    if (!may_be_handle && container == std::end(containers)) return false;

    const std::string whole = without_arguments(qualified(entry));
    if (may_be_handle) {
        const auto handle = handles_.find(without_inline_namespaces(whole));
        if (handle != handles_.end() && result.size == handle->second.of->blocks->handle_bytes) {
            const known_blocks& blocks = *handle->second.of->blocks;
            result.is = handle->second.is_weak ? type_shape::weak : type_shape::owner;
            result.first = handle->second.is_weak ? blocks.weak_handle_word : blocks.handle_word;
            result.holds = true;
            Dwarf_Die pointee = argument(entry, 0);
            const bool is_array =
                pointee.addr != nullptr && dwarf_tag(&pointee) == DW_TAG_array_type;
            if (is_array) pointee = type_of(pointee);
            if (pointee.addr != nullptr)
                result.pointee = name_of_class(pointee) + (is_array ? "[]" : "");
            return true;
        }
    }
    if (container == std::end(containers)) return false;
    const bool is_second_library = whole.starts_with("std::__1::");
    if (whole != "std::" + std::string(base) && whole != "std::__cxx11::" + std::string(base) &&
        whole != "std::__1::" + std::string(base))
        return false;
    result.is = container->second;
    result.element = argument(entry, 0);
    const auto holds = [&](Dwarf_Die type) { return layout_of(type, depth + 1)->holds; };
    const auto is_unknown = [&result] {
        result.is = type_shape::unknown;
        result.holds = true;
        return true;
    };
    switch (result.is) {
        case type_shape::unique: {
            Dwarf_Die deleter = argument(entry, 1);
            if (deleter.addr == nullptr || !name_of(deleter).starts_with("default_delete<") ||
                result.size != word_size || result.element.addr == nullptr)
                return is_unknown();
            if (name_of(deleter).ends_with("[]>")) {
                result.element = type_of(result.element);
                result.holds = holds(result.element);
                result.is = result.holds ? type_shape::unique_array : type_shape::plain;
                return true;
            }
            result.holds = true;  // the object's type may be derived, and may contain this one
            return true;
        }
        case type_shape::vector:
            if (result.size != 3 * word_size && result.size != 4 * word_size) return is_unknown();
            result.first = result.size - 3 * word_size;
            result.holds = holds(result.element);
            if (!result.holds) result.is = type_shape::plain;
            return true;
        case type_shape::list:
            if (result.size != 3 * word_size) return is_unknown();
            result.second = 2 * word_size;
            result.holds = holds(result.element);
            if (!result.holds) result.is = type_shape::plain;
            return true;
        case type_shape::tree:
        case type_shape::hash: {
            const bool is_tree = result.is == type_shape::tree;
            Dwarf_Die child;
            Dwarf_Die inner{};
            std::uint64_t offset = 0;
            if (dwarf_child(&entry, &child) == 0) do {
                    const std::string_view name = name_of(child);
                    if (dwarf_tag(&child) == DW_TAG_member &&
                        (name == (is_tree ? "_M_t" : "_M_h") ||
                         name == (is_tree ? "__tree_" : "__table_"))) {
                        inner = type_of(child);
                        offset = offset_in_parent(child);
                    }
                } while (dwarf_siblingof(&child, &child) == 0);
            if (inner.addr == nullptr) return is_unknown();
            inner = definition_of(inner);
            result.element = argument(inner, is_second_library ? 0 : 1);
            if (is_second_library &&
                layout_of(result.element, depth + 1)->is == type_shape::unknown) {
                // From libc++ 21 on, this class of a map is only declared. The map's last argument,
                // the allocator, names the element.
                Dwarf_Die last{};
                unsigned number = 0;
                for (Dwarf_Die each = argument(entry, 0); each.addr != nullptr;
                     each = argument(entry, ++number))
                    last = each;
                result.element = argument(last, 0);
            }
            if (!holds(result.element)) {
                result.is = type_shape::plain;
                return true;
            }
            result.holds = true;
            result.is_of_second_library = is_second_library;
            if (is_second_library) {
                // The first node, the root or the list of nodes, and then their number.
                if (result.size != (is_tree ? 3 : 5) * word_size) return is_unknown();
                result.first = is_tree ? word_size : 2 * word_size;
                result.second = result.first + word_size;
                return true;
            }
            const auto head = offset_of(inner, is_tree ? "_M_header" : "_M_before_begin");
            const auto count = offset_of(inner, is_tree ? "_M_node_count" : "_M_element_count");
            if (!head || !count) return is_unknown();
            result.first = offset + *head;
            result.second = offset + *count;
            return true;
        }
        case type_shape::deque:
            if (result.size != (is_second_library ? 6 : 10) * word_size) return is_unknown();
            result.is_of_second_library = is_second_library;
            result.holds = holds(result.element);
            if (!result.holds) result.is = type_shape::plain;
            return true;
        case type_shape::function:
            if (result.size != (is_second_library ? 6 : 4) * word_size) return is_unknown();
            result.is_of_second_library = is_second_library;
            result.holds = true;
            return true;
        case type_shape::optional: {
            result.holds = holds(result.element);
            const auto mark = offset_of(entry, is_second_library ? "__engaged_" : "_M_engaged");
            if (result.holds && !mark) return is_unknown();
            if (!result.holds) result.is = type_shape::plain;
            result.second = mark.value_or(0);
            return true;
        }
        case type_shape::variant: {
            // All alternatives begin where the variant does.
            for (const Dwarf_Die& each : pack_of(entry)) {
                type_layout* const alternative = layout_of(each, depth + 1);
                result.members.push_back({0, alternative, {}, 0, {}});
                if (alternative->holds) result.holds = true;
            }
            const auto mark = offset_of(entry, is_second_library ? "__index" : "_M_index");
            if (result.members.empty() || (result.holds && !mark)) return is_unknown();
            if (!result.holds) result.is = type_shape::plain;
            result.second = mark.value_or(0);
            return true;
        }
        case type_shape::any:
            result.holds = true;
            return true;
        case type_shape::atomic: {
            const type_layout* const element = layout_of(result.element, depth + 1);
            if (!element->holds) {
                result.is = type_shape::plain;
                return true;
            }
            const bool is_handle =
                element->is == type_shape::owner || element->is == type_shape::weak;
            if (!is_handle || element->size != result.size) return is_unknown();
            result.is = element->is;
            result.first = element->first;
            result.pointee = element->pointee;
            result.holds = true;
            return true;
        }
        case type_shape::string:
            result.is = type_shape::plain;
            return true;
        case type_shape::forward_list:
            if (result.size != word_size) return is_unknown();
            result.holds = holds(result.element);
            if (!result.holds) result.is = type_shape::plain;
            return true;
        default:
            return is_unknown();
    }
}

}  // namespace freehold
