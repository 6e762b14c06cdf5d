// SPDX-License-Identifier: BSL-1.0
// std::pmr::memory_resource under one name also where the standard library has it as an experiment
// only: libc++ before its version 16.
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
