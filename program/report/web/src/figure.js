// SPDX-License-Identifier: BSL-1.0
// One figure: its title, a key that also selects a series, one plot for each facet, its note, and its data as a table.

import {area_ranges, draw_areas} from "./areas.js";
import {is_lesser} from "./subjects.js";
import {h} from "./dom.js";
import {explore} from "./explore.js";
import {draw_lines, line_ranges} from "./lines.js";
import {draw_rows, row_order, row_range} from "./rows.js";
import {by_family, series_styles, swatch} from "./styles.js";
import {data_table, table} from "./table.js";
import {unfold_button} from "./unfold.js";

/// The facets in their order, each with its series. A plot without facets is one nameless facet.
function facets_of(plot, styles) {
    const indices = new Map([...styles.keys()].map((name, index) => [name, index]));
    const facets = new Map();
    plot.series.forEach((series, i) => {
        const facet = plot.facets?.[i] ?? "";
        if (!facets.has(facet)) facets.set(facet, []);
        facets
            .get(facet)
            .push({
                ...series,
                facet,
                style: styles.get(series.name),
                index: indices.get(series.name),
            });
    });
    return [...facets].map(([name, series]) => ({name, series}));
}

function choice(group, value, checked, children, pick) {
    return h(
        "label",
        {class: "choice"},
        h("input", {type: "radio", name: group, value, checked, onchange: () => pick(value)}),
        ...children,
    );
}

/// A key with entries that can be chosen. Pointing at an entry shows it as long as the pointer stays; choosing keeps
/// it.
function choosing_key(id, shown, styles, pick, glance) {
    const names = [...styles.keys()];
    const entry = (name) => {
        const index = names.indexOf(name);
        const label = choice(
            id,
            String(index),
            false,
            [swatch(styles.get(name)), h("span", {}, name)],
            () => pick(index),
        );
        label.addEventListener("pointerenter", () => glance(index));
        label.addEventListener("pointerleave", () => glance(null));
        return label;
    };
    return h(
        "fieldset",
        {class: "key choosing"},
        h("legend", {}, "Pick one out"),
        h(
            "div",
            {class: "family"},
            choice(id, "all", true, [h("span", {}, "all")], () => pick(null)),
        ),
        ...by_family(shown).map(([family, members]) =>
            h(
                "div",
                {class: "family"},
                family ? h("span", {class: "family-name"}, family) : null,
                ...members.map(entry),
            ),
        ),
    );
}

const plain_key = (styles, bar) =>
    h(
        "ul",
        {class: "key"},
        ...[...styles].map(([name, style]) => h("li", {}, swatch(style, bar), h("span", {}, name))),
    );

/// The figures as a table, which is made when it is first opened.
function figures_of(plot) {
    const details = h("details", {}, h("summary", {}, "The figures of this plot"));
    const fill = () => {
        if (details.open && details.children.length === 1)
            details.append(table(plot.table ?? data_table(plot)));
    };
    details.addEventListener("toggle", fill);
    return details;
}

/// The length of a bar shows the amount, so its axis is always linear.
const drawable = (plot) =>
    plot.type === "bars" ? {...plot, x: {...plot.x, scale: "linear"}} : plot;

export function figure(model) {
    const plot = drawable(model);
    const names = [...new Set(plot.series.map(({name}) => name))];
    const styles = series_styles(names);
    const areas = plot.type === "lines" && plot.stacked;
    const lines = plot.type === "lines" && !areas;
    const facets = facets_of(plot, styles);
    const heads = lines || areas
        ? names
        : [...new Set(plot.series.flatMap(({points}) => points.map(({y}) => y)))];
    const lesser = new Set(plot.grouped ? heads.filter(is_lesser) : []);
    let all = lesser.size === 0;
    let kept = null;
    const emphasise = (index) => {
        const chosen = index ?? kept;
        panels.classList.toggle("dimmed", chosen !== null);
        for (const element of panels.querySelectorAll(".series"))
            element.classList.toggle(
                "chosen",
                chosen !== null && element.classList.contains(`s${chosen}`),
            );
    };
    const pick = (index) => {
        kept = index;
        emphasise(null);
    };

    /// The series and points that are not folded.
    const shown_of = (series) => {
        if (all) return series;
        if (lines) return series.filter(({name}) => !lesser.has(name));
        return series.map((each) => ({
            ...each,
            points: each.points.filter(({y}) => !lesser.has(y)),
        }));
    };
    const layout = () => {
        const everything = shown_of(facets.flatMap(({series}) => series));
        if (areas) return {ranges: area_ranges(everything)};
        return lines
            ? {ranges: line_ranges(plot, everything)}
            : {range: row_range(plot, everything), order: row_order(plot, everything)};
    };
    let laid_out = layout();
    // Lines across the rows need space, so such a plot has the whole width.
    const side_by_side = facets.length > 1 && !(plot.levels?.length > 0);
    const panels = h("div", {class: side_by_side ? "panels several" : "panels"});
    const slots = facets.map(({name, series}) => {
        const slot = h("div", {class: "panel"});
        panels.append(slot);
        const label = [plot.title, name].filter(Boolean).join(", ");
        return {
            slot,
            width: 0,
            draw: (width) => {
                const shown = shown_of(series);
                const several = side_by_side;
                const drawn = {plot, series: shown, width, label, several, ...laid_out};
                if (lines && plot.own_x)
                    drawn.ranges = {...drawn.ranges, x: line_ranges(plot, shown).x};
                const draw = areas ? draw_areas : lines ? draw_lines : draw_rows;
                const {svg, marks} = draw(drawn);
                slot.replaceChildren(...(name ? [h("h4", {}, name)] : []), svg);
                explore(svg, marks, lines ? emphasise : () => {});
                emphasise(null);
            },
        };
    });
    const redraw = new ResizeObserver(() => {
        for (const each of slots) {
            const width = Math.floor(each.slot.clientWidth);
            if (width === each.width || width === 0) continue;
            each.width = width;
            each.draw(width);
        }
    });
    for (const {slot} of slots) redraw.observe(slot);

    const key = () =>
        choosing_key(
            `${plot.id}-choice`,
            new Map([...styles].filter(([name]) => all || !lesser.has(name))),
            styles,
            pick,
            emphasise,
        );
    let chooser = lines && names.length > 1 ? key() : null;
    const unfold = (every) => {
        all = every;
        laid_out = layout();
        kept = null;
        if (chooser) {
            const next = key();
            chooser.replaceWith(next);
            chooser = next;
        }
        for (const each of slots) if (each.width > 0) each.draw(each.width);
    };

    const id = `${plot.id}-title`;
    return h(
        "figure",
        {class: `plot-figure ${plot.type}`, id: plot.id, "aria-labelledby": id},
        h("h3", {id}, plot.title),
        !lines && names.length > 1 ? plain_key(styles, areas || plot.type === "bars") : null,
        panels,
        chooser,
        lesser.size > 0 ? unfold_button(heads.length, unfold) : null,
        plot.note ? h("figcaption", {class: "note"}, plot.note) : null,
        figures_of(plot),
    );
}
