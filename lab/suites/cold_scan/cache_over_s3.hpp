// SPDX-License-Identifier: BSL-1.0
// A freehold::line_cache over a freehold::s3_source, as programs use it.
#pragma once

#include <freehold/line/line_cache.hpp>
#include <freehold/line/s3_source.hpp>

#include "suites/cold_scan/store.hpp"

#include <cstddef>
#include <vector>

namespace lab::cold_scan {

class cache_over_s3 {
public:
    using line_cache = freehold::line_cache<freehold::s3_source>;

    cache_over_s3(const object_store& store, std::size_t lines_at_most)
        : source_(options_of(store.access())),
          cache_(source_, {.line_size = line_bytes,
                           .capacity = lines_at_most * line_bytes,
                           .when_full = freehold::line_cache_options::full::wait}) {
        for (const std::string& name : store.objects()) objects_.push_back(cache_.open(name));
    }

    line_cache& get() { return cache_; }
    const line_cache& get() const { return cache_; }
    freehold::s3_source& source() { return source_; }
    const auto& object(std::size_t number) const { return objects_[number]; }

    /// Fills all memory with lines once, and then removes all objects from the cache.
    void use_all_memory(const object_store& store) {
        const std::size_t most = cache_.options().capacity / line_bytes;
        for (std::size_t line = 0; line < most; ++line) {
            const auto [object, offset] = object_store::place_of(line);
            static_cast<void>(cache_.get(objects_[object], offset));
        }
        for (const std::string& name : store.objects()) cache_.invalidate(name);
    }

private:
    static freehold::s3_options options_of(const s3_access& access) {
        freehold::s3_options options;
        options.endpoint = access.endpoint;
        options.region = access.region;
        options.bucket = access.bucket;
        options.credentials = {access.access_key, access.secret_key, ""};
        return options;
    }

    freehold::s3_source source_;
    line_cache cache_;
    std::vector<freehold::cached_object> objects_;
};

}  // namespace lab::cold_scan
