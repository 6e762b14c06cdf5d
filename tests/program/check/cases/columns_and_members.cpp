// flags: -std=c++20
// SPDX-License-Identifier: BSL-1.0
// Tables that are written column by column, members that each member function overwrites, and
// pointers that functions and algorithms return.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <sys/socket.h>
#include <unistd.h>

void use(const void* bytes, std::size_t size);

std::vector<float> transposed(const std::vector<float>& from, std::size_t rows,
                              std::size_t columns) {
    std::vector<float> to(rows * columns);  // finds: std::vector<float>(n)
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c) to[c * rows + r] = from[r * columns + c];
    return to;
}

std::vector<int> by_a_running_index(const int* from, std::size_t rows, std::size_t columns) {
    std::vector<int> to(rows * columns);  // finds: std::vector<int>(n)
    std::size_t at = 0;
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c) to[at++] = from[c * rows + r];
    return to;
}

// The index rises in some passes only, and the text is cut to it.
std::string by_an_index_of_some_passes(const std::string& from) {
    std::string to(from.size(), '\0');  // finds: std::string(n, c)
    std::size_t at = 0;
    for (char each : from) {
        if (each != ' ') to[at++] = each;
    }
    to.resize(at);
    return to;
}

long by_an_index_behind_a_skip(const int* from, std::size_t n) {
    std::vector<int> to(n);  // finds: std::vector<int>(n)
    std::size_t at = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (from[i] < 0) continue;
        to[at++] = from[i];
    }
    long sum = 0;
    for (std::size_t i = 0; i < at; ++i) sum += to[i];
    return sum;
}

std::vector<int> by_a_running_pointer(const int* from, std::size_t rows, std::size_t columns) {
    std::vector<int> all(rows * columns);  // finds: std::vector<int>(n)
    int* to = all.data();
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = columns; c > 0; --c) *to++ = from[c * rows + r];
    return all;
}

std::vector<int> three_in_each_pass(const int* from, int rows, int columns) {
    std::vector<int> to(rows * columns * 3);  // finds: std::vector<int>(n)
    int at = 0;
    for (int r = 0; r < rows; ++r) {
        for (int c = 1; c <= columns; ++c) {
            to[at++] = from[r];
            to[at++] = from[c];
            to[at++] = 0;
        }
    }
    return to;
}

std::string concatenated(std::string_view a, std::string_view b) {
    std::string both(a.size() + b.size(), ' ');  // finds: std::string(n, c)
    auto to = std::copy(a.begin(), a.end(), both.begin());
    to = std::copy(b.begin(), b.end(), to);
    return both;
}

std::vector<int> of_a_list(const std::list<int>& from) {
    std::vector<int> to(from.size());  // finds: std::vector<int>(n)
    std::copy(from.begin(), from.end(), to.begin());
    return to;
}

unsigned char* put(unsigned char* to, std::uint32_t number) {
    std::memcpy(to, &number, sizeof number);
    return to + sizeof number;
}

std::vector<unsigned char> header(std::uint32_t kind, std::uint32_t size, std::size_t n) {
    std::vector<unsigned char> bytes(8 + n);  // finds: std::vector<unsigned char>(n)
    unsigned char* to = put(bytes.data(), kind);
    to = put(to, size);
    std::memset(to, 1, n);
    return bytes;
}

struct point {
    float x, y;
};

std::vector<point> points(std::size_t n) {
    std::vector<point> all(n);  // finds: std::vector<point>(n)
    for (auto& [x, y] : all) {
        x = 1;
        y = 2;
    }
    return all;
}

class copier {
public:
    explicit copier(int from) : from_(from) {}
    copier(const copier&) = delete;
    copier& operator=(const copier&) = delete;
    bool step() {
        const ssize_t got = ::read(from_, buffer_, sizeof buffer_);
        if (got <= 0) return false;
        use(buffer_, static_cast<std::size_t>(got));
        return true;
    }

private:
    int from_;
    char buffer_[4096] = {};  // mends: member copier::buffer_{}
};

class owner {
public:
    explicit owner(std::size_t n) : numbers_(new int[n]()), n_(n) {}  // mends: new int[n]()
    owner(const owner&) = delete;
    owner& operator=(const owner&) = delete;
    ~owner() { delete[] numbers_; }
    int& operator[](std::size_t i) { return numbers_[i]; }
    std::size_t size() const { return n_; }

private:
    int* numbers_;
    std::size_t n_;
};

int filled_by_its_user(std::size_t n) {
    owner all(n);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
    return n > 5 ? all[5] : 0;
}

struct piece {
    std::unique_ptr<char[]> bytes;
    std::size_t size;
};

static piece allocated(std::size_t n) {
    return piece{std::make_unique<char[]>(n), n};  // mends: std::make_unique<char[]>(n)
}

piece copied(const char* from, std::size_t n) {
    piece one = allocated(n);
    std::memcpy(one.bytes.get(), from, one.size);
    return one;
}

struct datagram {
    std::size_t size;
    char bytes[2048];
};

std::unique_ptr<datagram> with_its_size(int file) {
    auto one = std::make_unique<datagram>();  // mends: std::make_unique<datagram>()
    const ssize_t got = ::read(file, one->bytes, sizeof one->bytes);
    if (got < 0) return nullptr;
    one->size = static_cast<std::size_t>(got);
    return one;
}

std::size_t received(int socket, std::vector<datagram>& batch) {
    while (batch.size() < 64) {
        datagram& one = batch.emplace_back();  // finds: std::vector<datagram>::emplace_back()
        const ssize_t got = ::recv(socket, one.bytes, sizeof one.bytes, 0);
        if (got <= 0) {
            batch.pop_back();
            break;
        }
        one.size = static_cast<std::size_t>(got);
    }
    return batch.size();
}

struct counted_line {
    char text[512];
    std::size_t size;
};

static std::unique_ptr<counted_line> read_line_of(int file) {
    auto one = std::make_unique<counted_line>();  // mends: std::make_unique<counted_line>()
    const ssize_t got = ::read(file, one->text, sizeof one->text);
    if (got < 0) return nullptr;
    one->size = static_cast<std::size_t>(got);
    return one;
}

int readers_up_to_the_count(int file) {
    const auto one = read_line_of(file);
    if (!one || one->size == 0) return 0;
    int sum = one->text[one->size - 1];
    for (std::size_t i = 0; i < one->size; ++i) sum += one->text[i];
    for (std::size_t i = 0; i < one->size && one->text[i] != 'x'; ++i) ++sum;
    std::vector<char> copied(one->text, one->text + one->size);
    use(copied.data(), copied.size());
    use(one->text, one->size);
    const std::size_t few = std::min(one->size, std::size_t{10});
    use(one->text, few);
    if (std::size_t i = 5; i < one->size) sum += one->text[i];
    one->size = 0;
    return sum;
}

constexpr std::array<std::uint32_t, 256> squares() {
    std::array<std::uint32_t, 256> result{};  // mends: std::array<std::uint32_t, 256> x{}
    for (std::uint32_t i = 0; i < 256; ++i) result[i] = i * i;
    return result;
}

constexpr auto squares_of_the_compiler = squares();

std::array<std::uint32_t, 256> squares_at_run_time() {
    return squares();
}

std::vector<int> in_32_bits(const int* from, std::uint32_t w, std::uint32_t h) {
    std::vector<int> all(w * h);  // finds: std::vector<int>(n)
    for (std::uint32_t y = 0; y < h; ++y)
        for (std::uint32_t x = 0; x < w; ++x) all[y * w + x] = from[x];
    return all;
}

std::vector<char> size_in_32_bits(const char* from, std::uint32_t w, std::uint32_t h) {
    const std::size_t n = w * h;
    std::vector<char> all(n);  // finds: std::vector<char>(n)
    for (std::size_t y = 0; y < h; ++y)
        for (std::size_t x = 0; x < w; ++x) all[y * w + x] = from[x];
    return all;
}

class loaded {
public:
    loaded(const char* from, std::size_t n) : bytes_(n) {  // finds: std::vector<char>(n)
        std::memcpy(bytes_.data(), from, n);
        if (n > 2 && bytes_[0] == 'x') throw 1;
    }
    void append(const char* from, std::size_t n) {
        const std::size_t before = bytes_.size();
        bytes_.resize(before + n);  // finds: std::vector<char>::resize(n)
        std::memcpy(bytes_.data() + before, from, n);
        use(bytes_.data(), bytes_.size());
    }

private:
    std::vector<char> bytes_;
};
