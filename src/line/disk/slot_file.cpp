// SPDX-License-Identifier: BSL-1.0
#include "line/disk/slot_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace freehold::inline FREEHOLD_ABI::detail {

slot_file::slot_file(const std::filesystem::path& folder, std::size_t line_size,
                     std::uint64_t capacity)
    : line_size_(line_size),
      header_size_(slot_header::size_for(line_size)),
      slots_(static_cast<std::uint32_t>(
          std::min<std::uint64_t>(capacity / (header_size_ + line_size), most_slots))) {
    if (capacity == 0) {
        const std::filesystem::path path = folder / (name_prefix + std::to_string(line_size));
        file_ = descriptor(path, O_RDONLY);
        if (!file_.is_open()) set_fault(path, "cannot be read", errno);
        return;
    }
    std::error_code ignored;
    std::filesystem::create_directories(folder, ignored);
    lock(folder);
    if (open(folder / (name_prefix + std::to_string(line_size)))) {
        replace_file_of_other_size(folder);
    }
}

int slot_file::write(std::uint32_t slot, std::span<const std::byte> header,
                     std::span<const std::byte> content) const noexcept {
    int error = erase(slot);
    if (error == 0) error = write(content, offset_of(slot) + header_size_);
    if (error == 0) error = write(header, offset_of(slot));
    if (error != 0) erase(slot);
    return error;
}

void slot_file::lock(const std::filesystem::path& folder) {
    const std::filesystem::path path = folder / "freehold-lock";
    lock_ = unforked_descriptor([&] {
        const int number = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        return number >= 0 ? number : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    });
    if (!lock_.is_open()) return;
    while (::flock(lock_.number(), LOCK_EX | LOCK_NB) != 0) {
        if (errno == EINTR) continue;
        if (errno != EWOULDBLOCK) return;
        throw folder_in_use(
            "disk_tier: the folder '" + folder.string() +
            "' is in use by another disk_tier, in this process or in another: give each a "
            "folder of its own, or end the other first");
    }
    is_locked_ = true;
}

bool slot_file::open(const std::filesystem::path& path) {
    file_ = descriptor(path, O_RDWR | O_CREAT);
    is_writable_ = file_.is_open();
    if (!is_writable_) {
        set_fault(path, "cannot be written", errno);
        file_ = descriptor(path, O_RDONLY);
    }
    struct stat status {};
    if (!file_.is_open() || ::fstat(file_.number(), &status) != 0 || !S_ISREG(status.st_mode)) {
        if (fault_.empty()) fault_ = "disk_tier: '" + path.string() + "' is no regular file";
        is_writable_ = false;
        return false;
    }
    const std::uint64_t stride = offset_of(1);
    const auto size = static_cast<std::uint64_t>(status.st_size);
    used_slots_ =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(slots_, (size + stride - 1) / stride));
    // What is beyond the capacity is returned to the file system.
    if (is_writable_ && size > slots_ * stride &&
        ::ftruncate(file_.number(), static_cast<off_t>(slots_ * stride)) != 0) {
        set_fault(path, "cannot be made smaller", errno);
    }
    return is_writable_;
}

void slot_file::replace_file_of_other_size(const std::filesystem::path& folder) const {
    std::array<char, 20> text;
    const ssize_t length = ::pread(lock_.number(), text.data(), text.size(), 0);
    const std::string before(text.data(), static_cast<std::size_t>(std::max<ssize_t>(0, length)));
    const std::string now = std::to_string(line_size_);
    if (before == now) return;
    const bool is_number =
        !before.empty() && before.find_first_not_of("0123456789") == std::string::npos;
    std::error_code ignored;
    if (is_number) std::filesystem::remove(folder / (name_prefix + before), ignored);
    // If this fails, a file of another size stays.
    if (::ftruncate(lock_.number(), 0) == 0) {
        static_cast<void>(::pwrite(lock_.number(), now.data(), now.size(), 0) == 0);
    }
}

int slot_file::read(std::span<std::byte> to, std::uint64_t from) const noexcept {
    while (!to.empty()) {
        const ssize_t bytes =
            ::pread(file_.number(), to.data(), to.size(), static_cast<off_t>(from));
        if (bytes < 0 && errno == EINTR) continue;
        if (bytes < 0) return errno;
        if (bytes == 0) return ENODATA;
        to = to.subspan(static_cast<std::size_t>(bytes));
        from += static_cast<std::uint64_t>(bytes);
    }
    return 0;
}

int slot_file::write(std::span<const std::byte> bytes, std::uint64_t to) const noexcept {
    while (!bytes.empty()) {
        const ssize_t written =
            ::pwrite(file_.number(), bytes.data(), bytes.size(), static_cast<off_t>(to));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        if (written == 0) return EIO;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
        to += static_cast<std::uint64_t>(written);
    }
    return 0;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
