// SPDX-License-Identifier: BSL-1.0
// What a library that replaces malloc, because this executable is linked with it, makes of it. That
// is how mimalloc, jemalloc and gperftools say that they are to be used; all their settings are as
// they come.
#pragma once

#include "peers/host.hpp"
#include "peers/packets/cells.hpp"
#include "suites/packets/source.hpp"
#include "suites/packets/sources/glibc.hpp"

#include <cstddef>
#include <string>
#include <utility>

#include <dlfcn.h>

namespace lab::packets {

template <std::size_t Bytes>
using malloc_source = one_by_one<blocks_by<malloc_and_free<Bytes>>>;

/// The path of the library whose malloc is called in this process.
inline std::string file_of_malloc() {
    Dl_info found{};
    void* const called = dlsym(RTLD_DEFAULT, "malloc");
    if (called == nullptr || dladdr(called, &found) == 0 || found.dli_fname == nullptr) return "";
    return found.dli_fname;
}

/// The peer of a library that is called `competitor`, as the name of its file says too.
inline hosted_peer malloc_peer(const char* competitor, std::string version) {
    hosted_peer peer{cells_of<malloc_source>(competitor), {{competitor, std::move(version)}}};
    const std::string file = file_of_malloc();
    if (file.find(competitor, file.rfind('/') + 1) == std::string::npos) {
        peer.missing = "malloc is that of " + file +
                       " in this process: run without preloaded libraries (LD_PRELOAD)";
    }
    return peer;
}

}  // namespace lab::packets
