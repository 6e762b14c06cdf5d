// SPDX-License-Identifier: BSL-1.0
// How the objects of a type are laid out, by its debug information, as far as they may hold
// handles: members, and where standard containers keep their elements.
#pragma once

#include "code/known_handles.hpp"
#include "owners/modules.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <elfutils/libdw.h>

namespace freehold {

enum class type_shape {
    plain,  // holds nothing
    record,
    array,
    owner,
    weak,
    unique,
    unique_array,
    vector,
    list,
    forward_list,
    tree,
    hash,
    deque,
    function,
    optional,
    variant,
    any,
    atomic,
    string,
    pointer,  // only if pointers are followed
    unknown
};

/// A word of an object that is a pointer, and how many pointers lead from it to a class. 0 stands
/// for the pointers of a container.
struct pointer_word {
    std::uint64_t at = 0;
    int steps = 0;
    std::string pointee;
    bool is_to_any = false;  // it leads to `void`
};

struct type_layout {
    struct member {
        std::uint64_t offset;
        type_layout* type;
        std::string name;
        int line;
        std::string file;
    };

    type_shape is = type_shape::plain;
    std::uint64_t size = 0;
    std::uint64_t first = 0;      // offset of the container's own data, or of the handle's block
    std::uint64_t second = 0;     // of the element count, or of the mark of an optional or variant
    std::uint64_t count = 0;      // of an array's elements
    std::vector<member> members;  // of a variant: its alternatives
    Dwarf_Die element{};
    std::string pointee;                // of a handle: the name of the type
    std::string closure;                // if it is one: "a lambda made at FILE:LINE", "std::bind"
    bool holds = false;                 // it may hold handles
    bool is_of_second_library = false;  // libc++, where its layout differs
};

class type_layouts {
public:
    static constexpr int deepest = 24;  // of members in members, and of bases

    type_layouts(const program_modules& modules, const std::vector<known_handle>& known);
    type_layouts(const type_layouts&) = delete;
    type_layouts& operator=(const type_layouts&) = delete;
    /// Returns layouts in which plain pointers to classes may lead to handles, too.
    [[nodiscard]] std::unique_ptr<type_layouts> with_pointers() const;

    /// Returns the layout of a type. What is not known has the shape `unknown`.
    const type_layout* of(Dwarf_Die type) { return layout_of(type, 0); }
    /// Returns the size of a type in bytes, or 0 if it is unknown.
    std::uint64_t size_of(Dwarf_Die type);

    /// Returns the type that is the argument of a template with this number, or one with a null
    /// `addr`. Pointers and qualifiers are kept.
    static Dwarf_Die argument(Dwarf_Die& entry, unsigned number);
    /// Returns the type that a pointer points to, or one with a null `addr`.
    static Dwarf_Die pointee(Dwarf_Die type);
    /// Returns the offset of the member of this name, also in members and bases, or nothing.
    std::optional<std::uint64_t> offset_of(Dwarf_Die entry, const char* name, int depth = 0);

    struct pointer_member {
        Dwarf_Die pointee;
        std::string name;
        int line;
        std::string file;
    };
    /// Returns the member that is a pointer to a class at this offset, also in members and bases.
    std::optional<pointer_member> pointer_at(Dwarf_Die entry, std::uint64_t offset, int depth = 0);

    struct base_class {
        Dwarf_Die type;
        std::uint64_t offset;
        std::string name;  // without inline namespaces
    };
    /// Returns the classes that are instances of the template of this name.
    std::vector<Dwarf_Die> classes_named(const std::string& name);
    /// Returns the qualified name of a class, without inline namespaces.
    std::string name_of_class(Dwarf_Die type) { return without_inline_namespaces(qualified(type)); }

    /// Returns the base of this name, or nothing. Bases of bases are looked at, virtual ones are
    /// not.
    std::optional<base_class> base_of(Dwarf_Die entry, const std::string& name, int depth = 0);
    /// Whether the class or one of its bases has a table of virtual functions.
    bool is_polymorphic(Dwarf_Die entry, int depth = 0);
    /// Returns the offset of the integer, also an atomic one, that is the count of a class's owners
    /// by its name, or nothing if there is none or several.
    std::optional<std::uint64_t> count_of(Dwarf_Die entry);
    /// Returns the names of all bases of a class.
    std::set<std::string> names_of_bases(Dwarf_Die entry);
    /// Returns the words of a class that are pointers.
    std::vector<pointer_word> pointer_words_of(Dwarf_Die entry);
    /// Returns the words of a class that are handles, or in containers of handles the first word
    /// that leads to one.
    std::vector<pointer_word> handle_words_of(Dwarf_Die entry);
    /// Returns the size of a class, without its layout.
    std::uint64_t bytes_of(Dwarf_Die entry);
    /// Calls `use(type, name)` for each class, also those in functions.
    void for_each_class(const std::function<void(Dwarf_Die, const std::string&)>& use);

private:
    explicit type_layouts(const program_modules& modules) : modules_(modules) {}
    type_layout* layout_of(Dwarf_Die type, int depth);
    void add_counts(Dwarf_Die entry, std::uint64_t at, int depth,
                    std::vector<std::pair<std::uint64_t, bool>>& result);
    void add_pointer_words(Dwarf_Die entry, std::uint64_t at, int depth,
                           std::vector<pointer_word>& result);
    void add_handle_words(const type_layout& layout, std::uint64_t at, int depth,
                          std::vector<pointer_word>& result);
    void describe(Dwarf_Die& entry, type_layout& result, int depth);
    bool describe_special(Dwarf_Die& entry, type_layout& result, int depth);
    void add_members(Dwarf_Die& entry, type_layout& result, int depth);
    Dwarf_Die definition_of(Dwarf_Die entry);
    void find_definitions();
    void use_classes_of_functions(Dwarf_Die scope, bool is_in_function,
                                  const std::function<void(Dwarf_Die, const std::string&)>& use);
    std::string qualified(Dwarf_Die& entry);
    [[nodiscard]] std::string without_inline_namespaces(std::string name) const;

    const program_modules& modules_;
    struct handle_class {
        const known_handle* of;
        bool is_weak;
    };
    std::map<std::string, handle_class> handles_;
    std::vector<std::string> inline_namespaces_;
    bool follows_pointers_ = false;
    type_layout unknown_;
    std::unordered_map<void*, type_layout*> known_;
    std::deque<type_layout> layouts_;
    std::unordered_map<std::string, Dwarf_Die> definitions_;
    bool has_definitions_ = false;
};

/// Returns the type of an entry, without typedefs and qualifiers, or one with a null `addr`.
Dwarf_Die type_of(Dwarf_Die entry);
/// Returns the members and bases that each object of a class has.
std::vector<Dwarf_Die> parts_of(Dwarf_Die entry);
/// Returns how many bytes behind the begin of its class a member or a base is.
std::uint64_t offset_in_parent(Dwarf_Die& entry);
/// Returns the name of an entry, or an empty text.
std::string_view name_of(Dwarf_Die& entry);
/// Returns where an entry is declared, as `file.cpp:12`, or an empty text.
std::string file_and_line(Dwarf_Die& entry);

}  // namespace freehold
