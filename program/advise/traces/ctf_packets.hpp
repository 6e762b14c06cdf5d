// SPDX-License-Identifier: BSL-1.0
// The files of a trace in the Common Trace Format, before they are decoded: which folders there
// are, how many packets each stream has, and whether a stream ends in the middle of a packet.
// libbabeltrace2 refuses a whole folder because of one such stream. Here the stream is cut after
// its last complete packet, and a separate folder gets the present bytes of the incomplete packet.
#pragma once

#include "support/temporary_folder.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace freehold {

struct ctf_broken_packet {
    std::uint64_t offset = 0;   // in its file
    std::uint64_t present = 0;  // bytes of the packet that are present
    bool has_header = false;    // without it, nothing of the packet can be decoded
};

struct ctf_stream_file {
    std::filesystem::path path;
    std::uint64_t packets = 0;        // complete ones
    std::uint64_t bytes = 0;          // that are present
    std::uint64_t missing_bytes = 0;  // at its end, by the header of the broken packet and by the
                                      // recorder's own index, where there is one
    std::optional<ctf_broken_packet> broken;
};

struct ctf_folder {
    std::filesystem::path path;
    std::vector<ctf_stream_file> streams;
    bool metadata_is_whole = true;

    [[nodiscard]] bool is_broken() const;
};

/// The folders at `path` and below that have a file `metadata`, in the order of their names. Throws
/// std::filesystem::filesystem_error if a folder cannot be read.
[[nodiscard]] std::vector<ctf_folder> find_ctf_folders(const std::filesystem::path& path);

/// The parts of a broken folder that libbabeltrace2 can read. They are in the system's folder for
/// temporary files while this object exists. Copies each broken stream.
class mended_ctf_folder {
public:
    /// Throws std::system_error if the copies cannot be made.
    explicit mended_ctf_folder(const ctf_folder& broken);

    /// All streams, without their broken packets.
    [[nodiscard]] std::filesystem::path whole() const { return folder_ / "whole"; }
    /// Folders with one stream of one broken packet each. Decoding delivers the events that are
    /// present, and then fails.
    [[nodiscard]] const std::vector<std::filesystem::path>& tails() const { return tails_; }

private:
    support::temporary_folder folder_{"trace"};
    std::vector<std::filesystem::path> tails_;
};

}  // namespace freehold
