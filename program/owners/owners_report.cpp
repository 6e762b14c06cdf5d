// SPDX-License-Identifier: BSL-1.0
#include "owners/owners_report.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

namespace freehold {

bool held_by::operator<(const held_by& other) const {
    return std::tie(type, member, line, file, in_container, closure) <
           std::tie(other.type, other.member, other.line, other.file, other.in_container,
                    other.closure);
}

owned_type total_of(const owners_report& report) {
    owned_type total;
    for (const owned_type& each : report.types) {
        total.alive += each.alive;
        total.bytes += each.bytes;
        total.owners += each.owners;
        total.weak += each.weak;
        total.reachable += each.reachable;
        total.leaked += each.leaked;
        total.lost += each.lost;
    }
    return total;
}

std::string text_of(const held_by& way) {
    const std::string place =
        way.member.empty() ? way.type : fmt::format("{}::{}", way.type, way.member);
    return way.closure.empty() ? place : fmt::format("{} (captured by {})", place, way.closure);
}

std::string text_of(const owner_ring& ring) {
    std::string result;
    for (const held_by& step : ring.path) result += text_of(step) + " -> ";
    return result + ring.path.front().type;
}

bool type_growth::only_rises() const {
    return alive.front() < alive.back() && std::is_sorted(alive.begin(), alive.end());
}

std::vector<type_growth> growth_in(const std::vector<owners_look>& looks) {
    std::map<std::string, type_growth> found;
    for (std::size_t i = 0; i != looks.size(); ++i)
        for (const owned_type& each : looks[i].types) {
            type_growth& type = found[each.type];
            type.type = each.type;
            type.alive.resize(looks.size(), 0);
            type.alive[i] = each.alive;
        }
    std::vector<type_growth> result;
    for (auto& [name, type] : found)
        if (std::adjacent_find(type.alive.begin(), type.alive.end(), std::not_equal_to<>()) !=
            type.alive.end())
            result.push_back(std::move(type));
    std::stable_sort(result.begin(), result.end(), [](const auto& a, const auto& b) {
        const auto growth = [](const type_growth& each) {
            return static_cast<std::int64_t>(each.alive.back() - each.alive.front());
        };
        return growth(a) > growth(b);
    });
    return result;
}

}  // namespace freehold
