// flags: -std=c++17
// SPDX-License-Identifier: BSL-1.0
// Nothing here has a replacement that keeps the meaning in C++17, so --fix changes nothing.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <memory_resource>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <unistd.h>

void use(const void* bytes, std::size_t size);
void take(const std::vector<char>& bytes);

void vector_copied(const char* from, std::size_t n) {
    std::vector<char> bytes(n);  // finds: std::vector<char>(n)
    std::memcpy(bytes.data(), from, n);
    take(bytes);
}

void vector_with_a_value(const std::vector<char>& from) {
    std::vector<char> bytes(from.size(), 0);  // finds: std::vector<char>(n, value)
    std::copy(from.begin(), from.end(), bytes.begin());
    take(bytes);
}

void vector_resized(int descriptor, std::size_t n) {
    std::vector<char> bytes;
    bytes.resize(n);  // finds: std::vector<char>::resize(n)
    const ssize_t got = ::read(descriptor, bytes.data(), bytes.size());
    if (got < 0) throw std::runtime_error("read");
    bytes.resize(static_cast<std::size_t>(got));
    take(bytes);
}

void vector_grown_by_chunks(int descriptor, std::vector<char>& bytes) {
    for (;;) {
        const std::size_t before = bytes.size();
        bytes.resize(before + 65536);  // finds: std::vector<char>::resize(n)
        const ssize_t got = ::read(descriptor, bytes.data() + before, 65536);
        bytes.resize(before + static_cast<std::size_t>(got > 0 ? got : 0));
        if (got <= 0) return;
    }
}

std::string string_resized(std::ifstream& in, std::size_t n) {
    std::string text;
    text.resize(n);  // finds: std::string::resize(n)
    if (!in.read(&text[0], static_cast<std::streamsize>(n))) throw std::runtime_error("short");
    return text;
}

std::string string_of_characters(std::ifstream& in, std::size_t n) {
    std::string text(n, ' ');  // finds: std::string(n, c)
    in.read(text.data(), static_cast<std::streamsize>(n));
    if (in.gcount() != static_cast<std::streamsize>(n)) throw std::runtime_error("short");
    return text;
}

struct record {
    char key[256];
    char value[1024];
};

void element_emplaced(std::vector<record>& all, const record& from) {
    record& one = all.emplace_back();  // finds: std::vector<record>::emplace_back()
    std::memcpy(one.key, from.key, sizeof one.key);
    std::memcpy(one.value, from.value, sizeof one.value);
}

void optional_emplaced(std::optional<record>& one, const record& from) {
    one.emplace();  // finds: std::optional<record>::emplace()
    std::memcpy(&*one, &from, sizeof from);
}

void range_for(std::size_t n, int value) {
    std::vector<int> numbers(n);  // finds: std::vector<int>(n)
    for (int& each : numbers) each = value;
    use(numbers.data(), n * sizeof(int));
}

void make_unique_in_cpp17(const char* from, std::size_t n) {
    auto bytes = std::make_unique<char[]>(n);  // finds: std::make_unique<char[]>(n)
    std::memcpy(bytes.get(), from, n);
    use(bytes.get(), n);
}

bool string_by_a_pointer(std::ifstream& in, std::size_t n, std::string* to) {
    to->clear();
    to->resize(n);  // finds: std::string::resize(n)
    if (in.read(&(*to)[0], static_cast<std::streamsize>(n))) return true;
    to->clear();
    return false;
}

void index_beside_an_iterator(const std::vector<std::string>& words) {
    std::vector<std::size_t> lengths(words.size());  // finds: std::vector<unsigned long>(n)
    std::size_t at = 0;
    for (const std::string& each : words) lengths[at++] = each.size();
    use(lengths.data(), lengths.size() * sizeof(std::size_t));
}

class scratch {
public:
    explicit scratch(std::size_t n) : bytes_(n) {}  // finds: std::vector<char>(n)
    char* data() { return bytes_.data(); }
    std::size_t size() const { return bytes_.size(); }

private:
    std::vector<char> bytes_;
};

void in_a_class_that_its_users_fill(const char* from, std::size_t n) {
    scratch bytes(n);
    std::memcpy(bytes.data(), from, bytes.size());
    use(bytes.data(), bytes.size());
}

std::vector<record> elements_read_until_the_end(std::FILE* file) {
    std::vector<record> all;
    for (;;) {
        all.emplace_back();  // finds: std::vector<record>::emplace_back()
        if (std::fread(&all.back(), sizeof(record), 1, file) == 1) continue;
        all.pop_back();
        return all;
    }
}

std::vector<record> elements_read_without_care(std::FILE* file) {
    std::vector<record> all;
    for (;;) {
        all.emplace_back();
        if (std::fread(&all.back(), sizeof(record), 1, file) != 1) return all;
    }
}

struct batch {
    int count;
    std::array<int, 64> keys;
    std::array<double, 64> values;
    void fill(int from) {
        count = from;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            keys[i] = from;
            values[i] = from;
        }
    }
    void fill_keys(int from) {
        count = from;
        for (int& each : keys) each = from;
    }
};

std::shared_ptr<const batch> filled_by_its_member(int from) {
    auto all = std::make_shared<batch>();  // finds: std::make_shared<batch>()
    all->fill(from);
    return all;
}

std::shared_ptr<const batch> filled_by_its_member_in_part(int from) {
    auto all = std::make_shared<batch>();
    all->fill_keys(from);
    return all;
}

template <class T, std::size_t N>
class window {
public:
    window() = default;
    void prime(const T& with) {
        for (std::size_t i = 0; i < N; ++i) items_[i] = with;
    }

private:
    T items_[N];
};

std::unique_ptr<window<double, 512>> primed(double with) {
    auto all = std::make_unique<window<double, 512>>();  // finds: std::make_unique<window<double,
    all->prime(with);
    return all;
}

std::shared_ptr<record> from_a_pool(const record& from, std::pmr::memory_resource* pool) {
    std::pmr::polymorphic_allocator<record> memory(pool);
    auto one = std::allocate_shared<record>(memory);  // finds: std::allocate_shared<record>()
    std::memcpy(one->key, from.key, sizeof one->key);
    std::memcpy(one->value, from.value, sizeof one->value);
    return one;
}

struct mixed {
    int keys[101];
    double last;
};

std::unique_ptr<mixed> sent_with_its_padding(std::FILE* file, int from) {
    auto all = std::make_unique<mixed>();
    for (int& each : all->keys) each = from;
    all->last = 0;
    std::fwrite(all.get(), sizeof *all, 1, file);
    return all;
}

constexpr unsigned a_square(unsigned n) {
    unsigned squares[256] = {};  // finds: unsigned int[256] x{}
    for (unsigned i = 0; i < 256; ++i) squares[i] = i * i;
    return squares[n & 255];
}

struct differences {
    constexpr explicit differences(unsigned first) : all{} {  // finds: member differences::all{}
        for (unsigned i = 0; i < 256; ++i) all[i] = first - i;
    }
    unsigned all[256];
};

unsigned at_run_time(unsigned n) {
    return a_square(n) + differences(n).all[n & 255];
}
