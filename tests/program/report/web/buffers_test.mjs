// SPDX-License-Identifier: BSL-1.0
// The section on buffer caches shows the result file's figures, and its fronts stand where their
// axes say.

import assert from "node:assert/strict";
import {test} from "node:test";
import {assert_cell, median, with_tables} from "./figures.mjs";
import {cells_of, looked_at, modes} from "./report.mjs";

const size_text = {64: "64 B", 1024: "1 KiB", 16384: "16 KiB", 1048576: "1 MiB"};
const columns = {
    "hit rate": ["hits", 1],
    used: ["used", 1],
    idle: ["idle", 1024],
    "allocator calls": ["calls", 1],
    "time saved": ["time saved", 1],
};

test("buffers: times and every setting of a policy are those of the file", () =>
    with_tables((tables) => {
        const counts = {times: 0, settings: 0};
        const notes = new Map();
        for (const {competitor, test: name, n, note} of cells_of("buffers"))
            if (note) notes.set(`${competitor} ${name.split(": ")[0]} ${n}`, note);
        for (const {lab, competitor, test: name, n, samples} of cells_of("buffers")) {
            const own = median(samples);
            if (name === "get and put") {
                const where = `${competitor} | ${lab} | ${size_text[n]}`;
                assert_cell(tables["buffers-times-table"][where], own, where);
                ++counts.times;
            }
            const [workload, figure] = name.split(": ");
            if (!figure) continue;
            const [column, unit] = columns[figure];
            const head = `${competitor}: ${notes.get(`${competitor} ${workload} ${n}`)}`;
            const where = `${head} | ${workload} | ${column}`;
            assert_cell(tables["buffers-fronts-data"][where], own / unit, where);
            ++counts.settings;
        }
        assert.deepEqual(counts, {times: 66, settings: 720});
    }));

for (const [name, mode] of Object.entries(modes)) {
    test(`${name}: hits stand on the axis by what is missing, and each panel has its own idle bytes`, () =>
        looked_at(mode, async (page) => {
            const panels = await page.evaluate(() =>
                [...document.querySelectorAll("#buffers-fronts svg.plot")].map((svg) => {
                    const middle = ({top, left, width, height}) => [left + width / 2, top + height / 2];
                    const places = (selector) =>
                        [...svg.querySelectorAll(selector)].map((e) => [
                            e.textContent,
                            ...middle(e.getBoundingClientRect()),
                        ]);
                    return {
                        shares: places('g[aria-label="y-axis tick label"] text'),
                        bytes: places('g[aria-label="x-axis tick label"] text'),
                        best: places('g[aria-label="dot"].s0 > *'),
                    };
                }),
            );
            assert.equal(panels.length, 2);
            for (const {shares, best} of panels) {
                const ticks = shares.map(([text, , y]) => [Math.log(100 - parseFloat(text)), y]);
                const [[low, from], [high, to]] = [ticks[0], ticks.at(-1)];
                assert.ok(ticks.length > 2 && low !== high, `${shares}`);
                const level = (share) =>
                    from + ((Math.log(100 - share) - low) / (high - low)) * (to - from);
                for (const [i, [, , y]] of best.entries()) {
                    const hits = 100 - 100 / (1 + (6 * 2 ** (i + 1)) / 0.8);
                    assert.ok(Math.abs(y - level(hits)) < 2, `${hits} % at ${y}, not ${level(hits)}`);
                }
                assert.equal(best.length, 6);
            }
            const most = panels.map(({bytes}) => parseFloat(bytes.at(-1)[0].replaceAll(",", "")));
            assert.ok(most[1] > 10 * most[0], `${most}`);
        }));
}

test("a setting that wastes much of what it hands out is hollow", () =>
    looked_at(modes.light, async (page) => {
        const fills = await page.evaluate(() => {
            const of = (name) => {
                const names = [...document.querySelectorAll("#buffers-fronts .name")];
                const index = names.find((e) => e.textContent === name).classList[1];
                return [...document.querySelectorAll(`#buffers-fronts g[aria-label="dot"].${index}`)]
                    .filter((group) => group.childElementCount > 0)
                    .map((group) => group.getAttribute("fill"));
            };
            return {wasteful: of("keep_largest"), thrifty: of("greedy_dual_fit")};
        });
        assert.ok(fills.wasteful.length > 0 && fills.thrifty.length > 0);
        for (const fill of fills.wasteful) assert.equal(fill, "var(--paper)");
        for (const fill of fills.thrifty) assert.equal(fill, "var(--freehold)");
    }));
