// SPDX-License-Identifier: BSL-1.0
#include "measure/lab_locations.hpp"

#include <algorithm>
#include <system_error>

namespace freehold {
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> labs_in(const fs::path& folder) {
    std::vector<fs::path> labs;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none)) {
        const fs::path executable = entry.path() / "freehold-lab";
        if (fs::is_regular_file(executable, none)) labs.push_back(executable);
    }
    std::sort(labs.begin(), labs.end(), [](const fs::path& a, const fs::path& b) {
        const auto key = [](const fs::path& path) {
            const std::string name = path.parent_path().filename();
            return std::pair(name.rfind("g++", 0) != 0, name);
        };
        return key(a) < key(b);
    });
    return labs;
}

}  // namespace

std::vector<fs::path> find_labs(const fs::path& program_folder) {
    auto built = labs_in(program_folder / "lab");
    return built.empty() ? labs_in((program_folder / FREEHOLD_INSTALLED_LABS).lexically_normal())
                         : built;
}

}  // namespace freehold
