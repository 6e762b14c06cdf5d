# SPDX-License-Identifier: BSL-1.0
"""The lab's protocol, version 2: what `describe` and `run` print."""
import dataclasses
import json
import sys


@dataclasses.dataclass(frozen=True)
class Cell:
    """One figure of one subject. The suite's description has its unit."""
    subject: str
    case: str
    unit: str
    n: int | None = None

    def members(self):
        return {"subject": self.subject, "case": self.case} | ({"n": self.n} if self.n else {})


class Output:
    """Prints one event a line. It counts the lines, so that every planned line is printed or given up."""

    def __init__(self, stream=None):
        self.stream = stream or sys.stdout
        self.left = {}

    def _print(self, event, members):
        print(json.dumps({"event": event} | members), file=self.stream, flush=True)

    def plan(self, cells):
        """`cells` has the number of `sample` and `exact` lines that will follow for each cell."""
        self.left = dict(cells)
        self._print("plan", {"runs": sum(self.left.values())})

    def _figure(self, event, cell, value, more):
        self.left[cell] -= 1
        self._print(event, cell.members() | {"unit": cell.unit, "value": value} | more)

    def sample(self, cell, value, repetition):
        self._figure("sample", cell, value, {"repetition": repetition})

    def exact(self, cell, value):
        self._figure("exact", cell, value, {})

    def skip(self, cell, reason):
        """Gives up the lines of `cell` that are still planned. Later calls do nothing."""
        runs = self.left.get(cell, 0)
        if runs:
            self.left[cell] = 0
            self._print("skipped", {"subject": cell.subject, "case": cell.case,
                                    "reason": reason, "runs": runs})

    def done(self):
        missing = [cell for cell, runs in self.left.items() if runs]
        if missing:
            raise AssertionError(f"planned, but neither measured nor skipped: {missing}")
        self._print("done", {})
