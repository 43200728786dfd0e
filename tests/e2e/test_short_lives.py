# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""No CPU time goes missing: threads and processes that end within one sampling period, alone and next to a long-lived busy one, with both
engines, as root and as an ordinary user. Compares the time in the profile with the kernel's (getrusage), which storm.c prints."""

import functools

from harness import *  # noqa: F403

# At least 0.8 s of CPU time each: the time a process uses before its exec is not counted, and must be negligible.
STORMS = {"threads": 2800, "processes": 1300, "execs": 1300, "pool": 30}
LOOP = "i=0; while [ $i -lt {} ]; do /bin/true; i=$((i+1)); done"
TINY_FILES = 200
SHARE = 5  # tolerance of a share in points: with about 1,000 samples, chance alone puts one share in a hundred 4 points off


def weights(r):
    """[(command, "root;…;leaf", ns)]"""
    out = []
    for line in r.collapsed("--count", "weights"):
        stack, _, ns = line.rpartition(" ")
        command, _, frames = stack.partition(";")
        out.append((command, frames, float(ns)))
    return out


def percent(rows, matches):
    total = sum(ns for _, _, ns in rows)
    return 100 * sum(ns for command, stack, ns in rows if matches(command, stack)) / total if total else 0.0


def recorded(t, *cmd, engine, user):
    """Records storm and reads its own numbers; checks that the totals agree."""
    if user:
        root_only()
    before = cpu_times()
    r = t.record(*cmd, options=["--engine", engine], user=user, timeout=120)
    stolen = stolen_seconds(before, cpu_times())
    used = json.loads(r.stdout.splitlines()[-1])
    report = r.properties()
    need(report["unit"] == "ns", f"unit {report['unit']}")
    total = report["total"] / 1e9
    seen = f"{total:.3f} s seen, {used['total']:.3f} s used ({used['user']:.3f} s in user space), {report['samples']} samples, {stolen:.2f} s stolen"
    # An ordinary user may not see time in the kernel. getrusage splits user and system time by ticks and counts a task without a
    # tick as user time, so its user time is too high here: forks and exits alone take more than 8 % on a busy machine.
    # While the machine is stopped, its clocks go on: some of that time is counted, but there is one sample at most, and the rest looks
    # like time in the kernel.
    paused = min(stolen, 0.05 * used["total"]) if user else 0
    least = min(used["user"], 0.94 * used["total"]) - paused if user else used["total"]
    complete(total, 0.97 * least, f"{seen}: CPU seconds")
    # Events and context switches go by a clock that includes stolen time; getrusage leaves it out.
    if total > 1.03 * used["total"] + stolen:
        raise Final(f"{seen}: more than there was")
    cpu = report.get("cpu_ns")
    need(cpu, f"{seen}; report --json has no cpu_ns")
    parts = cpu["sampled"] + cpu["unsampled"]
    need(abs(parts - report["total"]) <= 0.001 * report["total"], f"{seen}; sampled and unsampled are not the total: {cpu}")
    # Since Linux 6.16 the events of a task end before its memory is freed, which takes a compiler 0.2 ms. Only clocks of CPUs see it.
    ends_processes = user and engine == "perf" and cmd[1] not in ("threads", "pool")
    complete(cpu["counted"] / 1e9, (0.94 if ends_processes else 0.97) * used["total"], f"{seen}: CPU seconds counted")
    complete(total, 0.97 * (used.get("job", 0) + used.get("busy_user", 0)) - paused, f"{seen}: CPU seconds of work in user space")
    rows = weights(r)
    unsampled = sum(ns for _, stack, ns in rows if stack.startswith(UNSAMPLED))
    need(abs(unsampled - cpu["unsampled"]) <= 0.001 * report["total"], f"{seen}; {UNSAMPLED} rows have {unsampled} ns, cpu_ns: {cpu}")
    return r, rows, used, f"seen/used {total / used['total']:.3f}, {100 * cpu['unsampled'] / report['total']:.0f} % unsampled"


def busy_share(rows, used, tolerance=3):
    """The share of the long-lived one is between that of its user time and that of all its time, if only user time is visible."""
    got = percent(rows, lambda _, stack: "busy_work" in stack.split(";"))
    low, high = 100 * used["busy_user"] / used["total"], 100 * used["busy"] / used["user"]
    low, high = min(low, 100 * used["busy"] / used["total"]), max(high, 100 * used["busy"] / used["total"])
    middle = (low + high) / 2
    near(got, round(middle, 1), round((high - low) / 2 + tolerance, 1), "share of the long-lived one")
    return f", busy {got:.1f} %"


def gone_stacks(r, rows):
    """While exec replaces a program, its stack has no memory. That is not a deep stack: no larger copy would help."""
    report = r.properties()
    losses = report["losses"]
    need(losses.get("stacks.cut", 0) <= 0.005 * report["samples"], f"shallow stacks are called longer than the copy: {losses}")
    gone = [row for row in rows if row[1].startswith(TRUNCATED) and "begin_new_exec" in row[1]]
    need(not gone or losses.get("stacks.unreadable", 0) > 0, f"{len(gone)} stacks are truncated in exec, but the counters are {losses}")
    return f", {losses.get('stacks.unreadable', 0)} stacks gone in exec"


def storm(t, kind, engine="perf", user=None, busy=False):
    r, rows, used, said = recorded(t, t.program("storm.c"), kind, STORMS[kind], "busy" if busy else "calm", engine=engine, user=user)
    if busy:
        said += busy_share(rows, used)
    if busy and user and engine == "perf":  # its clock must not go to short threads (record/clock_keeper.h)
        own = sum(ns for _, stack, ns in rows if "busy_work" in stack.split(";")) / 1e9
        complete(own, 0.98 * used["busy_user"], f"{used['busy_user']:.3f} s used by the long-lived one in user space: seconds seen")
    job = percent(rows, lambda _, stack: "small_job" in stack.split(";"))
    said += f", small_job {job:.1f} %"
    true = 100 * used["job"] / used["total"]
    if not user and engine == "perf":
        near(job, round(true, 1), SHARE, "share of small_job")
    elif not user:
        at_least(job, 0.8 * true, "percent in small_job")  # ptrace attributes kernel time to functions in user space
    if not user and engine == "perf" and kind in ("threads", "pool") and not busy:
        at_least(job, 60, "percent in small_job")
    if not user and engine == "perf" and kind == "execs":
        said += gone_stacks(r, rows)
    if engine == "ptrace" and kind in ("threads", "pool"):
        at_least(job, 0.8 * true, "percent in small_job")
    if user and engine == "perf" and kind == "threads":
        own = percent(rows, lambda command, stack: command == "short" and stack.startswith(UNSAMPLED))
        complete(own, 1, f"percent in short;{UNSAMPLED}")
    return said


def names(t, engine="perf", user=None, busy=False):
    """The time of short processes is under their own names, in proportion."""
    paths = [t.program("storm.c", name=n) for n in ("quickly", "lively")]
    _, rows, used, said = recorded(t, t.program("storm.c"), "names", 700, "busy" if busy else "calm", *paths, engine=engine, user=user)
    if busy:
        said += busy_share(rows, used)
    first, second = (percent(rows, lambda command, _, n=n: command == n) for n in ("quickly", "lively"))
    got = 100 * first / (first + second) if first + second else 0
    # Before its exec, a process still has its parent's name: the kernel counts that part of its time for it, but it is not under
    # its name.
    alone = 100 * used["first_job"] / (used["first_job"] + used["second_job"])
    whole = 100 * used["first"] / (used["first"] + used["second"])
    near(got, round((alone + whole) / 2, 1), round(abs(whole - alone) / 2 + 3, 1), "share of quickly among both")
    return said + f", quickly {first:.1f} %, lively {second:.1f} %"


def shell(t, engine="perf", user=None, busy=False):
    """A shell that runs /bin/true repeatedly."""
    command = ["/bin/sh", "-c", LOOP.format(2200)]
    _, rows, used, said = recorded(t, t.program("storm.c"), "command", 1, "busy" if busy else "calm", *command, engine=engine, user=user)
    if busy:
        said += busy_share(rows, used)
    others = [row for row in rows if "busy_work" not in row[1].split(";")]
    mine = percent(others, lambda command, _: command == "true")
    complete(mine, 60, "percent of the shell's and its commands' time under the name of true")
    if not user:  # almost all of it is in the loader, whose first instructions have no unwind tables
        cut = percent([row for row in rows if row[0] == "true"], lambda _, stack: stack.startswith(TRUNCATED))
        complete(100 - cut, 92, "percent of true's time with complete stacks")
        said += f", {cut:.1f} % of it truncated"
    return said + f", true {mine:.0f} %"


def make(t, engine="perf", user=None, busy=False):
    """make -j2 of many tiny files: shells, compilers, assemblers."""
    tool("make"), tool("cc")
    home = t.tmp
    if user:
        root_only()
        home = t.as_user([])[1]
    folder = home / "tiny"
    folder.mkdir()
    files = [f"f{i}" for i in range(TINY_FILES)]
    for name in files:
        (folder / f"{name}.c").write_text(f"int {name}(int x) {{ return x + {len(name)}; }}\n")
    (folder / "Makefile").write_text("all: " + " ".join(f"{n}.o" for n in files) + "\n%.o: %.c\n\tcc -O0 -c -o $@ $<\n")
    if user:
        os.chown(folder, NOBODY, NOBODY)
    command = [tool("make"), "-s", "-j2", "-C", folder]
    _, rows, used, said = recorded(t, t.program("storm.c"), "command", 1, "busy" if busy else "calm", *command, engine=engine, user=user)
    need(len(list(folder.glob("*.o"))) == TINY_FILES, "make did not make all files")
    if busy:
        said += busy_share(rows, used)
    shares = {n: percent(rows, lambda command, _, n=n: command == n) for n in ("cc1", "as")}
    for name, share in shares.items():
        complete(share, 5, f"percent of the time under the name of {name}")
    return said + "".join(f", {n} {s:.0f} %" for n, s in shares.items()) + f", {used['total']:.1f} s"


def iterations(t):
    """A command shorter than a period is sampled by chance in each of its runs, not always at the same place or never."""
    root_only()
    r = t.record("/bin/true", options=["--engine", "perf", "--iterations", "150"])
    report = r.properties()
    periods = report["cpu_ns"]["counted"] * 997 / 1e9
    # Not all of its exit can be sampled.
    complete(report["samples"], 0.4 * periods, f"{periods:.0f} periods: samples")
    leaves = {x["name"] for x in r.json["functions"] if x["self"] > 0}
    complete(len(leaves), 10, "functions hit")
    return f"{report['samples']} samples in {periods:.0f} periods, {len(leaves)} functions"


def ends(t, kind, count):
    """Samples of exiting tasks, for which the kernel reports no ID, belong to these tasks. So many threads in one function once exhausted
    the memory."""
    root_only()
    r = t.record(t.program("many_ends.c"), kind, count, options=["--engine", "perf", "-F", "9999"], timeout=120)
    rows = json.loads(t.good("report", r.file, "--json", "--by", "thread"))["threads"]
    most = int(Path("/proc/sys/kernel/pid_max").read_text())
    odd = [x for x in rows if not 0 < x["tid"] <= most or not 0 < x["pid"] <= most or x["process"] != "many_ends"]
    if odd:
        raise Final(f"{len(odd)} of {len(rows)} threads have no ID or name, such as {odd[0]}")
    nameless = r.json["losses"].get("lost.unknown_thread", 0)
    if nameless > 0.001 * r.json["samples"]:
        raise Final(f"{nameless} samples of {r.json['samples']} are of unknown tasks")
    complete(len(rows), 0.2 * count, "tasks sampled")
    return f"{len(rows)} tasks"


def summary(t, engine):
    """The summary shows the same shares as the report, also where samples of short threads are scaled to their time."""
    r = t.record(t.program("storm.c"), "threads", STORMS["threads"], "busy", options=["--engine", engine], quiet=False)
    shown = re.findall(r"^ +<?([\d.]+)%  (\S+)", r.stderr.partition("hottest functions")[2], re.M)
    complete(len(shown), 2, "functions in the summary")
    selfs = {}
    for function in r.json["functions"]:
        selfs[function["name"]] = selfs.get(function["name"], 0) + 100 * function["self"] / r.json["total"]
    for share, name in shown[:2]:
        if abs(float(share) - selfs.get(name, 0)) > 0.11:
            raise Final(f"{name}: {share} % in the summary, {selfs.get(name, 0):.2f} % in the report")
    return f"{shown[0][1]} {shown[0][0]} %, {shown[1][1]} {shown[1][0]} %"


COUNT_SWITCHES = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:]).returncode
print("switches", resource.getrusage(resource.RUSAGE_CHILDREN).ru_nvcsw, file=sys.stderr)
sys.exit(code)
"""


def wakes(t, user):
    """Threads that end do not wake the recorder: that would slow the target. Each is waited for by the target, which is one switch."""
    if user:
        root_only()
    threads = 4000
    r = t.record(t.program("storm.c"), "threads", threads, "calm", wrapper=("python3", "-c", COUNT_SWITCHES), user=user)
    switches = int(re.search(r"switches (\d+)", r.stderr).group(1))
    need(switches < 2 * threads, f"{switches} voluntary switches of recorder and target, which ran {threads} threads")


def tests():
    made = {"iterations": iterations}
    for user in (None, "nobody"):
        made["wakes" + (f".{user}" if user else "")] = functools.partial(wakes, user=user)
    for kind, count in (("threads", 25000), ("processes", 4000)):
        made[f"ends.{kind}"] = functools.partial(ends, kind=kind, count=count)
    for engine in ("perf", "ptrace"):
        made[f"summary.{engine}"] = functools.partial(summary, engine=engine)
    cases = [(kind, functools.partial(storm, kind=kind)) for kind in STORMS] + [("names", names), ("shell", shell), ("make", make)]
    for name, test in cases:
        for engine in ("perf", "ptrace"):
            for user in (None, "nobody"):
                for busy in (False, True):
                    if busy and name in ("names", "shell", "make") and (user or engine == "ptrace"):
                        continue
                    full = ".".join([name, engine] + (["nobody"] if user else []) + (["busy"] if busy else []))
                    made[full] = functools.partial(test, engine=engine, user=user, busy=busy)
    return made
