# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Symbols of code generated at run time (perf maps, jitdump), and of Go programs, which have their own table."""

import functools
import random

from harness import *  # noqa: F403
from test_symbols import chains_of_wick, run_ok, text_section

ENGINES = ("perf", "ptrace")
RUN = "main > run_both > run > {}$"
HOT = "JS:*hot /x/@y/a b.js:1:2"


def forget_maps(r):
    """Removes the maps that the recorded processes left in /tmp; the recording contains the symbols."""
    recorded = {m for line in r.collapsed("--pid") for m in re.findall(r"^[^;]*?(\d+);", line)}
    for pid in recorded | set(r.stdout.split()):
        Path(f"/tmp/perf-{pid}.map").unlink(missing_ok=True)


def record(t, mode, engine="perf"):
    r = t.record(t.program("generated.c"), mode, "0.6", options=["--engine", engine])
    forget_maps(r)
    r.properties()
    return r


def perf_map(mode, t, engine):
    r = record(t, mode, engine)
    r.shares({RUN.format("hot" if mode == "forked" else HOT): 75, RUN.format("cold"): 25}, 12)
    need("something older" not in " ".join(s for _, s, _ in r.stacks), "a name that was replaced is shown")
    return r.whole("main", least=98)


def twins(t, engine):
    """Two processes with different code at the same address."""
    r = record(t, "twins", engine)
    r.shares({"main > run > hot$": 50, "main > run > other hot$": 50}, 14)


def dump(t, engine):
    """Replaced code: each sample gets the symbol that was valid when it ran."""
    r = record(t, "dump", engine)
    r.shares({"main > run > first$": 50, "main > run > second$": 50}, 14)
    lines = json.loads(t.good("report", r.file, "--by", "line", "--json"))
    need(any("first.lua:42" in str(f) for f in lines["lines"]), f"no line of the generated code: {str(lines)[:500]}")


def test_container(t):
    """A process with its own /tmp and PID namespace, which is gone when the recording ends."""
    root_only()
    cmd = [tool("unshare"), "--mount", "--pid", "--fork"]
    if t.run(*cmd, "true").returncode != 0:
        raise Skip("may not make namespaces")
    script = 'mount -t tmpfs none /mnt && cp "$0" /mnt/generated && mount -t tmpfs none /tmp && exec /mnt/generated map 0.6'
    r = t.record(*cmd, "sh", "-c", script, t.program("generated.c"))
    near(r.share(HOT + "$", "generated"), 75, 15, "share of the hot code")
    near(r.share("cold$", "generated"), 25, 15, "share of the other")


def test_another_users_map(t):
    """Anyone may leave a map for another user's process in /tmp: it is not used."""
    root_only()
    script = '"$0" map 0.6 & pid=$!; wait $pid; chown 12345 /tmp/perf-$pid.map'
    r = t.record("sh", "-c", script, t.program("generated.c"), quiet=False)
    forget_maps(r)
    need("man wick-record" in r.stderr, f"nothing says how to get names: {r.stderr}")
    need("hot" not in " ".join(s for _, s, _ in r.stacks), "names from a file of another user are used")
    at_least(r.share("main > run_both > run > [anon]$", "generated"), 90, "percent without a name")


def mostly_whole(r):
    not_whole = sum(n for name, n in r.json["losses"].items() if name.startswith("stacks."))
    complete(100 - 100 * not_whole / r.json["samples"], 95, "percent of the stacks that are complete")


NODE = """
function leaf(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) | 0; return s; }
function caller(n) { let s = 0; for (let i = 0; i < 50; i++) s += leaf(n); return s; }
const end = Date.now() + 900; let s = 0;
while (Date.now() < end) s += caller(20000);
console.log(s);
"""


def node(option, t):
    program = tool("node")
    (t.tmp / "@app").mkdir()
    script = t.tmp / "@app" / "work.js"
    script.write_text(NODE)
    r = t.record(program, option, "--interpreted-frames-native-stack", "--no-turbo-inlining", script)
    forget_maps(r)
    leaf, caller = (rf"/(?:JS|LazyCompile|Function):\S?{name} {re.escape(str(script))}:\d+:\d+/" for name in ("leaf", "caller"))
    at_least(r.share(leaf + "$"), 60, "percent in the JavaScript function")
    at_least(r.share(f"node::Start > * > {caller} > * > {leaf}$"), 40, "percent from node's start through the caller to it")
    mostly_whole(r)


def go_program(t, *options, name="gowork", env=None):
    go = tool("go")
    out = t.tmp / name
    environment = {**os.environ, "GOFLAGS": "-mod=mod", "GOCACHE": str(t.programs.folder / "go-cache"), "GO111MODULE": "off", "CGO_ENABLED": "0", **(env or {})}
    r = subprocess.run([go, "build", "-o", out, *options, PROGRAMS / "gowork.go"], capture_output=True, text=True, env=environment, timeout=600)
    if r.returncode != 0:
        raise Skip(f"go cannot build: {r.stderr.strip()[-150:]}")
    return out


STRIP = "-ldflags=-s -w"
GO_BUILDS = {"normal": [], "stripped": [STRIP], "no_dwarf": ["-ldflags=-w"], "pie_stripped": ["-buildmode=pie", STRIP]}


def go_names(build, t):
    r = t.record(go_program(t, *GO_BUILDS[build]), "0.7")
    r.shares({"main.(*worker).run > main.burn": 75, "main.main > main.spend > main.burn": 25}, 14)
    at_least(r.share("main.burn > main.step$"), 70, "percent in what is inlined into main.burn")
    rows = json.loads(t.good("report", r.file, "--by", "line", "--json"))["lines"]
    need(any(re.search(r"gowork\.go:\d+", str(f)) for f in rows), f"no lines: {str(rows)[:400]}")
    at_least(r.share("/runtime.goexit(.abi0)?/ > * > main.burn"), 90, "percent from the begin of a goroutine")
    mostly_whole(r)


def go_chains(machine, options, t):
    """The table agrees with the debug info: functions, including inlined ones, files and lines."""
    env = {"GOARCH": machine}
    whole = go_program(t, *options, name="whole", env=env)
    bare = go_program(t, *options, STRIP, name="bare", env=env)
    begin, size = text_section(whole)
    bare_begin, bare_size = text_section(bare)
    need(size == bare_size, "the code is not the same")
    rnd = random.Random(11)
    offsets = sorted({rnd.randrange(size) for _ in range(5000)})
    theirs = chains_of_wick(t, whole, [begin + o for o in offsets])
    mine = chains_of_wick(t, bare, [bare_begin + o for o in offsets])

    def plainly(chain):
        # Ignores the linker's suffixes and the way paths without a file are written; the table has no columns.
        return [(f.removesuffix(".abi0"), path.removeprefix("./").removeprefix("./"), line) for f, path, line, _ in chain]

    different = [(o, plainly(theirs[begin + o]), plainly(mine[bare_begin + o])) for o in offsets if plainly(theirs[begin + o]) != plainly(mine[bare_begin + o])]
    inlined = sum(len(c) > 1 for c in mine.values())
    need(inlined > 200, f"only {inlined} addresses in inlined functions")
    need(len(different) <= len(offsets) // 500, f"{len(different)} of {len(offsets)} differ, such as {different[:3]}")
    return f"{len(offsets) - len(different)} of {len(offsets)} the same, {inlined} of them inlined"


def tests():
    made = {}
    for engine in ENGINES:
        for mode in ("map", "memfd", "forked"):
            made[f"perf_map.{mode}.{engine}"] = functools.partial(perf_map, mode, engine=engine)
        made[f"twins.{engine}"] = functools.partial(twins, engine=engine)
        made[f"dump.{engine}"] = functools.partial(dump, engine=engine)
    for option in ("--perf-basic-prof", "--perf-prof"):
        made[f"node.{option[2:]}"] = functools.partial(node, option)
    for build in GO_BUILDS:
        made[f"go.{build}"] = functools.partial(go_names, build)
    made["go_chains.amd64"] = functools.partial(go_chains, "amd64", [])
    made["go_chains.arm64"] = functools.partial(go_chains, "arm64", [])
    made["go_chains.pie"] = functools.partial(go_chains, {"x86_64": "amd64", "aarch64": "arm64"}.get(ARCH, ARCH), ["-buildmode=pie"])
    return made
