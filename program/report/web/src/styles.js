// SPDX-License-Identifier: BSL-1.0
// The look of a series. Subjects differ in three ways: the family gives colour and dash, the place within the family
// gives the symbol, and every mark has a name. Other series (compilers, years) use the plain sequence.

import {s} from "./dom.js";
import {family_of, is_lesser} from "./subjects.js";
import {symbol_path, symbols} from "./svg.js";

const families = new Map([
    ["Lower bounds", {color: "var(--floor)", dash: "1 3"}],
    ["Strategies of 2000", {color: "var(--plain)", dash: "none"}],
    ["The same, atomic", {color: "var(--atomic)", dash: "5 3"}],
    ["Freehold", {color: "var(--freehold)", dash: "none"}],
    ["Policies of 2006", {color: "var(--plain)", dash: "7 3"}],
    ["Policies of other libraries", {color: "var(--others)", dash: "2 2"}],
    ["Standard", {color: "var(--standard)", dash: "9 3"}],
    ["Boost", {color: "var(--boost)", dash: "9 3 2 3"}],
    ["Allocators", {color: "var(--allocators)", dash: "6 2 2 2"}],
    ["Others", {color: "var(--others)", dash: "2 2"}],
]);
const sequence = [
    "var(--plain)",
    "var(--atomic)",
    "var(--standard)",
    "var(--boost)",
    "var(--others)",
];
const sequence_dashes = ["none", "5 3", "9 3", "9 3 2 3", "2 2"];

/// name -> {color, dash, symbol, filled, family}, for all series of one figure.
export function series_styles(names) {
    const styles = new Map();
    const members = new Map();
    const of_subjects = names.some(family_of);
    // The symbols that differ most are for subjects that are never folded.
    const by_weight = [
        ...names.filter((name) => !is_lesser(name)),
        ...names.filter((name) => is_lesser(name)),
    ];
    by_weight.forEach((name, index) => {
        if (!of_subjects) {
            styles.set(name, {
                color: sequence[index % sequence.length],
                filled: index % 2 === 0,
                dash: sequence_dashes[index % sequence.length],
                symbol: symbols[index % symbols.length],
            });
            return;
        }
        const family = family_of(name) ?? "Others";
        const place = members.get(family) ?? 0;
        members.set(family, place + 1);
        styles.set(name, {
            ...families.get(family),
            filled: place < symbols.length,
            symbol: symbols[place % symbols.length],
            family,
        });
    });
    return new Map(names.map((name) => [name, styles.get(name)]));
}

/// The names grouped by family, in reading order: [[family, [name...]]...]; one nameless group if
/// there are none.
export function by_family(styles) {
    if ([...styles.values()].every(({family}) => !family)) return [["", [...styles.keys()]]];
    const groups = [...families.keys()].map((family) => [
        family,
        [...styles.keys()].filter((n) => styles.get(n).family === family),
    ]);
    return groups.filter(([, names]) => names.length > 0);
}

/// The mark of a series as a small picture for keys.
export function swatch({color, symbol, filled}, bar = false) {
    const paint = {
        fill: filled ? color : "var(--paper)",
        stroke: color,
        "stroke-width": bar ? 1 : 1.5,
    };
    const mark = bar
        ? s("rect", {x: -6.5, y: -4, width: 13, height: 8, ...paint})
        : s("path", {d: symbol_path(symbol, 3.7), ...paint});
    return s(
        "svg",
        {class: "swatch", width: 14, height: 14, viewBox: "-7 -7 14 14", "aria-hidden": "true"},
        mark,
    );
}
