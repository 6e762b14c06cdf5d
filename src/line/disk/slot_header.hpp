// SPDX-License-Identifier: BSL-1.0
// What precedes each line on the disk: which line it is, and the checksums of its content.
//
// | part | bytes |
// |---|---|
// | slot_prefix | 56, in the machine's byte order |
// | CRC-32C of each chunk of 64 KiB | 4 each |
// | the object's name, and its entity tag | as long as they are |
//
// The prefix holds a CRC-32C of all that follows it in the header. Chunks have checksums of their
// own, so that a reader gets the first bytes before the last ones are read.
#pragma once

#include <freehold/config.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace freehold::inline FREEHOLD_ABI::detail {

// Identifies a line, in memory and on the disk. Views are valid as long as what they were made of.
struct slot_line {
    std::string_view object;
    std::string_view entity_tag;
    std::uint64_t object_size = 0;
    std::uint64_t number = 0;    // of the line in the object
    std::uint64_t sequence = 0;  // grows with each write
    std::uint32_t content = 0;   // bytes of the line
};

class slot_header {
public:
    static constexpr std::size_t chunk_size = std::size_t{64} << 10;

    // The bytes that a header takes, with place for a long name.
    [[nodiscard]] static constexpr std::size_t size_for(std::size_t line_size) noexcept {
        constexpr std::size_t block = 4096, longest_names = 1536;
        const std::size_t most = sizeof(slot_prefix) + sums_size(line_size) + longest_names;
        return (most + block - 1) / block * block;
    }
    [[nodiscard]] static std::uint32_t chunks_of(std::size_t content) noexcept {
        return static_cast<std::uint32_t>((content + chunk_size - 1) / chunk_size);
    }
    // Whether the header has room for these names.
    [[nodiscard]] static bool fits(std::string_view object, std::string_view entity_tag,
                                   std::size_t line_size) noexcept;

    // Writes the header of a line for which fits() holds. Returns how many bytes it takes.
    static std::size_t encode(std::span<std::byte> to, std::uint32_t slot, const slot_line& line,
                              std::span<const std::byte> content) noexcept;

    // `bytes` must outlive the header.
    slot_header(std::span<const std::byte> bytes, std::uint32_t slot,
                std::size_t line_size) noexcept;

    // False if the bytes are not those of a header of this slot. Then the functions below must not
    // be called.
    [[nodiscard]] bool is_whole() const noexcept { return is_whole_; }
    [[nodiscard]] slot_line line() const noexcept;
    // Whether these are the bytes of that chunk.
    [[nodiscard]] bool is_chunk(std::size_t chunk, std::span<const std::byte> read) const noexcept;

private:
    struct slot_prefix {
        std::uint64_t magic = 0x31'64'6c'6f'68'65'65'72;  // "reehold1" on the disk
        std::uint32_t sum = 0;                            // of the header from `used` on
        std::uint32_t used = 0;                           // bytes of the header
        std::uint32_t slot = 0;
        std::uint32_t content = 0;
        std::uint64_t object_size = 0;
        std::uint64_t number = 0;
        std::uint64_t sequence = 0;
        std::uint32_t object_length = 0;
        std::uint32_t tag_length = 0;
    };
    static constexpr std::size_t covered_from = offsetof(slot_prefix, used);

    [[nodiscard]] static constexpr std::size_t sums_size(std::size_t content) noexcept {
        return (content + chunk_size - 1) / chunk_size * sizeof(std::uint32_t);
    }
    [[nodiscard]] bool has_right_lengths() const noexcept;

    std::span<const std::byte> bytes_;
    slot_prefix prefix_;
    bool is_whole_ = false;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
