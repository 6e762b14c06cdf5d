// SPDX-License-Identifier: BSL-1.0
// Mutants of the counts' own code, made while it runs. The model's atomics know from which line
// they are called; a mutation says that the operation at one line is done otherwise than it is
// written. Running the scenarios without a mutation notes the lines there are.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <string>

namespace freehold::model {

enum class change {
    none,
    acquire_release,  // not in the one order of all that is sequentially consistent
    acquire,          // of acquire and release, acquire only
    release,          // of acquire and release, release only
    relaxed,          // no order at all
    skipped,          // not done; what it would have returned is returned
    in_two,           // read, and written back later
};

inline const char* name_of(change mutation) {
    switch (mutation) {
        case change::none:
            return "as it is";
        case change::acquire_release:
            return "acquire and release";
        case change::acquire:
            return "acquire only";
        case change::release:
            return "release only";
        case change::relaxed:
            return "relaxed";
        case change::skipped:
            return "skipped";
        case change::in_two:
            return "not atomic";
    }
    return "";
}

enum class operation { load, store, read_modify_write, step };

// An operation in the code under test.
struct site {
    const char* file = "";
    unsigned line = 0;
    operation what = operation::load;
    std::memory_order order = std::memory_order_relaxed;

    bool operator==(const site& other) const {
        return line == other.line && std::strcmp(file, other.file) == 0;
    }
    [[nodiscard]] std::string name() const {
        const char* const slash = std::strrchr(file, '/');
        return std::string(slash != nullptr ? slash + 1 : file) + ":" + std::to_string(line);
    }
};

// Plain variables: the model checker runs all threads of a scenario on one, and its allocator is
// not to be asked by what the checked program does not do.
inline site mutated;
inline change mutation = change::none;
inline std::array<site, 192> sites;
inline std::size_t site_count = 0;

// What to do instead at this site.
inline change changed(const site& here) {
    if (mutation == change::none) {
        for (std::size_t i = 0; i != site_count; ++i) {
            if (sites[i] == here) return change::none;
        }
        sites.at(site_count++) = here;
        return change::none;
    }
    return here == mutated ? mutation : change::none;
}

inline std::memory_order ordered(std::memory_order order, change by) {
    switch (by) {
        case change::acquire_release:
            return std::memory_order_acq_rel;
        case change::acquire:
            return std::memory_order_acquire;
        case change::release:
            return std::memory_order_release;
        case change::relaxed:
            return std::memory_order_relaxed;
        default:
            return order;
    }
}

}  // namespace freehold::model
