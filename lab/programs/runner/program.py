# SPDX-License-Identifier: BSL-1.0
"""One program: its data file, its builds with each kind of shared pointer, and its own tests."""
import concurrent.futures
import dataclasses
import hashlib
import json
import os
import pathlib
import random
import re
import shutil

from .process import Failure, run
from .substitute import substitute

HERE = pathlib.Path(__file__).resolve().parent.parent
LIBRARY = HERE.parent.parent / "include"
CORE = HERE.parent.parent / "src" / "freehold.cpp"  # the compiled part of the library, if it has one
OPTIMISED = ["-std=c++20", "-O2", "-DNDEBUG", "-w", "-pthread"]


@dataclasses.dataclass(frozen=True)
class Subject:
    key: str
    name: str
    family: str
    namespace: str | None = None  # what takes the place of std; None: the program as it is
    header: str = ""
    flags: tuple = ()

    def describe(self):
        return {"key": self.key, "name": self.name, "family": self.family, "folded": False,
                "single": True}


def _flags_of_library(subject):
    if subject.namespace is None:
        return []
    linked = ["-DFREEHOLD_HEADER_ONLY=0"] if CORE.exists() else []
    return [f"-I{LIBRARY}", f"-I{HERE}", *linked, *subject.flags]


def _with_count(short):
    return Subject(f"freehold.shared_ptr.{short}", f"freehold::shared_ptr, {short}", "freehold",
                   "replacement", "replacement.hpp", (f"-DREPLACEMENT_COUNT={short}_count",))


STANDARD = Subject("std.shared_ptr", "std::shared_ptr", "standard")
FREEHOLD = Subject("freehold.shared_ptr", "freehold::shared_ptr", "freehold", "freehold",
                   "freehold/handle/shared_ptr.hpp")
SUBJECTS = {subject.key: subject
            for subject in (FREEHOLD, _with_count("local"), _with_count("biased"), STANDARD)}


@dataclasses.dataclass
class Built:
    """What one build yielded: files, figures, or why there are none."""
    program: pathlib.Path | None = None
    text_bytes: int = 0
    build_seconds: float = 0
    failure: str | None = None
    tests_passed: int | None = None
    tests_failure: str | None = None


def rewrite(file, change):
    """Puts change(its text) into `file`, whatever its encoding. Returns whether that differs."""
    old = file.read_bytes().decode("utf-8", "surrogateescape")
    new = change(old)
    if new != old:
        file.write_bytes(new.encode("utf-8", "surrogateescape"))
    return new != old


class Program:
    def __init__(self, file):
        self.file = file
        try:
            self.data = json.loads(file.read_text())
            for member in ("key", "name", "kind", "version", "packages", "substitute", "driver",
                           "subjects", "processes"):
                if member not in self.data:
                    raise KeyError(f"it has no member '{member}'")
            unknown = set(self.data["subjects"]) - set(SUBJECTS)
            if unknown:
                raise KeyError(f"unknown subjects: {', '.join(sorted(unknown))}")
        except (ValueError, KeyError) as error:
            raise Failure(f"{file.name}: {error.args[0] if error.args else error}") from None
        self.key = self.data["key"]
        self.subjects = [SUBJECTS[key] for key in self.data["subjects"]]

    def flags(self, tree, part):
        folders = [f"-I{tree / folder}" for folder in part.get("include", [])]
        return [*folders, *part.get("flags", [])]

    def tree(self, sources, subject, place):
        """Lays out the program's packages below `place`, with the subject's pointers in them."""
        for package in self.data["packages"]:
            shutil.copytree(sources.get(package), place / package["name"], symlinks=True,
                            ignore_dangling_symlinks=True)
        for edit in self.data.get("edits", []):
            edited = 0
            for file in place.glob(edit["files"]):
                edited += rewrite(file, lambda text, edit=edit: re.sub(
                    edit["find"], edit["replace"], text, flags=re.MULTILINE))
            if not edited:
                raise Failure(f"{self.file.name}: nothing in {edit['files']} is like "
                              f"'{edit['find']}', which it edits")
        if subject.namespace is None:
            return
        replaced = 0
        for pattern in self.data["substitute"]:
            files = [file for file in sorted(place.glob(pattern)) if file.is_file()]
            if not files:
                raise Failure(f"{self.file.name}: no file matches '{pattern}'")
            for file in files:
                replaced += rewrite(file, lambda text: substitute(text, subject.namespace,
                                                                  subject.header))
        if not replaced:
            raise Failure(f"{self.file.name}: nothing was replaced by {subject.name}")

    def sources_of(self, tree, part):
        files = []
        for pattern in part.get("sources", []):
            found = [tree / pattern] if "*" not in pattern else sorted(tree.glob(pattern))
            left_out = part.get("except", [])
            files += [file for file in found
                      if file.relative_to(tree).as_posix() not in left_out]
        return files


class Builder:
    """Builds programs with `compiler` below `folder`, and keeps each build with its figures.

    A build is done anew if the library, the data file, the driver or the compiler changed; then
    all subjects of that program are, file by file in a random order, so that their compile times
    are comparable.
    """

    def __init__(self, folder, sources, compiler, jobs=2):
        self.folder = folder
        self.sources = sources
        self.compiler = compiler
        self.jobs = jobs

    def _key(self, program):
        compiler = run([self.compiler, "--version"]).output.splitlines()[0]
        parts = hashlib.sha256(compiler.encode())
        ours = [program.file, *self._drivers(program), HERE / "driver.hpp",
                HERE / "replacement.hpp", pathlib.Path(__file__), HERE / "runner/substitute.py"]
        for file in ours + sorted(LIBRARY.rglob("*.hpp")) + sorted(CORE.parent.glob("*.cpp")):
            parts.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
        return parts.hexdigest()[:16]

    def _drivers(self, program):
        return [program.file.parent / program.data["driver"]]

    def _compile(self, source, object_file, flags, built):
        try:
            object_file.parent.mkdir(parents=True, exist_ok=True)
            done = run([self.compiler, *flags, "-c", source, "-o", object_file],
                       log=object_file.with_suffix(".log"))
            built.build_seconds += done.user_seconds
        except Failure as failure:
            built.failure = built.failure or f"its build failed: {failure}"

    def _link(self, objects, output, flags):
        run([self.compiler, "-pthread", *objects, *flags, "-o", output],
            log=output.with_suffix(".log"))

    def builds(self, program, with_tests=True):
        """For each of the program's subjects what its build yielded."""
        place = self.folder / program.key / self._key(program)
        record = place / "builds.json"
        if record.exists():
            stored = json.loads(record.read_text())
            return {key: Built(**value | {"program": value["program"] and
                                          pathlib.Path(value["program"])})
                    for key, value in stored.items()}
        shutil.rmtree(self.folder / program.key, ignore_errors=True)
        builds = self._build(program, place, with_tests)
        if not all(built.failure for built in builds.values()):
            record.write_text(json.dumps(
                {key: dataclasses.asdict(built) | {"program": built.program and str(built.program)}
                 for key, built in builds.items()}, indent=1))
        return builds

    def _build(self, program, place, with_tests):
        builds, steps = {}, []
        for subject in program.subjects:
            tree = place / subject.key
            built = builds[subject.key] = Built()
            try:
                program.tree(self.sources, subject, tree)
            except Failure as failure:
                built.failure = str(failure)
                continue
            flags = [*OPTIMISED, *_flags_of_library(subject),
                     *program.flags(tree, program.data), f"-I{HERE}"]
            driver = tree / "driver.cpp"
            text = self._drivers(program)[0].read_text()
            if subject.namespace:
                text = substitute(text, subject.namespace, subject.header)
            driver.write_text(text)
            files = [*program.sources_of(tree, program.data), driver]
            steps += [(number, subject.key, file, tree / "objects" / f"{number}.o", flags)
                      for number, file in enumerate(files)]
        random.shuffle(steps)
        steps.sort(key=lambda step: step[0])
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for _, key, file, object_file, flags in steps:
                pool.submit(self._compile, file, object_file, flags, builds[key])
        for subject in program.subjects:
            built, tree = builds[subject.key], place / subject.key
            if built.failure:
                continue
            try:
                objects = [step[3] for step in steps if step[1] == subject.key]
                if subject.namespace and CORE.exists():  # compiled beforehand, by whoever installs it
                    objects.insert(0, tree / "objects" / "core.o")
                    run([self.compiler, *OPTIMISED, *_flags_of_library(subject), "-c", CORE, "-o",
                         objects[0]])
                self._link(objects, tree / "driver", program.data.get("link", []))
                built.text_bytes = text_bytes(tree / "driver")
                built.program = tree / "driver"
                if with_tests and "tests" in program.data and subject in (STANDARD, FREEHOLD):
                    self._test(program, tree, subject, objects[:-1], built)
            except Failure as failure:
                built.failure = f"its build failed: {failure}"
        return builds

    def _test(self, program, tree, subject, objects, built):
        tests = program.data["tests"]
        flags = [*OPTIMISED, "-O0", "-UNDEBUG", *_flags_of_library(subject),
                 *program.flags(tree, program.data), *program.flags(tree, tests)]
        compiled = Built()
        test_objects = []
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for number, file in enumerate(program.sources_of(tree, tests)):
                test_objects.append(tree / "tests" / f"{number}.o")
                pool.submit(self._compile, file, test_objects[-1], flags, compiled)
        try:
            if compiled.failure:
                raise Failure(compiled.failure)
            self._link([*test_objects, *objects], tree / "own_tests",
                       [*program.data.get("link", []), *tests.get("link", [])])
            folder = tree / tests.get("folder", ".")
            folder.mkdir(parents=True, exist_ok=True)
            done = run([tree / "own_tests", *tests.get("arguments", [])], folder=folder, limit=300,
                       log=tree / "own_tests.log")
            passed = re.search(tests["passed"], done.output)
            if not passed:
                raise Failure(f"its tests do not say how many passed: {done.output[-300:]}")
            built.tests_passed = int(passed[1])
        except Failure as failure:
            built.tests_failure = str(failure)


def text_bytes(program):
    """Bytes of code and read-only data, as binutils' `size` counts them."""
    return int(run(["size", program]).output.splitlines()[1].split()[0])


def run_driver(program, iterations, process, limit=170):
    """Seconds for each iteration, peak bytes, checksum."""
    line = run([program, iterations, process], limit=limit,
               environment=os.environ | {"LC_ALL": "C"}).output
    try:
        figures = json.loads(line)
        return figures["seconds"] / iterations, figures["peak_bytes"], figures["checksum"]
    except (ValueError, KeyError, TypeError):
        raise Failure(f"the driver printed no figures but: {line[-300:]}") from None
