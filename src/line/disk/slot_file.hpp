// SPDX-License-Identifier: BSL-1.0
// The file of a disk_tier: slots of one size, each with a header and the content of a line.
//
// A write first erases the slot's header, then writes the content, then the header. So a process
// that is killed leaves a slot that is empty or whole. After a loss of power the blocks may be of
// any age; then checksums find what is not whole. So nothing calls fsync.
//
// The file's name contains the line's size, so a header is never looked for where content was
// written. The folder is locked by flock, because two processes would overwrite each other's slots.
// A process without the lock may read: checksums find what is overwritten meanwhile.
//
// Slots may be read and written by several threads at once, but not the same slot by two of them.
#pragma once

#include <freehold/config.hpp>

#include "line/descriptor.hpp"
#include "line/disk/slot_header.hpp"
#include "line/unforked_descriptor.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace freehold::inline FREEHOLD_ABI::detail {

// Another tier has the folder's lock.
class folder_in_use : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

class slot_file {
public:
    // Never fails because of the disk: fault() then says why the file is not read or not written.
    // A capacity of 0 makes a file that is only read, without the lock, and of which no slot is
    // known. Otherwise throws folder_in_use if another tier has the folder's lock.
    slot_file(const std::filesystem::path& folder, std::size_t line_size, std::uint64_t capacity);

    [[nodiscard]] std::size_t header_size() const noexcept { return header_size_; }
    [[nodiscard]] std::uint32_t slots() const noexcept { return slots_; }
    // How many slots have been written to, by this process or by one before it.
    [[nodiscard]] std::uint32_t used_slots() const noexcept { return used_slots_; }
    [[nodiscard]] bool is_writable() const noexcept { return is_writable_; }
    [[nodiscard]] bool is_locked() const noexcept { return is_locked_; }
    // Empty if there is none.
    [[nodiscard]] const std::string& fault() const noexcept { return fault_; }

    // 0 or the errno. ENODATA: the file ends before all bytes.
    [[nodiscard]] int read_header(std::uint32_t slot, std::span<std::byte> to) const noexcept {
        return read(to, offset_of(slot));
    }
    [[nodiscard]] int read_content(std::uint32_t slot, std::span<std::byte> to,
                                   std::size_t from) const noexcept {
        return read(to, offset_of(slot) + header_size_ + from);
    }
    // Returns 0 or the errno. After a failure the slot is empty, as far as the disk allows it.
    [[nodiscard]] int write(std::uint32_t slot, std::span<const std::byte> header,
                            std::span<const std::byte> content) const noexcept;
    int erase(std::uint32_t slot) const noexcept {
        constexpr std::byte nothing[8] = {};
        return write(nothing, offset_of(slot));
    }

private:
    static constexpr const char* name_prefix = "freehold-lines-";
    static constexpr std::uint64_t most_slots = 0xFFFF'FFFE;

    [[nodiscard]] std::uint64_t offset_of(std::uint32_t slot) const noexcept {
        return slot * std::uint64_t{header_size_ + line_size_};
    }

    void lock(const std::filesystem::path& folder);

    bool open(const std::filesystem::path& path);

    void set_fault(const std::filesystem::path& path, const char* what, int error) {
        fault_ = "disk_tier: '" + path.string() + "' " + what + ": " +
                 std::generic_category().message(error);
    }

    // The lock's file contains the line size of the file beside it. If that is another one, the
    // file is removed, because nothing would read it again.
    void replace_file_of_other_size(const std::filesystem::path& folder) const;

    [[nodiscard]] int read(std::span<std::byte> to, std::uint64_t from) const noexcept;
    int write(std::span<const std::byte> bytes, std::uint64_t to) const noexcept;

    const std::size_t line_size_;
    const std::size_t header_size_;
    const std::uint32_t slots_;
    unforked_descriptor lock_;
    descriptor file_;
    std::uint32_t used_slots_ = 0;
    bool is_writable_ = false;
    bool is_locked_ = false;
    std::string fault_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
