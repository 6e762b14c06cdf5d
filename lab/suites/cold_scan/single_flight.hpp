// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suites/cold_scan/store.hpp"

#include <cstddef>

namespace lab::cold_scan {

/// How many requests the server gets when so many threads ask a cache for the same missing line at
/// once; those that the source says it has sent, where the server is not ours.
std::size_t requests_of_readers(const object_store& store, std::size_t readers);

}  // namespace lab::cold_scan
