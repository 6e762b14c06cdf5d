# SPDX-License-Identifier: BSL-1.0
"""Replaces std's shared pointers in C++ source text by those of another namespace."""
import re

# The names of [util.smartptr] for shared ownership. std::bad_weak_ptr and std::unique_ptr stay.
NAMES = ("shared_ptr", "weak_ptr", "enable_shared_from_this", "owner_less", "get_deleter",
         "make_shared", "make_shared_for_overwrite",
         "allocate_shared", "allocate_shared_for_overwrite",
         "static_pointer_cast", "dynamic_pointer_cast", "const_pointer_cast",
         "reinterpret_pointer_cast")

TOKENS = re.compile(
    r"""(?P<kept> //(?:\\\n|[^\n])* | /\*.*?\*/
                | \b(?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"
                | "(?:\\.|[^"\\\n])*" | (?<!\w)'(?:\\.|[^'\\\n])+' )
      | (?<![\w:])(?P<global>::)?\bstd\s*::\s*(?P<name>"""
    + "|".join(sorted(NAMES, key=len, reverse=True)) + r""")\b""", re.DOTALL | re.VERBOSE)


def substitute(text, namespace, header):
    """Returns `text` with `namespace`'s names. If it replaces any, it adds an include of `header`.

    The include is on the first line, so that it precedes every other include and every #if.
    Comments, strings and character literals stay as they are.
    """
    count = 0

    def replaced(match):
        nonlocal count
        if match["kept"] is not None:
            return match[0]
        count += 1
        return f"{match['global'] or ''}{namespace}::{match['name']}"

    result = TOKENS.sub(replaced, text)
    return f"#include <{header}>\n{result}" if count else text
