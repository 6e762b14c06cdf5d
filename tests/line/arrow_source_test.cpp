// SPDX-License-Identifier: BSL-1.0
// The contract of line sources for arrow_source, over local files; what it promises about versions;
// and what an arrow_filesystem over it does when files are replaced and processes fork.
#include <freehold/line/arrow_filesystem.hpp>
#include <freehold/line/arrow_source.hpp>
#include <freehold/line/line_cache.hpp>

#include "contracts/line_sources.hpp"
#include "program/temporary_folder.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <arrow/filesystem/localfs.h>
#include <arrow/util/key_value_metadata.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold {
namespace {

using testing::HasSubstr;

// Local files below a folder, which change as a test says.
class scripted_files final : public arrow::fs::SubTreeFileSystem {
public:
    explicit scripted_files(const std::filesystem::path& folder)
        : SubTreeFileSystem(folder.string(), std::make_shared<arrow::fs::LocalFileSystem>()) {}

    using SubTreeFileSystem::GetFileInfo;
    arrow::Result<arrow::fs::FileInfo> GetFileInfo(const std::string& path) override {
        auto info = SubTreeFileSystem::GetFileInfo(path);
        if (info.ok() && !tells_times) info->set_mtime(arrow::fs::kNoTime);
        return info;
    }
    arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenInputFile(
        const std::string& path) override {
        ARROW_ASSIGN_OR_RAISE(auto inner, SubTreeFileSystem::OpenInputFile(path));
        return std::make_shared<file>(*this, std::move(inner));
    }
    arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenInputFile(
        const arrow::fs::FileInfo& info) override {
        return OpenInputFile(info.path());
    }

    bool tells_times = true;
    std::string etag;
    std::function<void()> after_read = [] {};

private:
    class file final : public arrow::io::RandomAccessFile {
    public:
        file(const scripted_files& from, std::shared_ptr<arrow::io::RandomAccessFile> inner)
            : from_(from), inner_(std::move(inner)) {}
        arrow::Status Close() override { return inner_->Close(); }
        bool closed() const override { return inner_->closed(); }
        arrow::Result<std::int64_t> Tell() const override { return inner_->Tell(); }
        arrow::Status Seek(std::int64_t position) override { return inner_->Seek(position); }
        arrow::Result<std::int64_t> GetSize() override { return inner_->GetSize(); }
        arrow::Result<std::int64_t> Read(std::int64_t size, void* out) override {
            return inner_->Read(size, out);
        }
        arrow::Result<std::shared_ptr<arrow::Buffer>> Read(std::int64_t size) override {
            return inner_->Read(size);
        }
        arrow::Result<std::int64_t> ReadAt(std::int64_t position, std::int64_t size,
                                           void* out) override {
            auto read = inner_->ReadAt(position, size, out);
            from_.after_read();
            return read;
        }
        arrow::Result<std::shared_ptr<const arrow::KeyValueMetadata>> ReadMetadata() override {
            if (from_.etag.empty()) return nullptr;
            return arrow::key_value_metadata({"Content-Type", "ETag"}, {"text/plain", from_.etag});
        }

    private:
        const scripted_files& from_;
        const std::shared_ptr<arrow::io::RandomAccessFile> inner_;
    };
};

// Replaces a file by renaming. Each file gets a modification time of its own, because the clock of
// a file system may stand still between two of them.
class written_files {
public:
    written_files() { std::filesystem::create_directories(folder()); }
    void put(const std::string& object, const std::vector<std::byte>& bytes) {
        const std::filesystem::path file = folder() / object;
        std::filesystem::create_directories(file.parent_path());
        const std::filesystem::path beside = folder_.path() / "new";
        std::ofstream(beside, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
        time_ += std::chrono::seconds(1);
        std::filesystem::last_write_time(beside, time_);
        std::filesystem::rename(beside, file);
    }
    [[nodiscard]] std::filesystem::path folder() const { return folder_.path() / "objects"; }

private:
    temporary_folder folder_;
    std::filesystem::file_time_type time_ = std::filesystem::file_time_type::clock::now();
};

template <unsigned Threads, std::size_t RequestSize, bool TellsTimes>
class arrow_files {
public:
    void put(const std::string& object, const std::vector<std::byte>& bytes) {
        files_.put(object, bytes);
    }
    arrow_source& source() { return *source_; }
    void end_source() { source_.reset(); }

private:
    std::shared_ptr<scripted_files> scripted() {
        auto files = std::make_shared<scripted_files>(files_.folder());
        files->tells_times = TellsTimes;
        return files;
    }

    written_files files_;
    std::unique_ptr<arrow_source> source_ = std::make_unique<arrow_source>(
        scripted(), arrow_source_options{.threads = Threads, .request_size = RequestSize});
};

}  // namespace

namespace contracts {
namespace {

using subjects = testing::Types<arrow_files<1, std::size_t{8} << 20, true>,
                                arrow_files<4, 5000, true>, arrow_files<4, 65'536, false>>;
INSTANTIATE_TYPED_TEST_SUITE_P(of_arrow, line_sources, subjects);

}  // namespace
}  // namespace contracts

namespace {

class arrow_sources : public testing::Test {
protected:
    static line_cache_options options() {
        line_cache_options made;
        made.line_size = 4096;
        made.capacity = 64 * 4096;
        return made;
    }
    std::vector<std::byte> put(const std::string& content, std::size_t size = 10'000) {
        std::vector<std::byte> bytes = contracts::content_of(content, size);
        written.put("object", bytes);
        return bytes;
    }
    static std::string text_of(const arrow::Result<std::shared_ptr<arrow::Buffer>>& read) {
        return read.ok() ? (*read)->ToString() : read.status().ToString();
    }
    static std::string text_of(const std::vector<std::byte>& bytes) {
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }

    written_files written;
    std::shared_ptr<scripted_files> files = std::make_shared<scripted_files>(written.folder());
};

TEST_F(arrow_sources, refuses_impossible_options) {
    EXPECT_THROW(arrow_source(nullptr), std::invalid_argument);
    EXPECT_THROW(arrow_source(files, {.threads = 0}), std::invalid_argument);
    EXPECT_THROW(arrow_source(files, {.request_size = 0}), std::invalid_argument);
}

TEST_F(arrow_sources, the_tag_is_the_stores_own_if_it_has_one) {
    put("first");
    arrow_source source(files);
    const std::string by_time = source.describe("object").entity_tag;
    files->etag = "\"abc\"";
    EXPECT_EQ(source.describe("object").entity_tag, "10000-\"abc\"");
    EXPECT_NE(by_time, "10000-\"abc\"");
    files->etag.clear();
    files->tells_times = false;
    EXPECT_EQ(source.describe("object").entity_tag, "");
}

TEST_F(arrow_sources, bytes_of_a_file_that_is_replaced_during_a_read_are_not_delivered) {
    arrow_source source(files);
    for (const std::size_t new_size : {std::size_t{10'000}, std::size_t{100}, std::size_t{0}}) {
        put("first");
        const std::string expected = source.describe("object").entity_tag;
        files->after_read = [&] { put("second", new_size); };
        contracts::observed_read read("object", 0, 10'000, expected);
        source.fetch(read);
        files->after_read = [] {};
        EXPECT_EQ(read.reason(), source_failure::changed) << read.message();
        EXPECT_EQ(read.got(), 0u);
    }
}

TEST_F(arrow_sources, a_tag_of_another_source_is_another_version) {
    put("first");
    arrow_source source(files);
    for (const char* const tag : {"\"foreign\"", "10000", "99999999999999999999999-1", "-"}) {
        contracts::observed_read read("object", 0, 100, tag);
        source.fetch(read);
        EXPECT_EQ(read.reason(), source_failure::changed) << tag << ": " << read.message();
    }
}

TEST_F(arrow_sources, a_read_with_a_tag_asks_once) {
    put("first");
    arrow_source source(files);
    const std::string tag = source.describe("object").entity_tag;
    const arrow_source_statistics before = source.statistics();
    contracts::observed_read read("object", 0, 10'000, tag);
    source.fetch(read);
    const arrow_source_statistics after = source.statistics();
    EXPECT_EQ(after.descriptions - before.descriptions, 1u);
    EXPECT_EQ(after.reads - before.reads, 1u);
    EXPECT_EQ(after.bytes - before.bytes, 10'000u);
}

TEST_F(arrow_sources, stop_waits_until_no_read_is_in_the_file_system) {
    put("first");
    std::binary_semaphore is_in{0};
    std::binary_semaphore may_return{0};
    files->after_read = [&] {
        is_in.release();
        may_return.acquire();
    };
    arrow_source source(files, {.threads = 1});
    contracts::observed_read under_way("object", 0, 10'000);
    contracts::observed_read waiting("object", 0, 10'000);
    contracts::observed_read late("object", 0, 10'000);
    source.start(under_way);
    source.start(waiting);
    is_in.acquire();
    EXPECT_FALSE(source.stop(std::chrono::milliseconds(1)));
    may_return.release();
    EXPECT_TRUE(source.stop(std::chrono::minutes(1)));
    source.fetch(late);
    for (contracts::observed_read* const each : {&waiting, &late}) {
        each->wait_for_end();
        EXPECT_EQ(each->reason(), source_failure::cancelled) << each->message();
    }
    EXPECT_EQ(source.statistics().reads, 1u);
}

TEST_F(arrow_sources, a_file_system_of_current_versions_opens_the_replaced_file) {
    const std::string first = text_of(put("first"));
    arrow_source source(files);
    line_cache<arrow_source> cache(source, options());
    using filesystem = arrow_filesystem<line_cache<arrow_source>>;
    const auto current = std::make_shared<filesystem>(
        cache, arrow::io::default_io_context(), arrow_filesystem_options{.current_versions = true});
    const auto cached = std::make_shared<filesystem>(cache);
    const auto opened = current->OpenInputFile("object").ValueOrDie();
    EXPECT_EQ(text_of(opened->ReadAt(0, 10'000)), first);

    const std::string second = text_of(put("second", 12'000));
    EXPECT_EQ(text_of(cached->OpenInputFile("object").ValueOrDie()->ReadAt(0, 20'000)), first);
    const auto reopened = current->OpenInputFile("object").ValueOrDie();
    EXPECT_EQ(reopened->GetSize().ValueOrDie(), 12'000);
    EXPECT_EQ(text_of(reopened->ReadAt(0, 20'000)), second);
    EXPECT_THAT(text_of(opened->ReadAt(0, 10'000)), HasSubstr("open it again"));

    std::filesystem::remove(written.folder() / "object");
    EXPECT_THAT(current->OpenInputFile("object").status().ToString(), HasSubstr("'object'"));
    EXPECT_TRUE(cached->OpenInputFile("object").ok());
}

TEST_F(arrow_sources, without_tags_each_opening_reads_anew) {
    files->tells_times = false;
    put("first");
    arrow_source source(files);
    line_cache<arrow_source> cache(source, options());
    const auto current = std::make_shared<arrow_filesystem<line_cache<arrow_source>>>(
        cache, arrow::io::default_io_context(), arrow_filesystem_options{.current_versions = true});
    ASSERT_TRUE(current->OpenInputFile("object").ValueOrDie()->ReadAt(0, 10'000).ok());
    const std::string second = text_of(put("second"));
    EXPECT_EQ(text_of(current->OpenInputFile("object").ValueOrDie()->ReadAt(0, 10'000)), second);
}

// A child that waits would wait forever: it gets a signal then, and the test fails.
TEST_F(arrow_sources, a_child_of_fork_gets_an_error_and_keeps_what_was_read) {
    const std::string content = text_of(put("first"));
    arrow_source source(files);
    line_cache_options kept = options();
    kept.in_children = true;
    line_cache<arrow_source> cache(source, kept);
    const auto objects = std::make_shared<arrow_filesystem<line_cache<arrow_source>>>(cache);
    const auto file = objects->OpenInputFile("object").ValueOrDie();
    const auto read = file->ReadAt(0, 4'000).ValueOrDie();

    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(20);
        const bool is_right =
            file->ReadAt(0, 4'000).status().ToString().find("fork") != std::string::npos &&
            file->ReadAt(9'000, 10).status().IsIOError() &&
            objects->OpenInputFile("object").status().IsIOError() &&
            objects->GetFileInfo("object").status().IsIOError() &&
            read->ToString() == content.substr(0, 4'000);
        ::_exit(is_right ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(text_of(file->ReadAt(0, 10'000)), content);
}

}  // namespace
}  // namespace freehold
