// flags: -std=c++20 -Iinclude
// SPDX-License-Identifier: BSL-1.0
// Local vectors that get an allocator which leaves their elements as they are.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <unistd.h>

void use(const void* bytes, std::size_t size);
void use_all(std::span<const int> numbers);

void constructed(const char* from, std::size_t n) {
    std::vector<char> bytes(n);  // finds: std::vector<char>(n)
    std::memcpy(bytes.data(), from, n);
    use(bytes.data(), bytes.size());
}

void constructed_with_a_value(const int* from, std::size_t n) {
    std::vector<int> numbers(n, 0);  // finds: std::vector<int>(n, value)
    std::copy(from, from + n, numbers.begin());
    std::sort(numbers.begin(), numbers.end());
    for (const int each : numbers) std::printf("%d\n", each);
    use_all(numbers);
}

void resized_twice(int descriptor, std::size_t n) {
    std::vector<unsigned char> bytes;
    bytes.resize(n);  // finds: std::vector<unsigned char>::resize(n)
    const ssize_t got = ::read(descriptor, bytes.data(), bytes.size());
    if (got < 0) throw std::runtime_error("read");
    bytes.resize(static_cast<std::size_t>(got));
    use(bytes.data(), bytes.size());
}

void zeroed_twice(int descriptor, std::size_t n) {
    using std::vector;
    vector<double> numbers(n);  // finds: std::vector<double>(n)
    if (::read(descriptor, numbers.data(), n * sizeof(double)) !=
        static_cast<ssize_t>(n * sizeof(double)))
        return;
    use(numbers.data(), n * sizeof(double));
    numbers.clear();
    numbers.resize(2 * n, 0.0);  // finds: std::vector<double>::resize(n)
    for (std::size_t i = 0; i < 2 * n; ++i) numbers[i] = static_cast<double>(i);
    use(numbers.data(), 2 * n * sizeof(double));
}

std::string given_to_another(const char* from, std::size_t n) {
    std::vector<char> bytes(n);  // finds: std::vector<char>(n)
    std::copy_n(from, n, bytes.begin());
    bytes.insert(bytes.end(), from, from + 1);
    return std::string(bytes.begin(), bytes.end());
}

void of_pointers_to_const(const std::vector<std::string>& from) {
    std::vector<const std::string*> ordered(from.size());  // finds: std::vector
    for (std::size_t i = 0; i < from.size(); ++i) ordered[i] = &from[i];
    for (const std::string* each : ordered) std::printf("%s\n", each->c_str());
}
