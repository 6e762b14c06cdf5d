// SPDX-License-Identifier: BSL-1.0
// Reads the model that `freehold report` put into the page, and builds the page from it.

import {number} from "./numbers.js";
import {page} from "./page.js";

/// Cells and points are lists in the model, so that the page stays small.
const cell_of = (list) => {
    if (list === null) return null;
    if (typeof list === "string") return {text: list};
    const [value, text, low, high, mark] = Array.isArray(list) ? list : [list];
    return {
        text: text ?? number(value),
        value: value ?? undefined,
        low: low ?? undefined,
        high: high ?? undefined,
        mark: mark ?? undefined,
    };
};
const point_of = ([x, y, low, high, note, aside], categories) => ({
    x,
    y: categories ? categories[y] : y,
    low: low ?? undefined,
    high: high ?? undefined,
    note,
    aside,
});
function unpack(block) {
    for (const row of block.rows ?? []) row.cells = row.cells.map(cell_of);
    for (const series of block.series ?? [])
        series.points = series.points.map((list) => point_of(list, block.categories));
    if (block.table) unpack(block.table);
}

const model = JSON.parse(document.getElementById("model").textContent);
for (const {blocks} of model.sections) blocks.forEach(unpack);
document.getElementById("page").replaceChildren(...page(model));

// Plots get their height when they are drawn. Before that, the place of a section is not known.
if (location.hash)
    setTimeout(() => document.getElementById(location.hash.slice(1))?.scrollIntoView(), 100);

// Paper has no buttons, so every table is open while the page is printed.
let unfolded = [];
addEventListener("beforeprint", () => {
    unfolded = [...document.querySelectorAll("details:not([open])")];
    for (const details of unfolded) details.open = true;
});
addEventListener("afterprint", () => {
    for (const details of unfolded) details.open = false;
});

const links = new Map(
    [...document.querySelectorAll(".contents a")].map((link) => [link.hash.slice(1), link]),
);
const in_sight = new IntersectionObserver(
    (entries) => {
        for (const {target, isIntersecting} of entries) {
            if (!isIntersecting) continue;
            for (const link of links.values()) link.removeAttribute("aria-current");
            links.get(target.id)?.setAttribute("aria-current", "true");
        }
    },
    {rootMargin: "-20% 0px -70% 0px"},
);
for (const section of document.querySelectorAll("section")) in_sight.observe(section);
