// SPDX-License-Identifier: BSL-1.0
// The system calls on mappings, and fopen, as observed_system.cpp replaces them for its whole
// process: each asks its hook first, if there is one, and goes on if that returns zero. Otherwise
// it fails with the error that the hook returned.
#pragma once

#include <cstddef>
#include <functional>

namespace freehold::tests {

struct system_hooks {
    // Where mmap maps, if nothing is mapped there; anywhere if null.
    void* place = nullptr;
    // May change the flags. If it takes MAP_HUGETLB away, the mapping is made on a multiple of
    // 2 MiB all the same, as the system would make it if it had reserved pages.
    std::function<int(std::size_t length, int& flags)> mmap;
    std::function<int(void* place, std::size_t length)> munmap;
    std::function<int(void* place, std::size_t length, int advice)> madvise;
    std::function<int(const char* path)> fopen;
};
inline system_hooks hooks;

}  // namespace freehold::tests
