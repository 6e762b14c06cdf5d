// SPDX-License-Identifier: BSL-1.0
// The environment and the profile files of AWS's own tools. What is invalid in a file is left out,
// as those tools do.
#pragma once

#include <freehold/config.hpp>

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace freehold::inline FREEHOLD_ABI::detail {

std::string_view trimmed(std::string_view text) noexcept;

// Whether there is a blank, a line end or another control character.
bool has_blank(std::string_view text) noexcept;

// Whether the text, in whatever case, is `lower_case`.
bool is_in_any_case(std::string_view text, std::string_view lower_case) noexcept;

// The variables AWS_... and HOME.
class aws_environment {
public:
    // Those of the process. No other thread may change the environment meanwhile.
    static aws_environment of_process();
    explicit aws_environment(std::map<std::string, std::string> variables);

    // Returns the first of these variables that is not empty, or an empty string.
    [[nodiscard]] std::string value(std::initializer_list<const char*> names) const;

private:
    std::map<std::string, std::string> variables_;
};

using aws_settings = std::map<std::string, std::string, std::less<>>;

using named_aws_settings = std::map<std::string, aws_settings, std::less<>>;

// Returns the setting, or an empty string.
std::string setting(const aws_settings& settings, std::string_view name);

struct aws_profiles {
    std::string credentials_file;  // the paths, for messages
    std::string config_file;
    named_aws_settings profiles;
    named_aws_settings sso_sessions;
    // What the sections "[services NAME]" say, by name and service: "s3 =" with indented settings.
    std::map<std::string, named_aws_settings, std::less<>> services;

    // Adds what a file says. A setting that is there already stays. In the file "config" a profile
    // is headed "[profile NAME]", except "[default]"; in the file "credentials", "[NAME]".
    void add(std::string_view text, bool is_config);
};

// Reads $AWS_SHARED_CREDENTIALS_FILE and $AWS_CONFIG_FILE, or the files of the home folder. What
// both say is taken from the first.
aws_profiles read_profiles(const aws_environment& environment);

// The profile that is used: $AWS_PROFILE, or "default".
std::string profile_in_use(const aws_environment& environment);

// The first of these variables, else this setting of the profile that is used, or an empty string.
std::string value_in_use(const aws_environment& environment,
                         std::initializer_list<const char*> variables, std::string_view name);

// The endpoint that is configured for a service in lower case, such as "s3": the first of
// $AWS_ENDPOINT_URL_<SERVICE>, $AWS_ENDPOINT_URL, the service's endpoint_url in the `services` of
// the profile that is used, and that profile's endpoint_url. Empty if there is none, or if it is to
// be ignored.
std::string configured_endpoint(const aws_environment& environment, std::string_view service);

// The start of a file, or nothing if it cannot be read.
std::optional<std::string> text_of_file(const std::string& path);

}  // namespace freehold::inline FREEHOLD_ABI::detail
