// SPDX-License-Identifier: BSL-1.0
#include "line/s3/providers.hpp"

#include "line/s3/http_call.hpp"
#include "line/s3/json.hpp"
#include "line/s3/process_output.hpp"
#include "line/s3/provider_answers.hpp"
#include "line/s3/signature.hpp"
#include "line/s3/sso_login.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace freehold::inline FREEHOLD_ABI::detail {
namespace {

using settings = aws_settings;
using instant = std::chrono::system_clock::time_point;

// Without a port, a user and a path: "host" of "http://host:80/path".
std::string_view host_of(std::string_view url) noexcept {
    url.remove_prefix(std::min(url.find("://") + 3, url.size()));
    url = url.substr(0, url.find_first_of("/?#"));
    if (url.starts_with('[')) return url.substr(0, url.find(']') + 1);
    return url.substr(0, url.find(':'));
}

// The instant that an endpoint names.
instant expiry_of(const std::string& text, const std::string& origin) {
    const auto when = instant_of(text);
    if (!when) failed(origin, "the answer has no valid time of expiry");
    return *when;
}

// What containers, instances and processes say.
s3_credentials keys_with_expiry(const answer_fields& fields, const char* token_name,
                                const std::string& origin) {
    s3_credentials keys = keys_in(fields, {"AccessKeyId", "SecretAccessKey", token_name}, origin);
    const auto expiry = fields.find("Expiration");
    if (expiry != fields.end() && expiry->second != "null") {
        keys.expires = expiry_of(expiry->second, origin);
    }
    return keys;
}

// Environment ---------------------------------------------------------------------------------

std::optional<credentials_origin> of_environment(const aws_environment& environment) {
    s3_credentials keys{environment.value({"AWS_ACCESS_KEY_ID"}),
                        environment.value({"AWS_SECRET_ACCESS_KEY"}),
                        environment.value({"AWS_SESSION_TOKEN"})};
    if (keys.access_key.empty() && keys.secret_key.empty()) return std::nullopt;
    if (keys.access_key.empty() || keys.secret_key.empty()) {
        const std::string missing =
            keys.access_key.empty() ? "AWS_ACCESS_KEY_ID" : "AWS_SECRET_ACCESS_KEY";
        misconfigured(missing + " is not set, but the other of the two is: set both or neither");
    }
    return credentials_origin{"the environment", true, false,
                              [keys](const credentials_request&) { return keys; }};
}

// STS -----------------------------------------------------------------------------------------

std::string form_encoded(const std::map<std::string, std::string>& fields) {
    std::string text;
    for (const auto& [name, value] : fields) {
        if (value.empty()) continue;
        if (!text.empty()) text += '&';
        text += name + "=";
        for (const char c : percent_encoded(value)) {
            if (c == '/') {
                text += "%2F";
            } else {
                text += c;
            }
        }
    }
    return text;
}

std::string region_of(const aws_environment& environment, const settings& profile) {
    std::string region = environment.value({"AWS_REGION", "AWS_DEFAULT_REGION"});
    if (region.empty()) region = setting(profile, "region");
    return region.empty() ? "us-east-1" : region;
}

// `keys` sign the request, unless there are none.
s3_credentials ask_sts(const credentials_request& request, const std::string& region,
                       std::map<std::string, std::string> fields, const s3_credentials* keys,
                       const std::string& origin) {
    const std::string endpoint = endpoint_of(request.environment, "sts", "sts", region);
    fields["Version"] = "2011-06-15";
    http_call call;
    call.method = "POST";
    call.url = endpoint + "/";
    call.certificates = request.certificates;
    call.body = form_encoded(fields);
    call.headers = {"content-type: application/x-www-form-urlencoded", "accept: */*"};
    if (keys != nullptr) {
        const std::string payload = hexadecimal(sha256().add(call.body).finish());
        const std::size_t host = endpoint.find("://") + 3;
        const std::size_t path = std::min(endpoint.find('/', host), endpoint.size());
        s3_signable signable{"POST", endpoint.substr(path) + "/", {}, payload};
        const s3_scope scope{s3_time(request.now), region, "sts"};
        signable.headers["host"] = endpoint.substr(host, path - host);
        signable.headers["x-amz-date"] = scope.time;
        if (!keys->session_token.empty()) {
            signable.headers["x-amz-security-token"] = keys->session_token;
        }
        const std::string authorization = s3_authorization(signable, scope, *keys);
        for (const auto& [name, value] : signable.headers) {
            call.headers.push_back(name + ": " + value);
        }
        call.headers.push_back("authorization: " + authorization);
    }
    const http_answer answer = answer_after_retries(call, request.stop);
    if (keys != nullptr) {
        expect_success(answer, origin, {keys->secret_key, keys->session_token});
    } else {
        expect_success(answer, origin, {fields["WebIdentityToken"]});
    }
    const auto element = [&](const char* name) {
        return std::string(xml_element(answer.body, name));
    };
    s3_credentials got{element("AccessKeyId"), element("SecretAccessKey"), element("SessionToken")};
    check_credentials(got, origin);
    got.expires = expiry_of(element("Expiration"), origin);
    return got;
}

std::string session_name(const std::string& chosen, instant now) {
    if (!chosen.empty()) return chosen;
    return "freehold-" +
           std::to_string(
               std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count());
}

credentials_origin of_token_file(const std::string& file, const std::string& role,
                                 const std::string& session, const std::string& region) {
    const std::string name = "the web identity for role '" + role + "'";
    return {name, false, true, [=](const credentials_request& request) {
                const auto token = text_of_file(file);
                if (!token || trimmed(*token).empty()) {
                    failed(name, "the token file '" + file + "' is empty or cannot be read");
                }
                return ask_sts(request, region,
                               {{"Action", "AssumeRoleWithWebIdentity"},
                                {"RoleArn", role},
                                {"RoleSessionName", session_name(session, request.now)},
                                {"WebIdentityToken", std::string(trimmed(*token))}},
                               nullptr, name);
            }};
}

std::optional<credentials_origin> of_web_identity(const aws_environment& environment) {
    const std::string file = environment.value({"AWS_WEB_IDENTITY_TOKEN_FILE"});
    if (file.empty()) return std::nullopt;
    const std::string role = environment.value({"AWS_ROLE_ARN"});
    if (role.empty()) {
        misconfigured("AWS_WEB_IDENTITY_TOKEN_FILE is set, but AWS_ROLE_ARN is not: set both");
    }
    return of_token_file(file, role, environment.value({"AWS_ROLE_SESSION_NAME"}),
                         region_of(environment, {}));
}

// Containers and instances --------------------------------------------------------------------

std::optional<credentials_origin> of_container(const aws_environment& environment) {
    const std::string relative = environment.value({"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"});
    const std::string full = environment.value({"AWS_CONTAINER_CREDENTIALS_FULL_URI"});
    if (relative.empty() && full.empty()) return std::nullopt;
    if (relative.empty()) {
        const std::string_view host = host_of(full);
        const bool is_near = host.starts_with("127.") || host == "localhost" || host == "[::1]" ||
                             host == "169.254.170.2" || host == "169.254.170.23" ||
                             host == "[fd00:ec2::23]";
        const bool has_user = full.find('@') != std::string::npos;
        if (has_user ||
            !(full.starts_with("https://") || (full.starts_with("http://") && is_near))) {
            misconfigured(
                "AWS_CONTAINER_CREDENTIALS_FULL_URI must be https://..., or http:// with an "
                "address of this machine, 169.254.170.2, 169.254.170.23 or [fd00:ec2::23]");
        }
    } else if (relative.front() != '/') {
        misconfigured("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI must start with a slash");
    }
    const std::string token_file = environment.value({"AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"});
    const std::string fixed_token = environment.value({"AWS_CONTAINER_AUTHORIZATION_TOKEN"});
    const std::string name = "the container's endpoint";
    return credentials_origin{
        name, false, true, [=](const credentials_request& request) {
            std::string token = fixed_token;
            if (!token_file.empty()) {
                const auto text = text_of_file(token_file);
                if (!text) failed(name, "the token file '" + token_file + "' cannot be read");
                token = trimmed(*text);
            }
            if (token.find_first_of("\r\n") != std::string::npos) {
                failed(name, "the authorization token has more than one line");
            }
            http_call call;
            call.url = relative.empty() ? full : request.container_server + relative;
            call.is_direct = true;
            call.certificates = request.certificates;
            if (!token.empty()) call.headers.push_back("authorization: " + token);
            call.headers.emplace_back("accept: application/json");
            const http_answer answer = answer_after_retries(call, request.stop);
            expect_success(answer, name, {token});
            s3_credentials keys = keys_with_expiry(fields_of(answer, name), "Token", name);
            if (!keys.expires) failed(name, "the answer has no time of expiry");
            return keys;
        }};
}

std::optional<credentials_origin> of_instance(const aws_environment& environment) {
    if (is_in_any_case(environment.value({"AWS_EC2_METADATA_DISABLED"}), "true"))
        return std::nullopt;
    std::string endpoint = environment.value({"AWS_EC2_METADATA_SERVICE_ENDPOINT"});
    if (endpoint.empty()) {
        const std::string mode = environment.value({"AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE"});
        endpoint =
            mode == "IPv6" || mode == "ipv6" ? "http://[fd00:ec2::254]" : "http://169.254.169.254";
    }
    while (endpoint.ends_with('/')) endpoint.pop_back();
    const std::string name = "the instance's metadata (IMDSv2)";
    return credentials_origin{
        name, false, true, [=](const credentials_request& request) {
            http_call call;
            call.is_direct = true;
            call.connect_timeout = std::chrono::milliseconds(1000);
            call.timeout = std::chrono::milliseconds(2000);
            call.method = "PUT";
            call.url = endpoint + "/latest/api/token";
            call.headers = {"x-aws-ec2-metadata-token-ttl-seconds: 21600"};
            http_answer answer = answer_to(call, request.stop);
            if (answer.status == 0 && !answer.is_reached) {
                failed(name,
                       answer.failure +
                           ". Elsewhere than on EC2, give credentials: set AWS_ACCESS_KEY_ID and "
                           "AWS_SECRET_ACCESS_KEY, or write a profile into ~/.aws/credentials, or "
                           "give them in s3_options");
            }
            if (answer.status != 200) answer = answer_after_retries(call, request.stop);
            if (answer.status == 0) {
                failed(name, answer.failure +
                                 ". In a container, the instance's hop limit for metadata must be "
                                 "at least 2");
            }
            expect_success(answer, name, {});
            const std::string token(trimmed(answer.body));
            if (token.empty() || token.find_first_of("\r\n") != std::string::npos) {
                failed(name, "the session's token has not exactly one line");
            }
            call.method = "GET";
            call.headers = {"x-aws-ec2-metadata-token: " + token};
            call.url = endpoint + "/latest/meta-data/iam/security-credentials/";
            answer = answer_after_retries(call, request.stop);
            if (answer.status == 404) failed(name, "the instance has no role: attach one");
            expect_success(answer, name, {token});
            const std::string_view roles = trimmed(answer.body);
            const std::string role(roles.substr(0, roles.find_first_of("\r\n")));
            if (role.empty()) failed(name, "the instance has no role: attach one");
            call.url += percent_encoded(role);
            answer = answer_after_retries(call, request.stop);
            expect_success(answer, name, {token});
            const auto fields = fields_of(answer, name);
            const auto code = fields.find("Code");
            if (code != fields.end() && code->second != "Success") {
                failed(name, "it answered '" + shown(code->second, {token}) + "'");
            }
            s3_credentials keys = keys_with_expiry(fields, "Token", name);
            if (!keys.expires) failed(name, "the answer has no time of expiry");
            return keys;
        }};
}

// Profiles ------------------------------------------------------------------------------------

credentials_origin of_process(const std::string& profile, const std::string& command) {
    const std::string name = "the credential_process of profile '" + profile + "'";
    return {name, false, true, [=](const credentials_request& request) {
                const process_outcome outcome =
                    output_of(command, request.longest_process, request.stop);
                if (!outcome.failure.empty()) failed(name, outcome.failure);
                const auto fields = json_fields(outcome.output);
                if (!fields) failed(name, "its output is no JSON object");
                const auto version = fields->find("Version");
                if (version == fields->end() || version->second != "1") {
                    failed(name, "its output has not \"Version\": 1");
                }
                return keys_with_expiry(*fields, "SessionToken", name);
            }};
}

std::optional<credentials_origin> of_profile(const aws_environment& environment,
                                             const aws_profiles& all, const std::string& profile,
                                             std::vector<std::string> visited);

// What signs the request for a profile's role.
credentials_origin source_of_role(const aws_environment& environment, const aws_profiles& all,
                                  const std::string& profile, const settings& own,
                                  const std::vector<std::string>& visited) {
    const std::string source = setting(own, "source_profile");
    const std::string link = setting(own, "credential_source");
    if (source.empty() == link.empty()) {
        misconfigured("profile '" + profile +
                      "' has a role_arn, and needs exactly one of source_profile, "
                      "credential_source and web_identity_token_file");
    }
    std::optional<credentials_origin> found;
    if (!source.empty()) {
        found = of_profile(environment, all, source, visited);
    } else if (link == "Environment") {
        found = of_environment(environment);
    } else if (link == "Ec2InstanceMetadata") {
        found = of_instance(environment);
    } else if (link == "EcsContainer") {
        found = of_container(environment);
    } else {
        misconfigured("profile '" + profile + "' has the credential_source '" + link +
                      "': it may be Environment, Ec2InstanceMetadata or EcsContainer");
    }
    if (!found) {
        misconfigured("profile '" + profile + "' takes its credentials from " +
                      (source.empty() ? link : "profile '" + source + "'") + ", which has none");
    }
    return std::move(*found);
}

std::optional<credentials_origin> of_profile(const aws_environment& environment,
                                             const aws_profiles& all, const std::string& profile,
                                             std::vector<std::string> visited) {
    const auto found = all.profiles.find(profile);
    if (found == all.profiles.end()) {
        if (visited.empty() && environment.value({"AWS_PROFILE"}).empty()) return std::nullopt;
        misconfigured("there is no profile '" + profile + "' of " + all.credentials_file + " or " +
                      all.config_file +
                      ": write it there, or set AWS_PROFILE to another, or set AWS_ACCESS_KEY_ID "
                      "and AWS_SECRET_ACCESS_KEY");
    }
    const settings& own = found->second;
    const bool is_its_own_source = !visited.empty() && visited.back() == profile;
    const std::string role = is_its_own_source ? "" : setting(own, "role_arn");
    if (!role.empty()) {
        if (std::find(visited.begin(), visited.end(), profile) != visited.end()) {
            misconfigured("profile '" + profile + "' is by its source_profile its own source");
        }
        visited.push_back(profile);
        const std::string region = region_of(environment, own);
        const std::string session = setting(own, "role_session_name");
        const std::string token_file = setting(own, "web_identity_token_file");
        if (!token_file.empty()) return of_token_file(token_file, role, session, region);
        if (!setting(own, "mfa_serial").empty()) {
            misconfigured(
                "profile '" + profile +
                "' asks for a code (mfa_serial), for which nobody can be asked here: take "
                "a profile with credential_process or SSO");
        }
        const credentials_origin source = source_of_role(environment, all, profile, own, visited);
        const std::string name = "role '" + role + "' of profile '" + profile + "'";
        return credentials_origin{name, false, true, [=](const credentials_request& request) {
                                      const s3_credentials keys = source.ask(request);
                                      return ask_sts(
                                          request, region,
                                          {{"Action", "AssumeRole"},
                                           {"RoleArn", role},
                                           {"RoleSessionName", session_name(session, request.now)},
                                           {"ExternalId", setting(own, "external_id")},
                                           {"DurationSeconds", setting(own, "duration_seconds")}},
                                          &keys, name);
                                  }};
    }
    if (!setting(own, "sso_account_id").empty() || !setting(own, "sso_role_name").empty()) {
        return of_sso_login(environment, all, profile, own);
    }
    const s3_credentials keys{setting(own, "aws_access_key_id"),
                              setting(own, "aws_secret_access_key"),
                              setting(own, "aws_session_token")};
    if (!keys.access_key.empty() && !keys.secret_key.empty()) {
        return credentials_origin{"profile '" + profile + "'", true, true,
                                  [keys](const credentials_request&) { return keys; }};
    }
    if (!keys.access_key.empty() || !keys.secret_key.empty()) {
        misconfigured("profile '" + profile +
                      "' has only one of aws_access_key_id and aws_secret_access_key: write both");
    }
    const std::string command = setting(own, "credential_process");
    if (!command.empty()) return of_process(profile, command);
    return std::nullopt;
}

std::optional<credentials_origin> of_profile_in_use(const aws_environment& environment) {
    return of_profile(environment, read_profiles(environment), profile_in_use(environment), {});
}

}  // namespace

credentials_origin find_credentials(const aws_environment& environment) {
    constexpr std::array chain{of_environment, of_web_identity, of_profile_in_use, of_container,
                               of_instance};
    for (const auto link : chain) {
        if (auto origin = link(environment)) return std::move(*origin);
    }
    const aws_profiles all = read_profiles(environment);
    misconfigured(
        "no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write both into "
        "profile '" +
        profile_in_use(environment) + "' of " + all.credentials_file + " or " + all.config_file +
        ", or give them in s3_options; AWS_EC2_METADATA_DISABLED forbids to ask the instance");
}

std::string endpoint_of(const aws_environment& environment, std::string_view service,
                        const std::string& host, const std::string& region) {
    std::string endpoint = configured_endpoint(environment, service);
    while (endpoint.ends_with('/')) endpoint.pop_back();
    return endpoint.empty() ? amazon_endpoint(host, region) : endpoint;
}

void check_credentials(const s3_credentials& credentials, const std::string& origin) {
    if (credentials.access_key.empty() || credentials.secret_key.empty()) {
        failed(origin, "an access key and a secret key are not both there");
    }
    if (has_blank(credentials.access_key) || has_blank(credentials.session_token)) {
        failed(origin,
               "the access key or the session token has a blank or a line end, which no header can "
               "carry");
    }
}

std::string amazon_endpoint(const std::string& service, const std::string& region) {
    return "https://" + service + "." + region + ".amazonaws.com" +
           (region.starts_with("cn-") ? ".cn" : "");
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
