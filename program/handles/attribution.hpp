// SPDX-License-Identifier: BSL-1.0
// Finds the source line to which a counting instruction belongs, among the frames around it.
#pragma once

#include "handles/classifier.hpp"
#include "handles/counted_lines.hpp"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace freehold {

struct attribution {
    std::optional<classified> what;  // none if the code counts nothing
    counted_line line;               // handle, pointee, function, file and line; no figures
    std::size_t shown = 0;           // the index of the line's frame, or the number of frames
};

/// Says that the pointee is one of these types, if there are any.
void name_one_of(counted_line& line, const std::set<std::string>& types);

/// Returns the class that the function copies, or an empty text.
[[nodiscard]] std::string class_of_copy(const code_function& copies);

/// If no line is known, the result names the module.
[[nodiscard]] attribution attribute(classifier& names, const std::vector<code_frame>& frames,
                                    const std::string& module);

}  // namespace freehold
