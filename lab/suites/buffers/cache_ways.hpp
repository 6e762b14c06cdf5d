// SPDX-License-Identifier: BSL-1.0
// The library's cache as a way to get buffers: see ways.hpp.
#pragma once

#include <freehold/buffer/buffer_cache.hpp>

#include <cstddef>
#include <utility>

namespace lab::buffers {

/// One thread may keep all idle buffers. The default bound is enough for the buffers in transit in
/// any kernel.
inline freehold::buffer_cache_options roomy() {
    freehold::buffer_cache_options options;
    options.max_idle_per_thread = options.max_idle;
    return options;
}

template <class Cache>
class by_cache {
public:
    using handle = freehold::buffer;

    by_cache() : cache_(roomy()) {}
    explicit by_cache(const typename Cache::policy::options& how) : cache_(roomy(), how) {}

    class user {
    public:
        explicit user(by_cache& way) noexcept : cache_(way.cache_) {}
        [[gnu::always_inline]] handle get(std::size_t bytes) { return cache_.get(bytes); }
        [[gnu::always_inline]] void put(handle&& back) noexcept { cache_.put(std::move(back)); }

    private:
        Cache& cache_;
    };
    static std::byte* data(const handle& held) noexcept { return held.data(); }

private:
    Cache cache_;
};

template <class Cache>
class by_session {
public:
    using handle = freehold::buffer;

    by_session() : cache_(roomy()) {}

    class user {
    public:
        explicit user(by_session& way) : session_(way.cache_.open_session()) {}
        [[gnu::always_inline]] handle get(std::size_t bytes) { return session_.get(bytes); }
        [[gnu::always_inline]] void put(handle&& back) noexcept { session_.put(std::move(back)); }

    private:
        typename Cache::session session_;
    };
    static std::byte* data(const handle& held) noexcept { return held.data(); }

private:
    Cache cache_;
};

}  // namespace lab::buffers
