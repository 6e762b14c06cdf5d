// SPDX-License-Identifier: BSL-1.0
#include "owners/core_image.hpp"

#include "support/descriptor.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/procfs.h>
#include <sys/stat.h>

namespace freehold {
namespace {

namespace fs = std::filesystem;

/// A file that is mapped. The destructor unmaps it.
class mapped_bytes {
public:
    mapped_bytes() = default;
    mapped_bytes(const mapped_bytes&) = delete;
    mapped_bytes& operator=(const mapped_bytes&) = delete;
    ~mapped_bytes() {
        if (data_ != nullptr) ::munmap(data_, size_);
    }
    void set(void* data, std::size_t size) {
        data_ = static_cast<std::byte*>(data);
        size_ = size;
    }
    [[nodiscard]] const std::byte* data() const { return data_; }
    [[nodiscard]] std::size_t size() const { return size_; }
    /// Gives the system back the memory of a part, which it may read again.
    void forget(std::size_t begin, std::size_t size) const {
        const std::size_t first = begin / bytes_of_page * bytes_of_page;
        ::madvise(data_ + first, begin + size - first, MADV_DONTNEED);
    }

private:
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

class core_file {
public:
    explicit core_file(const fs::path& path) : path_(path) {
        const support::descriptor opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
        struct stat status {};
        if (opened.get() < 0 || ::fstat(opened.get(), &status) != 0)
            throw owners_error(
                fmt::format("{}: cannot be read: {}", path.string(), std::strerror(errno)));
        const auto size = static_cast<std::size_t>(status.st_size);
        void* const place = size == 0 || !S_ISREG(status.st_mode)
                                ? MAP_FAILED
                                : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, opened.get(), 0);
        if (place == MAP_FAILED) refuse("is no core dump; `gcore PID` writes one");
        bytes_.set(place, size);
        check_header();
    }

    void add_to(memory_image& image) {
        std::uint64_t unreadable_until = 0;
        std::uint64_t lacking = 0;
        std::set<std::uint64_t> read_only;
        std::vector<Elf64_Phdr> parts;
        for (unsigned i = 0; i != header_.e_phnum; ++i) {
            const auto part = at<Elf64_Phdr>(header_.e_phoff + i * sizeof(Elf64_Phdr));
            if (part.p_type == PT_NOTE) read_notes(part, image);
            if (part.p_type != PT_LOAD) continue;
            if ((part.p_flags & PF_R) == 0) unreadable_until = part.p_vaddr + part.p_memsz;
            if ((part.p_flags & PF_W) != 0) lacking += part.p_memsz - part.p_filesz;
            // Without a file, it was written before.
            if ((part.p_flags & (PF_W | PF_X)) == 0) read_only.insert(part.p_vaddr);
            if (part.p_filesz == 0) continue;
            if (part.p_vaddr % bytes_of_page != 0 || part.p_vaddr + part.p_memsz < part.p_vaddr ||
                part.p_filesz > part.p_memsz)
                refuse("is damaged: a part of its memory has no address; write it again");
            if (part.p_offset > bytes_.size() || part.p_filesz > bytes_.size() - part.p_offset)
                refuse(
                    fmt::format("is truncated: it has {} of at least {} bytes; write it again, "
                                "with `ulimit -c unlimited` and room on the disk",
                                bytes_.size(), part.p_offset + part.p_filesz));
            parts.push_back(part);
            memory_segment& made =
                image.add_segment(part.p_vaddr, part.p_vaddr + (part.p_filesz + bytes_of_page - 1) /
                                                                   bytes_of_page * bytes_of_page);
            made.is_writable = (part.p_flags & PF_W) != 0;
            made.has_guard = unreadable_until == part.p_vaddr;
        }
        std::stable_sort(parts.begin(), parts.end(),
                         [](const auto& a, const auto& b) { return a.p_filesz > b.p_filesz; });
        for (const Elf64_Phdr& part : parts)
            image.pages.expect_addresses(part.p_vaddr, part.p_vaddr + part.p_memsz);
        std::sort(image.segments.begin(), image.segments.end(),
                  [](const auto& a, const auto& b) { return a.begin < b.begin; });
        for (std::size_t i = 1; i < image.segments.size(); ++i)
            if (image.segments[i - 1].end > image.segments[i].begin)
                refuse("is damaged: two parts of its memory overlap; write it again");
        for (memory_segment& each : image.segments)
            each.is_of_a_file = std::any_of(
                image.files.begin(), image.files.end(), [&each](const mapped_file& file) {
                    return file.begin <= each.begin && each.begin < file.end;
                });
        for (memory_segment& each : image.segments)
            if (!each.is_of_a_file && read_only.count(each.begin) != 0) each.is_writable = true;
        for (const Elf64_Phdr& part : parts) read_part(part, image);
        if (lacking != 0)
            image.incomplete.push_back(fmt::format(
                "the core lacks {} bytes of the program's memory; an object that only these hold "
                "may be called lost",
                lacking));
        image.incomplete.emplace_back(
            "a core does not say what the system keeps for the program, as epoll does; an object "
            "that only this holds counts as reachable, or as leaked if it is in a ring");
        if (image.segments.empty()) refuse("has no memory in it; write it again by `gcore PID`");
    }

    [[nodiscard]] std::uint64_t program_headers() const { return program_headers_; }

    [[noreturn]] void refuse(const std::string& reason) const {
        throw owners_error(fmt::format("{}: {}", path_.string(), reason));
    }

private:
    template <class T>
    T at(std::uint64_t offset) const {
        if (offset > bytes_.size() || sizeof(T) > bytes_.size() - offset)
            refuse(
                fmt::format("is truncated: it ends after {} bytes, within its headers; write it "
                            "again",
                            bytes_.size()));
        T result;
        std::memcpy(&result, bytes_.data() + offset, sizeof result);
        return result;
    }

    void check_header() {
        constexpr std::string_view gzip = "\x1f\x8b";
        constexpr std::string_view zstd = "\x28\xb5\x2f\xfd";
        constexpr std::string_view lz4 = "\x04\x22\x4d\x18";
        constexpr std::string_view xz = "\xfd\x37zXZ";
        const std::string_view start(reinterpret_cast<const char*>(bytes_.data()), bytes_.size());
        for (const auto& [magic, tool] : {std::pair{gzip, "gunzip"}, std::pair{zstd, "unzstd"},
                                          std::pair{lz4, "unlz4"}, std::pair{xz, "unxz"}})
            if (start.starts_with(magic))
                refuse(fmt::format("is compressed; run `{}` on it first", tool));
        if (!start.starts_with(ELFMAG)) refuse("is no core dump; `gcore PID` writes one");
        if (start.size() <= EI_CLASS || start[EI_CLASS] != ELFCLASS64)
            refuse("is of a program of 32 bits; only programs of 64 bits can be looked at");
        header_ = at<Elf64_Ehdr>(0);
        if (header_.e_type != ET_CORE)
            refuse("is a program or a library and no core dump; give it to --exe");
        if (header_.e_machine != EM_X86_64)
            refuse("is of another processor; only programs for x86-64 can be looked at");
    }

    void read_part(const Elf64_Phdr& part, memory_image& image) const {
        const auto segment = std::lower_bound(
            image.segments.begin(), image.segments.end(), part.p_vaddr,
            [](const auto& each, std::uint64_t begin) { return each.begin < begin; });
        std::vector<std::uint64_t> window(64 * words_of_page);
        const std::uint64_t most = window.size() * bytes_of_word;
        for (std::uint64_t done = 0; done < part.p_filesz; done += most) {
            const std::uint64_t size = std::min(most, part.p_filesz - done);
            const std::uint64_t whole = (size + bytes_of_page - 1) / bytes_of_page * bytes_of_page;
            auto* const to = reinterpret_cast<std::byte*>(window.data());
            std::memset(to + size, 0, whole - size);
            std::memcpy(to, bytes_.data() + part.p_offset + done, size);
            bytes_.forget(part.p_offset + done, size);
            image.add_pages(*segment, part.p_vaddr + done, window.data(), whole);
        }
    }

    void read_notes(const Elf64_Phdr& part, memory_image& image) {
        for (std::uint64_t offset = part.p_offset;
             offset + sizeof(Elf64_Nhdr) <= part.p_offset + part.p_filesz;) {
            const auto note = at<Elf64_Nhdr>(offset);
            const auto padded = [](std::uint64_t size) { return (size + 3) & ~std::uint64_t{3}; };
            const std::uint64_t text = offset + sizeof note + padded(note.n_namesz);
            if (note.n_descsz > 0) at<char>(text + note.n_descsz - 1);
            if (note.n_type == NT_PRSTATUS && note.n_descsz >= sizeof(elf_prstatus)) {
                const auto status = at<elf_prstatus>(text);
                thread_registers thread;
                thread.id = status.pr_pid;
                static_assert(sizeof status.pr_reg == sizeof thread.values);
                std::memcpy(thread.values.data(), &status.pr_reg, sizeof status.pr_reg);
                image.threads.push_back(thread);
            } else if (note.n_type == NT_FILE) {
                read_files(text, note.n_descsz, image);
            } else if (note.n_type == NT_AUXV) {
                for (std::uint64_t i = 0; i + sizeof(Elf64_auxv_t) <= note.n_descsz;
                     i += sizeof(Elf64_auxv_t)) {
                    const auto entry = at<Elf64_auxv_t>(text + i);
                    if (entry.a_type == AT_PHDR) program_headers_ = entry.a_un.a_val;
                }
            }
            offset = text + padded(note.n_descsz);
        }
    }

    void read_files(std::uint64_t text, std::uint64_t size, memory_image& image) {
        const auto count = at<std::uint64_t>(text);
        const auto unit = at<std::uint64_t>(text + 8);
        if (count > size / 24) return;
        std::uint64_t name = text + 16 + count * 24;
        for (std::uint64_t i = 0; i != count; ++i) {
            mapped_file file;
            file.begin = at<std::uint64_t>(text + 16 + i * 24);
            file.end = at<std::uint64_t>(text + 16 + i * 24 + 8);
            file.offset = at<std::uint64_t>(text + 16 + i * 24 + 16) * unit;
            while (name < text + size && at<char>(name) != '\0') file.path += at<char>(name++);
            ++name;
            image.files.push_back(std::move(file));
        }
        std::sort(image.files.begin(), image.files.end(),
                  [](const auto& a, const auto& b) { return a.begin < b.begin; });
    }

    fs::path path_;
    mapped_bytes bytes_;
    Elf64_Ehdr header_{};
    std::uint64_t program_headers_ = 0;
};

/// Returns where the program's file is mapped, or nothing.
const mapped_file* program_in(const memory_image& image, std::uint64_t program_headers) {
    for (const mapped_file& each : image.files)
        if (each.begin <= program_headers && program_headers < each.end) return &each;
    return nullptr;
}

}  // namespace

memory_image image_of_core(const fs::path& core, const fs::path& program) {
    memory_image image;
    core_file file(core);
    file.add_to(image);
    const mapped_file* const mapped = program_in(image, file.program_headers());
    image.program = program;
    if (program.empty() && mapped != nullptr) image.program = mapped->path;
    if (image.program.empty()) file.refuse("does not name its program; name it by --exe FILE");
    if (!fs::exists(image.program))
        file.refuse(fmt::format("is of {}, which does not exist; name the program by --exe FILE",
                                image.program.string()));
    const std::string of_core =
        mapped == nullptr ? std::string() : build_id_in_memory(image, mapped->begin);
    const std::string of_file = build_id_of_file(image.program);
    if (!of_core.empty() && of_core != of_file)
        file.refuse(fmt::format(
            "is of another build than {} (build-id {} and not {}); give the program that ran to "
            "--exe",
            image.program.string(), of_core, of_file.empty() ? "none" : of_file));
    if (of_core.empty())
        image.incomplete.push_back(
            fmt::format("the core has no build-id, so {} may be another build of the program",
                        image.program.string()));
    if (mapped != nullptr && !program.empty()) {
        const std::string name = mapped->path;
        for (mapped_file& each : image.files)
            if (each.path == name) each.path = program.string();
    }
    return image;
}

}  // namespace freehold
