// SPDX-License-Identifier: BSL-1.0
#include "line/s3/providers.hpp"

#include "line/s3/http_call.hpp"
#include "line/s3/json.hpp"
#include "line/s3/process_output.hpp"
#include "line/s3/signature.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace freehold::inline FREEHOLD_ABI::detail {
namespace {

using settings = aws_settings;
using instant = std::chrono::system_clock::time_point;

[[noreturn]] void misconfigured(const std::string& text) {
    throw std::invalid_argument("s3_source: " + text);
}

[[noreturn]] void failed(const std::string& origin, const std::string& text) {
    throw std::runtime_error("no credentials from " + origin + ": " + text);
}

// What an endpoint said, without the secrets that it may have repeated, and in one short line.
std::string shown(std::string_view text, std::initializer_list<std::string_view> secrets) {
    constexpr std::size_t longest = 200;
    for (const std::string_view secret : secrets) {
        if (!secret.empty() && text.find(secret) != std::string_view::npos) return "(not shown)";
    }
    std::string line(text.substr(0, longest));
    for (char& c : line) {
        if (c >= 0 && c < ' ') c = ' ';
    }
    return line;
}

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

// The fields of an answer of JSON: the names differ between endpoints.
struct field_names {
    const char* access_key;
    const char* secret_key;
    const char* session_token;
};

s3_credentials keys_in(const std::map<std::string, std::string>& fields, const field_names& names,
                       const std::string& origin) {
    const auto text = [&](const char* name) {
        const auto found = fields.find(name);
        return found == fields.end() || found->second == "null" ? std::string() : found->second;
    };
    s3_credentials keys{text(names.access_key), text(names.secret_key), text(names.session_token)};
    check_credentials(keys, origin);
    return keys;
}

std::map<std::string, std::string> fields_of(const http_answer& answer, const std::string& origin) {
    auto fields = json_fields(answer.body);
    if (!fields) failed(origin, "the answer is no JSON object");
    return std::move(*fields);
}

// What containers, instances and processes say.
s3_credentials keys_with_expiry(const std::map<std::string, std::string>& fields,
                                const char* token_name, const std::string& origin) {
    s3_credentials keys = keys_in(fields, {"AccessKeyId", "SecretAccessKey", token_name}, origin);
    const auto expiry = fields.find("Expiration");
    if (expiry != fields.end() && expiry->second != "null") {
        keys.expires = expiry_of(expiry->second, origin);
    }
    return keys;
}

void expect_success(const http_answer& answer, const std::string& origin,
                    std::initializer_list<std::string_view> secrets) {
    if (answer.status == 0) failed(origin, answer.failure);
    if (answer.status == 200) return;
    std::string text = "it answered " + std::to_string(answer.status);
    for (const char* const name : {"Code", "Message"}) {
        const std::string_view value = xml_element(answer.body, name);
        if (!value.empty()) text += ": " + shown(value, secrets);
    }
    if (const auto fields = json_fields(answer.body)) {
        for (const char* const name : {"code", "message", "Message"}) {
            const auto found = fields->find(name);
            if (found != fields->end()) text += ": " + shown(found->second, secrets);
        }
    }
    failed(origin, text);
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

// `host` is the first part of the name of Amazon's own endpoint.
std::string endpoint_of(const aws_environment& environment, std::string_view service,
                        const std::string& host, const std::string& region) {
    std::string endpoint = configured_endpoint(environment, service);
    while (endpoint.ends_with('/')) endpoint.pop_back();
    return endpoint.empty() ? amazon_endpoint(host, region) : endpoint;
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

credentials_origin of_login(const aws_environment& environment, const aws_profiles& all,
                            const std::string& profile, const settings& own) {
    const std::string session = setting(own, "sso_session");
    settings login = own;
    if (!session.empty()) {
        const auto found = all.sso_sessions.find(session);
        if (found == all.sso_sessions.end()) {
            misconfigured("profile '" + profile + "' names sso_session '" + session +
                          "', which is not in " + all.config_file);
        }
        login = found->second;
    }
    const std::string region = setting(login, "sso_region");
    const std::string key = session.empty() ? setting(login, "sso_start_url") : session;
    const std::string account = setting(own, "sso_account_id");
    const std::string role = setting(own, "sso_role_name");
    if (region.empty() || key.empty() || account.empty() || role.empty()) {
        misconfigured("profile '" + profile +
                      "' needs sso_account_id, sso_role_name, sso_region, and sso_session or "
                      "sso_start_url");
    }
    const std::string file =
        environment.value({"HOME"}) + "/.aws/sso/cache/" + sha1_of(key) + ".json";
    const std::string name = "the SSO login of profile '" + profile + "'";
    const std::string advice = ": run `aws sso login --profile " + profile + "`";
    return {name, false, true, [=](const credentials_request& request) {
                const auto text = text_of_file(file);
                const auto cached = text ? json_fields(*text) : std::nullopt;
                if (!cached) failed(name, "no valid token is in '" + file + "'" + advice);
                const auto token = cached->find("accessToken");
                const auto until = cached->find("expiresAt");
                const auto expires =
                    until == cached->end() ? std::nullopt : instant_of(until->second);
                if (token == cached->end() || token->second.empty() || !expires ||
                    token->second.find_first_of("\r\n") != std::string::npos) {
                    failed(name, "no valid token is in '" + file + "'" + advice);
                }
                if (*expires <= request.now) failed(name, "its token has expired" + advice);
                http_call call;
                call.url = endpoint_of(request.environment, "sso", "portal.sso", region) +
                           "/federation/credentials?role_name=" + percent_encoded(role) +
                           "&account_id=" + percent_encoded(account);
                call.headers = {"x-amz-sso_bearer_token: " + token->second};
                call.certificates = request.certificates;
                const http_answer answer = answer_after_retries(call, request.stop);
                if (answer.status == 401) failed(name, "its token is not accepted" + advice);
                expect_success(answer, name, {token->second});
                const auto fields = fields_of(answer, name);
                s3_credentials keys =
                    keys_in(fields,
                            {"roleCredentials.accessKeyId", "roleCredentials.secretAccessKey",
                             "roleCredentials.sessionToken"},
                            name);
                const auto expiration = fields.find("roleCredentials.expiration");
                std::int64_t since_epoch = 0;
                constexpr std::int64_t most = 9'000'000'000'000;
                if (expiration != fields.end()) {
                    const std::string& number = expiration->second;
                    const char* const end = number.data() + number.size();
                    if (std::from_chars(number.data(), end, since_epoch).ptr != end)
                        since_epoch = 0;
                }
                if (since_epoch <= 0 || since_epoch > most) {
                    failed(name, "the answer has no valid time of expiry");
                }
                keys.expires = instant(std::chrono::milliseconds(since_epoch));
                return keys;
            }};
}

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
        return of_login(environment, all, profile, own);
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

std::string sha1_of(std::string_view text) {
    std::string padded(text);
    padded += '\x80';
    while (padded.size() % 64 != 56) padded += '\0';
    const std::uint64_t bits = 8 * std::uint64_t{text.size()};
    for (int shift = 56; shift >= 0; shift -= 8) padded += static_cast<char>(bits >> shift);

    std::array<std::uint32_t, 5> state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    for (std::size_t at = 0; at != padded.size(); at += 64) {
        std::array<std::uint32_t, 80> words{};
        for (std::size_t i = 0; i != 64; ++i) {
            words[i / 4] = words[i / 4] << 8 | static_cast<unsigned char>(padded[at + i]);
        }
        for (std::size_t i = 16; i != words.size(); ++i) {
            words[i] = std::rotl(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
        }
        auto [a, b, c, d, e] = state;
        for (std::size_t i = 0; i != words.size(); ++i) {
            const std::uint32_t mixed = i < 20   ? ((b & c) | (~b & d)) + 0x5a827999
                                        : i < 40 ? (b ^ c ^ d) + 0x6ed9eba1
                                        : i < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
                                                 : (b ^ c ^ d) + 0xca62c1d6;
            const std::uint32_t next = std::rotl(a, 5) + mixed + e + words[i];
            e = d;
            d = c;
            c = std::rotl(b, 30);
            b = a;
            a = next;
        }
        const std::array<std::uint32_t, 5> sum{a, b, c, d, e};
        for (std::size_t i = 0; i != sum.size(); ++i) state[i] += sum[i];
    }
    std::string text_of_state;
    constexpr std::string_view digits = "0123456789abcdef";
    for (const std::uint32_t word : state) {
        for (int shift = 28; shift >= 0; shift -= 4) text_of_state += digits[word >> shift & 15];
    }
    return text_of_state;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
