// flags: -std=c++17
// SPDX-License-Identifier: BSL-1.0
// Nothing is found here, because all functions that fill are in other files. A comment `promised:` names the entry
// that .clang-tidy needs for a finding on its line.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

void use(const void* bytes, std::size_t size);
void take(const std::vector<char>& bytes);

// A member function whose result tells success.
class File {
public:
    bool ReadBytes(void* data, std::size_t length);
    bool ReadBytes(std::string& line);  // has no buffer
    bool WriteBytes(void* data, std::size_t length);
    bool ReadAll(const void* data, std::size_t length);
};

struct header {
    std::uint32_t magic;
    std::uint32_t sizes[100];
};

void read_a_header(File& file) {
    header one{};  // promised: File::ReadBytes:0:1:nonzero
    if (!file.ReadBytes(&one, sizeof one)) return;
    use(&one, sizeof one);
}

void read_a_vector(File& file, std::size_t n) {
    std::vector<char> bytes(n);  // promised: File::ReadBytes:0:1:nonzero
    if (file.ReadBytes(bytes.data(), bytes.size())) take(bytes);
}

bool read_into(File& file, char* bytes, std::size_t n) {
    return file.ReadBytes(bytes, n);
}

void read_by_another_function(File& file, std::size_t n) {
    std::vector<char> bytes(n);  // promised: File::ReadBytes:0:1:nonzero
    if (read_into(file, bytes.data(), n)) take(bytes);
}

#define READ_ALL(file, n)       \
    std::vector<char> bytes(n); /* promised: File::ReadBytes:0:1:nonzero */ \
    if (file.ReadBytes(bytes.data(), n)) take(bytes)

void read_in_a_macro(File& file, std::size_t n) {
    READ_ALL(file, n);
}

void read_in_a_macro_again(File& file, std::size_t n) {
    READ_ALL(file, n);
}

void read_and_not_tested(File& file, std::size_t n) {
    std::vector<char> bytes(n);
    file.ReadBytes(bytes.data(), n);
    take(bytes);
}

void read_in_part(File& file, std::size_t n) {
    std::vector<char> bytes(n + 8);
    if (file.ReadBytes(bytes.data(), n)) take(bytes);
}

void suppressed(File& file, std::size_t n) {
    std::vector<char> bytes(n);  // NOLINT(freehold-hidden-zeroing)
    if (file.ReadBytes(bytes.data(), n)) take(bytes);
}

void written(File& file, std::size_t n) {
    std::vector<char> bytes(n);
    if (file.WriteBytes(bytes.data(), n)) take(bytes);
}

void of_a_constant_pointer(File& file, std::size_t n) {
    std::vector<char> bytes(n);
    if (file.ReadAll(bytes.data(), n)) take(bytes);
}

bool fill_front(void* data, std::size_t size);
bool fill_back(void* data, std::size_t size);
void filled_by_two(std::size_t n, std::size_t middle) {
    std::vector<char> bytes(n);
    if (!fill_front(bytes.data(), middle)) return;
    if (fill_back(bytes.data() + middle, n - middle)) take(bytes);
}

// A number of bytes is the result. Zero means the end.
ssize_t recv_some(int socket, void* data, std::size_t size);

void receive(int socket) {
    std::vector<char> bytes(65536);  // promised: recv_some:1:2:result
    const ssize_t got = recv_some(socket, bytes.data(), bytes.size());
    if (got > 0) use(bytes.data(), static_cast<std::size_t>(got));
}

void receive_whole(int socket, std::size_t n) {
    std::vector<char> bytes(n);  // promised: recv_some:1:2:result
    if (recv_some(socket, bytes.data(), n) == static_cast<ssize_t>(n)) take(bytes);
}

// A result of which a caller uses less is no mere status.
void receive_and_use_all(int socket) {
    std::vector<char> bytes(65536);
    if (recv_some(socket, bytes.data(), bytes.size()) > 0) take(bytes);
}

// The result is zero on success.
int read_exact(int descriptor, char* data, std::size_t size);

void exactly(int descriptor, std::size_t n) {
    std::vector<char> bytes(n);  // promised: read_exact:1:2:zero
    if (read_exact(descriptor, bytes.data(), n) != 0) return;
    take(bytes);
}

enum class status { ok, failed };
status decode_block(std::uint8_t* target, std::uint32_t room, const std::uint8_t* from);

void decoded(const std::uint8_t* from, std::uint32_t n) {
    std::vector<std::uint8_t> bytes(n);  // promised: decode_block:0:1:zero
    if (decode_block(bytes.data(), n, from) == status::ok) use(bytes.data(), n);
}

namespace entropy {
inline namespace v1 {
void fill(std::size_t count, std::uint8_t* bytes);
}
}  // namespace entropy

void seeded(std::size_t n) {
    std::vector<std::uint8_t> seed(n);  // promised: entropy::fill:1:0:all
    entropy::fill(n, seed.data());
    use(seed.data(), n);
}

// Other files may override it.
class stream {
public:
    virtual ~stream() = default;
    virtual std::size_t read(void* data, std::size_t size) {
        std::memset(data, 0, size);
        return size;
    }
};

void from_a_stream(stream& in, std::size_t n) {
    std::vector<char> bytes(n);  // promised: stream::read:0:1:result
    if (in.read(bytes.data(), n) != n) return;
    take(bytes);
}

class loader {
public:
    bool load(File& file, std::size_t n) {
        bytes_ = std::make_unique<char[]>(n);  // promised: File::ReadBytes:0:1:nonzero
        const bool whole = file.ReadBytes(bytes_.get(), n);
        if (!whole) bytes_.reset();
        return whole;
    }
    const char* bytes() const { return bytes_.get(); }

private:
    std::unique_ptr<char[]> bytes_;
};

template <class Source>
class reader {
public:
    bool fetch(char* data, int length);
};

void from_a_template(reader<int>& in, int n) {
    std::vector<char> bytes(static_cast<std::size_t>(n));  // promised: reader::fetch:0:1:nonzero
    if (in.fetch(bytes.data(), n)) take(bytes);
}

// As fread: elements of a size.
class archive {
public:
    std::size_t Read(void* data, std::size_t size, std::size_t count);
};

void from_an_archive(archive& in, std::size_t n) {
    std::vector<char> bytes(n);  // promised: archive::Read:0:2:result
    if (in.Read(bytes.data(), 1, n) == n) take(bytes);
}

// An entry for one of these would be wrong for the other.
class two_orders {
public:
    bool Read(void* data, std::size_t size);
    bool Read(char* data, int line, int column, std::size_t size);
};

void of_two_orders(two_orders& in, std::size_t n) {
    std::vector<char> bytes(n);
    if (in.Read(bytes.data(), n)) take(bytes);
}

bool get_at(void* data, std::size_t offset);
void without_a_size(std::size_t n) {
    std::vector<char> bytes(n);
    if (get_at(bytes.data(), n)) take(bytes);
}

std::string load_text(char* data, std::size_t size);
void with_another_result(std::size_t n) {
    std::vector<char> bytes(n);
    if (load_text(bytes.data(), n).empty()) take(bytes);
}
