// SPDX-License-Identifier: BSL-1.0
#include "results/replace_file.hpp"

#include "program/temporary_folder.hpp"

#include <csignal>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace freehold::replace_file_test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string refusal_of(const fs::path& path, const std::string& contents = "new") {
    try {
        replace_file(path, contents);
    } catch (const file_error& error) {
        EXPECT_THAT(error.what(), StartsWith(path.string() + ": "));
        return error.what();
    }
    return "written";
}

/// Expects the same refusal before there is something to write.
std::string early_refusal_of(const fs::path& path) {
    const std::string refusal = refusal_of(path);
    try {
        require_replaceable(path);
        ADD_FAILURE() << path << " is not refused";
    } catch (const file_error& error) {
        EXPECT_EQ(error.what(), refusal);
    }
    return refusal;
}

std::size_t entries_in(const temporary_folder& folder) {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
}

/// While it lives, no file of this process grows beyond `bytes`: the write fails as on a full disk.
class file_size_limit {
public:
    explicit file_size_limit(rlim_t bytes) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit = {bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
    }
    file_size_limit(const file_size_limit&) = delete;
    file_size_limit& operator=(const file_size_limit&) = delete;
    ~file_size_limit() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

private:
    rlimit before_{};
    void (*handler_)(int);
};

/// The superuser may write everywhere: for such a test it becomes somebody else.
class ordinary_user {
public:
    ordinary_user() {
        if (was_root_ && ::seteuid(nobody) != 0) ADD_FAILURE() << "seteuid";
    }
    ordinary_user(const ordinary_user&) = delete;
    ordinary_user& operator=(const ordinary_user&) = delete;
    ~ordinary_user() {
        if (was_root_ && ::seteuid(0) != 0) ADD_FAILURE() << "seteuid";
    }

private:
    static constexpr uid_t nobody = 65534;
    bool was_root_ = ::geteuid() == 0;
};

TEST(ReplaceFile, WritesANewFile) {
    const temporary_folder folder;
    replace_file(folder / "new", "text");
    EXPECT_EQ(text_of(folder / "new"), "text");
    EXPECT_EQ(entries_in(folder), 1U);
}

TEST(ReplaceFile, ReplacesAFileAndKeepsItsPermissions) {
    const temporary_folder folder;
    const auto path = folder.write("file", "a longer old text");
    ::chmod(path.c_str(), 0640);
    replace_file(path, "new");
    EXPECT_EQ(text_of(path), "new");
    EXPECT_EQ(fs::status(path).permissions(), fs::perms{0640});
    EXPECT_EQ(entries_in(folder), 1U);
}

TEST(ReplaceFile, IsAskedWithoutAChange) {
    const temporary_folder folder;
    const auto path = folder.write("file", "old");
    require_replaceable(path);
    require_replaceable(folder / "new");
    EXPECT_EQ(text_of(path), "old");
    EXPECT_EQ(entries_in(folder), 1U);
}

TEST(ReplaceFile, FollowsASymbolicLink) {
    const temporary_folder folder;
    const auto path = folder.write("real/file", "old");
    fs::create_symlink(path, folder / "link");
    replace_file(folder / "link", "new");
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
    EXPECT_EQ(text_of(path), "new");
}

TEST(ReplaceFile, AFullDiskLeavesTheOldFileAndNothingElse) {
    const temporary_folder folder;
    const auto path = folder.write("file", "old");
    {
        const file_size_limit full(100);
        EXPECT_THAT(refusal_of(path, std::string(1000, 'x')), HasSubstr("File too large"));
    }
    EXPECT_EQ(text_of(path), "old");
    EXPECT_EQ(entries_in(folder), 1U);
}

TEST(ReplaceFile, AFolderThatIsNotThereIsNamed) {
    const temporary_folder folder;
    EXPECT_THAT(early_refusal_of(folder / "absent/file"), HasSubstr("No such file or directory"));
    folder.write("plain", "text");
    EXPECT_THAT(early_refusal_of(folder / "plain/file"), HasSubstr("Not a directory"));
}

TEST(ReplaceFile, WhatIsNoPlainFileIsLeftAlone) {
    const temporary_folder folder;
    EXPECT_THAT(early_refusal_of(folder.path()), HasSubstr("directory"));
    const auto fifo = folder / "fifo";
    ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
    EXPECT_THAT(early_refusal_of(fifo), HasSubstr("not a plain file"));
    EXPECT_TRUE(fs::is_fifo(fifo));
}

TEST(ReplaceFile, AFileOrFolderThatMayNotBeWrittenStaysAsItIs) {
    const temporary_folder folder;
    const auto path = folder.write("file", "old");
    ::chmod(path.c_str(), 0444);
    ::chmod(folder.path().c_str(), 0555);
    {
        const ordinary_user user;
        EXPECT_THAT(early_refusal_of(path), HasSubstr("Permission denied"));
        EXPECT_THAT(early_refusal_of(folder / "new"), HasSubstr("Permission denied"));
    }
    ::chmod(folder.path().c_str(), 0755);
    EXPECT_EQ(text_of(path), "old");
    EXPECT_EQ(entries_in(folder), 1U);
}

}  // namespace
}  // namespace freehold::replace_file_test
