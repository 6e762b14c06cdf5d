// SPDX-License-Identifier: BSL-1.0
#include "owners/typed_places.hpp"

#include "code/debug_attributes.hpp"

#include <algorithm>
#include <optional>

#include <dwarf.h>
#include <gelf.h>

namespace freehold {
namespace {

/// Returns how far the program's variables of a thread begin before the address that the thread
/// has in `fs_base`, or 0 if there are none.
std::uint64_t bytes_of_thread(Dwfl_Module* module) {
    GElf_Addr bias = 0;
    Elf* const elf = dwfl_module_getelf(module, &bias);
    std::size_t count = 0;
    if (elf == nullptr || elf_getphdrnum(elf, &count) != 0) return 0;
    for (std::size_t i = 0; i != count; ++i) {
        GElf_Phdr part;
        if (gelf_getphdr(elf, static_cast<int>(i), &part) == nullptr || part.p_type != PT_TLS)
            continue;
        const std::uint64_t align = std::max<std::uint64_t>(part.p_align, 1);
        return (part.p_memsz + align - 1) / align * align;
    }
    return 0;
}

/// Returns the number that an operation pushes, if it is an address, a constant, or the number of
/// one.
std::optional<std::uint64_t> pushed(Dwarf_Attribute& location, const Dwarf_Op& operation) {
    Dwarf_Attribute value;
    Dwarf_Word result = 0;
    switch (operation.atom) {
        case DW_OP_addr:
        case DW_OP_const4u:
        case DW_OP_const8u:
            return operation.number;
        case DW_OP_addrx:
        case DW_OP_GNU_addr_index:
            if (dwarf_getlocation_attr(&location, &operation, &value) != 0 ||
                dwarf_formaddr(&value, &result) != 0)
                return std::nullopt;
            return result;
        case DW_OP_constx:
        case DW_OP_GNU_const_index:
            if (dwarf_getlocation_attr(&location, &operation, &value) != 0) return std::nullopt;
            if (dwarf_formudata(&value, &result) == 0 || dwarf_formaddr(&value, &result) == 0)
                return result;
            return std::nullopt;
        default:
            return std::nullopt;
    }
}

}  // namespace

typed_places::typed_places(const memory_image& image, const glibc_heap& heap,
                           const program_modules& modules, const type_layouts& types)
    : image_(image),
      heap_(heap),
      modules_(modules),
      types_(types.with_pointers()),
      walker_(image, heap, modules, *types_),
      is_seen_(heap.chunks.size(), false),
      use_pointer_([this](const auto& found) { note_pointer(found); }) {}

void typed_places::look_at_variables(const users& use, const users& further) {
    const auto look_at = [&](Dwarf_Die type, std::uint64_t address) {
        if (!variables_.insert(address).second) return;
        object_content content = content_for(use);
        walker_.add_content(type, {}, address, content);
        follow_pointers(further);
    };
    modules_.for_each_unit([&](Dwarf_Die unit, Dwfl_Module* module, std::uint64_t bias) {
        const char* const name =
            dwfl_module_info(module, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
        // Where libraries have the variables of a thread is noted for each thread.
        const bool is_program = name != nullptr && image_.program == name;
        look_at_variables_in(unit, bias, is_program ? bytes_of_thread(module) : 0, look_at);
    });
    const stack_frames stacks(image_, modules_);
    stacks.for_each_variable(look_at);
}

void typed_places::look_at_variables_in(Dwarf_Die scope, std::uint64_t bias,
                                        std::uint64_t of_threads, const variable_user& use) {
    Dwarf_Die child;
    if (dwarf_child(&scope, &child) != 0) return;
    do {
        switch (dwarf_tag(&child)) {
            case DW_TAG_variable:
                look_at_variable(child, bias, of_threads, use);
                break;
            case DW_TAG_namespace:
            case DW_TAG_class_type:
            case DW_TAG_structure_type:
            case DW_TAG_subprogram:
            case DW_TAG_lexical_block:
                look_at_variables_in(child, bias, of_threads, use);
                break;
            default:
                break;
        }
    } while (dwarf_siblingof(&child, &child) == 0);
}

void typed_places::look_at_variable(Dwarf_Die& variable, std::uint64_t bias,
                                    std::uint64_t of_threads, const variable_user& use) {
    Dwarf_Attribute location;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    Dwarf_Attribute typed;
    Dwarf_Die type;
    if (dwarf_attr(&variable, DW_AT_location, &location) == nullptr ||
        dwarf_whatform(&location) == DW_FORM_sec_offset ||
        dwarf_getlocation(&location, &operations, &count) != 0 || count == 0 || count > 2)
        return;
    const auto value = pushed(location, operations[0]);
    if (!value || dwarf_attr_integrate(&variable, DW_AT_type, &typed) == nullptr ||
        dwarf_formref_die(&typed, &type) == nullptr)
        return;
    if (count == 1) {
        // The linker gives address 0 to what it has removed.
        if (*value != 0) use(type, *value + bias);
        return;
    }
    if (of_threads == 0 || (operations[1].atom != DW_OP_GNU_push_tls_address &&
                            operations[1].atom != DW_OP_form_tls_address))
        return;
    for (const thread_registers& each : image_.threads)
        use(type, each.thread_pointer() - of_threads + *value);
}

void typed_places::look_at_object(const block_kind& kind, Dwarf_Die type, std::uint64_t block,
                                  std::uint64_t object, const users& use) {
    object_content content = content_for(use);
    walker_.add_content_of(kind, type, block, object, content);
    follow_pointers(use);
}

object_content typed_places::content_for(const users& use) const {
    object_content result;
    result.use_handle = &use.handle;
    result.use_chunk = &use.chunk;
    result.use_pointer = &use_pointer_;
    return result;
}

void typed_places::note_pointer(const object_content::pointer& found) {
    const std::uint64_t bytes = types_->size_of(found.type);
    if (bytes == 0) return;
    // `new` keeps the number of an array's elements before them, also behind a word if these are
    // aligned to two.
    for (const unsigned words_before : {0U, 1U, 2U}) {
        const std::uint64_t before = words_before * bytes_of_word;
        const heap_chunk chunk = heap_.chunks.from(found.to - before);
        if (!chunk) continue;
        const std::uint64_t number =
            words_before == 0 ? 1 : image_.word_or_zero(found.to - bytes_of_word);
        if (is_seen_[chunk.number] || number == 0 || number > chunk.size() / bytes ||
            !is_for(chunk, before + number * bytes))
            return;
        is_seen_[chunk.number] = true;
        const auto [type, is_new] =
            numbers_.emplace(found.type.addr, static_cast<std::uint32_t>(pointees_.size()));
        if (is_new) pointees_.push_back(found.type);
        open_.push_back({chunk.number, type->second & ((1U << 30) - 1), words_before});
        return;
    }
}

void typed_places::follow_pointers(const users& use) {
    while (!open_.empty()) {
        const open_object next = open_.back();
        open_.pop_back();
        const Dwarf_Die type = pointees_[next.type];
        const std::uint64_t begin = heap_.chunks[next.chunk].begin;
        const std::uint64_t first = begin + next.words_before * bytes_of_word;
        std::uint64_t number = 1;
        if (next.words_before == 0) {
            if (!use.object(type, begin)) continue;
        } else {
            use.chunk(begin);
            number = image_.word_or_zero(first - bytes_of_word);
        }
        object_content content = content_for(use);
        for (std::uint64_t i = 0; i != number; ++i)
            walker_.add_content(type, {}, first + i * types_->size_of(type), content);
    }
}

}  // namespace freehold
