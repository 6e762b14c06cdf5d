// SPDX-License-Identifier: BSL-1.0
// A folder of a test's own, gone with all that is in it at the end of the test.
#pragma once

#include "support/temporary_folder.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

namespace freehold {

class temporary_folder : public support::temporary_folder {
public:
    temporary_folder() : support::temporary_folder("test", testing::TempDir()) {}

    /// Writes a file, with the folders that it lies in.
    std::filesystem::path write(const std::string& name, const std::string& text) const {
        const auto file = path() / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << text;
        return file;
    }
};

inline std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace freehold
