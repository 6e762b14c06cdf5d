// SPDX-License-Identifier: BSL-1.0
// A result file with every case of every suite that lab/suites/*/suite.json describes (the variable
// FREEHOLD_SUITES). Figures are made up; each subject has one of its own.

import {existsSync, readFileSync, readdirSync} from "node:fs";
import {join} from "node:path";

/// Text that must never become part of the page's markup.
export const hostile = `</script><script>window.taken = 1</script><img src=x onerror="window.taken = 1">`;

const families = {
    lower_bound: ["Lower bounds", "raw", "dumb", "lower_bound", "plain_pair"],
    strategy: ["Strategies of 2000", "simple_counted", "special_counted", "intrusive", "linked", "cyclic"],
    freehold: [
        "Freehold", "freehold.make_shared", "freehold.make_shared.biased", "freehold.arc",
        "freehold.pool", "freehold.pool.huge", "freehold.line_cache", "freehold.buffer_cache",
        "greedy_dual_fit",
    ],
    policy: ["Policies of 2006", "keep_largest", "keep_first_below"],
    standard: [
        "Standard", "std.unique_ptr", "std.make_shared", "std.shared_ptr", "std.shared_ptr.new",
        "new_and_delete.kept",
    ],
    boost: ["Boost", "boost.make_shared", "boost.make_shared_noinit", "boost.intrusive_ptr"],
    allocator: ["Allocators", "glibc", "rte_mempool.ring"],
    other: ["Others", "boehm", "libcurl.std.make_shared", "libcurl.one_buffer"],
};
const folded = new Set(["simple_counted", "boost.make_shared_noinit", "std.shared_ptr.new"]);

const subjects = Object.entries(families).flatMap(([family, [, ...keys]]) =>
    keys.map((key) => ({key, name: key, family, folded: folded.has(key), single: key === "raw"})),
);

const sizes = {threads: [1, 2, 4], copies: [0, 2, 4, 8, 16], part: [1, 2, 3, 4], step: [0, 10000, 20000]};

/// A suite of many cases measures fewer subjects, as in a real report: those that it names, and some others.
function subjects_of(suite) {
    if (suite.cases.length < 40) return subjects;
    const text = JSON.stringify(suite);
    return subjects.filter(({key}, at) => at % 3 === 0 || text.includes(key));
}

function measured(suite) {
    return suite.cases.flatMap(({key, unit, parameter}, i) =>
        subjects_of(suite).flatMap((subject, at) =>
            (parameter ? (sizes[parameter] ?? [64, 1024]) : [undefined]).map((n) => {
                const value = unit === "%" ? 50 + at : (at + 2) * (1 + (i % 5)) + (n ?? 0) / 10;
                const samples = [1, 2, 3].map((p) => [0.98, 1, 1.02].map((r) => value * r * (1 + p / 500)));
                return {lab: "g++", process: "threaded", subject: subject.key, case: key, n, unit, samples};
            }),
        ),
    );
}

export function make_results() {
    const folder = process.env.FREEHOLD_SUITES;
    const suites = {};
    for (const name of readdirSync(folder)) {
        const file = join(folder, name, "suite.json");
        if (!existsSync(file)) continue;
        const description = JSON.parse(readFileSync(file, "utf8"));
        suites[name] = {
            complete: true,
            seconds: 1,
            measured_by: {"g++": subjects.length},
            description,
            measurements: measured(description),
            skipped: [],
        };
    }
    return {
        format: "freehold-results",
        version: 2,
        created: "2026-01-02T03:04:05Z",
        mode: "default",
        library: {version: "0.1.0"},
        environment: {facts: [{name: "processor", value: hostile}], warnings: []},
        labs: [{name: "g++", compiler: "g++ 12", flags: "-O3", standard_library: "libstdc++ 12"}],
        families: Object.entries(families).map(([key, [name]]) => ({key, name})),
        subjects,
        suites,
    };
}
