// SPDX-License-Identifier: BSL-1.0
#include "owners/memory_image.hpp"

#include "support/descriptor.hpp"

#include <cstring>

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>

namespace freehold {
namespace {

/// Returns the build-id in the bytes of a PT_NOTE segment.
std::string build_id_in_notes(const std::byte* notes, std::size_t size) {
    for (std::size_t at = 0; at + sizeof(Elf64_Nhdr) <= size;) {
        Elf64_Nhdr header;
        std::memcpy(&header, notes + at, sizeof header);
        const auto padded = [](std::size_t bytes) { return (bytes + 3) & ~std::size_t{3}; };
        const std::size_t name = at + sizeof header;
        const std::size_t text = name + padded(header.n_namesz);
        if (text + header.n_descsz > size) break;
        if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4 &&
            std::memcmp(notes + name, "GNU", 4) == 0) {
            std::string result;
            for (std::size_t i = 0; i != header.n_descsz; ++i)
                result += fmt::format("{:02x}", std::to_integer<unsigned>(notes[text + i]));
            return result;
        }
        at = text + padded(header.n_descsz);
    }
    return {};
}

}  // namespace

memory_segment& memory_image::add_segment(std::uint64_t begin, std::uint64_t end) {
    memory_segment& result = segments.emplace_back();
    result.begin = begin;
    result.end = end;
    result.pages = sparse_array<std::uint32_t>((end - begin) / bytes_of_page);
    bare_until_ = 0;
    return result;
}

void memory_image::add_pages(memory_segment& segment, std::uint64_t begin,
                             const std::uint64_t* words, std::uint64_t size) {
    for (std::uint64_t at = begin; at != begin + size;
         at += bytes_of_page, words += words_of_page) {
        std::uint32_t* const number = &segment.pages[page_in(segment, at)];
        const packed_pages::added_page added = pages.add(at, words, segment.is_of_a_file);
        *number = added.number;
        if (segment.is_of_a_file || !added.is_bare || added.number == packed_pages::zeros) {
            bare_until_ = 0;
            continue;
        }
        if (bare_until_ != at) bare_from_ = at;
        bare_until_ = at + bytes_of_page;
        // The page before is between two that are bare, too.
        if (at - bare_from_ < 2 * bytes_of_page) continue;
        number[0] = pages.give_up_before(number[-1], number[0]);
        number[-1] = not_kept;
    }
}

const memory_segment* memory_image::find(std::uint64_t address) const {
    if (last_found_ < segments.size() && segments[last_found_].begin <= address &&
        address < segments[last_found_].end)
        return &segments[last_found_];
    const memory_segment* const found = range_around(address, segments);
    if (found != nullptr) last_found_ = static_cast<std::size_t>(found - segments.data());
    return found;
}

packed_pages::kept_word memory_image::kept_word(std::uint64_t address) const {
    constexpr packed_pages::kept_word none{0, true};
    const memory_segment* const segment = find(address);
    if (segment == nullptr) return none;
    const std::uint32_t page = segment->pages[page_in(*segment, address)];
    if (page == not_kept) return none;
    return pages.word(page, static_cast<unsigned>(address % bytes_of_page / bytes_of_word));
}

std::optional<std::uint64_t> memory_image::word(std::uint64_t address) const {
    if (address >= register_addresses) {
        const std::uint64_t number = (address - register_addresses) / bytes_of_word;
        const std::uint64_t thread = number / registers_of_thread;
        if (address % bytes_of_word != 0 || thread >= threads.size()) return std::nullopt;
        const auto& values = threads[thread].values;
        const std::uint64_t at = number % registers_of_thread;
        return at < values.size() ? std::optional(values[at]) : std::nullopt;
    }
    if (address % bytes_of_word != 0) return value<std::uint64_t>(address);
    const packed_pages::kept_word found = kept_word(address);
    return found.is_data ? std::nullopt : std::optional(found.value);
}

std::optional<std::uint8_t> memory_image::mark(std::uint64_t address) const {
    if (address % bytes_of_word != 0) return value<std::uint8_t>(address);
    const packed_pages::kept_word found = kept_word(address);
    if (found.is_data && !found.has_mark) return std::nullopt;
    return static_cast<std::uint8_t>(found.value);
}

bool memory_image::read(std::uint64_t address, void* to, std::uint64_t size) const {
    auto* at = static_cast<std::byte*>(to);
    while (size != 0) {
        const std::uint64_t inside = address % bytes_of_word;
        const auto whole = word(address - inside);
        if (!whole) return false;
        const std::uint64_t part = std::min(size, bytes_of_word - inside);
        std::memcpy(at, reinterpret_cast<const std::byte*>(&*whole) + inside, part);
        at += part;
        address += part;
        size -= part;
    }
    return true;
}

std::uint64_t memory_image::size() const {
    std::uint64_t sum = 0;
    for (const memory_segment& each : segments) sum += each.end - each.begin;
    return sum;
}

std::string build_id_in_memory(const memory_image& image, std::uint64_t begin) {
    const auto header = image.value<Elf64_Ehdr>(begin);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return {};
    for (unsigned i = 0; i != header->e_phnum; ++i) {
        const auto part = image.value<Elf64_Phdr>(begin + header->e_phoff + i * sizeof(Elf64_Phdr));
        if (!part || part->p_type != PT_NOTE) continue;
        // The file's beginning is mapped at `begin`, and notes are near to it.
        constexpr std::uint64_t most = 1 << 16;
        std::vector<std::byte> notes(std::min(part->p_filesz, most));
        if (!image.read(begin + part->p_offset, notes.data(), notes.size())) continue;
        std::string found = build_id_in_notes(notes.data(), notes.size());
        if (!found.empty()) return found;
    }
    return {};
}

std::string build_id_of_file(const std::filesystem::path& file) {
    const support::descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    if (opened.get() < 0) return {};
    elf_version(EV_CURRENT);
    Elf* const elf = elf_begin(opened.get(), ELF_C_READ_MMAP, nullptr);
    std::string result;
    std::size_t count = 0;
    if (elf != nullptr && elf_kind(elf) == ELF_K_ELF && elf_getphdrnum(elf, &count) == 0) {
        for (std::size_t i = 0; i != count && result.empty(); ++i) {
            GElf_Phdr part;
            if (gelf_getphdr(elf, static_cast<int>(i), &part) == nullptr || part.p_type != PT_NOTE)
                continue;
            Elf_Data* const data = elf_getdata_rawchunk(
                elf, static_cast<std::int64_t>(part.p_offset), part.p_filesz, ELF_T_BYTE);
            if (data != nullptr)
                result =
                    build_id_in_notes(static_cast<const std::byte*>(data->d_buf), data->d_size);
        }
    }
    elf_end(elf);
    return result;
}

}  // namespace freehold
