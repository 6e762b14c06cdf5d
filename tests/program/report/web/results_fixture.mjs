// SPDX-License-Identifier: BSL-1.0
// A result file as docs/results.md specifies it, every competitor of lab/README.md on two
// compilers. The figures are made up but not arbitrary: an atomic copy is a locked add, a linked
// one touches two neighbours, and so on. node results_fixture.mjs OUTPUT.json writes it.

import {writeFileSync} from "node:fs";
import {resolve} from "node:path";
import {fileURLToPath} from "node:url";

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
};
const alone = {
    raw: [14.0, 0.5],
    dumb: [14.1, 0.5],
    "std::unique_ptr": [14.3, 0.8],
    "std::shared_ptr": [33.0, 1.9],
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
        for (const [competitor, [acquire, copy, handle, beyond]] of Object.entries(competitors)) {
            times("threaded", competitor, acquire, copy);
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
