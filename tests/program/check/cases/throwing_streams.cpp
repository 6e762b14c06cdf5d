// flags: -std=c++20
// SPDX-License-Identifier: BSL-1.0
// Streams that throw because the file sets their mask of exceptions.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <istream>
#include <iterator>
#include <string>
#include <vector>

void use(const std::vector<char>&);

void lets_throw(std::istream& in) {
    in.exceptions(std::ios::failbit | std::ios::badbit);
}

void read_table(std::istream& in, std::vector<float>& table, std::size_t count) {
    table.resize(count);
    for (std::size_t i = 0; i < count; i++) {
        float one = 1;
        in.read(reinterpret_cast<char*>(&one), sizeof one);
        table[i] = one;
    }
}

void read_into(std::istream& in, std::vector<char>& bytes, std::size_t n) {
    bytes.resize(n);
    if (!in.read(bytes.data(), static_cast<std::streamsize>(n))) bytes.clear();
}

void read_a_line_before(std::istream& in, std::vector<char>& bytes, std::string& name,
                        std::size_t n) {
    bytes.resize(n);
    std::getline(in, name);
    std::fill(bytes.begin(), bytes.end(), 'x');
}

float next(std::istream& in) {
    float result = 0;
    in >> result;
    return result;
}

void read_by_a_function(std::istream& in, std::vector<float>& table, std::size_t count) {
    table.resize(count);
    for (std::size_t i = 0; i < count; i++) table[i] = next(in);
}

void read_by_iterator(std::istream& in, std::vector<float>& table, std::size_t count) {
    table.resize(count);
    std::copy_n(std::istream_iterator<float>(in), count, table.begin());
}

void read_names(std::istream& in, std::vector<char*>& to, const char* name) {
    to.resize(64);
    for (char*& each : to) {
        in.ignore();
        each = ::strdup(name);
    }
}

class names {
public:
    names(std::istream& in, const char* name) : all_() {
        for (int i = 0; i < 64; ++i) {
            in.ignore();
            all_[i] = ::strdup(name);
        }
    }
    ~names() { std::for_each(std::begin(all_), std::end(all_), std::free); }

private:
    char* all_[64];
};

void into_its_own_vector(std::istream& in, std::size_t n) {
    std::vector<char> bytes(n);  // finds: zeroes n elements
    if (in.read(bytes.data(), static_cast<std::streamsize>(n))) use(bytes);
}

void by_the_buffer(std::istream& in, std::vector<char>& bytes, std::size_t n) {
    bytes.resize(n);  // finds: zeroes n elements
    const std::streamsize got = in.rdbuf()->sgetn(bytes.data(), static_cast<std::streamsize>(n));
    bytes.resize(static_cast<std::size_t>(got));
}

void with_a_wide_stream(std::wistream& in, std::vector<wchar_t>& text, std::size_t n) {
    text.resize(n);  // finds: zeroes n elements
    for (std::size_t i = 0; i < n; i++) {
        wchar_t one = 0;
        in.read(&one, 1);
        text[i] = one;
    }
}
