// SPDX-License-Identifier: BSL-1.0
// Numbers as the tables write them: three significant digits, no exponent, thousands separated by
// commas.

const grouped = (text) => {
    const [whole, fraction] = text.split(".");
    const parted = whole.replace(/\B(?=(\d{3})+$)/g, ",");
    return fraction ? `${parted}.${fraction}` : parted;
};

export function number(value) {
    if (value === 0) return "0";
    const magnitude = Math.floor(Math.log10(Math.abs(value)));
    const digits = Math.min(12, Math.max(0, 2 - magnitude));
    return (
        (value < 0 ? "−" : "") +
        grouped(Math.abs(value).toFixed(Number.isInteger(value) ? 0 : digits))
    );
}

/// A tick is a round number: no zeros are added to it.
export const round_number = (value) =>
    (value < 0 ? "−" : "") + grouped(String(Number(Math.abs(value).toPrecision(6))));

export const with_unit = (text, unit) =>
    !unit ? text : unit === "×" || unit === "%" ? text + unit : `${text} ${unit}`;

export function interval(low, high, unit) {
    if (!Number.isFinite(low) || !Number.isFinite(high) || low === high) return "";
    return with_unit(`${number(low)} to ${number(high)}`, unit);
}
