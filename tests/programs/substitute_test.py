# SPDX-License-Identifier: BSL-1.0
import unittest

import lab_path  # noqa: F401
from runner.substitute import substitute


def replaced(text):
    return substitute(text, "freehold", "freehold/handle/shared_ptr.hpp")


INCLUDE = "#include <freehold/handle/shared_ptr.hpp>\n"


class Substitute(unittest.TestCase):
    def test_names_are_replaced_and_the_include_comes_first(self):
        self.assertEqual(
            replaced("#pragma once\n#include <memory>\n"
                     "std::shared_ptr<int> p = std::make_shared<int>(1);\n"),
            INCLUDE + "#pragma once\n#include <memory>\n"
            "freehold::shared_ptr<int> p = freehold::make_shared<int>(1);\n")

    def test_what_has_no_such_name_stays_as_it_is(self):
        text = "#include <memory>\nstd::unique_ptr<int> p; throw std::bad_weak_ptr();\n"
        self.assertEqual(replaced(text), text)

    def test_other_forms_of_the_name(self):
        self.assertEqual(replaced("using std::weak_ptr; ::std::shared_ptr<a> b; "
                                  "std :: enable_shared_from_this<c>"),
                         INCLUDE + "using freehold::weak_ptr; ::freehold::shared_ptr<a> b; "
                         "freehold::enable_shared_from_this<c>")

    def test_other_names_stay(self):
        for text in ("mystd::shared_ptr<int> p;", "boost::std::shared_ptr<int> p;",
                     "std::shared_ptr_like p;", "std::make_shared_thing();",
                     "my_std::weak_ptr<int> p;"):
            self.assertEqual(replaced(text), text)

    def test_comments_strings_and_characters_stay(self):
        for kept in ("// std::shared_ptr", "// goes on \\\nstd::shared_ptr",
                     "/* std::shared_ptr\n * std::weak_ptr */", '"std::shared_ptr"',
                     r'"a \" std::shared_ptr"', 'R"(std::shared_ptr ")")',
                     'u8R"x(" )" std::shared_ptr)x"', "'\"'"):
            self.assertEqual(replaced(f"{kept}\nstd::shared_ptr<int> p;"),
                             f"{INCLUDE}{kept}\nfreehold::shared_ptr<int> p;", kept)

    def test_a_digit_separator_opens_no_character(self):
        self.assertEqual(replaced("int n = 1'000; std::shared_ptr<int> p; int m = 1'000;"),
                         INCLUDE + "int n = 1'000; freehold::shared_ptr<int> p; int m = 1'000;")

    def test_blanks_before_the_name_stay(self):
        self.assertEqual(replaced("f(  std::shared_ptr<int>(q))"),
                         INCLUDE + "f(  freehold::shared_ptr<int>(q))")


if __name__ == "__main__":
    unittest.main()
