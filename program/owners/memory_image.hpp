// SPDX-License-Identifier: BSL-1.0
// The memory of a program at one moment: what it can write, the registers of its threads, and which
// files are mapped where. It is read from a process (process_image.hpp) or a core (core_image.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <sys/types.h>

namespace freehold {

class owners_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Memory that mmap gave. The destructor gives it back.
class mapped_bytes {
public:
    mapped_bytes() = default;
    mapped_bytes(std::byte* data, std::size_t size) : data_(data), size_(size) {}
    mapped_bytes(mapped_bytes&& from) noexcept;
    mapped_bytes& operator=(mapped_bytes&& from) noexcept;
    ~mapped_bytes();

    [[nodiscard]] std::byte* data() const { return data_; }
    [[nodiscard]] std::size_t size() const { return size_; }

private:
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

struct memory_range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

/// Returns the one of these ranges, sorted and without overlap, that contains the address, or null.
template <class Range>
const Range* range_around(std::uint64_t address, const std::vector<Range>& sorted) {
    const auto after =
        std::upper_bound(sorted.begin(), sorted.end(), address,
                         [](std::uint64_t value, const Range& each) { return value < each.begin; });
    if (after == sorted.begin()) return nullptr;
    const Range& before = *std::prev(after);
    return address < before.end ? &before : nullptr;
}

struct memory_segment {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    const std::byte* data = nullptr;  // the image owns it
    bool is_writable = false;         // or was, and holds what the program wrote
    bool is_of_a_file = false;
    bool has_guard = false;  // directly before it is memory that cannot be read, as before a stack
};

struct mapped_file {
    std::string path;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t offset = 0;  // in the file
    /// Another name of the same file, which may still exist if the path was replaced.
    std::string other_path = {};
};

struct thread_registers {
    pid_t id = 0;
    std::array<std::uint64_t, 27> values{};  // in the order of user_regs_struct of x86-64

    [[nodiscard]] std::uint64_t stack_pointer() const { return values[19]; }
};

class memory_image {
public:
    std::vector<memory_segment> segments;  // sorted, without overlap
    std::vector<thread_registers> threads;
    std::vector<mapped_file> files;  // sorted
    std::vector<mapped_bytes> storage;
    std::vector<std::uint64_t> held_by_system;  // words that the system keeps for the program
    std::filesystem::path program;
    std::vector<std::string> incomplete;  // what could not be read
    double stopped_seconds = 0;

    [[nodiscard]] const memory_segment* find(std::uint64_t address) const;
    /// Returns nothing unless all of these bytes are in one segment.
    [[nodiscard]] const std::byte* bytes(std::uint64_t address, std::uint64_t size) const;
    [[nodiscard]] std::optional<std::uint64_t> word(std::uint64_t address) const;
    template <class T>
    [[nodiscard]] std::optional<T> value(std::uint64_t address) const {
        const std::byte* const found = bytes(address, sizeof(T));
        if (found == nullptr) return std::nullopt;
        T result;
        std::memcpy(&result, found, sizeof(T));
        return result;
    }
    [[nodiscard]] std::uint64_t size() const;
};

/// Calls `use(address, word)` for each aligned word that is not 0, of a range of one segment.
template <class Use>
void for_each_word(const memory_image& image, memory_range range, Use use) {
    constexpr std::uint64_t bytes_of_word = sizeof(std::uint64_t);
    range.begin = (range.begin + bytes_of_word - 1) & ~(bytes_of_word - 1);
    if (range.end < range.begin + bytes_of_word) return;
    const std::uint64_t size = (range.end - range.begin) & ~(bytes_of_word - 1);
    const std::byte* const data = image.bytes(range.begin, size);
    if (data == nullptr) return;
    for (std::uint64_t i = 0; i != size; i += bytes_of_word) {
        std::uint64_t word = 0;
        std::memcpy(&word, data + i, sizeof word);
        if (word != 0) use(range.begin + i, word);
    }
}

/// Returns the GNU build-id in the ELF file that is mapped at this address, or an empty text.
std::string build_id_in_memory(const memory_image& image, std::uint64_t begin);
/// Returns the build-id of a file, or an empty text.
std::string build_id_of_file(const std::filesystem::path& file);

}  // namespace freehold
