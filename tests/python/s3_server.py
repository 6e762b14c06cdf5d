# SPDX-License-Identifier: BSL-1.0
"""versitygw over a temporary folder, as lab/servers/s3_server.hpp starts it, and pyarrow's file system for it."""

import collections
import ctypes
import glob
import os
import pathlib
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from pyarrow.fs import S3FileSystem


def find_versitygw():
    """$FREEHOLD_VERSITYGW, else the one on $PATH, else the newest of the user's cache folder, else None."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    built = sorted(glob.glob(os.path.join(cache, "freehold", "versitygw-v*")), key=os.path.getmtime)
    return os.environ.get("FREEHOLD_VERSITYGW") or shutil.which("versitygw") or (built[-1] if built else None)


class S3Server:
    def __init__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="freehold-python-")
        folder = pathlib.Path(self._folder.name)
        (folder / "data").mkdir()
        self._log = folder / "requests"
        self._keys = secrets.token_hex(10), secrets.token_hex(20)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        # Without --keep-alive: with it, versitygw answers 400 after an upload whose checksum follows the bytes.
        self._process = subprocess.Popen(
            [find_versitygw(), "--port", f"127.0.0.1:{self._port}", "--region", "us-east-1", "--quiet",
             "--access-log", self._log, "posix", folder / "data"],
            env={"PATH": os.environ["PATH"], "ROOT_ACCESS_KEY": self._keys[0], "ROOT_SECRET_KEY": self._keys[1]},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=_end_with_parent)
        deadline = time.monotonic() + 20
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("versitygw does not answer")
            time.sleep(0.02)

    def filesystem(self, port=None):
        return S3FileSystem(
            access_key=self._keys[0], secret_key=self._keys[1], region="us-east-1", scheme="http",
            endpoint_override=f"127.0.0.1:{port or self._port}", allow_bucket_creation=True, allow_delayed_open=True)

    def gets(self):
        """How many times each object was read so far. The server writes its log a moment after it has answered."""
        before = None
        while True:
            words = [line.split() for line in self._log.read_text().splitlines()] if self._log.exists() else []
            read = collections.Counter(each[each.index("s3_GetObject") + 1] for each in words if "s3_GetObject" in each)
            if read == before:
                return read
            before = read
            time.sleep(0.3)

    def stop(self):
        self._process.terminate()
        self._process.wait()

    def close(self):
        self.stop()
        self._folder.cleanup()

    def _answers(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self._port)) == 0


def _end_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
