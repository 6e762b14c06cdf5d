# SPDX-License-Identifier: BSL-1.0
"""The suite `programs`: real programs, built with each kind of shared pointer."""
import json
import math
import random

from .fetch import Sources
from .process import Failure
from .program import FREEHOLD, HERE, STANDARD, SUBJECTS, Builder, Program, run_driver
from .protocol import Cell

FIGURES = {"text": "text_bytes", "build_time": "build_seconds", "own_tests": "tests_passed"}


class ProgramsSuite:
    key = "programs"

    def __init__(self, folder=HERE / "programs"):
        self.text = json.loads((HERE / "suite.json").read_text())
        self.programs = [Program(file) for file in sorted(folder.glob("*.json"))]

    def subjects(self):
        return [subject.describe() for subject in SUBJECTS.values()]

    def _figures(self, program):
        return [figure for figure in self.text["each_program"]
                if figure["key"] != "own_tests" or "tests" in program.data]

    def description(self):
        members = {key: value for key, value in self.text.items() if key != "each_program"}
        return members | {"cases": [
            {"key": f"{figure['key']}.{program.key}", "label": program.data["name"],
             "unit": figure["unit"], "what": f"{figure['what']} {program.data['what']}"}
            for program in self.programs for figure in self._figures(program)]}

    def _cells(self, options):
        """Which figures of which subjects are asked for, for each program."""
        planned = {}
        for program in self.programs:
            chosen = {}
            for subject in program.subjects:
                for figure in self._figures(program):
                    cell = Cell(subject.key, f"{figure['key']}.{program.key}", figure["unit"])
                    once = figure.get("once", False)
                    if once and options.process != "threaded":
                        continue
                    if not once and options.process not in program.data["processes"]:
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
        builder = Builder(cache / "builds" / options.compiler, sources or Sources(cache),
                          options.compiler)
        planned = self._cells(options)
        output.plan({cell: options.repetitions if figure in ("run_time", "peak_memory") else 1
                     for chosen in planned.values() for (_, figure), cell in chosen.items()})
        runs = {}
        for program, chosen in planned.items():
            builds = builder.builds(program,
                                    any(figure == "own_tests" for _, figure in chosen))
            self._print_build(chosen, builds, output)
            timed = {subject for subject, figure in chosen
                     if figure in ("run_time", "peak_memory")}
            programs = {subject: builds[subject.key].program for subject in timed
                        if builds[subject.key].program}
            if programs:
                runs[program] = programs
        self._measure(runs, planned, options, output)
        output.done()

    def _print_build(self, chosen, builds, output):
        for (subject, figure), cell in chosen.items():
            built = builds[subject.key]
            if built.failure:
                output.skip(cell, built.failure)
            elif figure == "own_tests" and built.tests_passed is None:
                output.skip(cell, f"its own tests fail: {built.tests_failure}")
            elif figure == "build_time":
                output.sample(cell, built.build_seconds, 0)
            elif figure in FIGURES:
                output.exact(cell, getattr(built, FIGURES[figure]))

    def _measure(self, runs, planned, options, output):
        """One round over all programs and subjects in a random order for each repetition."""
        iterations, checksums = {}, {}

        def give_up(program, subject, why):
            runs[program].pop(subject, None)
            for (each, figure), cell in planned[program].items():
                if each is subject and figure in ("run_time", "peak_memory"):
                    output.skip(cell, why)

        for program, programs in runs.items():
            for subject in sorted(programs, key=lambda each: each is not STANDARD):
                try:
                    if program not in iterations:
                        seconds, _, sum_ = run_driver(programs[subject], 1, options.process)
                        iterations[program] = max(1, math.ceil(options.min_time / seconds))
                    _, _, sum_ = run_driver(programs[subject], 1, options.process)
                    if checksums.setdefault(program, sum_) != sum_:
                        raise Failure("it does not compute what it does with the first subject")
                except Failure as failure:
                    give_up(program, subject, str(failure))
        for repetition in range(options.repetitions):
            order = [(program, subject) for program, programs in runs.items()
                     for subject in programs]
            random.shuffle(order)
            for program, subject in order:
                try:
                    seconds, peak, _ = run_driver(runs[program][subject], iterations[program],
                                                  options.process)
                except Failure as failure:
                    give_up(program, subject, str(failure))
                    continue
                for figure, value in (("run_time", seconds), ("peak_memory", peak)):
                    cell = planned[program].get((subject, figure))
                    if cell:
                        output.sample(cell, value, repetition)
