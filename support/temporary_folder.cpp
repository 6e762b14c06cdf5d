// SPDX-License-Identifier: BSL-1.0
#include "support/temporary_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace support {

namespace fs = std::filesystem;

temporary_folder::temporary_folder(const std::string& purpose, const fs::path& below) {
    fs::path parent = below;
    if (parent.empty()) {
        std::error_code none;
        parent = fs::temp_directory_path(none);
        if (none)
            throw std::system_error(
                none, "there is no folder for temporary files: set TMPDIR to one that exists");
    }
    std::string name = parent / ("freehold-" + purpose + "-XXXXXX");
    if (::mkdtemp(name.data()) == nullptr)
        throw std::system_error(errno, std::generic_category(), name + ": cannot be made");
    path_ = name;
}

temporary_folder::~temporary_folder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace support
