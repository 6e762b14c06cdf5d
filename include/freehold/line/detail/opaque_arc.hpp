// SPDX-License-Identifier: BSL-1.0
// An arc of a type that only the compiled code knows, which also counts its owners.
#pragma once

#include <freehold/detail/compiled.hpp>

#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

class cached_line;
struct object_entry;

// Neither may be null.
FREEHOLD_API void add_owner(cached_line* object) noexcept;
FREEHOLD_API void remove_owner(cached_line* object) noexcept;
FREEHOLD_API void add_owner(object_entry* object) noexcept;
FREEHOLD_API void remove_owner(object_entry* object) noexcept;

template <class T>
class opaque_arc {
public:
    opaque_arc() noexcept = default;
    // Takes over an owner that was counted before.
    explicit opaque_arc(T* owned) noexcept : object_(owned) {}
    opaque_arc(const opaque_arc& other) noexcept : object_(other.object_) {
        if (object_ != nullptr) add_owner(object_);
    }
    opaque_arc(opaque_arc&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    opaque_arc& operator=(opaque_arc other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~opaque_arc() {
        if (object_ != nullptr) remove_owner(object_);
    }

    [[nodiscard]] T* get() const noexcept { return object_; }
    [[nodiscard]] explicit operator bool() const noexcept { return object_ != nullptr; }
    [[nodiscard]] bool operator==(const opaque_arc& other) const noexcept = default;

private:
    T* object_ = nullptr;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
