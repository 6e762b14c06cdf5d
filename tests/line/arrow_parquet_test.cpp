// SPDX-License-Identifier: BSL-1.0
// A Parquet file in a folder, read through file_source and line_cache with Arrow's reader, and
// compared with what Arrow reads itself.
#include <freehold/line/arrow_file.hpp>
#include <freehold/line/arrow_filesystem.hpp>
#include <freehold/line/file_source.hpp>
#include <freehold/line/line_cache.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include <arrow/api.h>
#include <arrow/filesystem/filesystem.h>
#include <arrow/io/file.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/writer.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>
#include <unistd.h>

namespace freehold::tests::arrow_parquet_test {
namespace {

using file_cache = line_cache<file_source>;
using cached_file = arrow_file<file_cache>;

constexpr std::int64_t rows = 60'000;

std::shared_ptr<arrow::Table> made_table() {
    arrow::Int64Builder numbers;
    arrow::DoubleBuilder prices;
    arrow::StringBuilder names;
    for (std::int64_t row = 0; row != rows; ++row) {
        EXPECT_TRUE(numbers.Append(row * 7919 % 100'003).ok());
        EXPECT_TRUE(
            (row % 11 == 0 ? prices.AppendNull() : prices.Append(static_cast<double>(row) / 3))
                .ok());
        EXPECT_TRUE(names.Append("row " + std::to_string(row * row)).ok());
    }
    return arrow::Table::Make(
        arrow::schema({arrow::field("number", arrow::int64()),
                       arrow::field("price", arrow::float64()),
                       arrow::field("name", arrow::utf8())}),
        {numbers.Finish().ValueOrDie(), prices.Finish().ValueOrDie(), names.Finish().ValueOrDie()});
}

std::shared_ptr<arrow::Table> read_table(std::shared_ptr<arrow::io::RandomAccessFile> file,
                                         bool pre_buffer) {
    parquet::arrow::FileReaderBuilder builder;
    EXPECT_TRUE(builder.Open(std::move(file)).ok());
    parquet::ArrowReaderProperties properties;
    properties.set_pre_buffer(pre_buffer);
    builder.properties(properties);
    const std::unique_ptr<parquet::arrow::FileReader> reader = builder.Build().ValueOrDie();
    return reader->ReadTable().ValueOrDie();
}

// A folder with one Parquet file, removed afterwards.
class arrow_parquet : public testing::Test {
protected:
    arrow_parquet()
        : folder_(std::filesystem::temp_directory_path() /
                  ("freehold-arrow-" + std::to_string(::getpid()))) {
        std::filesystem::create_directory(folder_);
        auto out = arrow::io::FileOutputStream::Open(path()).ValueOrDie();
        EXPECT_TRUE(parquet::arrow::WriteTable(*made_table(), arrow::default_memory_pool(), out,
                                               20'000, parquet::WriterProperties::Builder().build())
                        .ok());
        EXPECT_TRUE(out->Close().ok());
    }
    ~arrow_parquet() override {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    [[nodiscard]] std::string path() const { return (folder_ / "table.parquet").string(); }
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    [[nodiscard]] std::shared_ptr<arrow::Table> expected() const {
        return read_table(arrow::io::ReadableFile::Open(path()).ValueOrDie(), false);
    }
    static line_cache_options options_with(std::size_t line_size, std::size_t capacity) {
        line_cache_options options;
        options.line_size = line_size;
        options.capacity = capacity;
        return options;
    }

private:
    std::filesystem::path folder_;
};

class arrow_parquet_lines : public arrow_parquet,
                            public testing::WithParamInterface<std::size_t> {};

TEST_P(arrow_parquet_lines, equals_what_arrow_reads) {
    const auto table = expected();
    ASSERT_EQ(table->num_rows(), rows);
    for (const bool pre_buffer : {false, true}) {
        file_source files(folder());
        file_cache cache(files, options_with(GetParam(), std::size_t{64} << 20));
        const auto file = cached_file::open(cache, "table.parquet").ValueOrDie();
        const auto cold = read_table(file, pre_buffer);
        ASSERT_TRUE(cold->ValidateFull().ok());
        EXPECT_TRUE(cold->Equals(*table));
        const std::uint64_t requests = cache.statistics().requests;
        EXPECT_TRUE(read_table(file, pre_buffer)->Equals(*table));
        EXPECT_EQ(cache.statistics().requests, requests) << "the second read finds all lines";
        const std::uint64_t size = std::filesystem::file_size(path());
        EXPECT_EQ(cache.statistics().bytes_fetched, size) << "each byte once";
    }
}

TEST_P(arrow_parquet_lines, equals_it_with_a_cache_of_a_few_lines) {
    file_source files(folder());
    file_cache cache(files, options_with(GetParam(), 4 * GetParam()));
    const auto file = cached_file::open(cache, "table.parquet").ValueOrDie();
    EXPECT_TRUE(read_table(file, false)->Equals(*expected()));
    EXPECT_LE(cache.statistics().most_bytes_held, 4 * GetParam());
}

// Smaller than a column chunk; about as large as one; larger than the file.
INSTANTIATE_TEST_SUITE_P(line_sizes, arrow_parquet_lines,
                         testing::Values(4096, std::size_t{64} << 10, std::size_t{2} << 20,
                                         std::size_t{8} << 20));

TEST_F(arrow_parquet, a_line_that_holds_the_file_serves_all_bytes_without_a_copy) {
    file_source files(folder());
    file_cache cache(files, options_with(std::size_t{8} << 20, std::size_t{16} << 20));
    const auto file = cached_file::open(cache, "table.parquet").ValueOrDie();
    static_cast<void>(read_table(file, false));
    EXPECT_GT(file->statistics().bytes_pinned, 0u);
    EXPECT_EQ(file->statistics().bytes_copied, 0u);
}

TEST_F(arrow_parquet, one_column_fetches_little_more_than_it_has) {
    constexpr int column = 1;
    file_source files(folder());
    line_cache_options options = options_with(4096, std::size_t{16} << 20);
    options.coalesce = 256;
    file_cache cache(files, options);
    const auto file = cached_file::open(cache, "table.parquet").ValueOrDie();
    const auto reader = parquet::arrow::OpenFile(file, arrow::default_memory_pool()).ValueOrDie();
    const auto metadata = reader->parquet_reader()->metadata();
    std::uint64_t asked = std::uint64_t{64} << 10;  // the footer, and what Arrow reads before it
    for (int group = 0; group != metadata->num_row_groups(); ++group) {
        const auto chunk = metadata->RowGroup(group)->ColumnChunk(column);
        asked += static_cast<std::uint64_t>(chunk->total_compressed_size());
    }
    const auto read = reader->ReadTable(std::vector<int>{column}).ValueOrDie();
    EXPECT_TRUE(read->Equals(*expected()->SelectColumns({column}).ValueOrDie()));
    EXPECT_LE(cache.statistics().bytes_fetched, asked * 11 / 10);
    EXPECT_LT(cache.statistics().bytes_fetched, std::filesystem::file_size(path()) / 2);
}

TEST_F(arrow_parquet, two_threads_read_it_at_once) {
    file_source files(folder(), {.threads = 2});
    file_cache cache(files, options_with(std::size_t{64} << 10, std::size_t{2} << 20));
    const auto table = expected();
    std::atomic<int> wrong{0};
    const auto work = [&] {
        for (int i = 0; i != 5; ++i) {
            const auto file = cached_file::open(cache, "table.parquet").ValueOrDie();
            if (!read_table(file, i % 2 == 0)->Equals(*table)) ++wrong;
        }
    };
    std::thread other(work);
    work();
    other.join();
    EXPECT_EQ(wrong, 0);
}

TEST_F(arrow_parquet, a_file_system_opens_known_objects) {
    file_source files(folder());
    auto cache = std::make_shared<file_cache>(
        files, options_with(std::size_t{2} << 20, std::size_t{8} << 20));
    const auto objects = std::make_shared<arrow_filesystem<file_cache>>(cache);
    const auto info = objects->GetFileInfo("table.parquet").ValueOrDie();
    EXPECT_TRUE(info.IsFile());
    EXPECT_EQ(static_cast<std::uint64_t>(info.size()), std::filesystem::file_size(path()));
    EXPECT_EQ(objects->GetFileInfo("nothing").ValueOrDie().type(), arrow::fs::FileType::NotFound);
    EXPECT_TRUE(objects->GetFileInfo("..").ValueOrDie().type() == arrow::fs::FileType::NotFound);

    const auto table = expected();
    EXPECT_TRUE(read_table(objects->OpenInputFile(info).ValueOrDie(), false)->Equals(*table));
    const auto stream = objects->OpenInputStream("table.parquet").ValueOrDie();
    EXPECT_EQ(stream->Read(4).ValueOrDie()->ToString(), "PAR1");
    EXPECT_TRUE(objects->OpenInputFileAsync("table.parquet").status().ok());
    const arrow::Status missing = objects->OpenInputFile("nothing").status();
    EXPECT_TRUE(missing.IsIOError());
    EXPECT_THAT(missing.ToString(), testing::HasSubstr("nothing"));
    const arrow_file_statistics reads = objects->statistics();
    EXPECT_GT(reads.bytes_pinned + reads.bytes_copied, 0u);
}

TEST_F(arrow_parquet, a_file_system_says_what_it_lacks) {
    file_source files(folder());
    file_cache cache(files, options_with(std::size_t{2} << 20, std::size_t{8} << 20));
    arrow_filesystem<file_cache> objects(cache);
    arrow_filesystem<file_cache> same(cache);
    file_cache another_cache(files, options_with(std::size_t{2} << 20, std::size_t{8} << 20));
    arrow_filesystem<file_cache> another(another_cache);
    EXPECT_EQ(objects.type_name(), "freehold");
    EXPECT_TRUE(objects.Equals(same));
    EXPECT_FALSE(objects.Equals(another));
    for (const arrow::Status& status :
         {objects.GetFileInfo(arrow::fs::FileSelector()).status(), objects.CreateDir("a"),
          objects.DeleteDir("a"), objects.DeleteDirContents("a"), objects.DeleteRootDirContents(),
          objects.DeleteFile("table.parquet"), objects.Move("table.parquet", "b"),
          objects.CopyFile("table.parquet", "b"), objects.OpenOutputStream("b").status(),
          objects.OpenAppendStream("table.parquet").status()}) {
        EXPECT_TRUE(status.IsNotImplemented()) << status.ToString();
        EXPECT_THAT(status.message(), testing::HasSubstr("arrow_filesystem cannot"));
    }
    EXPECT_TRUE(std::filesystem::exists(path()));
}

}  // namespace
}  // namespace freehold::tests::arrow_parquet_test
