// SPDX-License-Identifier: BSL-1.0
// The ways to get the buffers whose time is measured. Each way is a class of this shape. The lab
// makes a new object for every repetition of every cell:
//
//   handle                       holds a buffer; movable
//   way::user(way&)              a thread's access to the way, made in that thread
//   handle user.get(bytes)
//   void user.put(handle&&)      takes back a buffer from any user
//   std::byte* data(handle)
#pragma once

#include "suites/common/barrier.hpp"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace lab::buffers {

/// malloc and free, from whichever allocator this process uses.
class by_malloc {
public:
    using handle = std::byte*;

    class user {
    public:
        explicit user(by_malloc&) noexcept {}
        static handle get(std::size_t bytes) {
            void* const block = std::malloc(bytes);
            if (block == nullptr) [[unlikely]]
                throw std::bad_alloc();
            return static_cast<std::byte*>(block);
        }
        static void put(handle block) noexcept { std::free(block); }
    };
    static std::byte* data(handle block) noexcept { return block; }
};

/// Gets nothing and gives nothing back. It shows what the rest of a kernel costs.
class by_none {
public:
    using handle = std::byte*;

    class user {
    public:
        explicit user(by_none& way) noexcept : line_(way.line_) {}
        handle get(std::size_t) const noexcept { return hidden(line_); }
        void put(handle block) const noexcept { escape(block); }

    private:
        std::byte* line_;
    };
    static std::byte* data(handle block) noexcept { return block; }

private:
    alignas(64) std::byte line_[64] = {};
};

}  // namespace lab::buffers
