// SPDX-License-Identifier: BSL-1.0
// Lines: measured points with their intervals, the fitted line through them, and each series named
// at its line's end.

import {
    axis_title,
    base,
    domain,
    font_size,
    missing,
    nines_domain,
    nines_ticks,
    Plot,
    showable,
    tick_text,
    value_ticks,
    within,
} from "./axes.js";
import {s, text_width} from "./dom.js";
import {spread} from "./labels.js";
import {interval, number, round_number, with_unit} from "./numbers.js";

const label_spacing = 14;
/// So many values of x have a tick each; more of them have as many round ones as there is room for.
const most_ticks = 12;
const room_for_a_tick = 60;
/// Points that are closer than that are drawn small.
const room_for_a_point = 7;

const has_place = (plot) => (p) => showable(p, "x", plot.x) && showable(p, "y", plot.y);

const is_nines = ({y}) => y.scale === "nines";
/// Where y stands on the scale that is drawn.
const place_of = (plot) => (is_nines(plot) ? missing : (value) => value);

/// A fitted line is straight on linear axes only.
const straight = ({x, y}, fit) => fit && x.scale === "linear" && y.scale === "linear";

const on_line = ({intercept, slope}, x) => intercept + slope * x;

/// Writes each series' name at `left`, joined to the end of its line.
function name_ends(svg, {plot, series, size, x, y, margin, left, height}) {
    const ended = series.filter(({points}) => points.some(has_place(plot)));
    const ends = ended.map(({points, fit}) => {
        const last = points.filter(has_place(plot)).at(-1);
        const end = straight(plot, fit) ? on_line(fit, last.x) : place_of(plot)(last.y);
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

/// "94.2% at 12.3 KiB; at most 16 KiB"
function words_of({x, y, note}, plot) {
    const where = `${number(x)} ${plot.x.unit || plot.x.label}`;
    const words = `${with_unit(number(y), plot.y.unit)} at ${where}`;
    return note ? `${words}; ${note}` : words;
}

/// series: [{name, points, fit, style, index}]. Returns {svg, marks} with the place and the words
/// of each point.
export function draw_lines({plot, series, width, ranges, label, several}) {
    const size = width < 420 ? font_size - 1 : font_size;
    const names_width = Math.max(...series.map(({name}) => text_width(name, size, 500)));
    const usual = several ? 380 : width < 420 ? 440 : 540;
    const height = Math.max(usual, series.length * label_spacing + 70);
    const gap = width < 420 ? 24 : 36;
    const inside = within(ranges.y);
    const place = place_of(plot);
    const plain_ticks = {at: value_ticks(plot.y, ranges.y, 6), text: tick_text(plot.y.unit)};
    const ticks = is_nines(plot) ? nines_ticks(ranges.y, 8) : plain_ticks;
    const widest = is_nines(plot) ? ticks.at : ranges.y.map(Math.round);
    const ticks_width = Math.max(24, ...widest.map((end) => text_width(ticks.text(end))));
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
    const room = width - margin.marginLeft - margin.marginRight;
    const x_ticks =
        xs.length <= most_ticks
            ? xs
            : value_ticks(plot.x, ranges.x, Math.max(2, Math.floor(room / room_for_a_tick)));
    const most_points = Math.max(...series.map(({points}) => points.length));
    const crowded = room / most_points < room_for_a_point;

    const shapes = series.flatMap(({points, fit, style, index}) => {
        const shown = points
            .filter(has_place(plot))
            .map((p) => ({...p, y: place(p.y), low: place(p.low), high: place(p.high)}));
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
                shown.filter((p) => p.high !== p.low && Number.isFinite(p.high - p.low)),
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
            ...[true, false].map((aside) =>
                Plot.dot(
                    shown.filter((p) => Boolean(p.aside) === aside),
                    {
                        x: "x",
                        y: "y",
                        r: crowded ? 1.2 : 3.4,
                        symbol: style.symbol,
                        stroke: style.color,
                        strokeWidth: 1.4,
                        fill: style.filled && !aside ? style.color : "var(--paper)",
                        className,
                    },
                ),
            ),
        ];
    });
    const svg = Plot.plot({
        ...base(width, height, label),
        ...margin,
        x: {type: plot.x.scale, domain: ranges.x, label: null},
        y: {type: is_nines(plot) ? "log" : plot.y.scale, domain: ranges.y, label: null},
        marks: [
            Plot.gridY({ticks: ticks.at, stroke: "var(--rule)", strokeOpacity: 1}),
            Plot.axisY({ticks: ticks.at, tickSize: 0, text: ticks.text}),
            Plot.axisX({ticks: x_ticks, tickSize: 4, text: round_number}),
            Plot.ruleY([plot.y.scale === "linear" ? 0 : ranges.y[0]], {stroke: "var(--ink-soft)"}),
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
            .filter(has_place(plot))
            .map((p) => ({
                x: x(p.x),
                y: y(place(p.y)),
                index,
                title: name,
                text: words_of(p, plot),
                interval: interval(p.low, p.high, plot.y.unit),
            })),
    );
    return {svg, marks};
}

/// The ranges that all facets share: every point and every line, and the intervals as far as they
/// do not press the lines flat.
export function line_ranges(plot, series) {
    const points = series.flatMap((each) => each.points).filter(has_place(plot));
    const xs = points.map(({x}) => x);
    const range =
        plot.x.scale === "log" ? domain(xs, plot.x) : [Math.min(...xs), Math.max(...xs)];
    if (is_nines(plot)) return {x: range, y: nines_domain(points.map(({y}) => y))};
    const fits = series.filter(({fit}) => straight(plot, fit));
    const shown = [
        ...points.map(({y}) => y),
        ...fits.flatMap(({fit}) => range.map((x) => on_line(fit, x))),
    ];
    const most = 1.2 * Math.max(...shown);
    const reach = points.map(({high}) => high).filter((high) => high <= most);
    return {x: range, y: domain([...shown, ...reach], plot.y)};
}
