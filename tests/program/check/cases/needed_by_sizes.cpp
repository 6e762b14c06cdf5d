// flags: -std=c++20
// SPDX-License-Identifier: BSL-1.0
// Nothing is found here: large bounds, conversions, sizes that change, tails that are used, and
// zeroes that do not exist at run time.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

void unknown();
void parse(const char* text, std::size_t size, std::size_t room);

std::vector<std::uint32_t> bounded_by_the_largest_int(const std::uint32_t* from, std::size_t n,
                                                      std::size_t m) {
    if (n > INT32_MAX) throw std::length_error("n");
    if (m > n) throw std::length_error("m");
    std::vector<std::uint32_t> all(n);
    std::memcpy(all.data(), from, m * sizeof(*from));
    return all;
}

std::unique_ptr<std::uint64_t[]> bounded_by_a_quotient(std::size_t n, std::uint64_t first) {
    if (n > PTRDIFF_MAX / sizeof(std::uint64_t)) throw std::bad_alloc();
    auto all = std::make_unique<std::uint64_t[]>(n);
    if (n != 0) all[0] = first;
    return all;
}

std::vector<std::int16_t> every_second(const std::int16_t* from, std::size_t n) {
    if (n > 0xffffff) throw std::length_error("n");
    std::vector<std::int16_t> all(n);
    for (std::size_t i = 0; i < n; i += 2) all[i] = from[i];
    return all;
}

std::string terminated(std::FILE* from, std::size_t length) {
    if (length >= UINT32_MAX) return {};
    auto text = std::make_unique<char[]>(length + 1);
    if (std::fread(text.get(), 1, length, from) != length) return {};
    return text.get();
}

std::vector<char> few_of_four_gibibytes(const char* from, std::size_t n) {
    constexpr std::size_t capacity = std::size_t{4} << 30;
    if (n > capacity) return {};
    std::vector<char> all(capacity);
    std::memcpy(all.data(), from, n);
    return all;
}

std::vector<char> converted(const char* from, std::size_t n) {
    std::vector<char> all(n);
    std::memcpy(all.data(), from, static_cast<std::uint16_t>(n));
    return all;
}

std::vector<char> converted_to_int(const char* from, std::size_t n) {
    std::vector<char> all(n);
    for (int i = 0; i < static_cast<int>(n); ++i) all[static_cast<std::size_t>(i)] = from[i];
    return all;
}

std::vector<char> converted_to_bool(const char* from, std::size_t n) {
    std::vector<char> all(n);
    const bool any = n != 0;
    std::memcpy(all.data(), from, any);
    return all;
}

struct header {
    unsigned length : 8;
};

std::vector<char> converted_to_bits(const char* from, unsigned n) {
    std::vector<char> all(n);
    header of{};
    of.length = n;
    std::memcpy(all.data(), from, of.length);
    return all;
}

std::vector<char> counted_in_a_byte(const char* from, std::size_t n) {
    std::vector<char> all(n);
    std::uint8_t count = 0;
    for (std::size_t i = 0; i < n; ++i) all[count++] = from[i];
    return all;
}

std::vector<char> summed_in_a_short(const char* from, std::size_t n) {
    std::vector<char> all(n);
    std::uint16_t sum = 0;
    sum += n;
    std::memcpy(all.data(), from, sum);
    return all;
}

std::size_t size_of_all;

std::vector<char> with_a_global_size(const char* from) {
    std::vector<char> all(size_of_all);
    unknown();
    std::memcpy(all.data(), from, size_of_all);
    return all;
}

std::vector<char> with_a_pointed_size(const char* from, const std::size_t* n) {
    std::vector<char> all(*n);
    unknown();
    std::memcpy(all.data(), from, *n);
    return all;
}

std::vector<char> with_a_referenced_size(const char* from, const std::size_t& n) {
    std::vector<char> all(n);
    unknown();
    std::memcpy(all.data(), from, n);
    return all;
}

class sized {
public:
    std::vector<char> unknown_between(const char* from) const {
        std::vector<char> all(size_);
        unknown();
        std::memcpy(all.data(), from, size_);
        return all;
    }
    std::vector<char> halved_between(const char* from) {
        std::vector<char> all(size_);
        halve();
        std::memcpy(all.data(), from, size_);
        return all;
    }
    std::vector<char> called_back_between(const char* from, const std::function<void()>& then) {
        std::vector<char> all(size_);
        then();
        std::memcpy(all.data(), from, size_);
        return all;
    }

private:
    void halve() { size_ /= 2; }
    std::size_t size_ = 0;
};

std::vector<char> with_an_alias(const char* from, std::size_t n) {
    std::size_t* const alias = &n;
    std::vector<char> all(n);
    *alias = n / 2;
    std::memcpy(all.data(), from, n);
    return all;
}

std::vector<char> with_a_lambda(const char* from, std::size_t n) {
    const auto halve = [&] { n /= 2; };
    std::vector<char> all(n);
    halve();
    std::memcpy(all.data(), from, n);
    return all;
}

std::vector<char> with_an_atomic_size(const char* from, const std::atomic<std::size_t>& n) {
    std::vector<char> all(n);
    std::memcpy(all.data(), from, n);
    return all;
}

std::vector<char> with_a_loaded_size(const char* from, const std::atomic<std::size_t>& n) {
    std::vector<char> all(n.load());
    std::memcpy(all.data(), from, n.load());
    return all;
}

std::vector<char> with_a_volatile_size(const char* from, const volatile std::size_t& n) {
    std::vector<char> all(n);
    std::memcpy(all.data(), from, n);
    return all;
}

void padded(std::FILE* from, std::size_t length) {
    std::string text(length + 64, '\0');
    if (std::fread(text.data(), 1, length, from) != length) return;
    parse(text.data(), length, text.size());
}

void padded_to_a_sum(std::FILE* from, std::size_t length) {
    std::vector<char> text(length + 64);
    if (std::fread(text.data(), 1, length, from) != length) return;
    parse(text.data(), length, length + 32);
}

void padded_to_the_capacity(std::FILE* from, std::size_t length) {
    std::string text(length + 64, '\0');
    if (std::fread(text.data(), 1, length, from) != length) return;
    parse(text.data(), length, text.capacity());
}

struct packet {
    char bytes[1500];
};

std::unique_ptr<packet> optimisers_remove_it(const packet& from) {
    auto copy = std::make_unique<packet>();
    std::memcpy(copy.get(), &from, sizeof from);
    return copy;
}

void a_resize_that_shrinks(std::vector<char>& all, const char* from) {
    all.resize(all.size() / 2);
    std::memcpy(all.data(), from, all.size());
}

std::vector<char> with_an_element_as_size(const char* from, std::size_t n, std::size_t m) {
    std::size_t sizes[2] = {n, m};
    std::vector<char> all(sizes[0]);
    sizes[0] /= 2;
    std::memcpy(all.data(), from, sizes[0]);
    return all;
}

std::vector<char> with_a_member_of_a_union(const char* from, std::size_t n) {
    union {
        std::size_t whole;
        std::uint32_t half;
    } size{n};
    std::vector<char> all(size.whole);
    size.half = 0;
    std::memcpy(all.data(), from, size.whole);
    return all;
}

std::vector<char> with_a_string_that_becomes_shorter(char* from) {
    std::vector<char> all(std::strlen(from));
    from[3] = '\0';
    std::memcpy(all.data(), from, std::strlen(from));
    return all;
}

std::vector<char> with_a_string_that_others_change(const char* from) {
    std::vector<char> all(std::strlen(from));
    unknown();
    std::memcpy(all.data(), from, std::strlen(from));
    return all;
}

std::vector<char> multiplied_in_32_bits(const char* from, std::uint32_t a, std::uint32_t b) {
    std::vector<char> all(std::size_t{a} * b);
    const std::uint64_t size = a * b;
    std::memcpy(all.data(), from, size);
    return all;
}

std::vector<char> added_in_32_bits(const char* from, std::uint32_t a, std::uint32_t b) {
    std::vector<char> all(std::size_t{a} + b);
    std::uint32_t sum = a;
    sum += b;
    std::memcpy(all.data(), from, sum);
    return all;
}

std::vector<char> shifted_in_32_bits(const char* from, std::uint32_t n) {
    std::vector<char> all(std::size_t{n} << 2);
    std::memcpy(all.data(), from, n << 2);
    return all;
}

std::vector<int> indexed_in_32_bits(const int* from, std::uint32_t w, std::uint32_t h) {
    std::vector<int> all(std::size_t{w} * h);
    for (std::uint32_t y = 0; y < h; ++y)
        for (std::uint32_t x = 0; x < w; ++x) all[y * w + x] = from[x];
    return all;
}

struct halver {
    std::size_t& size;
    ~halver() { size /= 2; }
};

struct unknown_end {
    explicit unknown_end(std::size_t* size);
    ~unknown_end();
};

std::vector<char> with_a_destructor(const char* from, std::size_t n) {
    std::vector<char> all(n);
    { const halver each{n}; }
    std::memcpy(all.data(), from, n);
    return all;
}

std::vector<char> with_an_unknown_destructor(const char* from, std::size_t n) {
    std::vector<char> all(n);
    { const unknown_end each(&n); }
    std::memcpy(all.data(), from, n);
    return all;
}

std::vector<char> with_a_destructor_of_a_part(const char* from, std::size_t n) {
    std::vector<char> all(n);
    {
        std::optional<halver> each;
        each.emplace(halver{n});
    }
    std::memcpy(all.data(), from, n);
    return all;
}

std::vector<char> with_a_destructor_of_a_temporary(const char* from, std::size_t n) {
    std::vector<char> all(n);
    static_cast<void>(halver{n});
    std::memcpy(all.data(), from, n);
    return all;
}

std::vector<char> with_a_deleted_object(const char* from, std::size_t n) {
    std::vector<char> all(n);
    const auto* each = new halver{n};
    delete each;
    std::memcpy(all.data(), from, n);
    return all;
}

std::vector<char> with_an_object_that_is_reset(const char* from, std::size_t n) {
    std::vector<char> all(n);
    auto each = std::make_unique<halver>(halver{n});
    each.reset();
    std::memcpy(all.data(), from, n);
    return all;
}

std::vector<int> grows_by_zeroes(const int* from, std::size_t n) {
    std::vector<int> all(n);
    std::copy(from, from + n, all.begin());
    all.resize(2 * n);
    return all;
}

void printed_without_room(const char* from, std::size_t room) {
    char text[1024] = "";
    std::snprintf(text, std::min(room, sizeof text), "%s", from);
    std::puts(text);
}

void printed_into_a_part(std::FILE* to, const char* from) {
    char text[1024] = "";
    const int size = std::snprintf(text, 10, "%s", from);
    if (size >= 0 && size < 1000) std::fwrite(text, 1, static_cast<std::size_t>(size), to);
}

void long_doubles(std::FILE* to, std::size_t n) {
    auto all = std::make_unique<long double[]>(n);
    for (std::size_t i = 0; i < n; ++i) all[i] = 1.0L;
    std::fwrite(all.get(), sizeof(long double), n, to);
}

struct padded_pair {
    char first;
    int second;
};

void assigned_without_padding(std::FILE* to, std::size_t n) {
    std::vector<padded_pair> all(n);
    for (std::size_t i = 0; i < n; ++i) all[i] = padded_pair{1, 2};
    std::fwrite(all.data(), sizeof(padded_pair), n, to);
}

void published_before(std::shared_ptr<packet>& to, std::FILE* from) {
    to = std::make_shared<packet>();
    unknown();
    if (std::fread(to.get(), 1, sizeof(packet), from) != sizeof(packet)) to.reset();
}

void of_a_pointee(std::vector<char>* to, const char* from, std::size_t n) {
    *to = {};
    to->resize(n);
    unknown();
    std::memcpy(to->data(), from, n);
}

struct observer {
    virtual void tick() = 0;
};

struct observed {
    std::vector<char> bytes;
    void fill(observer& by, std::size_t n) {
        bytes.clear();
        bytes.resize(n);
        by.tick();
        std::memset(bytes.data(), 1, n);
    }
    void read(std::FILE* from, std::size_t n) {
        bytes.clear();
        bytes.resize(n);
        if (std::fread(bytes.data(), 1, n, from) != n) throw std::runtime_error("too short");
    }
};

void keep(std::vector<char>* all);

void registered(const char* from, std::size_t n) {
    std::vector<char> all;
    keep(&all);
    all.resize(n);
    unknown();
    std::memcpy(all.data(), from, n);
}

int asked();

void left_by_an_exception(std::vector<int>& to, std::size_t n) {
    to.clear();
    to.resize(n);
    for (std::size_t i = 0; i < n; ++i) to[i] = asked();
}

int positive(int number) {
    if (number < 0) throw std::range_error("negative");
    return number;
}

void left_by_an_exception_of_a_callee(std::vector<int>& to, const int* from, std::size_t n) {
    to.clear();
    to.resize(n);
    for (std::size_t i = 0; i < n; ++i) to[i] = positive(from[i]);
}

void left_by_an_exception_of_the_library(std::vector<int>& to, const std::vector<int>& from,
                                         std::size_t n) {
    to.clear();
    to.resize(n);
    for (std::size_t i = 0; i < n; ++i) to[i] = from.at(i);
}

// The index rises in some passes only, and what it has not reached is read.
std::string an_index_of_some_passes(const std::string& from) {
    std::string to(from.size(), '\0');
    std::size_t at = 0;
    for (char each : from) {
        if (each != ' ') to[at++] = each;
    }
    return to;
}

std::string an_index_that_also_skips(const std::string& from) {
    std::string to(from.size(), '\0');
    std::size_t at = 0;
    for (char each : from) {
        if (each != ' ')
            to[at++] = each;
        else
            ++at;
    }
    to.resize(at);
    return to;
}

std::string an_index_that_steps_back(const std::string& from) {
    std::string to(from.size() + 1, '\0');
    std::size_t at = 0, end = 0;
    for (char each : from) {
        if (each != ' ') to[at++] = each;
        if (each == '\n') at = 0;
        ++end;
    }
    to.resize(end);
    return to;
}

long an_index_of_some_passes_read_to_the_counter(const int* from, std::size_t n) {
    std::vector<int> to(n);
    std::size_t at = 0, i = 0;
    for (; i < n; ++i) {
        if (from[i] >= 0) to[at++] = from[i];
    }
    long sum = 0;
    for (std::size_t each = 0; each < i; ++each) sum += to[each];
    return sum;
}

// Both comparisons are false for a NaN.
std::vector<int> signs_of_numbers(const std::vector<double>& from) {
    std::vector<int> signs(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (from[i] >= 0)
            signs[i] = 1;
        else if (from[i] < 0)
            signs[i] = -1;
    }
    return signs;
}

struct partly_ordered {
    bool operator<(const partly_ordered& other) const { return a < other.a && b < other.b; }
    bool operator>=(const partly_ordered& other) const { return a >= other.a && b >= other.b; }
    int a = 0, b = 0;
};
std::vector<int> sides_of_pairs(const std::vector<partly_ordered>& from,
                                const partly_ordered& border) {
    std::vector<int> sides(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (from[i] < border)
            sides[i] = 1;
        else if (from[i] >= border)
            sides[i] = 2;
    }
    return sides;
}

// Another file may call the factory, and need the zeroes.
std::vector<double> a_factory_of_other_files(std::size_t n) {
    return std::vector<double>(n);
}
double a_caller_that_overwrites(const std::vector<double>& from) {
    std::vector<double> squares = a_factory_of_other_files(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) squares[i] = from[i] * from[i];
    double sum = 0;
    for (double each : squares) sum += each;
    return sum;
}

std::vector<int> running_index_of_other_elements(const int* from, std::size_t rows,
                                                 std::size_t columns) {
    std::vector<int> to(rows * columns);
    std::size_t at = 0;
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < columns; ++c) {
            if (from[c] == 0) continue;
            to[at++] = from[c];
        }
    }
    return to;
}

std::vector<int> running_index_of_a_triangle(const int* from, std::size_t rows) {
    std::vector<int> to(rows * rows);
    std::size_t at = 0;
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < r; ++c) to[at++] = from[c];
    return to;
}

std::vector<int> running_index_of_skipped_columns(const int* from, std::size_t rows,
                                                  std::size_t columns) {
    std::vector<int> to(rows * columns);
    std::size_t at = 0;
    for (std::size_t r = 0; r < rows; ++r) {
        std::size_t c = 0;
        while (c < columns) {
            to[at++] = from[c];
            c += from[c] != 0 ? 1 : 2;
        }
    }
    return to;
}

std::vector<int> running_pointer_behind_a_changed_width(const int* from, std::size_t rows,
                                                        std::size_t columns) {
    std::vector<int> all(rows * columns);
    int* to = all.data();
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < columns; ++c) *to++ = from[c];
        columns /= 2;
    }
    return all;
}

std::vector<int> two_of_three_in_each_pass(const int* from, std::size_t rows,
                                           std::size_t columns) {
    std::vector<int> to(rows * columns * 3);
    std::size_t at = 0;
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < columns; ++c) {
            to[at++] = from[r];
            to[at++] = from[c];
            ++at;
        }
    }
    return to;
}

void may_set(bool& whole);

std::unique_ptr<char[]> whole_by_somebody_else(std::FILE* from, std::size_t size) {
    auto bytes = std::make_unique<char[]>(size);
    bool whole = std::fread(bytes.get(), 1, size, from) == size;
    may_set(whole);
    if (!whole) return {};
    return bytes;
}

std::unique_ptr<char[]> whole_or_wanted(std::FILE* from, std::size_t size, bool wanted) {
    auto bytes = std::make_unique<char[]>(size);
    const bool whole = std::fread(bytes.get(), 1, size, from) == size || wanted;
    if (!whole) return {};
    return bytes;
}

std::unique_ptr<char[]> whole_but_for_the_terminator(std::FILE* from, std::size_t size) {
    auto bytes = std::make_unique<char[]>(size + 1);
    const bool whole = std::fread(bytes.get(), 1, size, from) == size;
    if (!whole) return {};
    return bytes;
}

std::unique_ptr<char[]> not_whole(std::FILE* from, std::size_t size) {
    auto bytes = std::make_unique<char[]>(size);
    const bool whole = std::fread(bytes.get(), 1, size, from) == size;
    if (whole) return {};
    return bytes;
}

using deleter = void (*)(char*);

std::unique_ptr<char[], deleter> read_by_its_deleter(std::FILE* file, std::size_t n, deleter last) {
    std::unique_ptr<char[], deleter> bytes(new char[n](), last);
    if (std::fread(bytes.get(), 1, n, file) != n) return {nullptr, last};
    return bytes;
}

std::shared_ptr<char> read_by_its_shared_deleter(std::FILE* file, std::size_t n) {
    std::shared_ptr<char> bytes(new char[n](), [n](char* of) {
        parse(of, 0, n);
        delete[] of;
    });
    if (std::fread(bytes.get(), 1, n, file) != n) return nullptr;
    return bytes;
}

std::vector<int> captured_as_a_copy(const int* from, std::size_t n) {
    std::vector<int> all(n);
    auto fill = [all, from]() mutable {
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = from[i];
        return all.size();
    };
    return fill() == n ? all : std::vector<int>();
}

std::vector<int> captured_under_another_name(const int* from, std::size_t n) {
    std::vector<int> all(n);
    auto fill = [copy = all, from]() mutable {
        for (std::size_t i = 0; i < copy.size(); ++i) copy[i] = from[i];
        return copy.size();
    };
    return fill() == n ? all : std::vector<int>();
}
