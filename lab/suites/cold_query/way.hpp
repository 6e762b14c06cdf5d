// SPDX-License-Identifier: BSL-1.0
// What the queries read through, and how the engine is told.
#pragma once

#include "runner/subject.hpp"

#include <array>
#include <cstddef>

namespace lab::cold_query {

struct way {
    identity is;
    /// The engine's word for it; empty: the Python program reads.
    const char* filesystem;
    bool pre_buffer = false;
    std::size_t line_size = 0;  // bytes; 0: there is no cache
    unsigned coalesce = 1;      // lines of a request

    [[nodiscard]] bool is_local() const { return is.family == family::lower_bound; }
    /// Whether its usage over time is measured: by the engine alone.
    [[nodiscard]] bool has_course() const { return *filesystem != '\0'; }
    [[nodiscard]] bool has_disk() const { return filesystem == disk; }

    static constexpr const char* disk = "freehold_disk";
};

inline constexpr std::size_t small_line = std::size_t{256} << 10;
inline constexpr std::size_t large_line = std::size_t{8} << 20;

inline constexpr std::array<way, 8> ways = {{
    {{.name = "lower bound", .family = family::lower_bound, .order = 8}, "local"},
    {{.name = "freehold::arrow_filesystem", .family = family::freehold, .order = 30},
     "freehold",
     true,
     small_line,
     32},
    {{.name = "freehold::arrow_filesystem, lines of 8 MiB",
      .family = family::freehold,
      .order = 31},
     "freehold",
     false,
     large_line},
    {{.name = "freehold::arrow_filesystem, disk tier", .family = family::freehold, .order = 32},
     way::disk,
     true,
     small_line,
     32},
    {{.name = "freehold::arrow_filesystem, fresh memory", .family = family::freehold, .order = 33},
     "freehold_fresh",
     true,
     small_line,
     32},
    {{.name = "arrow::S3FileSystem", .family = family::other, .order = 30}, "arrow_s3"},
    {{.name = "arrow::S3FileSystem, pre_buffer", .family = family::other, .order = 31},
     "arrow_s3",
     true},
    {{.name = "s3fs", .family = family::other, .order = 32}, "", true},
}};

}  // namespace lab::cold_query
