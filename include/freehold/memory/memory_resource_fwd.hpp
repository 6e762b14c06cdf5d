// SPDX-License-Identifier: BSL-1.0
// What it is: a declaration of freehold::memory_resource, which is std::pmr::memory_resource.
// When to use it: in headers that only name it. libstdc++'s <memory_resource> takes a quarter of
// the time of <memory> to compile.
// When not: for code that calls or derives from it; memory_resource.hpp is for that.
// Example: `struct options { freehold::memory_resource* upstream = nullptr; };`
//
// Units, complexity, thread safety, exceptions, ownership: none.
// Source: the standard's std::pmr::memory_resource.
#pragma once

#include <freehold/config.hpp>

#include <version>

#if defined(__GLIBCXX__) && __has_include(<memory_resource>)
namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION
namespace pmr {
class memory_resource;
}
_GLIBCXX_END_NAMESPACE_VERSION
}  // namespace std
namespace freehold::inline FREEHOLD_ABI {
using std::pmr::memory_resource;
}
#else
#include <freehold/memory/memory_resource.hpp>
#endif
