// SPDX-License-Identifier: BSL-1.0
// node screenshots.mjs MODULES REPORT.html FOLDER: the page in light, dark and narrow, whole and in
// screens of its own height, as FOLDER/light.png, FOLDER/light-1.png, and so on.

import {mkdirSync} from "node:fs";
import {join, resolve} from "node:path";
import {launch, modes} from "./browser.mjs";

const [modules, report, folder] = process.argv.slice(2).map((path) => resolve(path));
mkdirSync(folder, {recursive: true});
const browser = await launch(modules, 1.5);
for (const [name, mode] of Object.entries(modes)) {
    const {page} = await browser.open(report, mode);
    await page.screenshot({path: join(folder, `${name}.png`)});
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    const step = 1400;
    await page.setViewportSize({width: mode.viewport.width, height: step});
    for (let top = 0, i = 1; top < height; top += step, ++i) {
        await page.evaluate((y) => scrollTo({top: y, behavior: "instant"}), top);
        await page.screenshot({path: join(folder, `${name}-${i}.png`)});
    }
}
await browser.close();
