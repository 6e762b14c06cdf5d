// SPDX-License-Identifier: BSL-1.0
// When an s3_source asks for credentials again, and who waits for them.
#include <freehold/line/s3_source.hpp>

#include "contracts/observed_read.hpp"
#include "line/aws_variables.hpp"
#include "line/http_server.hpp"
#include "line/s3/credentials.hpp"
#include "wait_until.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::s3_credentials_test {
namespace {

using contracts::observed_read;
using detail::s3_credentials_in_use;
using detail::s3_keys;
using namespace std::chrono_literals;
using system = std::chrono::system_clock;

// A provider and a clock as a test wants them. The nth credentials are "KEYn".
class in_use : public testing::Test {
protected:
    in_use() = default;
    ~in_use() override { released_ = true; }

    s3_credentials_in_use::settings settings() {
        s3_credentials_in_use::settings chosen;
        chosen.ask_provider = [this](const std::atomic<bool>& stop) {
            const int number = ++asked_;
            while (held_ && !released_ && !stop) std::this_thread::sleep_for(1ms);
            if (fails_) throw std::runtime_error("the endpoint is away");
            s3_credentials got{"KEY" + std::to_string(repeats_ ? 1 : number), "SECRET"};
            got.expires = now_.load() + life_.load();
            return got;
        };
        chosen.now = [this] { return now_.load(); };
        chosen.first_pause = 1ms;
        return chosen;
    }

    // The keys that ask() gives in the end.
    static s3_keys keys_of(s3_credentials_in_use& credentials) {
        s3_keys keys;
        WAIT_UNTIL((keys = credentials.ask().keys) != nullptr);
        return keys;
    }

    std::atomic<system::time_point> now_{system::time_point(std::chrono::hours(500'000))};
    std::atomic<system::duration> life_{1h};
    std::atomic<int> asked_{0};
    std::atomic<bool> held_{false};
    std::atomic<bool> released_{false};
    std::atomic<bool> fails_{false};
    std::atomic<bool> repeats_{false};
};

TEST_F(in_use, are_got_once_for_all_who_ask) {
    s3_credentials_in_use credentials(settings());
    std::vector<std::thread> threads;
    for (int i = 0; i != 8; ++i) threads.emplace_back([&] { keys_of(credentials); });
    for (std::thread& one : threads) one.join();
    EXPECT_EQ(keys_of(credentials)->access_key, "KEY1");
    EXPECT_EQ(asked_, 1);
}

TEST_F(in_use, are_refreshed_before_they_expire_while_readers_go_on) {
    s3_credentials_in_use credentials(settings());
    keys_of(credentials);
    now_ = now_.load() + 54min;
    EXPECT_EQ(credentials.ask().keys->access_key, "KEY1");
    EXPECT_EQ(asked_, 1);
    held_ = true;
    now_ = now_.load() + 2min;
    EXPECT_EQ(credentials.ask().keys->access_key, "KEY1");
    WAIT_UNTIL(asked_ == 2);
    for (int i = 0; i != 1'000; ++i) ASSERT_EQ(credentials.ask().keys->access_key, "KEY1");
    held_ = false;
    WAIT_UNTIL(credentials.ask().keys->access_key == "KEY2");
    EXPECT_EQ(asked_, 2);
}

TEST_F(in_use, stay_when_a_refresh_before_the_end_fails) {
    s3_credentials_in_use credentials(settings());
    keys_of(credentials);
    fails_ = true;
    now_ = now_.load() + 56min;
    WAIT_UNTIL(credentials.ask().keys->access_key == "KEY1" && asked_ >= 3);
    fails_ = false;
    WAIT_UNTIL(credentials.ask().keys->access_key != "KEY1");
}

TEST_F(in_use, are_not_used_after_their_end) {
    s3_credentials_in_use credentials(settings());
    keys_of(credentials);
    held_ = true;
    now_ = now_.load() + 2h;
    const auto answer = credentials.ask();
    EXPECT_EQ(answer.keys, nullptr);
    EXPECT_EQ(answer.failure, "");
    held_ = false;
    EXPECT_EQ(keys_of(credentials)->access_key, "KEY2");
}

TEST_F(in_use, are_asked_for_again_after_a_failure) {
    s3_credentials_in_use credentials(settings());
    fails_ = true;
    std::string failure;
    WAIT_UNTIL(!(failure = credentials.ask().failure).empty());
    EXPECT_EQ(failure, "the endpoint is away");
    fails_ = false;
    keys_of(credentials);
}

TEST_F(in_use, survive_a_clock_that_jumps) {
    s3_credentials_in_use credentials(settings());
    const s3_keys first = keys_of(credentials);
    // Back: they look valid for a day more, and the server knows better.
    now_ = now_.load() - 24h;
    EXPECT_EQ(credentials.ask().keys, first);
    EXPECT_TRUE(credentials.reject(first));
    EXPECT_EQ(keys_of(credentials)->access_key, "KEY2");
    // Forward: they look expired, and so do those that are given out now.
    life_ = -24h;
    now_ = now_.load() + 48h;
    EXPECT_EQ(keys_of(credentials)->access_key, "KEY3");
    for (int i = 0; i != 100; ++i) EXPECT_EQ(credentials.ask().keys->access_key, "KEY3");
}

TEST_F(in_use, are_renewed_once_however_many_servers_reject_them) {
    s3_credentials_in_use credentials(settings());
    const s3_keys first = keys_of(credentials);
    for (int i = 0; i != 16; ++i) EXPECT_TRUE(credentials.reject(first));
    EXPECT_EQ(keys_of(credentials)->access_key, "KEY2");
    EXPECT_TRUE(credentials.reject(first));  // too late: others are in use
    EXPECT_EQ(credentials.ask().keys->access_key, "KEY2");
    EXPECT_EQ(asked_, 2);
}

TEST_F(in_use, are_not_asked_for_without_end_if_a_server_rejects_all) {
    s3_credentials_in_use credentials(settings());
    const auto failure_after_rejection = [&] {
        const auto answer = credentials.ask();
        if (answer.keys != nullptr) credentials.reject(answer.keys);
        return answer.failure;
    };
    WAIT_UNTIL(!failure_after_rejection().empty());
    for (int i = 0; i != 1'000; ++i) failure_after_rejection();
    EXPECT_LE(asked_, 3);
}

TEST_F(in_use, that_were_rejected_are_not_taken_again) {
    repeats_ = true;
    s3_credentials_in_use credentials(settings());
    credentials.reject(keys_of(credentials));
    WAIT_UNTIL(!credentials.ask().failure.empty());
    repeats_ = false;
    EXPECT_NE(keys_of(credentials)->access_key, "KEY1");
}

TEST_F(in_use, end_while_a_provider_hangs) {
    held_ = true;
    {
        s3_credentials_in_use credentials(settings());
        credentials.ask();
        WAIT_UNTIL(asked_ == 1);
    }
    EXPECT_EQ(asked_, 1);
}

TEST_F(in_use, that_are_fixed_are_never_others) {
    s3_credentials_in_use credentials({nullptr, s3_credentials{"KEY", "SECRET"}});
    const s3_keys keys = credentials.ask().keys;
    EXPECT_EQ(keys->access_key, "KEY");
    EXPECT_FALSE(credentials.reject(keys));
    EXPECT_EQ(credentials.ask().keys, keys);
}

// A server that takes the credentials in `valid_`, as S3 does.
class expiring_credentials : public testing::Test {
protected:
    s3_options options() {
        s3_options options;
        options.endpoint = server_.endpoint();
        options.bucket = "bucket";
        options.first_delay = 0ms;
        options.credentials_provider = [this] {
            const int number = ++asked_;
            WAIT_UNTIL(!held_);
            if (fails_) throw std::runtime_error("the vault is closed");
            return s3_credentials{"KEY" + std::to_string(number), "SECRET", "TOKEN"};
        };
        return options;
    }

    const std::string content_ = std::string(1'000, 'x');
    std::atomic<int> asked_{0};
    std::atomic<int> valid_from_{1};
    std::atomic<bool> held_{false};
    std::atomic<bool> fails_{false};
    http_server server_{[this](const http_request& request, http_connection& connection) {
        const std::string signature = request.header("authorization");
        const std::string start = "AWS4-HMAC-SHA256 Credential=KEY";
        const int number = std::stoi(signature.substr(start.size()));
        if (number >= valid_from_) {
            const bool is_empty = request.path.ends_with("/empty");
            connection.serve(request, is_empty ? std::string() : content_, "\"tag\"");
        } else if (request.method == "HEAD") {
            connection.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 99\r\n\r\n");
        } else {
            connection.answer("400 Bad Request", {},
                              "<Error><Code>ExpiredToken</Code><Message>The provided token has "
                              "expired.</Message></Error>");
        }
    }};
    aws_variables variables_;
};

TEST_F(expiring_credentials, are_renewed_once_for_all_reads) {
    s3_source source(options());
    observed_read first("object", 0, 100);
    source.fetch(first);
    EXPECT_TRUE(first.finished()) << first.message();
    valid_from_ = 2;
    std::vector<std::unique_ptr<observed_read>> reads;
    for (int i = 0; i != 32; ++i) {
        reads.push_back(std::make_unique<observed_read>("object", 0, 100));
        source.start(*reads.back());
    }
    for (const auto& read : reads) {
        read->wait_for_end();
        EXPECT_TRUE(read->finished()) << read->message();
    }
    EXPECT_EQ(asked_, 2);
}

TEST_F(expiring_credentials, are_renewed_for_a_description) {
    s3_source source(options());
    EXPECT_EQ(source.describe("object").size, 1'000u);
    valid_from_ = 2;
    EXPECT_EQ(source.describe("object").size, 1'000u);
    EXPECT_EQ(source.describe("object").entity_tag, "\"tag\"");
    EXPECT_EQ(asked_, 2);
}

TEST_F(expiring_credentials, are_renewed_for_an_empty_object) {
    s3_source source(options());
    EXPECT_EQ(source.describe("empty").size, 0u);
    valid_from_ = 2;
    EXPECT_EQ(source.describe("empty").entity_tag, "\"tag\"");
    s3_source other(options());  // soon after, the same source would not ask again
    EXPECT_EQ(other.describe("object").size, 1'000u);
    valid_from_ = 4;
    observed_read read("empty", 0, 100);
    other.fetch(read);
    EXPECT_TRUE(read.finished()) << read.message();
    EXPECT_EQ(asked_, 4);
}

TEST_F(expiring_credentials, are_renewed_without_using_up_attempts) {
    s3_options asked = options();
    asked.attempts = 1;
    asked.retry_budget = 0;
    valid_from_ = 2;
    s3_source source(asked);
    observed_read read("object", 0, 100);
    source.fetch(read);
    EXPECT_TRUE(read.finished()) << read.message();
}

TEST_F(expiring_credentials, that_are_fixed_fail_with_advice) {
    s3_options asked = options();
    asked.credentials = s3_credentials{"KEY0", "SECRET", "TOKEN"};
    s3_source source(asked);
    observed_read read("object", 0, 100);
    source.fetch(read);
    EXPECT_EQ(read.reason(), source_failure::refused);
    EXPECT_NE(read.message().find("ExpiredToken"), std::string::npos) << read.message();
    EXPECT_NE(read.message().find("credentials_provider"), std::string::npos) << read.message();
    EXPECT_EQ(read.message().find("SECRET"), std::string::npos);
    EXPECT_EQ(asked_, 0);
}

TEST_F(expiring_credentials, that_cannot_be_renewed_fail_the_read) {
    fails_ = true;
    s3_source source(options());
    observed_read read("object", 0, 100);
    source.fetch(read);
    EXPECT_EQ(read.reason(), source_failure::refused);
    EXPECT_NE(read.message().find("the vault is closed"), std::string::npos) << read.message();
    EXPECT_NE(read.message().find("object 'object', bytes 0-99"), std::string::npos);
    EXPECT_EQ(server_.requests().size(), 0u);
}

TEST_F(expiring_credentials, do_not_hold_readers_that_are_cancelled) {
    held_ = true;
    s3_source source(options());
    observed_read started("object", 0, 100);
    observed_read fetched("object", 0, 100);
    source.start(started);
    std::thread fetching([&] { source.fetch(fetched); });
    WAIT_UNTIL(asked_ == 1);
    started.cancel();
    fetched.cancel();
    started.wait_for_end();
    fetching.join();
    EXPECT_EQ(started.reason(), source_failure::cancelled);
    EXPECT_EQ(fetched.reason(), source_failure::cancelled);
    held_ = false;
}

TEST_F(expiring_credentials, that_no_header_can_carry_are_not_sent) {
    s3_options asked = options();
    asked.credentials_provider = [] {
        return s3_credentials{"KEY1", "SECRET", "TO\r\nx-amz-acl: public-read\r\nKEN"};
    };
    s3_source source(asked);
    observed_read read("object", 0, 100);
    source.fetch(read);
    EXPECT_EQ(read.reason(), source_failure::refused);
    EXPECT_EQ(read.message().find("public-read"), std::string::npos) << read.message();
    EXPECT_EQ(server_.requests().size(), 0u);
}

}  // namespace
}  // namespace freehold::s3_credentials_test
