// SPDX-License-Identifier: BSL-1.0
// What the tests of disk_tier share: a source that counts descriptions, and reads that are checked.
#pragma once

#include <freehold/line/disk_tier.hpp>

#include "contracts/observed_read.hpp"
#include "line/scripted_source.hpp"
#include "program/temporary_folder.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::tests {

using scripted_tier = disk_tier<scripted_source>;

// Lines of 16 KiB; their slots have 4 KiB more.
constexpr std::size_t disk_line_size = 16384;
constexpr std::size_t disk_slot_size = disk_line_size + 4096;

inline disk_tier_options tier_options(const temporary_folder& folder, std::uint64_t lines) {
    disk_tier_options options;
    options.folder = folder / "tier";
    options.capacity = lines * disk_slot_size;
    options.line_size = disk_line_size;
    options.threads = 2;
    options.write_buffers = 100;  // so that no line is lost for want of one
    return options;
}
inline std::filesystem::path file_of(const disk_tier_options& options) {
    return std::filesystem::path(options.folder) /
           ("freehold-lines-" + std::to_string(options.line_size));
}

// Whether a read ends well, with all bytes of that version.
template <class Tier>
testing::AssertionResult reads(Tier& tier, const std::string& object, int version,
                               std::uint64_t offset, std::uint64_t size,
                               const std::string& tag = "") {
    contracts::observed_read read(object, offset, size, tag);
    tier.fetch(read);
    if (!read.finished()) return testing::AssertionFailure() << read.message();
    if (read.got() != std::min(size, read.info().size - offset)) {
        return testing::AssertionFailure() << "only " << read.got() << " bytes";
    }
    if (!are_made(read.bytes(), object, version, offset)) {
        return testing::AssertionFailure() << "wrong bytes of " << object << " from " << offset;
    }
    return testing::AssertionSuccess();
}
template <class Tier>
testing::AssertionResult reads_line(Tier& tier, const std::string& object, int version,
                                    std::uint64_t number) {
    return reads(tier, object, version, number * disk_line_size, disk_line_size);
}
// Reads these lines one after the other, and waits until each is on the disk.
template <class Tier>
void fill(Tier& tier, const std::string& object, std::uint64_t lines) {
    for (std::uint64_t i = 0; i != lines; ++i) {
        ASSERT_TRUE(reads_line(tier, object, 1, i));
        tier.flush();
    }
}

inline std::vector<char> bytes_of(const std::filesystem::path& file) {
    const std::string text = text_of(file);
    return {text.begin(), text.end()};
}
inline void write_bytes(const std::filesystem::path& file, std::span<const char> bytes) {
    std::ofstream(file, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), std::streamsize(bytes.size()));
}

}  // namespace freehold::tests
