// SPDX-License-Identifier: BSL-1.0
#include "probes/operands.hpp"

#include <array>
#include <charconv>
#include <system_error>

namespace lab {

std::vector<std::string_view> split_operands(std::string_view text) {
    std::vector<std::string_view> found;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i == text.size() || (text[i] == ',' && depth == 0)) {
            if (i > begin) found.push_back(text.substr(begin, i - begin));
            begin = i + 1;
        } else if (text[i] == '(') {
            ++depth;
        } else if (text[i] == ')') {
            --depth;
        }
    }
    return found;
}

std::optional<machine_register> read_register(std::string_view operand) {
    if (!operand.starts_with('%')) return std::nullopt;
    const std::string name(operand.substr(1));
    if (name.size() > 3 && name.substr(1, 2) == "mm") {
        return machine_register{name.substr(1), name[0] == 'x' ? 16U : name[0] == 'y' ? 32U : 64U};
    }
    constexpr std::array<std::array<std::string_view, 5>, 8> first = {{
        {"rax", "eax", "ax", "al", "ah"},
        {"rbx", "ebx", "bx", "bl", "bh"},
        {"rcx", "ecx", "cx", "cl", "ch"},
        {"rdx", "edx", "dx", "dl", "dh"},
        {"rsi", "esi", "si", "sil", ""},
        {"rdi", "edi", "di", "dil", ""},
        {"rbp", "ebp", "bp", "bpl", ""},
        {"rsp", "esp", "sp", "spl", ""},
    }};
    constexpr std::array<std::uint64_t, 5> sizes = {8, 4, 2, 1, 1};
    for (const auto& forms : first) {
        for (std::size_t i = 0; i < forms.size(); ++i) {
            if (name == forms[i]) return machine_register{std::string(forms[0]), sizes[i]};
        }
    }
    if (name.size() < 2 || name[0] != 'r' || name[1] < '0' || name[1] > '9') return std::nullopt;
    const std::size_t digits_end = name.find_last_of("0123456789") + 1;
    const char size = digits_end < name.size() ? name[digits_end] : 'q';
    return machine_register{name.substr(0, digits_end), size == 'q'   ? 8U
                                                        : size == 'd' ? 4U
                                                        : size == 'w' ? 2U
                                                                      : 1U};
}

memory_address read_address(std::string_view memory) {
    const std::size_t open = memory.find('(');
    memory_address read;
    read.displacement = memory.substr(0, open);
    std::string_view inside = memory.substr(open + 1);
    inside = inside.substr(0, inside.find(')'));
    std::vector<std::string_view> parts = split_operands(inside);
    if (inside.starts_with(',')) parts.insert(parts.begin(), "");
    const auto name_of = [](std::string_view operand) {
        const std::optional<machine_register> found = read_register(operand);
        return found ? found->name : "";
    };
    if (!parts.empty()) read.base = name_of(parts[0]);
    if (parts.size() > 1) read.index = name_of(parts[1]);
    if (parts.size() > 2) read.scale = static_cast<std::uint64_t>(parts[2][0] - '0');
    return read;
}

std::optional<std::uint64_t> read_hexadecimal(std::string_view digits) {
    if (digits.starts_with("0x")) digits.remove_prefix(2);
    std::uint64_t value = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return value;
}

std::optional<std::uint64_t> read_immediate(std::string_view operand) {
    return operand.starts_with('$') ? read_hexadecimal(operand.substr(1)) : std::nullopt;
}

}  // namespace lab
