// SPDX-License-Identifier: BSL-1.0
// What debug information says of the parts of classes: members, bases and pointers.
#include "code/debug_attributes.hpp"
#include "owners/type_layouts.hpp"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <string_view>

#include <dwarf.h>

namespace freehold {
namespace {

bool is_static(Dwarf_Die& entry) {
    return dwarf_hasattr(&entry, DW_AT_external) != 0 ||
           dwarf_hasattr(&entry, DW_AT_declaration) != 0;
}

bool is_integer(Dwarf_Die type) {
    Dwarf_Word size = 0;
    if (type.addr == nullptr || dwarf_aggregate_size(&type, &size) != 0 || (size != 4 && size != 8))
        return false;
    if (is_class(type)) return name_of(type).starts_with("atomic");
    const int encoding = number_of(type, DW_AT_encoding);
    return dwarf_tag(&type) == DW_TAG_base_type &&
           (encoding == DW_ATE_signed || encoding == DW_ATE_unsigned);
}

/// Returns the words of a name such as `m_refCount`, in small letters.
std::vector<std::string> words_of(std::string_view name) {
    std::vector<std::string> result(1);
    for (std::size_t i = 0; i != name.size(); ++i) {
        const bool is_large = name[i] >= 'A' && name[i] <= 'Z';
        if (name[i] == '_' || (is_large && i != 0 && (name[i - 1] < 'A' || name[i - 1] > 'Z')))
            result.emplace_back();
        if (name[i] != '_')
            result.back() += static_cast<char>(is_large ? name[i] - 'A' + 'a' : name[i]);
    }
    return result;
}

bool has_word_of(const std::vector<std::string>& words,
                 std::initializer_list<std::string_view> known) {
    return std::any_of(words.begin(), words.end(), [&](const std::string& each) {
        return std::find(known.begin(), known.end(), each) != known.end();
    });
}

}  // namespace

Dwarf_Die type_of(Dwarf_Die entry) {
    Dwarf_Attribute found;
    Dwarf_Die type{};
    for (int i = 0; i != 64; ++i) {
        if (dwarf_attr(&entry, DW_AT_type, &found) == nullptr ||
            dwarf_formref_die(&found, &type) == nullptr)
            return Dwarf_Die{};
        const int tag = dwarf_tag(&type);
        if (tag != DW_TAG_typedef && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type)
            return type;
        entry = type;
    }
    return Dwarf_Die{};
}

std::uint64_t offset_in_parent(Dwarf_Die& entry) {
    Dwarf_Attribute found;
    Dwarf_Word value = 0;
    if (dwarf_attr(&entry, DW_AT_data_member_location, &found) == nullptr ||
        dwarf_formudata(&found, &value) != 0)
        return 0;
    return value;
}

std::vector<Dwarf_Die> parts_of(Dwarf_Die entry) {
    std::vector<Dwarf_Die> result;
    Dwarf_Die child;
    if (dwarf_child(&entry, &child) != 0) return result;
    do {
        const int tag = dwarf_tag(&child);
        if ((tag == DW_TAG_member || tag == DW_TAG_inheritance) && !is_static(child))
            result.push_back(child);
    } while (dwarf_siblingof(&child, &child) == 0);
    return result;
}

std::unique_ptr<type_layouts> type_layouts::with_pointers() const {
    std::unique_ptr<type_layouts> result(new type_layouts(modules_));
    result->handles_ = handles_;
    result->inline_namespaces_ = inline_namespaces_;
    result->unknown_ = unknown_;
    result->follows_pointers_ = true;
    return result;
}

std::optional<type_layouts::base_class> type_layouts::base_of(Dwarf_Die entry,
                                                              const std::string& name, int depth) {
    if (entry.addr == nullptr || depth > deepest) return std::nullopt;
    entry = definition_of(entry);
    Dwarf_Die child;
    if (dwarf_child(&entry, &child) != 0) return std::nullopt;
    do {
        if (dwarf_tag(&child) != DW_TAG_inheritance || number_of(child, DW_AT_virtuality) != 0)
            continue;
        Dwarf_Die type = type_of(child);
        if (type.addr == nullptr) continue;
        const std::uint64_t offset = offset_in_parent(child);
        std::string own = without_inline_namespaces(qualified(type));
        if (without_arguments(own) == name) return base_class{type, offset, std::move(own)};
        if (auto inner = base_of(type, name, depth + 1)) {
            inner->offset += offset;
            return inner;
        }
    } while (dwarf_siblingof(&child, &child) == 0);
    return std::nullopt;
}

bool type_layouts::is_polymorphic(Dwarf_Die entry, int depth) {
    if (entry.addr == nullptr || depth > deepest) return false;
    const std::vector<Dwarf_Die> parts = parts_of(definition_of(entry));
    return std::any_of(parts.begin(), parts.end(), [&](Dwarf_Die part) {
        if (dwarf_tag(&part) == DW_TAG_member) return name_of(part).starts_with("_vptr");
        return number_of(part, DW_AT_virtuality) != 0 || is_polymorphic(type_of(part), depth + 1);
    });
}

std::optional<std::uint64_t> type_layouts::count_of(Dwarf_Die entry) {
    std::vector<std::pair<std::uint64_t, bool>> found;
    add_counts(entry, 0, 0, found);
    const auto is_of_owners = [](const auto& each) { return each.second; };
    // Of `references` and `count`, the first is meant.
    if (std::any_of(found.begin(), found.end(), is_of_owners))
        std::erase_if(found, std::not_fn(is_of_owners));
    return found.size() == 1 ? std::optional(found.front().first) : std::nullopt;
}

void type_layouts::add_counts(Dwarf_Die entry, std::uint64_t at, int depth,
                              std::vector<std::pair<std::uint64_t, bool>>& result) {
    if (entry.addr == nullptr || depth > deepest) return;
    for (Dwarf_Die part : parts_of(definition_of(entry))) {
        const Dwarf_Die type = type_of(part);
        const std::uint64_t offset = at + offset_in_parent(part);
        if (dwarf_tag(&part) == DW_TAG_inheritance) {
            if (number_of(part, DW_AT_virtuality) == 0) add_counts(type, offset, depth + 1, result);
            continue;
        }
        if (!is_integer(type)) continue;
        const std::vector<std::string> words = words_of(name_of(part));
        const bool is_of_owners =
            has_word_of(words, {"ref", "refs", "references", "refcount", "refcounter", "refcnt",
                                "rc", "owners", "uses"});
        if (is_of_owners || has_word_of(words, {"count", "counter", "cnt"}))
            result.emplace_back(offset, is_of_owners);
    }
}

std::set<std::string> type_layouts::names_of_bases(Dwarf_Die entry) {
    std::set<std::string> result;
    std::vector<Dwarf_Die> open = {entry};
    while (!open.empty()) {
        const Dwarf_Die of = open.back();
        open.pop_back();
        for (Dwarf_Die part : parts_of(definition_of(of))) {
            const Dwarf_Die base = type_of(part);
            if (dwarf_tag(&part) == DW_TAG_inheritance && base.addr != nullptr &&
                result.insert(name_of_class(base)).second)
                open.push_back(base);
        }
    }
    return result;
}

std::uint64_t type_layouts::bytes_of(Dwarf_Die entry) {
    Dwarf_Word size = 0;
    return dwarf_aggregate_size(&entry, &size) == 0 ? size : 0;
}

void type_layouts::for_each_class(const std::function<void(Dwarf_Die, const std::string&)>& use) {
    find_definitions();
    for (const auto& [name, entry] : definitions_)
        use(entry, without_inline_namespaces(name.substr(2)));
    modules_.for_each_unit([&](Dwarf_Die unit, Dwfl_Module*, std::uint64_t) {
        use_classes_of_functions(unit, false, use);
    });
}

void type_layouts::use_classes_of_functions(
    Dwarf_Die scope, bool is_in_function,
    const std::function<void(Dwarf_Die, const std::string&)>& use) {
    Dwarf_Die child;
    if (dwarf_child(&scope, &child) != 0) return;
    do {
        switch (dwarf_tag(&child)) {
            case DW_TAG_class_type:
            case DW_TAG_structure_type:
                if (is_in_function && !name_of(child).empty() &&
                    dwarf_hasattr(&child, DW_AT_declaration) == 0)
                    use(child, name_of_class(child));
                use_classes_of_functions(child, is_in_function, use);
                break;
            case DW_TAG_subprogram:
            case DW_TAG_lexical_block:
                use_classes_of_functions(child, true, use);
                break;
            case DW_TAG_namespace:
                use_classes_of_functions(child, is_in_function, use);
                break;
            default:
                break;
        }
    } while (dwarf_siblingof(&child, &child) == 0);
}

std::vector<pointer_word> type_layouts::pointer_words_of(Dwarf_Die entry) {
    std::vector<pointer_word> result;
    add_pointer_words(entry, 0, 0, result);
    return result;
}

void type_layouts::add_pointer_words(Dwarf_Die entry, std::uint64_t at, int depth,
                                     std::vector<pointer_word>& result) {
    constexpr std::size_t most_words = 1000;
    if (entry.addr == nullptr || depth > deepest || result.size() > most_words) return;
    switch (dwarf_tag(&entry)) {
        case DW_TAG_class_type:
        case DW_TAG_structure_type:
        case DW_TAG_union_type:
            for (Dwarf_Die part : parts_of(definition_of(entry)))
                add_pointer_words(type_of(part), at + offset_in_parent(part), depth + 1, result);
            return;
        case DW_TAG_array_type: {
            const Dwarf_Die element = type_of(entry);
            const std::uint64_t size = size_of(element);
            const std::uint64_t all = size_of(entry);
            for (std::uint64_t i = 0; size != 0 && i + size <= all && result.size() < most_words;
                 i += size)
                add_pointer_words(element, at + i, depth + 1, result);
            return;
        }
        case DW_TAG_pointer_type:
        case DW_TAG_reference_type: {
            pointer_word word{at, 0, {}};
            for (Dwarf_Die to = entry; word.steps < deepest;) {
                word.is_to_any = to.addr == nullptr;
                if (word.is_to_any) break;
                const int tag = dwarf_tag(&to);
                if (tag != DW_TAG_pointer_type && tag != DW_TAG_reference_type) {
                    if (is_class(to)) word.pointee = name_of_class(to);
                    break;
                }
                ++word.steps;
                to = type_of(to);
            }
            result.push_back(std::move(word));
            return;
        }
        default:
            return;
    }
}

std::vector<pointer_word> type_layouts::handle_words_of(Dwarf_Die entry) {
    std::vector<pointer_word> result;
    add_handle_words(*layout_of(entry, 0), 0, 0, result);
    return result;
}

void type_layouts::add_handle_words(const type_layout& layout, std::uint64_t at, int depth,
                                    std::vector<pointer_word>& result) {
    if (!layout.holds || depth > deepest) return;
    switch (layout.is) {
        case type_shape::owner:
            result.push_back({at + layout.first, 1, layout.pointee});
            return;
        case type_shape::vector: {
            const bool is_of_handles = layout_of(layout.element, 0)->is == type_shape::owner;
            result.push_back({at + layout.first, is_of_handles ? 2 : 0, {}});
            return;
        }
        case type_shape::tree:
            // libstdc++ has the pointer to the root behind the colour.
            result.push_back(
                {at + layout.first + (layout.is_of_second_library ? 0 : bytes_of_word), 0, {}});
            return;
        case type_shape::hash:
        case type_shape::list:
        case type_shape::forward_list:
        case type_shape::deque:
        case type_shape::unique:
        case type_shape::unique_array:
            result.push_back({at + layout.first, 0, {}});
            return;
        case type_shape::optional:
            add_handle_words(*layout_of(layout.element, 0), at, depth + 1, result);
            return;
        case type_shape::variant:
        case type_shape::record:
            for (const type_layout::member& each : layout.members)
                add_handle_words(*each.type, at + each.offset, depth + 1, result);
            return;
        case type_shape::array: {
            const type_layout& element = *layout_of(layout.element, 0);
            for (std::uint64_t i = 0; i != layout.count; ++i)
                add_handle_words(element, at + i * element.size, depth + 1, result);
            return;
        }
        default:
            return;
    }
}

}  // namespace freehold
