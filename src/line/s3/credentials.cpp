// SPDX-License-Identifier: BSL-1.0
#include "line/s3/credentials.hpp"

#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace freehold::inline FREEHOLD_ABI::detail {

std::string environment_value(std::initializer_list<const char*> names) {
    for (const char* const name : names) {
        const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
        if (value != nullptr && *value != '\0') return value;
    }
    return {};
}

std::string_view trimmed(std::string_view text) noexcept {
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::optional<s3_credentials> profile_credentials(const std::string& file,
                                                  std::string_view profile) {
    std::ifstream stream(file);
    s3_credentials found;
    bool inside = false;
    for (std::string line; std::getline(stream, line);) {
        const std::string_view text = trimmed(line);
        if (text.empty() || text.front() == '#' || text.front() == ';') continue;
        if (text.front() == '[') {
            inside = trimmed(text.substr(1, text.find(']') - 1)) == profile;
            continue;
        }
        const std::size_t equals = text.find('=');
        if (!inside || equals == std::string_view::npos) continue;
        const std::string_view key = trimmed(text.substr(0, equals));
        const std::string_view value = trimmed(text.substr(equals + 1));
        if (key == "aws_access_key_id") found.access_key = value;
        if (key == "aws_secret_access_key") found.secret_key = value;
        if (key == "aws_session_token") found.session_token = value;
    }
    if (found.access_key.empty() || found.secret_key.empty()) return std::nullopt;
    return found;
}

s3_credentials find_credentials() {
    s3_credentials found{environment_value({"AWS_ACCESS_KEY_ID"}),
                         environment_value({"AWS_SECRET_ACCESS_KEY"}),
                         environment_value({"AWS_SESSION_TOKEN"})};
    if (!found.access_key.empty() && !found.secret_key.empty()) return found;

    std::string file = environment_value({"AWS_SHARED_CREDENTIALS_FILE"});
    if (file.empty()) file = environment_value({"HOME"}) + "/.aws/credentials";
    std::string profile = environment_value({"AWS_PROFILE"});
    if (profile.empty()) profile = "default";
    if (auto in_file = profile_credentials(file, profile)) return *in_file;
    throw std::invalid_argument(
        "s3_source: no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write both "
        "into profile '" +
        profile + "' of " + file + ", or give them in s3_options");
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
