// SPDX-License-Identifier: BSL-1.0
// A user of freehold::line, with a source of its own: an exception of the library is caught by its
// type, and what the program's own source throws comes back through the library.
#include <freehold/line/disk_tier.hpp>
#include <freehold/line/limited_source.hpp>
#include <freehold/line/line_cache.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string_view>

namespace {

// One object, of zeros.
class zeros {
public:
    void fetch(freehold::line_read& read) {
        if (read.object() != "zeros") throw std::domain_error("unknown");
        for (bool wanted = read.begin({1 << 20, "v1"}); wanted && !read.room().empty();) {
            const auto room = read.room();
            std::memset(room.data(), 0, room.size());
            wanted = read.arrived(room.size());
        }
        read.finish();
    }
    void start(freehold::line_read& read) { fetch(read); }
    freehold::object_info describe(std::string_view) { return {1 << 20, "v1"}; }
};

}  // namespace

int main() {
    zeros source;
    freehold::limited_source limited(source, {.in_flight = 4});
    freehold::line_cache lines(limited, {.line_size = 1 << 16, .capacity = 1 << 19});
    freehold::line line = lines.get("zeros", 100'000);
    const freehold::line same = line;
    if (same.bytes().size() != 1 << 16 || line != same || lines.statistics().misses != 1) {
        std::puts("an object is not read");
        return 1;
    }
    try {
        line = lines.get("zeros", 1 << 20);
        return 1;
    } catch (const freehold::source_error& error) {
        if (error.reason() != freehold::source_failure::past_the_end) return 1;
    }
    try {
        line = lines.get("ones", 0);
        return 1;
    } catch (const std::domain_error&) {
    }
    try {
        const freehold::disk_tier<zeros> tier(source, {});
        return 1;
    } catch (const std::invalid_argument&) {
    }
}
