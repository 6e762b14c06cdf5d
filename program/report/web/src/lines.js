// SPDX-License-Identifier: BSL-1.0
// Lines: measured points with their intervals, the fitted line, and the name of each series at the end of its line.

import {s, text_width} from "./dom.js";
import {spread} from "./labels.js";
import {interval, number, round_number, with_unit} from "./numbers.js";
import {
    axis_name, axis_title, clamp, domain, dot, draw_x_axis, draw_y_axis, empty_plot, font_size, missing,
    nines_domain, nines_ticks, polyline, rule, scale_of, showable, tick_text, value_ticks,
} from "./svg.js";

const label_spacing = 14;
/// Up to this many values of x have a tick each. Otherwise there are round ticks, as many as fit.
const most_ticks = 12;
const room_for_a_number = 60;
/// Points that are closer together are drawn small.
const room_for_a_point = 7;

const has_place = (plot) => (p) => showable(p, "x", plot.x) && showable(p, "y", plot.y);

const is_nines = ({y}) => y.scale === "nines";
/// The place of y on the drawn scale.
const place_of = (plot) => (is_nines(plot) ? missing : (value) => value);

/// A fitted line is straight on linear axes only.
const straight = ({x, y}, fit) => fit && x.scale === "linear" && y.scale === "linear";

const on_line = ({intercept, slope}, x) => intercept + slope * x;

/// Writes the name of each series at `left`, joined to the end of its line.
function name_ends(svg, {plot, series, size, x, y, box, left}) {
    const ended = series.filter(({points}) => points.some(has_place(plot)));
    const ends = ended.map(({points, fit}) => {
        const last = points.filter(has_place(plot)).at(-1);
        const end = straight(plot, fit) ? on_line(fit, last.x) : place_of(plot)(last.y);
        return {x: x(last.x) + 6, y: y(end)};
    });
    const wanted = ends.map((end) => end.y);
    const places = spread(wanted, label_spacing, box.top, box.bottom);
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

/// series: [{name, points, fit, style, index}]. Returns {svg, marks} with the place and the text of each point.
export function draw_lines({plot, series, width, ranges, label, several}) {
    const size = width < 420 ? font_size - 1 : font_size;
    const names_width = Math.max(...series.map(({name}) => text_width(name, size, 500)));
    const usual = several ? 380 : width < 420 ? 440 : 540;
    const height = Math.max(usual, series.length * label_spacing + 70);
    const gap = width < 420 ? 24 : 36;
    const place = place_of(plot);
    const plain_ticks = {at: value_ticks(plot.y, ranges.y, 6), text: tick_text(plot.y.unit)};
    const ticks = is_nines(plot) ? nines_ticks(ranges.y, 8) : plain_ticks;
    const widest = is_nines(plot) ? ticks.at : ranges.y.map(Math.round);
    const ticks_width = Math.max(24, ...widest.map((end) => text_width(ticks.text(end))));
    const box = {
        left: ticks_width + 10,
        right: width - names_width - gap - 2,
        top: 30,
        bottom: height - 44,
    };
    const [low, high] = ranges.x;
    const xs = [...new Set(series.flatMap(({points}) => points.map(({x}) => x)))].sort(
        (a, b) => a - b,
    );
    const room = box.right - box.left;
    const x_ticks =
        xs.length <= most_ticks && plot.x.scale !== "log"
            ? xs
            : value_ticks(plot.x, ranges.x, Math.max(2, Math.floor(room / room_for_a_number)));
    const most_points = Math.max(...series.map(({points}) => points.length));
    const radius = room / most_points < room_for_a_point ? 1.2 : 3.4;

    const svg = empty_plot(width, height, label);
    const x = scale_of(plot.x.scale, ranges.x, [box.left, box.right]);
    const y = scale_of(is_nines(plot) ? "log" : plot.y.scale, ranges.y, [box.bottom, box.top]);
    draw_y_axis(svg, box, y, ticks.at, ticks.text);
    draw_x_axis(svg, box, x, x_ticks, round_number);
    const floor = y(plot.y.scale === "linear" ? clamp(0, ranges.y) : ranges.y[0]);
    svg.append(rule(box.left, floor, box.right, floor, {stroke: "var(--ink-soft)"}));
    for (const {points, fit, style, index} of series) {
        const shown = points.filter(has_place(plot));
        const line = straight(plot, fit)
            ? [low, high].map((at) => [x(at), y(on_line(fit, at))])
            : shown.map((p) => [x(p.x), y(place(p.y))]);
        const group = s("g", {class: `series s${index}`});
        if (line.length > 1)
            group.append(
                s("path", {
                    class: `series s${index} line`,
                    d: polyline(line),
                    fill: "none",
                    stroke: style.color,
                    "stroke-width": 1.5,
                    "stroke-dasharray": style.dash,
                }),
            );
        for (const p of shown) {
            const reach = [p.low, p.high].map((end) => y(clamp(place(end), ranges.y)));
            if (p.high !== p.low && Number.isFinite(reach[0] - reach[1]))
                group.append(
                    rule(x(p.x), reach[0], x(p.x), reach[1], {
                        stroke: style.color,
                        "stroke-width": 2,
                        "stroke-opacity": 0.5,
                    }),
                );
            group.append(dot(x(p.x), y(place(p.y)), radius, style, {hollow: p.aside}));
        }
        svg.append(group);
    }
    svg.append(
        axis_name(axis_title(plot.y), width, {x: 0, y: 12, "text-anchor": "start"}),
        axis_name(axis_title(plot.x), x(high), {x: x(high), y: height - 6, "text-anchor": "end"}),
    );
    name_ends(svg, {plot, series, size, x, y, box, left: box.right + gap});

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

/// The ranges that all facets share. They include every point and line, and those ends of intervals that do not flatten
/// the lines.
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
