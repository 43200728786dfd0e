# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Transforms by letter and by menu, undone and redone; the inverted tree."""

import json

from .base import MAIN, WORKER, Base, stacks_of
from .model import inverted, transformed, tree_of


def chart_of(stacks):
    """Boxes of a stack chart as (depth, name, begin, end) in milliseconds, of stacks that follow each other; None: dropped."""
    boxes, open_, now = [], [], 0
    for frames, cost in stacks:
        path = [] if frames is None else [name for name, _ in frames]
        common = 0
        while common < min(len(path), len(open_)) and path[common] == open_[common][1]:
            common += 1
        del open_[common:]
        now += cost / 1e6
        for box in open_:
            box[3] = now
        for depth in range(common, len(path)):
            open_.append([depth, path[depth], now - cost / 1e6, now])
            boxes.append(open_[-1])
    return sorted((depth, name, round(begin), round(end)) for depth, name, begin, end in boxes)


class TransformTests(Base):
    # Letter, what the menu says, and the path that it acts on.
    TRANSFORMS = [
        ("f", "Focus on function", ("_start", "main", "parse")),
        ("F", "Focus on this subtree", ("_start", "main", "parse")),
        ("S", "Focus on self time", ("_start", "main", "work")),
        ("m", "Merge function into callers", ("clone", "run", "parse")),
        ("M", "Merge this node into its caller", ("_start", "main", "parse")),
        ("d", "Drop samples with this function", ("_start", "main", "fib")),
        ("c", "Collapse what it calls", ("_start", "main", "parse")),
        ("r", "Collapse recursion", ("_start", "main", "fib")),
        ("R", "Collapse direct recursion", ("_start", "main", "fib")),
        ("C", "Collapse library libc.so.6", ("_start", "main", "work", "read")),
        ("keep", "Keep only samples with libc.so.6", ("_start", "main", "work", "read")),
        ("drop", "Drop samples with libc.so.6", ("_start", "main", "work", "read")),
    ]

    def test_transforms(self):
        """By letter and by menu; back and forward; the crumb goes back, too."""
        stacks = stacks_of(MAIN, WORKER)
        before = tree_of(stacks)
        self.open(fragment="flame")
        self.same(self.p.tree(), before)
        for letter, text, path in self.TRANSFORMS:
            after = tree_of(transformed(stacks, letter, path))
            assert after != before, f"{letter} does nothing here"
            if len(letter) == 1:
                self.p.select(*path)
                self.p.key(letter)
                self.same(self.p.tree(), after, f"{letter} {path}")
                crumb = self.p.js("T.texts('.crumb:not(.root)')")
                assert len(crumb) == 1, crumb
                self.p.back()
                self.same(self.p.tree(), before, f"back from {letter}")
                self.p.back(1)
                self.same(self.p.tree(), after, f"forward to {letter}")
                self.p.click(".crumb .remove")
                self.same(self.p.tree(), before, f"{letter} removed")
            self.b.right_click(*self.p.point(*path))
            self.p.settle()
            shown = self.p.js("T.named('.menu-item .text', " + json.dumps(text) + ")?.parentElement.innerText.trim().split('\\n').pop()")
            self.same(shown, letter if len(letter) == 1 else text, f"letter of {text}")
            self.p.click(".menu-item .text", text)
            self.same(self.p.tree(), after, text)
            self.p.click(".crumb.root button")
            self.same(self.p.tree(), before, "everything")

    def test_transforms_in_the_stack_chart(self):
        """By menu: letters move in time there. Boxes are where their samples are, and samples that were dropped leave a gap."""
        stacks = stacks_of(MAIN)
        self.open(fragment="chart/t=0")
        before = chart_of(stacks)
        self.same(self.chart(), before)
        for letter, text, path in self.TRANSFORMS:
            if path[0] == "clone":
                path = ("_start", "main", "parse")
            left = {i: frames for frames, i in transformed([(frames, i) for i, (frames, _) in enumerate(stacks)], letter, path)}
            after = chart_of([(left.get(i), cost) for i, (_, cost) in enumerate(stacks)])
            assert after != before, f"{letter} does nothing here"
            if letter in "FM":  # of a node: the chart has only functions
                self.p.go("flame/t=0")
                self.p.select(*path)
                self.p.key(letter)
                self.p.key("2")
            else:
                depth, name = len(path) - 1, path[-1]
                begin, end = next(box[2:] for box in before if box[:2] == (depth, name))
                self.b.right_click(*self.chart_point(depth, (begin + end) / 2))
                self.p.settle()
                self.p.click(".menu-item .text", text)
            self.same(self.chart(), after, text)
            # What is drawn, not only what the engine answered.
            for depth, name, begin, end in after:
                if end - begin < 20:
                    continue
                self.b.hover(*self.chart_point(depth, (begin + end) / 2))
                self.p.becomes("T.tip()?.title", name)
            gaps = [t + 0.5 for t in range(1000) if not any(b <= t < e for _, _, b, e in after)]
            if gaps:
                self.b.hover(*self.chart_point(0, gaps[len(gaps) // 2]))
                self.p.becomes("T.tip()", None)
            self.p.go("chart/t=0")
            self.same(self.chart(), before, f"{text} removed")

    def chart(self):
        """Boxes of the stack chart as (depth, name, begin, end) in milliseconds."""
        self.p.settle()
        boxes = self.p.js("(c => Array.from({length: c.count}, (_, i) => [c.depth[i], T.name(c.key[i]), c.begin[i], c.end[i]]))(probe.answers.chart)")
        unit = self.p.js("probe.opened.meta.timeUnitNs") / 1e6
        return sorted((depth, name, round(begin * unit), round(end * unit)) for depth, name, begin, end in boxes)

    def chart_point(self, depth, ms):
        x, y, w, _ = self.p.js("T.rect(T.pane())")
        meta = self.p.js("(({durationNs, timeUnitNs}) => [durationNs, timeUnitNs])(probe.opened.meta)")
        whole = (int(meta[0] // meta[1]) + 1) * meta[1] / 1e6
        return x + w * ms / whole, y + 22 + 18 * depth + 9

    def test_transforms_add_up(self):
        """Each works on the result of those before; a crumb alone can be removed; tables follow."""
        stacks = stacks_of(MAIN, WORKER)
        self.open(fragment="flame")
        self.p.select("_start", "main", "fib")
        self.p.key("d")
        self.p.select("clone", "run", "parse")
        self.p.key("m")
        without = transformed(stacks, "d", ("fib",))
        both = transformed(without, "m", ("parse",))
        self.same(self.p.tree(), tree_of(both))
        self.same(self.p.js("T.texts('.crumb:not(.root) button:first-child')"), ["Drop fib", "Merge parse"])
        self.p.key("4")
        names = [row[5] for row in self.p.js("T.rows('.functions-view')")]
        assert "fib" not in names and "parse" not in names and "alloc" in names, names
        # In the table: the row, then a letter.
        self.b.click(*self.p.at(".functions-view .table-row .text", "read"))
        self.p.key("f")
        self.p.key("1")
        self.same(self.p.tree(), tree_of(transformed(both, "f", ("read",))))
        self.p.click(".crumb .remove", "Remove Drop fib")
        self.p.click(".crumb .remove", "Remove Focus read")
        self.same(self.p.tree(), tree_of(transformed(stacks, "m", ("parse",))))
        self.p.back(-2)
        self.same(self.p.tree(), tree_of(transformed(both, "f", ("read",))))
        self.p.click(".crumb:not(.root) button", "Drop fib")
        self.same(self.p.tree(), tree_of(without))

    def test_inverted_and_icicle(self):
        stacks = stacks_of(MAIN, WORKER)
        self.open(fragment="flame")
        root = self.p.box()["y"]
        self.p.click(".segments button", "Icicle")
        assert self.p.box()["y"] < self.p.box("main")["y"] < self.p.box("main", "work")["y"], "the root is not on top"
        assert self.p.box()["y"] < root
        self.same(self.p.hover("main", "work")["Total"], "600 ms 40.0%")
        self.p.click(".segments button", "Flame")
        self.same(self.p.box()["y"], root)
        self.p.key("i")
        self.same({path: total for path, (_, total) in self.p.tree().items()}, inverted(stacks))
        self.same(self.p.text(".sentence"), "Inverted flame graph of all 2 threads: 1.50 s of CPU time in 1,500 samples")
        self.same(self.p.hover("alloc", "parse", "run")["Total"], "100 ms 6.7%")
        self.p.key("3")
        got = self.p.js("probe.answers.tree.rows.filter((r) => r.depth === 0).map((r) => [T.name(r.key), r.total])")
        self.same(dict(got), {path[0]: total for path, total in inverted(stacks).items() if len(path) == 1})
        self.p.click(".tools button", "Inverted")
        self.same(self.p.js("T.name(probe.answers.tree.rows[0].key)"), "_start")
        # Letters act on nodes of the inverted tree, too.
        self.p.go("flame/inverted")
        self.p.select("malloc", "alloc")
        self.p.key("F")
        self.same(self.p.text(".sentence"), "Inverted flame graph of all 2 threads: 60.0 ms of CPU time in 60 samples, 4.0% of the recording")
