// SPDX-License-Identifier: BSL-1.0
#include "line/disk/slot_header.hpp"

#include "line/disk/crc32c.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace freehold::inline FREEHOLD_ABI::detail {

bool slot_header::fits(std::string_view object, std::string_view entity_tag,
                       std::size_t line_size) noexcept {
    const std::size_t room = size_for(line_size) - sizeof(slot_prefix) - sums_size(line_size);
    return object.size() <= room && entity_tag.size() <= room - object.size();
}

std::size_t slot_header::encode(std::span<std::byte> to, std::uint32_t slot, const slot_line& line,
                                std::span<const std::byte> content) noexcept {
    slot_prefix prefix;
    prefix.slot = slot;
    prefix.content = line.content;
    prefix.object_size = line.object_size;
    prefix.number = line.number;
    prefix.sequence = line.sequence;
    prefix.object_length = static_cast<std::uint32_t>(line.object.size());
    prefix.tag_length = static_cast<std::uint32_t>(line.entity_tag.size());
    std::size_t end = sizeof(slot_prefix);
    const auto append = [&](const void* bytes, std::size_t size) {
        std::memcpy(to.data() + end, bytes, size);
        end += size;
    };
    for (std::size_t at = 0; at < content.size(); at += chunk_size) {
        const std::uint32_t sum =
            crc32c(content.subspan(at, std::min(chunk_size, content.size() - at)));
        append(&sum, sizeof sum);
    }
    append(line.object.data(), line.object.size());
    append(line.entity_tag.data(), line.entity_tag.size());
    prefix.used = static_cast<std::uint32_t>(end);
    std::memcpy(to.data(), &prefix, sizeof prefix);
    prefix.sum = crc32c(to.subspan(covered_from, end - covered_from));
    std::memcpy(to.data(), &prefix, sizeof prefix);
    return end;
}

slot_header::slot_header(std::span<const std::byte> bytes, std::uint32_t slot,
                         std::size_t line_size) noexcept
    : bytes_(bytes) {
    if (bytes.size() < sizeof(slot_prefix)) return;
    std::memcpy(&prefix_, bytes.data(), sizeof prefix_);
    is_whole_ = prefix_.magic == slot_prefix().magic && prefix_.slot == slot &&
                prefix_.content != 0 && prefix_.content <= line_size && has_right_lengths() &&
                prefix_.sum == crc32c(bytes.subspan(covered_from, prefix_.used - covered_from));
}

slot_line slot_header::line() const noexcept {
    const auto* const names = reinterpret_cast<const char*>(bytes_.data() + sizeof(slot_prefix) +
                                                            sums_size(prefix_.content));
    return {{names, prefix_.object_length},
            {names + prefix_.object_length, prefix_.tag_length},
            prefix_.object_size,
            prefix_.number,
            prefix_.sequence,
            prefix_.content};
}

bool slot_header::is_chunk(std::size_t chunk, std::span<const std::byte> read) const noexcept {
    std::uint32_t sum = 0;
    std::memcpy(&sum, bytes_.data() + sizeof(slot_prefix) + chunk * sizeof sum, sizeof sum);
    return sum == crc32c(read);
}

bool slot_header::has_right_lengths() const noexcept {
    return prefix_.used <= bytes_.size() &&
           prefix_.used == sizeof(slot_prefix) + sums_size(prefix_.content) +
                               std::uint64_t{prefix_.object_length} + prefix_.tag_length;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
