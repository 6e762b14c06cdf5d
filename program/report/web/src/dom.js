// SPDX-License-Identifier: BSL-1.0
// Elements from plain calls: h("p", {class: "note"}, "text", child). Text is always set as text, never parsed.

const SVG = "http://www.w3.org/2000/svg";

function build(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === undefined || value === null || value === false) continue;
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.flat().filter((child) => child !== undefined && child !== null));
    return element;
}

export const h = (tag, attributes = {}, ...children) =>
    build(document.createElement(tag), attributes, children);

export const s = (tag, attributes = {}, ...children) =>
    build(document.createElementNS(SVG, tag), attributes, children);

/// A name that may break between its parts if the space is narrow.
export const breakable = (name) =>
    name.split(/(?<=::|_)(?=\w)/).flatMap((part, i) => (i === 0 ? [part] : [h("wbr"), part]));

const canvas = document.createElement("canvas").getContext("2d");

/// The width in pixels of a text in the plots' typeface, with the spacing that a reader's own styles may add.
export function text_width(text, size = 12, weight = 400) {
    const {fontFamily, fontSize, letterSpacing, wordSpacing} = getComputedStyle(document.body);
    const scaled = (length) => `${((parseFloat(length) || 0) * size) / parseFloat(fontSize)}px`;
    canvas.font = `${weight} ${size}px ${fontFamily}`;
    canvas.letterSpacing = scaled(letterSpacing);
    canvas.wordSpacing = scaled(wordSpacing);
    return canvas.measureText(text).width;
}
