// SPDX-License-Identifier: BSL-1.0
#include "program/traces/ctf_writer.hpp"

#include <cstring>
#include <fstream>

namespace freehold {
namespace {

constexpr const char* types = R"(/* CTF 1.8 */
typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 16; align = 8; signed = false; } := uint16_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
typealias integer { size = 32; align = 8; signed = true; } := int32_t;
trace {
    major = 1; minor = 8; byte_order = le;
    uuid = "00010203-0405-0607-0809-0a0b0c0d0e0f";
    packet.header := struct {
        uint32_t magic; uint8_t uuid[16]; uint32_t stream_id; uint64_t stream_instance_id;
    };
};
env { domain = "ust"; };
clock { name = "monotonic"; freq = 1000000000; };
typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; } := stamp_t;
stream {
    id = 0;
    event.header := struct { uint16_t id; stamp_t timestamp; };
    packet.context := struct {
        stamp_t timestamp_begin; stamp_t timestamp_end;
        uint64_t content_size; uint64_t packet_size; uint64_t packet_seq_num;
        uint64_t events_discarded; uint32_t cpu_id;
    };
)";
constexpr const char* context = "    event.context := struct { int32_t vpid; int32_t vtid; };\n";
constexpr const char* events = R"(};
event { name = "lttng_ust_libc:malloc"; id = 0; stream_id = 0;
    fields := struct { uint64_t size; uint64_t ptr; }; };
event { name = "lttng_ust_libc:calloc"; id = 1; stream_id = 0;
    fields := struct { uint64_t nmemb; uint64_t size; uint64_t ptr; }; };
event { name = "lttng_ust_libc:realloc"; id = 2; stream_id = 0;
    fields := struct { uint64_t in_ptr; uint64_t size; uint64_t ptr; }; };
event { name = "lttng_ust_libc:posix_memalign"; id = 3; stream_id = 0;
    fields := struct { uint64_t out_ptr; uint64_t alignment; uint64_t size; int32_t result; }; };
event { name = "lttng_ust_libc:free"; id = 4; stream_id = 0;
    fields := struct { uint64_t ptr; }; };
event { name = "lttng_ust_statedump:procname"; id = 5; stream_id = 0;
    fields := struct { string procname; }; };
event { name = "others:event"; id = 6; stream_id = 0; fields := struct { uint8_t nothing; }; };
)";

template <class T>
void append(std::string& to, T value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    to.append(bytes, sizeof value);
}

}  // namespace

template <class T>
void ctf_packet::add(T value) {
    append(events_, value);
}

ctf_packet& ctf_packet::begin_event(std::uint16_t id, std::uint64_t time) {
    if (events_.empty()) first_ = time;
    last_ = time;
    add(id);
    add(time);
    if (context_) {
        add(process_);
        add(thread_);
    }
    return *this;
}

ctf_packet& ctf_packet::thread(std::int32_t process, std::int32_t id) {
    process_ = process;
    thread_ = id;
    return *this;
}

ctf_packet& ctf_packet::without_context() {
    context_ = false;
    return *this;
}

ctf_packet& ctf_packet::malloc(std::uint64_t time, std::uint64_t size, std::uint64_t address) {
    begin_event(0, time);
    add(size);
    add(address);
    return *this;
}

ctf_packet& ctf_packet::calloc(std::uint64_t time, std::uint64_t count, std::uint64_t size,
                               std::uint64_t address) {
    begin_event(1, time);
    add(count);
    add(size);
    add(address);
    return *this;
}

ctf_packet& ctf_packet::realloc(std::uint64_t time, std::uint64_t old_address, std::uint64_t size,
                                std::uint64_t address) {
    begin_event(2, time);
    add(old_address);
    add(size);
    add(address);
    return *this;
}

ctf_packet& ctf_packet::posix_memalign(std::uint64_t time, std::uint64_t alignment,
                                       std::uint64_t size, std::uint64_t address,
                                       std::int32_t result) {
    begin_event(3, time);
    add(address);
    add(alignment);
    add(size);
    add(result);
    return *this;
}

ctf_packet& ctf_packet::free(std::uint64_t time, std::uint64_t address) {
    begin_event(4, time);
    add(address);
    return *this;
}

ctf_packet& ctf_packet::procname(std::uint64_t time, const std::string& name) {
    begin_event(5, time);
    events_.append(name.c_str(), name.size() + 1);
    return *this;
}

ctf_packet& ctf_packet::other(std::uint64_t time) {
    begin_event(6, time);
    add(std::uint8_t{0});
    return *this;
}

ctf_packet& ctf_packet::discarded(std::uint64_t count) {
    discarded_ = count;
    return *this;
}

std::string ctf_packet::bytes(std::uint64_t stream, std::uint64_t number) const {
    constexpr std::size_t header_size = 32 + 6 * 8 + 4;
    const std::uint64_t bits = (header_size + events_.size()) * 8;
    std::string result;
    append(result, std::uint32_t{0xc1fc1fc1});
    for (std::uint8_t i = 0; i != 16; ++i) append(result, i);
    append(result, std::uint32_t{0});
    append(result, stream);
    append(result, first_);
    append(result, last_);
    append(result, bits);
    append(result, bits);
    append(result, number);
    append(result, discarded_);
    append(result, std::uint32_t{0});
    return result + events_;
}

void write_ctf_metadata(const std::filesystem::path& folder, bool contexts) {
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "metadata") << types << (contexts ? context : "") << events;
}

void write_ctf_stream(const std::filesystem::path& file, const std::vector<ctf_packet>& packets) {
    std::ofstream out(file, std::ios::binary);
    const auto stream = static_cast<std::uint64_t>(file.native().back());
    for (std::size_t i = 0; i != packets.size(); ++i) out << packets[i].bytes(stream, i);
}

}  // namespace freehold
