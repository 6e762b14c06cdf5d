// flags: -std=c++2b -Iinclude
// SPDX-License-Identifier: BSL-1.0
// Nothing here has a replacement that keeps the meaning although the standard has one.
#include <algorithm>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <unistd.h>

void use(const void* bytes, std::size_t size);
void take(const std::vector<char>& bytes);
char next();

std::string the_stream_may_throw(std::ifstream& in, std::size_t n) {
    std::string text(n, ' ');  // finds: std::string(n, c)
    in.read(text.data(), static_cast<std::streamsize>(n));
    if (in.gcount() != static_cast<std::streamsize>(n)) throw std::runtime_error("short");
    return text;
}

std::string the_function_may_throw(std::size_t n) {
    std::string text(n, '\0');  // finds: std::string(n, c)
    for (std::size_t i = 0; i < n; ++i) text[i] = next();
    return text;
}

std::string filled_by_two_statements(const char* from, std::size_t n) {
    std::string text(n, '\0');  // finds: std::string(n, c)
    std::memcpy(text.data(), from, n / 2);
    std::memcpy(text.data() + n / 2, from, n - n / 2);
    return text;
}

std::string something_between(const char* from, std::size_t n) {
    std::string text(n, '\0');  // finds: std::string(n, c)
    use(from, n);
    std::memcpy(text.data(), from, n);
    return text;
}

#define COPY(to, from, n) std::memcpy((to).data(), from, n)
std::string written_by_a_macro(const char* from, std::size_t n) {
    std::string text(n, '\0');  // finds: std::string(n, c)
    COPY(text, from, n);
    return text;
}

std::string an_error_is_told_by_an_exception_of_resize(int descriptor, std::size_t n) {
    std::string text(n, '\0');  // finds: std::string(n, c)
    const ssize_t got = ::read(descriptor, text.data(), n);
    text.resize(static_cast<std::size_t>(got));
    return text;
}

void by_another_name(std::string& to, const std::string& from, std::size_t n) {
    to.resize(n);  // finds: std::string::resize(n)
    for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<char>(from.size());
}

void passed_on(const char* from, std::size_t n) {
    std::vector<char> bytes(n);  // finds: std::vector<char>(n)
    std::memcpy(bytes.data(), from, n);
    take(bytes);
}

std::vector<char> returned(const char* from, std::size_t n) {
    std::vector<char> bytes(n);  // finds: std::vector<char>(n)
    std::memcpy(bytes.data(), from, n);
    return bytes;
}

void iterator_of_its_own_type(const char* from, std::size_t n) {
    std::vector<char> bytes(n);  // finds: std::vector<char>(n)
    std::memcpy(bytes.data(), from, n);
    std::vector<char>::iterator at = bytes.begin();
    use(&*at, n);
}

void type_of_two_variables(const char* from, std::size_t n) {
    std::vector<char> bytes(n), other;  // finds: std::vector<char>(n)
    std::memcpy(bytes.data(), from, n);
    use(bytes.data(), n);
    take(other);
}

using byte_vector = std::vector<char>;

void type_by_another_name(const char* from, std::size_t n) {
    byte_vector bytes(n);  // finds: std::vector<char>(n)
    std::memcpy(bytes.data(), from, n);
    use(bytes.data(), n);
}
