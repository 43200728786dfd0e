#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""The viewer in a real browser: each view, its numbers, transforms, search, brush, comparison, URLs, the keyboard, damage.

usage: viewer_test.py --wick WICK --make-wick MAKE_WICK [--lengthen-wick LENGTHEN_WICK] [--shots FOLDER] [TEST…]
--lengthen-wick (target lengthen_wick) opens a profile of 10 million samples, too.
WICK_NO_SKIP=1: a missing browser is a failure
"""

import argparse
import sys

from browser import run_tests
from viewer.comparison import ComparisonTests
from viewer.controls import ControlTests
from viewer.costs import CostTests
from viewer.first_sight import FirstSightTests
from viewer.movement import MovementTests
from viewer.robustness import RobustnessTests
from viewer.transforms import TransformTests
from viewer.urls import UrlTests


class Tests(FirstSightTests, CostTests, TransformTests, MovementTests, ComparisonTests, UrlTests, ControlTests, RobustnessTests):
    pass


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wick", required=True)
    parser.add_argument("--make-wick", required=True)
    parser.add_argument("--lengthen-wick", help="open a profile of 10 million samples, made by this")
    parser.add_argument("--shots", help="keep screenshots here, to look at")
    parser.add_argument("tests", nargs="*", metavar="TEST", help="only tests whose names contain one of these")
    args = parser.parse_args()
    names = [n for part in Tests.__bases__ for n in vars(part) if n.startswith("test_")]
    return run_tests(Tests, [n for n in names if not args.tests or any(x in n for x in args.tests)], args)


if __name__ == "__main__":
    sys.exit(main())
