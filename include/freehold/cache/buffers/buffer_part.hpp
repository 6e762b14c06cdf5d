// SPDX-License-Identifier: BSL-1.0
// The part of a cache that a buffer in use goes back to, as the buffer knows it.
#pragma once

#include <freehold/cache/buffers/buffer_block.hpp>

namespace freehold::inline FREEHOLD_ABI::detail {

class buffer_part {
public:
    buffer_part(const buffer_part&) = delete;
    buffer_part& operator=(const buffer_part&) = delete;

    // Takes back a buffer whose owner this is; called by any thread.
    virtual void give_back(buffer_block& block) noexcept = 0;

protected:
    buffer_part() = default;
    ~buffer_part() = default;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
