// SPDX-License-Identifier: BSL-1.0
// std::stop_token and std::stop_callback, or, with a standard library that has none (libc++ before
// its version 20), a token that never asks to stop.
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
struct stop_token {
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
