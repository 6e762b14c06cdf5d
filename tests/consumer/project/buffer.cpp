// SPDX-License-Identifier: BSL-1.0
// A user of freehold::buffer: the default policy, one of the library's, and one of the program's
// own.
#include <freehold/buffer/buffer_cache.hpp>
#include <freehold/buffer/buffer_policies.hpp>

#include <cstdio>
#include <thread>
#include <utility>

namespace {

// Keeps nothing.
struct keep_none : freehold::list_policy {
    struct options {};

    explicit keep_none(const options&) : list_policy(freehold::idle_lists(1)) {}
    freehold::buffer_block* take(freehold::buffer_request, freehold::buffer_context) noexcept {
        return nullptr;
    }
    void keep(freehold::buffer_block& block, freehold::buffer_context,
              freehold::dropped_buffers& dropped) noexcept {
        dropped.push(block);
    }
};

template <class Policy>
unsigned hits_of_one_reuse() {
    freehold::buffer_cache<Policy> cache({.max_idle = 1 << 20});
    freehold::buffer first = cache.get(1'000);
    first.data()[999] = std::byte{1};
    cache.put(std::move(first));
    std::thread([&] { const freehold::buffer other = cache.get(1'000); }).join();
    const freehold::buffer second = cache.get(1'000);
    return static_cast<unsigned>(cache.statistics().hits);
}

}  // namespace

int main() {
    if (hits_of_one_reuse<freehold::greedy_dual_fit>() == 0 ||
        hits_of_one_reuse<freehold::keep_largest>() != 2 || hits_of_one_reuse<keep_none>() != 0) {
        std::puts("buffers are not reused");
        return 1;
    }
}
