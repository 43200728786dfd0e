#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Summarizes the results of ./test: GoogleTest cases, end-to-end tests and other ctest tests.

usage: test_summary.py FOLDER     prints skipped tests with reasons, failed tests, and "N passed, N failed, N skipped".
WICK_NO_SKIP=1 counts skipped tests as failures. The exit status is 1 if a test failed.
"""

import json
import os
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

MOST_REMARK = 400
FAILURE = re.compile(r"\bFAILED\b|^\s*not ok|^\w*(Error|Failure): ")


def gtest_cases(folder):
    """(name, state, remark) of each case."""
    for file in sorted(folder.glob("*/*.xml")):
        for case in ET.parse(file).getroot().iter("testcase"):
            name = f"{file.parent.name}: {case.get('classname')}.{case.get('name')}"
            failure = case.find("failure")
            if failure is not None:
                yield name, "failed", " ".join((failure.get("message") or "").split())
            elif case.get("result") == "skipped" or case.find("skipped") is not None:
                skip = case.find("skipped")
                yield name, "skipped", (skip.get("message") or "").strip() if skip is not None else ""
            elif case.get("status") != "notrun":
                yield name, "passed", ""


def ctest_tests(folder):
    for file in sorted(folder.glob("*.xml")):
        for case in ET.parse(file).getroot().iter("testcase"):
            lines = (case.findtext("system-out") or "").strip().splitlines()
            if case.find("skipped") is not None:
                remark = lines[-1] if lines else ""  # the reason
            else:
                remark = "; ".join(line.strip() for line in lines if FAILURE.search(line))
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
        # The cases of a unit test program are counted above, unless it crashed before writing them.
        if name.startswith("unit.") and state == "passed" and where in from_gtest:
            continue
        rows.append((f"{where}: {name}", state, "test program" if name.startswith("unit.") else remark))
    if (folder / "e2e.json").exists():
        rows += [(f"e2e: {r['name']}", r["state"], r["remark"]) for r in json.loads((folder / "e2e.json").read_text())]

    strict = os.environ.get("WICK_NO_SKIP") == "1"
    count = {"passed": 0, "failed": 0, "skipped": 0}
    for name, state, remark in rows:
        if state == "skipped" and strict:
            state, remark = "failed", f"skipped with WICK_NO_SKIP=1: {remark}"
        count[state] += 1
        if state != "passed":
            print(f"{state:7} {name}  {remark[:MOST_REMARK]}".rstrip())
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    return 1 if count["failed"] or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
