// SPDX-License-Identifier: BSL-1.0
// Advice on how to change a program. It is based only on the counted operations.
#pragma once

#include "handles/handles_run.hpp"
#include "handles/operation_costs.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace freehold {

enum class certainty {
    certain,  // the counts prove for this run that the change is correct
    likely,   // the counts prove the gain; other runs may need the saved operations
    hint      // the code decides which change is correct
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
    std::string evidence;  // the counts that support it
    std::string code;      // the code to write
    std::string place;     // file.cpp:12
    std::string type;
    std::size_t line = 0;  // an index into handle_counts::lines
    certainty sure = certainty::hint;
    time_interval nanoseconds;  // the estimated gain
};

/// Copies that another owner outlived. The counts do not show whether the code needs them: a handle
/// that is returned or stored may have to own.
struct place_to_look_at {
    std::size_t line = 0;               // an index into handle_counts::lines
    std::vector<std::size_t> releases;  // likewise; the line with most releases first
    std::uint64_t count = 0;
    time_interval nanoseconds;  // of these copies and their releases
};

/// The least gain that is shown, as a share of the run.
inline constexpr double least_share = 0.001;

struct given_advice {
    std::vector<handles_advice> pieces;    // the largest gain first
    std::vector<place_to_look_at> places;  // the most expensive first
    // The first of them. Those behind gain or take less than the least share.
    std::size_t shown_pieces = 0;
    std::size_t shown_places = 0;

    [[nodiscard]] std::size_t folded() const { return pieces.size() - shown_pieces; }
};

[[nodiscard]] const char* text_of(certainty sure);
/// Returns the name in a result file, such as "removable_pair".
[[nodiscard]] const char* key_of(advice_kind kind);

/// Returns the advice for a run; for a sampled run it is empty. A gain is compared with the run's
/// CPU time, or with the time of all counting if the CPU time is unknown. The gains of two pieces
/// overlap if both save the same operations.
[[nodiscard]] given_advice advise_on(const handles_run& run);

}  // namespace freehold
