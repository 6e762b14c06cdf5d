// SPDX-License-Identifier: BSL-1.0
// Levels: values that the figures of a plot of rows are held against, each a line across all rows
// with its label above.

import {font_size, Plot} from "./axes.js";
import {s, text_width} from "./dom.js";
import {spread} from "./labels.js";

export const levels_of = (plot) => plot.levels ?? [];

export const level_lines = (levels) =>
    Plot.ruleX(levels, {
        x: "at",
        stroke: "var(--ink-soft)",
        strokeDasharray: "5 3",
        className: "level",
    });

/// The highest level that a value reaches, in words; nothing in a plot without levels.
export function level_text(plot, value) {
    const levels = levels_of(plot);
    if (levels.length === 0) return "";
    const reached = levels.filter(({at}) => value >= at).at(-1);
    return reached ? `; reaches ${reached.label}` : `; below ${levels[0].label}`;
}

/// Writes each level's label above its line, whose upper end is at `top`; where lines are close the
/// labels are moved apart, and each is joined to its own.
export function name_levels(svg, levels, {x, left, right, top}) {
    if (levels.length === 0) return;
    const room = 6 + Math.max(...levels.map(({label}) => text_width(label, font_size, 600)));
    const wanted = levels.map(({at}) => x(at));
    const places = spread(wanted, room, left + room / 2, right - room / 2);
    levels.forEach(({label}, i) =>
        svg.append(
            s("path", {class: "level-join", d: `M${places[i]},${top - 8}L${wanted[i]},${top}`}),
            s("text", {class: "level-name", x: places[i], y: top - 12}, label),
        ),
    );
}

export const level_margin = 26;
