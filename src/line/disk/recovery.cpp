// SPDX-License-Identifier: BSL-1.0
// What a restart finds. The index is in memory alone, and is made from the headers of the slots.
// Each slot begins with the header of its line, which is written last, and erased first:
//
// | the process is killed | what is found |
// |---|---|
// | before the old header is erased | the old line |
// | before the new header is written | no line: the slot is free |
// | within the write of the header | no line, because its checksum is wrong |
// | afterwards | the new line; each chunk's checksum is verified when it is read |
//
// slot_file.hpp says what a loss of power leaves.
#include "line/disk/disk_core.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <span>
#include <vector>

namespace freehold::inline FREEHOLD_ABI::detail {

void disk_core::load() {
    struct found {
        std::uint64_t sequence;
        std::uint32_t slot;
    };
    std::vector<found> order;
    const std::span<std::byte> header(header_.get(), file_.header_size());
    for (std::uint32_t slot = 0; slot != file_.used_slots(); ++slot) {
        const slot_header read = read_header(slot, header);
        if (read.is_whole()) {
            order.push_back({read.line().sequence, slot});
        } else {
            index_.give_back({slot});
        }
    }
    std::sort(order.begin(), order.end(),
              [](const found& a, const found& b) { return a.sequence < b.sequence; });
    std::size_t left = order.size();
    for (const found& each : order) {
        const slot_header read = read_header(each.slot, header);
        const bool is_old = left-- > file_.slots() / 10;
        if (read.is_whole()) {
            index_.insert(each.slot, read.line(), is_old);
            sequence_ = each.sequence;
        } else {
            index_.give_back({each.slot});
        }
    }
}

slot_header disk_core::read_header(std::uint32_t slot, std::span<std::byte> header) noexcept {
    const int error = file_.read_header(slot, header);
    if (error != 0 && error != ENODATA) counters_.failed_reads.add(1);
    return slot_header(error == 0 ? header : std::span<std::byte>(), slot, options_.line_size);
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
