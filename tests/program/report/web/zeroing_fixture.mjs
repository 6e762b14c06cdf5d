// SPDX-License-Identifier: BSL-1.0
// The suite `zeroing` of results_fixture.mjs: every way to make a line, every filling, and the
// seed's program.

// seconds for a GiB beside the copy: in page faults and in memset, every line kept; and faults
const ways = {
    floor: [0, 0, 0],
    "freehold::pool": [0.01, 0, 0],
    "freehold::pool, huge": [0.0004, 0, 0],
    "freehold::page_resource": [0.41, 0, 262144],
    "freehold::page_resource, prefaulted": [0.33, 0, 262144],
    "freehold::page_resource, huge": [0.03, 0, 512],
    "freehold::page_resource, huge, prefaulted": [0.035, 0, 512],
    "freehold::default_init_allocator": [0.42, 0, 262272],
    "std::make_shared": [0.42, 0.06, 262272],
    "std::make_shared, constructor": [0.42, 0, 262272],
    "std::make_shared_for_overwrite": [0.42, 0, 262272],
    "std::vector": [0.42, 0.06, 262272],
    "boost::make_shared_noinit": [0.42, 0, 262272],
    calloc: [0.42, 0.002, 262272],
    mimalloc: [0.43, 0, 262704],
    jemalloc: [0.45, 0, 262704],
    tcmalloc: [0.41, 0, 262568],
};
const copies = {memcpy: 0.038, pread: 0.15, "TCP receive": 0.18};
const seed = {
    "seed, small": [0.5, 0.49],
    "seed, large": [0.1, 0.00001],
    "seed, small, written": [0.52, 0.5],
    "seed, large, written": [0.12, 0.1],
};

/// timed(key, unit, value) adds a cell, of one compiler each.
export function add_zeroing(timed) {
    const line = (competitor, test, copy, kernel, memset, faults) => {
        const cell = (part, unit, value) => timed({competitor, test: test + part}, unit, value);
        cell("", "s/GiB", copy + kernel + memset);
        cell(", user", "s/GiB", copy + memset);
        cell(", system", "s/GiB", kernel);
        cell(", wall", "s/GiB", 1.2 * (copy + kernel + memset));
        cell(", memset", "s/GiB", memset);
        cell(", faults", "faults/GiB", faults);
    };
    for (const [way, [kernel, memset, faults]] of Object.entries(ways))
        for (const [filling, copy] of Object.entries(copies)) {
            line(way, `${filling}, kept`, copy, kernel, memset, faults);
            line(way, `${filling}, ring`, copy, kernel / 8, memset, faults / 8);
        }
    const after = "memcpy, kept, after a fork";
    line("freehold::pool", after, 0.038, 0.8, 0, 262144);
    line("freehold::pool, huge", after, 0.038, 0, 0, 0);
    for (const [test, [without, with_constructor]] of Object.entries(seed)) {
        timed({competitor: "std::make_shared", test, n: 1}, "s", without);
        timed({competitor: "std::make_shared, constructor", test, n: 1}, "s", with_constructor);
    }
}
