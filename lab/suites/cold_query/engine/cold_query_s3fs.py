# SPDX-License-Identifier: BSL-1.0
"""Answers a query through s3fs as programs in Python do. It is called as cold_query_engine is, with the same variables.

    cold_query_s3fs.py check    ends with status 0 if everything that it needs is installed
    cold_query_s3fs.py run ...
"""
import argparse
import datetime
import json
import os
import resource
import sys
import threading
import time

import pyarrow
import pyarrow.compute as pc
import pyarrow.dataset as ds
import s3fs
from pyarrow.acero import (AggregateNodeOptions, Declaration, FilterNodeOptions, OrderByNodeOptions, ProjectNodeOptions,
                           ScanNodeOptions)


def column(name):
    return pc.field(name)


def plan_of(query):
    """The columns, the filter, what is summed, and the keys."""
    if query == "q6":
        taken = ((column("l_shipdate") >= datetime.date(1994, 1, 1)) & (column("l_shipdate") < datetime.date(1995, 1, 1))
                 & (column("l_discount") >= 5) & (column("l_discount") <= 7) & (column("l_quantity") < 24))
        return taken, {"revenue": column("l_extendedprice") * column("l_discount")}, []
    reduced = column("l_extendedprice") * (pc.scalar(100) - column("l_discount"))
    sums = {"quantity": column("l_quantity"), "price": column("l_extendedprice"), "reduced": reduced,
            "charged": reduced * (pc.scalar(100) + column("l_tax")), "discount": column("l_discount"),
            "count": pc.scalar(1)}
    return column("l_shipdate") <= datetime.date(1998, 9, 2), sums, ["l_returnflag", "l_linestatus"]


def answer(settings, filesystem, paths):
    taken, sums, keys = plan_of(settings.query)
    names = ["l_quantity", "l_extendedprice", "l_discount", "l_shipdate"]
    if settings.query == "q1":
        names += ["l_tax"] + keys
    table = ds.dataset(paths, format=ds.ParquetFileFormat(
        default_fragment_scan_options=ds.ParquetFragmentScanOptions(pre_buffer=settings.pre_buffer)),
        filesystem=filesystem)
    steps = [Declaration("scan", ScanNodeOptions(table, columns=names, filter=taken,
                                                 use_threads=settings.threads > 1)),
             Declaration("filter", FilterNodeOptions(taken)),
             Declaration("project", ProjectNodeOptions([*sums.values(), *map(column, keys)], [*sums, *keys])),
             Declaration("aggregate", AggregateNodeOptions(
                 [([name], "hash_sum" if keys else "sum", None, name) for name in sums], keys))]
    if keys:
        steps.append(Declaration("order_by", OrderByNodeOptions([(key, "ascending") for key in keys])))
    result = Declaration.from_sequence(steps).to_table(use_threads=settings.threads > 1)
    return [value for name in sums for value in result.column(name).to_pylist()]


def resident_bytes():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


class most_memory:
    """The most that the process has in memory, looked at every 4 ms."""

    def __enter__(self):
        self.bytes = resident_bytes()
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def _watch(self):
        while not self._end.wait(0.004):
            self.bytes = max(self.bytes, resident_bytes())

    def __exit__(self, *_):
        self._end.set()
        self._thread.join()


def run_once(settings, filesystem, paths, resident_before):
    with most_memory() as memory:
        times, begin = os.times(), time.perf_counter()
        found = answer(settings, filesystem, paths)
        wall, after = time.perf_counter() - begin, os.times()
    return {"wall": wall, "processor": after.user - times.user + after.system - times.system,
            "system": after.system - times.system, "memory": max(0, memory.bytes - resident_before), "found": found}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command", choices=["check", "run"])
    for name in ("filesystem", "endpoint", "bucket", "capacity", "line-size", "coalesce", "query", "sample", "data"):
        parser.add_argument("--" + name)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--pre-buffer", action="store_true")
    parser.add_argument("names", nargs="*")
    settings = parser.parse_intermixed_args()
    if settings.command == "check":
        return
    pyarrow.set_cpu_count(settings.threads)
    answer(settings, None, [settings.sample])
    before = resident_bytes()
    filesystem = s3fs.S3FileSystem(endpoint_url=settings.endpoint, client_kwargs={"region_name": "us-east-1"})
    paths = [settings.bucket + "/" + name for name in settings.names]
    cold = run_once(settings, filesystem, paths, before)
    print("cold", flush=True)
    sys.stdin.readline()
    # A new query in the same process: what s3fs remembers of the files stays.
    warm = run_once(settings, filesystem, paths, before)
    print(json.dumps({"cold": cold, "warm": warm}), flush=True)


if __name__ == "__main__":
    main()
