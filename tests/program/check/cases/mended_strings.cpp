// flags: -std=c++2b
// SPDX-License-Identifier: BSL-1.0
// Strings whose filling moves into resize_and_overwrite.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

#include <unistd.h>

void take(const std::string& text);

std::string constructed_and_copied(const char* from, std::size_t n) {
    std::string text(n, '\0');  // finds: std::string(n, c)
    std::memcpy(text.data(), from, n);
    return text;
}

std::string resized_and_filled_by_a_loop(const char* data, std::size_t size) {
    std::string text;
    text.resize(size);  // finds: std::string::resize(n)
    // The comment stays, and the names of the parameters are not those of the function's.
    for (std::size_t i = 0; i < text.size(); ++i) {
        text[i] = data[size - 1 - i];
    }
    return text;
}

void appended_by_an_algorithm(std::string& to, const char* from, std::size_t n) {
    const std::size_t before = to.size();
    to.resize(before + n, ' ');  // finds: std::string::resize(n)
    std::copy(from, from + n, to.begin() + static_cast<std::ptrdiff_t>(before));
}

void by_a_pointer(std::wstring* to, const wchar_t* from, std::size_t n) {
    to->clear();
    to->resize(n);  // finds: std::wstring::resize(n)
    std::copy_n(from, n, &(*to)[0]);
}

std::string read_and_shrunk(int descriptor, std::size_t n) {
    std::string text;
    text.resize(n);  // finds: std::string::resize(n)
    const ssize_t got = ::read(descriptor, text.data(), text.size());
    if (got < 0) throw std::runtime_error("read");
    text.resize(static_cast<std::size_t>(got));
    return text;
}

std::string read_from_a_file_and_shrunk(std::FILE* file, std::size_t n) {
    std::string text(n, '\0');  // finds: std::string(n, c)
    const auto got = std::fread(&text[0], 1, n, file);
    text.resize(got);
    return text;
}

void read_and_shrunk_in_a_loop(int descriptor) {
    for (;;) {
        std::string text(4096, '\0');  // finds: std::string(n, c)
        const ssize_t got = ::read(descriptor, text.data(), text.size());
        text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
        if (text.empty()) break;
        take(text);
    }
}

class message {
public:
    void set(const char* from, std::size_t n) {
        text_.resize(n);  // finds: std::string::resize(n)
        std::memcpy(text_.data(), from, n);
        take(text_);
    }

private:
    std::string text_;
};

void set(message& one) { one.set("text", 4); }
