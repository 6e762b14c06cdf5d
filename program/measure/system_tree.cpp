// SPDX-License-Identifier: BSL-1.0
#include "measure/system_tree.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <system_error>

namespace freehold {
namespace {

std::string trimmed(std::string_view text) {
    constexpr const char* blank = " \t\r\n";
    const auto begin = text.find_first_not_of(blank);
    if (begin == std::string_view::npos) return {};
    return std::string(text.substr(begin, text.find_last_not_of(blank) - begin + 1));
}

}  // namespace

std::optional<std::string> system_tree::text(const std::string& path) const {
    std::ifstream file(root_ / path);
    const std::string text = trimmed(std::string(std::istreambuf_iterator<char>(file), {}));
    return text.empty() ? std::nullopt : std::optional(text);
}

std::optional<double> system_tree::number(const std::string& path) const {
    const auto value = text(path);
    if (!value) return std::nullopt;
    char* end = nullptr;
    const double number = std::strtod(value->c_str(), &end);
    return end == value->c_str() ? std::nullopt : std::optional(number);
}

std::optional<std::string> system_tree::field(const std::string& path,
                                              const std::string& name) const {
    std::ifstream file(root_ / path);
    for (std::string line; std::getline(file, line);) {
        const auto colon = line.find(':');
        if (colon != std::string::npos && trimmed(line.substr(0, colon)) == name)
            return trimmed(line.substr(colon + 1));
    }
    return std::nullopt;
}

std::vector<std::string> system_tree::entries(const std::string& folder) const {
    std::vector<std::string> names;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(root_ / folder, none))
        names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
}

bool system_tree::exists(const std::string& path) const {
    std::error_code none;
    return std::filesystem::exists(root_ / path, none);
}

int count_of_processors(const std::string& list) {
    int count = 0;
    std::istringstream ranges(list);
    for (std::string range; std::getline(ranges, range, ',');) {
        int first = 0;
        int last = 0;
        char dash = 0;
        std::istringstream bounds(range);
        if (!(bounds >> first)) continue;
        count += bounds >> dash >> last ? last - first + 1 : 1;
    }
    return count;
}

}  // namespace freehold
