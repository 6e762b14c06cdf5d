// SPDX-License-Identifier: BSL-1.0
// How the page looks and what it lets in: marks, widths, contrast, the policy, headings, paper.

import assert from "node:assert/strict";
import {test} from "node:test";
import {low_contrasts} from "./contrast.mjs";
import {
    looked_at,
    looked_at_closely,
    modes,
    open_all,
    open_page,
    pages,
    report_on,
    results,
    results_of,
    short,
    styled,
    unfold_all,
} from "./report.mjs";
import {hostile} from "./results_fixture.mjs";

/// Data marks of each plot by figure, as drawn: axes, grids and labels do not count.
const marks_drawn = (page) =>
    page.evaluate(() =>
        [...document.querySelectorAll("svg.plot")].map((svg) => ({
            figure: svg.closest("figure").id,
            count: svg.querySelectorAll(".dot, .bar, .area").length,
        })),
    );

/// Text that sticks out of the window or of its cell, and neighbouring names that cover each other.
const misplaced = (page) =>
    page.evaluate(() => {
        const width = document.documentElement.clientWidth,
            found = [];
        for (const cell of document.querySelectorAll("th, td"))
            if (cell.scrollWidth > cell.clientWidth + 1) found.push(`wide: ${cell.textContent}`);
        for (const svg of document.querySelectorAll("svg.plot")) {
            for (const text of svg.querySelectorAll("text")) {
                const {left, right} = text.getBoundingClientRect();
                if (left < -0.5 || right > width + 0.5) found.push(`outside: ${text.textContent}`);
            }
            const levels = [...svg.querySelectorAll(".level-name")].map((text) =>
                text.getBoundingClientRect(),
            );
            if (levels.slice(1).some(({left}, i) => left < levels[i].right))
                found.push(`labels of lines cover each other: ${svg.getAttribute("aria-label")}`);
            for (const kind of [".name", ".row-name"]) {
                const boxes = [...svg.querySelectorAll(kind)]
                    .map((text) => [text.getBBox(), text.textContent])
                    .sort(([a], [b]) => a.y - b.y);
                boxes.slice(1).forEach(([box, name], i) => {
                    if (box.y < boxes[i][0].y + boxes[i][0].height * 0.8)
                        found.push(`covered: ${boxes[i][1]}, ${name}`);
                });
            }
        }
        return found;
    });

const expect_marks = async (page) => {
    const plots = await marks_drawn(page);
    assert.ok(plots.length > 20, `${plots.length} plots`);
    for (const {figure, count} of plots) assert.ok(count > 0, `${figure} has no marks`);
};

/// Leaves everything open.
const expect_no_overflow = async (page) => {
    assert.deepEqual(await misplaced(page), []);
    await unfold_all(page);
    assert.deepEqual(await misplaced(page), []);
    await open_all(page);
    const [content, window] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
    ]);
    assert.ok(content <= window, `the page is ${content} wide in a window of ${window}`);
};

/// Of a page on which everything is open.
const expect_contrast = async (page) => {
    await page.evaluate(() => {
        for (const box of document.querySelectorAll(".show-intervals input")) box.click();
    });
    await page.locator("svg.plot").first().focus();
    await page.keyboard.press("ArrowRight");
    const tip = await page.evaluate(low_contrasts, {required: 4.5, within: "#tip"});
    assert.ok(tip.checked > 0, "no tooltip");
    assert.deepEqual(tip.low, [], "the tooltip");
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.getAnimations().length === 0);
    const {checked, low} = await page.evaluate(low_contrasts, {required: 4.5});
    assert.ok(checked > 500, `only ${checked} texts were found`);
    assert.deepEqual(low, []);
};

// The tests of a mode share one page, because opening the whole page takes a second. Each test finds
// it as the one before left it.
test("light", (t) =>
    looked_at(modes.light, async (page) => {
        await t.test("headings are in order, landmarks and names are there", async () => {
            const levels = await page.evaluate(() =>
                [...document.querySelectorAll("h1, h2, h3, h4")].map((e) => +e.tagName[1]),
            );
            assert.equal(levels[0], 1);
            levels
                .slice(1)
                .forEach((level, i) =>
                    assert.ok(level > 1 && level <= levels[i] + 1, `h${levels[i]}, h${level}`),
                );
            for (const landmark of ["header", "nav[aria-label]", "main", "footer"])
                assert.equal(await page.locator(landmark).count(), 1, landmark);
            const nameless = await page.evaluate(
                () =>
                    [...document.querySelectorAll("figure, svg.plot, [role=region]")].filter(
                        (e) =>
                            !(
                                e.getAttribute("aria-label") ||
                                document.getElementById(e.getAttribute("aria-labelledby"))
                                    ?.textContent
                            ),
                    ).length,
            );
            assert.equal(nameless, 0);
            const ids = await page.evaluate(() =>
                [...document.querySelectorAll("[id]")].map(({id}) => id),
            );
            assert.equal(new Set(ids).size, ids.length, "an id occurs twice");
            assert.ok(
                (await page.evaluate(
                    () => [...document.querySelectorAll("section[id] > .finding")].length,
                )) > 3,
            );
        });

        await t.test("text from a result file stays text", async () => {
            assert.equal(await page.evaluate(() => window.taken), undefined);
            const fact = page.locator("dd", {hasText: "window.taken"});
            assert.equal(await fact.textContent(), hostile);
            assert.equal(await page.locator("#page script, #page img").count(), 0);
        });

        await t.test("every plot has marks", () => expect_marks(page));
        await t.test("nothing overflows", () => expect_no_overflow(page));
        await t.test("text has a contrast of 4.5 at least", () => expect_contrast(page));
    }));

test("dark", (t) =>
    looked_at(modes.dark, async (page) => {
        await t.test("every plot has marks", () => expect_marks(page));

        await t.test("printing unfolds every table, on white paper", async () => {
            await page.emulateMedia({media: "print", colorScheme: "dark"});
            await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
            assert.deepEqual((await page.evaluate(low_contrasts, {required: 4.5})).low, []);
            assert.equal(await page.locator("details:not([open])").count(), 0);
            const hidden = await page.evaluate(
                () =>
                    [...document.querySelectorAll("tbody tr")].filter(
                        (row) => row.getClientRects().length === 0,
                    ).length,
            );
            assert.equal(hidden, 0, "rows that are folded away on paper");
            await page.evaluate(() => dispatchEvent(new Event("afterprint")));
            assert.equal(await page.locator("details[open]").count(), 0);
        });

        await t.test("text has a contrast of 4.5 at least", async () => {
            await page.emulateMedia({media: null, colorScheme: "dark"});
            await unfold_all(page);
            await open_all(page);
            await expect_contrast(page);
        });
    }));

// A narrow page has the colours of a wide one.
test("narrow", (t) =>
    looked_at(modes.light, async (page) => {
        await t.test("plots follow the width of the window", async () => {
            await page.setViewportSize(modes.narrow.viewport);
            await page.waitForFunction(() =>
                [...document.querySelectorAll("svg.plot")].every(
                    (svg) =>
                        Math.abs(svg.viewBox.baseVal.width - svg.parentElement.clientWidth) < 1,
                ),
            );
        });

        await t.test("every plot has marks", () => expect_marks(page));
        await t.test("nothing overflows", () => expect_no_overflow(page));
    }));

const fonts = {
    "its own font": "",
    "a serif font": "* {font-family: serif !important}",
    // Wider than any usual font, whichever fonts the machine has.
    "a wide font": "* {letter-spacing: 0.12em !important; word-spacing: 0.2em !important}",
};

/// The page's parts that reach beyond the window. A table, and code, scroll in a box of their own.
const outside_window = (page) =>
    page.evaluate(() => {
        const width = document.documentElement.clientWidth;
        return [...document.querySelectorAll("#page *")]
            .filter((e) => !e.parentElement.closest(".scroll, pre") && e.tagName !== "path")
            .filter((e) => e.getBoundingClientRect().right > width + 0.5)
            .map((e) => `${e.tagName}: ${e.textContent}`);
    });

for (const [kind, write] of Object.entries(pages))
    test(`${kind} does not scroll sideways at 320 pixels`, async (t) => {
        const file = write();
        for (const [font, rules] of Object.entries(fonts))
            await t.test(`in ${font}`, () =>
                looked_at(
                    {viewport: {width: 320, height: 700}},
                    async (page) => {
                        await unfold_all(page);
                        await open_all(page);
                        assert.deepEqual(await outside_window(page), []);
                        const content = await page.evaluate(
                            () => document.documentElement.scrollWidth,
                        );
                        assert.ok(content <= 320, `the page is ${content} wide`);
                    },
                    styled(file, rules),
                ),
            );
    });

test("the parts of a stacked bar stand one behind the other, with their sum behind them", () =>
    looked_at_closely(async (page) => {
        const bars = await page.evaluate(() => {
            const svg = document.querySelector("#zeroing-shares-kept svg.plot");
            const rects = [...svg.querySelectorAll(".bar")];
            const rows = new Map();
            for (const rect of rects) {
                const {x, y, width} = rect.getBBox();
                rows.set(y, [...(rows.get(y) ?? []), [x, x + width]]);
            }
            const sums = [...svg.querySelectorAll(".sum")];
            return {rows: [...rows.values()], sums: sums.map((each) => each.textContent)};
        });
        assert.ok(bars.rows.length > 10, `${bars.rows.length} bars`);
        assert.equal(bars.sums.length, bars.rows.length);
        for (const parts of bars.rows) {
            parts.sort(([a], [b]) => a - b);
            for (let i = 1; i < parts.length; ++i)
                assert.ok(Math.abs(parts[i][0] - parts[i - 1][1]) < 0.5, `${parts}`);
        }
    }));

test("a machine full of noise keeps every mark in its plot", () => {
    const noisy = structuredClone(results);
    let turn = 0;
    for (const {measurements} of Object.values(noisy.suites))
        for (const cell of measurements.filter(({exact}) => !exact))
            cell.samples = cell.samples.map((process) =>
                process.map((sample) => sample * [1, 40, 1.5, 9, 3][(turn = (turn + 3) % 7) % 5]),
            );
    const outside = (page) =>
        page.evaluate(() => {
            const shapes = ".dot, .bar, .line, .series line";
            return [...document.querySelectorAll("svg.plot")].flatMap((svg) => {
                const frame = svg.getBoundingClientRect();
                return [...svg.querySelectorAll(shapes)]
                    .filter((shape) => {
                        const {left, right, top, bottom} = shape.getBoundingClientRect();
                        const across = left >= frame.left - 1 && right <= frame.right + 1;
                        return !(across && top >= frame.top - 1 && bottom <= frame.bottom + 1);
                    })
                    .map((shape) => `${svg.closest("figure").id}: ${shape.outerHTML}`);
            });
        });
    return looked_at(
        modes.light,
        async (page) => {
            assert.deepEqual(await outside(page), []);
            assert.deepEqual(await misplaced(page), []);
        },
        report_on("noisy", noisy),
    );
});

test("the policy lets nothing in but the page's own parts", async () => {
    const {page} = await open_page(modes.light, short);
    const policy = await page.getAttribute('meta[http-equiv="Content-Security-Policy"]', "content");
    assert.match(policy, /^default-src 'none';/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*|data:/);
    const taken = await page.evaluate(async () => {
        const script = document.createElement("script");
        script.textContent = "window.taken = 1";
        document.body.append(script);
        const fetched = await fetch("data:text/plain,x").then(
            () => true,
            () => false,
        );
        return {ran: window.taken === 1, fetched};
    });
    assert.deepEqual(taken, {ran: false, fetched: false});
    await page.waitForFunction(
        () => violations.includes("script-src-elem") && violations.includes("connect-src"),
    );
});

/// Presses the key without waiting for the page in between. The page gets the presses in order.
const press_often = (page, key, times) =>
    Promise.all(Array.from({length: times}, () => page.keyboard.press(key)));

test("the Tab key reaches whatever can be used, and focus is seen", () =>
    looked_at_closely(async (page) => {
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
        await page.evaluate(() => {
            globalThis.focused = [];
            addEventListener("focusin", ({target}) => {
                const seen = [target, target.closest("label") ?? target].some((each) => {
                    const {outlineStyle, outlineWidth, opacity} = getComputedStyle(each);
                    return (
                        outlineStyle !== "none" && parseFloat(outlineWidth) > 0 && opacity !== "0"
                    );
                });
                focused.push({stop: target.dataset.stop, seen, tag: target.outerHTML.slice(0, 80)});
            });
        });
        await press_often(page, "Tab", wanted + 5);
        const focused = await page.evaluate(() => globalThis.focused);
        const reached = new Set(focused.map(({stop}) => stop));
        const unseen = focused.filter(({seen}) => !seen).map(({tag}) => tag);
        assert.equal(reached.size, wanted);
        assert.deepEqual(unseen, []);
    }));

test("each disclosure opens by keyboard and shows its figures", () =>
    looked_at_closely(async (page) => {
        const count = await page.locator("summary").count();
        assert.equal(count, await page.locator("figure").count());
        for (const summary of await page.locator("summary").elementHandles()) {
            await summary.focus();
            await page.keyboard.press("Enter");
        }
        await page.waitForFunction(() =>
            [...document.querySelectorAll("details")].every(
                (details) =>
                    details.open && details.querySelector("td")?.getClientRects().length > 0,
            ),
        );
    }));

test("the arrow keys read a plot mark by mark, intervals included", () =>
    looked_at_closely(async (page) => {
        const plot = page.locator("figure.lines svg.plot").first();
        const marks = await plot.locator(".dot").count();
        await plot.focus();
        await page.evaluate(() => {
            globalThis.read = [];
            addEventListener("keydown", () => read.push(document.getElementById("tip").innerText));
        });
        await press_often(page, "ArrowRight", marks);
        const read = await page.evaluate(() => globalThis.read);
        for (const text of read) assert.match(text, /interval [\d.,]+ to [\d.,]+ ns/);
        assert.equal(read.length, marks);
        assert.equal(new Set(read).size, marks);
        assert.ok((await page.locator(".panels.dimmed .chosen").count()) > 0);
        await page.keyboard.press("Escape");
        assert.equal(await page.locator("#tip").isVisible(), false);
        assert.equal(await page.locator(".panels.dimmed").count(), 0);
    }));

test("a mark says which of the lines across the rows it reaches", () =>
    looked_at_closely(async (page) => {
        await page.locator("#packets-across svg.plot").first().focus();
        const read = async (key) => {
            await page.keyboard.press(key);
            return page.locator("#tip").innerText();
        };
        assert.match(await read("Home"), /million\/s, untouched; (reaches|below) \d+G/);
        assert.equal(await page.locator("#operations-plot .level-name").count(), 0);
    }));

test("the pointer reads marks too", () =>
    looked_at_closely(async (page) => {
        const mark = page.locator("figure.dots .dot").first();
        await mark.scrollIntoViewIfNeeded();
        await mark.hover({force: true});
        assert.ok((await page.locator("#tip").innerText()).length > 5);
    }));

test("a column sorts by its button, and back", () =>
    looked_at_closely(async (page) => {
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

test("a table of many subjects folds the lesser ones away, by families", () =>
    looked_at_closely(async (page) => {
        const table = page.locator("#operations-single");
        const button = page.locator(".table:has(#operations-single) .unfold");
        const folded = await rows_seen(table);
        assert.ok(folded.includes("freehold.arc") && folded.includes("Freehold"));
        assert.ok(!folded.includes("boost.make_shared_noinit"));
        // What leads a column is never folded away.
        const leading = await table.evaluate((e) =>
            [...e.querySelectorAll("td.marked")].map((td) => td.parentElement.cells[0].textContent),
        );
        for (const name of leading) assert.ok(folded.includes(name), name);

        await button.focus();
        await page.keyboard.press("Enter");
        assert.equal(await button.getAttribute("aria-expanded"), "true");
        const all = await rows_seen(table);
        assert.ok(all.includes("boost.make_shared_noinit"));
        assert.ok(all.indexOf("Boost") < all.indexOf("boost.make_shared_noinit"));
        assert.ok(all.indexOf("boost.make_shared_noinit") < all.indexOf("Others"));

        // Sorted by a column, families would be torn apart.
        await table.locator("thead button").first().click();
        assert.ok(!(await rows_seen(table)).includes("Boost"));
        await table.locator("thead button").first().click();
        await table.locator("thead button").first().click();
        assert.deepEqual(await rows_seen(table), all);
        await button.click();
        assert.deepEqual(await rows_seen(table), folded);
    }));

if (pages.owners)
    test("a row of leaks opens the way around a ring, by mouse and by keyboard", () =>
        looked_at(
            modes.light,
            async (page) => {
                const row = page.locator("#rings-table tbody tr").first();
                const way = row.locator("pre");
                assert.ok(!(await way.isVisible()));
                await row.locator("summary").click();
                assert.ok(await way.isVisible());
                assert.match(await way.innerText(), /tree::children[^]*-> child::parent[^]*-> tree/);
                await page.keyboard.press("Enter");
                assert.ok(!(await way.isVisible()));

                // An object that is alive has a way from what keeps it.
                const types = page.locator("#types-table details");
                const healthy = types.filter({has: page.locator("summary", {hasText: /^healthy_tree$/})});
                await healthy.locator("summary").click();
                assert.match(await healthy.locator("pre").innerText(), /kept[^]*-> healthy_tree at 0x/);
            },
            pages.owners(),
        ));

for (const suite of Object.keys(results.suites)) {
    test(`a file with nothing but ${suite} makes a whole page`, () => {
        return looked_at(
            modes.narrow,
            async (page) => {
                assert.ok((await page.locator("main section").count()) >= 2);
                for (const {figure, count} of await marks_drawn(page)) assert.ok(count > 0, figure);
            },
            report_on(suite, results_of(suite)),
        );
    });
}
