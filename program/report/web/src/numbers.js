// SPDX-License-Identifier: BSL-1.0
// Writes numbers as `exact_text` of sections/figures.hpp does: whole numbers in full, others with three significant
// digits. No exponent, commas between thousands.

const grouped = (text) => {
    const [whole, fraction] = text.split(".");
    const parted = whole.replace(/\B(?=(\d{3})+$)/g, ",");
    return fraction ? `${parted}.${fraction}` : parted;
};

export function number(value) {
    const rounded = Number.isInteger(value) ? value : Number(value.toExponential(2));
    const magnitude = Number.isInteger(value) ? 2 : Number(value.toExponential(2).split("e")[1]);
    const digits = Math.min(12, Math.max(0, 2 - magnitude));
    return (value < 0 ? "−" : "") + grouped(Math.abs(rounded).toFixed(digits));
}

/// A tick is a round number, so it gets no zeros at its end.
export const round_number = (value) =>
    (value < 0 ? "−" : "") + grouped(String(Number(Math.abs(value).toPrecision(6))));

export const with_unit = (text, unit) =>
    !unit ? text : unit === "×" || unit === "%" ? text + unit : `${text} ${unit}`;

export function interval(low, high, unit) {
    if (!Number.isFinite(low) || !Number.isFinite(high) || low === high) return "";
    return with_unit(`${number(low)} to ${number(high)}`, unit);
}
