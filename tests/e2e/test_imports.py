# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Profiles made here with other tools: wick finds the same in them as those tools."""

import json
import re
import subprocess

from harness import *  # noqa: F403

GO = """package main

import (
	"os"
	"runtime"
	"runtime/pprof"
)

var sink int
var keep [][]byte

//go:noinline
func heavy(n int) int { s := 0; for i := 0; i < n; i++ { s += i * i % 7 }; return s }

//go:noinline
func light(n int) int { s := 0; for i := 0; i < n; i++ { s += i * i % 7 }; return s }

//go:noinline
func alloc() { keep = append(keep, make([]byte, 1<<20)) }

func main() {
	runtime.MemProfileRate = 1
	f, _ := os.Create("cpu.pb.gz")
	pprof.StartCPUProfile(f)
	for i := 0; i < 60; i++ { sink += heavy(12000000); sink += light(4000000) }
	pprof.StopCPUProfile()
	f.Close()
	for i := 0; i < 8; i++ { alloc() }
	runtime.GC()
	h, _ := os.Create("heap.pb.gz")
	pprof.Lookup("heap").WriteTo(h, 0)
	h.Close()
	println(len(keep))
}
"""

JS = """function heavy(n) { let s = 0; for (let i = 0; i < n; i++) s += Math.sqrt(i) % 3; return s; }
function light(n) { let s = 0; for (let i = 0; i < n; i++) s += Math.sqrt(i) % 3; return s; }
function run() { let s = 0; for (let i = 0; i < 20; i++) { s += heavy(3e6); s += light(1e6); } return s; }
console.log(run());
"""

C = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
__attribute__((noinline)) int leaf(int n) { volatile int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
__attribute__((noinline)) int a(int n) { return leaf(n) + leaf(n / 2); }
__attribute__((noinline)) int b(int n) { return leaf(n / 4); }
__attribute__((noinline)) int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__attribute__((noinline)) char* keep(int n) { return memset(malloc(n), 1, n); }
int main() {
  int s = 0;
  for (int i = 0; i < 50; i++) { s += a(1000) + b(1000) + keep(1000)[3]; }
  printf("%d\\n", s + fib(12));
}
"""


def functions(t, *args):
    report = json.loads(t.good("report", "--json", *args))
    own = sum(f["self"] for f in report["functions"])
    need(own == report["total"], f"self costs sum to {own}, the total is {report['total']}")
    return report, {f["name"]: f for f in report["functions"]}


def made(t, *cmd, timeout=120):
    r = t.run(*cmd, timeout=timeout)
    need(r.returncode == 0, f"{cmd[0]}: code {r.returncode}: {r.stderr.decode('utf-8', 'replace')[-300:]}")
    return r.stdout.decode("utf-8", "replace")


def with_go(t, *args):
    """Runs Go with the user's caches: without them it compiles its own library, and pprof."""
    r = subprocess.run([tool("go"), *args], cwd=t.tmp, capture_output=True, text=True, timeout=400)
    need(r.returncode == 0, f"go {args[0]}: code {r.returncode}: {r.stderr[-300:]}")
    return r.stdout


def c_program(t):
    (t.tmp / "graph.c").write_text(C)
    made(t, tool("gcc"), "-g", "-O1", "graph.c", "-o", "graph")
    return t.tmp / "graph"


def test_pprof_of_go(t):
    """Go's CPU and heap profiles: shares, samples, bytes, and the totals of `go tool pprof`."""
    (t.tmp / "hot.go").write_text(GO)
    with_go(t, "build", "-o", "hot", "hot.go")
    made(t, t.tmp / "hot")
    report, by_name = functions(t, t.tmp / "cpu.pb.gz")
    need(report["unit"] == "ns", f"the unit is {report['unit']}")
    each = report["total"] / report["samples"]
    need(each == 10_000_000, f"a sample of Go's is 10 ms, not {each} ns")
    near(100 * by_name["main.heavy"]["total"] / report["total"], 75, 8, "share of heavy")
    near(100 * by_name["main.light"]["total"] / report["total"], 25, 8, "share of light")
    top = with_go(t, "tool", "pprof", "-top", "-unit=ns", "cpu.pb.gz")
    for name in ("main.heavy", "main.light", "main.main"):
        row = next(l for l in top.splitlines() if l.endswith(" " + name)).split()
        need(float(row[3].removesuffix("ns")) == by_name[name]["total"], f"{name}: {by_name[name]['total']}, pprof has {row[3]}")
    report, by_name = functions(t, t.tmp / "heap.pb.gz")
    need(report["event"] == "inuse_space", f"the first event is {report['event']}")
    need(by_name["main.alloc"]["self"] >= 8 << 20, f"alloc has {by_name['main.alloc']['self']} bytes")
    return f"{report['samples']} objects"


def test_cpuprofile_of_node(t):
    """node --cpu-prof: shares of two functions."""
    (t.tmp / "hot.js").write_text(JS)
    made(t, tool("node"), "--cpu-prof", "--cpu-prof-dir=.", "--cpu-prof-name=hot.cpuprofile", "hot.js")
    report, by_name = functions(t, t.tmp / "hot.cpuprofile")
    data = json.loads((t.tmp / "hot.cpuprofile").read_text())
    need(report["samples"] == len(data["samples"]), f"{report['samples']} samples, the file has {len(data['samples'])}")
    near(by_name["heavy"]["self"] / by_name["light"]["self"], 3, 0.5, "heavy to light")
    return f"{report['samples']} samples"


def test_callgrind(t):
    """valgrind --tool=callgrind: the self cost of every function as in callgrind_annotate; the total where nothing recurses."""
    program = c_program(t)
    valgrind, annotate = tool("valgrind"), tool("callgrind_annotate")
    for options in ([], ["--dump-instr=yes"], ["--compress-strings=no", "--compress-pos=no"], ["--separate-recs=2"]):
        out = t.tmp / "callgrind.out.1"
        made(t, valgrind, "-q", "--tool=callgrind", f"--callgrind-out-file={out}", *options, program)
        report, by_name = functions(t, out)
        text = made(t, annotate, "--threshold=100", out)
        theirs = {}
        for cost, name in re.findall(r"(?m)^\s*([\d,]+) +\([ \d.]+%\)  \S*?:([^\s:]+)", text):
            name = re.sub(r"'\d+$", "", name)
            theirs[name] = theirs.get(name, 0) + int(cost.replace(",", ""))
        need(theirs.get("leaf", 0) > 100_000, f"callgrind_annotate gave {len(theirs)} functions")
        for name in ("leaf", "a", "b", "fib", "keep", "main"):
            need(by_name[name]["self"] == theirs.get(name), f"{options} {name}: {by_name[name]['self']}, not {theirs.get(name)}")
        total = int(re.search(r"(?m)^totals: (\d+)", out.read_text())[1])
        need(report["total"] == total, f"{options}: in all {report['total']}, not {total}")
        text = made(t, annotate, "--inclusive=yes", "--threshold=100", out)
        for name in ("a", "b", "main"):
            want = int(re.search(rf"(?m)^\s*([\d,]+) +\([ \d.]+%\)  \S*?:{name}\b", text)[1].replace(",", ""))
            need(abs(by_name[name]["total"] - want) <= want * 0.005, f"{options} {name} with calls: {by_name[name]['total']}, not {want}")
    return f"{len(by_name)} functions"


def test_dhat(t):
    """valgrind --tool=dhat: allocations and their functions."""
    program = c_program(t)
    made(t, tool("valgrind"), "-q", "--tool=dhat", "--dhat-out-file=dhat.json", program)
    report, by_name = functions(t, t.tmp / "dhat.json")
    need(by_name["keep"]["total"] == 50_000, f"keep has {by_name['keep']['total']} bytes")
    data = json.loads((t.tmp / "dhat.json").read_text())
    need(report["total"] == sum(p["tb"] for p in data["pps"]), "the bytes do not add up")
    need(report["samples"] == sum(p["tbk"] for p in data["pps"]), "the blocks do not add up")
    return f"{report['total']} bytes"


def test_gecko_of_perf(t):
    """perf's own gecko script: as many samples as perf has."""
    perf = tool("perf")
    program = t.programs.build("shares.c")
    r = t.run(perf, "record", "-q", "-F", "997", "-g", "-o", "perf.data", "--", program, timeout=60)
    if not (t.tmp / "perf.data").exists():
        raise Skip(f"perf record: {r.stderr.decode('utf-8', 'replace')[-200:]}")
    r = t.run(perf, "script", "-i", "perf.data", "report", "gecko", timeout=120)
    text = r.stdout
    if r.returncode != 0 or b'"meta"' not in text:
        raise Skip("this perf has no gecko script")
    (t.tmp / "gecko.json").write_bytes(text[text.index(b"{") :])
    report, _ = functions(t, t.tmp / "gecko.json")
    lines = sum(1 for l in made(t, perf, "script", "-i", "perf.data", "-F", "comm").splitlines() if l.strip())
    need(report["samples"] == lines, f"{report['samples']} samples, perf has {lines}")
    return f"{lines} samples"


def test_samply(t):
    """samply leaves symbolization to a browser; wick symbolizes from the files, with inlined functions, as for the perf.data that samply
    read."""
    perf, samply = tool("perf"), tool("samply", Path.home() / ".cargo/bin/samply")
    (t.tmp / "hot.c").write_text("""
static inline __attribute__((always_inline)) unsigned inner(unsigned n) { volatile unsigned s = 0; for (unsigned i = 0; i < n; i++) s += i; return s; }
__attribute__((noinline)) unsigned outer(unsigned n) { return inner(n) + 1; }
int main() { unsigned s = 0; for (int i = 0; i < 3000; i++) s += outer(200000); return s == 1; }
""")
    for name, options in (("pie", ["-pie", "-fPIE"]), ("exec", ["-no-pie"])):
        program = t.tmp / name
        made(t, tool("gcc"), "-g", "-O1", "-fno-omit-frame-pointer", "-Wl,--build-id", *options, "hot.c", "-o", program)
        data, file = t.tmp / f"{name}.data", t.tmp / f"{name}.json.gz"
        r = t.run(perf, "record", "-q", "-F", "997", "-g", "-o", data, "--", program, timeout=60)
        if not data.exists():
            raise Skip(f"perf record: {text_of(r.stderr)[-200:]}")
        made(t, samply, "import", data, "-s", "-o", file)
        _, theirs = functions(t, data)
        report, by_name = functions(t, file)
        for function in ("inner", "outer", "main"):
            need(function in by_name, f"{name}: no {function} among {list(by_name)[:8]}")
            a, b = (f[function]["total_samples"] for f in (theirs, by_name))
            need(a == b, f"{name}: {function} has {b} samples, of perf.data {a}")
        need(by_name["inner"]["self"] > 0.5 * report["total"], f"{name}: inner has {by_name['inner']['self']} of {report['total']}")
        program.rename(t.tmp / "moved")
        _, nameless = functions(t, file)
        need("inner" not in nameless and "main" not in nameless, f"{name}: names without a file")
        text = t.good("report", file)
        need("not on this machine" in text, f"no word of the missing file:\n{text[:500]}")
    return f"{report['samples']} samples"
