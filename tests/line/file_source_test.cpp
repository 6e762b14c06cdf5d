// SPDX-License-Identifier: BSL-1.0
// What file_source guarantees in addition to the contract of line sources.
#include <freehold/line/file_source.hpp>

#include "contracts/observed_read.hpp"
#include "program/temporary_folder.hpp"
#include "skip.hpp"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace freehold::file_source_test {
namespace {

using contracts::observed_read;

// Memory for direct reads: aligned to blocks.
class aligned_read final : public line_read {
public:
    aligned_read(std::string object, std::uint64_t offset, std::size_t size)
        : line_read(std::move(object), offset, size, ""),
          memory_(static_cast<std::byte*>(std::aligned_alloc(4096, (size + 4095) / 4096 * 4096))) {}

    bool begin(const object_info&) noexcept override { return true; }
    std::span<std::byte> room() noexcept override {
        return {memory_.get() + got_, static_cast<std::size_t>(size()) - got_};
    }
    bool arrived(std::size_t bytes) noexcept override {
        got_ += bytes;
        return true;
    }
    bool wanted() const noexcept override { return true; }
    void finish() noexcept override { finished_ = true; }
    void fail(std::exception_ptr) noexcept override {}

    bool finished() const { return finished_; }
    std::string text() const { return {reinterpret_cast<const char*>(memory_.get()), got_}; }

private:
    struct release {
        void operator()(std::byte* memory) const { std::free(memory); }
    };
    std::unique_ptr<std::byte, release> memory_;
    std::size_t got_ = 0;
    bool finished_ = false;
};

std::string text_with_a_tail() {
    std::string text;
    for (int i = 0; text.size() < 3 * 4096 + 777; ++i) text += std::to_string(i) + " ";
    return text;
}

TEST(file_source, refuses_paths_outside_its_folder) {
    const temporary_folder folder;
    folder.write("inside/object", "mine");
    folder.write("outside", "not mine");
    file_source source(folder / "inside");
    for (const std::string name : {"../outside", "x/../../outside", "..", "", "."}) {
        observed_read read(name, 0, 100);
        source.fetch(read);
        EXPECT_EQ(read.reason(), source_failure::not_found) << name;
        EXPECT_EQ(read.got(), 0u);
    }
    observed_read read((folder / "outside").string(), 0, 100);
    source.fetch(read);
    EXPECT_EQ(read.reason(), source_failure::not_found);
    observed_read hidden_end(std::string("object\0more", 11), 0, 100);
    source.fetch(hidden_end);
    EXPECT_EQ(hidden_end.reason(), source_failure::not_found);
}

TEST(file_source, refuses_files_that_are_not_regular) {
    const temporary_folder folder;
    folder.write("folder/object", "x");
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    file_source source(folder.path());
    for (const char* const name : {"folder", "pipe"}) {
        observed_read read(name, 0, 100);
        source.fetch(read);
        EXPECT_EQ(read.reason(), source_failure::not_found) << name;
    }
}

TEST(file_source, reports_missing_permissions) {
    const temporary_folder folder;
    const auto path = folder.write("secret", "x");
    std::filesystem::permissions(path, std::filesystem::perms::none);
    file_source source(folder.path());
    // Root may read everything, so the test becomes nobody for a moment.
    constexpr uid_t nobody = 65534;
    const uid_t user = ::geteuid();
    if (user == 0 && ::seteuid(nobody) != 0)
        return tests::skip_without("setuid", "root cannot become nobody here");
    observed_read read("secret", 0, 100);
    source.fetch(read);
    if (user == 0) {
        ASSERT_EQ(::seteuid(user), 0);
    }
    EXPECT_EQ(read.reason(), source_failure::refused);
    EXPECT_NE(read.message().find("Permission denied"), std::string::npos) << read.message();
}

TEST(file_source, refuses_impossible_options) {
    const temporary_folder folder;
    const auto file = folder.write("file", "x");
    EXPECT_THROW(file_source{file}, std::invalid_argument);
    EXPECT_THROW(file_source{folder / "none"}, std::invalid_argument);
    EXPECT_THROW(file_source(folder.path(), file_source_options{.threads = 0}),
                 std::invalid_argument);
}

TEST(file_source, detects_a_modification_during_a_read) {
    const temporary_folder folder;
    file_source source(folder.path());
    using meddling = void (*)(const std::filesystem::path&);

    // Modifies the file when the first bytes have arrived.
    class meddling_read final : public line_read {
    public:
        meddling_read(std::filesystem::path path, meddling meddle)
            : line_read("object", 0, 2 << 20, ""),
              path_(std::move(path)),
              meddle_(meddle),
              bytes_(2 << 20) {}
        bool begin(const object_info&) noexcept override { return true; }
        std::span<std::byte> room() noexcept override { return std::span(bytes_).subspan(got_); }
        bool arrived(std::size_t bytes) noexcept override {
            if (got_ == 0) meddle_(path_);
            got_ += bytes;
            return true;
        }
        bool wanted() const noexcept override { return true; }
        void finish() noexcept override { ADD_FAILURE() << "finished"; }
        void fail(std::exception_ptr why) noexcept override { failure = std::move(why); }

        std::exception_ptr failure;

    private:
        std::filesystem::path path_;
        meddling meddle_;
        std::vector<std::byte> bytes_;
        std::size_t got_ = 0;
    };
    const meddling touch = [](const std::filesystem::path& path) {
        using namespace std::chrono_literals;
        std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) + 1s);
    };
    const meddling shrink = [](const std::filesystem::path& path) {
        std::filesystem::resize_file(path, 1000);
    };
    const meddling empty = [](const std::filesystem::path& path) {
        std::filesystem::resize_file(path, 0);
    };
    for (const meddling meddle : {touch, shrink, empty}) {
        const auto path = folder.write("object", std::string(2 << 20, 'a'));
        meddling_read read(path, meddle);
        source.fetch(read);
        ASSERT_TRUE(read.failure);
        try {
            std::rethrow_exception(read.failure);
        } catch (const source_error& error) {
            EXPECT_EQ(error.reason(), source_failure::changed) << error.what();
        }
    }
}

TEST(file_source, counts_direct_and_cached_bytes) {
    const temporary_folder folder;
    const std::string text = text_with_a_tail();
    folder.write("object", text);

    file_source cached(folder.path());
    aligned_read read("object", 0, text.size() + 4096);
    cached.fetch(read);
    ASSERT_TRUE(read.finished());
    EXPECT_EQ(read.text(), text);
    EXPECT_EQ(cached.statistics().bytes_direct, 0u);
    EXPECT_EQ(cached.statistics().bytes_through_cache, text.size());
}

TEST(file_source, reads_directly_where_possible) {
    const temporary_folder folder;
    const std::string text = text_with_a_tail();
    folder.write("object", text);
    file_source direct(folder.path(), {.direct = true});

    aligned_read whole("object", 0, text.size());
    direct.fetch(whole);
    ASSERT_TRUE(whole.finished());
    EXPECT_EQ(whole.text(), text);
    const file_source_statistics after_whole = direct.statistics();
    EXPECT_EQ(after_whole.bytes_direct + after_whole.bytes_through_cache, text.size());
    if (after_whole.bytes_direct == 0)
        return tests::skip_without("direct_io", "this file system reads nothing directly");
    EXPECT_GE(after_whole.bytes_direct, 3 * 4096u);

    // A read that starts within a block cannot be direct.
    aligned_read part("object", 100, 1000);
    direct.fetch(part);
    ASSERT_TRUE(part.finished());
    EXPECT_EQ(part.text(), text.substr(100, 1000));
    EXPECT_EQ(direct.statistics().bytes_direct, after_whole.bytes_direct);
}

}  // namespace
}  // namespace freehold::file_source_test
