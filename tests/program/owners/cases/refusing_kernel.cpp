// SPDX-License-Identifier: BSL-1.0
// Preloaded into `freehold`: a kernel that refuses ptrace, and whose Yama has the scope that the
// environment variable SCOPE says. If it is empty, there is no Yama.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>

static std::FILE* opened(const char* function, const char* path, const char* mode) {
    if (std::strcmp(path, "/proc/sys/kernel/yama/ptrace_scope") == 0) {
        const char* const scope = std::getenv("SCOPE");
        std::FILE* const file = std::tmpfile();
        if (file == nullptr || scope == nullptr || *scope == 0) return nullptr;
        std::fputs(scope, file);
        std::rewind(file);
        return file;
    }
    using open_function = std::FILE* (*)(const char*, const char*);
    return reinterpret_cast<open_function>(::dlsym(RTLD_NEXT, function))(path, mode);
}

extern "C" {
std::FILE* fopen(const char* path, const char* mode) {
    return opened("fopen", path, mode);
}
std::FILE* fopen64(const char* path, const char* mode) {
    return opened("fopen64", path, mode);
}
long ptrace(int, ...) {
    errno = EPERM;
    return -1;
}
}
