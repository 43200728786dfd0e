# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""`wick export`: the output has the contents of the profile, follows the rules of each format, and works in the programs that read it."""

import base64
import csv
import gzip
import io
import pty
import sys

from harness import *  # noqa: F403
from viewer_profile import ViewerProfile

ALL = ("folded", "firefox", "pprof", "speedscope", "chrome-trace", "cpuprofile", "callgrind", "perf-script", "svg", "html", "csv", "json")
ODD = 'a;"b\\";<c>;\t\x01;größe;\x00x 3\n'.encode() + b"\xff\xfe;] ]>;'&' 2\n"


def profile(t):
    """At least two threads, C++ names, inlined functions, lines."""
    r = t.record(t.program("pool.cc", "O2", ["-g"]), "0.6", "2")
    return r


def export(t, fmt, file, *options, name="out"):
    out = t.tmp / f"{name}.{fmt}"
    r = t.wick("export", "--format", fmt, file, "-o", out, *options)
    need(r.returncode == 0, f"{fmt}: code {r.returncode}: {text_of(r.stderr)}")
    data = out.read_bytes()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def hot(report, least=0.03):
    return [f for f in report["functions"] if f["total"] > least * report["total"]]


# --------------------------------------------------------------------------------------------------------- the consumers


def test_go_pprof(t):
    """Go's pprof shows the same self and total shares."""
    go = tool("go")
    r = profile(t)
    t.good("export", r.file, "-o", t.tmp / "p.pb.gz")
    report = r.json
    env = {**os.environ, "PPROF_TMPDIR": str(t.tmp)}  # its own home: new versions build the tool once and keep it
    raw = t.run(go, "tool", "pprof", "-raw", t.tmp / "p.pb.gz", env=env, timeout=300)
    need(raw.returncode == 0, f"go tool pprof: {text_of(raw.stderr)[-300:]}")
    text = text_of(raw.stdout)
    rows = re.findall(r"^\s+(\d+)\s+(\d+): [\d ]+$", text.split("Samples:")[1].split("Locations")[0], re.M)
    need(sum(int(n) for n, _ in rows) == report["samples"], f"{sum(int(n) for n, _ in rows)} samples, not {report['samples']}")
    need(sum(int(c) for _, c in rows) == report["total"], "the costs are others")
    need("samples/count cpu/nanoseconds" in text, text.split("Samples:")[1][:200])
    top = text_of(t.run(go, "tool", "pprof", "-top", "-nodecount=500", t.tmp / "p.pb.gz", env=env).stdout)
    found = {m[4]: (float(m[1]), float(m[3])) for m in re.findall(r"^\s*(\S+)\s+([\d.]+)%\s+[\d.]+%\s+(\S+)\s+([\d.]+)%\s+(.+?)(?: \(inline\))?$", top, re.M)}
    for wanted in ("Sum::run", "Hash::run", "burn"):
        ours = [f for f in report["functions"] if f["name"].split("(")[0].endswith(wanted)]
        theirs = [v for k, v in found.items() if k.split("(")[0].endswith(wanted)]
        need(ours and theirs, f"{wanted}: {top[:600]}")
        near(theirs[0][1], 100 * ours[0]["total"] / report["total"], 0.2, f"pprof's cumulative share of {wanted}")
        near(theirs[0][0], 100 * ours[0]["self"] / report["total"], 0.2, f"pprof's flat share of {wanted}")
    return f"{len(found)} functions"


def decoded(t, data):
    protoc = tool("protoc")
    folder = ROOT / "tests" / "data"
    r = t.run(protoc, f"--proto_path={folder}", "--decode=pprof_fields.Profile", "pprof_fields.proto", input=data)
    need(r.returncode == 0 and not r.stderr, f"protoc: {text_of(r.stderr)[-300:]}")
    return text_of(r.stdout)


def test_protoc(t):
    """protoc finds only profile.proto's fields and valid UTF-8; all references are valid."""
    text = decoded(t, export(t, "pprof", profile(t).file))
    need(not re.search(r"^\s*\d+: ", text, re.M), "unknown fields")
    ids = {k: set(re.findall(rf"^{k} \{{\n  id: (\d+)", text, re.M)) for k in ("mapping", "location", "function")}
    need(set(re.findall(r"location_id: (\d+)", text)) == ids["location"], "locations that are not there, or not used")
    need(set(re.findall(r"function_id: (\d+)", text)) == ids["function"], "functions that are not there, or not used")
    need(set(re.findall(r"mapping_id: (\d+)", text)) <= ids["mapping"], "mappings that are not there")
    (t.tmp / "odd.folded").write_bytes(ODD)
    decoded(t, export(t, "pprof", t.tmp / "odd.folded"))


def test_callgrind_annotate(t):
    """callgrind_annotate shows the profile's self and total shares."""
    program = tool("callgrind_annotate")
    r = profile(t)
    export(t, "callgrind", r.file, name="callgrind.out")
    report = r.json
    names = [f["name"] for f in report["functions"]]  # it merges functions of the same name in different modules
    for option, key in (("--inclusive=no", "self"), ("--inclusive=yes", "total")):
        text = text_of(t.run(program, option, "--threshold=100", "--show=cpu_clock", t.tmp / "callgrind.out.callgrind").stdout)
        need("malformed" not in text, text)
        for f in hot(report):
            share = 100 * f[key] / report["total"]
            if share < 3 or names.count(f["name"]) > 1:
                continue
            m = re.search(rf"^\s*([\d,]+) +\(? *([\d.]+)%\).*:{re.escape(f['name'])} \[", text, re.M)
            need(m, f"{option}: no {f['name']}: {text[:1500]}")
            near(float(m.group(2)), share, 0.1, f"{option}: share of {f['name']}")


def test_callgrind_recursion(t):
    """Counts direct and mutual recursion once."""
    program = tool("callgrind_annotate")
    (t.tmp / "r.folded").write_text("main;f;f;f 10\nmain;f;g;f;g 10\nmain;g 10\nmain 10\n")
    export(t, "callgrind", t.tmp / "r.folded", name="r")
    text = text_of(t.run(program, "--inclusive=yes", t.tmp / "r.callgrind").stdout)
    for name, count in (("main", 40), ("f", 20), ("g", 20)):
        need(re.search(rf"^\s*{count} +\(.*:{name}\b", text, re.M), f"{name}, {count}: {text}")


def speedscope_shares(browser):
    """Total shares of functions in speedscope's table."""
    browser.key("3")
    row = r"[\d.,]+ ?[µnm]?s? \(([\d.]+|<0\.01|>\s?99)%\)"
    table = re.compile(rf"{row}\s+{row}\s+(.+)")
    wait_until(lambda: table.search(browser.eval("document.body.innerText")), 20, "speedscope's table")
    return {m[3].strip(): float(m[1].lstrip("<> ")) for m in reversed(list(table.finditer(browser.eval("document.body.innerText"))))}


def test_speedscope_opens(t):
    """speedscope itself, from npm, opens the supported formats in a browser. WICK_SPEEDSCOPE: its unpacked directory."""
    sys.path.insert(0, str(ROOT / "tests" / "web"))
    from browser import Browser, find_chromium

    if not find_chromium():
        raise Skip("chromium is not installed")
    place = os.environ.get("WICK_SPEEDSCOPE")
    if not place:
        made = t.run(tool("npm"), "pack", "speedscope@1.25.0", env=dict(os.environ), timeout=120)
        if made.returncode != 0:
            raise Skip("speedscope cannot be had from npm")
        t.run("tar", "xzf", "speedscope-1.25.0.tgz")
        place = t.tmp / "package"
    r = profile(t)
    file = r.file
    busiest = json.loads(t.good("report", "--json", "--by", "thread", file))["threads"][0]["tid"]
    functions = json.loads(t.good("report", "--json", "--thread", busiest, file))
    names = ("x.speedscope.json", "x.pb.gz", "x.cpuprofile", "x.trace.json", "callgrind.out.1", "x.perf.txt", "x.folded")
    browser = Browser(find_chromium())
    try:
        for name in names:
            # A trace is shown per thread.
            only = ("--thread", busiest) if name == "x.trace.json" else ()
            t.good("export", file, *only, "-o", t.tmp / name)
            # Like its command line: a script next to the page passes the file.
            script = t.tmp / "profile.js"
            data = base64.b64encode((t.tmp / name).read_bytes()).decode()
            script.write_text(f"speedscope.loadFileFromBase64('{name}', '{data}')")
            browser.open((Path(place) / "dist/release/index.html").as_uri() + f"#localProfilePath={str(script).lstrip('/')}")
            wait_until(lambda: browser.eval("document.title") != "speedscope", 20, f"{name}: a profile's title")
            text = browser.eval("document.body.innerText")
            need("Something went wrong" not in text and "Unrecognized" not in text, f"{name}: {text[:300]}")
            if name == "x.trace.json":  # boxes must nest for the shares to be right
                shares = speedscope_shares(browser)
                for function in functions["functions"]:
                    if function["name"] in shares and function["total"] < function["self"] * 1.5:
                        near(shares[function["name"]], 100 * function["total"] / functions["total"], 10, f"{function['name']} in speedscope's table")
                hot = [f["name"] for f in functions["functions"] if f["self"] > 0.05 * functions["total"]]
                need(hot and all(name in shares for name in hot), f"{hot} in the report, only {shares} in speedscope's table")
    finally:
        browser.close()
    return f"{len(names)} formats"


def test_firefox_cli(t):
    """The Firefox Profiler's own code, its command-line client from npm, reads the file: CPU time, functions, samples. WICK_PROFILER_CLI:
    its installation directory."""
    place = os.environ.get("WICK_PROFILER_CLI")
    if not place:
        made = t.run(tool("npm"), "install", "--prefix", t.tmp / "npm", "@firefox-devtools/profiler-cli@0.10.0", env=dict(os.environ), timeout=180)
        if made.returncode != 0:
            raise Skip("profiler-cli cannot be had from npm")
        place = t.tmp / "npm"
    program = Path(place) / "node_modules/.bin/profiler-cli"
    r = profile(t)
    t.good("export", r.file, "-o", t.tmp / "x.json.gz")
    home = {**os.environ, "HOME": str(t.tmp)}

    def ask(*words):
        return text_of(t.run(program, *words, env=home).stdout)

    try:
        ask("load", t.tmp / "x.json.gz")  # on a busy machine it may be ready later than it says
        wait_until(lambda: "This profile contains" in ask("profile", "info"), 30, "the profiler's session")
        threads = re.findall(r"t-\d+: .* \[tid (\d+)\] - ([\d.]+)ms", ask("profile", "info"))
        wanted = {x["tid"]: x["self"] for x in json.loads(t.good("report", r.file, "--by", "thread", "--json"))["threads"]}
        exported = json.loads(gzip.decompress((t.tmp / "x.json.gz").read_bytes()))["threads"]
        deltas = {x["tid"]: x["samples"]["threadCPUDelta"] for x in exported}
        need({tid: sum(ns) for tid, ns in deltas.items()} == wanted, f"CPU time of the threads: {wanted}")
        need(sorted(int(tid) for tid, _ in threads) == sorted(wanted), f"threads {threads}, not {wanted}")
        for tid, ms in threads:
            # It leaves out the time of the first sample, which may be several periods: to it that is the time before the recording.
            ns = sum(deltas[int(tid)][1:])
            need(abs(float(ms) - ns / 1e6) <= 0.0006, f"thread {tid}: {ms} ms of CPU time, not {ns} ns")
        selected = re.search(r"Thread: t-(\d+)", ask("thread", "functions", "--include-idle", "--limit", "0"))
        need(selected, "no thread is selected")
        # By CPU time, busiest first, which is the selected one.
        report = json.loads(t.good("report", r.file, "--thread", threads[0][0], "--json"))
        found = re.findall(r"^\s+f-\d+\. (.+) - self: (\d+) .* total: (\d+) ", ask("thread", "functions", "--include-idle", "--limit", "0"), re.M)
        ours = sorted((f"{f['module']}!{f['name']}" if f["module"] else f["name"], str(f["self_samples"]), str(f["total_samples"])) for f in report["functions"] if f["total_samples"])  # [unsampled] has none
        # It shortens long argument lists.
        found, ours = (sorted((re.sub(r"[<({].*", "", name), own, total) for name, own, total in rows) for rows in (found, ours))
        need(found == ours, f"functions: {sorted(set(found) - set(ours))[:3]}, not {sorted(set(ours) - set(found))[:3]}")
    finally:
        ask("stop", "--all")
    return f"{len(found)} functions"


# --------------------------------------------------------------------------------------------------- the formats' own rules


def check_firefox(p):
    """The rules of the processed format, version 65: the columns of a table have equal lengths, and indices are in range."""
    shared, meta = p["shared"], p["meta"]
    for key in ("interval", "startTime", "product", "stackwalk", "version", "preprocessedProfileVersion", "processType", "markerSchema"):
        need(key in meta, f"meta has no {key}")
    need(meta["preprocessedProfileVersion"] == 65, "version")
    need(any(c["color"] == "grey" for c in meta["categories"]), "no default category")
    need(all(c["subcategories"] for c in meta["categories"]), "a category without subcategories")
    columns = {
        "stackTable": {"frame": "frameTable", "prefix": "stackTable?"},
        "frameTable": {"address": int, "inlineDepth": int, "category": int, "subcategory": int, "func": "funcTable",
                       "nativeSymbol": "nativeSymbols?", "innerWindowID": None, "line": None, "column": None, "originalLocation": None},
        "funcTable": {"name": "stringArray", "isJS": bool, "relevantForJS": bool, "resource": int, "source": "sources?",
                      "lineNumber": None, "columnNumber": None, "originalLocation": None},
        "resourceTable": {"lib": "libs?", "name": "stringArray", "host": None, "type": int},
        "nativeSymbols": {"libIndex": "libs", "address": int, "name": "stringArray", "functionSize": None},
        "sources": {"id": None, "filename": "stringArray", "startLine": int, "startColumn": int, "sourceMapURL": None, "content": None},
        "sourceLocationTable": {"source": "sources", "line": int, "column": int},
    }
    size = {"libs": len(p["libs"]), "stringArray": len(shared["stringArray"]), **{k: shared[k]["length"] for k in columns}}
    for table, rules in columns.items():
        need(set(shared[table]) == {*rules, "length"}, f"{table} has {sorted(shared[table])}")
        for column, rule in rules.items():
            values = shared[table][column]
            need(len(values) == size[table], f"{table}.{column} has {len(values)} rows, not {size[table]}")
            if isinstance(rule, str):
                limit = size[rule.rstrip("?")]
                good = all(rule.endswith("?") if v is None else 0 <= v < limit for v in values)
                need(good, f"{table}.{column}: out of range")
            elif rule:
                need(all(type(v) is rule for v in values), f"{table}.{column}: not {rule}")
    need(all(v is None or v < i for i, v in enumerate(shared["stackTable"]["prefix"])), "a caller comes after its callee")
    need(all(-1 <= v < size["resourceTable"] for v in shared["funcTable"]["resource"]), "funcTable.resource: out of range")
    need(all(0 <= c < len(meta["categories"]) for c in shared["frameTable"]["category"]), "category: out of range")
    for lib in p["libs"]:
        need({"arch", "name", "path", "debugName", "debugPath", "breakpadId", "codeId"} == set(lib), f"lib {lib}")
    for thread in p["threads"]:
        s, n = thread["samples"], thread["samples"]["length"]
        need(isinstance(thread["pid"], str) and isinstance(thread["tid"], int), "pid is text, tid a number")
        for key in ("processType", "processStartupTime", "registerTime", "pausedRanges", "name", "isMainThread", "markers"):
            need(key in thread, f"a thread has no {key}")
        need({"data", "name", "startTime", "endTime", "phase", "category", "length"} == set(thread["markers"]), "markers")
        for key in ("stack", "time", "threadCPUDelta", "weight"):
            need(s.get(key) is None or len(s[key]) == n, f"samples.{key}: {n} rows")
        need(all(0 <= v < size["stackTable"] for v in s["stack"]), "samples.stack: out of range")
        need(s["time"] == sorted(s["time"]), "samples are not in the order of time")
        need(s["weightType"] in ("samples", "bytes"), s["weightType"])


def firefox_names(p, stack):
    shared, out = p["shared"], []
    while stack is not None:
        func = shared["frameTable"]["func"][shared["stackTable"]["frame"][stack]]
        out.append(shared["stringArray"][shared["funcTable"]["name"][func]])
        stack = shared["stackTable"]["prefix"][stack]
    return ";".join(reversed(out))


def test_firefox(t):
    r = profile(t)
    p = json.loads(export(t, "firefox", r.file))
    check_firefox(p)
    got = {}
    for thread in p["threads"]:
        for stack in thread["samples"]["stack"]:
            key = thread["name"] + ";" + firefox_names(p, stack)
            got[key] = got.get(key, 0) + 1
    wanted = {f"{c};{s}": int(n) for c, s, n in r.counted_stacks}
    # CPU time without a sample is an entry there, but not a sample here.
    got, wanted = ({k.replace(";", ":"): v for k, v in x.items() if not k.endswith(UNSAMPLED)} for x in (got, wanted))
    need(got == wanted, f"the stacks are others: {sorted(got.items() - wanted.items())[:2]}, not {sorted(wanted.items() - got.items())[:2]}")
    need(sum(sum(x["samples"]["threadCPUDelta"]) for x in p["threads"]) == r.json["total"], "the CPU time is another")
    need(max(p["shared"]["frameTable"]["inlineDepth"]) > 0, "no inlined functions")
    (t.tmp / "odd.folded").write_bytes(ODD)
    check_firefox(json.loads(export(t, "firefox", t.tmp / "odd.folded")))


def test_speedscope_rules(t):
    r = profile(t)
    p = json.loads(export(t, "speedscope", r.file))
    n = len(p["shared"]["frames"])
    need(all(isinstance(f["name"], str) for f in p["shared"]["frames"]), "frames have names")
    need(len(p["profiles"]) == len({x["tid"] for x in json.loads(t.good("report", r.file, "--by", "thread", "--json"))["threads"]}), "threads")
    total = 0
    for x in p["profiles"]:
        need(x["type"] == "sampled" and x["unit"] == "nanoseconds", x["unit"])
        need(len(x["samples"]) == len(x["weights"]), "samples and weights")
        need(all(0 <= f < n for s in x["samples"] for f in s), "frames out of range")
        need(x["endValue"] == sum(x["weights"]), "endValue")
        total += x["endValue"]
    need(total == r.json["total"], "the cost is another")


def test_chrome_trace(t):
    """Events of a thread nest, computed in doubles like readers do; a function's share of the boxes is close to its share of the
    samples."""
    r = profile(t)
    events = json.loads(export(t, "chrome-trace", r.file))["traceEvents"]
    boxes = [e for e in events if e["ph"] == "X"]
    need({e["name"] for e in events if e["ph"] == "M"} == {"process_name", "thread_name"}, "names")
    whole, part = 0, 0
    for tid in {e["tid"] for e in boxes}:
        open_ends = []
        for e in (e for e in boxes if e["tid"] == tid):
            begin, end = float(e["ts"]), float(e["ts"]) + float(e["dur"])
            while open_ends and open_ends[-1] <= begin:
                open_ends.pop()
            need(not open_ends or end <= open_ends[-1], f"{e['name']} reaches over its caller's end")
            whole += e["dur"] if not open_ends else 0
            part += e["dur"] if "Sum::run" in e["name"] else 0
            open_ends.append(end)
    near(100 * part / whole, r.share("/.*Sum::run.*/"), 4, "share of Sum::run on the clock")


def test_cpuprofile(t):
    r = profile(t)
    p = json.loads(export(t, "cpuprofile", r.file))
    ids = {n["id"] for n in p["nodes"]}
    children = [c for n in p["nodes"] for c in n.get("children", [])]
    need(len(ids) == len(p["nodes"]) and set(children) == ids - {1} and len(children) == len(set(children)), "not a tree")
    need(set(p["samples"]) <= ids and len(p["samples"]) == len(p["timeDeltas"]) == r.json["samples"], "samples")
    need(sum(n["hitCount"] for n in p["nodes"]) == r.json["samples"], "hitCount")
    need(all(d >= 0 for d in p["timeDeltas"]), "time runs backwards")
    need(abs((p["endTime"] - p["startTime"]) - r.json["total"] / 1000) <= 1, "the time is not the cost")


def test_perf_script(t):
    r = profile(t)
    text = export(t, "perf-script", r.file).decode()
    blocks = [b.splitlines() for b in text.split("\n\n") if b.strip() and "[unsampled]" not in b]
    need(len(blocks) == r.json["samples"], f"{len(blocks)} blocks, {r.json['samples']} samples")
    need(all(re.fullmatch(r"\S.* \d+/\d+ \[\d+\] \d+\.\d{9}: +\d+ [\w:-]+:", b[0]) for b in blocks), blocks[0][0])
    need(all(re.fullmatch(r"\t *[0-9a-f]+ .+ \(.+\)", l) for b in blocks for l in b[1:]), "a frame's line")
    need("(inlined)" in text, "no inlined functions")


def test_html(t):
    """The page has the profile in it: self and total costs are those of the report. It refers to nothing on the network."""
    r = profile(t)
    page = export(t, "html", r.file).decode()
    packed = re.search(r'<script type="text/plain" id="wick-profile">([A-Za-z0-9+/=]+)</script>', page)
    need(packed, "no profile in the page")
    p = ViewerProfile(gzip.decompress(base64.b64decode(packed.group(1), validate=True)))
    report = r.json
    need(p.meta["events"][0]["samples"] == report["samples"] and p.meta["events"][0]["weight"] == report["total"], f"{p.meta['events']}")
    ours = {(p.function_name(f), p.module_name(f)): costs for f, costs in p.costs(0).items()}
    theirs = {(f["name"], f["module"]): (f["self"], f["total"]) for f in report["functions"]}
    need(ours == theirs, f"differ: {list(set(ours.items()) ^ set(theirs.items()))[:4]}")
    need(p.meta["hasTimes"] and p.columns["sample_time"][-1] * p.meta["timeUnitNs"] <= p.meta["durationNs"], "times")
    need(len(p.meta["threads"]) >= 2 and p.meta["files"] == [str(r.file)], f"{p.meta}")
    need(not re.search(r"(src|href)\s*=\s*[\"']?(https?:)?//", page), "refers to the network")
    (t.tmp / "odd.folded").write_bytes(ODD)
    export(t, "html", t.tmp / "odd.folded")


def test_html_of_two_programs(t):
    """Processes and threads of both sides have the names that they had."""
    for name in ("fast", "slow"):
        frames = "".join(f"\t{address} {f} (/opt/{name})\n" for address, f in ((1010, "hot"), (1020, "main")))
        (t.tmp / f"{name}.perf").write_text(f"{name} 100/100 [000] 1.000000: 1 cycles:\n{frames}\n")
    t.good("export", "-q", "-o", t.tmp / "both.html", t.tmp / "fast.perf", t.tmp / "slow.perf")
    packed = re.search(r'<script type="text/plain" id="wick-profile">([A-Za-z0-9+/=]+)</script>', (t.tmp / "both.html").read_text())
    meta = ViewerProfile(gzip.decompress(base64.b64decode(packed.group(1), validate=True))).meta
    need({th["side"]: th["name"] for th in meta["threads"]} == {0: "fast", 1: "slow"}, f"{meta['threads']}")
    need(sorted(p["name"] for p in meta["processes"]) == ["fast", "slow"], f"{meta['processes']}")


def test_csv(t):
    r = profile(t)
    rows = list(csv.DictReader(io.StringIO(export(t, "csv", r.file).decode(), newline="")))
    need([(x["function"], x["module"], int(x["self"]), int(x["total"]), int(x["self_samples"])) for x in rows]
         == [(f["name"], f["module"], f["self"], f["total"], f["self_samples"]) for f in r.json["functions"]], "other rows than report --json")
    (t.tmp / "odd.folded").write_bytes(ODD)
    need(len(list(csv.reader(io.StringIO(export(t, "csv", t.tmp / "odd.folded").decode(), newline="")))) > 5, "odd names")


def test_json(t):
    r = profile(t)
    p = json.loads(export(t, "json", r.file))
    got = {}
    for stack, thread, n in zip(p["samples"]["stack"], p["samples"]["thread"], p["samples"]["count"]):
        names = []
        while stack is not None:
            names.append(p["functions"][p["frames"]["function"][p["stacks"]["frame"][stack]]]["name"])
            stack = p["stacks"]["caller"][stack]
        key = ":".join([p["threads"][thread]["name"], *reversed(names)])
        got[key] = got.get(key, 0) + n
    need(got == {f"{c}:{s}".replace(";", ":"): int(n) for c, s, n in r.counted_stacks}, "the stacks are others")
    need(sum(p["samples"]["weight"]) == r.json["total"], "the cost is another")


def test_odd_names(t):
    """Names with arbitrary bytes give valid files."""
    (t.tmp / "odd.folded").write_bytes(ODD)
    for fmt in ALL:
        data = export(t, fmt, t.tmp / "odd.folded")
        if fmt != "pprof":
            text = data.decode("utf-8")
            need(not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", text), f"{fmt}: control characters")
        if fmt in ("speedscope", "chrome-trace", "cpuprofile", "json"):
            json.loads(data)


# ------------------------------------------------------------------------------------------------------------ the command


def test_output(t):
    """Writes a named file on a terminal, standard output otherwise; complete or not at all."""
    f = t.tmp / "profile.wick"
    shutil.copy(profile(t).file, f)
    r = t.wick("export", "--format", "folded")
    need(r.returncode == 0 and b";" in r.stdout and b"cannot store" in r.stderr, text_of(r.stderr))
    need(not t.wick("export", "--format", "folded", "-q").stderr, "-q")
    near_end, far_end = pty.openpty()
    made = t.wick("export", "--format", "pprof", stdout=far_end)
    os.close(far_end)
    os.close(near_end)
    need(made.returncode == 0 and b"wrote profile.pb.gz" in made.stderr, text_of(made.stderr))
    need(gzip.decompress((t.tmp / "profile.pb.gz").read_bytes()), "nothing in it")
    t.refused("export", code=2, says=["no format", "pprof"])
    t.refused("export", "-o", "x.json", code=2, says=["no known extension"])
    t.refused("export", "--format", "prof", code=2, says=["hint: wick export --format pprof"])
    t.refused("export", "-o", "no/such/x.csv", code=1, says=["cannot write"])
    if os.path.exists("/dev/full"):
        t.refused("export", "--format", "json", "-o", "/dev/full", code=1, says=["cannot write"])
    need(sorted(x.suffix for x in t.tmp.iterdir() if "x" == x.stem) == [], "something is left over")
    full = t.wick("export", "--format", "perf-script", stdout=subprocess.PIPE)
    need(full.returncode == 0 and full.stdout, "standard output")
