// SPDX-License-Identifier: BSL-1.0
#include "advise/traces/ctf_packets.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <memory>
#include <system_error>
#include <utility>

namespace freehold {
namespace {

namespace fs = std::filesystem;

// The beginning of each packet of LTTng-UST: its header and the start of its context, in the byte
// order of the machine that recorded.
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

/// Returns false for packets of another recorder or another byte order. This code does not know
/// their lengths, and libbabeltrace2 judges them.
bool is_known(const packet_start& start) {
    return start.magic == packet_magic && start.packet_bits % 8 == 0 &&
           start.packet_bits / 8 > sizeof start && start.content_bits <= start.packet_bits;
}

std::uint64_t big_endian(const std::vector<unsigned char>& bytes, std::size_t begin,
                         std::size_t count) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i != count; ++i) value = value << 8 | bytes[begin + i];
    return value;
}

std::vector<unsigned char> read_part(const fs::path& path, std::uint64_t begin, std::size_t size) {
    std::ifstream file(path, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(begin));
    std::vector<unsigned char> bytes(size);  // NOLINT(freehold-hidden-zeroing): a few bytes
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return bytes;
}

/// The length of the stream when its recorder wrote the last line of index/NAME.idx, or 0 if it is
/// not known. A header of 16 bytes ends with the length of an entry. An entry begins with a
/// packet's place and its length in bits. All numbers are big-endian.
std::uint64_t indexed_size(const fs::path& stream) {
    const fs::path index = stream.parent_path() / "index" / (stream.filename().string() + ".idx");
    std::error_code error;
    const std::uint64_t size = fs::file_size(index, error);
    constexpr std::size_t header_size = 16;
    if (error || size < header_size) return 0;
    const auto header = read_part(index, 0, header_size);
    if (header.size() != header_size || big_endian(header, 0, 4) != 0xc1f1dcc1) return 0;
    const std::uint64_t entry_size = big_endian(header, 12, 4);
    if (entry_size < 16 || size < header_size + entry_size) return 0;
    const std::uint64_t entries = (size - header_size) / entry_size;
    const auto last = read_part(index, header_size + (entries - 1) * entry_size, 16);
    return last.size() == 16 ? big_endian(last, 0, 8) + big_endian(last, 8, 8) / 8 : 0;
}

/// libbabeltrace2 does not return from metadata that end in the middle of a packet. Metadata as
/// plain text have no packets, so none can be incomplete.
bool has_whole_metadata(const fs::path& path) {
    struct metadata_packet {
        std::uint32_t magic;
        std::array<unsigned char, 16> uuid;
        std::uint32_t checksum;
        std::uint32_t content_bits;
        std::uint32_t packet_bits;
    };
    static_assert(sizeof(metadata_packet) == 32);
    constexpr std::uint32_t metadata_magic = 0x75d11d57;
    const std::uint64_t size = fs::file_size(path);
    if (size == 0) return false;
    std::ifstream file(path, std::ios::binary);
    for (std::uint64_t offset = 0; offset != size;) {
        metadata_packet packet{};
        file.seekg(static_cast<std::streamoff>(offset));
        const bool read(file.read(reinterpret_cast<char*>(&packet), sizeof packet));
        if (offset == 0 && (!read || packet.magic != metadata_magic)) return true;
        const std::uint64_t length = packet.packet_bits / 8;
        if (!read || packet.magic != metadata_magic || length < sizeof packet ||
            length > size - offset)
            return false;
        offset += length;
    }
    return true;
}

ctf_stream_file scanned(const fs::path& path) {
    const std::uint64_t size = fs::file_size(path);
    ctf_stream_file result{path, 0, size, 0, std::nullopt};
    std::ifstream file(path, std::ios::binary);
    for (std::uint64_t offset = 0; offset < size;) {
        packet_start start{};
        const std::uint64_t present = size - offset;
        if (present < sizeof start) {
            result.broken = ctf_broken_packet{offset, present, false};
            break;
        }
        file.seekg(static_cast<std::streamoff>(offset));
        if (!file.read(reinterpret_cast<char*>(&start), sizeof start))
            throw fs::filesystem_error("cannot be read", path,
                                       std::error_code(errno, std::generic_category()));
        if (!is_known(start)) break;
        const std::uint64_t whole = start.packet_bits / 8;
        if (present < whole) {
            result.broken = ctf_broken_packet{offset, present, true};
            result.missing_bytes = whole - present;
            break;
        }
        ++result.packets;
        offset += whole;
    }
    const std::uint64_t indexed = indexed_size(path);
    if (indexed > size) result.missing_bytes = std::max(result.missing_bytes, indexed - size);
    return result;
}

ctf_folder scanned_folder(const fs::path& path) {
    ctf_folder result{path, {}, has_whole_metadata(path / "metadata")};
    for (const auto& entry : fs::directory_iterator(path)) {
        const std::string name = entry.path().filename();
        if (!entry.is_regular_file() || name == "metadata" || name.front() == '.') continue;
        result.streams.push_back(scanned(entry.path()));
    }
    std::sort(result.streams.begin(), result.streams.end(),
              [](const auto& a, const auto& b) { return a.path < b.path; });
    return result;
}

/// Copies the bytes [begin, end) of one file to another file.
void copy_part(const fs::path& from, const fs::path& to, std::uint64_t begin, std::uint64_t end) {
    std::ifstream in(from, std::ios::binary);
    std::ofstream out(to, std::ios::binary);
    in.seekg(static_cast<std::streamoff>(begin));
    constexpr std::size_t most = std::size_t{1} << 20;
    const auto buffer = std::make_unique_for_overwrite<char[]>(most);
    for (std::uint64_t left = end - begin; left != 0 && in && out;) {
        const auto size = static_cast<std::streamsize>(std::min<std::uint64_t>(left, most));
        if (!in.read(buffer.get(), size)) break;
        out.write(buffer.get(), size);
        left -= static_cast<std::uint64_t>(size);
    }
    out.close();
    if (!in || !out)
        throw fs::filesystem_error("cannot be copied", from, to,
                                   std::error_code(errno, std::generic_category()));
}

/// Writes the present length into the packet's header. Decoding then fails only at the packet's
/// end.
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
        if (!packet.has_header) continue;
        const auto tail = folder_ / ("tail-" + std::to_string(tails_.size()));
        fs::create_directory(tail);
        fs::create_symlink(metadata, tail / "metadata");
        copy_part(stream.path, tail / "stream", packet.offset, packet.offset + packet.present);
        shorten_packet(tail / "stream", packet.present);
        tails_.push_back(tail);
    }
}

}  // namespace freehold
