# SPDX-License-Identifier: BSL-1.0
"""Runs commands, with their processor time, their peak memory and a log."""
import dataclasses
import os
import signal
import subprocess
import tempfile
import threading


class Failure(Exception):
    """Raised if something cannot be measured. Its text says what to do, or shows the end of the log."""


@dataclasses.dataclass
class Finished:
    output: str
    user_seconds: float
    peak_bytes: int  # at least the peak of this Python process: see peak_bytes() in driver.hpp


def tail(text, lines=15):
    return "\n".join(text.strip().splitlines()[-lines:])


def run(command, folder=None, limit=600, environment=None, log=None):
    """Runs `command` to its end, and returns its output and its use of time and memory.

    Raises Failure with the end of its output if it does not start, takes longer than `limit`
    seconds, or exits with a status other than 0. Writes the whole output to the file `log`.
    """
    words = [str(word) for word in command]
    with tempfile.TemporaryFile() as output:
        try:
            child = subprocess.Popen(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                     stdout=output, stderr=subprocess.STDOUT,
                                     start_new_session=True)
        except OSError as error:
            raise Failure(f"cannot start {words[0]}: {error.strerror}") from None
        expired = threading.Event()

        def end():
            expired.set()
            os.killpg(child.pid, signal.SIGKILL)

        timer = threading.Timer(limit, end)
        timer.start()
        try:
            _, status, usage = os.wait4(child.pid, 0)
        except BaseException:
            os.killpg(child.pid, signal.SIGKILL)
            raise
        finally:
            timer.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode(errors="replace")
    if log:
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(" ".join(words) + "\n" + text)
    if child.returncode == 0:
        return Finished(text, usage.ru_utime, usage.ru_maxrss * 1024)
    if expired.is_set():
        why = f"took longer than {limit} s"
    elif child.returncode < 0:
        why = f"was ended by {signal.Signals(-child.returncode).name}"
    else:
        why = f"exited with status {child.returncode}"
    where = f" (log: {log})" if log else ""
    raise Failure(f"{os.path.basename(words[0])} {why}{where}: {tail(text)}")
