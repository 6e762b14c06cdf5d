// SPDX-License-Identifier: BSL-1.0
// What the Valgrind tool counted, joined with the source lines that did it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace freehold {

/// Of one handle, pointee and line, all processes together.
struct counted_line {
    std::string handle;
    std::string pointee;   // empty if unknown
    std::string holder;    // the class whose copy copies the handle; empty if that is not one class
    std::string function;  // the user's; the module if nothing else is known
    std::string file;      // empty if unknown
    std::string name;      // the file's, with its folder if another file has the same
    int line = 0;
    std::uint64_t copies = 0;
    std::uint64_t releases = 0;       // last ones included
    std::uint64_t last_releases = 0;  // those without counting included
    std::uint64_t unique_releases = 0;
    std::uint64_t locks = 0;
    std::uint64_t weak_copies = 0;
    std::uint64_t weak_releases = 0;
    std::uint64_t objects = 0;
    std::uint64_t made_apart = 0;      // objects whose counts were allocated apart from them
    std::uint64_t would_be_plain = 0;  // operations that do not lock without Valgrind
    std::uint64_t sole = 0;            // last releases of objects that never had a second owner
    std::uint64_t foreign = 0;         // operations of other threads than the object's first
    std::uint64_t left = 0;            // objects that lived at the end
    std::uint64_t left_shared = 0;     // those of them that had a second owner
    std::uint64_t threads = 0;         // bit I: thread I modulo 64
    std::uint64_t samples = 0;         // of a run that was sampled: it has no other figures

    [[nodiscard]] std::uint64_t operations() const {
        return copies + releases + locks + weak_copies + weak_releases - unique_releases;
    }
};

/// What opens a pair: an owner's copy, a weak handle's lock, or its copy.
enum class pair_kind { copy, lock, weak_copy };

/// A copy and a release of one object by one thread, with nothing in between that needs them.
struct removable_pair {
    std::size_t copy;     // a line's index
    std::size_t release;  // likewise
    pair_kind kind = pair_kind::copy;
    std::uint64_t count = 0;
    std::uint64_t repeats = 0;   // those that follow one of the same copy on the same object
    std::uint64_t plain = 0;     // those whose release would be plain
    std::uint64_t distance = 0;  // operations from copy to release, all together; 1 for neighbours
    std::uint64_t assigned = 0;  // those whose release is that of an assignment to the handle
};

struct handle_counts {
    std::vector<counted_line> lines;                     // the most operations first
    std::vector<removable_pair> pairs;                   // the most first
    std::vector<std::string> without_debug_information;  // modules that counted
    std::vector<std::string> opaque;                     // all without debug information

    std::vector<std::string> notes;  // what the figures lack, in sentences

    std::size_t processes = 0;
    std::size_t killed = 0;    // processes that were killed: a moment is missing at their end
    bool reads_input = false;  // some process asked for standard input
    std::uint64_t most_threads = 0;
};

/// Reads what the tool left in a folder. `described` is a further table of handles, or empty.
handle_counts read_counts(const std::filesystem::path& folder,
                          const std::filesystem::path& described);

}  // namespace freehold
