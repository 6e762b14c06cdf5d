// SPDX-License-Identifier: BSL-1.0
// The read of lines that a guest asked for, in the owner. It drops the bytes that arrive: the tier
// puts the lines on the disk, and the guest reads them there. Used by one thread at a time. Throws
// std::bad_alloc.
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/detail/disk/disk_core.hpp>
#include <freehold/line/detail/disk/node_messages.hpp>
#include <freehold/line/detail/disk/node_server.hpp>
#include <freehold/line/line_source.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>

namespace freehold::inline FREEHOLD_ABI::detail {

class kept_read final : public line_read {
public:
    kept_read(disk_core& core, const node_call& call)
        : line_read(std::string(call.object), call.question.number * core.options().line_size,
                    lines(core, call) * core.options().line_size, std::string(call.entity_tag)),
          call_(call) {}

    bool begin(const object_info& object) noexcept override {
        try {
            left_ = static_cast<std::size_t>(std::min(size(), object.size - offset()));
            bytes_ = unzeroed_bytes(left_);
            at_ = bytes_.get();
        } catch (...) {
            left_ = 0;
            return false;
        }
        return wanted();
    }
    std::span<std::byte> room() noexcept override { return {at_, left_}; }
    bool arrived(std::size_t bytes) noexcept override {
        at_ += bytes;
        left_ -= bytes;
        return wanted();
    }
    [[nodiscard]] bool wanted() const noexcept override { return call_.is_wanted(); }
    // answer() looks for the line in any case.
    void finish() noexcept override {}
    void fail(std::exception_ptr /*why*/) noexcept override {}

private:
    [[nodiscard]] static std::uint64_t lines(disk_core& core, const node_call& call) noexcept {
        const std::uint64_t first = call.question.number;
        const std::uint64_t end = core.next(call.object, call.entity_tag, first, call.question.end);
        return std::clamp<std::uint64_t>(end - first, 1, core.options().write_buffers);
    }

    const node_call& call_;
    std::unique_ptr<std::byte[]> bytes_;
    std::byte* at_ = nullptr;
    std::size_t left_ = 0;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
