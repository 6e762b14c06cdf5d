// SPDX-License-Identifier: BSL-1.0
// Where handles are in an object of a type, by its debug information: in members, and in what its
// standard containers and std::function keep.
#pragma once

#include "code/known_handles.hpp"
#include "owners/glibc_heap.hpp"
#include "owners/memory_image.hpp"
#include "owners/modules.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <elfutils/libdw.h>

namespace freehold {

/// A way from an object to a handle that it holds.
struct held_by {
    std::string type;    // of the object
    std::string member;  // such as `children`, or `by_name.second`
    int line = 0;        // where the member is declared; 0 if unknown
    std::string file = {};
    bool in_container = false;  // it is one of several elements
    std::string closure = {};   // if a closure captures it: "a lambda made at FILE:LINE"

    bool operator<(const held_by& other) const;
};

/// What is found in one object.
struct object_content {
    bool wants_ways = false;  // otherwise the ways of handles stay no_number

    struct handle {
        std::uint64_t word;  // the address of the word that points to the block
        bool is_weak;
        std::uint32_t way;  // in type_layouts::ways, or no_number
    };
    std::vector<handle> handles;
    std::vector<std::uint64_t> chunks;     // that belong to the object alone
    std::vector<memory_range> no_handles;  // memory whose values are left over
    bool is_whole = true;                  // false if something may hold handles and is not known

    /// Returns the way to a handle, or no_number. The handles must be sorted by their words.
    [[nodiscard]] std::uint32_t way_of(std::uint64_t word) const;
};

class type_layouts {
public:
    type_layouts(const memory_image& image, const glibc_heap& heap, const program_modules& modules,
                 const std::vector<known_handle>& known);
    type_layouts(const type_layouts&) = delete;
    type_layouts& operator=(const type_layouts&) = delete;

    /// Adds what the object of this type at this address holds. `name` is the type's, for the ways.
    void add_content(Dwarf_Die type, const std::string& name, std::uint64_t address,
                     object_content& result);
    /// Returns the size of a type in bytes, or 0 if it is unknown.
    std::uint64_t size_of(Dwarf_Die type);

    /// Returns the type that is the argument of a template with this number, or one with a null
    /// `addr`. Pointers and qualifiers are kept.
    static Dwarf_Die argument(Dwarf_Die& entry, unsigned number);
    /// Returns the type that a pointer points to, or one with a null `addr`.
    static Dwarf_Die pointee(Dwarf_Die type);
    /// Returns the offset of the member of this name, also in members and bases, or nothing.
    std::optional<std::uint64_t> offset_of(Dwarf_Die entry, const char* name, int depth = 0);

    [[nodiscard]] const std::vector<held_by>& ways() const { return ways_; }

private:
    enum class shape {
        plain,  // holds nothing
        record,
        array,
        owner,
        weak,
        unique,
        vector,
        list,
        forward_list,
        tree,
        hash,
        deque,
        function,
        optional,
        string,
        unknown
    };
    struct layout;
    struct member {
        std::uint64_t offset;
        layout* type;
        std::string name;
        int line;
        std::string file;
    };
    struct layout {
        shape is = shape::plain;
        std::uint64_t size = 0;
        std::uint64_t first = 0;   // offset of the container's own data, or of the handle's block
        std::uint64_t second = 0;  // of the element count, or of the mark of an optional
        std::uint64_t count = 0;   // of an array's elements
        std::vector<member> members;
        Dwarf_Die element{};
        bool holds = false;                 // it may hold handles
        bool is_of_second_library = false;  // libc++, where its layout differs
    };
    struct step;

    layout* layout_of(Dwarf_Die type, int depth);
    void describe(Dwarf_Die& entry, layout& result, int depth);
    bool describe_special(Dwarf_Die& entry, layout& result, int depth);
    void add_members(Dwarf_Die& entry, layout& result, int depth);
    Dwarf_Die definition_of(Dwarf_Die entry);
    std::string qualified(Dwarf_Die& entry);

    void walk(layout* type, std::uint64_t address, const step& way, object_content& result);
    void walk_vector(layout* type, std::uint64_t address, const step& way, object_content& result);
    void walk_list(layout* type, std::uint64_t address, const step& way, object_content& result);
    void walk_tree(layout* type, std::uint64_t address, const step& way, object_content& result);
    void walk_hash(layout* type, std::uint64_t address, const step& way, object_content& result);
    void walk_deque(layout* type, std::uint64_t address, const step& way, object_content& result);
    void walk_function(std::uint64_t address, const step& way, object_content& result);
    void walk_function_object(std::uint64_t address, const step& way, object_content& result);
    void walk_closure(Dwarf_Die closure, layout* type, std::uint64_t address, const step& way,
                      object_content& result);
    void walk_unique(layout* type, std::uint64_t address, const step& way, object_content& result);
    void add_element(layout* type, std::uint64_t node, std::uint64_t offset, const step& way,
                     object_content& result);
    void add_chunk(std::uint64_t address, std::uint64_t bytes, object_content& result) const;
    std::uint32_t way_of(const step& last, const object_content& result);

    const memory_image& image_;
    const glibc_heap& heap_;
    const program_modules& modules_;
    std::map<std::string, std::pair<bool, std::uint64_t>> handles_;  // weak, and where the word is
    layout unknown_;
    std::unordered_map<void*, layout*> known_;
    std::deque<layout> layouts_;
    std::map<held_by, std::uint32_t> way_numbers_;
    std::vector<held_by> ways_;
    std::map<std::uint64_t, Dwarf_Die> closures_;  // by the function that manages them
    std::unordered_map<std::string, Dwarf_Die> definitions_;
    bool has_definitions_ = false;
};

}  // namespace freehold
