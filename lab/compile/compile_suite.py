# SPDX-License-Identifier: BSL-1.0
"""The suite `compile`: the compiler's cost of each handle's header, and of each type."""
import dataclasses
import json
import pathlib
import random
import tempfile

from runner.build import text_bytes
from runner.process import Failure, run
from runner.program import CORE, LIBRARY
from runner.protocol import Cell

HERE = pathlib.Path(__file__).resolve().parent
TYPES = 100
MODES = {"": ["-O2"], ".debug": ["-O0", "-g"]}


@dataclasses.dataclass(frozen=True)
class Header:
    """One subject: its includes, and the code that makes, owns and weakly references an object."""
    key: str
    name: str
    family: str
    includes: tuple
    # With `{}` for the object's type. Without these two, only the include is measured.
    make: str | None = None
    weak: str | None = None

    def includes_text(self):
        return "".join(f"#include <{header}>\n" for header in self.includes)

    def includes_of_classes_text(self):
        return "#include <new>\n#include <string>\n" + self.includes_text()

    def classes_text(self):
        return self.includes_of_classes_text() + "".join(f"""
struct class_{i} {{
    explicit class_{i}(int number) : value(number) {{}}
    virtual ~class_{i}() = default;
    int value;
    std::string name;
}};
using shared_{i} = decltype({self.make.format(f"class_{i}")}(0));
struct both_{i} {{
    shared_{i} owner;
    {self.weak.format(f"class_{i}")} watcher;
}};
shared_{i} make_{i}(int number) {{ return {self.make.format(f"class_{i}")}(number); }}
void copy_{i}(both_{i}* to, const both_{i}& from) {{ new (to) both_{i}(from); }}
void assign_{i}(both_{i}& to, const both_{i}& from) {{ to = from; }}
""" for i in range(TYPES))

    def types_text(self):
        return self.includes_text() + "".join(f"""
struct type_{i} {{
    explicit type_{i}(int number) : value(number) {{}}
    int value;
}};
int use_{i}(int number) {{
    auto made = {self.make.format(f"type_{i}")}(number);
    auto copy = made;
    {self.weak.format(f"type_{i}")} weak = copy;
    made = nullptr;
    auto locked = weak.lock();
    return locked ? locked->value : 0;
}}
""" for i in range(TYPES))


HEADERS = (
    Header("freehold.shared_ptr", "freehold::shared_ptr", "freehold",
           ("freehold/handle/shared_ptr.hpp",), "freehold::make_shared<{}>",
           "freehold::weak_ptr<{}>"),
    Header("freehold.arc", "freehold::arc", "freehold", ("freehold/handle/arc.hpp",),
           "freehold::make_arc<{}>", "freehold::weak_arc<{}>"),
    Header("freehold.arc.biased", "freehold::arc, biased", "freehold",
           ("freehold/count/biased_count.hpp", "freehold/handle/arc.hpp"),
           "freehold::make_arc<{}, freehold::biased_count>",
           "freehold::weak_arc<{}, freehold::biased_count>"),
    Header("intrusive", "intrusive", "policy", ("freehold/handle/intrusive_ptr.hpp",)),
    Header("std.shared_ptr", "std::shared_ptr", "standard", ("memory",), "std::make_shared<{}>",
           "std::weak_ptr<{}>"),
    Header("boost.shared_ptr", "boost::shared_ptr", "boost",
           ("boost/shared_ptr.hpp", "boost/make_shared.hpp", "boost/weak_ptr.hpp"),
           "boost::make_shared<{}>", "boost::weak_ptr<{}>"),
    Header("boost.intrusive_ptr", "boost::intrusive_ptr", "boost", ("boost/intrusive_ptr.hpp",)),
)


class CompileSuite:
    key = "compile"

    def __init__(self, headers=HEADERS):
        self.text = json.loads((HERE / "suite.json").read_text())
        self.headers = headers

    def description(self):
        return self.text

    def subjects(self):
        return [{"key": header.key, "name": header.name, "family": header.family,
                 "folded": False, "single": True} for header in self.headers]

    def _cells(self, header, options):
        cells = {}
        for case in self.text["cases"]:
            kind = case["key"].partition(".")[0]
            if kind != "include" and not header.make:
                continue
            if case["key"] == "include.header_only" and not header.includes[0].startswith(
                    ("freehold/", "memory")):
                continue
            if header.key == "std.shared_ptr" or options.filter.search(
                    header.key) or options.filter.search(case["key"]):
                cells[case["key"]] = Cell(header.key, case["key"], case["unit"])
        return cells

    def run(self, options, output, _cache):
        planned = {header: self._cells(header, options) for header in self.headers}
        once = ("text", "text.debug", "text.class")
        output.plan({cell: 1 if case in once else options.repetitions
                     for cells in planned.values() for case, cell in cells.items()})
        with tempfile.TemporaryDirectory() as folder:
            for repetition in range(options.repetitions):
                for header in random.sample(self.headers, len(self.headers)):
                    try:
                        figures = self._measure(header, options.compiler, pathlib.Path(folder))
                    except Failure as failure:
                        for cell in planned[header].values():
                            output.skip(cell, str(failure))
                        continue
                    for case, cell in planned[header].items():
                        if case not in once:
                            output.sample(cell, figures[case], repetition)
                        elif repetition == 0:
                            output.exact(cell, figures[case])
        output.done()

    def _measure(self, header, compiler, folder):
        """All figures of one subject: the include's and the types' runs follow each other."""
        figures = {}

        def compiled(text, flags):
            source, result = folder / "measured.cpp", folder / "measured.o"
            source.write_text(text)
            done = run([compiler, "-std=c++20", f"-I{LIBRARY}", *flags, "-c", source, "-o",
                        result], limit=300)
            return done, result

        linked = ["-DFREEHOLD_HEADER_ONLY=0"] if CORE.exists() else []
        include, _ = compiled(header.includes_text(), ["-O2"])
        figures["include.header_only"] = include.user_seconds
        for suffix, flags in MODES.items():
            include, _ = compiled(header.includes_text(), [*flags, *linked])
            figures["include" + suffix] = include.user_seconds
            if header.make:
                types, result = compiled(header.types_text(), [*flags, *linked])
                figures["type" + suffix] = (types.user_seconds - include.user_seconds
                                            ) / TYPES * 1000
                figures["text" + suffix] = text_bytes(result)
                figures["memory" + suffix] = types.peak_bytes
        if header.make:
            own, _ = compiled(header.includes_of_classes_text(), ["-O2", *linked])
            classes, result = compiled(header.classes_text(), ["-O2", *linked])
            figures["class"] = (classes.user_seconds - own.user_seconds) / TYPES * 1000
            figures["text.class"] = text_bytes(result)
        return figures
