// SPDX-License-Identifier: BSL-1.0
#include "suites/buffers/workload.hpp"

#include "suites/buffers/article.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace lab::buffers {
namespace {

constexpr std::size_t steps_of_each = 100'000;
constexpr std::size_t page = 4096;

/// Vigna's splitmix64. It gives the same numbers with every standard library.
class splitmix {
public:
    explicit splitmix(std::uint64_t seed) : state_(seed) {}

    std::uint64_t operator()() noexcept {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }
    std::size_t below(std::size_t bound) noexcept {
        return static_cast<std::size_t>((*this)() % bound);
    }
    std::size_t between(std::size_t least, std::size_t most) noexcept {
        return least + below(most - least + 1);
    }
    /// Returns a number above 0 and at most 1.
    double unit() noexcept { return static_cast<double>(((*this)() >> 11) + 1) * 0x1p-53; }
    bool one_in(std::size_t bound) noexcept { return below(bound) == 0; }

private:
    std::uint64_t state_;
};

/// The source of the article's buffers when its program is only recorded.
struct recorded_way {
    recorder& to;

    std::uint32_t get(std::size_t size) const { return to.get(size); }
    void put(std::uint32_t slot) const { to.put(slot); }
    static std::size_t capacity(std::uint32_t) noexcept { return 0; }
};

workload article_with(const char* key, decay likelihood) {
    recorder record(key);
    workload recorded;
    recorded_way way{record};
    {
        article<recorded_way> program(way, likelihood);
        program.run_to(steps_of_each - 1);
    }  // the destructor puts the remaining buffers
    recorded = std::move(record).take();
    recorded.steps.resize(steps_of_each);
    return recorded;
}

std::size_t body_size(splitmix& random) {
    if (random.one_in(2)) return random.between(64, page);
    // Pareto's distribution: one in 500 of these sizes is 128 times the smallest.
    const double drawn = static_cast<double>(page) * std::pow(random.unit(), -1 / 1.28);
    return static_cast<std::size_t>(std::min(drawn, 4.0 * 1024 * 1024));
}

workload network() {
    struct connection {
        int done = 0;  // of the six steps of a request
        std::uint32_t header = 0;
        std::uint32_t frame = 0;
        std::uint32_t body = 0;
    };
    recorder record("network");
    splitmix random(1);
    std::array<connection, 64> connections{};
    while (record.steps() < steps_of_each) {
        connection& next = connections[random.below(connections.size())];
        switch (next.done++) {
            case 0:
                next.header = record.get(random.between(256, 2048));
                break;
            case 1:
                next.frame = record.get(16 * 1024);
                break;
            case 2:
                next.body = record.get(body_size(random));
                break;
            case 3:
                record.put(next.header);
                break;
            case 4:
                record.put(next.frame);
                break;
            default:
                record.put(next.body);
                next.done = 0;
        }
    }
    return std::move(record).take();
}

std::size_t pages_of_a_buffer(splitmix& random) {
    const std::size_t of_100 = random.below(100);
    if (of_100 < 50) return 1;
    if (of_100 < 70) return 2;
    if (of_100 < 85) return 4;
    if (of_100 < 95) return 16;
    return of_100 < 99 ? 64 : 256;
}

workload pages() {
    recorder record("pages");
    splitmix random(2);
    std::array<std::uint32_t, 200> ring;
    std::array<std::uint32_t, 100> kept;
    for (std::uint32_t& slot : ring) slot = record.get(page * pages_of_a_buffer(random));
    for (std::uint32_t& slot : kept) slot = record.get(page * pages_of_a_buffer(random));
    for (std::size_t i = 0; record.steps() < steps_of_each; i = (i + 1) % ring.size()) {
        // The oldest buffer is given back. In one of eight cases it is exchanged with a kept one
        // before.
        if (random.one_in(8)) std::swap(ring[i], kept[random.below(kept.size())]);
        record.put(ring[i]);
        ring[i] = record.get(page * pages_of_a_buffer(random));
    }
    return std::move(record).take();
}

/// Removes a random element of `live`, and returns it.
template <class T>
T taken_out(std::vector<T>& live, splitmix& random) {
    std::swap(live[random.below(live.size())], live.back());
    const T taken = live.back();
    live.pop_back();
    return taken;
}

/// Returns whether the next step is a get. The number in use does a random walk between two bounds.
bool gets_next(std::size_t live, splitmix& random) {
    constexpr std::size_t fewest = 20;
    constexpr std::size_t most = 200;
    return live < fewest || (live < most && random.one_in(2));
}

workload phases() {
    constexpr std::size_t phase = 5000;
    recorder record("phases");
    splitmix random(3);
    std::array<std::size_t, 8> sizes{};
    std::vector<std::uint32_t> live;
    while (record.steps() < steps_of_each) {
        if (record.steps() % phase == 0) {
            // Uniformly distributed between 64 bytes and 128 KiB on a logarithmic scale.
            for (std::size_t& size : sizes)
                size = static_cast<std::size_t>(64 * std::exp2(11 * random.unit()));
        }
        if (gets_next(live.size(), random)) {
            live.push_back(record.get(sizes[random.below(sizes.size())]));
        } else {
            record.put(taken_out(live, random));
        }
    }
    return std::move(record).take();
}

workload across_threads() {
    struct held {
        std::uint32_t slot;
        std::uint32_t thread;
    };
    constexpr std::uint32_t threads = 4;
    recorder record("across_threads", threads);
    splitmix random(4);
    std::vector<held> live;
    while (record.steps() < steps_of_each) {
        if (gets_next(live.size(), random)) {
            const auto thread = static_cast<std::uint32_t>(random.below(threads));
            live.push_back({record.get(body_size(random), thread), thread});
            continue;
        }
        const held back = taken_out(live, random);
        const bool by_another = random.below(100) < 47;
        const auto further =
            by_another ? static_cast<std::uint32_t>(random.between(1, threads - 1)) : 0;
        record.put(back.slot, (back.thread + further) % threads);
    }
    return std::move(record).take();
}

}  // namespace

const std::vector<workload>& all_workloads() {
    static const std::vector<workload> made = {article_with("article", decay::half),
                                               article_with("article.steep", decay::quarter),
                                               network(),
                                               pages(),
                                               phases(),
                                               across_threads()};
    return made;
}

}  // namespace lab::buffers
