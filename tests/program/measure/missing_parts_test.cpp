// SPDX-License-Identifier: BSL-1.0
#include "measure/missing_parts.hpp"

#include "program/temporary_folder.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace freehold {
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
    static lab lab_of(const std::string& compiler, std::vector<peer> peers) {
        lab result;
        result.description.name = compiler;
        result.description.compiler = compiler + " 1.0";
        result.description.peers = std::move(peers);
        return result;
    }

    temporary_folder folder_;
    std::string search_path_ = "/nowhere:" + (folder_ / "bin").string();
    std::vector<peer> all_peers_ = {{"Boost", "1"},   {"Loki", "1"},    {"Boehm", "8"},
                                    {"LLVM", "14"},   {"Qt", "5"},      {"libc++", "14"},
                                    {"Rust", "1.63"}, {"libcurl", "7"}, {"versitygw", "1"}};
    std::vector<lab> labs_ = {lab_of("g++", all_peers_), lab_of("clang++", all_peers_)};
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

TEST_F(MissingParts, APeerThatALabIsWithoutIsNamedWithItsPackage) {
    labs_[1].description.peers = {{"Boost", "1"}};
    EXPECT_THAT(missing_parts(labs_, search_path_),
                ElementsAre(warns("clang++ was built without Loki", "libloki-dev"),
                            warns("clang++ was built without Boehm", "libgc-dev"),
                            warns("clang++ was built without LLVM", "llvm-dev"),
                            warns("clang++ was built without Qt", "qtbase5-dev"),
                            warns("clang++ was built without libc++: its shared_ptr and half of",
                                  "libc++-dev and libc++abi-dev"),
                            warns("clang++ was built without Rust", "cargo"),
                            warns("clang++ was built without libcurl", "libcurl4-openssl-dev")));
}

TEST_F(MissingParts, AServerThatNoLabFindsIsNamedOnce) {
    for (lab& each : labs_) each.description.peers.pop_back();
    EXPECT_THAT(missing_parts(labs_, search_path_),
                ElementsAre(warns("versitygw is not there", "FREEHOLD_VERSITYGW")));
}

TEST_F(MissingParts, ADisassemblerThatIsNotThereIsNamedWithItsPackage) {
    EXPECT_THAT(missing_parts(labs_, "/nowhere"), ElementsAre(warns("objdump", "binutils")));
}

}  // namespace
}  // namespace freehold
