// SPDX-License-Identifier: BSL-1.0
// A login of IAM Identity Center: its keys, and the refresh of its token, with imitations of the
// portal and of the service that issues tokens.
#include "line/aws_variables.hpp"
#include "line/file_size_limit.hpp"
#include "line/http_server.hpp"
#include "line/s3/credentials.hpp"
#include "line/s3/json.hpp"
#include "line/s3/sha1.hpp"
#include "line/s3_provider_fixture.hpp"
#include "skip.hpp"
#include "wait_until.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold::s3_sso_test {
namespace {

using detail::json_fields;
using detail::json_text;
using detail::s3_credentials_in_use;
using s3_providers_test::a_provider;
using s3_providers_test::instant;
using s3_providers_test::shared;
using namespace std::chrono_literals;
using fields = std::map<std::string, std::string>;

// A login whose token `aws sso login` has cached. It is 07:00.
class a_login : public a_provider {
protected:
    a_login() {
        variables_["AWS_ENDPOINT_URL_SSO"] = server_.endpoint();
        variables_["AWS_ENDPOINT_URL_SSO_OIDC"] = server_.endpoint();
        home_.write(
            ".aws/config",
            "[default]\nsso_session = work\nsso_account_id = 123\nsso_role_name = Read Er\n"
            "[sso-session work]\nsso_region = there-1\nsso_start_url = https://a.b/start\n");
        cache_without_refresh("07:30");
        answer_ = [this](const http_request& request, http_connection& connection) {
            if (request.path == "/token") return issue_.now()(request, connection);
            connection.answer(
                "200 OK", {},
                R"({"roleCredentials":{"accessKeyId":"GOTKEY","secretAccessKey":)"
                R"("GOTHIDDEN","sessionToken":"GOTTOKEN","expiration":1795852800000}})");
        };
    }

    // SHA-1 of "work", as the tools name the file.
    std::string file() const {
        return (home_.path() / ".aws/sso/cache" / (detail::sha1_of("work") + ".json")).string();
    }
    void write(const fields& token) {
        home_.write(std::filesystem::relative(file(), home_.path()).string(), json_text(token));
    }
    void cache_without_refresh(const std::string& until) {
        write({{"accessToken", "LOGINTOKEN"}, {"expiresAt", "2026-11-28T" + until + ":00Z"}});
    }
    static fields token_until(const std::string& until) {
        return {
            {"startUrl", "https://a.b/start"}, {"region", "there-1"},
            {"accessToken", "LOGINTOKEN"},     {"expiresAt", "2026-11-28T" + until + ":00Z"},
            {"refreshToken", "FIRST+TOKEN\""}, {"clientId", "client"},
            {"clientSecret", "HIDDEN"},        {"registrationExpiresAt", "2026-12-28T00:00:00Z"}};
    }

    std::vector<http_request> refreshes() const {
        auto all = server_.requests();
        std::erase_if(all, [](const http_request& each) { return each.path != "/token"; });
        return all;
    }
    // The token with which the portal was asked last.
    std::string used() const {
        const auto all = server_.requests();
        return all.empty() ? "" : all.back().header("x-amz-sso_bearer_token");
    }
    // Nothing is beside the file.
    bool is_alone() const {
        const std::filesystem::directory_iterator all(std::filesystem::path(file()).parent_path());
        return std::distance(begin(all), end(all)) == 1;
    }
    void refuse(const std::string& status, const std::string& body) {
        issue_ = [=](const http_request&, http_connection& connection) {
            connection.answer(status, {}, body);
        };
    }

    shared<http_server::handler> issue_{[](const http_request&, http_connection& connection) {
        connection.answer("200 OK", {},
                          R"({"accessToken":"NEWTOKEN","tokenType":"Bearer","expiresIn":28800,)"
                          R"("refreshToken":"SECONDTOKEN"})");
    }};
};

constexpr auto refusal =
    R"({"error":"invalid_grant","error_description":"Invalid refresh token FIRST+TOKEN\""})";

TEST_F(a_login, gives_the_keys_of_its_role) {
    expect_the_keys(ask());
    const http_request request = server_.requests().at(0);
    EXPECT_EQ(request.path, "/federation/credentials?role_name=Read%20Er&account_id=123");
    EXPECT_EQ(request.header("x-amz-sso_bearer_token"), "LOGINTOKEN");
}

TEST_F(a_login, that_has_expired_asks_for_another) {
    cache_without_refresh("06:30");
    EXPECT_HAS(failure(), "expired: run `aws sso login --profile default`");
    EXPECT_EQ(server_.requests().size(), 0u);
    cache_without_refresh("07:30");
    answer_ = [](const http_request&, http_connection& connection) {
        connection.answer("401 Unauthorized", {}, R"({"message":"Session token not found"})");
    };
    EXPECT_HAS(failure(), "aws sso login");
}

TEST_F(a_login, that_has_expired_is_refreshed) {
    write(token_until("06:30"));
    expect_the_keys(ask());
    EXPECT_EQ(used(), "NEWTOKEN");
    const http_request request = refreshes().at(0);
    EXPECT_EQ(request.method, "POST");
    EXPECT_EQ(request.header("content-type"), "application/json");
    EXPECT_EQ(request.header("authorization"), "");
    EXPECT_EQ(json_fields(request.body), (fields{{"grantType", "refresh_token"},
                                                 {"refreshToken", "FIRST+TOKEN\""},
                                                 {"clientId", "client"},
                                                 {"clientSecret", "HIDDEN"}}));
    fields expected = token_until("15:00");
    expected["accessToken"] = "NEWTOKEN";
    expected["refreshToken"] = "SECONDTOKEN";
    EXPECT_EQ(json_fields(text_of(file())), expected);
    struct stat status {};
    ASSERT_EQ(::stat(file().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600u);
    EXPECT_TRUE(is_alone());
    ask();
    EXPECT_EQ(refreshes().size(), 1u);
}

TEST_F(a_login, is_refreshed_a_quarter_of_an_hour_before_its_end) {
    write(token_until("07:15"));
    ask();
    EXPECT_EQ(used(), "LOGINTOKEN");
    now_ += 1s;
    ask();
    EXPECT_EQ(used(), "NEWTOKEN");
}

TEST_F(a_login, keeps_its_refresh_token_if_it_gets_no_other) {
    write(token_until("06:30"));
    refuse("200 OK", R"({"accessToken":"NEWTOKEN","expiresIn":60,"refreshToken":null})");
    ask();
    EXPECT_EQ(used(), "NEWTOKEN");
    EXPECT_EQ(json_fields(text_of(file()))->at("refreshToken"), "FIRST+TOKEN\"");
}

TEST_F(a_login, is_used_until_its_end_if_no_refresh_succeeds) {
    write(token_until("07:10"));
    longest_refresh_ = 100ms;
    std::size_t tried = 0;
    const auto expect_one_try_in_30_s = [&] {
        for (const auto since_last : {31s, 29s, 0s}) {
            now_ += since_last;
            expect_the_keys(ask());
            EXPECT_EQ(used(), "LOGINTOKEN");
            if (since_last == 31s) ++tried;
            EXPECT_EQ(refreshes().size(), tried);
        }
    };
    refuse("400 Bad Request", refusal);
    expect_one_try_in_30_s();
    refuse("500 Internal Server Error", "");
    expect_one_try_in_30_s();
    refuse("200 OK", "<html>");
    expect_one_try_in_30_s();
    issue_ = [](const http_request&, http_connection& connection) { connection.say_nothing(); };
    expect_one_try_in_30_s();
    EXPECT_EQ(json_fields(text_of(file())), token_until("07:10"));
}

TEST_F(a_login, asks_for_another_if_its_refresh_is_refused) {
    write(token_until("06:30"));
    refuse("400 Bad Request", refusal);
    for (const auto since_last : {0s, 29s}) {
        now_ += since_last;
        const std::string text = failure();
        EXPECT_HAS(text, "invalid_grant");
        EXPECT_HAS(text, "run `aws sso login --profile default`");
        EXPECT_EQ(refreshes().size(), 1u);
    }
    now_ += 1s;
    failure();
    EXPECT_EQ(refreshes().size(), 2u);
    EXPECT_EQ(json_fields(text_of(file())), token_until("06:30"));
    cache_without_refresh("08:00");
    expect_the_keys(ask());
}

TEST_F(a_login, is_not_refreshed_by_garbage) {
    write(token_until("06:30"));
    const std::string start = R"({"accessToken":"BADTOKEN","expiresIn":)";
    for (const std::string& text :
         {std::string("<html>HIDDEN</html>"), std::string("{}"), std::string("[]"), start + "28800",
          start + "0}", start + "-1}", start + "1e4}", start + "\"soon\"}",
          start + "9223372036854775807}", std::string(R"({"expiresIn":28800})"),
          std::string(R"({"accessToken":"","expiresIn":28800})"),
          std::string(R"({"accessToken":null,"expiresIn":28800})"),
          std::string(R"({"accessToken":"BAD\r\nx: TOKEN","expiresIn":28800})"),
          R"({"padding":")" + std::string(100'000, 'x') + R"(","accessToken":"TOKEN"})"}) {
        refuse("200 OK", text);
        now_ += 30s;
        EXPECT_HAS(failure(), "aws sso login");
    }
    EXPECT_EQ(json_fields(text_of(file())), token_until("06:30"));
}

TEST_F(a_login, is_refreshed_as_soon_as_a_service_that_hung_answers) {
    write(token_until("06:30"));
    const http_server::handler issue = issue_.now();
    issue_ = [](const http_request&, http_connection& connection) { connection.say_nothing(); };
    longest_refresh_ = 100ms;
    EXPECT_HAS(failure(), "aws sso login");
    EXPECT_EQ(refreshes().size(), 3u);
    issue_ = issue;
    longest_refresh_ = 1min;
    expect_the_keys(ask());
}

TEST_F(a_login, whose_refresh_hangs_can_be_left) {
    write(token_until("06:30"));
    issue_ = [](const http_request&, http_connection& connection) { connection.say_nothing(); };
    std::thread stopping([&] {
        WAIT_UNTIL(!refreshes().empty());
        stop_ = true;
    });
    failure();
    stopping.join();
}

TEST_F(a_login, cannot_be_refreshed_without_what_a_refresh_takes) {
    for (const char* const missing : {"refreshToken", "clientId", "clientSecret"}) {
        fields token = token_until("06:30");
        token.erase(missing);
        write(token);
        EXPECT_HAS(failure(), "its token has expired: run `aws sso login");
    }
    fields token = token_until("06:30");
    for (const char* const registered : {"2026-11-28T07:00:00Z", "soon"}) {
        token["registrationExpiresAt"] = registered;
        write(token);
        EXPECT_HAS(failure(), "registration have expired: run `aws sso login");
    }
    EXPECT_EQ(server_.requests().size(), 0u);
}

TEST_F(a_login, of_a_profile_without_session_is_not_refreshed) {
    home_.write(".aws/config",
                "[profile old]\nsso_account_id = 123\nsso_role_name = r\nsso_region = there-1\n"
                "sso_start_url = work\n");
    variables_["AWS_PROFILE"] = "old";
    write(token_until("07:10"));
    expect_the_keys(ask());
    write(token_until("06:30"));
    EXPECT_HAS(failure(), "expired: run `aws sso login --profile old`");
    EXPECT_EQ(refreshes().size(), 0u);
}

// As in a container, into which the folder is mounted read-only.
TEST_F(a_login, is_refreshed_although_its_file_cannot_be_written) {
    write(token_until("06:30"));
    const std::string before = text_of(file());
    const tests::file_size_limit nothing(0);
    for (int i = 0; i != 2; ++i) {
        expect_the_keys(ask());
        EXPECT_EQ(used(), "NEWTOKEN");
        EXPECT_EQ(refreshes().size(), 1u) << "the process remembers the token";
        EXPECT_EQ(text_of(file()), before);
        EXPECT_TRUE(is_alone());
    }
    now_ += 8h;
    refuse("400 Bad Request", "{}");
    failure();
    EXPECT_EQ(json_fields(refreshes().back().body)->at("refreshToken"), "SECONDTOKEN");
    now_ += 30s;
    refuse("200 OK", R"({"accessToken":"THIRDTOKEN","expiresIn":28800})");
    expect_the_keys(ask());
    EXPECT_EQ(used(), "THIRDTOKEN");
    EXPECT_EQ(json_fields(refreshes().back().body)->at("refreshToken"), "SECONDTOKEN");
}

TEST_F(a_login, of_another_user_stays_his) {
    write(token_until("06:30"));
    constexpr uid_t nobody = 65534;
    if (::chown(file().c_str(), nobody, nobody) != 0) {
        return tests::skip_without("setuid", "only root may give a file to another user");
    }
    ask();
    struct stat status {};
    ASSERT_EQ(::stat(file().c_str(), &status), 0);
    EXPECT_EQ(status.st_uid, nobody);
    EXPECT_EQ(json_fields(text_of(file()))->at("accessToken"), "NEWTOKEN");
}

// AWS's tools refresh, and let their user log in, without a lock.
TEST_F(a_login, that_appears_during_a_refresh_is_taken) {
    fields other = token_until("09:00");
    other["accessToken"] = "OTHERTOKEN";
    const http_server::handler issue = issue_.now();
    for (const bool is_refused : {true, false}) {
        write(token_until("06:30"));
        issue_ = [&, is_refused](const http_request& request, http_connection& connection) {
            write(other);
            if (!is_refused) return issue(request, connection);
            connection.answer("400 Bad Request", {}, refusal);
        };
        expect_the_keys(ask());
        EXPECT_EQ(used(), "OTHERTOKEN");
        EXPECT_EQ(json_fields(text_of(file())), other);
    }
    EXPECT_EQ(refreshes().size(), 2u);
}

TEST_F(a_login, is_refreshed_once_by_all_threads_and_processes) {
    write(token_until("06:30"));
    const http_server::handler issue = issue_.now();
    issue_ = [&](const http_request& request, http_connection& connection) {
        // A refresh token serves once.
        if (refreshes().size() > 1) return connection.answer("400 Bad Request", {}, refusal);
        // By then, all others have come.
        std::this_thread::sleep_for(200ms);
        issue(request, connection);
    };
    std::vector<pid_t> processes;
    for (int i = 0; i != 3; ++i) {
        const pid_t process = ::fork();
        if (process == 0) {
            try {
                ::_exit(ask().access_key == "GOTKEY" ? 0 : 1);
            } catch (...) {
                ::_exit(2);
            }
        }
        processes.push_back(process);
    }
    std::vector<std::thread> threads;
    for (int i = 0; i != 3; ++i) {
        threads.emplace_back([&] { EXPECT_NO_THROW(expect_the_keys(ask())); });
    }
    for (std::thread& each : threads) each.join();
    for (const pid_t each : processes) {
        int status = -1;
        EXPECT_EQ(::waitpid(each, &status, 0), each);
        EXPECT_TRUE(WIFEXITED(status));
        EXPECT_EQ(WEXITSTATUS(status), 0);
    }
    EXPECT_EQ(refreshes().size(), 1u);
}

TEST_F(a_login, that_another_one_refreshes_is_used_while_it_is_valid) {
    write(token_until("07:10"));
    std::atomic<bool> is_released{false};
    const http_server::handler issue = issue_.now();
    issue_ = [&](const http_request& request, http_connection& connection) {
        WAIT_UNTIL(is_released);
        issue(request, connection);
    };
    std::thread first([&] { ask(); });
    WAIT_UNTIL(!refreshes().empty());
    expect_the_keys(ask());
    EXPECT_EQ(used(), "LOGINTOKEN");
    is_released = true;
    first.join();
    EXPECT_EQ(used(), "NEWTOKEN");
    EXPECT_EQ(refreshes().size(), 1u);
}

TEST_F(a_login, does_not_hold_readers_with_valid_keys_while_it_is_refreshed) {
    std::atomic<instant> clock{now_};
    s3_credentials_in_use::settings settings;
    settings.now = [&] { return clock.load(); };
    settings.ask_provider = [&](const std::atomic<bool>& stop) {
        const detail::aws_environment environment(variables_);
        return detail::find_credentials(environment).ask({environment, "", stop, clock.load()});
    };
    s3_credentials_in_use credentials(std::move(settings));
    write(token_until("07:30"));
    WAIT_UNTIL(credentials.ask().keys != nullptr);
    issue_ = [](const http_request&, http_connection& connection) { connection.say_nothing(); };
    clock = now_ + 56min;
    for (int i = 0; i != 2; ++i) {
        EXPECT_NE(credentials.ask().keys, nullptr);
        WAIT_UNTIL(!refreshes().empty());
    }
}

// A proxy is told the name of the host.
TEST_F(a_login, is_refreshed_by_amazon_unless_another_endpoint_is_configured) {
    aws_variables process;
    process.set("https_proxy", server_.endpoint());
    process.set("no_proxy", std::nullopt);
    process.set("NO_PROXY", std::nullopt);
    variables_.erase("AWS_ENDPOINT_URL_SSO_OIDC");
    write(token_until("06:30"));
    answer_ = [](const http_request&, http_connection& connection) {
        connection.answer("403 Forbidden", {}, "");
    };
    failure();
    EXPECT_EQ(server_.requests().at(0).method, "CONNECT");
    EXPECT_EQ(server_.requests().at(0).path, "oidc.there-1.amazonaws.com:443");
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
