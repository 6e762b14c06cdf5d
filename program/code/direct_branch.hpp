// SPDX-License-Identifier: BSL-1.0
// Which code a direct call or jump of x86-64 reaches.
#pragma once

#include <cstdint>
#include <optional>

#include <libelf.h>

namespace freehold {

inline constexpr std::uint64_t branch_bytes = 5;

/// Returns the address that the call or jump at `address` reaches, or no value if there is none
/// with a distance of 32 bits.
[[nodiscard]] std::optional<std::uint64_t> branch_target(Elf* file, std::uint64_t address);

}  // namespace freehold
