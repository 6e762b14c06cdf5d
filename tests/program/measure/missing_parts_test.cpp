// SPDX-License-Identifier: BSL-1.0
#include "measure/missing_parts.hpp"

#include "program/temporary_folder.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace freehold::missing_parts_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

class MissingParts : public testing::Test {
protected:
    MissingParts() {
        const auto program = folder_.write("bin/objdump", "#!/bin/sh\n");
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    }
    static lab lab_of(const std::string& compiler) {
        lab result;
        result.description.name = compiler;
        result.description.compiler = compiler + " 1.0";
        for (const char* key : {"loki_linked", "loki_other", "rc"})
            result.subjects.push_back({key, key, "other", false, false, {}, {}, {}});
        return result;
    }

    temporary_folder folder_;
    std::string search_path_ = "/nowhere:" + (folder_ / "bin").string();
    std::vector<lab> labs_ = {lab_of("g++"), lab_of("clang++")};
};

auto warns(const char* problem, const char* remedy) {
    return AllOf(Field(&warning::problem, HasSubstr(problem)),
                 Field(&warning::remedy, HasSubstr(remedy)));
}

TEST_F(MissingParts, AreNoneWhereAllIsThere) {
    EXPECT_THAT(missing_parts(labs_, search_path_), IsEmpty());
}

TEST_F(MissingParts, ACompilerWithoutALabIsNamed) {
    labs_.pop_back();
    EXPECT_THAT(missing_parts(labs_, search_path_), ElementsAre(warns("clang++", "install clang")));
    labs_.clear();
    EXPECT_THAT(missing_parts(labs_, search_path_),
                ElementsAre(warns("g++", "install g++"), warns("clang++", "install clang")));
}

TEST_F(MissingParts, SubjectsThatALabIsWithoutAreNamedOnceForEachReason) {
    labs_[1].subjects[0].missing = labs_[1].subjects[1].missing = "install libloki-dev";
    labs_[1].subjects[2].missing = "install cargo";
    EXPECT_THAT(missing_parts(labs_, search_path_),
                ElementsAre(warns("clang++ is without loki_linked, loki_other", "libloki-dev"),
                            warns("clang++ is without rc", "cargo")));
}

TEST_F(MissingParts, ADisassemblerThatIsNotThereIsNamedWithItsPackage) {
    EXPECT_THAT(missing_parts(labs_, "/nowhere"), ElementsAre(warns("objdump", "binutils")));
}

}  // namespace
}  // namespace freehold::missing_parts_test
