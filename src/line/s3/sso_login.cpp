// SPDX-License-Identifier: BSL-1.0
#include "line/s3/sso_login.hpp"

#include "line/s3/http_call.hpp"
#include "line/s3/json.hpp"
#include "line/s3/provider_answers.hpp"
#include "line/s3/sha1.hpp"
#include "line/s3/signature.hpp"
#include "line/s3/sso_token.hpp"

#include <chrono>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

credentials_origin of_sso_login(const aws_environment& environment, const aws_profiles& all,
                                const std::string& profile, const aws_settings& own) {
    const std::string session = setting(own, "sso_session");
    aws_settings settings = own;
    if (!session.empty()) {
        const auto found = all.sso_sessions.find(session);
        if (found == all.sso_sessions.end()) {
            misconfigured("profile '" + profile + "' names sso_session '" + session +
                          "', which is not in " + all.config_file);
        }
        settings = found->second;
    }
    sso_login login;
    login.name = "the SSO login of profile '" + profile + "'";
    login.advice = ": run `aws sso login --profile " + profile + "`";
    login.region = setting(settings, "sso_region");
    login.start_url = setting(settings, "sso_start_url");
    login.has_session = !session.empty();
    const std::string key = login.has_session ? session : login.start_url;
    login.file = environment.value({"HOME"}) + "/.aws/sso/cache/" + sha1_of(key) + ".json";
    const std::string account = setting(own, "sso_account_id");
    const std::string role = setting(own, "sso_role_name");
    if (login.region.empty() || key.empty() || account.empty() || role.empty()) {
        misconfigured("profile '" + profile +
                      "' needs sso_account_id, sso_role_name, sso_region, and sso_session or "
                      "sso_start_url");
    }
    return {login.name, false, true, [=](const credentials_request& request) {
                const std::string& name = login.name;
                const std::string token = valid_sso_token(login, request);
                http_call call;
                call.url = endpoint_of(request.environment, "sso", "portal.sso", login.region) +
                           "/federation/credentials?role_name=" + percent_encoded(role) +
                           "&account_id=" + percent_encoded(account);
                call.headers = {"x-amz-sso_bearer_token: " + token};
                call.certificates = request.certificates;
                const http_answer answer = answer_after_retries(call, request.stop);
                if (answer.status == 401) failed(name, "its token is not accepted" + login.advice);
                expect_success(answer, name, {token});
                const auto fields = fields_of(answer, name);
                s3_credentials keys =
                    keys_in(fields,
                            {"roleCredentials.accessKeyId", "roleCredentials.secretAccessKey",
                             "roleCredentials.sessionToken"},
                            name);
                constexpr std::int64_t most = 9'000'000'000'000;
                const auto expires = integer_of(field(fields, "roleCredentials.expiration"));
                if (!expires || *expires <= 0 || *expires > most) {
                    failed(name, "the answer has no valid time of expiry");
                }
                keys.expires =
                    std::chrono::system_clock::time_point(std::chrono::milliseconds(*expires));
                return keys;
            }};
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
