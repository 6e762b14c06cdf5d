// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lab {

/// What a measurement took.
struct measured_time {
    double seconds = 0;
    /// Whether it may have run on other processors than that of the calling thread.
    bool elsewhere = false;
};

/// The argument of a kernel, in the lab and in external processes. The kernel loops over the
/// iterations, and sets the time that each took:
///
///     for ([[maybe_unused]] auto _ : state) state.set_iteration_time(measured_seconds());
class kernel_state {
public:
    explicit kernel_state(std::int64_t iterations) : iterations_(iterations) {
        times_.reserve(static_cast<std::size_t>(iterations));
    }

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

    void set_iteration_time(double seconds) { times_.push_back(seconds); }
    /// For kernels that choose their processors.
    void runs_elsewhere() noexcept { elsewhere_ = true; }
    [[nodiscard]] measured_time measured() const { return {seconds(), elsewhere_}; }
    /// What the iterations take together, if each takes the lower quartile of their times. Other
    /// work on the machine lengthens some iterations and shortens none, so their sum repeats far
    /// less well: see lab/README.md.
    double seconds() const {
        if (times_.empty()) return 0;
        std::vector<double> sorted = times_;
        const auto quartile = sorted.begin() + static_cast<std::ptrdiff_t>((sorted.size() - 1) / 4);
        std::nth_element(sorted.begin(), quartile, sorted.end());
        return *quartile * static_cast<double>(sorted.size());
    }

private:
    std::int64_t iterations_;
    std::vector<double> times_;
    bool elsewhere_ = false;
};

using kernel = void (*)(kernel_state&);

}  // namespace lab
