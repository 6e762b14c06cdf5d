// SPDX-License-Identifier: BSL-1.0
// A long test, which is started by hand: a billion operations on pools, by threads that start and
// end. It checks each block. It prints one line, and exits with status 1 if it found a fault.
//
// Threads allocate and free bursts of random sizes, one by one or in bulk. They keep some blocks,
// and leave others for the next thread. A block in use carries a pattern that identifies its
// allocation. A free block carries a mark, because no pool touches a free block. So the test
// notices a block that two threads have at once, or that other code writes to.
#include <freehold/memory/pool.hpp>

#include "soak/marked_block.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <memory>
#include <mutex>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace soak {
namespace {

using freehold::exhaustion;
using freehold::pool;
using freehold::pool_options;

// A pool, and some of its blocks, which any thread may free.
struct shared_pool {
    explicit shared_pool(const pool_options& options) : blocks(options) {}

    pool blocks;
    std::mutex mutex;
    std::vector<marked_block> left;
};

pool_options named(const char* name, std::size_t block_size) {
    pool_options asked;
    asked.name = name;
    asked.block_size = block_size;
    return asked;
}

std::vector<std::unique_ptr<shared_pool>> make_pools() {
    std::vector<std::unique_ptr<shared_pool>> pools;
    pool_options packets = named("packets", 2048);
    packets.alignment = 64;
    packets.initial_capacity = 4096;
    pools.push_back(std::make_unique<shared_pool>(packets));

    pools.push_back(std::make_unique<shared_pool>(named("small", 32)));

    pool_options few = named("few at a time", 256);
    few.magazine_size = 3;
    few.growth = 50;
    pools.push_back(std::make_unique<shared_pool>(few));

    pool_options limited = named("limited", 128);
    limited.maximum_capacity = 6000;
    limited.on_exhaustion = exhaustion::return_null;
    pools.push_back(std::make_unique<shared_pool>(limited));

    pool_options throwing = named("throwing", 640);
    throwing.maximum_capacity = 3000;
    throwing.magazine_size = 64;
    pools.push_back(std::make_unique<shared_pool>(throwing));

    pool_options borrowing = named("borrowing", 320);
    borrowing.maximum_capacity = 3000;
    borrowing.on_exhaustion = exhaustion::use_upstream;
    pools.push_back(std::make_unique<shared_pool>(borrowing));

    pool_options growing = named("growing", 96);
    growing.maximum_capacity = 1000;
    growing.growth = 100;
    growing.on_exhaustion = exhaustion::grow;
    pools.push_back(std::make_unique<shared_pool>(growing));
    return pools;
}

class worker {
public:
    worker(std::uint64_t seed, std::uint64_t budget, const std::atomic<bool>& stopped)
        : random_(seed), budget_(budget), stopped_(&stopped) {}

    // Returns how many blocks it allocated and freed.
    std::uint64_t run(const std::vector<std::unique_ptr<shared_pool>>& pools) {
        // This pool lives briefly. It is destroyed while other threads make and destroy theirs.
        shared_pool own(named("one thread's own", 64));
        while (done_ < budget_ && !stopped_->load(std::memory_order_relaxed)) {
            const std::size_t choice = random_() % (pools.size() + 1);
            use(choice == pools.size() ? own : *pools[choice]);
        }
        const auto left_over = own.blocks.statistics();
        if (left_over.in_use != own.left.size()) {
            throw std::runtime_error("pool '" + own.blocks.name() +
                                     "' has lost count of its blocks");
        }
        free_all(own.blocks, own.left);
        return done_;
    }

private:
    // Does a few bursts of allocations and frees. It leaves the remaining blocks for the next
    // thread.
    void use(shared_pool& used) {
        std::vector<marked_block> mine;
        {
            const std::lock_guard lock(used.mutex);
            mine.swap(used.left);
        }
        for (std::uint64_t bursts = 1 + random_() % 64; bursts > 0; --bursts) {
            const std::size_t size = random_() % 16 == 0 ? random_() % 700 : 1 + random_() % 64;
            if (mine.size() < 2000 && random_() % 2 == 0) {
                allocate(used.blocks, size, mine);
            } else {
                std::vector<marked_block> leaving;
                for (std::size_t n = std::min(size, mine.size()); n > 0; --n) {
                    std::swap(mine[random_() % mine.size()], mine.back());
                    leaving.push_back(mine.back());
                    mine.pop_back();
                }
                free_all(used.blocks, leaving);
            }
        }
        if (random_() % 32 == 0) used.blocks.release_thread_cache();
        {
            const std::lock_guard lock(used.mutex);
            mine.swap(used.left);
        }
        free_all(used.blocks, mine);
    }

    void allocate(pool& from, std::size_t size, std::vector<marked_block>& mine) {
        places_.assign(size, nullptr);
        std::size_t had = 0;
        try {
            if (random_() % 2 == 0) {
                had = from.allocate_bulk(places_);
            } else {
                while (had < size && (places_[had] = from.allocate()) != nullptr) ++had;
            }
        } catch (const freehold::pool_exhausted&) {
            // Continues with the blocks that were allocated one by one. A bulk allocation that
            // throws returns none.
        }
        for (std::size_t i = 0; i < had; ++i) {
            mine.push_back(marked_block::make(from, places_[i], random_()));
        }
        done_ += had;
    }

    void free_all(pool& to, std::vector<marked_block>& leaving) {
        places_.clear();
        for (const marked_block& each : leaving) places_.push_back(each.unmark(to));
        if (random_() % 2 == 0) {
            to.deallocate_bulk(places_);
        } else {
            for (void* const each : places_) to.deallocate(each);
        }
        done_ += leaving.size();
        leaving.clear();
    }

    std::mt19937_64 random_;
    std::uint64_t budget_;
    const std::atomic<bool>* stopped_;
    std::uint64_t done_ = 0;
    std::vector<void*> places_;
};

void expect_nothing_lost(shared_pool& used) {
    std::vector<void*> places;
    for (const marked_block& each : used.left) places.push_back(each.unmark(used.blocks));
    used.blocks.deallocate_bulk(places);
    used.blocks.release_thread_cache();
    const freehold::pool_statistics last = used.blocks.statistics();
    if (last.in_use != 0 || last.cached != 0 || last.in_depot != last.capacity ||
        last.allocations != last.frees) {
        throw std::runtime_error(
            "pool '" + used.blocks.name() + "' lost blocks: of " + std::to_string(last.capacity) +
            " there are " + std::to_string(last.in_depot) + " in the depot, " +
            std::to_string(last.cached) + " cached and " + std::to_string(last.in_use) +
            " in use, after " + std::to_string(last.allocations) + " allocations and " +
            std::to_string(last.frees) + " frees");
    }
}

struct soak_options {
    std::uint64_t operations = 1'000'000'000;
    unsigned threads = 4;
    std::uint64_t seed = 1;
};

// Throws the first error that a thread found.
void run(const soak_options& options) {
    const auto pools = make_pools();
    std::atomic<std::uint64_t> done{0};
    std::atomic<std::uint64_t> lives{0};
    std::atomic<bool> stopped{false};
    std::mutex mutex;
    std::exception_ptr failure;
    // Each member starts one thread after another until all operations are done.
    const auto be_reborn = [&](std::uint64_t member) {
        std::mt19937_64 random(options.seed * 1'000'003 + member);
        while (done.load() < options.operations && !stopped.load()) {
            const std::uint64_t share = (options.operations - done.load()) / options.threads + 1;
            worker life(random(), std::min(share, 10'000 + random() % 2'000'000), stopped);
            std::thread([&] {
                try {
                    done.fetch_add(life.run(pools));
                    lives.fetch_add(1);
                } catch (...) {
                    const std::lock_guard lock(mutex);
                    if (failure == nullptr) failure = std::current_exception();
                    stopped.store(true);
                }
            }).join();
        }
    };
    std::vector<std::thread> workers;
    for (unsigned member = 0; member < options.threads; ++member) {
        workers.emplace_back(be_reborn, member);
    }
    for (std::thread& each : workers) each.join();
    if (failure != nullptr) std::rethrow_exception(failure);
    for (const auto& each : pools) expect_nothing_lost(*each);
    std::cout << "pool_soak: " << done.load() << " operations by " << lives.load() << " threads, "
              << options.threads << " at a time, on " << pools.size()
              << " shared pools and one of each thread's own: every block intact, none lost\n";
}

}  // namespace
}  // namespace soak

int main(int argc, char** argv) {
    CLI::App app("Checks freehold::pool with many operations on many threads");
    soak::soak_options options;
    const CLI::Validator positive(
        [](const std::string& given) {
            const bool is_number = given.find_first_not_of("0123456789") == std::string::npos;
            const bool is_zero = given.find_first_not_of('0') == std::string::npos;
            return is_number && !is_zero ? "" : "'" + given + "' is not a number from 1 on";
        },
        "");
    app.add_option("--operations", options.operations, "blocks allocated and freed, in all")
        ->check(positive)
        ->capture_default_str();
    app.add_option("--threads", options.threads, "the number of threads at a time")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    app.add_option("--seed", options.seed, "the seed of all random choices")->capture_default_str();
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 1;
    }
    try {
        soak::run(options);
    } catch (const std::exception& error) {
        std::cerr << "pool_soak: " << error.what() << " (--seed " << options.seed << ")\n";
        return 1;
    }
    return 0;
}
