#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Runs golden tests of user-visible output, byte for byte.   usage: run.py --wick WICK --make-wick MAKE_WICK [--update] [CASE…]

A case is a directory with `cmd` (a shell command), an input and `expected`; see README.md.
"""

import argparse
import difflib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def find_cases(names):
    if not names:
        return sorted(p.parent for p in HERE.glob("*/cmd"))
    cases = [HERE / name for name in names]
    for case in cases:
        if not (case / "cmd").is_file():
            sys.exit(f"golden: no case {case.name} ({case}/cmd does not exist)")
    return cases


def prepare(case, folder, make_wick):
    """Puts the inputs of the case into `folder` and returns the value of $INPUT."""
    name = "input.wick"
    for source in sorted(case.iterdir()):
        if source.name in ("cmd", "expected"):
            continue
        if source.suffix == ".txt":  # input.txt -> input.wick, other.txt -> other.wick
            target = folder / f"{source.stem}.wick"
            made = subprocess.run([make_wick, source, target], capture_output=True, text=True)
            if made.returncode != 0:
                sys.exit(f"golden: {case.name}: {made.stderr.strip()}")
        elif source.is_file():
            shutil.copy(source, folder / source.name)
            if source.stem == "input":
                name = source.name
    return name


def run(case, wick, make_wick):
    """Output of the case: standard output, then standard error and the exit code, unless empty or 0."""
    with tempfile.TemporaryDirectory(prefix="golden-") as temporary:
        folder = Path(temporary) / "work"
        folder.mkdir()
        name = prepare(case, folder, make_wick)
        tools = Path(temporary) / "bin"
        tools.mkdir()
        (tools / "wick").symlink_to(Path(wick).resolve())
        env = {
            "PATH": f"{tools}:{os.environ.get('PATH', '/usr/bin:/bin')}",
            "HOME": temporary,
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "TERM": "dumb",
            "INPUT": name,
            "TESTS": str(HERE.parent),
        }
        for keep in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
            if keep in os.environ:
                env[keep] = os.environ[keep]
        done = subprocess.run(
            ["sh", "-c", (case / "cmd").read_text()],
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=120,
        )
        out = done.stdout
        if done.stderr:
            out += b"--- stderr\n" + done.stderr
        if done.returncode != 0:
            out += b"--- exit %d\n" % done.returncode
        return out


def show_difference(case, want, got):
    def lines(data):
        return data.decode("utf-8", "backslashreplace").splitlines(keepends=True)

    diff = list(difflib.unified_diff(lines(want), lines(got), f"{case.name}/expected", f"{case.name} now", n=2))
    text = "".join(line if line.endswith("\n") else line + "\n\\ no newline at end\n" for line in diff[:80])
    print(text, end="")
    if len(diff) > 80:
        print(f"… {len(diff) - 80} more lines")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("   ")[0])
    parser.add_argument("--wick", required=True)
    parser.add_argument("--make-wick", required=True)
    parser.add_argument("--update", action="store_true", help="write the current output as expected")
    parser.add_argument("case", nargs="*")
    args = parser.parse_args()
    failed, changed, cases = 0, 0, find_cases(args.case)
    for case in cases:
        got = run(case, args.wick, args.make_wick)
        expected = case / "expected"
        want = expected.read_bytes() if expected.exists() else None
        if got == want:
            continue
        if args.update:
            expected.write_bytes(got)
            changed += 1
            print(f"golden: {case.name}: {'written' if want is None else 'updated'}")
        else:
            failed += 1
            print(f"golden: {case.name}: {'`expected` does not exist' if want is None else 'output differs'}")
            show_difference(case, want or b"", got)
    if not args.update:
        print(f"golden: {len(cases) - failed} of {len(cases)} passed")
        if failed:
            print("if this is intended, run tools/update_golden.sh and review `git diff tests/golden`")
    elif not changed:
        print(f"golden: all {len(cases)} are up to date")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
