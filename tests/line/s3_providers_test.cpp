// SPDX-License-Identifier: BSL-1.0
// Where credentials come from, with imitations of the endpoints that give them out.
#include <freehold/line/s3_source.hpp>

#include "contracts/observed_read.hpp"
#include "line/aws_variables.hpp"
#include "line/http_server.hpp"
#include "line/s3/signature.hpp"
#include "line/s3_provider_fixture.hpp"
#include "program/temporary_folder.hpp"
#include "wait_until.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/types.h>

namespace freehold::s3_providers_test {
namespace {

using contracts::observed_read;
using namespace std::chrono_literals;

std::string keys_in_xml(const std::string& action) {
    return "<" + action + "Response xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><" +
           action +
           "Result><Credentials><AccessKeyId>GOTKEY</AccessKeyId>"
           "<SecretAccessKey>GOTHIDDEN</SecretAccessKey><SessionToken>GOTTOKEN</SessionToken>"
           "<Expiration>" +
           expiry + "</Expiration></Credentials></" + action + "Result></" + action + "Response>";
}

// The value of a field of a form, as it was sent.
std::string form_field(const std::string& form, const std::string& name) {
    const std::string all = "&" + form + "&";
    const std::size_t at = all.find("&" + name + "=");
    if (at == std::string::npos) return "";
    const std::size_t begin = at + name.size() + 2;
    return all.substr(begin, all.find('&', begin) - begin);
}

TEST_F(a_provider, is_chosen_in_the_order_of_awss_tools) {
    variables_["AWS_EC2_METADATA_DISABLED"] = "";
    EXPECT_HAS(origin().name, "instance");
    variables_["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] = "/role";
    EXPECT_HAS(origin().name, "container");
    home_.write(".aws/config",
                "[profile other]\naws_access_key_id = A\naws_secret_access_key = B\n");
    EXPECT_HAS(origin().name, "container");
    home_.write(".aws/credentials",
                "[default]\naws_access_key_id = A\naws_secret_access_key = B\n");
    EXPECT_EQ(origin().name, "profile 'default'");
    variables_["AWS_PROFILE"] = "other";
    EXPECT_EQ(origin().name, "profile 'other'");
    variables_["AWS_WEB_IDENTITY_TOKEN_FILE"] = "/token";
    variables_["AWS_ROLE_ARN"] = "arn:aws:iam::1:role/reader";
    EXPECT_HAS(origin().name, "web identity");
    variables_["AWS_ACCESS_KEY_ID"] = "A";
    variables_["AWS_SECRET_ACCESS_KEY"] = "B";
    EXPECT_EQ(origin().name, "the environment");
}

TEST_F(a_provider, is_none_if_nothing_is_configured) {
    EXPECT_HAS(misconfiguration(), "AWS_ACCESS_KEY_ID");
    variables_["AWS_PROFILE"] = "absent";
    EXPECT_HAS(misconfiguration(), "'absent'");
}

TEST_F(a_provider, must_be_configured_wholly) {
    const std::vector<std::map<std::string, std::string>> halves = {
        {{"AWS_ACCESS_KEY_ID", "A"}},
        {{"AWS_SECRET_ACCESS_KEY", "HIDDEN"}},
        {{"AWS_WEB_IDENTITY_TOKEN_FILE", "/token"}},
        {{"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "role"}},
    };
    for (const auto& half : halves) {
        variables_ = half;
        EXPECT_HAS(misconfiguration(), "s3_source: ");
    }
}

// IMDSv2, as EC2 has it: a session, the role's name, and its credentials.
class an_instance : public a_provider {
protected:
    an_instance() {
        variables_["AWS_EC2_METADATA_DISABLED"] = "false";
        variables_["AWS_EC2_METADATA_SERVICE_ENDPOINT"] = server_.endpoint() + "/";
        answer_ = [this](const http_request& request, http_connection& connection) {
            serve(request, connection);
        };
    }

    void serve(const http_request& request, http_connection& connection) {
        const std::string folder = "/latest/meta-data/iam/security-credentials/";
        if (request.method == "PUT" && request.path == "/latest/api/token" &&
            request.header("x-aws-ec2-metadata-token-ttl-seconds") == "21600") {
            connection.answer("200 OK", {}, "SESSIONTOKEN");
        } else if (request.header("x-aws-ec2-metadata-token") != "SESSIONTOKEN") {
            connection.answer("401 Unauthorized", {}, "");
        } else if (request.path == folder) {
            const std::string roles = roles_.now();
            connection.answer(roles.empty() ? "404 Not Found" : "200 OK", {}, roles);
        } else if (request.path == folder + "reader") {
            connection.answer("200 OK", {}, document_.now());
        } else {
            connection.answer("404 Not Found", {}, "");
        }
    }
};

TEST_F(an_instance, gives_the_keys_of_its_role) {
    expect_the_keys(ask());
    EXPECT_EQ(server_.requests().size(), 3u);
}

TEST_F(an_instance, may_have_no_role) {
    roles_ = "";
    EXPECT_HAS(failure(), "has no role");
}

TEST_F(an_instance, is_asked_again_after_a_server_error) {
    std::atomic<int> errors{2};
    answer_ = [&](const http_request& request, http_connection& connection) {
        if (request.method == "GET" && errors-- > 0) {
            connection.answer("500 Internal Server Error", {}, "");
        } else {
            serve(request, connection);
        }
    };
    expect_the_keys(ask());
}

TEST_F(an_instance, is_not_believed_if_it_answers_garbage) {
    for (const char* const document :
         {"", "<html>HIDDEN</html>", "{\"AccessKeyId\":\"A\",\"SecretAccessKey\":\"HIDDEN\"",
          R"({"AccessKeyId":"A","SecretAccessKey":"HIDDEN","Token":"TOKEN"})",
          R"({"AccessKeyId":"A","SecretAccessKey":"HIDDEN","Token":"TOKEN","Expiration":"soon"})",
          R"({"AccessKeyId":"","SecretAccessKey":"HIDDEN","Expiration":"2026-11-28T08:00:00Z"})",
          R"({"AccessKeyId":"A B","SecretAccessKey":"HIDDEN","Expiration":"2026-11-28T08:00:00Z"})",
          "[]"}) {
        document_ = document;
        EXPECT_HAS(failure(), "the instance's metadata");
    }
    document_ = R"({"Code":"AssumeRoleUnauthorizedAccess","Message":"HIDDEN"})";
    EXPECT_HAS(failure(), "AssumeRoleUnauthorizedAccess");
    document_ = "{\"padding\":\"" + std::string(100'000, 'x') + "\"," + keys_in_json.substr(1);
    failure();
}

// Without a session (IMDSv1), any program that can be made to send a GET gets the keys.
TEST_F(an_instance, without_sessions_is_not_asked_for_keys) {
    for (const char* const status : {"403 Forbidden", "404 Not Found", "405 Method Not Allowed"}) {
        answer_ = [&](const http_request& request, http_connection& connection) {
            if (request.method == "PUT") return connection.answer(status, {}, "");
            connection.answer("200 OK", {}, request.path.ends_with('/') ? "reader" : keys_in_json);
        };
        EXPECT_HAS(failure(), "IMDSv2");
    }
    for (const http_request& each : server_.requests()) EXPECT_EQ(each.method, "PUT");
}

TEST_F(an_instance, that_hangs_is_left) {
    answer_ = [](const http_request&, http_connection& connection) { connection.say_nothing(); };
    std::thread stopping([&] {
        WAIT_UNTIL(!server_.requests().empty());
        stop_ = true;
    });
    failure();
    stopping.join();
}

TEST_F(an_instance, that_is_not_there_leads_to_advice) {
    variables_["AWS_EC2_METADATA_SERVICE_ENDPOINT"] = "http://127.0.0.1:1";
    EXPECT_HAS(failure(), "Elsewhere than on EC2");
}

TEST_F(a_provider, of_a_container_has_a_relative_address) {
    variables_["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] = "/v2/credentials/1";
    expect_the_keys(ask());
    EXPECT_EQ(server_.requests().at(0).path, "/v2/credentials/1");
    EXPECT_EQ(server_.requests().at(0).header("authorization"), "");
}

TEST_F(a_provider, of_a_pod_reads_its_token_each_time) {
    variables_["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = server_.endpoint() + "/v1/credentials";
    variables_["AWS_CONTAINER_AUTHORIZATION_TOKEN"] = "FIXEDTOKEN";
    ask();
    variables_["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] = home_.write("token", "FIRSTTOKEN\n");
    ask();
    home_.write("token", "SECONDTOKEN");
    ask();
    const auto requests = server_.requests();
    EXPECT_EQ(requests.at(0).header("authorization"), "FIXEDTOKEN");
    EXPECT_EQ(requests.at(1).header("authorization"), "FIRSTTOKEN");
    EXPECT_EQ(requests.at(2).header("authorization"), "SECONDTOKEN");
    home_.write("token", "ONE\r\nx-other: TOKEN");
    failure();
    EXPECT_EQ(server_.requests().size(), 3u);
}

TEST_F(a_provider, does_not_repeat_the_token_that_an_endpoint_repeats) {
    variables_["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = server_.endpoint() + "/v1/credentials";
    variables_["AWS_CONTAINER_AUTHORIZATION_TOKEN"] = "FIXEDTOKEN";
    answer_ = [](const http_request& request, http_connection& connection) {
        connection.answer(
            "403 Forbidden", {},
            R"({"code":"Denied","message":"not with )" + request.header("authorization") + "\"}");
    };
    EXPECT_HAS(failure(), "Denied");
}

TEST_F(a_provider, of_a_container_is_only_asked_near_this_machine) {
    for (const char* const address :
         {"http://example.com/", "http://169.254.170.3/", "http://127.0.0.1@example.com/",
          "ftp://127.0.0.1/", "//127.0.0.1/", "http://localhost.example.com/"}) {
        variables_["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = address;
        EXPECT_HAS(misconfiguration(), "AWS_CONTAINER_CREDENTIALS_FULL_URI");
    }
    for (const char* const address :
         {"https://example.com/", "http://169.254.170.23/v1/credentials", "http://[fd00:ec2::23]/",
          "http://localhost:80/", "http://[::1]:80/"}) {
        variables_["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = address;
        EXPECT_HAS(origin().name, "container");
    }
}

TEST_F(a_provider, of_a_web_identity_asks_sts_unsigned) {
    variables_["AWS_ENDPOINT_URL_STS"] = server_.endpoint();
    variables_["AWS_WEB_IDENTITY_TOKEN_FILE"] = home_.write("token", "WEB+TOKEN/1=\n");
    variables_["AWS_ROLE_ARN"] = "arn:aws:iam::1:role/reader";
    variables_["AWS_ROLE_SESSION_NAME"] = "session";
    answer_ = [](const http_request&, http_connection& connection) {
        connection.answer("200 OK", {}, keys_in_xml("AssumeRoleWithWebIdentity"));
    };
    expect_the_keys(ask());
    const http_request request = server_.requests().at(0);
    EXPECT_EQ(request.method, "POST");
    EXPECT_EQ(request.header("authorization"), "");
    EXPECT_EQ(form_field(request.body, "Action"), "AssumeRoleWithWebIdentity");
    EXPECT_EQ(form_field(request.body, "Version"), "2011-06-15");
    EXPECT_EQ(form_field(request.body, "RoleArn"), "arn%3Aaws%3Aiam%3A%3A1%3Arole%2Freader");
    EXPECT_EQ(form_field(request.body, "RoleSessionName"), "session");
    EXPECT_EQ(form_field(request.body, "WebIdentityToken"), "WEB%2BTOKEN%2F1%3D");

    answer_ = [](const http_request&, http_connection& connection) {
        connection.answer("400 Bad Request", {},
                          "<ErrorResponse><Error><Code>InvalidIdentityToken</Code><Message>WEB+"
                          "TOKEN/1= is none</Message></Error></ErrorResponse>");
    };
    EXPECT_HAS(failure(), "InvalidIdentityToken");
    EXPECT_EQ(server_.requests().size(), 2u);
    variables_["AWS_WEB_IDENTITY_TOKEN_FILE"] = (home_.path() / "absent").string();
    EXPECT_HAS(failure(), "absent");
    EXPECT_EQ(server_.requests().size(), 2u);
}

TEST_F(a_provider, of_a_profile_may_have_a_web_identity) {
    home_.write("token", "TOKEN");
    home_.write(".aws/config", "[default]\nrole_arn = role\nweb_identity_token_file = " +
                                   (home_.path() / "token").string() +
                                   "\nservices = local\n[services local]\nsts =\n"
                                   "  endpoint_url = " +
                                   server_.endpoint() + "/\n");
    answer_ = [](const http_request&, http_connection& connection) {
        connection.answer("200 OK", {}, keys_in_xml("AssumeRoleWithWebIdentity"));
    };
    expect_the_keys(ask());
}

TEST_F(a_provider, of_a_role_signs_with_the_keys_of_its_source) {
    variables_["AWS_ENDPOINT_URL_STS"] = server_.endpoint();
    variables_["AWS_PROFILE"] = "top";
    home_.write(".aws/credentials",
                "[base]\naws_access_key_id = BASE\naws_secret_access_key = one\n");
    home_.write(".aws/config",
                "[profile top]\nrole_arn = arn:top\nsource_profile = middle\n"
                "external_id = 1234\nduration_seconds = 900\nregion = there-1\n"
                "[profile middle]\nrole_arn = arn:middle\nsource_profile = base\n"
                "role_session_name = mine\nregion = there-2\n");
    answer_ = [](const http_request&, http_connection& connection) {
        connection.answer("200 OK", {}, keys_in_xml("AssumeRole"));
    };
    expect_the_keys(ask());
    const auto requests = server_.requests();
    ASSERT_EQ(requests.size(), 2u);
    EXPECT_EQ(form_field(requests[0].body, "RoleArn"), "arn%3Amiddle");
    EXPECT_EQ(form_field(requests[0].body, "RoleSessionName"), "mine");
    EXPECT_EQ(form_field(requests[1].body, "RoleArn"), "arn%3Atop");
    EXPECT_EQ(form_field(requests[1].body, "ExternalId"), "1234");
    EXPECT_EQ(form_field(requests[1].body, "DurationSeconds"), "900");
    EXPECT_EQ(requests[1].header("x-amz-security-token"), "GOTTOKEN");
    EXPECT_HAS(requests[1].header("authorization"), "Credential=GOTKEY/20261128/there-1/sts/");
    const std::string payload =
        detail::hexadecimal(detail::sha256().add(requests[0].body).finish());
    detail::s3_signable signable{"POST", "/", {}, payload};
    for (const char* const name : {"host", "x-amz-date"}) {
        signable.headers[name] = requests[0].header(name);
    }
    EXPECT_EQ(requests[0].header("authorization"),
              detail::s3_authorization(
                  signable, {requests[0].header("x-amz-date"), "there-2", "sts"}, {"BASE", "one"}));
}

TEST_F(a_provider, of_a_role_may_have_its_source_in_its_own_profile) {
    variables_["AWS_ENDPOINT_URL_STS"] = server_.endpoint();
    home_.write(".aws/config",
                "[default]\nrole_arn = arn:role\nsource_profile = default\n"
                "aws_access_key_id = OWN\naws_secret_access_key = one\n");
    answer_ = [](const http_request&, http_connection& connection) {
        connection.answer("200 OK", {}, keys_in_xml("AssumeRole"));
    };
    expect_the_keys(ask());
    EXPECT_HAS(server_.requests().at(0).header("authorization"), "Credential=OWN/");
}

TEST_F(a_provider, of_a_role_may_take_another_link_as_its_source) {
    variables_["AWS_ENDPOINT_URL_STS"] = server_.endpoint();
    variables_["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] = "/container";
    home_.write(".aws/config",
                "[default]\nrole_arn = arn:role\ncredential_source = EcsContainer\n");
    answer_ = [](const http_request& request, http_connection& connection) {
        connection.answer("200 OK", {},
                          request.path == "/container" ? keys_in_json : keys_in_xml("AssumeRole"));
    };
    expect_the_keys(ask());
    EXPECT_EQ(server_.requests().size(), 2u);
}

TEST_F(a_provider, of_a_role_needs_one_source_that_is_there) {
    for (const std::string text :
         {"role_arn = r", "role_arn = r\nsource_profile = absent",
          "role_arn = r\ncredential_source = Moon", "role_arn = r\ncredential_source = Environment",
          "role_arn = r\nsource_profile = default\ncredential_source = Environment",
          "role_arn = r\nsource_profile = empty\n[profile empty]\nregion = there-1",
          "role_arn = r\nsource_profile = default",  // its own source, without keys
          "role_arn = r\nsource_profile = b\n[profile b]\nrole_arn = s\nsource_profile = default",
          "role_arn = r\nsource_profile = b\nmfa_serial = m\n[profile b]\naws_access_key_id = A\n"
          "aws_secret_access_key = HIDDEN",
          "aws_access_key_id = A", "sso_account_id = 1\nsso_role_name = r\nsso_session = absent"}) {
        home_.write(".aws/config", "[default]\n" + text + "\n");
        EXPECT_HAS(misconfiguration(), "profile '");
    }
}

// A credential_process, as a script.
class a_process : public a_provider {
protected:
    void script(const std::string& text) {
        home_.write("script", text);
        home_.write(".aws/config", "[default]\ncredential_process = sh \"" +
                                       (home_.path() / "script").string() + "\" an argument\n");
    }
};

TEST_F(a_process, gives_the_keys_that_it_writes) {
    script(
        "test \"$1 $2\" = 'an argument' || exit 3\n"
        "cat <<E\n{\"Version\": 1, \"AccessKeyId\": \"GOTKEY\", \"SecretAccessKey\": "
        "\"GOTHIDDEN\",\n"
        "\"SessionToken\": \"GOTTOKEN\", \"Expiration\": \"2026-11-28T09:00:00+01:00\"}\nE\n");
    expect_the_keys(ask());
    script(
        "echo "
        "'{\"Version\":1,\"AccessKeyId\":\"A\",\"SecretAccessKey\":\"B\",\"Expiration\":null}'");
    EXPECT_EQ(ask().expires, std::nullopt);
}

TEST_F(a_process, that_fails_is_named_and_not_quoted) {
    script("echo HIDDEN; exit 7");
    EXPECT_HAS(failure(), "status 7");
    script("kill -9 $PPID");
    EXPECT_HAS(failure(), "signal 9");
    script("echo HIDDEN");
    EXPECT_HAS(failure(), "JSON");
    script("echo '{\"AccessKeyId\":\"A\",\"SecretAccessKey\":\"HIDDEN\"}'");
    EXPECT_HAS(failure(), "Version");
    script("while :; do echo HIDDEN; done");
    EXPECT_HAS(failure(), "64 KiB");
}

TEST_F(a_process, that_hangs_is_killed_with_what_it_started) {
    const std::string mark = (home_.path() / "mark").string();
    longest_process_ = 300ms;
    script("(sleep 600; touch '" + mark + "') & wait");
    EXPECT_HAS(failure(), "longer than 300 ms");
    longest_process_ = 1min;
    script("touch '" + mark + "'; sleep 600");
    std::thread stopping([&] {
        WAIT_UNTIL(std::filesystem::exists(mark));
        stop_ = true;
    });
    failure();
    stopping.join();
}

TEST_F(a_process, may_leave_another_behind) {
    const std::string number = (home_.path() / "number").string();
    longest_process_ = 20s;
    script("sleep 600 & echo $! > '" + number +
           "'; echo '{\"Version\":1,\"AccessKeyId\":\"A\",\"SecretAccessKey\":\"B\"}'");
    EXPECT_EQ(ask().access_key, "A");
    pid_t left = 0;
    ASSERT_TRUE(std::ifstream(number) >> left);
    EXPECT_EQ(::kill(left, SIGKILL), 0);
}

// The whole way, from the environment of the process to the signed request.
TEST(an_s3_source_on_an_instance, reads_with_the_keys_of_its_role) {
    aws_variables variables;
    std::atomic<bool> is_new{false};
    http_server metadata([&](const http_request& request, http_connection& connection) {
        std::string keys = keys_in_json;
        if (is_new) keys.replace(keys.find("GOTKEY"), 6, "NEWKEY");
        connection.answer("200 OK", {},
                          request.method == "PUT"       ? "SESSION"
                          : request.path.ends_with("/") ? "reader"
                                                        : keys);
    });
    http_server store([&](const http_request& request, http_connection& connection) {
        const std::string signature = request.header("authorization");
        if (is_new && signature.find("Credential=NEWKEY/") == std::string::npos) {
            connection.answer("400 Bad Request", {}, "<Error><Code>ExpiredToken</Code></Error>");
        } else {
            connection.serve(request, std::string(100, 'x'), "\"tag\"");
        }
    });
    variables.set("AWS_EC2_METADATA_DISABLED", "false");
    variables.set("AWS_EC2_METADATA_SERVICE_ENDPOINT", metadata.endpoint());
    s3_options options;
    options.endpoint = store.endpoint();
    options.bucket = "bucket";
    s3_source source(options);
    for (const char* const key : {"GOTKEY", "NEWKEY"}) {
        is_new = key == std::string("NEWKEY");
        observed_read read("object", 0, 100);
        source.fetch(read);
        EXPECT_TRUE(read.finished()) << read.message();
        EXPECT_HAS(store.requests().back().header("authorization"), key);
        EXPECT_EQ(store.requests().back().header("x-amz-security-token"), "GOTTOKEN");
    }
}

// As a tool does that logs in every hour.
TEST(an_s3_source_of_a_profile, reads_the_file_again_when_its_keys_have_expired) {
    const temporary_folder home;
    const auto write = [&](const std::string& key) {
        return home.write("keys", "[default]\naws_access_key_id = " + key +
                                      "\naws_secret_access_key = one\naws_session_token = two\n");
    };
    aws_variables variables;
    variables.set("AWS_SHARED_CREDENTIALS_FILE", write("OLDKEY"));
    http_server store([&](const http_request& request, http_connection& connection) {
        if (request.header("authorization").find("Credential=OLDKEY/") != std::string::npos) {
            connection.answer("400 Bad Request", {}, "<Error><Code>ExpiredToken</Code></Error>");
        } else {
            connection.serve(request, std::string(100, 'x'), "\"tag\"");
        }
    });
    s3_options options;
    options.endpoint = store.endpoint();
    options.bucket = "bucket";
    s3_source source(options);
    write("NEWKEY");
    observed_read read("object", 0, 100);
    source.fetch(read);
    EXPECT_TRUE(read.finished()) << read.message();
    EXPECT_HAS(store.requests().back().header("authorization"), "Credential=NEWKEY/");
}

TEST(an_s3_source_without_credentials, fails_its_reads_if_only_an_instance_could_have_some) {
    aws_variables variables;
    variables.set("AWS_EC2_METADATA_DISABLED", std::nullopt);
    variables.set("AWS_EC2_METADATA_SERVICE_ENDPOINT", "http://127.0.0.1:1");
    s3_options options;
    options.endpoint = "http://127.0.0.1:1";
    options.bucket = "bucket";
    s3_source source(options);
    observed_read read("object", 0, 100);
    source.fetch(read);
    EXPECT_EQ(read.reason(), source_failure::refused);
    EXPECT_HAS(read.message(), "AWS_ACCESS_KEY_ID");
    EXPECT_EQ(source.statistics().requests, 0u);
}

}  // namespace
}  // namespace freehold::s3_providers_test
