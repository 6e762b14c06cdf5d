// SPDX-License-Identifier: BSL-1.0
// What the S3 client reads and others write: profile files, JSON, XML and times; with generated
// texts, valid ones and spoilt ones.
#include "line/s3/json.hpp"
#include "line/s3/profiles.hpp"
#include "program/temporary_folder.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace freehold::s3_parsers_test {
namespace {

using detail::aws_profiles;
using detail::instant_of;
using detail::integer_of;
using detail::json_fields;
using detail::json_text;
using detail::text_of_instant;
using detail::xml_element;
using fields = std::map<std::string, std::string>;

TEST(a_json_object, gives_its_fields) {
    EXPECT_EQ(json_fields("{}"), fields());
    EXPECT_EQ(json_fields(" { \"a\" : \"b\" , \"c\":-1.5e3,\"d\":true,\"e\":null}\n"),
              (fields{{"a", "b"}, {"c", "-1.5e3"}, {"d", "true"}, {"e", "null"}}));
    EXPECT_EQ(json_fields(R"({"o":{"i":{"x":"1"},"y":"2"},"z":[1,{"a":"b"},[]],"w":"3"})"),
              (fields{{"o.i.x", "1"}, {"o.y", "2"}, {"w", "3"}}));
    EXPECT_EQ(json_fields(R"({"a":"\"\\\/\b\f\n\r\t\u0041\u00fc\u20ac\ud83d\ude00"})"),
              (fields{{"a", "\"\\/\b\f\n\r\tA\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80"}}));
}

TEST(a_json_object, is_refused_if_it_is_none) {
    for (const char* const text : {"",
                                   " ",
                                   "1",
                                   "\"a\"",
                                   "[]",
                                   "{",
                                   "}",
                                   "{}}",
                                   "{} x",
                                   "{\"a\"}",
                                   "{\"a\":}",
                                   "{\"a\":1,}",
                                   "{a:1}",
                                   "{\"a\":b}",
                                   "{\"a\":\"b}",
                                   "{\"a\":\"\n\"}",
                                   "{\"a\":\"\\x\"}",
                                   "{\"a\":\"\\u12\"}",
                                   "{\"a\":\"\\udc00\"}",
                                   "{\"a\":\"\\ud800\"}",
                                   "{\"a\":[1,]}",
                                   "{\"a\":[}",
                                   "{\"a\":{}",
                                   "{,}",
                                   "{\"a\":1 \"b\":2}"}) {
        EXPECT_EQ(json_fields(text), std::nullopt) << text;
    }
    std::string deep = "{\"a\":";
    for (int i = 0; i != 100'000; ++i) deep += '[';
    EXPECT_EQ(json_fields(deep), std::nullopt);
}

// Texts that are made up, and their meaning.
class generator {
public:
    explicit generator(unsigned seed) : random_(seed) {}

    std::size_t below(std::size_t end) {
        return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_);
    }

    std::string letters() {
        std::string text;
        for (std::size_t i = 1 + below(8); i != 0; --i) text += static_cast<char>('a' + below(26));
        return text;
    }

    std::string any_text() {
        std::string text;
        for (std::size_t i = below(12); i != 0; --i) text += static_cast<char>(1 + below(127));
        return text;
    }

    std::string blanks() { return std::string(below(3), " \t\n\r"[below(4)]); }

    std::string json_string(const std::string& text) {
        std::string quoted = "\"";
        for (const char c : text) {
            if (c == '"' || c == '\\') {
                quoted += {'\\', c};
            } else if (c < ' ' || below(8) == 0) {
                constexpr std::string_view digits = "0123456789abcdef";
                quoted += "\\u00";
                quoted += {digits[std::size_t(c) / 16], digits[std::size_t(c) % 16]};
            } else {
                quoted += c;
            }
        }
        return quoted + '"';
    }

    // An object, whose fields it adds.
    std::string json(const std::string& name, int depth, fields& meaning) {
        std::string text = "{";
        for (std::size_t i = 0, count = below(5); i != count; ++i) {
            if (i != 0) text += ",";
            // No member is there twice.
            const std::string key = letters() + std::to_string(i);
            const std::string whole = name.empty() ? key : name + "." + key;
            text += blanks() + json_string(key) + blanks() + ":" + blanks();
            const std::size_t kind = below(depth > 3 ? 2 : 4);
            if (kind == 0) {
                text += meaning[whole] = std::to_string(below(1'000'000));
            } else if (kind == 1) {
                const std::string value = any_text();
                meaning[whole] = value;
                text += json_string(value);
            } else if (kind == 2) {
                text += json(whole, depth + 1, meaning);
            } else {
                fields dropped;
                text += "[" + json("", depth + 1, dropped) + "," + json_string(any_text()) + "]";
            }
            text += blanks();
        }
        return text + "}";
    }

    void spoil(std::string& text) {
        for (std::size_t i = 1 + below(3); i != 0 && !text.empty(); --i) {
            const std::size_t at = below(text.size());
            switch (below(4)) {
                case 0:
                    text[at] = static_cast<char>(below(256));
                    break;
                case 1:
                    text.erase(at, 1 + below(8));
                    break;
                case 2:
                    text.insert(at, text.substr(below(text.size()), below(16)));
                    break;
                default:
                    text.resize(at);
            }
        }
    }

private:
    std::mt19937 random_;
};

TEST(generated_json, is_read_as_it_was_meant) {
    for (unsigned seed = 0; seed != 3'000; ++seed) {
        generator made(seed);
        fields meaning;
        std::string text = made.blanks() + made.json("", 0, meaning) + made.blanks();
        ASSERT_EQ(json_fields(text), meaning) << text;
        // Spoilt, it is refused or it is something else; it is read within its bounds.
        made.spoil(text);
        json_fields(text);
    }
}

TEST(generated_json, is_read_as_it_was_written) {
    EXPECT_EQ(json_text({}), "{}");
    EXPECT_EQ(json_text({{"a", "b\"\\\n"}, {"c", ""}}), R"({"a": "b\"\\\u000a", "c": ""})");
    for (unsigned seed = 0; seed != 1'000; ++seed) {
        generator random(seed);
        fields written;
        for (std::size_t i = random.below(5); i != 0; --i) {
            written[random.any_text()] = random.any_text() + "\xc3\xbc";
        }
        EXPECT_EQ(json_fields(json_text(written)), written) << json_text(written);
    }
}

TEST(an_integer, is_read_if_the_text_is_nothing_else) {
    EXPECT_EQ(integer_of("28800"), 28800);
    EXPECT_EQ(integer_of("-1"), -1);
    for (const char* const text : {"", " 1", "1 ", "1.0", "1e3", "x", "9223372036854775808"}) {
        EXPECT_EQ(integer_of(text), std::nullopt) << text;
    }
}

TEST(a_profile_file, has_headings_as_its_kind_has_them) {
    const std::string text =
        "[default]\na=1\n[profile one]\na=2\n[two]\na=3\n[ profile \"a b\" ] # x\na=4\n"
        "[profile\tthree]\na=5\n[default\na=6\n[]\na=7\n[sso-session s]\nb=8\n[services x]\na=9\n";
    aws_profiles config;
    config.add(text, true);
    const auto value = [](const aws_profiles& all, const char* name) {
        const auto found = all.profiles.find(name);
        return found == all.profiles.end() ? "none" : detail::setting(found->second, "a");
    };
    EXPECT_EQ(config.profiles.size(), 4u);
    EXPECT_EQ(value(config, "default"), "1");
    EXPECT_EQ(value(config, "one"), "2");
    EXPECT_EQ(value(config, "a b"), "4");
    EXPECT_EQ(value(config, "three"), "5");
    EXPECT_EQ(config.sso_sessions.at("s").at("b"), "8");
    aws_profiles credentials;
    credentials.add(text, false);
    EXPECT_EQ(credentials.profiles.size(), 2u);
    EXPECT_EQ(value(credentials, "two"), "3");
}

TEST(a_profile_file, has_settings_with_comments_and_parts_between_them) {
    aws_profiles all;
    all.add(
        "a = before any heading\n"
        "[default]\r\n"
        " # a comment\n"
        "a = 1 # no comment\r\n"
        "s3 =\n"
        "  b = a part of s3\n"
        "c=x=y\n"
        "=no name\n"
        "no equals\n"
        "a = last\n",
        false);
    all.add("[default]\na = 2\nd = 3", true);
    EXPECT_EQ(all.profiles.at("default"),
              (detail::aws_settings{{"a", "last"}, {"s3", ""}, {"c", "x=y"}, {"d", "3"}}));
}

TEST(a_profile_file, has_settings_of_services_in_sections_of_their_own) {
    const std::string text =
        "[services here]\ns3 =\n  endpoint_url = http://a\n\tb=1\n\n# a comment\nsts=\n"
        "  endpoint_url = http://c\n[services none]\n  endpoint_url = of no service\n"
        "[default]\ns3 =\n  endpoint_url = of a profile\n";
    aws_profiles all;
    all.add(text, true);
    EXPECT_EQ(all.services.size(), 2u);
    EXPECT_EQ(all.services.at("here").size(), 2u);
    EXPECT_EQ(all.services.at("here").at("s3"),
              (detail::aws_settings{{"endpoint_url", "http://a"}, {"b", "1"}}));
    EXPECT_EQ(all.services.at("here").at("sts"),
              (detail::aws_settings{{"endpoint_url", "http://c"}}));
    EXPECT_TRUE(all.services.at("none").empty());
    EXPECT_EQ(all.profiles.at("default"), (detail::aws_settings{{"s3", ""}}));
    aws_profiles credentials;
    credentials.add(text, false);
    EXPECT_TRUE(credentials.services.empty());
}

TEST(a_configured_endpoint, is_the_first_of_four) {
    const temporary_folder home;
    home.write(".aws/config",
               "[default]\nservices = local\nendpoint_url = of-profile\n"
               "[services local]\ns3 =\n  endpoint_url = of-service\nsts =\n  other = 1\n"
               "[profile plain]\nservices = absent\n"
               "[profile deaf]\nendpoint_url = unheard\nignore_configured_endpoint_urls = TRUE\n");
    std::map<std::string, std::string> variables{{"HOME", home.path().string()}};
    const auto endpoint = [&](const char* service) {
        return detail::configured_endpoint(detail::aws_environment(variables), service);
    };
    EXPECT_EQ(endpoint("s3"), "of-service");
    EXPECT_EQ(endpoint("sts"), "of-profile");
    variables["AWS_ENDPOINT_URL"] = "of-all";
    EXPECT_EQ(endpoint("s3"), "of-all");
    variables["AWS_ENDPOINT_URL_S3"] = "of-s3";
    EXPECT_EQ(endpoint("s3"), "of-s3");
    EXPECT_EQ(endpoint("sts"), "of-all");
    variables["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"] = "true";
    EXPECT_EQ(endpoint("s3"), "");
    variables.erase("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS");
    variables["AWS_PROFILE"] = "deaf";
    EXPECT_EQ(endpoint("s3"), "");
    variables["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"] = "false";
    EXPECT_EQ(endpoint("s3"), "of-s3");
    variables = {{"HOME", home.path().string()}, {"AWS_PROFILE", "plain"}};
    EXPECT_EQ(endpoint("s3"), "");
}

TEST(generated_profiles, are_read_as_they_were_meant) {
    for (unsigned seed = 0; seed != 2'000; ++seed) {
        generator made(seed);
        std::map<std::string, detail::aws_settings, std::less<>> meaning;
        std::string text;
        const bool is_config = seed % 2 == 0;
        for (std::size_t i = made.below(5); i != 0; --i) {
            const std::string name = made.letters() + "-";
            text += std::string(is_config ? "[profile " : "[") + name + "]\n";
            meaning[name];
            for (std::size_t j = made.below(5); j != 0; --j) {
                const std::string key = made.letters();
                const std::string value = made.letters() + "=[#;" + made.letters();
                text += key + std::string(made.below(3), ' ') + "= " + value +
                        (made.below(2) == 0 ? "\r\n" : "\n\n");
                if (made.below(4) == 0) text += "#" + made.letters() + "\n";
                meaning[name][key] = value;
            }
        }
        aws_profiles all;
        all.add(text, is_config);
        ASSERT_EQ(all.profiles, meaning) << text;
        made.spoil(text);
        all.add(text, is_config);
    }
}

TEST(an_xml_element, is_found_by_its_name) {
    EXPECT_EQ(xml_element("<a><Code>x y</Code></a>", "Code"), "x y");
    EXPECT_EQ(xml_element("<HostCode>1</HostCode><Code>2</Code>", "Code"), "2");
    EXPECT_EQ(xml_element("Code>1<Code>2", "Code"), "");
    EXPECT_EQ(xml_element("<Code", "Code"), "");
    EXPECT_EQ(xml_element("<Code>", "Code"), "");
    EXPECT_EQ(xml_element("", "Code"), "");
    generator made(1);
    for (int i = 0; i != 20'000; ++i) {
        std::string text = "<e><Code>" + made.letters() + "</Code><Message>m</Message></e>";
        made.spoil(text);
        const std::string_view found = xml_element(text, "Code");
        ASSERT_TRUE(found.empty() || (found.data() >= text.data() &&
                                      found.data() + found.size() <= text.data() + text.size()));
    }
}

TEST(an_instant, is_written_as_it_is_read) {
    for (const char* const text : {"1970-01-01T00:00:00Z", "2026-11-28T07:05:09Z"}) {
        EXPECT_EQ(text_of_instant(*instant_of(text)), text);
    }
}

TEST(an_instant, is_read_in_the_forms_that_endpoints_write) {
    using namespace std::chrono;
    const system_clock::time_point at = sys_days(year(2026) / 2 / 28) + hours(23) + seconds(59);
    for (const char* const text :
         {"2026-02-28T23:00:59Z", "2026-02-28T23:00:59", "2026-02-28 23:00:59Z",
          "2026-02-28T23:00:59UTC", "2026-02-28T23:00:59.123Z", "2026-03-01T00:30:59+01:30",
          "2026-02-28T21:00:59-0200"}) {
        EXPECT_EQ(instant_of(text), at) << text;
    }
    for (const char* const text :
         {"", "2026", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-02-28T24:00:00Z",
          "2026-02-28T23:60:00Z", "2026-02-28T23:00:59X", "2026-02-28T23:00:59Zx",
          "2026-02-28T23:00:59.Z", "2026-02-28T23:00:59+", "9999-12-31T00:00:00Z",
          "0000-00-00T00:00:00Z", "20260228T230059Z"}) {
        EXPECT_EQ(instant_of(text), std::nullopt) << text;
    }
    generator made(2);
    for (int i = 0; i != 20'000; ++i) {
        std::string text = "2026-02-28T23:00:59.5+01:00";
        made.spoil(text);
        instant_of(text);
    }
}

}  // namespace
}  // namespace freehold::s3_parsers_test
