// SPDX-License-Identifier: BSL-1.0
// Shows a plot's marks one by one, by pointer or keyboard. Each plot is one stop of the Tab key. The arrows move within
// a series (left, right) and between series (up, down). The values appear beside the mark and are read aloud.

import {h, s} from "./dom.js";

const reach = 28;

function show(mark, svg) {
    const tip = document.getElementById("tip");
    tip.replaceChildren(
        h("strong", {}, mark.title),
        h("span", {}, mark.text),
        ...(mark.interval ? [h("span", {class: "interval"}, `interval ${mark.interval}`)] : []),
    );
    tip.hidden = false;
    const box = svg.getBoundingClientRect();
    const scale = box.width / svg.viewBox.baseVal.width;
    const x = box.left + mark.x * scale,
        y = box.top + mark.y * scale;
    const {width, height} = tip.getBoundingClientRect();
    const view = document.documentElement.clientWidth;
    tip.style.left = `${window.scrollX + Math.max(8, Math.min(view - width - 8, x - width / 2))}px`;
    tip.style.top = `${window.scrollY + (y - height - 14 > 0 ? y - height - 14 : y + 14)}px`;
}

const hide = () => (document.getElementById("tip").hidden = true);

/// marks: [{x, y, index, title, text, interval}], one series after another. `emphasise(index or null)` dims the others.
export function explore(svg, marks, emphasise) {
    if (marks.length === 0) return;
    svg.setAttribute("tabindex", "0");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-describedby", "how-to-read");
    const ring = s("circle", {class: "ring", r: 8, visibility: "hidden"});
    svg.append(ring);
    let current = -1;
    const read = (at) => {
        current = at;
        const mark = marks[at];
        ring.setAttribute("cx", mark.x);
        ring.setAttribute("cy", mark.y);
        ring.setAttribute("visibility", "visible");
        emphasise(mark.index);
        show(mark, svg);
    };
    const leave = () => {
        ring.setAttribute("visibility", "hidden");
        emphasise(null);
        hide();
    };
    const beside = (step) => {
        const {index, x, y} = marks[current];
        const indices = [...new Set(marks.map((mark) => mark.index))];
        const wanted = indices[(indices.indexOf(index) + step + indices.length) % indices.length];
        let nearest = -1,
            least = Infinity;
        marks.forEach((mark, at) => {
            const distance = Math.hypot(mark.x - x, (mark.y - y) / 100);
            if (mark.index === wanted && distance < least) [nearest, least] = [at, distance];
        });
        return nearest;
    };
    const moves = {
        ArrowRight: () => (current + 1) % marks.length,
        ArrowLeft: () => (current - 1 + marks.length) % marks.length,
        ArrowDown: () => (current < 0 ? 0 : beside(1)),
        ArrowUp: () => (current < 0 ? marks.length - 1 : beside(-1)),
        Home: () => 0,
        End: () => marks.length - 1,
    };
    svg.addEventListener("keydown", (event) => {
        if (event.key === "Escape") return leave();
        const move = moves[event.key];
        if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        read(move());
    });
    svg.addEventListener("blur", leave);
    svg.addEventListener("pointermove", (event) => {
        const box = svg.getBoundingClientRect();
        const scale = svg.viewBox.baseVal.width / box.width;
        const x = (event.clientX - box.left) * scale,
            y = (event.clientY - box.top) * scale;
        let nearest = -1,
            least = reach;
        marks.forEach((mark, at) => {
            const distance = Math.hypot(mark.x - x, mark.y - y);
            if (distance < least) [nearest, least] = [at, distance];
        });
        if (nearest >= 0) read(nearest);
        else leave();
    });
    svg.addEventListener("pointerleave", leave);
}
