// SPDX-License-Identifier: BSL-1.0
// A process whose memory is limited, as by `ulimit -v`: a failed allocation throws std::bad_alloc,
// nothing that was had before is lost, and all goes on when memory comes back.
#include <freehold/buffer/buffer_cache.hpp>
#include <freehold/detail/sanitizers.hpp>
#include <freehold/freehold.hpp>
#include <freehold/line/line_cache.hpp>

#include "line/memory_objects.hpp"
#include "skip.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold::memory_limits_test {
namespace {

constexpr std::size_t room = std::size_t{24} << 20;

// Whether the limit of this process is now its present size and `more` bytes.
bool limit_memory(std::size_t more) {
    long pages = 0;
    std::FILE* const file = std::fopen("/proc/self/statm", "r");
    if (file == nullptr) return false;
    const bool is_read = std::fscanf(file, "%ld", &pages) == 1;
    std::fclose(file);
    rlimit limit{};
    if (!is_read || ::getrlimit(RLIMIT_AS, &limit) != 0) return false;
    limit.rlim_cur =
        static_cast<rlim_t>(pages) * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + more;
    return ::setrlimit(RLIMIT_AS, &limit) == 0;
}
bool end_limit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0) return false;
    limit.rlim_cur = limit.rlim_max;
    return ::setrlimit(RLIMIT_AS, &limit) == 0;
}

// Keeps what make() returns until it throws std::bad_alloc, checks all of it by is_whole, releases
// it, and makes as many again; then more with the limit ended. Returns an exit status.
template <class Make, class IsWhole>
int exhaust(Make make, IsWhole is_whole) {
    std::vector<decltype(make(0))> all;
    all.reserve(std::size_t{1} << 21);
    if (!limit_memory(room)) return 2;
    const auto fill = [&](std::size_t most) {
        try {
            while (all.size() < most) all.push_back(make(all.size()));
        } catch (const std::bad_alloc&) {
            return true;
        }
        return false;
    };
    if (!fill(all.capacity())) return 3;
    const std::size_t had = all.size();
    if (had < 100) return 4;
    for (int i = 0; i < 50; ++i) {
        if (!fill(had + 1) && all.size() > had + 50) return 5;  // it stays exhausted
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!is_whole(all[i], i)) return 6;
    }
    // What was released can be had again, without a byte more than before. malloc may fragment some
    // of it; a loss would grow with each round.
    for (int round = 0; round < 10; ++round) {
        all.clear();
        if (fill(had * 3 / 4)) return 7;
    }
    if (!end_limit()) return 2;
    if (fill(2 * had)) return 8;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!is_whole(all[i], i)) return 9;
    }
    return 0;
}

template <class Work>
void expect_in_a_child(Work work) {
    if (detail::under_address_sanitizer || detail::under_thread_sanitizer)
        return tests::does_not_apply("sanitizers reserve more address space than any limit");
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        ::alarm(60);
        ::_exit(work());
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status)) << "by " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 0) << "see exhaust()";
}

struct filled {
    std::array<std::uint64_t, 20> words;
    explicit filled(std::uint64_t number) { words.fill(number); }
    [[nodiscard]] bool is(std::uint64_t number) const {
        for (const std::uint64_t each : words) {
            if (each != number) return false;
        }
        return true;
    }
};
struct in_a_cycle : filled {
    using filled::filled;
    cyclic_ptr<in_a_cycle> next;
    template <class Edges>
    void trace(Edges& edges) {
        edges(next);
    }
};

constexpr auto is_whole = [](const auto& handle, std::size_t i) { return handle->is(i); };

TEST(memory_limits, of_shared_ptr) {
    expect_in_a_child(
        [] { return exhaust([](std::size_t i) { return make_shared<filled>(i); }, is_whole); });
}
TEST(memory_limits, of_biased_shared_ptr) {
    expect_in_a_child([] {
        return exhaust([](std::size_t i) { return make_shared<filled, biased_count>(i); },
                       is_whole);
    });
}
TEST(memory_limits, of_arc) {
    expect_in_a_child(
        [] { return exhaust([](std::size_t i) { return make_arc<filled>(i); }, is_whole); });
}
TEST(memory_limits, of_cyclic_ptr) {
    expect_in_a_child(
        [] { return exhaust([](std::size_t i) { return make_cyclic<in_a_cycle>(i); }, is_whole); });
}
TEST(memory_limits, of_a_pool) {
    expect_in_a_child([] {
        // Steps of growth that fail must not count towards the maximum.
        pool limited({.block_size = 4000, .maximum_capacity = 20'000, .name = "limited"});
        struct give_back {
            pool* from;
            void operator()(filled* block) const noexcept { from->deallocate(block); }
        };
        return exhaust(
            [&](std::size_t i) {
                return std::unique_ptr<filled, give_back>(new (limited.allocate()) filled(i),
                                                          give_back{&limited});
            },
            is_whole);
    });
}
TEST(memory_limits, of_a_buffer_cache) {
    expect_in_a_child([] {
        buffer_cache cache({.max_idle = room, .max_idle_per_thread = room});
        return exhaust(
            [&](std::size_t i) {
                buffer got = cache.get(5000);
                new (got.data()) filled(i);
                return got;
            },
            [](const buffer& got, std::size_t i) {
                return reinterpret_cast<const filled*>(got.data())->is(i);
            });
    });
}

TEST(memory_limits, of_a_line_cache) {
    expect_in_a_child([] {
        constexpr std::size_t line_size = 64 << 10;
        constexpr std::size_t lines = 1000;
        contracts::memory_objects objects;
        for (std::size_t i = 0; i < lines; ++i) {
            std::vector<std::byte> bytes(line_size);
            std::memcpy(bytes.data(), &i, sizeof i);
            objects.put(std::to_string(i), std::move(bytes));
        }
        // Under a limit that refuses the addresses of the whole capacity, so that the cache takes
        // its memory in parts.
        static_assert(lines * line_size > 2 * room);
        if (!limit_memory(room)) return 2;
        line_cache cache(objects, {.line_size = line_size, .capacity = lines * line_size});
        return exhaust([&](std::size_t i) { return cache.get(std::to_string(i % lines), 0); },
                       [](const line& got, std::size_t i) {
                           const std::size_t number = i % lines;
                           return std::memcmp(got.bytes().data(), &number, sizeof number) == 0;
                       });
    });
}

}  // namespace
}  // namespace freehold::memory_limits_test
