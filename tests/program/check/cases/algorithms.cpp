// flags: -std=c++20
// SPDX-License-Identifier: BSL-1.0
// The library's algorithms that fill a range, and iterators that go along together.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <numeric>
#include <random>
#include <vector>

using numbers = std::vector<int>;

numbers merged(const numbers& a, const numbers& b) {
    numbers both(a.size() + b.size());  // finds: std::vector<int>(n)
    std::merge(a.begin(), a.end(), b.begin(), b.end(), both.begin());
    return both;
}

numbers sums(const numbers& a, const numbers& b) {
    numbers sum(a.size());  // finds: std::vector<int>(n)
    std::transform(a.begin(), a.end(), b.begin(), sum.begin(), std::plus<>());
    return sum;
}

numbers sums_of_iterators(const numbers& a, const numbers& b, std::ptrdiff_t n) {
    numbers sum(static_cast<std::size_t>(n));  // finds: std::vector<int>(n)
    std::ranges::transform(a.begin(), a.begin() + n, b.begin(), std::next(b.begin(), n),
                           sum.begin(), std::plus<>());
    return sum;
}

numbers rotated(const numbers& a, std::ptrdiff_t by) {
    numbers other(a.size());  // finds: std::vector<int>(n)
    std::rotate_copy(a.begin(), a.begin() + by, a.end(), other.begin());
    return other;
}

numbers backwards(const numbers& a) {
    numbers other(a.size());  // finds: std::vector<int>(n)
    std::copy_backward(a.begin(), a.end(), other.end());
    return other;
}

numbers running_sums(const numbers& a) {
    numbers sum(a.size());  // finds: std::vector<int>(n)
    std::transform_inclusive_scan(a.begin(), a.end(), sum.begin(), std::plus<>(),
                                  [](int each) { return 2 * each; });
    return sum;
}

numbers replaced(const numbers& a) {
    numbers other(a.size());  // finds: std::vector<int>(n)
    std::replace_copy_if(
        a.begin(), a.end(), other.begin(), [](int each) { return each < 0; }, 0);
    return other;
}

numbers selected(const numbers& a) {
    numbers few(a.size());  // finds: std::vector<int>(n)
    const auto end =
        std::copy_if(a.begin(), a.end(), few.begin(), [](int each) { return each > 0; });
    few.erase(end, few.end());
    return few;
}

numbers united(const numbers& a, const numbers& b) {
    numbers all(a.size() + b.size());  // finds: std::vector<int>(n)
    const auto end = std::set_union(a.begin(), a.end(), b.begin(), b.end(), all.begin());
    all.resize(static_cast<std::size_t>(end - all.begin()));
    return all;
}

numbers generated(std::size_t n, std::uint32_t seed) {
    numbers all(n);  // finds: std::vector<int>(n)
    std::for_each(all.begin(), all.end(), [seed](int& each) mutable {
        seed = seed * 1664525U + 1013904223U;
        each = static_cast<int>(seed >> 24);
    });
    return all;
}

numbers generated_by_range(std::size_t n) {
    numbers all(n);  // finds: std::vector<int>(n)
    std::ranges::for_each(all, [next = 0](auto& each) mutable { each = next++; });
    return all;
}

numbers iterators_side_by_side(const numbers& from) {
    numbers to(from.size());  // finds: std::vector<int>(n)
    auto source = from.cbegin();
    for (auto target = to.begin(); target != to.end(); ++target, ++source) *target = -*source;
    return to;
}

struct colours {
    std::uint32_t all[256];
};

void steps_of_two_lengths(const std::uint8_t* from, std::vector<colours>& to) {
    colours& one = to.emplace_back();  // finds: std::vector<colours>::emplace_back()
    for (std::uint32_t& each : one.all) {
        each = static_cast<std::uint32_t>(from[0] << 16 | from[1] << 8 | from[2]);
        from += 3;
    }
}

// None of these is found.

numbers all_that_may_be_selected(const numbers& a) {
    numbers few(a.size());
    std::copy_if(a.begin(), a.end(), few.begin(), [](int each) { return each > 0; });
    return few;
}

numbers shorter_of_two(const numbers& a, const numbers& b) {
    numbers sum(a.size());
    std::ranges::transform(a, b, sum.begin(), std::plus<>());
    return sum;
}

numbers added_to_zeroes(const numbers& a) {
    numbers sum(a.size());
    std::transform(a.begin(), a.end(), sum.begin(), sum.begin(), std::plus<>());
    return sum;
}

numbers counted(std::size_t n) {
    numbers all(n);
    std::for_each(all.begin(), all.end(), [](int& each) { each += 1; });
    return all;
}

numbers some_of_each(std::size_t n, int least) {
    numbers all(n);
    int next = 0;
    std::for_each(all.begin(), all.end(), [&](int& each) {
        if (++next > least) each = next;
    });
    return all;
}

numbers one_more_than_before(std::size_t n) {
    numbers all(n);
    std::for_each(all.begin() + 1, all.end(), [&](int& each) { each = all[0] + 1; });
    return all;
}

numbers one_range_of_two(const numbers& a, const numbers& b) {
    numbers both(a.size() + b.size());
    std::merge(a.begin(), a.end(), b.begin(), b.begin(), both.begin());
    return both;
}
