// SPDX-License-Identifier: BSL-1.0
// What the plots' axes have in common.

import * as Plot from "@observablehq/plot";
import {round_number, with_unit} from "./numbers.js";

export const font_size = 12;
/// Fixed, because the style element that Plot writes is admitted to the page by its hash.
export const class_name = "plot";

export const axis_title = ({label, unit}) =>
    unit && unit !== "×" && unit !== label ? `${label}, ${unit}` : label;

/// The range that shows every value; on a linear scale it begins at zero or below.
export function domain(values, {scale}) {
    if (scale !== "log") return [Math.min(0, ...values), Math.max(0, ...values) * 1.02 || 1];
    const positive = values.filter((value) => value > 0);
    return [Math.min(...positive) / 1.15, Math.max(...positive) * 1.15];
}

/// What a value of a `nines` axis stands for: what is missing to 100, on a logarithmic scale that
/// falls. Nothing is nearer to 100 than this.
const least_missing = 0.001;
export const missing = (share) => Math.max(least_missing, 100 - share);

/// From the lowest to the highest, in what is missing.
export function nines_domain(values) {
    const [low, high] = domain(values.map(missing), {scale: "log"});
    return [Math.min(100, high), low];
}

/// An interval as far as it lies within the range.
export function within(range) {
    const [bottom, top] = [Math.min(...range), Math.max(...range)];
    return {
        low: (p) => Math.min(top, Math.max(bottom, p.low)),
        high: (p) => Math.max(bottom, Math.min(top, p.high)),
    };
}

/// On a logarithmic scale what is not above zero has no place; it stays in the table.
export const showable = (point, key, {scale}) =>
    Number.isFinite(point[key]) && (scale !== "log" || point[key] > 0);

const tick_steps = [
    [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8],
    [1, 1.5, 2, 3, 5, 7],
    [1, 2, 5],
    [1, 3],
    [1],
];

/// Ticks at round multiples of the powers of ten, as many as there is room for.
export function log_ticks([low, high], most) {
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
    return undefined;
}

export const tick_text = (unit) => (value) =>
    with_unit(round_number(value), unit === "×" || unit === "%" ? unit : "");

export const value_ticks = (axis, range, room) =>
    axis.scale === "log"
        ? (log_ticks(range, room) ?? [range[0], range[1]].map((v) => Number(v.toPrecision(2))))
        : room;

/// {at, text} of the ticks of a `nines` axis, at what is missing.
export function nines_ticks([most, least], room) {
    const at = log_ticks([least, most], room) ?? [most, least];
    const write = tick_text("%");
    return {at, text: (value) => write(Number((100 - value).toPrecision(6)))};
}

export const base = (width, height, label) => ({
    className: class_name,
    width,
    height,
    ariaLabel: label,
    style: {fontSize: `${font_size}px`, fontFamily: "inherit"},
});

export {Plot};
