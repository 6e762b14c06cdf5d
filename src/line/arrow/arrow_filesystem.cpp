// SPDX-License-Identifier: BSL-1.0
#include <freehold/line/arrow_filesystem.hpp>

#include "line/arrow/made_before_fork.hpp"
#include "line/arrow/read_counters.hpp"
#include "line/arrow/status_of.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {

any_arrow_filesystem::any_arrow_filesystem(std::shared_ptr<any_line_cache> cache,
                                           const arrow::io::IOContext& context,
                                           arrow_filesystem_options options)
    : arrow::fs::FileSystem(context),
      cache_(std::move(cache)),
      options_(options),
      counters_(std::make_shared<detail::read_counters>()) {
    default_async_is_sync_ = false;  // the source may take long to answer
}

any_arrow_filesystem::any_arrow_filesystem(any_line_cache& cache,
                                           const arrow::io::IOContext& context,
                                           arrow_filesystem_options options)
    : any_arrow_filesystem(std::shared_ptr<any_line_cache>(std::shared_ptr<void>(), &cache),
                           context, options) {}

bool any_arrow_filesystem::Equals(const arrow::fs::FileSystem& other) const {
    const auto* const same_kind = dynamic_cast<const any_arrow_filesystem*>(&other);
    return same_kind != nullptr && same_kind->cache_.get() == cache_.get();
}

arrow::Result<arrow::fs::FileInfo> any_arrow_filesystem::GetFileInfo(const std::string& path) {
    using result = arrow::Result<arrow::fs::FileInfo>;
    return detail::result_of<result>([&]() -> result {
        if (detail::has_forked_since(forks_before_))
            return detail::status_in_child("object '" + path + "'");
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

arrow::Result<arrow::fs::FileInfoVector> any_arrow_filesystem::GetFileInfo(
    const arrow::fs::FileSelector& selector) {
    return lacks("list '" + selector.base_dir + "'");
}

arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> any_arrow_filesystem::OpenInputFile(
    const std::string& path) {
    return open(path);
}

arrow::Result<std::shared_ptr<arrow::io::InputStream>> any_arrow_filesystem::OpenInputStream(
    const std::string& path) {
    return open(path);
}

arrow::Status any_arrow_filesystem::CreateDir(const std::string& path, bool) {
    return lacks("create '" + path + "'");
}

arrow::Status any_arrow_filesystem::DeleteDir(const std::string& path) {
    return lacks("delete '" + path + "'");
}

arrow::Status any_arrow_filesystem::DeleteDirContents(const std::string& path, bool) {
    return lacks("delete the contents of '" + path + "'");
}

arrow::Status any_arrow_filesystem::DeleteFile(const std::string& path) {
    return lacks("delete '" + path + "'");
}

arrow::Status any_arrow_filesystem::Move(const std::string& from, const std::string& to) {
    return lacks("move '" + from + "' to '" + to + "'");
}

arrow::Status any_arrow_filesystem::CopyFile(const std::string& from, const std::string& to) {
    return lacks("copy '" + from + "' to '" + to + "'");
}

arrow::Result<std::shared_ptr<arrow::io::OutputStream>> any_arrow_filesystem::OpenOutputStream(
    const std::string& path, const std::shared_ptr<const arrow::KeyValueMetadata>&) {
    return lacks("write '" + path + "'");
}

arrow::Result<std::shared_ptr<arrow::io::OutputStream>> any_arrow_filesystem::OpenAppendStream(
    const std::string& path, const std::shared_ptr<const arrow::KeyValueMetadata>&) {
    return lacks("append to '" + path + "'");
}

arrow::Result<std::shared_ptr<any_arrow_file>> any_arrow_filesystem::open(const std::string& path) {
    using result = arrow::Result<std::shared_ptr<any_arrow_file>>;
    return detail::result_of<result>([&]() -> result {
        if (detail::has_forked_since(forks_before_))
            return detail::status_in_child("object '" + path + "'");
        if (!options_.current_versions) {
            return any_arrow_file::open_counted(cache_, path, io_context(), options_.how, counters_,
                                                nullptr);
        }
        const object_info now = cache_->source().describe(path);
        cache_->invalidate(path, now.entity_tag);
        return any_arrow_file::open_counted(cache_, path, io_context(), options_.how, counters_,
                                            &now);
    });
}

arrow::Status any_arrow_filesystem::lacks(const std::string& what) {
    return arrow::Status::NotImplemented("arrow_filesystem cannot ", what,
                                         ": it reads objects that are named to it");
}

arrow_file_statistics any_arrow_filesystem::statistics() const noexcept {
    return counters_->read();
}

}  // namespace freehold::inline FREEHOLD_ABI
