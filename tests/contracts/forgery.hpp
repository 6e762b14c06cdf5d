// SPDX-License-Identifier: BSL-1.0
// A handle that nobody counted, as a mistaken copy of its bytes or a destructor called twice leaves
// behind, and what is said when it is used after the last owner of its object has let go.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <new>

namespace freehold::contracts {

template <class Handle>
class forgery {
public:
    explicit forgery(const Handle& original) {
        std::memcpy(bytes_.data(), static_cast<const void*>(&original), sizeof(Handle));
    }
    Handle& operator*() { return *std::launder(reinterpret_cast<Handle*>(bytes_.data())); }

private:
    alignas(Handle) std::array<std::byte, sizeof(Handle)> bytes_;
};

// Where a sanitizer watches free memory, it may be the one that finds it.
inline constexpr const char* found_at_rest =
    "freehold: a handle was released or copied whose object has no owners any more|"
    "AddressSanitizer: (use-after-poison|heap-use-after-free)";

}  // namespace freehold::contracts
