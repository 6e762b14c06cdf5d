// SPDX-License-Identifier: BSL-1.0
// What contains an entry of debug information. elfutils searches the whole unit for each entry,
// which takes minutes in a large one; here each unit is read once.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include <elfutils/libdw.h>

namespace freehold {

class entry_scopes {
public:
    /// Returns the namespace, class or union that a type or function is in. Its `addr` is null if
    /// there is none, as in a function.
    Dwarf_Die around(Dwarf_Die entry);

private:
    void add(Dwarf_Die scope, bool is_named);

    std::unordered_map<void*, Dwarf_Die> around_;  // by the entry's address
    std::unordered_set<void*> units_;              // that were read, by their addresses
};

}  // namespace freehold
