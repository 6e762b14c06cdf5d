// SPDX-License-Identifier: BSL-1.0
// Where programs are: others on the search path, and the parts of this one.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace support {

/// The value of PATH; empty if there is none.
std::string search_path();

/// The first executable file of this name in the folders of `path`.
std::optional<std::filesystem::path> find_program(const std::string& name,
                                                  const std::string& path = search_path());

/// The folder of the program that is running.
std::filesystem::path own_folder();

/// Where parts of this program are: `built` beside it, in the folder of a build; else `installed`,
/// a path from its own folder.
std::filesystem::path folder_of_parts(const std::filesystem::path& built,
                                      const std::filesystem::path& installed);

}  // namespace support
