// SPDX-License-Identifier: BSL-1.0
// A container whose content does not fit its layout is left out as a whole: its thread may have
// been stopped while it changed it.
#include "owners/object_walker.hpp"

#include "owners/block_counts.hpp"

#include <algorithm>
#include <string_view>

namespace freehold {
namespace {

constexpr std::uint64_t word_size = bytes_of_word;

}  // namespace

std::uint32_t object_content::way_of(std::uint64_t word) const {
    const auto found = std::lower_bound(
        handles.begin(), handles.end(), word,
        [](const handle& each, std::uint64_t address) { return each.word < address; });
    return found == handles.end() || found->word != word ? no_number : found->way;
}

/// The way from the object to what is walked: the last step of it. All steps are on the stack.
struct object_walker::step {
    const step* before = nullptr;
    const std::string* type = nullptr;  // of the object; only of the first step
    const type_layout::member* through = nullptr;
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
    [[nodiscard]] step to(const type_layout::member& next_member) const {
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
        const std::string& name = through->name;
        // The standard library's own members, as those of std::tuple, say nothing.
        const bool is_internal = name.starts_with("_M_") || name.starts_with("__");
        constexpr std::size_t longest = 80;
        if (name.empty() || result.member.size() >= longest) return result;
        if (result.member.empty())
            result.member = name;
        else if (!is_internal)
            result.member += "." + name;
        return result;
    }
};

void object_walker::add_content(Dwarf_Die type, const std::string& name, std::uint64_t address,
                                object_content& result) {
    const type_layout* const found = types_.of(type);
    if (!found->holds) return;
    step begin;
    begin.type = &name;
    walk(found, address, begin, result);
}

void object_walker::add_content_of(const block_kind& kind, Dwarf_Die type, std::uint64_t block,
                                   std::uint64_t object, object_content& result) {
    if (kind.element == 0) return add_content(type, kind.type, object, result);
    const type_layout* const found = types_.of(type);
    if (!found->holds) return;
    step begin;
    begin.type = &kind.type;
    begin.in_container = true;
    const std::uint64_t number = elements_at(image_, block, kind);
    for (std::uint64_t i = 0; i != number; ++i)
        walk(found, object + i * kind.element, begin, result);
}

std::uint32_t object_walker::way_of(const step& last, const object_content& result) {
    if (!result.wants_ways || last.number != no_number) return last.number;
    std::uint32_t* const known = known_number_of(last);
    if (known == nullptr) return last.number = number_of(last.way());
    if (*known == no_number) *known = number_of(last.way());
    return last.number = *known;
}

/// Returns where the number of a way is kept, or null if a closure is on it.
std::uint32_t* object_walker::known_number_of(const step& last) {
    const std::uint32_t number = number_of_step(last);
    return number == no_number ? nullptr : &ways_of_steps_[number];
}

/// Returns no_number if a closure is on the way to the step, whose name may not be kept.
std::uint32_t object_walker::number_of_step(const step& last) {
    if (last.closure != nullptr) return no_number;
    const std::uint32_t before =
        last.before == nullptr ? number_of_first_step(*last.type) : number_of_step(*last.before);
    if (before == no_number) return no_number;
    const auto [found, is_new] = steps_.emplace(step_key{before, last.through, last.in_container},
                                                static_cast<std::uint32_t>(ways_of_steps_.size()));
    if (is_new) ways_of_steps_.push_back(no_number);
    return found->second;
}

std::uint32_t object_walker::number_of_first_step(const std::string& type) {
    const auto [found, is_new] =
        first_steps_.emplace(type, static_cast<std::uint32_t>(ways_of_steps_.size()));
    if (is_new) ways_of_steps_.push_back(no_number);
    return found->second;
}

std::uint32_t object_walker::number_of(const held_by& way) {
    const auto [found, is_new] =
        way_numbers_.emplace(way, static_cast<std::uint32_t>(ways_.size()));
    if (is_new) ways_.push_back(way);
    return found->second;
}

void object_walker::walk(const type_layout* type, std::uint64_t address, const step& way,
                         object_content& result) {
    if (!type->holds) return;
    switch (type->is) {
        case type_shape::record:
            return walk_record(type, address, way, result);
        case type_shape::array: {
            const type_layout* const element = types_.of(type->element);
            const step inner = way.element();
            for (std::uint64_t i = 0; i != type->count; ++i)
                walk(element, address + i * element->size, inner, result);
            return;
        }
        case type_shape::owner:
        case type_shape::weak:
            if (result.only_word != 0 && result.only_word != address + type->first) return;
            if (image_.word_or_zero(address + type->first) != 0) {
                const object_content::handle found{
                    address + type->first, type->is == type_shape::weak, way_of(way, result), type};
                if (result.use_handle != nullptr)
                    (*result.use_handle)(found);
                else
                    result.handles.push_back(found);
            }
            return;
        case type_shape::unique:
            return walk_unique(type, address, way, result);
        case type_shape::unique_array:
            return walk_unique_array(type, address, way, result);
        case type_shape::vector:
            return walk_vector(type, address, way, result);
        case type_shape::list:
        case type_shape::forward_list:
            return walk_list(type, address, way, result);
        case type_shape::tree:
            return walk_tree(type, address, way, result);
        case type_shape::hash:
            return walk_hash(type, address, way, result);
        case type_shape::deque:
            if (type->is_of_second_library) return walk_second_deque(type, address, way, result);
            return walk_deque(type, address, way, result);
        case type_shape::variant:
            return walk_variant(type, address, way, result);
        case type_shape::any:
            return walk_any(address, type->size, way, result);
        case type_shape::function:
            if (type->is_of_second_library) return walk_function_object(address, way, result);
            return walk_function(address, way, result);
        case type_shape::optional: {
            const type_layout* const element = types_.of(type->element);
            const auto mark = image_.mark(address + type->second);
            if (!mark)
                result.is_whole = false;
            else if (*mark != 0)
                walk(element, address, way, result);
            else
                result.add_no_handles({address, address + element->size});
            return;
        }
        case type_shape::unknown:
            result.is_whole = false;
            return;
        case type_shape::pointer:
            if (const std::uint64_t to = image_.word_or_zero(address); to != 0)
                result.add_pointer({to, type->element});
            return;
        case type_shape::plain:
        case type_shape::atomic:
        case type_shape::string:
            return;
    }
}

void object_walker::walk_record(const type_layout* type, std::uint64_t address, const step& way,
                                object_content& result) {
    step closure;
    if (!type->closure.empty()) {
        closure = way.next();
        closure.closure = &type->closure;
    }
    const step& from = type->closure.empty() ? way : closure;
    for (const type_layout::member& each : type->members)
        walk(each.type, address + each.offset, from.to(each), result);
}

void object_walker::walk_unique(const type_layout* type, std::uint64_t address, const step& way,
                                object_content& result) {
    const std::uint64_t object = image_.word_or_zero(address);
    if (object == 0 || !heap_.chunks.begins_at(object)) return;
    // A long list of such pointers would need a deep stack.
    constexpr int most_objects = 100;
    constexpr std::size_t most_chunks = 1'000'000;
    if (way.objects > most_objects || result.chunks.size() + result.given_chunks > most_chunks)
        return;
    const type_layout* const element = types_.of(type->element);
    add_chunk(object, element->size, result);
    step inner = way.next();
    ++inner.objects;
    walk(element, object, inner, result);
}

/// `new` keeps the number of elements before an array of objects that have a destructor.
void object_walker::walk_unique_array(const type_layout* type, std::uint64_t address,
                                      const step& way, object_content& result) {
    const std::uint64_t array = image_.word_or_zero(address);
    if (array == 0) return;
    const type_layout* const element = types_.of(type->element);
    const heap_chunk chunk = heap_.chunks.from(array - word_size);
    const std::uint64_t count = image_.word_or_zero(array - word_size);
    if (!chunk || element->size == 0 || count > chunk.size() / element->size ||
        !is_for(chunk, word_size + count * element->size)) {
        result.is_whole = false;
        return;
    }
    result.add_chunk(chunk.begin);
    const step inner = way.element();
    for (std::uint64_t i = 0; i != count; ++i)
        walk(element, array + i * element->size, inner, result);
}

void object_walker::walk_vector(const type_layout* type, std::uint64_t address, const step& way,
                                object_content& result) {
    const type_layout* const element = types_.of(type->element);
    const step inner = way.element();
    const std::uint64_t begin = image_.word_or_zero(address + type->first);
    const std::uint64_t end = image_.word_or_zero(address + type->first + word_size);
    if (begin == 0 || element->size == 0) return;
    const heap_chunk chunk = heap_.chunks.from(begin);
    if (!chunk) return;
    const std::uint64_t limit = image_.word_or_zero(address + type->first + 2 * word_size);
    if (end < begin || end > limit || (end - begin) % element->size != 0 || limit > chunk.end)
        return;
    add_chunk(begin, limit - begin, result);
    result.add_no_handles({end, limit});
    for (std::uint64_t each = begin; each != end; each += element->size)
        walk(element, each, inner, result);
}

/// Adds what the element in a node holds, and the node.
void object_walker::add_element(const type_layout* type, std::uint64_t node, std::uint64_t offset,
                                const step& way, object_content& result) {
    add_chunk(node, offset + type->size, result);
    walk(type, node + offset, way, result);
}

/// Adds the chunk that begins at an address if malloc gave it for so many bytes. Otherwise it is
/// the memory of a pool, of which other objects have parts.
void object_walker::add_chunk(std::uint64_t address, std::uint64_t bytes,
                              object_content& result) const {
    if (is_for(heap_.chunks.from(address), bytes)) result.add_chunk(address);
}

/// Returns how many nodes of a list are before `end`, each of which begins with the next one's
/// address, or nothing if there are more than `most`, or other memory.
std::optional<std::uint64_t> object_walker::nodes_from(std::uint64_t node, std::uint64_t end,
                                                       std::uint64_t most) const {
    std::uint64_t count = 0;
    for (; node != end; node = image_.word_or_zero(node))
        if (!heap_.chunks.begins_at(node) || ++count > most) return std::nullopt;
    return count;
}

void object_walker::walk_list(const type_layout* type, std::uint64_t address, const step& way,
                              object_content& result) {
    const type_layout* const element = types_.of(type->element);
    const step inner = way.element();
    const bool is_double = type->is == type_shape::list;
    const std::uint64_t end = is_double ? address : 0;
    const std::uint64_t first = image_.word_or_zero(address);
    const std::uint64_t most =
        is_double ? image_.word_or_zero(address + type->second) : heap_.chunks.size();
    const auto count = nodes_from(first, end, most);
    if (!count || (is_double && *count != most)) return;
    for (std::uint64_t node = first; node != end; node = image_.word_or_zero(node))
        add_element(element, node, is_double ? 2 * word_size : word_size, inner, result);
}

void object_walker::walk_tree(const type_layout* type, std::uint64_t address, const step& way,
                              object_content& result) {
    const type_layout* const element = types_.of(type->element);
    const step inner = way.element();
    const std::uint64_t count = image_.word_or_zero(address + type->second);
    const bool is_second = type->is_of_second_library;
    const std::uint64_t root = type->first + (is_second ? 0 : word_size);
    // libstdc++'s nodes begin with their colour and parent, those of libc++ end with these.
    const std::uint64_t left = is_second ? 0 : 2 * word_size;
    const auto for_each_node = [&](const auto& use) {
        std::vector<std::uint64_t> open = {image_.word_or_zero(address + root)};
        while (!open.empty()) {
            const std::uint64_t node = open.back();
            open.pop_back();
            if (node == 0) continue;
            if (!use(node)) return false;
            open.push_back(image_.word_or_zero(node + left));
            open.push_back(image_.word_or_zero(node + left + word_size));
        }
        return true;
    };
    std::uint64_t found = 0;
    if (!for_each_node(
            [&](std::uint64_t node) { return heap_.chunks.begins_at(node) && ++found <= count; }) ||
        found != count)
        return;
    for_each_node([&](std::uint64_t node) {
        add_element(element, node, 4 * word_size, inner, result);
        return true;
    });
}

void object_walker::walk_hash(const type_layout* type, std::uint64_t address, const step& way,
                              object_content& result) {
    const type_layout* const element = types_.of(type->element);
    const step inner = way.element();
    const std::uint64_t count = image_.word_or_zero(address + type->second);
    const std::uint64_t first = image_.word_or_zero(address + type->first);
    const auto found = nodes_from(first, 0, count);
    if (!found || *found != count) return;
    // libc++ keeps the hash before the element.
    const std::uint64_t offset = type->is_of_second_library ? 2 * word_size : word_size;
    for (std::uint64_t node = first; node != 0; node = image_.word_or_zero(node))
        add_element(element, node, offset, inner, result);
}

void object_walker::walk_deque(const type_layout* type, std::uint64_t address, const step& way,
                               object_content& result) {
    constexpr std::uint64_t bytes_of_node = 512;
    const type_layout* const element = types_.of(type->element);
    const step inner = way.element();
    if (element->size == 0) return;
    const std::uint64_t map = word_of(address, 0);
    const std::uint64_t first = word_of(address, 2);
    const std::uint64_t first_node = word_of(address, 5);
    const std::uint64_t last = word_of(address, 6);
    const std::uint64_t last_node = word_of(address, 9);
    if (map == 0 || !heap_.chunks.begins_at(map) || first_node > last_node) return;
    const std::uint64_t in_node = element->size < bytes_of_node
                                      ? bytes_of_node / element->size * element->size
                                      : element->size;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> parts;
    std::vector<std::uint64_t> nodes;
    std::vector<memory_range> unused;
    for (std::uint64_t place = first_node; place <= last_node; place += word_size) {
        const std::uint64_t node = image_.word_or_zero(place);
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
    for (const memory_range& each : unused) result.add_no_handles(each);
    add_chunk(map, word_of(address, 1) * word_size, result);
    for (const std::uint64_t each : nodes) add_chunk(each, in_node, result);
    for (const auto& [begin, end] : parts)
        for (std::uint64_t each = begin; each != end; each += element->size)
            walk(element, each, inner, result);
}

/// libc++'s deque has an array of pointers to nodes, the place of the first element in them, and
/// the number of elements.
void object_walker::walk_second_deque(const type_layout* type, std::uint64_t address,
                                      const step& way, object_content& result) {
    const type_layout* const element = types_.of(type->element);
    if (element->size == 0) return;
    const std::uint64_t map = word_of(address, 0);
    const std::uint64_t first_node = word_of(address, 1);
    const std::uint64_t nodes_end = word_of(address, 2);
    const std::uint64_t first = word_of(address, 4);
    const std::uint64_t count = word_of(address, 5);
    const std::uint64_t in_node = element->size < 256 ? 4096 / element->size : 16;
    if (map == 0 || !heap_.chunks.begins_at(map) || first_node < map || nodes_end < first_node)
        return;
    const std::uint64_t nodes = (nodes_end - first_node) / word_size;
    constexpr std::uint64_t most = std::uint64_t{1} << 40;
    if (count > most || first > most || first + count > nodes * in_node) return;
    std::vector<std::uint64_t> found;
    for (std::uint64_t i = 0; i != nodes; ++i) {
        found.push_back(image_.word_or_zero(first_node + i * word_size));
        if (!heap_.chunks.begins_at(found.back())) return;
    }
    add_chunk(map, word_of(address, 3) - map, result);
    const step inner = way.element();
    for (std::uint64_t i = 0; i != nodes; ++i) {
        add_chunk(found[i], in_node * element->size, result);
        for (std::uint64_t k = 0; k != in_node; ++k) {
            const std::uint64_t place = found[i] + k * element->size;
            const std::uint64_t number = i * in_node + k;
            if (number >= first && number < first + count)
                walk(element, place, inner, result);
            else
                result.add_no_handles({place, place + element->size});
        }
    }
}

void object_walker::walk_variant(const type_layout* type, std::uint64_t address, const step& way,
                                 object_content& result) {
    const auto mark = image_.mark(address + type->second);
    if (!mark) {
        result.is_whole = false;
        return;
    }
    std::uint64_t used = 0;  // without a value, as after an exception, it uses nothing
    if (*mark < type->members.size()) {
        const type_layout* const alternative = type->members[*mark].type;
        if (alternative->is == type_shape::unknown) return walk(alternative, address, way, result);
        used = alternative->size;
        walk(alternative, address, way, result);
    }
    result.add_no_handles({address + used, address + type->second});
}

/// std::any has a function that manages its value, and behind it the value or a pointer to it.
void object_walker::walk_any(std::uint64_t address, std::uint64_t size, const step& way,
                             object_content& result) {
    const std::uint64_t manager = image_.word_or_zero(address);
    if (manager == 0) {
        result.add_no_handles({address, address + size});
        return;
    }
    const auto [found, is_new] = kept_by_any_.try_emplace(manager);
    if (is_new) {
        Dwarf_Die manages = modules_.class_of_function(manager);
        const std::string_view name = manages.addr == nullptr ? "" : name_of(manages);
        const bool is_apart =
            name.starts_with("_Manager_external<") || name.starts_with("_LargeHandler<");
        if (is_apart || name.starts_with("_Manager_internal<") ||
            name.starts_with("_SmallHandler<"))
            found->second = {type_layouts::argument(manages, 0), is_apart};
    }
    const kept_value& kept = found->second;
    if (kept.type.addr == nullptr) {
        result.is_whole = false;
        return;
    }
    const type_layout* const type = types_.of(kept.type);
    if (!type->holds) return;
    std::uint64_t object = address + word_size;
    if (kept.is_apart) {
        object = image_.word_or_zero(object);
        if (!heap_.chunks.begins_at(object)) return;
        add_chunk(object, type->size, result);
    }
    walk(type, object, way, result);
}

/// A closure with handles is not copied as bytes, so that std::function keeps it in a chunk of its
/// own.
void object_walker::walk_function(std::uint64_t address, const step& way, object_content& result) {
    const std::uint64_t manager = image_.word_or_zero(address + 2 * word_size);
    if (manager == 0) {
        result.add_no_handles({address, address + 2 * word_size});
        return;
    }
    const auto [found, is_new] = closures_.emplace(manager, Dwarf_Die{});
    if (is_new) {
        Dwarf_Die manages = modules_.class_of_function(manager);
        if (manages.addr != nullptr) {
            // `_Function_handler<R (Args...), Functor>` and `_Base_manager<Functor>`
            const bool is_base = name_of(manages).starts_with("_Base_manager<");
            found->second = type_layouts::argument(manages, is_base ? 0 : 1);
        }
    }
    if (found->second.addr == nullptr) {
        result.is_whole = false;
        return;
    }
    Dwarf_Die closure = found->second;
    const type_layout* const type = types_.of(closure);
    if (!type->holds) return;
    const std::uint64_t object = image_.word_or_zero(address);
    if (object == 0 || !heap_.chunks.begins_at(object)) return;
    add_chunk(object, type->size, result);
    walk_closure(closure, type, object, way, result);
}

/// libc++ keeps a closure in an object with virtual functions, in the std::function or in a chunk.
void object_walker::walk_function_object(std::uint64_t address, const step& way,
                                         object_content& result) {
    const std::uint64_t object = image_.word_or_zero(address + 4 * word_size);
    if (object == 0) {
        result.add_no_handles({address, address + 4 * word_size});
        return;
    }
    const std::uint64_t table = image_.word_or_zero(object);
    const auto [found, is_new] = closures_.emplace(table, Dwarf_Die{});
    if (is_new)
        if (const std::uint64_t function =
                modules_.function_of_class(table, "18destroy_deallocateEv")) {
            Dwarf_Die keeps = modules_.class_of_function(function);
            if (keeps.addr != nullptr && name_of(keeps).starts_with("__func<"))
                found->second = type_layouts::argument(keeps, 0);
        }
    if (found->second.addr == nullptr) {
        result.is_whole = false;
        return;
    }
    Dwarf_Die closure = found->second;
    const type_layout* const type = types_.of(closure);
    if (!type->holds) return;
    if (object != address) add_chunk(object, word_size + type->size, result);
    walk_closure(closure, type, object + word_size, way, result);
}

void object_walker::walk_closure(Dwarf_Die closure, const type_layout* type, std::uint64_t address,
                                 const step& way, object_content& result) {
    step inner = way.next();
    std::string name;
    if (result.wants_ways && type->closure.empty()) {
        name = "the function object " + types_.name_of_class(closure);
        inner.closure = &name;
    }
    walk(type, address, inner, result);
}

}  // namespace freehold
