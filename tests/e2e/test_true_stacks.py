# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""No false stacks: programs whose function families take turns on one stack (turns.cc), both engines, root and ordinary user, launched and
attached. Every pair of adjacent frames must be in the mode's table of callers, no stack may contain both families, and a stack that does
not start where its thread started must say so with [truncated]. Never retried."""

import functools
import platform
from collections import Counter
from dataclasses import dataclass, field

from harness import *  # noqa: F403

FALSE_MOST = 0.2  # percent of the samples
FAMILIES = ("Red", "Blue")
CYCLE = 5

# Callers of main, of a thread's function and of a context's: libc has names for them if its symbols are installed. [vdso] has a
# trampoline on aarch64.
BEFORE_MAIN = re.compile(r"_start|__libc_start_main.*|__libc_start_call_main|\[libc[.+].*\]")
BEFORE_THREAD = re.compile(r"(__)?clone3?|start_thread|thread_start|\[libc[.+].*\]")
BEFORE_CONTEXT = re.compile(r"__start_context|__startcontext|\[libc[.+].*\]")
HANDLER_RETURNS = re.compile(r"__restore_rt|__kernel_rt_sigreturn")
TRAMPOLINE = re.compile(r"__restore_rt|__kernel_rt_sigreturn|\[libc[.+].*\]|\[vdso\].*|\[vdso.*\]")


@dataclass
class Mode:
    """Valid callers. Functions listed here are the program's own; those in `out` call libraries."""

    pairs: set
    levels_of: str = ""  # a regex: functions that are one level each
    out: set = field(default_factory=lambda: {"main", "take_turns", "thread_main"})
    entries: dict = field(default_factory=lambda: {"main": BEFORE_MAIN, "thread_main": BEFORE_THREAD})
    exact: bool = True  # all levels must be under burn
    judge_whole: bool = True

    def __post_init__(self):
        self.own = {name for pair in self.pairs for name in pair}
        self.level = re.compile(self.levels_of or "$.")
        self.known = {}

    def may_call(self, caller, callee):
        if caller in self.own and callee in self.own:
            return (caller, callee) in self.pairs
        if callee in self.own:
            return False  # libraries only call entries and handlers, which are checked separately
        return caller in self.out or caller not in self.own


def both(make):
    """The pairs of each family."""
    return {pair for family in FAMILIES for pair in make(family)}


MAIN = {("main", "take_turns"), ("thread_main", "take_turns"), *both(lambda f: [("take_turns", f"root<{f}>")])}


def ring(name, family, first, count, leaf="burn"):
    """`first` calls function number 0, each of `count` functions calls the next one, and all of them call the leaf."""
    numbered = [name.format(f=family, i=i) for i in range(count)]
    return [(first, numbered[0])] + [(numbered[i], numbered[(i + 1) % count]) for i in range(count)] + [(n, leaf) for n in numbered]


def steps(way):
    name = "step<{f}, " + way + ", {i}>"
    return both(lambda f: ring(name, f, f"root<{f}>", CYCLE))


def hops(family):
    names = [f"hop<{family}, {i}>" for i in range(3)]
    return [(f"root<{family}>", names[0])] + [(a, b) for a in names for b in names] + [(n, "burn") for n in names]


def nests(family, count=48):
    names = [f"root<{family}>"] + [f"nest<{family}, {i}>" for i in range(count, 0, -1)] + ["burn"]
    return list(zip(names, names[1:]))


def tails(family):
    """tail_shared makes a tail call, so its target appears under its caller; compilers that call instead leave it there."""
    a, b = f"tail_from<{family}>", f"tail_to<{family}>"
    out = [(f"root<{family}>", a), (a, b), (b, a)]
    return out + [(x, y) for x in (a, b) for y in ("burn", "tail_shared")] + [("tail_shared", a), ("tail_shared", b)]


def falls(family):
    name = "fall<{f}, {i}>"
    return ring(name, family, f"root<{family}>", CYCLE) + [(name.format(f=family, i=i), f"Owned<{family}>::~Owned") for i in range(CYCLE)]


def fords(family):
    wade = ring("wade<{f}, {i}>", family, f"root<{family}>", CYCLE, f"ford<{family}>")
    ford = [(f"ford<{family}>", "bare_first"), (f"ford<{family}>", "bare_list"), ("bare_second", f"below<{family}>"), ("bare_list", f"below<{family}>")]
    return wade + ford + [(f"below<{family}>", "burn")]


GREEN = {*ring("step<{f}, Unequal, {i}>", "Green", "green_handler", CYCLE)}
BARE = MAIN | both(fords) | {("bare_first", "bare_second"), ("bare_first", "burn"), ("bare_second", "burn")}
THROWERS = {f"fall<Red, {i}>" for i in range(CYCLE)} | {"root<Red>"}
CONTEXTS = {("main", "switch_stacks")}
CONTEXTS |= both(lambda f: [("shared_context", f"root<{f}>"), (f"own_context<{f}>", f"root<{f}>")])
CONTEXTS |= steps("Yielding") | {(f"step<{f}, Yielding, {i}>", "yield_turn") for f in FAMILIES for i in range(CYCLE)}

STEP = r"step<(Red|Blue), "
MODES = {
    "equal": Mode(MAIN | steps("Equal"), STEP),
    "unequal": Mode(MAIN | steps("Unequal"), STEP),
    "random": Mode(MAIN | steps("Unequal"), STEP, exact=False),
    "every": Mode(MAIN | steps("Every"), STEP, exact=False),
    "virtual": Mode(
        MAIN | both(lambda f: [(f"root<{f}>", f"by_virtual<{f}>"), *ring("Link<{f}, {i}>::go", f, f"by_virtual<{f}>", 3)]),
        r"Link<",
        out={"main", "take_turns", "thread_main", "by_virtual<Red>", "by_virtual<Blue>"},  # the guard of a static variable
    ),
    "pointers": Mode(MAIN | both(hops), r"hop<"),
    "nest": Mode(MAIN | both(nests), r"nest<"),
    "tail": Mode(MAIN | both(tails), r"tail_(from|to)<"),
    "throws": Mode(MAIN | both(falls), r"fall<", out={"main", "take_turns", "thread_main"} | THROWERS),
    "same": Mode(MAIN | steps("Unequal") | GREEN, STEP),
    "alt": Mode(MAIN | steps("Unequal") | GREEN, STEP),
    "contexts": Mode(
        CONTEXTS,
        STEP,
        out={"main", "switch_stacks", "yield_turn"},
        entries={"main": BEFORE_MAIN, **{n: BEFORE_CONTEXT for n in ("own_context<Red>", "own_context<Blue>", "shared_context")}},
    ),
    # Nothing describes the callers of these; continuing from them would be a guess.
    "bare": Mode(BARE, exact=False, judge_whole=False),
    "list": Mode(BARE, exact=False, judge_whole=False),
}


@functools.lru_cache(maxsize=None)
def plain(name):
    """The function without its return type and parameters."""
    found = re.match(r"(?:void |int |long )?(\w[\w:~<>, ]*)\(", name)
    return found[1] if found else name


class Judge:
    """Classifies the stacks of one recording: complete, truncated, false, or outside main."""

    def __init__(self, mode, levels):
        self.mode, self.levels = mode, levels
        self.counts = Counter()
        self.odd = {}
        self.expected = 0  # samples on an idle machine, if that matters

    def calls(self, frames):
        """Describes what is wrong with the calls in these frames; the first frame is right. Empty: nothing."""
        for at, pair in enumerate(zip(frames, frames[1:])):
            if pair not in self.mode.known:
                self.mode.known[pair] = self.mode.may_call(*pair)
            if not self.mode.known[pair]:
                return f"{pair[0]} never calls {pair[1]}: " + ";".join(["…"] * (at > 3) + frames[max(0, at - 3) : at + 4] + ["…"])
        return ""

    def base(self, frames, truncated):
        """Describes what is wrong with a stack without handlers. Empty: nothing."""
        names = ";".join(frames)
        if "<Red" in names and "<Blue" in names:
            at = next(i for i, f in enumerate(frames) if ("<Blue" if "<Red" in names.partition("<Blue")[0] else "<Red") in f)
            return "both families: " + ";".join(["…"] * (at > 3) + frames[max(0, at - 3) : at + 4] + ["…"])
        at = next((i for i, f in enumerate(frames) if f in self.mode.entries), None)
        if at is None:
            return self.calls(frames) if truncated else "neither a beginning nor [truncated]: " + names[:200]
        before = self.mode.entries[frames[at]]
        if not all(before.fullmatch(f) for f in frames[:at]) or (not truncated and frames[at] == "main" and frames[0] != "_start"):
            return f"not what calls {frames[at]}: " + names[:200]
        wrong = self.calls(frames[at:])
        levels = sum(1 for f in frames if self.mode.level.match(f))
        all_levels = self.mode.exact and levels > 0 and frames[-1] == "burn"
        if not wrong and (levels > self.levels or (all_levels and levels < self.levels)):
            return f"{levels} levels, the program has {self.levels}"
        return wrong

    def look(self, stack):
        """("whole" | "truncated" | "false" | "outside", why)"""
        frames = stack.split(";")
        truncated = frames[0] == TRUNCATED
        frames = [plain(f) for f in frames[truncated:] if not f.endswith(KERNEL)]
        if outside_main(stack):
            return "outside", ""
        if frames and HANDLER_RETURNS.fullmatch(frames[-1]):  # below it is what the handler interrupted
            frames = frames[:-1]
        if "green_handler" in frames:
            at = frames.index("green_handler")
            if at > 0 and not TRAMPOLINE.fullmatch(frames[at - 1]):
                return "false", f"{frames[at - 1]} never calls green_handler"
            wrong = self.calls(frames[at:])
            if wrong:
                return "false", wrong
            frames = frames[: max(at - 1, 0)]
        wrong = "" if truncated and not frames else self.base(frames, truncated)
        return ("false", wrong) if wrong else ("truncated" if truncated else "whole", stack[:300])

    def add(self, stack, count):
        kind, why = self.look(stack)
        self.counts[kind] += count
        self.odd.setdefault(kind, why)

    def share(self, kind, at_least=0):
        total = max(at_least, sum(n for k, n in self.counts.items() if k != "outside"))
        return 100 * self.counts[kind] / total if total else 0.0


def judged(recording, mode, levels):
    judge = Judge(MODES[mode], levels)
    for line in recording.collapsed("--kernel", "--count", "samples"):
        stack, _, count = line.rpartition(" ")
        frames = stack.partition(";")[2]
        if not frames.startswith(UNSAMPLED):
            judge.add(frames, int(float(count)))
    return judge


def turns(t, mode):
    if not MODES[mode].judge_whole:
        bare = ["-c", "-fno-asynchronous-unwind-tables", "-fno-unwind-tables", "-fomit-frame-pointer"]
        return t.program("turns.cc", "fp", ["-DBARE", str(t.program("turns_bare.c", "O2", bare, "turns_bare.o"))])
    return t.program("turns.cc")


def may_trace():
    scope = Path("/proc/sys/kernel/yama/ptrace_scope")
    if scope.exists() and scope.read_text().strip() != "0":
        raise Skip("an ordinary user may not read processes that they did not start (kernel.yama.ptrace_scope)")


def true_stacks(t, mode, levels, least, engine="perf", user=None, attached=False, threads=1):
    if user:
        root_only()
    program, options = turns(t, mode), ["--engine", engine]
    # For some milliseconds, until the recorder notices that a thread has deep stacks, those are truncated.
    seconds = (1.6 if engine == "perf" else 0.8) / (1 if threads == 1 else 2)
    if attached:
        if user:
            may_trace()
        cmd, kw = [program, mode, levels, 60, threads], {}
        if user:
            cmd, home = t.as_user(cmd)
            kw["env"] = t.environment(home)
        p = t.start_process(cmd, **kw)
        wait_until(lambda: cpu_seconds(p.pid) > 0.1, what="the program's work")
        r = t.record(options=[*options, "-p", p.pid, "-d", seconds], user=user)
        need(p.poll() is None, "the target ended")
        p.kill()
    else:
        r = t.record(program, mode, levels, seconds, threads, options=options, user=user)
    judge = judged(r, mode, levels)
    # On a busy machine, the target may get little CPU time, and deep stacks are sampled less often with larger weights; but the
    # recorder takes as long to notice them.
    judge.expected = 997 * seconds * min(threads, os.cpu_count())
    samples = r.json["samples"]
    at_least(samples, 50 if levels > 4000 else 100, "samples")  # a look at 1 MB takes long, so there are fewer
    false, whole, truncated = (judge.share(kind) for kind in ("false", "whole", "truncated"))
    said = f"false {false:.2f} %, whole {whole:.2f} %, truncated {truncated:.2f} % of {samples}"
    if false > FALSE_MOST:
        raise Final(f"{said}; {judge.odd['false']}")
    if MODES[mode].judge_whole and whole < least and judge.share("truncated", judge.expected) > 100 - least and judge.counts["truncated"] > r.excused:
        raise Final(f"{said}; a truncated one: {judge.odd.get('truncated')}")
    how = r.json.get("stacks")
    need(how is not None, f"{said}; report --json has no stacks")
    need(sum(how.values()) == samples, f"{said}; the stacks in report --json do not add up: {how}")
    deep = engine == "ptrace" and least == 90
    need(not deep or how.get("stopped", 0) >= 0.9 * samples, f"{said}; the ptrace engine stops threads, but: {how}")
    return said


# (name, mode, levels, minimum share of complete stacks). A level is 224 bytes of stack, 208 in throws, 560 in nest, and 256 (Red)
# and 291 (Blue) in unequal.
SHALLOW = ("unequal_3k", "unequal", 10, 97)
EQUAL_26K = ("equal_26k", "equal", 116, 97)
UNEQUAL_60K = ("unequal_60k", "unequal", 205, 97)
POINTERS_150K = ("pointers_150k", "pointers", 670, 90)
EQUAL_1M = ("equal_1M", "equal", 4680, 90)
THROWS_26K = ("throws_26k", "throws", 125, 97)
CONTEXTS_60K = ("contexts_60k", "contexts", 205, 97)
EVERY = [
    SHALLOW,
    EQUAL_26K,
    UNEQUAL_60K,
    POINTERS_150K,
    EQUAL_1M,
    THROWS_26K,
    CONTEXTS_60K,
    ("virtual_26k", "virtual", 116, 97),
    ("nest_26k", "nest", 48, 97),
    ("tail_60k", "tail", 260, 97),
    ("random_60k", "random", 205, 97),
    ("random_1M", "random", 3600, 90),
    ("every_26k", "every", 116, 97),
    ("every_150k", "every", 670, 90),
    ("same_26k", "same", 90, 97),
    ("alt_60k", "alt", 205, 97),
    ("contexts_1M", "contexts", 3600, 90),
    ("throws_150k", "throws", 720, 90),
    ("bare_3k", "bare", 10, 0),
    ("bare_26k", "bare", 105, 0),
    ("list_3k", "list", 10, 0),
]
AS_USER = [EQUAL_26K, UNEQUAL_60K, POINTERS_150K, EQUAL_1M, THROWS_26K, CONTEXTS_60K]
ATTACHED = [SHALLOW, EQUAL_26K, UNEQUAL_60K, POINTERS_150K, EQUAL_1M, THROWS_26K, CONTEXTS_60K, ("alt_60k", "alt", 205, 97), ("bare_3k", "bare", 10, 0)]


def regex(t, engine):
    """std::regex and std::wregex in turn. Mangled names, since demangled ones would fill megabytes."""
    r = t.record(t.program("turns_regex.cc"), 50, 0.6, options=["--engine", engine])
    counts = Counter()
    for line in r.collapsed("--kernel", "--names", "raw", "--count", "samples"):
        stack, _, count = line.rpartition(" ")
        stack = stack.partition(";")[2]
        if stack.startswith(UNSAMPLED) or outside_main(stack):
            continue
        if "regex_traitsIcE" in stack and "regex_traitsIwE" in stack:
            kind = "false"
        elif stack.startswith(TRUNCATED):
            kind = "truncated"
        else:
            kind = "whole" if stack.startswith("_start;") and ";main;_Z10take_turns" in stack else "false"
        counts[kind] += int(float(count))
    return decided(counts)


def decided(counts, odd="", least=97):
    share = {kind: 100 * counts[kind] / sum(counts.values()) for kind in ("false", "whole", "truncated")}
    said = ", ".join(f"{kind} {percent:.2f} %" for kind, percent in share.items()) + f" of {sum(counts.values())}"
    if share["false"] > FALSE_MOST or share["whole"] < least:
        raise Final(f"{said}; {odd}" if odd else said)
    return said


def guests(t, engine, user=None):
    """Libraries that replace each other at the same address; the innermost code is always the program's own and does not reveal them."""
    colors = ("red", "green")
    made = [t.program("guest.c", "O2", ["-shared", "-fPIC", f"-DNAME={name}", f"-DFRAME={size}"], f"{name}_guest.so") for name, size in zip(colors, (64, 640))]
    r = t.record(t.program("guests.c", "O2", ["-ldl"]), 0.8, *made, options=["--engine", engine], user=user)
    counts, odd = Counter(), ""
    for _, stack, count in r.counted_stacks:
        frames = [plain(f) for f in stack.split(";")]
        for mine, other in (colors, colors[::-1]):
            if f"{mine}_burn" not in frames:
                continue
            under = frames[: frames.index(f"{mine}_burn")]
            whole = under[-4:] == ["main", "invite", "guest_run", f"{mine}_guest"] and frames[0] != TRUNCATED
            false = f"{other}_guest" in under or (under[-1] not in (f"{mine}_guest", TRUNCATED))
            kind = "whole" if whole else "false" if false or frames[0] != TRUNCATED else "truncated"
            counts[kind] += int(count)
            if kind != "whole":
                odd = stack
    at_least(sum(counts.values()), 150, "samples under the guests")
    return decided(counts, odd)


RELAY = {("take_turns", "red_up"), ("take_turns", "blue_up")} | {
    pair for f in ("red", "blue") for pair in ((f"{f}_up", f"{f}_down"), (f"{f}_down", f"{f}_up"), (f"{f}_up", f"{f}_bottom"), (f"{f}_down", f"{f}_bottom"))
}
RELAY_LEVELS = {f"{f}_{way}" for f in ("red", "blue") for way in ("up", "down")}


def relay(t, engine, build, linked):
    """Exceptions through two libraries. While one is thrown, it rewrites the frames it leaves: no caller may be invented."""
    make = lambda part: t.program("relay.cc", build, [linked, "-shared", "-fPIC", f"-D{part}"], f"relay_{part.lower()}.so")
    r = t.record(t.program("relay.cc", build, [linked, "-Wl,--no-as-needed", str(make("UP")), str(make("DOWN"))]), 40, 0.8, options=["--engine", engine])
    counts, odd, thrown = Counter(), "", 0
    for _, stack, count in r.parsed("--kernel", "--count", "samples"):
        frames = [plain(f) for f in stack.split(";")]
        if frames[0] == UNSAMPLED or outside_main(stack):
            continue
        count = int(count)
        levels = [f for f in frames if f in RELAY_LEVELS]
        pairs = [pair for pair in zip(frames, frames[1:]) if pair[1] in RELAY_LEVELS]
        thrown += count * any(f.startswith("_Unwind_") for f in frames)
        false = any(pair not in RELAY and pair[0] != TRUNCATED for pair in pairs) or len({f.partition("_")[0] for f in levels}) > 1
        if frames[0] == TRUNCATED:
            kind = "false" if false else "truncated"
        else:
            at_bottom = any(f.endswith("_bottom") for f in frames)
            kind = "false" if false or frames[0] != "_start" or "take_turns" not in frames or (at_bottom and len(levels) != 40) else "whole"
        counts[kind] += count
        if kind != "whole":
            odd = f"{kind}: {stack}"
    at_least(100 * thrown / sum(counts.values()), 40, "percent of the samples while an exception is thrown")
    # With frame pointers, the last moments of the throwing function have no trace of the frame it leaves.
    return decided(counts, odd, least=97 if build == "O2" else 91) + f", {100 * thrown / sum(counts.values()):.0f} % throwing"


def panics(t, engine, build):
    """Rust panics, which reach the unwinder through a jump, not a call: the callers are still known, and none is invented."""
    r = t.record(t.program("panics.rs", build), 40, 0.8, options=["--engine", engine])
    counts, odd, thrown = Counter(), "", 0
    for _, stack, count in r.parsed("--kernel", "--count", "samples"):
        frames = [plain(f) for f in stack.split(";")]
        if frames[0] == UNSAMPLED or outside_main(stack):
            continue
        levels = [f for f in frames if f in ("panics::red", "panics::blue")]
        thrown += int(count) * any(f.startswith("_Unwind_") for f in frames)
        under = frames[: frames.index(levels[0])] if levels else frames
        raises = "_Unwind_RaiseException" in frames and frames[0] != TRUNCATED
        false = len(set(levels)) > 1 or (raises and (levels != ["panics::red"] * 41 or "panics::take_turns" not in under))
        kind = "false" if false else "truncated" if frames[0] == TRUNCATED else "whole" if "panics::take_turns" in frames else "truncated"
        counts[kind] += int(count)
        odd = odd if kind == "whole" else f"{kind}: {stack}"
    at_least(100 * thrown / sum(counts.values()), 40, "percent of the samples while a panic unwinds")
    return decided(counts, odd, least=95 if build == "fp" else 97) + f", {100 * thrown / sum(counts.values()):.0f} % unwinding"


def under(r, function, way):
    """({kind: samples}, an odd stack) of the stacks that contain the function, which is always called through `way`: a list of names,
    outermost first. A truncated stack must contain the innermost of them."""
    counts, odd = Counter(), ""
    for _, stack, count in r.counted_stacks:
        frames = [plain(f) for f in stack.split(";")]
        if function not in frames:
            continue
        callers = frames[: frames.index(function)]
        if frames[0] == TRUNCATED:
            kind = "truncated" if callers[1:] == way[len(way) - len(callers[1:]) :] else "false"
        else:
            kind = "whole" if callers[-len(way) :] == way else "false"
        counts[kind] += int(count)
        odd = odd if kind == "whole" else f"{kind}: {stack}"
    at_least(sum(counts.values()), 150, f"samples with {function}")
    return counts, odd


def near_entry(t, engine):
    """Code without tables next to the entry, on a stack of zeros, which does not prove a root."""
    r = t.record(t.program("near_entry.c"), 0.6, options=["--engine", engine])
    counts, odd = under(r, "spin_bare", ["main", "work"])
    if counts["false"]:
        raise Final(f"{counts['false']} of {sum(counts.values())} begin where nothing begins: {odd}")


def gap(t, engine):
    """Code without tables, short enough to be mistaken for padding of the previous function."""
    r = t.record(t.program("gap.c"), 0.6, options=["--engine", engine])
    return decided(*under(r, "called", ["main", "work", "through"]), least=97 if platform.machine() == "x86_64" else 0)


def between(t, engine, library):
    """Generated code between two functions, while other code is mapped and unmapped."""
    made = [t.program("between_lib.c", "fp", ["-shared", "-fPIC"], "between_lib.so")] if library else []
    r = t.record(t.program("between.c", "fp", ["-ldl"]), 0.6, *made, options=["--engine", engine])
    return decided(*under(r, "called", ["main", "lib_run", "[anon]"] if library else ["main", "[anon]"]))


def deep_exec(t):
    """A thread with deep stacks executes another program: its last samples stay with the first."""
    program = t.program("deep_exec.c")
    for _ in range(8):
        r = t.record(program, 2000, 0.04, "/bin/true", options=["--engine", "perf"])
        for command, stack, count in r.counted_stacks:
            frames = [plain(f) for f in stack.split(";")]
            if command == "true" and ("down" in frames or "[unknown]" in frames):
                raise Final(f"{count:.0f} samples of the first program in the second: {stack[:200]}")
        need(any("down" in stack for _, stack, _ in r.counted_stacks), "nothing of the first program")


def late_recorder(t, engine):
    """A thread with deep stacks runs on while the recorder has no CPU: that time is not part of what the recorder finds afterwards."""
    r = t.record(t.program("late_recorder.c"), options=["--engine", engine, "-F", "199", "--stack-size", "4096"])
    unsampled = 100 * sum(n for _, stack, n in r.stacks if stack.startswith(UNSAMPLED)) / r.total
    shares = {f: r.share(f"main > {f}") * (1 - unsampled / 100) for f in ("down", "middle", "last")}
    near(shares["last"], 40, 6, "share of last")
    near(shares["down"], 20, 6, "share of down")
    near(shares["middle"] + unsampled, 40, 6, "share of middle")
    if engine == "perf":  # the kernel samples meanwhile
        at_least(shares["middle"], 30, "share of middle")
    return f"{r.json['samples']} samples"


def stopped_recorder(t, mode):
    """All stacks are deep, and the recorder stands still for a part of the time. A thread that it can stop by a signal waits for it. Of one
    that blocks all signals, what the recorder did not see stays truncated, and it says so."""
    file = t.tmp / "p.wick"
    p = t.start_process([t.wick_path, "record", "--engine", "perf", "-o", file, "--", t.program("deep_signals.c"), mode, 1], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
    wait_until(lambda: file.exists(), what="the recording")
    for _ in range(4):
        time.sleep(0.05)
        os.kill(p.pid, signal.SIGSTOP)
        time.sleep(0.12)
        os.kill(p.pid, signal.SIGCONT)
    _, err = p.communicate(timeout=60)
    r = Recording(t, file, subprocess.CompletedProcess([], p.returncode, b"", err))
    truncated = sum(n for _, stack, n in r.stacks if stack.startswith(TRUNCATED))
    late = r.json["losses"].get("samples.late", 0)
    need(abs(truncated - late) <= 0.05 * late + 3, f"{truncated:.0f} periods are truncated, {late} samples are said to be late")
    if mode == "blocked":
        complete(late, 60, "samples that came too late")
        need("stopped threads with deep stacks too late" in r.stderr, f"not said:\n{r.stderr}")
    else:
        complete(100 - 100 * late / r.total, 97, "percent of the samples in time")
    for _, stack, n in r.stacks:
        if not stack.startswith((TRUNCATED, UNSAMPLED)) and ";burn" in stack and stack.count(";down") != 450:
            raise Final(f"a stack that never was, {n:.0f} times: {stack[:200]}")
    return f"{late} late"


def suspended(t):
    """A process with deep stacks does not wait for a recorder that Ctrl-Z has suspended."""
    target = t.start_process([t.program("deep_signals.c"), "burn", 60])
    file = t.tmp / "p.wick"
    # A group whose parent is in the same session, as shells make them: others cannot be suspended.
    p = t.start_process([t.wick_path, "record", "-q", "--engine", "perf", "-o", file, "-p", target.pid], start_new_session=False, process_group=0)
    wait_until(lambda: "TracerPid:\t0" not in Path(f"/proc/{target.pid}/status").read_text(), what="tracing")
    os.kill(p.pid, signal.SIGTSTP)
    wait_until(lambda: ") T " in Path(f"/proc/{p.pid}/stat").read_text(), what="the suspension")
    before = cpu_seconds(target.pid)
    wait_until(lambda: cpu_seconds(target.pid) > before + 0.2, what="the target's work meanwhile")
    os.kill(p.pid, signal.SIGCONT)
    wait_until(lambda: "TracerPid:\t0" not in Path(f"/proc/{target.pid}/status").read_text(), what="tracing again")
    time.sleep(0.5)
    os.kill(p.pid, signal.SIGINT)
    need(p.wait(60) == 0, f"the recording ended with {p.returncode}")
    need(target.poll() is None, "the target ended")
    target.kill()
    r = Recording(t, file, subprocess.CompletedProcess([], 0, b"", b""))
    need(any(s.startswith("_start") or ";main;down" in s for _, s, _ in r.stacks), "no complete stack")


def deep_signals(t, mode, user=None):
    """Whatever a thread with deep stacks does with signals, its stacks are complete, and no handler of it runs."""
    if user:
        root_only()
    r = t.record(t.program("deep_signals.c"), mode, "1.2", options=["--engine", "perf"], user=user)
    # Until wick notices that a signal is blocked, stacks are truncated; and on a busy machine, those of threads that it stops by ticks.
    return r.whole("main > down+ > burn_seconds", least=97 if mode == "burn" else 90)


def deep_kernel(t):
    """Samples of a thread with deep stacks in system calls have the kernel's functions."""
    root_only()
    r = t.record(t.program("deep_signals.c"), "plain", "1.2", options=["--engine", "perf"])
    wanted, kernel = float(r.stdout), 0.0
    for _, stack, n in r.parsed("--kernel"):
        if stack.startswith((TRUNCATED, UNSAMPLED)) or ";down;" not in stack:
            continue
        kernel += n if stack.endswith(KERNEL) else 0
    near(100 * kernel / r.total, wanted, r.chance(wanted, 6), "share of the kernel's functions")
    return r.whole("main > down+ > /read_zeros|burn_seconds/", least=96)


def bare_library(t, engine, stripped, fp):
    """A library without tables, called by code with frame pointers: no caller is skipped. Without symbols and frame pointers nothing
    proves a caller."""
    bare = ["-shared", "-fPIC", "-fno-asynchronous-unwind-tables", "-fno-unwind-tables", "-fvisibility=hidden", "-nostdlib"]
    bare += ["-fno-omit-frame-pointer" if fp else "-fomit-frame-pointer"] + (["-s"] if stripped else [])
    library = t.program("bare_lib.c", "O2", bare, "libbare.so")
    r = t.record(t.program("bare_calls.c", "fp", ["-Wl,--no-as-needed", str(library)]), "0.6", options=["--engine", engine])
    whole = cut = 0
    for _, stack, n in r.stacks:
        frames = stack.split(";")
        inside = [i for i, frame in enumerate(frames) if "bare_" in frame or "libbare" in frame]
        if not inside:
            continue
        caller = frames[inside[0] - 1]
        if caller == TRUNCATED:
            cut += n
        elif caller in ("first_inner", "second_inner") and frames[inside[0] - 2] == caller.replace("inner", "outer"):
            if len(inside) != 2 and "bare_inner" in frames:
                raise Final(f"a function of the library is missing: {stack}")
            whole += n
        else:
            raise Final(f"a stack that never was: {stack}")
    complete(whole + cut, 100, "samples in the library")
    if (fp or not stripped) and platform.machine() == "x86_64":  # instructions are decoded there only
        complete(100 * whole / (whole + cut), 97, "percent of them whole")
    return f"{100 * whole / (whole + cut):.1f} % whole"


def tests():
    made = {"deep_exec": deep_exec, "deep_kernel": deep_kernel, "suspended": suspended}
    for mode in ("burn", "blocked"):
        made[f"stopped_recorder.{mode}"] = functools.partial(stopped_recorder, mode=mode)
    for mode in ("burn", "blocked", "later", "caught"):
        made[f"deep_signals.{mode}"] = functools.partial(deep_signals, mode=mode)
        made[f"deep_signals.{mode}.nobody"] = functools.partial(deep_signals, mode=mode, user="nobody")

    def add(case, suffix, **how):
        name, mode, levels, least = case
        test = functools.partial(true_stacks, mode=mode, levels=levels, least=least, **how)
        test.serial = how.get("engine", "perf") == "perf"  # next to other tests, the recorder would notice later
        made[f"{name}.{suffix}"] = test

    for engine in ("perf", "ptrace"):
        made[f"late_recorder.{engine}"] = functools.partial(late_recorder, engine=engine)
        made[f"regex.{engine}"] = functools.partial(regex, engine=engine)
        for name, build, linked in (("stubs", "fp", "-fplt"), ("pointers", "fp", "-fno-plt"), ("without_fp", "O2", "-fplt")):
            made[f"relay_{name}.{engine}"] = functools.partial(relay, engine=engine, build=build, linked=linked)
        for build in ("release", "lto", "fp"):
            made[f"panics.{build}.{engine}"] = functools.partial(panics, engine=engine, build=build)
        for name, stripped, fp in (("library", False, False), ("stripped", True, False), ("stripped_fp", True, True)):
            made[f"bare_{name}.{engine}"] = functools.partial(bare_library, engine=engine, stripped=stripped, fp=fp)
        made[f"gap.{engine}"] = functools.partial(gap, engine=engine)
        made[f"near_entry.{engine}"] = functools.partial(near_entry, engine=engine)
        for name, library in (("library", True), ("writable", False)):
            made[f"between_{name}.{engine}"] = functools.partial(between, engine=engine, library=library)
        made[f"guests.{engine}"] = functools.partial(guests, engine=engine)
        made[f"guests.{engine}.nobody"] = functools.partial(guests, engine=engine, user="nobody")
        for case in EVERY:
            add(case, engine, engine=engine)
        for case in AS_USER:
            add(case, f"{engine}.nobody", engine=engine, user="nobody")
        for case in (UNEQUAL_60K, POINTERS_150K):
            add(case, f"{engine}.threads", engine=engine, threads=4)
    for case in ATTACHED:
        add(case, "attached", attached=True)
    add(POINTERS_150K, "attached.threads", attached=True, threads=4)
    for case in (UNEQUAL_60K, POINTERS_150K, EQUAL_1M):
        add(case, "attached.nobody", attached=True, user="nobody")
    return made
