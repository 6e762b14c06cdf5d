// SPDX-License-Identifier: BSL-1.0
#include "code/debug_attributes.hpp"

#include "code/known_handles.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <cxxabi.h>
#include <dwarf.h>

namespace freehold {

int number_of(Dwarf_Die& entry, unsigned attribute) {
    Dwarf_Attribute found;
    Dwarf_Word value = 0;
    if (dwarf_attr(&entry, attribute, &found) == nullptr || dwarf_formudata(&found, &value) != 0)
        return 0;
    return static_cast<int>(value);
}

Dwarf_Die declaration_of(Dwarf_Die entry) {
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

std::string demangled_signature(const char* symbol) {
    int status = 0;
    char* const text = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
    std::string result = status == 0 && text != nullptr ? text : symbol;
    std::free(text);
    return result;
}

std::string demangled(const char* symbol) {
    const std::string signature = demangled_signature(symbol);
    return signature == symbol ? signature : without_parameters(signature);
}

Dwarf_Die whole_of(Dwarf_Die function) {
    Dwarf_Attribute found;
    Dwarf_Die whole;
    return dwarf_attr(&function, DW_AT_abstract_origin, &found) != nullptr &&
                   dwarf_formref_die(&found, &whole) != nullptr
               ? whole
               : function;
}

Dwarf_Die in_scope(Dwarf_Die entry) {
    Dwarf_Attribute found;
    Dwarf_Die whole;
    if (dwarf_attr(&entry, DW_AT_signature, &found) != nullptr &&
        dwarf_formref_die(&found, &whole) != nullptr)
        entry = whole;
    return declaration_of(entry);
}

bool is_class(Dwarf_Die& entry) {
    const int tag = entry.addr == nullptr ? 0 : dwarf_tag(&entry);
    return tag == DW_TAG_class_type || tag == DW_TAG_structure_type;
}

bool is_definition(Dwarf_Die& its_class) {
    return dwarf_hasattr(&its_class, DW_AT_declaration) == 0 &&
           dwarf_hasattr(&its_class, DW_AT_signature) == 0;
}

bool is_in_type_unit(const Dwarf_Die& entry) {
    std::uint8_t type = 0;
    dwarf_cu_info(entry.cu, nullptr, &type, nullptr, nullptr, nullptr, nullptr, nullptr);
    return type == DW_UT_type;
}

std::string own_name(Dwarf_Die& entry) {
    if (const char* const name = dwarf_diename(&entry)) return name;
    Dwarf_Attribute found;
    if (dwarf_attr(&entry, DW_AT_linkage_name, &found) != nullptr)
        if (const char* const name = dwarf_formstring(&found)) return demangled(name);
    // Where a unit needs only a function of a class, clang++ leaves the name to the type unit.
    Dwarf_Die whole;
    if (dwarf_attr(&entry, DW_AT_signature, &found) != nullptr &&
        dwarf_formref_die(&found, &whole) != nullptr)
        if (const char* const name = dwarf_diename(&whole)) return name;
    return dwarf_tag(&entry) == DW_TAG_namespace ? "(anonymous namespace)" : "<lambda>";
}

bool step_through(Dwarf_Die& entry, std::initializer_list<int> tags) {
    if (std::find(tags.begin(), tags.end(), dwarf_tag(&entry)) == tags.end()) return false;
    Dwarf_Attribute found;
    Dwarf_Die type;
    if (dwarf_attr(&entry, DW_AT_type, &found) == nullptr ||
        dwarf_formref_die(&found, &type) == nullptr)
        return false;
    entry = type;
    return true;
}

own_argument own_argument_of(Dwarf_Die& function) {
    const std::string name = own_name(function);
    const bool is_assignment = name == "operator=";
    // A constructor returns nothing.
    if (!is_assignment && dwarf_hasattr(&function, DW_AT_type) != 0) return own_argument::none;
    std::vector<Dwarf_Die> types;
    Dwarf_Die child;
    if (dwarf_child(&function, &child) != 0) return own_argument::none;
    do {
        if (dwarf_tag(&child) != DW_TAG_formal_parameter) continue;
        if (!types.empty() && dwarf_hasattr(&child, DW_AT_artificial) != 0) continue;
        if (types.size() == 2) return own_argument::none;
        types.push_back(child);
    } while (dwarf_siblingof(&child, &child) == 0);
    if (types.size() != 2) return own_argument::none;
    Dwarf_Die itself = types[0];
    Dwarf_Die other = types[1];
    const auto pass = [](Dwarf_Die& type, int tag) {
        const bool passed = step_through(type, {tag});
        while (step_through(type, {DW_TAG_typedef})) {
        }
        return passed;
    };
    pass(itself, DW_TAG_formal_parameter);
    pass(itself, DW_TAG_const_type);
    pass(other, DW_TAG_formal_parameter);
    const bool is_lvalue = pass(other, DW_TAG_reference_type);
    if (!pass(itself, DW_TAG_pointer_type) ||
        (!is_lvalue && !pass(other, DW_TAG_rvalue_reference_type)))
        return own_argument::none;
    const bool is_constant = pass(other, DW_TAG_const_type);
    if (in_scope(itself).addr != in_scope(other).addr) return own_argument::none;
    const std::string its_class = own_name(itself);
    if (!is_assignment && its_class.substr(0, its_class.find('<')) != name)
        return own_argument::none;
    return is_lvalue && is_constant ? own_argument::constant_reference
                                    : own_argument::other_reference;
}

}  // namespace freehold
