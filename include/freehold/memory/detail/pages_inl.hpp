// SPDX-License-Identifier: BSL-1.0
// How a page_resource gets its pages from the system, and what it does if the system refuses.
#pragma once

#include <freehold/detail/errno_kept.hpp>
#include <freehold/detail/exceptions.hpp>
#include <freehold/detail/platform/pages.hpp>
#include <freehold/detail/rounding.hpp>
#include <freehold/memory/detail/huge_page_census.hpp>
#include <freehold/memory/pages.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <new>
#include <system_error>

namespace freehold::inline FREEHOLD_ABI {

std::size_t page_resource::huge_bytes(const void* place, std::size_t bytes) const {
    const detail::errno_kept kept;
    const auto begin = reinterpret_cast<std::uintptr_t>(place);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> smaps(detail::open_list_of_mappings(),
                                                                &std::fclose);
    if (smaps == nullptr) {
        FREEHOLD_THROW(std::system_error(errno, std::generic_category(),
                                         "page_resource::huge_bytes cannot open /proc/self/smaps"));
    }
    return detail::huge_page_census(begin, begin + bytes).count(smaps.get());
}

std::size_t page_resource::decommit(void* place, std::size_t bytes) noexcept {
    const detail::errno_kept kept;
    const std::size_t granule =
        options_.huge == huge_pages::reserved ? huge_page_size : detail::page_size();
    const auto address = reinterpret_cast<std::uintptr_t>(place);
    const std::uintptr_t begin = detail::up_to_whole(granule, address);
    const std::uintptr_t end = detail::down_to_whole(granule, address + bytes);
    if (end <= begin) return 0;
    const std::size_t whole = end - begin;
    if (!detail::discard(static_cast<std::byte*>(place) + (begin - address), whole)) return 0;
    add(decommitted_bytes_, whole);
    return whole;
}

bool page_resource::prefault(void* place, std::size_t bytes) noexcept {
    const detail::errno_kept kept;
    return has_all_pages(place, bytes);
}

page_statistics page_resource::statistics() const noexcept {
    const auto now = [](const counter& value) { return value.load(relaxed); };
    page_statistics all;
    all.mapped_bytes = now(mapped_bytes_);
    all.most_mapped_bytes = now(most_mapped_bytes_);
    all.maps = now(maps_);
    all.unmaps = now(unmaps_);
    all.failures = now(failures_);
    all.reserved_maps = now(reserved_maps_);
    all.reserved_fallbacks = now(reserved_fallbacks_);
    all.advice_refused = now(advice_refused_);
    all.decommitted_bytes = now(decommitted_bytes_);
    all.stuck_bytes = now(stuck_bytes_);
    return all;
}

void* page_resource::do_allocate(std::size_t bytes, std::size_t alignment) {
    const detail::errno_kept kept;
    // More than any address space has. Sums of two smaller sizes do not overflow.
    constexpr std::size_t impossible = std::numeric_limits<std::size_t>::max() / 4;
    void* const region =
        bytes < impossible && alignment < impossible && std::has_single_bit(alignment)
            ? map(bytes, alignment)
            : nullptr;
    if (region == nullptr) {
        add(failures_, 1);
        FREEHOLD_THROW(std::bad_alloc());
    }
    add(maps_, 1);
    const std::size_t usable = usable_length(bytes);
    const std::size_t mapped = mapped_bytes_.fetch_add(usable, relaxed) + usable;
    std::size_t most = most_mapped_bytes_.load(relaxed);
    while (most < mapped && !most_mapped_bytes_.compare_exchange_weak(most, mapped, relaxed)) {
    }
    return region;
}

void page_resource::do_deallocate(void* region, std::size_t bytes, std::size_t) {
    const detail::errno_kept kept;
    unmap(region, bytes);
    add(unmaps_, 1);
    mapped_bytes_.fetch_sub(usable_length(bytes), relaxed);
}

std::size_t page_resource::usable_length(std::size_t bytes) const noexcept {
    const bool reserved = options_.huge == huge_pages::reserved && may_be_huge(bytes);
    return detail::up_to_whole(reserved ? huge_page_size : detail::page_size(),
                               std::max<std::size_t>(bytes, 1));
}

std::size_t page_resource::mapped_length(std::size_t bytes) const noexcept {
    const bool apart = options_.huge == huge_pages::transparent && may_be_huge(bytes);
    return usable_length(bytes) + (apart ? detail::page_size() : 0);
}

void* page_resource::map(std::size_t bytes, std::size_t alignment) noexcept {
    const bool huge = may_be_huge(bytes);
    const std::size_t aligned = huge ? std::max(alignment, huge_page_size) : alignment;
    void* region = nullptr;
    if (huge && options_.huge == huge_pages::reserved) {
        region = detail::map_reserved(mapped_length(bytes), aligned, huge_page_size);
        add(region != nullptr ? reserved_maps_ : reserved_fallbacks_, 1);
    }
    if (region == nullptr) {
        region = detail::map_aligned(mapped_length(bytes), aligned);
        if (region == nullptr) return nullptr;
        if (huge && !detail::advise_huge(region, usable_length(bytes))) add(advice_refused_, 1);
    }
    if ((!options_.in_children && !detail::keep_from_children(region, usable_length(bytes))) ||
        (options_.prefault && !has_all_pages(region, usable_length(bytes)))) {
        unmap(region, bytes);
        return nullptr;
    }
    return region;
}

bool page_resource::has_all_pages(void* region, std::size_t length) noexcept {
    const int error = detail::prefault(region, length);
    if (error == ENOMEM || error == EFAULT) return false;
    if (error != 0) {
        auto* const bytes = static_cast<volatile std::byte*>(region);
        for (std::size_t i = 0; i < length; i += detail::page_size()) bytes[i] = std::byte{0};
    }
    return true;
}

void page_resource::unmap(void* region, std::size_t bytes) noexcept {
    if (detail::unmap(region, mapped_length(bytes))) return;
    static_cast<void>(detail::discard(region, usable_length(bytes)));
    add(stuck_bytes_, mapped_length(bytes));
}

}  // namespace freehold::inline FREEHOLD_ABI
