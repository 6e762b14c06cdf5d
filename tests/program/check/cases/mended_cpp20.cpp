// flags: -std=c++20
// SPDX-License-Identifier: BSL-1.0
// Every finding here has a replacement.
#include <algorithm>
#include <cerrno>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <new>
#include <numeric>
#include <stdexcept>

#include <unistd.h>

void use(const void* bytes, std::size_t size);

void make_unique_copied(const char* from, std::size_t n) {
    auto bytes = std::make_unique<char[]>(n);  // finds: std::make_unique<char[]>(n)
    std::memcpy(bytes.get(), from, n);
    use(bytes.get(), n);
}

struct frame {
    unsigned char pixels[64 * 64];
    int width;
    int height;
};

void make_unique_of_an_aggregate(const unsigned char* from) {
    auto image = std::make_unique<frame>();  // finds: std::make_unique<frame>()
    std::memcpy(image->pixels, from, sizeof image->pixels);
    image->width = 64;
    image->height = 64;
    use(image->pixels, sizeof image->pixels);
}

void new_array_read_from_a_file(std::FILE* file, std::size_t n) {
    double* numbers = new double[n]();  // finds: new double[n]()
    if (std::fread(numbers, sizeof(double), n, file) == n) use(numbers, n * sizeof(double));
    delete[] numbers;
}

void new_object(const frame& other) {
    std::unique_ptr<frame> copy(new frame());  // finds: new frame()
    use(nullptr, 0);
    *copy = other;
    use(copy.get(), 1);
}

void array_read_from_a_descriptor(int descriptor) {
    std::array<char, 4096> buffer{};  // finds: std::array<char, 4096> x{}
    const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
    if (got > 0) use(buffer.data(), static_cast<std::size_t>(got));
}

void plain_array_in_a_loop(int descriptor) {
    for (;;) {
        char buffer[1024] = {};  // finds: char[1024] x{}
        const ssize_t got = ::read(descriptor, buffer, sizeof buffer);
        if (got <= 0) break;
        use(buffer, static_cast<std::size_t>(got));
    }
}

void whole_read_in_a_loop(int descriptor, std::size_t n) {
    std::unique_ptr<char[]> bytes = std::make_unique<char[]>(n);  // finds: std::make_unique<char[]>(n)
    std::size_t done = 0;
    while (done < n) {
        const ssize_t got = ::pread(descriptor, bytes.get() + done, n - done, 0);
        if (got <= 0) throw std::runtime_error("end of file");
        done += static_cast<std::size_t>(got);
    }
    use(bytes.get(), n);
}

void moving_pointer(int descriptor, std::size_t n) {
    auto bytes = std::make_unique<char[]>(n);  // finds: std::make_unique<char[]>(n)
    char* at = bytes.get();
    std::size_t left = n;
    while (left > 0) {
        const ssize_t got = ::read(descriptor, at, left);
        if (got <= 0) return;
        at += got;
        left -= static_cast<std::size_t>(got);
    }
    use(bytes.get(), n);
}

void stream_checked(std::ifstream& in, std::size_t n) {
    auto bytes = std::make_unique<char[]>(n);  // finds: std::make_unique<char[]>(n)
    if (!in.read(bytes.get(), static_cast<std::streamsize>(n))) throw std::runtime_error("short");
    use(bytes.get(), n);
}

void stream_counted(std::ifstream& in) {
    auto bytes = std::make_unique<char[]>(8192);  // finds: std::make_unique<char[]>(n)
    in.read(bytes.get(), 8192);
    use(bytes.get(), static_cast<std::size_t>(in.gcount()));
}

void in_two_pieces(const char* head, std::size_t head_size, const char* tail, std::size_t n) {
    auto bytes = std::make_unique<char[]>(n);  // finds: std::make_unique<char[]>(n)
    std::memcpy(bytes.get(), head, head_size);
    std::memcpy(bytes.get() + head_size, tail, n - head_size);
    use(bytes.get(), n);
}

void nested_loops(std::size_t width, std::size_t height) {
    auto image = std::make_unique<float[]>(width * height);  // finds: std::make_unique<float[]>(n)
    for (std::size_t y = 0; y < height; ++y)
        for (std::size_t x = 0; x < width; ++x)
            image[y * width + x] = static_cast<float>(x) * static_cast<float>(y);
    use(image.get(), width * height * sizeof(float));
}

static std::unique_ptr<char[]> make_buffer(std::size_t n) {
    return std::make_unique<char[]>(n);  // finds: std::make_unique<char[]>(n)
}

void by_a_factory(const char* from, std::size_t n) {
    auto bytes = make_buffer(n);
    std::copy(from, from + n, bytes.get());
    use(bytes.get(), n);
}

static bool read_whole(int descriptor, char* to, std::size_t n) {
    while (n != 0) {
        const ssize_t got = ::read(descriptor, to, n);
        if (got <= 0) return false;
        to += got;
        n -= static_cast<std::size_t>(got);
    }
    return true;
}

void by_a_function_of_this_file(int descriptor, std::size_t n) {
    auto bytes = std::make_unique<char[]>(n);  // finds: std::make_unique<char[]>(n)
    if (!read_whole(descriptor, bytes.get(), n)) return;
    use(bytes.get(), n);
}

template <class T>
void by_a_template(const T* from, std::size_t n) {
    auto elements = std::make_unique<T[]>(n);  // finds: std::make_unique
    for (std::size_t i = 0; i < n; ++i) elements[i] = from[i];
    use(elements.get(), n * sizeof(T));
}

template void by_a_template(const int*, std::size_t);
template void by_a_template(const char*, std::size_t);

struct packet {
    char data[2048]{};  // finds: member packet::data{}
    std::size_t size = 0;
};

void in_class_initialiser(int descriptor) {
    packet one;
    const ssize_t got = ::read(descriptor, one.data, sizeof one.data);
    if (got < 0) return;
    one.size = static_cast<std::size_t>(got);
    use(one.data, one.size);
}

class table {
public:
    explicit table(int start) : squares_() {  // finds: member table::squares_{}
        for (int i = 0; i < 1000; ++i) squares_[i] = start + i * i;
    }
    int square(int i) const { return squares_[i]; }

private:
    int squares_[1000];
};

class holder {
public:
    holder(const char* from, std::size_t n) : size_(n), bytes_(new char[n]()) {  // finds: new char[n]()
        std::memcpy(bytes_.get(), from, n);
    }
    const char* bytes() const { return bytes_.get(); }

private:
    std::size_t size_;
    std::unique_ptr<char[]> bytes_;
};

void from_calloc(const char* from, std::size_t n) {
    char* bytes = static_cast<char*>(std::calloc(n, 1));  // finds: calloc(n, size)
    if (bytes == nullptr) return;
    std::memcpy(bytes, from, n);
    use(bytes, n);
    std::free(bytes);
}

void with_an_algorithm(std::size_t n) {
    auto numbers = std::make_unique<int[]>(n);  // finds: std::make_unique<int[]>(n)
    std::iota(numbers.get(), numbers.get() + n, 1);
    use(numbers.get(), n * sizeof(int));
}

struct defaulted_inside {
    defaulted_inside() = default;
    char bytes[4096];
};

void zeroed_by_a_default_inside(int descriptor) {
    auto one = std::make_unique<defaulted_inside>();  // finds: std::make_unique<defaulted_inside>()
    const ssize_t got = ::read(descriptor, one->bytes, sizeof one->bytes);
    if (got > 0) use(one->bytes, static_cast<std::size_t>(got));
}

unsigned table_that_any_index_reads(unsigned start, const unsigned char* from, std::size_t n) {
    unsigned table[256] = {};  // finds: unsigned int[256] x{}
    for (unsigned i = 0; i < 256; ++i) table[i] = start * i;
    for (std::size_t i = 0; i < n; ++i) start += table[from[i]];
    return start;
}

struct samples {
    samples& operator=(const samples& other) {
        for (int i = 0; i < 100; ++i) values[i] = other.values[i];
        return *this;
    }
    double values[100];
};

void assigned_by_an_operator_of_its_own(const samples& from) {
    auto copy = std::make_unique<samples>();  // finds: std::make_unique<samples>()
    *copy = from;
    use(copy.get(), sizeof *copy);
}

void read_again_after_a_signal(int descriptor, std::size_t n) {
    auto bytes = std::make_unique<char[]>(n);  // finds: std::make_unique<char[]>(n)
    std::size_t done = 0;
    while (done < n) {
        const ssize_t got = ::read(descriptor, bytes.get() + done, n - done);
        if (got < 0) {
            if (errno == EINTR) continue;
            return;
        }
        if (got == 0) return;
        done += static_cast<std::size_t>(got);
    }
    use(bytes.get(), n);
}

void copied_in_chunks(const char* from, std::size_t n) {
    auto bytes = std::make_unique<char[]>(n);  // finds: std::make_unique<char[]>(n)
    char* to = bytes.get();
    std::size_t left = n;
    while (left > 0) {
        const std::size_t size = std::min<std::size_t>(left, 65536);
        std::memcpy(to, from, size);
        to += size;
        from += size;
        left -= size;
    }
    use(bytes.get(), n);
}

void backwards(const double* from, std::size_t n) {
    auto numbers = std::make_unique<double[]>(n);  // finds: std::make_unique<double[]>(n)
    for (std::size_t i = n; i-- > 0;) numbers[i] = from[i];
    use(numbers.get(), n * sizeof(double));
}

void in_two_loops(const double* from, std::size_t half) {
    const std::size_t n = 2 * half;
    double* numbers = new double[n]();  // finds: new double[n]()
    for (std::size_t i = 0; i < half; ++i) numbers[i] = from[i];
    for (std::size_t i = half; i < n; ++i) numbers[i] = from[n - 1 - i];
    std::sort(numbers, numbers + n);
    use(numbers, n * sizeof(double));
    delete[] numbers;
}

struct two_arrays {
    float places[64];
    float speeds[64];
};

void two_arrays_in_one_loop(const float* from) {
    auto one = std::make_unique<two_arrays>();  // finds: std::make_unique<two_arrays>()
    for (int i = 0; i < 64; ++i) {
        one->places[i] = from[i];
        one->speeds[i] = from[i + 64];
    }
    use(one.get(), sizeof *one);
}

class filled_by_a_member_function {
public:
    explicit filled_by_a_member_function(int start) : squares_() {  // finds: member filled_by_a_member_function::squares_{}
        fill(start);
    }
    int square(int i) const { return squares_[i]; }

private:
    void fill(int start) {
        for (int i = 0; i < 1000; ++i) squares_[i] = start + i * i;
    }
    int squares_[1000];
};

two_arrays* at_a_place(void* where, const two_arrays& from) {
    auto* one = new (where) two_arrays();  // finds: new two_arrays()
    *one = from;
    return one;
}

void lines(std::FILE* file) {
    char line[4096] = {0};  // finds: char[4096] x{}
    while (std::fgets(line, sizeof line, file) != nullptr) {
        char* equal = std::strchr(line, '=');
        if (equal == nullptr) continue;
        use(line, static_cast<std::size_t>(equal - line));
        std::puts(equal + 1);
    }
}

struct attachment {
    void* data;
    std::size_t size;
};

attachment nothing_where_memory_is_short(const void* from, int size) {
    attachment result{nullptr, 0};
    if (size <= 0) return result;
    void* copy = std::calloc(1, static_cast<std::size_t>(size));  // finds: calloc(n, size)
    if (copy == nullptr) return result;
    std::memcpy(copy, from, static_cast<std::size_t>(size));
    result.data = copy;
    result.size = static_cast<std::size_t>(size);
    return result;
}

namespace {

class curve {
public:
    float at(std::size_t which) const { return points_[which]; }

protected:
    std::array<float, 512> points_{};  // finds: member (anonymous namespace)::curve::points_{}
};

class straight : public curve {
public:
    explicit straight(float slope) {
        for (std::size_t i = 0; i < points_.size(); ++i)
            points_[i] = slope * static_cast<float>(i);
    }
};

class half_curve {
public:
    float at(std::size_t which) const { return points_[which]; }

protected:
    std::array<float, 512> points_{};
};

class one_half : public half_curve {
public:
    explicit one_half(float value) { points_.fill(value); }
};

class other_half : public half_curve {
public:
    explicit other_half(float value) {
        for (std::size_t i = 0; i < 256; ++i) points_[i] = value;
    }
};

}  // namespace

float of_derived_classes(float value, std::size_t which) {
    return straight(value).at(which) + one_half(value).at(which) + other_half(value).at(which);
}
