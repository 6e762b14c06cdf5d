// SPDX-License-Identifier: BSL-1.0
// Tables. The row heads stay visible while the figures scroll in their own box. The button in a column's head sorts by
// it; a third press restores the order of the model. Intervals are shown on demand, and in the tooltip of their cell. A
// marked cell ("lowest") is bold, and screen readers read its mark. Many subjects are grouped by family, and some are
// folded.

import {family_of, is_lesser} from "./subjects.js";
import {breakable, h} from "./dom.js";
import {interval, number} from "./numbers.js";
import {unfold_button} from "./unfold.js";

const is_figure = (cell) => cell && cell.value !== undefined && cell.value !== null;

function cell_element(cell, column) {
    if (!cell) return h("td", {class: "none"}, h("span", {"aria-label": "not measured"}, "–"));
    const range = interval(cell.low, cell.high, column.unit);
    const marked = cell.mark && !cell.text.endsWith(cell.mark);
    return h(
        "td",
        {
            class: marked ? "marked" : column.text ? "words" : null,
            title: range || null,
            "data-value": cell.value,
        },
        cell.text,
        marked ? h("span", {class: "unseen"}, `, ${cell.mark}`) : null,
        range ? h("span", {class: "interval"}, interval(cell.low, cell.high)) : null,
    );
}

/// Runs of equal groups. A group's name spans its columns.
function group_spans(columns) {
    const spans = [];
    for (const {group = ""} of columns) {
        const last = spans.at(-1);
        if (last && last.group === group) ++last.span;
        else spans.push({group, span: 1});
    }
    return spans;
}

/// Rows without a value come last in both directions.
function sort_rows(body, rows, column, direction) {
    const value = ({row}) => row.cells[column]?.value ?? null;
    const sorted = [...rows].sort((a, b) => {
        const [left, right] = [value(a), value(b)];
        if (left === null || right === null) return (left === null) - (right === null);
        return direction === "ascending" ? left - right : right - left;
    });
    body.replaceChildren(...sorted.map(({element}) => element));
}

/// A row that leads in some column is never folded.
const is_foldable = (row) => is_lesser(row.head) && !row.cells.some((c) => c?.mark === "lowest");

/// The rows, with a line above the first of each family. If the whole family is folded, so is the line.
function rows_by_family(rows, columns) {
    const elements = [];
    let family = undefined;
    for (const {row, element} of rows) {
        const own = family_of(row.head);
        if (own && own !== family) {
            const members = rows.filter((other) => family_of(other.row.head) === own);
            const lesser = members.every((other) => is_foldable(other.row));
            const name = h("th", {scope: "rowgroup"}, own);
            const kind = lesser ? "family-row lesser" : "family-row";
            elements.push(h("tr", {class: kind}, name, h("td", {colspan: columns})));
        }
        family = own;
        elements.push(element);
    }
    return elements;
}

/// The name of a row, which opens what belongs to it, if there is anything.
function head_of({head, opens}) {
    if (!opens) return breakable(head);
    const lines = h("pre", {}, h("code", {}, opens));
    return [h("details", {}, h("summary", {}, ...breakable(head)), lines)];
}

export function table(model) {
    const {columns} = model;
    const starts = columns.map(({group}, i) => i === 0 || group !== columns[i - 1].group);
    const folds = (row) => model.grouped && is_foldable(row);
    const classes = (row) =>
        [row.reference && "reference", folds(row) && "lesser"].filter(Boolean).join(" ") || null;
    const rows = model.rows.map((row) => ({
        row,
        element: h(
            "tr",
            {class: classes(row)},
            h("th", {scope: "row"}, ...head_of(row)),
            ...row.cells.map((cell, i) => {
                const element = cell_element(cell, columns[i] ?? {});
                element.classList.toggle("starts", starts[i] && i > 0);
                return element;
            }),
        ),
    }));
    const in_order = model.grouped
        ? rows_by_family(rows, columns.length)
        : rows.map(({element}) => element);
    const body = h("tbody", {}, ...in_order);
    const heads = columns.map(({label, unit}, i) => {
        const sortable = rows.filter(({row}) => is_figure(row.cells[i])).length > 1;
        const words = [label, unit ? h("span", {class: "unit"}, unit) : null];
        const head = h("th", {scope: "col", class: starts[i] && i > 0 ? "starts" : null});
        head.classList.toggle("words", Boolean(columns[i].text));
        if (!sortable) head.append(...words.filter(Boolean));
        else
            head.append(
                h(
                    "button",
                    {
                        type: "button",
                        onclick: () => {
                            const turns = {ascending: "descending", descending: "none"};
                            const next = turns[head.getAttribute("aria-sort")] ?? "ascending";
                            for (const other of heads) other.removeAttribute("aria-sort");
                            if (next !== "none") head.setAttribute("aria-sort", next);
                            if (next === "none") body.replaceChildren(...in_order);
                            else sort_rows(body, rows, i, next);
                        },
                    },
                    ...words,
                ),
            );
        return head;
    });
    const spans = group_spans(columns);
    const grouped = spans.some(({group}) => group);
    const corner = h("th", {scope: "col", rowspan: grouped ? 2 : 1}, model.row_header);
    const head = grouped
        ? [
              h(
                  "tr",
                  {},
                  corner,
                  ...spans.map(({group, span}, i) =>
                      h(
                          "th",
                          {
                              scope: "colgroup",
                              colspan: span,
                              class: i > 0 ? "group starts" : "group",
                          },
                          h("span", {class: "in-sight"}, group),
                      ),
                  ),
              ),
              h("tr", {}, ...heads),
          ]
        : [h("tr", {}, corner, ...heads)];

    const id = `${model.id}-caption`;
    const foldable = model.rows.some(folds);
    const box = h(
        "div",
        {
            class: foldable ? "scroll folded" : "scroll",
            tabindex: "0",
            role: "region",
            "aria-labelledby": id,
        },
        h("table", {id: model.id, "aria-labelledby": id}, h("thead", {}, ...head), body),
    );
    const intervals = model.rows.some(({cells}) => cells.some((c) => c && interval(c.low, c.high)));
    return h(
        "div",
        {class: "table"},
        h("p", {class: "caption", id}, model.caption),
        box,
        foldable
            ? unfold_button(rows.length, (all) => box.classList.toggle("folded", !all))
            : null,
        intervals
            ? h(
                  "label",
                  {class: "show-intervals"},
                  h("input", {
                      type: "checkbox",
                      onchange: (event) =>
                          box.classList.toggle("with-intervals", event.target.checked),
                  }),
                  "show the intervals",
              )
            : null,
        model.note ? h("p", {class: "note"}, model.note) : null,
    );
}

/// The points of a plot as a table: x or the category in the row's head, and a column for each series.
export function data_table(plot) {
    const by_category = plot.y.scale === "category";
    const measured = by_category ? plot.x : plot.y;
    const head_of = (point) => (by_category ? point.y : number(point.x));
    const heads = new Set(plot.series.flatMap(({points}) => points.map(head_of)));
    const cell = (point) => {
        if (!point) return null;
        const value = by_category ? point.x : point.y;
        return {text: number(value), value, low: point.low, high: point.high};
    };
    const levels = (plot.levels ?? []).map(({at, label}) => `${label} at ${number(at)}`);
    return {
        id: `${plot.id}-data`,
        caption: plot.title,
        note: levels.length > 0 ? `Lines: ${levels.join(", ")} ${measured.unit ?? ""}.` : undefined,
        row_header: by_category ? plot.y.label : plot.x.label,
        grouped: plot.grouped && by_category,
        columns: plot.series.map(({name}, i) => ({
            label: name,
            group: plot.facets?.[i],
            unit: measured.unit,
        })),
        rows: [...heads].map((head) => ({
            head,
            cells: plot.series.map(({points}) => cell(points.find((p) => head_of(p) === head))),
        })),
    };
}
