// SPDX-License-Identifier: BSL-1.0
// What it is: a line_source in front of another one. It keeps lines of the objects in a folder on a
// local disk, also across restarts of the program.
// When to use it: between a line_cache and a store that is slower than the local disk, such as an
// s3_source.
// When not: in front of local files, or for data that must not be stored on this machine.
// Example: `freehold::disk_tier tier(store, {.folder = "/var/cache/t", .capacity = 1ULL << 38});`
//
// - A read gets each line from the disk if it is there, and the rest from the source. Lines from
//   the source are copied and written by a thread of the tier. The reader does not wait for that.
// - Each 64 KiB has a checksum, which is verified before a reader gets the bytes. Bytes that are
//   damaged are requested from the source. A process that is killed loses the lines that were not
//   yet written, and nothing else.
// - A read without an entity tag gets the version that the source has now: one `describe`, unless
//   options.trust allows less. Reads with a tag get lines of that version without asking the
//   source. A line_cache reads without a tag if it holds no line of the object and was not told its
//   version. Objects without entity tags are not kept.
// - S3-FIFO, a policy, chooses the line to evict. A scan does not displace lines that are read
//   again and again.
// - If the disk is full, fails, or cannot be opened, the source serves the reads. statistics() and
//   fault() report it.
// - With options.shared, the processes of one machine share the folder: each line is requested from
//   the source once. The first process that opens the folder owns it. It writes the lines, and
//   says to the others where they are; these read them from the file. If it ends or is killed,
//   another one becomes the owner. A process that the owner does not answer asks its source.
//
// Units: bytes. The tables take about 150 bytes for each line that fits, and 1 MiB for each write
// buffer in use.
// Complexity: a line from the disk takes one pread for the header, one for each 512 KiB, and 0.1 ns
// a byte for checksums. The constructor reads the header of each line twice. A line from the source
// is copied once.
// Thread safety: all functions may be called by several threads at once, except the destructor. The
// destructor cancels the reads that were started, and writes the lines that wait to be written. A
// child of fork must not use the tier. Without options.shared, one folder belongs to one tier at a
// time.
// Exceptions: the constructor throws std::invalid_argument if an option is impossible, and
// std::runtime_error if the folder is in use and not shared with this process. It also throws
// std::bad_alloc, and std::system_error if there is no thread. describe throws what the source
// throws. fetch and start report failures by line_read::fail. fault throws std::bad_alloc.
// Ownership: the source must outlive the tier, unless the tier was given a std::unique_ptr to it.
// Source: Yang et al., S3-FIFO (SOSP 2023). CacheLib writes its index at an orderly end only, and
// RocksDB's persistent cache begins empty; here the headers are the index. HDFS's short-circuit
// reads ask over a socket, and read the file.
#pragma once

#if defined(_WIN32)
#error \
    "disk_tier uses POSIX's pread, flock and local sockets, which Windows lacks: use the source without it"
#endif

#include <freehold/config.hpp>
#include <freehold/line/disk_tier_options.hpp>
#include <freehold/line/line_source.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {

namespace detail {
struct tier_state;
}

// A disk_tier whatever the type of its source. It is the base of disk_tier.
class __attribute__((visibility("default"))) any_disk_tier {
public:
    any_disk_tier(const any_disk_tier&) = delete;
    any_disk_tier& operator=(const any_disk_tier&) = delete;

    void fetch(line_read& read) noexcept;
    void start(line_read& read) noexcept;
    // Asks the source, unless options.trust allows the last answer. Throws source_error.
    [[nodiscard]] object_info describe(std::string_view object);

    // Drops the object's lines.
    void invalidate(std::string_view object) noexcept;
    // Waits until all lines that have arrived are written, or dropped because the disk fails.
    void flush() noexcept;

    // In a shared folder: answers no other process from now on, and waits for answers under way.
    // The others get the folder when the tier is destroyed, or the process ends; call it shortly
    // before.
    void stop_serving() noexcept;

    // Why the disk is not used, only read, or not shared; empty if it is used.
    [[nodiscard]] std::string fault() const;
    // The figures so far, and the options that the constructor got.
    [[nodiscard]] disk_tier_statistics statistics() noexcept;
    [[nodiscard]] const disk_tier_options& options() const noexcept;

protected:
    // As the constructors of disk_tier. The source must outlive the tier.
    any_disk_tier(any_line_source& source, const disk_tier_options& options);
    // Cancels the reads that were started, and waits for them and for the disk.
    ~any_disk_tier();

private:
    const std::unique_ptr<detail::tier_state> state_;
};

template <line_source Source>
class disk_tier : public detail::adapted_source<Source>, public any_disk_tier {
    using adapted_source = detail::adapted_source<Source>;

public:
    // `from` must outlive this one.
    disk_tier(Source& from, const disk_tier_options& options)
        : adapted_source(from), any_disk_tier(this->adapted(), options) {}
    // The tier owns the source.
    disk_tier(std::unique_ptr<Source> from, const disk_tier_options& options)
        : adapted_source(std::move(from)), any_disk_tier(this->adapted(), options) {}

    // The source that the constructor got.
    using adapted_source::source;
};

template <class Source>
disk_tier(Source&, const disk_tier_options&) -> disk_tier<Source>;
template <class Source>
disk_tier(std::unique_ptr<Source>, const disk_tier_options&) -> disk_tier<Source>;

}  // namespace freehold::inline FREEHOLD_ABI
