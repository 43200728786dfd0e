# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""report, collapse, flamegraph and doctor agree with each other, with the truth programs, and with perf."""

import functools
import xml.dom.minidom

from harness import *  # noqa: F403


def two_threads(t):
    return t.record(t.program("shares.c"), "0.7", "2")


def test_json_is_collapse(t):
    """report's self and total costs match the folded stacks."""
    r = two_threads(t)
    report = r.properties()
    own, total = {}, {}
    for _, stack, n in r.stacks:
        frames = stack.split(";")
        own[frames[-1]] = own.get(frames[-1], 0) + n
        for name in set(frames):
            total[name] = total.get(name, 0) + n
    weight, counted = report["total"], r.total
    merged = {}
    for f in report["functions"]:
        a, b = merged.get(f["name"], (0, 0))
        merged[f["name"]] = (a + f["self"], b + f["total"])
    for name in ("burn", "heavy", "middle", "light", "run"):
        need(name in merged, f"{name} is not in the report")
        for i, (kind, folded) in enumerate((("self", own), ("total", total))):
            a, b = 100 * merged[name][i] / weight, 100 * folded.get(name, 0) / counted
            need(abs(a - b) < 1.5, f"{kind} of {name}: {a:.2f} % by report, {b:.2f} % by collapse")


def test_compat_is_collapse(t):
    """flame graphs with --compat count as the folded stacks do, which other tools would draw."""
    # Samples of short threads represent fractions of a period.
    for r in (two_threads(t), t.record(t.program("storm.c"), "threads", 800, "calm")):
        for compat in ("perl", "inferno"):
            svg = t.good("flamegraph", "-q", "--no-javascript", "--compat", compat, r.file)
            count = re.search(r"<title>all \(([\d,]+) samples, ", svg)
            need(count and int(count.group(1).replace(",", "")) == r.total, f"{compat}: {count and count.group(0)}, not {r.total}")


def test_report_text(t):
    r = two_threads(t)
    text = t.good("report", r.file)
    need("\033" not in text, "colors in a pipe")
    lines = [l for l in text.splitlines() if re.search(r"\bburn\b", l)]
    need(lines and re.search(r"\d+\.\d+ ?%", lines[0]), f"no line with the share of burn:\n{text[:600]}")
    need(max(map(len, text.splitlines())) <= 200, "very long lines")
    rows = lambda n: len(t.good("report", r.file, "--limit", n).splitlines())  # noqa: E731
    need(rows(1) < rows(3), "--limit does nothing")


def test_report_options(t):
    r = two_threads(t)

    def functions(*options):
        return {f["name"]: f for f in json.loads(t.good("report", r.file, "--json", *options))["functions"]}

    everything = json.loads(t.good("report", r.file, "--json"))
    need(set(functions("--limit", "2")) < set(functions()), "--limit 2 is no part of the whole")
    focus = json.loads(t.good("report", r.file, "--json", "--focus", "^middle$"))
    near(100 * focus["total"] / everything["total"], 30, 7, "share that --focus keeps")
    need("heavy" not in {f["name"] for f in focus["functions"]}, "--focus middle shows heavy")
    ignore = json.loads(t.good("report", r.file, "--json", "--ignore", "^middle$"))
    near(100 * ignore["total"] / everything["total"], 70, 7, "share that --ignore keeps")
    middle = everything["duration_ns"] / 2e9
    first = json.loads(t.good("report", r.file, "--json", "--range", f"0-{middle:.6f}"))
    second = json.loads(t.good("report", r.file, "--json", "--range", f"{middle:.6f}-"))
    near(100 * first["total"] / everything["total"], 50, 35, "share of the first half of the time")
    near(100 * (first["total"] + second["total"]) / everything["total"], 100, 1, "share of both halves")
    by_module = json.loads(t.good("report", r.file, "--json", "--by", "module"))["modules"]
    need(any("shares" in m["name"] for m in by_module), f"--by module: {by_module}")
    by_thread = json.loads(t.good("report", r.file, "--json", "--by", "thread"))["threads"]
    need(len(by_thread) == 2, f"--by thread: {by_thread}")
    tid = r.collapsed("--tid")[0].split(";")[0].rsplit("/", 1)[-1]
    one = json.loads(t.good("report", r.file, "--json", "--thread", tid))
    near(100 * one["total"] / everything["total"], 50, 12, "share of one thread")
    by_name = t.good("report", r.file, "--sort", "name")
    by_self = t.good("report", r.file, "--sort", "self")
    by_total = t.good("report", r.file, "--sort", "total")
    need(len({by_name, by_self, by_total}) >= 2, "--sort does nothing")


def test_tree_and_callers(t):
    r = two_threads(t)
    tree = t.good("report", r.file, "--tree")
    from_main = tree[max(tree.find(" main "), 0) :]  # the other thread, which costs the same, may come first
    positions = [from_main.find(n) for n in ("main", "run", "round_of_work", "heavy", "burn")]
    need(-1 not in positions and positions == sorted(positions), f"--tree does not go from main to burn:\n{tree[:800]}")
    callers = t.good("report", r.file, "--callers", "burn")
    for name in ("heavy", "middle", "light"):
        need(name in callers, f"--callers burn does not name {name}:\n{callers[:800]}")
    nothing = t.wick("report", r.file, "--callers", "no_such_function")
    need(nothing.returncode in (0, 1) and (nothing.stderr or nothing.stdout), "nothing is said of a function that is not there")


def test_folded_runtimes(t):
    """The start of a std::thread is one line of the tree, and complete with --full; costs and JSON do not change."""
    r = t.record(t.program("pool.cc", "O2", ["-g"]), "0.8", "2", quiet=False)
    folded, full = t.good("report", r.file, "--tree"), t.good("report", r.file, "--tree", "--full")
    need(re.search(r"… [\d-]+ runtime frames \(thread start\)", folded), f"nothing is folded:\n{folded[:800]}")
    need("std::thread::_State_impl" not in folded and "std::thread::_State_impl" in full and "runtime frames" not in full, f"--full:\n{full[:800]}")
    need("Pool::work" in folded and "Sum::run" in folded, f"the program's own functions are folded:\n{folded[:800]}")
    need("_State_impl" in t.good("report", r.file, "--tree", "--json"), "JSON is folded")
    need(any("_State_impl" in l for l in r.collapsed()), "collapse is folded")

    def count(*options):
        return sum(int(l.rsplit(" ", 1)[1]) for l in t.good("collapse", r.file, *options).splitlines())

    need(count() == count("--fold-runtimes"), "folding changes costs")
    rows = [l for l in t.good("report", r.file).splitlines() if re.match(r"(\s*[\d.]+%\s+[\d.]+ \w+){2}\s+std::.*\(inlined\)", l)]
    need(not rows, f"inlined library code has rows: {rows[:3]}")


def test_flamegraph_by_thread(t):
    """Each thread is a first-level box as wide as its share."""
    r = two_threads(t)
    svg = t.good("flamegraph", r.file, "--by-thread", "--no-javascript")
    titles = re.findall(r"<title>([^<]*) \(([\d,]+) samples?, ([\d.]+)%\)</title></rect>", svg)
    threads = json.loads(t.good("report", r.file, "--json", "--by", "thread"))
    tids = {str(row["tid"]): 100 * row["self"] / threads["total"] for row in threads["threads"]}
    shown = {m[1]: float(share) for name, _, share in titles if (m := re.search(r" \((\d+)\)$", name))}
    need(set(shown) == set(tids), f"threads: {shown} instead of {tids}")
    for tid, share in tids.items():
        near(shown[tid], share, 0.2, f"percent of thread {tid}")


def test_collapse(t):
    r = two_threads(t)
    for line in r.collapsed():
        need(re.fullmatch(r"[^;]+(;[^;]+)+ \d+", line), f"not a folded line: {line[:200]}")
    stacks = [line.rpartition(" ")[0] for line in r.collapsed()]
    need(len(set(stacks)) == len(stacks), "a stack appears twice")
    need(all(re.match(r"shares-\d+;", l) for l in r.collapsed("--pid")), f"--pid: {r.collapsed('--pid')[0][:80]}")
    need(all(re.match(r"shares-\d+/\d+;", l) for l in r.collapsed("--tid")), f"--tid: {r.collapsed('--tid')[0][:80]}")


def test_flamegraph(t):
    r = t.record(t.program("callers.cc"), "0.5")
    svg = t.tmp / "out.svg"
    t.good("flamegraph", r.file, "-o", svg)
    text = svg.read_text()
    xml.dom.minidom.parseString(text)
    for word in ("shop::checkout", "shop::Cart::total", "<script"):
        need(word in text, f"no {word} in the picture")
    need(text == t.good("flamegraph", r.file), "standard output and -o differ")
    need(not re.search(r"(href|src)\s*=\s*[\"']https?:", text), "the picture loads something from the network")
    return f"{len(text)} bytes"


def test_doctor(t):
    for user in ("root", "nobody"):
        r = t.wick("doctor", user=user)
        text = text_of(r.stdout)
        need(r.returncode == 0, f"code {r.returncode}: {text_of(r.stderr)}")
        for word in ("perf_event_paranoid", "kptr_restrict", "ptrace", "mlock|locked", "BPF|bpf", "seccomp", "debuginfod", "cycles|PMU|counters"):
            need(re.search(word, text), f"doctor says nothing of {word}:\n{text}")
    refused = text_of(t.run(t.program("refuse.c"), "perf", t.wick_path, "doctor").stdout)
    need(refused != text_of(t.wick("doctor").stdout), "doctor sees no difference where perf_event_open is refused")


def test_doctor_binary(t):
    """Its statements about a binary are true."""
    says = {b: t.good("doctor", t.program("shares.c", b)) for b in ("O2", "stripped", "fp", "static-stripped")}
    rust = t.good("doctor", t.program("rusty.rs", "debug"))
    need(len(set(says.values())) == len(says), "says the same of different binaries")
    need(re.search("stripped", says["stripped"], re.I), says["stripped"])
    need(re.search("debug info", rust, re.I) and re.search("rust", rust, re.I), rust)
    need(re.search(r"-g\b", says["O2"]), f"does not say to build with -g:\n{says['O2']}")
    slow = t.program("shares.c", "O0", extra=("-g",))
    text = t.good("doctor", slow)
    flags = json.loads(t.good("doctor", "--json", slow))["files"][0]["build_with"]
    need("-O2" in flags and "Nothing to change" not in text, text)
    for flag in flags:
        need(flag in text.split("build with:")[1], f"{flag} is in the JSON only:\n{text}")
    if shutil.which("objcopy"):
        debug = t.tmp / "shares.debug"
        subprocess.run(["objcopy", "--only-keep-debug", slow, debug], check=True)
        text = t.good("doctor", debug)
        need("separate debug file" in text and "unwind tables  " not in text, text)


def test_doctor_makes_nothing(t):
    home = t.tmp / "home"
    home.mkdir()
    r = t.wick("doctor", env={"HOME": str(home), "XDG_CACHE_HOME": ""})
    need(r.returncode == 0 and str(home) in text_of(r.stdout), text_of(r.stdout))
    need(list(home.iterdir()) == [], f"doctor made {list(home.iterdir())}")


def test_help(t):
    need(re.fullmatch(r"wick \d+\.\d+\.\d+\n", t.good("--version")), "--version")
    for command in ([], ["record"], ["report"], ["collapse"], ["flamegraph"], ["diff"], ["export"], ["symbolize"], ["addr2line"], ["doctor"]):
        text = t.good(*command, "--help")
        need(len(text) > 200, f"{command} --help is short")
        need(max(map(len, text.splitlines())) <= 130, f"{command} --help is wider than 130 columns")


# ------------------------------------------------------------------------------------------------------------- oracle


def perf_self_shares(t, data, comm):
    """{function: percent of this comm's samples} by `perf report`."""
    fields = ["--stdio", "--no-children", "-g", "none", "-F", "overhead,sym", "--comm", comm, "--percentage", "relative"]
    r = t.run("perf", "report", "-i", data, *fields, timeout=60)
    return {m.group(2).strip(): float(m.group(1)) for m in re.finditer(r"^\s*([\d.]+)%\s+\[[.k]\]\s+(.+)$", text_of(r.stdout), re.M)}


def against_perf(t, source, build, args):
    """perf and wick watch the same run: on a busy machine, two runs of a program differ more than two profilers."""
    tool("perf")
    p = t.program(source, build)
    data = t.tmp / "perf.data"
    probe = t.run("perf", "record", "-q", "-o", t.tmp / "probe.data", "--", "true")
    if probe.returncode != 0:
        raise Skip(f"perf record does not work here: {text_of(probe.stderr)[-150:]}")
    r = t.record(p, *args, options=["--engine", "perf"], wrapper=["perf", "record", "-q", "-F", "997", "-o", data, "--"])
    oracle = perf_self_shares(t, data, p.name[:15])
    need(oracle, "perf report printed nothing")
    total = r.json["total"]
    ours = {}
    for f in r.json["functions"]:
        key = f["name"].split("(")[0]
        ours[key] = ours.get(key, 0) + 100 * f["self"] / total
    compared = 0
    for name, share in oracle.items():
        key = name.split("(")[0]
        if share >= 5 and not key.startswith("0x"):
            near(ours.get(key, 0), share, 8, f"self share of {key} against perf's")
            compared += 1
    need(compared, "nothing to compare")
    return f"{compared} functions"


def tests():
    table = [("shares.c", "O2", ["1"]), ("callbacks.c", "O2", ["1"]), ("pool.cc", "O2", ["1", "3"]), ("timers.c", "O2", ["1"])]
    return {f"against_perf.{Path(s).stem}": functools.partial(against_perf, source=s, build=b, args=a) for s, b, a in table}
