// SPDX-License-Identifier: BSL-1.0
// The suite `packets` of results_fixture.mjs: every competitor and test of lab/README.md, and some
// that are missing.

// nanoseconds a packet: left as it is by its constructor, and zeroed
const ways = {
    "std::shared_ptr(new)": [41, 66],
    "std::make_shared": [33, 57],
    "std::shared_ptr(pool, deleter)": [9.9, 34],
    "std::allocate_shared(pool)": [2.7, 24],
    "new and delete": [30, 54],
    "freehold::pool": [0.6, 0.6],
    "std::make_shared_for_overwrite": [33, 57],
    "std::allocate_shared_for_overwrite(pool)": [2.7, 24],
    "freehold::make_shared": [31, 55],
    "freehold::make_shared_for_overwrite": [31, 55],
    "freehold::allocate_shared(pool)": [2.2, 24],
    "freehold::allocate_shared_for_overwrite(pool)": [2.2, 24],
    "freehold::allocate_arc(pool)": [1.6, 23],
    "freehold::allocate_arc_for_overwrite(pool)": [1.6, 23],
};

// nanoseconds a packet within a thread (in a burst) and from one to another (64 bytes touched)
const sources = {
    floor: [1.2, 3.6],
    "freehold::pool": [1.3, 3.9],
    "freehold::pool, one by one": [1.4, 4.4],
    "freehold::pool, not counted": [1.25, 3.8],
    "rte_mempool, ring": [4.3, 7.4],
    "rte_mempool, stack": [4.5, 7.2],
    "rte_mempool, lf_stack": [5.1, 8.8],
    glibc: [17, 702],
    mimalloc: [27, 47],
    jemalloc: [27, 93],
    TBB: [14, 61],
    "boost::singleton_pool": [11, 137],
    "boost::fast_pool_allocator": [12, 151],
    "foonathan::memory": [13, 183],
    "std::pmr::synchronized_pool_resource": [31, 240],
    "mutex and vector": [15, 120],
};
const within = {one: 0.4, burst: 1, bulk: 0.6, fifo: 1.6};
const touched = {untouched: 0.8, "64 bytes": 1, "whole packet": 10};

const shared = {
    floor: 10.6,
    "floor, arc": 4.1,
    ...Object.fromEntries(
        Object.entries(sources)
            .filter(([name]) => !/^floor|one by one|not counted/.test(name))
            .map(([name, [, across]]) => [`std::allocate_shared over ${name}`, across + 6]),
    ),
    "freehold::allocate_shared(pool)": 10.9,
    "freehold::allocate_arc(pool)": 10.2,
    "freehold::allocate_arc(pool), bursts": 5.2,
    "freehold::allocate_arc(pool), bursts, not checked": 5.1,
};

// bytes of a packet that are zeroed unasked: with the lab's own library and with libc++
const zeroed = {
    "std::make_shared": [0, 2048],
    "std::allocate_shared(pool)": [0, 0],
    "freehold::allocate_arc(pool)": [0, 0],
};

/// timed(key, nanoseconds), exact(key, bytes, note) and skip(cell) add a cell, of one
/// compiler each.
export function add_packets({timed, exact, skip}) {
    const time = (competitor, test, centre) => timed({competitor, test}, centre);
    for (const [way, [plain, filled]] of Object.entries(ways)) {
        time(way, "six ways", plain);
        time(way, "six ways, zeroed", filled);
    }
    for (const [source, [own, other]] of Object.entries(sources)) {
        for (const [pattern, share] of Object.entries(within))
            time(source, `same thread, ${pattern}`, own * share);
        for (const [how, share] of Object.entries(touched)) {
            time(source, `across, ${how}`, 1 + other * share);
            time(source, `several, ${how}`, 2 + other * 2 * share);
        }
    }
    time("std::pmr::unsynchronized_pool_resource", "same thread, one", 9);
    for (const [handle, other] of Object.entries(shared))
        for (const [how, share] of Object.entries(touched)) {
            time(handle, `shared across, ${how}`, 1 + other * share);
            time(handle, `shared several, ${how}`, 2 + other * 2 * share);
        }
    for (const [way, [own, libcxx]] of Object.entries(zeroed)) {
        const probe = (test, bytes) =>
            exact({competitor: way, test}, bytes, bytes > 0 ? "memset" : "nothing");
        probe("zeroing probe", own);
        probe("zeroing probe, zeroed", 2048);
        probe("zeroing probe, no constructor", way.includes("overwrite") ? own : 2048);
        probe("zeroing probe, libc++", libcxx);
        probe("zeroing probe, zeroed, libc++", 2048);
    }
    for (const test of ["same thread, one", "across, 64 bytes"])
        skip({competitor: "tcmalloc", test, reason: "libgoogle-perftools-dev is not installed"});
}
