// SPDX-License-Identifier: BSL-1.0
#include "handles/code_map.hpp"

#include "handles/known_handles.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>

namespace freehold {
namespace {

constexpr std::int32_t nowhere = -1;

/// A namespace, class or function that may contain others. They are found in the order of their
/// offsets.
struct scope {
    Dwarf_Off offset;
    std::int32_t parent;
};

/// A function with its own code, or an inlined call.
struct place {
    Dwarf_Die entry{};
    std::int32_t parent = nowhere;
    std::int32_t unit = nowhere;
    std::int32_t function = nowhere;
    std::int32_t call_file = 0;
    int call_line = 0;
};

struct nested_range {
    std::uint64_t low;
    std::uint64_t high;
    std::int32_t place;
    std::int32_t depth;
};

std::string demangled(const char* name) {
    int status = 0;
    char* const text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
    std::string result = status == 0 && text != nullptr ? without_parameters(text) : name;
    std::free(text);
    return result;
}

int number(Dwarf_Die& entry, unsigned attribute) {
    Dwarf_Attribute found;
    Dwarf_Word value = 0;
    if (dwarf_attr(&entry, attribute, &found) == nullptr || dwarf_formudata(&found, &value) != 0)
        return 0;
    return static_cast<int>(value);
}

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

}  // namespace

class code_map::impl {
public:
    impl(const code_map* map, const std::filesystem::path& file) : map_(map) {
        static const Dwfl_Callbacks callbacks = {dwfl_build_id_find_elf,
                                                 dwfl_standard_find_debuginfo,
                                                 dwfl_offline_section_address, nullptr};
        session_ = dwfl_begin(&callbacks);
        if (session_ == nullptr) return;
        module_ = dwfl_report_offline(session_, file.c_str(), file.c_str(), -1);
        dwfl_report_end(session_, nullptr, nullptr);
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
    ~impl() {
        if (session_ != nullptr) dwfl_end(session_);
    }

    std::vector<const code_function*> functions(std::int32_t at) {
        std::vector<const code_function*> result;
        for (; at != nowhere; at = places_[static_cast<std::size_t>(at)].parent)
            result.push_back(&functions_[static_cast<std::size_t>(function_of(at))]);
        return result;
    }

    std::vector<code_frame> frames(std::uint64_t address) {
        const std::int32_t innermost = place_at(address);
        if (innermost == nowhere) return {};
        std::vector<code_frame> result;
        std::string file;
        int line = 0;
        const std::int32_t unit = places_[static_cast<std::size_t>(innermost)].unit;
        if (unit != nowhere) {
            Dwarf_Line* const at =
                dwarf_getsrc_die(&units_[static_cast<std::size_t>(unit)], address);
            if (at != nullptr) {
                const char* const name = dwarf_linesrc(at, nullptr, nullptr);
                if (name != nullptr) file = whole_path(unit, name);
                dwarf_lineno(at, &line);
            }
        }
        for (std::int32_t at = innermost; at != nowhere;) {
            const place& here = places_[static_cast<std::size_t>(at)];
            result.push_back(
                {functions_[static_cast<std::size_t>(function_of(at))], file, line, map_, at});
            file = file_of(here);
            line = here.call_line;
            at = here.parent;
        }
        return result;
    }

    std::vector<code_frame> jumped_over(std::uint64_t call, std::uint64_t reached) {
        const std::int32_t target = root_of(place_at(reached));
        const std::int32_t caller = root_of(place_at(call));
        if (target == nowhere || caller == nowhere) return {};
        for (const call_site& each : calls_of(caller)) {
            if (each.is_jump || call + 1 < each.address || call > each.address) continue;
            std::vector<std::uint64_t> way;
            if (each.callee == target || !one_way(each.callee, target, way)) return {};
            std::vector<code_frame> result;
            for (const std::uint64_t jump : way) {
                const std::vector<code_frame> more = frames(jump);
                result.insert(result.end(), more.begin(), more.end());
            }
            return result;
        }
        return {};
    }

    std::vector<std::string> declared_at(const code_frame& frame) {
        std::vector<std::string> result;
        if (frame.place == nowhere) return result;
        Dwarf_Die function = places_[static_cast<std::size_t>(frame.place)].entry;
        Dwarf_Attribute found;
        Dwarf_Die whole;
        // Copies of a function refer to an entry that has all of its variables.
        if (dwarf_attr(&function, DW_AT_abstract_origin, &found) != nullptr &&
            dwarf_formref_die(&found, &whole) != nullptr)
            function = whole;
        add_declared(function, frame.line, result);
        return result;
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
            Dwarf_Die* const whole = split.addr != nullptr ? &split : &entry;
            if (type == DW_UT_skeleton && whole == &entry) continue;
            units_.push_back(entry);
            scopes_in_ = &scopes_[dwarf_cu_getdwarf(whole->cu)];
            walk(*whole, nowhere, nowhere, 0);
        }
        has_debug_information = !nested_.empty();
    }

    /// A call in the debug information of a function, or a jump in place of a call.
    struct call_site {
        std::uint64_t address;  // within the instruction, or directly after it
        std::int32_t callee;
        bool is_jump;
    };

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

    /// Returns the function that an entry declares, or `nowhere` if this file has no code for it.
    std::int32_t root_of_declaration(const Dwarf_Die& declaration) {
        if (roots_.empty())
            for (std::size_t i = 0; i < places_.size(); ++i)
                if (places_[i].parent == nowhere && places_[i].unit != nowhere)
                    roots_.emplace(declaration_of(places_[i].entry).addr,
                                   static_cast<std::int32_t>(i));
        const auto found = roots_.find(declaration_of(declaration).addr);
        return found == roots_.end() ? nowhere : found->second;
    }

    std::vector<call_site> calls_of(std::int32_t root) {
        std::vector<call_site> result;
        const place& function = places_[static_cast<std::size_t>(root)];
        if (function.unit != nowhere) add_calls(function.entry, result);
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
            if ((dwarf_attr(&child, DW_AT_call_origin, &found) == nullptr &&
                 dwarf_attr(&child, DW_AT_abstract_origin, &found) == nullptr) ||
                dwarf_formref_die(&found, &callee) == nullptr)
                continue;
            const bool is_jump = dwarf_hasattr(&child, DW_AT_call_tail_call) != 0 ||
                                 dwarf_hasattr(&child, DW_AT_GNU_tail_call) != 0;
            for (const unsigned name : {DW_AT_low_pc, DW_AT_call_pc, DW_AT_call_return_pc})
                if (dwarf_attr(&child, name, &found) != nullptr) dwarf_formaddr(&found, &address);
            // The address after a jump may belong to the next function.
            if (is_jump && dwarf_hasattr(&child, DW_AT_call_pc) == 0) --address;
            result.push_back({address, root_of_declaration(callee), is_jump});
        } while (dwarf_siblingof(&child, &child) == 0);
    }

    void add_declared(Dwarf_Die& parent, int line, std::vector<std::string>& result) {
        Dwarf_Die child;
        if (dwarf_child(&parent, &child) != 0) return;
        do {
            const int tag = dwarf_tag(&child);
            if (tag == DW_TAG_lexical_block) add_declared(child, line, result);
            if (tag != DW_TAG_variable || number(child, DW_AT_decl_line) != line) continue;
            Dwarf_Die type = child;
            Dwarf_Attribute found;
            do {
                if (dwarf_attr(&type, DW_AT_type, &found) == nullptr ||
                    dwarf_formref_die(&found, &type) == nullptr)
                    break;
            } while (dwarf_tag(&type) == DW_TAG_typedef || dwarf_tag(&type) == DW_TAG_const_type);
            if (dwarf_tag(&type) == DW_TAG_class_type || dwarf_tag(&type) == DW_TAG_structure_type)
                result.push_back(qualified_name(type));
        } while (dwarf_siblingof(&child, &child) == 0);
    }

    /// Returns whether exactly one chain of jumps leads from a function to another. `way` gets the
    /// jumps, the last first. Jumps at one place count as one, because a compiler makes several of
    /// them for the cases of one call.
    bool one_way(std::int32_t from, std::int32_t to, std::vector<std::uint64_t>& way,
                 int left = 4) {
        if (from == nowhere || left == 0) return false;
        bool found = false;
        for (const call_site& each : calls_of(from)) {
            if (!each.is_jump) continue;
            std::vector<std::uint64_t> rest;
            if (each.callee != to && !one_way(each.callee, to, rest, left - 1)) continue;
            rest.push_back(each.address);
            if (found && place_at(way.back()) != place_at(each.address)) return false;
            found = true;
            way = std::move(rest);
        }
        return found;
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
                    walk(child, add_scope(child, scope_around), nowhere, 0);
                    break;
                case DW_TAG_subprogram:
                    walk(child, add_scope(child, scope_around), add_place(child, nowhere, 0), 1);
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

    std::int32_t add_scope(const Dwarf_Die& entry, std::int32_t parent) {
        Dwarf_Die copy = entry;
        scopes_in_->push_back({dwarf_dieoffset(&copy), parent});
        return static_cast<std::int32_t>(scopes_in_->size() - 1);
    }

    std::int32_t add_place(Dwarf_Die& entry, std::int32_t parent, int depth) {
        const auto index = static_cast<std::int32_t>(places_.size());
        std::ptrdiff_t next = 0;
        Dwarf_Addr base = 0;
        Dwarf_Addr low = 0;
        Dwarf_Addr high = 0;
        bool has_code = false;
        while ((next = dwarf_ranges(&entry, next, &base, &low, &high)) > 0) {
            // The linker gives address 0 to functions that it has removed.
            if (low == 0 || low >= high) continue;
            nested_.push_back({low, high, index, depth});
            has_code = true;
        }
        if (!has_code && parent == nowhere) return nowhere;
        place here;
        here.entry = entry;
        here.parent = parent;
        here.unit = static_cast<std::int32_t>(units_.size() - 1);
        if (parent != nowhere) {
            here.call_file = number(entry, DW_AT_call_file);
            here.call_line = number(entry, DW_AT_call_line);
        }
        places_.push_back(here);
        return index;
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
        if (is_new)
            functions_.push_back(
                {qualified_name(entry), is_implicit(entry) || is_clone_of_a_trait(entry)});
        return here.function = known->second;
    }

    static bool is_implicit(Dwarf_Die& declaration) {
        // A lambda's function is marked as generated by the compiler, but its body is the user's.
        const std::string name = own_name(declaration);
        if (name.compare(0, 8, "operator") == 0 && name != "operator=") return false;
        return dwarf_hasattr(&declaration, DW_AT_artificial) != 0 ||
               number(declaration, DW_AT_defaulted) != DW_DEFAULTED_no;
    }

    /// Returns the entry to which an inlined function or a definition refers.
    static Dwarf_Die declaration_of(Dwarf_Die entry) {
        for (const unsigned attribute :
             {DW_AT_abstract_origin, DW_AT_abstract_origin, DW_AT_specification}) {
            Dwarf_Attribute found;
            Dwarf_Die next;
            if (dwarf_attr(&entry, attribute, &found) != nullptr &&
                dwarf_formref_die(&found, &next) != nullptr)
                entry = next;
        }
        return entry;
    }

    std::int32_t scope_around(Dwarf_Die& entry) {
        const std::vector<scope>& all = scopes_[dwarf_cu_getdwarf(entry.cu)];
        const Dwarf_Off offset = dwarf_dieoffset(&entry);
        const auto found = std::lower_bound(
            all.begin(), all.end(), offset,
            [](const scope& each, Dwarf_Off value) { return each.offset < value; });
        return found == all.end() || found->offset != offset ? nowhere : found->parent;
    }

    /// The compiler derives most of these. For all of them, the caller is the code that copies.
    bool is_clone_of_a_trait(Dwarf_Die& entry) {
        if (own_name(entry) != "clone") return false;
        Dwarf* const in = dwarf_cu_getdwarf(entry.cu);
        const std::string around = name_around(scopes_[in], in, scope_around(entry));
        const auto last = around.rfind("::");
        return last != std::string::npos && around.compare(last + 2, 6, "{impl#") == 0;
    }

    std::string qualified_name(Dwarf_Die& entry) {
        const std::string name = own_name(entry);
        Dwarf* const in = dwarf_cu_getdwarf(entry.cu);
        const std::string around = name_around(scopes_[in], in, scope_around(entry));
        return around.empty() ? name : with_implementing_type(around, entry) + "::" + name;
    }

    std::string name_around(const std::vector<scope>& all, Dwarf* in, std::int32_t up) {
        std::string result;
        const auto put_in_front = [&](const std::string& name) {
            result = result.empty() ? name : name + "::" + result;
        };
        while (up != nowhere) {
            const scope& around = all[static_cast<std::size_t>(up)];
            Dwarf_Die die;
            if (dwarf_offdie(in, around.offset, &die) == nullptr) break;
            if (dwarf_tag(&die) == DW_TAG_subprogram) {
                Dwarf_Die declared = declaration_of(die);
                put_in_front(qualified_name(declared));
                break;
            }
            put_in_front(own_name(die));
            up = around.parent;
        }
        return result;
    }

    /// Rust names an implementation of a trait `module::{impl#1}`. If the type is in the same
    /// module, this returns `module::type<argument>` instead.
    static std::string with_implementing_type(const std::string& around, Dwarf_Die& function) {
        const auto last = around.rfind("::");
        if (last == std::string::npos || around.compare(last + 2, 6, "{impl#") != 0) return around;
        const std::string self = type_of_self(function);
        return self.compare(0, last + 2, around, 0, last + 2) == 0 ? self : around;
    }

    static std::string type_of_self(Dwarf_Die& function) {
        Dwarf_Die child;
        if (dwarf_child(&function, &child) != 0) return {};
        do {
            if (dwarf_tag(&child) != DW_TAG_formal_parameter) continue;
            Dwarf_Attribute found;
            Dwarf_Die type;
            const char* const name = dwarf_diename(&child);
            if (name == nullptr || std::strcmp(name, "self") != 0 ||
                dwarf_attr(&child, DW_AT_type, &found) == nullptr ||
                dwarf_formref_die(&found, &type) == nullptr || dwarf_diename(&type) == nullptr)
                return {};
            std::string_view text = dwarf_diename(&type);
            for (const std::string_view reference : {"&", "mut "})
                if (text.substr(0, reference.size()) == reference)
                    text.remove_prefix(reference.size());
            return std::string(text);
        } while (dwarf_siblingof(&child, &child) == 0);
        return {};
    }

    static std::string own_name(Dwarf_Die& entry) {
        if (const char* const name = dwarf_diename(&entry)) return name;
        Dwarf_Attribute found;
        if (dwarf_attr(&entry, DW_AT_linkage_name, &found) != nullptr)
            if (const char* const name = dwarf_formstring(&found)) return demangled(name);
        return dwarf_tag(&entry) == DW_TAG_namespace ? "(anonymous namespace)" : "<lambda>";
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
        for (int i = 1; i < count; ++i) {
            GElf_Sym symbol;
            GElf_Addr address = 0;
            const char* const name =
                dwfl_module_getsym_info(module_, i, &symbol, &address, nullptr, nullptr, nullptr);
            if (name == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_FUNC ||
                symbol.st_size == 0 || symbol.st_shndx == SHN_UNDEF)
                continue;
            address -= bias_;
            const auto after = std::upper_bound(
                known.begin(), known.end(), address,
                [](std::uint64_t value, const auto& each) { return value < each.low; });
            if (after != known.begin() && address < std::prev(after)->high) continue;
            place here;
            here.function = static_cast<std::int32_t>(functions_.size());
            functions_.push_back({demangled(name)});
            nested_.push_back(
                {address, address + symbol.st_size, static_cast<std::int32_t>(places_.size()), 0});
            places_.push_back(here);
        }
    }

    const code_map* map_;
    Dwfl* session_ = nullptr;
    Dwfl_Module* module_ = nullptr;
    Elf* elf_ = nullptr;
    Dwarf* dwarf_ = nullptr;
    GElf_Addr bias_ = 0;
    std::unordered_map<Dwarf*, std::vector<scope>> scopes_;
    std::vector<scope>* scopes_in_ = nullptr;
    std::vector<Dwarf_Die> units_;
    std::vector<place> places_;
    std::vector<nested_range> nested_;
    std::unordered_map<void*, std::int32_t> function_at_;
    std::unordered_map<void*, std::int32_t> roots_;  // by the address of their declaration
    std::deque<code_function> functions_;            // others point at them
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
std::vector<code_frame> code_map::jumped_over(std::uint64_t call, std::uint64_t reached) const {
    return impl_->jumped_over(call, reached);
}

}  // namespace freehold
