# SPDX-License-Identifier: BSL-1.0
"""Builds programs with each kind of shared pointer, and runs their own tests."""
import concurrent.futures
import dataclasses
import functools
import hashlib
import json
import random
import re
import shutil

from . import program as described
from .process import Failure, run, tail
from .program import HERE
from .substitute import substitute

OPTIMISED = ["-std=c++20", "-O2", "-DNDEBUG", "-w", "-pthread"]
QUICKLY = ["-std=c++20", "-O0", "-w", "-pthread"]


@dataclasses.dataclass
class Built:
    """One build: its executable and figures, or the reason why there are none."""
    executable: str = ""
    objects: list = dataclasses.field(default_factory=list)  # without the driver's
    text_bytes: int = 0
    seconds: float = 0  # the compiler's user time
    failure: str = ""


class Builder:
    """Builds programs with `compiler` below `folder`, and keeps each build with its figures.

    If the library, the data file, the driver or the compiler changed, it builds all subjects of
    the program again. It compiles them file by file in a random order, so that their compile times
    are comparable.
    """

    def __init__(self, folder, sources, compiler, jobs=2):
        self.folder = folder
        self.sources = sources
        self.compiler = compiler
        self.jobs = jobs

    def builds(self, program):
        """Returns the build of each of the program's subjects, by the subject's key."""
        place = self._place(program)
        record = place / "builds.json"
        if record.exists():
            return {key: Built(**value) for key, value in json.loads(record.read_text()).items()}
        shutil.rmtree(place.parent, ignore_errors=True)
        builds = self._build(program, place)
        if not any(built.failure for built in builds.values()):
            record.write_text(json.dumps({key: dataclasses.asdict(built)
                                          for key, built in builds.items()}, indent=1))
        return builds

    def own_tests(self, program, subject, built):
        """Returns how many of the program's own tests pass. Raises Failure if not all do."""
        tree = self._place(program) / subject.key
        record = tree / "own_tests.passed"
        if record.exists():
            return int(record.read_text())
        tests = program.tests
        flags = [*QUICKLY, *subject.compiler_flags(), *program.flags(tree, program.data),
                 *program.flags(tree, tests)]
        files = program.files(tree, tests)
        if "main" in tests:
            files.append(program.file.parent / tests["main"])
        objects = [tree / "tests" / f"{number}.o" for number in range(len(files))]
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(lambda file, result: self._compile(file, result, flags), files, objects))
        self._link([*objects, *built.objects], tree / "own_tests",
                   [*program.data.get("link", []), *tests.get("link", [])])
        done = run([tree / "own_tests"], folder=tree, limit=300, log=tree / "own_tests.log")
        passed = passed_tests(tests["passed"], done.output)
        record.write_text(str(passed))
        return passed

    def _place(self, program):
        """Returns a folder. Its name depends on everything that a build depends on."""
        return self.folder / program.key / self._digest(
            *program.file.parent.glob(f"{program.key}*"), *HERE.glob("*.hpp"),
            HERE / "runner/substitute.py")

    def _digest(self, *files):
        """Returns a name for what is built with the compiler from `files` and the library."""
        parts = hashlib.sha256(run([self.compiler, "--version"]).output.encode())
        files = [*files, *(HERE / f"runner/{name}.py" for name in ("build", "program")),
                 *described.LIBRARY.rglob("*.hpp"), *described.CORE.glob("*.?pp")]
        for file in sorted(files):
            parts.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
        return parts.hexdigest()[:16]

    def _compile(self, source, result, flags):
        result.parent.mkdir(parents=True, exist_ok=True)
        return run([self.compiler, *flags, "-c", source, "-o", result],
                   log=result.with_suffix(".log")).user_seconds

    def _link(self, objects, output, flags):
        run([self.compiler, "-pthread", *objects, *flags, "-o", output], log=output.with_suffix(".log"))

    def _build(self, program, place):
        builds = {subject: Built() for subject in program.subjects}
        steps = []
        for subject, built in builds.items():
            tree = place / subject.key
            try:
                program.tree(self.sources, subject, tree)
            except Failure as failure:
                built.failure = str(failure)
                continue
            text = program.driver.read_text()
            if subject.namespace:
                text = substitute(text, subject.namespace, subject.header)
            (tree / "driver.cpp").write_text(text)
            flags = [*OPTIMISED, *subject.compiler_flags(), f"-I{HERE}",
                     *program.flags(tree, program.data)]
            files = [*program.files(tree, program.data), tree / "driver.cpp"]
            for number, file in enumerate(files):
                result = tree / "objects" / f"{number}.o"
                built.objects.append(str(result))
                steps.append((number, random.random(), built, file, result, flags))
        steps.sort(key=lambda step: step[:2])

        def compile_step(step):
            _, _, built, file, result, flags = step
            try:
                built.seconds += self._compile(file, result, flags)
            except Failure as failure:
                built.failure = built.failure or f"its build failed: {failure}"

        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(compile_step, steps))
        for subject, built in builds.items():
            if not built.failure:
                try:
                    self._finish(program, subject, built, place / subject.key)
                except Failure as failure:
                    built.failure = f"its build failed: {failure}"
        return {subject.key: built for subject, built in builds.items()}

    def _finish(self, program, subject, built, tree):
        driver = built.objects.pop()
        if subject.namespace and described.CORE.exists():  # a user's program links the compiled core, too
            built.objects.append(str(self._core))
        self._link([driver, *built.objects], tree / "driver", program.data.get("link", []))
        built.text_bytes = text_bytes(tree / "driver")
        built.executable = str(tree / "driver")

    @functools.cached_property
    def _core(self):
        """The compiled core as users link it: a static library, the same for all programs."""
        folder = self.folder / "core" / self._digest()
        library = folder / "libfreehold.a"
        if not library.exists():
            shutil.rmtree(folder.parent, ignore_errors=True)
            sources = sorted(described.CORE.glob("*.cpp"))
            objects = [folder / f"{source.stem}.o" for source in sources]
            flags = [*OPTIMISED, *described.FREEHOLD.compiler_flags()]
            with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
                list(pool.map(lambda source, result: self._compile(source, result, flags),
                              sources, objects))
            run(["ar", "rcs", library, *objects])
        return library


def passed_tests(pattern, output):
    """Returns the number that the pattern's group matched last. Without a group, returns how often it matched."""
    found = re.findall(pattern, output)
    if not found:
        raise Failure(f"its tests do not say how many passed: {tail(output)}")
    return int(found[-1]) if re.compile(pattern).groups else len(found)


def text_bytes(file):
    """Returns the bytes of code and read-only data, including tables that are read-only after the loader fills them."""
    text = int(run(["size", file]).output.splitlines()[1].split()[0])
    sections = [line.split() for line in run(["size", "-A", file]).output.splitlines()]
    return text + sum(int(each[1]) for each in sections if each and each[0].startswith(".data.rel.ro"))


def run_driver(executable, iterations, process, clock="processor", limit=170):
    """Returns the seconds for each iteration by `clock` ("processor" or "wall"), the peak bytes and the checksum."""
    line = run([executable, iterations, process], limit=limit).output
    try:
        figures = json.loads(line)
        return figures[clock] / iterations, figures["peak_bytes"], figures["checksum"]
    except (ValueError, KeyError, TypeError):
        raise Failure(f"the driver printed no figures but: {tail(line)}") from None
