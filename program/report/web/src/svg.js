// SPDX-License-Identifier: BSL-1.0
// Scales, ticks, axes and marks: the parts of every plot.

import {s, text_width} from "./dom.js";
import {round_number, with_unit} from "./numbers.js";

export const font_size = 12;

export const axis_title = ({label, unit}) =>
    unit && unit !== "×" && unit !== label ? `${label}, ${unit}` : label;

/// The range that shows every value; on a linear scale it begins at zero or below.
export function domain(values, {scale}) {
    if (scale !== "log") return [Math.min(0, ...values), Math.max(0, ...values) * 1.02 || 1];
    const positive = values.filter((value) => value > 0);
    return [Math.min(...positive) / 1.15, Math.max(...positive) * 1.15];
}

/// A `nines` axis is a falling logarithmic scale of what is missing to 100. No value is nearer to 100 than this.
const least_missing = 0.001;
export const missing = (share) => Math.max(least_missing, 100 - share);

/// The range from the lowest to the highest share, in what is missing to 100.
export function nines_domain(values) {
    const [low, high] = domain(values.map(missing), {scale: "log"});
    return [Math.min(100, high), low];
}

export const clamp = (value, range) =>
    Math.min(Math.max(...range), Math.max(Math.min(...range), value));

/// On a logarithmic scale, values up to zero have no place. The table still has them.
export const showable = (point, key, {scale}) =>
    Number.isFinite(point[key]) && (scale !== "log" || point[key] > 0);

/// Maps the range of values on to the range of pixels.
export function scale_of(type, [from, to], [left, right]) {
    const at = type === "log" ? Math.log : (value) => value;
    const [low, high] = [at(from), at(to)];
    return (value) => left + ((at(value) - low) / (high - low || 1)) * (right - left);
}

const tick_steps = [
    [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8],
    [1, 1.5, 2, 3, 5, 7],
    [1, 2, 5],
    [1, 3],
    [1],
];

/// Ticks at round multiples of the powers of ten, as many as fit.
function log_ticks([low, high], most) {
    for (const steps of tick_steps) {
        const ticks = [];
        for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); ++e)
            for (const step of steps) ticks.push(Number((step * 10 ** e).toPrecision(2)));
        const inside = ticks.filter((tick) => tick >= low && tick <= high);
        if (inside.length <= most && inside.length > 1) return inside;
    }
    for (const decades of [2, 3, 4]) {
        const ticks = [];
        const first = decades * Math.ceil(Math.log10(low) / decades);
        for (let e = first; e <= Math.log10(high); e += decades) ticks.push(Number(`1e${e}`));
        if (ticks.length <= most && ticks.length > 1) return ticks;
    }
    return [low, high].map((value) => Number(value.toPrecision(2)));
}

/// Ticks at multiples of 1, 2 or 5 times a power of ten, about `wanted` of them.
function linear_ticks([low, high], wanted) {
    const rough = (high - low) / Math.max(1, wanted);
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].find((each) => each * power >= rough * 0.8) * power;
    const ticks = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i)
        ticks.push(Number((i * step).toPrecision(12)));
    return ticks;
}

export const value_ticks = (axis, range, room) =>
    axis.scale === "log" ? log_ticks(range, room) : linear_ticks(range, room);

export const tick_text = (unit) => (value) =>
    with_unit(round_number(value), unit === "×" || unit === "%" ? unit : "");

/// {at, text} of the ticks of a `nines` axis, where `at` is what is missing to 100.
export function nines_ticks([most, least], room) {
    const write = tick_text("%");
    return {
        at: log_ticks([least, most], room),
        text: (value) => write(Number((100 - value).toPrecision(6))),
    };
}

/// An empty plot. `box` has the drawing's left, right, top and bottom.
export const empty_plot = (width, height, label) =>
    s("svg", {
        class: "plot",
        width,
        height,
        viewBox: `0 0 ${width} ${height}`,
        "aria-label": label,
        "font-size": font_size,
    });

export const rule = (x1, y1, x2, y2, attributes = {}) =>
    s("line", {x1, y1, x2, y2, stroke: "var(--rule)", ...attributes});

const tick_label = (x, y, text, attributes) =>
    s("text", {class: "tick", x, y, fill: "currentColor", ...attributes}, text);

export function draw_x_axis(svg, box, x, ticks, text, {grid = false} = {}) {
    for (const tick of ticks) {
        const at = x(tick);
        svg.append(
            grid
                ? rule(at, box.top, at, box.bottom)
                : rule(at, box.bottom, at, box.bottom + 4, {stroke: "currentColor"}),
            tick_label(at, box.bottom + 16, text(tick), {"text-anchor": "middle"}),
        );
    }
}

export function draw_y_axis(svg, box, y, ticks, text) {
    for (const tick of ticks) {
        const at = y(tick);
        const place = {"text-anchor": "end", dy: "0.34em"};
        svg.append(
            rule(box.left, at, box.right, at),
            tick_label(box.left - 6, at, text(tick), place),
        );
    }
}

/// The title of an axis. One that is longer than `room` is condensed to it.
export function axis_name(text, room, attributes) {
    const condensed =
        text_width(text, font_size) > room ? {textLength: room, lengthAdjust: "spacingAndGlyphs"} : {};
    return s("text", {class: "axis-title", ...condensed, ...attributes}, text);
}

const polygon = (points) => (r) => `M${points.map(([x, y]) => `${x * r},${y * r}`).join("L")}Z`;
const star = [...Array(10).keys()].map((i) => {
    const angle = (Math.PI * i) / 5 - Math.PI / 2;
    const length = i % 2 === 0 ? 1.67 : 0.64;
    return [length * Math.cos(angle), length * Math.sin(angle)];
});
const arm = 0.4;
const cross = [
    [-3 * arm, -arm], [-arm, -arm], [-arm, -3 * arm], [arm, -3 * arm], [arm, -arm], [3 * arm, -arm],
    [3 * arm, arm], [arm, arm], [arm, 3 * arm], [-arm, 3 * arm], [-arm, arm], [-3 * arm, arm],
];
/// Shapes of about the same area. Each gets the radius of the circle.
const shapes = {
    circle: (r) => `M${r},0A${r},${r} 0 1 1 ${-r},0A${r},${r} 0 1 1 ${r},0Z`,
    square: polygon([[-0.89, -0.89], [0.89, -0.89], [0.89, 0.89], [-0.89, 0.89]]),
    triangle: polygon([[0, -1.55], [1.35, 0.78], [-1.35, 0.78]]),
    diamond: polygon([[0, -1.65], [0.95, 0], [0, 1.65], [-0.95, 0]]),
    star: polygon(star),
    cross: polygon(cross),
    down: polygon([[0, 1.55], [1.35, -0.78], [-1.35, -0.78]]),
};
export const symbols = Object.keys(shapes);

export const symbol_path = (symbol, radius) => shapes[symbol](radius);

export const dot = (x, y, radius, style, {hollow = false, ...attributes} = {}) =>
    s("path", {
        class: "dot",
        d: symbol_path(style.symbol, radius),
        transform: `translate(${x},${y})`,
        stroke: style.color,
        "stroke-width": 1.5,
        fill: style.filled && !hollow ? style.color : "var(--paper)",
        ...attributes,
    });

export const polyline = (points) => `M${points.map(([x, y]) => `${x},${y}`).join("L")}`;
