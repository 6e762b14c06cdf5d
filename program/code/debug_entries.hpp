// SPDX-License-Identifier: BSL-1.0
// Reads the entries of functions in DWARF debug information: their names, whether the compiler
// generated them, their variables, and the class that their argument points to.
#pragma once

#include "code/code_map.hpp"
#include "code/constructor_access.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <elfutils/libdw.h>

namespace freehold {

class debug_entries {
public:
    /// The entries that are added next are of this unit.
    void begin(Dwarf_CU* unit) { added_to_ = &scopes_[section_of(unit)]; }
    /// Adds a namespace, class or function that may contain others. Entries are added in the order
    /// of their offsets. Returns its number, which is the parent of those in it; -1 is none.
    std::int32_t add(const Dwarf_Die& entry, std::int32_t parent);

    /// Describes the function that an entry declares. The entry must be a `declaration_of`.
    [[nodiscard]] code_function function(Dwarf_Die& declaration);
    /// Returns the names of the classes whose objects are variables that a line of the function
    /// declares. References and pointers are left out.
    [[nodiscard]] std::vector<std::string> declared_at(Dwarf_Die function, int line);
    /// Returns the lines of lambdas in the function that capture an object of the class by value.
    [[nodiscard]] std::vector<int> captured_at(Dwarf_Die function, const std::string& its_class);
    /// Returns whether a line of the function makes a `std::initializer_list`: it declares one, or
    /// calls a function that takes one. `line_at` returns the line of an address.
    [[nodiscard]] bool makes_list(Dwarf_Die function, int line,
                                  const std::function<int(Dwarf_Addr)>& line_at);
    /// Describes the constructors of the class to which the first parameter of the function points.
    [[nodiscard]] constructor_access constructors_of_argument(Dwarf_Die function);

private:
    /// A file, and whether it is the section that DWARF 4 has for type units. Each section has its
    /// own offsets.
    using section = std::pair<Dwarf*, bool>;
    struct scope {
        Dwarf_Off offset;
        std::int32_t parent;
    };
    static section section_of(Dwarf_CU* unit);
    static Dwarf_Die entry_at(const section& in, Dwarf_Off offset);

    void add_declared(Dwarf_Die& parent, int line, std::vector<std::string>& result);
    void add_lambdas(Dwarf_Die& parent, const std::string& captured, std::vector<int>& result);
    bool has_member(Dwarf_Die& parent, const std::string& its_class);
    std::string class_of(Dwarf_Die variable);
    std::string qualified_name(Dwarf_Die entry);
    std::string scope_name(Dwarf_Die& entry);
    bool is_clone_of_a_trait(Dwarf_Die& entry);
    std::vector<Dwarf_Die> entries_of(Dwarf_Die its_class);
    void find_classes();

    std::map<section, std::vector<scope>> scopes_;
    std::vector<scope>* added_to_ = nullptr;
    // All classes, by a hash of their names without scopes. It is empty until it is needed.
    std::unordered_multimap<std::size_t, std::pair<section, Dwarf_Off>> classes_;
    std::unordered_map<void*, constructor_access> constructors_;  // by the class's address
};

}  // namespace freehold
