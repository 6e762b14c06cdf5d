// SPDX-License-Identifier: BSL-1.0
// The published vectors: of NIST for SHA-256, of RFC 4231 for HMAC, and of AWS for signatures, both
// from the documentation of S3 and from aws-sig-v4-test-suite.
#include "line/s3/service.hpp"
#include "line/s3/sha256.hpp"
#include "line/s3/signature.hpp"

#include <chrono>
#include <map>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace freehold::s3_signature_test {
namespace {

using detail::hmac_sha256;
using detail::s3_authorization;
using detail::s3_scope;
using detail::s3_signable;
using detail::s3_time;
using detail::sha256;

std::string hash_of(std::string_view text) {
    return detail::hexadecimal(sha256().add(text).finish());
}

const std::string nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

TEST(a_sha256, has_the_values_of_nist) {
    EXPECT_EQ(hash_of(""), nothing);
    EXPECT_EQ(hash_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(hash_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(hash_of("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklm"
                      "nopqklmnopqrlmnopqrsmnopqrstnopqrstu"),
              "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
    EXPECT_EQ(hash_of(std::string(1'000'000, 'a')),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(a_sha256, does_not_depend_on_the_pieces) {
    std::string text;
    for (int i = 0; i != 300; ++i) text += static_cast<char>(i);
    for (std::size_t size = 0; size <= text.size(); ++size) {
        const std::string_view all = std::string_view(text).substr(0, size);
        const std::string expected = hash_of(all);
        for (const std::size_t piece : {std::size_t{1}, std::size_t{63}, std::size_t{65}}) {
            sha256 hash;
            for (std::size_t at = 0; at < size; at += piece) hash.add(all.substr(at, piece));
            ASSERT_EQ(detail::hexadecimal(hash.finish()), expected) << size << " by " << piece;
        }
    }
}

TEST(an_hmac, has_the_values_of_rfc_4231) {
    std::string counting;
    for (char c = 1; c <= 25; ++c) counting += c;
    struct vector {
        std::string key;
        std::string text;
        std::string expected;
    };
    for (const vector& one :
         {vector{std::string(20, '\x0b'), "Hi There",
                 "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
          vector{"Jefe", "what do ya want for nothing?",
                 "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
          vector{std::string(20, '\xaa'), std::string(50, '\xdd'),
                 "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
          vector{counting, std::string(50, '\xcd'),
                 "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"},
          vector{std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First",
                 "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
          vector{std::string(131, '\xaa'),
                 "This is a test using a larger than block-size key and a larger than block-size "
                 "data. The key needs to be hashed before being used by the HMAC algorithm.",
                 "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"}}) {
        EXPECT_EQ(detail::hexadecimal(hmac_sha256(one.key, one.text)), one.expected);
    }
}

TEST(a_time_of_s3, is_the_utc_second) {
    using namespace std::chrono;
    const sys_days day = year{2013} / May / 24;
    EXPECT_EQ(s3_time(day), "20130524T000000Z");
    EXPECT_EQ(s3_time(day + 23h + 59min + 59s + 999ms), "20130524T235959Z");
    EXPECT_EQ(s3_time(sys_days(year{2028} / February / 29) + 1h + 2min + 3s), "20280229T010203Z");
}

// The name of a header and its value, in any order.
using headers = std::map<std::string, std::string>;

std::string signature_of(const s3_signable& request, const s3_scope& scope,
                         const s3_credentials& credentials) {
    const std::string all = s3_authorization(request, scope, credentials);
    return all.substr(all.rfind('=') + 1);
}

// The examples of "Authenticating Requests: Using the Authorization Header".
const s3_credentials documented{"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
                                ""};
const s3_scope documented_scope{"20130524T000000Z", "us-east-1"};

TEST(a_signature, is_that_of_the_documented_get) {
    const s3_signable request{"GET",
                              "/test.txt",
                              {{"host", "examplebucket.s3.amazonaws.com"},
                               {"range", "bytes=0-9"},
                               {"x-amz-content-sha256", nothing},
                               {"x-amz-date", documented_scope.time}},
                              nothing};
    EXPECT_EQ(s3_authorization(request, documented_scope, documented),
              "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
              " SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, "
              "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
}

TEST(a_signature, is_that_of_the_documented_put) {
    const std::string body = hash_of("Welcome to Amazon S3.");
    const s3_signable request{"PUT",
                              "/" + detail::percent_encoded("test$file.text"),
                              {{"date", "Fri, 24 May 2013 00:00:00 GMT"},
                               {"host", "examplebucket.s3.amazonaws.com"},
                               {"x-amz-content-sha256", body},
                               {"x-amz-date", documented_scope.time},
                               {"x-amz-storage-class", "REDUCED_REDUNDANCY"}},
                              body};
    EXPECT_EQ(signature_of(request, documented_scope, documented),
              "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
}

TEST(a_signature, is_that_of_the_test_suite) {
    const s3_credentials credentials{"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", ""};
    const s3_scope scope{"20150830T123600Z", "us-east-1", "service"};
    struct vector {
        const char* name;
        const char* method;
        std::string path;
        headers also;
        const char* expected;
    };
    for (const vector& one :
         {vector{"get-vanilla",
                 "GET",
                 "/",
                 {},
                 "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
          vector{"get-unreserved",
                 "GET",
                 "/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
                 {},
                 "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"},
          vector{"get-utf8",
                 "GET",
                 "/\xe1\x88\xb4",
                 {},
                 "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"},
          vector{"get-header-value-trim",
                 "GET",
                 "/",
                 {{"my-header1", " value1"}, {"my-header2", " \"a   b   c\""}},
                 "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"},
          vector{"post-vanilla",
                 "POST",
                 "/",
                 {},
                 "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"},
          vector{"post-header-key-sort",
                 "POST",
                 "/",
                 {{"my-header1", "value1"}},
                 "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"}}) {
        s3_signable request{one.method, detail::percent_encoded(one.path), one.also, nothing};
        request.headers["host"] = "example.amazonaws.com";
        request.headers["x-amz-date"] = scope.time;
        EXPECT_EQ(signature_of(request, scope, credentials), one.expected) << one.name;
    }
}

TEST(a_path, is_encoded_once_and_keeps_its_slashes) {
    EXPECT_EQ(detail::percent_encoded("a b/\xc3\xbc+%2F//../~x"), "a%20b/%C3%BC%2B%252F//../~x");
}

}  // namespace
}  // namespace freehold::s3_signature_test
