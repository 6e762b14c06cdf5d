# SPDX-License-Identifier: BSL-1.0
"""A `pyarrow.fs.FileSystem` that reads files through Freehold's cache of lines.

    files = freehold_arrow.filesystem(S3FileSystem(), capacity=4 << 30)
    pyarrow.dataset.dataset("bucket/table", filesystem=files).to_table()
"""

from __future__ import annotations

import atexit
import os
import threading
from typing import Any, Optional

# Before _core, because pyarrow loads the libraries that _core links.
from pyarrow.fs import FileSystem, FileSystemHandler, LocalFileSystem, PyFileSystem

from ._core import Cache

__all__ = ["Cache", "cache", "filesystem"]


def filesystem(
    inner: Optional[FileSystem] = None,
    *,
    capacity: int,
    line_size: int = 8 << 20,
    prefetch: int = 0,
    threads: int = 8,
    reserve: int = 0,
    current_versions: bool = True,
    disk: Optional[str] = None,
    disk_capacity: int = 0,
) -> PyFileSystem:
    """Returns a file system that reads the files of `inner` through a cache.

    Everything but reading is passed on to `inner`. A process has one cache for equal arguments, also if the file system
    is pickled, sent to the process and unpickled there. The cache lives as long as the process.

    inner: any file system of pyarrow; the local one by default.
    capacity: the bound on all memory for lines, in bytes.
    line_size: bytes of one line, a multiple of 4096; best several times as large as a column chunk.
    prefetch: lines that are requested after the line that is read.
    threads: the most requests to `inner` at once, besides those of reading threads.
    reserve: bytes of the capacity that are taken at once.
    current_versions: whether each opening of a file asks `inner` for its version. If False, a file that is in the cache
        is taken to be unchanged until `cache(files).invalidate(path)` is called.
    disk: a folder for lines that outlive the process, and that the processes of this machine share, so that `inner` is
        asked for each line once. It must belong to one `inner` and one user.
    disk_capacity: the bound on the bytes in `disk`.

    Raises ValueError for an impossible argument, TypeError if `inner` is no file system of pyarrow, and OSError if
    `disk` is in use by another user, another version or with another line_size.
    """
    if inner is None:
        inner = LocalFileSystem()
    if not isinstance(inner, FileSystem):
        raise TypeError(
            f"freehold_arrow: inner is a {type(inner).__name__}; give a pyarrow.fs.FileSystem. "
            "For a file system of fsspec, that is PyFileSystem(FSSpecHandler(inner))"
        )
    options: dict[str, Any] = dict(
        capacity=_whole("capacity", capacity, 1),
        line_size=_whole("line_size", line_size, 1),
        prefetch=_whole("prefetch", prefetch, 0, 1 << 20),
        threads=_whole("threads", threads, 1, 1 << 10),
        reserve=_whole("reserve", reserve, 0),
        current_versions=bool(current_versions),
        disk="" if disk is None else os.path.abspath(disk),
        disk_capacity=_whole("disk_capacity", disk_capacity, 0),
    )
    if (disk is None) != (disk_capacity == 0):
        raise ValueError("freehold_arrow: disk and disk_capacity go together: give both or neither")
    return PyFileSystem(CachedFiles(inner, options))


def cache(files: FileSystem) -> Cache:
    """Returns the cache of a file system that `filesystem` has made, for its statistics, `trim` and `invalidate`."""
    handler = files.handler if isinstance(files, PyFileSystem) else None
    if not isinstance(handler, CachedFiles):
        raise TypeError("freehold_arrow: give a file system that freehold_arrow.filesystem has made")
    return handler.cache


class CachedFiles(FileSystemHandler):
    """What `pyarrow.fs.PyFileSystem` calls to list, open and write. Reads of an open file do not come here.

    pyarrow cannot wrap a C++ file system that it does not know, which it must do to pickle a dataset. It can wrap and
    pickle a PyFileSystem.
    """

    def __init__(self, inner: FileSystem, options: dict[str, Any]) -> None:
        self.inner = inner
        self.options = options
        self.cache = _cache_of(inner, options)

    def __reduce__(self):
        return CachedFiles, (self.inner, self.options)

    def __eq__(self, other: object):
        return isinstance(other, CachedFiles) and self.cache is other.cache

    def __ne__(self, other: object):
        return not self == other

    def __hash__(self) -> int:
        return id(self.cache)

    def get_type_name(self):
        return "freehold"

    def open_input_file(self, path):
        return self.cache.open(path)

    def open_input_stream(self, path):
        return self.cache.open(path)

    def normalize_path(self, path):
        return self.inner.normalize_path(path)

    def get_file_info(self, paths):
        return self.inner.get_file_info(paths)

    def get_file_info_selector(self, selector):
        return self.inner.get_file_info(selector)

    def open_output_stream(self, path, metadata):
        return self.inner.open_output_stream(path, compression=None, metadata=metadata)

    def open_append_stream(self, path, metadata):
        return self.inner.open_append_stream(path, compression=None, metadata=metadata)

    def create_dir(self, path, recursive):
        self.inner.create_dir(path, recursive=recursive)

    def delete_dir(self, path):
        self.inner.delete_dir(path)

    def delete_dir_contents(self, path, missing_dir_ok):
        self.inner.delete_dir_contents(path, missing_dir_ok=missing_dir_ok)

    def delete_root_dir_contents(self):
        self.inner.delete_dir_contents("/", accept_root_dir=True)

    def delete_file(self, path):
        self.inner.delete_file(path)

    def move(self, src, dest):
        self.inner.move(src, dest)

    def copy_file(self, src, dest):
        self.inner.copy_file(src, dest)


def _whole(name: str, value: Any, least: int, most: int = (1 << 63) - 1) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise ValueError(f"freehold_arrow: {name} is {value!r}; it must be a whole number")
    if not least <= value <= most:
        raise ValueError(f"freehold_arrow: {name} is {value}; it must be from {least} to {most}")
    return int(value)


_lock = threading.Lock()  # guards _caches
_caches: list[tuple[FileSystem, dict[str, Any], Cache]] = []


def _cache_of(inner: FileSystem, options: dict[str, Any]) -> Cache:
    with _lock:
        for known_inner, known_options, known in _caches:
            if known_options == options and known_inner == inner:
                return known
        made = Cache(inner, **options)
        _caches.append((inner, options, made))
        return made


def _forget_caches() -> None:
    """In a child of fork, which lacks their threads: file systems that are made there get caches of their own."""
    global _lock, _caches
    _lock, _caches = threading.Lock(), []


def _end_caches() -> None:
    for _, _, made in _caches:
        made._end()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_caches)
atexit.register(_end_caches)
