// SPDX-License-Identifier: BSL-1.0
// What the tests have in common: the program, a report on the fixture, and a look at it that ends
// with the three things that hold for every look: nothing on the console, nothing asked of the
// network, the policy never broken. The environment names the program (FREEHOLD) and the packages
// that npm installed (FREEHOLD_NODE_MODULES).

import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {after, before} from "node:test";
import {launch, modes} from "./browser.mjs";
import {make_results} from "./results_fixture.mjs";

export {modes};
export const results = make_results();

const folder = mkdtempSync(join(tmpdir(), "freehold-page-"));
let browser, whole;
export let short;

/// The fixture with these suites alone.
export const results_of = (...suites) => ({
    ...results,
    suites: Object.fromEntries(suites.map((suite) => [suite, results.suites[suite]])),
    environment: {facts: [], warnings: []},
});

/// The page that the program writes for a result file.
export function report_on(name, file) {
    const input = join(folder, `${name}.json`),
        output = join(folder, `${name}.html`);
    writeFileSync(input, JSON.stringify(file));
    execFileSync(process.env.FREEHOLD, ["report", input, "-o", output]);
    return output;
}

export const open_page = (mode, file = whole) => browser.open(file, mode);

export async function looked_at(mode, look, file = whole) {
    const {page, seen, url} = await open_page(mode, file);
    await look(page);
    assert.deepEqual(seen.problems, [], "console messages or errors");
    assert.deepEqual(seen.requests, [url], "requests beyond the file itself");
    assert.deepEqual(await page.evaluate(() => violations), [], "violations of the policy");
}

/// A look at a page of four suites, which have each kind of plot. Chromium answers a key on it several times sooner.
export const looked_at_closely = (look) => looked_at(modes.light, look, short);

export const open_all = (page) =>
    page.evaluate(() => {
        for (const details of document.querySelectorAll("details")) details.open = true;
    });

/// Shows the competitors that are folded away.
export const unfold_all = (page) =>
    page.evaluate(() => {
        for (const button of document.querySelectorAll(".unfold")) button.click();
    });

before(async () => {
    whole = report_on("whole", results);
    short = report_on("short", results_of("operations", "threads", "zeroing", "packets"));
    browser = await launch(process.env.FREEHOLD_NODE_MODULES);
});
after(async () => {
    await browser?.close();
    rmSync(folder, {recursive: true, force: true});
});
