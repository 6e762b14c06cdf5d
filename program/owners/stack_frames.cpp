// SPDX-License-Identifier: BSL-1.0
#include "owners/stack_frames.hpp"

#include "code/debug_attributes.hpp"
#include "owners/type_layouts.hpp"

#include <algorithm>

#include <dwarf.h>
#include <fmt/format.h>

namespace freehold {
namespace {

constexpr std::size_t stack_pointer = 7;
constexpr std::size_t return_address = 16;
constexpr std::size_t most_frames = 500;

// Where the registers are in user_regs_struct, by their numbers in DWARF.
constexpr std::size_t place_of_register[] = {10, 12, 11, 5, 13, 14, 4, 19, 9,
                                             8,  7,  6,  3, 2,  1,  0, 16};

}  // namespace

stack_frames::stack_frames(const memory_image& image, const program_modules& modules)
    : image_(image), modules_(modules) {
    for (const thread_registers& each : image.threads) add_frames(each);
}

void stack_frames::add_frames(const thread_registers& thread) {
    frame at;
    for (std::size_t i = 0; i != registers; ++i) at.values[i] = thread.values[place_of_register[i]];
    at.begin = thread.stack_pointer();
    for (std::size_t i = 0; i != most_frames; ++i) {
        const auto caller = caller_of(at);
        if (!caller || at.end <= at.begin) return;
        frames_.push_back(at);
        at.values = *caller;
        at.begin = at.end;
        at.is_caller = true;
    }
}

std::optional<std::uint64_t> stack_frames::computed(const Dwarf_Op* operations, std::size_t count,
                                                    const frame& in, std::uint64_t base) const {
    std::vector<std::uint64_t> stack;
    for (std::size_t i = 0; i != count; ++i) {
        const Dwarf_Op& each = operations[i];
        std::optional<std::uint64_t> value;
        if (each.atom >= DW_OP_breg0 && each.atom < DW_OP_breg0 + registers) {
            value = in.values[each.atom - DW_OP_breg0];
            if (value) *value += each.number;
        } else if (each.atom == DW_OP_bregx && each.number < registers) {
            value = in.values[each.number];
            if (value) *value += each.number2;
        } else if (each.atom >= DW_OP_reg0 && each.atom < DW_OP_reg0 + registers) {
            value = in.values[each.atom - DW_OP_reg0];
        } else if (each.atom == DW_OP_call_frame_cfa) {
            value = in.end;
        } else if (each.atom == DW_OP_fbreg) {
            value = base + each.number;
        } else if (each.atom == DW_OP_plus_uconst && !stack.empty()) {
            value = stack.back() + each.number;
            stack.pop_back();
        } else if (each.atom == DW_OP_deref && !stack.empty()) {
            value = image_.word(stack.back());
            stack.pop_back();
        }
        if (!value) return std::nullopt;
        stack.push_back(*value);
    }
    return stack.size() == 1 ? std::optional(stack.back()) : std::nullopt;
}

std::optional<stack_frames::register_values> stack_frames::caller_of(frame& called) const {
    if (!called.values[return_address]) return std::nullopt;
    const std::uint64_t code = *called.values[return_address] - (called.is_caller ? 1 : 0);
    Dwfl_Module* const module = dwfl_addrmodule(modules_.session(), code);
    Dwarf_Addr bias = 0;
    Dwarf_CFI* const tables = module == nullptr ? nullptr : dwfl_module_eh_cfi(module, &bias);
    Dwarf_Frame* found = nullptr;
    if (tables == nullptr || dwarf_cfi_addrframe(tables, code - bias, &found) != 0)
        return std::nullopt;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    std::optional<register_values> result;
    std::optional<std::uint64_t> end;
    if (dwarf_frame_cfa(found, &operations, &count) == 0)
        end = computed(operations, count, called, 0);
    if (end) {
        called.end = *end;
        result.emplace();
        for (std::size_t i = 0; i != registers; ++i) {
            Dwarf_Op own[3];
            if (dwarf_frame_register(found, static_cast<int>(i), own, &operations, &count) != 0)
                continue;
            if (count == 0) {
                // Without operations, it has its value still, or it is not known.
                if (operations == nullptr) (*result)[i] = called.values[i];
            } else if (operations[count - 1].atom == DW_OP_stack_value) {
                (*result)[i] = computed(operations, count - 1, called, 0);
            } else if (const auto saved = computed(operations, count, called, 0)) {
                (*result)[i] = image_.word(*saved);
            }
        }
        (*result)[stack_pointer] = called.end;
    }
    std::free(found);
    return result;
}

std::string stack_frames::variable_in(Dwarf_Die scope, const frame& in, std::uint64_t base,
                                      std::uint64_t code, std::uint64_t address) const {
    Dwarf_Die child;
    if (dwarf_child(&scope, &child) != 0) return {};
    do {
        const int tag = dwarf_tag(&child);
        if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) {
            if (dwarf_haspc(&child, code) != 1) continue;
            std::string inner = variable_in(child, in, base, code, address);
            if (!inner.empty()) return inner;
        }
        if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) continue;
        Dwarf_Attribute location;
        Dwarf_Op* operations = nullptr;
        std::size_t count = 0;
        if (dwarf_attr(&child, DW_AT_location, &location) == nullptr ||
            dwarf_getlocation_addr(&location, code, &operations, &count, 1) != 1 || count != 1 ||
            (operations->atom >= DW_OP_reg0 && operations->atom <= DW_OP_reg31))
            continue;
        const auto begin = computed(operations, count, in, base);
        Dwarf_Attribute typed;
        Dwarf_Die type;
        Dwarf_Word size = 0;
        if (!begin || dwarf_attr_integrate(&child, DW_AT_type, &typed) == nullptr ||
            dwarf_formref_die(&typed, &type) == nullptr ||
            dwarf_aggregate_size(&type, &size) != 0 || address < *begin || address - *begin >= size)
            continue;
        Dwarf_Die declared = declaration_of(child);
        const std::string where = file_and_line(declared);
        return fmt::format("`{}`{}", name_of(declared),
                           where.empty() ? "" : fmt::format(" ({})", where));
    } while (dwarf_siblingof(&child, &child) == 0);
    return {};
}

stack_frames::place stack_frames::place_at(std::uint64_t address) const {
    const auto in = std::find_if(frames_.begin(), frames_.end(), [address](const frame& each) {
        return each.begin <= address && address < each.end;
    });
    if (in == frames_.end()) return {};
    const std::uint64_t code = *in->values[return_address] - (in->is_caller ? 1 : 0);
    place result;
    result.function = modules_.symbol_at(code);
    std::uint64_t bias = 0;
    Dwarf_Die entry = modules_.function_around(code, bias);
    if (entry.addr == nullptr) return result;
    Dwarf_Attribute attribute;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    std::uint64_t base = 0;
    if (dwarf_attr_integrate(&entry, DW_AT_frame_base, &attribute) != nullptr &&
        dwarf_getlocation_addr(&attribute, code - bias, &operations, &count, 1) == 1)
        base = computed(operations, count, *in, 0).value_or(0);
    result.variable = variable_in(entry, *in, base, code - bias, address);
    return result;
}

}  // namespace freehold
