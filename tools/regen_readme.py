#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Reruns what README.md shows and pastes the real output between its markers.   usage: tools/regen_readme.py [--bench] [PART…]

A part stands in README.md between `<!-- begin NAME -->` and `<!-- end NAME -->`:
  record, report, doctor   output of those commands on bench/macro/busy.cc
  picture                  docs/img/flamegraph.svg of the same recording, made by wick flamegraph
  formats                  the table against perf script, inferno and FlameGraph's scripts, from bench/macro/formats --json (as cost)
  cost                     the table against perf and samply, from bench/macro/record --json (minutes; only with --bench, or by name)
No number in README.md comes from anywhere else.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
WICK = ROOT / "build/release/wick"


def run(*cmd, cwd):
    """What a person would see: standard error and output together."""
    env = {**os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "110"}
    r = subprocess.run([str(c) for c in cmd], cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env)
    if r.returncode != 0:
        sys.exit(f"{' '.join(map(str, cmd))}: code {r.returncode}\n{r.stdout}")
    return r.stdout.rstrip("\n")


def fenced(*pairs):
    return "```console\n" + "\n\n".join(f"$ {shown}\n{text}".rstrip() for shown, text in pairs) + "\n```"


def shorten(text, lines):
    rows = text.splitlines()
    return "\n".join(rows if len(rows) <= lines else [*rows[:lines], "…"])


class Parts:
    def __init__(self):
        self.tmp = Path(tempfile.mkdtemp(prefix="wick-readme-"))
        subprocess.run([ROOT / "wick", "--version"], check=True, stdout=subprocess.DEVNULL)
        program = ROOT / "bench/macro/busy.cc"
        subprocess.run(["g++", "-std=c++20", "-O2", "-g", "-pthread", program, "-o", self.tmp / "app"], check=True)
        self.summary = run(WICK, "record", "--", "./app", cwd=self.tmp)

    def record(self):
        return fenced(("./wick record -- ./app", self.summary))

    def report(self):
        return fenced(
            ("./wick report --names short --limit 8", run(WICK, "report", "--names", "short", "--limit", "8", cwd=self.tmp)),
            ("./wick report --tree --names short --limit 3", shorten(run(WICK, "report", "--tree", "--names", "short", "--limit", "3", cwd=self.tmp), 24)),
        )

    def doctor(self):
        return fenced(("./wick doctor", run(WICK, "doctor", cwd=self.tmp)))

    def picture(self):
        out = ROOT / "docs/img/flamegraph.svg"
        out.parent.mkdir(parents=True, exist_ok=True)
        run(WICK, "flamegraph", "--width", "1100", "-o", out, cwd=self.tmp)
        return "[![flame graph](docs/img/flamegraph.svg)](docs/img/flamegraph.svg)"

    def cost(self):
        made = subprocess.run([ROOT / "bench/macro/record", "--json"], check=True, stdout=subprocess.PIPE)
        return cost_table(json.loads(made.stdout))

    def formats(self):
        made = subprocess.run([ROOT / "bench/macro/formats", "--json"], check=True, stdout=subprocess.PIPE)
        return formats_table(json.loads(made.stdout))


def formats_table(bench):
    rows = []
    for key, what in (("repeated-1", "one thread"), ("repeated-2", "two threads"), ("varied-2", "two threads, hardly two samples alike")):
        r = bench["collapse"][key]
        if "inferno" in r:
            ours, theirs = r["wick"], r["inferno"]
            rows.append((f"300 MB of `perf script` text to folded stacks, {what}", ours["median"], ours["memory"], "inferno-collapse-perf", theirs["median"], theirs["memory"]))
    for kind, what in (("fp", "frame pointers"), ("dwarf", "copied stacks")):
        r = bench["perf-data"][kind]
        if "peer_s" in r:
            rows.append((f"perf.data, {r['mb']:.0f} MB, {what}, to folded stacks", r["wall_s"], r["memory_mb"], "perf script \\| inferno-collapse-perf", r["peer_s"], None))
    r = bench["flamegraph"]
    for name, shown in (("inferno", "inferno-flamegraph"), ("flamegraph.pl", "flamegraph.pl")):
        if name in r:
            rows.append(("flame graph of 200,000 stacks", r["wick"]["wall_s"], r["wick"]["memory_mb"], shown, r[name]["wall_s"], r[name]["memory_mb"]))
    lines = ["| | wick | | | times as fast |", "|---|---|---|---|---|"]
    for what, ours, memory, peer, theirs, their_memory in rows:
        there = f", {their_memory:.0f} MB" if their_memory else ""
        lines.append(f"| {what} | {ours:.2f} s, {memory:.0f} MB | {peer} | {theirs:.2f} s{there} | {theirs / ours:.1f} |")
    large = [f"{bench['perf-data'][k]['mb'] / 1e3:.1f} GB with {w} in {bench['perf-data'][k]['s']:.1f} s and {bench['perf-data'][k]['memory_mb']:.0f} MB"
             for k, w in (("large_fp", "frame pointers"), ("large_dwarf", "copied stacks")) if k in bench["perf-data"]]
    m = bench["machine"]
    tail = f"`wick report` opens a perf.data of {' and '.join(large)} of memory. " if large else ""
    lines += ["", f"{tail}Medians of interleaved rounds on {m['cpus']} CPUs, Linux {m['kernel']}, wick {m['commit']} (`bench/macro/formats`)."]
    return "\n".join(lines)


def cost_table(bench):
    def cell(value, form, unit=""):
        return "-" if value is None else format(value, form) + unit

    m = bench["machine"]
    lines = []
    for program, hz in dict.fromkeys((r["program"], r["hz"]) for r in bench["rows"]):
        lines += [
            f"**{program} at {hz:,} Hz** (plain = 1)",
            "",
            "| | wall | CPU, all | target's CPU | after its end | memory | bytes a sample | whole stacks | lost |",
            "|---|---|---|---|---|---|---|---|---|",
        ]
        for r in bench["rows"]:
            if (r["program"], r["hz"]) == (program, hz):
                whole = "-" if r["whole"] is None else f"{100 * r['whole']:.1f} %"
                lines.append(
                    f"| {r['recorder']} | {cell(r['wall'], '.2f')} | {cell(r['cpu'], '.2f')} | {cell(r['target_cpu'], '.2f')} | {1e3 * r['after_seconds']:.0f} ms"
                    f" | {r['peak_mb']:.0f} MB | {cell(r['bytes_per_sample'], ',.0f')} | {whole} | {cell(r['lost'], ',d')} |"
                )
        lines.append("")
    start = ", ".join(f"{name} {ms:.0f} ms" for name, ms in bench["record_true_ms"].items())
    notes = "".join(f" {n[0].upper()}{n[1:]}." for n in bench["notes"])
    lines.append(
        f"`record -- true`, start to finish: {start}. Median of {bench['rounds']} interleaved rounds on {m['cpu']}, {m['cpus']} CPUs, Linux {m['kernel']}, "
        f"{m['user']} user, wick {m['commit']}.{notes} How to read and repeat it: [bench/README.md](bench/README.md)."
    )
    return "\n".join(lines)


def main():
    args = sys.argv[1:]
    names = re.findall(r"<!-- begin (\w+) -->", README.read_text())
    chosen = [a for a in args if not a.startswith("-")] or [n for n in names if n not in ("cost", "formats") or "--bench" in args]
    unknown = [n for n in chosen if n not in names]
    if unknown or "--help" in args:
        sys.exit(__doc__ if not unknown else f"README.md has no part {unknown[0]}; it has {', '.join(names)}")
    parts = Parts()
    try:
        made = {n: getattr(parts, n)() for n in chosen}
        text = README.read_text()
        for name, content in made.items():
            text = re.sub(rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", lambda m, c=content: m.group(1) + c + "\n" + m.group(2), text, flags=re.S)
        README.write_text(text)
    finally:
        shutil.rmtree(parts.tmp, ignore_errors=True)


if __name__ == "__main__":
    main()
