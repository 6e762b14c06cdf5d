// SPDX-License-Identifier: BSL-1.0
// What blocks of 2 KiB from one source cost: on one thread, from thread to thread, and under
// handles that threads share.
#pragma once

#include "runner/registry.hpp"
#include "suites/packets/across.hpp"
#include "suites/packets/packet.hpp"
#include "suites/packets/same_thread.hpp"
#include "suites/packets/shared_across.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace lab::packets {

inline constexpr std::string_view over = "std::allocate_shared over ";

inline void add_kernels(plan& into, const std::string& subject,
                        const std::vector<packet_kernel>& kernels) {
    for (const auto& [case_key, scale, measure] : kernels) {
        add_kernel(into, {subject, case_key}, scale, measure);
    }
}

struct suite : one_subject {
    static constexpr std::array<std::string_view, 16> cases = {"same_thread.one",
                                                               "same_thread.burst",
                                                               "same_thread.bulk",
                                                               "same_thread.fifo",
                                                               "across.untouched",
                                                               "across.64_bytes",
                                                               "across.whole_packet",
                                                               "several.untouched",
                                                               "several.64_bytes",
                                                               "several.whole_packet",
                                                               "shared_across.untouched",
                                                               "shared_across.64_bytes",
                                                               "shared_across.whole_packet",
                                                               "shared_several.untouched",
                                                               "shared_several.64_bytes",
                                                               "shared_several.whole_packet"};

    static bool has(const subject& of, std::string_view case_key) {
        return case_key.starts_with("shared_") == of.name.starts_with(over);
    }

    /// Only one thread may use it.
    template <class Blocks>
    static constexpr bool one_thread = requires { Blocks::one_thread; };
    /// On one thread it does the same as another subject, and is measured only across threads.
    template <class Blocks>
    static constexpr bool only_across = requires { Blocks::only_across; };
    /// freehold_handles.hpp measures the handles of freehold::pool.
    template <class Blocks>
    static constexpr bool under_handles =
        !one_thread<Blocks> &&
        (Blocks::is.family == family::allocator || Blocks::is.family == family::boost ||
         Blocks::is.family == family::standard);

    template <class Blocks>
    static std::vector<subject> subjects() {
        std::vector<subject> all = {subject_of(Blocks::is)};
        if constexpr (under_handles<Blocks>) all.push_back(subject_of(Blocks::is, over));
        return all;
    }

    template <class Blocks>
    static void add(plan& into, const selection& chosen) {
        using blocks = typename Blocks::template source<packet_bytes>;
        if (chosen.wants(Blocks::is)) {
            const std::string key = key_of(Blocks::is.name);
            if constexpr (!only_across<Blocks>) {
                add_kernels(into, key, same_thread_kernels<blocks>());
            }
            if constexpr (!one_thread<Blocks>) add_kernels(into, key, across_kernels<blocks>());
        }
        if constexpr (under_handles<Blocks>) {
            using larger = typename Blocks::template source<shared_block_bytes>;
            const subject shared = subject_of(Blocks::is, over);
            if (chosen.wants(shared)) {
                add_kernels(into, shared.key, shared_across_kernels<allocated_shared<larger>>());
            }
        }
    }
};

}  // namespace lab::packets
