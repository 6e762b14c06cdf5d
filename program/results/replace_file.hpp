// SPDX-License-Identifier: BSL-1.0
// Writes an output so that no reader sees half of it, and an existing file is never destroyed. The
// text is written to a new file beside it, flushed to the disk, and renamed to the output. A
// symbolic link is followed. The output must be absent or a plain writable file: a device or a
// directory is refused.
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

/// Throws file_error if replace_file would. So a command can refuse an output before it works for
/// it. Changes nothing.
void require_replaceable(const std::filesystem::path& path);

}  // namespace freehold
