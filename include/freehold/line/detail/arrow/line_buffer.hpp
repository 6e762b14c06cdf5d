// SPDX-License-Identifier: BSL-1.0
// An arrow::Buffer over bytes of a line, or of adjacent lines. It holds the lines, so the bytes
// stay where they are until the last reference to the buffer is dropped.
#pragma once

#include <freehold/config.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <arrow/buffer.h>

namespace freehold::inline FREEHOLD_ABI::detail {

template <class Held>
class line_buffer final : public arrow::Buffer {
public:
    // `bytes` are bytes of `held`.
    line_buffer(Held held, std::span<const std::byte> bytes) noexcept
        : arrow::Buffer(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                        static_cast<std::int64_t>(bytes.size())),
          held_(std::move(held)) {}

private:
    const Held held_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
