// SPDX-License-Identifier: BSL-1.0
// line_cache: a query by four threads over two columns of a table in files, as a query engine over
// object storage does it. The source reads each line once, straight into recycled memory. The
// second query finds all lines in the cache. With an s3_source instead of the file_source, the rest
// stays the same.
#include <freehold/line/file_source.hpp>
#include <freehold/line/line_cache.hpp>

#include "require.hpp"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <unistd.h>

namespace {

using cache = freehold::line_cache<freehold::file_source>;

constexpr std::uint64_t rows = 3'000'000;
constexpr std::uint64_t row_bytes = sizeof(std::uint32_t);
constexpr std::size_t line_bytes = std::size_t{2} << 20;
constexpr std::uint64_t rows_per_line = line_bytes / row_bytes;
constexpr std::uint64_t lines_per_column = (rows + rows_per_line - 1) / rows_per_line;

// A temporary folder, removed when the program ends.
class table {
public:
    table()
        : folder_(std::filesystem::temp_directory_path() /
                  ("freehold-cached-scan-" + std::to_string(::getpid()))) {
        std::filesystem::create_directory(folder_);
        std::vector<std::uint32_t> column(rows);  // NOLINT(freehold-hidden-zeroing): made once
        std::iota(column.begin(), column.end(), 0U);
        write("price", column);
        for (std::uint32_t& value : column) value %= 10;
        write("shop", column);
    }
    table(const table&) = delete;
    table& operator=(const table&) = delete;
    ~table() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

private:
    void write(const char* name, const std::vector<std::uint32_t>& column) const {
        std::ofstream(folder_ / name, std::ios::binary)
            .write(reinterpret_cast<const char*>(column.data()),
                   static_cast<std::streamsize>(column.size() * row_bytes));
    }

    std::filesystem::path folder_;
};

std::uint32_t value_at(const freehold::line& column, std::uint64_t row) {
    std::uint32_t value = 0;
    std::memcpy(&value, column.bytes().data() + row * row_bytes, row_bytes);
    return value;
}

// select sum(price) where shop = 7
std::uint64_t query(cache& lines) {
    const freehold::cached_object price = lines.open("price");
    const freehold::cached_object shop = lines.open("shop");
    std::atomic<std::uint64_t> next{0};
    std::atomic<std::uint64_t> total{0};
    const auto work = [&] {
        for (std::uint64_t number = next++; number < lines_per_column; number = next++) {
            const freehold::line shops = lines.get(shop, number * line_bytes);
            const freehold::line prices = lines.get(price, number * line_bytes);
            std::uint64_t sum = 0;
            for (std::uint64_t row = 0; row != shops.bytes().size() / row_bytes; ++row) {
                if (value_at(shops, row) == 7) sum += value_at(prices, row);
            }
            total += sum;
        }
    };
    std::vector<std::thread> workers;
    for (int i = 0; i != 4; ++i) workers.emplace_back(work);
    for (std::thread& worker : workers) worker.join();
    return total;
}

}  // namespace

int main() {
    std::puts("Four workers query a table of 3 million rows through a cache of 2 MiB lines:");
    const table sales;
    freehold::file_source files(sales.folder());
    freehold::line_cache_options options;
    options.line_size = line_bytes;
    options.capacity = 2 * lines_per_column * line_bytes;
    cache lines(files, options);

    constexpr std::uint64_t last = rows - 3;  // the last row of shop 7
    const std::uint64_t expected = (7 + last) * (rows / 10) / 2;
    require(query(lines) == expected, "the sum is right");
    const freehold::line_cache_statistics cold = lines.statistics();
    require(cold.requests == 2 * lines_per_column, "each line was read once");
    require(query(lines) == expected, "it is right again");
    const freehold::line_cache_statistics warm = lines.statistics();
    require(warm.requests == cold.requests, "the second query read nothing");
    require(warm.most_bytes_held <= options.capacity, "memory stayed within its bound");

    const freehold::line held = lines.get("price", 0);
    require(lines.trim() + line_bytes == warm.bytes_held, "trim freed all lines but the held one");
    require(value_at(held, 42) == 42, "whose bytes are unchanged");
}
