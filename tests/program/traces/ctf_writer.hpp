// SPDX-License-Identifier: BSL-1.0
// Writes small traces in the Common Trace Format, laid out as LTTng-UST lays out its own: so that a
// test decides what is in them to the byte.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace freehold {

/// One packet of a stream.
class ctf_packet {
public:
    ctf_packet& thread(std::int32_t process, std::int32_t id);
    ctf_packet& without_context();

    ctf_packet& malloc(std::uint64_t time, std::uint64_t size, std::uint64_t address);
    ctf_packet& calloc(std::uint64_t time, std::uint64_t count, std::uint64_t size,
                       std::uint64_t address);
    ctf_packet& realloc(std::uint64_t time, std::uint64_t old_address, std::uint64_t size,
                        std::uint64_t address);
    ctf_packet& posix_memalign(std::uint64_t time, std::uint64_t alignment, std::uint64_t size,
                               std::uint64_t address, std::int32_t result = 0);
    ctf_packet& free(std::uint64_t time, std::uint64_t address);
    ctf_packet& procname(std::uint64_t time, const std::string& name);
    ctf_packet& other(std::uint64_t time);

    /// Events that were discarded in its stream before its end, in all.
    ctf_packet& discarded(std::uint64_t count);

    [[nodiscard]] std::string bytes(std::uint64_t stream, std::uint64_t number) const;

private:
    ctf_packet& begin_event(std::uint16_t id, std::uint64_t time);
    template <class T>
    void add(T value);

    std::string events_;
    std::uint64_t first_ = 0;
    std::uint64_t last_ = 0;
    std::uint64_t discarded_ = 0;
    bool context_ = true;
    std::int32_t process_ = 1;
    std::int32_t thread_ = 1;
};

/// Its metadata alone make a folder a trace; `contexts` may leave out vpid and vtid.
void write_ctf_metadata(const std::filesystem::path& folder, bool contexts = true);
/// The last character of the file's name tells streams of a folder apart.
void write_ctf_stream(const std::filesystem::path& file, const std::vector<ctf_packet>& packets);

}  // namespace freehold
