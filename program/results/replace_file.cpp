// SPDX-License-Identifier: BSL-1.0
#include "results/replace_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace freehold {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, int error) {
    throw file_error(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(error)));
}

/// The new file beside the output. The destructor removes it unless it was renamed.
class temporary_file {
public:
    temporary_file(const fs::path& target, const fs::path& shown)
        : name_(target.string() + ".XXXXXX"), shown_(shown) {
        descriptor_ = ::mkostemp(name_.data(), O_CLOEXEC);
        if (descriptor_ < 0) fail(shown_, errno);
    }
    temporary_file(const temporary_file&) = delete;
    temporary_file& operator=(const temporary_file&) = delete;
    ~temporary_file() {
        if (descriptor_ >= 0) ::close(descriptor_);
        if (!renamed_) ::unlink(name_.c_str());
    }

    void write(std::string_view contents, mode_t mode) {
        while (!contents.empty()) {
            const ssize_t written = ::write(descriptor_, contents.data(), contents.size());
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) fail(shown_, errno);
            contents.remove_prefix(static_cast<std::size_t>(written));
        }
        if (::fchmod(descriptor_, mode) != 0 || ::fsync(descriptor_) != 0) fail(shown_, errno);
    }

    void rename_to(const fs::path& target) {
        const int closed = ::close(descriptor_);
        descriptor_ = -1;
        if (closed != 0 || ::rename(name_.c_str(), target.c_str()) != 0) fail(shown_, errno);
        renamed_ = true;
    }

private:
    std::string name_;
    fs::path shown_;  // the name that the user gave
    int descriptor_ = -1;
    bool renamed_ = false;
};

mode_t permissions_of_a_new_file() {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
}

/// Without this call, a power failure can undo the rename. Some file systems do not support it.
/// That is not an error, because the file is complete in both cases.
void synchronise_directory(const fs::path& target) {
    const fs::path directory = target.has_parent_path() ? target.parent_path() : fs::path(".");
    const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    ::fsync(descriptor);
    ::close(descriptor);
}

struct replaced_file {
    fs::path path;
    mode_t mode;
};

/// Throws file_error if the output exists and must not be replaced.
replaced_file target_of(const fs::path& path) {
    std::error_code unresolved;
    const fs::path resolved = fs::canonical(path, unresolved);
    replaced_file target{unresolved ? path : resolved, permissions_of_a_new_file()};

    struct stat existing {};
    if (::stat(target.path.c_str(), &existing) == 0) {
        if (S_ISDIR(existing.st_mode)) fail(path, EISDIR);
        if (!S_ISREG(existing.st_mode))
            throw file_error(
                fmt::format("{}: is not a plain file, and was not changed", path.string()));
        if (::faccessat(AT_FDCWD, target.path.c_str(), W_OK, AT_EACCESS) != 0) fail(path, errno);
        target.mode = existing.st_mode & 0777;
    }
    return target;
}

}  // namespace

void require_replaceable(const fs::path& path) {
    const temporary_file removed(target_of(path).path, path);
}

void replace_file(const fs::path& path, std::string_view contents) {
    const replaced_file target = target_of(path);
    temporary_file file(target.path, path);
    file.write(contents, target.mode);
    file.rename_to(target.path);
    synchronise_directory(target.path);
}

}  // namespace freehold
