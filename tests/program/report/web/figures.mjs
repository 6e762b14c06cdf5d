// SPDX-License-Identifier: BSL-1.0
// The page's tables as it shows them, and what a cell of them should say.

import assert from "node:assert/strict";
import {cells_of, looked_at, modes} from "./report.mjs";

export const median = (samples) => {
    const sorted = samples.flat().sort((a, b) => a - b);
    const middle = sorted.length / 2;
    return sorted.length % 2
        ? sorted[Math.floor(middle)]
        : (sorted[middle - 1] + sorted[middle]) / 2;
};

/// Every table as the page shows it: id -> "row | group | column" -> {text, value}.
const shown_tables = (page) =>
    page.evaluate(() => {
        const words = (cell, ...without) => {
            const copy = cell.cloneNode(true);
            for (const extra of copy.querySelectorAll(without.join())) extra.remove();
            return copy.textContent;
        };
        const tables = {};
        for (const table of document.querySelectorAll("table")) {
            const rows = [...table.tHead.rows];
            const labels = [...rows.at(-1).cells].map((cell) => words(cell, ".unit"));
            const grouped = rows.length > 1;
            if (!grouped) labels.shift();
            const groups = grouped
                ? [...rows[0].cells]
                      .slice(1)
                      .flatMap((cell) => Array(cell.colSpan).fill(cell.textContent))
                : labels.map(() => "");
            const cells = (tables[table.id] = {});
            for (const row of table.querySelectorAll("tbody tr:not(.family-row)"))
                [...row.cells].slice(1).forEach((cell, i) => {
                    if (cell.className.includes("none")) return;
                    cells[`${row.cells[0].textContent} | ${groups[i]} | ${labels[i]}`] = {
                        text: words(cell, ".interval", ".unseen"),
                        value: cell.dataset.value === undefined ? null : Number(cell.dataset.value),
                    };
                });
        }
        return tables;
    });

/// The number that a text shows and half a unit of its last digit.
function shown_number(text) {
    const plain = text.replaceAll(",", "").replace("−", "-");
    const decimals = plain.includes(".") ? plain.length - plain.indexOf(".") - 1 : 0;
    const digits = plain.replace(/^-?0*\.?0*/, "").replace(".", "").length;
    const unit = decimals > 0 || digits <= 3 ? 10 ** -decimals : 10 ** (digits - 3);
    return {number: Number(plain), slack: unit / 2 + 1e-9};
}

export function assert_cell(cell, wanted, where, error) {
    assert.ok(cell, `no cell for ${where}`);
    assert.ok(
        Math.abs(cell.value - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted)),
        `${where}: the page sorts by ${cell.value}, the samples give ${wanted}`,
    );
    const [value, tolerance] = cell.text.split(" ± ");
    const {number, slack} = shown_number(value);
    assert.ok(Math.abs(number - wanted) <= slack, `${where}: ${cell.text} is shown for ${wanted}`);
    if (error === undefined) return;
    const shown = shown_number(tolerance);
    assert.ok(
        Math.abs(shown.number - error) <= shown.slack,
        `${where}: ± ${tolerance} for ${error}`,
    );
}

export const with_tables = (look) =>
    looked_at(modes.light, async (page) => look(await shown_tables(page)));

export const cell_by_key = (suite) =>
    new Map(
        cells_of(suite).map((cell) => [
            `${cell.lab} | ${cell.process} | ${cell.competitor} | ${cell.test}`,
            median(cell.samples),
        ]),
    );
