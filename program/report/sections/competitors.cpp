// SPDX-License-Identifier: BSL-1.0
#include "report/sections/competitors.hpp"

#include <algorithm>
#include <array>

namespace freehold {

namespace {

struct known {
    std::string_view name;
    family of;
    bool central;
};

constexpr bool central = true;
constexpr bool folded = false;

constexpr std::array competitors{
    known{"raw", family::floor, central},
    known{"dumb", family::floor, central},
    known{"plain pair", family::floor, central},
    known{"locked pair", family::floor, central},
    known{"new and delete", family::floor, central},
    known{"new and delete, kept", family::floor, central},
    known{"floor", family::floor, central},
    known{"floor, arc", family::floor, central},
    known{"freehold::pool, not counted", family::floor, central},
    known{"freehold::allocate_arc(pool), bursts, not checked", family::floor, central},
    known{"offline optimum", family::floor, central},
    known{"simple counted", family::strategy, central},
    known{"special counted", family::strategy, central},
    known{"intrusive", family::strategy, central},
    known{"linked", family::strategy, central},
    known{"cyclic", family::strategy, central},
    known{"simple counted, atomic", family::atomic_strategy, folded},
    known{"special counted, atomic", family::atomic_strategy, folded},
    known{"intrusive, atomic", family::atomic_strategy, central},
    known{"freehold::shared_ptr", family::freehold, folded},
    known{"freehold::shared_ptr, local", family::freehold, folded},
    known{"freehold::shared_ptr, biased", family::freehold, folded},
    known{"freehold::shared_ptr(new)", family::freehold, central},
    known{"freehold::make_shared", family::freehold, central},
    known{"freehold::make_shared, local", family::freehold, folded},
    known{"freehold::make_shared, biased", family::freehold, central},
    known{"freehold::arc", family::freehold, central},
    known{"freehold::arc, local", family::freehold, central},
    known{"freehold::arc, biased", family::freehold, central},
    known{"freehold::make_arc", family::freehold, central},
    known{"freehold::pool", family::freehold, central},
    known{"freehold::pool, one by one", family::freehold, central},
    known{"freehold::pool, huge", family::freehold, central},
    known{"freehold::pool, huge, in children", family::freehold, central},
    known{"freehold::page_resource", family::freehold, central},
    known{"freehold::page_resource, prefaulted", family::freehold, central},
    known{"freehold::page_resource, huge", family::freehold, central},
    known{"freehold::page_resource, huge, prefaulted", family::freehold, central},
    known{"freehold::default_init_allocator", family::freehold, central},
    known{"freehold::line_cache", family::freehold, central},
    known{"freehold::line_cache, all kept", family::freehold, central},
    known{"freehold::buffer_cache", family::freehold, central},
    known{"freehold::buffer_cache, session", family::freehold, central},
    known{"freehold::buffer_cache, not counted", family::freehold, central},
    known{"greedy_dual_fit", family::freehold, central},
    known{"greedy_dual_fit, hits alike", family::freehold, central},
    known{"freehold::make_shared_for_overwrite", family::freehold, central},
    known{"freehold::allocate_shared(pool)", family::freehold, central},
    known{"freehold::allocate_shared_for_overwrite(pool)", family::freehold, central},
    known{"freehold::allocate_arc(pool)", family::freehold, central},
    known{"freehold::allocate_arc(pool), bursts", family::freehold, central},
    known{"freehold::allocate_arc_for_overwrite(pool)", family::freehold, central},
    known{"intrusive, biased", family::freehold, folded},
    known{"keep_largest", family::policy, central},
    known{"keep_first_below", family::policy, central},
    known{"linear_buckets", family::policy, central},
    known{"geometric_buckets", family::policy, central},
    known{"power_of_two_buckets", family::policy, central},
    known{".NET ArrayPool", family::peer_policy, central},
    known{"Netty", family::peer_policy, central},
    known{"bytebufferpool", family::peer_policy, central},
    known{"Jetty", family::peer_policy, central},
    known{"jemalloc tcache", family::peer_policy, central},
    known{"std::unique_ptr", family::standard, central},
    known{"std::unique_ptr(new)", family::standard, central},
    known{"std::unique_ptr(new), kept", family::standard, central},
    known{"std::make_unique", family::standard, central},
    known{"std::shared_ptr", family::standard, central},
    known{"std::shared_ptr(new)", family::standard, central},
    known{"std::make_shared", family::standard, central},
    known{"std::make_shared, constructor", family::standard, central},
    known{"std::__shared_ptr, single", family::standard, folded},
    known{"std::shared_ptr, libc++", family::standard, folded},
    known{"std::make_shared, libc++", family::standard, folded},
    known{"std::shared_ptr, cut by hand", family::standard, central},
    known{"std::make_shared_for_overwrite", family::standard, central},
    known{"std::shared_ptr(pool, deleter)", family::standard, central},
    known{"std::allocate_shared(pool)", family::standard, central},
    known{"std::allocate_shared_for_overwrite(pool)", family::standard, central},
    known{"std::vector", family::standard, central},
    known{"std::pmr::synchronized_pool_resource", family::standard, central},
    known{"std::pmr::unsynchronized_pool_resource", family::standard, central},
    known{"boost::shared_ptr", family::boost, folded},
    known{"boost::shared_ptr, quick allocator", family::boost, folded},
    known{"boost::make_shared", family::boost, central},
    known{"boost::make_shared_noinit", family::boost, folded},
    known{"boost::local_shared_ptr", family::boost, central},
    known{"boost::make_local_shared", family::boost, folded},
    known{"boost::intrusive_ptr", family::boost, central},
    known{"boost::intrusive_ptr, atomic", family::boost, folded},
    known{"boost::singleton_pool", family::boost, central},
    known{"boost::fast_pool_allocator", family::boost, central},
    known{"rte_mempool, ring", family::allocator, central},
    known{"rte_mempool, stack", family::allocator, central},
    known{"rte_mempool, lf_stack", family::allocator, central},
    known{"glibc", family::allocator, central},
    known{"calloc", family::allocator, central},
    known{"mimalloc", family::allocator, central},
    known{"mimalloc 3", family::allocator, central},
    known{"jemalloc", family::allocator, central},
    known{"tcmalloc", family::allocator, central},
    known{"snmalloc", family::allocator, central},
    known{"TBB", family::allocator, central},
    known{"foonathan::memory", family::allocator, central},
    known{"mutex and vector", family::allocator, central},
    known{"libcurl, one buffer", family::other, central},
    known{"libcurl, recycled huge lines", family::other, central},
    known{"libcurl, std::vector<char>", family::other, central},
    known{"libcurl, std::make_shared", family::other, central},
    known{"libcurl, std::make_shared, constructor", family::other, central},
    known{"libcurl, std::make_shared, bounded", family::other, central},
    known{"mutex, map and std::shared_ptr", family::other, central},
    known{"Loki linked", family::other, folded},
    known{"llvm::IntrusiveRefCntPtr", family::other, folded},
    known{"llvm::IntrusiveRefCntPtr, atomic", family::other, folded},
    known{"QSharedPointer", family::other, folded},
    known{"QSharedPointer::create", family::other, folded},
    known{"Rc", family::other, folded},
    known{"Arc", family::other, central},
    known{"triomphe::Arc", family::other, folded},
    known{"Boehm", family::other, central}};

/// "std::allocate_shared over NAME" stands where NAME does.
std::string_view without_handle(std::string_view competitor) {
    constexpr std::string_view handle = "std::allocate_shared over ";
    if (competitor.starts_with(handle)) competitor.remove_prefix(handle.size());
    return competitor;
}

const known* find(std::string_view competitor) {
    competitor = without_handle(competitor);
    const auto* found = std::find_if(competitors.begin(), competitors.end(),
                                     [&](const known& each) { return each.name == competitor; });
    return found == competitors.end() ? nullptr : found;
}

}  // namespace

std::string_view family_name(family which) {
    constexpr std::array<std::string_view, 10> names = {"Floor",
                                                        "Strategies of 2000",
                                                        "The same, atomic",
                                                        "Freehold",
                                                        "Policies of 2006",
                                                        "Policies of others",
                                                        "Standard",
                                                        "Boost",
                                                        "Allocators",
                                                        "Others"};
    return names[static_cast<std::size_t>(which)];
}

family family_of(std::string_view competitor) {
    if (const auto* each = find(competitor)) return each->of;
    competitor = without_handle(competitor);
    if (competitor.starts_with("freehold::")) return family::freehold;
    if (competitor.starts_with("std::")) return family::standard;
    if (competitor.starts_with("boost::")) return family::boost;
    return family::other;
}

std::size_t order_of(std::string_view competitor) {
    if (const auto* each = find(competitor)) {
        return static_cast<std::size_t>(each - competitors.begin());
    }
    const auto own = family_of(competitor);
    const auto last = std::find_if(competitors.rbegin(), competitors.rend(),
                                   [&](const known& each) { return each.of == own; });
    return static_cast<std::size_t>(last.base() - competitors.begin()) - 1;
}

bool is_central(std::string_view competitor) {
    const auto* each = find(competitor);
    return each != nullptr && each->central;
}

bool shares_ownership(std::string_view competitor) {
    return family_of(competitor) != family::floor &&
           competitor.find("unique") == std::string_view::npos;
}

bool differs_alone(std::string_view competitor) {
    return competitor.starts_with("std::shared_ptr") || competitor.starts_with("std::make_shared");
}

bool is_control(std::string_view competitor) {
    const bool uses_our_pool = competitor.find("(pool") != std::string_view::npos;
    switch (family_of(competitor)) {
        case family::floor:
            return competitor != "dumb" && competitor != "floor, arc" &&
                   !competitor.starts_with("freehold::");
        case family::standard:
            return !uses_our_pool;
        case family::boost:
        case family::allocator:
        case family::other:
            return true;
        case family::strategy:
        case family::atomic_strategy:
        case family::freehold:
        case family::policy:
        case family::peer_policy:  // they run in freehold's cache
            return false;
    }
    return false;
}

}  // namespace freehold
