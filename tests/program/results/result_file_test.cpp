// SPDX-License-Identifier: BSL-1.0
#include "results/result_file.hpp"

#include "program/results/example_results.hpp"
#include "program/temporary_folder.hpp"

#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace freehold::result_file_test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// What load_results says of a file with this text: one line that begins with the file's name.
std::string refusal_of(const std::string& text) {
    const temporary_folder folder;
    const auto path = folder.write("bad.json", text);
    try {
        (void)load_results(path);
    } catch (const result_error& error) {
        EXPECT_THAT(error.what(), AllOf(StartsWith(path.string() + ": "), Not(HasSubstr("\n"))));
        return error.what();
    }
    ADD_FAILURE() << "accepted: " << text.substr(0, 200);
    return {};
}

std::string example_text() {
    const temporary_folder folder;
    save_results(example_results(), folder / "example.json");
    return text_of(folder / "example.json");
}

std::string refusal_of_changed(const std::function<void(json&)>& change) {
    json document = json::parse(example_text());
    change(document);
    return refusal_of(document.dump());
}

TEST(ResultFile, ComesBackAsItWasSaved) {
    const temporary_folder folder;
    save_results(example_results(), folder / "results.json");
    EXPECT_EQ(load_results(folder / "results.json"), example_results());
}

TEST(ResultFile, OptionalMembersMayBeAbsent) {
    result_file results = example_results();
    results.filter.reset();
    results.library.commit.reset();
    const temporary_folder folder;
    save_results(results, folder / "results.json");
    const json document = json::parse(text_of(folder / "results.json"));
    EXPECT_FALSE(document.contains("filter"));
    EXPECT_FALSE(document["library"].contains("commit"));
    EXPECT_EQ(load_results(folder / "results.json"), results);
}

TEST(ResultFile, MembersThatItDoesNotKnowAreIgnored) {
    json document = json::parse(example_text());
    document["later"] = {1, 2};
    document["suites"]["operations"]["measurements"][0]["later"] = true;
    const temporary_folder folder;
    EXPECT_EQ(load_results(folder.write("later.json", document.dump())), example_results());
}

TEST(ResultFile, OneThatIsCutOffAnywhereIsRefused) {
    const std::string whole = example_text();
    for (std::size_t tenth = 0; tenth < 10; ++tenth)
        EXPECT_THAT(refusal_of(whole.substr(0, whole.size() * tenth / 10)),
                    HasSubstr(tenth == 0 ? "empty" : "cut off"));
}

TEST(ResultFile, WhatIsNotJsonIsRefusedWithItsLine) {
    EXPECT_THAT(refusal_of("<!doctype html>"), HasSubstr("is not JSON"));
    EXPECT_THAT(refusal_of("{\n\"format\":\n,"), HasSubstr("line 3"));
    EXPECT_THAT(refusal_of(std::string(1000, '\0')), HasSubstr("is not JSON"));
    EXPECT_THAT(refusal_of("{\"format\": 1e999}"), HasSubstr("is not JSON"));
}

TEST(ResultFile, OtherJsonIsRefused) {
    for (const char* text : {"{}", "[]", "null", "3", "{\"format\": \"other\", \"version\": 1}"})
        EXPECT_THAT(refusal_of(text), HasSubstr("not a freehold result file"));
}

TEST(ResultFile, AnotherVersionIsRefusedWithTheOnesThatAreRead) {
    EXPECT_THAT(refusal_of_changed([](json& file) { file["version"] = 3; }),
                AllOf(HasSubstr("version 3"), HasSubstr("reads version 2")));
    EXPECT_THAT(refusal_of_changed([](json& file) { file["version"] = 1; }),
                AllOf(HasSubstr("version 1"), HasSubstr("7247cea")));
}

TEST(ResultFile, AKeyThatNobodyDescribesIsRefused) {
    const auto refusal_of_cell = [](const char* member, const char* value) {
        return refusal_of_changed(
            [&](json& file) { file["suites"]["operations"]["measurements"][0][member] = value; });
    };
    EXPECT_THAT(refusal_of_cell("subject", "rwa"),
                AllOf(HasSubstr("\"rwa\""), HasSubstr("`subjects`")));
    EXPECT_THAT(refusal_of_cell("case", "hodl"), AllOf(HasSubstr("\"hodl\""), HasSubstr("case")));
    EXPECT_THAT(refusal_of_changed([](json& file) { file["subjects"][0]["family"] = "x"; }),
                AllOf(HasSubstr("\"x\""), HasSubstr("`families`")));
}

TEST(ResultFile, AScheduleThatCannotBeRunIsRefused) {
    EXPECT_THAT(refusal_of_changed([](json& file) {
                    file["suites"]["operations"]["description"]["schedule"]["quick"]["rounds"] = 0;
                }),
                HasSubstr("schedule.quick.rounds: is less than one"));
    EXPECT_THAT(refusal_of_changed([](json& file) {
                    file["suites"]["operations"]["description"]["schedule"].erase("full");
                }),
                HasSubstr("\"full\" is missing"));
}

TEST(ResultFile, AMissingMemberIsNamed) {
    EXPECT_THAT(refusal_of_changed([](json& file) { file.erase("labs"); }), HasSubstr("\"labs\""));
    EXPECT_THAT(refusal_of_changed([](json& file) {
                    file["suites"]["operations"]["measurements"][1].erase("unit");
                }),
                HasSubstr("suites.operations.measurements[1]: the member \"unit\" is missing"));
}

TEST(ResultFile, AMemberOfTheWrongTypeIsNamed) {
    const auto refusal_of_cell = [](const char* member, const json& value) {
        return refusal_of_changed(
            [&](json& file) { file["suites"]["operations"]["measurements"][0][member] = value; });
    };
    const std::string cell = "suites.operations.measurements[0].";
    EXPECT_THAT(refusal_of_cell("unit", 3), HasSubstr(cell + "unit: expected a string"));
    EXPECT_THAT(refusal_of_cell("n", 1.5), HasSubstr(cell + "n: expected an integer"));
    EXPECT_THAT(refusal_of_cell("n", 18446744073709551615U), HasSubstr(cell + "n: "));
    EXPECT_THAT(refusal_of_cell("exact", "yes"), HasSubstr(cell + "exact: expected true or false"));
    EXPECT_THAT(refusal_of_cell("samples", {{1, "2"}}), HasSubstr(cell + "samples[0][1]: "));
    EXPECT_THAT(refusal_of_cell("samples", {1, 2}),
                HasSubstr(cell + "samples[0]: expected an array"));
    EXPECT_THAT(refusal_of_cell("process", "both"), HasSubstr(cell + "process: "));
    EXPECT_THAT(refusal_of_cell("lab", "msvc"), HasSubstr(cell + "lab: "));
}

TEST(ResultFile, SamplesHoldNumbers) {
    for (const json& samples : {json::array(), json::parse("[[]]"), json::parse("[[1], []]")})
        EXPECT_THAT(refusal_of_changed([&](json& file) {
                        file["suites"]["operations"]["measurements"][0]["samples"] = samples;
                    }),
                    HasSubstr("measurements[0].samples"));
    EXPECT_THAT(refusal_of_changed([](json& file) {
                    file["suites"]["footprint"]["measurements"][0]["samples"] = {{1, 1}};
                }),
                HasSubstr("exact"));
}

TEST(ResultFile, AKeyOccursOnce) {
    EXPECT_THAT(refusal_of_changed([](json& file) {
                    auto& all = file["suites"]["operations"]["measurements"];
                    all.push_back(all[0]);
                }),
                HasSubstr("occur twice"));
    EXPECT_THAT(refusal_of_changed([](json& file) { file["labs"].push_back(file["labs"][0]); }),
                HasSubstr("occurs twice"));
}

TEST(ResultFile, WhatCannotBeReadIsRefused) {
    const temporary_folder folder;
    const auto refusal = [](const std::filesystem::path& path) {
        try {
            (void)load_results(path);
        } catch (const result_error& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    EXPECT_THAT(refusal(folder / "absent.json"), HasSubstr("No such file or directory"));
    EXPECT_THAT(refusal(folder.path()), HasSubstr("is a directory"));
}

TEST(ResultFile, AnInvalidOneIsNotSaved) {
    const temporary_folder folder;
    const auto path = folder.write("results.json", "the old one");
    result_file results = example_results();
    results.suites["operations"].measurements[0].samples.clear();
    EXPECT_THROW(save_results(results, path), result_error);
    EXPECT_EQ(text_of(path), "the old one");
}

}  // namespace
}  // namespace freehold::result_file_test
