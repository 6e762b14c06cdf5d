# SPDX-License-Identifier: BSL-1.0
"""The suite `programs`: real programs, built with each kind of shared pointer."""
import pathlib
import json
import math
import random

from .build import Builder, run_driver
from .fetch import Sources
from .process import Failure
from .program import FREEHOLD, HERE, STANDARD, SUBJECTS, Program
from .protocol import Cell

TIMED = ("run_time", "peak_memory")  # the figures of each repetition


class ProgramsSuite:
    key = "programs"

    def __init__(self, folder=HERE / "programs"):
        self.text = json.loads((HERE / "suite.json").read_text())
        self.programs = [Program(file) for file in sorted(folder.glob("*.json"))]

    def subjects(self):
        return [subject.describe() for subject in SUBJECTS.values()]

    def _figures(self, program):
        return [figure for figure in self.text["each_program"]
                if figure["key"] != "own_tests" or program.tests]

    def description(self):
        own = ("each_program", "notes")
        members = {key: value for key, value in self.text.items() if key not in own}
        cases = [(figure, program) for program in self.programs
                 for figure in self._figures(program)]
        return members | {
            "cases": [{"key": f"{figure['key']}.{program.key}", "label": program.data["name"],
                       "unit": figure["unit"], "what": f"{figure['what']} {program.data['what']}"}
                      for figure, program in cases],
            "page": {"title": members["title"], "notes": self.text["notes"],
                     "reading": {"sentences": [], "nothing": "No program was measured."},
                     "blocks": [self._table(figure, [program for each, program in cases
                                                     if each is figure])
                                for figure in self.text["each_program"]]}}

    def _table(self, figure, programs):
        ratio = {} if figure["key"] == "own_tests" else {"times": STANDARD.key}
        return {"table": f"programs-{figure['key']}", "caption": figure["caption"],
                "columns": [{"case": f"{figure['key']}.{program.key}"} | ratio
                            for program in programs]}

    def _cells(self, options):
        """Returns the chosen subjects and figures of each program."""
        planned = {}
        for program in self.programs:
            chosen = {}
            for subject in program.subjects:
                for figure in self._figures(program):
                    cell = Cell(subject.key, f"{figure['key']}.{program.key}", figure["unit"])
                    timed = figure["key"] in TIMED
                    if not timed and options.process != "threaded":
                        continue
                    if timed and options.process not in program.data["processes"]:
                        continue
                    if figure["key"] == "own_tests" and subject not in (STANDARD, FREEHOLD):
                        continue
                    if options.filter.search(cell.case) or options.filter.search(subject.key):
                        chosen[subject, figure["key"]] = cell
            for _, figure in list(chosen):
                case = next(cell for (_, key), cell in chosen.items() if key == figure)
                chosen[STANDARD, figure] = Cell(STANDARD.key, case.case, case.unit)
            if chosen:
                planned[program] = chosen
        return planned

    def run(self, options, output, cache, sources=None):
        cache.mkdir(parents=True, exist_ok=True)
        builder = Builder(cache / "builds" / pathlib.Path(options.compiler).name, sources or Sources(cache),
                          options.compiler)
        planned = self._cells(options)
        output.plan({cell: options.repetitions if figure in TIMED else 1
                     for chosen in planned.values() for (_, figure), cell in chosen.items()})
        runs = {}
        for program, chosen in planned.items():
            builds = builder.builds(program)
            self._print_builds(builder, program, chosen, builds, output)
            runs[program] = {subject: builds[subject.key].executable
                             for subject, figure in chosen
                             if figure in TIMED and not builds[subject.key].failure}
        self._measure(runs, planned, options, output)
        output.done()

    def _print_builds(self, builder, program, chosen, builds, output):
        for (subject, figure), cell in chosen.items():
            built = builds[subject.key]
            if built.failure:
                output.skip(cell, built.failure)
            elif figure == "build_time":
                output.sample(cell, built.seconds, 0)
            elif figure == "text":
                output.exact(cell, built.text_bytes)
            elif figure == "own_tests":
                try:
                    output.exact(cell, builder.own_tests(program, subject, built))
                except Failure as failure:
                    output.skip(cell, f"its own tests fail: {failure}")

    def _measure(self, runs, planned, options, output):
        """Each repetition is one round over all programs and subjects in a random order."""
        iterations, checksums = {}, {}

        def give_up(program, subject, why):
            runs[program].pop(subject, None)
            for (each, figure), cell in planned[program].items():
                if each is subject and figure in TIMED:
                    output.skip(cell, why)

        for program, programs in runs.items():
            for subject in sorted(programs, key=lambda each: each is not STANDARD):
                try:
                    seconds, _, checksum = run_driver(programs[subject], 1, options.process,
                                                      program.clock)
                    iterations.setdefault(program, max(1, math.ceil(options.min_time / seconds)))
                    if checksums.setdefault(program, checksum) != checksum:
                        raise Failure("it does not compute what the first subject does")
                except Failure as failure:
                    give_up(program, subject, str(failure))
        for repetition in range(options.repetitions):
            order = [(program, subject) for program, programs in runs.items()
                     for subject in programs]
            random.shuffle(order)
            for program, subject in order:
                try:
                    seconds, peak, _ = run_driver(runs[program][subject], iterations[program],
                                                  options.process, program.clock)
                except Failure as failure:
                    give_up(program, subject, str(failure))
                    continue
                for figure, value in zip(TIMED, (seconds, peak)):
                    cell = planned[program].get((subject, figure))
                    if cell:
                        output.sample(cell, value, repetition)
