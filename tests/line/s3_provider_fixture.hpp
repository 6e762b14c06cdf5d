// SPDX-License-Identifier: BSL-1.0
// Where credentials come from, for tests: an endpoint that gives them out, and a home folder.
#pragma once

#include "line/http_server.hpp"
#include "line/s3/providers.hpp"
#include "program/temporary_folder.hpp"

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace freehold::s3_providers_test {

using instant = std::chrono::system_clock::time_point;

inline constexpr auto expiry = "2026-11-28T08:00:00Z";
inline const instant expiry_instant =
    std::chrono::sys_days(std::chrono::year(2026) / 11 / 28) + std::chrono::hours(8);

inline const std::string keys_in_json =
    R"({"Code":"Success","AccessKeyId":"GOTKEY","SecretAccessKey":"GOTHIDDEN","Token":"GOTTOKEN",)"
    R"("Expiration":"2026-11-28T08:00:00Z"})";

// What the threads of a server use while a test changes it.
template <class Value>
class shared {
public:
    explicit shared(Value value) : value_(std::move(value)) {}
    template <class Other>
    shared& operator=(Other&& other) {
        const std::lock_guard lock(mutex_);
        value_ = std::forward<Other>(other);
        return *this;
    }
    Value now() const {
        const std::lock_guard lock(mutex_);
        return value_;
    }

private:
    mutable std::mutex mutex_;
    Value value_;
};

// An endpoint that answers as a test says, and a home folder with its files.
class a_provider : public testing::Test {
protected:
    a_provider() {
        variables_["HOME"] = home_.path().string();
        variables_["AWS_EC2_METADATA_DISABLED"] = "true";
    }

    detail::credentials_origin origin() {
        return detail::find_credentials(detail::aws_environment(variables_));
    }

    s3_credentials ask() {
        const detail::aws_environment environment(variables_);
        detail::credentials_request request{environment, "", stop_, now_};
        request.container_server = server_.endpoint();
        request.longest_process = longest_process_;
        request.longest_refresh = longest_refresh_;
        return detail::find_credentials(environment).ask(request);
    }

    void expect_the_keys(const s3_credentials& keys) {
        EXPECT_EQ(keys.access_key, "GOTKEY");
        EXPECT_EQ(keys.secret_key, "GOTHIDDEN");
        EXPECT_EQ(keys.session_token, "GOTTOKEN");
        EXPECT_EQ(keys.expires, expiry_instant);
    }

    // What it says when it fails, which names no secret.
    std::string failure() {
        try {
            ask();
        } catch (const std::runtime_error& error) {
            const std::string text = error.what();
            for (const char* const secret : {"HIDDEN", "TOKEN"}) {
                EXPECT_EQ(text.find(secret), std::string::npos) << text;
            }
            return text;
        }
        ADD_FAILURE() << "it did not fail";
        return {};
    }
    std::string misconfiguration() {
        try {
            origin();
        } catch (const std::invalid_argument& error) {
            EXPECT_EQ(std::string(error.what()).find("HIDDEN"), std::string::npos) << error.what();
            return error.what();
        }
        ADD_FAILURE() << "it is taken";
        return {};
    }

    const temporary_folder home_;
    std::map<std::string, std::string> variables_;
    std::atomic<bool> stop_{false};
    instant now_ = expiry_instant - std::chrono::hours(1);
    std::chrono::milliseconds longest_process_ = std::chrono::minutes(1);
    std::chrono::milliseconds longest_refresh_ = std::chrono::minutes(1);
    shared<std::string> roles_{"reader\n"};       // of an instance
    shared<std::string> document_{keys_in_json};  // of such a role
    shared<http_server::handler> answer_{[](const http_request&, http_connection& connection) {
        connection.answer("200 OK", {}, keys_in_json);
    }};
    http_server server_{[this](const http_request& request, http_connection& connection) {
        answer_.now()(request, connection);
    }};
};

}  // namespace freehold::s3_providers_test

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)
