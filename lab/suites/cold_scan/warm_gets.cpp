// SPDX-License-Identifier: BSL-1.0
#include "suites/cold_scan/warm_gets.hpp"

#include <freehold/cache/line_cache.hpp>

#include "suites/barrier.hpp"
#include "suites/threads_team.hpp"

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

/// One object, as long as anybody asks for, whose bytes cost nothing to have.
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

/// The arcs themselves, without a cache about them: what their copy and release cost.
class arcs_alone {
public:
    static constexpr const char* name = "floor";

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
    static constexpr const char* name = "freehold::line_cache";

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

/// What a program writes that has no cache at hand.
class map_and_mutex {
public:
    static constexpr const char* name = "mutex, map and std::shared_ptr";

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
void warm_gets(benchmark::State& state, std::size_t threads) {
    // On the heap: the stack of this thread, which measures too, is written to all the time.
    const auto cache = std::make_unique<Cache>(threads * lines_each);
    team workers(threads, [&](std::size_t number) {
        return [&all = *cache, number] {
            for (std::size_t i = 0; i < gets_at_once; ++i) {
                all.get(number * lines_each + i % lines_each);
            }
        };
    });
    workers.measure(state);
}

template <class Cache>
void add(plan& into, const selection& chosen) {
    if (!chosen.wants(Cache::name, false)) return;
    const std::size_t most = std::max(2u, std::thread::hardware_concurrency());
    std::vector<std::size_t> sizes;
    for (std::size_t threads = 1; threads < most; threads *= 2) sizes.push_back(threads);
    sizes.push_back(most);
    for (const std::size_t threads : sizes) {
        into.timed.push_back(
            {{Cache::name, "warm get", static_cast<std::int64_t>(threads), "ns"},
             [threads](benchmark::State& state) { warm_gets<Cache>(state, threads); },
             1e9 / static_cast<double>(gets_at_once),
             false});
    }
}

}  // namespace

void add_warm_gets(plan& into, const selection& chosen) {
    add<arcs_alone>(into, chosen);
    add<line_cache>(into, chosen);
    add<map_and_mutex>(into, chosen);
}

}  // namespace lab::cold_scan
