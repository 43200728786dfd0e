# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Where programs wait: known times in known functions, as root and as an ordinary user, launched and attached."""

import functools
from collections import Counter

from harness import *  # noqa: F403

KINDS = {"nap": "sleep", "read_pipe": "pipe", "read_socket": "socket", "poll_nothing": "poll", "take_lock": "lock"}


def wall(t, *arguments, user=None):
    if user:
        root_only()
    return t.record(t.program("waits.c"), *arguments, options=["--wall", "--engine", "perf"], user=user)


def blocked(r, *options):
    """[("root;…;leaf", seconds)] of the time in which threads waited."""
    rows = []
    for line in r.collapsed("--event", "blocked", "--count", "weights", *options):
        stack, _, ns = line.rpartition(" ")
        rows.append((stack.partition(";")[2], float(ns) / 1e9))
    return rows


def waits(r):
    return json.loads(r.test.good("report", "--waits", "--json", r.file))["waits"]


def threads(r):
    return json.loads(r.test.good("report", "--by", "thread", "--event", "blocked", "--json", r.file))["threads"]


def kinds(t, user=None):
    """Each function has its own time, with a complete stack, and the kind of what it waits for."""
    r = wall(t, "kinds", 2, user=user)
    spent = json.loads(r.stdout)
    rows = blocked(r)
    said = []
    for name, kind in KINDS.items():
        own = sum(s for stack, s in rows if name in stack.split(";"))
        # A thread that is woken waits for its CPU a little longer; no function has less than it took but for its system call.
        if not 0.93 * spent[name] <= own <= 1.03 * spent[name]:
            raise OutOfRange(f"{name}: {own:.3f} s, {spent[name]:.3f} s measured")
        found = Counter()
        for row in waits(r):
            found[row["kind"]] += row["total"] / 1e9
        at_least(found[kind], 0.9 * spent[name], f"seconds in waits of kind {kind}")
        said.append(f"{name} {own / spent[name]:.2f}")
    work = sum(s for stack, s in rows if "work" in stack.split(";"))
    at_most(work, 0.05 * spent["work"], "seconds that work() waits")
    return ", ".join(said)


def turns(t, user=None, mode="turns", tolerance=4):
    """Waits shorter than a period, in stacks of two families that never call each other: none is mixed, and neither has more than its time.
    A wait that ends while it is looked at has no stack."""
    r = wall(t, mode, 2, user=user)
    spent = json.loads(r.stdout)
    rows = [(stack, s) for stack, s in blocked(r) if "work_as_asked" not in stack.split(";")]
    total = spent["red"] + spent["blue"]
    mixed = sum(s for stack, s in rows if "red" in stack.split(";") and "blue" in stack.split(";"))
    complete(100 - 100 * mixed / total, 99.8, "percent of the time with stacks that can be")
    shares = {name: 100 * sum(s for stack, s in rows if name in stack.split(";")) / total for name in ("red", "blue")}
    for name, share in shares.items():
        at_most(share, 100 * spent[name] / total + tolerance, f"percent of the time that is in {name}")
    at_least(sum(shares.values()), 80, "percent of the time with complete stacks")
    return f"red {shares['red']:.1f} % of {100 * spent['red'] / total:.1f} %, blue {shares['blue']:.1f} %"


def naps(t, user=None):
    """The same with sleeps, of which looks miss the ends (record/wait_watch.h)."""
    return turns(t, user, "naps", 12)


def lives(t, user=None):
    """Of each thread, ready and blocked time (by context switches) and CPU time (by its own count) add up to its life."""
    said = []
    for mode, count in (("threads", 9), ("turns", 2)):
        r = wall(t, mode, 1.5, user=user)
        rows = threads(r)
        cpu = {row["tid"]: row["total"] for row in json.loads(t.good("report", "--by", "thread", "--event", "cpu", "--json", r.file))["threads"]}
        need(len(rows) == count, f"{mode}: {len(rows)} threads")
        for row in rows:
            life = row["running_ns"] + row["ready_ns"] + row["blocked_ns"]  # running is what the other two leave
            need(life > 1e9, f"{mode}: {row}")
            if abs(row["total"] - row["blocked_ns"]) > 0.001 * life:
                raise Final(f"{mode}: thread {row['tid']}: samples of {row['total']} ns, {row['blocked_ns']} counted")
            # The kernel counts a part of each switch as CPU time, which its records place outside: 1.4 % with 20,000 switches a second. An
            # ordinary user's profile has no time in the kernel.
            missing = (row["running_ns"] - cpu.get(row["tid"], 0)) / life
            if missing < -0.02 or (not user and missing > 0.02):
                raise OutOfRange(f"{mode}: thread {row['tid']}: {100 * missing:.1f} % of its life is in no part: {row}, CPU {cpu.get(row['tid'])}")
            said.append(abs(missing))
        if mode == "turns":
            continue
        lock = sum(row["total"] for row in waits(r) if row["kind"] == "lock") / 1e9
        sleep = sum(row["total"] for row in waits(r) if row["kind"] == "sleep") / 1e9
        # One of the eight holds the lock, the others wait for it; the first thread sleeps.
        near(lock / 1.5, 7, 0.5, "threads that wait for the lock")
        near(sleep / 1.5, 2, 0.3, "threads that sleep")
    return f"at most {100 * max(said):.2f} % in no part"


def idle(t, user=None):
    """A process that only sleeps has its time, of one wait."""
    r = wall(t, "idle", 1.2, user=user)
    rows = waits(r)
    near(sum(row["total"] for row in rows) / 1e9, 1.2, 0.05, "seconds blocked")
    need(rows[0]["kind"] == "sleep" and rows[0]["count"] == 1 and rows[0]["function"] == "sleep_once", f"{rows[0]}")


def attached(t, user=None):
    """Threads that wait before the recording begins and after it ends count to its borders."""
    if user:
        root_only()
    command = [t.program("waits.c"), "idle", 30]
    target = t.start_process(t.as_user(command)[0] if user else command, stdout=subprocess.DEVNULL)
    wait_until(lambda: Path(f"/proc/{target.pid}/stat").read_text().rpartition(")")[2].split()[0] == "S", what="sleep")
    t.sleep(0.3)
    file = t.tmp / ("nobody/a.wick" if user else "a.wick")
    result = t.run(t.wick_path, "record", "-q", "--wall", "-o", file, "-p", target.pid, "-d", "1", user=user)
    need(result.returncode == 0, text_of(result.stderr))
    rows = waits(Recording(t, file, result))
    near(sum(row["total"] for row in rows) / 1e9, 1.0, 0.05, "seconds blocked")
    need(rows[0]["kind"] == "sleep" and rows[0]["function"] == "sleep_once", f"{rows[0]}")


def test_refused(t):
    t.refused("record", "--wall", "-e", "cycles", "--", "true", code=2, says="--wall")
    for option in (["--delay", "1"], ["-C", "0"], ["--cgroup", "x"], ["-c", "5"]):
        t.refused("record", "--wall", *option, "--", "true", code=2, says=option[0])
    t.refused("record", "--wall", "--engine", "ptrace", "--", "true", code=125, says="perf_event_open")


def test_without_waits(t):
    """A recording without waits says how to get them."""
    r = t.record(t.program("waits.c"), "idle", 0.1)
    result = t.wick("report", "--waits", r.file)
    need(result.returncode == 1 and "--wall" in text_of(result.stderr), text_of(result.stderr) or "no message")


def tests():
    made = {}
    for function in (kinds, turns, naps, lives, idle, attached):
        for user in (None, "nobody"):
            made[function.__name__ + (f".{user}" if user else "")] = functools.partial(function, user=user)
    return made
