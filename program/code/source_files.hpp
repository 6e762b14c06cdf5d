// SPDX-License-Identifier: BSL-1.0
// Lines of the source files that debug information names.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace freehold {

class source_files {
public:
    /// Returns a line without blanks at its ends, or an empty text if there is no such file or
    /// line.
    [[nodiscard]] std::string line(const std::string& file, int number);

    /// Returns the line with its number and a mark, and the lines around it, or an empty text.
    [[nodiscard]] std::string excerpt(const std::string& file, int number);

private:
    const std::vector<std::string>& lines_of(const std::string& file);

    std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace freehold
