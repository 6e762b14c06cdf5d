// SPDX-License-Identifier: BSL-1.0
// What the model says about subjects: the family of each, and which may be folded if there are too many.

const known = new Map();

export function remember(subjects) {
    subjects.forEach(({head, family, central}, place) =>
        known.set(head, {family, central, place}),
    );
}

/// Undefined for names that are not subjects: compilers, years, sizes.
export const family_of = (name) => known.get(name)?.family;

export const is_lesser = (name) => known.get(name)?.central === false;

/// The order of the tables. Names that are not subjects come last.
export const place_of_subject = (name) => known.get(name)?.place ?? known.size;
