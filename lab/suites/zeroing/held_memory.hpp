// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/memory/pages.hpp>

#include <cstddef>

namespace lab::lines {

/// Takes `bytes` of memory and gives it back at once. In a virtual machine, the host may hold the
/// free pages. A first touch then includes the time that the host takes to supply a page. Pages
/// that were in use a moment ago need no host.
inline void hold_memory(std::size_t bytes) {
    freehold::page_resource pages({.huge = freehold::huge_pages::transparent, .prefault = true});
    pages.deallocate(pages.allocate(bytes), bytes);
}

}  // namespace lab::lines
