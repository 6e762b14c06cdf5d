// SPDX-License-Identifier: BSL-1.0
// Whether a get should end early. It asks a stop_token or a function of the caller, which must
// outlive it.
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/stop_token.hpp>

#include <concepts>

namespace freehold::inline FREEHOLD_ABI::detail {

class stop_check {
public:
    stop_check() = default;  // never
    explicit stop_check(const stop_token& stop) noexcept {
        if (!stop.stop_possible()) return;
        asked_ = &stop;
        ask_ = [](const void* token) {
            return static_cast<const stop_token*>(token)->stop_requested();
        };
    }
    template <class Stopped>
        requires std::predicate<const Stopped&>
    explicit stop_check(const Stopped& stopped) noexcept
        : asked_(&stopped), ask_([](const void* function) -> bool {
              return (*static_cast<const Stopped*>(function))();
          }) {}

    [[nodiscard]] bool is_possible() const noexcept { return ask_ != nullptr; }
    [[nodiscard]] bool is_requested() const { return is_possible() && ask_(asked_); }

private:
    const void* asked_ = nullptr;
    bool (*ask_)(const void*) = nullptr;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
