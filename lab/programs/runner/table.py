# SPDX-License-Identifier: BSL-1.0
"""Tables of ratios to std::shared_ptr, from the lines that `run` prints."""
import json
import statistics
from math import comb

BASELINE = "std.shared_ptr"


def interval(values):
    """Returns order statistics: an interval that contains the true median with a confidence of 95 %."""
    ordered = sorted(values)
    n, outside, cut = len(ordered), 0.0, 0
    while cut < (n - 1) // 2 and outside + 2 * comb(n, cut) / 2**n <= 0.05:
        outside += 2 * comb(n, cut) / 2**n
        cut += 1
    low = max(cut - 1, 0)
    return ordered[low], ordered[n - 1 - low]


def markdown(lines):
    figures, skipped, order = {}, [], []
    for line in lines:
        event = json.loads(line)
        if event["event"] == "skipped":
            skipped.append(f"{event['subject']}, {event['case']}: {event['reason']}")
        if event["event"] not in ("sample", "exact"):
            continue
        cell = (event["case"], event["subject"])
        if cell not in figures:
            figures[cell] = []
            order.append(cell)
        figures[cell].append(event["value"])
    subjects = list(dict.fromkeys(subject for _, subject in order if subject != BASELINE))
    rows = [["case", *subjects], ["---"] * (1 + len(subjects))]
    for case in dict.fromkeys(case for case, _ in order):
        base = figures.get((case, BASELINE))
        if base:
            rows.append([case, *(ratio(figures.get((case, subject)), base)
                                 for subject in subjects)])
    text = "\n".join("| " + " | ".join(row) + " |" for row in rows)
    return text + "".join(f"\n\nskipped: {reason}" for reason in skipped)


def ratio(values, base):
    if not values:
        return ""
    pairs = [value / other for value, other in zip(values, base) if other]
    if not pairs:
        return ""
    middle = f"{statistics.median(pairs):.3f}"
    if len(pairs) < 3:
        return middle
    low, high = interval(pairs)
    return f"{middle} [{low:.3f}, {high:.3f}]"
