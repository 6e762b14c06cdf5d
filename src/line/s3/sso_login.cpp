// SPDX-License-Identifier: BSL-1.0
#include "line/s3/sso_login.hpp"

#include "line/s3/http_call.hpp"
#include "line/s3/json.hpp"
#include "line/s3/provider_answers.hpp"
#include "line/s3/sha1.hpp"
#include "line/s3/signature.hpp"

#include <charconv>
#include <chrono>
#include <cstdint>
#include <optional>

namespace freehold::inline FREEHOLD_ABI::detail {

credentials_origin of_sso_login(const aws_environment& environment, const aws_profiles& all,
                                const std::string& profile, const aws_settings& own) {
    const std::string session = setting(own, "sso_session");
    aws_settings login = own;
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
                keys.expires =
                    std::chrono::system_clock::time_point(std::chrono::milliseconds(since_epoch));
                return keys;
            }};
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
