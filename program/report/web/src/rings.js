// SPDX-License-Identifier: BSL-1.0
// Who leads to whom: named boxes, joined by arrows. An arrow has the colour of its ring, and is the wider the larger its
// amount is. Boxes that arrows join are on a circle.

import {h, s, text_width} from "./dom.js";
import {series_styles, swatch} from "./styles.js";
import {empty_plot, font_size} from "./svg.js";

const box_height = 26;
const widest_arrow = 9;
const edge_of_window = 4;

/// The numbers of the nodes, in groups that edges join.
function joined({nodes, edges}) {
    const group = nodes.map((_, i) => i);
    const root = (i) => (group[i] === i ? i : root(group[i]));
    for (const {from, to} of edges) group[root(from)] = root(to);
    const groups = new Map();
    nodes.forEach((_, i) => groups.set(root(i), [...(groups.get(root(i)) ?? []), i]));
    return [...groups.values()];
}

/// The text, without its middle if it is too wide.
function fitting(text, room) {
    if (text_width(text, font_size, 600) <= room) return text;
    let kept = text.length - 1;
    const cut = () => `${text.slice(0, Math.ceil(kept / 2))}…${text.slice(text.length - Math.floor(kept / 2))}`;
    while (kept > 2 && text_width(cut(), font_size, 600) > room) --kept;
    return cut();
}

/// The places of a group's nodes, and its height. Two nodes are side by side if there is room.
function places(count, width) {
    if (count === 1) return {at: [[width / 2, 86]], height: 116};
    if (count === 2 && width >= 480)
        return {at: [[width * 0.2, 80], [width * 0.8, 80]], height: 160};
    if (count === 2) return {at: [[width / 2, 30], [width / 2, 190]], height: 220};
    const radius = Math.min(width * 0.3, Math.max(100, count * 24));
    const angle = (i) => (2 * Math.PI * i) / count - Math.PI / 2;
    return {
        at: [...Array(count).keys()].map((i) => [
            width / 2 + radius * Math.cos(angle(i)),
            radius + 50 + radius * Math.sin(angle(i)),
        ]),
        height: 2 * radius + 100,
    };
}

/// Where the line from a point to the middle of a box meets its border.
function border([px, py], [x, y], box_width) {
    const [dx, dy] = [px - x, py - y];
    const share = Math.min(
        dx === 0 ? Infinity : (box_width / 2 + 2) / Math.abs(dx),
        dy === 0 ? Infinity : (box_height / 2 + 2) / Math.abs(dy),
    );
    return share < 1 ? [x + dx * share, y + dy * share] : [px, py];
}

function arrow_head([x, y], [px, py], size, color) {
    const length = Math.hypot(x - px, y - py) || 1;
    const [ux, uy] = [(x - px) / length, (y - py) / length];
    const [bx, by] = [x - ux * size * 1.6, y - uy * size * 1.6];
    const points = [[x, y], [bx - uy * size * 0.8, by + ux * size * 0.8], [bx + uy * size * 0.8, by - ux * size * 0.8]];
    return s("polygon", {points: points.map((point) => point.join(",")).join(" "), fill: color});
}

/// Draws one arrow, bowed by `bow`. Returns its elements and its label.
function arrow(edge, from, to, box_width, bow, {color}, thickness, width) {
    const size = thickness + 4;
    const line = {
        class: "way", fill: "none", stroke: color, "stroke-width": thickness,
        "stroke-dasharray": edge.weaken ? "6 4" : null,
    };
    const name = edge.weaken ? `${edge.label}: make it weak` : edge.label;
    const label = ([x, y], room) => {
        const text = fitting(name, room);
        const half = text_width(text, font_size, 600) / 2;
        const middle = Math.min(Math.max(x, half + edge_of_window), width - half - edge_of_window);
        return s("text", {class: "way-name", x: middle, y, dy: "0.34em"}, s("title", {}, edge.text), text);
    };
    if (edge.from === edge.to) {
        const [x, y] = from;
        const [begin, end] = [[x - 22, y - box_height / 2], [x + 22, y - box_height / 2]];
        const path = `M${begin}C${x - 60},${y - 70} ${x + 60},${y - 70} ${end[0] + 4},${end[1] - size}`;
        return [
            s("path", {...line, d: path}),
            arrow_head(end, [end[0] + 6, end[1] - 16], size, color),
            label([x, y - 66], width - 2 * edge_of_window),
        ];
    }
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const length = Math.hypot(dx, dy) || 1;
    const control = [(from[0] + to[0]) / 2 + (dy / length) * bow, (from[1] + to[1]) / 2 - (dx / length) * bow];
    const begin = border(control, from, box_width(edge.from));
    const end = border(control, to, box_width(edge.to));
    const length_in = Math.hypot(end[0] - control[0], end[1] - control[1]) || 1;
    const back = [
        end[0] - ((end[0] - control[0]) / length_in) * size,
        end[1] - ((end[1] - control[1]) / length_in) * size,
    ];
    const middle = [0, 1].map((k) => begin[k] / 4 + control[k] / 2 + end[k] / 4);
    return [
        s("path", {...line, d: `M${begin}Q${control} ${back}`}),
        arrow_head(end, control, size, color),
        label(middle, Math.abs(dy) > Math.abs(dx) ? width / 2 - 12 : width - 2 * edge_of_window),
    ];
}

function draw(model, width, styles) {
    const largest = Math.max(...model.edges.map(({amount}) => amount), 1);
    const label = model.edges
        .map(({from, to, label: way}) => `${model.nodes[from]} leads by ${way} to ${model.nodes[to]}`)
        .join("; ");
    const groups = joined(model).map((nodes) => ({nodes, ...places(nodes.length, width)}));
    const svg = empty_plot(width, groups.reduce((sum, {height}) => sum + height, 0), label);
    let top = 0;
    for (const {nodes, at, height} of groups) {
        const place = new Map(nodes.map((node, i) => [node, [at[i][0], at[i][1] + top]]));
        const room = nodes.length === 1 ? width * 0.8 : width / 3;
        const names = new Map(nodes.map((node) => [node, fitting(model.nodes[node], room - 20)]));
        const box_width = (node) => text_width(names.get(node), font_size, 600) + 20;
        const labels = [];
        const between = new Map();
        for (const edge of model.edges) {
            if (!place.has(edge.from)) continue;
            const pair = `${edge.from}-${edge.to}`;
            const before = between.get(pair) ?? 0;
            between.set(pair, before + 1);
            const thickness = 1.5 + (widest_arrow - 1.5) * Math.sqrt(edge.amount / largest);
            const parts = arrow(
                edge, place.get(edge.from), place.get(edge.to), box_width, 56 + before * 50,
                styles.get(model.rings[edge.ring]), thickness, width,
            );
            labels.push(parts.pop());
            svg.append(...parts);
        }
        for (const [node, [x, y]] of place) {
            const wide = box_width(node);
            svg.append(
                s("rect", {class: "node", x: x - wide / 2, y: y - box_height / 2, width: wide, height: box_height, rx: 4}),
                s("text", {class: "node-name", x, y, dy: "0.34em"}, s("title", {}, model.nodes[node]), names.get(node)),
            );
        }
        svg.append(...labels);
        top += height;
    }
    return svg;
}

export function rings(model) {
    const styles = series_styles(model.rings);
    const slot = h("div", {class: "panel"});
    let drawn = 0;
    new ResizeObserver(() => {
        const width = Math.floor(slot.clientWidth);
        if (width === drawn || width === 0) return;
        drawn = width;
        slot.replaceChildren(draw(model, width, styles));
    }).observe(slot);
    const id = `${model.id}-title`;
    return h(
        "figure",
        {class: "plot-figure rings", id: model.id, "aria-labelledby": id},
        h("h3", {id}, model.title),
        h(
            "ul",
            {class: "key"},
            ...[...styles].map(([name, style]) => h("li", {}, swatch(style, true), h("span", {}, name))),
        ),
        slot,
        model.note ? h("figcaption", {class: "note"}, model.note) : null,
    );
}
