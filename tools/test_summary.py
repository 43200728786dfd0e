#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Adds up what a ./test run left behind: GoogleTest's cases, the end-to-end tests, and ctest's other tests.

usage: test_summary.py FOLDER     prints skips with their reasons, failures, and "N passed, N failed, N skipped".
WICK_NO_SKIP=1 counts a skip as a failure. Exit status 1 when something failed.
"""

import json
import os
import sys
import xml.etree.ElementTree as ET
from pathlib import Path


def gtest_cases(folder):
    """(name, state, remark) of each case; the programs that were found here are not counted again as ctest tests."""
    for file in sorted(folder.glob("*/*.xml")):
        for case in ET.parse(file).getroot().iter("testcase"):
            name = f"{file.parent.name}: {case.get('classname')}.{case.get('name')}"
            if case.find("failure") is not None:
                yield name, "failed", ""
            elif case.get("result") == "skipped" or case.find("skipped") is not None:
                skip = case.find("skipped")
                yield name, "skipped", (skip.get("message") or "").strip() if skip is not None else ""
            elif case.get("status") != "notrun":
                yield name, "passed", ""


def ctest_tests(folder):
    for file in sorted(folder.glob("*.xml")):
        for case in ET.parse(file).getroot().iter("testcase"):
            # A test that skips says why in its last line.
            skip, lines = case.find("skipped"), (case.findtext("system-out") or "").strip().splitlines()
            remark = lines[-1] if skip is not None and lines else ""
            yield file.stem, case.get("name"), case.get("status"), remark


def main():
    folder = Path(sys.argv[1])
    rows = list(gtest_cases(folder))
    counted = {"fail": "failed", "run": "passed", "notrun": "skipped", "disabled": "skipped"}
    from_gtest = {name.split(":")[0] for name, _, _ in rows}
    for where, name, status, remark in ctest_tests(folder):
        state = counted.get(status, "failed")
        if name == "e2e" and (folder / "e2e.json").exists():
            continue
        # A unit program's cases were counted above, unless it crashed before it could write them.
        if name.startswith("unit.") and state == "passed" and where in from_gtest:
            continue
        rows.append((f"{where}: {name}", state, "as a whole" if name.startswith("unit.") else remark))
    if (folder / "e2e.json").exists():
        rows += [(f"e2e: {r['name']}", r["state"], r["remark"]) for r in json.loads((folder / "e2e.json").read_text())]

    strict = os.environ.get("WICK_NO_SKIP") == "1"
    count = {"passed": 0, "failed": 0, "skipped": 0}
    for name, state, remark in rows:
        if state == "skipped" and strict:
            state, remark = "failed", f"skipped although WICK_NO_SKIP=1: {remark}"
        count[state] += 1
        if state != "passed":
            print(f"{state:7} {name}  {remark}".rstrip())
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    return 1 if count["failed"] or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
