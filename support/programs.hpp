// SPDX-License-Identifier: BSL-1.0
// Finds programs on the search path, and the parts of the running program.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace support {

/// Returns the value of PATH, or an empty string.
std::string search_path();

/// Returns the first executable file of this name in the folders of `path`.
std::optional<std::filesystem::path> find_program(const std::string& name,
                                                  const std::string& path = search_path());

/// Returns the folder of the running program.
std::filesystem::path own_folder();

/// Returns the folder of this program's parts. It is `built`, beside the program, in the folder of
/// a build. Otherwise it is `installed`, a path relative to the program's folder.
std::filesystem::path folder_of_parts(const std::filesystem::path& built,
                                      const std::filesystem::path& installed);

}  // namespace support
