// SPDX-License-Identifier: BSL-1.0
// The page in use: by keyboard first, then with the pointer.

import assert from "node:assert/strict";
import {test} from "node:test";
import {looked_at, modes, open_all} from "./report.mjs";

test("the Tab key reaches whatever can be used, and focus is seen", () =>
    looked_at(modes.light, async (page) => {
        await open_all(page);
        const wanted = await page.evaluate(() => {
            const all = [
                ...document.querySelectorAll("a[href], button, input, summary, [tabindex='0']"),
            ];
            const stops = all.filter((e) => e.type !== "radio" || e.checked);
            stops.forEach((e, i) => (e.dataset.stop = i));
            return stops.length;
        });
        assert.ok(wanted > 40, `${wanted} stops`);
        const reached = new Set();
        const unseen = [];
        for (let i = 0; i < wanted + 5; ++i) {
            await page.keyboard.press("Tab");
            const at = await page.evaluate(() => {
                const e = document.activeElement,
                    shown = e.closest("label") ?? e;
                const seen = [e, shown].some((each) => {
                    const {outlineStyle, outlineWidth, opacity} = getComputedStyle(each);
                    return (
                        outlineStyle !== "none" && parseFloat(outlineWidth) > 0 && opacity !== "0"
                    );
                });
                return {stop: e.dataset.stop, seen, tag: e.outerHTML.slice(0, 80)};
            });
            if (at.stop === undefined) break;
            reached.add(at.stop);
            if (!at.seen) unseen.push(at.tag);
        }
        assert.equal(reached.size, wanted);
        assert.deepEqual(unseen, []);
    }));

test("each disclosure opens by keyboard and shows its figures", () =>
    looked_at(modes.light, async (page) => {
        const count = await page.locator("summary").count();
        assert.equal(count, await page.locator("figure").count());
        for (const summary of await page.locator("summary").all()) {
            await summary.focus();
            await page.keyboard.press("Enter");
            const details = summary.locator("xpath=..");
            assert.notEqual(await details.getAttribute("open"), null);
            assert.ok(await details.locator("td").first().isVisible());
        }
    }));

test("the arrow keys read a plot mark by mark, intervals included", () =>
    looked_at(modes.light, async (page) => {
        const plot = page.locator("figure.lines svg.plot").first();
        const marks = await plot.locator('g[aria-label="dot"] > *').count();
        await plot.focus();
        const read = new Set();
        for (let i = 0; i < marks; ++i) {
            await page.keyboard.press("ArrowRight");
            const text = await page.locator("#tip").innerText();
            assert.match(text, /interval [\d.,]+ to [\d.,]+ ns/);
            read.add(text);
        }
        assert.equal(read.size, marks);
        assert.ok((await page.locator(".panels.dimmed .chosen").count()) > 0);
        await page.keyboard.press("Escape");
        assert.equal(await page.locator("#tip").isVisible(), false);
        assert.equal(await page.locator(".panels.dimmed").count(), 0);
    }));

test("a mark says which of the lines across the rows it reaches", () =>
    looked_at(modes.light, async (page) => {
        await page.locator("#packets-across svg.plot").first().focus();
        const read = async (key) => {
            await page.keyboard.press(key);
            return page.locator("#tip").innerText();
        };
        assert.match(await read("Home"), /million\/s, untouched; reaches 100G/);
        assert.match(await read("End"), /^glibc[^]*, whole; below 10G/);
        assert.equal(await page.locator("#operations-plot .level-name").count(), 0);
    }));

test("the pointer reads marks too", () =>
    looked_at(modes.light, async (page) => {
        const mark = page.locator('figure.dots g[aria-label="dot"] > *').first();
        await mark.scrollIntoViewIfNeeded();
        await mark.hover({force: true});
        assert.ok((await page.locator("#tip").innerText()).length > 5);
    }));

test("picking a competitor out keeps it in front", () =>
    looked_at(modes.light, async (page) => {
        await page.locator("figure.lines input[type=radio]").first().focus();
        await page.keyboard.press("ArrowDown");
        const kept = await page.evaluate(() => {
            const shown = [...document.querySelectorAll("figure.lines .chosen.name")].map(
                (e) => e.textContent,
            );
            return {
                names: [...new Set(shown)],
                checked: document.querySelector("input:checked").parentElement.textContent,
            };
        });
        assert.deepEqual(kept.names, [kept.checked]);
    }));

test("a column sorts by its button, and back", () =>
    looked_at(modes.light, async (page) => {
        await open_all(page);
        const table = page.locator("table:has(thead button)").first();
        const button = table.locator("thead button").first();
        const column = await button.evaluate((e) =>
            [...e.closest("tr").children]
                .filter((th) => !th.rowSpan || th.rowSpan < 2)
                .indexOf(e.closest("th")),
        );
        const offset = await table.evaluate((e) =>
            e.querySelector("thead").rows.length > 1 ? 0 : -1,
        );
        const values = () =>
            table.evaluate(
                (e, at) =>
                    [...e.tBodies[0].rows]
                        .map((row) => row.querySelectorAll("td")[at].dataset.value)
                        .filter((v) => v !== undefined)
                        .map(Number),
                column + offset,
            );
        const original = await values();
        await button.click();
        assert.deepEqual(
            await values(),
            [...original].sort((a, b) => a - b),
        );
        await button.click();
        assert.deepEqual(
            await values(),
            [...original].sort((a, b) => b - a),
        );
        await button.click();
        assert.deepEqual(await values(), original);
    }));

const rows_seen = (table) =>
    table.evaluate((e) =>
        [...e.tBodies[0].rows]
            .filter((row) => row.getClientRects().length > 0)
            .map((row) => row.cells[0].textContent),
    );

test("a table of many competitors folds the lesser ones away, by families", () =>
    looked_at(modes.light, async (page) => {
        const table = page.locator("#operations-lines");
        const button = page.locator(".table:has(#operations-lines) .unfold");
        const folded = await rows_seen(table);
        assert.ok(folded.includes("freehold::arc") && folded.includes("Freehold"));
        assert.ok(!folded.includes("boost::make_shared_noinit"));
        // What leads a column is never folded away.
        const leading = await table.evaluate((e) =>
            [...e.querySelectorAll("td.marked")].map((td) => td.parentElement.cells[0].textContent),
        );
        for (const name of leading) assert.ok(folded.includes(name), name);

        await button.focus();
        await page.keyboard.press("Enter");
        assert.equal(await button.getAttribute("aria-expanded"), "true");
        const all = await rows_seen(table);
        assert.ok(all.includes("boost::make_shared_noinit"));
        assert.ok(all.indexOf("Boost") < all.indexOf("boost::make_shared_noinit"));
        assert.ok(all.indexOf("boost::make_shared_noinit") < all.indexOf("Others"));

        // Sorted by a column, families would be torn apart.
        await table.locator("thead button").first().click();
        assert.ok(!(await rows_seen(table)).includes("Boost"));
        await table.locator("thead button").first().click();
        await table.locator("thead button").first().click();
        assert.deepEqual(await rows_seen(table), all);
        await button.click();
        assert.deepEqual(await rows_seen(table), folded);
    }));

test("a plot of many competitors brings the lesser ones back", () =>
    looked_at(modes.light, async (page) => {
        for (const [id, names] of [
            ["operations-plot", ".name"],
            ["containers-plot", ".row-name"],
        ]) {
            const figure = page.locator(`#${id}`);
            const shown = () =>
                figure
                    .locator("svg.plot")
                    .first()
                    .evaluate(
                        (e, kind) => [...e.querySelectorAll(kind)].map((each) => each.textContent),
                        names,
                    );
            const before = await shown();
            assert.ok(before.includes("freehold::arc"), id);
            assert.ok(!before.includes("boost::make_shared_noinit"), id);
            await figure.locator("> .unfold").click();
            assert.ok((await shown()).includes("boost::make_shared_noinit"), id);
            await figure.locator("> .unfold").click();
            assert.deepEqual(await shown(), before, id);
        }
    }));
