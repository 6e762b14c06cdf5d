// SPDX-License-Identifier: BSL-1.0
// Reads the model that `freehold report` put into the page and builds the page from it.

import {page} from "./page.js";

const model = JSON.parse(document.getElementById("model").textContent);
document.getElementById("page").replaceChildren(...page(model));

// On paper nothing can be unfolded: every table is open while the page is printed.
let unfolded = [];
addEventListener("beforeprint", () => {
    unfolded = [...document.querySelectorAll("details:not([open])")];
    for (const details of unfolded) details.open = true;
});
addEventListener("afterprint", () => {
    for (const details of unfolded) details.open = false;
});

const links = new Map(
    [...document.querySelectorAll(".contents a")].map((link) => [link.hash.slice(1), link]),
);
const in_sight = new IntersectionObserver(
    (entries) => {
        for (const {target, isIntersecting} of entries) {
            if (!isIntersecting) continue;
            for (const link of links.values()) link.removeAttribute("aria-current");
            links.get(target.id)?.setAttribute("aria-current", "true");
        }
    },
    {rootMargin: "-20% 0px -70% 0px"},
);
for (const section of document.querySelectorAll("section")) in_sight.observe(section);
