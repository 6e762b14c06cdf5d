# SPDX-License-Identifier: BSL-1.0
"""Gets programs' sources from package registries with the registries' own clients."""
import pathlib
import re
import shutil
import tempfile

from .process import Failure, run


def source_entries(text):
    """Returns the entries of a file of APT's sources, changed from binary packages to source packages."""
    text = re.sub(r"^Types:.*$", "Types: deb-src", text, flags=re.MULTILINE)
    return re.sub(r"^deb\s", "deb-src ", text, flags=re.MULTILINE)


class Debian:
    """APT with its own lists below `folder`. The system's lists do not change."""

    def __init__(self, folder, etc=pathlib.Path("/etc/apt")):
        self.folder = folder
        self.etc = etc

    def _options(self):
        return [f"-oDir::Etc::SourceList={self.folder}/sources.list",
                f"-oDir::Etc::SourceParts={self.folder}/sources.list.d",
                f"-oDir::State::Lists={self.folder}/lists",
                f"-oDir::Cache={self.folder}/cache", "-oAPT::Sandbox::User=root", "-qq"]

    def _update(self):
        stamp = self.folder / "updated"
        if stamp.exists():
            return
        if not shutil.which("apt-get"):
            raise Failure("there is no apt-get: this source is a Debian package")
        for name in ("lists/partial", "cache/archives/partial", "sources.list.d"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        files = [self.etc / "sources.list", *sorted((self.etc / "sources.list.d").glob("*"))]
        for file in files:
            if not file.is_file() or file.suffix not in (".list", ".sources"):
                continue
            here = self.folder / file.relative_to(self.etc)
            text = file.read_text()
            here.write_text(text)
            here.with_name("source-" + file.name).write_text(source_entries(text))
            if here.parent == self.folder:  # APT reads only one sources.list
                here.write_text(text + "\n" + source_entries(text))
        run(["apt-get", *self._options(), "update"], limit=300,
            log=self.folder / "update.log")
        stamp.touch()

    def source(self, name, _version, into):
        self._update()
        into.mkdir(parents=True)
        run(["apt-get", *self._options(), "source", "--download-only", name], folder=into,
            limit=300, log=self.folder / f"{name}.log")
        description, = into.glob("*.dsc")
        run(["dpkg-source", "--no-check", "-x", description.name, "unpacked"], folder=into,
            log=self.folder / f"{name}.log")
        return into / "unpacked", description.stem.partition("_")[2]

    def package(self, name, _version, into):
        self._update()
        into.mkdir(parents=True)
        run(["apt-get", *self._options(), "download", name], folder=into, limit=300,
            log=self.folder / f"{name}.log")
        archive, = into.glob("*.deb")
        run(["dpkg-deb", "-x", archive, into / "unpacked"])
        return into / "unpacked", archive.name.split("_")[1].replace("%3a", ":")


def crate(name, version, into):
    """Gets one crate of crates.io. `cargo vendor` checks the crate's hash in the registry."""
    if not shutil.which("cargo"):
        raise Failure("there is no cargo: this source is a crate")
    into.mkdir(parents=True)
    (into / "src").mkdir()
    (into / "src/lib.rs").touch()
    (into / "Cargo.toml").write_text('[package]\nname = "unpacking"\nversion = "0.1.0"\n'
                                     f'[dependencies]\n{name} = "={version}"\n')
    run(["cargo", "vendor", "--quiet", "vendored"], folder=into, limit=300,
        log=into / "cargo.log")
    return into / "vendored" / name, version


class Sources:
    """Unpacked packages below `folder`, each fetched once."""

    def __init__(self, folder):
        debian = Debian(folder / "apt")
        self.folder = folder
        self.kinds = {"debian_source": debian.source, "debian_package": debian.package,
                      "crate": crate}

    def get(self, package):
        """Returns the folder of `package` (a kind, a name, a version) and the package's version.

        Raises Failure that names the registry's version, if that is not the expected one.
        """
        kind, name, version = package["kind"], package["name"], package["version"]
        if kind not in self.kinds:
            raise Failure(f"'{kind}' is not a kind of package; the kinds are {', '.join(self.kinds)}")
        place = self.folder / "packages" / f"{kind}-{name}-{version}"
        if not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=self.folder) as attempt:
                unpacked, found = self.kinds[kind](name, version, pathlib.Path(attempt) / "new")
                if not found.startswith(version):
                    raise Failure(f"{name} is there in version {found}, not {version}: "
                                  "try it, and change its data file")
                unpacked.rename(place)
        return place
