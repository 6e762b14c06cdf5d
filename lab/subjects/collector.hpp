// SPDX-License-Identifier: BSL-1.0
// What a way to free cycles tells the suite `cycles` about itself. Each is a struct in a file of
// its own in subjects/collectors, named like the file and derived from `collector_subject`, with
// its identity `is`, `handle<T>`, `make<T>()`, and what differs of the following.
#pragma once

#include "runner/subject.hpp"

#include <memory>

namespace lab {

struct collector_subject {
    /// Allocates the arrays of handles that are live from outside.
    template <class Handle>
    using allocator = std::allocator<Handle>;

    /// Called before each measurement, outside the timing: nothing of an earlier one is left after
    /// it.
    static void start() {}

    /// Resets an edge, where cycles are cut by hand; called before the last handle from outside is
    /// dropped.
    template <class Edge>
    static void cut(Edge&) noexcept {}

    /// Called before the timing, when what is to live beside the measurement has been built:
    /// collects what building it left behind.
    static void settle() {}
};

}  // namespace lab
