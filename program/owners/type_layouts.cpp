// SPDX-License-Identifier: BSL-1.0
// Offsets of standard containers are those of libstdc++ with its new ABI, and of libc++ with its
// first one. A container whose content does not fit its layout is left out as a whole: its thread
// may have been stopped while it changed it.
#include "owners/type_layouts.hpp"

#include "code/debug_entries.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <tuple>

#include <dwarf.h>
#include <fmt/format.h>

namespace freehold {
namespace {

constexpr std::uint64_t word_size = bytes_of_word;
constexpr int deepest = 24;

std::string_view name_of(Dwarf_Die& entry) {
    const char* const name = dwarf_diename(&entry);
    return name == nullptr ? std::string_view() : std::string_view(name);
}

/// Returns the type of an entry, without typedefs and qualifiers.
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

Dwarf_Die without_names(Dwarf_Die type) {
    const int tag = type.addr == nullptr ? 0 : dwarf_tag(&type);
    return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type
               ? type_of(type)
               : type;
}

std::uint64_t offset_in_parent(Dwarf_Die& entry) {
    Dwarf_Attribute found;
    Dwarf_Word value = 0;
    if (dwarf_attr(&entry, DW_AT_data_member_location, &found) == nullptr ||
        dwarf_formudata(&found, &value) != 0)
        return 0;
    return value;
}

bool is_static(Dwarf_Die& entry) {
    return dwarf_hasattr(&entry, DW_AT_external) != 0 ||
           dwarf_hasattr(&entry, DW_AT_declaration) != 0;
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

std::string file_and_line(Dwarf_Die& entry) {
    int line = 0;
    const std::string file = file_of_declaration(entry);
    if (file.empty() || dwarf_decl_line(&entry, &line) != 0) return {};
    return fmt::format("{}:{}", std::filesystem::path(file).filename().string(), line);
}

}  // namespace

bool held_by::operator<(const held_by& other) const {
    return std::tie(type, member, line, file, in_container, closure) <
           std::tie(other.type, other.member, other.line, other.file, other.in_container,
                    other.closure);
}

std::uint32_t object_content::way_of(std::uint64_t word) const {
    const auto found = std::lower_bound(
        handles.begin(), handles.end(), word,
        [](const handle& each, std::uint64_t address) { return each.word < address; });
    return found == handles.end() || found->word != word ? no_number : found->way;
}

/// The way from the object to what is walked: the last step of it. All steps are on the stack.
struct type_layouts::step {
    const step* before = nullptr;
    const std::string* type = nullptr;  // of the object; only of the first step
    const member* through = nullptr;
    const std::string* closure = nullptr;
    bool in_container = false;
    int objects = 0;  // through which the way went by std::unique_ptr
    mutable std::uint32_t number = no_number;

    [[nodiscard]] step next() const {
        step result;
        result.before = this;
        result.objects = objects;
        return result;
    }
    [[nodiscard]] step to(const member& next_member) const {
        step result = next();
        result.through = &next_member;
        return result;
    }
    [[nodiscard]] step element() const {
        step result = next();
        result.in_container = true;
        return result;
    }

    [[nodiscard]] held_by way() const {
        held_by result = before == nullptr ? held_by{} : before->way();
        if (type != nullptr) result.type = *type;
        if (in_container) result.in_container = true;
        if (closure != nullptr) result.closure = *closure;
        if (through == nullptr) return result;
        if (result.member.empty() && through->line != 0) {
            result.line = through->line;
            result.file = through->file;
        }
        std::string_view name = through->name;
        // g++ names what a closure captures with two underscores before it.
        if (name.starts_with("__")) name.remove_prefix(2);
        constexpr std::size_t longest = 80;
        if (!name.empty() && result.member.size() < longest) {
            if (!result.member.empty()) result.member += ".";
            result.member += name;
        }
        return result;
    }
};

type_layouts::type_layouts(const memory_image& image, const glibc_heap& heap,
                           const program_modules& modules, const std::vector<known_handle>& known)
    : image_(image), heap_(heap), modules_(modules) {
    unknown_.is = shape::unknown;
    unknown_.holds = true;
    for (const known_handle& each : known) {
        if (!each.blocks) continue;
        for (const std::string& name : each.blocks->owner_handles)
            handles_[name] = {false, each.blocks->handle_word};
        for (const std::string& name : each.blocks->weak_handles)
            handles_[name] = {true, each.blocks->handle_word};
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
    if (entry.addr == nullptr || depth > 8) return std::nullopt;
    entry = definition_of(entry);
    Dwarf_Die child;
    if (dwarf_child(&entry, &child) != 0) return std::nullopt;
    do {
        const int tag = dwarf_tag(&child);
        if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || is_static(child)) continue;
        const std::uint64_t offset = offset_in_parent(child);
        if (tag == DW_TAG_member && name_of(child) == name) return offset;
        Dwarf_Die type = type_of(child);
        if (type.addr == nullptr) continue;
        const int of = dwarf_tag(&type);
        if (of != DW_TAG_class_type && of != DW_TAG_structure_type && of != DW_TAG_union_type)
            continue;
        if (const auto inner = offset_of(type, name, depth + 1)) return offset + *inner;
    } while (dwarf_siblingof(&child, &child) == 0);
    return std::nullopt;
}

std::uint64_t type_layouts::size_of(Dwarf_Die type) {
    type = without_names(type);
    if (type.addr == nullptr) return 0;
    return layout_of(type, 0)->size;
}

/// Returns the entry that defines a class, if this one only declares it.
Dwarf_Die type_layouts::definition_of(Dwarf_Die entry) {
    if (dwarf_hasattr(&entry, DW_AT_declaration) == 0) return entry;
    if (!has_definitions_) {
        has_definitions_ = true;
        for (Dwfl_Module* const module : modules_.all()) {
            Dwarf_Addr bias = 0;
            Dwarf* const file = dwfl_module_getdwarf(module, &bias);
            Dwarf_CU* unit = nullptr;
            Dwarf_Die top;
            while (file != nullptr &&
                   dwarf_get_units(file, unit, &unit, nullptr, nullptr, &top, nullptr) == 0) {
                std::vector<std::pair<Dwarf_Die, std::string>> open = {{top, ""}};
                while (!open.empty()) {
                    auto [parent, around] = std::move(open.back());
                    open.pop_back();
                    Dwarf_Die child;
                    if (dwarf_child(&parent, &child) != 0) continue;
                    do {
                        const int tag = dwarf_tag(&child);
                        const bool is_class =
                            tag == DW_TAG_class_type || tag == DW_TAG_structure_type;
                        if (!is_class && tag != DW_TAG_namespace) continue;
                        const std::string name = around + "::" + std::string(name_of(child));
                        if (is_class && dwarf_hasattr(&child, DW_AT_declaration) == 0 &&
                            !name_of(child).empty())
                            definitions_.emplace(name, child);
                        open.emplace_back(child, name);
                    } while (dwarf_siblingof(&child, &child) == 0);
                }
            }
        }
    }
    const auto found = definitions_.find("::" + qualified(entry));
    return found == definitions_.end() ? entry : found->second;
}

/// Returns the name with those of the namespaces and classes around it.
std::string type_layouts::qualified(Dwarf_Die& entry) {
    Dwarf_Die* scopes = nullptr;
    const int count = dwarf_getscopes_die(&entry, &scopes);
    std::string result(name_of(entry));
    for (int i = 1; i < count; ++i) {
        const int tag = dwarf_tag(&scopes[i]);
        if (tag != DW_TAG_namespace && tag != DW_TAG_class_type && tag != DW_TAG_structure_type)
            break;
        result = std::string(name_of(scopes[i])) + "::" + result;
    }
    std::free(scopes);
    return result;
}

type_layouts::layout* type_layouts::layout_of(Dwarf_Die type, int depth) {
    type = without_names(type);
    if (type.addr == nullptr || depth > deepest) return &unknown_;
    const auto [found, is_new] = known_.emplace(type.addr, nullptr);
    if (!is_new) return found->second != nullptr ? found->second : &unknown_;
    layouts_.emplace_back();
    layout& result = layouts_.back();
    known_[type.addr] = &result;
    describe(type, result, depth);
    return &result;
}

void type_layouts::describe(Dwarf_Die& entry, layout& result, int depth) {
    Dwarf_Word size = 0;
    if (dwarf_aggregate_size(&entry, &size) == 0) result.size = size;
    switch (dwarf_tag(&entry)) {
        case DW_TAG_array_type: {
            result.element = type_of(entry);
            layout* const element = layout_of(result.element, depth + 1);
            if (!element->holds || element->size == 0) return;
            result.is = shape::array;
            result.holds = true;
            result.count = result.size / element->size;
            return;
        }
        case DW_TAG_union_type: {
            add_members(entry, result, depth);
            result.is = result.holds ? shape::unknown : shape::plain;
            return;
        }
        case DW_TAG_class_type:
        case DW_TAG_structure_type: {
            Dwarf_Die whole = definition_of(entry);
            if (dwarf_hasattr(&whole, DW_AT_declaration) != 0) {
                result.is = shape::unknown;
                result.holds = true;
                return;
            }
            if (dwarf_aggregate_size(&whole, &size) == 0) result.size = size;
            if (describe_special(whole, result, depth)) return;
            add_members(whole, result, depth);
            result.is = result.holds ? shape::record : shape::plain;
            return;
        }
        default:
            return;
    }
}

void type_layouts::add_members(Dwarf_Die& entry, layout& result, int depth) {
    Dwarf_Die child;
    if (dwarf_child(&entry, &child) != 0) return;
    do {
        const int tag = dwarf_tag(&child);
        if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || is_static(child)) continue;
        // The offset of a virtual base depends on the object.
        if (tag == DW_TAG_inheritance && number_of(child, DW_AT_virtuality) != 0) {
            result.holds = true;
            continue;
        }
        layout* const type = layout_of(type_of(child), depth + 1);
        if (!type->holds) continue;
        result.holds = true;
        int line = 0;
        dwarf_decl_line(&child, &line);
        result.members.push_back({offset_in_parent(child), type,
                                  tag == DW_TAG_member ? std::string(name_of(child)) : "", line,
                                  file_of_declaration(child)});
    } while (dwarf_siblingof(&child, &child) == 0);
}

/// Handles and classes of the standard library.
bool type_layouts::describe_special(Dwarf_Die& entry, layout& result, int depth) {
    const std::string own(name_of(entry));
    const std::string_view base = std::string_view(own).substr(0, own.find('<'));
    const bool may_be_handle =
        std::any_of(handles_.begin(), handles_.end(), [base](const auto& each) {
            return each.first.size() > base.size() && each.first.ends_with(base) &&
                   each.first[each.first.size() - base.size() - 1] == ':';
        });
    static constexpr std::pair<std::string_view, shape> containers[] = {
        {"unique_ptr", shape::unique},  {"vector", shape::vector},
        {"list", shape::list},          {"forward_list", shape::forward_list},
        {"map", shape::tree},           {"multimap", shape::tree},
        {"set", shape::tree},           {"multiset", shape::tree},
        {"unordered_map", shape::hash}, {"unordered_multimap", shape::hash},
        {"unordered_set", shape::hash}, {"unordered_multiset", shape::hash},
        {"deque", shape::deque},        {"function", shape::function},
        {"optional", shape::optional},  {"basic_string", shape::string},
    };
    const auto* const container =
        std::find_if(std::begin(containers), std::end(containers),
                     [base](const auto& each) { return each.first == base; });
    if (!may_be_handle && container == std::end(containers)) return false;

    const std::string whole = without_arguments(qualified(entry));
    if (may_be_handle) {
        const auto handle = handles_.find(without_namespace(whole, "freehold::abi"));
        if (handle != handles_.end() && result.size == 2 * word_size) {
            result.is = handle->second.first ? shape::weak : shape::owner;
            result.first = handle->second.second;
            result.holds = true;
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
        result.is = shape::unknown;
        result.holds = true;
        return true;
    };
    switch (result.is) {
        case shape::unique: {
            Dwarf_Die deleter = argument(entry, 1);
            if (deleter.addr == nullptr || !name_of(deleter).starts_with("default_delete<") ||
                result.size != word_size || result.element.addr == nullptr ||
                name_of(deleter).ends_with("[]>"))
                return is_unknown();
            result.holds = true;  // the object's type may be derived, and may contain this one
            return true;
        }
        case shape::vector:
            if (result.size != 3 * word_size && result.size != 4 * word_size) return is_unknown();
            result.first = result.size - 3 * word_size;
            result.holds = holds(result.element);
            if (!result.holds) result.is = shape::plain;
            return true;
        case shape::list:
            if (result.size != 3 * word_size) return is_unknown();
            result.second = 2 * word_size;
            result.holds = holds(result.element);
            if (!result.holds) result.is = shape::plain;
            return true;
        case shape::tree:
        case shape::hash: {
            const bool is_tree = result.is == shape::tree;
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
            if (!holds(result.element)) {
                result.is = shape::plain;
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
        case shape::deque:
            if (is_second_library || result.size != 10 * word_size) return is_unknown();
            result.holds = holds(result.element);
            if (!result.holds) result.is = shape::plain;
            return true;
        case shape::function:
            if (result.size != (is_second_library ? 6 : 4) * word_size) return is_unknown();
            result.is_of_second_library = is_second_library;
            result.holds = true;
            return true;
        case shape::optional: {
            result.holds = holds(result.element);
            const auto mark = offset_of(entry, is_second_library ? "__engaged_" : "_M_engaged");
            if (result.holds && !mark) return is_unknown();
            if (!result.holds) result.is = shape::plain;
            result.second = mark.value_or(0);
            return true;
        }
        case shape::string:
            result.is = shape::plain;
            return true;
        case shape::forward_list:
            if (result.size != word_size) return is_unknown();
            result.holds = holds(result.element);
            if (!result.holds) result.is = shape::plain;
            return true;
        default:
            return is_unknown();
    }
}

void type_layouts::add_content(Dwarf_Die type, const std::string& name, std::uint64_t address,
                               object_content& result) {
    layout* const found = layout_of(type, 0);
    if (!found->holds) return;
    step begin;
    begin.type = &name;
    walk(found, address, begin, result);
}

std::uint32_t type_layouts::way_of(const step& last, const object_content& result) {
    if (!result.wants_ways || last.number != no_number) return last.number;
    const held_by way = last.way();
    const auto [found, is_new] =
        way_numbers_.emplace(way, static_cast<std::uint32_t>(ways_.size()));
    if (is_new) ways_.push_back(way);
    return last.number = found->second;
}

void type_layouts::walk(layout* type, std::uint64_t address, const step& way,
                        object_content& result) {
    if (!type->holds) return;
    switch (type->is) {
        case shape::record:
            for (const member& each : type->members)
                walk(each.type, address + each.offset, way.to(each), result);
            return;
        case shape::array: {
            layout* const element = layout_of(type->element, 0);
            const step inner = way.element();
            for (std::uint64_t i = 0; i != type->count; ++i)
                walk(element, address + i * element->size, inner, result);
            return;
        }
        case shape::owner:
        case shape::weak:
            if (image_.word(address + type->first).value_or(0) != 0)
                result.handles.push_back(
                    {address + type->first, type->is == shape::weak, way_of(way, result)});
            return;
        case shape::unique:
            return walk_unique(type, address, way, result);
        case shape::vector:
            return walk_vector(type, address, way, result);
        case shape::list:
        case shape::forward_list:
            return walk_list(type, address, way, result);
        case shape::tree:
            return walk_tree(type, address, way, result);
        case shape::hash:
            return walk_hash(type, address, way, result);
        case shape::deque:
            return walk_deque(type, address, way, result);
        case shape::function:
            if (type->is_of_second_library) return walk_function_object(address, way, result);
            return walk_function(address, way, result);
        case shape::optional: {
            layout* const element = layout_of(type->element, 0);
            const auto mark = image_.mark(address + type->second);
            if (!mark)
                result.is_whole = false;
            else if (*mark != 0)
                walk(element, address, way, result);
            else
                result.no_handles.push_back({address, address + element->size});
            return;
        }
        case shape::unknown:
            result.is_whole = false;
            return;
        case shape::plain:
        case shape::string:
            return;
    }
}

void type_layouts::walk_unique(layout* type, std::uint64_t address, const step& way,
                               object_content& result) {
    const std::uint64_t object = image_.word(address).value_or(0);
    if (object == 0 || !heap_.chunks.begins_at(object)) return;
    // A long list of such pointers would need a deep stack.
    constexpr int most_objects = 100;
    constexpr std::size_t most_chunks = 1'000'000;
    if (way.objects > most_objects || result.chunks.size() > most_chunks) return;
    layout* const element = layout_of(type->element, 0);
    add_chunk(object, element->size, result);
    step inner = way.next();
    ++inner.objects;
    walk(element, object, inner, result);
}

void type_layouts::walk_vector(layout* type, std::uint64_t address, const step& way,
                               object_content& result) {
    layout* const element = layout_of(type->element, 0);
    const step inner = way.element();
    const std::uint64_t begin = image_.word(address + type->first).value_or(0);
    const std::uint64_t end = image_.word(address + type->first + word_size).value_or(0);
    if (begin == 0 || element->size == 0) return;
    const heap_chunk chunk = heap_.chunks.from(begin);
    if (!chunk) return;
    const std::uint64_t limit = image_.word(address + type->first + 2 * word_size).value_or(0);
    if (end < begin || end > limit || (end - begin) % element->size != 0 || limit > chunk.end)
        return;
    add_chunk(begin, limit - begin, result);
    result.no_handles.push_back({end, limit});
    for (std::uint64_t each = begin; each != end; each += element->size)
        walk(element, each, inner, result);
}

/// Adds what the element in a node holds, and the node.
void type_layouts::add_element(layout* type, std::uint64_t node, std::uint64_t offset,
                               const step& way, object_content& result) {
    add_chunk(node, offset + type->size, result);
    walk(type, node + offset, way, result);
}

/// Adds the chunk that begins at an address if malloc gave it for so many bytes. Otherwise it is
/// the memory of a pool, of which other objects have parts.
void type_layouts::add_chunk(std::uint64_t address, std::uint64_t bytes,
                             object_content& result) const {
    if (is_for(heap_.chunks.from(address), bytes)) result.chunks.push_back(address);
}

void type_layouts::walk_list(layout* type, std::uint64_t address, const step& way,
                             object_content& result) {
    layout* const element = layout_of(type->element, 0);
    const step inner = way.element();
    const bool is_double = type->is == shape::list;
    const std::uint64_t end = is_double ? address : 0;
    std::vector<std::uint64_t> nodes;
    std::uint64_t node = image_.word(address).value_or(0);
    const std::uint64_t most =
        is_double ? image_.word(address + type->second).value_or(0) : heap_.chunks.size();
    while (node != end && nodes.size() <= most && heap_.chunks.begins_at(node)) {
        nodes.push_back(node);
        node = image_.word(node).value_or(0);
    }
    if (node != end || (is_double && nodes.size() != most)) return;
    for (const std::uint64_t each : nodes)
        add_element(element, each, is_double ? 2 * word_size : word_size, inner, result);
}

void type_layouts::walk_tree(layout* type, std::uint64_t address, const step& way,
                             object_content& result) {
    layout* const element = layout_of(type->element, 0);
    const step inner = way.element();
    const std::uint64_t count = image_.word(address + type->second).value_or(0);
    std::vector<std::uint64_t> nodes;
    const bool is_second = type->is_of_second_library;
    const std::uint64_t root = type->first + (is_second ? 0 : word_size);
    // libstdc++'s nodes begin with their colour and parent, those of libc++ end with these.
    const std::uint64_t left = is_second ? 0 : 2 * word_size;
    std::vector<std::uint64_t> open = {image_.word(address + root).value_or(0)};
    while (!open.empty()) {
        const std::uint64_t node = open.back();
        open.pop_back();
        if (node == 0) continue;
        if (!heap_.chunks.begins_at(node) || nodes.size() == count) return;
        nodes.push_back(node);
        open.push_back(image_.word(node + left).value_or(0));
        open.push_back(image_.word(node + left + word_size).value_or(0));
    }
    if (nodes.size() != count) return;
    for (const std::uint64_t each : nodes) add_element(element, each, 4 * word_size, inner, result);
}

void type_layouts::walk_hash(layout* type, std::uint64_t address, const step& way,
                             object_content& result) {
    layout* const element = layout_of(type->element, 0);
    const step inner = way.element();
    const std::uint64_t count = image_.word(address + type->second).value_or(0);
    std::vector<std::uint64_t> nodes;
    std::uint64_t node = image_.word(address + type->first).value_or(0);
    while (node != 0 && nodes.size() != count && heap_.chunks.begins_at(node)) {
        nodes.push_back(node);
        node = image_.word(node).value_or(0);
    }
    if (node != 0 || nodes.size() != count) return;
    // libc++ keeps the hash before the element.
    const std::uint64_t offset = type->is_of_second_library ? 2 * word_size : word_size;
    for (const std::uint64_t each : nodes) add_element(element, each, offset, inner, result);
}

void type_layouts::walk_deque(layout* type, std::uint64_t address, const step& way,
                              object_content& result) {
    constexpr std::uint64_t bytes_of_node = 512;
    layout* const element = layout_of(type->element, 0);
    const step inner = way.element();
    if (element->size == 0) return;
    const auto at = [&](std::uint64_t index) {
        return image_.word(address + index * word_size).value_or(0);
    };
    const std::uint64_t map = at(0);
    const std::uint64_t first = at(2);
    const std::uint64_t first_node = at(5);
    const std::uint64_t last = at(6);
    const std::uint64_t last_node = at(9);
    if (map == 0 || !heap_.chunks.begins_at(map) || first_node > last_node) return;
    const std::uint64_t in_node = element->size < bytes_of_node
                                      ? bytes_of_node / element->size * element->size
                                      : element->size;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> parts;
    std::vector<std::uint64_t> nodes;
    std::vector<memory_range> unused;
    for (std::uint64_t place = first_node; place <= last_node; place += word_size) {
        const std::uint64_t node = image_.word(place).value_or(0);
        if (!heap_.chunks.begins_at(node)) return;
        nodes.push_back(node);
        const std::uint64_t begin = place == first_node ? first : node;
        const std::uint64_t end = place == last_node ? last : node + in_node;
        if (begin < node || end > node + in_node || begin > end ||
            (end - begin) % element->size != 0)
            return;
        parts.emplace_back(begin, end);
        unused.push_back({node, begin});
        unused.push_back({end, node + in_node});
    }
    result.no_handles.insert(result.no_handles.end(), unused.begin(), unused.end());
    add_chunk(map, at(1) * word_size, result);
    for (const std::uint64_t each : nodes) add_chunk(each, in_node, result);
    for (const auto& [begin, end] : parts)
        for (std::uint64_t each = begin; each != end; each += element->size)
            walk(element, each, inner, result);
}

/// A closure with handles is not copied as bytes, so that std::function keeps it in a chunk of its
/// own.
void type_layouts::walk_function(std::uint64_t address, const step& way, object_content& result) {
    const std::uint64_t manager = image_.word(address + 2 * word_size).value_or(0);
    if (manager == 0) {
        result.no_handles.push_back({address, address + 2 * word_size});
        return;
    }
    const auto [found, is_new] = closures_.emplace(manager, Dwarf_Die{});
    if (is_new) {
        Dwarf_Die manages = modules_.class_of_function(manager);
        if (manages.addr != nullptr) {
            // `_Function_handler<R (Args...), Functor>` and `_Base_manager<Functor>`
            const bool is_base = name_of(manages).starts_with("_Base_manager<");
            found->second = argument(manages, is_base ? 0 : 1);
        }
    }
    if (found->second.addr == nullptr) {
        result.is_whole = false;
        return;
    }
    Dwarf_Die closure = found->second;
    layout* const type = layout_of(closure, 0);
    if (!type->holds) return;
    const std::uint64_t object = image_.word(address).value_or(0);
    if (object == 0 || !heap_.chunks.begins_at(object)) return;
    add_chunk(object, type->size, result);
    walk_closure(closure, type, object, way, result);
}

/// libc++ keeps a closure in an object with virtual functions, in the std::function or in a chunk.
void type_layouts::walk_function_object(std::uint64_t address, const step& way,
                                        object_content& result) {
    const std::uint64_t object = image_.word(address + 4 * word_size).value_or(0);
    if (object == 0) {
        result.no_handles.push_back({address, address + 4 * word_size});
        return;
    }
    const std::uint64_t table = image_.word(object).value_or(0);
    const auto [found, is_new] = closures_.emplace(table, Dwarf_Die{});
    if (is_new)
        if (const std::uint64_t function =
                modules_.function_of_class(table, "18destroy_deallocateEv")) {
            Dwarf_Die keeps = modules_.class_of_function(function);
            if (keeps.addr != nullptr && name_of(keeps).starts_with("__func<"))
                found->second = argument(keeps, 0);
        }
    if (found->second.addr == nullptr) {
        result.is_whole = false;
        return;
    }
    Dwarf_Die closure = found->second;
    layout* const type = layout_of(closure, 0);
    if (!type->holds) return;
    if (object != address) add_chunk(object, word_size + type->size, result);
    walk_closure(closure, type, object + word_size, way, result);
}

void type_layouts::walk_closure(Dwarf_Die closure, layout* type, std::uint64_t address,
                                const step& way, object_content& result) {
    step inner = way.next();
    std::string name;
    if (result.wants_ways) {
        const std::string place = file_and_line(closure);
        name = place.empty() ? "a closure" : "a lambda made at " + place;
        inner.closure = &name;
    }
    walk(type, address, inner, result);
}

}  // namespace freehold
