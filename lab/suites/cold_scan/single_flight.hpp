// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suites/cold_scan/store.hpp"

#include <cstddef>

namespace lab::cold_scan {

/// Returns how many requests the server gets when `readers` threads ask a cache for the same
/// missing line at the same time. If the lab did not start the server, it returns the requests that
/// the source says it has sent.
std::size_t requests_of_readers(const object_store& store, std::size_t readers);

}  // namespace lab::cold_scan
