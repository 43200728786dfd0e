# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests of the viewer share: profiles, servers, and checks against `wick report`."""

import json
import re
import subprocess
from pathlib import Path

from .model import cell, cost, frames_of, share
from .page import Page, Served

PROGRAMS = Path(__file__).resolve().parents[2] / "programs"

HEAD = """command ./app --fast
event cpu-clock ns 1000
event cache-misses events 0 kind=other
module app /opt/example/app
module libc /usr/lib/libc.so.6
module kernel [kernel] kind=kernel
thread main 100/100 app
thread worker 100/101 worker
"""
MAIN = [
    ("_start;main;parse{src/parse.c:7};alloc{src/alloc.c:20};malloc@libc", 60),
    ("_start;main;parse{src/parse.c:8}=>step{src/step.h:3}", 200),
    ("_start;main;work{src/work.c:3};read@libc;vfs_read@kernel", 250),
    ("_start;main;work{src/work.c:5}", 350),
    ("_start;main;fib;fib;fib", 60),
    ("_start;main;fib;helper;fib", 40),
    ("_start;main;parse{src/parse.c:7};alloc{src/alloc.c:20};malloc@libc;brk@libc", 40),
]
WORKER = [
    ("clone@libc;run;crunch{src/crunch.c:9}", 400),
    ("clone@libc;run;parse{src/parse.c:7};alloc{src/alloc.c:20}", 100),
]
MISSES = [("main", "_start;main;work;read@libc", 30, 5), ("worker", "clone@libc;run;crunch", 10, 7)]


def recording(main=MAIN, worker=WORKER, misses=MISSES):
    lines = [f"sample main;{stack} {n}" for stack, n in main] + [f"sample worker;{stack} {n}" for stack, n in worker]
    lines += [f"sample {thread};{stack} {n} event=1 weight={weight}" for thread, stack, n, weight in misses]
    return HEAD + "\n".join(lines) + "\n"


def stacks_of(*lists):
    return [(frames_of(stack), n * 1_000_000) for part in lists for stack, n in part]


# The same program after a change: step is gone, check is new, work grew, fib as before.
AFTER = [
    ("_start;main;parse{src/parse.c:7};alloc{src/alloc.c:20};malloc@libc", 104),
    ("_start;main;parse{src/parse.c:8};check", 90),
    ("_start;main;work{src/work.c:3};read@libc;vfs_read@kernel", 245),
    ("_start;main;work{src/work.c:5}", 800),
    ("_start;main;fib;fib;fib", 60),
    ("_start;main;fib;helper;fib", 40),
]


class Base:
    def __init__(self, browser, args, folder):
        self.b, self.args, self.folder = browser, args, folder
        self.p = Page(browser)
        self.servers = []
        browser.call("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        self.downloads = folder / "downloads"
        self.downloads.mkdir()
        browser.save_downloads(self.downloads)

    def run(self, *command):
        r = subprocess.run([str(c) for c in command], capture_output=True, timeout=120)
        assert r.returncode == 0, f"{command}: {r.stderr.decode()}"
        return r.stdout

    def made(self, name, text=None):
        out = self.folder / f"{name}.wick"
        if not out.exists():
            (self.folder / f"{name}.txt").write_text(recording() if text is None else text)
            self.run(self.args.make_wick, self.folder / f"{name}.txt", out)
        return out

    def recorded(self, name="shares", seconds=0.5, optimize="-O1"):
        """A recording of a program with known shares, with source and assembly."""
        out = self.folder / f"{name}.wick"
        if not out.exists():
            program = self.folder / optimize / "shares"
            program.parent.mkdir(exist_ok=True)
            self.run("cc", optimize, "-g", "-pthread", PROGRAMS / "shares.c", "-o", program)
            self.run(self.args.wick, "record", "-q", "-o", out, "--", program, seconds, "2")
        return out

    def html(self, *files):
        out = self.folder / ("-".join(file.stem for file in files) + ".html")
        if not out.exists():
            self.run(self.args.wick, "export", *files, "--format", "html", "-o", out)
        return out

    def serve(self, *files):
        self.servers.append(Served(self.args.wick, *files))
        return self.servers[-1]

    def open(self, *files, fragment=""):
        self.p.open(self.serve(*(files or [self.made("exact")])).url, fragment)

    def report(self, file, *options, command="report"):
        return json.loads(self.run(self.args.wick, command, "--json", *([] if command == "diff" else [file]), *options))

    def shot(self, name):
        if self.args.shots:
            self.b.screenshot(Path(self.args.shots) / f"{name}.png")

    def same(self, got, want, what=""):
        if got == want:
            return
        if isinstance(got, dict) and isinstance(want, dict):
            got, want = [{k: v for k, v in x.items() if y.get(k, "none") != v} for x, y in ((got, want), (want, got))]
        raise AssertionError(f"{what}: {got!r}, expected {want!r}")

    def has(self, text, *parts):
        for part in parts:
            assert part in (text or ""), f"no {part!r} in {text!r}"

    def copied(self, copy):
        """What copy() puts into the clipboard."""
        self.p.js("navigator.clipboard.writeText('nothing was copied')")
        copy()
        self.b.wait("navigator.clipboard.readText().then((text) => text !== 'nothing was copied')")
        return self.p.js("navigator.clipboard.readText()")

    def save(self, item):
        """The file that an entry of the menu saves."""
        for old in self.downloads.iterdir():
            old.unlink()
        self.p.click(".header button", "Save")
        self.p.click(".menu-item", item)
        self.same(self.b.wait_for_download(), "completed", item)
        [saved] = self.downloads.iterdir()
        assert saved.suffix in (".svg", ".png"), saved
        return saved

    def end_test(self):
        for session in list(self.b.targets)[1:]:
            self.b.close_page(session)
        self.b.use(next(iter(self.b.targets)))
        self.b.call("Page.navigate", url="about:blank")  # ends its attempts to reach the server
        self.p.collect()
        own = [s.url for s in self.servers]
        foreign = [r for r in self.p.requests if not r.startswith((*own, "file:", "data:", "blob:", "about:", *self.allowed))]
        errors = [e for e in self.p.errors if not any(x in e for x in self.expected_errors)]
        for server in self.servers:
            server.end()
        self.p.media()
        self.begin_test()
        self.same(foreign, [], "requests to others")
        self.same(errors, [], "console")

    def begin_test(self):
        self.servers, self.allowed, self.expected_errors = [], [], []
        self.p.errors, self.p.requests = [], []

    def range_options(self, fragment, part=r"/r=(\d+)-(\d+)"):
        unit = self.p.js("probe.opened.meta.timeUnitNs")
        begin, end = (int(x) * unit / 1e9 for x in re.search(part, fragment).groups())
        return ["--range", f"{begin:.9f}-{end:.9f}"]

    def check_functions(self, want, key="4"):
        """The function table is that of `wick report --json`, in numbers and as text."""
        self.p.key(key)
        got = {(f["name"], f["module"]): [f[k] for k in ("self", "total", "self_samples", "total_samples")] for f in self.p.js("T.functions()")}
        self.same(got, {(f["name"], f["module"]): [f[k] for k in ("self", "total", "self_samples", "total_samples")] for f in want["functions"]}, "functions")
        rows, whole = self.p.js("T.rows('.functions-view')"), want["total"]
        theirs = {(f["name"], f["module"]): f for f in want["functions"]}
        assert len(rows) >= min(20, len(theirs)), rows
        for row in rows:
            f = theirs[row[5].split("\n")[0], row[6]]
            text = [cell(f["self"], whole, want["unit"]), share(f["self"], whole) if f["self"] else "", cell(f["total"], whole, want["unit"]), share(f["total"], whole)]
            self.same(row[:5], [*text, f"{f['total_samples']:,}"], f["name"])

    def tree_rows(self, rows):
        """{path: (self, total, samples)} of nodes with depths."""
        path, out = [], {}
        for name, depth, *costs in rows:
            path[depth:] = [name]
            out[tuple(path)] = tuple(costs)
        return out

    def check_tree(self, want, tooltips=True):
        """Call tree and flame graph are those of `wick report --tree --json`."""
        nodes = self.tree_rows(((n["name"], n["module"]), n["depth"] - 1, n["self"], n["total"], n["total_samples"]) for n in want["tree"][1:])
        self.p.key("3")
        self.b.click(*self.p.at(".tree-view .table-row"))
        for _ in range(len(nodes)):  # all of it, however many outermost functions there are
            closed = self.p.js("probe.answers.tree.rows.findIndex((r) => r.children > 0 && !r.open)")
            if closed < 0:
                break
            self.p.key("Home", *["ArrowDown"] * closed, "*")
        got = self.p.js("probe.answers.tree.rows.map((r) => [T.name(r.key), r.depth, r.self, r.total, r.samples, T.moduleOf(r.key)])")
        self.same(self.tree_rows(((r[0], r[5]), *r[1:5]) for r in got), nodes, "call tree")
        heads = self.p.js("[...T.one('.tree-view .table-head').children].map((c) => c.innerText.replace(/\\s.*/s, ''))")
        first = self.p.js("Math.min(...T.all('.tree-view .table-row').map((row) => row.ariaRowIndex)) - 2")  # of those in the document
        for row, (name, _, own, total, samples, _) in zip(self.p.js("T.rows('.tree-view')"), got[first:]):
            shown = [row[heads.index(h)] for h in ("Self", "Total", "Samples")]
            self.same(shown, [cell(own, want["total"], want["unit"]), cell(total, want["total"], want["unit"]), f"{samples:,}"], name)
            assert row[heads.index("Function")].startswith(name), row
        self.p.key("1")
        for box in self.p.boxes()[1:]:
            own, total, samples = nodes[tuple(zip(box["path"], box["modules"]))]
            self.same((box["self"], box["total"], box["samples"]), (own, total, samples), str(box["path"]))
            if tooltips and box["isSeen"] and box["width"] > 3:
                tip = self.p.hover(*box["path"])
                unit, whole = want["unit"], want["total"]
                self.same([tip["Total"], tip["Self"], tip["Samples"]], [f"{cost(v, unit)} {share(v, whole)}" for v in (total, own)] + [f"{samples:,}"], box["name"])
