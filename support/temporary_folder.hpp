// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <filesystem>
#include <string>
#include <utility>

namespace support {

/// A new folder. The destructor removes it with its content.
class temporary_folder {
public:
    /// The folder's name is "freehold-PURPOSE-" and six random characters. It is made below
    /// `below`, or below the system's folder for temporary files.
    /// Throws std::system_error that names the folder that cannot be made, or says that TMPDIR
    /// names no folder.
    explicit temporary_folder(const std::string& purpose, const std::filesystem::path& below = {});
    temporary_folder(temporary_folder&& from) noexcept : path_(std::exchange(from.path_, {})) {}
    temporary_folder& operator=(temporary_folder&&) = delete;
    ~temporary_folder();

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
    [[nodiscard]] std::filesystem::path operator/(const std::filesystem::path& name) const {
        return path_ / name;
    }

private:
    std::filesystem::path path_;  // empty after a move
};

}  // namespace support
