// SPDX-License-Identifier: BSL-1.0
// Handles to packets in a freehold::pool, shared between threads.

#include <freehold/count/atomic_count.hpp>
#include <freehold/handle/arc.hpp>
#include <freehold/handle/shared_ptr.hpp>
#include <freehold/memory/pool.hpp>
#include <freehold/memory/pool_allocator.hpp>

#include "subjects/blocks/freehold_pool.hpp"
#include "suites/packets/blocks.hpp"
#include "suites/packets/making.hpp"
#include "suites/packets/packet.hpp"
#include "suites/packets/shared_across.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace lab::packets {
namespace {

using blocks::options_of;

using pooled_packets = freehold::pool_allocator<packet>;

struct by_std_allocate_shared {
    static constexpr identity is = {.name = "std::allocate_shared over freehold::pool",
                                    .family = family::freehold,
                                    .order = 12};
    [[gnu::always_inline]] static auto make(const pooled_packets& from) {
        return std::allocate_shared<packet>(from);
    }
};
struct by_allocate_shared {
    static constexpr identity is = freehold_allocate_shared::is;
    [[gnu::always_inline]] static auto make(const pooled_packets& from) {
        return freehold::allocate_shared<packet>(from);
    }
};
struct by_allocate_arc {
    static constexpr identity is = freehold_allocate_arc::is;
    static constexpr identity in_bursts = {
        .name = "freehold::allocate_arc(pool), bursts", .family = family::freehold, .order = 32};
    [[gnu::always_inline]] static auto make(const pooled_packets& from) {
        return freehold::allocate_arc<packet>(from);
    }
};

/// Atomics without one store: the one that marks a count as finished. The mark detects a handle
/// that is released twice.
struct unmarked_atomics : freehold::detail::standard_atomics {
    template <class T>
    class atomic : public freehold::detail::atomic<T> {
    public:
        using freehold::detail::atomic<T>::atomic;

        void store(T value, std::memory_order how) noexcept {
            if constexpr (std::is_same_v<T, std::int64_t>) {
                if (value == freehold::detail::weak_word::at_rest) return;
            }
            freehold::detail::atomic<T>::store(value, how);
        }
    };
};
struct by_unmarked_arc {
    static constexpr identity in_bursts = {
        .name = "freehold::allocate_arc(pool), bursts, not checked",
        .family = family::lower_bound,
        .order = 11};
    [[gnu::always_inline]] static auto make(const pooled_packets& from) {
        using count = freehold::detail::basic_atomic_count<unmarked_atomics>;
        return freehold::allocate_arc<packet, count>(from);
    }
};

/// Makes, copies and drops the handles one by one.
template <class Way>
class pooled_handles {
public:
    using handle = decltype(Way::make(std::declval<pooled_packets>()));

    explicit pooled_handles(std::size_t capacity)
        : pool_(options_of(shared_block_bytes, capacity)) {}

    [[gnu::always_inline]] handle make() { return Way::make(pool_); }

    template <class Read>
    void use(burst_of<handle> received, Read&& read) {
        use_one_by_one(received, read);
    }

protected:
    freehold::pool pool_;
};

/// Makes the handles one by one, but copies and drops a burst at a time.
template <class Way>
class pooled_arc_bursts : public pooled_handles<Way> {
public:
    using handle = typename pooled_handles<Way>::handle;

    using pooled_handles<Way>::pooled_handles;

    template <class Read>
    void use(burst_of<handle> received, Read&& read) {
        std::array<handle, burst> copies;
        freehold::prefetch(received);
        freehold::share(received, burst_of<handle>(copies));
        for (const handle& copy : copies) read(*copy);
        freehold::release(received, burst_of<handle>(copies));
    }
};

template <class Handles>
void add(plan& into, const selection& chosen, const identity& of) {
    if (chosen.wants(of)) add_kernels(into, key_of(of.name), shared_across_kernels<Handles>());
}

void add_handles(plan& into, const selection& chosen) {
    add<pooled_handles<by_std_allocate_shared>>(into, chosen, by_std_allocate_shared::is);
    add<pooled_handles<by_allocate_shared>>(into, chosen, by_allocate_shared::is);
    add<pooled_handles<by_allocate_arc>>(into, chosen, by_allocate_arc::is);
    add<pooled_arc_bursts<by_allocate_arc>>(into, chosen, by_allocate_arc::in_bursts);
    add<pooled_arc_bursts<by_unmarked_arc>>(into, chosen, by_unmarked_arc::in_bursts);
}

const registration here("packets", add_handles,
                        subjects_of({by_std_allocate_shared::is, by_allocate_shared::is,
                                     by_allocate_arc::is, by_allocate_arc::in_bursts,
                                     by_unmarked_arc::in_bursts}));

}  // namespace
}  // namespace lab::packets
