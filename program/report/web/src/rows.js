// SPDX-License-Identifier: BSL-1.0
// Dots and bars: one row for each category, one mark in it for each series, the interval drawn
// through the mark. On a narrow screen a row's name stands above its marks instead of beside them.

import {
    axis_title,
    base,
    domain,
    font_size,
    Plot,
    showable,
    tick_text,
    value_ticks,
    within,
} from "./axes.js";
import {family_of, place_of} from "./competitors.js";
import {s, text_width} from "./dom.js";
import {level_lines, level_margin, level_text, levels_of, name_levels} from "./levels.js";
import {interval, number, with_unit} from "./numbers.js";

const beside_from = 420;
const bar_thickness = 11;

const heading_share = 0.9;

/// Categories by the mean of what the series show of them, smallest first unless the plot says
/// otherwise; in a plot of many competitors family by family, as the tables have them.
export function row_order(plot, series) {
    const position = (x) => (plot.x.scale === "log" ? Math.log(x) : x);
    const values = new Map();
    const shown = series.flatMap(({points}) => points).filter((p) => showable(p, "x", plot.x));
    for (const {x, y} of shown) values.set(y, [...(values.get(y) ?? []), position(x)]);
    const names = [...values.keys()];
    if (plot.grouped) return names.sort((a, b) => place_of(a) - place_of(b));
    const mean = (name) =>
        values.get(name).reduce((sum, v) => sum + v, 0) / values.get(name).length;
    const sign = plot.largest_first ? -1 : 1;
    return names.sort((a, b) => sign * (mean(a) - mean(b)));
}

/// Where each row begins, and the heading of each family, counted in rows; `total` of them in all.
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

/// Each part of a bar behind those before it.
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

function dot_marks(rows, series, {y_of, inside}) {
    const spans = new Map();
    for (const {x, y} of rows) {
        const [low, high] = spans.get(y) ?? [x, x];
        spans.set(y, [Math.min(low, x), Math.max(high, x)]);
    }
    const between = [...spans].map(([y, [low, high]]) => ({y: y_of(y), low, high}));
    const of = (index) =>
        rows.filter((row) => row.index === index).map((row) => ({...row, row: y_of(row.y)}));
    return [
        series.length > 1 &&
            Plot.ruleY(between, {y: "y", x1: "low", x2: "high", stroke: "var(--rule-strong)"}),
        ...series.map(({style, index}) =>
            Plot.ruleY(
                of(index).filter((p) => p.high > p.low),
                {
                    y: "row",
                    x1: inside.low,
                    x2: inside.high,
                    stroke: style.color,
                    strokeWidth: 3.5,
                    strokeOpacity: 0.45,
                },
            ),
        ),
        ...series.map(({style, index}) =>
            Plot.dot(of(index), {
                x: "x",
                y: "row",
                r: 4.2,
                symbol: style.symbol,
                stroke: style.color,
                strokeWidth: 1.6,
                fill: style.filled ? style.color : "var(--paper)",
                className: `series s${index}`,
            }),
        ),
    ];
}

/// How far below its row's middle the bar of series i of several lies.
const bar_offset = (i, several) => (i + 0.5 - several / 2) * bar_thickness;

function bar_marks(rows, series, {y_of, inside, row_height}) {
    return series.flatMap(({style, index}, i) => {
        const dy = bar_offset(i, series.length),
            half = (bar_thickness - 3) / 2 / row_height;
        const own = rows
            .filter((row) => row.index === index)
            .map((row) => ({...row, row: y_of(row.y)}));
        return [
            Plot.rect(own, {
                x1: 0,
                x2: "x",
                y1: (p) => p.row - half,
                y2: (p) => p.row + half,
                dy,
                fill: style.filled ? style.color : "var(--paper)",
                stroke: style.color,
                strokeWidth: 1,
                className: `series s${index} bar`,
            }),
            Plot.ruleY(
                own.filter((p) => p.high > p.low),
                {
                    y: "row",
                    dy,
                    x1: inside.low,
                    x2: inside.high,
                    stroke: "var(--ink)",
                    strokeWidth: 1.2,
                },
            ),
            Plot.text(own, {
                y: "row",
                dy,
                x: (p) => Math.max(p.x, p.high ?? p.x),
                text: (p) => number(p.x),
                dx: 6,
                textAnchor: "start",
                fill: "var(--ink-soft)",
                fontSize: font_size - 1.5,
            }),
        ];
    });
}

/// The sum stands behind the last part.
function pile_marks(rows, series, {y_of, row_height}) {
    const half = (bar_thickness - 1) / 2 / row_height;
    const placed = rows.map((row) => ({...row, row: y_of(row.y)}));
    const sums = [...new Map(placed.map((row) => [row.y, row])).values()];
    return [
        ...series.map(({style, index}) =>
            Plot.rect(
                placed.filter((row) => row.index === index),
                {
                    x1: "from",
                    x2: "to",
                    y1: (p) => p.row - half,
                    y2: (p) => p.row + half,
                    fill: style.filled ? style.color : "var(--paper)",
                    stroke: style.color,
                    strokeWidth: 1,
                    className: `series s${index} bar`,
                },
            ),
        ),
        Plot.text(sums, {
            y: "row",
            x: "to",
            text: (p) => number(p.to),
            dx: 6,
            textAnchor: "start",
            fill: "var(--ink-soft)",
            fontSize: font_size - 1.5,
        }),
    ];
}

/// Returns {svg, marks} as draw_lines does. Rows without a mark are left out of a plot of many.
export function draw_rows({plot, series, width, range, order: all, label}) {
    const rows = rows_of(series, plot);
    const order = plot.grouped ? all.filter((name) => rows.some(({y}) => y === name)) : all;
    const beside = width >= beside_from;
    const bars = plot.type === "bars";
    const side_by_side = plot.stacked ? 1 : series.length;
    const marks_of = plot.stacked ? pile_marks : bars ? bar_marks : dot_marks;
    const row_height =
        (bars ? Math.max(20, side_by_side * bar_thickness + 8) : 24) + (beside ? 0 : 18);
    const words = [...order, ...(plot.grouped ? order.map(family_of).filter(Boolean) : [])];
    const names_width = Math.max(...words.map((name) => text_width(name, font_size, 600)));
    const levels = levels_of(plot);
    const margin = {
        marginTop: levels.length > 0 ? level_margin : 8,
        marginBottom: 46,
        marginLeft: beside ? names_width + 16 : 6,
        marginRight: bars ? 46 : 14,
    };
    const {starts, headings, total} = rows_and_headings(plot, order);
    const height = total * row_height + margin.marginTop + margin.marginBottom;
    const middle = beside ? 0.5 : bars ? 0.66 : 0.7;
    const y_of = (name) => starts.get(name) + middle;
    const ticks = value_ticks(plot.x, range, Math.max(3, Math.min(7, Math.floor(width / 90))));

    const reference = rows.filter((row) => row.y === (plot.reference ?? "raw")).at(-1);
    const svg = Plot.plot({
        ...base(width, height, label),
        ...margin,
        x: {type: plot.x.scale, domain: range, label: null},
        y: {
            type: "linear",
            domain: [0, total],
            range: [margin.marginTop, height - margin.marginBottom],
            axis: null,
        },
        marks: [
            Plot.gridX({ticks, stroke: "var(--rule)", strokeOpacity: 1}),
            Plot.axisX({ticks, tickSize: 0, text: tick_text(plot.x.unit)}),
            level_lines(levels),
            !bars &&
                beside &&
                reference &&
                Plot.ruleX([reference.x], {stroke: "var(--ink-soft)", strokeDasharray: "2 3"}),
            bars &&
                range[0] <= 0 &&
                plot.x.scale !== "log" &&
                Plot.ruleX([0], {stroke: "var(--ink-soft)"}),
            ...marks_of(rows, series, {
                y_of,
                inside: within(range),
                row_height,
            }),
        ].filter(Boolean),
    });

    const x = svg.scale("x").apply,
        y = svg.scale("y").apply;
    starts.forEach((start, name) =>
        svg.append(
            s(
                "text",
                beside
                    ? {
                          class: "row-name",
                          x: margin.marginLeft - 12,
                          y: y(start + 0.5),
                          dy: "0.34em",
                          "text-anchor": "end",
                      }
                    : {
                          class: "row-name",
                          x: margin.marginLeft,
                          y: y(start) + 12,
                          "text-anchor": "start",
                      },
                name,
            ),
        ),
    );
    for (const {name, at} of headings) {
        const place = beside
            ? {x: margin.marginLeft - 12, y: y(at + 0.45), dy: "0.34em", "text-anchor": "end"}
            : {x: margin.marginLeft, y: y(at + heading_share) - 8, "text-anchor": "start"};
        svg.append(s("text", {class: "row-family", ...place}, name));
    }
    svg.append(
        s(
            "text",
            {
                class: "axis-title",
                x: width - margin.marginRight,
                y: height - 6,
                "text-anchor": "end",
            },
            axis_title(plot.x),
        ),
    );

    name_levels(svg, levels, {x, left: margin.marginLeft, right: width, top: margin.marginTop});

    const offset = (index) =>
        bars && !plot.stacked
            ? bar_offset(
                  series.findIndex((each) => each.index === index),
                  series.length,
              )
            : 0;
    const marks = rows.map((row) => ({
        x: x(plot.stacked ? (row.from + row.to) / 2 : row.x),
        y: y(y_of(row.y)) + offset(row.index),
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
