# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Each truth program, in several builds, recorded by each engine: known shares, known callers, complete stacks."""

import functools

from harness import *  # noqa: F403

ENGINES = ("perf", "ptrace")
C_BUILDS = ("O2", "O0", "clang", "static-stripped")
ALL_C_BUILDS = tuple(BUILDS)
RUST = ("release", "debug", "lld")
# Threads start here in glibc; Debian's libc has no symbols for the two frames.
THREAD = r"/(__clone3?|clone|start_thread|\[libc.*\]|\[.*\])/ > *"


# Tolerance of a share in points. With about 1,200 samples, chance alone puts one share in a hundred 3.6 points off; it is retried
# once.
TOLERANCE = {"perf": 4, "ptrace": 5}


# A stack deeper than the copy is truncated until the recorder notices that its thread has such stacks.
DEEP = {"perf": 97, "ptrace": 99}
DEEP_SECONDS = {"perf": "1.2", "ptrace": "0.8"}  # it takes 5 to 30 ms, the more the busier the machine is
# While an exception is thrown, the frame pointer needed for unwinding is overwritten at some moments.
THROWING = 94


def no_names(build):
    return build in STRIPPED


def shares(t, build, engine):
    r = t.record(t.program("shares.c", build), "1.2", options=["--engine", engine])
    r.properties()
    if no_names(build):
        return r.deep_enough(5)  # start, main, run, round_of_work, heavy, burn; _start and libc's frames may have no symbols
    burn = "run > round_of_work > {} > burn"
    r.shares({burn.format("heavy"): 60, burn.format("middle"): 30, burn.format("light"): 10}, TOLERANCE[engine])
    return r.whole("main > run")


def threaded_shares(t, build, engine):
    r = t.record(t.program("shares.c", build), "0.7", "2", options=["--engine", engine])
    if no_names(build):
        return r.deep_enough(5)
    r.shares({"round_of_work > heavy": 60, "round_of_work > middle": 30, "round_of_work > light": 10}, TOLERANCE[engine])
    r.near_share("start > run", 50, TOLERANCE[engine], "share of the second thread")
    return r.whole("main > run", "start > run")


def callers(t, build, engine):
    r = t.record(t.program("callers.cc", build), "1.2", options=["--engine", engine])
    if no_names(build):
        return r.deep_enough(6)
    top = "main > shop::checkout > {}"
    r.shares(
        {
            top.format("shop::by_virtual > shop::Cart::total > burn"): 40,
            top.format("shop::by_function > * > shop::Tax::operator() > burn"): 30,
            top.format(r"shop::by_sort > * > /(bool )?shop::average<double>.*/ > burn"): 20,
            top.format("shop::by_destructor > shop::Guard::~Guard > burn"): 10,
        },
        TOLERANCE[engine],
    )
    return r.whole("main > shop::checkout")


def deep(t, build, engine):
    r = t.record(t.program("deep.c", build), "10000", DEEP_SECONDS[engine], options=["--engine", engine])
    deepest = max(s.count(";") for _, s, _ in r.stacks)
    need(deepest >= 10000, f"the deepest stack has only {deepest} frames")
    if no_names(build):
        return r.deep_enough(10000, DEEP[engine])
    return r.whole("main > down+ > burn_seconds", least=DEEP[engine])


def mutual(t, build, engine):
    r = t.record(t.program("deep.c", build), "3000", DEEP_SECONDS[engine], "two", options=["--engine", engine])
    r.whole("main > ping > pong > ping > * > burn_seconds", least=DEEP[engine])
    pattern = re.compile(r"(^|;)main;(ping;pong;){1500}burn_seconds")
    complete(r.part_of_complete(pattern), DEEP[engine] - 1, "percent of the complete stacks with every level")


def threads(t, build, engine):
    r = t.record(t.program("threads.c", build), "200", "0.01", options=["--engine", engine])
    lines = r.collapsed("--tid")
    names = {l.split(";")[0] for l in lines if no_names(build) or "thread_main" in l or f";{UNSAMPLED}" in l}
    complete(len(names), 190, "threads seen")
    # On a busy machine, ptrace cannot stop each of 200 threads within its 10 ms: that time is [unsampled], under the thread's name.
    sampled = {l.split(";")[0] for l in lines if no_names(build) or "thread_main" in l}
    complete(len(sampled), 190 if engine == "perf" else 100, "threads sampled")
    by_thread = json.loads(t.good("report", r.file, "--json", "--by", "thread"))
    named = {m.group() for f in by_thread["threads"] for m in [re.search(r"job-\d+", f["name"])] if m}
    complete(len(named), 190, "threads seen by their own name")
    return r.deep_enough(5) if no_names(build) else r.whole("thread_main > job > burn_seconds", "thread_main > /.*barrier_wait/", "main")


def pool(t, build, engine):
    r = t.record(t.program("pool.cc", build), "1.2", "4", options=["--engine", engine])
    work = "Pool::work > {} > burn"
    a, b = r.share(work.format("Sum::run")), r.share(work.format("Hash::run"))
    truth = float(r.stdout.split()[-1])  # its own measurement, which is 66.7 unless the machine slowed one kind of task down
    near(100 * a / (a + b) if a + b else 0, truth, r.chance(truth, TOLERANCE[engine]), "share of Sum among the tasks")
    return r.whole("Pool::work", "main", "pthread_create", least=98)


def plugins(t, build, engine):
    made = [
        t.program("plugin.c", "clang" if build == "clang" else "O2", ["-shared", "-fPIC", f"-DNAME={n}", f"-DPAD={p}"], f"{n}.so")
        for n, p in (("red", 16), ("green", 4000))
    ]
    r = t.record(t.program("loader.c", build, ["-ldl"]), "1", *made, options=["--engine", engine])
    way = "main > load_and_run > plugin_run > {}_work"
    r.shares({way.format("red"): 50, way.format("green"): 50}, TOLERANCE[engine])
    modules = {f["name"]: Path(f["module"]).name for f in r.json["functions"] if f["name"] in ("red_work", "green_work")}
    need(modules == {"red_work": "red.so", "green_work": "green.so"}, f"modules: {modules}")
    return r.whole("main > load_and_run")


def handlers(way, t, build, engine):
    r = t.record(t.program("handlers.c", build), way, "1.2", options=["--engine", engine])
    if no_names(build):
        return r.deep_enough(4, DEEP[engine])
    # In between is the code that raised the signal: kill (libc), and the trampoline that the kernel returns through.
    under = "main > interrupted > * > handler"
    if way == "nested":
        r.near_share("main > interrupted > * > handler > * > second_handler > burn", 33.3, TOLERANCE[engine], "share of the second handler")
        r.near_share("handler", 66.7, TOLERANCE[engine], "share of the first handler")
    else:
        r.near_share(under, 50, TOLERANCE[engine] + 1, "share of the handler")
    # The handler's own code takes no time. It must not get the time before the signal, which stops the thread for the tracer.
    at_most(sum(r.share(name + "$") for name in ("handler", "second_handler")), 2, "self share of the handlers")
    return r.whole("main > interrupted", least=DEEP[engine])


def timers(t, build, engine):
    r = t.record(t.program("timers.c", build), "0.8", options=["--engine", engine])
    at_least(r.share("main > called > interrupted > * > on_timer"), 1, "share of the handler under what it interrupted")
    return r.whole("main > called > interrupted", least=DEEP[engine])


def bigframe(t, build, engine):
    r = t.record(t.program("bigframe.c", build), DEEP_SECONDS[engine], options=["--engine", engine])
    return r.deep_enough(6, DEEP[engine]) if no_names(build) else r.whole("main > outer > big > inner > burn_seconds", least=DEEP[engine])


def longjmp(t, build, engine):
    r = t.record(t.program("jumps.c", build), "long", "0.8", options=["--engine", engine])
    pattern = re.compile(r"(^|;)main;jumping;(leap;){20}burn(;|$)")
    complete(r.part_of_complete(pattern), 97, "percent of the complete stacks with all 20 levels")
    return r.whole("main > jumping")


def contexts(t, build, engine):
    r = t.record(t.program("jumps.c", build), "context", "1.2", options=["--engine", engine])
    r.shares({"main > weave > burn": 50, "co_main > co_step > burn": 50}, TOLERANCE[engine] + 2)  # turns are as long as a period
    return r.whole("main > weave", "co_main > co_step", "co_main > swapcontext")


def throws(t, build, engine):
    r = t.record(t.program("throws.cc", build), "1.6", options=["--engine", engine])
    if no_names(build):
        return r.deep_enough(4, r.lowest_by_chance(THROWING))
    at_least(r.share("main > catcher > middle_catcher > fall+ > *"), 30, "share under fall")
    return r.whole("main > catcher", least=r.lowest_by_chance(THROWING))


def callbacks(t, build, engine):
    r = t.record(t.program("callbacks.c", build), "1.2", options=["--engine", engine])
    if no_names(build):
        return r.deep_enough(4)
    r.shares(
        {
            "main > sorting > * > compare > burn": 40,
            "main > searching > * > look > burn": 30,
            "main > once > * > first_time > burn_seconds > burn": 20,
            "main > * > at_end > burn_seconds > burn": 10,
        },
        TOLERANCE[engine],
    )
    return r.whole("main")


def jit(t, build, engine):
    r = t.record(t.program("jit.c", build), "1.2", options=["--engine", engine])
    r.near_share("main > generated > /[^;]*/ > called_back > burn", 50, TOLERANCE[engine] + 2, "share below the generated code")
    r.near_share("main > generated > /[^;]*anon[^;]*/$", 50, TOLERANCE[engine] + 2, "share in the generated code")
    return r.whole("main > generated", least=98)


def two_bursts(t, build, engine, depth):
    """Time of short bursts that could not be sampled is not given to the long one."""
    r = t.record(t.program("two_bursts.c", build), "1.2", depth, options=["--engine", engine])
    if engine == "perf":
        r.whole("main > deeper+", least=95)
    return burst_shares(r, engine)


def in_step(t, build, engine):
    """Bursts that the ticks of the sampling clock start are sampled like others."""
    return burst_shares(t.record(t.program("in_step.c", build), "1.2", options=["--engine", engine]), engine)


def burst_shares(r, engine):
    truth = float(r.stdout)
    got = {name: 100 * max(f["total"] for f in r.json["functions"] if f["name"] == name) / r.json["total"] for name in ("long_burst", "short_burst")}
    if engine == "perf":
        near(got["long_burst"], truth, r.chance(truth, 6), "share of the long bursts")
        near(got["short_burst"], 100 - truth, r.chance(100 - truth, 6), "share of the short bursts")
    else:  # some of either is unsampled
        at_most(got["long_burst"], truth + r.chance(truth, 6), "share of the long bursts")
        at_least(got["long_burst"], 0.75 * truth, "share of the long bursts")
    return f"long {got['long_burst']:.1f} %, short {got['short_burst']:.1f} %, truth {truth:.1f} %"


def rusty(t, build, engine):
    r = t.record(t.program("rusty.rs", build), "1.2", options=["--engine", engine])
    if no_names(build):
        return r.deep_enough(5)
    work = "rusty::work > * > {}"
    r.shares(
        {
            work.format("/.*rusty::Square.*::area.*/ > rusty::burn"): 50,
            work.format("rusty::folded > * > rusty::burn"): 30,
            work.format("rusty::panicking > * > rusty::weigh > rusty::burn"): 20,
        },
        TOLERANCE[engine],
    )
    return r.whole("rusty::work")


def bursts(t, build, engine):
    if engine == "ptrace" and tuple(int(n) for n in re.findall(r"\d+", platform.release())[:2]) < (6, 12):
        raise Skip("before Linux 6.12, a program may finish its burst before the recorder gets a shared CPU")
    r = t.record(t.program("bursts.c", build), "1.5", options=["--engine", engine])
    cpu = r.json["cpu_ns"]
    at_least(100 * cpu["sampled"] / cpu["counted"], 80, "percent of the CPU time that was sampled")
    at_least(r.share("main > burst > burn"), 90, "share of the bursts")


def machine(t, build, engine):
    r = t.record(t.program("machine.rs", build), DEEP_SECONDS[engine], "30", options=["--engine", engine])
    if no_names(build):
        return r.deep_enough(30, DEEP[engine])
    complete(r.share("machine::main > * > /machine::run_inline.*/ > * > machine::Leaf::leaf_poll > machine::burn"), 90, "percent down to the leaf")
    return r.whole("machine::main", least=DEEP[engine])


def tests():
    """name -> function for every program, build and engine."""
    table = [
        ("shares", shares, ALL_C_BUILDS),
        ("threaded_shares", threaded_shares, ("O2", "static", "clang")),
        ("callers", callers, ("O2", "O0", "O3", "fp", "static", "clang", "stripped")),
        ("deep", deep, ("O2", "O0", "static-stripped", "clang")),
        ("mutual", mutual, ("O2",)),
        ("threads", threads, ("O2", "static-stripped")),
        ("pool", pool, ("O2", "O3", "static", "clang")),
        ("plugins", plugins, ("O2", "clang")),
        ("handlers_alt", functools.partial(handlers, "alt"), ("O2", "O0", "static", "static-stripped", "clang")),
        ("handlers_same", functools.partial(handlers, "same"), ("O2", "clang")),
        ("handlers_nested", functools.partial(handlers, "nested"), ("O2", "static-pie")),
        ("timers", timers, ("O2", "O0", "clang")),
        ("bursts", bursts, ("O2",)),
        ("two_bursts_shallow", functools.partial(two_bursts, depth=3), ("O2",)),
        ("two_bursts_deep", functools.partial(two_bursts, depth=200), ("O2",)),
        ("in_step", in_step, ("O2",)),
        ("bigframe", bigframe, C_BUILDS),
        ("longjmp", longjmp, ("O2", "O0", "static-pie")),
        ("contexts", contexts, ("O2",)),
        ("throws", throws, ("O2", "O0", "static", "static-stripped", "clang")),
        ("callbacks", callbacks, ("O2", "O0", "fp", "static", "static-pie", "hardened", "debug-frame", "clang")),
        ("jit", jit, ("O2", "O0")),
        ("rusty", rusty, tuple(RUST_BUILDS)),
        ("machine", machine, RUST),
    ]
    made = {}
    for name, function, builds in table:
        for build in builds:
            for engine in ENGINES:
                test = functools.partial(function, build=build, engine=engine)
                test.serial = engine == "perf" and name in ("deep", "mutual", "bigframe", "handlers_alt", "handlers_nested", "machine")  # next to other tests, the recorder would notice later
                made[f"{name}.{build}.{engine}"] = test
    return made
