// SPDX-License-Identifier: BSL-1.0
// What could be changed in a program whose operations were counted, by what was counted alone.
#pragma once

#include "handles/handles_run.hpp"
#include "handles/operation_costs.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace freehold {

enum class certainty {
    certain,  // what was counted proves it for this run
    likely,   // it proves the gain; other runs, or the code, may need what it saves
    hint      // the code must tell which change it takes
};

enum class advice_kind {
    removable_pair,
    repeated_lock,
    one_owner,
    one_thread,
    mostly_one_thread,
    allocate_together
};

struct handles_advice {
    advice_kind kind = advice_kind::removable_pair;
    std::string what;      // what to do, in a few words
    std::string evidence;  // what was counted
    std::string code;      // to write
    std::string place;     // file.cpp:12
    std::string type;
    std::size_t line = 0;  // its index
    certainty sure = certainty::hint;
    time_interval nanoseconds;  // that it would save
};

/// Copies that another owner outlived. What was counted does not tell whether the code needs them:
/// a handle that is returned or stored may have to own.
struct place_to_look_at {
    std::size_t line = 0;               // its index
    std::vector<std::size_t> releases;  // indices; where most are released first
    std::uint64_t count = 0;
    time_interval nanoseconds;  // of these copies and their releases
};

/// Of the run; what gains less is not shown.
inline constexpr double least_share = 0.001;

struct given_advice {
    std::vector<handles_advice> pieces;    // the largest gain first
    std::vector<place_to_look_at> places;  // the most expensive first
    std::size_t folded = 0;                // pieces that gain less than the least share
    double folded_nanoseconds = 0;         // of all these together
};

[[nodiscard]] const char* text_of(certainty sure);
/// As files have it: "removable_pair".
[[nodiscard]] const char* key_of(advice_kind kind);

/// Without any for a run that was sampled. A gain is held against the run's CPU time; where that is
/// unknown, against all that counting takes. Gains overlap where two pieces save the same
/// operations.
[[nodiscard]] given_advice advise_on(const handles_run& run);

}  // namespace freehold
