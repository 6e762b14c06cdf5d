// SPDX-License-Identifier: BSL-1.0
// Handles to packets in a freehold::pool.
#pragma once

#include <freehold/count/atomic_count.hpp>
#include <freehold/handle/arc.hpp>
#include <freehold/handle/shared_ptr.hpp>
#include <freehold/memory/pool.hpp>
#include <freehold/memory/pool_allocator.hpp>

#include "suites/packets/packet.hpp"
#include "suites/packets/shared_across.hpp"
#include "suites/packets/sources/freehold_pool.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace lab::packets {

using pooled_packets = freehold::pool_allocator<packet>;

struct by_std_allocate_shared {
    static constexpr const char* name = "std::allocate_shared over freehold::pool";
    [[gnu::always_inline]] static auto make(const pooled_packets& from) {
        return std::allocate_shared<packet>(from);
    }
};
struct by_allocate_shared {
    static constexpr const char* name = "freehold::allocate_shared(pool)";
    [[gnu::always_inline]] static auto make(const pooled_packets& from) {
        return freehold::allocate_shared<packet>(from);
    }
};
struct by_allocate_arc {
    static constexpr const char* name = "freehold::allocate_arc(pool)";
    static constexpr const char* in_bursts = "freehold::allocate_arc(pool), bursts";
    [[gnu::always_inline]] static auto make(const pooled_packets& from) {
        return freehold::allocate_arc<packet>(from);
    }
};

/// Atomics that leave out the one store of a count which rests, by which a handle that is released
/// twice is found.
struct unmarked_atomics {
    template <class T>
    class atomic : public std::atomic<T> {
    public:
        using std::atomic<T>::atomic;

        void store(T value, std::memory_order order) noexcept {
            if (sizeof(T) == sizeof(std::uint16_t) && value == 0) return;
            std::atomic<T>::store(value, order);
        }
    };
};
struct by_unmarked_arc {
    static constexpr const char* in_bursts = "freehold::allocate_arc(pool), bursts, not checked";
    [[gnu::always_inline]] static auto make(const pooled_packets& from) {
        using count = freehold::detail::basic_atomic_count<unmarked_atomics>;
        return freehold::allocate_arc<packet, count>(from);
    }
};

/// Made, copied and dropped one by one.
template <class Way>
class pooled_handles {
public:
    using handle = decltype(Way::make(std::declval<pooled_packets>()));

    explicit pooled_handles(std::size_t capacity)
        : pool_(options_of(shared_block_bytes, capacity)) {}

    [[gnu::always_inline]] handle make() { return Way::make(pool_); }

    template <class Read>
    void use(handles<handle> received, Read&& read) {
        use_one_by_one(received, read);
    }

protected:
    freehold::pool pool_;
};

/// Made one by one, but copied and dropped a burst at a time.
template <class Way>
class pooled_arc_bursts : public pooled_handles<Way> {
public:
    using handle = typename pooled_handles<Way>::handle;

    using pooled_handles<Way>::pooled_handles;

    template <class Read>
    void use(handles<handle> received, Read&& read) {
        std::array<handle, burst> copies;
        freehold::prefetch(received);
        freehold::share(received, handles<handle>(copies));
        for (const handle& copy : copies) read(*copy);
        freehold::release(received, handles<handle>(copies));
    }
};

}  // namespace lab::packets
