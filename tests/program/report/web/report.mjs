// SPDX-License-Identifier: BSL-1.0
// What the tests have in common: the program, its pages, and a look at one that ends
// with the three things that hold for every look: nothing on the console, nothing asked of the
// network, the policy never broken. The environment names the program (FREEHOLD), the packages that
// npm installed (FREEHOLD_NODE_MODULES), and a program with handles (FREEHOLD_COUNTED) and one with
// leaks (FREEHOLD_LOOKED_AT), which are empty if the build cannot count or look.

import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
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

/// The page that `freehold advise` writes for a recording of heaptrack whose command is long.
function advice_page() {
    const input = join(folder, "trace"),
        output = join(folder, "advise.html");
    const addresses = Array.from({length: 400}, (_, i) => (0x7f0000000000 + i * 0x400000).toString(16));
    const events = addresses.flatMap((address, i) => [
        ...(i % 50 === 0 ? [`c ${i.toString(16)}`] : []),
        `+ ${[0x40, 0x1000, 0x10000, 0x100000][i % 4].toString(16)} 1 ${address}`,
        ...(i >= 8 ? [`- ${addresses[i - 8]}`] : []),
    ]);
    const command = `reader --from=${"/a_long_folder_name".repeat(6)}`;
    const head = ["v 10400 3", "x 5 /a/ls", `X ${command}`, "t 7f05e9bc1b9f 0"];
    writeFileSync(input, [...head, ...events, ""].join("\n"));
    execFileSync(process.env.FREEHOLD, ["advise", input, "-o", output]);
    return output;
}

function handles_page() {
    const output = join(folder, "handles.html");
    execFileSync(process.env.FREEHOLD, ["handles", "-o", output, "--", process.env.FREEHOLD_COUNTED]);
    return output;
}

/// The program ends with objects that leak. `--` needs ptrace, which a container may not permit.
function owners_page() {
    const output = join(folder, "owners.html");
    const words = ["owners", "-o", output, "--", process.env.FREEHOLD_LOOKED_AT];
    execFileSync(process.env.FREEHOLD, words, {stdio: "pipe"});
    return output;
}
function may_look() {
    if (!process.env.FREEHOLD_LOOKED_AT) return false;
    try {
        owners_page();
        return true;
    } catch (error) {
        if (String(error.stderr).includes("does not permit")) return false;
        throw error;
    }
}

/// What writes each kind of page.
export const pages = {
    report: () => whole,
    advise: advice_page,
    ...(process.env.FREEHOLD_COUNTED ? {handles: handles_page} : {}),
    ...(may_look() ? {owners: owners_page} : {}),
};

/// A copy of the page with further rules in its styles.
export function styled(file, rules) {
    const output = file.replace(/\.html$/, ".styled.html");
    writeFileSync(output, readFileSync(file, "utf8").replace("</style>", () => `${rules}</style>`));
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
