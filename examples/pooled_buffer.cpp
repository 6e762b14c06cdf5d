// SPDX-License-Identifier: BSL-1.0
// pool, arc and bulk functions: packets in buffers of a pool, as network cards and protocol stacks
// use them. A receiver fills bursts of buffers. A router writes a header before each packet, keeps
// a copy of every handle for a log, and sends the packets. Only handles are copied. The last owner
// returns a buffer to the pool, on whichever thread it is.
#include <freehold/handle/arc.hpp>
#include <freehold/memory/pool.hpp>
#include <freehold/memory/pool_allocator.hpp>

#include "require.hpp"

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <mutex>
#include <span>
#include <stdexcept>
#include <thread>
#include <utility>

namespace {

// A packet in one block of fixed size: free bytes before it for headers, the packet, and free bytes
// after it. What does not fit throws std::length_error.
class pooled_buffer {
public:
    static constexpr std::size_t capacity = 2048;
    static constexpr std::size_t default_headroom = 128;

    // The bytes are not initialised; append and prepend return them to be written.
    pooled_buffer() noexcept {}  // NOLINT(modernize-use-equals-default): that would let T() zero

    [[nodiscard]] std::byte* data() noexcept { return bytes_ + begin_; }
    [[nodiscard]] const std::byte* data() const noexcept { return bytes_ + begin_; }
    [[nodiscard]] std::size_t size() const noexcept { return std::size_t{end_} - begin_; }
    [[nodiscard]] std::size_t headroom() const noexcept { return begin_; }
    [[nodiscard]] std::size_t tailroom() const noexcept { return capacity - end_; }

    // Returns the new bytes, before or after the packet, for the caller to write.
    [[nodiscard]] std::span<std::byte> prepend(std::size_t length) {
        check(length <= headroom(), "pooled_buffer: no headroom for the bytes before the packet");
        begin_ = static_cast<std::uint16_t>(begin_ - length);
        return {data(), length};
    }
    [[nodiscard]] std::span<std::byte> append(std::size_t length) {
        check(length <= tailroom(), "pooled_buffer: no room for the bytes after the packet");
        std::byte* const added = bytes_ + end_;
        end_ = static_cast<std::uint16_t>(end_ + length);
        return {added, length};
    }

    void trim_front(std::size_t length) {
        check(length <= size(), "pooled_buffer: more is taken from the front than there is");
        begin_ = static_cast<std::uint16_t>(begin_ + length);
    }
    void trim_back(std::size_t length) {
        check(length <= size(), "pooled_buffer: more is taken from the back than there is");
        end_ = static_cast<std::uint16_t>(end_ - length);
    }

private:
    static void check(bool holds, const char* otherwise) {
        if (!holds) throw std::length_error(otherwise);
    }

    std::uint16_t begin_ = default_headroom;
    std::uint16_t end_ = default_headroom;
    std::byte bytes_[capacity];
};

using buffer_allocator = freehold::pool_allocator<pooled_buffer>;
using buffer_ptr = freehold::arc<pooled_buffer, freehold::atomic_count, buffer_allocator>;

constexpr std::size_t burst_length = 32;
using burst = std::array<buffer_ptr, burst_length>;

template <class T>
void store(std::span<std::byte> to, const T& value) {
    std::memcpy(to.data(), &value, sizeof value);
}
template <class T>
T load(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

// Bursts on their way between threads.
class burst_queue {
public:
    void put(burst next) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return waiting_.size() < 8; });
        waiting_.push_back(std::move(next));
        changed_.notify_all();
    }
    burst take() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return !waiting_.empty(); });
        burst next = std::move(waiting_.front());
        waiting_.pop_front();
        changed_.notify_all();
        return next;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<burst> waiting_;
};

struct route {
    std::uint32_t next_hop;
    std::uint32_t length;
};

constexpr std::uint32_t bursts = 2000;
constexpr std::uint32_t packets = bursts * burst_length;

// The work of a network card's driver: numbered packets of 64 to 1500 bytes.
void receive(freehold::pool& buffers, burst_queue& to) {
    std::uint32_t number = 0;
    for (std::uint32_t i = 0; i != bursts; ++i) {
        burst received;
        for (buffer_ptr& each : received) {
            each = freehold::allocate_arc_for_overwrite<pooled_buffer>(buffer_allocator(buffers));
            store(each->append(64 + number % 1437), number);
            ++number;
        }
        to.put(std::move(received));
    }
}

struct tally {
    std::uint64_t sent = 0;
    std::uint64_t bytes = 0;
    bool in_order = true;
};

// Writes a header before each packet, logs what it sends, and releases both handles.
tally forward(burst_queue& from) {
    tally all;
    burst log;
    for (std::uint32_t i = 0; i != bursts; ++i) {
        burst received = from.take();
        freehold::prefetch(std::span(received));
        for (buffer_ptr& each : received) {
            const auto number = load<std::uint32_t>(each->data());
            const auto length = static_cast<std::uint32_t>(each->size());
            store(each->prepend(sizeof(route)), route{number % 16, length});
        }
        freehold::share(std::span(received), std::span(log));
        for (const buffer_ptr& each : log) {
            const auto header = load<route>(each->data());
            const auto number = load<std::uint32_t>(each->data() + sizeof(route));
            all.in_order = all.in_order && number == all.sent && header.next_hop == number % 16 &&
                           header.length + sizeof(route) == each->size();
            all.bytes += header.length;
            ++all.sent;
        }
        freehold::release(std::span(received), std::span(log));
    }
    return all;
}

void show_what_a_buffer_refuses(freehold::pool& buffers) {
    const auto buffer =
        freehold::allocate_arc_for_overwrite<pooled_buffer>(buffer_allocator(buffers));
    static_cast<void>(buffer->append(100));
    static_cast<void>(buffer->prepend(28));
    require(buffer->size() == 128 && buffer->headroom() == 100, "headers go before the packet");
    buffer->trim_front(28);
    buffer->trim_back(50);
    require(buffer->size() == 50 && buffer->headroom() == 128, "and come off again");
    int refused = 0;
    for (const bool front : {true, false}) {
        try {
            static_cast<void>(front ? buffer->prepend(129) : buffer->append(1871));
        } catch (const std::length_error&) {
            ++refused;
        }
    }
    require(refused == 2 && buffer->size() == 50, "nothing is written outside the block");
}

}  // namespace

int main() {
    freehold::pool_options options;
    options.name = "packets";
    options.block_size = buffer_ptr::block_size();
    options.alignment = buffer_ptr::block_alignment();
    options.initial_capacity = 4096;
    freehold::pool buffers(options);
    std::printf("A buffer of %zu bytes and its counts are a block of %zu:\n",
                pooled_buffer::capacity, buffers.block_size());
    show_what_a_buffer_refuses(buffers);

    std::printf("%u packets are received on one thread and forwarded on another:\n", packets);
    burst_queue queue;
    std::thread receiver([&] { receive(buffers, queue); });
    const tally all = forward(queue);
    receiver.join();
    require(all.sent == packets && all.in_order, "all arrived in order, each with its header");

    const freehold::pool_statistics now = buffers.statistics();
    std::printf("  %llu bytes; pool '%s': %zu blocks, at most %zu out of the depot at once,\n",
                static_cast<unsigned long long>(all.bytes), buffers.name().c_str(), now.capacity,
                now.high_water);
    std::printf("  %llu allocations, %llu frees, %llu of them on another thread, %llu refills\n",
                static_cast<unsigned long long>(now.allocations),
                static_cast<unsigned long long>(now.frees),
                static_cast<unsigned long long>(now.remote_frees),
                static_cast<unsigned long long>(now.refills));
    require(now.allocations == packets + 1 && now.frees == now.allocations && now.in_use == 0,
            "every buffer was returned");
    require(now.capacity == options.initial_capacity, "and none was had beyond the first");
}
