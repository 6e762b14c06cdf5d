# SPDX-License-Identifier: BSL-1.0
"""The subjects, and a program as its data file describes it."""
import dataclasses
import json
import pathlib
import re
import shutil

from .process import Failure
from .substitute import substitute

HERE = pathlib.Path(__file__).resolve().parent.parent
LIBRARY = HERE.parent.parent / "include"
CORE = HERE.parent.parent / "src"  # the library's compiled part, if it exists


@dataclasses.dataclass(frozen=True)
class Subject:
    key: str
    name: str
    family: str
    namespace: str | None = None  # the replacement of std, or None for the unchanged program
    header: str = ""
    flags: tuple = ()

    def compiler_flags(self):
        if self.namespace is None:
            return []
        linked = ["-DFREEHOLD_HEADER_ONLY=0"] if CORE.exists() else []
        return [f"-I{LIBRARY}", *linked, *self.flags]

    def describe(self):
        return {"key": self.key, "name": self.name, "family": self.family, "folded": False,
                "single": True}


def _with_count(short):
    return Subject(f"freehold.shared_ptr.{short}", f"freehold::shared_ptr, {short}", "freehold",
                   "replacement", "replacement.hpp", (f"-DREPLACEMENT_COUNT={short}_count",))


STANDARD = Subject("std.shared_ptr", "std::shared_ptr", "standard")
FREEHOLD = Subject("freehold.shared_ptr", "freehold::shared_ptr", "freehold", "freehold",
                   "freehold/handle/shared_ptr.hpp")
SUBJECTS = {subject.key: subject
            for subject in (FREEHOLD, _with_count("local"), _with_count("biased"), STANDARD)}


def rewrite(file, change):
    """Applies `change` to the text of `file`, whatever its encoding. Returns whether the text differs afterwards."""
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
        self.driver = file.parent / self.data["driver"]
        self.tests = self.data.get("tests")
        # Other programs do not disturb processor time, but it does not show how threads wait.
        self.clock = self.data.get("clock", "processor")

    def tree(self, sources, subject, place):
        """Copies the program's packages below `place`, and puts the subject's pointers into them."""
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

    def files(self, tree, part):
        """Returns the files that `part` of the data file ("sources" of the program or of its tests) compiles."""
        found = []
        for pattern in part.get("sources", []):
            files = [tree / pattern] if "*" not in pattern else sorted(tree.glob(pattern))
            found += [file for file in files
                      if file.relative_to(tree).as_posix() not in part.get("except", [])]
        return found

    def flags(self, tree, part):
        return [*(f"-I{tree / folder}" for folder in part.get("include", [])),
                *part.get("flags", [])]
