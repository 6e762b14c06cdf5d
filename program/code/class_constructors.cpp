// SPDX-License-Identifier: BSL-1.0
#include "code/class_constructors.hpp"

#include "code/debug_attributes.hpp"

#include <string>

#include <dwarf.h>

namespace freehold {
namespace {

std::string without_arguments_of(const std::string& name) {
    return name.substr(0, name.find('<'));
}

bool is_constructor(Dwarf_Die& member, const std::string& its_class) {
    if (dwarf_tag(&member) != DW_TAG_subprogram || dwarf_hasattr(&member, DW_AT_type) != 0)
        return false;
    const std::string name = own_name(member);
    // clang++ gives an inherited constructor the name of the base class.
    const bool is_written_by_compiler = dwarf_hasattr(&member, DW_AT_artificial) != 0;
    return without_arguments_of(name) == its_class ||
           (is_written_by_compiler && name.front() != '~');
}

bool has_parameters(Dwarf_Die& function) {
    Dwarf_Die child;
    if (dwarf_child(&function, &child) != 0) return false;
    while (dwarf_tag(&child) != DW_TAG_formal_parameter)
        if (dwarf_siblingof(&child, &child) != 0) return false;
    return true;
}

/// Returns whether a constructor in a declaration may be missing in the definition. This is an
/// instance of a template, or one that clang++ wrote itself. Of others g++ repeats the names alone.
bool is_addition(Dwarf_Die& constructor) {
    return own_name(constructor).find('<') != std::string::npos ||
           (dwarf_hasattr(&constructor, DW_AT_artificial) != 0 && has_parameters(constructor));
}

/// Returns whether an object can have been made by a constructor from nothing but its arguments.
bool makes_objects(Dwarf_Die& constructor) {
    return dwarf_hasattr(&constructor, DW_AT_deleted) == 0 &&
           own_argument_of(constructor) == own_argument::none;
}

bool is_public(Dwarf_Die& member, bool by_default) {
    const int access = number_of(member, DW_AT_accessibility);
    return access == 0 ? by_default : access == DW_ACCESS_public;
}

/// In version 2, g++ writes nothing where a member of a class is public.
bool has_defaults(Dwarf_Die& entry) {
    constexpr Dwarf_Half first = 3;
    Dwarf_Half version = 0;
    dwarf_cu_info(entry.cu, &version, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    return version >= first;
}

}  // namespace

std::optional<Dwarf_Die> class_of_argument(Dwarf_Die function) {
    // For a class in a type unit, g++ writes declarations without parameters.
    function = whole_of(function);
    Dwarf_Die type;
    if (dwarf_child(&function, &type) != 0) return std::nullopt;
    while (dwarf_tag(&type) != DW_TAG_formal_parameter ||
           dwarf_hasattr(&type, DW_AT_artificial) != 0)
        if (dwarf_siblingof(&type, &type) != 0) return std::nullopt;
    while (step_through(type, {DW_TAG_formal_parameter, DW_TAG_typedef, DW_TAG_const_type,
                               DW_TAG_reference_type, DW_TAG_rvalue_reference_type})) {
    }
    if (!step_through(type, {DW_TAG_pointer_type})) return std::nullopt;
    while (step_through(type, {DW_TAG_typedef, DW_TAG_const_type, DW_TAG_volatile_type})) {
    }
    return is_class(type) ? std::optional(type) : std::nullopt;
}

constructor_access access_of_constructors(const std::vector<Dwarf_Die>& entries) {
    bool is_defined = false;
    bool has_public = false;
    bool has_other = false;
    for (Dwarf_Die each : entries) {
        if (!has_defaults(each)) return constructor_access::untold;
        const bool is_whole = is_definition(each);
        is_defined |= is_whole;
        const std::string name = without_arguments_of(own_name(each));
        const bool by_default = dwarf_tag(&each) != DW_TAG_class_type;
        Dwarf_Die member;
        if (dwarf_child(&each, &member) != 0) continue;
        do {
            if (is_constructor(member, name) && makes_objects(member) &&
                (is_whole || is_addition(member)))
                (is_public(member, by_default) ? has_public : has_other) = true;
        } while (dwarf_siblingof(&member, &member) == 0);
    }
    if (!is_defined || (has_public && has_other)) return constructor_access::untold;
    return has_other ? constructor_access::none_public : constructor_access::all_public;
}

}  // namespace freehold
