// SPDX-License-Identifier: BSL-1.0
#include "advise/traces/ctf_packets.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <system_error>
#include <utility>

namespace freehold {
namespace {

namespace fs = std::filesystem;

// How LTTng-UST begins each packet: its header and the start of its context, in the byte order of
// the machine that recorded.
struct packet_start {
    std::uint32_t magic;
    std::array<unsigned char, 16> uuid;
    std::uint32_t stream_class;
    std::uint64_t stream;
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t content_bits;
    std::uint64_t packet_bits;
};
static_assert(sizeof(packet_start) == 64);

constexpr std::uint32_t packet_magic = 0xc1fc1fc1;

/// Another recorder's packets, or another byte order: their lengths are not known here, and
/// libbabeltrace2 is left to judge them.
bool is_known(const packet_start& start) {
    return start.magic == packet_magic && start.packet_bits % 8 == 0 &&
           start.packet_bits / 8 > sizeof start && start.content_bits <= start.packet_bits;
}

ctf_stream_file scanned(const fs::path& path) {
    ctf_stream_file result{path, 0, std::nullopt};
    const std::uint64_t size = fs::file_size(path);
    std::ifstream file(path, std::ios::binary);
    for (std::uint64_t offset = 0; offset < size;) {
        packet_start start{};
        const std::uint64_t present = size - offset;
        if (present < sizeof start) {
            result.broken = ctf_broken_packet{offset, present, 0};
            break;
        }
        file.seekg(static_cast<std::streamoff>(offset));
        if (!file.read(reinterpret_cast<char*>(&start), sizeof start))
            throw fs::filesystem_error("cannot be read", path,
                                       std::error_code(errno, std::generic_category()));
        if (!is_known(start)) break;
        const std::uint64_t whole = start.packet_bits / 8;
        if (present < whole) {
            result.broken = ctf_broken_packet{offset, present, whole - present};
            break;
        }
        ++result.packets;
        offset += whole;
    }
    return result;
}

ctf_folder scanned_folder(const fs::path& path) {
    ctf_folder result{path, {}};
    for (const auto& entry : fs::directory_iterator(path)) {
        const std::string name = entry.path().filename();
        if (!entry.is_regular_file() || name == "metadata" || name.front() == '.') continue;
        result.streams.push_back(scanned(entry.path()));
    }
    std::sort(result.streams.begin(), result.streams.end(),
              [](const auto& a, const auto& b) { return a.path < b.path; });
    return result;
}

/// Bytes [begin, end) of one file as another.
void copy_part(const fs::path& from, const fs::path& to, std::uint64_t begin, std::uint64_t end) {
    std::ifstream in(from, std::ios::binary);
    std::ofstream out(to, std::ios::binary);
    in.seekg(static_cast<std::streamoff>(begin));
    std::vector<char> buffer(std::size_t{1} << 20);
    for (std::uint64_t left = end - begin; left != 0 && in && out;) {
        const auto size =
            static_cast<std::streamsize>(std::min<std::uint64_t>(left, buffer.size()));
        if (!in.read(buffer.data(), size)) break;
        out.write(buffer.data(), size);
        left -= static_cast<std::uint64_t>(size);
    }
    out.close();
    if (!in || !out)
        throw fs::filesystem_error("cannot be copied", from, to,
                                   std::error_code(errno, std::generic_category()));
}

/// Lets the packet say that it is as long as it is: decoding it then fails at its end alone.
void shorten_packet(const fs::path& path, std::uint64_t bytes) {
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    packet_start start{};
    file.read(reinterpret_cast<char*>(&start), sizeof start);
    start.packet_bits = bytes * 8;
    start.content_bits = std::min(start.content_bits, start.packet_bits);
    file.seekp(0);
    file.write(reinterpret_cast<const char*>(&start), sizeof start);
    file.close();
    if (!file)
        throw fs::filesystem_error("cannot be written", path,
                                   std::error_code(errno, std::generic_category()));
}

}  // namespace

bool ctf_folder::is_broken() const {
    return std::any_of(streams.begin(), streams.end(),
                       [](const auto& stream) { return stream.broken.has_value(); });
}

std::vector<ctf_folder> find_ctf_folders(const fs::path& path) {
    std::vector<fs::path> paths;
    if (fs::is_regular_file(path / "metadata")) paths.push_back(path);
    for (const auto& entry : fs::recursive_directory_iterator(path))
        if (entry.is_directory() && fs::is_regular_file(entry.path() / "metadata"))
            paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<ctf_folder> result;
    for (const fs::path& each : paths) result.push_back(scanned_folder(each));
    return result;
}

mended_ctf_folder::mended_ctf_folder(const ctf_folder& broken) {
    std::string name = fs::temp_directory_path() / "freehold-trace-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr)
        throw fs::filesystem_error("cannot be made", name,
                                   std::error_code(errno, std::generic_category()));
    path_ = name;
    try {
        const auto metadata = fs::absolute(broken.path / "metadata");
        fs::create_directory(whole());
        fs::create_symlink(metadata, whole() / "metadata");
        for (const ctf_stream_file& stream : broken.streams) {
            const auto copy = whole() / stream.path.filename();
            if (!stream.broken) {
                fs::create_symlink(fs::absolute(stream.path), copy);
                continue;
            }
            const ctf_broken_packet& packet = *stream.broken;
            if (packet.offset != 0) copy_part(stream.path, copy, 0, packet.offset);
            if (packet.missing == 0) continue;
            const auto tail = path_ / ("tail-" + std::to_string(tails_.size()));
            fs::create_directory(tail);
            fs::create_symlink(metadata, tail / "metadata");
            copy_part(stream.path, tail / "stream", packet.offset, packet.offset + packet.present);
            shorten_packet(tail / "stream", packet.present);
            tails_.push_back(tail);
        }
    } catch (...) {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
        throw;
    }
}

mended_ctf_folder::mended_ctf_folder(mended_ctf_folder&& other) noexcept
    : path_(std::move(other.path_)), tails_(std::move(other.tails_)) {
    other.path_.clear();
}

mended_ctf_folder::~mended_ctf_folder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace freehold
