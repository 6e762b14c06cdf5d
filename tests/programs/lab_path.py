# SPDX-License-Identifier: BSL-1.0
"""Makes the runner's modules importable, and names what the tests use."""
import os
import pathlib
import sys

LAB = pathlib.Path(__file__).resolve().parents[2] / "lab"
PROGRAMS = LAB / "programs"
COMPILER = os.environ.get("FREEHOLD_PROGRAMS_CXX", "g++")
sys.path[:0] = [str(PROGRAMS), str(LAB / "compile")]
