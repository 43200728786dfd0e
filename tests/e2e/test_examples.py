# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""examples/: the slow version's profile shows the named cause, the fixed version's does not, and `wick diff` says so."""

from test_cargo import cargo_wick, environment

from harness import *  # noqa: F403

# A function of the stacks of each cause, and its least share in the slow version.
CPP = {
    "allocation": (r"malloc|cfree|_int_free|operator new|operator delete", 20),
    "growth": (r"_M_realloc_insert", 50),
    "copying": (r"memmove|operator\+", 30),
    "lock": (r"mutex_lock|mutex_unlock|lll_", 40),
    "fibonacci": (r"fibonacci\(", 60),
}
RUST = {
    "allocation": (r"malloc|cfree|_int_free|alloc::alloc::", 20),
    "growth": (r"grow_one|grow_amortized|finish_grow|realloc", 30),
    "copying": (r"memmove|clone", 30),
    "lock": (r"Mutex|futex", 40),
    "fibonacci": (r"fibonacci$", 60),
}


def cost(t, file, pattern):
    """Samples with a matching function, and all."""
    found = total = 0
    for line in t.good("collapse", file, "--count", "samples").splitlines():
        stack, count = line.rsplit(" ", 1)
        total += float(count)
        if any(re.search(pattern, f) for f in stack.split(";")[1:]):
            found += float(count)
    return found, total


def check(t, name, pattern, least, slow, fixed):
    found, total = cost(t, slow, pattern)
    need(total >= 20, f"{name}: only {total:.0f} samples")
    at_least(100 * found / total, least, f"{name}: share of {pattern} in the slow version")
    left, _ = cost(t, fixed, pattern)
    at_most(left / found, 0.34, f"{name}: what is left of the samples with {pattern}")
    changes = json.loads(t.good("diff", "--json", slow, fixed))
    before, after = changes["before"]["total"], changes["after"]["total"]
    need(after < before, f"{name}: wick diff shows {before} and {after}")


def record(t, program, file):
    r = t.run(t.wick_path, "record", "-q", "-F", "1999", "-o", file, "--", program)
    need(r.returncode == 0, text_of(r.stderr))
    return text_of(r.stdout)


@serial
def test_cpp(t):
    build = t.tmp / "build"
    r = t.run(tool("cmake"), "-S", ROOT / "examples/cpp", "-B", build, "-G", "Ninja")
    need(r.returncode == 0, text_of(r.stderr))
    r = t.run("cmake", "--build", build, timeout=600)
    need(r.returncode == 0, text_of(r.stdout))
    for name, (pattern, least) in CPP.items():
        slow, fixed = (t.tmp / f"{name}_{v}.wick" for v in ("slow", "fixed"))
        need(record(t, build / f"{name}_slow", slow) == record(t, build / f"{name}_fixed", fixed), f"{name}: different results")
        check(t, name, pattern, least, slow, fixed)


@serial
def test_rust(t):
    """With cargo wick, in a copy, since cargo writes Cargo.lock."""
    root = t.tmp / "rust"
    shutil.copytree(ROOT / "examples/rust", root, ignore=shutil.ignore_patterns("target", "Cargo.lock"))
    env = environment(t)
    for name, (pattern, least) in RUST.items():
        results = []
        for version in ("slow", "fixed"):
            results.append(cargo_wick(t, root, "-q", "-F", "1999", "-o", t.tmp / f"{name}_{version}.wick", "--bin", f"{name}_{version}", env=env)[0])
        need(results[0] == results[1], f"{name}: different results")
        check(t, name, pattern, least, t.tmp / f"{name}_slow.wick", t.tmp / f"{name}_fixed.wick")
