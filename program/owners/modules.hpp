// SPDX-License-Identifier: BSL-1.0
// The files of code that a program has mapped: their symbols and debug information.
#pragma once

#include "owners/entry_scopes.hpp"
#include "owners/memory_image.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

namespace freehold {

class program_modules {
public:
    /// What cannot be opened is left out, and added to `incomplete`.
    program_modules(const memory_image& image, std::vector<std::string>& incomplete);

    /// Calls `use(name, address, size, is_object)` for each defined symbol of functions and
    /// objects.
    using symbol_user = std::function<void(const char*, std::uint64_t, std::uint64_t, bool)>;
    void for_each_symbol(const symbol_user& use) const;

    /// Calls `use` for the names in debug information of C++ that are longer than a few letters.
    void for_each_debug_name(const std::function<void(std::string_view)>& use) const;

    /// Whether a file could be opened.
    [[nodiscard]] bool has_file(const std::filesystem::path& file) const;
    /// Whether a file of this program has symbols of its functions that are not exported.
    [[nodiscard]] bool has_symbols(const std::filesystem::path& file) const;

    /// Returns the symbol around an address and the distance from it, demangled, or an empty text.
    [[nodiscard]] std::string symbol_at(std::uint64_t address) const;
    /// Returns the entry of the function around an address, or one with a null `addr`, and the
    /// difference of addresses in memory and in the file.
    [[nodiscard]] Dwarf_Die function_around(std::uint64_t address, std::uint64_t& bias) const;
    /// Returns the entry of the class that has the function at this address as a member. The
    /// entry's `addr` is null if it is unknown.
    [[nodiscard]] Dwarf_Die class_of_function(std::uint64_t address) const;
    /// Returns the namespace, class or union around an entry, or one with a null `addr`.
    [[nodiscard]] Dwarf_Die scope_around(const Dwarf_Die& entry) const {
        return scopes_.around(entry);
    }
    /// Returns the address of a member function of the class whose table of virtual functions is at
    /// this address, or 0. `name` is how the function's symbol ends.
    [[nodiscard]] std::uint64_t function_of_class(std::uint64_t table,
                                                  const std::string& name) const;
    /// Returns the name of the file of code around an address, or an empty text.
    [[nodiscard]] std::string file_at(std::uint64_t address) const;

    /// Calls `use(unit, module, bias)` for the entry of each unit of debug information. `bias` is
    /// the difference of addresses in memory and in the file.
    template <class Use>
    void for_each_unit(Use use) const {
        for (Dwfl_Module* const module : modules_) {
            Dwarf_Addr bias = 0;
            Dwarf* const file = dwfl_module_getdwarf(module, &bias);
            Dwarf_CU* unit = nullptr;
            Dwarf_Die top;
            while (file != nullptr &&
                   dwarf_get_units(file, unit, &unit, nullptr, nullptr, &top, nullptr) == 0)
                use(top, module, bias);
        }
    }

    [[nodiscard]] Dwfl* session() const { return session_.get(); }

private:
    struct session_end {
        void operator()(Dwfl* session) const { dwfl_end(session); }
    };
    [[nodiscard]] Dwarf_Die function_at(std::uint64_t address) const;

    std::unique_ptr<Dwfl, session_end> session_;
    mutable std::unordered_map<std::string, std::uint64_t> addresses_;  // of functions
    // Of each module: its functions by their first address in the file.
    mutable std::map<Dwfl_Module*, std::unordered_map<std::uint64_t, Dwarf_Die>> functions_;
    mutable entry_scopes scopes_;
    std::vector<Dwfl_Module*> modules_;
    std::vector<std::string> names_;
};

/// Returns the symbol of a member function of the class of which this is the symbol of the table of
/// virtual functions.
std::string symbol_of_member(std::string_view table, const std::string& function);

}  // namespace freehold
