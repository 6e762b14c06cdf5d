// SPDX-License-Identifier: BSL-1.0
// The memory of a program at one moment: what it can write, the registers of its threads, and which
// files are mapped where. It is read from a process (process_image.hpp) or a core (core_image.hpp).
#pragma once

#include "owners/owners_error.hpp"
#include "owners/packed_pages.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace freehold {

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

/// An array of zeros. It is used in parts only, and what is never written takes no memory.
template <class T>
class sparse_array {
public:
    sparse_array() = default;
    explicit sparse_array(std::size_t size)
        // calloc takes large arrays from the system, which gives memory when it is used.
        : values_(static_cast<T*>(std::calloc(std::max<std::size_t>(size, 1), sizeof(T)))) {
        if (values_ == nullptr) throw std::bad_alloc();
    }
    [[nodiscard]] bool is_made() const { return values_ != nullptr; }
    T& operator[](std::size_t at) { return values_[at]; }
    const T& operator[](std::size_t at) const { return values_[at]; }

private:
    struct release {
        void operator()(T* values) const { std::free(values); }
    };
    std::unique_ptr<T[], release> values_;
};

struct memory_segment {
    std::uint64_t begin = 0;  // a multiple of a page's size, as is the end
    std::uint64_t end = 0;
    bool is_writable = false;  // or was, and holds what the program wrote
    bool is_of_a_file = false;
    bool has_guard = false;  // directly before it is memory that cannot be read, as before a stack
    // The number of each page in the image's `pages`, or `not_kept`. A program may have reserved
    // much more memory than it uses.
    sparse_array<std::uint32_t> pages;
};

struct mapped_file {
    std::string path;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t offset = 0;  // in the file
    /// Other names of the same file. They exist if the path was replaced, or is that of a
    /// container.
    std::vector<std::string> other_paths = {};
};

/// The first of the addresses that stand for registers: 32 of them for each thread, in the order of
/// its `values`.
constexpr std::uint64_t register_addresses = std::uint64_t{0xffff} << 48;
constexpr std::uint64_t registers_of_thread = 32;

struct thread_registers {
    pid_t id = 0;
    std::array<std::uint64_t, 27> values{};  // in the order of user_regs_struct of x86-64

    [[nodiscard]] std::uint64_t stack_pointer() const { return values[19]; }
    /// Where the thread's own variables end, which is what `fs_base` says.
    [[nodiscard]] std::uint64_t thread_pointer() const { return values[21]; }
};

/// The memory is packed, so that the process need not wait, and a core need not be kept, while it
/// is looked at. Of memory without a file, numbers and texts are not kept: see packed_pages.hpp.
/// Nor is a page without an address and without the head of a chunk of the heap that is between
/// two such pages.
class memory_image {
public:
    std::vector<memory_segment> segments;  // sorted, without overlap
    std::vector<thread_registers> threads;
    std::vector<mapped_file> files;             // sorted
    std::vector<std::uint64_t> held_by_system;  // words that the system keeps for the program
    std::filesystem::path program;
    std::vector<std::string> incomplete;  // what could not be read
    double stopped_seconds = 0;
    packed_pages pages;

    /// Adds a segment, all of whose bytes are 0 at first.
    memory_segment& add_segment(std::uint64_t begin, std::uint64_t end);
    /// Sets the bytes of pages of a segment, in the order of their addresses.
    void add_pages(memory_segment& segment, std::uint64_t begin, const std::uint64_t* words,
                   std::uint64_t size);
    /// Sets a page as it is in a segment that was read before.
    static void take_page(memory_segment& segment, const memory_segment& from,
                          std::uint64_t address) {
        segment.pages[page_in(segment, address)] = from.pages[page_in(from, address)];
    }
    [[nodiscard]] static bool is_kept(const memory_segment& segment, std::uint64_t address) {
        return segment.pages[page_in(segment, address)] != not_kept;
    }

    [[nodiscard]] const memory_segment* find(std::uint64_t address) const;
    /// Returns nothing if the word is not there, or is data. Addresses that stand for registers
    /// have words, too.
    [[nodiscard]] std::optional<std::uint64_t> word(std::uint64_t address) const;
    /// The same, or 0, which is no address of an object.
    [[nodiscard]] std::uint64_t word_or_zero(std::uint64_t address) const {
        return word(address).value_or(0);
    }
    /// Returns a byte, if it is below 16 also of data if it is the first of a word, as a mark
    /// behind handles is.
    [[nodiscard]] std::optional<std::uint8_t> mark(std::uint64_t address) const;
    /// Copies bytes. Returns whether all are there.
    bool read(std::uint64_t address, void* to, std::uint64_t size) const;
    template <class T>
    [[nodiscard]] std::optional<T> value(std::uint64_t address) const {
        T result;
        if (!read(address, &result, sizeof result)) return std::nullopt;
        return result;
    }
    /// Calls `use(address, word)` for each aligned word that is neither 0 nor data.
    template <class Use>
    void for_each_word(memory_range range, Use use) const {
        range.begin = (range.begin + bytes_of_word - 1) & ~(bytes_of_word - 1);
        range.end &= ~(bytes_of_word - 1);
        while (range.begin < range.end) {
            const memory_segment* const segment = find(range.begin);
            if (segment == nullptr) return;
            const std::uint64_t end = std::min(range.end, segment->end);
            for (std::uint64_t at = range.begin; at < end;) {
                const std::uint64_t page = at & ~(bytes_of_page - 1);
                const std::uint32_t number = segment->pages[page_in(*segment, page)];
                const std::uint64_t behind = std::min(end, page + bytes_of_page);
                if (number != packed_pages::zeros && number != not_kept)
                    pages.for_each(number, static_cast<unsigned>((at - page) / bytes_of_word),
                                   static_cast<unsigned>((behind - page) / bytes_of_word),
                                   [&use, page](unsigned index, std::uint64_t word) {
                                       use(page + index * bytes_of_word, word);
                                   });
                at = behind;
            }
            range.begin = end;
        }
    }
    [[nodiscard]] std::uint64_t size() const;

private:
    static constexpr std::uint32_t not_kept = UINT32_MAX;
    static std::size_t page_in(const memory_segment& segment, std::uint64_t address) {
        return (address - segment.begin) / bytes_of_page;
    }
    [[nodiscard]] packed_pages::kept_word kept_word(std::uint64_t address) const;

    std::uint64_t bare_until_ = 0;  // pages that were added last and are bare end here
    std::uint64_t bare_from_ = 0;
    mutable std::size_t last_found_ = 0;  // the segment
};

/// Returns the GNU build-id in the ELF file that is mapped at this address, or an empty text.
std::string build_id_in_memory(const memory_image& image, std::uint64_t begin);
/// Returns the build-id of a file, or an empty text.
std::string build_id_of_file(const std::filesystem::path& file);

}  // namespace freehold
