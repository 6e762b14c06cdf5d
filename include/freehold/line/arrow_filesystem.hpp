// SPDX-License-Identifier: BSL-1.0
// What it is: an arrow::fs::FileSystem whose files are the objects of a line_cache. Link
// freehold::arrow.
// When to use it: for parts of Apache Arrow that take a file system and the paths of files, such as
// datasets that are made from a list of paths.
// When not: to list, write or delete. A line_cache knows only objects that are named to it, so
// those functions return NotImplemented.
// Example: `auto files = std::make_shared<freehold::arrow_filesystem<decltype(cache)>>(cache);`
//
// A path is the object's name as the source takes it. Each file is an arrow_file. Lines in the
// cache are served without asking the source whether the object has changed, unless
// options.current_versions is set.
//
// Units: bytes.
// Complexity: GetFileInfo and the opening of a file ask the cache, or else the source.
// Thread safety: all functions may be called by several threads at once.
// Exceptions: the constructor may throw std::bad_alloc. Other failures are an arrow::Status. An
// object that the source does not find is no failure of GetFileInfo, but has the type NotFound. In
// a child of fork, a file system that was made before opens no files.
// Ownership: shares the cache, or the cache must outlive the file system and its files.
// Source: Apache Arrow's FileSystem.
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/access.hpp>
#include <freehold/line/arrow_file.hpp>
#include <freehold/line/arrow_file_statistics.hpp>
#include <freehold/line/detail/arrow/made_before_fork.hpp>
#include <freehold/line/detail/arrow/read_counters.hpp>
#include <freehold/line/detail/arrow/status_of.hpp>
#include <freehold/line/line_source.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <arrow/filesystem/filesystem.h>
#include <arrow/io/interfaces.h>
#include <arrow/io/type_fwd.h>
#include <arrow/result.h>
#include <arrow/status.h>

namespace freehold::inline FREEHOLD_ABI {

// How an arrow_filesystem opens files.
struct arrow_filesystem_options {
    // Whether reads of its files are a reason to keep lines.
    access how = access::again;
    // If true, each opening asks the source for the version that it has now, and drops lines of
    // another version, or all lines if the source has no entity tags.
    bool current_versions = false;
};

template <class Cache>
class arrow_filesystem final : public arrow::fs::FileSystem {
public:
    // Shares the cache. Files get this context.
    explicit arrow_filesystem(std::shared_ptr<Cache> cache,
                              const arrow::io::IOContext& context = arrow::io::default_io_context(),
                              arrow_filesystem_options options = {})
        : arrow::fs::FileSystem(context), cache_(std::move(cache)), options_(options) {
        default_async_is_sync_ = false;  // the source may take long to answer
    }
    // The cache must outlive the file system and its files.
    explicit arrow_filesystem(Cache& cache,
                              const arrow::io::IOContext& context = arrow::io::default_io_context(),
                              arrow_filesystem_options options = {})
        : arrow_filesystem(std::shared_ptr<Cache>(std::shared_ptr<void>(), &cache), context,
                           options) {}

    // The name by which Arrow knows this kind of file system.
    [[nodiscard]] std::string type_name() const override { return "freehold"; }
    // Whether both read through the same cache.
    using arrow::fs::FileSystem::Equals;
    [[nodiscard]] bool Equals(const arrow::fs::FileSystem& other) const override {
        const auto* const same_kind = dynamic_cast<const arrow_filesystem*>(&other);
        return same_kind != nullptr && same_kind->cache_.get() == cache_.get();
    }

    using arrow::fs::FileSystem::GetFileInfo;
    // The modification time is not known.
    arrow::Result<arrow::fs::FileInfo> GetFileInfo(const std::string& path) override {
        using result = arrow::Result<arrow::fs::FileInfo>;
        return detail::result_of<result>([&]() -> result {
            if (made_before_fork_) return detail::status_in_child("object '" + path + "'");
            try {
                const object_info info = cache_->describe(path);
                arrow::fs::FileInfo found(path, arrow::fs::FileType::File);
                found.set_size(static_cast<std::int64_t>(info.size));
                return found;
            } catch (const source_error& error) {
                if (error.reason() != source_failure::not_found) throw;
                return arrow::fs::FileInfo(path, arrow::fs::FileType::NotFound);
            }
        });
    }
    // NotImplemented, because a cache cannot list objects.
    arrow::Result<arrow::fs::FileInfoVector> GetFileInfo(
        const arrow::fs::FileSelector& selector) override {
        return lacks("list '" + selector.base_dir + "'");
    }

    using arrow::fs::FileSystem::OpenInputFile;
    // Returns an arrow_file. Its statistics are those of the file system.
    arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenInputFile(
        const std::string& path) override {
        return open(path);
    }
    using arrow::fs::FileSystem::OpenInputStream;
    // The same.
    arrow::Result<std::shared_ptr<arrow::io::InputStream>> OpenInputStream(
        const std::string& path) override {
        return open(path);
    }

    // What all files of this file system have read.
    [[nodiscard]] arrow_file_statistics statistics() const noexcept { return counters_->read(); }

    // NotImplemented, because a cache only reads.
    using arrow::fs::FileSystem::CreateDir;
    arrow::Status CreateDir(const std::string& path, bool) override {
        return lacks("create '" + path + "'");
    }
    arrow::Status DeleteDir(const std::string& path) override {
        return lacks("delete '" + path + "'");
    }
    using arrow::fs::FileSystem::DeleteDirContents;
    arrow::Status DeleteDirContents(const std::string& path, bool) override {
        return lacks("delete the contents of '" + path + "'");
    }
    arrow::Status DeleteRootDirContents() override { return lacks("delete all objects"); }
    arrow::Status DeleteFile(const std::string& path) override {
        return lacks("delete '" + path + "'");
    }
    arrow::Status Move(const std::string& from, const std::string& to) override {
        return lacks("move '" + from + "' to '" + to + "'");
    }
    arrow::Status CopyFile(const std::string& from, const std::string& to) override {
        return lacks("copy '" + from + "' to '" + to + "'");
    }
    using arrow::fs::FileSystem::OpenOutputStream;
    arrow::Result<std::shared_ptr<arrow::io::OutputStream>> OpenOutputStream(
        const std::string& path, const std::shared_ptr<const arrow::KeyValueMetadata>&) override {
        return lacks("write '" + path + "'");
    }
    using arrow::fs::FileSystem::OpenAppendStream;
    arrow::Result<std::shared_ptr<arrow::io::OutputStream>> OpenAppendStream(
        const std::string& path, const std::shared_ptr<const arrow::KeyValueMetadata>&) override {
        return lacks("append to '" + path + "'");
    }

private:
    [[nodiscard]] arrow::Result<std::shared_ptr<arrow_file<Cache>>> open(const std::string& path) {
        using result = arrow::Result<std::shared_ptr<arrow_file<Cache>>>;
        return detail::result_of<result>([&]() -> result {
            if (made_before_fork_) return detail::status_in_child("object '" + path + "'");
            if (!options_.current_versions) {
                return arrow_file<Cache>::open_counted(cache_, path, io_context(), options_.how,
                                                       counters_, nullptr);
            }
            const object_info now = cache_->source().describe(path);
            cache_->invalidate(path, now.entity_tag);
            return arrow_file<Cache>::open_counted(cache_, path, io_context(), options_.how,
                                                   counters_, &now);
        });
    }
    [[nodiscard]] static arrow::Status lacks(const std::string& what) {
        return arrow::Status::NotImplemented("arrow_filesystem cannot ", what,
                                             ": it reads objects that are named to it");
    }

    const std::shared_ptr<Cache> cache_;
    const arrow_filesystem_options options_;
    const detail::made_before_fork made_before_fork_;
    const std::shared_ptr<detail::read_counters> counters_ =
        std::make_shared<detail::read_counters>();
};

}  // namespace freehold::inline FREEHOLD_ABI
