// SPDX-License-Identifier: BSL-1.0
// The page's tables equal the result file's figures. What they should say is computed here, from
// the raw samples: medians by sorting, lines by the normal equations.

import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {test} from "node:test";
import {assert_cell, cell_by_key, median, with_tables} from "./figures.mjs";
import {cells_of, has_row, held_cells, results} from "./report.mjs";

/// Least squares: {initialisation, copy}, each with twice its standard error.
function line_through(points) {
    const sum = (of) => points.reduce((total, point) => total + of(point), 0);
    const count = points.length;
    const [x, y, xx, xy] = [
        sum((p) => p.x),
        sum((p) => p.y),
        sum((p) => p.x ** 2),
        sum((p) => p.x * p.y),
    ];
    const determinant = count * xx - x * x;
    const slope = (count * xy - x * y) / determinant;
    const intercept = (xx * y - x * xy) / determinant;
    const variance = sum((p) => (p.y - intercept - slope * p.x) ** 2) / (count - 2);
    return {
        initialisation: {value: intercept, error: 2 * Math.sqrt((variance * xx) / determinant)},
        copy: {value: slope, error: 2 * Math.sqrt((variance * count) / determinant)},
    };
}

const name_of = ({competitor, process}) =>
    process === "single" ? `${competitor} (one thread)` : competitor;

/// Each held line by "lab | process | competitor".
function held_lines() {
    const points = new Map();
    for (const cell of results.suites.operations.measurements) {
        if (cell.test !== "hold") continue;
        const key = `${cell.lab} | ${cell.process} | ${cell.competitor}`;
        points.set(key, [...(points.get(key) ?? []), {x: cell.n, y: median(cell.samples)}]);
    }
    return new Map([...points].map(([key, own]) => [key, line_through(own)]));
}

test("operations: each plotted time is the median of its samples", () =>
    with_tables((tables) => {
        const table = tables["operations-plot-data"];
        const cells = held_cells();
        for (const cell of cells) {
            const where = `${cell.n} | ${cell.lab} | ${name_of(cell)}`;
            assert_cell(table[where], median(cell.samples), where);
        }
        assert.equal(Object.keys(table).length, cells.length);
    }));

test("operations: initialisation and copy are the least-squares line", () =>
    with_tables((tables) => {
        let compared = 0;
        for (const [key, line] of held_lines()) {
            const [lab, process, competitor] = key.split(" | ");
            if (!has_row({competitor, process})) continue;
            for (const part of ["initialisation", "copy"]) {
                const where = `${name_of({competitor, process})} | ${lab} | ${part}`;
                assert_cell(
                    tables["operations-lines"][where],
                    line[part].value,
                    where,
                    line[part].error,
                );
                ++compared;
            }
        }
        assert.equal(compared, (2 * held_cells().length) / 6);
    }));

test("operations: the overhead is the line less raw's and less dumb's of the same process", () =>
    with_tables((tables) => {
        const lines = held_lines();
        let compared = 0;
        for (const [key, line] of lines) {
            const [lab, process, competitor] = key.split(" | ");
            if (!has_row({competitor, process}) || competitor === "raw") continue;
            const name = name_of({competitor, process});
            for (const floor of ["raw", "dumb"])
                for (const part of ["initialisation", "copy"]) {
                    if (competitor === floor) continue;
                    const other = lines.get(`${lab} | ${process} | ${floor}`)[part];
                    const where = `${name} | ${lab}: ${part} | less ${floor}`;
                    const error = Math.hypot(line[part].error, other.error);
                    const wanted = line[part].value - other.value;
                    assert_cell(tables["operations-overhead"][where], wanted, where, error);
                    ++compared;
                }
        }
        assert.equal(compared, Object.keys(tables["operations-overhead"]).length);
    }));

test("containers: each time is the median of its samples, in the table and in the plot", () =>
    with_tables((tables) => {
        const cells = cells_of("containers");
        for (const cell of cells) {
            const wanted = median(cell.samples),
                name = name_of(cell);
            const [container, work] = cell.test.split(" ");
            const where = `${name} | ${cell.lab}: ${container} | ${work}`;
            assert_cell(tables["containers-times"][where], wanted, where);
            const plotted = `${name} | ${cell.test} | ${cell.lab}`;
            assert_cell(tables["containers-plot-data"][plotted], wanted, plotted);
        }
        assert.equal(Object.keys(tables["containers-times"]).length, cells.length);
        assert.equal(Object.keys(tables["containers-plot-data"]).length, cells.length);
    }));

test("footprint: sizes and code sizes are those of the file", () =>
    with_tables((tables) => {
        const exact = new Map(
            cells_of("footprint").map((cell) => [
                `${cell.competitor} | ${cell.lab} | ${cell.test}`,
                cell,
            ]),
        );
        let compared = 0;
        for (const [where, cell] of exact) {
            const value = cell.samples[0][0];
            if (cell.unit === "bytes" && !cell.test.endsWith(" bytes")) {
                assert_cell(tables["footprint-sizes"][where], value, where);
                ++compared;
            } else if (cell.unit === "instructions") {
                const at = where.replace(/ instructions$/, "");
                const bytes = exact.get(`${at} bytes`).samples[0][0];
                assert.equal(
                    tables["footprint-code"][at]?.text,
                    `${value}/${bytes}/${cell.note}`,
                    at,
                );
                ++compared;
            }
        }
        assert.equal(compared, (exact.size * 8) / 13);
    }));

test("cycles: times and pauses are the medians of their samples", () =>
    with_tables((tables) => {
        const cells = cells_of("cycles");
        for (const cell of cells) {
            const pause = cell.test.endsWith(" pause");
            const where = `${cell.competitor} | ${cell.lab} | ${cell.test.replace(/ pause$/, "")}`;
            assert_cell(
                tables[pause ? "cycles-pauses" : "cycles-times"][where],
                median(cell.samples),
                where,
            );
        }
        assert.ok(cells.length >= 60);
    }));

test("operations: single operations are the medians of their samples", () =>
    with_tables((tables) => {
        const cells = cells_of("operations").filter(({test}) => test !== "hold");
        for (const cell of cells) {
            const where = `${name_of(cell)} | ${cell.lab} | ${cell.test}`;
            assert_cell(tables["operations-single"][where], median(cell.samples), where);
        }
        assert.equal(Object.keys(tables["operations-single"]).length, cells.length);
    }));

test("construction: times are medians, the article's ratios are to the kept pair", () =>
    with_tables((tables) => {
        const labels = {
            one: "one at a time",
            "1024 alive": "1024 alive",
            fill: "fill a vector",
            refill: "fill it again",
        };
        const figures = cell_by_key("construction");
        const counts = {times: 0, article: 0};
        for (const {lab, process, competitor, test} of cells_of("construction")) {
            const own = figures.get(`${lab} | ${process} | ${competitor} | ${test}`);
            if (labels[test]) {
                const where = `${competitor} | ${lab} | ${labels[test]}`;
                assert_cell(tables["construction-times"][where], own, where);
                ++counts.times;
                continue;
            }
            const [, flags, library] = test.split(" ");
            const where = `${competitor} | ${lab} ${flags} | ${library}`;
            const kept = figures.get(`${lab} | ${process} | new and delete, kept | ${test}`);
            const cell = tables["construction-article"][where];
            const deleted = /^(new|std)/.test(competitor) && own < kept / 2;
            if (deleted) assert.equal(cell.text, "deleted", where);
            else assert_cell(cell, own / kept, where);
            ++counts.article;
        }
        assert.equal(Object.keys(tables["construction-times"]).length, counts.times);
        assert.ok(counts.article >= 70);
        const said = tables["construction-article"]["std::make_shared | 2016 | optimised"];
        assert.equal(said.text, "about 1.1");
        // clang++ deleted it: an empty loop has no slowdown.
        const slowdown = tables["construction-not-optimised"];
        assert.equal(slowdown["std::make_unique | clang++ | libc++"], undefined);
        assert.ok(slowdown["std::make_unique | g++ | libc++"].value > 2);
    }));

test("threads: every time is the median of its samples", () =>
    with_tables((tables) => {
        const cells = cells_of("threads");
        for (const cell of cells) {
            const {lab, competitor, test, n} = cell;
            const threads = n === 1 ? "1 thread" : `${n} threads`;
            const where = n
                ? `${competitor} | ${lab}: ${test} | ${threads}`
                : `${competitor} | ${lab} | ${test}`;
            assert_cell(tables["threads-times"][where], median(cell.samples), where);
        }
        assert.equal(Object.keys(tables["threads-times"]).length, cells.length);
    }));

test("sharing: each figure is a ratio to std::make_shared of the same compiler", () =>
    with_tables((tables) => {
        const labels = {
            one: "make and release",
            "1024 alive": "1024 alive",
            fill: "fill a vector",
            refill: "fill it again",
            copy: "copy and release",
            move: "move",
            lock: "weak lock",
        };
        let compared = 0;
        for (const suite of ["operations", "construction"]) {
            const figures = cell_by_key(suite);
            for (const {lab, process, competitor, test} of cells_of(suite)) {
                if (!labels[test] || process === "single") continue;
                const number = Object.keys(tables).includes("sharing-costs-2")
                    ? ["g++", "clang++"].indexOf(lab) + 1
                    : 1;
                const where = `${competitor} |  | ${labels[test]}`;
                const cell = tables[`sharing-costs-${number}`][where];
                const own = figures.get(`${lab} | ${process} | ${competitor} | ${test}`);
                const standard = figures.get(`${lab} | ${process} | std::make_shared | ${test}`);
                if (competitor === "std::make_shared") {
                    assert.equal(cell.value, 1);
                    assert.match(cell.text, / n?s$/);
                } else {
                    assert_cell(cell, own / standard, where);
                }
                ++compared;
            }
        }
        assert.ok(compared > 400, `${compared} figures`);
        assert.match(
            tables["sharing-aims"]["copy and release: arc | g++ | reached"].text,
            /^(yes|no|unsure)$/,
        );
    }));

test("packets: rates are the medians turned over, ratios are to make_shared", () =>
    with_tables((tables) => {
        const shown = {"six ways": "left as it is", "six ways, zeroed": "zeroed"};
        const figures = cell_by_key("packets");
        const counts = {ways: 0, same: 0, rates: 0, probes: 0};
        for (const {lab, process, competitor, test, unit, samples, note} of cells_of("packets")) {
            const own = median(samples);
            if (shown[test]) {
                const where = `${competitor} | ${lab} | ${shown[test]}`;
                const standard = figures.get(`${lab} | ${process} | std::make_shared | ${test}`);
                assert_cell(tables["packets-six-ways-times"][where], own, where);
                assert_cell(tables["packets-six-ways"][where], own / standard, where);
                ++counts.ways;
            } else if (test.startsWith("same thread, ")) {
                const where = `${competitor} | ${lab} | ${test.slice(13)}`;
                assert_cell(tables["packets-same-thread"][where], own, where);
                ++counts.same;
            } else if (unit === "bytes") {
                const kind = test.split(", ")[1] ?? "";
                const column = ["zeroed", "no constructor"].includes(kind) ? kind : "left as it is";
                const group = test.endsWith("libc++") ? `${lab}, libc++` : lab;
                const cell = tables["packets-zeroing"][`${competitor} | ${group} | ${column}`];
                assert.equal(cell.value, own);
                assert.equal(cell.text, own > 0 ? `2,048, ${note}` : "0");
                ++counts.probes;
            } else {
                const [way, touched] = test.split(", ");
                const id = {
                    across: "across",
                    "shared across": "shared",
                    several: "several",
                    "shared several": "shared-several",
                }[way];
                const label = touched === "whole packet" ? "whole" : touched;
                const timed = `${competitor} | ${lab} | ${label}`;
                assert_cell(tables[`packets-${id}-times`][timed], own, timed);
                const head = competitor.replace(/^std::allocate_shared over/, "over");
                const plotted = `${head} | ${lab} | ${label}`;
                assert_cell(tables[`packets-${id}-data`][plotted], 1000 / own, plotted);
                ++counts.rates;
            }
        }
        assert.deepEqual(counts, {ways: 56, same: 130, rates: 420, probes: 30});
    }));

test("packets: what the article printed stands on the page, with its ratio to make_shared", () =>
    with_tables((tables) => {
        const published = new URL("../../../../lab/published/six_ways_2017.json", import.meta.url);
        const {measurements} = JSON.parse(readFileSync(published, "utf8"));
        assert.equal(measurements.length, 18);
        for (const {compiler, competitor, value} of measurements) {
            const way = competitor === "pool" ? "freehold::pool" : competitor;
            const printed = `${way} | 2017, printed without a unit | ${compiler}`;
            const cell = tables["packets-six-ways"][printed];
            assert.equal(cell?.text, value.toLocaleString("en"), printed);
            assert.equal(cell.value, value, printed);
            const standard = measurements.find(
                (other) => other.compiler === compiler && other.competitor === "std::make_shared",
            );
            const ratio = `${way} | 2017 | ${compiler}`;
            assert_cell(tables["packets-six-ways"][ratio], value / standard.value, ratio);
        }
    }));
