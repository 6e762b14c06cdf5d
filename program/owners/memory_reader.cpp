// SPDX-License-Identifier: BSL-1.0
#include "owners/memory_reader.hpp"

#include "owners/process_status.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/uio.h>
#include <unistd.h>

namespace freehold {

/// A line of /proc/PID/maps.
struct mapping {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t offset = 0;
    bool is_readable = false;
    bool is_writable = false;
    bool is_executable = false;
    bool is_shared = false;
    std::string name;
};

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t page = bytes_of_page;

std::vector<mapping> mappings_of(pid_t process) {
    std::vector<mapping> result;
    std::ifstream maps(folder_of_process(process) / "maps");
    for (std::string line; std::getline(maps, line);) {
        mapping each;
        char rights[5] = {};
        int name = 0;
        if (std::sscanf(line.c_str(), "%lx-%lx %4s %lx %*s %*s %n", &each.begin, &each.end, rights,
                        &each.offset, &name) < 4)
            continue;
        each.is_readable = rights[0] == 'r';
        each.is_writable = rights[1] == 'w';
        each.is_executable = rights[2] == 'x';
        each.is_shared = rights[3] == 's';
        if (name > 0 && static_cast<std::size_t>(name) < line.size())
            each.name = line.substr(static_cast<std::size_t>(name));
        result.push_back(std::move(each));
    }
    return result;
}

/// Reading the memory of devices may have effects.
bool is_of_device(const mapping& each) {
    return each.name.starts_with("/dev/") && !each.name.starts_with("/dev/shm/") &&
           !each.name.starts_with("/dev/zero");
}

/// The beginning of a mapped file has the headers of ELF and the build-id.
constexpr std::uint64_t beginning = 4 * page;

/// epoll keeps a word for each file that it watches, which is often a pointer.
void add_words_of_epoll(pid_t process, memory_image& image) {
    std::error_code none;
    for (const auto& each : fs::directory_iterator(folder_of_process(process) / "fdinfo", none)) {
        std::ifstream file(each.path());
        for (std::string line; std::getline(file, line);) {
            constexpr std::string_view mark = "data:";
            const std::size_t at = line.find(mark);
            std::uint64_t word = 0;
            if (!line.starts_with("tfd:") || at == std::string::npos) continue;
            if (std::sscanf(line.c_str() + at + mark.size(), "%lx", &word) == 1 && word != 0)
                image.held_by_system.push_back(word);
        }
    }
}

bool is_of_a_file(const mapping& each) {
    return each.name.starts_with('/');
}
/// Memory without a file that cannot be written any more was written before.
bool is_written(const mapping& each) {
    return each.is_writable || (!is_of_a_file(each) && !each.is_executable);
}

/// Returns a number that pages with different words have in common by a chance of 2^-64, and never
/// if they differ in one word only. It is not 0.
std::uint64_t checksum_of(const std::uint64_t* words) {
    constexpr std::uint64_t any_odd = 0x9e37'79b9'7f4a'7c15;
    const auto mixed = [](std::uint64_t sum, std::uint64_t word) {
        return std::rotl((sum ^ word) * any_odd, 29);
    };
    // Four sums, because each waits for its own multiplication.
    std::array<std::uint64_t, 4> sums{1, 2, 3, 4};
    for (unsigned i = 0; i != words_of_page; i += 4)
        for (unsigned k = 0; k != 4; ++k) sums[k] = mixed(sums[k], words[i + k]);
    const std::uint64_t result = mixed(mixed(mixed(sums[0], sums[1]), sums[2]), sums[3]);
    return result != 0 ? result : 1;
}

}  // namespace

memory_reader::memory_reader(pid_t process, memory_image& image)
    : process_(process),
      image_(image),
      memory_(::open((folder_of_process(process) / "mem").c_str(), O_RDONLY | O_CLOEXEC)),
      used_pages_(::open((folder_of_process(process) / "pagemap").c_str(), O_RDONLY | O_CLOEXEC)) {
    if (memory_.get() < 0) throw owners_error(refusal(process));
}

void memory_reader::read_while_it_runs() {
    read_all();
    ahead_ = std::exchange(image_.segments, {});
    image_.files.clear();
}

void memory_reader::read_stopped() {
    is_stopped_ = true;
    add_words_of_epoll(process_, image_);
    read_all();
}

void memory_reader::read_all() {
    std::vector<mapping> all = mappings_of(process_);
    std::erase_if(all, [](const mapping& each) {
        return each.is_readable && (each.name.starts_with("[v") || is_of_device(each));
    });
    std::vector<const mapping*> largest;
    for (const mapping& each : all)
        if (each.is_readable) largest.push_back(&each);
    std::stable_sort(largest.begin(), largest.end(), [](const mapping* a, const mapping* b) {
        return a->end - a->begin > b->end - b->begin;
    });
    for (const bool written : {true, false})
        for (const mapping* const each : largest)
            if (is_written(*each) == written) image_.pages.expect_addresses(each->begin, each->end);
    std::uint64_t unreadable_until = 0;
    for (const mapping& each : all) {
        if (!each.is_readable) {
            unreadable_until = each.end;
            continue;
        }
        if (is_of_a_file(each)) {
            mapped_file file{each.name, each.begin, each.end, each.offset, {}};
            const fs::path folder = folder_of_process(process_);
            file.other_paths = {
                (folder / "map_files" / fmt::format("{:x}-{:x}", each.begin, each.end)).string(),
                (folder / "root").string() + each.name};
            image_.files.push_back(std::move(file));
        }
        if (!is_written(each) && !(is_of_a_file(each) && each.offset == 0)) continue;
        const std::uint64_t size =
            is_written(each) ? each.end - each.begin : std::min(beginning, each.end - each.begin);
        memory_segment& segment = image_.add_segment(each.begin, each.begin + size);
        segment.is_writable = is_written(each);
        segment.is_of_a_file = is_of_a_file(each);
        segment.has_guard = unreadable_until == each.begin;
        if (!is_stopped_) checksums_.emplace_back(size / page);
        read(each, segment);
    }
}

void memory_reader::read(const mapping& from, memory_segment& to) {
    // The system gives pages of files and of shared memory to a process when it uses them.
    if (from.is_shared || is_of_a_file(from))
        read(to, to.begin, to.end);
    else
        read_used(to);
}

void memory_reader::read_used(memory_segment& to) {
    constexpr std::size_t at_once = 4096;
    constexpr std::uint64_t present_or_swapped = std::uint64_t{3} << 62;
    std::vector<std::uint64_t> entries(at_once);
    for (std::uint64_t first = to.begin; first < to.end; first += at_once * page) {
        const std::uint64_t count = std::min<std::uint64_t>(at_once, (to.end - first) / page);
        const std::size_t wanted = count * sizeof(std::uint64_t);
        if (::pread(used_pages_.get(), entries.data(), wanted,
                    static_cast<off_t>(first / page * sizeof(std::uint64_t))) !=
            static_cast<ssize_t>(wanted))
            std::fill(entries.begin(), entries.end(), present_or_swapped);
        for (std::size_t i = 0; i < count;) {
            std::size_t last = i;
            while (last < count && (entries[last] & present_or_swapped) != 0) ++last;
            if (last != i) read(to, first + i * page, first + last * page);
            i = last + 1;
        }
    }
}

void memory_reader::read(memory_segment& to, std::uint64_t begin, std::uint64_t end) {
    while (begin != end) {
        const std::uint64_t size = std::min<std::uint64_t>(end - begin, sizeof window_);
        const std::uint64_t copied = copy(begin, size);
        for (std::uint64_t done = 0; done != copied; done += page) {
            const std::uint64_t* const words = window_.data() + done / bytes_of_word;
            const std::uint64_t address = begin + done;
            const std::uint64_t checksum = checksum_of(words);
            if (take_page(to, address, checksum)) continue;
            image_.add_pages(to, address, words, page);
            changed_until_ = address + page;
            if (!is_stopped_) checksums_.back()[(address - to.begin) / page] = checksum;
        }
        // A page that the process gave back meanwhile.
        begin += copied == size ? size : copied + page;
    }
}

std::uint64_t memory_reader::copy(std::uint64_t begin, std::uint64_t size) {
    auto* const to = reinterpret_cast<std::byte*>(window_.data());
    const iovec here{to, size};
    const iovec there{reinterpret_cast<void*>(begin), size};
    const ssize_t whole = ::process_vm_readv(process_, &here, 1, &there, 1, 0);
    std::uint64_t done = whole > 0 ? static_cast<std::uint64_t>(whole) / page * page : 0;
    // While the process runs, it may map a device where its memory was.
    if (!is_stopped_) return done;
    while (done < size) {
        const ssize_t got =
            ::pread(memory_.get(), to + done, size - done, static_cast<off_t>(begin + done));
        if (got > 0) {
            done += static_cast<std::uint64_t>(got);
            continue;
        }
        // Behind the end of a mapped file there is nothing.
        const std::uint64_t rest = page - done % page;
        std::memset(to + done, 0, rest);
        done += rest;
    }
    return size;
}

bool memory_reader::take_page(memory_segment& to, std::uint64_t address,
                              std::uint64_t checksum) const {
    const memory_segment* const from = range_around(address, ahead_);
    if (from == nullptr || from->is_of_a_file != to.is_of_a_file) return false;
    const auto& checksums = checksums_[static_cast<std::size_t>(from - ahead_.data())];
    if (checksums[(address - from->begin) / page] != checksum) return false;
    // The mark of a handle that is now on the page before may be here, or of a pool that is now
    // before it.
    if (changed_until_ == address && !memory_image::is_kept(*from, address)) return false;
    if (image_.pages.marks_from_before(address) != 0) return false;
    memory_image::take_page(to, *from, address);
    return true;
}

}  // namespace freehold
