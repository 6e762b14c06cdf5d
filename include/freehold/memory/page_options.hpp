// SPDX-License-Identifier: BSL-1.0
// What it is: the options of a page_resource, which pools and line caches have, too.
// Example: `freehold::page_resource pages({.huge = freehold::huge_pages::transparent});`
//
// Units: bytes.
// Complexity, thread safety, exceptions, ownership: plain values.
// Source: none.
#pragma once

#include <freehold/config.hpp>

#include <cstddef>

namespace freehold::inline FREEHOLD_ABI {

// The size on x86-64, and on 64-bit ARM with pages of 4 KiB.
inline constexpr std::size_t huge_page_size = std::size_t{2} << 20;

// Which pages back a region: the system's usual ones; huge pages where the kernel finds some; or
// huge pages that the administrator reserved.
enum class huge_pages { never, transparent, reserved };

// What pages a page_resource asks for.
struct page_options {
    huge_pages huge = huge_pages::never;  // the kind of pages
    bool prefault = false;                // all pages are present when allocate returns
    bool in_children = true;              // whether a child made by fork has the memory
};

}  // namespace freehold::inline FREEHOLD_ABI
