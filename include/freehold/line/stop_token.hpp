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

#include <concepts>
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

namespace detail {

// Whether a get should end early. It refers to a stop_token or to a predicate of the caller.
class stop_check {
public:
    stop_check() = default;  // never
    explicit stop_check(const stop_token& stop) noexcept {
        if (stop.stop_possible()) token_ = &stop;
    }
    template <class Stopped>
        requires std::predicate<const Stopped&>
    explicit stop_check(const Stopped& stopped) noexcept
        : predicate_(&stopped), ask_([](const void* function) -> bool {
              return (*static_cast<const Stopped*>(function))();
          }) {}

    [[nodiscard]] bool is_possible() const noexcept { return token_ != nullptr || is_polled(); }
    [[nodiscard]] bool is_requested() const {
        return token_ != nullptr ? token_->stop_requested() : is_polled() && ask_(predicate_);
    }
    // nullptr if there is none. A token tells of its stop; a predicate has to be asked.
    [[nodiscard]] const stop_token* token() const noexcept { return token_; }
    [[nodiscard]] bool is_polled() const noexcept { return ask_ != nullptr; }

private:
    const stop_token* token_ = nullptr;
    const void* predicate_ = nullptr;
    bool (*ask_)(const void*) = nullptr;
};

}  // namespace detail
}  // namespace freehold::inline FREEHOLD_ABI
