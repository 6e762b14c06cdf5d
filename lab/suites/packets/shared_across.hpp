// SPDX-License-Identifier: BSL-1.0
// Handles to packets, from thread to thread. A producer makes the handles and sends them through a
// ring in bursts. The consumer copies each handle, reads the packet through the copy and drops
// both. A class of this shape makes, copies and drops them:
//
//   Handles(capacity)                           as a packet source
//   using handle
//   handle make()                               the producer calls it; inlined by force:
//                                               lab/README.md says what a call would do
//   use(std::span<handle, burst>, read)         the consumer calls it; copies each handle, calls
//                                               read(const packet&) on the copy, drops both
//   thread_starts(pair), thread_ends()          optional, as in a packet source
#pragma once

#include "suites/common/barrier.hpp"
#include "suites/packets/lanes.hpp"
#include "suites/packets/packet.hpp"
#include "suites/packets/source.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace lab::packets {

template <class Handle>
using burst_of = std::span<Handle, burst>;

/// Copies, uses and drops each handle before the next.
template <class Handle, class Read>
void use_one_by_one(burst_of<Handle> received, Read&& read) {
    for (Handle& each : received) {
        const Handle copy = each;
        barrier();
        read(*copy);
        each = Handle();
        barrier();
    }
}

/// The work of thread `number` of a thread group. A block_worker numbers its threads in the same
/// way.
template <touched What, class Handles>
class handle_worker {
public:
    using handle = typename Handles::handle;

    handle_worker(Handles& source, lanes<handle>& way, std::size_t number)
        : source_(source), way_(way), number_(number), here_(source, number / 2) {}

    void operator()() {
        for (std::size_t step = 0; step < steps_per_batch; ++step) {
            if (number_ % 2 == 0) {
                send(step);
            } else {
                receive(step);
            }
        }
    }

private:
    void send(std::size_t step) {
        way_.put(
            number_ / 2, step, [&]() __attribute__((always_inline)) {
                handle made = source_.make();
                write<What>(*made, ++sent_);
                return made;
            });
    }

    void receive(std::size_t step) {
        auto next = received_.begin();
        way_.take(number_ / 2, step, [&](handle& received) {
            // Keeps the moves apart. Otherwise g++ 12 at -O3 makes them one copy, and loses
            // handles.
            escape(std::to_address(received));
            *next++ = std::move(received);
        });
        source_.use(burst_of<handle>(received_), [](const packet& received) {
            escape(reinterpret_cast<const void*>(read<What>(received)));
        });
    }

    Handles& source_;
    lanes<handle>& way_;
    const std::size_t number_;
    std::uint64_t sent_ = 0;
    std::array<handle, burst> received_;
    const enrolled<Handles> here_;
};

template <touched What, class Handles>
void shared_across(kernel_state& state) {
    measure_pairs<handle_worker<What, Handles>, Handles, typename Handles::handle>(state, 1);
}

template <touched What, class Handles>
void shared_several(kernel_state& state) {
    measure_pairs<handle_worker<What, Handles>, Handles, typename Handles::handle>(state,
                                                                                   several_pairs());
}

template <class Handles>
std::vector<packet_kernel> shared_across_kernels() {
    using enum touched;
    constexpr double each = 1e9 / packets_per_batch;
    const double each_of_several = each / static_cast<double>(several_pairs());
    return {{"shared_across.untouched", each, shared_across<nothing, Handles>},
            {"shared_across.64_bytes", each, shared_across<first_line, Handles>},
            {"shared_across.whole_packet", each, shared_across<all, Handles>},
            {"shared_several.untouched", each_of_several, shared_several<nothing, Handles>},
            {"shared_several.64_bytes", each_of_several, shared_several<first_line, Handles>},
            {"shared_several.whole_packet", each_of_several, shared_several<all, Handles>}};
}

/// A standard allocator that gets single objects from a packet source. The source's blocks must
/// have room for the object.
template <class T, packet_source Source>
class source_allocator {
public:
    using value_type = T;

    explicit source_allocator(Source& source) noexcept : source_(&source) {}
    template <class U>
    source_allocator(const source_allocator<U, Source>& other) noexcept
        : source_(&other.source()) {}

    T* allocate(std::size_t) {
        static_assert(sizeof(T) <= shared_block_bytes);
        return static_cast<T*>(source_->allocate());
    }
    void deallocate(T* block, std::size_t) noexcept { source_->deallocate(block); }

    Source& source() const noexcept { return *source_; }

    template <class U>
    bool operator==(const source_allocator<U, Source>& other) const noexcept {
        return source_ == &other.source();
    }

private:
    Source* source_;
};

/// std::allocate_shared with memory from a packet source whose blocks have shared_block_bytes.
template <packet_source Source>
class allocated_shared : public Source {
public:
    using handle = std::shared_ptr<packet>;

    using Source::Source;

    [[gnu::always_inline]] handle make() {
        return std::allocate_shared<packet>(source_allocator<packet, Source>(*this));
    }

    template <class Read>
    void use(burst_of<handle> received, Read&& read) {
        use_one_by_one(received, read);
    }
};

}  // namespace lab::packets
