# SPDX-License-Identifier: BSL-1.0
"""The wheel freehold-arrow as its users have it: over local files, a file system of fsspec and a real S3 server."""

import contextlib
import gzip
import importlib.util
import itertools
import logging
import multiprocessing
import os
import pathlib
import pickle
import re
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

import pandas
import pyarrow
import pyarrow.dataset
import pyarrow.parquet
from pyarrow.fs import FSSpecHandler, LocalFileSystem, PyFileSystem, SubTreeFileSystem

import freehold_arrow
from s3_server import S3Server, find_versitygw

MIB = 1 << 20
LINE = MIB
FILES = 3


def make_table(seed):
    numbers = [(row * 7919 + seed) % 100_003 for row in range(100_000)]
    return pyarrow.table({"number": numbers, "price": [number / 3 for number in numbers],
                          "name": [f"row {number}" for number in numbers]})


def write_tables(files, folder):
    """Returns the names."""
    names = [f"{folder}/{number}.parquet" for number in range(FILES)]
    files.create_dir(folder)
    for seed, name in enumerate(names):
        pyarrow.parquet.write_table(make_table(seed), name, filesystem=files)
    return names


def lines_of(files, names):
    return sum(-(-info.size // LINE) for info in files.get_file_info(names))


def is_required(feature):
    """As tests/skip.hpp."""
    words = os.environ.get("FREEHOLD_REQUIRE", "").split()
    return (feature in words or "all" in words) and "-" + feature not in words


def needs(feature, is_there, reason):
    if is_there:
        return lambda test: test
    if is_required(feature):
        raise RuntimeError(f"FREEHOLD_REQUIRE demands {feature}: {reason}")
    return unittest.skip(reason)


def needs_package(name):
    return needs(name, importlib.util.find_spec(name), f"{name} is not installed: pip install {name}")


needs_s3 = needs("s3", find_versitygw(), "versitygw is not installed: scripts/test installs it")

capacities = itertools.count(128 * MIB, LINE)


def cached(inner=None, **options):
    """Each has a cache of its own, because its capacity differs."""
    return freehold_arrow.filesystem(inner, **({"capacity": next(capacities), "line_size": LINE} | options))


def figures(files):
    return freehold_arrow.cache(files).statistics()


def run_python(code, *arguments, cwd=None):
    return subprocess.run([sys.executable, "-c", textwrap.dedent(code), *arguments], capture_output=True, text=True,
                          timeout=120, check=False, cwd=cwd)


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.names = write_tables(LocalFileSystem(), self.folder + "/table")
        self.name = self.names[0]


class Reading(InFolder):
    def test_datasets_equal_what_pyarrow_reads_and_come_from_the_cache(self):
        expected = pyarrow.dataset.dataset(self.folder + "/table").to_table()
        files = cached()
        self.assertTrue(pyarrow.dataset.dataset(self.folder + "/table", filesystem=files).to_table().equals(expected))
        first = figures(files)
        self.assertEqual(first["store_reads"], lines_of(files, self.names))
        again = pyarrow.dataset.dataset(self.folder + "/table", filesystem=files)
        self.assertTrue(again.to_table(columns=["price"]).equals(expected.select(["price"])))
        self.assertEqual(figures(files)["store_reads"], first["store_reads"])
        self.assertGreater(figures(files)["hits"], first["hits"])

    def test_pandas_and_parquet_take_it(self):
        files = cached()
        self.assertTrue(pandas.read_parquet(self.name, filesystem=files).equals(pandas.read_parquet(self.name)))
        self.assertTrue(pyarrow.parquet.read_table(self.name, filesystem=files).equals(make_table(0)))

    def test_reads_inside_a_line_are_not_copied(self):
        files = cached(line_size=16 * MIB)
        pyarrow.parquet.read_table(self.name, filesystem=files, pre_buffer=False)
        self.assertEqual(figures(files)["bytes_copied"], 0)
        self.assertGreater(figures(files)["bytes_pinned"], 0)

    def test_a_file_system_in_python_is_read_through_it(self):
        import fsspec
        inner = PyFileSystem(FSSpecHandler(fsspec.filesystem("file")))
        files = cached(inner, prefetch=4)
        self.assertTrue(pyarrow.parquet.read_table(self.name, filesystem=files).equals(make_table(0)))
        with self.assertRaises(OSError):
            files.open_input_file(self.folder + "/none")

    def test_folders_are_listed_and_files_written_by_the_inner_file_system(self):
        files = cached()
        selector = pyarrow.fs.FileSelector(self.folder, recursive=True)
        facts = lambda infos: sorted((info.path, info.type, info.size, info.mtime_ns) for info in infos)
        self.assertEqual(facts(files.get_file_info(selector)), facts(LocalFileSystem().get_file_info(selector)))
        self.assertEqual(files.type_name, "py::freehold")
        files.create_dir(self.folder + "/new/deep")
        for content in (b"one", b"other"):
            with files.open_output_stream(self.folder + "/new/file.gz") as out:
                out.write(content)
            self.assertEqual(files.open_input_stream(self.folder + "/new/file.gz").read(), content)
        self.assertEqual(gzip.decompress(pathlib.Path(self.folder, "new/file.gz").read_bytes()), b"other")
        files.copy_file(self.folder + "/new/file.gz", self.folder + "/new/copy")
        files.move(self.folder + "/new/copy", self.folder + "/new/moved")
        self.assertEqual(gzip.decompress(files.open_input_file(self.folder + "/new/moved").read()), b"other")
        files.delete_file(self.folder + "/new/moved")
        with self.assertRaises(FileNotFoundError):
            files.open_input_file(self.folder + "/new/moved")
        files.delete_dir_contents(self.folder + "/new")
        files.delete_dir(self.folder + "/new")
        self.assertFalse(os.path.exists(self.folder + "/new"))
        below = SubTreeFileSystem(self.folder, files)
        self.assertTrue(pyarrow.parquet.read_table("table/1.parquet", filesystem=below).equals(make_table(1)))


class OtherEngines(InFolder):
    @needs_package("polars")
    def test_polars_reads_through_pyarrow(self):
        import polars
        files = cached()
        dataset = pyarrow.dataset.dataset(self.folder + "/table", filesystem=files)
        lazy = polars.scan_pyarrow_dataset(dataset).filter(polars.col("number") < 100).select(polars.col("price").sum())
        expected = pandas.read_parquet(self.folder + "/table").query("number < 100").price.sum()
        self.assertAlmostEqual(lazy.collect().item(), expected)
        frame = polars.read_parquet(self.name, use_pyarrow=True, pyarrow_options={"filesystem": files})
        self.assertTrue(frame.to_arrow().cast(make_table(0).schema).equals(make_table(0)))
        self.assertGreater(figures(files)["hits"], 0)

    @needs_package("ray")
    def test_ray_data_reads_in_worker_processes_that_share_the_disk(self):
        code = """
            import sys, logging, freehold_arrow, ray
            ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
            files = freehold_arrow.filesystem(capacity=128 << 20, line_size=1 << 20, disk=sys.argv[2],
                                              disk_capacity=64 << 20)
            data = ray.data.read_parquet(sys.argv[1], filesystem=files)
            print("rows", data.count(), "price", round(data.sum("price")))
            print("shared", freehold_arrow.cache(files).statistics()["disk_served"] > 0)
        """
        expected = pandas.read_parquet(self.folder + "/table")
        ended = run_python(code, self.folder + "/table", self.folder + "/disk")
        answer = f"rows {len(expected)} price {round(expected.price.sum())}\nshared True"
        self.assertIn(answer, ended.stdout, ended.stderr)


class Documents(InFolder):
    def test_the_examples_of_the_guide_run(self):
        guide = pathlib.Path(__file__).parents[2] / "docs" / "python.md"
        examples = re.findall(r"```python\n(.*?)```", guide.read_text(), re.DOTALL)
        self.assertTrue(examples)
        ended = run_python("\n".join(examples), cwd=self.folder)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertGreater(int(ended.stdout), 0)


class Versions(InFolder):
    def replace(self):
        other = pyarrow.table({"number": [1, 2, 3]})
        pyarrow.parquet.write_table(other, self.folder + "/other")
        os.rename(self.folder + "/other", self.name)
        return other

    def test_a_replaced_file_is_read_anew(self):
        files = cached()
        pyarrow.parquet.read_table(self.name, filesystem=files)
        opened = files.open_input_file(self.name)
        other = self.replace()
        self.assertTrue(pyarrow.parquet.read_table(self.name, filesystem=files).equals(other))
        with self.assertRaisesRegex(OSError, "open it again"):
            opened.read()

    def test_without_current_versions_until_it_is_invalidated(self):
        files = cached(current_versions=False)
        pyarrow.parquet.read_table(self.name, filesystem=files)
        other = self.replace()
        self.assertTrue(pyarrow.parquet.read_table(self.name, filesystem=files).equals(make_table(0)))
        freehold_arrow.cache(files).invalidate(self.name)
        self.assertTrue(pyarrow.parquet.read_table(self.name, filesystem=files).equals(other))


class Memory(InFolder):
    def test_trim_returns_memory_and_leaves_what_arrays_hold(self):
        files = cached(line_size=16 * MIB)
        held = files.open_input_file(self.name).read_buffer()
        files.open_input_file(self.names[1]).read(10)
        freehold_arrow.cache(files).trim()
        self.assertGreater(figures(files)["bytes_held"], 0)
        self.assertEqual(held.to_pybytes(), pathlib.Path(self.name).read_bytes())
        del held
        self.assertGreater(freehold_arrow.cache(files).trim(), 0)
        self.assertEqual(figures(files)["bytes_held"], 0)

    def test_the_capacity_bounds_the_memory(self):
        files = cached(capacity=4 * LINE)
        expected = pyarrow.dataset.dataset(self.folder + "/table").to_table()
        self.assertTrue(pyarrow.dataset.dataset(self.folder + "/table", filesystem=files).to_table().equals(expected))
        self.assertLessEqual(figures(files)["most_bytes_held"], 4 * LINE)

    def test_a_read_raises_memory_error_if_arrays_hold_every_line(self):
        files = cached(capacity=LINE)
        opened = files.open_input_file(self.name)
        held = opened.read_at(10, 0)
        pinned = opened.read_buffer(100)
        with self.assertRaisesRegex(MemoryError, "freehold_arrow"):
            opened.read_at(10, LINE)
        del pinned
        self.assertEqual(len(opened.read_at(10, LINE)), 10)
        self.assertEqual(held[:4], b"PAR1")

    def test_reserve_takes_memory_at_once(self):
        self.assertGreaterEqual(figures(cached(reserve=64 * MIB))["bytes_held"], 64 * MIB)


class Mistakes(unittest.TestCase):
    def test_impossible_arguments_raise_value_error(self):
        for options in ({"capacity": 0}, {"capacity": -1}, {"capacity": "1 GiB"}, {"capacity": 4096},
                        {"capacity": 1 << 70}, {"capacity": True}, {"line_size": 5000}, {"threads": 0},
                        {"prefetch": -1}, {"reserve": 1 << 40}, {"disk": "/tmp/folder"}, {"disk_capacity": MIB}):
            with self.subTest(options), self.assertRaisesRegex(ValueError, next(iter(options))):
                cached(**options)
        with tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(ValueError, "capacity"):
            cached(disk=folder, disk_capacity=1)

    def test_what_is_no_file_system_raises_type_error(self):
        with self.assertRaisesRegex(TypeError, "FSSpecHandler"):
            cached("s3://bucket")
        for other in (LocalFileSystem(), None):
            with self.assertRaises(TypeError):
                freehold_arrow.cache(other)

    def test_missing_and_unreadable_files(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(FileNotFoundError, "none"):
                cached().open_input_file(folder + "/none")
            with self.assertRaises(OSError):
                cached().open_input_file(folder)


class Processes(InFolder):
    def test_equal_arguments_share_a_cache_and_others_do_not(self):
        files = cached()
        same = pickle.loads(pickle.dumps(files))
        self.assertEqual(files, same)
        self.assertIs(freehold_arrow.cache(files), freehold_arrow.cache(same))
        for other in (cached(prefetch=1), cached(SubTreeFileSystem(self.folder, LocalFileSystem()))):
            self.assertNotEqual(files, other)
            self.assertIsNot(freehold_arrow.cache(files), freehold_arrow.cache(other))

    def test_datasets_and_fragments_are_pickled_with_their_cache(self):
        files = cached()
        dataset = pickle.loads(pickle.dumps(pyarrow.dataset.dataset(self.folder + "/table", filesystem=files)))
        self.assertEqual(dataset.filesystem, files)
        for fragment in dataset.get_fragments():
            self.assertEqual(pickle.loads(pickle.dumps(fragment)).filesystem, files)

    def test_a_forked_process_gets_an_error_and_can_make_its_own(self):
        files = cached()
        table = pyarrow.parquet.read_table(self.name, filesystem=files)
        opened = files.open_input_file(self.name)

        def child(answers):
            for use in (lambda: files.open_input_file(self.name), lambda: opened.read(10), lambda: figures(files),
                        lambda: freehold_arrow.cache(files).trim()):
                try:
                    use()
                    answers.put("no error")
                except OSError as error:
                    answers.put(str(error))
            own = pickle.loads(pickle.dumps(files))
            answers.put(pyarrow.parquet.read_table(self.name, filesystem=own).equals(table))

        fork = multiprocessing.get_context("fork")
        answers = fork.SimpleQueue()
        process = fork.Process(target=child, args=(answers,))
        process.start()
        process.join(60)
        if process.is_alive():
            process.kill()
            self.fail("the child hangs")
        for _ in range(4):
            self.assertIn("spawn", answers.get())
        self.assertIs(answers.get(), True)
        self.assertEqual(process.exitcode, 0)
        self.assertTrue(pyarrow.parquet.read_table(self.name, filesystem=files).equals(table))

    def test_python_ends_while_arrays_hold_lines_and_requests_are_under_way(self):
        code = """
            import itertools, sys, threading, time, fsspec, freehold_arrow, pyarrow.parquet
            from pyarrow.fs import FSSpecHandler, PyFileSystem

            reads = itertools.count()
            ahead = threading.Event()

            # Python ends while requests are in here, without its lock.
            class slow(type(fsspec.filesystem("file"))):
                def _open(self, *args, **options):
                    opened = super()._open(*args, **options)
                    read = opened.f.read
                    def slow_read(*args):
                        if next(reads) > 0:
                            ahead.set()
                            time.sleep(0.2)
                        return read(*args)
                    opened.read = slow_read
                    return opened

            inner = None
            if sys.argv[2] == "python":
                inner = PyFileSystem(FSSpecHandler(slow(skip_instance_cache=True)))
            files = freehold_arrow.filesystem(inner, capacity=64 << 20, line_size=4096, prefetch=1000)
            opened = files.open_input_file(sys.argv[1])
            held = opened.read_buffer(3000)
            assert len(held) == 3000
            if inner is not None:
                assert ahead.wait(60)
            print("read")
        """
        for kind in ("native", "python"):
            for _ in range(3):
                ended = run_python(code, self.name, kind)
                self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, "read\n", ""))

    def test_the_disk_serves_the_next_process_and_others_at_the_same_time(self):
        code = """
            import sys, freehold_arrow, pyarrow.parquet
            files = freehold_arrow.filesystem(capacity=64 << 20, line_size=1 << 20, disk=sys.argv[2],
                                              disk_capacity=64 << 20)
            for name in sys.argv[3:]:
                pyarrow.parquet.read_table(name, filesystem=files)
            assert freehold_arrow.cache(files).disk_fault == ""
            print(freehold_arrow.cache(files).statistics()[sys.argv[1]])
        """
        disk = self.folder + "/disk"
        lines = lines_of(LocalFileSystem(), self.names)
        first = run_python(code, "store_reads", disk, *self.names)
        self.assertEqual((first.stdout, first.stderr), (f"{lines}\n", ""))
        second = run_python(code, "store_reads", disk, *self.names)
        self.assertEqual((second.stdout, second.stderr), ("0\n", ""))

        here = cached(disk=disk, disk_capacity=64 * MIB)
        pyarrow.parquet.read_table(self.name, filesystem=here)
        self.assertEqual(figures(here)["store_reads"], 0)
        for figure, expected in (("store_reads", 0), ("disk_hits", lines), ("disk_asked", lines)):
            beside = run_python(code, figure, disk, *self.names)
            self.assertEqual((beside.stdout, beside.stderr), (f"{expected}\n", ""))

    def test_a_disk_in_use_with_another_line_size_is_refused(self):
        here = cached(disk=self.folder + "/disk", disk_capacity=64 * MIB)
        with self.assertRaisesRegex(OSError, "line_size"):
            cached(disk=self.folder + "/disk", disk_capacity=64 * MIB, line_size=4096)
        self.assertEqual(freehold_arrow.cache(here).disk_fault, "")

    def test_python_ends_while_it_serves_other_processes(self):
        code = """
            import sys, fsspec, freehold_arrow, pyarrow.parquet
            from pyarrow.fs import FSSpecHandler, PyFileSystem
            inner = PyFileSystem(FSSpecHandler(fsspec.filesystem("file"))) if sys.argv[2] == "python" else None
            files = freehold_arrow.filesystem(inner, capacity=64 << 20, line_size=4096, disk=sys.argv[3],
                                              disk_capacity=64 << 20)
            for name in sys.argv[4:]:
                assert pyarrow.parquet.read_table(name, filesystem=files).num_rows == 100_000
            if sys.argv[1] == "ends":
                sys.exit()
            for _ in range(2):
                freehold_arrow.cache(files).trim()
                for name in sys.argv[4:]:
                    assert pyarrow.parquet.read_table(name, filesystem=files).num_rows == 100_000
        """
        for kind in ("native", "python"):
            with tempfile.TemporaryDirectory() as disk:
                processes = [subprocess.Popen([sys.executable, "-c", textwrap.dedent(code), end, kind, disk, *names],
                                              stderr=subprocess.PIPE, text=True)
                             for end, names in (("ends", self.names[:1]), ("reads", self.names), ("reads", self.names))]
                ends = [(process.communicate(timeout=120)[1], process.returncode) for process in processes]
                self.assertEqual(ends, [("", 0)] * 3)


@needs_s3
class OverS3(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = S3Server()
        cls.addClassCleanup(cls.server.close)
        cls.inner = cls.server.filesystem()
        cls.inner.create_dir("tables")
        cls.names = write_tables(cls.inner, "tables/one")

    def gets_of(self, read):
        """Calls read, and returns how many GETs the store has answered since then, and what `read` returned."""
        before = self.server.gets()
        result = read()
        return (self.server.gets() - before).total(), result

    def test_each_line_is_requested_once(self):
        files = cached(self.server.filesystem())
        expected = pyarrow.dataset.dataset("tables/one", filesystem=self.inner).to_table()
        read = lambda: pyarrow.dataset.dataset("tables/one", filesystem=files).to_table()
        gets, table = self.gets_of(read)
        self.assertTrue(table.equals(expected))
        self.assertEqual(gets, lines_of(files, self.names))
        gets, table = self.gets_of(read)
        self.assertTrue(table.equals(expected))
        self.assertEqual(gets, 0)

    def test_a_replaced_object_is_read_anew(self):
        name = "tables/replaced"
        files = cached(self.server.filesystem())
        for content in (b"first", b"other", b"a longer one"):
            with files.open_output_stream(name) as out:
                out.write(content)
            self.assertEqual(files.open_input_file(name).read(), content)

    def test_missing_objects_and_unreachable_stores(self):
        with self.assertRaisesRegex(FileNotFoundError, "tables/none"):
            cached(self.server.filesystem()).open_input_file("tables/none")
        gone = S3Server()
        self.addCleanup(gone.close)
        files = cached(gone.filesystem())
        gone.stop()
        with self.assertRaisesRegex(OSError, "connect"):
            files.open_input_file(self.names[0])

    def test_python_ends_while_requests_are_under_way(self):
        code = """
            import pickle, sys
            files = pickle.loads(bytes.fromhex(sys.argv[1]))
            assert len(files.open_input_file(sys.argv[2]).read_buffer(3000)) == 3000
            print("read")
        """
        for line_size in (4096, LINE):
            files = cached(self.server.filesystem(), line_size=line_size, prefetch=100)
            ended = run_python(code, pickle.dumps(files).hex(), self.names[0])
            self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, "read\n", ""))

    def test_dask_gets_right_answers_and_reads_each_line_once_in_each_process(self):
        import dask.dataframe
        expected = pyarrow.dataset.dataset("tables/one", filesystem=self.inner).to_table().to_pandas()
        lines = lines_of(self.inner, self.names)
        for workers, threads in ((2, 1), (1, 2)):
            files = cached(self.server.filesystem())
            with self.subTest(workers=workers), dask_cluster(workers, threads) as client:
                def query():
                    frame = dask.dataframe.read_parquet("tables/one", filesystem=files)
                    return frame.price.sum().compute(), frame.groupby("number").name.count().sum().compute()

                def answers():
                    for _ in range(3):
                        self.assertEqual(query(), (expected.price.sum(), len(expected)))
                    return list(client.run(figures, files).values()) + [figures(files)]

                gets, processes = self.gets_of(answers)
                self.assertEqual(gets, sum(each["store_reads"] for each in processes))
                self.assertEqual(len(processes), workers + 1)
                for each in processes:
                    self.assertLessEqual(each["store_reads"], lines)
                self.assertGreater(sum(each["hits"] for each in processes[:-1]), 0)

    def test_dasks_workers_read_each_line_once_together_and_not_again_after_a_restart(self):
        lines = lines_of(self.inner, self.names)
        with tempfile.TemporaryDirectory() as disk:
            files = cached(self.server.filesystem(), disk=disk, disk_capacity=64 * MIB)
            for expected in (lines, 0):
                with dask_cluster(2, 1) as client:
                    gets, read = self.gets_of(lambda: client.run(read_all, files, self.names))
                    self.assertEqual(list(read.values()), [FILES * 100_000] * 2)
                    self.assertEqual(gets, expected)

    def test_dasks_workers_outlive_each_other(self):
        import dask.dataframe
        expected = pyarrow.dataset.dataset("tables/one", filesystem=self.inner).to_table().to_pandas()
        lines = lines_of(self.inner, self.names)
        with tempfile.TemporaryDirectory() as disk, dask_cluster(2, 1) as client:
            files = cached(self.server.filesystem(), disk=disk, disk_capacity=64 * MIB)
            def answer():
                return dask.dataframe.read_parquet("tables/one", filesystem=files).price.sum().compute()
            gets, price = self.gets_of(lambda: (answer(), client.run(read_all, files, self.names)))
            self.assertEqual(price[0], expected.price.sum())
            self.assertEqual(gets, lines)
            for worker in pids_of(client):
                os.kill(worker, signal.SIGKILL)
                deadline = time.monotonic() + 60
                while len(now := pids_of(client)) != 2 or worker in now:  # its successor is not there yet
                    self.assertLess(time.monotonic(), deadline)
                    time.sleep(0.2)
                gets, results = self.gets_of(lambda: (answer(), client.run(read_all, files, self.names)))
                self.assertEqual(results[0], expected.price.sum())
                self.assertEqual(list(results[1].values()), [FILES * 100_000] * 2)
                self.assertEqual(gets, 0)


def read_all(files, names):
    """In a worker. Returns the number of rows."""
    rows = sum(pyarrow.parquet.read_table(name, filesystem=files).num_rows for name in names)
    freehold_arrow.cache(files).flush()
    return rows


def pids_of(client):
    """Of the workers that answer."""
    return [pid for pid in client.run(os.getpid, on_error="ignore").values() if isinstance(pid, int)]


@contextlib.contextmanager
def dask_cluster(workers, threads):
    import dask.distributed
    with dask.distributed.LocalCluster(
            n_workers=workers, threads_per_worker=threads, processes=True, dashboard_address=":0", memory_limit=0,
            silence_logs=logging.ERROR) as cluster, dask.distributed.Client(cluster) as client:
        yield client


if __name__ == "__main__":
    unittest.main()
