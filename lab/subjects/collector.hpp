// SPDX-License-Identifier: BSL-1.0
// The members of a subject of kind `collectors`: a way to free cycles. Each subject is a struct in
// a file of its own in subjects/collectors. It has the name of the file and derives from
// `collector_subject`. It has an identity `is`, `handle<T>` and `make<T>()`. It may replace the
// members below.
#pragma once

#include "runner/subject.hpp"

#include <memory>

namespace lab {

struct collector_subject {
    /// Allocates the arrays of handles that keep objects alive from outside.
    template <class Handle>
    using allocator = std::allocator<Handle>;

    /// Called before each measurement, outside the timing. Frees everything that an earlier
    /// measurement left behind.
    static void start() {}

    /// Resets an edge, if the subject cuts cycles by hand. Called before the last handle from
    /// outside is dropped.
    template <class Edge>
    static void cut(Edge&) noexcept {}

    /// Called before the timing, after the objects that live beside the measurement were built.
    /// Collects the garbage of that construction.
    static void settle() {}
};

}  // namespace lab
