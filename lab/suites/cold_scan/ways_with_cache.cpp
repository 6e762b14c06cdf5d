// SPDX-License-Identifier: BSL-1.0
#include <freehold/line/line_cache.hpp>
#include <freehold/line/s3_source.hpp>

#include "suites/cold_scan/cache_over_s3.hpp"
#include "suites/cold_scan/way.hpp"

#include <utility>

namespace lab::cold_scan {
namespace {

/// The state of the cache's memory before the scan.
enum class memory { used_before, never_used };

class through_line_cache final : public lines {
public:
    through_line_cache(const object_store& store, std::size_t lines_at_most, memory before)
        : cache_(store, lines_at_most) {
        if (before == memory::used_before) cache_.use_all_memory(store);
    }
    std::unique_ptr<reader> make_reader() override { return std::make_unique<one>(cache_); }
    std::size_t most_line_bytes() override { return cache_.get().statistics().most_bytes_held; }

private:
    class one final : public reader {
    public:
        explicit one(cache_over_s3& cache) : cache_(cache) {}
        std::int64_t sum(std::size_t number) override {
            const auto [object, offset] = object_store::place_of(number);
            const freehold::line line = cache_.get().get(cache_.object(object), offset);
            return sum_of_prices(line.bytes());
        }

    private:
        cache_over_s3& cache_;
    };

    cache_over_s3 cache_;
};

}  // namespace

std::vector<way> ways_with_cache() {
    return {
        {line_cache_subject,
         [](const object_store& store) -> std::unique_ptr<lines> {
             return std::make_unique<through_line_cache>(store, lines_held(store),
                                                         memory::used_before);
         },
         false, [](const object_store& store) { return lines_held(store) * line_bytes; }},
        {{.name = "freehold::line_cache, all kept", .family = family::freehold, .order = 22},
         [](const object_store& store) -> std::unique_ptr<lines> {
             return std::make_unique<through_line_cache>(store, store.lines(), memory::never_used);
         },
         true,
         [](const object_store& store) { return store.lines() * line_bytes; }},
    };
}

}  // namespace lab::cold_scan
