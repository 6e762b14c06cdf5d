// SPDX-License-Identifier: BSL-1.0
// The lowest contrast of any text against what lies behind it, as WCAG 2.2 computes it, on the page
// or within the elements of a selector. Runs in the page.

export function low_contrasts({required, within = "body"}) {
    const parse = (color) => {
        const numbers = /^rgba?\(([^)]*)\)$/
            .exec(color)?.[1]
            .split(/[\s,/]+/)
            .map(Number);
        if (!numbers) throw new Error(`a colour that the test cannot read: ${color}`);
        return {rgb: numbers.slice(0, 3), alpha: numbers[3] ?? 1};
    };
    const over = (top, alpha, bottom) =>
        top.map((channel, i) => channel * alpha + bottom[i] * (1 - alpha));
    const luminance = (rgb) => {
        const [r, g, b] = rgb.map((channel) => {
            const c = channel / 255;
            return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    // Ancestors are shared by thousands of texts, so each of them is asked once.
    const once_each = (find) => {
        const known = new Map();
        return (element) => {
            if (!known.has(element)) known.set(element, find(element));
            return known.get(element);
        };
    };
    const behind = once_each((element) => {
        if (!element) return [255, 255, 255];
        const {rgb, alpha} = parse(getComputedStyle(element).backgroundColor);
        return alpha === 1 ? rgb : over(rgb, alpha, behind(element.parentElement));
    });
    const opacity = once_each((element) =>
        element ? Number(getComputedStyle(element).opacity) * opacity(element.parentElement) : 1,
    );
    const texts = [...document.querySelectorAll(`${within} *`)].filter(
        (element) =>
            element.getClientRects().length > 0 &&
            !["SCRIPT", "STYLE", "NOSCRIPT"].includes(element.tagName.toUpperCase()) &&
            [...element.childNodes].some(
                (node) => node.nodeType === Node.TEXT_NODE && node.data.trim(),
            ),
    );
    const found = texts.map((element) => {
        const style = getComputedStyle(element);
        const svg = element instanceof SVGElement;
        const {rgb, alpha} = parse(svg ? style.fill : style.color);
        const background = behind(element);
        const shown = over(
            rgb,
            alpha * opacity(element) * (svg ? Number(style.fillOpacity) : 1),
            background,
        );
        const [light, dark] = [luminance(shown), luminance(background)].sort((a, b) => b - a);
        return {text: element.textContent.slice(0, 40), ratio: (light + 0.05) / (dark + 0.05)};
    });
    return {checked: found.length, low: found.filter(({ratio}) => !(ratio >= required))};
}
