// SPDX-License-Identifier: BSL-1.0
// What it is: std::pmr::memory_resource under the name freehold::memory_resource. Where the
// standard library has no <memory_resource> (libc++ before its version 16), the name means the
// class of <experimental/memory_resource>.
// When to use it: to pass an upstream to a pool or a cache in code that also compiles with an older
// libc++.
// Example: `freehold::memory_resource& upstream = pages;`
//
// Units, complexity, thread safety, exceptions, ownership: those of the class that it names.
// Source: the standard's std::pmr::memory_resource.
#pragma once

#include <freehold/config.hpp>

#include <memory>

#if __has_include(<memory_resource>)
#include <memory_resource>
namespace freehold::inline FREEHOLD_ABI {
using std::pmr::memory_resource;
}
#else
#include <experimental/memory_resource>
namespace freehold::inline FREEHOLD_ABI {
using std::experimental::pmr::memory_resource;
}
#endif
