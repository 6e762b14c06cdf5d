# SPDX-License-Identifier: BSL-1.0
"""The suites on a program of one file, with a registry that is a folder."""
import argparse
import io
import json
import pathlib
import re
import shutil
import tempfile
import unittest
from unittest import mock

import lab_path  # isort: skip
import compile_suite
from compile_suite import HEADERS, CompileSuite
from runner import fetch, lab, program, programs_suite, table
from runner.build import Builder, passed_tests
from runner.process import Failure, run
from runner.program import Program
from runner.protocol import Cell, Output

PROGRAM = """#include <memory>
inline std::shared_ptr<int> made(int value) { return std::make_shared<int>(value); }
"""
REAL_DRIVER = """#include "driver.hpp"
#include "made.hpp"
std::uint64_t driver::workload() { return *made(7); }
"""
# What needs neither the library nor its figures is compiled with these, which is quick.
DRIVER = """#include "made.hpp"
#include <cstdio>
int main() {
    std::printf("{\\"processor\\":0.5,\\"checksum\\":%d,\\"peak_bytes\\":4096}\\n", *made(7));
}
"""
LIBRARY = """#define STAND_IN
#include <memory>
namespace freehold { using std::make_shared, std::shared_ptr; }
"""
TESTS = """#include "made.hpp"
#include <cstdio>
int main() { std::printf("passed 3\\n"); return *made(%d) == 1 ? 0 : 1; }
"""
DATA = {
    "key": "small", "name": "small", "kind": "none", "what": "Makes one object.",
    "version": "1", "packages": [{"kind": "folder", "name": "small", "version": "1"}],
    "substitute": ["small/*.hpp"], "include": ["small"], "sources": [], "driver": "small.cpp",
    "subjects": ["std.shared_ptr", "freehold.shared_ptr"],
    "processes": ["single", "threaded"],
    "tests": {"sources": ["small/tests.cpp"], "passed": r"passed (\d+)"}}


class Registry:
    """Stands for fetch.Sources: packages are folders below one."""

    def __init__(self, folder):
        self.folder = folder

    def get(self, package):
        place = self.folder / package["name"]
        if not place.exists():
            raise Failure(f"no network: cannot fetch {package['name']}")
        return place


def options(suite, process="threaded", repetitions=2, pattern=""):
    return argparse.Namespace(suite=suite, process=process, repetitions=repetitions,
                              min_time=1e-6, filter=re.compile(pattern),
                              compiler=lab_path.COMPILER)


class WithFolder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def stand_in_for_the_library(self):
        header = self.folder / "include/freehold/handle/shared_ptr.hpp"
        header.parent.mkdir(parents=True)
        header.write_text(LIBRARY)
        for name, value in (("LIBRARY", self.folder / "include"),
                            ("CORE", self.folder / "src/none.cpp")):
            patch = mock.patch.object(program, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def add_program(self, driver=DRIVER, tests=1, **changes):
        data = DATA | changes
        package = self.folder / "registry" / data["packages"][0]["name"]
        if not changes.get("packages"):
            package.mkdir(parents=True, exist_ok=True)
            (package / "made.hpp").write_text(PROGRAM)
            (package / "tests.cpp").write_text(TESTS % tests)
        (self.folder / data["driver"]).write_text(driver)
        file = self.folder / f"{data['key']}.json"
        file.write_text(json.dumps(data))
        return file

    def run_suite(self, **changes):
        suite = programs_suite.ProgramsSuite(self.folder)
        printed = io.StringIO()
        suite.run(options("programs", **changes), Output(printed), self.folder / "cache",
                  Registry(self.folder / "registry"))
        events = [json.loads(line) for line in printed.getvalue().splitlines()]
        self.assertEqual(events[0]["event"], "plan")
        self.assertEqual(events[-1], {"event": "done"})
        given = sum(event.get("runs", 1) for event in events[1:-1])
        self.assertEqual(events[0]["runs"], given)
        return events[1:-1]


def values(events, case, subject):
    return [event["value"] for event in events
            if event["event"] != "skipped" and (event["case"], event["subject"]) ==
            (case, subject)]


def reasons(events, subject=None):
    return {event["case"]: event["reason"] for event in events
            if event["event"] == "skipped" and subject in (None, event["subject"])}


class WithTheLibrary(WithFolder):
    def test_all_figures_of_a_program(self):
        subjects = [*DATA["subjects"], "freehold.shared_ptr.local"]
        self.add_program(driver=REAL_DRIVER, subjects=subjects)
        events = self.run_suite()
        self.assertEqual(reasons(events), {})
        for subject in subjects:
            self.assertEqual(len(values(events, "run_time.small", subject)), 2)
            for case in ("peak_memory.small", "text.small", "build_time.small"):
                self.assertTrue(all(value > 0 for value in values(events, case, subject)))
        self.assertEqual(values(events, "own_tests.small", "std.shared_ptr"), [3])
        self.assertEqual(values(events, "own_tests.small", "freehold.shared_ptr"), [3])
        self.assertEqual(values(events, "own_tests.small", "freehold.shared_ptr.local"), [])

        described = {(case["key"], case["unit"]) for case in
                     programs_suite.ProgramsSuite(self.folder).description()["cases"]}
        self.assertEqual(described, {(event["case"], event["unit"]) for event in events})


class ProgramsSuite(WithFolder):
    def setUp(self):
        super().setUp()
        self.stand_in_for_the_library()

    def test_a_process_without_a_second_thread_has_no_build_figures(self):
        self.add_program()
        self.assertEqual({event["case"] for event in self.run_suite(process="single")},
                         {"run_time.small", "peak_memory.small"})

    def test_a_filter_keeps_the_standard(self):
        self.add_program()
        events = self.run_suite(process="single", pattern="freehold")
        self.assertEqual({event["subject"] for event in events},
                         {"std.shared_ptr", "freehold.shared_ptr"})

    def test_a_missing_package_is_told_and_the_others_are_measured(self):
        self.add_program()
        self.add_program(key="absent", driver=DRIVER,
                         packages=[{"kind": "folder", "name": "absent", "version": "1"}])
        events = self.run_suite(process="single")
        self.assertIn("cannot fetch absent", reasons(events)["run_time.absent"])
        self.assertEqual(len(values(events, "run_time.small", "freehold.shared_ptr")), 2)

    def test_a_failing_build_is_told_with_the_compilers_words(self):
        self.add_program(driver=DRIVER.replace("*made(7)", "made(7).no_such_member"))
        told = reasons(self.run_suite(process="single"))
        self.assertIn("no_such_member", told["run_time.small"])
        self.assertIn("its build failed", told["run_time.small"])

    def test_a_failing_build_of_one_subject_leaves_the_others(self):
        self.add_program(driver=DRIVER + "#ifdef STAND_IN\n#error refused\n#endif\n")
        events = self.run_suite(process="single")
        self.assertIn("refused", reasons(events, "freehold.shared_ptr")["run_time.small"])
        self.assertEqual(len(values(events, "run_time.small", "std.shared_ptr")), 2)

    def test_failing_tests_of_the_program_are_told(self):
        self.add_program(tests=2)
        events = self.run_suite()
        self.assertIn("exited with status 1", reasons(events)["own_tests.small"])
        self.assertEqual(len(values(events, "run_time.small", "freehold.shared_ptr")), 2)

    def test_a_driver_that_breaks_off_is_told(self):
        self.add_program(driver='#include "made.hpp"\n#include <cstdio>\nint main() {\n'
                         '    std::puts("a reason");\n    return *made(1);\n}\n')
        self.assertIn("a reason", reasons(self.run_suite(process="single"))["run_time.small"])

    def test_a_subject_that_computes_something_else_is_not_measured(self):
        self.add_program(driver=DRIVER.replace("made(7)", "made(number)").replace(
            "int main", "#ifdef STAND_IN\nconstexpr int number = 8;\n#else\n"
            "constexpr int number = 7;\n#endif\nint main"))
        events = self.run_suite(process="single")
        self.assertIn("does not compute", reasons(events, "freehold.shared_ptr")["run_time.small"])
        self.assertEqual(len(values(events, "run_time.small", "std.shared_ptr")), 2)

    def test_a_build_is_kept_until_something_changes(self):
        file = self.add_program()
        registry = Registry(self.folder / "registry")
        builder = Builder(self.folder / "builds", registry, lab_path.COMPILER)
        def built():
            return pathlib.Path(builder.builds(Program(file))["std.shared_ptr"].executable)
        first = built()
        when = first.stat().st_mtime_ns
        self.assertEqual(built().stat().st_mtime_ns, when)
        self.add_program(driver=DRIVER + "// changed\n")
        again = built()
        self.assertNotEqual(first, again)
        self.assertFalse(first.exists())


class PassedTests(unittest.TestCase):
    def test_a_group_is_the_number(self):
        self.assertEqual(passed_tests(r"(\d+) passed", "1 passed\n7 passed"), 7)

    def test_without_a_group_matches_are_counted(self):
        self.assertEqual(passed_tests("ok", "ok ok\nok"), 3)

    def test_output_without_a_number_is_told(self):
        with self.assertRaisesRegex(Failure, "do not say how many passed: nothing ran"):
            passed_tests("ok", "nothing ran")


class DataFiles(WithFolder):
    def setUp(self):
        super().setUp()
        self.stand_in_for_the_library()

    def test_a_member_that_is_missing_is_named(self):
        file = self.add_program()
        data = json.loads(file.read_text())
        del data["driver"]
        file.write_text(json.dumps(data))
        with self.assertRaisesRegex(Failure, "small.json: it has no member 'driver'"):
            Program(file)

    def test_an_unknown_subject_is_named(self):
        with self.assertRaisesRegex(Failure, "unknown subjects: boost.other"):
            Program(self.add_program(subjects=["std.shared_ptr", "boost.other"]))

    def test_text_that_is_no_json_is_told(self):
        file = self.add_program()
        file.write_text("{")
        with self.assertRaisesRegex(Failure, "small.json: Expecting"):
            Program(file)

    def test_a_pattern_that_matches_nothing_is_named(self):
        self.add_program(substitute=["small/*.hpp", "small/none/*.h"])
        told = reasons(self.run_suite(process="single"), "freehold.shared_ptr")
        self.assertIn("no file matches 'small/none/*.h'", told["run_time.small"])

    def test_an_edit_that_finds_nothing_is_named(self):
        self.add_program(edits=[{"files": "small/*.hpp", "find": "no such", "replace": ""}])
        told = reasons(self.run_suite(process="single"))
        self.assertIn("'no such'", told["run_time.small"])


class Registries(WithFolder):
    def test_entries_for_source_packages(self):
        self.assertEqual(fetch.source_entries("Types: deb\nURIs: here\n"),
                         "Types: deb-src\nURIs: here\n")
        self.assertEqual(fetch.source_entries("deb [signed-by=key] here main\n# deb there\n"),
                         "deb-src [signed-by=key] here main\n# deb there\n")

    def test_an_unknown_kind_is_refused(self):
        with self.assertRaisesRegex(Failure, "'tarball'.*debian_source"):
            fetch.Sources(self.folder).get({"kind": "tarball", "name": "a", "version": "1"})

    def test_another_version_is_told_and_not_kept(self):
        sources = fetch.Sources(self.folder)

        def other(_name, _version, into):
            into.mkdir()
            return into, "2.1"
        sources.kinds["debian_source"] = other
        package = {"kind": "debian_source", "name": "a", "version": "1."}
        with self.assertRaisesRegex(Failure, "a is there in version 2.1, not 1."):
            sources.get(package)
        package["version"] = "2."
        self.assertTrue(sources.get(package).is_dir())

    def test_no_network_is_told_with_the_clients_words(self):
        etc = self.folder / "etc"
        (etc / "sources.list.d").mkdir(parents=True)
        (etc / "sources.list").write_text("deb file:/no/such/mirror stable main\n")
        if not shutil.which("apt-get"):
            self.skipTest("there is no apt-get")
        with self.assertRaisesRegex(Failure, "no/such/mirror"):
            fetch.Debian(self.folder / "apt", etc).source("a", "1", self.folder / "a")


class Processes(WithFolder):
    def test_a_command_that_is_not_there(self):
        with self.assertRaisesRegex(Failure, "cannot start no-such-command"):
            run(["no-such-command"])

    def test_a_command_that_takes_too_long(self):
        with self.assertRaisesRegex(Failure, "took longer than 0.1 s"):
            run(["sleep", "30"], limit=0.1)

    def test_the_log_has_the_whole_output_and_the_failure_its_end(self):
        log = self.folder / "log"
        with self.assertRaises(Failure) as caught:
            run(["sh", "-c", "seq 1000; exit 3"], log=log)
        self.assertIn("status 3", str(caught.exception))
        self.assertIn("\n1000", str(caught.exception))
        self.assertNotIn("\n100\n", str(caught.exception))
        self.assertIn("\n100\n", log.read_text())


class Protocol(unittest.TestCase):
    def test_a_line_that_was_planned_must_come(self):
        output = Output(io.StringIO())
        output.plan({Cell("a", "b", "s"): 1})
        with self.assertRaisesRegex(AssertionError, "neither measured nor skipped"):
            output.done()

    def test_skipping_tells_how_many_lines_will_not_follow(self):
        printed = io.StringIO()
        output = Output(printed)
        cell = Cell("a", "b", "s", 3)
        output.plan({cell: 3})
        output.sample(cell, 1.5, 0)
        output.skip(cell, "why")
        output.skip(cell, "why again")
        output.done()
        events = [json.loads(line) for line in printed.getvalue().splitlines()]
        self.assertEqual(events, [
            {"event": "plan", "runs": 3},
            {"event": "sample", "subject": "a", "case": "b", "n": 3, "unit": "s", "value": 1.5,
             "repetition": 0},
            {"event": "skipped", "subject": "a", "case": "b", "reason": "why", "runs": 2},
            {"event": "done"}])


class Table(unittest.TestCase):
    def test_ratios_are_taken_within_repetitions(self):
        lines = [json.dumps({"event": "sample", "subject": subject, "case": "c", "unit": "s",
                             "value": value, "repetition": i})
                 for i in range(9) for subject, value in
                 (("std.shared_ptr", 1.0 + i), ("other", (1.0 + i) * (0.5 + i / 100)))]
        lines.append('{"event": "skipped", "subject": "x", "case": "c", "reason": "why"}')
        text = table.markdown(lines)
        self.assertIn("| c | 0.540 [0.510, 0.570] |", text)
        self.assertIn("skipped: x, c: why", text)

    def test_the_interval_of_few_values_is_their_range(self):
        self.assertEqual(table.interval([3, 1, 2]), (1, 3))


class Compile(unittest.TestCase):
    def test_figures_of_the_standard_headers(self):
        header = next(header for header in HEADERS if header.key == "std.shared_ptr")
        patch = mock.patch.object(compile_suite, "TYPES", 5)
        patch.start()
        self.addCleanup(patch.stop)
        suite = CompileSuite((header,))
        printed = io.StringIO()
        suite.run(options("compile", repetitions=1), Output(printed), None)
        events = [json.loads(line) for line in printed.getvalue().splitlines()]
        figures = {event["case"]: event["value"] for event in events[1:-1]}
        self.assertEqual(set(figures), {case["key"] for case in suite.description()["cases"]})
        for case in ("include", "include.debug", "text", "text.debug", "memory", "memory.debug",
                     "text.class"):
            self.assertGreater(figures[case], 0, case)


class Lab(unittest.TestCase):
    def test_description(self):
        described = lab.describe([programs_suite.ProgramsSuite(), CompileSuite()],
                                 lab_path.COMPILER)
        self.assertEqual((described["format"], described["version"]), ("freehold-lab", 2))
        families = {family["key"] for family in described["families"]}
        self.assertEqual(families, {subject["family"] for subject in described["subjects"]})
        for suite in described["suites"]:
            keys = [case["key"] for case in suite["cases"]]
            self.assertEqual(len(keys), len(set(keys)))
            shown = [column["case"] for block in suite["page"]["blocks"]
                     for column in block["columns"]]
            self.assertEqual(sorted(shown), sorted(keys))

    def test_the_folder_names_the_compiler(self):
        self.assertEqual(lab.compiler_of(pathlib.Path("/build/lab/clang++")), "clang++")
        self.assertEqual(lab.compiler_of(pathlib.Path("/source/lab/programs")), "g++")


if __name__ == "__main__":
    unittest.main()
