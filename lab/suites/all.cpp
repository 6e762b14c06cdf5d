// SPDX-License-Identifier: BSL-1.0
#include "suites/suite.hpp"

namespace lab {

const std::vector<suite>& all_suites() {
    using enum process_kind;
    static const std::vector<suite> suites = {
        {"operations", {threaded, single}, plan_operations},
        {"containers", {threaded, single}, plan_containers},
        {"footprint", {threaded}, plan_footprint},
        {"cycles", {threaded, single}, plan_cycles},
        {"construction", {threaded, single}, plan_construction},
        {"threads", {threaded}, plan_threads},
        {"packets", {threaded}, plan_packets},
        {"zeroing", {threaded}, plan_zeroing},
        {"cold_scan", {threaded}, plan_cold_scan},
        {"buffers", {threaded}, plan_buffers},
    };
    return suites;
}

}  // namespace lab
