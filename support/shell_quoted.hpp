// SPDX-License-Identifier: BSL-1.0
// A path as a word that a user can paste into a shell.
#pragma once

#include <string>
#include <string_view>

namespace support {

[[nodiscard]] inline std::string shell_quoted(const std::string& path) {
    constexpr std::string_view plain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:@%+,";
    // A command would read a path that begins with - as an option.
    if (path.starts_with('-')) return shell_quoted("./" + path);
    if (!path.empty() && path.find_first_not_of(plain) == std::string::npos) return path;
    std::string result = "'";
    for (const char c : path) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

}  // namespace support
