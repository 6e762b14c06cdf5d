// SPDX-License-Identifier: BSL-1.0
// The parts of the section on lines that are to be filled: what a GiB of them costs by the way they
// are made, of what parts, the seed's own program, and the aims.
#pragma once

#include "report/sections/aims.hpp"
#include "report/sections/medians.hpp"

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace freehold {

/// The suite's medians. Refers to the settings; keep them alive.
class zeroing_figures {
public:
    explicit zeroing_figures(const std::vector<setting>& settings);

    [[nodiscard]] const std::vector<setting>& settings() const { return settings_; }
    [[nodiscard]] const std::vector<contender>& contenders() const { return contenders_; }
    [[nodiscard]] bool has(const std::string& test) const { return medians_.has(test); }

    [[nodiscard]] std::optional<estimate> find(const setting& where, const std::string& competitor,
                                               const std::string& test) const;

private:
    const std::vector<setting>& settings_;
    std::vector<contender> contenders_;
    suite_medians medians_;
};

/// What lines are filled by, and which lines: every line a new one, or those of a ring.
inline const std::array<std::string, 3> line_fillings{"memcpy", "pread", "TCP receive"};
inline const std::array<std::string, 2> line_keepings{"kept", "ring"};
inline const std::string lines_after_fork = "memcpy, kept, after a fork";

inline const std::string zeroing_line = "std::make_shared";
inline const std::string cured_line = "std::make_shared, constructor";
inline const std::string recycled_line = "freehold::pool, huge";
inline const std::string ready_line = "floor";

/// Of the processor seconds that a GiB of lines takes. They add up to it.
struct line_shares {
    double copy = 0;    // what filling takes in memory that is there
    double memset = 0;  // setting to zero before
    double kernel = 0;  // the rest: page faults, and the pages that the kernel zeroes
};

/// Nothing where it or the floor was not measured.
[[nodiscard]] std::optional<line_shares> shares_of(const zeroing_figures& figures,
                                                   const setting& where,
                                                   const std::string& competitor,
                                                   const std::string& test);

using zeroing_block = report_block;

/// Each gives blocks only where there is something to show.
[[nodiscard]] std::vector<zeroing_block> line_blocks(const zeroing_figures& figures);
[[nodiscard]] std::vector<zeroing_block> line_detail_blocks(const zeroing_figures& figures);
[[nodiscard]] std::vector<zeroing_block> zeroing_seed_blocks(const zeroing_figures& figures);
[[nodiscard]] aims_result zeroing_aims_of(const zeroing_figures& figures);

}  // namespace freehold
