// SPDX-License-Identifier: BSL-1.0
// The section on lines shows the result file's figures.

import assert from "node:assert/strict";
import {test} from "node:test";
import {assert_cell, cell_by_key, median, with_tables} from "./figures.mjs";
import {cells_of} from "./report.mjs";

test("zeroing: costs are medians, and the parts of a bar add up to them", () =>
    with_tables((tables) => {
        const figures = cell_by_key("zeroing");
        const counts = {costs: 0, details: 0, parts: 0};
        for (const {lab, process, competitor, test, samples} of cells_of("zeroing")) {
            const [filling, keeping, part] = test.split(", ");
            if (filling === "seed" || test.includes("fork") || part === "memset") continue;
            const own = median(samples);
            if (part) {
                const where = `${competitor} | ${lab} | ${part}`;
                assert_cell(tables[`zeroing-${filling.split(" ")[0]}-${keeping}`][where], own, test);
                ++counts.details;
                continue;
            }
            const where = `${competitor} | ${lab}, ${keeping} | ${filling}`;
            assert_cell(tables["zeroing-lines"][where], own, where);
            ++counts.costs;
            const key = (name, more = "") => `${lab} | ${process} | ${name} | ${test}${more}`;
            const copy = Math.min(own, figures.get(key("floor")));
            const memset = Math.min(figures.get(key(competitor, ", memset")), own - copy);
            const parts = {
                "the copy itself": copy,
                memset,
                "page faults and kernel zeroing": own - copy - memset,
            };
            for (const [name, wanted] of Object.entries(parts)) {
                const cell =
                    tables[`zeroing-shares-${keeping}-data`][
                        `${competitor} | ${filling}, ${lab} | ${name}`
                    ];
                assert_cell(cell, wanted, `${name}: ${where}`);
                ++counts.parts;
            }
        }
        assert.deepEqual(counts, {costs: 204, details: 816, parts: 612});
    }));
