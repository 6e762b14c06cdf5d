// SPDX-License-Identifier: BSL-1.0
// What single entries of DWARF debug information say.
#pragma once

#include <initializer_list>
#include <string>

#include <elfutils/libdw.h>

namespace freehold {

/// Returns an attribute's number, or 0 if the entry has none.
int number_of(Dwarf_Die& entry, unsigned attribute);
/// Returns the entry to which an inlined function or a definition refers.
Dwarf_Die declaration_of(Dwarf_Die entry);
/// Copies of a function refer to an entry that has all of its variables and classes. Returns that.
Dwarf_Die whole_of(Dwarf_Die function);
/// Returns the entry within the scope that the name begins with. Outside it may be a definition,
/// and what a unit has of a class that is in a type unit.
Dwarf_Die in_scope(Dwarf_Die entry);
/// Returns whether the entry is a class or a struct. One without an address is not.
bool is_class(Dwarf_Die& entry);
/// Returns whether the entry of a class has its members, and not only those that a unit needs.
bool is_definition(Dwarf_Die& its_class);
/// Returns whether the entry's unit describes one type for all units that need it.
bool is_in_type_unit(const Dwarf_Die& entry);
/// Returns the name without what contains the entry.
std::string own_name(Dwarf_Die& entry);
/// Replaces an entry by its type if the entry has one of these tags. Returns whether it has.
bool step_through(Dwarf_Die& entry, std::initializer_list<int> tags);

/// How a constructor or an assignment takes an object of its class, if it takes nothing else.
enum class own_argument { none, constant_reference, other_reference };
own_argument own_argument_of(Dwarf_Die& function);

/// Returns the qualified name that a symbol stands for.
std::string demangled(const char* symbol);
/// Returns the same with parameters.
std::string demangled_signature(const char* symbol);

}  // namespace freehold
