// SPDX-License-Identifier: BSL-1.0
// A login of IAM Identity Center.
#include "line/http_server.hpp"
#include "line/s3/sha1.hpp"
#include "line/s3_provider_fixture.hpp"

#include <string>

#include <gtest/gtest.h>

namespace freehold::s3_sso_test {
namespace {

using s3_providers_test::a_provider;

// A login of IAM Identity Center, whose token `aws sso login` has cached.
class a_login : public a_provider {
protected:
    a_login() {
        variables_["AWS_ENDPOINT_URL_SSO"] = server_.endpoint();
        home_.write(
            ".aws/config",
            "[default]\nsso_session = work\nsso_account_id = 123\nsso_role_name = Read Er\n"
            "[sso-session work]\nsso_region = there-1\nsso_start_url = https://a.b/start\n");
        cache("2026-11-28T07:30:00Z");
        answer_ = [](const http_request&, http_connection& connection) {
            connection.answer(
                "200 OK", {},
                R"({"roleCredentials":{"accessKeyId":"GOTKEY","secretAccessKey":)"
                R"("GOTHIDDEN","sessionToken":"GOTTOKEN","expiration":1795852800000}})");
        };
    }

    void cache(const std::string& until) {
        // SHA-1 of "work", as the tools name the file.
        home_.write(".aws/sso/cache/" + detail::sha1_of("work") + ".json",
                    R"({"accessToken":"LOGINTOKEN","expiresAt":")" + until + "\"}");
    }
};

TEST_F(a_login, gives_the_keys_of_its_role) {
    expect_the_keys(ask());
    const http_request request = server_.requests().at(0);
    EXPECT_EQ(request.path, "/federation/credentials?role_name=Read%20Er&account_id=123");
    EXPECT_EQ(request.header("x-amz-sso_bearer_token"), "LOGINTOKEN");
}

TEST_F(a_login, that_has_expired_asks_for_another) {
    cache("2026-11-28T06:30:00Z");
    EXPECT_HAS(failure(), "aws sso login");
    EXPECT_EQ(server_.requests().size(), 0u);
    cache("2026-11-28T07:30:00Z");
    answer_ = [](const http_request&, http_connection& connection) {
        connection.answer("401 Unauthorized", {}, R"({"message":"Session token not found"})");
    };
    EXPECT_HAS(failure(), "aws sso login");
}

TEST(a_sha1, has_the_values_of_nist) {
    EXPECT_EQ(detail::sha1_of(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    EXPECT_EQ(detail::sha1_of("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
    EXPECT_EQ(detail::sha1_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
    EXPECT_EQ(detail::sha1_of(std::string(1'000'000, 'a')),
              "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

}  // namespace
}  // namespace freehold::s3_sso_test
