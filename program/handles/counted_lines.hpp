// SPDX-License-Identifier: BSL-1.0
// The counts of the Valgrind tool, by source line.
#pragma once

#include "code/constructor_access.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace freehold {

/// The counts of one handle, pointee and line, for all processes together.
struct counted_line {
    std::string handle;
    std::string pointee;      // empty if unknown
    std::string holder;       // the class whose copy copies the handle; empty if there is none
    std::string weak_holder;  // likewise, for weak handles
    std::string function;     // the user's function; the module if no function is known
    std::string file;         // empty if unknown
    std::string name;         // the file's name, with its folder if another file has this name
    int line = 0;
    bool is_merged = false;  // its function or its type may be another, because code was merged
    bool is_called = false;  // the line calls a function that may count instead, and left no frame
    std::uint64_t copies = 0;
    std::uint64_t releases = 0;       // including last releases
    std::uint64_t last_releases = 0;  // including those without counting
    std::uint64_t unique_releases = 0;
    std::uint64_t locks = 0;
    std::uint64_t in_variables = 0;  // copies that make a variable, and releases that end one
    std::uint64_t weak_copies = 0;
    std::uint64_t weak_releases = 0;
    std::uint64_t objects = 0;
    std::uint64_t made_apart = 0;  // objects whose counts were allocated separately
    // Of the class of the objects of `made_apart`.
    constructor_access constructors = constructor_access::untold;
    std::uint64_t would_be_plain = 0;  // operations that do not lock without Valgrind
    std::uint64_t sole = 0;            // last releases of objects that never had a second owner
    std::uint64_t foreign = 0;         // operations by another thread than the object's first
    std::uint64_t left = 0;            // objects that lived at the end
    std::uint64_t left_shared = 0;     // objects of `left` that had a second owner
    std::uint64_t threads = 0;         // bit I: thread I modulo 64
    std::uint64_t samples = 0;         // of a sampled run; then all other figures are 0
    std::vector<int> lambdas;          // lines of lambdas, one of which captures what is copied
    std::vector<std::string> calls;    // around most of the operations, the innermost first
    std::uint64_t most_at_once = 0;    // how many these are

    [[nodiscard]] std::uint64_t operations() const {
        return copies + releases + locks + weak_copies + weak_releases - unique_releases;
    }
};

/// The first operation of a pair: an owner's copy, a weak handle's lock, or its copy.
enum class pair_kind { copy, lock, weak_copy };

/// A copy and a release of one object by one thread. Nothing that happens between them needs them.
struct removable_pair {
    std::size_t copy;     // an index into handle_counts::lines
    std::size_t release;  // likewise
    pair_kind kind = pair_kind::copy;
    std::uint64_t count = 0;
    std::uint64_t repeats = 0;       // pairs after a pair of the same copy on the same object
    std::uint64_t plain = 0;         // pairs whose release would be plain
    std::uint64_t distance = 0;      // the sum of operations from copy to release; 1 for neighbours
    std::uint64_t internal = 0;      // pairs within one function of the handle itself
    std::uint64_t converted = 0;     // pairs whose copy has another type than its original
    std::uint64_t assigned = 0;      // pairs whose release is an assignment to the handle
    std::uint64_t stored = 0;        // pairs whose copy is an assignment to a handle
    std::uint64_t by_library = 0;    // pairs whose copy a function of the library makes and keeps
    std::uint64_t in_lambda = 0;     // of these, pairs whose copy is in a lambda that it keeps
    std::uint64_t in_range = 0;      // of `by_library`, pairs whose line passes a range
    std::uint64_t by_call = 0;       // pairs whose copy is made where the library calls a function
    std::uint64_t in_list = 0;       // pairs whose line makes a std::initializer_list
    std::uint64_t captured = 0;      // pairs whose copy one of the line's lambdas captures
    std::uint64_t unlocked = 0;      // pairs whose copy was under a mutex, and outlived it
    std::uint64_t in_variables = 0;  // pairs of a handle that is a variable of its function
};

/// The objects that a type's handles counted, among them those that were made as another type.
struct type_objects {
    std::uint64_t events = 0;           // additions to the numbers of owners, and subtractions
    std::uint64_t foreign = 0;          // of these, by another thread than the object's first
    std::uint64_t shared = 0;           // objects that had a second owner
    std::uint64_t weakened = 0;         // objects that had a weak handle
    bool is_merged = false;             // other objects may be among them, because code was merged
    bool made_as_others = false;        // some were made as another type
    std::uint64_t made_apart = 0;       // objects whose counts were allocated separately
    bool have_deleters = false;         // more than `delete` ends some of them
    bool are_closed = false;            // the class of some has no public constructor
    bool is_hidden = false;             // only the library makes handles of the type
    std::set<std::string> others = {};  // pointees of other handles that counted them
};

struct handle_counts {
    std::vector<counted_line> lines;                     // the most operations first
    std::vector<removable_pair> pairs;                   // the most first
    std::map<std::string, type_objects> objects;         // by the pointee
    std::vector<std::string> without_debug_information;  // modules that counted
    std::vector<std::string> notes;                      // what the figures lack, in sentences

    std::size_t processes = 0;
    std::size_t killed = 0;          // killed processes; their last counts are missing
    bool reads_input = false;        // a process read its standard input
    bool left_out_programs = false;  // a process became another program, which was not counted
    std::uint64_t most_threads = 0;
};

/// Reads the tool's files in a folder. `described` is an additional table of handles, or empty.
handle_counts read_counts(const std::filesystem::path& folder,
                          const std::filesystem::path& described);

}  // namespace freehold
