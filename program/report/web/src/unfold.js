// SPDX-License-Identifier: BSL-1.0
// The button that shows folded subjects, and folds them again.

import {h} from "./dom.js";

/// `set(all)` shows all of them, or only the central ones.
export function unfold_button(count, set) {
    let all = false;
    const words = () => (all ? "Show fewer subjects" : `Show all ${count} subjects`);
    const button = h(
        "button",
        {
            type: "button",
            class: "unfold",
            "aria-expanded": "false",
            onclick: () => {
                all = !all;
                button.textContent = words();
                button.setAttribute("aria-expanded", String(all));
                set(all);
            },
        },
        words(),
    );
    return button;
}
