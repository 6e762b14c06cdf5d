// SPDX-License-Identifier: BSL-1.0
// Handles, pools and a buffer cache that several threads use together, and hand to one another.
#pragma once

#include <freehold/buffer/buffer_cache.hpp>
#include <freehold/freehold.hpp>

#include "contracts/use_pool.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <mutex>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace freehold::stress {

struct node : intrusive_base<node> {
    std::array<std::uint64_t, 5> words{};
};
struct ring {
    cyclic_ptr<ring> next;
    template <class Edges>
    void trace(Edges& edges) {
        edges(next);
    }
};

inline pool_options of_blocks(bool checked, exhaustion on_exhaustion) {
    pool_options asked;
    asked.block_size = 200;
    asked.magazine_size = 4;  // exchanges all the time
    asked.growth = 16;
    asked.checked = checked;
    asked.on_exhaustion = on_exhaustion;
    if (on_exhaustion == exhaustion::wait) asked.maximum_capacity = 1 << 12;
    asked.name = "forked";
    return asked;
}

// All that a child inherits.
struct things {
    pool blocks{of_blocks(false, exhaustion::throw_bad_alloc)};
    pool checked{of_blocks(true, exhaustion::throw_bad_alloc)};
    pool waiting{of_blocks(false, exhaustion::wait)};
    std::optional<buffer_cache<>> buffers{std::in_place,
                                          buffer_cache_options{.max_idle = std::size_t{1} << 20}};
    atomic_shared_ptr<std::uint64_t> current{make_shared<std::uint64_t>(1)};

    // What threads hand to one another.
    std::mutex mutex;
    std::deque<void*> passed;
    std::deque<buffer> passed_buffers;
    std::deque<arc<node>> passed_nodes;
};

// One step of a thread's work.
class worker {
public:
    static constexpr unsigned kinds = 8;
    static constexpr unsigned that_hands_over = 6;  // must not lack memory

    worker(things& all, std::uint64_t seed, bool hands_over)
        : all_(all), random_(seed), hands_over_(hands_over) {
        // What was allocated is not lost where later allocations fail.
        for (auto* const each : {&blocks_, &checked_, &waiting_}) each->reserve(64);
        buffers_.reserve(32);
        owners_.reserve(64);
        biased_.reserve(64);
        nodes_.reserve(64);
    }
    worker(const worker&) = delete;
    worker& operator=(const worker&) = delete;
    ~worker() {
        for (void* const block : blocks_) give(all_.blocks, block);
        for (void* const block : checked_) give(all_.checked, block);
        for (void* const block : waiting_) give(all_.waiting, block);
    }

    void step() { step(static_cast<unsigned>(random_() % kinds)); }
    void step(unsigned kind) {
        switch (kind) {
            case 0:
                return use(all_.blocks, blocks_);
            case 1:
                return use(all_.checked, checked_);
            case 2:
                return use(all_.waiting, waiting_);
            case 3:
                return use_buffers();
            case 4:
                return use_handles();
            case 5:
                return use_cycles();
            case 6:
                return hand_over();
            default:
                return exchange();
        }
    }
    // For a child, where another thread may have taken the mutex.
    void keep_to_itself() noexcept { hands_over_ = false; }
    [[nodiscard]] bool is_sound() const noexcept { return sound_; }

private:
    static constexpr std::size_t size = 200;

    void* take(pool& from) {
        void* const block = from.allocate();
        contracts::mark(block, size);
        return block;
    }
    void give(pool& to, void* block) noexcept {
        if (!contracts::is_marked(block, size)) sound_ = false;
        to.deallocate(block);
    }
    void use(pool& from, std::vector<void*>& mine) {
        if (mine.size() < 40 && random_() % 2 == 0) {
            for (std::size_t i = random_() % 12; i > 0; --i) mine.push_back(take(from));
        } else {
            for (std::size_t i = random_() % 12; i > 0 && !mine.empty(); --i) {
                give(from, mine.back());
                mine.pop_back();
            }
        }
    }
    void use_buffers() {
        buffer got = all_.buffers->get(1 + random_() % 5000);
        std::memset(got.data(), 7, got.size());
        if (random_() % 2 == 0) buffers_.push_back(std::move(got));
        if (buffers_.size() > 20) buffers_.clear();
    }
    void use_handles() {
        owners_.push_back(make_shared<std::uint64_t>(random_()));
        biased_.push_back(make_shared<std::uint64_t, biased_count>(random_()));
        nodes_.push_back(make_arc<node>());
        const weak_ptr<std::uint64_t> watched = owners_[random_() % owners_.size()];
        if (watched.lock() == nullptr) sound_ = false;
        if (owners_.size() > 60) {
            owners_.clear();
            biased_.clear();
            nodes_.clear();
        }
    }
    void use_cycles() {
        auto first = make_cyclic<ring>();
        first->next = make_cyclic<ring>();
        first->next->next = first;
    }
    void exchange() {
        if (random_() % 4 == 0) all_.current.store(make_shared<std::uint64_t>(random_() | 1));
        const auto seen = all_.current.snapshot();
        if ((*seen & 1) == 0) sound_ = false;
        const auto mine = all_.current.load();
        if ((*mine & 1) == 0) sound_ = false;
    }
    void hand_over() {
        if (!hands_over_) return;
        void* const block = take(all_.blocks);
        buffer got = all_.buffers->get(64);
        void* other = nullptr;
        {
            const std::lock_guard lock(all_.mutex);
            all_.passed.push_back(block);
            all_.passed_buffers.push_back(std::move(got));
            all_.passed_nodes.push_back(make_arc<node>());
            if (all_.passed.size() < 20) return;
            other = all_.passed.front();
            all_.passed.pop_front();
            got = std::move(all_.passed_buffers.front());
            all_.passed_buffers.pop_front();
            all_.passed_nodes.pop_front();
        }
        give(all_.blocks, other);
    }

    things& all_;
    std::mt19937_64 random_;
    bool hands_over_;
    bool sound_ = true;
    std::vector<void*> blocks_, checked_, waiting_;
    std::vector<buffer> buffers_;
    std::vector<shared_ptr<std::uint64_t>> owners_;
    std::vector<shared_ptr<std::uint64_t, biased_count>> biased_;
    std::vector<arc<node>> nodes_;
};

}  // namespace freehold::stress
