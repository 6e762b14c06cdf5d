// SPDX-License-Identifier: BSL-1.0
// Areas: several series over time, each stacked on those before it.

import {s, text_width} from "./dom.js";
import {number, with_unit} from "./numbers.js";
import {
    axis_name, axis_title, draw_x_axis, draw_y_axis, empty_plot, font_size, polyline, rule, scale_of,
    tick_text, value_ticks,
} from "./svg.js";

const area_height = 190;
const room_for_seconds = 55;

/// Each point with the bottom and the top of its series there.
function stacked(series) {
    const tops = new Map();
    return series.map((each) => ({
        ...each,
        points: each.points.map((p) => {
            const from = tops.get(p.x) ?? 0;
            tops.set(p.x, from + p.y);
            return {...p, from, to: from + p.y};
        }),
    }));
}

const by_facet = (series) => {
    const facets = new Map();
    for (const each of series) facets.set(each.facet, [...(facets.get(each.facet) ?? []), each]);
    return [...facets.values()];
};

/// The ranges that all facets share; both begin at zero.
export function area_ranges(series) {
    const points = by_facet(series).flatMap((facet) => stacked(facet).flatMap((e) => e.points));
    const most = (of) => Math.max(0, ...points.map(of)) || 1;
    return {x: [0, most(({x}) => x) * 1.01], y: [0, most(({to}) => to) * 1.04]};
}

/// Returns {svg, marks} as draw_lines does.
export function draw_areas({plot, series, width, ranges, label}) {
    const format = tick_text(plot.y.unit);
    const ticks_width = Math.max(24, text_width(format(Math.round(ranges.y[1]))));
    const box = {left: ticks_width + 10, right: width - 12, top: 24, bottom: area_height - 42};
    const areas = stacked(series);
    const svg = empty_plot(width, area_height, label);
    const x = scale_of("linear", ranges.x, [box.left, box.right]);
    const y = scale_of("linear", ranges.y, [box.bottom, box.top]);
    draw_y_axis(svg, box, y, value_ticks(plot.y, ranges.y, 4), format);
    const seconds = value_ticks(plot.x, ranges.x, Math.max(2, Math.floor(width / room_for_seconds)));
    draw_x_axis(svg, box, x, seconds, tick_text(""));
    for (const {points, style, index} of areas) {
        const half = points.length > 1 ? (points[1].x - points[0].x) / 2 : 0;
        const edge = (of) =>
            points.flatMap((p) => [
                [x(p.x - half), y(of(p))],
                [x(p.x + half), y(of(p))],
            ]);
        const outline = [...edge((p) => p.to), ...edge((p) => p.from).reverse()];
        svg.append(
            s("path", {
                class: `series s${index} area`,
                d: `${polyline(outline)}Z`,
                fill: style.filled ? style.color : "var(--paper)",
                stroke: style.color,
            }),
        );
    }
    svg.append(
        rule(box.left, box.bottom, box.right, box.bottom, {stroke: "var(--ink-soft)"}),
        axis_name(axis_title(plot.y), width, {x: 0, y: font_size, "text-anchor": "start"}),
        axis_name(axis_title(plot.x), box.right, {x: x(ranges.x[1]), y: area_height - 6, "text-anchor": "end"}),
    );

    const marks = areas.flatMap(({name, points, index}) =>
        points.map((p) => ({
            x: x(p.x),
            y: y(p.to),
            index,
            title: name,
            text: `${with_unit(number(p.y), plot.y.unit)} at ${with_unit(number(p.x), plot.x.unit)}`,
        })),
    );
    return {svg, marks};
}
