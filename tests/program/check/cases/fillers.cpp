// flags: -std=c++17
// SPDX-License-Identifier: BSL-1.0
// The functions that fill buffers, each declared as its library declares it. Nothing has a replacement in C++17.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <istream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

void use(const void* bytes, std::size_t size);

extern "C" {
int uncompress(unsigned char*, unsigned long*, const unsigned char*, unsigned long);
struct z_stream {
    const unsigned char* next_in;
    unsigned avail_in;
    unsigned char* next_out;
    unsigned avail_out;
};
int inflateInit_(z_stream*, const char*, int);
int inflate(z_stream*, int);
int inflateEnd(z_stream*);
int gzread(void*, void*, unsigned);
int LZ4_decompress_safe(const char*, char*, int, int);
std::size_t ZSTD_decompress(void*, std::size_t, const void*, std::size_t);
struct ZSTD_outBuffer {
    void* dst;
    std::size_t size;
    std::size_t pos;
};
struct ZSTD_inBuffer;
std::size_t ZSTD_decompressStream(void*, ZSTD_outBuffer*, ZSTD_inBuffer*);
int lzo1x_decompress_safe(const unsigned char*, std::size_t, unsigned char*, std::size_t*, void*);
int BrotliDecoderDecompress(std::size_t, const unsigned char*, std::size_t*, unsigned char*);
int curl_easy_recv(void*, void*, std::size_t, std::size_t*);
int sqlite3_blob_read(void*, void*, int, int);
int ReadFile(void*, void*, unsigned long, unsigned long*, void*);
}
namespace snappy {
bool RawUncompress(const char*, std::size_t, char*);
}

void received(int socket) {
    auto bytes = std::make_unique<char[]>(65536);  // finds: std::make_unique<char[]>(n)
    const ssize_t got = ::recv(socket, bytes.get(), 65536, 0);
    if (got > 0) use(bytes.get(), static_cast<std::size_t>(got));
}

void read_into_one_part(int descriptor, std::size_t n) {
    std::vector<char> bytes(n);  // finds: std::vector<char>(n)
    iovec part;
    part.iov_base = bytes.data();
    part.iov_len = n;
    const ssize_t got = ::readv(descriptor, &part, 1);
    if (got >= 0) use(bytes.data(), static_cast<std::size_t>(got));
}

void read_into_two_parts(int descriptor, std::size_t n) {
    char tag[8];
    std::vector<char> bytes(n);  // finds: std::vector<char>(n)
    const iovec parts[] = {{tag, sizeof tag}, {bytes.data(), n}};
    if (::preadv(descriptor, parts, 2, 0) != static_cast<ssize_t>(n + sizeof tag)) return;
    use(bytes.data(), n);
}

void parts_read_in_part(int descriptor, std::size_t n) {
    char tag[8];
    std::vector<char> bytes(n);
    iovec parts[2] = {{tag, sizeof tag}, {bytes.data(), n}};
    if (::readv(descriptor, parts, 2) <= 0) return;
    use(bytes.data(), n);
}

void from_stdio(std::FILE* file, std::size_t n) {
    std::vector<double> numbers(n);  // finds: std::vector<double>(n)
    if (std::fread(numbers.data(), sizeof(double), n, file) != n) return;
    use(numbers.data(), n * sizeof(double));
}

void some_of_a_stream(std::istream& in) {
    std::vector<char> bytes(8192);  // finds: std::vector<char>(n)
    const std::streamsize got = in.readsome(bytes.data(), 8192);
    use(bytes.data(), static_cast<std::size_t>(got));
}

void uncompressed(const unsigned char* from, unsigned long size, unsigned long n) {
    std::vector<unsigned char> bytes(n);  // finds: std::vector<unsigned char>(n)
    unsigned long got = n;
    if (uncompress(bytes.data(), &got, from, size) != 0) return;
    use(bytes.data(), got);
}

void inflated(const unsigned char* from, unsigned size) {
    std::vector<unsigned char> bytes(16384);  // finds: std::vector<unsigned char>(n)
    z_stream stream{};
    if (inflateInit_(&stream, "1", sizeof stream) != 0) return;
    stream.next_in = from;
    stream.avail_in = size;
    int status = 0;
    while (status == 0) {
        stream.next_out = bytes.data();
        stream.avail_out = 16384;
        status = inflate(&stream, 0);
        if (status < 0) break;
        use(bytes.data(), 16384 - stream.avail_out);
    }
    inflateEnd(&stream);
}

void inflated_and_used_whole(const unsigned char* from, unsigned size) {
    std::vector<unsigned char> bytes(16384);
    z_stream stream{from, size, bytes.data(), 16384};
    inflate(&stream, 4);
    use(bytes.data(), 16384);
}

void read_from_gz(void* file) {
    std::vector<char> bytes(4096);  // finds: std::vector<char>(n)
    const int got = gzread(file, bytes.data(), 4096);
    if (got > 0) use(bytes.data(), static_cast<std::size_t>(got));
}

void from_lz4(const char* from, int size, int n) {
    std::vector<char> bytes(static_cast<std::size_t>(n));  // finds: std::vector<char>(n)
    if (LZ4_decompress_safe(from, bytes.data(), size, n) != n) return;
    use(bytes.data(), static_cast<std::size_t>(n));
}

void from_zstd(const void* from, std::size_t size, std::size_t n) {
    std::vector<char> bytes(n);  // finds: std::vector<char>(n)
    if (ZSTD_decompress(bytes.data(), n, from, size) != n) return;
    use(bytes.data(), n);
}

void from_a_zstd_stream(void* stream, ZSTD_inBuffer* in, std::size_t n) {
    std::vector<char> bytes(n);  // finds: std::vector<char>(n)
    ZSTD_outBuffer out = {bytes.data(), n, 0};
    ZSTD_decompressStream(stream, &out, in);
    use(bytes.data(), out.pos);
}

void from_snappy(const char* from, std::size_t size, std::size_t n) {
    std::vector<char> bytes(n);  // finds: std::vector<char>(n)
    if (!snappy::RawUncompress(from, size, bytes.data())) return;
    use(bytes.data(), n);
}

void from_lzo(const unsigned char* from, std::size_t size, std::size_t n) {
    std::vector<unsigned char> bytes(n);  // finds: std::vector<unsigned char>(n)
    std::size_t got = n;
    if (lzo1x_decompress_safe(from, size, bytes.data(), &got, nullptr) != 0 || got != n) return;
    use(bytes.data(), n);
}

void from_brotli(const unsigned char* from, std::size_t size, std::size_t n) {
    std::vector<unsigned char> bytes(n);  // finds: std::vector<unsigned char>(n)
    std::size_t got = n;
    if (BrotliDecoderDecompress(size, from, &got, bytes.data()) == 0) return;
    use(bytes.data(), got);
}

void from_curl(void* curl) {
    std::vector<char> bytes(16384);  // finds: std::vector<char>(n)
    std::size_t got = 0;
    if (curl_easy_recv(curl, bytes.data(), 16384, &got) != 0) return;
    use(bytes.data(), got);
}

void from_sqlite(void* blob, int n) {
    std::vector<char> bytes(static_cast<std::size_t>(n));  // finds: std::vector<char>(n)
    if (sqlite3_blob_read(blob, bytes.data(), n, 0) != 0) return;
    use(bytes.data(), static_cast<std::size_t>(n));
}

void from_windows(void* file, unsigned long n) {
    std::vector<char> bytes(n);  // finds: std::vector<char>(n)
    unsigned long got = 0;
    if (ReadFile(file, bytes.data(), n, &got, nullptr) == 0) return;
    use(bytes.data(), got);
}

void pointer_assigned_later(int descriptor, std::size_t n) {
    std::vector<char> bytes(n);  // finds: std::vector<char>(n)
    char* at = nullptr;
    at = bytes.data();
    while (at != bytes.data() + n) {
        const ssize_t got = ::read(descriptor, at, static_cast<std::size_t>(bytes.data() + n - at));
        if (got <= 0) return;
        at += got;
    }
    use(bytes.data(), n);
}

void received_as_a_message(int socket) {
    std::vector<char> bytes(9216);  // finds: std::vector<char>(n)
    iovec part{bytes.data(), bytes.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    const ssize_t got = ::recvmsg(socket, &message, 0);
    if (got > 0) use(bytes.data(), static_cast<std::size_t>(got));
}

void received_as_a_message_and_used_whole(int socket) {
    std::vector<char> bytes(9216);
    iovec part{bytes.data(), bytes.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (::recvmsg(socket, &message, 0) > 0) use(bytes.data(), bytes.size());
}

void from_a_stream_buffer(std::istream& in) {
    std::vector<char> bytes(8192);  // finds: std::vector<char>(n)
    const std::streamsize got = in.rdbuf()->sgetn(bytes.data(), 8192);
    if (got > 0) use(bytes.data(), static_cast<std::size_t>(got));
}

void lines_of_a_stream(std::istream& in) {
    std::vector<char> line(8192);  // finds: std::vector<char>(n)
    while (in.getline(line.data(), 8192)) std::puts(line.data());
}

void formatted(const char* from) {
    std::vector<char> text(512);  // finds: std::vector<char>(n)
    std::snprintf(text.data(), 512, "%s", from);
    std::puts(text.data());
}

std::string a_link(const char* path) {
    std::string target(4096, '\0');  // finds: std::string(n, c)
    const ssize_t got = ::readlink(path, target.data(), target.size());
    if (got == -1) throw std::runtime_error("readlink");
    target.resize(static_cast<std::size_t>(got));
    return target;
}

std::string a_link_and_what_follows(const char* path) {
    std::string target(4096, '\0');
    if (::readlink(path, target.data(), target.size()) == -1) throw std::runtime_error("readlink");
    return target;
}

std::string working_folder() {
    char path[4096] = {};  // mends: char[4096] x{}
    if (::getcwd(path, sizeof path) == nullptr) throw std::runtime_error("getcwd");
    return std::string(path) + '/';
}

std::string resolved(const char* from) {
    std::vector<char> path(4096);  // finds: std::vector<char>(n)
    if (::realpath(from, path.data()) == nullptr) return from;
    return path.data();
}

std::vector<double> numbers_of_a_stream(std::istream& in, std::size_t n) {
    std::vector<double> numbers(n);  // finds: std::vector<double>(n)
    for (double& each : numbers)
        if (!(in >> each)) throw std::runtime_error("no number");
    return numbers;
}

std::vector<double> numbers_that_may_be_missing(std::istream& in, std::size_t n) {
    std::vector<double> numbers(n);
    for (double& each : numbers) in >> each;
    return numbers;
}

std::vector<unsigned char> inflated_whole(const unsigned char* from, unsigned size, unsigned n) {
    std::vector<unsigned char> bytes(n);  // finds: std::vector<unsigned char>(n)
    z_stream stream{};
    if (inflateInit_(&stream, "1", sizeof stream) != 0) throw std::runtime_error("inflate");
    stream.next_in = from;
    stream.avail_in = size;
    stream.next_out = bytes.data();
    stream.avail_out = n;
    const int status = inflate(&stream, 4);
    inflateEnd(&stream);
    if (status != 1 || stream.avail_out != 0) throw std::runtime_error("inflate");
    return bytes;
}

struct owned_bytes {
    std::unique_ptr<char[]> bytes;
    std::size_t size = 0;
};

owned_bytes whole_or_nothing(std::FILE* from, std::size_t size) {
    auto bytes = std::make_unique<char[]>(size);  // finds: std::make_unique<char[]>(n)
    const bool whole = std::fread(bytes.get(), 1, size, from) == size;
    std::fclose(from);
    if (!whole) return {};
    return {std::move(bytes), size};
}

std::vector<double> extracted_and_then_tested(std::istream& in, std::size_t n) {
    std::vector<double> all(n);  // finds: std::vector<double>(n)
    for (std::size_t i = 0; i < n; ++i) in >> all[i];
    if (!in) return {};
    return all;
}
