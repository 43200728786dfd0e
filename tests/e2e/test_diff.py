# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""wick diff on a program with a known change: reports the right function with the right change, and nothing if nothing changed."""

from harness import *  # noqa: F403

ROUNDS = 8000  # about a second and a half


def runs(t, before, after, rounds=ROUNDS):
    program = t.program("changing.c")
    return [t.record(program, *map(str, (rounds, *units)), name=f"{name}.wick").file for name, units in (("a", before), ("b", after))]


def marked(report):
    return {f["name"]: c["verdict"] for f in report["functions"] for c in (f["self"], f["total"]) if c["verdict"]}


def test_slower_function(t):
    """gamma_ takes five times as long: it comes first, and only it would fail CI."""
    a, b = runs(t, (60, 30, 10), (60, 30, 50), rounds=16000)
    report = json.loads(t.good("diff", a, b, "--json", "--normalize"))
    first = report["functions"][0]
    need(first["name"] == "gamma_" and first["self"]["verdict"] == "grew", f"first: {first}")
    near(100 * first["self"]["share_change"], 25.7, 4, "points that gamma_ grew by")  # 10 of 100 -> 50 of 140
    rows = {f["name"]: f["self"] for f in report["functions"]}
    need(rows["alpha"]["verdict"] == "shrank", f"alpha: {rows['alpha']}")
    near(100 * rows["alpha"]["share_change"], -17.1, 4, "points that alpha grew by")  # 60 of 100 -> 60 of 140

    # As recorded, both runs do the same work in alpha; the speed of the machine may differ, but not the ratio of the two
    # functions.
    rows = {f["name"]: f["self"] for f in json.loads(t.good("diff", a, b, "--json"))["functions"]}
    ratio = {n: rows[n]["after"] / rows[n]["before"] for n in ("alpha", "gamma_")}
    near(ratio["gamma_"] / ratio["alpha"], 5, 1, "times that gamma_ costs")

    r = t.wick("diff", a, b, "--normalize", "--fail-above", "8")
    need(r.returncode == 1 and re.search(r"^wick: gamma_: .*\n(?!wick: alpha)", text_of(r.stderr)), f"code {r.returncode}: {text_of(r.stderr)}")
    r = t.wick("diff", a, b, "--normalize", "--fail-above", "40")
    need(r.returncode == 0, f"--fail-above 40: code {r.returncode}: {text_of(r.stderr)}")


def test_nothing_changed(t):
    """The same program twice: marks no function and does not fail CI, whatever the speed of the machine."""
    a, b = runs(t, (60, 30, 10), (60, 30, 10))
    wrong = marked(json.loads(t.good("diff", a, b, "--json", "--normalize")))
    if wrong:
        raise OutOfRange(f"marked: {wrong}")  # one in a hundred is possible
    r = t.wick("diff", a, b, "--fail-above", "1")
    if r.returncode != 0:
        raise OutOfRange(f"--fail-above 1: code {r.returncode}: {text_of(r.stderr)}")


def test_itself_and_the_last_two(t):
    """A recording compared with itself has no difference in any format; without arguments, compares the last two recordings."""
    a, b = runs(t, (60, 30, 10), (60, 30, 60))
    need("no differences" in t.good("diff", a, a), "against itself")
    need(not marked(json.loads(t.good("diff", a, a, "--json"))), "marks against itself")
    t.good("diff", a, a, "--fail-above", "0")
    lines = [l.rsplit(" ", 2) for l in t.good("diff", a, a, "--folded").splitlines()]
    need(lines and all(x == y for _, x, y in lines), "--folded against itself")
    collapsed = dict(l.rsplit(" ", 1) for l in t.good("collapse", "--count", "samples", a).splitlines())
    need({s: x for s, x, _ in lines} == collapsed, "--folded has other stacks than collapse")
    a.rename(t.tmp / "profile.wick.old")
    b.rename(t.tmp / "profile.wick")
    need(re.search(r"▲ .*gamma_", t.good("diff")), "the last two recordings")


def test_formats_agree(t):
    """A recording compared with its conversions to other formats has no marks; weights instead of counts do not make noise significant."""
    a, b = runs(t, (60, 30, 10), (60, 30, 10))
    for name in ("folded", "perf-script", "pprof", "speedscope", "firefox"):
        other = t.tmp / f"a.{name}"
        t.good("export", a, "--format", name, "-o", other)
        # Folded stacks do not say how many samples they have; wick's estimate may be too low for a verdict (analyze/sample_weight.h).
        judge = [] if name == "folded" else ["--fail-above", "0"]
        report = json.loads(t.good("diff", a, other, "--normalize", *judge, "--json"))
        need(not marked(report) and not report["warnings"], f"{name}: {marked(report)} {report['warnings']}")
    for name, profile in (("x", a), ("y", b)):
        t.good("collapse", "--count", "weights", profile, "-o", t.tmp / f"{name}.folded")
    report = json.loads(t.good("diff", t.tmp / "x.folded", t.tmp / "y.folded", "--normalize", "--json"))
    need(report["before"]["samples"] < 1e5 and report["notes"], f"samples: {report['before']}")
    if marked(report):
        raise OutOfRange(f"marked: {marked(report)}")  # one in a hundred is possible
    lines = t.good("diff", t.tmp / "x.folded", t.tmp / "y.folded", "--folded")
    need(lines == t.good("diff", t.tmp / "x.folded", t.tmp / "y.folded", "--folded", "--focus", "."), "by lines and by frames")


def test_renamed_program(t):
    """The same program under other names, copied and rebuilt: nothing is new or gone, and CI does not fail."""
    program = t.program("changing.c")
    rebuilt = t.program("changing.c", extra=("-DANOTHER_BUILD", "-Wl,--build-id=0x0123456789abcdef"), name="changing-fedcba9876543210")
    copied = t.tmp / "changing.old"
    copy_program(program, copied)
    files = [t.record(p, str(ROUNDS), "60", "30", "10", name=f"{i}.wick").file for i, p in enumerate((program, copied, rebuilt))]
    for other in files[1:]:
        report = json.loads(t.good("diff", files[0], other, "--json", "--normalize"))
        rows = {f["name"]: f["self"] for f in report["functions"]}
        for name in ("alpha", "beta", "gamma_"):
            row = rows[name]
            need(row["before"] > 0 and row["after"] > 0, f"{other.name}: {name} is new or gone: {row}")
        need(any("comparing" in note for note in report["notes"]), f"notes: {report['notes']}")
        r = t.wick("diff", files[0], other, "--fail-above", "3")
        if r.returncode != 0:
            raise OutOfRange(f"{other.name}: code {r.returncode}: {text_of(r.stderr)}")
        halves = [l.rsplit(" ", 2) for l in t.good("diff", files[0], other, "--folded").splitlines()]
        only_one = sum(int(x) + int(y) for _, x, y in halves if "0" in (x, y))
        at_most(100 * only_one / sum(int(x) + int(y) for _, x, y in halves), 5, "percent of samples in stacks of one side")
