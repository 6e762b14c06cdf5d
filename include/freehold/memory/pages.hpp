// SPDX-License-Identifier: BSL-1.0
// What it is: a std::pmr::memory_resource of whole pages from the system. Options request huge
// pages, prefaulted pages, and pages that children made by fork do not inherit.
// When to use it: as the upstream of pools and caches, which allocate much at a time and keep it.
// When not: for small allocations. Each one is a mapping of its own, rounded up to whole pages.
// Example: `freehold::page_resource pages({.huge = freehold::huge_pages::transparent});`
//
// The system fills each mapping with zeros. If huge pages are requested, regions of 2 MiB or more
// start on a multiple of 2 MiB. Only then can they be on huge pages from the first byte. Smaller
// regions get ordinary pages.
//
// - `huge_pages::transparent` is advice. The kernel provides a huge page at the first touch if it
//   has one. statistics() cannot know the outcome; huge_bytes() asks the kernel.
// - `huge_pages::reserved` takes pages from the system's huge page pool (vm.nr_hugepages). These
//   pages are never swapped or split. Regions are rounded up to multiples of 2 MiB. If the pool has
//   too few pages, the region is `transparent`, and counts as a fallback.
// - `huge_pages::never` requests nothing. A system that is configured to use huge pages always may
//   still use them.
//
// By default, a child made by fork has the memory too. Afterwards each page that the parent writes
// costs it a fault and a copy, and huge pages are split into small ones. If `in_children` is false
// (MADV_DONTFORK), the parent keeps its pages as they are. A child that touches the memory then
// dies of SIGSEGV. When a child writes to a reserved page, the kernel copies it into another
// reserved page. If none is left, SIGBUS kills the child. So set `in_children` to false with
// `reserved`, unless the child calls exec.
//
// Units: bytes. The resource takes no memory for a region.
// Complexity: one to seven system calls for an allocation, one or two for a deallocation.
// Thread safety: all functions may be called by several threads at once, and in a forked child:
// there is no lock.
// Exceptions: allocate throws std::bad_alloc if the system refuses or lacks the memory to prefault.
// It also does so if the alignment is no power of two or not available. huge_bytes throws
// std::system_error. Nothing else throws. No function changes errno.
// Ownership: the caller owns each region and must deallocate it through the same resource. A
// resource is equal to itself only.
// Source: mimalloc's os.c, for aligning by cutting a longer mapping. snmalloc's platform layer, for
// leaving the pages to the kernel unless options say otherwise.
#pragma once

#include <freehold/config.hpp>
#include <freehold/memory/memory_resource.hpp>
#include <freehold/memory/page_options.hpp>

#include <atomic>
#include <cstddef>

namespace freehold::inline FREEHOLD_ABI {

// The figures of one page_resource.
struct page_statistics {
    std::size_t mapped_bytes = 0;        // of allocated regions, rounded up to whole pages
    std::size_t most_mapped_bytes = 0;   // the most at once
    std::size_t maps = 0;                // regions that were mapped
    std::size_t unmaps = 0;              // regions that were unmapped
    std::size_t failures = 0;            // allocations that threw
    std::size_t reserved_maps = 0;       // regions on reserved huge pages
    std::size_t reserved_fallbacks = 0;  // regions that `reserved` could not place there
    std::size_t advice_refused = 0;      // regions for which the kernel refused huge pages
    std::size_t decommitted_bytes = 0;   // the sum over all calls
    std::size_t stuck_bytes = 0;         // addresses that the system refused to unmap
};

// Memory in whole pages, directly from the operating system.
class __attribute__((visibility("default"))) page_resource : public memory_resource {
public:
    // Maps nothing yet.
    explicit page_resource(page_options options = {}) noexcept : options_(options) {}

    // The options that the constructor got.
    [[nodiscard]] const page_options& options() const noexcept { return options_; }

    // Returns how many of these bytes are on huge pages now. The bytes must be in one region. The
    // result is exact for a whole region that is not a fallback from `reserved`. For a fallback,
    // the kernel may count the region together with its neighbour, and the result may be too small.
    // The function reads a file whose length grows with the number of mappings of the process, so
    // it is not for a hot path.
    [[nodiscard]] FREEHOLD_API std::size_t huge_bytes(const void* place, std::size_t bytes) const;

    // Returns the memory of the whole pages in this range to the system, and keeps the addresses.
    // The contents are lost, and the next touch of each page faults. Returns the number of bytes,
    // or 0 if the system refused. The system refuses for pages that are locked in memory, and for
    // reserved pages before Linux 5.18. With `reserved`, a whole page has 2 MiB. Decommitting part
    // of a transparent huge page splits it.
    FREEHOLD_API std::size_t decommit(void* place, std::size_t bytes) noexcept;

    // Provides the memory of these pages now. They are whole pages of one region, and were never
    // written, or decommitted since. Returns false if the system lacks the memory.
    FREEHOLD_API static bool prefault(void* place, std::size_t bytes) noexcept;

    // Each figure is read by itself. While other threads allocate, the figures may disagree.
    [[nodiscard]] FREEHOLD_API page_statistics statistics() const noexcept;

private:
    using counter = std::atomic<std::size_t>;
    // Relaxed: the counters order nothing. No memory is read because of a value of a counter.
    static constexpr std::memory_order relaxed = std::memory_order_relaxed;

    FREEHOLD_API void* do_allocate(std::size_t bytes, std::size_t alignment) override;

    FREEHOLD_API void do_deallocate(void* region, std::size_t bytes, std::size_t) override;

    [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
        return this == &other;
    }

    [[nodiscard]] bool may_be_huge(std::size_t bytes) const noexcept {
        return options_.huge != huge_pages::never && bytes >= huge_page_size;
    }
    // Reserved pages can be unmapped only as whole huge pages. A region does not record whether it
    // has reserved pages, so a fallback is rounded in the same way.
    [[nodiscard]] FREEHOLD_API std::size_t usable_length(std::size_t bytes) const noexcept;
    // A transparent region has one more page at its end, which is never touched and gets no advice.
    // It keeps the kernel from merging this region with the next one into one mapping, because the
    // kernel counts huge pages for each mapping.
    [[nodiscard]] FREEHOLD_API std::size_t mapped_length(std::size_t bytes) const noexcept;

    // Returns nullptr if the system refuses.
    FREEHOLD_API void* map(std::size_t bytes, std::size_t alignment) noexcept;

    // If the kernel cannot prefault, this function writes to each page. The memory is new, so it is
    // all zero.
    FREEHOLD_API static bool has_all_pages(void* region, std::size_t length) noexcept;

    // The system refuses if unmapping would split a mapping and the process already has as many
    // mappings as it may have. The memory itself can still be returned.
    FREEHOLD_API void unmap(void* region, std::size_t bytes) noexcept;

    static void add(counter& to, std::size_t amount) noexcept { to.fetch_add(amount, relaxed); }

    page_options options_;
    counter mapped_bytes_{0};
    counter most_mapped_bytes_{0};
    counter maps_{0};
    counter unmaps_{0};
    counter failures_{0};
    counter reserved_maps_{0};
    counter reserved_fallbacks_{0};
    counter advice_refused_{0};
    counter decommitted_bytes_{0};
    counter stuck_bytes_{0};
};

}  // namespace freehold::inline FREEHOLD_ABI

#if FREEHOLD_HEADER_ONLY
#include <freehold/memory/detail/pages_inl.hpp>
#endif
