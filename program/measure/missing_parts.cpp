// SPDX-License-Identifier: BSL-1.0
#include "measure/missing_parts.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>

#include <fmt/format.h>
#include <unistd.h>

namespace freehold {
namespace {

struct optional_peer {
    const char* name;  // as the labs report it
    const char* package;
    const char* lost;
};

constexpr std::array<optional_peer, 8> peers = {
    {{"Boost", "libboost-dev", "its pointers are skipped"},
     {"Loki", "libloki-dev", "its linked pointer is skipped"},
     {"Boehm", "libgc-dev", "`cycles` has no garbage collector to compare with"},
     {"LLVM", "llvm-dev", "its IntrusiveRefCntPtr is skipped"},
     {"Qt", "qtbase5-dev", "its QSharedPointer is skipped"},
     {"libc++", "libc++-dev and libc++abi-dev",
      "its shared_ptr and half of the article's program in `construction` are skipped"},
     {"Rust", "cargo", "its Rc, its Arc and triomphe's are skipped"},
     {"libcurl", "libcurl4-openssl-dev", "`cold_scan` is skipped"}}};

bool in_search_path(const std::string& program, const std::string& search_path) {
    std::istringstream folders(search_path);
    for (std::string folder; std::getline(folders, folder, ':');)
        if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
    return false;
}

bool any_lab_is_of(const std::string& compiler, const std::vector<lab>& labs) {
    return std::any_of(labs.begin(), labs.end(), [&](const lab& each) {
        return each.description.compiler.rfind(compiler, 0) == 0;
    });
}

bool has_peer(const lab& lab, const std::string& name) {
    const auto& all = lab.description.peers;
    return std::any_of(all.begin(), all.end(),
                       [&](const peer& each) { return each.name.rfind(name, 0) == 0; });
}

}  // namespace

std::vector<warning> missing_parts(const std::vector<lab>& labs, const std::string& search_path) {
    std::vector<warning> missing;
    for (const char* compiler : {"g++", "clang++"})
        if (!any_lab_is_of(compiler, labs))
            missing.push_back(
                {fmt::format("there is no lab of {}: nothing is measured with it", compiler),
                 fmt::format("install {}, then build the target freehold_lab",
                             compiler[0] == 'g' ? "g++" : "clang")});
    for (const lab& each : labs)
        for (const optional_peer& peer : peers)
            if (!has_peer(each, peer.name))
                missing.push_back(
                    {fmt::format("the lab of {} was built without {}: {}", each.description.name,
                                 peer.name, peer.lost),
                     fmt::format("install {}, then build the target freehold_lab", peer.package)});
    if (!labs.empty() && std::none_of(labs.begin(), labs.end(),
                                      [](const lab& each) { return has_peer(each, "versitygw"); }))
        missing.push_back(
            {"versitygw is not there: `cold_scan` has no server to read from",
             "run scripts/report, which installs it, or set FREEHOLD_VERSITYGW to its path"});
    if (!in_search_path("objdump", search_path))
        missing.push_back(
            {"objdump is not there: footprint has no code sizes", "install binutils"});
    return missing;
}

std::vector<warning> missing_parts(const std::vector<lab>& labs) {
    const char* search_path = std::getenv("PATH");
    return missing_parts(labs, search_path == nullptr ? "" : search_path);
}

}  // namespace freehold
