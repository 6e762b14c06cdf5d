// SPDX-License-Identifier: BSL-1.0
// Counts how many bytes of an address range are on huge pages, as the kernel reports it in
// /proc/self/smaps.
//
// The kernel counts for each of its mappings. If a mapping extends beyond the range, the class
// counts only what cannot be outside. So the result is never too large. It is exact if the range
// consists of whole mappings.
// Source: Documentation/filesystems/proc.rst of Linux.
#pragma once

#include <freehold/config.hpp>

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace freehold::inline FREEHOLD_ABI::detail {

class huge_page_census {
public:
    huge_page_census(std::uintptr_t begin, std::uintptr_t end) noexcept
        : begin_(begin), end_(end) {}

    [[nodiscard]] std::size_t count(std::FILE* smaps) noexcept {
        // The name of a mapped file may be longer than the buffer. The rest of such a line is
        // skipped.
        std::array<char, 512> line;
        bool at_line_start = true;
        while (std::fgets(line.data(), static_cast<int>(line.size()), smaps) != nullptr) {
            if (at_line_start) read(line.data());
            at_line_start = std::strchr(line.data(), '\n') != nullptr;
        }
        finish_mapping();
        return counted_;
    }

private:
    // `7f12a0000000-7f12a0800000 rw-p ...` begins a mapping. `AnonHugePages:   8192 kB` describes
    // it.
    void read(const char* line) noexcept {
        std::uintptr_t begin = 0;
        std::uintptr_t end = 0;
        std::size_t kibibytes = 0;
        if (std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &begin, &end) == 2) {
            finish_mapping();
            mapping_begin_ = begin;
            mapping_end_ = end;
        } else if (std::sscanf(line, "AnonHugePages: %zu kB", &kibibytes) == 1 ||
                   std::sscanf(line, "Private_Hugetlb: %zu kB", &kibibytes) == 1) {
            huge_ += kibibytes * 1024;
        }
    }

    void finish_mapping() noexcept {
        const std::uintptr_t begin = std::max(begin_, mapping_begin_);
        const std::uintptr_t end = std::min(end_, mapping_end_);
        if (begin < end) {
            const std::size_t outside = (mapping_end_ - mapping_begin_) - (end - begin);
            counted_ += huge_ - std::min(huge_, outside);
        }
        huge_ = 0;
        mapping_begin_ = mapping_end_ = 0;
    }

    std::uintptr_t begin_;
    std::uintptr_t end_;
    std::uintptr_t mapping_begin_ = 0;
    std::uintptr_t mapping_end_ = 0;
    std::size_t huge_ = 0;
    std::size_t counted_ = 0;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
