// SPDX-License-Identifier: BSL-1.0
#include "runner/describe.hpp"

#include "freehold_revision.hpp"
#include "runner/peer_cells.hpp"
#include "runner/toolchain.hpp"
#include "suites/suite.hpp"

#include <iostream>
#include <string>

#include <nlohmann/json.hpp>

#if __has_include(<boost/version.hpp>)
#include <boost/version.hpp>
#endif
#ifdef FREEHOLD_LAB_HAS_BOEHM
#include <gc.h>
#endif
#ifdef FREEHOLD_LAB_HAS_LLVM
#include <llvm/Config/llvm-config.h>
#endif
#ifdef FREEHOLD_LAB_HAS_QT
#include <QtCore/qconfig.h>
#endif
#ifdef FREEHOLD_LAB_HAS_TBB
#include <tbb/version.h>
#endif
#ifdef FREEHOLD_LAB_HAS_FOONATHAN
#include <foonathan/memory/config.hpp>
#endif
#ifdef FREEHOLD_LAB_HAS_CURL
#include "suites/cold_scan/versions.hpp"
#endif

namespace lab {
namespace {

using json = nlohmann::ordered_json;

json peers() {
    json list = json::array();
#ifdef BOOST_VERSION
    list.push_back({{"name", "Boost"},
                    {"version", std::to_string(BOOST_VERSION / 100000) + "." +
                                    std::to_string(BOOST_VERSION / 100 % 1000) + "." +
                                    std::to_string(BOOST_VERSION % 100)}});
#endif
#ifdef FREEHOLD_LAB_HAS_LOKI
    list.push_back({{"name", "Loki"}, {"version", FREEHOLD_LAB_LOKI_VERSION}});
#endif
#ifdef FREEHOLD_LAB_HAS_BOEHM
    list.push_back({{"name", "Boehm"},
                    {"version", std::to_string(GC_TMP_VERSION_MAJOR) + "." +
                                    std::to_string(GC_TMP_VERSION_MINOR) + "." +
                                    std::to_string(GC_TMP_VERSION_MICRO)}});
#endif
#ifdef FREEHOLD_LAB_HAS_LLVM
    list.push_back({{"name", "LLVM"}, {"version", LLVM_VERSION_STRING}});
#endif
#ifdef FREEHOLD_LAB_HAS_QT
    list.push_back({{"name", "Qt"}, {"version", QT_VERSION_STR}});
#endif
#ifdef FREEHOLD_LAB_HAS_TBB
    list.push_back({{"name", "TBB"}, {"version", TBB_VERSION_STRING}});
#endif
#ifdef FREEHOLD_LAB_HAS_FOONATHAN
    list.push_back({{"name", "foonathan/memory"},
                    {"version", std::to_string(FOONATHAN_MEMORY_VERSION_MAJOR) + "." +
                                    std::to_string(FOONATHAN_MEMORY_VERSION_MINOR) + "." +
                                    std::to_string(FOONATHAN_MEMORY_VERSION_PATCH)}});
#endif
#ifdef FREEHOLD_LAB_HAS_CURL
    list.push_back({{"name", "libcurl"}, {"version", cold_scan::libcurl_version()}});
    if (const auto version = cold_scan::server_version()) {
        list.push_back({{"name", "versitygw"}, {"version", *version}});
    }
#endif
    for (const auto& part : parts_of_peers()) {
        list.push_back({{"name", part.name}, {"version", part.version}});
    }
    return list;
}

json suites() {
    json list = json::array();
    for (const suite& s : all_suites()) {
        json processes = json::array();
        for (const process_kind kind : s.processes) {
            processes.push_back(name_of(kind));
        }
        list.push_back({{"name", s.name}, {"processes", processes}});
    }
    return list;
}

}  // namespace

void describe() {
    const json description = {
        {"format", "freehold-lab"},
        {"version", 1},
        {"compiler", compiler()},
        {"flags", FREEHOLD_LAB_FLAGS},
        {"standard_library", standard_library()},
        {"library", {{"version", freehold_version}, {"commit", freehold_commit}}},
        {"peers", peers()},
        {"suites", suites()}};
    std::cout << description.dump() << std::endl;
}

}  // namespace lab
