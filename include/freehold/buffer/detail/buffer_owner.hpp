// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/buffer/buffer_block.hpp>
#include <freehold/config.hpp>

namespace freehold::inline FREEHOLD_ABI::detail {

// What a buffer in use is returned to: a thread cache, or one of the cache's two shared owners.
class buffer_owner {
public:
    buffer_owner(const buffer_owner&) = delete;
    buffer_owner& operator=(const buffer_owner&) = delete;

    // Takes back a block that this owns. Any thread may call it.
    virtual void give_back(buffer_block& block) noexcept = 0;

protected:
    buffer_owner() = default;
    ~buffer_owner() = default;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
