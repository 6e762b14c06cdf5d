// SPDX-License-Identifier: BSL-1.0
#include "support/programs.hpp"

#include <cstdlib>
#include <sstream>
#include <system_error>

#include <unistd.h>

namespace support {

namespace fs = std::filesystem;

std::string search_path() {
    const char* const path = std::getenv("PATH");
    return path == nullptr ? "" : path;
}

std::optional<fs::path> find_program(const std::string& name, const std::string& path) {
    std::istringstream folders(path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        const fs::path candidate = fs::path(folder) / name;
        std::error_code none;
        if (!folder.empty() && fs::is_regular_file(candidate, none) &&
            ::access(candidate.c_str(), X_OK) == 0)
            return candidate;
    }
    return std::nullopt;
}

fs::path own_folder() {
    return fs::read_symlink("/proc/self/exe").parent_path();
}

fs::path folder_of_parts(const fs::path& built, const fs::path& installed) {
    const fs::path here = own_folder();
    std::error_code none;
    return fs::is_directory(here / built, none) ? here / built
                                                : (here / installed).lexically_normal();
}

}  // namespace support
