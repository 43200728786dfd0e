# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Each rule of `wick report --insights` on a program that shows it and on one that looks like it (tests/programs/insights)."""

import os
import shlex
import shutil

from harness import *  # noqa: F403

# Programs by name: source, build, compiler flags.
PROGRAMS = {
    "cxx": ("insights/cxx.cc", "O2", ("-g",)),
    "cxx-O0": ("insights/cxx.cc", "O0", ("-g",)),
    "cxx-stripped": ("insights/cxx.cc", "stripped", ()),
    "plain": ("insights/plain.c", "O2", ("-g",)),
    "plain-stripped": ("insights/plain.c", "stripped", ()),
    "plain-static": ("insights/plain.c", "static", ()),
    "rusty": ("insights/rusty.rs", "debug", ()),
    "rusty-v0": ("insights/rusty.rs", "v0", ()),
    "rusty-O0": ("insights/rusty.rs", "O0", ()),
    "gopher": ("insights/gopher.go", None, ()),
}

# rule: (program and mode that show it, modes that do not). The modes are named after the rule unless another is given.
SHOWN = {
    "exceptions": (["cxx", "rusty", "cxx-stripped"], ["cxx not-exceptions", "plain not-exceptions", "rusty not-exceptions"]),
    "allocation": (["cxx", "plain", "rusty", "gopher", "plain-stripped", "plain-static"],
                   ["cxx not-allocation", "plain not-allocation", "rusty not-allocation", "gopher not-allocation"]),
    "growth": (["cxx", "plain", "rusty", "rusty-v0", "gopher"], ["cxx not-growth", "plain not-growth", "rusty not-growth"]),
    "copying": (["cxx", "plain", "rusty", "gopher"], ["cxx not-copying", "plain not-copying"]),
    "hashing": (["cxx", "rusty", "rusty-v0", "gopher"], ["cxx not-hashing", "rusty not-hashing"]),
    "formatting": (["cxx", "plain", "rusty", "gopher"], ["cxx not-formatting", "plain not-formatting", "rusty not-formatting"]),
    "parsing": (["cxx", "plain", "rusty", "gopher"], ["cxx not-parsing"]),
    "utf8": (["plain", "rusty"], ["plain not-utf8"]),
    "regex-compile": (["cxx", "plain", "gopher"], ["cxx not-regex-compile", "plain not-regex-compile"]),
    "sorting": (["cxx", "plain", "rusty", "gopher", "plain-stripped"], ["cxx not-sorting", "plain not-sorting", "rusty not-sorting"]),
    "lock-contention": (["cxx", "rusty"], ["cxx locking", "cxx not-locking"]),
    "locking": (["cxx"], ["cxx not-locking"]),
    "page-faults": (["plain"], ["plain not-page-faults"]),
    "clearing": (["plain"], ["plain not-clearing"]),
    "system-calls": (["plain"], ["plain not-system-calls"]),
    "small-io": (["plain"], ["plain not-small-io", "plain not-small-io-writes"]),
    "kernel-time": (["plain page-faults"], ["plain not-page-faults"]),
    "deep-recursion": (["cxx", "rusty"], ["cxx not-deep-recursion", "cxx not-deep-recursion-shallow"]),
    "call-glue": (["cxx"], ["cxx not-call-glue"]),
    "debug-build": (["cxx-O0", "rusty-O0"], ["cxx debug-build", "rusty debug-build"]),
    "hot-line": (["cxx"], ["cxx not-hot-line"]),
    "one-busy-thread": (["cxx"], ["cxx not-one-busy-thread", "cxx not-one-busy-thread-alone"]),
    "short-processes": (["plain"], ["plain not-short-processes"]),
    "logging": (["plain", "gopher"], ["plain not-formatting"]),
    "garbage-collection": (["gopher collection"], ["gopher not-collection"]),
    "unnamed-code": (["plain"], ["plain not-unnamed-code"]),
}
# Where many stacks need more than the copy, samples represent several periods.
FEW_SAMPLES = {"rusty exceptions"}
NEEDS_KERNEL = {"page-faults", "system-calls", "small-io", "kernel-time", "lock-contention"}
# Where the program's own function is known, the finding names it first.
PLACES = {
    "cxx exceptions": "fall", "cxx allocation": "shop::allocates", "cxx copying": "shop::copies", "cxx hashing": "shop::hashes",
    "cxx formatting": "shop::formats", "cxx sorting": "shop::sorts", "plain allocation": "allocates", "plain sorting": "sorts",
    "plain small-io": "reads_small_pieces", "rusty hashing": "rusty::hashes", "rusty sorting": "rusty::sorts",
    "gopher hashing": "main.hashes", "plain clearing": "clears", "cxx deep-recursion": "shop::descends",
}


def built(t, name):
    source, build, flags = PROGRAMS[name]
    if build is not None:
        return t.program(source, build, list(flags))
    return built_by_go(t, tool("go", "/usr/local/go/bin/go"), TESTS / "programs" / source)


go_lock = threading.Lock()


def built_by_go(t, go, source):
    with go_lock:
        out = t.shared / "go" / source.stem  # once per run
        if not out.exists():
            cache = {"GOCACHE": str(t.programs.folder / "go-cache"), "GO111MODULE": "off", "GOFLAGS": ""}
            r = t.run(go, "build", "-o", out, source, env={**os.environ, **cache})
            if r.returncode != 0:
                raise Skip(f"cannot build {source.name}: {text_of(r.stderr).strip()[-150:]}")
        return out


def insights_of(t, word, rule):
    """{rule: finding} of a program and mode, `rule` being the mode by default."""
    name, _, mode = word.partition(" ")
    seconds = "1" if word in FEW_SAMPLES or f"{word} {rule}" in FEW_SAMPLES else "0.35"
    r = t.record(built(t, name), mode or rule, seconds, options=["-F", "2997"], stdout=subprocess.DEVNULL)
    report = json.loads(t.good("report", "--json", "--insights", r.file))
    at_least(report["samples"], 100, f"samples of {word}")
    return {i["rule"]: i for i in report["insights"]}


def show(t, rule, word):
    if rule in NEEDS_KERNEL:
        root_only()
    found = insights_of(t, word, rule)
    if rule not in found:
        raise OutOfRange(f"{word}: no {rule} among {[(r, i['share']) for r, i in found.items()]}")
    finding = found[rule]
    need(0 < finding["share"] <= 1, f"share of {rule}: {finding['share']}")
    place = PLACES.get(word if " " in word else f"{word} {rule}")
    if place:
        names = [w["name"] for w in finding["where"]]
        need(names and place in names[0], f"{rule} of {word} is in {names}, not first in {place}")
        need(finding["where"][0]["line"] > 0 or word.startswith("gopher"), f"{rule} of {word} has no line")
    return f"{100 * finding['share']:.0f}%"


def do_not_show(t, rule, word):
    found = insights_of(t, word, rule)
    if rule in found:
        raise OutOfRange(f"{word}: {rule} is reported with {found[rule]['share']}: {found[rule]['frames']}")


def tests():
    out = {}
    for rule, (shown, not_shown) in SHOWN.items():
        for word in shown:
            out[f"{rule}.{word.replace(' ', '_')}"] = functools.partial(show, rule=rule, word=word)
        for word in not_shown:
            out[f"{rule}.no.{word.replace(' ', '_')}"] = functools.partial(do_not_show, rule=rule, word=word)
    return out


def test_every_rule_has_programs(t):
    """The table, its documentation and the programs are about the same rules."""
    text = (ROOT / "docs/insights.md").read_text()
    documented = re.findall(r"^\| `([a-z0-9-]+)` \|", text, re.M)
    source = (ROOT / "src/analyze/insight_rules.cc").read_text()
    rules = re.findall(r"\.id = \"([a-z0-9-]+)\"", source)
    need(sorted(documented) == sorted(rules), f"documented: {sorted(set(documented) ^ set(rules))}")
    need(sorted(SHOWN) == sorted(rules), f"tested: {sorted(set(SHOWN) ^ set(rules))}")


def test_healthy_programs_have_no_findings(t):
    """Programs of the system that do the work they are for."""
    text = t.tmp / "text"
    text.write_bytes(b"".join(b"%d some words of line %d\n" % (i * 7919 % 100003, i) for i in range(400_000)))
    commands = {
        "sha256sum": [text] * 12, "xz": ["-T1", "-1kc", text], "gzip": ["-kc", text],
        "perl": ["-e", "my %n; $n{$_ % 997}++ for 1 .. 2e6; print scalar %n"],
        str(built(t, "cxx")): ["not-hot-line", "0.4"], str(built(t, "plain")): ["not-sorting", "0.4"],
    }
    alarms = []
    seen = 0
    for name, arguments in commands.items():
        if not shutil.which(name):
            continue
        r = t.record(tool(name), *arguments, stdout=subprocess.DEVNULL)
        report = json.loads(t.good("report", "--json", "--insights", r.file))
        seen += report["samples"] >= 100
        alarms += [(name, i["rule"], i["share"]) for i in report["insights"]]
    need(seen >= 3, "too few programs ran long enough")
    need(not alarms, f"false alarms: {alarms}")
    return f"{seen} programs"


def test_an_ordinary_user(t):
    """Without samples of the kernel, only rules about user space apply."""
    r = t.record(built(t, "plain"), "allocation", "0.5", user="nobody")
    found = {i["rule"]: i for i in json.loads(t.good("report", "--json", "--insights", r.file))["insights"]}
    need("allocation" in found and not NEEDS_KERNEL & set(found), f"found: {sorted(found)}")


def test_text_and_recording(t):
    program = built(t, "cxx")
    r = t.record(program, "exceptions", "0.5", quiet=False)
    err = r.stderr
    need(re.search(r"^insight: [\d.]+% throwing exceptions.* in .*fall", err, re.M), f"record says nothing: {err[-500:]}")
    need(len(re.findall(r"^insight: ", err, re.M)) <= 2, "record says too much")
    need(f"; more: wick report --insights {r.file}" in err, f"no next step: {err[-200:]}")
    plain, more = t.good("report", r.file), t.good("report", "--insights", r.file)
    need(more.startswith(plain), "--insights changes the table")
    need(re.search(r"^ +[\d.]+%  exceptions: .*\(certain: .*\)\n +in .*fall.*cxx\.cc:\d+.*\n +\S.*; wick report --callers \S+ \S+$", more, re.M), more[-600:])
    # The command of the hint works.
    command = re.search(r"; wick (report --callers .*)$", more, re.M).group(1)
    need("no such" not in t.good(*shlex.split(command)), "the hint does not work")
    need("insights" not in json.loads(t.good("report", "--json", r.file)), "without the option, JSON has insights")
    for options in (["--tree"], ["--by", "line"], ["--callers", "fall"]):
        need(json.loads(t.good("report", "--json", "--insights", *options, r.file))["insights"][0]["rule"] == "exceptions", f"{options}")
    quiet = t.record(program, "exceptions", "0.3")
    need(not quiet.stderr, "record -q says something")
