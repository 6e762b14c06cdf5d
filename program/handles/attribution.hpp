// SPDX-License-Identifier: BSL-1.0
// The line that counts, of the frames around an instruction.
#pragma once

#include "handles/classifier.hpp"
#include "handles/counted_lines.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace freehold {

struct attribution {
    std::optional<classified> what;  // none if the code counts nothing
    counted_line line;               // handle, pointee, function, file and its line; no figures
    std::size_t shown = 0;           // the frame of the line; the number of frames if none is known
};

/// Names the module where no line is known.
[[nodiscard]] attribution attribute(classifier& names, const std::vector<code_frame>& frames,
                                    const std::string& module);

}  // namespace freehold
