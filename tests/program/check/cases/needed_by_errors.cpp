// flags: -std=c++20
// SPDX-License-Identifier: BSL-1.0
// Calls that fail with -1, which unsigned numbers take for a large one. Only what tests for it may
// be found in this file.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <unistd.h>

std::string cut_to_the_smaller(int file, std::size_t page) {
    std::string text(page, '\0');
    const auto got = static_cast<std::size_t>(::read(file, text.data(), page));
    text.resize(got < page ? got : page);
    return text;
}

std::string cut_to_the_least(int file, std::size_t page) {
    std::string text(page, '\0');
    const auto got = static_cast<std::size_t>(::read(file, text.data(), page));
    text.resize(std::min(got, page));
    return text;
}

std::string cut_to_the_least_of_the_result(int file, std::size_t page) {
    std::string text(page, '\0');
    const ssize_t got = ::read(file, text.data(), page);
    text.resize(std::min<std::size_t>(got, page));
    return text;
}

std::string cut_to_what_was_read(int file, std::size_t page) {
    std::string text(page, '\0');  // finds: std::string(n, c)
    const ssize_t got = ::read(file, text.data(), page);
    if (got < 0) return {};
    text.resize(std::min<std::size_t>(got, page));
    return text;
}

std::vector<char> a_failure_ends_the_loop(int file, std::size_t n) {
    std::vector<char> bytes(n);
    std::size_t done = 0;
    while (done < n) {
        const ssize_t got = ::read(file, bytes.data() + done, n - done);
        if (got == 0) return {};
        done += static_cast<std::size_t>(got);
    }
    return bytes;
}

std::vector<char> a_failure_ends_the_other_loop(int file, std::size_t n) {
    std::vector<char> bytes(n);
    std::size_t done = 0;
    while (done < n) {
        const ssize_t got = ::read(file, bytes.data() + done, std::min<std::size_t>(n - done, 512));
        if (got == 0) return {};
        done = done + got;
    }
    return bytes;
}

std::vector<char> a_failure_is_no_result(int file, std::size_t n) {
    std::vector<char> bytes(n);  // finds: std::vector<char>(n)
    std::size_t done = 0;
    while (done < n) {
        const ssize_t got = ::read(file, bytes.data() + done, n - done);
        if (got <= 0) return {};
        done += static_cast<std::size_t>(got);
    }
    return bytes;
}

// A function that is followed returns -1 as a number.
static ssize_t whole_or_error(int file, char* to, std::size_t n) {
    if (::read(file, to, n) != static_cast<ssize_t>(n)) return -1;
    return static_cast<ssize_t>(n);
}

std::vector<char> a_returned_error_is_no_short_read(int file, std::size_t n) {
    std::vector<char> bytes(n);
    if (static_cast<std::size_t>(whole_or_error(file, bytes.data(), n)) < n) return {};
    return bytes;
}

std::vector<char> a_kept_error_is_no_short_read(int file, std::size_t n) {
    std::vector<char> bytes(n);
    const auto got = static_cast<std::size_t>(whole_or_error(file, bytes.data(), n));
    if (got >= n) return bytes;
    return {};
}

std::vector<char> cut_to_the_least_of_an_error(int file, std::size_t n) {
    std::vector<char> bytes(n);
    const auto got = static_cast<std::size_t>(whole_or_error(file, bytes.data(), n));
    bytes.resize(std::min(got, n));
    return bytes;
}

std::vector<char> a_returned_error_ends_the_loop(int file, std::size_t n) {
    std::vector<char> bytes(n);
    std::size_t done = 0;
    while (done < n)
        done += static_cast<std::size_t>(whole_or_error(file, bytes.data() + done, n - done));
    return bytes;
}

std::vector<char> a_returned_error_ends_the_other_loop(int file, std::size_t n) {
    std::vector<char> bytes(n);
    std::size_t done = 0;
    while (done < n) {
        const ssize_t got = whole_or_error(file, bytes.data() + done, n - done);
        done = done + static_cast<std::size_t>(got);
    }
    return bytes;
}

std::vector<char> a_sum_with_a_failure_ends_the_loop(int file, std::size_t n) {
    std::vector<char> bytes(n);
    std::size_t done = 0;
    while (done < n) {
        const ssize_t got = ::read(file, bytes.data() + done, n - done);
        if (got == 0) return {};
        const std::size_t sum = done + static_cast<std::size_t>(got);
        done = sum;
    }
    return bytes;
}

std::vector<char> a_returned_error_is_another_number(int file, std::size_t n) {
    std::vector<char> bytes(n);  // finds: std::vector<char>(n)
    if (static_cast<std::size_t>(whole_or_error(file, bytes.data(), n)) != n) return {};
    return bytes;
}

std::vector<char> a_returned_error_is_tested(int file, std::size_t n) {
    std::vector<char> bytes(n);  // finds: std::vector<char>(n)
    if (whole_or_error(file, bytes.data(), n) < 0) return {};
    return bytes;
}

// 64 bits have a large number after an unsigned one of 32 bits got the -1.
static int short_whole_or_error(int file, char* to, std::size_t n) {
    return static_cast<int>(whole_or_error(file, to, n));
}

std::vector<char> a_widened_error_is_no_short_read(int file, std::size_t n) {
    std::vector<char> bytes(n);
    const auto got = static_cast<std::uint32_t>(short_whole_or_error(file, bytes.data(), n));
    if (static_cast<std::int64_t>(got) < static_cast<std::int64_t>(n)) return {};
    return bytes;
}

struct ssl_st;
extern "C" int SSL_read(ssl_st* from, void* to, int n);
std::vector<char> a_widened_result_is_never_negative(ssl_st* from, int n) {
    std::vector<char> bytes(n);
    const auto got = static_cast<std::uint32_t>(SSL_read(from, bytes.data(), n));
    const std::int64_t wide = got;
    if (wide < 0) return {};
    bytes.resize(std::min<std::int64_t>(n, wide));
    return bytes;
}

std::vector<char> an_error_in_32_bits_is_another_number(int file, std::uint32_t n) {
    std::vector<char> bytes(n);  // finds: std::vector<char>(n)
    const auto got = static_cast<std::uint32_t>(short_whole_or_error(file, bytes.data(), n));
    if (got != n) return {};
    return bytes;
}
