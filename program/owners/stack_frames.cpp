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
constexpr std::size_t most_frames = 500;

// Where the registers are in user_regs_struct, by their numbers in DWARF.
constexpr std::size_t place_of_register[] = {10, 12, 11, 5, 13, 14, 4, 19, 9,
                                             8,  7,  6,  3, 2,  1,  0, 16};

std::string text_of(Dwarf_Die variable) {
    const std::string where = file_and_line(variable);
    return fmt::format("`{}`{}", name_of(variable),
                       where.empty() ? "" : fmt::format(" ({})", where));
}

/// Returns the line of the call that was inlined in a function and has the address, or 0.
int line_of_inlined_call(Dwarf_Die scope, std::uint64_t code) {
    Dwarf_Die child;
    if (dwarf_child(&scope, &child) != 0) return 0;
    do {
        const int tag = dwarf_tag(&child);
        if ((tag != DW_TAG_lexical_block && tag != DW_TAG_inlined_subroutine) ||
            dwarf_haspc(&child, code) != 1)
            continue;
        return tag == DW_TAG_inlined_subroutine ? number_of(child, DW_AT_call_line)
                                                : line_of_inlined_call(child, code);
    } while (dwarf_siblingof(&child, &child) == 0);
    return 0;
}

/// Returns the number of the register that an operation names, if it names one.
std::optional<Dwarf_Word> register_of(const Dwarf_Op& operation) {
    if (operation.atom == DW_OP_regx) return operation.number;
    if (operation.atom < DW_OP_reg0 || operation.atom > DW_OP_reg31) return std::nullopt;
    return Dwarf_Word{operation.atom} - DW_OP_reg0;
}

}  // namespace

stack_frames::stack_frames(const memory_image& image, const program_modules& modules)
    : image_(image), modules_(modules) {
    for (std::size_t i = 0; i != image.threads.size(); ++i) add_frames(i);
}

void stack_frames::add_frames(std::size_t thread) {
    const thread_registers& from = image_.threads[thread];
    frame at;
    at.thread = thread;
    for (std::size_t i = 0; i != registers; ++i) {
        const std::size_t number = place_of_register[i];
        at.values[i] = from.values[number];
        at.kept_at[i] =
            register_addresses + (thread * registers_of_thread + number) * bytes_of_word;
    }
    at.begin = from.stack_pointer();
    for (std::size_t i = 0; i != most_frames; ++i) {
        const auto caller = caller_of(at);
        if (!caller || at.end <= at.begin) return;
        frames_.push_back(at);
        at = *caller;
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

std::optional<stack_frames::frame> stack_frames::caller_of(frame& called) const {
    if (!called.values[return_address]) return std::nullopt;
    const std::uint64_t code = code_of(called);
    Dwfl_Module* const module = dwfl_addrmodule(modules_.session(), code);
    Dwarf_Addr bias = 0;
    Dwarf_CFI* const tables = module == nullptr ? nullptr : dwfl_module_eh_cfi(module, &bias);
    Dwarf_Frame* found = nullptr;
    if (tables == nullptr || dwarf_cfi_addrframe(tables, code - bias, &found) != 0)
        return std::nullopt;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    std::optional<frame> result;
    std::optional<std::uint64_t> end;
    if (dwarf_frame_cfa(found, &operations, &count) == 0)
        end = computed(operations, count, called, 0);
    if (end) {
        called.end = *end;
        result.emplace();
        result->thread = called.thread;
        result->begin = called.end;
        result->is_caller = true;
        for (std::size_t i = 0; i != registers; ++i) {
            Dwarf_Op own[3];
            if (dwarf_frame_register(found, static_cast<int>(i), own, &operations, &count) != 0)
                continue;
            if (count == 0) {
                // Without operations, it has its value still, or it is not known.
                if (operations != nullptr) continue;
                result->values[i] = called.values[i];
                result->kept_at[i] = called.kept_at[i];
            } else if (operations[count - 1].atom == DW_OP_stack_value) {
                result->values[i] = computed(operations, count - 1, called, 0);
            } else if (const auto other = count == 1 ? register_of(*operations) : std::nullopt) {
                if (*other >= registers) continue;
                result->values[i] = called.values[*other];
                result->kept_at[i] = called.kept_at[*other];
            } else if (const auto saved = computed(operations, count, called, 0)) {
                result->values[i] = image_.word(*saved);
                result->kept_at[i] = saved;
            }
        }
        result->values[stack_pointer] = called.end;
        result->kept_at[stack_pointer].reset();
    }
    std::free(found);
    return result;
}

/// Returns the parts of a variable that are in memory or in registers. A part that has only a
/// value, and one that the compiler left out, are nowhere.
std::vector<stack_frames::part> stack_frames::parts_of(const Dwarf_Op* operations,
                                                       std::size_t count, const frame& in,
                                                       std::uint64_t base,
                                                       std::uint64_t size) const {
    std::vector<part> result;
    std::size_t first = 0;
    for (std::size_t i = 0; i <= count; ++i) {
        const bool is_piece = i != count && operations[i].atom == DW_OP_piece;
        if (i != count && !is_piece) continue;
        const Dwarf_Op* const begin = operations + first;
        const std::size_t own = i - first;
        first = i + 1;
        if (own == 0) continue;
        std::optional<std::uint64_t> at;
        if (const auto number = own == 1 ? register_of(*begin) : std::nullopt) {
            if (*number < registers) at = in.kept_at[*number];
        } else {
            at = computed(begin, own, in, base);
        }
        if (at) result.push_back({*at, is_piece ? operations[i].number : size});
    }
    return result;
}

void stack_frames::use_variables_in(Dwarf_Die scope, const frame& in, const scope_facts& facts,
                                    bool is_inlined, const variable_user& use) const {
    Dwarf_Die child;
    if (dwarf_child(&scope, &child) != 0) return;
    do {
        const int tag = dwarf_tag(&child);
        if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) {
            if (dwarf_haspc(&child, facts.code) == 1)
                use_variables_in(child, in, facts, is_inlined || tag == DW_TAG_inlined_subroutine,
                                 use);
            continue;
        }
        if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) continue;
        Dwarf_Attribute location;
        Dwarf_Op* operations = nullptr;
        std::size_t count = 0;
        Dwarf_Attribute typed;
        variable found;
        Dwarf_Word size = 0;
        if (dwarf_attr_integrate(&child, DW_AT_type, &typed) == nullptr ||
            dwarf_formref_die(&typed, &found.type) == nullptr ||
            dwarf_aggregate_size(&found.type, &size) != 0)
            continue;
        found.entry = declaration_of(child);
        found.size = size;
        // Where the compiler does not say where a variable is, it has no parts.
        if (dwarf_attr(&child, DW_AT_location, &location) != nullptr &&
            dwarf_getlocation_addr(&location, facts.code, &operations, &count, 1) == 1)
            found.parts = parts_of(operations, count, in, facts.base, size);
        found.is_inlined = is_inlined;
        use(found);
    } while (dwarf_siblingof(&child, &child) == 0);
}

void stack_frames::use_variables_of(const frame& in, const variable_user& use) const {
    const std::uint64_t code = code_of(in);
    std::uint64_t bias = 0;
    Dwarf_Die entry = modules_.function_around(code, bias);
    if (entry.addr == nullptr) return;
    Dwarf_Attribute attribute;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    scope_facts facts{code - bias, 0};
    if (dwarf_attr_integrate(&entry, DW_AT_frame_base, &attribute) != nullptr &&
        dwarf_getlocation_addr(&attribute, facts.code, &operations, &count, 1) == 1)
        facts.base = computed(operations, count, in, 0).value_or(0);
    use_variables_in(entry, in, facts, false, use);
}

int stack_frames::line_of(const frame& in) const {
    const std::uint64_t code = code_of(in);
    std::uint64_t bias = 0;
    Dwarf_Die entry = modules_.function_around(code, bias);
    int result = entry.addr == nullptr ? 0 : line_of_inlined_call(entry, code - bias);
    Dwarf_Die unit;
    if (entry.addr == nullptr || result != 0 ||
        dwarf_diecu(&entry, &unit, nullptr, nullptr) == nullptr)
        return result;
    Dwarf_Line* const row = dwarf_getsrc_die(&unit, code - bias);
    if (row != nullptr) dwarf_lineno(row, &result);
    return result;
}

std::string stack_frames::variable_at(const frame& in, std::uint64_t address) const {
    Dwarf_Die found{};
    bool is_object = false;
    use_variables_of(in, [&](const variable& each) {
        if (std::none_of(each.parts.begin(), each.parts.end(), [address](const part& of) {
                return address >= of.begin && address - of.begin < of.size;
            }))
            return;
        // Of a handle and a plain pointer in one register, the handle is the holder.
        Dwarf_Die type;
        const bool has_parts =
            dwarf_peel_type(const_cast<Dwarf_Die*>(&each.type), &type) == 0 && is_class(type);
        if (found.addr != nullptr && (is_object || !has_parts)) return;
        found = each.entry;
        is_object = has_parts;
    });
    return found.addr == nullptr ? std::string() : text_of(found);
}

void stack_frames::for_each_variable(
    const std::function<void(Dwarf_Die, std::uint64_t)>& use) const {
    for (const frame& in : frames_) {
        const int line = line_of(in);
        use_variables_of(in, [&](const variable& each) {
            Dwarf_Die entry = each.entry;
            int declared = 0;
            // What is declared on this line or behind it may not be made yet.
            if (!each.is_inlined && dwarf_tag(&entry) == DW_TAG_variable &&
                dwarf_decl_line(&entry, &declared) == 0 && declared >= line)
                return;
            if (each.parts.size() == 1 && each.parts.front().size == each.size)
                use(each.type, each.parts.front().begin);
        });
    }
}

std::string stack_frames::only_handle_in(const frame& in, std::string_view type) const {
    const int line = line_of(in);
    std::vector<Dwarf_Die> found;
    use_variables_of(in, [&](const variable& each) {
        Dwarf_Die entry = each.entry;
        Dwarf_Die of;
        int declared = 0;
        if (!each.parts.empty() || dwarf_peel_type(const_cast<Dwarf_Die*>(&each.type), &of) != 0 ||
            !is_class(of) ||
            (!each.is_inlined && dwarf_decl_line(&entry, &declared) == 0 && declared >= line))
            return;
        Dwarf_Die pointee = type_layouts::argument(of, 0);
        if (pointee.addr == nullptr || name_of(pointee).empty() ||
            !type.ends_with(name_of(pointee)))
            return;
        const std::size_t begin = type.size() - name_of(pointee).size();
        if (begin == 0 || type[begin - 1] == ':') found.push_back(entry);
    });
    return found.size() == 1 ? "probably " + text_of(found.front()) : std::string();
}

stack_frames::place stack_frames::place_at(std::uint64_t address, std::string_view type) const {
    const auto is_here = [address](const frame& each) {
        return address >= register_addresses
                   ? (address - register_addresses) / bytes_of_word / registers_of_thread ==
                         each.thread
                   : each.begin <= address && address < each.end;
    };
    auto at = std::find_if(frames_.begin(), frames_.end(), is_here);
    place result;
    if (at == frames_.end()) return result;
    result.variable = variable_at(*at, address);
    if (result.variable.empty()) {
        // A function may have saved a register here, or not have changed it. The value then is of
        // the last caller for which this is so: that one has put it there.
        const auto is_kept_here = [address](const frame& of) {
            return std::find(of.kept_at.begin(), of.kept_at.end(), address) != of.kept_at.end();
        };
        const std::size_t thread = at->thread;
        for (auto next = std::next(at);
             next != frames_.end() && next->thread == thread && is_kept_here(*next); ++next)
            at = next;
        result.variable = variable_at(*at, address);
        // A parameter that is passed by its address is in a caller's frame.
        for (auto called = at; result.variable.empty() && called != frames_.begin() &&
                               std::prev(called)->thread == thread;) {
            result.variable = variable_at(*--called, address);
            if (!result.variable.empty()) at = called;
        }
        if (result.variable.empty()) result.variable = only_handle_in(*at, type);
    }
    result.function = modules_.symbol_at(code_of(*at));
    return result;
}

}  // namespace freehold
