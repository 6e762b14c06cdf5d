// SPDX-License-Identifier: BSL-1.0
// Random operations on one thread, compared with a model that predicts for each get whether it asks
// the source, which version it returns, and how it fails.
#include <freehold/line/line_cache.hpp>

#include "line/scripted_source.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace freehold::line_cache_reference_test {
namespace {

using tests::are_made;
using tests::scripted_source;

constexpr std::uint64_t line_size = 4096;
constexpr std::uint64_t lines_each = 5;

// What the cache should know. It ignores memory, because the cache has enough for all lines.
class model {
public:
    struct outcome {
        bool asks = false;
        int version = 0;  // 0: the get fails, because the object is not the expected version
    };

    void put(const std::string& object) { ++present_[object]; }
    outcome get(const std::string& object, std::uint64_t number) {
        known& now = known_[object];
        if (now.lines.count(number) != 0) return {false, now.version};
        const int present = present_[object];
        if (now.version != 0 && now.version != present) {
            now = {};
            return {true, 0};
        }
        now.version = present;
        now.lines.insert(number);
        return {true, present};
    }
    void invalidate(const std::string& object) { known_.erase(object); }
    void invalidate(const std::string& object, int version) {
        known& now = known_[object];
        if (now.version != version) now = {version, {}};
    }
    // All lines except one that is held, if any.
    void trim(const std::optional<std::pair<std::string, std::uint64_t>>& held) {
        for (auto& [object, now] : known_) {
            std::set<std::uint64_t> kept;
            if (held && held->first == object && now.lines.count(held->second) != 0) {
                kept.insert(held->second);
            }
            // The last line's information goes with it. A tag from the user stays.
            if (!now.lines.empty() && kept.empty()) now.version = 0;
            now.lines = kept;
        }
    }
    [[nodiscard]] int present(const std::string& object) { return present_[object]; }

private:
    struct known {
        int version = 0;  // 0: none
        std::set<std::uint64_t> lines;
    };
    std::map<std::string, int> present_;
    std::map<std::string, known> known_;
};

class line_cache_model : public testing::TestWithParam<unsigned> {};

TEST_P(line_cache_model, behaves_as_the_model) {
    std::mt19937 random(GetParam());
    const auto below = [&](unsigned bound) { return random() % bound; };
    scripted_source source(0);
    model expected;
    line_cache_options asked;
    asked.line_size = line_size;
    asked.capacity = 64 * line_size;
    line_cache<scripted_source> cache(source, asked);
    std::map<std::string, cached_object> opened;
    for (const char* const object : {"a", "b", "c"}) {
        source.put(object, lines_each * line_size - 50);
        expected.put(object);
        opened.emplace(object, cache.open(object));
    }
    line held;
    int version_of_held = 0;
    // A held line that is still in the cache.
    std::optional<std::pair<std::string, std::uint64_t>> held_key;

    for (int i = 0; i != 3'000; ++i) {
        const std::string object(1, static_cast<char>('a' + below(3)));
        const std::uint64_t number = below(lines_each);
        const std::string what = "operation " + std::to_string(i);
        switch (below(16)) {
            case 0:
                source.put(object, lines_each * line_size - 50);
                expected.put(object);
                break;
            case 1:
                cache.invalidate(object);
                expected.invalidate(object);
                if (held_key && held_key->first == object) held_key.reset();
                break;
            case 2: {
                const int version = expected.present(object) - static_cast<int>(below(2));
                if (version == 0) break;
                cache.invalidate(object, "version " + std::to_string(version));
                expected.invalidate(object, version);
                if (held_key && held_key->first == object && version != version_of_held) {
                    held_key.reset();
                }
                break;
            }
            case 3:
                cache.trim();
                expected.trim(held_key);
                break;
            default: {
                const model::outcome outcome = expected.get(object, number);
                const std::size_t asked_before = source.request_count();
                const std::uint64_t offset = number * line_size + below(line_size - 50);
                line found;
                try {
                    found = below(2) == 0 ? cache.get(object, offset)
                                          : cache.get(opened.at(object), offset, below(5'000));
                    found.wait(0, lines_each * line_size);
                } catch (const source_error& error) {
                    EXPECT_EQ(error.reason(), source_failure::changed) << what;
                }
                EXPECT_EQ(source.request_count() - asked_before, outcome.asks ? 1u : 0u) << what;
                ASSERT_EQ(static_cast<bool>(found), outcome.version != 0) << what;
                if (!found) {
                    if (held_key && held_key->first == object) held_key.reset();
                } else {
                    EXPECT_TRUE(
                        are_made(found.bytes(), object, outcome.version, number * line_size))
                        << what;
                    held = found;
                    version_of_held = outcome.version;
                    held_key.emplace(object, number);
                }
            }
        }
        if (held) {
            ASSERT_TRUE(are_made(held.bytes(), held.object(), version_of_held, held.offset()))
                << what;
        }
        ASSERT_LE(cache.statistics().most_bytes_held, asked.capacity);
    }
    EXPECT_EQ(cache.statistics().evictions, 0u);
}

INSTANTIATE_TEST_SUITE_P(seeds, line_cache_model, testing::Range(0u, 8u));

}  // namespace
}  // namespace freehold::line_cache_reference_test
