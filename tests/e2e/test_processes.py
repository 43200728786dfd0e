# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Children, kinds of exec, thread names: each engine tells apart who ran."""

import functools

from harness import *  # noqa: F403


def fork(t, engine):
    r = t.record(t.program("tree.c"), "fork", "0.4", options=["--engine", engine])
    r.shares({f"main > {f} > burn_seconds": 33.3 for f in ("in_parent", "in_child", "in_grandchild")}, 8)
    pids = {l.split(";")[0] for l in r.collapsed("--pid")}
    need(len(pids) == 3, f"processes: {sorted(pids)}")
    by_process = json.loads(t.good("report", r.file, "--json", "--by", "process"))
    need(len(by_process["processes"]) == 3, f"report --by process: {by_process['processes']}")
    return r.whole("main > /in_.*/")


def becomes(way, before, t, engine):
    """A process that starts or executes another program: each has its own name and files."""
    other = t.program("shares.c", "O2", name="other")
    r = t.record(t.program("tree.c"), way, "0.4", other, "0.4", options=["--engine", engine])
    commands = {c for c, _, _ in r.stacks}
    need({"tree", "other"} <= commands, f"commands: {commands}")
    near(r.share(f"{before} > burn_seconds"), 50, 12, f"share of {before}")
    near(r.share("main > run > round_of_work"), 50, 12, "share of the other program")
    at_least(r.share(f"{before} > burn_seconds", "tree"), 95, f"percent of tree's samples in {before}")
    at_least(r.share("main > run > round_of_work", "other"), 95, "percent of other's samples in its work")
    return r.whole(f"{before} > burn_seconds", "main > run")


def many(t, engine):
    r = t.record(t.program("tree.c"), "many", "0.8", "80", options=["--engine", engine])
    pids = {l.split(";")[0] for l in r.collapsed("--pid") if "in_short" in l}
    at_least(len(pids), 60, "short-lived children seen")
    return r.whole("main > in_short", "main", least=98)


def shell(t, engine):
    p, q = t.program("shares.c"), t.program("rusty.rs", "release")
    r = t.record("sh", "-c", f"{p} 0.3 >/dev/null; {q} 0.3 & wait; exit 3", options=["--engine", engine], code=3)
    need({"shares", "rusty"} <= {c for c, _, _ in r.stacks}, f"commands: {sorted({c for c, _, _ in r.stacks})}")


def no_inherit(t, engine):
    r = t.record(t.program("tree.c"), "fork", "0.3", options=["--engine", engine, "--no-inherit"])
    need(r.share("in_child") == 0 and r.share("in_grandchild") == 0, "children were recorded")
    at_least(r.share("main > in_parent"), 90, "percent in the parent")


def orphan(t, engine):
    """The launched command ends before its child: wick ends with the command, its exit code and a complete file."""
    began = time.monotonic()
    r = t.record(t.program("tree.c"), "orphan", "3", options=["--engine", engine], timeout=30)
    took = time.monotonic() - began
    json.loads(t.good("report", r.file, "--json"))
    return f"ended after {took:.1f} s"


def tests():
    table = {
        "fork": fork,
        "exec": functools.partial(becomes, "exec", "main > in_parent"),
        "vfork": functools.partial(becomes, "vfork", "main > in_parent"),
        "spawn": functools.partial(becomes, "spawn", "main > in_parent"),
        "exec_in_place": functools.partial(becomes, "inplace", "before_exec"),
        "exec_from_a_thread": functools.partial(becomes, "threadexec", "before_exec"),
        "many": many,
        "shell": shell,
        "no_inherit": no_inherit,
        "orphan": orphan,
    }
    return {f"{n}.{e}": functools.partial(f, engine=e) for n, f in table.items() for e in ("perf", "ptrace")}
