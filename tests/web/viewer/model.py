# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""What the viewer should show, computed from its rules in another way: trees after transforms, numbers as text."""

import math
import re

MODULES = {"libc": "libc.so.6", "kernel": "[kernel]", None: "app"}


def frames_of(text):
    """The frames of a sample line of make_wick, as (name, module)."""
    frames = []
    for part in text.split(";"):
        part, _, module = part.partition("@")
        frames += [(re.sub(r"\{.*?\}", "", f), MODULES[module or None]) for f in part.split("=>")]
    return tuple(frames)


def tree_of(stacks, of=lambda name, module: name):
    """{path: (self, total)} of [(frames, cost)]; the root has the path ()."""
    tree = {(): [0, 0]}
    for frames, cost in stacks:
        path = tuple(of(*f) for f in frames)
        for i in range(len(path) + 1):
            tree.setdefault(path[:i], [0, 0])[1] += cost
        tree[path][0] += cost
    return {path: tuple(costs) for path, costs in tree.items()}


def names(frames):
    return [name for name, _ in frames]


def starts(frames, path):
    return tuple(names(frames)[: len(path)]) == tuple(path)


def collapse_module(frames, module):
    out = []
    for name, m in frames:
        if m != module:
            out.append((name, m))
        elif not out or out[-1] != (module, module):
            out.append((module, module))
    return tuple(out)


def transformed(stacks, letter, path):
    """The stacks after a transform of the node at the end of `path`."""
    name = path[-1]
    module = next((m for frames, _ in stacks for n, m in frames if n == name), None)

    def one(s):  # None: dropped
        at = names(s).index(name) if name in names(s) else -1
        last = len(s) - 1 - names(s)[::-1].index(name) if at >= 0 else -1
        if letter == "f":
            return s[at:] if at >= 0 else None
        if letter == "F":
            return s[len(path) - 1:] if starts(s, path) else None
        if letter == "S":
            return s if names(s)[-1] == name else None
        if letter == "m":
            return tuple(f for f in s if f[0] != name)
        if letter == "M":
            return s[: len(path) - 1] + s[len(path):] if starts(s, path) else s
        if letter == "d":
            return None if at >= 0 else s
        if letter == "c":
            return s[: at + 1] if at >= 0 else s
        if letter == "r":
            return s[: at + 1] + s[last + 1:] if at >= 0 else s
        if letter == "R":
            return tuple(f for i, f in enumerate(s) if f[0] != name or i == 0 or s[i - 1] != f)
        if letter == "C":
            return collapse_module(s, module)
        if letter == "keep":
            return s if any(m == module for _, m in s) else None
        if letter == "drop":
            return None if any(m == module for _, m in s) else s
        raise ValueError(letter)

    return [(t, cost) for s, cost in stacks if (t := one(s)) is not None]


def inverted(stacks):
    """From the leaves: totals only, since a sample ends where its stack begins."""
    return {path: total for path, (_, total) in tree_of([(s[::-1], cost) for s, cost in stacks]).items()}


def rounded(value, decimals):
    """As JavaScript's toFixed, with thousands separated."""
    return f"{value:,.{decimals}f}"


def duration(ns):
    if ns == 0:
        return "0 s"
    for limit, unit, per, exact in ((999.5, "ns", 1, 0), (999.5e3, "µs", 1e3, 99.95e3), (999.5e6, "ms", 1e6, 99.95e6)):
        if ns < limit:
            return f"{rounded(ns / per, 1 if ns < exact else 0)} {unit}"
    assert ns < 119e9
    return f"{rounded(ns / 1e9, 2)} s"


def cost(value, unit):
    return duration(value) if unit == "ns" else f"{value:,} {unit}"


def share(part, whole):
    value = 100 * part / whole if whole else 0
    return "<0.1%" if 0 < value < 0.05 else f"{rounded(value, 1)}%"


def cell(value, largest, unit):
    """A cell of a column whose largest value decides on unit and decimals."""
    if value == 0:
        return "0"
    if unit != "ns":
        return rounded(value, 0)
    if largest >= 1e9:
        per, decimals = 1e9, 1 if largest >= 1000e9 else 2 if largest >= 100e9 else 3
    elif largest >= 1e6:
        per, decimals = 1e6, 1 if largest >= 100e6 else 2
    else:
        raise ValueError(largest)
    size = value / per
    least = 10.0**-decimals
    return f"<{least:.{decimals}f}" if size < least / 2 else rounded(size, decimals)


def close(a, b):
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-6)
