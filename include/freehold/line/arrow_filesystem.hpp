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
#include <freehold/line/line_cache.hpp>

#include <cstdint>
#include <memory>
#include <string>

#include <arrow/filesystem/filesystem.h>
#include <arrow/io/interfaces.h>
#include <arrow/io/type_fwd.h>
#include <arrow/result.h>
#include <arrow/status.h>

namespace freehold::inline FREEHOLD_ABI {

// How an any_arrow_filesystem opens files.
struct arrow_filesystem_options {
    // Whether reads of its files are a reason to keep lines.
    access how = access::again;
    // If true, each opening asks the source for the version that it has now, and drops lines of
    // another version, or all lines if the source has no entity tags.
    bool current_versions = false;
};

// A file system over a cache whatever the type of its source. It is the base of arrow_filesystem.
class __attribute__((visibility("default"))) any_arrow_filesystem : public arrow::fs::FileSystem {
public:
    // Shares the cache. Files get this context.
    explicit any_arrow_filesystem(
        std::shared_ptr<any_line_cache> cache,
        const arrow::io::IOContext& context = arrow::io::default_io_context(),
        arrow_filesystem_options options = {});
    // The cache must outlive the file system and its files.
    explicit any_arrow_filesystem(
        any_line_cache& cache,
        const arrow::io::IOContext& context = arrow::io::default_io_context(),
        arrow_filesystem_options options = {});

    // The name by which Arrow knows this kind of file system.
    [[nodiscard]] std::string type_name() const override { return "freehold"; }
    // Whether both read through the same cache.
    using arrow::fs::FileSystem::Equals;
    [[nodiscard]] bool Equals(const arrow::fs::FileSystem& other) const override;

    using arrow::fs::FileSystem::GetFileInfo;
    // The modification time is not known.
    arrow::Result<arrow::fs::FileInfo> GetFileInfo(const std::string& path) override;
    // NotImplemented, because a cache cannot list objects.
    arrow::Result<arrow::fs::FileInfoVector> GetFileInfo(
        const arrow::fs::FileSelector& selector) override;

    using arrow::fs::FileSystem::OpenInputFile;
    // Returns an arrow_file. Its statistics are those of the file system.
    arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenInputFile(
        const std::string& path) override;
    using arrow::fs::FileSystem::OpenInputStream;
    // The same.
    arrow::Result<std::shared_ptr<arrow::io::InputStream>> OpenInputStream(
        const std::string& path) override;

    // What all files of this file system have read.
    [[nodiscard]] arrow_file_statistics statistics() const noexcept;

    // NotImplemented, because a cache only reads.
    using arrow::fs::FileSystem::CreateDir;
    arrow::Status CreateDir(const std::string& path, bool) override;
    arrow::Status DeleteDir(const std::string& path) override;
    using arrow::fs::FileSystem::DeleteDirContents;
    arrow::Status DeleteDirContents(const std::string& path, bool) override;
    arrow::Status DeleteRootDirContents() override { return lacks("delete all objects"); }
    arrow::Status DeleteFile(const std::string& path) override;
    arrow::Status Move(const std::string& from, const std::string& to) override;
    arrow::Status CopyFile(const std::string& from, const std::string& to) override;
    using arrow::fs::FileSystem::OpenOutputStream;
    arrow::Result<std::shared_ptr<arrow::io::OutputStream>> OpenOutputStream(
        const std::string& path, const std::shared_ptr<const arrow::KeyValueMetadata>&) override;
    using arrow::fs::FileSystem::OpenAppendStream;
    arrow::Result<std::shared_ptr<arrow::io::OutputStream>> OpenAppendStream(
        const std::string& path, const std::shared_ptr<const arrow::KeyValueMetadata>&) override;

private:
    [[nodiscard]] arrow::Result<std::shared_ptr<any_arrow_file>> open(const std::string& path);
    [[nodiscard]] static arrow::Status lacks(const std::string& what);

    const std::shared_ptr<any_line_cache> cache_;
    const arrow_filesystem_options options_;
    const std::uint32_t forks_before_ = detail::forks_so_far();
    const std::shared_ptr<detail::read_counters> counters_;
};

template <class Cache = any_line_cache>
class arrow_filesystem final : public any_arrow_filesystem {
public:
    using any_arrow_filesystem::any_arrow_filesystem;
};

template <class Cache, class... Others>
arrow_filesystem(std::shared_ptr<Cache>, Others...) -> arrow_filesystem<Cache>;
template <class Cache, class... Others>
arrow_filesystem(Cache&, Others...) -> arrow_filesystem<Cache>;

}  // namespace freehold::inline FREEHOLD_ABI
