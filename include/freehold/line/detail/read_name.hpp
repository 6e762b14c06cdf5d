// SPDX-License-Identifier: BSL-1.0
// How messages name the bytes that a line_read asks for. Allocates.
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/line_source.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace freehold::inline FREEHOLD_ABI::detail {

// "object 'a/b', bytes 0-8388607". The last byte is included, as in an HTTP range.
inline std::string read_name(const line_read& read) {
    std::string name = "object '" + std::string(read.object()) + "'";
    if (read.size() == 0) return name;
    const std::uint64_t last = read.offset() + read.size() - 1;
    return name + ", bytes " + std::to_string(read.offset()) + "-" + std::to_string(last);
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
