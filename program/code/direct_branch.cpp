// SPDX-License-Identifier: BSL-1.0
#include "code/direct_branch.hpp"

#include <cstddef>
#include <cstring>

#include <gelf.h>

namespace freehold {
namespace {

/// Returns the place of code in the file, or no value if the address is not that of code.
std::optional<std::uint64_t> offset_of(Elf* file, std::uint64_t address) {
    std::size_t count = 0;
    if (file == nullptr || elf_getphdrnum(file, &count) != 0) return std::nullopt;
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr header;
        if (gelf_getphdr(file, static_cast<int>(i), &header) != nullptr &&
            header.p_type == PT_LOAD && (header.p_flags & PF_X) != 0 && address >= header.p_vaddr &&
            address - header.p_vaddr < header.p_filesz)
            return address - header.p_vaddr + header.p_offset;
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> branch_target(Elf* file, std::uint64_t address) {
    constexpr unsigned char call = 0xe8;
    constexpr unsigned char jump = 0xe9;
    const std::optional<std::uint64_t> offset = offset_of(file, address);
    if (!offset) return std::nullopt;
    const Elf_Data* const code =
        elf_getdata_rawchunk(file, static_cast<std::int64_t>(*offset), branch_bytes, ELF_T_BYTE);
    if (code == nullptr || code->d_size != branch_bytes) return std::nullopt;
    const auto* const bytes = static_cast<const unsigned char*>(code->d_buf);
    if (bytes[0] != call && bytes[0] != jump) return std::nullopt;
    std::int32_t distance = 0;
    std::memcpy(&distance, bytes + 1, sizeof distance);
    return address + branch_bytes + static_cast<std::uint64_t>(std::int64_t{distance});
}

}  // namespace freehold
