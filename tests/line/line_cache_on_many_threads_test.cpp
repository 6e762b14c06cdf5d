// SPDX-License-Identifier: BSL-1.0
// Random use by several threads at once. Each line that a reader gets has the bytes of the version
// that it names, and keeps them. It is not older than the version announced before the get. Memory
// never exceeds its bound. No line is fetched twice at once.
#include <freehold/line/access.hpp>
#include <freehold/line/line_cache.hpp>

#include "line/scripted_source.hpp"
#include "wait_until.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <random>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::line_cache_on_many_threads_test {
namespace {

using tests::are_made;
using tests::scripted_source;

constexpr std::uint64_t line_size = 4096;
constexpr std::size_t objects = 5;
constexpr std::size_t readers = 4;

std::string name_of(std::size_t object) {
    return "object " + std::to_string(object);
}
std::uint64_t size_of(std::size_t object) {
    return (12 - object) * line_size - object * 333;
}
int version_in(std::string_view tag) {
    return std::stoi(std::string(tag.substr(8)));
}

class line_cache_stress : public testing::Test {
protected:
    line_cache_stress() {
        for (std::size_t i = 0; i != objects; ++i) source.put(name_of(i), size_of(i));
    }

    static line_cache_options options() {
        line_cache_options asked;
        asked.line_size = line_size;
        // Enough for the lines that the readers hold and wait for, and for a third of all lines.
        asked.capacity = 18 * line_size;
        asked.when_full = line_cache_options::full::wait;
        asked.wait_limit = std::chrono::hours(1);
        return asked;
    }

    static void expect_right(const line& found) {
        EXPECT_TRUE(are_made(found.bytes(), found.object(), version_in(found.entity_tag()),
                             found.offset()));
    }

    template <class Function>
    static void run(Function function) {
        std::vector<std::thread> workers;
        for (std::size_t t = 0; t != readers; ++t) {
            workers.emplace_back([&function, t] { function(t, std::mt19937(unsigned(t))); });
        }
        for (std::thread& each : workers) each.join();
    }

    // When no line is held and nothing is in flight.
    static void expect_conserved(line_cache<scripted_source>& cache) {
        line_cache_statistics now;
        const auto all_have_arrived = [&] {
            now = cache.statistics();
            return now.bytes_in_lines == now.lines * line_size;
        };
        WAIT_UNTIL(all_have_arrived());
        EXPECT_LE(now.most_bytes_held, cache.options().capacity);
        EXPECT_EQ(now.refusals, 0u);
    }

    scripted_source source{2};
};

TEST_F(line_cache_stress, fetches_no_line_twice_at_once) {
    std::mutex mutex;
    std::map<std::pair<std::string, std::uint64_t>, int> under_way;
    int most = 0;
    source.on_request([&](line_read& read) {
        const std::pair<std::string, std::uint64_t> key(read.object(), read.offset());
        const object_info info = source.describe(read.object());
        {
            const std::lock_guard lock(mutex);
            most = std::max(most, ++under_way[key]);
        }
        EXPECT_TRUE(read.begin(info));
        for (std::uint64_t at = read.offset(); !read.room().empty();) {
            const std::size_t filled = scripted_source::fill(read, 1, at, 1'000);
            at += filled;
            EXPECT_TRUE(read.arrived(filled));
        }
        {
            const std::lock_guard lock(mutex);
            --under_way[key];
        }
        read.finish();
    });
    line_cache<scripted_source> cache(source, options());
    constexpr int gets = 800;
    run([&](std::size_t, std::mt19937 random) {
        for (int i = 0; i != gets; ++i) {
            const std::size_t object = random() % objects;
            const line found = cache.get(name_of(object), random() % size_of(object));
            expect_right(found);
        }
    });
    EXPECT_EQ(most, 1);
    const line_cache_statistics now = cache.statistics();
    EXPECT_EQ(now.hits + now.joined + now.misses, readers * gets);
    EXPECT_EQ(now.misses, source.request_count());
    EXPECT_EQ(now.bytes_wasted, 0u);
    expect_conserved(cache);
}

TEST_F(line_cache_stress, keeps_all_invariants) {
    std::atomic<unsigned> mood{0};
    source.on_request([&](line_read& read) {
        switch (++mood % 13) {
            case 0:
                return read.fail(scripted_source::failure(source_failure::unreachable));
            case 1: {
                const object_info info = source.describe(read.object());
                if (read.begin(info) && !read.room().empty()) {
                    static_cast<void>(read.arrived(scripted_source::fill(
                        read, version_in(info.entity_tag), read.offset(), 100)));
                }
                return read.fail(scripted_source::failure(source_failure::timed_out));
            }
            default:
                return source.serve(read, mood % 2 == 0 ? 700 : 10'000);
        }
    });
    line_cache_options asked = options();
    asked.prefetch = 2;
    asked.coalesce = 2;
    line_cache<scripted_source> cache(source, asked);
    std::array<std::atomic<int>, objects> announced{};
    std::array<std::mutex, objects> writers;
    std::atomic<int> answers{0};
    std::atomic<int> asynchronous{0};
    std::atomic<int> ranges{0};

    run([&](std::size_t, std::mt19937 random) {
        std::array<line, 2> held;
        for (int i = 0; i != 600; ++i) {
            const std::size_t object = random() % objects;
            const std::string name = name_of(object);
            const object_ref ref(name, random() % 3 == 0 ? access::once : access::again);
            const std::uint64_t offset = random() % size_of(object);
            const int known = announced[object];
            line found;
            try {
                switch (random() % 16) {
                    case 0: {
                        const std::lock_guard lock(writers[object]);
                        source.put(name, size_of(object));
                        const int version = version_in(source.describe(name).entity_tag);
                        cache.invalidate(name, "version " + std::to_string(version));
                        announced[object] = version;
                        break;
                    }
                    case 1:
                        cache.trim();
                        break;
                    case 2:
                        cache.prefetch(ref, offset, 3);
                        break;
                    case 3: {
                        std::stop_source stop;
                        ++asynchronous;
                        cache.get_async(
                            ref, offset,
                            [&answers](const line& got, const std::exception_ptr& why) {
                                EXPECT_EQ(static_cast<bool>(got), why == nullptr);
                                if (got) expect_right(got);
                                ++answers;
                            },
                            stop.get_token());
                        if (random() % 2 == 0) stop.request_stop();
                        break;
                    }
                    case 4:
                    case 5:
                    case 6:
                        found = cache.get(cache.open(name), offset, 1 + random() % 2'000);
                        expect_right(found);
                        if (random() % 2 == 0) found.wait(offset, line_size);
                        break;
                    case 7:
                    case 8:
                    case 9: {
                        const line_range range = cache.get_range(ref, offset, 3 * line_size);
                        if (!range) break;
                        const int version = version_in(range.entity_tag());
                        EXPECT_TRUE(are_made(range.bytes(), name, version, offset));
                        EXPECT_GE(version, known);
                        EXPECT_EQ(range.bytes().size(),
                                  std::min(3 * line_size, size_of(object) - offset));
                        ++ranges;
                        break;
                    }
                    default:
                        found = cache.get(ref, offset);
                }
            } catch (const source_error&) {
                // The source failed on request, or the object has changed.
            }
            if (found) {
                expect_right(found);
                EXPECT_GE(version_in(found.entity_tag()), known);
                held[random() % 2] = std::move(found);
            } else if (random() % 4 == 0) {
                held = {};
            }
            for (const line& each : held) {
                if (each) expect_right(each);
            }
        }
    });
    WAIT_UNTIL(answers == asynchronous);
    EXPECT_GT(ranges, 0);
    cache.invalidate("none");
    const line_cache_statistics now = cache.statistics();
    EXPECT_LE(now.most_bytes_held, asked.capacity);
    WAIT_UNTIL(cache.trim() == 0 && cache.statistics().bytes_in_lines == 0);
}

}  // namespace
}  // namespace freehold::line_cache_on_many_threads_test
