// SPDX-License-Identifier: BSL-1.0
// Lines of the source files that debug information names.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace freehold {

class source_files {
public:
    /// Without blanks at its ends; empty if the file or the line is not there.
    [[nodiscard]] std::string line(const std::string& file, int number);

    /// The line with its number and a mark, and those around it; empty as above.
    [[nodiscard]] std::string excerpt(const std::string& file, int number);

private:
    const std::vector<std::string>& lines_of(const std::string& file);

    std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace freehold
