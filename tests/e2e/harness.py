# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Shared by the end-to-end tests: builds truth programs, runs wick, reads profiles through wick's own commands.

A test is a function `test_x(t)` in a module test_*.py. `t` (class Test) has its own temporary directory, so tests can run in
parallel. A test passes when it returns (the return value is printed as a remark). It raises Fail, Skip, or OutOfRange: a measured
share or time outside its range, which a busy machine can cause and which is retried once after all other tests. Failures that no
busy machine can cause (an incomplete or false stack) raise Final and are never retried.
"""

import functools
import hashlib
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
PROGRAMS = TESTS / "programs"
NOBODY = 65534
ARCH = platform.machine()


class Skip(Exception):
    """The test needs a permission or a tool that is missing."""


class Fail(Exception):
    """A required condition does not hold."""


class OutOfRange(Fail):
    """A measured share or time is out of its range: retried once."""


class Final(Fail):
    """Never retried, not even after a guess about time: stacks are complete and true on a busy machine, too."""


def may_repeat(failure, guessed):
    """Whether a test runs once more. `guessed`: it has waited for a time that a busy machine can exceed."""
    return isinstance(failure, OutOfRange) or (guessed and not isinstance(failure, Final))


MUCH_STOLEN = 0.05


def stolen_share(before, after):
    """The share of the CPU time between two calls of cpu_times() that other virtual machines used while this one wanted it."""
    busy = sum(after[:3]) - sum(before[:3]) + after[3] - before[3]
    return (after[3] - before[3]) / busy if busy > 0 else 0.0


def cpu_times():
    """User, nice, system and stolen time of all CPUs, in ticks."""
    words = Path("/proc/stat").read_text().split("\n", 1)[0].split()
    return [int(words[1]), int(words[2]), int(words[3]), int(words[8]) if len(words) > 8 else 0]


def stolen_seconds(before, after):
    return (after[3] - before[3]) / os.sysconf("SC_CLK_TCK")


def need(condition, message):
    if not condition:
        raise Fail(message)


def near(value, wanted, tolerance, what):
    if abs(value - wanted) > tolerance:
        raise OutOfRange(f"{what}: {value:.1f}, not {wanted} ± {tolerance}")


def at_least(value, least, what):
    if value < least:
        raise OutOfRange(f"{what}: {value:.2f}, must be at least {least:.4g}")


def at_most(value, most, what):
    if value > most:
        raise OutOfRange(f"{what}: {value:.2f}, must be at most {most}")


def complete(value, least, what):
    """at_least() for values that do not depend on the load of the machine: never retried."""
    if value < least:
        raise Final(f"{what}: {value:.2f}, must be at least {least:.4g}")


def tool(*names):
    for name in names:
        found = shutil.which(name)
        if found:
            return found
    raise Skip(f"{names[0]} is not installed")


def root_only():
    if os.getuid() != 0:
        raise Skip("needs root")


# ---------------------------------------------------------------------------------------------------------------- builds

# How to build the C and C++ programs. "{cc}" compilers are gcc/g++ unless the build names another.
BUILDS = {
    "O0": ["-O0"],
    "O2": ["-O2", "-fomit-frame-pointer"],
    "O3": ["-O3", "-fomit-frame-pointer"],
    "fp": ["-O2", "-fno-omit-frame-pointer"],
    "lto": ["-O2", "-flto"],
    "no-pie": ["-O2", "-fno-pie", "-no-pie"],
    "static": ["-O2", "-static"],
    "static-pie": ["-O2", "-static-pie"],
    "stripped": ["-O2", "-s"],
    "static-stripped": ["-O2", "-static", "-s"],
    "no-hdr": ["-O2", "-Wl,--no-eh-frame-hdr"],
    # Only .debug_frame describes the program's own functions.
    "debug-frame": ["-O2", "-g", "-fomit-frame-pointer", "-fno-asynchronous-unwind-tables", "-fno-unwind-tables", "-fno-exceptions"],
    # Indirect-branch tracking gives x86_64 a second kind of PLT; pointer authentication gives aarch64 signed return addresses.
    "hardened": ["-O2", "-Wl,-z,lazy"]
    + (["-fcf-protection=full", "-Wl,-z,ibtplt"] if ARCH == "x86_64" else ["-mbranch-protection=standard"]),
    "clang": ["-O2", "-fomit-frame-pointer"],
    "clang-O0": ["-O0"],
}
RUST_BUILDS = {
    "O0": ["-C", "opt-level=0"],
    "release": ["-C", "opt-level=3"],
    "debug": ["-C", "opt-level=3", "-g"],
    "fp": ["-C", "opt-level=3", "-C", "force-frame-pointers=yes"],
    "v0": ["-C", "opt-level=3", "-C", "symbol-mangling-version=v0"],
    "lto": ["-C", "opt-level=3", "-C", "lto=fat", "-C", "codegen-units=1"],
    "lto-abort": ["-C", "opt-level=3", "-C", "lto=fat", "-C", "codegen-units=1", "-C", "panic=abort", "-g"],
    "stripped": ["-C", "opt-level=3", "-C", "strip=symbols"],
    "lld": ["-C", "opt-level=3"],
    "static": ["-C", "opt-level=3", "-C", "target-feature=+crt-static"],
}
STRIPPED = {"stripped", "static-stripped"}
# Static libraries, a linker plugin, newer options: not every toolchain has them.
MAY_BE_LACKING = {"static", "static-pie", "static-stripped", "lto", "lto-abort", "hardened", "clang", "clang-O0", "lld"}


def compile_command(source, build):
    if source.suffix == ".rs":
        cmd = [tool("rustc"), "--edition", "2021", *RUST_BUILDS[build]]
        if build == "lld":
            clang, lld = tool("clang-19", "clang"), tool("ld.lld-19", "ld.lld")
            cmd += ["-C", f"linker={clang}", "-C", f"link-arg=--ld-path={lld}"]
        return cmd
    cpp = source.suffix == ".cc"
    if build.startswith("clang"):
        compiler = tool("clang++-19", "clang++") if cpp else tool("clang-19", "clang")
        cmd = [compiler, f"--ld-path={tool('ld.lld-19', 'ld.lld')}"]
    else:
        cmd = [tool("g++" if cpp else "gcc")]
    flags = [f for f in BUILDS[build] if not (cpp and f == "-fno-exceptions")]
    return cmd + ["-std=c++20" if cpp else "-std=gnu11", "-pthread", *flags]


class Programs:
    """Builds truth programs, once per build, and keeps them between runs by a hash of all inputs."""

    def __init__(self, folder):
        self.folder = folder
        self.locks = {}
        self.guard = threading.Lock()
        folder.mkdir(parents=True, exist_ok=True)

    def build(self, source, build="O2", extra=(), name=None):
        source = PROGRAMS / source
        cmd = compile_command(source, build) + list(extra)
        key = hashlib.sha256("\0".join(cmd).encode() + source.read_bytes() + (PROGRAMS / "work.h").read_bytes()).hexdigest()[:12]
        out = self.folder / f"{build}-{key}" / (name or source.stem)
        with self.guard:
            lock = self.locks.setdefault(out, threading.Lock())
        with lock:
            if not out.exists():
                out.parent.mkdir(parents=True, exist_ok=True)
                with tempfile.TemporaryDirectory(dir=self.folder) as scratch:
                    made = Path(scratch) / out.name
                    r = subprocess.run([*cmd, str(source), "-o", str(made)], capture_output=True, cwd=scratch, timeout=300)
                    if r.returncode != 0:
                        text = r.stderr.decode("utf-8", "replace")
                        # For builds that a toolchain may lack, a failure means a missing tool; otherwise the program itself is
                        # wrong.
                        kind = Skip if build in MAY_BE_LACKING else Fail
                        raise kind(f"cannot build {source.name} the {build} way: {text.strip().splitlines()[-1][:150]}")
                    made.rename(out)
        return out


# ------------------------------------------------------------------------------------------------------------- profiles


def path_pattern(path):
    """Converts a path of frames, "main > * > leap+ > burn$", to a regex over frames joined by ';'. Each name stands alone or before its
    arguments; /x/ is a regex within one frame, * any frames, x+ one or more, x? at most one; $ at the end: the leaf."""
    leaf = path.endswith("$")
    names = [n.strip() for n in path.rstrip("$ ").split(" > ")]
    out = r"(?:^|;)"
    for i, name in enumerate(names):
        if name == "*":
            out += r"(?:[^;]*;)*?"
            continue
        count = name[-1] if len(name) > 1 and name[-1] in "+?" else ""
        name = name[: len(name) - len(count)]
        one = name[1:-1] if name.startswith("/") and name.endswith("/") else re.escape(name) + r"(?:(?:::)?[(<\[ ][^;]*)?"
        if i + 1 == len(names):
            out += one + ("$" if leaf else r"(?=;|$)")
        else:
            out += f"(?:{one};){count}"
    return re.compile(out)


TRUNCATED = "[truncated]"  # the outermost frame of a stack with unknown callers
UNSAMPLED = "[unsampled]"  # instead of a stack: CPU time that was counted but not sampled

# Valid stacks without main: those of the dynamic loader, of libc before and after main and around a thread's function, and those
# in the kernel while it creates or ends a process.
LOADER = re.compile(r"_dl_.*|dl_main|\[ld[-.].*")
LIBC_START = re.compile(r"__libc_start_main.*|__libc_start_call_main|(__)?clone3?|start_thread|thread_start|\[libc[.+].*")
LIBC_AROUND = re.compile(
    r"_?exit|_Exit|__run_exit_handlers|call_init|_init|_fini|__libc_csu_.*|__libc_init_.*|__libc_early_init|__libc_setup_tls|__libc_start_.*|_IO_cleanup"
    r"|__cxa_.*|apply_irel|__pthread_initialize.*|_dl_.*|\[ld[-.].*|__tunables_init|__call_tls_dtors|__nptl_.*|__libc_thread_freeres"
    r"|advise_stack_range|(__)?madvise|__ctype_init|__sigsetjmp|_setjmp"
    # Static programs execute dozens of cpuid instructions, each of which leaves a virtual machine.
    r"|get_common_cache_info.*|(dl_)?init_cacheinfo.*|init_cpu_features.*|update_active.*|handle_(intel|amd|zhaoxin).*|intel_check_word.*"
)
MADE_OR_ENDED = re.compile(
    r"do_exit|do_group_exit|exit_mmap|ret_from_fork.*|do_execveat.*|bprm_execve|begin_new_exec|load_elf_binary|__(x64|arm64)_sys_(exit|exec).*"
)
# The loop in main asks for its CPU time. On a busy machine, programs are preempted after system calls, and ptrace meets them there.
OWN_CLOCK = re.compile(r"_start;(__libc_start_\w+;)*main;(thread_seconds;)?(__)?clock_gettime(;.*)?")
KERNEL = "_[k]"  # suffix of kernel functions in `collapse --kernel`


def outside_main(stack):
    """Whether a stack of `collapse --kernel` rightly has no main: it is from before or after main."""
    frames = stack.split(";")
    user = [f for f in frames if not f.endswith(KERNEL)]
    if user and user[0] == TRUNCATED:
        return False
    if any(MADE_OR_ENDED.fullmatch(f.removesuffix(KERNEL)) for f in frames if f.endswith(KERNEL)):
        return True
    if not user:
        return False
    started = user[1:] if user[0] == "_start" else user
    if not started or LOADER.fullmatch(started[0]):
        return True
    inner = next((f for f in started if not LIBC_START.fullmatch(f)), None)
    if inner is None:
        return started is not user or not user[0].startswith("[")  # an unknown function of libc is no valid start
    return inner != started[0] and bool(LIBC_AROUND.fullmatch(inner))


class Recording:
    """A .wick file, read with `wick collapse` and `wick report --json`."""

    def __init__(self, test, file, result, stolen=0.0):
        self.test, self.file, self.stolen = test, Path(file), stolen
        self.stdout = result.stdout.decode("utf-8", "replace")
        self.stderr = result.stderr.decode("utf-8", "replace")

    @functools.cached_property
    def json(self):
        return json.loads(self.test.good("report", self.file, "--json"))

    def collapsed(self, *options):
        return self.test.good("collapse", *options, self.file).splitlines()

    @functools.cached_property
    def stacks(self):
        """[(command, "root;…;leaf", weight)]"""
        return self.parsed()

    @functools.cached_property
    def counted_stacks(self):
        """The same with the number of samples."""
        return self.parsed("--count", "samples")

    def parsed(self, *options):
        out = []
        for line in self.collapsed(*options):
            stack, _, count = line.rpartition(" ")
            command, _, frames = stack.partition(";")
            out.append((command, frames, float(count)))
        need(out, "wick collapse printed nothing")
        return out

    @property
    def total(self):
        return sum(n for _, _, n in self.stacks)

    def share(self, path, command=None):
        """Percentage of the samples (of that command) whose stack contains this path. CPU time without a sample does not count."""
        pattern = path_pattern(path)
        rows = [(s, n) for c, s, n in self.stacks if command in (None, c) and not s.startswith(UNSAMPLED)]
        total = sum(n for _, n in rows)
        return 100 * sum(n for s, n in rows if pattern.search(s)) / total if total else 0.0

    def shares(self, wanted, tolerance):
        """Checks shares in percent. A small share has a small tolerance: one as wide as the share could never fail."""
        for path, share in wanted.items():
            self.near_share(path, share, min(tolerance, 0.4 * share))

    def near_share(self, path, wanted, tolerance, what=None):
        """Checks a share in percent. On a busy machine there are fewer samples, and chance weighs more: at least three standard deviations."""
        near(self.share(path), wanted, self.chance(wanted, tolerance), what or f"share of {path}")

    def chance(self, wanted, tolerance):
        return max(tolerance, min(self.three_deviations(wanted), 0.4 * wanted))

    def three_deviations(self, share):
        """Of a share in percent, measured with these samples."""
        count = max(sum(n for _, _, n in self.counted_stacks), 1)
        return 300 * (share / 100 * (1 - share / 100) / count) ** 0.5

    def lowest_by_chance(self, share):
        """The bound for a share that is lower than 99 % by nature: chance alone puts one run in a thousand below it."""
        return share - self.three_deviations(share)

    @property
    def excused(self):
        """Samples that wick reports as truncated because it stopped a deep thread too late, if a hypervisor stole CPU time meanwhile."""
        return self.json["losses"].get("samples.late", 0) if self.stolen > MUCH_STOLEN else 0

    def whole(self, *paths, least=99.0):
        """Checks that at least this share of the time of all stacks is in complete ones that contain one of the paths. Ignores code that
        rightly runs outside main, and CPU time without a sample. Never retried."""
        patterns = [path_pattern(p) for p in paths]
        good = bad = 0
        late = self.excused
        odd = ""
        for stack, n in [(stack, n) for _, stack, n in self.parsed("--kernel")]:
            if stack.startswith(UNSAMPLED):
                continue
            plain = stack.replace(KERNEL, "")
            if not stack.startswith(TRUNCATED) and (any(p.search(plain) for p in patterns) or OWN_CLOCK.fullmatch(plain)):
                good += n
            elif stack.startswith(TRUNCATED) and late > 0:
                late -= n
                bad += max(-late, 0)
            elif not outside_main(stack):
                bad += n
                odd = odd or stack
        share = 100 * good / (good + bad) if good + bad else 0
        if share < least:
            raise Final(f"only {share:.2f} % of the stacks are whole; an odd one: {odd[:300]}")
        return f"{share:.2f} % whole"

    def part_of_complete(self, pattern):
        """Percentage of the complete stacks that match. whole() judges how many are complete."""
        rows = [(s, n) for _, s, n in self.stacks if not s.startswith((UNSAMPLED, TRUNCATED))]
        return 100 * sum(n for s, n in rows if pattern.search(s)) / max(sum(n for _, n in rows), 1)

    def deep_enough(self, frames, least=99.0):
        """For programs without symbols: this share of the stacks is complete and has at least so many frames. A shorter one counts if it
        starts where the deep ones do, or is that of a new thread: one frame, once per thread. At most 3 % may be of that kind."""
        rows = [(c, s, n) for c, s, n in self.stacks if not s.startswith(UNSAMPLED)]
        total = sum(n for _, _, n in rows)
        whole = [(c, s, n) for c, s, n in rows if not s.startswith(TRUNCATED)]
        deep = [(s, n) for _, s, n in whole if s.count(";") + 1 >= frames]
        roots = {s.split(";")[0] for s, _ in deep}
        counts = {(c, s): n for c, s, n in self.counted_stacks}
        new = {c: n for c, s, n in whole if ";" not in s and counts[c, s] == 1}
        short = sum(n for _, s, n in whole if s.count(";") + 1 < frames and s.split(";")[0] in roots) + sum(new.values())
        deep = sum(n for _, n in deep)
        complete(100 * deep / total, least - 3, f"percent of the stacks with {frames} frames or more")
        complete(100 * (deep + short) / total, least, f"percent of the stacks that begin where those of {frames} frames or more do")

    def properties(self):
        """Checks invariants of every profile: totals add up, no function appears twice, nothing is negative."""
        r = self.json
        for key in ("unit", "samples", "lost", "losses", "total", "functions"):
            need(key in r, f"report --json has no {key}")
        own = sum(f["self"] for f in r["functions"])
        need(abs(own - r["total"]) <= 1e-6 * max(1, r["total"]), f"self costs sum to {own}, the total is {r['total']}")
        for f in r["functions"]:
            need(0 <= f["self"] <= f["total"] <= r["total"], f"costs of {f['name']}: {f}")
        keys = [(f["name"], f.get("module")) for f in r["functions"]]
        need(len(keys) == len(set(keys)), "a function appears twice")
        return r


# ----------------------------------------------------------------------------------------------------------------- tests


class Test:
    def __init__(self, name, wick, programs, shared):
        self.name, self.wick_path, self.programs, self.shared = name, wick, programs, shared
        self.tmp = Path(tempfile.mkdtemp(prefix="wick-e2e-", dir=shared))
        os.chmod(self.tmp, 0o755)
        self.started = []
        self.guessed = False

    def close(self):
        for p in self.started:
            if p.poll() is None:
                try:
                    os.killpg(p.pid, signal.SIGKILL)
                except (ProcessLookupError, PermissionError):
                    p.kill()
            p.wait()
        shutil.rmtree(self.tmp, ignore_errors=True)

    # -- running

    def sleep(self, seconds):
        """Waits until something has surely started: a guess, so a later failure is retried like a share out of range."""
        self.guessed = True
        time.sleep(seconds)

    def environment(self, home):
        env = {k: v for k, v in os.environ.items() if not k.startswith(("WICK_", "DEBUGINFOD"))}
        env.update(HOME=str(home), XDG_CACHE_HOME=str(home / "cache"), TERM="dumb", LC_ALL="C.UTF-8")
        return env

    def as_user(self, cmd):
        """The command run as nobody; copies the programs and wick to where nobody may read and run them."""
        setpriv = tool("setpriv")
        home = self.tmp / "nobody"
        if not home.exists():
            home.mkdir()
            os.chown(home, NOBODY, NOBODY)
        moved = []
        for part in map(str, cmd):
            p = Path(part)
            inside = p.is_absolute() and (self.programs.folder in p.parents or p == self.wick_path)
            moved.append(str(self.copied(p, home)) if inside else part)
        prefix = [setpriv, f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--no-new-privs"]
        return prefix + moved, home

    def copied(self, path, folder):
        out = folder / path.name
        if not out.exists():
            copy_program(path, out)
            out.chmod(0o755)
        return out

    def run(self, *cmd, timeout=180, user=None, **kw):
        cmd = [str(c) for c in cmd]
        home = self.shared / "home"
        if user == "nobody" and os.getuid() == 0:
            cmd, home = self.as_user(cmd)
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": self.tmp}
        options["env"] = self.environment(home)
        options.update(kw)
        data = options.pop("input", None)
        if data is not None:
            options["stdin"] = subprocess.PIPE
        p = self.start_process(cmd, **options)
        try:
            out, err = p.communicate(data, timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(p.pid, signal.SIGKILL)
            p.communicate()
            raise Fail(f"did not end within {timeout} s: {' '.join(cmd)[-200:]}")
        return subprocess.CompletedProcess(cmd, p.returncode, out or b"", err or b"")

    def start_process(self, cmd, **kw):
        kw = {"env": self.environment(self.shared / "home"), "cwd": self.tmp, "start_new_session": True, **kw}
        p = subprocess.Popen([str(c) for c in cmd], **kw)
        self.started.append(p)
        return p

    def kill_recorder(self, p):
        """The recorder alone first, then the processes it started."""
        os.kill(p.pid, signal.SIGKILL)
        p.wait()
        try:
            os.killpg(p.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def wick(self, *args, **kw):
        return self.run(self.wick_path, *args, **kw)

    def good(self, *args, **kw):
        r = self.wick(*args, **kw)
        need(r.returncode == 0, f"wick {' '.join(map(str, args))}: code {r.returncode}: {text_of(r.stderr)[-300:]}")
        return text_of(r.stdout)

    def program(self, source, build="O2", extra=(), name=None):
        return self.programs.build(source, build, extra, name)

    def record(self, *cmd, options=(), code=0, user=None, wrapper=(), name="p.wick", quiet=True, **kw):
        file = self.tmp / name
        if user == "nobody" and os.getuid() == 0:
            self.as_user([])
            file = self.tmp / "nobody" / name
        file.unlink(missing_ok=True)
        dashes = ["--", *cmd] if cmd else []
        before = cpu_times()
        r = self.run(*wrapper, self.wick_path, "record", *(["-q"] if quiet else []), "-o", file, *options, *dashes, user=user, **kw)
        need(r.returncode == code, f"record -- {' '.join(map(str, cmd))[-80:]}: code {r.returncode}, not {code}: {text_of(r.stderr)[-300:]}")
        need(file.exists(), f"no profile was written: {text_of(r.stderr)[-300:]}")
        return Recording(self, file, r, stolen_share(before, cpu_times()))

    def refused(self, *args, code, says=(), user=None, wrapper=(), **kw):
        """Checks that wick fails with that code and a message that contains all of these words, and leaves no file."""
        r = self.run(*wrapper, self.wick_path, *args, user=user, **kw)
        err = text_of(r.stderr)
        line = "wick " + " ".join(map(str, args))
        codes = code if isinstance(code, tuple) else (code,)
        need(r.returncode in codes, f"{line}: code {r.returncode}, not {code}: {err[-300:]}")
        need("wick: " in err, f"{line}: no message")
        for word in (says,) if isinstance(says, str) else says:
            need(re.search(word, err, re.I), f'{line}: nothing of "{word}" in: {err[-400:]}')
        return err


def copy_program(source, target):
    """By another process: a child that another test starts while this one has the copy open for writing would make it unable to run."""
    subprocess.run(["cp", "--preserve=mode", source, target], check=True)


def text_of(data):
    return data.decode("utf-8", "replace") if isinstance(data, bytes) else data


def wait_until(condition, seconds=60, what="it"):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.02)
    raise Fail(f"{what} did not come about within {seconds} s")


def cpu_seconds(pid):
    """CPU time of a process so far, without its ended children. On a busy machine it is less than the elapsed time."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children(pid):
    return [int(p) for p in subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split()]


def serial(test):
    """Marks a test that must run alone: it changes the machine or measures time."""
    test.serial = True
    return test
