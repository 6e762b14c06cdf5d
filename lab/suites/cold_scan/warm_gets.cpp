// SPDX-License-Identifier: BSL-1.0
// Several threads get and release lines that are in the cache.

#include <freehold/handle/arc.hpp>
#include <freehold/line/line_cache.hpp>

#include "runner/registry.hpp"
#include "subjects/shared_identities.hpp"
#include "suites/cold_scan/way.hpp"
#include "suites/common/barrier.hpp"
#include "suites/common/thread_group.hpp"
#include "suites/common/thread_processors.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

namespace lab::cold_scan {
namespace {

constexpr std::size_t line_size = std::size_t{64} << 10;
constexpr std::size_t lines_each = 64;
constexpr std::size_t gets_at_once = 8192;

/// A source with one endless object, whose bytes cost no time.
class endless_source {
public:
    void fetch(freehold::line_read& read) noexcept {
        if (!read.begin(describe(read.object()))) return read.finish();
        for (std::span<std::byte> room = read.room(); !room.empty(); room = read.room()) {
            std::memset(room.data(), 1, room.size());
            if (!read.arrived(room.size())) break;
        }
        read.finish();
    }
    void start(freehold::line_read& read) noexcept { fetch(read); }
    freehold::object_info describe(std::string_view) { return {std::uint64_t{1} << 40, "one"}; }
};

/// Arcs without a cache: their copy and release alone.
class arcs_alone {
public:
    static constexpr identity is = identities::lower_bound;

    explicit arcs_alone(std::size_t lines) {
        for (std::size_t i = 0; i < lines; ++i) arcs_.push_back(freehold::make_arc<place>());
    }
    void get(std::size_t line) {
        freehold::arc<place> held = arcs_[line];
        escape(&held);
    }

private:
    struct alignas(64) place {
        std::array<std::byte, 64> bytes{};
    };
    std::vector<freehold::arc<place>> arcs_;
};

class line_cache {
public:
    static constexpr identity is = line_cache_subject;

    explicit line_cache(std::size_t lines)
        : cache_(source_, {.line_size = line_size, .capacity = lines * line_size}),
          object_(cache_.open("endless")) {
        for (std::size_t line = 0; line < lines; ++line) get(line);
    }
    void get(std::size_t line) {
        freehold::line held = cache_.get(object_, line * line_size);
        escape(&held);
    }

private:
    endless_source source_;
    freehold::line_cache<endless_source> cache_;
    freehold::cached_object object_;
};

/// What a program without a cache does: a map behind a mutex.
class map_and_mutex {
public:
    static constexpr identity is = {
        .name = "mutex, map and std::shared_ptr", .family = family::other, .order = 7};

    explicit map_and_mutex(std::size_t lines) {
        for (std::size_t line = 0; line < lines; ++line) {
            map_.emplace(line, std::make_shared<std::vector<char>>(line_size));
        }
    }
    void get(std::size_t line) {
        std::shared_ptr<std::vector<char>> held;
        {
            const std::lock_guard lock(mutex_);
            held = map_.find(line)->second;
        }
        escape(&held);
    }

private:
    std::mutex mutex_;
    std::unordered_map<std::size_t, std::shared_ptr<std::vector<char>>> map_;  // of one object
};

template <class Cache>
void warm_gets(kernel_state& state, std::size_t threads) {
    // On the heap, because this thread measures too and writes to its stack all the time.
    const auto cache = std::make_unique<Cache>(threads * lines_each);
    measure_together(state, threads, [&](std::size_t number) {
        return [&all = *cache, number] {
            for (std::size_t i = 0; i < gets_at_once; ++i) {
                all.get(number * lines_each + i % lines_each);
            }
        };
    });
}

template <class Cache>
void add(plan& into, const selection& chosen) {
    if (!chosen.wants(Cache::is)) return;
    for (const std::size_t threads : thread_counts()) {
        add_kernel(into, {key_of(Cache::is.name), "warm_get", static_cast<std::int64_t>(threads)},
                   1e9 / static_cast<double>(gets_at_once),
                   [threads](kernel_state& state) { warm_gets<Cache>(state, threads); });
    }
}

void add_warm_gets(plan& into, const selection& chosen) {
    add<arcs_alone>(into, chosen);
    add<line_cache>(into, chosen);
    add<map_and_mutex>(into, chosen);
}

const registration here("cold_scan", add_warm_gets,
                        subjects_of({arcs_alone::is, line_cache::is, map_and_mutex::is}));

}  // namespace
}  // namespace lab::cold_scan
