// SPDX-License-Identifier: BSL-1.0
// The suite `buffers` of results_fixture.mjs: the article's program, every policy in two workloads,
// and what a get and a put take.

// idle bytes of a setting: hits of 100 by each policy. A curve that comes nearer to 100 the more
// bytes there are.
const policies = {
    "offline optimum": 0.8,
    greedy_dual_fit: 1.1,
    keep_largest: 9,
    keep_first_below: 8,
    linear_buckets: 4,
    geometric_buckets: 3.1,
    power_of_two_buckets: 4.2,
    ".NET ArrayPool": 5,
    Netty: 3,
    bytebufferpool: 6,
    Jetty: 4.6,
    "jemalloc tcache": 2.6,
};
const workloads = {article: 4096, "across threads": 262144};
const settings = 6;

const sizes = [64, 1024, 16384, 1048576];
const times = {
    floor: [1.2, 1.2, 1.3, 1.3],
    "freehold::buffer_cache": [4.1, 4.2, 4.3, 4.4],
    "freehold::buffer_cache, session": [3.2, 3.2, 3.3, 3.4],
    "freehold::buffer_cache, not counted": [3.9, 4.0, 4.0, 4.2],
    glibc: [8, 11, 65, 63000],
    mimalloc: [6, 7, 12, 900],
    jemalloc: [9, 10, 22, 800],
    tcmalloc: [7, 8, 60, 900],
};
const across = {floor: 8, "freehold::buffer_cache": 21, glibc: 60, mimalloc: 34};

/// What the article's program prints of step 37900, and a course that begins there.
const printed = {
    keep_largest: [91, 29600, 1911900],
    keep_first_below: [91, 29600, 30600],
};

/// `timed(key, unit, value)` adds a cell that was timed, `exact(key, unit, value, note)` one that was
/// counted; policies are played by the `first` compiler alone.
export function add_buffers({timed, exact, first}) {
    for (const [competitor, [buffers, asked, handed_out]] of Object.entries(printed)) {
        const cell = (test, unit, value) =>
            exact({competitor, test: `article, ${test}`, n: 37900}, unit, value);
        cell("buffers", "buffers", buffers);
        cell("bytes asked for", "bytes", asked);
        cell("bytes handed out", "bytes", handed_out);
        cell("used", "%", (asked * 100) / handed_out);
    }
    if (first) {
        const course = {keep_largest: 3, keep_first_below: 96, greedy_dual_fit: 99.2};
        for (const [competitor, used] of Object.entries(course))
            for (let n = 0; n <= 1000000; n += 10000)
                {
                    const here = n === 0 ? 100 : used + 0.7 * Math.sin(n / 7e4);
                    exact({competitor, test: "article, used", n}, "%", here);
                }
        for (const [workload, bytes] of Object.entries(workloads))
            for (const [competitor, worse] of Object.entries(policies))
                for (let n = 1; n <= settings; ++n) {
                    const idle = bytes * 2 ** (n - 1) * (1 + worse / 20);
                    const misses = 100 / (1 + (6 * 2 ** n) / worse);
                    const key = {competitor, n};
                    const note = `${(bytes * 2 ** n) / 1024} KiB at most`;
                    const cell = (test, unit, value) =>
                        exact({...key, test: `${workload}: ${test}`}, unit, value, note);
                    cell("hit rate", "%", 100 - misses);
                    cell("used", "%", competitor === "keep_largest" ? 4 : 100 - worse / 3);
                    cell("idle", "bytes", idle);
                    cell("allocator calls", "calls", 10 * misses);
                    timed({...key, test: `${workload}: time saved`}, "%", 100 - 1.1 * misses);
                }
    }
    for (const [competitor, all] of Object.entries(times))
        sizes.forEach((n, i) => timed({competitor, test: "get and put", n}, "ns", all[i]));
    timed({competitor: "keep_first_below", test: "get and put", n: 1024}, "ns", 22);
    for (const [competitor, time] of Object.entries(across))
        for (const n of [64, 16384])
            timed({competitor, test: "returned across threads", n}, "ns", time);
    for (const n of sizes)
        timed({competitor: "glibc", test: "allocator price", n}, "ns", 5 + n / 16);
}
