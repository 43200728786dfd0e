# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""wick stat: figures against what programs say of themselves, with counters, without rights, and where perf is refused."""

import csv
import io

from harness import *  # noqa: F403


def refuse(t):
    """The prefix that makes perf_event_open fail, as in containers."""
    return [t.program("refuse.c"), "perf"]


# How wick may count: as root, as an ordinary user at perf_event_paranoid 2, and not at all.
WAYS = ("root", "nobody", "refused")


def stat(t, way, *options, command=(), code=0):
    """The JSON of `wick stat`, and the standard output of the command."""
    if way == "root":
        root_only()
    file = t.tmp / "stat.json"
    user = "nobody" if way != "root" else None
    if user and os.getuid() == 0:
        t.as_user([])
        file = t.tmp / "nobody" / "stat.json"
    file.unlink(missing_ok=True)
    prefix = refuse(t) if way == "refused" else []
    r = t.run(*prefix, t.wick_path, "stat", "--json", "-o", file, *options, *(["--", *command] if command else []), user=user)
    need(r.returncode == code, f"{way}: code {r.returncode}, not {code}: {text_of(r.stderr)[-400:]}")
    return json.loads(file.read_text()), text_of(r.stdout)


def figure(doc, name):
    found = [f for f in doc["figures"] if f["name"] == name]
    need(len(found) == 1, f"{len(found)} figures {name}")
    return found[0]


def value(doc, name):
    return figure(doc, name)["value"]


def task_clock(way, t):
    """The CPU time of a program with threads is what its own clock says: 2%, and 4 ms to start and end. The clock of a program begins
    before its exec, and leaves out what the host of a virtual machine takes."""
    doc, out = stat(t, way, command=[t.program("threads.c"), "4", "0.15"])
    own = float(out) * 1e9
    clock = value(doc, "task-clock")
    stolen = value(doc, "steal")
    need(own <= clock * 1.002 + 2e6, f"task clock {clock / 1e6:.1f} ms, but the program used {own / 1e6:.1f} ms")
    at_most(clock, own * 1.02 + 4e6 + stolen, "task clock in ns")
    usage = value(doc, "user-time") + value(doc, "system-time")
    need(usage <= clock * 1.001 and usage >= 0.98 * clock - stolen - 2e6, f"rusage {usage / 1e6:.1f} ms, task clock {clock / 1e6:.1f} ms")
    need("not supported" not in json.dumps(doc), "not supported")


def children(way, t):
    """Short-lived children are counted, all of them."""
    doc, out = stat(t, way, command=[t.program("uses.c"), "children", "60", "0.003"])
    own = float(out) * 1e9
    clock = value(doc, "task-clock")
    need(clock >= own * 0.998, f"task clock {clock / 1e6:.1f} ms, but the children used {own / 1e6:.1f} ms")
    at_most(clock, own * 1.3 + 20e6 + value(doc, "steal"), "task clock in ns")


def faults_and_switches(way, t):
    doc, _ = stat(t, way, command=[t.program("uses.c"), "pages", "5000"])
    found = value(doc, "page-faults")
    need(5000 <= found <= 5400, f"{found} page faults of a program that touches 5,000 pages")
    doc, _ = stat(t, way, command=[t.program("uses.c"), "sleeps", "300"])
    found = value(doc, "voluntary-switches")
    need(300 <= found <= 340, f"{found} voluntary switches of a program that sleeps 300 times")
    need(value(doc, "context-switches") >= 300, f"{value(doc, 'context-switches')} switches")


def run_queue_wait(way, t):
    """What threads waited that ended long before the end. If wick cannot know it, it says so."""
    doc, out = stat(t, way, command=[t.program("uses.c"), "wait", "15", "0.004"])
    own = float(out.split()[0])
    wait = figure(doc, "run-queue-wait")
    need(own > 0, "no thread waited")
    if wait["bound"] == "exact":
        need(wait["value"] >= own, f"wick says {wait['value'] / 1e6:.1f} ms, the threads waited {own / 1e6:.1f} ms")
    else:
        need(wait["bound"] == "at_least" and "% of the CPU time" in wait["note"], f"{wait}")
    need(way == "root" or wait["bound"] == "at_least", f"{way}: exact")


def intervals(way, t):
    """The lines of -I add up to the total."""
    doc, _ = stat(t, way, "-I", "50", command=[t.program("threads.c"), "3", "0.15"])
    rows = doc["intervals"]
    need(len(rows) >= 2, f"{len(rows)} intervals")
    need(rows[0]["begin_ns"] == 0 and all(a["end_ns"] == b["begin_ns"] for a, b in zip(rows, rows[1:])), "gaps between intervals")
    counted = ["elapsed", "task-clock"] + (["page-faults", "context-switches"] if way == "root" else [])
    for name in counted:
        total = sum(value(row, name) for row in rows)
        need(abs(total - value(doc, name)) <= 2, f"{name}: the intervals have {total}, the total is {value(doc, name)}")


def per_thread(way, t):
    """Threads, those that ended unseen included, add up to the total."""
    for command in (["threads.c", "4", "0.1"], ["uses.c", "wait", "10", "0.004"]):
        doc, _ = stat(t, way, "--per-thread", command=[t.program(command[0]), *command[1:]])
        names = [p["name"] for p in doc["parts"]]
        need("not read: ended threads" in names and len(names) >= 2, f"{names}")
        total, clock = sum(value(p, "task-clock") for p in doc["parts"]), value(doc, "task-clock")
        need(abs(total - clock) <= 0.02 * clock + 1e6, f"the threads have {total / 1e6:.2f} ms, the total is {clock / 1e6:.2f} ms")


def only_since_attached(way, t):
    """CPU time before wick attached is not counted."""
    command = [t.program("uses.c"), "early", "0.4"]
    if way != "root" and os.getuid() == 0:
        command, _ = t.as_user(command)
    p = t.start_process(command, stdout=subprocess.PIPE)
    need(p.stdout.readline() == b"done\n", "the program did not start")
    doc, _ = stat(t, way, "-p", p.pid, "-d", "0.2")
    need(value(doc, "task-clock") <= 2e6, f"{value(doc, 'task-clock') / 1e6:.1f} ms while the program slept")
    need(value(doc, "elapsed") >= 2e8, f"{value(doc, 'elapsed')} ns elapsed")
    need(p.poll() is None, "the process has ended")


def tests():
    functions = (task_clock, children, faults_and_switches, run_queue_wait, intervals, per_thread, only_since_attached)
    return {f"{f.__name__}_{way}": functools.partial(f, way) for f in functions for way in WAYS}


def test_as_perf(t):
    """Faults agree with perf stat."""
    perf = tool("perf")
    root_only()
    program = t.program("uses.c")
    r = t.run(perf, "stat", "-x", ",", "-e", "page-faults", "--", program, "pages", "3000")
    if r.returncode != 0:
        raise Skip(f"perf stat: {text_of(r.stderr)[-100:]}")
    theirs = int(text_of(r.stderr).split(",")[0])
    doc, _ = stat(t, "root", command=[program, "pages", "3000"])
    need(abs(value(doc, "page-faults") - theirs) <= 10, f"{value(doc, 'page-faults')} page faults, perf has {theirs}")


def test_memory_peak(t):
    """The peak is the program's, not that of wick's own process from which it was started."""
    for way in ("root", "nobody"):
        doc, _ = stat(t, way, command=[t.program("uses.c"), "pages", str(50_000_000 // os.sysconf("SC_PAGE_SIZE"))])
        found = figure(doc, "memory-peak")
        need(50e6 <= found["value"] <= 56e6 and found["bound"] == "exact", f"{found}")
        doc, _ = stat(t, way, command=[t.program("uses.c", "static"), "pages", "1"])
        found = figure(doc, "memory-peak")
        need(found["bound"] == "at_most" or found["value"] <= 4e6, f"{found}")


def test_exit_codes(t):
    for code in (0, 1, 7, 255):
        r = t.wick("stat", "--", t.program("ends.c"), "exit", code, "0")
        need(r.returncode == code, f"{r.returncode} instead of {code}")
    r = t.wick("stat", "--", t.program("ends.c"), "signal", "9", "0")
    need(r.returncode == 128 + 9, f"{r.returncode} after signal 9")
    t.refused("stat", "--", "no-such-command", code=127, says="no such command")
    (t.tmp / "text").write_text("text")
    t.refused("stat", "--", "./text", code=126, says="not executable")
    t.refused("stat", "--exact", "--", "no-such-command", code=127, says="no such command")
    t.refused("stat", "--exact", "--", "./text", code=126, says="not executable")


def test_output_belongs_to_the_command(t):
    r = t.wick("stat", "--", "printf", "a b")
    need(r.stdout == b"a b" and b"task clock" in r.stderr, f"{r}")
    need(b"not supported" not in r.stderr, "not supported")
    r = t.wick("stat", "-o", "-", "--", "true")
    need(b"task clock" in r.stdout and not r.stderr, f"{r}")
    r = t.wick("stat", "-o", "file", "--", "true")
    need(not r.stdout and not r.stderr and "task clock" in (t.tmp / "file").read_text(), f"{r}")
    r = t.wick("stat", "--json", "--", "true")
    need(json.loads(r.stderr)["exit_code"] == 0, "JSON on standard error")


def test_csv(t):
    r = t.wick("stat", "--csv", "-o", "-", "-I", "20", "--", "sleep", "0.1")
    rows = list(csv.DictReader(io.StringIO(text_of(r.stdout))))
    need(any(x["name"] == "task-clock" and x["time_s"] == "" for x in rows), f"{rows[:3]}")
    need(any(x["name"] == "task-clock" and float(x["time_s"] or 0) > 0 for x in rows), "no intervals")
    need(all(x["bound"] in ("exact", "at_least", "at_most") for x in rows), "bounds")


def test_wrong_usage(t):
    t.refused("stat", "-e", "cycels", "--", "true", code=2, says=["unknown event", "hint: wick stat -e cycles"])
    t.refused("stat", code=2, says="nothing to count")
    t.refused("stat", "-r", "3", "-p", "1", code=2, says="-r needs a command")
    t.refused("stat", "-I", "1", "--", "true", code=2, says="10 or more")
    t.refused("stat", "--compare", "true", code=2)
    t.refused("stat", "--compare", "true | false", "true", code=2, says=["needs a shell", "hint: wick stat --compare 'sh -c"])
    t.refused("stat", "--json", "--csv", "--", "true", code=2, says="cannot be combined")
    t.refused("stat", "--exact", "-p", "1", code=2, says="--exact needs a command")
    t.refused("stat", "-p", "999999999", code=125, says="no process")


def test_no_rights(t):
    root_only()
    paranoid = int(Path("/proc/sys/kernel/perf_event_paranoid").read_text())
    if paranoid < 1:
        raise Skip(f"perf_event_paranoid is {paranoid}")
    t.refused("stat", "-a", "-d", "0.1", code=125, user="nobody", says=["cannot count", "permission denied", "hint: sudo wick stat -a"])
    p = t.start_process(["sleep", "1000"])
    t.refused("stat", "-p", p.pid, code=125, user="nobody", says=["cannot count", "belongs to root", f"hint: sudo wick stat -p {p.pid}"])


def test_whole_system(t):
    root_only()
    doc, _ = stat(t, "root", "-a", "-d", "0.3", "--per-core")
    need(value(doc, "elapsed") >= 3e8 and figure(doc, "cpu-busy")["scope"] == "machine", "no time of the machine")
    cores = [p for p in doc["parts"] if p["name"].startswith("CPU ")]
    need(cores, "no cores")
    for name in ("context-switches", "page-faults"):
        total = sum(value(p, name) for p in cores)
        need(abs(total - value(doc, name)) < 0.5, f"{name}: the cores have {total}, the total is {value(doc, name)}")


def test_cores_of_a_command(t):
    """A command counted on each core: the cores add up to the total."""
    root_only()
    doc, out = stat(t, "root", "--per-core", command=[t.program("threads.c"), "4", "0.1"])
    total, clock, own = sum(value(p, "task-clock") for p in doc["parts"]), value(doc, "task-clock"), float(out) * 1e9
    need(abs(total - clock) <= 1, f"the cores have {total}, the total is {clock}")
    need(own <= 1.002 * clock + 2e6, f"task clock {clock}, the program used {own}")


def test_repeats(t):
    r = t.wick("stat", "--json", "-r", "5", "--", "sh", "-c", "exit 3")
    doc = json.loads(r.stderr)
    need(r.returncode == 3 and doc["runs"] == 1 and "run 1 of 5 ended with exit code 3" in doc["notes"][0], f"{r.returncode} {doc['notes']}")
    r = t.wick("stat", "--json", "-r", "5", "--ignore-failure", "--", "sh", "-c", "exit 3")
    doc = json.loads(r.stderr)
    need(r.returncode == 3 and doc["runs"] == 5, f"{r.returncode} {doc['runs']}")
    clock = figure(doc, "task-clock")
    need(clock["runs"] == 5 and clock["min"] <= clock["median"] <= clock["max"] and clock["low"] <= clock["value"] <= clock["high"], f"{clock}")
    # Each run is counted from its own beginning.
    t.program("uses.c")
    doc = json.loads(t.wick("stat", "--json", "-r", "3", "--", t.program("uses.c"), "pages", "2000").stderr)
    faults = figure(doc, "page-faults")
    need(2000 <= faults["min"] and faults["max"] <= 2400, f"{faults}")


def test_interrupt(t):
    """Ctrl-C shows the figures so far."""
    file = t.tmp / "stat.json"
    p = t.start_process([t.wick_path, "stat", "--json", "-o", file, "--", t.program("uses.c"), "early", "0.1"], stdout=subprocess.PIPE)
    need(p.stdout.readline() == b"done\n", "the program did not start")
    p.send_signal(signal.SIGINT)
    code = p.wait(60)
    doc = json.loads(file.read_text())
    need(code == 128 + signal.SIGINT, f"code {code}")
    need(value(doc, "task-clock") >= 1e8 and "interrupted" in doc["notes"], f"{doc['notes']} {value(doc, 'task-clock')}")


def test_duration(t):
    doc, _ = stat(t, "nobody", "-d", "0.3", command=["sleep", "1000"])
    need(3e8 <= value(doc, "elapsed") <= 100e9 and doc["exit_code"] == 0, f"{value(doc, 'elapsed')} {doc['exit_code']}")


def test_exact(t):
    """Simulated counts do not change from run to run, and are marked as simulated."""
    tool("valgrind")
    r = t.wick("stat", "--exact", "--json", "-r", "2", "--", t.program("uses.c"), "pages", "100")
    need(r.returncode == 0, text_of(r.stderr)[-300:])
    doc = json.loads(r.stderr)
    need(all(f["scope"] == "simulated" for f in doc["figures"]) and doc["simulated"], "not marked as simulated")
    instructions = figure(doc, "simulated-instructions")
    need(instructions["value"] > 10_000 and instructions["min"] == instructions["max"], f"{instructions}")
    need(instructions["bound"] == "exact", f"{instructions}")
    r = t.wick("stat", "--exact", "--", t.program("ends.c"), "exit", "7", "0")
    need(r.returncode == 7 and b"simulated by valgrind" in r.stderr, f"code {r.returncode}: {text_of(r.stderr)}")


def test_exact_forks(t):
    """cachegrind counts a forked child from the start of its parent: the sum is at most so much."""
    tool("valgrind")
    doc = json.loads(t.wick("stat", "--exact", "--json", "--", t.program("uses.c"), "fork").stderr)
    instructions = figure(doc, "simulated-instructions")
    need(instructions["bound"] == "at_most" and "1 forked process" in instructions["note"], f"{instructions}")
    doc = json.loads(t.wick("stat", "--exact", "--json", "--", "sh", "-c", "/bin/true; /bin/true").stderr)
    need(figure(doc, "simulated-instructions")["bound"] == "exact" and any("3 processes" in n for n in doc["notes"]), f"{doc['notes']}")


def test_exact_without_valgrind(t):
    env = {**t.environment(t.tmp), "PATH": str(t.tmp)}
    t.refused("stat", "--exact", "--", "/bin/true", code=125, says=["valgrind", "hint: sudo apt-get install valgrind"], env=env)


def test_compare(t):
    r = t.wick("stat", "--json", "--compare", "sleep 0", "sleep 0.4", "-r", "6")
    doc = json.loads(r.stdout)
    need(r.returncode == 0 and doc["pairs"] == 6 and doc["verdict"] == "slower", f"{doc['verdict']} {doc['pairs']} {doc['figures'][0]}")
    elapsed = doc["figures"][0]
    need(elapsed["name"] == "elapsed" and 1 < elapsed["low"] <= elapsed["ratio"] <= elapsed["high"], f"{elapsed}")
    r = t.wick("stat", "--compare", "true", "echo text", "-r", "3")
    need(r.returncode == 0 and b"undecided (at least 6 pairs" in r.stdout and b"text" not in r.stdout.splitlines()[-1], text_of(r.stdout))
    r = t.wick("stat", "--json", "--compare", "true", "sh -c 'exit 4'")
    doc = json.loads(r.stdout)
    need(r.returncode == 4 and "B ended with exit code 4" in doc["notes"][0], f"{r.returncode} {doc['notes']}")
    t.refused("stat", "--compare", "true", "no-such-command", code=127, says="no such command")


def test_meanings(t):
    """A program that sleeps is called asleep, and each meaning has a command."""
    doc = json.loads(t.wick("stat", "--json", "--", "sleep", "0.3").stderr)
    used = figure(doc, "cpus-used")
    need("asleep" in used.get("meaning", "") and "context-switches -- sleep 0.3" in used["next"], f"{used}")
    need(all(f["next"] for f in doc["figures"] if "meaning" in f), "a meaning without a command")
