// SPDX-License-Identifier: BSL-1.0
// What the wheel's extension module binds: a line cache over any Arrow file system, with or without
// a disk tier. All functions may be called by several threads at once.
#pragma once

#include <freehold/line/arrow_filesystem.hpp>
#include <freehold/line/arrow_source.hpp>
#include <freehold/line/disk_tier.hpp>
#include <freehold/line/line_cache.hpp>

#include "line/arrow/made_before_fork.hpp"
#include "line/arrow/status_of.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <arrow/filesystem/filesystem.h>
#include <arrow/io/interfaces.h>
#include <arrow/result.h>
#include <arrow/status.h>

namespace freehold_arrow {

struct cache_options {
    std::size_t capacity = 0;
    std::size_t line_size = 0;
    unsigned prefetch = 0;
    unsigned threads = 0;
    std::size_t reserve = 0;
    bool current_versions = true;
    std::string disk;  // empty: no disk tier
    std::uint64_t disk_capacity = 0;
};

class node_cache {
public:
    using figures = std::vector<std::pair<std::string, std::uint64_t>>;

    // Returns a cache that is never destroyed: its threads may need Python's lock, which the
    // destroying thread would hold, and arrays may hold its lines when Python ends.
    static arrow::Result<node_cache*> make(const std::shared_ptr<arrow::fs::FileSystem>& files,
                                           const cache_options& options);

    node_cache(const node_cache&) = delete;
    node_cache& operator=(const node_cache&) = delete;
    virtual ~node_cache() = default;

    // In a child of fork, returns an error; the other functions must not be called there.
    [[nodiscard]] arrow::Status check_process() const {
        if (!freehold::detail::has_forked_since(forks_before_)) return arrow::Status::OK();
        return freehold::detail::status_in_child("freehold_arrow");
    }

    virtual arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> open(
        const std::string& path) = 0;
    virtual void invalidate(const std::string& path) = 0;
    virtual std::size_t trim() = 0;
    virtual void flush() = 0;
    // Before Python ends, because reads of the store, also for other processes, may need Python:
    // Python aborts the process if it ends while another thread is in it.
    virtual void end() = 0;
    virtual figures statistics() = 0;
    // Why the disk is not used; empty if it is used, or if there is none.
    virtual std::string disk_fault() = 0;

protected:
    node_cache() = default;

private:
    const std::uint32_t forks_before_ = freehold::detail::forks_so_far();
};

template <class Source>
class cache_over final : public node_cache {
    static constexpr bool has_disk = !std::is_same_v<Source, freehold::arrow_source>;
    using cache = freehold::line_cache<Source>;

public:
    cache_over(std::unique_ptr<Source> source, const freehold::line_cache_options& options,
               bool current_versions)
        : lines_(std::make_shared<cache>(std::move(source), options)),
          files_(std::make_shared<freehold::arrow_filesystem<cache>>(
              lines_, arrow::io::default_io_context(),
              freehold::arrow_filesystem_options{.current_versions = current_versions})) {}

    arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> open(
        const std::string& path) override {
        return files_->OpenInputFile(path);
    }
    void invalidate(const std::string& path) override {
        lines_->invalidate(path);
        if constexpr (has_disk) lines_->source().invalidate(path);
    }
    std::size_t trim() override { return lines_->trim(); }
    void flush() override {
        if constexpr (has_disk) lines_->source().flush();
    }
    void end() override {
        if constexpr (has_disk) lines_->source().stop_serving();
        // A store that does not answer must not keep the process.
        store().stop(std::chrono::seconds(5));
        if constexpr (has_disk) lines_->source().flush();
    }
    std::string disk_fault() override {
        if constexpr (has_disk) return lines_->source().fault();
        return {};
    }
    figures statistics() override {
        const freehold::line_cache_statistics of_lines = lines_->statistics();
        const freehold::arrow_file_statistics of_files = files_->statistics();
        const freehold::arrow_source_statistics of_store = store().statistics();
        figures all = {{"hits", of_lines.hits},
                       {"joined", of_lines.joined},
                       {"misses", of_lines.misses},
                       {"prefetched", of_lines.prefetched},
                       {"refetched", of_lines.refetched},
                       {"requests", of_lines.requests},
                       {"failures", of_lines.failures},
                       {"refusals", of_lines.refusals},
                       {"evictions", of_lines.evictions},
                       {"bytes_fetched", of_lines.bytes_fetched},
                       {"bytes_wasted", of_lines.bytes_wasted},
                       {"bytes_held", of_lines.bytes_held},
                       {"most_bytes_held", of_lines.most_bytes_held},
                       {"lines", of_lines.lines},
                       {"bytes_pinned", of_files.bytes_pinned},
                       {"bytes_copied", of_files.bytes_copied},
                       {"store_descriptions", of_store.descriptions},
                       {"store_reads", of_store.reads},
                       {"store_bytes", of_store.bytes}};
        if constexpr (has_disk) {
            const freehold::disk_tier_statistics of_disk = lines_->source().statistics();
            all.insert(all.end(), {{"disk_hits", of_disk.hits},
                                   {"disk_misses", of_disk.misses},
                                   {"disk_bytes", of_disk.bytes_from_disk},
                                   {"disk_lines", of_disk.lines},
                                   {"disk_asked", of_disk.asked},
                                   {"disk_served", of_disk.served},
                                   {"disk_damaged", of_disk.damaged},
                                   {"disk_failed_reads", of_disk.failed_reads},
                                   {"disk_failed_writes", of_disk.failed_writes}});
        }
        return all;
    }

private:
    freehold::arrow_source& store() {
        if constexpr (has_disk) {
            return lines_->source().source();
        } else {
            return lines_->source();
        }
    }

    const std::shared_ptr<cache> lines_;
    const std::shared_ptr<freehold::arrow_filesystem<cache>> files_;
};

inline std::unique_ptr<freehold::arrow_source> make_store(
    const std::shared_ptr<arrow::fs::FileSystem>& files, const cache_options& options) {
    return std::make_unique<freehold::arrow_source>(
        files, freehold::arrow_source_options{.threads = options.threads,
                                              .request_size = options.line_size});
}

// The processes of this machine share the folder.
inline std::unique_ptr<freehold::disk_tier<freehold::arrow_source>> make_tier(
    const std::shared_ptr<arrow::fs::FileSystem>& files, const cache_options& options) {
    freehold::disk_tier_options of_disk;
    of_disk.folder = options.disk;
    of_disk.capacity = options.disk_capacity;
    of_disk.line_size = std::gcd(options.line_size, std::size_t{1} << 20);
    of_disk.threads = options.threads;
    // For as many requests at once as there are threads, and for what is being written.
    of_disk.write_buffers = std::max(of_disk.write_buffers,
                                     (options.threads + 2) * options.line_size / of_disk.line_size);
    of_disk.shared = true;
    return std::make_unique<freehold::disk_tier<freehold::arrow_source>>(make_store(files, options),
                                                                         of_disk);
}

inline arrow::Result<node_cache*> node_cache::make(
    const std::shared_ptr<arrow::fs::FileSystem>& files, const cache_options& options) {
    using result = arrow::Result<node_cache*>;
    return freehold::detail::result_of<result>([&]() -> result {
        freehold::line_cache_options of_lines;
        of_lines.capacity = options.capacity;
        of_lines.line_size = options.line_size;
        of_lines.prefetch = options.prefetch;
        of_lines.reserve = options.reserve;
        of_lines.prefault = options.reserve != 0;
        of_lines.in_children = true;  // arrays in lines stay readable in a child of fork
        of_lines.when_full = freehold::line_cache_options::full::wait;
        of_lines.name = "freehold_arrow";
        const auto over = [&]<class Source>(std::unique_ptr<Source> source) {
            return std::make_unique<cache_over<Source>>(std::move(source), of_lines,
                                                        options.current_versions)
                .release();
        };
        if (options.disk.empty()) return over(make_store(files, options));
        return over(make_tier(files, options));
    });
}

}  // namespace freehold_arrow
