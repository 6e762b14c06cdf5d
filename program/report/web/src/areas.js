// SPDX-License-Identifier: BSL-1.0
// Areas: what several series use in the course of time, each stacked on those before it.

import {axis_title, base, font_size, Plot, tick_text} from "./axes.js";
import {s, text_width} from "./dom.js";
import {number, with_unit} from "./numbers.js";

const height = 190;
const room_for_a_tick = 55;

/// Each point with where its series begins and ends above it.
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
    const margin = {marginTop: 24, marginBottom: 42, marginLeft: ticks_width + 10, marginRight: 12};
    const areas = stacked(series);
    const svg = Plot.plot({
        ...base(width, height, label),
        ...margin,
        x: {domain: ranges.x, label: null},
        y: {domain: ranges.y, label: null},
        marks: [
            Plot.gridY({ticks: 4, stroke: "var(--rule)", strokeOpacity: 1}),
            Plot.axisY({ticks: 4, tickSize: 0, text: format}),
            Plot.axisX({ticks: Math.max(2, Math.floor(width / room_for_a_tick)), tickSize: 4}),
            ...areas.map(({points, style, index}) =>
                Plot.areaY(points, {
                    x: "x",
                    y1: "from",
                    y2: "to",
                    curve: "step",
                    fill: style.filled ? style.color : "var(--paper)",
                    stroke: style.color,
                    strokeWidth: 1,
                    className: `series s${index} area`,
                }),
            ),
            Plot.ruleY([0], {stroke: "var(--ink-soft)"}),
        ],
    });
    const x = svg.scale("x").apply,
        y = svg.scale("y").apply;
    const title = (text, attributes) =>
        svg.append(s("text", {class: "axis-title", ...attributes}, text));
    title(axis_title(plot.y), {x: 0, y: font_size, "text-anchor": "start"});
    title(axis_title(plot.x), {x: x(ranges.x[1]), y: height - 6, "text-anchor": "end"});

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
