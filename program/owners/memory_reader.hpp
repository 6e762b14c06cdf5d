// SPDX-License-Identifier: BSL-1.0
// Reads the memory of a process into an image.
//
// To pack pages takes several times as long as to read them. So a process is read twice: while it
// runs, and when it is stopped. Then only those pages are packed again whose checksums changed. The
// kernel could say which pages were written since, but not without taking this from programs that
// ask it for themselves.
#pragma once

#include "owners/memory_image.hpp"
#include "support/descriptor.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include <sys/types.h>

namespace freehold {

struct mapping;

class memory_reader {
public:
    /// Throws owners_error, with the remedy, if the kernel refuses it.
    memory_reader(pid_t process, memory_image& image);

    /// Reads ahead. The image is none of any one moment, until the process is read when stopped.
    void read_while_it_runs();
    /// Reads what the process can write or could write before, and what the system keeps for it. Of
    /// pages that changed since they were read ahead, `pages` of the image has the old form, too.
    void read_stopped();

private:
    void read_all();
    void read(const mapping& from, memory_segment& to);
    void read_used(memory_segment& to);
    void read(memory_segment& to, std::uint64_t begin, std::uint64_t end);
    /// Copies memory into the window, and returns how much. Of a process that is stopped that is
    /// all, and what cannot be read is 0.
    std::uint64_t copy(std::uint64_t begin, std::uint64_t size);
    /// Sets a page that was read ahead and is still the same. Returns whether it is.
    bool take_page(memory_segment& to, std::uint64_t address, std::uint64_t checksum) const;

    pid_t process_;
    memory_image& image_;
    support::descriptor memory_;
    support::descriptor used_pages_;
    bool is_stopped_ = false;
    std::uint64_t changed_until_ = 0;  // the last page that was not the same ends here
    std::vector<memory_segment> ahead_;
    // Of the pages of these segments. That of a page that was not read is 0.
    std::vector<sparse_array<std::uint64_t>> checksums_;
    std::array<std::uint64_t, 64 * words_of_page> window_{};
};

}  // namespace freehold
