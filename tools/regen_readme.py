#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Updates the generated parts of README.md and docs/performance.md.

usage: tools/regen_readme.py [--bench[=NAME,…]] [PART…]

A part is the text between `<!-- begin NAME -->` and `<!-- end NAME -->`:
  record     README.md: output of `wick record` on bench/macro/busy.cc
  picture    README.md: docs/img/flamegraph.svg of that recording
  figures    README.md: table of figures
  cost       docs/performance.md: wick, perf and samply, from bench/macro/record
  formats    docs/performance.md: wick, perf script, inferno and FlameGraph's scripts, from bench/macro/formats
  viewer     docs/performance.md: `wick view` and speedscope, from bench/macro/viewer/page
  code       docs/performance.md: `wick annotate`, perf annotate and objdump, from bench/macro/annotate
  top        docs/performance.md: `wick top` and perf top, from bench/macro/top
All but the first two come from docs/performance.json. --bench measures it again, which takes about an hour on an idle machine;
--bench=viewer,top measures only these (record, formats, viewer, annotate, top).
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
PAGES = (ROOT / "README.md", ROOT / "docs/performance.md")
FIGURES = ROOT / "docs/performance.json"
WICK = ROOT / "build/release/wick"


def run(*cmd, cwd):
    """What a person would see: standard error and output together."""
    env = {**os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "110"}
    r = subprocess.run([str(c) for c in cmd], cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env)
    if r.returncode != 0:
        sys.exit(f"{' '.join(map(str, cmd))}: code {r.returncode}\n{r.stdout}")
    return r.stdout.rstrip("\n")


BENCHES = {"record": "record", "formats": "formats", "viewer": "viewer/page", "annotate": "annotate", "top": "top"}


def measure(chosen):
    unknown = [n for n in chosen if n not in BENCHES]
    if unknown:
        sys.exit(f"regen_readme: unknown benchmark {unknown[0]} (benchmarks: {', '.join(BENCHES)})")
    commit = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], check=True, capture_output=True, text=True).stdout.strip()
    if commit.endswith("-dirty"):
        sys.exit("regen_readme: uncommitted changes (figures name a commit, so commit first)")
    made = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    for name in chosen:
        r = subprocess.run([ROOT / "bench/macro" / BENCHES[name], "--json"], check=True, stdout=subprocess.PIPE)
        made[name] = json.loads(r.stdout)
        FIGURES.write_text(json.dumps(made, indent=1) + "\n")


class Recording:
    """Of bench/macro/busy.cc, made when a part asks for it."""

    def __init__(self):
        self.folder = None
        self.said = ""

    def make(self):
        if self.folder is None:
            self.folder = Path(tempfile.mkdtemp(prefix="wick-readme-"))
            subprocess.run([ROOT / "wick", "--version"], check=True, stdout=subprocess.DEVNULL)
            source = ROOT / "bench/macro/busy.cc"
            subprocess.run(["g++", "-std=c++20", "-O2", "-g", "-pthread", source, "-o", self.folder / "app"], check=True)
            self.said = run(WICK, "record", "--", "./app", cwd=self.folder)
        return self

    def remove(self):
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)


def record(recording, _):
    return f"```console\n$ ./wick record -- ./app\n{recording.make().said}\n```"


def picture(recording, _):
    out = ROOT / "docs/img/flamegraph.svg"
    out.parent.mkdir(parents=True, exist_ok=True)
    run(WICK, "flamegraph", "--width", "1100", "-o", out, cwd=recording.make().folder)
    return "[![flame graph](docs/img/flamegraph.svg)](docs/img/flamegraph.svg)"


def number(value, form, unit=""):
    return "-" if value is None else format(value, form) + unit


def ratio(row, key):
    spread = row[key + "_noise"]
    return number(row[key], ".2f") + (f" ± {spread:.2f}" if spread is not None else "")


def share(row, key):
    return "-" if row[key] is None else f"{100 * row[key]:.1f}%"


def machine(bench):
    m = bench["record"]["machine"]
    return f"{m['cpu']}, {m['cpus']} CPUs, Linux {m['kernel']}, {m['user']} user, wick {m['commit']}"


def figures(_, bench):
    rows = bench["record"]["rows"]

    def of(program, recorder, hz=997):
        return next((r for r in rows if (r["program"], r["recorder"], r["hz"]) == (program, recorder, hz)), None)

    lines = ["| | wick | perf, copied stacks | samply |", "|---|---|---|---|"]
    for what, program, cell in (
        ("run time of a C++ program while recorded (plain = 1)", "busy", lambda r: ratio(r, "target_wall")),
        ("the same, ripgrep", "ripgrep", lambda r: ratio(r, "target_wall")),
        ("time from program exit to finished file", "busy", lambda r: f"{1e3 * r['after_seconds']:.0f} ms"),
        ("bytes per sample in the file", "busy", lambda r: number(r["bytes_per_sample"], ",.0f")),
        ("complete stacks, ordinary C++", "busy", lambda r: share(r, "whole")),
        ("complete stacks, 150 kB deep", "turns, 150 kB", lambda r: share(r, "whole")),
        ("CPU time seen in threads of 0.3 ms", "storm of threads", lambda r: share(r, "seen")),
    ):
        found = [of(program, name) for name in ("wick", "perf dwarf", "samply")]
        if found[0]:
            lines.append(f"| {what} | " + " | ".join(cell(r) if r else "-" for r in found) + " |")
    made = bench["formats"]
    for what, peer, ours, theirs in format_races(made):
        lines.append(f"| {what} | {ours[0]:.2f} s, {ours[1]:.0f} MB | {peer}: {theirs[0]:.2f} s" + (f", {theirs[1]:.0f} MB" if theirs[1] else "") + " | |")
    lines += ["", f"Medians of interleaved runs on {machine(bench)}; ± is half the interquartile range. All figures: [docs/performance.md](docs/performance.md)."]
    return "\n".join(lines)


def format_races(bench):
    """(what, peer, wick's seconds and MB, the peer's) of the few that stand for the rest."""
    found = []
    text = bench["collapse"]["repeated-1"]
    if "inferno" in text:
        found.append(("300 MB of `perf script` text to folded stacks", "inferno", (text["wick"]["median"], text["wick"]["memory"]), (text["inferno"]["median"], text["inferno"]["memory"])))
    data = bench["perf-data"]["dwarf"]
    if "peer_s" in data:
        found.append((f"perf.data of {data['mb']:.0f} MB to folded stacks", "perf script, inferno", (data["wall_s"], data["memory_mb"]), (data["peer_s"], None)))
    graph = bench["flamegraph"]["varied"]
    if "inferno" in graph:
        found.append(("flame graph of 200,000 unlike stacks", "inferno", (graph["wick"]["wall_s"], graph["wick"]["memory_mb"]), (graph["inferno"]["wall_s"], graph["inferno"]["memory_mb"])))
    return found


def formats(_, bench):
    bench = bench["formats"]
    rows = []
    for key, what in (("repeated-1", "one thread"), ("repeated-2", "two threads"), ("varied-2", "two threads, nearly all samples distinct")):
        r = bench["collapse"][key]
        if "inferno" in r:
            ours, theirs = r["wick"], r["inferno"]
            rows.append((f"300 MB of `perf script` text to folded stacks, {what}", ours["median"], ours["memory"], "inferno-collapse-perf", theirs["median"], theirs["memory"]))
    for kind, what in (("fp", "frame pointers"), ("dwarf", "copied stacks")):
        r = bench["perf-data"][kind]
        if "peer_s" in r:
            rows.append((f"perf.data, {r['mb']:.0f} MB, {what}, to folded stacks", r["wall_s"], r["memory_mb"], "perf script \\| inferno-collapse-perf", r["peer_s"], None))
    kinds = {"varied": "200,000 unlike stacks", "piped": "the same through a pipe", "names": "200,000 unlike stacks with short names", "shared": "stacks with much in common"}
    for kind, what in kinds.items():
        r = bench["flamegraph"][kind]
        for name, shown in (("inferno", "inferno-flamegraph"), ("flamegraph.pl", "flamegraph.pl")):
            if name in r:
                rows.append((f"flame graph of {what}", r["wick"]["wall_s"], r["wick"]["memory_mb"], shown, r[name]["wall_s"], r[name]["memory_mb"]))
    lines = ["| | wick | | | speedup |", "|---|---|---|---|---|"]
    for what, ours, memory, peer, theirs, their_memory in rows:
        there = f", {their_memory:.0f} MB" if their_memory else ""
        lines.append(f"| {what} | {ours:.2f} s, {memory:.0f} MB | {peer} | {theirs:.2f} s{there} | {theirs / ours:.1f} |")
    large = [f"{bench['perf-data'][k]['mb'] / 1e3:.1f} GB with {w} in {bench['perf-data'][k]['s']:.1f} s and {bench['perf-data'][k]['memory_mb']:.0f} MB"
             for k, w in (("large_fp", "frame pointers"), ("large_dwarf", "copied stacks")) if k in bench["perf-data"]]  # fmt: skip
    m = bench["machine"]
    tail = f"`wick report` opens a perf.data of {' and '.join(large)}. " if large else ""
    lines += ["", f"{tail}Medians of interleaved rounds on {m['cpus']} CPUs, Linux {m['kernel']}, wick {m['commit']}."]
    return "\n".join(lines)


def cost(_, bench):
    made = bench["record"]
    lines = []
    for program, hz in dict.fromkeys((r["program"], r["hz"]) for r in made["rows"]):
        lines += [
            f"### {program} at {hz:,} Hz",
            "",
            "| | wall | CPU, all | target's CPU | after exit | memory | bytes per sample | complete stacks | false stacks | CPU time seen | lost |",
            "|---|---|---|---|---|---|---|---|---|---|---|",
        ]
        for r in made["rows"]:
            if (r["program"], r["hz"]) == (program, hz):
                lines.append(
                    f"| {r['recorder']} | {ratio(r, 'wall')} | {ratio(r, 'cpu')} | {ratio(r, 'target_cpu')} | {1e3 * r['after_seconds']:.0f} ms | {r['peak_mb']:.0f} MB"
                    f" | {number(r['bytes_per_sample'], ',.0f')} | {share(r, 'whole')} | {share(r, 'false')} | {share(r, 'seen')} | {number(r['lost'], ',d')} |"
                )
        lines.append("")
    start = ", ".join(f"{name} {ms:.0f} ms" for name, ms in made["record_true_ms"].items())
    notes = "".join(f" {n[0].upper()}{n[1:]}." for n in made["notes"])
    lines.append(f"`record -- true`, start to finish: {start}. Medians of {made['rounds']} interleaved rounds on {machine(bench)}.{notes}")
    return "\n".join(lines)


def viewer(_, bench):
    made = bench["viewer"]
    sizes = made["sizes"]
    lines = ["| million samples | " + " | ".join(sizes) + " |", "|---|" + "---:|" * len(sizes)]

    def row(what, who, key, form):
        cells = [s[who].get(key) for s in sizes.values()]
        lines.append(f"| {what} | " + " | ".join("-" if c is None else form(c) for c in cells) + " |")

    def seconds(value):
        return f"{value:.2f} s"

    def ms(value):
        return f"{1e3 * value:.0f} ms"

    def mb(value):
        return f"{value:.0f} MB"

    row("first flame graph", "wick", "first", seconds)
    row("first flame graph, speedscope", "speedscope", "first", seconds)
    for name in made["views"]:
        row(name, "wick", name, ms)
    row("memory of the page", "wick", "memory", mb)
    row("memory of the page, speedscope", "speedscope", "memory", mb)
    row("`wick view` until it prints the URL", "wick", "server", seconds)
    row("memory of `wick view`", "wick", "server memory", mb)
    row("its peak", "wick", "server peak", mb)
    lines += ["", f"Medians of {made['rounds']} rounds on {made['machine']}. The profile has {made['stacks']:,} stacks. A dash means that the file is too large for speedscope."]
    return "\n".join(lines)


def code(_, bench):
    made = bench["annotate"]
    lines = ["| program | wick, empty cache | wick | perf annotate | objdump -dl | perf / wick | objdump / wick |", "|---|" + "---:|" * 6]
    for one in made["programs"]:
        tools = one["tools"]
        ours = tools["wick, cold"]["wall"]
        shown = [next((t["wall"] for n, t in tools.items() if n.startswith(name)), None) for name in ("perf", "objdump")]
        cells = [f"{ours:.3f} s", f"{tools['wick, warm']['wall']:.3f} s", *(number(s, ".2f", " s") for s in shown), *(number(s and s / ours, ".1f") for s in shown)]
        lines.append(f"| {one['size_mb']:.1f} MB | " + " | ".join(cells) + " |")
    lines += ["", f"The hottest function with source and instructions, medians of interleaved runs on {made['machine']}."]
    return "\n".join(lines)


def top(_, bench):
    made = bench["top"]
    lines = ["| | CPU time | first 4 s | memory |", "|---|---:|---:|---:|"]
    for name, r in made["rows"].items():
        lines.append(f"| {name} | {r['percent']:.2f}% of a core | {r['start_seconds']:.2f} s | {r['memory_mb']:.0f} MB |")
    lines += ["", f"A program with {made['threads']} busy threads at {made['rate_hz']} Hz, medians of {made['rounds']} rounds on {made['machine']}."]
    return "\n".join(lines)


PARTS = {"record": record, "picture": picture, "figures": figures, "cost": cost, "formats": formats, "viewer": viewer, "code": code, "top": top}


def main():
    args = sys.argv[1:]
    chosen = [a for a in args if not a.startswith("-")] or list(PARTS)
    unknown = [n for n in chosen if n not in PARTS]
    if unknown or "--help" in args:
        sys.exit(__doc__ if not unknown else f"regen_readme: unknown part {unknown[0]} (parts: {', '.join(PARTS)})")
    for arg in args:
        if arg == "--bench" or arg.startswith("--bench="):
            measure(arg[8:].split(",") if "=" in arg else list(BENCHES))
    bench = json.loads(FIGURES.read_text())
    missing = [name for name, needed in {"viewer": "viewer", "code": "annotate", "top": "top"}.items() if name in chosen and needed not in bench]
    for name in missing:
        print(f"regen_readme: {name}: not measured yet (--bench)", file=sys.stderr)
        chosen.remove(name)
    recording = Recording()
    try:
        made = {name: PARTS[name](recording, bench) for name in chosen}
    finally:
        recording.remove()
    for page in PAGES:
        text = page.read_text()
        for name, content in made.items():
            text = re.sub(rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", lambda m, c=content: m.group(1) + c + "\n" + m.group(2), text, flags=re.S)
        page.write_text(text)


if __name__ == "__main__":
    main()
