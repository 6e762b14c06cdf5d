// flags: -std=c++20
// SPDX-License-Identifier: BSL-1.0
// Nothing is found here.
#include <algorithm>
#include <array>
#include <coroutine>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

void use(const void* bytes, std::size_t size);
void take(const std::vector<char>& bytes);

void histogram(const unsigned char* from, std::size_t n) {
    std::vector<int> counts(256);
    for (std::size_t i = 0; i < n; ++i) ++counts[from[i]];
    use(counts.data(), 256 * sizeof(int));
}

void markers(const std::vector<std::size_t>& which, std::size_t n) {
    auto seen = std::make_unique<bool[]>(n);
    for (const std::size_t each : which) seen[each] = true;
    use(seen.get(), n);
}

void one_branch(const char* from, std::size_t n, bool full) {
    std::vector<char> bytes(n);
    if (full) std::memcpy(bytes.data(), from, n);
    take(bytes);
}

void a_part(const char* from, std::size_t n) {
    std::vector<char> bytes(n);
    std::memcpy(bytes.data(), from, n / 2);
    take(bytes);
}

void every_second(std::size_t n) {
    auto numbers = std::make_unique<int[]>(n);
    for (std::size_t i = 0; i < n; i += 2) numbers[i] = 1;
    use(numbers.get(), n * sizeof(int));
}

void stops_early(const char* from, std::size_t n) {
    std::vector<char> bytes(n);
    for (std::size_t i = 0; i < n; ++i) {
        if (from[i] == 0) break;
        bytes[i] = from[i];
    }
    take(bytes);
}

void leaves_some_out(const char* from, std::size_t n) {
    std::vector<char> bytes(n);
    for (std::size_t i = 0; i < n; ++i) {
        if (from[i] == ' ') continue;
        bytes[i] = from[i];
    }
    take(bytes);
}

void short_read_ignored(int descriptor, std::size_t n) {
    std::vector<char> bytes(n);
    if (::read(descriptor, bytes.data(), n) < 0) return;
    take(bytes);
}

void stream_not_checked(std::ifstream& in, std::size_t n) {
    std::vector<char> bytes(n);
    in.read(bytes.data(), static_cast<std::streamsize>(n));
    take(bytes);
}

void terminator(int descriptor) {
    char text[4096] = {};
    if (::read(descriptor, text, sizeof text - 1) < 0) return;
    std::puts(text);
}

struct with_a_gap {
    char names[301];
    int number;
};

void a_gap_that_is_sent(int descriptor, const char* names) {
    with_a_gap one{};
    std::memcpy(one.names, names, sizeof one.names);
    one.number = descriptor;
    if (::write(descriptor, &one, sizeof one) < 0) return;
}

void read_before_write(std::size_t n) {
    auto sums = std::make_unique<int[]>(n);
    for (std::size_t i = 0; i + 1 < n; ++i) sums[i + 1] = sums[i] + 1;
    use(sums.get(), n * sizeof(int));
}

void small(int descriptor) {
    char buffer[64] = {};
    const ssize_t got = ::read(descriptor, buffer, sizeof buffer);
    if (got > 0) use(buffer, static_cast<std::size_t>(got));
}

void not_zeroed(int descriptor, std::size_t n) {
    auto bytes = std::make_unique_for_overwrite<char[]>(n);
    std::unique_ptr<char[]> others(new char[n]);
    std::array<char, 4096> buffer;
    const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
    if (got > 0) use(buffer.data(), static_cast<std::size_t>(got));
    std::memset(bytes.get(), 1, n);
    std::memset(others.get(), 1, n);
    use(bytes.get(), n);
    use(others.get(), n);
}

struct defaulted_outside {
    defaulted_outside();
    char bytes[4096];
};
inline defaulted_outside::defaulted_outside() = default;

void not_zeroed_by_a_default_outside(int descriptor) {
    auto one = std::make_unique<defaulted_outside>();
    const ssize_t got = ::read(descriptor, one->bytes, sizeof one->bytes);
    if (got > 0) use(one->bytes, static_cast<std::size_t>(got));
}

void static_storage(int descriptor) {
    static char buffer[4096]{};
    const ssize_t got = ::read(descriptor, buffer, sizeof buffer);
    if (got > 0) use(buffer, static_cast<std::size_t>(got));
}

void removed_by_the_optimiser(const char* from) {
    char buffer[1024] = {};
    std::memcpy(buffer, from, sizeof buffer);
    use(buffer, sizeof buffer);
}

static std::unique_ptr<char[]> make_bytes(std::size_t n) { return std::make_unique<char[]>(n); }

void caller_that_fills(const char* from, std::size_t n) {
    auto bytes = make_bytes(n);
    std::memcpy(bytes.get(), from, n);
    use(bytes.get(), n);
}

void caller_that_needs_zeroes(std::size_t n) {
    auto bytes = make_bytes(n);
    bytes[0] = 1;
    use(bytes.get(), n);
}

std::vector<char> seen_by_other_files(std::size_t n) { return std::vector<char>(n); }

void suppressed(const char* from, std::size_t n) {
    auto bytes = std::make_unique<char[]>(n);  // NOLINT(freehold-hidden-zeroing)
    std::memcpy(bytes.get(), from, n);
    use(bytes.get(), n);
}

void unknown_filler(void (*fill)(char*, std::size_t), std::size_t n) {
    std::vector<char> bytes(n);
    fill(bytes.data(), n);
    take(bytes);
}

void secret_wiped(std::string& out) {
    std::vector<char> secret(1024);
    out.assign(secret.begin(), secret.end());
    std::fill(secret.begin(), secret.end(), '\0');
}

void filled_with_its_own_element(std::size_t n) {
    std::vector<int> numbers(n);
    std::fill(numbers.begin(), numbers.end(), numbers.at(0));
    use(numbers.data(), n * sizeof(int));
}

struct face {
    std::vector<int> indices;
};

void the_library_initialises_its_classes(std::vector<face>& faces, std::size_t n) {
    faces.resize(n);
    for (std::size_t i = 0; i < n; ++i) faces[i] = face();
}

face* make_face(std::size_t i);

struct scene {
    face** faces;
    ~scene();
};

void pointers_that_an_exception_may_leave(scene& into, std::size_t n) {
    into.faces = new face*[n]();
    for (std::size_t i = 0; i < n; ++i) into.faces[i] = make_face(i);
}

struct announces_itself;
void announce(announces_itself& which);

struct announces_itself {
    announces_itself() : bytes() {
        announce(*this);
        for (char& each : bytes) each = 'x';
    }
    char bytes[1024];
};

struct adds_when_assigned {
    adds_when_assigned& operator=(const adds_when_assigned& other);
    double sums[100];
};

void assigned_by_an_operator_that_is_not_seen(const adds_when_assigned& from) {
    auto copy = std::make_unique<adds_when_assigned>();
    *copy = from;
    use(copy.get(), sizeof *copy);
}

double next_number();

void what_an_exception_leaves(std::size_t n) {
    std::vector<double> numbers(n);
    try {
        for (std::size_t i = 0; i < n; ++i) numbers[i] = next_number();
    } catch (...) {
    }
    use(numbers.data(), n * sizeof(double));
}

void line_that_may_not_be_there(std::FILE* file) {
    char line[4096] = {0};
    if (std::fgets(line, sizeof line, file) == nullptr) std::puts("end");
    std::puts(line);
}

void behind_the_terminator(std::FILE* file) {
    char line[4096] = {0};
    if (std::fgets(line, sizeof line, file) != nullptr) use(line, sizeof line);
}

void word_of_a_stream(std::ifstream& in) {
    char word[512] = {};
    in >> word;
    std::puts(word);
}

void some_of_a_map(const std::map<int, int>& from, std::vector<int>& into) {
    into.clear();
    into.resize(from.size());
    for (auto each = from.begin(); each != from.end(); ++each)
        into[static_cast<std::size_t>(each->second)] = each->first;
}

class half_filled {
public:
    explicit half_filled(std::size_t n) : bytes_(new char[n]()), size_(n) {}
    ~half_filled() { delete[] bytes_; }
    char* data() { return bytes_; }
    std::size_t size() const { return size_; }

private:
    char* bytes_;
    std::size_t size_;
};

void in_a_class_that_its_users_fill_in_part(const char* from, std::size_t n) {
    half_filled bytes(n);
    std::memcpy(bytes.data(), from, bytes.size() / 2);
    use(bytes.data(), bytes.size());
}

std::vector<float> columns_but_one(std::size_t width, std::size_t height) {
    std::vector<float> table(width * height);
    for (std::size_t x = 0; x + 1 < width; ++x)
        for (std::size_t y = 0; y < height; ++y) table[y * width + x] = 1;
    return table;
}

class reads_more_than_it_writes {
public:
    reads_more_than_it_writes() {}
    unsigned sum(const unsigned char* from, std::size_t n) {
        std::memcpy(bytes_, from, std::min(n, sizeof bytes_));
        unsigned result = 0;
        for (const unsigned char each : bytes_) result += each;
        return result;
    }

private:
    unsigned char bytes_[1024]{};
};

struct counted_by_another_member {
    std::size_t size;
    char bytes[2048];
};

std::unique_ptr<counted_by_another_member> more_than_was_read(int file) {
    auto one = std::make_unique<counted_by_another_member>();
    const ssize_t got = ::read(file, one->bytes, sizeof one->bytes);
    if (got < 0) return nullptr;
    one->size = static_cast<std::size_t>(got) + 1;
    return one;
}

struct with_padding {
    char kind;
    long numbers[64];
};

unsigned hashed(const unsigned char* bytes, std::size_t n) {
    unsigned result = 0;
    for (std::size_t i = 0; i < n; ++i) result = 31 * result + bytes[i];
    return result;
}

unsigned hashed_with_its_padding(const long* from) {
    with_padding one{};
    one.kind = 1;
    for (int i = 0; i < 64; ++i) one.numbers[i] = from[i];
    return hashed(reinterpret_cast<const unsigned char*>(&one), sizeof one);
}

struct datagram {
    std::size_t size;
    char bytes[2048];
};

void take(const std::vector<datagram>& batch);

void one_length_for_all(int file, std::size_t size) {
    std::vector<datagram> batch;
    for (int i = 0; i < 64; ++i) {
        datagram& one = batch.emplace_back();
        if (::read(file, one.bytes, sizeof one.bytes) <= 0) break;
        one.size = size;
    }
    take(batch);
}

constexpr std::array<unsigned, 256> table_of_squares() {
    std::array<unsigned, 256> result{};
    for (unsigned i = 0; i < 256; ++i) result[i] = i * i;
    return result;
}

constexpr auto squares = table_of_squares();
static const auto more_squares = table_of_squares();

unsigned evaluated_by_the_compiler(std::size_t i) {
    static constexpr auto cubes = [] {
        std::array<unsigned, 256> result{};
        for (unsigned k = 0; k < 256; ++k) result[k] = k * k * k;
        return result;
    }();
    constexpr auto same = table_of_squares();
    return squares[i] + more_squares[i] + cubes[i] + same[i];
}

struct inverses {
    constexpr inverses() : of{} {
        for (unsigned i = 0; i < 256; ++i) of[i] = 256 - i;
    }
    unsigned of[256];
};

constexpr inverses all_inverses;

constexpr bool sums_are_right() {
    unsigned sums[256] = {};
    for (unsigned i = 0; i < 256; ++i) sums[i] = squares[i] + all_inverses.of[i];
    return sums[0] == 256;
}

static_assert(sums_are_right());

std::vector<char> of_a_few_bytes(bool wide, const char* from) {
    std::size_t size = 0;
    switch (wide) {
        case true:
            size = 16;
            break;
        default:
            size = 4;
    }
    std::vector<char> bytes;
    bytes.resize(size);
    std::memcpy(bytes.data(), from, size);
    return bytes;
}

std::vector<char> with_one_more(const std::vector<char>& from) {
    std::vector<char> bytes = from;
    bytes.resize(bytes.size() + 1);
    bytes[from.size()] = 'x';
    return bytes;
}

std::vector<char> joined(const std::vector<std::string>& names) {
    std::vector<char> all;
    std::size_t end = 0;
    for (const std::string& each : names) {
        all.insert(all.end(), each.begin(), each.end());
        end = all.size();
    }
    all.resize(end + 1);
    all[end] = '.';
    return all;
}

struct signal_source {
    virtual ~signal_source() = default;
    virtual void fill(float* samples, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) samples[i] = 1;
    }
};

float level(signal_source& source, std::size_t n) {
    std::vector<float> samples(n);
    source.fill(samples.data(), n);
    float sum = 0;
    for (const float each : samples) sum += each;
    return sum;
}

std::vector<unsigned> behind_a_test_for_wrap(unsigned count, unsigned skipped) {
    std::vector<unsigned> numbers(count);
    const unsigned rest = count - skipped;
    if (rest > count) return numbers;
    for (unsigned i = 0; i < count; ++i) numbers[i] = i;
    return numbers;
}

std::unique_ptr<unsigned[]> shifted_size(const unsigned* from, unsigned count) {
    auto copy = std::make_unique<unsigned[]>(count);
    const unsigned bytes = count << 2;
    std::memcpy(copy.get(), from, bytes);
    return copy;
}

std::unique_ptr<char[]> error_as_large_number(int file, std::size_t size) {
    auto bytes = std::make_unique<char[]>(size);
    const auto got = static_cast<std::size_t>(::read(file, bytes.get(), size));
    if (got < size) return nullptr;
    return bytes;
}

unsigned sum_of_wide_numbers(const long double* from, std::size_t n) {
    auto* numbers = static_cast<long double*>(std::calloc(n, sizeof(long double)));
    if (numbers == nullptr) return 0;
    for (std::size_t i = 0; i < n; ++i) numbers[i] = from[i];
    const auto* bytes = reinterpret_cast<const unsigned char*>(numbers);
    unsigned sum = 0;
    for (std::size_t i = 0; i < n * sizeof(long double); ++i) sum = sum * 31 + bytes[i];
    std::free(numbers);
    return sum;
}

struct task {
    struct promise_type {
        task get_return_object() {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
    std::coroutine_handle<promise_type> handle;
};

task squares_in_steps(int* to, int n) {
    for (int i = 0; i < n; ++i) {
        to[i] = i * i;
        co_await std::suspend_always{};
    }
}

void some_steps_of_a_coroutine(int n, int steps) {
    auto numbers = std::make_unique<int[]>(static_cast<std::size_t>(n));
    const task all = squares_in_steps(numbers.get(), n);
    for (int i = 0; i < steps && !all.handle.done(); ++i) all.handle.resume();
    all.handle.destroy();
    use(numbers.get(), static_cast<std::size_t>(n) * sizeof(int));
}

enum class kind : unsigned char { plain, negative };

std::vector<int> value_without_a_name(const std::vector<kind>& kinds) {
    std::vector<int> numbers(kinds.size());
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        switch (kinds[i]) {
            case kind::plain:
                numbers[i] = 1;
                break;
            case kind::negative:
                numbers[i] = -1;
                break;
        }
    }
    return numbers;
}

struct text_block {
    unsigned used;
    char text[508];
};

void last_block_of_a_sequence(std::size_t size) {
    std::vector<text_block> all;
    for (std::size_t at = 0; at < size; at += 508) {
        text_block& block = all.emplace_back();
        block.used = static_cast<unsigned>(size - at < 508 ? size - at : 508);
        std::memset(block.text, 7, block.used);
    }
    use(all.data(), all.size() * sizeof(text_block));
}

void last_block_by_the_least(std::size_t size) {
    std::vector<text_block> all;
    for (std::size_t at = 0; at < size; at += 508) {
        text_block& block = all.emplace_back();
        block.used = 7;
        std::memset(block.text, 7, std::min<std::size_t>(size - at, 508));
    }
    use(all.data(), all.size() * sizeof(text_block));
}

struct tagged {
    unsigned char kind;
    std::size_t number;
};

std::size_t hash_of_padded_keys(const std::vector<std::size_t>& numbers) {
    std::vector<tagged> keys(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        keys[i].kind = 7;
        keys[i].number = numbers[i];
    }
    const std::string_view bytes(reinterpret_cast<const char*>(keys.data()),
                                 keys.size() * sizeof(tagged));
    return std::hash<std::string_view>{}(bytes);
}

std::size_t sum_of_padded_keys(const std::vector<std::size_t>& numbers) {
    std::vector<tagged> keys(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) keys[i] = {7, numbers[i]};
    const std::string_view bytes(reinterpret_cast<const char*>(keys.data()),
                                 keys.size() * sizeof(tagged));
    std::size_t sum = 0;
    for (const char each : bytes) sum = sum * 31 + static_cast<unsigned char>(each);
    return sum;
}

std::vector<char> copy_of_padded_keys(const std::vector<std::size_t>& numbers) {
    std::vector<tagged> keys(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) keys[i] = {7, numbers[i]};
    const auto* begin = reinterpret_cast<const char*>(keys.data());
    return std::vector<char>(begin, begin + keys.size() * sizeof(tagged));
}

void appended_padded_keys(const std::vector<std::size_t>& numbers, std::vector<char>& to) {
    std::vector<tagged> keys(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) keys[i] = {7, numbers[i]};
    const std::string_view bytes(reinterpret_cast<const char*>(keys.data()),
                                 keys.size() * sizeof(tagged));
    std::copy(bytes.begin(), bytes.end(), std::back_inserter(to));
}

std::vector<char> stream_that_is_cleared(std::istream& in, std::size_t n) {
    std::vector<char> bytes(n);
    in.read(bytes.data(), static_cast<std::streamsize>(n));
    in.clear();
    if (!in) bytes.clear();
    return bytes;
}
