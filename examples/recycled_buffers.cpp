// SPDX-License-Identifier: BSL-1.0
// buffer_cache: messages of all sizes that one thread reads and another writes out. Their buffers
// return to the reader's thread, so after the first few messages no buffer is allocated. A rare
// large message does not give its buffer to small ones.
#include <freehold/buffer/buffer_cache.hpp>

#include "require.hpp"

#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <deque>
#include <iostream>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

namespace {

using freehold::buffer;
using freehold::buffer_cache;

// A short queue between the two threads, so that the reader does not run ahead.
class channel {
public:
    void send(buffer message) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return waiting_.size() < 16; });
        waiting_.push_back(std::move(message));
        changed_.notify_all();
    }
    // An empty message is the last.
    buffer receive() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return !waiting_.empty(); });
        buffer message = std::move(waiting_.front());
        waiting_.pop_front();
        changed_.notify_all();
        return message;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<buffer> waiting_;
};

// Half of all messages are small, and each power of two is half as frequent as the one before.
std::size_t next_size(std::mt19937& random) {
    std::size_t size = 100;
    while (size < 1'000'000 && random() % 2 == 0) size *= 2;
    return size;
}

}  // namespace

int main() {
    buffer_cache<> cache({.max_idle = std::size_t{4} << 20, .name = "messages"});
    channel to_writer;
    std::size_t written = 0;
    std::thread writer([&] {
        while (const buffer message = to_writer.receive()) written += message.size();
    });

    std::mt19937 random(1);
    std::size_t read = 0;
    for (int i = 0; i < 20'000; ++i) {
        buffer message = cache.get(next_size(random));
        std::memset(message.data(), i, 100);
        read += message.size();
        to_writer.send(std::move(message));
    }
    to_writer.send(buffer());
    writer.join();

    const freehold::buffer_cache_statistics statistics = cache.statistics();
    std::cout << statistics;
    require(written == read, "every message was written");
    require(statistics.remote_returns == 20'000, "the other thread freed all of them");
    require(statistics.hit_rate() > 0.9, "more than nine of ten requests were hits");
    require(statistics.used() > 0.8, "no buffer is larger than 1.25 times the request");
    require(statistics.idle <= std::size_t{4} << 20, "the idle bytes are within the bound");

    cache.trim();
    require(cache.statistics().idle == 0, "nothing is left after a trim");
}
