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

constexpr std::array competitors{known{"raw", family::floor, central},
                                 known{"dumb", family::floor, central},
                                 known{"plain pair", family::floor, central},
                                 known{"locked pair", family::floor, central},
                                 known{"new and delete", family::floor, central},
                                 known{"new and delete, kept", family::floor, central},
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
                                 known{"intrusive, biased", family::freehold, folded},
                                 known{"std::unique_ptr", family::standard, central},
                                 known{"std::unique_ptr(new)", family::standard, central},
                                 known{"std::unique_ptr(new), kept", family::standard, central},
                                 known{"std::make_unique", family::standard, central},
                                 known{"std::shared_ptr", family::standard, central},
                                 known{"std::shared_ptr(new)", family::standard, central},
                                 known{"std::make_shared", family::standard, central},
                                 known{"std::__shared_ptr, single", family::standard, folded},
                                 known{"std::shared_ptr, libc++", family::standard, folded},
                                 known{"std::make_shared, libc++", family::standard, folded},
                                 known{"std::shared_ptr, cut by hand", family::standard, central},
                                 known{"boost::shared_ptr", family::boost, folded},
                                 known{"boost::shared_ptr, quick allocator", family::boost, folded},
                                 known{"boost::make_shared", family::boost, central},
                                 known{"boost::make_shared_noinit", family::boost, folded},
                                 known{"boost::local_shared_ptr", family::boost, central},
                                 known{"boost::make_local_shared", family::boost, folded},
                                 known{"boost::intrusive_ptr", family::boost, central},
                                 known{"boost::intrusive_ptr, atomic", family::boost, folded},
                                 known{"Loki linked", family::other, folded},
                                 known{"llvm::IntrusiveRefCntPtr", family::other, folded},
                                 known{"llvm::IntrusiveRefCntPtr, atomic", family::other, folded},
                                 known{"QSharedPointer", family::other, folded},
                                 known{"QSharedPointer::create", family::other, folded},
                                 known{"Rc", family::other, folded},
                                 known{"Arc", family::other, central},
                                 known{"triomphe::Arc", family::other, folded},
                                 known{"Boehm", family::other, central}};

const known* find(std::string_view competitor) {
    const auto* found = std::find_if(competitors.begin(), competitors.end(),
                                     [&](const known& each) { return each.name == competitor; });
    return found == competitors.end() ? nullptr : found;
}

}  // namespace

std::string_view family_name(family which) {
    constexpr std::array<std::string_view, 7> names = {
        "Floor", "Strategies of 2000", "The same, atomic", "Freehold", "Standard", "Boost",
        "Others"};
    return names[static_cast<std::size_t>(which)];
}

family family_of(std::string_view competitor) {
    if (const auto* each = find(competitor)) return each->of;
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
    switch (family_of(competitor)) {
        case family::floor:
            return competitor != "dumb";
        case family::standard:
        case family::boost:
        case family::other:
            return true;
        case family::strategy:
        case family::atomic_strategy:
        case family::freehold:
            return false;
    }
    return false;
}

}  // namespace freehold
