#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Checks the costs and lines that `wick annotate` shows for the programs of this directory.

  check.py --wick WICK --make-wick MAKE_WICK

The recordings say how many samples each instruction has, so the cost of each instruction, line and function is known. Functions, inlined
functions and lines of each instruction are compared with llvm-symbolizer's, if it is installed (WICK_NO_SKIP=1: it must be).
"""

import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PERIOD_NS = 1_000_000
# The function, and the style of names. Names of C++ and Rust are compared as linked, since llvm-symbolizer demangles differently; in C,
# that would be two functions, checksum.constprop.0 and checksum.constprop.0.cold.
FUNCTIONS = {"c": ("checksum", "full"), "cpp": ("total_weight", "raw"), "rust": ("_ZN5chain5score17h", "raw")}


def need(true, what):
    if not true:
        sys.exit(f"annotated: {what}")


def call(*command, **options):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **options)
    need(done.returncode == 0, f"{command}: {done.stderr}")
    return done.stdout


class Recorded:
    """Samples of a recording: {stack of addresses: cost}."""

    def __init__(self, text):
        self.stacks = collections.Counter()
        for m in re.finditer(r"^sample main;(\S+) (\d+)$", text, re.M):
            self.stacks[tuple(int(a, 16) for a in re.findall(r"0x[0-9a-f]+", m[1]))] += int(m[2]) * PERIOD_NS

    def addresses(self):
        return {address for stack in self.stacks for address in stack}

    def self_of(self, address):
        return sum(cost for stack, cost in self.stacks.items() if stack[-1] == address)


def symbolize(symbolizer, program, addresses):
    """{address: [(function, file, line)]}, outermost first."""
    text = call(symbolizer, "--no-demangle", "--output-style=JSON", "--obj", program, *[hex(a) for a in sorted(addresses)])
    found = {}
    for entry in json.loads(text) if text.startswith("[") else map(json.loads, text.splitlines()):
        found[int(entry["Address"], 16)] = [place(s["FunctionName"], s["FileName"], s["Line"]) for s in reversed(entry["Symbol"])]
    return found


def place(function, file, line):
    """Without a line, the file in the line table means nothing. The function is the same in all its clones and parts."""
    return (re.sub(r"\.(constprop\.\d+|cold)", "", function), file if line else "", line)


def chains(shown):
    """{address: ([(function, file, line)], outermost first, self cost)}"""
    found, names, places = {}, {0: shown["function"]}, {}
    for row in shown["rows"]:
        depth = row["depth"]
        if row["kind"] == "inlined":
            names[depth] = row["name"]
        elif row["kind"] == "line":
            places[depth] = (row["file"], row["line"])
        elif row["kind"] == "instruction":
            need(row["address"] not in found, f"{row['address']:#x} appears twice")
            found[row["address"]] = ([place(names[k], *places[k]) for k in range(depth + 1)], row["self"])
    return found


def check_sums(shown, name):
    """Lines of the function, its instructions, and parts of the function add up to its code."""
    of_kind = lambda kind: [row for row in shown["rows"] if row["kind"] == kind]
    sums = {
        "lines": sum(row["self"] for row in of_kind("line") if row["depth"] == 0),
        "instructions": sum(row["self"] for row in of_kind("instruction")),
        "functions": sum(part["self"] for part in shown["functions"]),
        "lines of functions": sum(line["self"] for part in shown["functions"] for line in part["lines"]),
    }
    for what, cost in sums.items():
        need(cost == shown["function_code"], f"{name}: {what} cost {cost}, the function's code {shown['function_code']}")


def check(case, wick, make_wick, symbolizer, folder):
    language, cpu = re.fullmatch(r"annotate_([a-z]+)_(\w+)", case.name).groups()
    text = (case / "input.txt").read_text()
    recorded, program = Recorded(text), HERE / re.search(r"^module \S+ /opt/example/(\S+)", text, re.M)[1]
    root = folder / "root" / "opt" / "example"
    root.mkdir(parents=True)
    for file in HERE.iterdir():
        shutil.copy(file, root)
    call(make_wick, case / "input.txt", folder / "input.wick")
    call(wick, "symbolize", "-q", "--symfs", folder / "root", folder / "input.wick", "-o", folder / "p.wick")

    function, names = FUNCTIONS[language]

    def annotate(function):
        return json.loads(call(wick, "annotate", "--json", "--names", names, "--symfs", folder / "root", function, folder / "p.wick"))

    shown = annotate(function)
    found = chains(shown)
    # All instructions of the function, and only these, are innermost in stacks of two.
    body = {stack[-1] for stack in recorded.stacks if len(stack) == 2}
    need(set(found) == body, f"{case.name}: other instructions: {sorted(hex(a) for a in set(found) ^ body)}")
    for address, (_, cost) in found.items():
        need(cost == recorded.self_of(address), f"{case.name}: {address:#x} costs {cost}, not {recorded.self_of(address)}")
    check_sums(shown, case.name)
    need(shown["total"] == sum(recorded.stacks.values()), f"{case.name}: the total is {shown['total']}")
    need(shown["function_code"] == sum(map(recorded.self_of, body)), f"{case.name}: the function's code costs {shown['function_code']}")
    below = sum(cost for stack, cost in recorded.stacks.items() if body & set(stack) or len(stack) == 3)
    need(shown["function_total"] == below, f"{case.name}: the function's total is {shown['function_total']}, not {below}")
    if symbolizer is None:
        return 0

    theirs = symbolize(symbolizer, program, recorded.addresses())
    for address, (chain, _) in sorted(found.items()):
        need(chain == theirs[address], f"{case.name}: {address:#x} is {chain}, llvm-symbolizer says {theirs[address]}")
    for row in shown["rows"]:
        files = {file for chain in theirs.values() for name, file, line in chain if name == row.get("name") and line}
        need(row["kind"] != "inlined" or row["file"] in files, f"{case.name}: {row} is in {files}")
    # Every inlined function has the cost of its instructions, wherever it is inlined.
    inlined = {function for chain in theirs.values() for function, _, _ in chain[1:]}
    for function in sorted(inlined):
        code = sum(recorded.self_of(a) for a in theirs if function in [f for f, _, _ in theirs[a]])
        own = sum(recorded.self_of(a) for a in theirs if theirs[a] and theirs[a][-1][0] == function)
        if code == 0:
            continue
        part = annotate(function)
        need((part["function_code"], part["function_self"]) == (code, own), f"{case.name}: {function}: {part['function_code']}, {part['function_self']}, not {code}, {own}")
        check_sums(part, f"{case.name}: {function}")
    return len(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wick", required=True, type=Path)
    parser.add_argument("--make-wick", required=True, type=Path)
    args = parser.parse_args()
    symbolizer = shutil.which("llvm-symbolizer") or shutil.which("llvm-symbolizer-19")
    need(symbolizer or os.environ.get("WICK_NO_SKIP") != "1", "llvm-symbolizer is not installed")
    cases = sorted(HERE.parent.glob("annotate_*_x86_64")) + sorted(HERE.parent.glob("annotate_*_aarch64"))
    need(len(cases) == 2 * len(FUNCTIONS), f"{len(cases)} cases")
    compared = 0
    for case in cases:
        with tempfile.TemporaryDirectory(prefix="annotated-") as folder:
            compared += check(case, args.wick.resolve(), args.make_wick.resolve(), symbolizer, Path(folder))
    if symbolizer is None:
        print("annotated: functions and lines not compared: llvm-symbolizer is not installed")
    else:
        print(f"annotated: {compared} instructions in {len(cases)} programs")


if __name__ == "__main__":
    main()
