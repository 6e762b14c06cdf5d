// SPDX-License-Identifier: BSL-1.0
// Arrow's failures as exceptions.
#pragma once

#include <stdexcept>
#include <utility>

#include <arrow/result.h>
#include <arrow/status.h>

namespace lab::cold_query {

inline void check(const arrow::Status& status) {
    if (!status.ok()) throw std::runtime_error(status.ToString());
}

template <class T>
T checked(arrow::Result<T>&& result) {
    check(result.status());
    return std::move(result).ValueUnsafe();
}

}  // namespace lab::cold_query
