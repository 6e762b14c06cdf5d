// SPDX-License-Identifier: BSL-1.0
// Writes an output so that nobody ever sees half of it and an existing one is never destroyed: the
// text is written beside it, brought to the disk, and renamed onto it. A symbolic link is followed;
// what is neither absent nor a plain writable file (a device, a directory) is refused.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string_view>

namespace freehold {

/// what() is one line that names the file.
class file_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

void replace_file(const std::filesystem::path& path, std::string_view contents);

}  // namespace freehold
