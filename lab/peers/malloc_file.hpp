// SPDX-License-Identifier: BSL-1.0
// Whether a library that is to replace malloc, because this executable is linked with it, does.
// That is how mimalloc, jemalloc and gperftools say that they are to be used; all their settings
// are as they come.
#pragma once

#include <string>

#include <dlfcn.h>

namespace lab {

/// The path of the library whose malloc is called in this process.
inline std::string file_of_malloc() {
    Dl_info found{};
    void* const called = dlsym(RTLD_DEFAULT, "malloc");
    if (called == nullptr || dladdr(called, &found) == 0 || found.dli_fname == nullptr) return "";
    return found.dli_fname;
}

/// Empty if malloc is that of the library called `competitor`, as the name of its file says too.
inline std::string why_not_its_malloc(const std::string& competitor) {
    const std::string file = file_of_malloc();
    if (file.find(competitor, file.rfind('/') + 1) != std::string::npos) return "";
    return "malloc is that of " + file +
           " in this process: run without preloaded libraries (LD_PRELOAD)";
}

}  // namespace lab
