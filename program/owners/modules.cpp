// SPDX-License-Identifier: BSL-1.0
#include "owners/modules.hpp"

#include "code/debug_attributes.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>

#include <dwarf.h>
#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <unistd.h>

namespace freehold {
namespace {

namespace fs = std::filesystem;

/// Returns a descriptor of the file that was mapped, or -1. The path may name another file by now.
int open_mapped(const mapped_file& file, const std::string& wanted_build_id) {
    std::string path = file.path;
    constexpr std::string_view deleted = " (deleted)";
    const bool is_gone = path.ends_with(deleted);
    if (is_gone) path.erase(path.size() - deleted.size());
    std::vector<std::string> candidates = file.other_paths;
    candidates.push_back(path);
    for (const std::string& each : candidates) {
        if (!wanted_build_id.empty() && build_id_of_file(each) != wanted_build_id) continue;
        if (wanted_build_id.empty() && is_gone && each == path) continue;
        const int opened = ::open(each.c_str(), O_RDONLY | O_CLOEXEC);
        if (opened >= 0) return opened;
    }
    return -1;
}

/// Returns the difference of the addresses in memory and those in the file.
std::uint64_t bias_of(int file, std::uint64_t begin) {
    Elf* const elf = elf_begin(file, ELF_C_READ_MMAP, nullptr);
    std::uint64_t first = 0;
    std::size_t count = 0;
    if (elf != nullptr && elf_getphdrnum(elf, &count) == 0)
        for (std::size_t i = 0; i != count; ++i) {
            GElf_Phdr part;
            if (gelf_getphdr(elf, static_cast<int>(i), &part) == nullptr || part.p_type != PT_LOAD)
                continue;
            first = (part.p_vaddr & ~std::uint64_t{4095}) - (part.p_offset & ~std::uint64_t{4095});
            break;
        }
    elf_end(elf);
    return begin - first;
}

std::string_view linkage_name(Dwarf_Die function) {
    Dwarf_Die declaration = declaration_of(function);
    Dwarf_Attribute found;
    const char* const name = dwarf_attr(&declaration, DW_AT_linkage_name, &found) == nullptr
                                 ? nullptr
                                 : dwarf_formstring(&found);
    return name == nullptr ? std::string_view() : std::string_view(name);
}

/// Adds the functions that a unit, namespace or class has code of. If the linker made one function
/// of several, the entry's `addr` is null.
void add_functions(Dwarf_Die parent, std::unordered_map<std::uint64_t, Dwarf_Die>& result) {
    Dwarf_Die child;
    if (dwarf_child(&parent, &child) != 0) return;
    do {
        switch (dwarf_tag(&child)) {
            case DW_TAG_subprogram: {
                // A function that the compiler split in parts has several ranges.
                std::ptrdiff_t next = 0;
                Dwarf_Addr base = 0;
                Dwarf_Addr low = 0;
                Dwarf_Addr high = 0;
                while ((next = dwarf_ranges(&child, next, &base, &low, &high)) > 0) {
                    // The linker gives address 0 to functions that it has removed.
                    if (low == 0) continue;
                    const auto [found, is_new] = result.emplace(low, child);
                    if (!is_new && found->second.addr != nullptr &&
                        linkage_name(found->second) != linkage_name(child))
                        found->second = Dwarf_Die{};
                }
                break;
            }
            case DW_TAG_namespace:
            case DW_TAG_class_type:
            case DW_TAG_structure_type:
                add_functions(child, result);
                break;
            default:
                break;
        }
    } while (dwarf_siblingof(&child, &child) == 0);
}

bool is_elf(const memory_image& image, std::uint64_t begin) {
    std::array<char, SELFMAG> found{};
    return image.read(begin, found.data(), found.size()) &&
           std::memcmp(found.data(), ELFMAG, SELFMAG) == 0;
}

/// Whether the module defines or uses a function of C++.
bool is_of_cpp(Dwfl_Module* module) {
    const int count = dwfl_module_getsymtab(module);
    for (int i = 1; i < count; ++i) {
        GElf_Sym symbol;
        const char* const name = dwfl_module_getsym(module, i, &symbol, nullptr);
        if (name != nullptr && std::string_view(name).starts_with("_Z")) return true;
    }
    return false;
}

}  // namespace

program_modules::program_modules(const memory_image& image, std::vector<std::string>& incomplete) {
    static const Dwfl_Callbacks callbacks = {dwfl_build_id_find_elf, dwfl_standard_find_debuginfo,
                                             dwfl_offline_section_address, nullptr};
    session_.reset(dwfl_begin(&callbacks));
    if (session_ == nullptr) throw owners_error("elfutils cannot be used");
    elf_version(EV_CURRENT);
    dwfl_report_begin(session_.get());
    for (const mapped_file& each : image.files) {
        if (each.offset != 0 || !is_elf(image, each.begin)) continue;
        const int file = open_mapped(each, build_id_in_memory(image, each.begin));
        Dwfl_Module* module = nullptr;
        if (file >= 0) {
            const std::uint64_t bias = bias_of(file, each.begin);
            module = dwfl_report_elf(session_.get(), each.path.c_str(), each.path.c_str(), file,
                                     bias, false);
            if (module == nullptr) ::close(file);
        }
        if (module != nullptr) {
            modules_.push_back(module);
            names_.push_back(each.path);
        } else {
            incomplete.push_back(fmt::format(
                "{}: was replaced or removed since it was loaded, so its types are unknown",
                each.path));
        }
    }
    dwfl_report_end(session_.get(), nullptr, nullptr);
}

void program_modules::for_each_symbol(const symbol_user& use) const {
    for (Dwfl_Module* const module : modules_) {
        const int count = dwfl_module_getsymtab(module);
        for (int i = 1; i < count; ++i) {
            GElf_Sym symbol;
            GElf_Addr address = 0;
            const char* const name =
                dwfl_module_getsym_info(module, i, &symbol, &address, nullptr, nullptr, nullptr);
            const int type = GELF_ST_TYPE(symbol.st_info);
            if (name == nullptr || symbol.st_shndx == SHN_UNDEF ||
                (type != STT_FUNC && type != STT_OBJECT))
                continue;
            use(name, address, symbol.st_size, type == STT_OBJECT);
        }
    }
}

void program_modules::for_each_debug_name(const std::function<void(std::string_view)>& use) const {
    for (Dwfl_Module* const module : modules_) {
        // Of others, as the C library, elfutils could have to load debug information from
        // elsewhere.
        if (!is_of_cpp(module)) continue;
        Dwarf_Addr bias = 0;
        Dwarf* const file = dwfl_module_getdwarf(module, &bias);
        if (file == nullptr) continue;
        std::size_t size = 0;
        for (Dwarf_Off at = 0; const char* const name = dwarf_getstring(file, at, &size);
             at += size + 1)
            use({name, size});
    }
}

bool program_modules::has_file(const fs::path& file) const {
    return std::find(names_.begin(), names_.end(), file.string()) != names_.end();
}

bool program_modules::has_symbols(const fs::path& file) const {
    for (std::size_t i = 0; i != modules_.size(); ++i) {
        if (names_[i] != file.string()) continue;
        const int count = dwfl_module_getsymtab(modules_[i]);
        for (int k = 1; k < count; ++k) {
            GElf_Sym symbol;
            if (dwfl_module_getsym(modules_[i], k, &symbol, nullptr) != nullptr &&
                symbol.st_shndx != SHN_UNDEF && GELF_ST_TYPE(symbol.st_info) == STT_FUNC &&
                GELF_ST_BIND(symbol.st_info) == STB_LOCAL)
                return true;
        }
    }
    return false;
}

std::string program_modules::symbol_at(std::uint64_t address) const {
    Dwfl_Module* const module = dwfl_addrmodule(session_.get(), address);
    if (module == nullptr) return {};
    GElf_Off offset = 0;
    GElf_Sym symbol;
    const char* const name =
        dwfl_module_addrinfo(module, address, &offset, &symbol, nullptr, nullptr, nullptr);
    if (name == nullptr) return {};
    if (symbol.st_size != 0 && offset >= symbol.st_size) return {};
    return demangled(name);
}

std::string program_modules::file_at(std::uint64_t address) const {
    Dwfl_Module* const module = dwfl_addrmodule(session_.get(), address);
    if (module == nullptr) return {};
    return dwfl_module_info(module, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
}

/// Returns the entry of the function that begins at an address. The tables by which elfutils finds
/// it are not written by all compilers.
Dwarf_Die program_modules::function_at(std::uint64_t address) const {
    Dwfl_Module* const module = dwfl_addrmodule(session_.get(), address);
    Dwarf_Addr bias = 0;
    Dwarf* const file = module == nullptr ? nullptr : dwfl_module_getdwarf(module, &bias);
    if (file == nullptr) return Dwarf_Die{};
    const auto [found, is_new] = functions_.try_emplace(module);
    if (is_new) {
        Dwarf_CU* unit = nullptr;
        Dwarf_Die top;
        Dwarf_Die split;
        while (dwarf_get_units(file, unit, &unit, nullptr, nullptr, &top, &split) == 0)
            add_functions(split.addr != nullptr ? split : top, found->second);
    }
    const auto function = found->second.find(address - bias);
    return function == found->second.end() ? Dwarf_Die{} : function->second;
}

Dwarf_Die program_modules::function_around(std::uint64_t address, std::uint64_t& bias) const {
    Dwfl_Module* const module = dwfl_addrmodule(session_.get(), address);
    if (module == nullptr || dwfl_module_getdwarf(module, &bias) == nullptr) return Dwarf_Die{};
    GElf_Off offset = 0;
    GElf_Sym symbol;
    if (dwfl_module_addrinfo(module, address, &offset, &symbol, nullptr, nullptr, nullptr) ==
        nullptr)
        return Dwarf_Die{};
    return function_at(address - offset);
}

Dwarf_Die program_modules::class_of_function(std::uint64_t address) const {
    const Dwarf_Die function = function_at(address);
    if (function.addr == nullptr) return Dwarf_Die{};
    Dwarf_Die around = scope_around(declaration_of(function));
    return is_class(around) ? around : Dwarf_Die{};
}

std::string symbol_of_member(std::string_view table, const std::string& function) {
    std::string_view of = table.substr(std::string_view("_ZTV").size());
    if (!of.starts_with('N')) return "_ZN" + std::string(of) + function;
    of.remove_suffix(1);
    return "_Z" + std::string(of) + function;
}

std::uint64_t program_modules::function_of_class(std::uint64_t table,
                                                 const std::string& name) const {
    Dwfl_Module* const module = dwfl_addrmodule(session_.get(), table);
    if (module == nullptr) return 0;
    GElf_Off offset = 0;
    GElf_Sym symbol;
    const char* const found =
        dwfl_module_addrinfo(module, table, &offset, &symbol, nullptr, nullptr, nullptr);
    if (found == nullptr || !std::string_view(found).starts_with("_ZTV")) return 0;
    if (addresses_.empty())
        for_each_symbol(
            [this](const char* each, std::uint64_t address, std::uint64_t, bool is_object) {
                if (!is_object) addresses_.emplace(each, address);
            });
    const auto function = addresses_.find(symbol_of_member(found, name));
    return function == addresses_.end() ? 0 : function->second;
}

}  // namespace freehold
