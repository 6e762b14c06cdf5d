// SPDX-License-Identifier: BSL-1.0
#include "owners/memory_image.hpp"

#include "support/descriptor.hpp"

#include <utility>

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <sys/mman.h>

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

mapped_bytes::mapped_bytes(mapped_bytes&& from) noexcept
    : data_(std::exchange(from.data_, nullptr)), size_(std::exchange(from.size_, 0)) {}

mapped_bytes& mapped_bytes::operator=(mapped_bytes&& from) noexcept {
    std::swap(data_, from.data_);
    std::swap(size_, from.size_);
    return *this;
}

mapped_bytes::~mapped_bytes() {
    if (data_ != nullptr) ::munmap(data_, size_);
}

const memory_segment* memory_image::find(std::uint64_t address) const {
    return range_around(address, segments);
}

const std::byte* memory_image::bytes(std::uint64_t address, std::uint64_t size) const {
    const memory_segment* const segment = find(address);
    if (segment == nullptr || size > segment->end - address) return nullptr;
    return segment->data + (address - segment->begin);
}

std::optional<std::uint64_t> memory_image::word(std::uint64_t address) const {
    return value<std::uint64_t>(address);
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
        const std::byte* const notes = image.bytes(begin + part->p_offset, part->p_filesz);
        if (notes == nullptr) continue;
        std::string found = build_id_in_notes(notes, part->p_filesz);
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
