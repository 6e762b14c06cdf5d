// SPDX-License-Identifier: BSL-1.0
// An arrow::Buffer over bytes of a line. It holds the line, so the bytes stay where they are until
// the last reference to the buffer is dropped.
#pragma once

#include <freehold/cache/line.hpp>
#include <freehold/config.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <arrow/buffer.h>

namespace freehold::inline FREEHOLD_ABI::detail {

class line_buffer final : public arrow::Buffer {
public:
    // `bytes` are bytes of `held`.
    line_buffer(line held, std::span<const std::byte> bytes) noexcept
        : arrow::Buffer(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                        static_cast<std::int64_t>(bytes.size())),
          held_(std::move(held)) {}

private:
    const line held_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
