// SPDX-License-Identifier: BSL-1.0
// s3_source and a real S3 server, versitygw. Skipped if it is not installed; scripts/test installs
// it.
#include "servers/s3_server.hpp"

#include <freehold/line/line_cache.hpp>
#include <freehold/line/s3_source.hpp>

#include "contracts/content.hpp"
#include "contracts/line_sources.hpp"
#include "contracts/observed_read.hpp"
#include "line/aws_variables.hpp"
#include "line/scripted_source.hpp"
#include "program/temporary_folder.hpp"
#include "skip.hpp"
#include "wait_until.hpp"

#include <filesystem>
#include <memory>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold {
namespace {

using contracts::content_of;
using contracts::observed_read;

constexpr const char* bucket = "lines";

// One server for the whole process.
lab::s3_server& server() {
    static lab::s3_server one(*lab::find_versitygw());
    static const bool made = (one.make_bucket(bucket), true);
    static_cast<void>(made);
    return one;
}

s3_options options() {
    s3_options options;
    options.endpoint = server().endpoint();
    options.region = lab::s3_server::region;
    options.bucket = bucket;
    options.credentials = s3_credentials{server().access_key(), server().secret_key(), ""};
    return options;
}

class objects_on_a_server {
public:
    objects_on_a_server() {
        if (lab::find_versitygw()) {
            source_ = std::make_unique<s3_source>(options());
        } else {
            skip();
        }
    }

    void put(const std::string& object, const std::vector<std::byte>& bytes) {
        server().put(bucket, object, bytes);
    }
    s3_source& source() { return *source_; }
    void end_source() { source_.reset(); }

private:
    static void skip() { tests::skip_without("s3", lab::s3_server::how_to_install); }

    std::unique_ptr<s3_source> source_;
};

class s3_server : public testing::Test {
protected:
    void SetUp() override {
        if (!lab::find_versitygw()) tests::skip_without("s3", lab::s3_server::how_to_install);
    }
};

s3_options options_as(const std::string& key, const std::string& secret) {
    s3_options other = options();
    other.credentials = s3_credentials{key, secret, ""};
    return other;
}

TEST_F(s3_server, refuses_a_signature_with_another_secret) {
    server().put(bucket, "object", content_of("object", 100));
    s3_source source(options_as(server().access_key(), "wrong"));
    observed_read read("object", 0, 100);
    source.fetch(read);
    EXPECT_EQ(read.reason(), source_failure::refused);
    EXPECT_NE(read.message().find("SignatureDoesNotMatch"), std::string::npos) << read.message();
    EXPECT_NE(read.message().find("asked as '" + server().access_key()), std::string::npos);
    EXPECT_EQ(read.message().find("wrong"), std::string::npos) << read.message();
    EXPECT_EQ(source.statistics().requests, 1u);
}

TEST_F(s3_server, is_read_with_the_keys_of_a_process) {
    server().put(bucket, "object", content_of("object", 100));
    const temporary_folder home;
    home.write("keys", "{\"Version\":1,\"AccessKeyId\":\"" + server().access_key() +
                           "\",\"SecretAccessKey\":\"" + server().secret_key() +
                           "\",\"Expiration\":\"2001-01-01T00:00:00Z\"}");
    aws_variables variables;
    variables.set(
        "AWS_CONFIG_FILE",
        home.write("config", "[profile here]\nregion = " + std::string(lab::s3_server::region) +
                                 "\ncredential_process = cat '" + (home.path() / "keys").string() +
                                 "'\n"));
    variables.set("AWS_PROFILE", "here");
    variables.set("AWS_ENDPOINT_URL", server().endpoint());
    s3_source source({.bucket = bucket});
    observed_read read("object", 0, 100);
    source.fetch(read);
    EXPECT_TRUE(read.finished()) << read.message();
}

TEST_F(s3_server, tells_its_region) {
    server().put(bucket, "object", content_of("object", 100));
    s3_options asked = options();
    asked.region = "eu-west-1";
    s3_source source(asked);
    for (int i = 0; i != 3; ++i) {
        observed_read read("object", 0, 100);
        source.fetch(read);
        EXPECT_TRUE(read.finished()) << read.message();
    }
    EXPECT_EQ(source.statistics().requests, 4u);
}

// A name of up to six parts: any bytes but zero, and often what an address may not contain.
std::string random_name(std::mt19937& random) {
    static const std::vector<std::string> odd = {
        " ",  "+", "%", "%2F", "?",  "#",  "&",        "=", "/", "//", "/../", "/./",
        "..", ";", ":", "*",   "\"", "\\", "\xc3\xbc", "~", "'", "!",  "$",    "@"};
    const auto below = [&](std::size_t count) {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
    };
    std::string name = "n";
    for (std::size_t parts = 1 + below(6); parts != 0; --parts) {
        if (below(2) == 0) name += odd[below(odd.size())];
        for (std::size_t bytes = below(5); bytes != 0; --bytes) {
            name += static_cast<char>(below(4) == 0 ? 1 + below(255) : 'a' + below(26));
        }
    }
    return name;
}

// The server checks the signature before it looks for the object, as the tests below show.
TEST_F(s3_server, accepts_the_signature_of_every_name) {
    s3_source source(options());
    std::mt19937 random(1);
    for (int i = 0; i != 5'000; ++i) {
        const std::string name = random_name(random);
        observed_read read(name, 0, 100, i % 3 == 0 ? "\"a  tag\"" : "");
        source.fetch(read);
        ASSERT_FALSE(read.finished()) << name;
        ASSERT_NE(read.reason(), source_failure::refused) << read.message();
        ASSERT_EQ(read.message().find("Signature"), std::string::npos) << read.message();
    }
}

TEST_F(s3_server, refuses_the_signature_of_a_missing_object_with_another_secret) {
    s3_source source(options_as(server().access_key(), "wrong"));
    observed_read read("missing", 0, 100);
    source.fetch(read);
    EXPECT_EQ(read.reason(), source_failure::refused) << read.message();
}

TEST_F(s3_server, reads_objects_of_odd_names) {
    s3_source source(options());
    for (const std::string name :
         {"a b", "a+b", "\xc3\xbc/\xe1\x88\xb4", "100%", "a%2Fb", "q?x=1&y", "#1",
          "'single' \"double\"", "(*!~$@;:,=)", "tab\tline\n"}) {
        const auto content = content_of(name, 1'000);
        server().put(bucket, name, content);
        observed_read read(name, 0, 1'000);
        source.fetch(read);
        EXPECT_TRUE(read.finished()) << name << ": " << read.message();
        EXPECT_EQ(read.bytes(), content) << name;
    }
}

TEST_F(s3_server, refuses_an_unknown_key) {
    server().put(bucket, "object", content_of("object", 100));
    s3_source source(options_as("NOBODY", server().secret_key()));
    observed_read read("object", 0, 100);
    source.fetch(read);
    // versitygw answers this with 404, Amazon with 403.
    EXPECT_NE(read.reason(), source_failure::not_found) << read.message();
    EXPECT_EQ(read.got(), 0u);
}

TEST_F(s3_server, reports_a_missing_bucket) {
    s3_options elsewhere = options();
    elsewhere.bucket = "nowhere";
    s3_source source(elsewhere);
    observed_read read("object", 0, 100);
    source.fetch(read);
    EXPECT_EQ(read.reason(), source_failure::not_found);
    EXPECT_NE(read.message().find("NoSuchBucket"), std::string::npos) << read.message();
}

TEST_F(s3_server, is_addressed_by_path_and_by_host) {
    const auto content = content_of("object", 10'000);
    server().put(bucket, "folder/object", content);
    for (const bool path_style : {true, false}) {
        s3_options one = options();
        one.path_style = path_style;
        s3_source source(one);
        observed_read read("folder/object", 0, 10'000);
        source.fetch(read);
        ASSERT_TRUE(read.finished()) << path_style << ": " << read.message();
        EXPECT_EQ(read.bytes(), content);
    }
}

TEST_F(s3_server, reads_a_large_object_in_parts) {
    constexpr std::size_t line = 1 << 20;
    const auto content = content_of("large", 9 * line + 12'345);
    server().put(bucket, "large", content);
    s3_source source(options());
    std::vector<std::unique_ptr<observed_read>> reads;
    for (std::size_t offset = 0; offset < content.size(); offset += line) {
        reads.push_back(std::make_unique<observed_read>("large", offset, line));
        source.start(*reads.back());
    }
    std::vector<std::byte> all;
    for (const auto& read : reads) {
        read->wait_for_end();
        ASSERT_TRUE(read->finished()) << read->message();
        const auto part = read->bytes();
        all.insert(all.end(), part.begin(), part.end());
    }
    EXPECT_EQ(all, content);
}

TEST_F(s3_server, counts_the_reads_of_each_object) {
    server().put(bucket, "counted", content_of("counted", 1'000));
    server().put(bucket, "other", content_of("other", 1'000));
    const std::size_t before = server().reads_of("counted");
    s3_source source(options());
    for (const char* const object : {"counted", "other", "counted"}) {
        observed_read read(object, 0, 1'000);
        source.fetch(read);
        ASSERT_TRUE(read.finished()) << read.message();
    }
    WAIT_UNTIL(server().reads_of("counted") >= before + 2);
    EXPECT_EQ(server().reads_of("counted"), before + 2);
}

TEST_F(s3_server, reports_a_removed_object) {
    server().put(bucket, "short-lived", content_of("short-lived", 1'000));
    s3_source source(options());
    EXPECT_EQ(source.describe("short-lived").size, 1'000u);
    server().remove(bucket, "short-lived");
    observed_read read("short-lived", 0, 1'000);
    source.fetch(read);
    EXPECT_EQ(read.reason(), source_failure::not_found) << read.message();
}

// What is cached stays; the next request tells that the object is another, or is not there.
TEST_F(s3_server, reports_an_object_that_changes_while_it_is_read) {
    constexpr std::size_t line_size = 8'192;
    server().put(bucket, "changing", content_of("changing", 10 * line_size));
    s3_source source(options());
    line_cache_options asked;
    asked.line_size = line_size;
    asked.capacity = 16 * line_size;
    line_cache cache(source, asked);
    const auto reason_at = [&](std::uint64_t offset) {
        return tests::reason_of([&] { static_cast<void>(cache.get("changing", offset)); });
    };
    const line first = cache.get("changing", 0);
    server().put(bucket, "changing", content_of("changing", line_size + 100));
    EXPECT_EQ(reason_at(5 * line_size), source_failure::changed);
    EXPECT_EQ(first.bytes().size(), line_size);
    EXPECT_EQ(reason_at(5 * line_size), source_failure::past_the_end);
    EXPECT_EQ(cache.get("changing", line_size).bytes().size(), 100u);

    server().put(bucket, "changing", {});
    cache.invalidate("changing");
    EXPECT_EQ(cache.get("changing", 0).object_size(), 0u);

    server().put(bucket, "changing", content_of("changing", 3 * line_size));
    cache.invalidate("changing");
    EXPECT_EQ(cache.get("changing", 0).object_size(), 3 * line_size);
    server().remove(bucket, "changing");
    EXPECT_EQ(reason_at(line_size), source_failure::not_found);
    EXPECT_EQ(cache.get("changing", 0).bytes().size(), line_size);
}

TEST_F(s3_server, removes_its_folder_at_the_end) {
    std::filesystem::path folder;
    pid_t process = -1;
    {
        const lab::s3_server one(*lab::find_versitygw());
        one.make_bucket("short");
        folder = one.file_of("short", "x").parent_path();
        process = one.process();
        ASSERT_TRUE(std::filesystem::exists(folder));
        ASSERT_EQ(::kill(process, 0), 0);
    }
    EXPECT_FALSE(std::filesystem::exists(folder));
    EXPECT_NE(::kill(process, 0), 0);
}

TEST_F(s3_server, ends_with_a_killed_process) {
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        ::alarm(60);
        const lab::s3_server one(*lab::find_versitygw());
        const std::string said =
            std::to_string(one.process()) + " " + one.file_of("x", "").parent_path().string();
        static_cast<void>(!::write(ends[1], said.data(), said.size()));
        ::close(ends[1]);
        for (;;) ::pause();
    }
    ::close(ends[1]);
    std::string said;
    char c = 0;
    while (::read(ends[0], &c, 1) == 1) said += c;
    ::close(ends[0]);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);

    std::istringstream words(said);
    pid_t process = -1;
    std::string folder;
    ASSERT_TRUE(words >> process >> folder) << said;
    WAIT_UNTIL(::kill(process, 0) != 0 && !std::filesystem::exists(folder));
}

TEST(s3_server_start, reports_why_it_failed) {
    try {
        const lab::s3_server one("/bin/false");
        FAIL() << "it started";
    } catch (const std::runtime_error& error) {
        EXPECT_NE(std::string(error.what()).find("/bin/false does not answer"), std::string::npos)
            << error.what();
    }
}

}  // namespace

namespace contracts {
namespace {
INSTANTIATE_TYPED_TEST_SUITE_P(on_a_server, line_sources, objects_on_a_server);
}
}  // namespace contracts
}  // namespace freehold
