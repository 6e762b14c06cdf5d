// SPDX-License-Identifier: BSL-1.0
// The operands of x86-64 instructions in AT&T's syntax, as objdump prints them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

/// Splits operands: `0x8(%rax,%rcx,8),%rdx` has two.
std::vector<std::string_view> split_operands(std::string_view text);

struct machine_register {
    std::string name;  ///< the same for all sizes: `rax` for %al, `mm0` for %xmm0 and %ymm0
    std::uint64_t bytes;
};

/// Returns none if the operand is not a register.
std::optional<machine_register> read_register(std::string_view operand);

/// An address such as `0x8(%rax,%rcx,4)`. Absent parts have empty names.
struct memory_address {
    std::string base;
    std::string index;
    std::uint64_t scale = 1;
    std::string_view displacement;
};

memory_address read_address(std::string_view memory);

/// Reads digits with or without `0x`.
std::optional<std::uint64_t> read_hexadecimal(std::string_view digits);

/// Reads an operand such as `$0x10`.
std::optional<std::uint64_t> read_immediate(std::string_view operand);

}  // namespace lab
