// SPDX-License-Identifier: BSL-1.0
// arrow_file: Apache Arrow reads a column of a Parquet file through a line_cache, and sums it. The
// second scan reads nothing from the source. With an s3_source instead of the file_source, the rest
// stays the same.
#include <freehold/line/arrow_file.hpp>
#include <freehold/line/file_source.hpp>
#include <freehold/line/line_cache.hpp>

#include "require.hpp"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/writer.h>
#include <unistd.h>

namespace {

using line_cache = freehold::line_cache<freehold::file_source>;

constexpr std::int64_t rows = 1'000'000;

// A temporary folder with sales.parquet, removed when the program ends.
class table {
public:
    table()
        : folder_(std::filesystem::temp_directory_path() /
                  ("freehold-arrow-scan-" + std::to_string(::getpid()))) {
        std::filesystem::create_directory(folder_);
        arrow::Int64Builder prices;
        arrow::Int64Builder shops;
        for (std::int64_t row = 0; row != rows; ++row) {
            require(prices.Append(row % 1000).ok() && shops.Append(row % 10).ok());
        }
        const auto made =
            arrow::Table::Make(arrow::schema({arrow::field("price", arrow::int64()),
                                              arrow::field("shop", arrow::int64())}),
                               {prices.Finish().ValueOrDie(), shops.Finish().ValueOrDie()});
        const auto out =
            arrow::io::FileOutputStream::Open((folder_ / "sales.parquet").string()).ValueOrDie();
        require(parquet::arrow::WriteTable(*made, arrow::default_memory_pool(), out).ok());
        require(out->Close().ok());
    }
    table(const table&) = delete;
    table& operator=(const table&) = delete;
    ~table() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

private:
    static void require(bool is_written) {
        if (!is_written) ::require(false, "the table is written");
    }

    std::filesystem::path folder_;
};

// select sum(price)
std::int64_t sum_of_prices(line_cache& lines) {
    const auto file = freehold::arrow_file<line_cache>::open(lines, "sales.parquet").ValueOrDie();
    const auto reader = parquet::arrow::OpenFile(file, arrow::default_memory_pool()).ValueOrDie();
    const auto prices = reader->ReadTable(std::vector<int>{0}).ValueOrDie()->column(0);
    std::int64_t sum = 0;
    for (const std::shared_ptr<arrow::Array>& chunk : prices->chunks()) {
        const auto& numbers = static_cast<const arrow::Int64Array&>(*chunk);
        for (std::int64_t i = 0; i != numbers.length(); ++i) sum += numbers.Value(i);
    }
    const freehold::arrow_file_statistics reads = file->statistics();
    require(reads.bytes_copied == 0, "the file fits in one line, so nothing was copied");
    return sum;
}

}  // namespace

int main() {
    std::puts("Arrow sums a column of a Parquet file of a million rows through a cache:");
    const table sales;
    freehold::file_source files(sales.folder());
    freehold::line_cache_options options;
    options.capacity = std::size_t{64} << 20;
    line_cache lines(files, options);

    constexpr std::int64_t expected = rows / 1000 * (999 * 1000 / 2);
    const std::int64_t sum = sum_of_prices(lines);
    std::printf("  the sum is %lld\n", static_cast<long long>(sum));
    require(sum == expected, "it is right");
    const std::uint64_t requests = lines.statistics().requests;
    require(sum_of_prices(lines) == expected, "it is right again");
    require(lines.statistics().requests == requests, "the second scan requested nothing");
}
