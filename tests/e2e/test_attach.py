# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Attaching to running targets: one process, several, threads, the complete machine, CPUs, a cgroup."""

from harness import *  # noqa: F403


def running(t, *cmd, user=None):
    kw = {}
    if user == "nobody":
        cmd, home = t.as_user(cmd)
        kw["env"] = t.environment(home)
    p = t.start_process(cmd, stdout=subprocess.DEVNULL, **kw)
    t.sleep(0.3)
    return p


def test_pid(t):
    p = running(t, t.program("shares.c"), "20", "2")
    before = cpu_seconds(p.pid)
    r = t.record(options=["-p", p.pid, "-d", "1"])
    used = cpu_seconds(p.pid) - before
    need(p.poll() is None, "the target ended")
    at_least(r.json["samples"], 0.6 * 997 * used - 20, f"samples of the {used:.2f} CPU seconds while attached")
    r.shares({"round_of_work > heavy": 60, "round_of_work > middle": 30}, 7)
    return r.whole("main > run", "start > run")


def test_pid_many_threads(t):
    """Samples 200 existing threads, although they share rings."""
    p = running(t, t.program("threads.c"), "200", "0.06")
    r = t.record(options=["-p", p.pid, "-d", "2"])
    names = {l.split(";")[0] for l in r.collapsed("--tid") if "thread_main" in l}
    at_least(len(names), 190, "threads seen")
    return r.whole("thread_main > job", "main")


def test_many_mappings(t):
    """60,000 mappings, launched and attached: no sample is lost and, as root, no mapping record."""
    limit = Path("/proc/sys/vm/max_map_count")
    count = min(60000, int(limit.read_text()) - 5000)
    found = []
    for kind in ("file", "anon"):
        launched = t.record(t.program("many_maps.c"), count, "0.5", kind)
        p = t.start_process([t.program("many_maps.c"), count, "20", kind], stdout=subprocess.PIPE)
        need(p.stdout.readline() == b"ready\n", "it does not map")
        before = cpu_seconds(p.pid)
        attached = t.record(options=["-p", p.pid, "-d", "1.5"], name="attached.wick")
        used = cpu_seconds(p.pid) - before
        at_least(attached.json["samples"], 0.6 * 997 * used - 20, f"samples of the {used:.2f} CPU seconds while attached")
        for how, r in (("launched", launched), ("attached", attached)):
            lost = {name: n for name, n in r.json["losses"].items() if n and name.split(".")[0] in ("lost", "side")}
            need(r.json["lost"] == 0 and (not lost or os.getuid() != 0), f"{kind}, {how}: lost {r.json['lost']}, {lost}")
            r.whole("main > after_the_maps > burn_seconds", "main")
        found.append(f"{kind}: {launched.json['samples']} and {attached.json['samples']} samples")
        p.kill()
    return ", ".join(found)


def test_pid_later_threads(t):
    """Records threads and children that start after attaching."""
    p = running(t, "sh", "-c", f"sleep 0.8; {t.program('shares.c')} 0.6 2")
    r = t.record(options=["-p", p.pid, "-d", "2"])
    at_least(r.share("round_of_work"), 80, "percent in the child")
    at_least(r.share("start > run"), 20, "percent in its second thread")


def test_pid_ends(t):
    """The recording ends with its target, well before the duration."""
    p = running(t, t.program("shares.c"), "1.2")
    began = time.monotonic()
    r = t.record(options=["-p", p.pid, "-d", "60"])
    took = time.monotonic() - began
    need(took < 50, f"took {took:.1f} s")
    at_least(r.json["samples"], 200, "samples")


def test_several_pids(t):
    a, b = running(t, t.program("shares.c"), "20"), running(t, t.program("ends.c"), "forever")
    for way in (["-p", a.pid, "-p", b.pid], ["-p", f"{a.pid},{b.pid}"]):
        r = t.record(options=[*way, "-d", "0.7"])
        near(r.share("round_of_work"), 50, 15, "share of the first process")
        near(r.share("working"), 50, 15, "share of the second process")


def test_one_of_several_ends(t):
    """wick continues with the others, and sleeps as before."""
    a, b = running(t, t.program("ends.c"), "sleep", "0", "1"), running(t, t.program("ends.c"), "sleep", "0", "20")
    w = t.start_process([t.wick_path, "record", "-q", "-o", t.tmp / "p.wick", "-p", f"{a.pid},{b.pid}"])
    a.wait()
    t.sleep(0.2)
    before = cpu_seconds(w.pid)
    t.sleep(1)
    need(w.poll() is None, "the recording ended with the first process")
    used = cpu_seconds(w.pid) - before
    if used > 0.2:
        raise OutOfRange(f"wick used {used:.2f} s of CPU time in a second of waiting")
    b.kill()
    b.wait()
    need(w.wait(60) == 0, f"code {w.returncode}")


def test_thread(t):
    """Records only the requested thread."""
    p = running(t, t.program("shares.c"), "20", "2")
    tids = sorted(int(x) for x in os.listdir(f"/proc/{p.pid}/task"))
    r = t.record(options=["-t", tids[1], "-d", "0.7"])
    at_least(r.share("start > run"), 95, "percent in the second thread")
    at_least(r.json["samples"], 30, "samples")


def test_attached_left_running(t):
    """SIGINT and SIGTERM to wick end the recording, not the target."""
    p = running(t, t.program("ends.c"), "forever")
    for number in (signal.SIGINT, signal.SIGTERM):
        w = t.start_process([t.wick_path, "record", "-q", "-o", t.tmp / "p.wick", "-p", p.pid])
        t.sleep(0.7)
        w.send_signal(number)
        w.wait(60)
        need(w.returncode == 0, f"code {w.returncode} after signal {number}")
        need(p.poll() is None, f"signal {number} to wick ended the target")
        at_least(json.loads(t.good("report", t.tmp / "p.wick", "--json"))["samples"], 20, "samples")


def test_no_such_pid(t):
    err = t.refused("record", "-o", t.tmp / "x.wick", "-p", "999999999", code=125, says="999999999")
    need(err.count("wick: ") == 1, f"more than the error: {err}")
    t.refused("record", "-o", t.tmp / "x.wick", "-t", "999999999", code=125, says="999999999")
    for bad in ("0", "-5", "abc", "1.5", ""):
        t.refused("record", "-o", t.tmp / "x.wick", "-p", bad, code=2)
    gone = t.start_process(["true"])
    gone.wait()
    t.refused("record", "-o", t.tmp / "x.wick", "-p", gone.pid, code=125, says=str(gone.pid))
    need(not (t.tmp / "x.wick").exists(), "a file was left")


def test_pid_ends_at_once(t):
    """A target that ends while wick attaches: a complete file or a clear error, immediately."""
    for i in range(12):
        p = t.start_process([t.program("ends.c"), "exit", "0", f"{0.002 * i:.3f}"])
        r = t.wick("record", "-o", t.tmp / "x.wick", "-p", p.pid, "-d", "5", timeout=60)
        p.wait()
        need(r.returncode in (0, 125), f"code {r.returncode}: {text_of(r.stderr)[-200:]}")
        need(r.stderr, "nothing was said")


def test_system(t):
    root_only()
    running(t, t.program("shares.c"), "20", "2")
    r = t.record(options=["-a", "-d", "1"])
    at_least(r.share("round_of_work"), 1, "percent in the busy program")
    need(len({c for c, _, _ in r.stacks}) >= 2, "only one command seen")
    heading = t.good("report", r.file).splitlines()[0]
    need(heading == "whole system", f"the title is {heading}")
    return f"{len({c for c, _, _ in r.stacks})} commands, {r.json['samples']} samples"


def test_cpu(t):
    """-C 0 records only that CPU."""
    root_only()
    taskset = tool("taskset")
    if os.cpu_count() < 2:
        raise Skip("needs two CPUs")
    running(t, taskset, "-c", "0", t.program("shares.c"), "20")
    running(t, taskset, "-c", "1", t.program("ends.c"), "forever")
    r = t.record(options=["-C", "0", "-d", "1"])
    at_least(r.share("round_of_work"), 1, "percent of the program on CPU 0")
    at_most(r.share("working"), 5, "percent of a program on CPU 1")


def test_cpu_of_a_migrating_program(t):
    """A program started on another CPU than the recorded one still has its name and mappings."""
    taskset = tool("taskset")
    if os.cpu_count() < 2:
        raise Skip("needs two CPUs")
    script = f"{taskset} -c 1 {t.program('shares.c')} 0.8 & sleep 0.15; {taskset} -cp 0 $! >/dev/null; wait"
    r = t.record(taskset, "-c", "0", "sh", "-c", script, options=["-C", "0"])
    at_least(r.json["samples"], 30, "samples")
    at_least(100 * sum(n for c, _, n in r.stacks if c == "shares") / r.total, 80, "percent with the program's name")
    return r.whole("main > run", least=95)


def test_system_refused(t):
    """Tells an ordinary user what -a needs."""
    if os.getuid() == 0:
        err = t.refused("record", "-o", t.tmp / "nobody" / "x.wick", "-a", "-d", "1", code=125, says=["paranoid|CAP_PERFMON", "hint: "], user="nobody")
        return err.splitlines()[0]
    raise Skip("needs root, to become an ordinary user")


def test_foreign_pid_refused(t):
    """An ordinary user may not attach to root's process; the message says why."""
    root_only()
    p = running(t, t.program("shares.c"), "20")
    return t.refused(
        "record", "-o", t.tmp / "nobody" / "x.wick", "-p", p.pid, "-d", "1", code=125, says=[str(p.pid), "permission|not permitted|may not|belongs to", "hint: "], user="nobody"
    ).splitlines()[0]


def test_own_pid_as_user(t):
    root_only()
    p = running(t, t.program("shares.c"), "20", user="nobody")
    r = t.record(options=["-p", p.pid, "-d", "0.7"], user="nobody")
    return r.whole("main > run")


def test_foreign_engine_refused(t):
    """If perf_event_open is denied, ptrace must not silently replace it for attaching: it works, or the message says how to allow it."""
    p = running(t, t.program("shares.c"), "20")
    return t.refused(
        "record", "-o", t.tmp / "x.wick", "-p", p.pid, "-d", "1", wrapper=[t.program("refuse.c"), "perf"], code=125, says=["perf_event_open|refused|not permitted", "hint: "]
    ).splitlines()[0]


def test_cgroup(t):
    """Records the programs of a cgroup given by path."""
    root_only()
    mounts = [l.split()[1] for l in Path("/proc/mounts").read_text().splitlines() if l.split()[2] == "cgroup2"]
    if not mounts:
        raise Skip("no cgroup file system of version 2")
    group = Path(mounts[0]) / "wick-e2e-test"
    try:
        group.mkdir(exist_ok=True)
        p = running(t, t.program("shares.c"), "20")
        running(t, t.program("ends.c"), "forever")
        (group / "cgroup.procs").write_text(str(p.pid))
    except OSError as e:
        raise Skip(f"cannot make a cgroup: {e}")
    try:
        r = t.record(options=["--cgroup", "wick-e2e-test", "-d", "1"])
        at_least(r.share("round_of_work"), 90, "percent of the program in the cgroup")
        need(r.share("working") == 0, "a program outside the cgroup was recorded")
    finally:
        p.kill()
        p.wait()
        try:
            group.rmdir()
        except OSError:
            pass
