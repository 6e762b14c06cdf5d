// SPDX-License-Identifier: BSL-1.0
// A std::pmr::memory_resource of pages from the system, huge, prefaulted and out of the reach of
// children if asked: the upstream of pools and caches, which take much at a time and keep it.
//
// Each allocation is a mapping of its own, rounded up to whole pages and zero-filled by the system.
// Costs one to five system calls for each, and nothing in memory. Where huge pages are asked for,
// regions of 2 MiB or more start on a multiple of 2 MiB, for none but such can stand on them from
// the first byte; smaller regions are ordinary pages. `transparent` is advice: the kernel gives a
// huge page at the first touch if it has one, and statistics cannot know; huge_bytes asks it.
// `reserved` takes pages from the system's huge page pool (vm.nr_hugepages) for good, never swapped
// or split, its regions rounded up to 2 MiB; where that has too few it is `transparent`, counted as
// a fallback. `never` does not ask: a system set to give huge pages always still may.
//
// fork: a child has the memory too, and from then on the parent pays again for each page that it
// writes: a fault, a copy, and huge pages fall apart into small ones. With `in_children` false
// (MADV_DONTFORK) the parent keeps its pages as they are, and a child that touches the memory dies
// of SIGSEGV. Reserved pages that a child writes to are copied into reserved pages, and if there
// are none left it is killed by SIGBUS: set `in_children` false with them unless it calls exec.
//
// Thread-safe, and usable in a forked child: it has no lock. Exceptions: std::bad_alloc if the
// system refuses, or has not the memory to prefault, or for an alignment that is no power of two
// or not to be had; huge_bytes throws std::system_error. errno stays as it was, whatever happens.
// Source of the alignment by a longer mapping that is cut: mimalloc's os.c; of leaving the pages to
// the kernel unless told otherwise: snmalloc's platform layer.
#pragma once

#include <freehold/exceptions.hpp>
#include <freehold/memory/errno_kept.hpp>
#include <freehold/memory/huge_page_census.hpp>
#include <freehold/memory/memory_resource.hpp>
#include <freehold/memory/rounding.hpp>
#include <freehold/platform/pages.hpp>

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

// That of x86-64, and of 64-bit ARM with its pages of 4 KiB.
inline constexpr std::size_t huge_page_size = std::size_t{2} << 20;

enum class huge_pages { never, transparent, reserved };

struct page_options {
    huge_pages huge = huge_pages::never;
    bool prefault = false;    // all pages are there when allocate returns
    bool in_children = true;  // whether a child made by fork has the memory
};

struct page_statistics {
    std::size_t mapped_bytes = 0;  // of the regions that are out, rounded up to whole pages
    std::size_t most_mapped_bytes = 0;
    std::size_t maps = 0;
    std::size_t unmaps = 0;
    std::size_t failures = 0;            // allocations that threw
    std::size_t reserved_maps = 0;       // regions that are on reserved huge pages
    std::size_t reserved_fallbacks = 0;  // regions that were to be, and are not
    std::size_t advice_refused = 0;      // regions for which the kernel knows no huge pages
    std::size_t decommitted_bytes = 0;   // by all calls together
    std::size_t stuck_bytes = 0;         // addresses that the system refused to take back
};

class page_resource : public memory_resource {
public:
    explicit page_resource(page_options options = {}) noexcept : options_(options) {}

    [[nodiscard]] const page_options& options() const noexcept { return options_; }

    // How many of these bytes, which lie in one region, stand on huge pages now. Exact for a region
    // asked for as a whole, unless it is a fallback from `reserved`: then the kernel may count it
    // together with its neighbour, and the answer may be too small. Reads a file that is as long as
    // the process has mappings, so it is not for a hot path.
    [[nodiscard]] std::size_t huge_bytes(const void* place, std::size_t bytes) const {
        const detail::errno_kept kept;
        const auto begin = reinterpret_cast<std::uintptr_t>(place);
        const std::unique_ptr<std::FILE, int (*)(std::FILE*)> smaps(detail::open_list_of_mappings(),
                                                                    &std::fclose);
        if (smaps == nullptr) {
            FREEHOLD_THROW(
                std::system_error(errno, std::generic_category(),
                                  "page_resource::huge_bytes cannot open /proc/self/smaps"));
        }
        return detail::huge_page_census(begin, begin + bytes).count(smaps.get());
    }

    // Gives the memory of the whole pages inside back to the system and keeps the addresses: what
    // was there is lost, and the next touch faults a page in again. Returns how many bytes that
    // were, zero if the system refused (pages locked in memory, or reserved ones before Linux
    // 5.18). With `reserved`, whole means 2 MiB. Part of a transparent huge page splits it.
    std::size_t decommit(void* place, std::size_t bytes) noexcept {
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

    // Each figure by itself: those of a moment in which other threads allocate may not agree.
    [[nodiscard]] page_statistics statistics() const noexcept {
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

private:
    using counter = std::atomic<std::size_t>;
    // The counters order nothing: no memory is read because of what one of them says.
    static constexpr std::memory_order relaxed = std::memory_order_relaxed;
    // Far above what any address space has; below, sums of two sizes do not overflow.
    static constexpr std::size_t impossible = std::numeric_limits<std::size_t>::max() / 4;

    void* do_allocate(std::size_t bytes, std::size_t alignment) override {
        const detail::errno_kept kept;
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

    void do_deallocate(void* region, std::size_t bytes, std::size_t) override {
        const detail::errno_kept kept;
        unmap(region, bytes);
        add(unmaps_, 1);
        mapped_bytes_.fetch_sub(usable_length(bytes), relaxed);
    }

    [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
        return this == &other;
    }

    [[nodiscard]] bool may_be_huge(std::size_t bytes) const noexcept {
        return options_.huge != huge_pages::never && bytes >= huge_page_size;
    }
    // Of reserved pages only whole ones can be unmapped, and a region does not know whether it has
    // them, so that a fallback is rounded as they are.
    [[nodiscard]] std::size_t usable_length(std::size_t bytes) const noexcept {
        const bool reserved = options_.huge == huge_pages::reserved && may_be_huge(bytes);
        return detail::up_to_whole(reserved ? huge_page_size : detail::page_size(),
                                   std::max<std::size_t>(bytes, 1));
    }
    // A page more behind a transparent region, never touched and left out of the advice, keeps the
    // kernel from making one mapping of this region and the next: it counts huge pages by mapping.
    [[nodiscard]] std::size_t mapped_length(std::size_t bytes) const noexcept {
        const bool apart = options_.huge == huge_pages::transparent && may_be_huge(bytes);
        return usable_length(bytes) + (apart ? detail::page_size() : 0);
    }

    // nullptr if the system refuses.
    void* map(std::size_t bytes, std::size_t alignment) noexcept {
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

    // A kernel that cannot be asked gives them one by one: the memory is fresh, all zero.
    static bool has_all_pages(void* region, std::size_t length) noexcept {
        const int error = detail::prefault(region, length);
        if (error == ENOMEM || error == EFAULT) return false;
        if (error != 0) {
            auto* const bytes = static_cast<volatile std::byte*>(region);
            for (std::size_t i = 0; i < length; i += detail::page_size()) bytes[i] = std::byte{0};
        }
        return true;
    }

    // The system refuses if that would part one of its mappings in two and the process has as many
    // as it may; the memory itself can be given back even so.
    void unmap(void* region, std::size_t bytes) noexcept {
        if (detail::unmap(region, mapped_length(bytes))) return;
        static_cast<void>(detail::discard(region, usable_length(bytes)));
        add(stuck_bytes_, mapped_length(bytes));
    }

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
