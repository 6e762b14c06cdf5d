# SPDX-License-Identifier: BSL-1.0
"""The command line of a lab: `describe`, `run SUITE ...`, and `table` for human readers."""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from . import protocol, table
from .process import Failure, run

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
FAMILIES = [{"key": "freehold", "name": "Freehold"}, {"key": "policy", "name": "Policies of 2006"},
            {"key": "strategy", "name": "Strategies of 2000"},
            {"key": "standard", "name": "Standard"}, {"key": "boost", "name": "Boost"}]


def library():
    header = (REPOSITORY / "include/freehold/version.hpp").read_text()
    version = ".".join(re.findall(r"^#define FREEHOLD_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.MULTILINE))
    commit = shutil.which("git") and subprocess.run(
        ["git", "-C", REPOSITORY, "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"],
        capture_output=True, text=True, check=False).stdout.strip()
    return {"version": version, "commit": commit or "unknown"}


def compiler_of(folder):
    """Returns the compiler. A lab's folder has the name of its compiler, such as `clang++`."""
    return folder.name if re.fullmatch(r"(g\+\+|clang\+\+)(-\d+)?", folder.name) else "g++"


def name_of(compiler):
    version = run([compiler, "-dumpfullversion", "-dumpversion"]).output.strip()
    return f"{pathlib.Path(compiler).name} {version}"


def standard_library(compiler):
    macros = subprocess.run([compiler, "-std=c++20", "-E", "-dM", "-include", "version",
                             "-x", "c++", os.devnull], capture_output=True, text=True,
                            check=True).stdout
    defined = dict(re.findall(r"^#define (_GLIBCXX_RELEASE|__GLIBCXX__) (\d+)$", macros,
                              re.MULTILINE))
    return (f"libstdc++ {defined['_GLIBCXX_RELEASE']} ({defined['__GLIBCXX__']})"
            if len(defined) == 2 else "unknown")


def describe(suites, compiler):
    subjects = {subject["key"]: subject for suite in suites for subject in suite.subjects()}
    used = {subject["family"] for subject in subjects.values()}
    return {"format": "freehold-lab", "version": 2, "compiler": name_of(compiler),
            "flags": "-std=c++20 -O2 -DNDEBUG", "standard_library": standard_library(compiler),
            "library": library(),
            "families": [family for family in FAMILIES if family["key"] in used],
            "subjects": list(subjects.values()),
            "suites": [suite.description() for suite in suites]}


def cache_folder():
    """Returns the folder for packages and builds."""
    base = os.environ.get("FREEHOLD_PROGRAMS_CACHE")
    if base:
        return pathlib.Path(base)
    home = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(home) / "freehold" / "programs"


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Failure(f"{message}; see --help")


def pattern(text):
    try:
        return re.compile(text)
    except re.error as error:
        raise ValueError from error


pattern.__name__ = "regular expression"


def positive(convert, low, high):
    def parse(text):
        value = convert(text)
        if not low <= value <= high:
            raise ValueError
        return value
    parse.__name__ = f"number from {low} to {high}"
    return parse


def parse_arguments(arguments, suites, compiler):
    parser = Parser(
        prog="freehold-lab-programs",
        description="Measures real programs, and compilers, with std::shared_ptr and with "
                    "freehold::shared_ptr. The program `freehold` runs it and reads its output.")
    parser.add_argument("--compiler", default=compiler, help="the compiler (%(default)s)")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("describe", help="print the subjects, the suites and their cases")
    commands.add_parser("table", help="read what `run` printed; print a table of ratios to "
                                      "std::shared_ptr in Markdown")
    measure = commands.add_parser("run", help="measure one suite in one process",
                                  description="Packages and builds are kept below "
                                  "$FREEHOLD_PROGRAMS_CACHE (~/.cache/freehold/programs).")
    measure.add_argument("suite", choices=[suite.key for suite in suites])
    measure.add_argument("--process", required=True, choices=["threaded", "single"])
    measure.add_argument("--repetitions", required=True, type=positive(int, 1, 1000))
    measure.add_argument("--min-time", required=True, type=positive(float, 1e-6, 60),
                         help="seconds for each repetition of each timed cell")
    measure.add_argument("--iterations", metavar="FILE",
                         help="ignored: each process finds its number of iterations")
    measure.add_argument("--leave-out", metavar="FILE", help="ignored: all rounds measure everything")
    measure.add_argument("--filter", default="", type=pattern,
                         help="only subjects and cases whose key has a match; "
                              "std.shared_ptr is measured with each")
    return parser.parse_args(arguments)


def main(make_suites, executable, arguments):
    compiler = compiler_of(pathlib.Path(os.path.abspath(executable)).parent)
    try:
        suites = make_suites()
        options = parse_arguments(arguments, suites, compiler)
        if options.command == "table":
            print(table.markdown(sys.stdin))
        elif options.command == "describe":
            print(json.dumps(describe(suites, options.compiler)))
        else:
            chosen, = (suite for suite in suites if suite.key == options.suite)
            if options.process not in chosen.description()["processes"]:
                raise Failure(f"suite '{chosen.key}' is not measured in this kind of process; "
                              "see `describe`")
            chosen.run(options, protocol.Output(), cache_folder())
    except Failure as failure:
        print(f"freehold-lab-programs: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0
