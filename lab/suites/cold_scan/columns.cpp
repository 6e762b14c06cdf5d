// SPDX-License-Identifier: BSL-1.0
#include "suites/cold_scan/columns.hpp"

#include <cstring>

namespace lab::cold_scan {
namespace {

constexpr std::size_t row_bytes = 2 * sizeof(std::int64_t);
constexpr std::int64_t quantities = 100;
constexpr std::int64_t limit = 30;
constexpr std::int64_t prices = 1'000'000;

/// Steele, Lea and Flood's SplitMix64. Returns the number at any place of the sequence, without the
/// others.
std::uint64_t mixed(std::uint64_t place) {
    std::uint64_t z = place * 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

std::int64_t load(const std::byte* from) {
    std::int64_t value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

void store(std::byte* to, std::int64_t value) {
    std::memcpy(to, &value, sizeof value);
}

}  // namespace

void fill_row_group(std::span<std::byte> line, std::uint64_t number) {
    const std::size_t rows = line.size() / row_bytes;
    std::byte* const quantity = line.data();
    std::byte* const price = quantity + rows * sizeof(std::int64_t);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::uint64_t random = mixed(number * rows + row);
        const std::size_t at = row * sizeof(std::int64_t);
        store(quantity + at, static_cast<std::int64_t>(random >> 40) % quantities);
        store(price + at, static_cast<std::int64_t>(random & 0xffffffff) % prices);
    }
}

std::int64_t sum_of_prices(std::span<const std::byte> line) {
    const std::size_t rows = line.size() / row_bytes;
    const std::byte* const quantity = line.data();
    const std::byte* const price = quantity + rows * sizeof(std::int64_t);
    std::uint64_t sum = 0;
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t at = row * sizeof(std::int64_t);
        // All bits are set if the quantity is below the limit, and none otherwise. This needs no
        // branch, and every x86-64 has these operations as vector instructions.
        const std::uint64_t below = static_cast<std::uint64_t>(load(quantity + at) - limit) >> 63;
        sum += static_cast<std::uint64_t>(load(price + at)) & (0 - below);
    }
    return static_cast<std::int64_t>(sum);
}

}  // namespace lab::cold_scan
