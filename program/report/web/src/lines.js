// SPDX-License-Identifier: BSL-1.0
// Lines: measured points with their intervals, the fitted line through them, and each series named
// at its line's end.

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
import {s, text_width} from "./dom.js";
import {spread} from "./labels.js";
import {interval, number, with_unit} from "./numbers.js";

const label_spacing = 14;

/// A fitted line is straight on linear axes only.
const straight = (plot, fit) => fit && plot.x.scale !== "log" && plot.y.scale !== "log";

const on_line = ({intercept, slope}, x) => intercept + slope * x;

/// Writes each series' name at `left`, joined to the end of its line.
function name_ends(svg, {plot, series, size, x, y, margin, left, height}) {
    const ended = series.filter(({points}) => points.some((p) => showable(p, "y", plot.y)));
    const ends = ended.map(({points, fit}) => {
        const last = points.filter((p) => showable(p, "y", plot.y)).at(-1);
        const end = straight(plot, fit) ? on_line(fit, last.x) : last.y;
        return {x: x(last.x) + 6, y: y(end)};
    });
    const wanted = ends.map((end) => end.y);
    const places = spread(wanted, label_spacing, margin.marginTop, height - margin.marginBottom);
    ended.forEach(({name, style, index}, i) => {
        const from = ends[i];
        const to = {x: left - 4, y: places[i]};
        const turn = (from.x + to.x) / 2;
        const leader = {
            class: `series s${index} leader`,
            fill: "none",
            stroke: style.color,
            "stroke-opacity": 0.5,
            d: `M${from.x},${from.y}C${turn},${from.y} ${turn},${to.y} ${to.x},${to.y}`,
        };
        const label = {
            class: `series s${index} name`,
            x: left,
            y: to.y,
            dy: "0.34em",
            fill: style.color,
            "font-size": size,
            "text-anchor": "start",
        };
        svg.append(s("path", leader), s("text", label, name));
    });
}

/// series: [{name, points, fit, style, index}]. Returns {svg, marks} with the place and the words
/// of each point.
export function draw_lines({plot, series, width, ranges, label}) {
    const size = width < 420 ? font_size - 1 : font_size;
    const names_width = Math.max(...series.map(({name}) => text_width(name, size, 500)));
    const height = Math.max(width < 420 ? 440 : 540, series.length * label_spacing + 70);
    const gap = width < 420 ? 24 : 36;
    const inside = within(ranges.y);
    const ticks = value_ticks(plot.y, ranges.y, 6);
    const format = tick_text(plot.y.unit);
    const ticks_width = Math.max(24, ...ranges.y.map((end) => text_width(format(Math.round(end)))));
    const margin = {
        marginTop: 30,
        marginBottom: 44,
        marginLeft: ticks_width + 10,
        marginRight: names_width + gap + 2,
    };
    const [low, high] = ranges.x;
    const xs = [...new Set(series.flatMap(({points}) => points.map(({x}) => x)))].sort(
        (a, b) => a - b,
    );

    const shapes = series.flatMap(({points, fit, style, index}) => {
        const shown = points.filter((p) => showable(p, "y", plot.y));
        const line = straight(plot, fit)
            ? [low, high].map((x) => ({x, y: on_line(fit, x)}))
            : shown;
        const className = `series s${index}`;
        return [
            Plot.line(line, {
                x: "x",
                y: "y",
                stroke: style.color,
                strokeWidth: 1.5,
                strokeDasharray: style.dash,
                className: `${className} line`,
            }),
            Plot.ruleX(
                shown.filter((p) => p.high > p.low),
                {
                    x: "x",
                    y1: inside.low,
                    y2: inside.high,
                    stroke: style.color,
                    strokeWidth: 2,
                    strokeOpacity: 0.5,
                    className,
                },
            ),
            Plot.dot(shown, {
                x: "x",
                y: "y",
                r: 3.4,
                symbol: style.symbol,
                stroke: style.color,
                strokeWidth: 1.4,
                fill: style.filled ? style.color : "var(--paper)",
                className,
            }),
        ];
    });
    const svg = Plot.plot({
        ...base(width, height, label),
        ...margin,
        x: {type: plot.x.scale, domain: ranges.x, label: null},
        y: {type: plot.y.scale, domain: ranges.y, label: null},
        marks: [
            Plot.gridY({ticks, stroke: "var(--rule)", strokeOpacity: 1}),
            Plot.axisY({ticks, tickSize: 0, text: format}),
            Plot.axisX({ticks: xs, tickSize: 4, text: number}),
            Plot.ruleY([plot.y.scale === "log" ? ranges.y[0] : 0], {stroke: "var(--ink-soft)"}),
            ...shapes,
        ],
    });

    const x = svg.scale("x").apply,
        y = svg.scale("y").apply;
    const title = (text, attributes) =>
        svg.append(s("text", {class: "axis-title", ...attributes}, text));
    title(axis_title(plot.y), {x: 0, y: 12, "text-anchor": "start"});
    title(axis_title(plot.x), {x: x(high), y: height - 6, "text-anchor": "end"});

    name_ends(svg, {
        plot,
        series,
        size,
        x,
        y,
        margin,
        left: width - margin.marginRight + gap,
        height,
    });

    const marks = series.flatMap(({name, points, index}) =>
        points
            .filter((p) => showable(p, "y", plot.y))
            .map((p) => ({
                x: x(p.x),
                y: y(p.y),
                index,
                title: name,
                text: `${with_unit(number(p.y), plot.y.unit)} at ${number(p.x)} ${plot.x.label}`,
                interval: interval(p.low, p.high, plot.y.unit),
            })),
    );
    return {svg, marks};
}

/// The ranges that all facets share: every point and every line, and the intervals as far as they
/// do not press the lines flat.
export function line_ranges(plot, series) {
    const points = series.flatMap((each) => each.points).filter((p) => showable(p, "y", plot.y));
    const xs = points.map(({x}) => x);
    const range = [Math.min(...xs), Math.max(...xs)];
    const fits = series.filter(({fit}) => straight(plot, fit));
    const shown = [
        ...points.map(({y}) => y),
        ...fits.flatMap(({fit}) => range.map((x) => on_line(fit, x))),
    ];
    const most = 1.2 * Math.max(...shown);
    const reach = points.map(({high}) => high).filter((high) => high <= most);
    return {x: range, y: domain([...shown, ...reach], plot.y)};
}
