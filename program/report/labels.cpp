// SPDX-License-Identifier: BSL-1.0
#include "report/model.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

namespace freehold {

namespace {

/// The last `parts` names of the path, without the extension.
std::string tail_of(const std::filesystem::path& path, std::ptrdiff_t parts) {
    const auto whole = path.lexically_normal().replace_extension();
    const auto length = std::distance(whole.begin(), whole.end());
    std::filesystem::path tail;
    for (auto part = std::next(whole.begin(), std::max<std::ptrdiff_t>(0, length - parts));
         part != whole.end(); ++part) {
        tail /= *part;
    }
    return tail.generic_string();
}

bool all_differ(const std::vector<std::string>& labels) {
    return std::set<std::string>(labels.begin(), labels.end()).size() == labels.size();
}

}  // namespace

std::vector<std::string> labels_for(const std::vector<std::string>& paths) {
    std::ptrdiff_t longest = 1;
    for (const std::filesystem::path path : paths) {
        longest = std::max(longest, std::distance(path.begin(), path.end()));
    }
    std::vector<std::string> labels;
    for (std::ptrdiff_t parts = 1; parts <= longest; ++parts) {
        labels.clear();
        for (const auto& path : paths) labels.push_back(tail_of(path, parts));
        if (all_differ(labels)) return labels;
    }
    std::vector<std::string> numbered;
    for (std::size_t i = 0; i != labels.size(); ++i) {
        const auto earlier =
            std::count(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(i), labels[i]);
        numbered.push_back(earlier == 0 ? labels[i]
                                        : labels[i] + " (" + std::to_string(earlier + 1) + ")");
    }
    return numbered;
}

}  // namespace freehold
