// SPDX-License-Identifier: BSL-1.0
// What the passes of loops write: by different steps, at borders, in some passes, and in none.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

int next();

// Each pass reads 4 bytes and writes 3.
std::vector<std::uint8_t> colours_of(const std::vector<std::uint32_t>& pixels) {
    std::vector<std::uint8_t> all(pixels.size() * 3);  // finds: std::vector<unsigned char>(n)
    std::uint8_t* to = all.data();
    for (std::uint32_t each : pixels) {
        *to++ = static_cast<std::uint8_t>(each >> 16U);
        *to++ = static_cast<std::uint8_t>(each >> 8U);
        *to++ = static_cast<std::uint8_t>(each);
    }
    return all;
}

std::vector<std::uint8_t> colours_with_room_for_a_fourth(const std::vector<std::uint32_t>& pixels) {
    std::vector<std::uint8_t> all(pixels.size() * 4);
    std::size_t at = 0;
    for (std::uint32_t each : pixels) {
        all[at++] = static_cast<std::uint8_t>(each >> 16U);
        all[at++] = static_cast<std::uint8_t>(each >> 8U);
        all[at++] = static_cast<std::uint8_t>(each);
    }
    return all;
}

std::vector<std::uint8_t> colours_but_for_some(const std::vector<std::uint32_t>& pixels) {
    std::vector<std::uint8_t> all(pixels.size() * 3);
    std::uint8_t* to = all.data();
    for (std::uint32_t each : pixels) {
        *to++ = static_cast<std::uint8_t>(each >> 16U);
        *to++ = static_cast<std::uint8_t>(each >> 8U);
        if (each != 0) *to++ = static_cast<std::uint8_t>(each);
    }
    return all;
}

// The neighbours of an element at the border are clamped.
std::vector<int> blurred(const std::vector<int>& from, std::size_t w, std::size_t h) {
    if (from.size() != w * h) return {};
    std::vector<int> all(w * h);  // finds: std::vector<int>(n)
    for (std::size_t y = 0; y < h; ++y) {
        for (std::size_t x = 0; x < w; ++x) {
            const std::size_t left = x > 0 ? x - 1 : 0;
            const std::size_t right = x + 1 < w ? x + 1 : x;
            all[y * w + x] = from[y * w + left] + from[y * w + right];
        }
    }
    return all;
}

std::vector<int> marked_at_the_end(std::size_t n) {
    std::vector<int> all(n);  // finds: std::vector<int>(n)
    for (std::size_t i = 0; i < n; ++i) {
        if (i + 1 < n)
            all[i] = 1;
        else
            all[i] = 2;
    }
    return all;
}

std::vector<int> without_the_end(std::size_t n) {
    std::vector<int> all(n);
    for (std::size_t i = 0; i < n; ++i)
        if (i + 1 < n) all[i] = 1;
    return all;
}

std::vector<int> the_end_twice(std::size_t n) {
    std::vector<int> all(n);
    for (std::size_t i = 0; i < n; ++i) {
        if (i + 2 < n)
            all[i] = 1;
        else
            all[n - 1] = 2;
    }
    return all;
}

// If there are no rows or no columns, the inner loop has no pass, and there is nothing to write.
std::vector<float> planes_of(const std::uint8_t* from, std::size_t w, std::size_t h) {
    std::vector<float> all(h * w * 3);  // finds: std::vector<float>(n)
    for (std::size_t plane = 0; plane < 3; ++plane)
        for (std::size_t i = 0; i < h * w; ++i) all[plane * (h * w) + i] = from[i * 3 + plane];
    return all;
}

std::vector<float> all_planes_but_one(const std::uint8_t* from, std::size_t w, std::size_t h) {
    std::vector<float> all(h * w * 3);
    for (std::size_t plane = 0; plane < 2; ++plane)
        for (std::size_t i = 0; i < h * w; ++i) all[plane * (h * w) + i] = from[i * 3 + plane];
    return all;
}

// A function that the check cannot see changes neither the range of the loop nor its reference.
std::vector<int> drawn(std::size_t n) {
    std::vector<int> all(n);  // finds: std::vector<int>(n)
    for (int& each : all) each = next();
    return all;
}

std::vector<int> drawn_until_zero(std::size_t n) {
    std::vector<int> all(n);
    for (int& each : all) {
        const int drawn = next();
        if (drawn == 0) break;
        each = drawn;
    }
    return all;
}

// What was written was within the object, so the new size is no larger.
std::vector<int> positive(const std::vector<int>& from) {
    std::vector<int> all(from.size());  // finds: std::vector<int>(n)
    std::size_t at = 0;
    for (int each : from)
        if (each > 0) all[at++] = each;
    all.resize(at);
    return all;
}

std::vector<std::uint8_t> numbers_of(std::string_view digits) {
    std::vector<std::uint8_t> all(digits.size() / 2);  // finds: std::vector<unsigned char>(n)
    std::size_t at = 0;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
        all[at++] = static_cast<std::uint8_t>(digits[i] * 16 + digits[i + 1]);
    all.resize(at);
    return all;
}

std::vector<int> positive_and_one_more(const std::vector<int>& from) {
    std::vector<int> all(from.size());
    std::size_t at = 0;
    for (int each : from)
        if (each > 0) all[at++] = each;
    all.resize(at + 1);
    return all;
}

std::vector<int> smaller_and_larger_again(std::size_t n) {
    std::vector<int> all(100);
    for (int& each : all) each = next();
    all.resize(10);
    all.resize(n < 50 ? n : 50);
    return all;
}
