// SPDX-License-Identifier: BSL-1.0
// Ways to make a line whose bytes are separate and begin at a page. The classes have the shape that
// heap_ways.hpp specifies.
#pragma once

#include <freehold/memory/pages.hpp>
#include <freehold/memory/pool.hpp>

#include "subjects/shared_identities.hpp"
#include "suites/zeroing/line.hpp"

#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

namespace lab::lines {

using freehold::huge_page_size;
using freehold::huge_pages;

/// Maps memory for each line, and unmaps it when the line is dropped.
template <huge_pages Huge, bool Prefault>
class mapped_way {
    struct unmapping {
        freehold::page_resource* from = nullptr;
        void operator()(std::byte* place) const noexcept { from->deallocate(place, line_bytes); }
    };

public:
    using owner = std::unique_ptr<std::byte, unmapping>;
    static constexpr bool zeroes = false;

    explicit mapped_way(std::size_t) noexcept {}
    owner make() {
        return owner(static_cast<std::byte*>(pages_.allocate(line_bytes)), unmapping{&pages_});
    }
    static std::byte* bytes(owner& of) noexcept { return of.get(); }

private:
    freehold::page_resource pages_{{.huge = Huge, .prefault = Prefault}};
};

struct by_pages : mapped_way<huge_pages::never, false> {
    static constexpr identity is = {
        .name = "freehold::page_resource", .family = family::freehold, .order = 16};
    using mapped_way::mapped_way;
};
struct by_prefaulted_pages : mapped_way<huge_pages::never, true> {
    static constexpr identity is = {
        .name = "freehold::page_resource, prefaulted", .family = family::freehold, .order = 17};
    using mapped_way::mapped_way;
};
struct by_huge_pages : mapped_way<huge_pages::transparent, false> {
    static constexpr identity is = {
        .name = "freehold::page_resource, huge", .family = family::freehold, .order = 18};
    using mapped_way::mapped_way;
};
struct by_prefaulted_huge_pages : mapped_way<huge_pages::transparent, true> {
    static constexpr identity is = {.name = "freehold::page_resource, huge, prefaulted",
                                    .family = family::freehold,
                                    .order = 19};
    using mapped_way::mapped_way;
};

/// Lines come from a pool and return to it. All of them have been written to before.
template <huge_pages Huge, bool InChildren>
class pooled_way {
    struct returning {
        freehold::pool* to = nullptr;
        void operator()(std::byte* place) const noexcept { to->deallocate(place); }
    };

public:
    using owner = std::unique_ptr<std::byte, returning>;
    static constexpr bool zeroes = false;

    explicit pooled_way(std::size_t live) : lines_(options_for(live)) {
        std::vector<owner> all(live);
        for (owner& each : all) {
            each = make();
            std::memset(each.get(), 1, line_bytes);
        }
    }
    owner make() { return owner(static_cast<std::byte*>(lines_.allocate()), returning{&lines_}); }
    static std::byte* bytes(owner& of) noexcept { return of.get(); }

private:
    freehold::pool_options options_for(std::size_t live) {
        freehold::pool_options options;
        options.block_size = line_bytes;
        options.alignment = huge_page_size;
        options.initial_capacity = live;
        options.maximum_capacity = live;
        options.magazine_size = 1;
        options.upstream = &pages_;
        options.name = "lines";
        return options;
    }

    freehold::page_resource pages_{{.huge = Huge, .in_children = InChildren}};
    freehold::pool lines_;
};

struct by_pool : pooled_way<huge_pages::never, true> {
    static constexpr identity is = identities::freehold_pool;
    using pooled_way::pooled_way;
};
struct by_huge_pool : pooled_way<huge_pages::transparent, false> {
    static constexpr identity is = {
        .name = "freehold::pool, huge", .family = family::freehold, .order = 14};
    using pooled_way::pooled_way;
};
struct by_inherited_huge_pool : pooled_way<huge_pages::transparent, true> {
    static constexpr identity is = {
        .name = "freehold::pool, huge, in children", .family = family::freehold, .order = 15};
    using pooled_way::pooled_way;
};

/// Makes nothing. The lines exist, have been written to, and are used in turn.
class by_nothing {
public:
    static constexpr identity is = identities::lower_bound;
    using owner = std::byte*;
    static constexpr bool zeroes = false;

    explicit by_nothing(std::size_t live)
        : bytes_(live * line_bytes), begin_(static_cast<std::byte*>(pages_.allocate(bytes_))) {
        std::memset(begin_, 1, bytes_);
    }
    ~by_nothing() { pages_.deallocate(begin_, bytes_); }
    by_nothing(const by_nothing&) = delete;
    by_nothing& operator=(const by_nothing&) = delete;

    owner make() noexcept {
        std::byte* const next = begin_ + at_;
        at_ = (at_ + line_bytes) % bytes_;
        return next;
    }
    static std::byte* bytes(owner of) noexcept { return of; }

private:
    freehold::page_resource pages_{{.huge = huge_pages::transparent, .in_children = false}};
    std::size_t bytes_;
    std::byte* begin_;
    std::size_t at_ = 0;
};

}  // namespace lab::lines
