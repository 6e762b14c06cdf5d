// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/memory/pages.hpp>

#include <cstddef>

namespace lab::lines {

/// Takes so much memory and gives it back at once. A virtual machine's free pages may be with its
/// host, and a first touch then costs what the host takes to bring one: pages that were just in use
/// are here.
inline void hold_memory(std::size_t bytes) {
    freehold::page_resource pages({.huge = freehold::huge_pages::transparent, .prefault = true});
    pages.deallocate(pages.allocate(bytes), bytes);
}

}  // namespace lab::lines
