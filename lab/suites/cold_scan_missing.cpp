// SPDX-License-Identifier: BSL-1.0
// The suite cold_scan where the lab is built without libcurl.
#include "suites/suite.hpp"

namespace lab {

plan plan_cold_scan(const selection& chosen) {
    plan cells;
    for (const char* competitor : {"floor", "freehold::line_cache"}) {
        if (!chosen.wants(competitor, false)) continue;
        cells.skipped.push_back({competitor, "cold",
                                 "install libcurl 7.87 or newer with its headers (Debian: "
                                 "libcurl4-openssl-dev) and build the lab again"});
    }
    return cells;
}

}  // namespace lab
