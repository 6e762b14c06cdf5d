// SPDX-License-Identifier: BSL-1.0
#include "code/source_files.hpp"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

namespace freehold {

std::string source_files::line(const std::string& file, int number) {
    const std::vector<std::string>& lines = lines_of(file);
    if (number < 1 || static_cast<std::size_t>(number) > lines.size()) return {};
    const std::string& text = lines[static_cast<std::size_t>(number - 1)];
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

std::string source_files::excerpt(const std::string& file, int number) {
    constexpr int around = 2;
    const std::vector<std::string>& lines = lines_of(file);
    const int count = static_cast<int>(lines.size());
    if (number < 1 || number > count) return {};
    std::string result;
    for (int i = std::max(1, number - around); i <= std::min(count, number + around); ++i)
        result += fmt::format("{} {:>5}  {}\n", i == number ? '>' : ' ', i,
                              lines[static_cast<std::size_t>(i - 1)]);
    return result;
}

const std::vector<std::string>& source_files::lines_of(const std::string& file) {
    const auto [found, is_new] = files_.try_emplace(file);
    if (!is_new) return found->second;
    std::ifstream stream(file);
    for (std::string text; std::getline(stream, text);) found->second.push_back(text);
    return found->second;
}

}  // namespace freehold
