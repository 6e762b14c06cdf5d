// SPDX-License-Identifier: BSL-1.0
// node build.mjs NODE_MODULES OUTPUT.cpp: bundles the page and writes it as C++, in three parts
// with the title and the model to go between them. The policy admits the page's own script and
// styles by their hashes and nothing else.

import {createHash} from "node:crypto";
import {readFileSync, readdirSync, writeFileSync} from "node:fs";
import {createRequire} from "node:module";
import {dirname, join, resolve} from "node:path";
import {fileURLToPath} from "node:url";

const [modules, output] = process.argv.slice(2).map((path) => resolve(path));
const here = dirname(fileURLToPath(import.meta.url));
const {build} = createRequire(join(modules, "."))("esbuild");

const bundle = async (entry) => {
    const {outputFiles, metafile} = await build({
        entryPoints: [join(here, entry)],
        nodePaths: [modules],
        bundle: true,
        minify: true,
        write: false,
        metafile: true,
        format: "esm",
        target: "es2022",
        charset: "utf8",
        legalComments: "none",
        logLevel: "warning",
    });
    return {text: outputFiles[0].text.trim(), inputs: Object.keys(metafile.inputs)};
};

/// The licences of the packages that are in the bundle, each text once with all who it names as
/// holders.
function notices(inputs) {
    const names = inputs
        .map((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1])
        .filter(Boolean);
    const holders = new Map();
    for (const name of [...new Set(names)].sort()) {
        const file = readdirSync(join(modules, name)).find((entry) => /^licen[cs]e/i.test(entry));
        if (!file) throw new Error(`the package ${name} names no licence`);
        const text = readFileSync(join(modules, name, file), "utf8").replaceAll("--", "\u2013");
        const [copyright] = /^ *Copyright.*$/m.exec(text) ?? [""];
        const terms = text.replace(copyright, "").replaceAll(/\s+/g, " ").trim();
        holders.set(terms, [...(holders.get(terms) ?? []), `${name}: ${copyright.trim()}`]);
    }
    return [...holders].map(([terms, who]) => `${who.join("\n")}\n\n${terms}`).join("\n\n");
}

/// Plot writes one style element into each plot; its text depends on the class name alone.
function plot_style() {
    const source = readFileSync(join(modules, "@observablehq/plot/src/plot.js"), "utf8");
    const class_name = /class_name = "([a-z]+)"/.exec(
        readFileSync(join(here, "src/axes.js"), "utf8"),
    )[1];
    const found = [...source.matchAll(/append\("style"\)\.text\(\s*`([^`]*)`/g)];
    if (found.length !== 1)
        throw new Error("Observable Plot's style element is not where it was; see plot_style()");
    return found[0][1].replaceAll("${className}", class_name);
}

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const main = await bundle("src/main.js");
const script = main.text.replaceAll(/<\/(script)/gi, "<\\/$1").replaceAll("<!--", "<\\!--");
const style = (await bundle("style/main.css")).text;
const policy =
    `default-src 'none'; script-src ${hash(script)}; ` +
    `style-src ${hash(style)} ${hash(plot_style())}; ` +
    "base-uri 'none'; form-action 'none'";

const page = readFileSync(join(here, "index.html"), "utf8")
    .replace("@POLICY@", () => policy)
    .replace("@STYLE@", () => style)
    .replace("@SCRIPT@", () => script)
    .replace("@NOTICES@", () => notices(main.inputs));
const parts = page.split(/@TITLE@|@MODEL@/);
if (parts.length !== 3) throw new Error("index.html must name @TITLE@ once and then @MODEL@ once");

// Compilers limit the length of one literal, so a part is an array of short ones; an octal escape
// of three digits cannot run on into what follows it.
const literal = (bytes) =>
    `"${[...bytes]
        .map((byte) => {
            const char = String.fromCharCode(byte);
            if (char === '"' || char === "\\" || char === "?") return `\\${char}`;
            return byte >= 32 && byte < 127 ? char : `\\${byte.toString(8).padStart(3, "0")}`;
        })
        .join("")}"`;
const part = (name, text) => {
    const bytes = Buffer.from(text, "utf8");
    const chunks = [];
    for (let at = 0; at < bytes.length; at += 8000)
        chunks.push(literal(bytes.subarray(at, at + 8000)));
    const list = chunks.join(",\n    ");
    return `const std::initializer_list<std::string_view> ${name}{\n    ${list}};\n`;
};
writeFileSync(
    output,
    `#include "report/page.hpp"

namespace freehold::page {
${part("before_title", parts[0])}${part("before_model", parts[1])}${part("after_model", parts[2])}}
`,
);
