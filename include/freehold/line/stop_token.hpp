// SPDX-License-Identifier: BSL-1.0
// What it is: std::stop_token, or a token that never requests a stop if the standard library has
// none (libc++ before version 20).
// When to use it: to cancel a get of a line_cache.
// Example: `cache.get("price", 0, source.get_token());`
//
// Units, complexity, thread safety, exceptions, ownership: as of std::stop_token.
// Source: C++20's <stop_token>.
#pragma once

#include <freehold/config.hpp>

#include <version>

#ifdef __cpp_lib_jthread
#include <stop_token>
#endif

namespace freehold::inline FREEHOLD_ABI {

#ifdef __cpp_lib_jthread
using stop_token = std::stop_token;
namespace detail {
template <class Callback>
using stop_callback = std::stop_callback<Callback>;
}  // namespace detail
#else
// Stands in for std::stop_token where the standard library has none. It never requests a stop.
struct stop_token {
    // As std::stop_token's.
    [[nodiscard]] static bool stop_possible() noexcept { return false; }
    [[nodiscard]] static bool stop_requested() noexcept { return false; }
};
namespace detail {
template <class Callback>
struct stop_callback {
    stop_callback(const stop_token&, Callback) noexcept {}
};
}  // namespace detail
#endif

}  // namespace freehold::inline FREEHOLD_ABI
