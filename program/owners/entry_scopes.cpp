// SPDX-License-Identifier: BSL-1.0
#include "owners/entry_scopes.hpp"

#include <dwarf.h>

namespace freehold {

Dwarf_Die entry_scopes::around(Dwarf_Die entry) {
    Dwarf_Die unit;
    if (entry.addr == nullptr || dwarf_diecu(&entry, &unit, nullptr, nullptr) == nullptr)
        return Dwarf_Die{};
    if (units_.insert(unit.addr).second) add(unit, false);
    const auto found = around_.find(entry.addr);
    return found == around_.end() ? Dwarf_Die{} : found->second;
}

void entry_scopes::add(Dwarf_Die scope, bool is_named) {
    Dwarf_Die child;
    if (dwarf_child(&scope, &child) != 0) return;
    do {
        switch (dwarf_tag(&child)) {
            case DW_TAG_namespace:
            case DW_TAG_class_type:
            case DW_TAG_structure_type:
            case DW_TAG_union_type:
                if (is_named) around_.emplace(child.addr, scope);
                add(child, true);
                break;
            case DW_TAG_subprogram:
                if (is_named) around_.emplace(child.addr, scope);
                add(child, false);
                break;
            case DW_TAG_lexical_block:
                add(child, false);
                break;
            case DW_TAG_typedef:
            case DW_TAG_enumeration_type:
                if (is_named) around_.emplace(child.addr, scope);
                break;
            default:
                break;
        }
    } while (dwarf_siblingof(&child, &child) == 0);
}

}  // namespace freehold
