// SPDX-License-Identifier: BSL-1.0
// What the model says of the subjects: the family of each, and which of them may be folded away
// where there are too many to be read in one go.

const known = new Map();

export function remember(subjects) {
    subjects.forEach(({head, family, central}, place) =>
        known.set(head, {family, central, place}),
    );
}

/// Undefined for whatever is no subject: compilers, years, sizes.
export const family_of = (name) => known.get(name)?.family;

export const is_lesser = (name) => known.get(name)?.central === false;

/// In the order of the tables; what is no subject comes last.
export const place_of_subject = (name) => known.get(name)?.place ?? known.size;
