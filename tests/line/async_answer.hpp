// SPDX-License-Identifier: BSL-1.0
// What get_async passed to its callback, and how often it called it.
#pragma once

#include <freehold/line/line.hpp>

#include "line/scripted_source.hpp"

#include <exception>
#include <utility>

namespace freehold::tests {

struct async_answer {
    line found;
    std::exception_ptr failure;
    int calls = 0;

    auto callback() {
        return [this](line got, std::exception_ptr why) {
            found = std::move(got);
            failure = std::move(why);
            ++calls;
        };
    }
    [[nodiscard]] source_failure reason() const {
        return reason_of([&] { std::rethrow_exception(failure); });
    }
};

}  // namespace freehold::tests
