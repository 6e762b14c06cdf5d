// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace lab {

/// The argument of a kernel, in the lab and in external processes. The kernel loops over the
/// iterations, and sets the time that each took:
///
///     for ([[maybe_unused]] auto _ : state) state.set_iteration_time(measured_seconds());
class kernel_state {
public:
    explicit kernel_state(std::int64_t iterations) noexcept : iterations_(iterations) {}

    class iterator {
    public:
        struct [[maybe_unused]] iteration {};
        explicit iterator(std::int64_t left) noexcept : left_(left) {}
        iteration operator*() const noexcept { return {}; }
        iterator& operator++() noexcept {
            --left_;
            return *this;
        }
        bool operator!=(const iterator& other) const noexcept { return left_ != other.left_; }

    private:
        std::int64_t left_;
    };
    iterator begin() const noexcept { return iterator(iterations_); }
    iterator end() const noexcept { return iterator(0); }

    void set_iteration_time(double seconds) noexcept { seconds_ += seconds; }
    double seconds() const noexcept { return seconds_; }

private:
    std::int64_t iterations_;
    double seconds_ = 0;
};

using kernel = void (*)(kernel_state&);

}  // namespace lab
