// SPDX-License-Identifier: BSL-1.0
// Headless Chromium, and what a page did while it was looked at.

import {existsSync, mkdtempSync, rmSync} from "node:fs";
import {createRequire} from "node:module";
import {tmpdir} from "node:os";
import {isAbsolute, join} from "node:path";
import {pathToFileURL} from "node:url";

export const modes = {
    light: {colorScheme: "light", viewport: {width: 1280, height: 900}},
    dark: {colorScheme: "dark", viewport: {width: 1280, height: 900}},
    narrow: {colorScheme: "light", viewport: {width: 400, height: 800}},
};

const flags = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

function executable() {
    const chosen = process.env.CHROMIUM;
    const names = chosen ? [chosen] : ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    for (const name of names) {
        const found = ["", ...process.env.PATH.split(":")]
            .map((folder) => join(folder, name))
            .find((path) => isAbsolute(path) && existsSync(path));
        if (found) return found;
    }
    throw new Error(
        `The report is tested in Chromium, but there is no ${names.join(", ")}: install the package ` +
            "chromium (apt-get install chromium), or name the browser in the variable CHROMIUM.",
    );
}

/// modules: the folder in which npm installed this folder's packages; scale: pixels of the screen for one of the page.
export async function launch(modules, scale = 1) {
    const {chromium} = createRequire(join(modules, "."))("playwright-core");
    const profile = mkdtempSync(join(tmpdir(), "freehold-report-"));
    const settings = {executablePath: executable(), args: flags};
    const browser = await chromium.launch({...settings, env: {...process.env, HOME: profile}});
    // One page shows file after file: a browser that starts a process for each takes twice the time. A page that still
    // glides to where it was sent moves away from under the pointer.
    const context = await browser.newContext({reducedMotion: "reduce", deviceScaleFactor: scale});
    const page = await context.newPage();
    let seen = {requests: [], problems: []};
    page.on("request", (request) => seen.requests.push(request.url()));
    page.on("console", (message) => seen.problems.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => seen.problems.push(`error: ${error.message}`));
    await page.addInitScript(() => {
        globalThis.violations = [];
        addEventListener("securitypolicyviolation", (event) =>
            violations.push(event.violatedDirective),
        );
    });
    return {
        async open(file, {colorScheme = "light", viewport}) {
            await page.goto("about:blank");
            await page.emulateMedia({media: null, colorScheme});
            await page.setViewportSize(viewport);
            seen = {requests: [], problems: []};
            const url = pathToFileURL(file).href;
            await page.goto(url);
            // The plots are drawn once their width is known.
            await page.waitForFunction(() =>
                [...document.querySelectorAll(".panel")].every((panel) =>
                    panel.querySelector("svg.plot"),
                ),
            );
            return {page, seen, url};
        },
        async close() {
            await browser.close();
            rmSync(profile, {recursive: true, force: true});
        },
    };
}
