// SPDX-License-Identifier: BSL-1.0
#include "code/code_map.hpp"

#include "code/debug_attributes.hpp"
#include "code/debug_entries.hpp"
#include "code/direct_branch.hpp"
#include "code/source_files.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <unordered_map>
#include <utility>

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>

namespace freehold {
namespace {

constexpr std::int32_t nowhere = -1;

/// A function with its own code, or an inlined call.
struct place {
    Dwarf_Die entry{};
    std::int32_t parent = nowhere;
    std::int32_t unit = nowhere;
    std::int32_t function = nowhere;
    std::int32_t call_file = 0;
    int call_line = 0;
    std::uint64_t low = 0;  // its first address
};

struct nested_range {
    std::uint64_t low;
    std::uint64_t high;
    std::int32_t place;
    std::int32_t depth;
};

/// Returns ranges without overlap, each with its innermost place.
std::vector<code_map::range> flattened(std::vector<nested_range>& nested) {
    std::sort(nested.begin(), nested.end(), [](const nested_range& a, const nested_range& b) {
        if (a.low != b.low) return a.low < b.low;
        if (a.depth != b.depth) return a.depth < b.depth;
        return a.high > b.high;
    });
    std::vector<code_map::range> result;
    std::vector<nested_range> open;
    std::uint64_t at = 0;
    const auto until = [&](std::uint64_t end) {
        while (!open.empty() && at < end) {
            const nested_range& top = open.back();
            const std::uint64_t stop = std::min(end, top.high);
            if (at < stop) {
                if (!result.empty() && result.back().high == at && result.back().place == top.place)
                    result.back().high = stop;
                else
                    result.push_back({at, stop, top.place});
                at = stop;
            }
            if (top.high <= at) open.pop_back();
        }
    };
    for (const nested_range& each : nested) {
        until(each.low);
        at = std::max(at, each.low);
        if (each.high > at) open.push_back(each);
    }
    until(UINT64_MAX);
    return result;
}

struct session_end {
    void operator()(Dwfl* session) const { dwfl_end(session); }
};
using dwfl_session = std::unique_ptr<Dwfl, session_end>;

dwfl_session begin_session() {
    static const Dwfl_Callbacks callbacks = {dwfl_build_id_find_elf, dwfl_standard_find_debuginfo,
                                             dwfl_offline_section_address, nullptr};
    return dwfl_session(dwfl_begin(&callbacks));
}

/// Returns nothing if the file cannot be read.
Dwfl_Module* module_of(const dwfl_session& session, const std::filesystem::path& file) {
    if (session == nullptr) return nullptr;
    Dwfl_Module* const module = dwfl_report_offline(session.get(), file.c_str(), file.c_str(), -1);
    dwfl_report_end(session.get(), nullptr, nullptr);
    return module;
}

/// Returns a text that all symbols of one function have in common. A constructor or destructor has
/// several, which differ in a digit; a copy by the compiler has a suffix, such as `.localalias`.
std::string key_of_symbol(std::string key) {
    for (std::size_t i = 1; i + 2 < key.size(); ++i)
        if ((key[i] == 'C' || key[i] == 'D') && key[i + 1] >= '0' && key[i + 1] <= '5' &&
            (key[i + 2] == 'E' || key[i + 2] == 'I'))
            key[i + 1] = '1';
    // Rust writes two dots in place of `::`.
    for (std::size_t i = 1; i + 1 < key.size(); ++i)
        if (key[i] == '.' && key[i - 1] != '.' && key[i + 1] != '.') return key.substr(0, i);
    return key;
}

/// Returns whether the entry or one in it is a function. Files without debug information contain
/// units of the C library's startup code in assembler.
bool contains_function(Dwarf_Die& parent) {
    Dwarf_Die child;
    if (dwarf_child(&parent, &child) != 0) return false;
    do {
        const int tag = dwarf_tag(&child);
        if (tag == DW_TAG_subprogram) return true;
        if (tag == DW_TAG_namespace && contains_function(child)) return true;
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

}  // namespace

class code_map::impl {
public:
    impl(code_map* map, const std::filesystem::path& file)
        : map_(map), session_(begin_session()), module_(module_of(session_, file)) {
        if (module_ == nullptr) return;
        Dwarf_Addr bias = 0;
        elf_ = dwfl_module_getelf(module_, &bias_);
        dwarf_ = dwfl_module_getdwarf(module_, &bias);
        if (dwarf_ != nullptr) read_debug_information();
        add_symbols();
        ranges = flattened(nested_);
        nested_.clear();
        nested_.shrink_to_fit();
    }
    impl(const impl&) = delete;
    impl& operator=(const impl&) = delete;

    std::vector<const code_function*> functions(std::int32_t at) {
        std::vector<const code_function*> result;
        for (; at != nowhere; at = places_[static_cast<std::size_t>(at)].parent)
            result.push_back(&functions_[static_cast<std::size_t>(function_of(at))]);
        return result;
    }

    std::vector<code_frame> frames(std::uint64_t address) {
        const std::int32_t innermost = place_at(address);
        std::vector<code_frame> result;
        source_line line = innermost == nowhere ? source_line() : line_at(innermost, address);
        for (std::int32_t at = innermost; at != nowhere;) {
            const place& here = places_[static_cast<std::size_t>(at)];
            if (line.number == 0 && here.unit != nowhere) line = nearest_line(at, address);
            result.push_back({functions_[static_cast<std::size_t>(function_of(at))], line.file,
                              line.number, map_, at});
            line = call_line(here);
            at = here.parent;
        }
        return result;
    }

    std::optional<jumped_frames> jumped_over(std::uint64_t call, std::uint64_t reached,
                                             const std::set<std::uint64_t>& indirect,
                                             const function_test& is_passed_over) {
        indirect_ = &indirect;
        const std::int32_t target = root_of(place_at(reached));
        const std::int32_t caller = root_of(place_at(call));
        if (target == nowhere || caller == nowhere) return jumped_frames();
        for (const call_site& each : calls_of(caller)) {
            if (each.is_jump || call + 1 < each.address || call > each.address) continue;
            ways found;
            if (each.is_indirect) {
                add_ways_by_callers(target, found);
            } else {
                if (each.callees.empty() || contains(each.callees, target)) return jumped_frames();
                for (const std::int32_t callee : each.callees) add_ways(callee, target, {}, found);
                const auto& callee =
                    functions_[static_cast<std::size_t>(function_of(each.callees[0]))];
                if (found.empty() && !is_passed_over(callee)) return std::nullopt;
            }
            return one_of(found, is_passed_over);
        }
        return jumped_frames();
    }

    std::vector<std::string> declared_at(const code_frame& frame) {
        if (frame.place == nowhere) return {};
        return entries_.declared_at(places_[static_cast<std::size_t>(frame.place)].entry,
                                    frame.line);
    }

    std::vector<int> captured_at(const code_frame& frame, const std::string& its_class) {
        if (frame.place == nowhere) return {};
        const place& here = places_[static_cast<std::size_t>(frame.place)];
        const std::string text = sources_.line(frame.file, frame.line);
        if (here.unit == nowhere || text.empty() ||
            text.find_first_not_of("});") != std::string::npos)
            return {};
        return entries_.captured_at(here.entry, its_class);
    }

    bool makes_list(const code_frame& frame) {
        if (frame.place == nowhere) return false;
        const place& here = places_[static_cast<std::size_t>(frame.place)];
        if (here.unit == nowhere) return false;
        const auto [known, is_new] = lists_.try_emplace({frame.place, frame.line});
        if (is_new)
            known->second = entries_.makes_list(here.entry, frame.line, [&](Dwarf_Addr address) {
                return line_at(frame.place, address).number;
            });
        return known->second;
    }

    constructor_access constructors_of_argument(const code_frame& frame) {
        if (frame.place == nowhere) return constructor_access::untold;
        const place& here = places_[static_cast<std::size_t>(frame.place)];
        if (here.unit == nowhere) return constructor_access::untold;
        return entries_.constructors_of_argument(here.entry);
    }

    [[nodiscard]] std::uint64_t address_of(const char* variable) const {
        const int count = module_ == nullptr ? 0 : dwfl_module_getsymtab(module_);
        for (int i = 1; i < count; ++i) {
            GElf_Sym symbol;
            GElf_Addr address = 0;
            const char* const name =
                dwfl_module_getsym_info(module_, i, &symbol, &address, nullptr, nullptr, nullptr);
            // A variable with a copy relocation is also in the executable.
            if (name != nullptr && symbol.st_shndx != SHN_UNDEF && std::strcmp(name, variable) == 0)
                return address - bias_;
        }
        return 0;
    }

    [[nodiscard]] std::uint64_t address_at(std::uint64_t file_offset) const {
        std::size_t count = 0;
        if (elf_ == nullptr || elf_getphdrnum(elf_, &count) != 0) return 0;
        for (std::size_t i = 0; i < count; ++i) {
            GElf_Phdr header;
            // The system loads whole pages.
            constexpr std::uint64_t in_page = 4095;
            if (gelf_getphdr(elf_, static_cast<int>(i), &header) != nullptr &&
                header.p_type == PT_LOAD && (header.p_flags & PF_X) != 0 &&
                file_offset >= (header.p_offset & ~in_page) &&
                file_offset < header.p_offset + header.p_filesz)
                return file_offset - header.p_offset + header.p_vaddr;
        }
        return 0;
    }

    [[nodiscard]] code_map::range text() const {
        code_map::range all{UINT64_MAX, 0, nowhere};
        std::size_t count = 0;
        if (elf_ == nullptr || elf_getphdrnum(elf_, &count) != 0) return {0, 0, nowhere};
        for (std::size_t i = 0; i < count; ++i) {
            GElf_Phdr header;
            if (gelf_getphdr(elf_, static_cast<int>(i), &header) == nullptr ||
                header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0)
                continue;
            all.low = std::min(all.low, header.p_vaddr);
            all.high = std::max(all.high, header.p_vaddr + header.p_memsz);
        }
        return all.low < all.high ? all : code_map::range{0, 0, nowhere};
    }

    std::vector<code_map::range> ranges;
    bool has_debug_information = false;

private:
    void read_debug_information() {
        Dwarf_CU* unit = nullptr;
        Dwarf_Die entry;
        Dwarf_Die split;
        std::uint8_t type = 0;
        while (dwarf_get_units(dwarf_, unit, &unit, nullptr, &type, &entry, &split) == 0) {
            // Of a type unit, `split` is the type alone.
            Dwarf_Die* const whole = type == DW_UT_skeleton ? &split : &entry;
            if (whole->addr == nullptr) continue;
            units_.push_back(entry);
            entries_.begin(whole->cu);
            walk(*whole, nowhere, nowhere, 0);
        }
        has_debug_information = !nested_.empty();
    }

    struct source_line {
        std::string file;
        int number = 0;
    };

    /// A call in the debug information of a function, or a jump in place of a call.
    struct call_site {
        std::uint64_t address;              // within the instruction, or directly after it
        std::vector<std::int32_t> callees;  // one of these, which have one declaration
        bool is_jump;
        bool is_indirect;  // it may reach any function
    };

    /// Ways from a function to another by jumps, each with its last jump first.
    using ways = std::vector<std::vector<std::uint64_t>>;

    [[nodiscard]] std::int32_t place_at(std::uint64_t address) const {
        const auto found = std::upper_bound(
            ranges.begin(), ranges.end(), address,
            [](std::uint64_t value, const code_map::range& each) { return value < each.high; });
        return found == ranges.end() || address < found->low ? nowhere : found->place;
    }

    [[nodiscard]] std::int32_t root_of(std::int32_t at) const {
        while (at != nowhere && places_[static_cast<std::size_t>(at)].parent != nowhere)
            at = places_[static_cast<std::size_t>(at)].parent;
        return at;
    }

    /// Returns the functions with code that an entry declares. A destructor may have several.
    std::vector<std::int32_t> roots_of_declaration(const Dwarf_Die& declaration) {
        if (roots_.empty())
            for (std::size_t i = 0; i < places_.size(); ++i)
                if (places_[i].parent == nowhere && places_[i].unit != nowhere)
                    roots_[declaration_of(places_[i].entry).addr].push_back(
                        static_cast<std::int32_t>(i));
        const auto found = roots_.find(declaration_of(declaration).addr);
        return found == roots_.end() ? std::vector<std::int32_t>() : found->second;
    }

    static bool contains(const std::vector<std::int32_t>& all, std::int32_t one) {
        return std::find(all.begin(), all.end(), one) != all.end();
    }

    std::vector<call_site> calls_of(std::int32_t root) {
        const place& function = places_[static_cast<std::size_t>(root)];
        if (function.unit == nowhere) return {};
        const auto [found, is_new] = calls_.try_emplace(root);
        if (is_new) add_calls(function.entry, found->second);
        std::vector<call_site> result = found->second;
        add_indirect_jumps(function.entry, result);
        return result;
    }

    void add_calls(Dwarf_Die parent, std::vector<call_site>& result) {
        Dwarf_Die child;
        if (dwarf_child(&parent, &child) != 0) return;
        do {
            const int tag = dwarf_tag(&child);
            if (tag != DW_TAG_call_site && tag != DW_TAG_GNU_call_site) {
                if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block)
                    add_calls(child, result);
                continue;
            }
            Dwarf_Attribute found;
            Dwarf_Die callee;
            Dwarf_Addr address = 0;
            const bool is_indirect = dwarf_attr(&child, DW_AT_call_origin, &found) == nullptr &&
                                     dwarf_attr(&child, DW_AT_abstract_origin, &found) == nullptr;
            if (!is_indirect && dwarf_formref_die(&found, &callee) == nullptr) continue;
            const bool is_jump = dwarf_hasattr(&child, DW_AT_call_tail_call) != 0 ||
                                 dwarf_hasattr(&child, DW_AT_GNU_tail_call) != 0;
            for (const unsigned name : {DW_AT_low_pc, DW_AT_call_pc, DW_AT_call_return_pc})
                if (dwarf_attr(&child, name, &found) != nullptr) dwarf_formaddr(&found, &address);
            const bool is_behind = dwarf_hasattr(&child, DW_AT_call_return_pc) != 0 ||
                                   dwarf_hasattr(&child, DW_AT_call_pc) == 0;
            const std::int32_t direct =
                is_indirect ? reached_from(is_behind ? address - branch_bytes : address) : nowhere;
            // The address after a jump may belong to the next function.
            if (is_jump && dwarf_hasattr(&child, DW_AT_call_pc) == 0) --address;
            if (direct != nowhere)
                result.push_back({address, {direct}, is_jump, false});
            else
                result.push_back(
                    {address,
                     is_indirect ? std::vector<std::int32_t>() : roots_of_declaration(callee),
                     is_jump, is_indirect});
        } while (dwarf_siblingof(&child, &child) == 0);
    }

    /// Returns the function that a direct call or jump reaches, because g++ does not name each
    /// destructor that it calls.
    [[nodiscard]] std::int32_t reached_from(std::uint64_t branch) const {
        const std::optional<std::uint64_t> target = branch_target(elf_, branch);
        const std::int32_t reached = target ? root_of(place_at(*target)) : nowhere;
        return reached != nowhere && places_[static_cast<std::size_t>(reached)].low == *target
                   ? reached
                   : nowhere;
    }

    /// Adds those that the debug information does not have.
    void add_indirect_jumps(Dwarf_Die function, std::vector<call_site>& result) const {
        constexpr std::uint64_t longest = 8;  // in bytes
        std::ptrdiff_t next = 0;
        Dwarf_Addr base = 0;
        Dwarf_Addr low = 0;
        Dwarf_Addr high = 0;
        while ((next = dwarf_ranges(&function, next, &base, &low, &high)) > 0)
            for (auto each = indirect_->lower_bound(low); each != indirect_->end() && *each < high;
                 ++each)
                if (std::none_of(result.begin(), result.end(), [&each](const call_site& known) {
                        return known.is_jump && known.address - *each < longest;
                    }))
                    result.push_back({*each, {}, true, true});
    }

    static constexpr std::size_t most_jumps = 4;
    static constexpr std::size_t most_ways = 64;

    /// Adds the ways by jumps from one function to another. `after` are the jumps before. An
    /// indirect jump may reach each virtual function.
    void add_ways(std::int32_t from, std::int32_t to, const std::vector<std::uint64_t>& after,
                  ways& result) {
        if (after.size() == most_jumps || result.size() > most_ways) return;
        const bool is_virtual = functions_[static_cast<std::size_t>(function_of(to))].is_virtual;
        for (const call_site& each : calls_of(from)) {
            if (!each.is_jump || (each.is_indirect && !is_virtual)) continue;
            std::vector<std::uint64_t> way = after;
            way.insert(way.begin(), each.address);
            if (each.is_indirect || contains(each.callees, to)) {
                result.push_back(std::move(way));
                continue;
            }
            for (const std::int32_t callee : each.callees)
                if (callee != from) add_ways(callee, to, way, result);
        }
    }

    /// Adds the ways to a function that an unknown function was called for. A virtual function was
    /// called itself.
    void add_ways_by_callers(std::int32_t to, ways& result) {
        if (functions_[static_cast<std::size_t>(function_of(to))].is_virtual) return;
        if (!std::exchange(jumps_are_known_, true))
            for (std::size_t i = 0; i < places_.size(); ++i)
                if (places_[i].parent == nowhere)
                    for (const call_site& each : calls_of(static_cast<std::int32_t>(i)))
                        if (each.is_jump)
                            for (const std::int32_t callee : each.callees)
                                jumps_to_[callee].push_back(each.address);
        for (const std::uint64_t jump : jumps_to_[to]) result.push_back({jump});
    }

    /// Returns the frames of the way, if there is one only. Jumps of one line count as one, because
    /// a compiler makes several of them for the cases of one call.
    std::optional<jumped_frames> one_of(const ways& all, const function_test& is_passed_over) {
        const auto frames_of = [this](const std::vector<std::uint64_t>& way) {
            std::vector<code_frame> result;
            for (const std::uint64_t jump : way) {
                const std::vector<code_frame> more = frames(jump);
                result.insert(result.end(), more.begin(), more.end());
            }
            return result;
        };
        const auto is_same = [&](const std::vector<std::uint64_t>& way) {
            return std::equal(way.begin(), way.end(), all[0].begin(), all[0].end(),
                              [this](std::uint64_t a, std::uint64_t b) {
                                  return place_at(a) == place_at(b) &&
                                         line_at(place_at(a), a).number ==
                                             line_at(place_at(b), b).number;
                              });
        };
        jumped_frames result;
        if (all.empty()) return result;
        if (std::all_of(all.begin(), all.end(), is_same)) {
            result.frames = frames_of(all[0]);
            return result;
        }
        for (const std::vector<std::uint64_t>& way : all) {
            const std::vector<code_frame> more = frames_of(way);
            result.left_out.insert(result.left_out.end(), more.begin(), more.end());
        }
        const bool shows_nothing =
            std::all_of(result.left_out.begin(), result.left_out.end(),
                        [&](const code_frame& each) { return is_passed_over(each.function); });
        return shows_nothing ? std::optional(result) : std::nullopt;
    }

    void walk(Dwarf_Die& parent, std::int32_t scope_around, std::int32_t place_around, int depth) {
        Dwarf_Die child;
        if (dwarf_child(&parent, &child) != 0) return;
        do {
            switch (dwarf_tag(&child)) {
                case DW_TAG_namespace:
                case DW_TAG_class_type:
                case DW_TAG_structure_type:
                case DW_TAG_union_type:
                    walk(child, entries_.add(child, scope_around), nowhere, 0);
                    break;
                case DW_TAG_subprogram:
                    walk(child, entries_.add(child, scope_around), add_place(child, nowhere, 0), 1);
                    break;
                case DW_TAG_inlined_subroutine:
                    if (place_around != nowhere)
                        walk(child, scope_around, add_place(child, place_around, depth), depth + 1);
                    break;
                case DW_TAG_lexical_block:
                case DW_TAG_try_block:
                case DW_TAG_catch_block:
                    walk(child, scope_around, place_around, depth);
                    break;
                default:
                    break;
            }
        } while (dwarf_siblingof(&child, &child) == 0);
    }

    std::int32_t add_place(Dwarf_Die& entry, std::int32_t parent, int depth) {
        const auto index = static_cast<std::int32_t>(places_.size());
        std::ptrdiff_t next = 0;
        Dwarf_Addr base = 0;
        Dwarf_Addr low = 0;
        Dwarf_Addr high = 0;
        bool has_code = false;
        place here;
        while ((next = dwarf_ranges(&entry, next, &base, &low, &high)) > 0) {
            // The linker gives address 0 to functions that it has removed.
            if (low == 0 || low >= high) continue;
            nested_.push_back({low, high, index, depth});
            if (!has_code) here.low = low;
            has_code = true;
        }
        if (!has_code && parent == nowhere) return nowhere;
        here.entry = entry;
        here.parent = parent;
        here.unit = static_cast<std::int32_t>(units_.size() - 1);
        if (parent != nowhere) {
            here.call_file = number_of(entry, DW_AT_call_file);
            here.call_line = number_of(entry, DW_AT_call_line);
        }
        places_.push_back(here);
        return index;
    }

    source_line line_at(std::int32_t at, std::uint64_t address) {
        const std::int32_t unit = places_[static_cast<std::size_t>(at)].unit;
        if (unit == nowhere) return {};
        return line_of(unit, dwarf_getsrc_die(&units_[static_cast<std::size_t>(unit)], address));
    }

    source_line line_of(std::int32_t unit, Dwarf_Line* row) {
        source_line result;
        if (row == nullptr) return result;
        const char* const name = dwarf_linesrc(row, nullptr, nullptr);
        if (name != nullptr) result.file = whole_path(unit, name);
        dwarf_lineno(row, &result.number);
        return result;
    }

    source_line call_line(const place& here) { return {file_of(here), here.call_line}; }

    /// Compilers give line 0 to code of several lines that they merged, and to code of their own.
    /// Returns the line of the nearest code before `address` that is also within the function or
    /// inlined call `within`. If there is none, it is the line of the nearest code after it, or
    /// that of the function's declaration.
    source_line nearest_line(std::int32_t within, std::uint64_t address) {
        const place& here = places_[static_cast<std::size_t>(within)];
        Dwarf_Lines* rows = nullptr;
        std::size_t count = 0;
        if (dwarf_getsrclines(&units_[static_cast<std::size_t>(here.unit)], &rows, &count) != 0)
            return {};
        const auto address_of_row = [rows](std::size_t i) {
            Dwarf_Addr result = 0;
            dwarf_lineaddr(dwarf_onesrcline(rows, i), &result);
            return result;
        };
        std::size_t behind = 0;
        for (std::size_t end = count; behind < end;) {
            const std::size_t middle = behind + (end - behind) / 2;
            if (address_of_row(middle) <= address)
                behind = middle + 1;
            else
                end = middle;
        }
        const std::int32_t function = root_of(within);
        // Returns nothing outside the function.
        const auto line_of_row = [&](std::size_t i) -> std::optional<source_line> {
            std::int32_t at = place_at(address_of_row(i));
            if (root_of(at) != function) return std::nullopt;
            if (at == within) return line_of(here.unit, dwarf_onesrcline(rows, i));
            while (at != nowhere && places_[static_cast<std::size_t>(at)].parent != within)
                at = places_[static_cast<std::size_t>(at)].parent;
            return at == nowhere ? source_line() : call_line(places_[static_cast<std::size_t>(at)]);
        };
        for (std::size_t i = behind; i-- > 0;) {
            const std::optional<source_line> line = line_of_row(i);
            if (!line) break;
            if (line->number != 0) return *line;
        }
        for (std::size_t i = behind; i < count; ++i) {
            const std::optional<source_line> line = line_of_row(i);
            if (!line) break;
            if (line->number != 0) return *line;
        }
        source_line result;
        Dwarf_Die declaration = declaration_of(here.entry);
        if (const char* const name = dwarf_decl_file(&declaration))
            result.file = whole_path(here.unit, name);
        dwarf_decl_line(&declaration, &result.number);
        return result;
    }

    std::string file_of(const place& here) {
        if (here.parent == nowhere || here.unit == nowhere) return {};
        Dwarf_Files* files = nullptr;
        Dwarf_Die unit;
        Dwarf_Die entry = here.entry;
        if (dwarf_diecu(&entry, &unit, nullptr, nullptr) == nullptr ||
            dwarf_getsrcfiles(&unit, &files, nullptr) != 0)
            return {};
        const char* const name =
            dwarf_filesrc(files, static_cast<std::size_t>(here.call_file), nullptr, nullptr);
        // Up to version 4 of DWARF, file number 0 means that there is none.
        return name == nullptr || std::strcmp(name, "???") == 0 ? "" : whole_path(here.unit, name);
    }

    /// Compilers write a file's name as it was given, relative to their working directory.
    std::string whole_path(std::int32_t unit, const char* name) {
        Dwarf_Attribute found;
        const char* folder = nullptr;
        if (dwarf_attr(&units_[static_cast<std::size_t>(unit)], DW_AT_comp_dir, &found) != nullptr)
            folder = dwarf_formstring(&found);
        return (std::filesystem::path(folder == nullptr ? "" : folder) / name)
            .lexically_normal()
            .string();
    }

    std::int32_t function_of(std::int32_t index) {
        place& here = places_[static_cast<std::size_t>(index)];
        if (here.function != nowhere) return here.function;
        Dwarf_Die entry = declaration_of(here.entry);
        const auto [known, is_new] =
            function_at_.emplace(entry.addr, static_cast<std::int32_t>(functions_.size()));
        if (is_new) functions_.push_back(entries_.function(entry));
        here.function = known->second;
        note_merged(index);
        return here.function;
    }

    /// Gives a place in a merged function a description of its own.
    void note_merged(std::int32_t index) {
        const auto merged = merged_.find(places_[static_cast<std::size_t>(root_of(index))].low);
        if (merged == merged_.end()) return;
        place& here = places_[static_cast<std::size_t>(index)];
        code_function function = functions_[static_cast<std::size_t>(here.function)];
        function.merged = merged->second;
        here.function = static_cast<std::int32_t>(functions_.size());
        functions_.push_back(std::move(function));
    }

    /// Adds the symbols of functions that are not in the debug information.
    void add_symbols() {
        std::vector<code_map::range> known;
        known.reserve(nested_.size());
        for (const nested_range& each : nested_)
            if (each.depth == 0) known.push_back({each.low, each.high, each.place});
        std::sort(known.begin(), known.end(),
                  [](const auto& a, const auto& b) { return a.low < b.low; });
        const int count = dwfl_module_getsymtab(module_);
        std::vector<named_address> symbols;
        for (int i = 1; i < count; ++i) {
            GElf_Sym symbol;
            GElf_Addr address = 0;
            const char* const name =
                dwfl_module_getsym_info(module_, i, &symbol, &address, nullptr, nullptr, nullptr);
            if (name == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_FUNC ||
                symbol.st_size == 0 || symbol.st_shndx == SHN_UNDEF)
                continue;
            address -= bias_;
            symbols.emplace_back(address, name);
            const auto after = std::upper_bound(
                known.begin(), known.end(), address,
                [](std::uint64_t value, const auto& each) { return value < each.low; });
            if (after != known.begin() && address < std::prev(after)->high) continue;
            place here;
            here.function = static_cast<std::int32_t>(functions_.size());
            here.low = address;
            functions_.push_back({demangled(name)});
            nested_.push_back(
                {address, address + symbol.st_size, static_cast<std::int32_t>(places_.size()), 0});
            places_.push_back(here);
        }
        find_merged(std::move(symbols));
        for (std::size_t i = 0; i < places_.size(); ++i)
            if (places_[i].unit == nowhere) note_merged(static_cast<std::int32_t>(i));
    }

    using named_address = std::pair<std::uint64_t, const char*>;

    /// Finds functions of several names at one address.
    void find_merged(std::vector<named_address> symbols) {
        std::sort(symbols.begin(), symbols.end(),
                  [](const auto& a, const auto& b) { return a.first < b.first; });
        for (auto begin = symbols.begin(); begin != symbols.end();) {
            const auto end = std::find_if(begin, symbols.end(), [begin](const named_address& each) {
                return each.first != begin->first;
            });
            std::map<std::string, const char*> functions;
            for (auto each = begin; end - begin > 1 && each != end; ++each)
                functions.emplace(key_of_symbol(each->second), each->second);
            if (functions.size() > 1)
                for (const auto& [key, symbol] : functions)
                    merged_[begin->first].push_back(demangled_signature(symbol));
            begin = end;
        }
    }

    const code_map* map_;
    dwfl_session session_;
    Dwfl_Module* module_;  // of the session
    Elf* elf_ = nullptr;
    Dwarf* dwarf_ = nullptr;
    GElf_Addr bias_ = 0;
    debug_entries entries_;
    source_files sources_;
    std::vector<Dwarf_Die> units_;
    std::vector<place> places_;
    std::vector<nested_range> nested_;
    std::unordered_map<void*, std::int32_t> function_at_;
    std::deque<code_function> functions_;                         // others point at them
    std::unordered_map<void*, std::vector<std::int32_t>> roots_;  // by their declaration's address
    std::unordered_map<std::int32_t, std::vector<call_site>> calls_;  // without `indirect_`
    std::unordered_map<std::int32_t, std::vector<std::uint64_t>> jumps_to_;
    std::unordered_map<std::uint64_t, std::vector<std::string>> merged_;  // names by address
    std::map<std::pair<std::int32_t, int>, bool> lists_;  // whether a place's line makes a list
    bool jumps_are_known_ = false;
    const std::set<std::uint64_t>* indirect_ = nullptr;
};

code_map::code_map(const std::filesystem::path& file) : impl_(std::make_unique<impl>(this, file)) {}
code_map::~code_map() = default;

bool code_map::has_debug_information() const {
    return impl_->has_debug_information;
}
std::uint64_t code_map::address_of(const char* variable) const {
    return impl_->address_of(variable);
}
std::uint64_t code_map::address_at(std::uint64_t file_offset) const {
    return impl_->address_at(file_offset);
}
code_map::range code_map::text() const {
    return impl_->text();
}
const std::vector<code_map::range>& code_map::ranges() const {
    return impl_->ranges;
}
std::vector<const code_function*> code_map::functions(std::int32_t place) const {
    return impl_->functions(place);
}
std::vector<code_frame> code_map::frames(std::uint64_t address) const {
    return impl_->frames(address);
}
std::vector<std::string> code_map::declared_at(const code_frame& frame) {
    return frame.code == nullptr ? std::vector<std::string>()
                                 : frame.code->impl_->declared_at(frame);
}
std::vector<int> code_map::captured_at(const code_frame& frame, const std::string& its_class) {
    return frame.code == nullptr ? std::vector<int>()
                                 : frame.code->impl_->captured_at(frame, its_class);
}
bool code_map::makes_list(const code_frame& frame) {
    return frame.code != nullptr && frame.code->impl_->makes_list(frame);
}
constructor_access code_map::constructors_of_argument(const code_frame& frame) {
    return frame.code == nullptr ? constructor_access::untold
                                 : frame.code->impl_->constructors_of_argument(frame);
}
bool has_debug_information(const std::filesystem::path& file) {
    const dwfl_session session = begin_session();
    Dwfl_Module* const module = module_of(session, file);
    Dwarf_Addr bias = 0;
    Dwarf* const found = module == nullptr ? nullptr : dwfl_module_getdwarf(module, &bias);
    Dwarf_CU* unit = nullptr;
    Dwarf_Die entry;
    Dwarf_Die split;
    std::uint8_t type = 0;
    while (found != nullptr &&
           dwarf_get_units(found, unit, &unit, nullptr, &type, &entry, &split) == 0)
        if (type == DW_UT_skeleton || contains_function(entry)) return true;
    return false;
}

std::optional<jumped_frames> code_map::jumped_over(std::uint64_t call, std::uint64_t reached,
                                                   const std::set<std::uint64_t>& indirect,
                                                   const function_test& is_passed_over) const {
    return impl_->jumped_over(call, reached, indirect, is_passed_over);
}

}  // namespace freehold
