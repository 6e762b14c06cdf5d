// SPDX-License-Identifier: BSL-1.0
#include "memory/observed_system.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdio>

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

using freehold::tests::hooks;

bool refused(int error) {
    if (error != 0) errno = error;
    return error != 0;
}

void* system_mmap(void* hint, std::size_t length, int protection, int flags, int file, off_t from) {
    // A result of -1 is MAP_FAILED.
    return reinterpret_cast<void*>(
        ::syscall(SYS_mmap, hint, length, protection, flags, file, from));
}

}  // namespace

extern "C" {

void* mmap(void* hint, std::size_t length, int protection, int flags, int file,
           off_t from) noexcept {
    const bool reserved = (flags & MAP_HUGETLB) != 0;
    if (hooks.mmap && refused(hooks.mmap(length, flags))) return MAP_FAILED;
    if (hooks.place != nullptr) hint = hooks.place;
    if (!reserved || (flags & MAP_HUGETLB) != 0)
        return system_mmap(hint, length, protection, flags, file, from);

    constexpr std::uintptr_t huge = std::uintptr_t{2} << 20;
    auto* const longer = static_cast<char*>(
        system_mmap(hint, length + huge, protection, flags & 0xffff, file, from));
    if (longer == MAP_FAILED) return longer;
    const std::uintptr_t before = (huge - reinterpret_cast<std::uintptr_t>(longer) % huge) % huge;
    if (before > 0) ::syscall(SYS_munmap, longer, before);
    ::syscall(SYS_munmap, longer + before + length, huge - before);
    return longer + before;
}

int munmap(void* place, std::size_t length) noexcept {
    if (hooks.munmap && refused(hooks.munmap(place, length))) return -1;
    return static_cast<int>(::syscall(SYS_munmap, place, length));
}

int madvise(void* place, std::size_t length, int advice) noexcept {
    if (hooks.madvise && refused(hooks.madvise(place, length, advice))) return -1;
    return static_cast<int>(::syscall(SYS_madvise, place, length, advice));
}

std::FILE* fopen(const char* path, const char* mode) {
    if (hooks.fopen && refused(hooks.fopen(path))) return nullptr;
    using function = std::FILE* (*)(const char*, const char*);
    static const auto of_the_system = reinterpret_cast<function>(::dlsym(RTLD_NEXT, "fopen"));
    return of_the_system(path, mode);
}
}
