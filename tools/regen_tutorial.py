#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of docs/tutorial.md and puts their output and pictures there.   usage: tools/regen_tutorial.py [--wick WICK]

Each block between `<!-- begin NAME -->` and `<!-- end NAME -->` is replaced. Needs cargo.
"""

import argparse
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/tutorial.md"
SOURCES = ROOT / "examples/rust/src/bin"


def run(command, cwd, env):
    r = subprocess.run(command, shell=True, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if r.returncode != 0:
        sys.exit(f"{command}: code {r.returncode}\n{r.stdout}")
    text = r.stdout.rstrip("\n").replace(str(cwd), "…").replace(str(ROOT), "…")
    return "\n".join(line.rstrip() for line in text.splitlines())


def console(steps):
    return "```console\n" + "\n".join(f"$ {command}\n{output}" for command, output in steps) + "\n```"


def changes():
    old, new = ((SOURCES / f"allocation_{v}.rs").read_text().splitlines() for v in ("slow", "fixed"))
    lines = list(difflib.unified_diff(old, new, lineterm="", n=1))[2:]
    return "```diff\n" + "\n".join(l for l in lines if "//!" not in l and not l.startswith("@@")).strip("\n") + "\n```"


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--wick", type=Path, default=ROOT / "build/release/wick")
    wick = options.parse_args().wick.resolve()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "slow-and-fixed"
        shutil.copytree(ROOT / "examples/rust", folder, ignore=shutil.ignore_patterns("target", "Cargo.lock"))
        programs = Path(scratch) / "bin"
        programs.mkdir()
        for name in ("wick", "cargo-wick"):
            (programs / name).symlink_to(wick)
        env = {**os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "100", "PATH": f"{programs}:{os.environ['PATH']}"}
        parts = {}

        def steps(name, *commands):
            parts[name] = console([(c, run(c, folder, env)) for c in commands])

        run("cargo build --release --bins", folder, env)
        steps("find", "cargo wick --bin allocation_slow --iterations 10 -o slow.wick")
        steps("look", "wick report slow.wick --limit 8", "wick report slow.wick --callers malloc --no-inlines")
        steps("lines", "wick report slow.wick --by line --focus count_long_words --limit 0 --sort total | grep -E 'LINE|allocation_slow.rs'")
        parts["change"] = changes()
        steps("measure", "cargo wick --bin allocation_fixed --iterations 10 -o fixed.wick")
        steps("compare", "wick diff slow.wick fixed.wick --limit 8")
        for version in ("slow", "fixed"):
            picture = ROOT / f"docs/img/tutorial-{version}.svg"
            run(f"wick flamegraph {version}.wick -q --title allocation_{version} -o {picture}", folder, env)
    text = PAGE.read_text()
    for name, part in parts.items():
        block = re.compile(rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", re.S)
        if not block.search(text):
            sys.exit(f"regen_tutorial: {PAGE.name} has no part {name}")
        text = block.sub(lambda m: m.group(1) + part + "\n" + m.group(2), text)
    PAGE.write_text(text)


if __name__ == "__main__":
    main()
