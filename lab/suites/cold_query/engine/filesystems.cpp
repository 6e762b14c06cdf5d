// SPDX-License-Identifier: BSL-1.0
#include "suites/cold_query/engine/filesystems.hpp"

#include <freehold/line/arrow_filesystem.hpp>
#include <freehold/line/disk_tier.hpp>
#include <freehold/line/line_cache.hpp>
#include <freehold/line/s3_source.hpp>

#include "suites/cold_query/engine/checked.hpp"
#include "suites/cold_query/engine/fresh_memory.hpp"

#include <stdexcept>

#include <arrow/filesystem/localfs.h>
#include <arrow/filesystem/s3fs.h>

namespace lab::cold_query {
namespace {

constexpr const char* region = "us-east-1";

class local final : public measured_filesystem {
public:
    explicit local(const filesystem_settings& settings) : folder_(settings.bucket + '/') {}
    std::shared_ptr<arrow::fs::FileSystem> get() override { return files_; }
    std::string prefix() const override { return folder_; }

private:
    const std::string folder_;
    const std::shared_ptr<arrow::fs::LocalFileSystem> files_ =
        std::make_shared<arrow::fs::LocalFileSystem>();
};

class arrow_s3 final : public measured_filesystem {
public:
    explicit arrow_s3(const filesystem_settings& settings) : bucket_(settings.bucket + '/') {
        check(arrow::fs::EnsureS3Initialized());
        arrow::fs::S3Options options = arrow::fs::S3Options::Defaults();
        options.region = region;
        const std::size_t host = settings.endpoint.find("://");
        options.scheme = settings.endpoint.substr(0, host);
        options.endpoint_override = settings.endpoint.substr(host + 3);
        files_ = checked(arrow::fs::S3FileSystem::Make(options));
    }
    ~arrow_s3() override {
        files_.reset();
        static_cast<void>(arrow::fs::EnsureS3Finalized());
    }
    std::shared_ptr<arrow::fs::FileSystem> get() override { return files_; }
    std::string prefix() const override { return bucket_; }

private:
    const std::string bucket_;
    std::shared_ptr<arrow::fs::S3FileSystem> files_;
};

freehold::s3_options s3_options(const filesystem_settings& settings) {
    freehold::s3_options options;
    options.endpoint = settings.endpoint;
    options.region = region;
    options.bucket = settings.bucket;
    return options;
}

/// What a line_cache reads from: the store, and what is in front of it.
struct plain_store {
    explicit plain_store(const filesystem_settings& settings) : source(s3_options(settings)) {}
    freehold::s3_source source;
    freehold::s3_source& front() { return source; }
    void flush() {}
};

struct store_with_disk {
    explicit store_with_disk(const filesystem_settings& settings)
        : source(s3_options(settings)),
          tier(source, {.folder = settings.disk_folder,
                        .capacity = settings.capacity + settings.capacity / 4,
                        .line_size = settings.line_size}) {
        if (!tier.fault().empty()) throw std::runtime_error(tier.fault());
    }
    freehold::s3_source source;
    freehold::disk_tier<freehold::s3_source> tier;
    auto& front() { return tier; }
    void flush() { tier.flush(); }
};

struct store_with_fresh_memory {
    explicit store_with_fresh_memory(const filesystem_settings& settings)
        : source(s3_options(settings)), fresh(source) {}
    freehold::s3_source source;
    fresh_memory<freehold::s3_source> fresh;
    auto& front() { return fresh; }
    void flush() {}
};

template <class Store>
class cached final : public measured_filesystem {
public:
    explicit cached(const filesystem_settings& settings)
        : store_(settings), cache_(store_.front(), options_of(settings)) {}
    std::shared_ptr<arrow::fs::FileSystem> get() override { return files_; }
    counts counted() override {
        const freehold::arrow_file_statistics reads = files_->statistics();
        return {static_cast<double>(reads.bytes_pinned), static_cast<double>(reads.bytes_copied),
                static_cast<double>(cache_.statistics().most_bytes_held)};
    }
    void flush() override { store_.flush(); }

private:
    using front = std::remove_reference_t<decltype(std::declval<Store&>().front())>;
    using line_cache = freehold::line_cache<front>;

    static freehold::line_cache_options options_of(const filesystem_settings& settings) {
        return {.line_size = settings.line_size,
                .capacity = settings.capacity,
                .reserve = settings.capacity,
                .when_full = freehold::line_cache_options::full::wait,
                .coalesce = settings.coalesce,
                .prefault = true};
    }

    Store store_;
    line_cache cache_;
    std::shared_ptr<freehold::arrow_filesystem<line_cache>> files_ =
        std::make_shared<freehold::arrow_filesystem<line_cache>>(cache_);
};

}  // namespace

std::unique_ptr<measured_filesystem> make_filesystem(const filesystem_settings& settings) {
    if (settings.kind == "local") return std::make_unique<local>(settings);
    if (settings.kind == "arrow_s3") return std::make_unique<arrow_s3>(settings);
    if (settings.kind == "freehold") return std::make_unique<cached<plain_store>>(settings);
    if (settings.kind == "freehold_disk")
        return std::make_unique<cached<store_with_disk>>(settings);
    if (settings.kind == "freehold_fresh") {
        return std::make_unique<cached<store_with_fresh_memory>>(settings);
    }
    throw std::runtime_error("there is no file system '" + settings.kind + "'");
}

}  // namespace lab::cold_query
