#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Runs scripts/replace-std-shared_ptr on small files."""

import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPT = os.path.join(HERE, "../../scripts/replace-std-shared_ptr")
INCLUDE = "#include <freehold/handle/shared_ptr.hpp>\n"


class Replacement(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "source.hpp")

    def run_on(self, text, *options, paths=None):
        if text is not None:
            with open(self.path, "wb") as file:
                file.write(text.encode("utf-8") if isinstance(text, str) else text)
        result = subprocess.run([sys.executable, SCRIPT, *options, *(paths or [self.path])],
                                capture_output=True, check=False)
        self.report = result.stderr.decode()
        self.shown = result.stdout.decode(errors="replace")
        self.status = result.returncode
        with open(self.path, "rb") as file:
            return file.read()

    def expect(self, before, after):
        self.assertEqual(self.run_on(before).decode(), after)
        self.assertEqual(self.status, 0, self.report)

    def test_replaces_every_name_of_the_family(self):
        names = ["shared_ptr<int> a", "weak_ptr<int> b", "make_shared<int>(1)", "allocate_shared<int>(c)",
                 "make_shared_for_overwrite<int>()", "enable_shared_from_this<d>", "static_pointer_cast<e>(f)",
                 "dynamic_pointer_cast<e>(f)", "const_pointer_cast<e>(f)", "reinterpret_pointer_cast<e>(f)",
                 "get_deleter<g>(f)", "owner_less<>"]
        before = "".join(f"x(std::{name});\n" for name in names)
        self.expect(before, INCLUDE + before.replace("std::", "freehold::"))
        self.assertIn("12 names replaced in 1 of 1 files", self.report)

    def test_leaves_other_names_of_std(self):
        text = "std::unique_ptr<int> a; std::bad_weak_ptr b; std::shared_ptrs c; mystd::shared_ptr<int> d;\n"
        self.expect(text, text)

    def test_leaves_comments_and_strings_and_lists_them(self):
        text = ('// std::shared_ptr<a>\n/* std::weak_ptr\n std::make_shared */\nchar s[] = "std::shared_ptr \\" std::weak_ptr";\n'
                'char r[] = R"x(std::shared_ptr )" std::weak_ptr)x";\n')
        self.assertEqual(self.run_on(text).decode(), text)
        for line in (1, 2, 3, 4, 5):
            self.assertIn(f":{line}: left alone: in a comment or a string", self.report)

    def test_goes_on_behind_strings_and_separators(self):
        self.expect('int n = 1\'000; char q = \'"\'; std::shared_ptr<int> p; char c = \'\\\'\'; std::weak_ptr<int> w;\n',
                    INCLUDE + 'int n = 1\'000; char q = \'"\'; freehold::shared_ptr<int> p; char c = \'\\\'\'; freehold::weak_ptr<int> w;\n')

    def test_includes_before_the_first_include(self):
        self.expect("// about\n#pragma once\n\n#include \"other.hpp\"\n#include <memory>\nstd::shared_ptr<int> p;\n",
                    "// about\n#pragma once\n\n" + INCLUDE + "#include \"other.hpp\"\n#include <memory>\nfreehold::shared_ptr<int> p;\n")

    def test_includes_behind_a_guard_where_nothing_is_included(self):
        self.expect("#ifndef A_H\n#define A_H\nstd::shared_ptr<int> p;\n#endif\n",
                    "#ifndef A_H\n#define A_H\n" + INCLUDE + "freehold::shared_ptr<int> p;\n#endif\n")

    def test_does_not_include_under_a_condition(self):
        self.expect("#ifndef A_H\n#define A_H\n#if X\n#include <x>\n#endif\nstd::shared_ptr<int> p;\n#endif\n",
                    "#ifndef A_H\n#define A_H\n" + INCLUDE + "#if X\n#include <x>\n#endif\nfreehold::shared_ptr<int> p;\n#endif\n")

    def test_is_done_once(self):
        once = self.run_on("#include <memory>\nstd::shared_ptr<int> p;\n")
        self.assertEqual(self.run_on(None), once)
        self.assertIn("0 names replaced in 0 of 1 files", self.report)

    def test_lists_what_it_cannot_judge(self):
        text = "using namespace std;\nnamespace std { }\nnamespace sp = std;\nstd::shared_ptr<int> p;\n"
        self.run_on(text, "--dry-run")
        for line in (1, 2, 3):
            self.assertIn(f"source.hpp:{line}: left alone", self.report)
        after = self.run_on(text).decode().split("\n")
        for line in (2, 3, 4):
            self.assertIn(f"source.hpp:{line}: left alone", self.report)
            self.assertIn(after[line - 1], text)
        self.assertNotIn("source.hpp:1:", self.report)

    def test_numbers_lines_above_the_include_as_before(self):
        self.run_on("// std::weak_ptr\n#include <memory>\nstd::shared_ptr<int> p; /* std::weak_ptr */\n")
        self.assertIn("source.hpp:1: left alone", self.report)
        self.assertIn("source.hpp:4: left alone", self.report)

    def test_lists_free_atomic_functions(self):
        self.run_on("std::shared_ptr<int> p;\nauto q = std::atomic_load(&p);\n")
        self.assertIn("source.hpp:3: left alone: if this is for a shared_ptr, write freehold::", self.report)

    def test_qualifies_calls_that_a_using_declaration_allows(self):
        self.expect("using std::weak_ptr,\n  std::make_shared;\nauto a = make_shared<b>(c), d = e.make_shared<b>(), f = g::make_shared<b>();\n"
                    "auto h = i.template make_shared<b>(); auto j = allocate_shared<b>(k); auto make_shared_b = l;\n",
                    INCLUDE + "using freehold::weak_ptr,\n  freehold::make_shared;\n"
                    "auto a = freehold::make_shared<b>(c), d = e.make_shared<b>(), f = g::make_shared<b>();\n"
                    "auto h = i.template make_shared<b>(); auto j = allocate_shared<b>(k); auto make_shared_b = l;\n")

    def test_leaves_calls_that_may_be_of_another_library(self):
        self.expect("using std::make_shared;\nnamespace a { using boost::make_shared; auto b = make_shared<c>(); }\n",
                    INCLUDE + "using freehold::make_shared;\nnamespace a { using boost::make_shared; auto b = make_shared<c>(); }\n")

    def test_lists_befriended_templates(self):
        self.expect("template <class T>\nfriend class std::weak_ptr;\ntemplate <class T> friend void f(std::weak_ptr<T>);\n",
                    INCLUDE + "template <class T>\nfriend class std::weak_ptr;\ntemplate <class T> friend void f(freehold::weak_ptr<T>);\n")
        self.assertIn("source.hpp:2: left alone: freehold's template has a second parameter", self.report)

    def test_using_declarations_friends_and_addresses_compile_before_and_after(self):
        with open(os.path.join(HERE, "using_declarations.cpp"), encoding="utf-8") as file:
            before = file.read()
        self.run_on(before, "--dry-run")
        self.compile()
        self.run_on(before)
        self.compile()

    def compile(self):
        command = [os.environ.get("CXX", "c++"), "-std=c++20", "-fsyntax-only", "-I" + os.path.join(HERE, "../../include"),
                   "-x", "c++", self.path]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_reports_a_hash_only_if_its_argument_stays(self):
        self.expect("std::hash<std::shared_ptr<int>> h;\n", INCLUDE + "std::hash<freehold::shared_ptr<int>> h;\n")
        self.assertNotIn("left alone", self.report)
        self.run_on("std::hash<shared_ptr<int>> h;\n")
        self.assertIn("source.hpp:1: left alone: names without std::", self.report)

    def test_reports_the_function_of_atomic_load_with_a_named_argument(self):
        self.expect("std::atomic_load<std::shared_ptr<int>>(&p);\n",
                    INCLUDE + "std::atomic_load<freehold::shared_ptr<int>>(&p);\n")
        self.assertIn("source.hpp:2: left alone: if this is for a shared_ptr, write freehold::", self.report)

    def test_dry_run_shows_and_writes_nothing(self):
        text = "std::shared_ptr<int> p;\n"
        self.assertEqual(self.run_on(text, "--dry-run").decode(), text)
        self.assertIn("+freehold::shared_ptr<int> p;", self.shown)
        self.assertIn("1 names would be replaced", self.report)

    def test_keeps_line_ends_bytes_and_mode(self):
        before = b"// \xe9 latin 1\r\n#include <memory>\r\nstd :: shared_ptr<int> p;\r\n"
        with open(self.path, "wb"):
            pass
        os.chmod(self.path, 0o640)
        self.assertEqual(self.run_on(before), b"// \xe9 latin 1\r\n" + INCLUDE.strip().encode() +
                         b"\r\n#include <memory>\r\nfreehold::shared_ptr<int> p;\r\n")
        self.assertEqual(os.stat(self.path).st_mode & 0o777, 0o640)

    def test_names_a_file_that_is_not_there_and_does_the_others(self):
        after = self.run_on("std::shared_ptr<int> p;\n", paths=[self.path + ".none", self.path])
        self.assertEqual(self.status, 1)
        self.assertIn("source.hpp.none: No such file", self.report)
        self.assertIn(b"freehold::shared_ptr", after)


if __name__ == "__main__":
    unittest.main()
