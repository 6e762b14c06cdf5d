// SPDX-License-Identifier: BSL-1.0
// The page around the figures: title and headline figures, contents, sections, and how it was measured.

import {remember} from "./subjects.js";
import {h} from "./dom.js";
import {figure} from "./figure.js";
import {rings} from "./rings.js";
import {table} from "./table.js";

const list = (value) => (Array.isArray(value) ? value : []);

const day = (created) => {
    const date = new Date(created);
    return Number.isNaN(date.getTime())
        ? created
        : date.toLocaleDateString("en-GB", {
              day: "numeric",
              month: "long",
              year: "numeric",
              timeZone: "UTC",
          });
};

/// Text with typed words in `backquotes`.
const prose = (text) =>
    text.split(/`([^`]+)`/).map((part, i) => (i % 2 === 1 ? h("code", {}, part) : part));

/// The machine and the tools of the measurement. A page of several machines names none.
function machine_line({environment, subtitle}) {
    const told = list(environment).filter(({name}) => ["processor", "system"].includes(name));
    return [...told.map(({value}) => value), subtitle].filter(Boolean).join(" · ");
}

/// "0.11×, 0.10 to 0.12", and its label. A sign marks a ratio that is unfavourable for Freehold.
function headline({label, value, interval, note, unfavourable}) {
    return h(
        "li",
        {class: unfavourable ? "unfavourable" : null},
        h("span", {class: "value"}, value, interval ? h("span", {class: "range"}, interval) : null),
        h(
            "span",
            {class: "about"},
            h("strong", {}, label),
            unfavourable ? h("em", {}, "Freehold costs more") : null,
            h("span", {}, note),
        ),
    );
}

function masthead(model) {
    const machine = machine_line(model);
    return h(
        "header",
        {class: "masthead"},
        h(
            "p",
            {class: "kicker"},
            "Freehold",
            model.created ? h("time", {datetime: model.created}, day(model.created)) : null,
        ),
        h("h1", {}, model.title),
        machine ? h("p", {class: "machine"}, machine) : null,
    );
}

function contents(sections) {
    return h(
        "nav",
        {class: "contents", "aria-label": "Contents"},
        h("ol", {}, ...sections.map(({id, title}) => h("li", {}, h("a", {href: `#${id}`}, title)))),
    );
}

const narrow_kind = (block) =>
    block.kind === "plot" && block.type !== "lines" && !(block.facets?.length > 0);

const code = ({id, caption, text}) =>
    h(
        "figure",
        {class: "code"},
        h("figcaption", {class: "caption", id: `${id}-caption`}, caption),
        h("pre", {id, tabindex: "0", "aria-labelledby": `${id}-caption`}, h("code", {}, text)),
    );

const drawn = {plot: figure, table, code, rings};

/// Plots of rows are in pairs if the page is wide enough. Everything else has the whole width.
function blocks(all) {
    const elements = [];
    let pair = null;
    for (const block of all) {
        const element = drawn[block.kind](block);
        if (!narrow_kind(block)) {
            elements.push(element);
            pair = null;
            continue;
        }
        if (!pair) elements.push((pair = h("div", {class: "pair"})));
        pair.append(element);
    }
    return elements;
}

/// The ratios come after the first table of the first section, which has the recommendations.
function section({id, title, finding, notes, blocks: all}, headlines = []) {
    const elements = blocks(list(all));
    if (headlines.length > 0)
        elements.splice(
            list(all)[0]?.kind === "table" ? 1 : 0,
            0,
            h("ul", {class: "headline"}, ...headlines.map(headline)),
        );
    return h(
        "section",
        {id, "aria-labelledby": `${id}-title`},
        h("h2", {id: `${id}-title`}, title),
        finding
            ? h("p", {class: finding.length > 160 ? "finding long" : "finding"}, finding)
            : null,
        ...elements,
        list(notes).length > 0
            ? h("div", {class: "notes"}, ...notes.map((note) => h("p", {}, ...prose(note))))
            : null,
    );
}

/// A heading and a list of problems, each with its remedy. Empty if there are none.
function problems(heading, all) {
    if (list(all).length === 0) return [];
    const lines = all.map(({problem, remedy}) =>
        h("li", {}, h("strong", {}, ...prose(problem)), h("span", {}, ...prose(remedy))),
    );
    return [h("h3", {}, heading), h("ul", {class: "warnings"}, ...lines)];
}

function measured({environment, warnings, labs, left_out}) {
    const facts = (pairs) =>
        h(
            "dl",
            {class: "facts"},
            ...pairs.map(({name, value}) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
        );
    return h(
        "section",
        {id: "how", "aria-labelledby": "how-title"},
        h("h2", {id: "how-title"}, "How this was measured"),
        ...problems("What may have disturbed it", warnings),
        ...problems("What was left out, and what adds it", left_out),
        list(environment).length === 0 ? null : [h("h3", {}, "The machine"), facts(environment)],
        ...list(labs).map((lab) => [
            h("h3", {}, lab.name),
            facts(
                [
                    ["compiler", lab.compiler],
                    ["flags", lab.flags],
                    ["standard library", lab.standard_library],
                ]
                    .filter(([, value]) => value)
                    .map(([name, value]) => ({name, value})),
            ),
        ]),
    );
}

/// The whole page of a model, without the parts that the model lacks.
export function page(model) {
    const sections = list(model.sections);
    remember(list(model.subjects));
    return [
        masthead(model),
        h(
            "div",
            {class: "body"},
            contents([...sections, {id: "how", title: "How this was measured"}]),
            h(
                "main",
                {id: "findings", tabindex: "-1"},
                h(
                    "p",
                    {id: "how-to-read", hidden: true},
                    "The arrow keys read the plot mark by mark; the table below has its figures.",
                ),
                ...sections.map((each, i) => section(each, i === 0 ? list(model.summary) : [])),
                measured(model),
            ),
        ),
        h(
            "footer",
            {},
            h(
                "p",
                {},
                "Made by ",
                h("code", {}, model.made_by ?? "freehold report"),
                "; this one file holds everything and asks nothing of the network.",
            ),
        ),
    ];
}
