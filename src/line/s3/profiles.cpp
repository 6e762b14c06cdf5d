// SPDX-License-Identifier: BSL-1.0
#include "line/s3/profiles.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fstream>
#include <utility>

// POSIX has no header for it.
extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace freehold::inline FREEHOLD_ABI::detail {
namespace {

// "profile x", "profile \"x\"" or "default" as the kind ("profile", "sso-session" or nothing) and
// the name.
std::pair<std::string_view, std::string_view> heading(std::string_view text) noexcept {
    std::string_view kind;
    for (const std::string_view each : {"profile", "sso-session", "services"}) {
        if (text.size() <= each.size() || !text.starts_with(each)) continue;
        if (text[each.size()] != ' ' && text[each.size()] != '\t') continue;
        kind = each;
        text = trimmed(text.substr(each.size()));
        break;
    }
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
        text = text.substr(1, text.size() - 2);
    }
    return {kind, text};
}

}  // namespace

std::string_view trimmed(std::string_view text) noexcept {
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

bool has_blank(std::string_view text) noexcept {
    return std::any_of(text.begin(), text.end(), [](char c) { return c >= 0 && c <= ' '; });
}

bool is_in_any_case(std::string_view text, std::string_view lower_case) noexcept {
    const auto same = [](char a, char b) {
        return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
    };
    return std::equal(text.begin(), text.end(), lower_case.begin(), lower_case.end(), same);
}

aws_environment aws_environment::of_process() {
    std::map<std::string, std::string> variables;
    for (char** one = environ; one != nullptr && *one != nullptr; ++one) {
        const std::string_view line = *one;
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos) continue;
        if (!line.starts_with("AWS_") && !line.starts_with("HOME=")) continue;
        variables.emplace(line.substr(0, equals), line.substr(equals + 1));
    }
    return aws_environment(std::move(variables));
}

aws_environment::aws_environment(std::map<std::string, std::string> variables)
    : variables_(std::move(variables)) {}

std::string aws_environment::value(std::initializer_list<const char*> names) const {
    for (const char* const name : names) {
        const auto found = variables_.find(name);
        if (found != variables_.end() && !found->second.empty()) return found->second;
    }
    return {};
}

std::string setting(const aws_settings& settings, std::string_view name) {
    const auto found = settings.find(name);
    return found == settings.end() ? std::string() : found->second;
}

void aws_profiles::add(std::string_view text, bool is_config) {
    aws_settings* section = nullptr;
    aws_settings* part = nullptr;         // what an indented line adds to
    named_aws_settings* parts = nullptr;  // of "[services NAME]"
    // Later lines of one file replace earlier ones; `before` is what an earlier file said.
    const auto profiles_before = profiles;
    const aws_settings none;
    const aws_settings* before = &none;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view whole = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::string_view line = trimmed(whole);
        if (line.empty() || line.front() == '#' || line.front() == ';') continue;
        if (line.front() == '[') {
            section = part = nullptr;
            parts = nullptr;
            before = &none;
            const std::size_t close = line.find(']');
            if (close == std::string_view::npos) continue;
            const auto [kind, name] = heading(trimmed(line.substr(1, close - 1)));
            if (name.empty()) continue;
            if (kind == "sso-session" && is_config) {
                section = &sso_sessions[std::string(name)];
            } else if (kind == "services" && is_config) {
                parts = &services[std::string(name)];
            } else if (kind == "profile" ? is_config : kind.empty()) {
                if (kind.empty() && is_config && name != "default") continue;
                section = &profiles[std::string(name)];
                const auto found = profiles_before.find(name);
                if (found != profiles_before.end()) before = &found->second;
            }
            continue;
        }
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos) continue;
        const std::string_view name = trimmed(line.substr(0, equals));
        const std::string_view value = trimmed(line.substr(equals + 1));
        if (name.empty()) continue;
        // An indented line belongs to the setting above it, which matters for services only.
        const bool is_indented = whole.front() == ' ' || whole.front() == '\t';
        if (is_indented) {
            if (part != nullptr) (*part)[std::string(name)] = value;
        } else if (parts != nullptr) {
            part = &(*parts)[std::string(name)];
        } else if (section != nullptr && before->find(name) == before->end()) {
            (*section)[std::string(name)] = value;
        }
    }
}

std::optional<std::string> text_of_file(const std::string& path) {
    constexpr std::size_t most = std::size_t{1} << 20;
    std::ifstream stream(path, std::ios::binary);
    if (!stream) return std::nullopt;
    std::string text;
    std::array<char, 4096> piece;
    while (text.size() < most) {
        stream.read(piece.data(), piece.size());
        if (stream.gcount() <= 0) break;
        text.append(piece.data(), static_cast<std::size_t>(stream.gcount()));
    }
    if (stream.bad()) return std::nullopt;
    return text;
}

aws_profiles read_profiles(const aws_environment& environment) {
    const std::string folder = environment.value({"HOME"}) + "/.aws/";
    aws_profiles all;
    all.credentials_file = environment.value({"AWS_SHARED_CREDENTIALS_FILE"});
    if (all.credentials_file.empty()) all.credentials_file = folder + "credentials";
    all.config_file = environment.value({"AWS_CONFIG_FILE"});
    if (all.config_file.empty()) all.config_file = folder + "config";
    if (const auto text = text_of_file(all.credentials_file)) all.add(*text, false);
    if (const auto text = text_of_file(all.config_file)) all.add(*text, true);
    return all;
}

std::string profile_in_use(const aws_environment& environment) {
    const std::string named = environment.value({"AWS_PROFILE"});
    return named.empty() ? "default" : named;
}

namespace {

aws_settings settings_in_use(const aws_environment& environment, const aws_profiles& all) {
    const auto found = all.profiles.find(profile_in_use(environment));
    return found == all.profiles.end() ? aws_settings() : found->second;
}

}  // namespace

std::string value_in_use(const aws_environment& environment,
                         std::initializer_list<const char*> variables, std::string_view name) {
    const std::string value = environment.value(variables);
    if (!value.empty()) return value;
    return setting(settings_in_use(environment, read_profiles(environment)), name);
}

std::string configured_endpoint(const aws_environment& environment, std::string_view service) {
    const aws_profiles all = read_profiles(environment);
    const aws_settings profile = settings_in_use(environment, all);
    const std::string ignored = environment.value({"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"});
    if (is_in_any_case(
            ignored.empty() ? setting(profile, "ignore_configured_endpoint_urls") : ignored,
            "true")) {
        return {};
    }
    std::string variable = "AWS_ENDPOINT_URL_";
    for (const char c : service) {
        variable += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
    std::string endpoint = environment.value({variable.c_str(), "AWS_ENDPOINT_URL"});
    if (!endpoint.empty()) return endpoint;
    if (const auto named = all.services.find(setting(profile, "services"));
        named != all.services.end()) {
        if (const auto of_service = named->second.find(service);
            of_service != named->second.end()) {
            endpoint = setting(of_service->second, "endpoint_url");
        }
    }
    return endpoint.empty() ? setting(profile, "endpoint_url") : endpoint;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
