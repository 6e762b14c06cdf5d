// SPDX-License-Identifier: BSL-1.0
// The memory of a program at one moment: what it can write, the registers of its threads, and which
// files are mapped where. It is read from a process (process_image.hpp) or a core (core_image.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
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

    [[nodiscard]] std::uint64_t instruction_pointer() const { return values[16]; }
    [[nodiscard]] std::uint64_t stack_pointer() const { return values[19]; }
    [[nodiscard]] std::uint64_t thread_pointer() const { return values[21]; }
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

/// Returns the GNU build-id in the ELF file that is mapped at this address, or an empty text.
std::string build_id_in_memory(const memory_image& image, std::uint64_t begin);
/// Returns the build-id of a file, or an empty text.
std::string build_id_of_file(const std::filesystem::path& file);

}  // namespace freehold
