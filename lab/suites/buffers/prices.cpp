// SPDX-License-Identifier: BSL-1.0
#include "suites/buffers/prices.hpp"

#include "suites/common/barrier.hpp"
#include "suites/common/settle_heap.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <new>

namespace lab::buffers {
namespace {

using clock = std::chrono::steady_clock;
using nanoseconds = std::chrono::duration<double, std::nano>;

constexpr std::size_t page_size = 4096;
constexpr std::size_t groups = 64;

std::size_t group_of(std::size_t size) {
    return static_cast<std::size_t>(std::bit_width(size - 1));
}

/// Returns the cost of a clock reading: the time between two readings without work in between.
double reading() {
    double least = 1e9;
    for (int i = 0; i < 1000; ++i) {
        const auto begin = clock::now();
        barrier();
        least = std::min(least, nanoseconds(clock::now() - begin).count());
    }
    return least;
}

void touch(std::byte* block, std::size_t size) {
    for (std::size_t at = 0; at < size; at += page_size) block[at] = std::byte{1};
    escape(block);
}

struct freed {
    void operator()(std::byte* block) const noexcept { std::free(block); }
};

/// Times each call, in the group of its size. If a call takes longer than any allocator needs,
/// another program had the processor, and the mean of the other calls counts instead.
class priced_calls {
public:
    explicit priced_calls(const workload& work)
        : work_(work), blocks_(work.slots), sizes_(work.slots) {}

    void play() {
        for (const step& each : work_.steps) {
            if (each.size != step::put) {
                timed(each.size, [&] { get(each); });
                sizes_[each.slot] = each.size;
                ++requests_[group_of(each.size)];
                bytes_[group_of(each.size)] += static_cast<double>(each.size);
            } else {
                timed(sizes_[each.slot], [&] { blocks_[each.slot].reset(); });
            }
        }
        for (auto& each : blocks_) each.reset();
    }
    void forget() noexcept {
        sums_ = {};
        calls_ = {};
        requests_ = {};
        bytes_ = {};
    }

    [[nodiscard]] std::vector<price> prices() const {
        std::vector<price> result;
        for (std::size_t i = 0; i < groups; ++i) {
            if (requests_[i] == 0) continue;
            // The pair of a get and a put.
            const double pair = 2 * (sums_[i] / calls_[i] - reading_);
            result.push_back(
                {std::size_t{1} << i,
                 {static_cast<std::size_t>(bytes_[i] / requests_[i]), std::max(pair, 0.1)}});
        }
        return result;
    }

private:
    template <class Call>
    void timed(std::size_t size, Call&& call) {
        const auto begin = clock::now();
        call();
        const double taken = nanoseconds(clock::now() - begin).count();
        const double longest = 50e3 + 4e3 * static_cast<double>(size / page_size);
        if (taken > longest) return;
        sums_[group_of(size)] += taken;
        ++calls_[group_of(size)];
    }
    void get(const step& what) {
        auto* const block = static_cast<std::byte*>(std::malloc(what.size));
        if (block == nullptr) throw std::bad_alloc();
        touch(block, what.size);
        blocks_[what.slot].reset(block);
    }

    const workload& work_;
    const double reading_ = reading();
    std::vector<std::unique_ptr<std::byte, freed>> blocks_;
    std::vector<std::size_t> sizes_;
    std::array<double, groups> sums_{};
    std::array<double, groups> calls_{};
    std::array<double, groups> requests_{};
    std::array<double, groups> bytes_{};
};

}  // namespace

std::vector<std::size_t> groups_of_sizes(const workload& work) {
    std::array<bool, groups> found{};
    for (const step& each : work.steps) {
        if (each.size != step::put) found[group_of(each.size)] = true;
    }
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < groups; ++i) {
        if (found[i]) result.push_back(std::size_t{1} << i);
    }
    return result;
}

std::vector<price> measure_prices(const workload& work) {
    settle_heap();
    priced_calls calls(work);
    calls.play();
    calls.forget();
    calls.play();
    return calls.prices();
}

}  // namespace lab::buffers
