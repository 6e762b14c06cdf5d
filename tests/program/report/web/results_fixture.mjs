// SPDX-License-Identifier: BSL-1.0
// A result file as docs/results.md specifies it, every competitor of lab/README.md on two
// compilers. The figures are made up but not arbitrary: an atomic copy is a locked add, a linked
// one touches two neighbours, and so on. node results_fixture.mjs OUTPUT.json writes it.

import {writeFileSync} from "node:fs";
import {resolve} from "node:path";
import {fileURLToPath} from "node:url";
import {add_buffers} from "./buffers_fixture.mjs";
import {add_packets} from "./packets_fixture.mjs";
import {add_zeroing} from "./zeroing_fixture.mjs";

// nanoseconds to acquire and release, nanoseconds a copy, bytes of the handle, bytes beyond the
// object
const competitors = {
    raw: [14.0, 0.5, 8, 8],
    dumb: [14.1, 0.5, 8, 8],
    "simple counted": [31.0, 1.1, 16, 40],
    "special counted": [18.2, 1.0, 16, 24],
    intrusive: [15.0, 1.0, 8, 16],
    linked: [15.6, 2.2, 24, 8],
    cyclic: [19.1, 1.3, 8, 32],
    "simple counted, atomic": [36.4, 10.2, 16, 40],
    "special counted, atomic": [23.3, 10.1, 16, 24],
    "intrusive, atomic": [20.1, 9.9, 8, 16],
    "std::unique_ptr": [14.3, 0.8, 8, 8],
    "std::shared_ptr": [37.0, 10.6, 16, 40],
    "boost::shared_ptr": [36.6, 10.4, 16, 40],
    "boost::local_shared_ptr": [52.0, 1.5, 16, 72],
    "boost::intrusive_ptr": [15.2, 1.05, 8, 16],
    "boost::intrusive_ptr, atomic": [20.6, 10.0, 8, 16],
    "Loki linked": [16.4, 2.6, 24, 8],
    "freehold::shared_ptr": [22.4, 10.3, 16, 32],
    "freehold::shared_ptr, local": [22.1, 1.1, 16, 32],
    "freehold::shared_ptr, biased": [22.3, 1.6, 16, 32],
    "freehold::make_shared": [4.1, 10.2, 16, 24],
    "freehold::make_shared, local": [4.0, 1.1, 16, 24],
    "freehold::make_shared, biased": [4.2, 1.5, 16, 24],
    "freehold::arc": [2.2, 10.1, 8, 12],
    "freehold::arc, local": [2.0, 1.0, 8, 12],
    "freehold::arc, biased": [2.4, 1.3, 8, 12],
    "intrusive, biased": [15.4, 1.4, 8, 16],
    "std::make_shared": [10.8, 10.6, 16, 28],
    "std::__shared_ptr, single": [10.1, 1.4, 16, 28],
    "boost::make_shared": [34.0, 10.4, 16, 44],
    "boost::make_shared_noinit": [34.2, 10.4, 16, 44],
    "boost::shared_ptr, quick allocator": [24.2, 10.4, 16, 40],
    "boost::make_local_shared": [48.0, 1.5, 16, 60],
    "llvm::IntrusiveRefCntPtr": [15.1, 1.1, 8, 16],
    "llvm::IntrusiveRefCntPtr, atomic": [20.4, 10.2, 8, 16],
    QSharedPointer: [38.0, 20.4, 16, 40],
    "QSharedPointer::create": [21.0, 20.4, 16, 32],
};
const without_weak =
    /^(raw|dumb|simple|special|intrusive|linked|std::unique|boost::intr|Loki|llvm)/;
/// Of the peers that run in executables of their own.
const peers = {
    "std::shared_ptr, libc++": [33.0, 10.7],
    "std::make_shared, libc++": [11.4, 10.7],
    Rc: [9.7, 0.8],
    Arc: [17.1, 12.1],
    "triomphe::Arc": [11.2, 11.6],
};
const pairs = {"plain pair": 0.95, "locked pair": 10.0};
/// The article's program: nanoseconds without optimisation and with it.
const article = {
    "new and delete": [11.8, 9.1],
    "new and delete, kept": [12.0, 9.4],
    "std::unique_ptr(new)": [26.0, 9.2],
    "std::make_unique": [29.0, 9.3],
    "std::shared_ptr(new)": [52.0, 21.0],
    "std::make_shared": [88.0, 10.6],
    "freehold::shared_ptr(new)": [48.0, 13.0],
    "freehold::make_shared": [55.0, 3.4],
    "freehold::make_arc": [30.0, 1.3],
};
const threaded = new Set([
    "raw",
    "intrusive, atomic",
    "intrusive, biased",
    "freehold::make_shared",
    "freehold::make_shared, biased",
    "freehold::arc",
    "freehold::arc, biased",
    "std::make_shared",
    "boost::make_shared",
    "boost::intrusive_ptr, atomic",
]);
const alone = {
    raw: [14.0, 0.5],
    dumb: [14.1, 0.5],
    "std::unique_ptr": [14.3, 0.8],
    "std::shared_ptr": [33.0, 1.9],
    "std::make_shared": [9.1, 1.9],
};
const rings = {cyclic: 48, Boehm: 80, "std::shared_ptr, cut by hand": 56};
const labs = {"g++": 1, "clang++": 1.06};

export const hostile =
    "</script><script>window.taken = 1</script><!-- <img src=x onerror='window.taken = 1'> & \"";

function noise(seed) {
    let state = seed;
    const uniform = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
    return () => Math.sqrt(-2 * Math.log(uniform() + 1e-12)) * Math.cos(2 * Math.PI * uniform());
}

export function make_results() {
    const normal = noise(20000801);
    const samples = (centre, spread) =>
        Array.from({length: 3}, () => {
            const process = 1 + spread * normal();
            return Array.from({length: 5}, () => centre * process * (1 + spread * normal()));
        });
    const suites = {};
    const add = (suite, measurement) => {
        suites[suite] ??= {complete: true, seconds: 12.5, measurements: [], skipped: []};
        suites[suite].measurements.push(measurement);
    };
    const timed = (suite, key, unit, centre, spread = 0.008) =>
        add(suite, {...key, unit, samples: samples(centre, spread)});
    const exact = (key, unit, value, note) =>
        add("footprint", {...key, unit, samples: [[value]], exact: true, ...(note ? {note} : {})});

    for (const [lab, factor] of Object.entries(labs)) {
        const times = (process, competitor, acquire, copy) => {
            const key = {lab, process, competitor};
            for (const n of [0, 2, 4, 8, 16, 32])
                timed("operations", {...key, test: "hold", n}, "ns", (acquire + copy * n) * factor);
            const tests = {
                "vector fill": 0.01,
                "vector sort": 0.045,
                "list fill": 0.016,
                "list sort": 0.072,
            };
            for (const [test, floor] of Object.entries(tests))
                timed(
                    "containers",
                    {...key, test, n: 300000},
                    "s",
                    (floor + copy * 0.006 + acquire * 0.0002) * factor,
                );
        };
        /// One operation at a time, and construction.
        const steps = (competitor, make, copy) => {
            const key = {lab, process: "threaded", competitor};
            timed("operations", {...key, test: "copy"}, "ns", copy * factor);
            timed("operations", {...key, test: "move"}, "ns", (0.3 + make / 8) * factor);
            if (!without_weak.test(competitor))
                timed("operations", {...key, test: "lock"}, "ns", (0.4 + copy * 1.2) * factor);
            timed("construction", {...key, test: "one"}, "ns", (make - 1) * factor);
            timed("construction", {...key, test: "1024 alive"}, "ns", make * 1.9 * factor);
            for (const [test, share] of Object.entries({fill: 1, refill: 0.8}))
                timed(
                    "construction",
                    {...key, test, n: 300000},
                    "s",
                    (0.004 + share * make * 0.0007) * factor,
                );
        };
        const together = (competitor, make, copy) => {
            const key = {lab, process: "threaded", competitor};
            for (const n of [1, 2, 4]) {
                const waiting = copy > 5 ? 1 + 3 * (n - 1) : 1;
                timed("threads", {...key, test: "one object", n}, "ns", copy * waiting * factor);
                timed("threads", {...key, test: "an object each", n}, "ns", copy * factor);
            }
            const biased = competitor.endsWith("biased");
            timed("threads", {...key, test: "owner"}, "ns", copy * factor);
            timed("threads", {...key, test: "non-owner"}, "ns", biased ? 9.4 : copy * factor);
            timed("threads", {...key, test: "after sharing"}, "ns", biased ? 9.3 : copy * factor);
            timed("threads", {...key, test: "hand-over"}, "ns", (8 + make) * factor);
        };
        for (const [competitor, [acquire, copy, handle, beyond]] of Object.entries(competitors)) {
            times("threaded", competitor, acquire, copy);
            steps(competitor, acquire, copy);
            if (threaded.has(competitor)) together(competitor, acquire, copy);
            const key = {lab, process: "threaded", competitor};
            exact({...key, test: "handle"}, "bytes", handle);
            exact({...key, test: "beyond the object"}, "bytes", beyond);
            exact({...key, test: "text per type"}, "bytes", Math.round(60 + acquire * 9 * factor));
            ["ptr()", "ptr(p)", "ptr(ptr)", "op=", "~ptr()"].forEach((operation, i) => {
                const instructions = Math.round((2 + acquire / 4 + copy * i) * factor);
                exact(
                    {...key, test: `${operation} instructions`},
                    "instructions",
                    instructions,
                    "IOV"[(handle + i) % 3],
                );
                exact({...key, test: `${operation} bytes`}, "bytes", instructions * 3 + 2);
            });
        }
        for (const [competitor, [make, copy]] of Object.entries(peers))
            steps(competitor, make, copy);
        for (const [competitor, copy] of Object.entries(pairs))
            timed("operations", {lab, process: "threaded", competitor, test: "copy"}, "ns", copy);
        for (const [competitor, [plain, optimised]] of Object.entries(article))
            for (const library of ["libstdc++", "libc++"]) {
                const key = {lab, process: "threaded", competitor};
                // clang++ deletes the pair where nothing keeps it.
                const deleted =
                    lab === "clang++" && /^(new and delete|std::.*uniq.*)$/.test(competitor);
                const left = deleted ? 0.3 : optimised;
                timed("construction", {...key, test: `seed -O0 ${library}`}, "ns", plain * factor);
                timed("construction", {...key, test: `seed -O3 ${library}`}, "ns", left * factor);
            }
        for (const [competitor, [acquire, copy]] of Object.entries(alone))
            times("single", competitor, acquire, copy);
        const shapes = {
            ring: 1,
            "ring beside a million": 1.1,
            "ring with a live head": 1.2,
            chain: 0.4,
            "random graph": 0.9,
        };
        for (const [competitor, ring] of Object.entries(rings))
            for (const [test, share] of Object.entries(shapes)) {
                const key = {lab, process: "threaded", competitor};
                timed("cycles", {...key, test}, "ns", ring * share * factor, 0.02);
                timed("cycles", {...key, test: `${test} pause`}, "ms", (ring * share) / 90, 0.05);
            }
        const packet = {lab, process: "threaded"};
        add_packets({
            timed: (key, centre) => timed("packets", {...packet, ...key}, "ns", centre * factor),
            exact: (key, value, note) =>
                add("packets", {
                    ...packet,
                    ...key,
                    unit: "bytes",
                    samples: [[value]],
                    exact: true,
                    note,
                }),
            skip: (cell) => suites.packets.skipped.push({lab, ...cell}),
        });
        add_zeroing((key, unit, value) =>
            timed("zeroing", {...packet, ...key}, unit, value * factor),
        );
        add_buffers({
            timed: (key, unit, centre) => timed("buffers", {...packet, ...key}, unit, centre * factor),
            exact: (key, unit, value, note) =>
                add("buffers", {...packet, ...key, unit, samples: [[value]], exact: true, note}),
            first: lab === Object.keys(labs)[0],
        });
        suites.cycles.skipped.push({
            lab,
            competitor: "Boehm",
            test: "deep chain",
            reason: "not built here",
        });
    }
    return {
        format: "freehold-results",
        version: 1,
        created: "2026-01-12T10:22:00Z",
        mode: "default",
        library: {version: "0.1.0", commit: "0123456789abcdef"},
        environment: {
            facts: [
                {name: "processor", value: "Example 3000, 2 cores"},
                {name: "caches", value: "L1d 32 KiB, L2 512 KiB"},
                {name: "kernel", value: "Linux 6.1.0"},
                {name: "governor", value: "performance"},
                {name: "a fact that is markup", value: hostile},
            ],
            warnings: [
                {
                    problem: "The load average is 1.8 on 2 cores.",
                    remedy: "Close what else runs and measure again.",
                },
            ],
        },
        labs: Object.keys(labs).map((name) => ({
            name,
            compiler: `${name} 12.2.0`,
            flags: "-O3 -DNDEBUG",
            standard_library: "libstdc++ 12",
            peers: [
                {name: "Boost", version: "1.74"},
                {name: "Loki", version: "0.1.7"},
            ],
        })),
        suites,
    };
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url))
    writeFileSync(process.argv[2], JSON.stringify(make_results(), null, 1));
