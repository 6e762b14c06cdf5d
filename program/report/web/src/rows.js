// SPDX-License-Identifier: BSL-1.0
// Dots and bars: one row for each category, and in it one mark for each series with the interval drawn through it. On a
// narrow screen, a row's name is above its marks instead of beside them.

import {s, text_width} from "./dom.js";
import {spread} from "./labels.js";
import {interval, number, with_unit} from "./numbers.js";
import {family_of, place_of_subject} from "./subjects.js";
import {
    axis_name, axis_title, clamp, domain, dot, draw_x_axis, empty_plot, font_size, rule, scale_of, showable,
    tick_text, value_ticks,
} from "./svg.js";

const beside_from = 420;
const bar_thickness = 11;

const heading_share = 0.9;

/// Categories sorted by the mean of the shown series, smallest first unless `largest_first`. A plot of many subjects
/// has the families in the order of the tables.
export function row_order(plot, series) {
    const position = (x) => (plot.x.scale === "log" ? Math.log(x) : x);
    const values = new Map();
    const shown = series.flatMap(({points}) => points).filter((p) => showable(p, "x", plot.x));
    for (const {x, y} of shown) values.set(y, [...(values.get(y) ?? []), position(x)]);
    const names = [...values.keys()];
    if (plot.grouped) return names.sort((a, b) => place_of_subject(a) - place_of_subject(b));
    const mean = (name) =>
        values.get(name).reduce((sum, v) => sum + v, 0) / values.get(name).length;
    const sign = plot.largest_first ? -1 : 1;
    return names.sort((a, b) => sign * (mean(a) - mean(b)));
}

/// The place of each row and of each family's heading, and their `total`, all counted in rows.
function rows_and_headings(plot, order) {
    const starts = new Map();
    const headings = [];
    let at = 0,
        family = undefined;
    for (const name of order) {
        const own = plot.grouped ? family_of(name) : undefined;
        if (own !== family) {
            headings.push({name: own, at});
            at += heading_share;
            family = own;
        }
        starts.set(name, at++);
    }
    return {starts, headings, total: at};
}

/// Each part of a bar begins where the part before it ends.
function piled(rows) {
    const ends = new Map();
    return rows.map((row) => {
        const bar = `${row.facet}: ${row.y}`;
        const from = ends.get(bar) ?? 0;
        ends.set(bar, from + row.x);
        return {...row, from, to: from + row.x};
    });
}

function rows_of(series, plot) {
    const rows = series.flatMap(({name, points, style, index, facet}) =>
        points
            .filter((p) => showable(p, "x", plot.x))
            .map((p) => ({...p, name, style, index, facet})),
    );
    return plot.stacked ? piled(rows) : rows;
}

const level_margin = 26;
const levels_of = (plot) => plot.levels ?? [];

/// The highest level that a value reaches, as text. Empty if the plot has no levels.
function level_text(plot, value) {
    const levels = levels_of(plot);
    if (levels.length === 0) return "";
    const reached = levels.filter(({at}) => value >= at).at(-1);
    return reached ? `; reaches ${reached.label}` : `; below ${levels[0].label}`;
}

/// Draws each level as a line across all rows, with its label above. Labels of close lines are moved apart and joined
/// to their lines.
function draw_levels(svg, levels, {x, left, right, top, bottom}) {
    if (levels.length === 0) return;
    const room = 6 + Math.max(...levels.map(({label}) => text_width(label, font_size, 600)));
    const wanted = levels.map(({at}) => x(at));
    const places = spread(wanted, room, left + room / 2, right - room / 2);
    const dashes = {class: "level", stroke: "var(--ink-soft)", "stroke-dasharray": "5 3"};
    levels.forEach(({label}, i) =>
        svg.append(
            rule(wanted[i], top, wanted[i], bottom, dashes),
            s("path", {class: "level-join", d: `M${places[i]},${top - 8}L${wanted[i]},${top}`}),
            s("text", {class: "level-name", x: places[i], y: top - 12}, label),
        ),
    );
}

function draw_dots(svg, rows, series, {x, y, range}) {
    const spans = new Map();
    for (const row of rows) {
        const [low, high] = spans.get(row.y) ?? [row.x, row.x];
        spans.set(row.y, [Math.min(low, row.x), Math.max(high, row.x)]);
    }
    const strong = {stroke: "var(--rule-strong)"};
    if (series.length > 1)
        for (const [name, [low, high]] of spans)
            svg.append(rule(x(low), y(name), x(high), y(name), strong));
    for (const {style, index} of series) {
        const group = s("g", {class: `series s${index}`});
        const own = rows.filter((row) => row.index === index);
        const wide = {stroke: style.color, "stroke-width": 3.5, "stroke-opacity": 0.45};
        for (const {y: name, low, high} of own.filter((p) => p.high > p.low)) {
            const [from, to] = [low, high].map((end) => x(clamp(end, range)));
            group.append(rule(from, y(name), to, y(name), wide));
        }
        for (const row of own) group.append(dot(x(row.x), y(row.y), 4.2, style));
        svg.append(group);
    }
}

/// How far the bar of series i of several is below the middle of its row.
const bar_offset = (i, several) => (i + 0.5 - several / 2) * bar_thickness;

const bar = (from, to, middle, thickness, {style, index}) =>
    s("rect", {
        class: `series s${index} bar`,
        x: Math.min(from, to),
        y: middle - thickness / 2,
        width: Math.abs(to - from),
        height: thickness,
        fill: style.filled ? style.color : "var(--paper)",
        stroke: style.color,
    });

const bar_text = (x, y, text) =>
    s("text", {class: "sum", x: x + 6, y, dy: "0.34em", fill: "var(--ink-soft)", "font-size": font_size - 1.5}, text);

function draw_bars(svg, rows, series, {x, y, range}) {
    series.forEach((each, i) => {
        for (const row of rows.filter(({index}) => index === each.index)) {
            const middle = y(row.y) + bar_offset(i, series.length);
            svg.append(bar(x(0), x(row.x), middle, bar_thickness - 3, each));
            if (row.high > row.low) {
                const [from, to] = [row.low, row.high].map((end) => x(clamp(end, range)));
                svg.append(rule(from, middle, to, middle, {stroke: "var(--ink)"}));
            }
            svg.append(bar_text(x(Math.max(row.x, row.high ?? row.x)), middle, number(row.x)));
        }
    });
}

/// The sum is written behind the last part.
function draw_piles(svg, rows, series, {x, y}) {
    for (const each of series)
        for (const row of rows.filter(({index}) => index === each.index))
            svg.append(bar(x(row.from), x(row.to), y(row.y), bar_thickness - 1, each));
    for (const [name, row] of new Map(rows.map((each) => [each.y, each])))
        svg.append(bar_text(x(row.to), y(name), number(row.to)));
}

/// Returns {svg, marks} as draw_lines does. A plot of many subjects omits rows without a mark.
export function draw_rows({plot, series, width, range, order: all, label}) {
    const rows = rows_of(series, plot);
    const order = plot.grouped ? all.filter((name) => rows.some(({y}) => y === name)) : all;
    const beside = width >= beside_from;
    const bars = plot.type === "bars";
    const side_by_side = plot.stacked ? 1 : series.length;
    const draw = plot.stacked ? draw_piles : bars ? draw_bars : draw_dots;
    const row_height =
        (bars ? Math.max(20, side_by_side * bar_thickness + 8) : 24) + (beside ? 0 : 18);
    const words = [...order, ...(plot.grouped ? order.map(family_of).filter(Boolean) : [])];
    const names_width = Math.max(...words.map((name) => text_width(name, font_size, 600)));
    const levels = levels_of(plot);
    const {starts, headings, total} = rows_and_headings(plot, order);
    const top = levels.length > 0 ? level_margin : 8;
    const height = total * row_height + top + 46;
    const box = {
        left: beside ? names_width + 16 : 6,
        right: width - (bars ? 46 : 14),
        top,
        bottom: height - 46,
    };
    const middle = beside ? 0.5 : bars ? 0.66 : 0.7;
    const row_at = (row) => box.top + row * row_height;
    const y = (name) => row_at(starts.get(name) + middle);
    const ticks = value_ticks(plot.x, range, Math.max(3, Math.min(7, Math.floor(width / 90))));
    const x = scale_of(plot.x.scale, range, [box.left, box.right]);

    const svg = empty_plot(width, height, label);
    draw_x_axis(svg, box, x, ticks, tick_text(plot.x.unit), {grid: true});
    draw_levels(svg, levels, {x, left: box.left, right: width, top: box.top, bottom: box.bottom});
    const soft = {stroke: "var(--ink-soft)"};
    const reference = rows.filter((row) => row.y === (plot.reference ?? "raw")).at(-1);
    if (!bars && beside && reference)
        svg.append(
            rule(x(reference.x), box.top, x(reference.x), box.bottom, {
                ...soft,
                "stroke-dasharray": "2 3",
            }),
        );
    if (bars && range[0] <= 0) svg.append(rule(x(0), box.top, x(0), box.bottom, soft));
    draw(svg, rows, series, {x, y, range});

    starts.forEach((start, name) =>
        svg.append(
            s(
                "text",
                beside
                    ? {
                          class: "row-name",
                          x: box.left - 12,
                          y: row_at(start + 0.5),
                          dy: "0.34em",
                          "text-anchor": "end",
                      }
                    : {
                          class: "row-name",
                          x: box.left,
                          y: row_at(start) + 12,
                          "text-anchor": "start",
                      },
                name,
            ),
        ),
    );
    for (const {name, at} of headings) {
        const place = beside
            ? {x: box.left - 12, y: row_at(at + 0.45), dy: "0.34em", "text-anchor": "end"}
            : {x: box.left, y: row_at(at + heading_share) - 8, "text-anchor": "start"};
        svg.append(s("text", {class: "row-family", ...place}, name));
    }
    svg.append(
        axis_name(axis_title(plot.x), box.right, {x: box.right, y: height - 6, "text-anchor": "end"}),
    );

    const offset = (index) =>
        bars && !plot.stacked
            ? bar_offset(
                  series.findIndex((each) => each.index === index),
                  series.length,
              )
            : 0;
    const marks = rows.map((row) => ({
        x: x(plot.stacked ? (row.from + row.to) / 2 : row.x),
        y: y(row.y) + offset(row.index),
        index: row.index,
        title: row.y,
        text:
            (series.length > 1
                ? `${with_unit(number(row.x), plot.x.unit)}, ${row.name}`
                : with_unit(number(row.x), plot.x.unit)) + level_text(plot, row.x),
        interval: interval(row.low, row.high, plot.x.unit),
    }));
    marks.sort((a, b) => a.index - b.index || a.y - b.y);
    return {svg, marks};
}

export const row_range = (plot, series) =>
    domain(
        [
            ...rows_of(series, plot).flatMap(({x, low = x, high = x, to = x}) =>
                plot.stacked ? [0, to] : [low, x, high],
            ),
            ...levels_of(plot).map(({at}) => at),
        ],
        plot.x,
    );
