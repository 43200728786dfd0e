# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Exit codes, signals, the terminal, durations: recording does not change a program's behavior, and ends when it should."""

import fcntl
import functools
import pty
import resource
import select
import termios

from harness import *  # noqa: F403

ENGINES = ("perf", "ptrace")


def exit_code(t, engine):
    for code in (0, 1, 7, 255):
        t.record(t.program("ends.c"), "exit", code, "0.05", options=["--engine", engine], code=code)


def killed_by(number, t, engine):
    t.record(t.program("ends.c"), "signal", number, "0.05", options=["--engine", engine], code=128 + number)


def stdin(t, engine):
    data = bytes(range(256)) * 400
    r = t.run(t.wick_path, "record", "-q", "-o", t.tmp / "p.wick", "--engine", engine, "--", t.program("ends.c"), "stdin", "0", "0.05", input=data)
    need(r.returncode == 0 and r.stdout == data, f"code {r.returncode}, {len(r.stdout)} bytes came back of {len(data)}")


def environment(t, engine):
    """The command gets the same directory, arguments and environment as without wick, and no stray descriptors."""
    code = "import os,sys; print(os.getcwd(), sys.argv[1:], os.environ.get('MARK'), sorted(os.listdir('/proc/self/fd')))"
    env = {**t.environment(t.tmp), "MARK": "x y"}
    cmd = ["python3", "-c", code, "a b", "--", "", "-p"]
    plain = t.run(*cmd, env=env)
    got = t.run(t.wick_path, "record", "-q", "-o", t.tmp / "p.wick", "--engine", engine, "--", *cmd, env=env)
    need(got.returncode == 0, f"code {got.returncode}: {text_of(got.stderr)}")
    need(got.stdout == plain.stdout, f"with wick {got.stdout}, without {plain.stdout}")


def test_dashes_of_the_command(t):
    """`wick record cargo test -- --nocapture`: without "--" before the command, a later one belongs to the command."""
    for words, want in (
        (["echo", "a", "--", "b", "--"], b"a -- b --\n"),
        (["--", "echo", "a", "--", "b"], b"a -- b\n"),
        (["-F", "99", "echo", "--"], b"--\n"),
        (["-F", "99", "--", "echo", "-F", "1"], b"-F 1\n"),
    ):
        r = t.wick("record", "-q", "-o", t.tmp / "p.wick", *words)
        need(r.returncode == 0 and r.stdout == want, f"{words}: code {r.returncode}, {r.stdout}")


def signals_kept(t, engine):
    """Signal masks, ignored signals and nice values are inherited; SIGPIPE is not ignored (Python's subprocess resets it)."""
    cmd = ["grep", "-E", "^(Sig(Blk|Ign|Cgt)|NoNewPrivs|Seccomp|CapEff)", "/proc/self/status"]
    plain, got = t.run(*cmd), t.run(t.wick_path, "record", "-q", "-o", t.tmp / "p.wick", "--engine", engine, "--", *cmd)
    need(got.stdout == plain.stdout, f"with wick {got.stdout}, without {plain.stdout}")


def sigchld_ignored(t, engine):
    """wick's parent may ignore SIGCHLD: wick still sees the end and the exit code, and the command inherits the setting."""
    def ignore():
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)

    t.record(t.program("ends.c"), "exit", "7", "0.05", options=["--engine", engine], code=7, preexec_fn=ignore, timeout=60)
    cmd = ["grep", "SigIgn", "/proc/self/status"]
    want = t.run(*cmd, preexec_fn=ignore).stdout.decode() * 2
    got = t.record(*cmd, options=["--engine", engine, "--iterations", "2"], preexec_fn=ignore, timeout=60).stdout
    need(got == want, f"with wick {got!r}, without {want!r}")


def iterations_alike(t, engine):
    """Every run of the command has wick's original priority and limits, not those that wick sets for itself."""
    def conditions():
        os.nice(3)
        resource.setrlimit(resource.RLIMIT_NOFILE, (300, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))

    out = t.record("sh", "-c", "echo $(nice) $(ulimit -Sn)", options=["--engine", engine, "--iterations", "3"], preexec_fn=conditions).stdout
    need(out.split("\n") == ["3 300"] * 3 + [""], f"priority and file limit of the runs: {out!r}")


def wick_signalled(number, code, t, engine):
    """Forwards a signal sent to wick alone to the command, once; the file is complete."""
    name = f"sig{number}{engine}"
    p = t.start_process(
        [t.wick_path, "record", "-q", "-o", t.tmp / "p.wick", "--engine", engine, "--", t.program("ends.c", name=name), "forever"], stderr=subprocess.PIPE
    )
    t.sleep(0.8)
    p.send_signal(number)
    try:
        p.wait(60)
    except subprocess.TimeoutExpired:
        raise Fail("wick did not end")
    need(p.returncode == code, f"code {p.returncode}, not {code}: {p.stderr.read()}")
    need(not running(name), "the program is still running")
    r = json.loads(t.good("report", t.tmp / "p.wick", "--json"))
    at_least(r["samples"], 30, "samples")


def running(name):
    return subprocess.run(["pgrep", "-x", name], capture_output=True).returncode == 0


class Terminal:
    """A terminal with its own session, in which a command runs in the foreground."""

    def __init__(self, t, *cmd):
        self.master, slave = pty.openpty()
        env = {**t.environment(t.shared / "home"), "TERM": "xterm-256color"}

        def enter():
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

        self.before = termios.tcgetattr(slave)
        self.slave = slave
        self.process = subprocess.Popen(
            [str(c) for c in cmd], stdin=slave, stdout=slave, stderr=slave, preexec_fn=enter, cwd=t.tmp, env=env
        )
        t.started.append(self.process)
        self.output = b""

    def type(self, data):
        os.write(self.master, data)

    def read_for(self, seconds, until=None):
        end = time.monotonic() + seconds
        while time.monotonic() < end and not (until and until in self.output):
            if select.select([self.master], [], [], 0.05)[0]:
                self.output += os.read(self.master, 65536)
        return self.output

    def wait(self, seconds=15):
        end = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < end:
            self.read_for(0.05)
        need(self.process.poll() is not None, f"did not end within {seconds} s; it said {self.output[-300:]}")
        self.read_for(0.1)
        after = termios.tcgetattr(self.slave)
        need(after == self.before, "the terminal's settings were changed")
        os.close(self.slave)
        return self.process.returncode


def ctrl_c(t, engine):
    """Ctrl-C reaches the program once; wick waits for it, passes its exit code on, and prints the summary."""
    term = Terminal(t, t.wick_path, "record", "-o", "p.wick", "--engine", engine, "--", t.program("ends.c"), "int", "5", "1.6")
    t.sleep(0.8)
    term.type(b"\x03")
    code = term.wait()
    need(code == 5, f"code {code}: {term.output[-400:]}")
    need(b"interrupts 1\r\n" in term.output, f"not exactly one interrupt: {term.output[-400:]}")
    at_least(json.loads(t.good("report", t.tmp / "p.wick", "--json"))["samples"], 30, "samples")


def ctrl_c_ends(t, engine):
    term = Terminal(t, t.wick_path, "record", "-o", "p.wick", "--engine", engine, "--", t.program("ends.c"), "forever")
    t.sleep(0.8)
    term.type(b"\x03")
    code = term.wait()
    need(code == 130, f"code {code}, not 130")
    at_least(json.loads(t.good("report", t.tmp / "p.wick", "--json"))["samples"], 30, "samples")


def ctrl_c_ignored(t, engine):
    """A program that ignores SIGINT continues and is recorded to its end."""
    term = Terminal(t, t.wick_path, "record", "-o", "p.wick", "--engine", engine, "--", t.program("ends.c"), "ignore", "0", "1.5")
    t.sleep(0.5)
    term.type(b"\x03")
    code = term.wait()
    need(code == 3, f"code {code}, not 3")
    at_least(json.loads(t.good("report", t.tmp / "p.wick", "--json"))["samples"], 1200, "samples")


def ctrl_c_twice(t, engine):
    """The second Ctrl-C ends the recording; the program got both from the terminal, and gets no third."""
    term = Terminal(t, t.wick_path, "record", "-o", "p.wick", "--engine", engine, "--", t.program("ends.c"), "int", "5", "2")
    t.sleep(0.6)
    term.type(b"\x03")
    t.sleep(0.5)
    term.type(b"\x03")
    code = term.wait()
    need(code == 5, f"code {code}: {term.output[-400:]}")
    need(b"interrupts 2\r\n" in term.output, f"not exactly two interrupts: {term.output[-400:]}")
    samples = json.loads(t.good("report", t.tmp / "p.wick", "--json"))["samples"]
    at_most(samples, 1500, "samples, recorded on after the second Ctrl-C")


def group_signalled(t, engine):
    """timeout(1) signals wick and then its group: that counts as one request, and the program is recorded to its end."""
    cmd = [t.wick_path, "record", "-q", "-o", t.tmp / "p.wick", "--engine", engine, "--", t.program("ends.c"), "int", "5", "2"]
    p = t.start_process(cmd, stdout=subprocess.PIPE)
    t.sleep(0.6)
    p.send_signal(signal.SIGINT)
    t.sleep(0.02)
    os.killpg(p.pid, signal.SIGINT)
    out = p.communicate(timeout=60)[0]
    need(p.returncode == 5, f"code {p.returncode}: {out}")
    need(out in (b"interrupts 1\n", b"interrupts 2\n"), f"passed on more than once: {out}")


def iterations_interrupted(t, engine):
    """A signal ends the series, even if the program handles it and exits with 0."""
    cmd = [t.wick_path, "record", "-q", "-o", t.tmp / "p.wick", "--engine", engine, "--iterations", "4", "--", t.program("ends.c"), "int", "0", "0.8"]
    p = t.start_process(cmd, stdout=subprocess.PIPE)
    t.sleep(0.5)
    p.send_signal(signal.SIGINT)
    out = p.communicate(timeout=60)[0]
    need(p.returncode == 0 and out == b"interrupts 1\n", f"code {p.returncode}: {out}")


def test_iteration_that_cannot_run(t):
    """Keeps the previous runs in a complete file."""
    script = t.tmp / "once.sh"
    script.write_text(f"#!/bin/sh\nrm {script}\n{t.program('ends.c')} exit 0 0.3\n")
    script.chmod(0o755)
    r = t.record(script, options=["--iterations", "3"], code=127)
    need(str(script) in r.stderr, f"nothing of what failed: {r.stderr}")
    at_least(r.share("working"), 50, "percent with names of the first run")
    need(any(c["name"] == "working" for c in r.json["functions"]), "no names")


def reads_terminal(t, engine):
    """Typed input goes to the program; the status line does not consume it."""
    term = Terminal(t, t.wick_path, "record", "-o", "p.wick", "--engine", engine, "--", t.program("ends.c"), "tty", "0", "0.6")
    t.sleep(0.4)
    term.type(b"hello there\n")
    code = term.wait()
    need(code == 0, f"code {code}: {term.output[-300:]}")
    need(b"HELLO THERE" in term.output, f"it said {term.output[-300:]}")


def test_status_line(t):
    """A terminal shows a status line while recording; a pipe does not."""
    term = Terminal(t, t.wick_path, "record", "-o", "p.wick", "--", t.program("ends.c"), "exit", "0", "1.5")
    need(term.wait() == 0, "failed")
    need(term.output.count(b"\r") > term.output.count(b"\r\n") and b"sample" in term.output, f"no status line: {term.output[-500:]}")
    r = t.record(t.program("ends.c"), "exit", "0", "0.5", quiet=False)
    need("\r" not in r.stderr and "\033" not in r.stderr, f"a status line or colors in a pipe: {r.stderr!r}")


def test_terminal_is_the_commands(t):
    """The command's output stays unchanged: no status line once it has printed, and no text of wick on its line."""
    term = Terminal(t, t.wick_path, "record", "-o", "p.wick", "--", "sh", "-c", 'printf "name? "; sleep 1.2; echo done')
    need(term.wait() == 0, "failed")
    need(b"name? done\r\nrecorded" in term.output, f"something in between: {term.output!r}")


def test_summary(t):
    """Prints a short summary to standard error only: samples, losses, complete stacks, hot functions, the next command."""
    r = t.record(t.program("shares.c"), "0.8", quiet=False)
    need(re.fullmatch(r"[\d.]+\n", r.stdout), f"something on standard output: {r.stdout!r}")
    for word in ("samples", "lost|losses", "complete", "burn", "wick report|wick flamegraph"):
        need(re.search(word, r.stderr), f'nothing of "{word}" in the summary:\n{r.stderr}')
    need(len(r.stderr.splitlines()) <= 25, f"the summary is long:\n{r.stderr}")


def test_too_few(t):
    r = t.record(t.program("ends.c"), "exit", "0", "0.02", quiet=False)
    need(re.search(r"too (few|little)|not enough", r.stderr), f"does not say that this is too little:\n{r.stderr}")


def test_quiet(t):
    r = t.record(t.program("shares.c"), "0.2")
    need(r.stderr == "", f"-q is not quiet: {r.stderr!r}")


def duration_launched(t, engine):
    """-d ends a launched command as Ctrl-C would, which is not a failure."""
    began = time.monotonic()
    name = f"dur{engine}"
    r = t.record(t.program("ends.c", name=name), "forever", options=["--engine", engine, "-d", "0.8"])
    took = time.monotonic() - began
    need(took > 0.7, f"took {took:.1f} s")
    at_most(took, 3, "seconds")
    need(not running(name), "the program is still running")
    at_most(r.json["samples"], 960, "samples in 0.8 s")
    at_least(r.json["samples"], 30, "samples")


def duration_wrapped(t, engine):
    """Ends a script together with the program it runs, like Ctrl-C; leaves daemons alone."""
    name, daemon = f"wrapped{engine}", f"daemon{engine}"
    program = t.program("ends.c", name=name)
    script = f"{tool('setsid')} {t.program('ends.c', name=daemon)} sleep 0 5 >/dev/null 2>&1 & sh -c '{program} forever; true'; true"
    began = time.monotonic()
    t.record("sh", "-c", script, options=["--engine", engine, "-d", "0.6"])
    took = time.monotonic() - began
    at_most(took, 2, "seconds")
    need(not running(name), "the program is still running")
    need(running(daemon), "the daemon was ended too")


def name_refused(t, engine):
    """If the file cannot be created, the command does not run unrecorded, and nothing is left behind."""
    folder, name = t.tmp / "refused", f"named{engine}"
    (folder / "p.wick.old").mkdir(parents=True)
    (folder / "p.wick").write_text("older")
    t.refused("record", "-o", folder / "p.wick", "--engine", engine, "--", t.program("ends.c", name=name), "forever", code=125, says="p.wick.old")
    need(not running(name), "the program is still running")
    need(sorted(os.listdir(folder)) == ["p.wick", "p.wick.old"], f"left behind: {os.listdir(folder)}")


def delay(t, engine):
    """Does not record half of the program's elapsed time."""
    r = t.record(t.program("ends.c"), "int", "0", "1.6", options=["--engine", engine, "--delay", "0.8"])
    got = r.json["samples"] + r.json["lost"]
    at_most(got, 1000, "samples of 0.8 s")
    at_least(got, 20, "samples after the delay")


def iterations(t, engine):
    out = t.record(t.program("shares.c"), "0.3", options=["--engine", engine, "--iterations", "3"])
    need(len(out.stdout.splitlines()) == 3, f"it ran {len(out.stdout.splitlines())} times")
    near(out.json["total"] / 1e9, 0.9, 0.09, "CPU seconds of three runs")
    at_least(out.json["samples"], 300, "samples of three runs")
    need(len({l.split(";")[0] for l in out.collapsed("--pid")}) == 3, "not three processes")


def rate(t, engine):
    for hz in (99, 4999):
        before = cpu_times()
        r = t.record(t.program("shares.c"), "0.8", options=["--engine", engine, "-F", hz])
        stolen = stolen_seconds(before, cpu_times())
        used = float(r.stdout)
        want = used * hz
        got = r.json["samples"] + r.json["lost"]
        if engine == "perf":
            near(got, want, 0.15 * want + 10, f"samples at {hz} Hz")
            continue
        # A late tick of ptrace represents several periods: on a busy machine there are fewer samples, with larger weights.
        at_most(got, 1.15 * want + 10, f"samples at {hz} Hz")
        at_least(got, 500 if hz > 1000 else 0.4 * want, f"samples at {hz} Hz")
        total = r.json["total"] / 1e9
        need(0.9 * used <= total <= 1.1 * used + stolen, f"{total:.3f} CPU seconds in the profile, {used:.3f} used, {stolen:.2f} stolen")


def counts(t, engine):
    """Samples and losses add up to the CPU time that the program reports."""
    before = cpu_times()
    r = t.record(t.program("shares.c"), "1", "2", options=["--engine", engine])
    stolen = stolen_seconds(before, cpu_times())
    want = float(r.stdout)
    if engine == "perf":
        near(r.json["samples"] + r.json["lost"], want * 997, 0.05 * want * 997 + 20, "samples and losses")
    need(r.json["unit"] in ("ns", "nanoseconds"), f"unit {r.json['unit']}")
    total = r.json["total"] / 1e9
    complete(total, 0.95 * want - 0.02, "CPU seconds in the profile")
    need(total <= 1.05 * want + 0.02 + stolen, f"{total:.3f} CPU seconds in the profile, {want:.3f} used, {stolen:.2f} stolen")


def tests():
    made = {}
    both = {
        "exit_code": exit_code,
        "killed_by_term": functools.partial(killed_by, 15),
        "killed_by_kill": functools.partial(killed_by, 9),
        "killed_by_segv": functools.partial(killed_by, 11),
        "stdin": stdin,
        "environment": environment,
        "signals_kept": signals_kept,
        "sigchld_ignored": sigchld_ignored,
        "iterations_alike": iterations_alike,
        "wick_interrupted": functools.partial(wick_signalled, signal.SIGINT, 130),
        "wick_terminated": functools.partial(wick_signalled, signal.SIGTERM, 143),
        "ctrl_c": ctrl_c,
        "ctrl_c_ends": ctrl_c_ends,
        "ctrl_c_ignored": ctrl_c_ignored,
        "ctrl_c_twice": ctrl_c_twice,
        "group_signalled": group_signalled,
        "iterations_interrupted": iterations_interrupted,
        "reads_terminal": reads_terminal,
        "duration_launched": duration_launched,
        "duration_wrapped": duration_wrapped,
        "name_refused": name_refused,
        "delay": delay,
        "iterations": iterations,
        "rate": rate,
        "counts": counts,
    }
    for name, function in both.items():
        for engine in ENGINES:
            made[f"{name}.{engine}"] = functools.partial(function, engine=engine)
    return made


def test_counted_events(t):
    """Counts events that can be counted: each is a sample, or one in N with -c, and the counts add up."""
    program = [str(t.program("threads.c")), "50", "0.002"]
    p = subprocess.Popen(program, stdout=subprocess.DEVNULL)
    _, _, usage = os.wait4(p.pid, 0)
    faults = usage.ru_minflt + usage.ru_majflt
    for options, each in (([], 1), (["-c", "10"], 10)):
        r = t.record(*program, options=["-e", "page-faults", *options])
        total, samples = r.json["total"] + each * r.json["lost"], r.json["samples"]
        near(total, faults, max(0.15 * faults, 60), f"page faults with {options}")
        need(each > 1 or samples + r.json["lost"] == total, f"{samples} samples, {total} page faults")
    for wrong in (["-c", "5"], ["-e", "page-faults", "-c", "0"], ["-e", "page-faults", "-c", "5", "-F", "50"]):
        r = subprocess.run([str(t.wick_path), "record", *wrong, "--", "true"], capture_output=True, text=True, cwd=t.tmp)
        need(r.returncode == 2 and "-c" in r.stderr, f"{wrong}: code {r.returncode}: {r.stderr}")


def test_one_recorder_per_file(t):
    """A second recorder does not replace the file of the first."""
    first = subprocess.Popen([str(t.wick_path), "record", "-q", "-o", "p.wick", "--", t.program("ends.c"), "exit", "0", "1"], cwd=t.tmp)
    wait_until(lambda: (t.tmp / "p.wick").exists())
    r = subprocess.run([str(t.wick_path), "record", "-q", "-o", "p.wick", "--", "true"], capture_output=True, text=True, cwd=t.tmp)
    need(r.returncode == 125 and "another wick" in r.stderr, f"code {r.returncode}: {r.stderr}")
    need(first.wait() == 0 and not (t.tmp / "p.wick.old").exists(), "the first recording is no longer there")
