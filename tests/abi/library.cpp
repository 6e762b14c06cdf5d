// SPDX-License-Identifier: BSL-1.0
#include "abi/library.hpp"

#include <freehold/handle/arc.hpp>
#include <freehold/handle/shared_ptr.hpp>

#include <atomic>

#if !FREEHOLD_HEADER_ONLY
#include <freehold/buffer/buffer_cache.hpp>
#include <freehold/line/line_cache.hpp>

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#endif

namespace {

std::atomic<long> alive{0};

#if !FREEHOLD_HEADER_ONLY
// An object's name is its content.
class names {
public:
    void fetch(freehold::line_read& read) {
        if (read.begin(describe(read.object()))) {
            std::memcpy(read.room().data(), read.object().data(), read.object().size());
            read.arrived(read.object().size());
        }
        read.finish();
    }
    void start(freehold::line_read& read) { fetch(read); }
    freehold::object_info describe(std::string_view object) { return {object.size(), "v1"}; }
};

int pass_through_caches(int value) {
    static freehold::buffer_cache<> buffers({.max_idle = 1 << 20});
    static names source;
    static freehold::line_cache lines(source, {.line_size = 4096, .capacity = 16 * 4096});
    const freehold::line line = lines.get(std::to_string(value), 0);
    const freehold::buffer copy = buffers.get(line.bytes().size());
    std::memcpy(copy.data(), line.bytes().data(), copy.size());
    return std::stoi(std::string(reinterpret_cast<const char*>(copy.data()), copy.size()));
}
#else
int pass_through_caches(int value) {
    return value;
}
#endif

struct object {
    int value;
    freehold::arc<int> part;

    explicit object(int initial) : value(initial), part(freehold::make_arc<int>(initial)) {
        ++alive;
    }
    object(const object&) = delete;
    object& operator=(const object&) = delete;
    ~object() { --alive; }
};

using handle = freehold::shared_ptr<object>;

const abi_library offered = {
    .abi_version = FREEHOLD_ABI_VERSION,
    .make = [](int value) -> void* { return new handle(freehold::make_shared<object>(value)); },
    .copy = [](const void* from) -> void* { return new handle(*static_cast<const handle*>(from)); },
    .read =
        [](const void* from) {
            const handle& owner = *static_cast<const handle*>(from);
            return owner->value == *owner->part ? owner->value : -1;
        },
    .pass_through_caches = &pass_through_caches,
    .release = [](void* released) { delete static_cast<handle*>(released); },
    .alive = []() -> long { return alive; },
};

}  // namespace

extern "C" [[gnu::visibility("default")]] const abi_library* abi_library_offered() {
    return &offered;
}
