// SPDX-License-Identifier: BSL-1.0
#include "probes/makings.hpp"

#include "suites/packets/making.hpp"
#include "suites/packets/packet.hpp"

#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace lab {
namespace {

using packets::packet;
using packets::zeroed_packet;

/// A packet without a constructor: `T` leaves the bytes as they are and `T()` zeroes them. It shows
/// which of the two a way uses.
struct bare_packet {
    std::uint64_t words[packets::packet_words];
};

template <class Way, class Packet>
using handle_of = decltype(Way::template make<Packet>(std::declval<freehold::pool&>()));

template <class Way, class Packet>
[[gnu::always_inline]] inline void make([[maybe_unused]] handle_place& place,
                                        [[maybe_unused]] freehold::pool& from) {
    if constexpr (installed<Way>) {
        using handle = handle_of<Way, Packet>;
        static_assert(sizeof(handle) <= sizeof(handle_place));
        ::new (static_cast<void*>(&place)) handle(Way::template make<Packet>(from));
    }
}

template <class Way, class Packet>
making describe(const char* test, const char* symbol,
                void (*make)(handle_place&, freehold::pool&)) {
    if constexpr (!installed<Way>) {
        return {Way::is.name.data(),
                test,
                symbol,
                Way::is.why_missing().data(),
                nullptr,
                nullptr,
                nullptr};
    } else {
        using handle = handle_of<Way, Packet>;
        return {Way::is.name.data(),
                test,
                symbol,
                nullptr,
                make,
                [](handle_place& place) -> void* {
                    return std::addressof(**std::launder(reinterpret_cast<handle*>(&place)));
                },
                [](handle_place& place) {
                    std::destroy_at(std::launder(reinterpret_cast<handle*>(&place)));
                }};
    }
}

}  // namespace
}  // namespace lab

#define PROBE(way, type)                                                                   \
    extern "C" void probe_##way##_##type(lab::handle_place& place, freehold::pool& from) { \
        lab::make<lab::packets::way, lab::type>(place, from);                              \
    }
#define PROBES(way) PROBE(way, packet) PROBE(way, zeroed_packet) PROBE(way, bare_packet)

#define DESCRIPTION(way, type, test) \
    describe<packets::way, type>(test, "probe_" #way "_" #type, &probe_##way##_##type)
#define DESCRIPTIONS(way)                                        \
    DESCRIPTION(way, packet, "zeroing_probe"),                   \
        DESCRIPTION(way, zeroed_packet, "zeroing_probe.zeroed"), \
        DESCRIPTION(way, bare_packet, "zeroing_probe.no_constructor"),

#define FOR_EACH_WAY(X)                       \
    X(std_shared_ptr_new)                     \
    X(std_make_shared)                        \
    X(std_shared_ptr_pool)                    \
    X(std_allocate_shared)                    \
    X(new_and_delete)                         \
    X(pool_alone)                             \
    X(std_make_shared_for_overwrite)          \
    X(std_allocate_shared_for_overwrite)      \
    X(freehold_make_shared)                   \
    X(freehold_make_shared_for_overwrite)     \
    X(freehold_allocate_shared)               \
    X(freehold_allocate_shared_for_overwrite) \
    X(freehold_allocate_arc)                  \
    X(freehold_allocate_arc_for_overwrite)

FOR_EACH_WAY(PROBES)

namespace lab {

std::vector<making> all_makings() {
    return {FOR_EACH_WAY(DESCRIPTIONS)};
}

}  // namespace lab
