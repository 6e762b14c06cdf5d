// SPDX-License-Identifier: BSL-1.0
#include "abi/library.hpp"

#include <freehold/handle/arc.hpp>
#include <freehold/handle/shared_ptr.hpp>

#include <atomic>

namespace {

std::atomic<long> alive{0};

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
    .release = [](void* released) { delete static_cast<handle*>(released); },
    .alive = []() -> long { return alive; },
};

}  // namespace

extern "C" [[gnu::visibility("default")]] const abi_library* abi_library_offered() {
    return &offered;
}
