// SPDX-License-Identifier: BSL-1.0
// The handles and their functions that count owners. They are described in known_handles.json, and
// in files of the user in the same format. docs/handles.md describes the format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace freehold {

class handles_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct count_function {
    std::string function;  // as `without_arguments` of its name; see `matches`
    std::string argument;  // what its template arguments contain
    bool lock = false;     // a weak handle becomes an owner
    bool weak = false;
    bool make = false;
    bool unique = false;     // it may release the last owner by a store
    bool plain = false;      // it may count without a locked instruction
    bool by_caller = false;  // it counts only if a function that calls it counts
    bool outer = false;      // it says what the count is, and not the function that it calls
    bool own = false;        // only its own code counts, not what is inlined into it
};

/// What the values of a word in memory mean.
struct count_word {
    /// If the last release reads `value` this many bytes after the count, it does not change the
    /// count.
    struct unique_load {
        unsigned bytes = 0;
        std::int64_t behind = 0;
        std::uint64_t value = 0;
    };
    unsigned bytes = 8;
    std::uint64_t owner = 1;    // what an owner adds
    std::uint64_t weak = 0;     // what a weak handle adds; 0 if it counts none
    std::uint64_t initial = 1;  // of a new object; 0 if it has no owner then
    std::uint64_t gone = 0;     // the bit that is set when the object is gone; 0 if there is none
    std::optional<unique_load> unique;
};

/// One way to count, which several handles may use.
struct count_kind {
    std::string name;  // empty if its handle counts in no other way
    std::string note;  // what the figures lack, in a sentence; or empty
    std::vector<count_function> functions;
    std::vector<std::string> dispatch;  // functions that count plainly in a process of one thread
    std::optional<count_word> word;
    bool dispatches = false;         // all functions do so
    bool biased = false;             // the thread that made the object counts plainly
    bool weak_by_address = false;    // the weak count follows the strong one, 4 bytes behind
    bool strong_by_address = false;  // the strong count follows the weak one likewise
    bool weak_behind = false;        // the weak count is 8 bytes behind the strong one
    bool last_is_minus = false;      // the count is one less than there are owners
};

/// The blocks of memory in which a handle counts owners. A block is recognised in memory by a word
/// that points to the table of its virtual functions, or to a function that manages it. An object
/// that counts its own owners is its own block.
struct known_blocks {
    struct block_class {
        std::string name;         // as `without_arguments` of the class
        std::string function;     // the member that the block's first word points to; or empty
        std::string member;       // that holds the object, or the pointer to it
        unsigned at = 0;          // the offset of that member, without debug information
        bool by_pointer = false;  // the member is a pointer to the object
        bool of_pointer = false;  // the class's first argument is a pointer to the object's type
        bool owns_object = true;  // the memory that it points to
        // Its template arguments contain one of these; if there are none, it is any other.
        std::vector<std::string> with;
        // It is the base of objects that count their own owners and have virtual functions. The
        // member then is the count.
        bool is_base = false;
        // Template arguments, by their numbers from 1 on; 0 is none.
        unsigned size_argument = 0;   // the block's size, if it is for all that has no destructor
        unsigned type_argument = 1;   // the object's type
        unsigned block_argument = 0;  // the block, if the class only describes blocks
        unsigned count_argument = 0;  // the count, which chooses one of `layouts`
        std::string variable;     // the static member to which the block's word points; or empty
        unsigned counts_at = 0;   // bytes from the block's begin to its counts
        bool by_counts = false;   // handles of another kind point to the counts
        bool by_handles = false;  // no word tells the block, but only its size and its handles
        std::string counts_base;  // of such a block, the base class that has its counts
        bool is_ring = false;     // its handles are linked, and it has no counts
        bool own_count = false;   // it is a handle to objects that the program's functions count
        std::string number;       // its member that has the number of the elements behind the block
    };
    struct count_field {
        unsigned at = 0;  // bytes from the block's begin
        unsigned bytes = 4;
        unsigned first_bit = 0;
        unsigned bits = 32;
        std::int64_t more = 0;    // what the number lacks
        bool has_owners = false;  // a number of weak handles that counts the owners, too
    };
    /// Where the counts are in a block. Offsets are from its counts on.
    struct count_layout {
        std::string count;  // a class; empty for the layout of all counts that are not named
        count_field owners;
        std::optional<count_field> weak;  // while there are owners; none if it is not counted
        std::optional<count_field> dead;  // it is `dead_is` if the object has ended
        std::uint64_t dead_is = 1;
        std::optional<count_field> apart;  // not 0 if owners are counted elsewhere, too
        std::uint64_t word_at = 0;         // to the word that tells the block
        std::uint64_t pointed_at = 0;      // to where handles point
    };
    std::vector<block_class> classes;
    std::vector<count_layout> layouts;  // the first is that of counts that are not named
    std::uint64_t handle_bytes = 16;
    std::uint64_t handle_word = 8;  // bytes from the handle's begin to the word that points to it
    std::uint64_t weak_handle_word = 8;
    bool has_object_before = false;  // the word of a handle before that one points to the object
    std::string symbol_of_function;  // a virtual function of every class, as symbols end with it
    std::map<std::string, std::string>
        unknown;                             // classes of blocks that nothing tells: what has them
    std::vector<std::string> owner_handles;  // classes
    std::vector<std::string> weak_handles;
};

struct known_handle {
    std::string name;
    std::vector<std::string> library;            // how names of its own code begin
    std::vector<std::string> pointee;            // templates whose first argument is the pointee
    std::vector<std::string> needed;             // functions whose copies nothing can replace
    std::vector<std::string> itself;             // classes that are shared as values: the type
    std::vector<std::string> apart;              // constructors of counts apart from their object
    std::vector<std::string> deleter;            // constructors of counts with a deleter
    std::vector<std::string> delete_alone;       // deleters that do what `delete` does
    std::vector<std::string> hidden;             // pointees that the library has for itself
    std::vector<std::string> inline_namespaces;  // how inline namespaces begin that names leave out
    bool one_type = false;     // handles of one object have one type, but for traits and slices
    bool in_register = false;  // a handle that is passed by value stays in a register
    std::vector<std::shared_ptr<const count_kind>> counts;
    std::optional<known_blocks> blocks;  // none if nothing tells a block in memory
};

/// Returns `name (kind)`, or the name of a handle that counts in one way only.
std::string text_of(const known_handle& handle, const count_kind& kind);

/// The built-in ones; behind them those of `more`, if it is not empty. Throws handles_error.
std::vector<known_handle> known_handles(const std::filesystem::path& more = {});

/// `std::shared_ptr<int>::reset<T>` becomes `std::shared_ptr::reset`.
std::string without_arguments(std::string_view name);

/// Returns an argument of the template `of`, by its number from 1 on, if the name is in this
/// template. Otherwise it returns an empty text. It removes qualifiers and the pointer of `T*`.
std::string template_argument(std::string_view name, std::string_view of, unsigned number = 1);

/// Returns `QList<int>` for `QList<int>::append` and the class `QList`. If the name is not in the
/// class, it returns an empty text.
std::string class_of(std::string_view name, std::string_view of);

/// Returns the qualified name of a demangled function, without return type, parameters and
/// qualifiers.
std::string without_parameters(std::string_view demangled);

/// `a::abi2::b` and the inline namespace `a::abi` become `a::b`.
std::string without_namespace(std::string name, std::string_view inline_namespace);

/// Each * of the pattern stands for any text.
bool matches(std::string_view name, std::string_view pattern);

}  // namespace freehold
