# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Zoom, search, and the choice of time and threads."""

from .base import MAIN, WORKER, Base, stacks_of
from .model import share, tree_of


class MovementTests(Base):
    def test_zoom(self):
        self.open(fragment="flame")
        whole = self.p.box()["width"]
        self.b.double_click(*self.p.point("main", "parse"))
        self.p.settle()
        assert abs(self.p.box("main", "parse")["width"] - whole) < 1, self.p.box("main", "parse")
        self.has(self.p.fragment(), "/z=")
        self.same(self.p.hover("main", "parse", "alloc")["Total"], "100 ms 6.7%")
        self.p.key("Escape")
        assert self.p.box("main", "parse")["width"] < whole / 2
        self.p.select("main", "work")
        self.p.key("Enter")
        assert abs(self.p.box("main", "work")["width"] - whole) < 1
        self.p.click(".bar button", "Reset zoom")
        before = self.p.box("main", "work")["width"]
        for _ in range(3):
            self.b.wheel(*self.p.point("main", "work"), -120, ctrl=True)
        self.p.settle()
        assert self.p.box("main", "work")["width"] > before * 1.1
        left = self.p.js("probe.asks.flame.viewport.from")
        x, y = self.p.point("main", "work")
        self.b.drag((x, y), (x - 100, y))
        self.p.settle()
        assert self.p.js("probe.asks.flame.viewport.from") > left, "dragging does not pan"
        self.p.key("0")
        assert abs(self.p.box("main", "work")["width"] - before) < 1
        # Arrows: from the outermost function up to its heaviest callees.
        self.p.key("Escape", "Escape")
        self.p.key("Home", "ArrowUp", "ArrowUp")
        self.has(self.p.text(".bar .about"), "work", "total 600 ms (40.0%), self 350 ms (23.3%)")
        self.p.key("ArrowRight")
        self.has(self.p.text(".bar .about"), "parse")

    def test_search(self):
        stacks = stacks_of(MAIN, WORKER)
        self.open(fragment="flame")
        x, y = self.p.point("main", "work")
        plain = self.p.js(f"T.color({x + 30}, {y})")
        for pattern, keys in (("re+ad", {"read", "vfs_read"}), ("^(alloc|step)$", {"alloc", "step"}), ("Main", set()), ("main", {"main"})):
            self.p.key("/")
            self.b.key("a", ctrl=True)
            self.p.type(pattern)
            matching = sum(c for s, c in stacks if any(n in keys for n, _ in s))
            text = f"{share(matching, 1_500_000_000)} in {len(keys)} function{'' if len(keys) == 1 else 's'}" if keys else "no match"
            self.p.becomes("T.text('.search .result')", text)
            self.b.key("Escape")
            self.b.key("Escape")
            self.p.settle()
        self.same(self.p.text(".search .result"), "")
        # An invalid pattern is told, and what is shown stays.
        self.p.key("/")
        self.p.type("wor")
        self.p.type("(")
        self.has(self.p.text(".search .result"), "invalid: unterminated group")
        self.same(self.p.js("document.querySelector('.search input').ariaInvalid ?? document.querySelector('.search input').getAttribute('aria-invalid')"), "true")
        self.same(self.p.tree(), tree_of(stacks))
        self.b.key("Backspace")
        self.p.settle()
        self.same(self.p.text(".search .result"), "40.0% in 1 function")
        assert self.p.js(f"T.color({x + 30}, {y})") != plain, "a match is not marked"
        self.p.key("Escape", "Escape")
        bright = self.p.js(f"T.color({x + 30}, {y})")
        # Next and previous.
        self.p.key("/")
        self.p.type("parse|fib")
        x, y = self.p.point("main", "work")
        assert self.p.js(f"T.color({x + 30}, {y})") != bright, "what does not match is not dimmed"
        self.p.key("Enter")
        self.b.eval("document.activeElement.blur()")
        seen = []
        for key in ("n", "n", "n", "N", "n"):
            seen.append(self.p.text(".bar .about .name") + " " + self.p.fragment().split("/p=")[1])
            self.p.key(key)
        # A function within itself is passed over.
        self.same([s.split()[0] for s in seen], ["parse", "fib", "fib", "parse", "fib"])
        assert len(set(seen)) == 4 and seen[2] == seen[4], seen
        self.p.key("/")
        self.b.key("a", ctrl=True)
        self.p.type("fib")
        self.b.eval("document.activeElement.blur()")
        self.p.key("4")
        self.same(sorted(row[5] for row in self.p.js("T.rows('.functions-view')")), ["fib"])
        self.same(self.p.text(".functions-view .table-foot span"), "1 of 15 functions matches the search")
        self.p.key("1")
        self.p.key("g")  # keeps only what matches
        self.same(self.p.tree(), tree_of([s for s in stacks if ("fib", "app") in s[0]]))
        self.p.key("Escape")
        self.same(self.p.js("document.querySelector('.search input').value"), "")
        for view in ("2", "3", "5"):
            self.p.key(view, "/")
            self.p.type("parse")
            self.p.key("Enter")
            self.b.eval("document.activeElement.blur()")
            self.p.key("n")
            self.p.key("Escape", "Escape", "Escape")

    def test_brush(self):
        """By drag and by keys; all views follow; Esc clears it."""
        file = self.made("exact")
        self.open(file, fragment="flame")
        x, y, w, h = self.p.js("T.rect(T.one('.tracks-axis'))")
        lane = y + h + 60
        self.b.drag((x + 0.2 * w, lane), (x + 0.5 * w, lane))
        self.p.settle()
        fragment = self.p.fragment()
        options = self.range_options(fragment)
        begin, end = (float(v) for v in options[1].split("-"))
        assert abs(begin - 0.206) < 0.01 and abs(end - 0.515) < 0.01, options
        want = self.report(file, "--tree", *options)
        self.check_tree(want)
        self.check_functions(self.report(file, *options))
        self.has(self.p.text(".sentence"), f"{want['samples']:,} samples")
        self.p.key("5")
        self.has(self.p.text(".sentence"), f"{want['samples']:,} samples")
        self.p.key("1")
        self.p.b.hover(2, 2)
        # The grip at its end, then the axis moves it.
        self.b.drag((x + 0.5 * w, lane), (x + 0.7 * w, lane))
        self.p.settle()
        wider = [float(v) for v in self.range_options(self.p.fragment())[1].split("-")]
        assert wider[0] == begin and abs(wider[1] - 0.721) < 0.01, wider
        self.b.drag((x + 0.4 * w, y + 10), (x + 0.5 * w, y + 10))
        self.p.settle()
        moved = [float(v) for v in self.range_options(self.p.fragment())[1].split("-")]
        assert abs(moved[0] - begin - 0.103) < 0.01 and abs((moved[1] - moved[0]) - (wider[1] - wider[0])) < 1e-6, moved
        self.p.key("Escape", "Escape")  # the first one deselects
        assert "r=" not in self.p.fragment(), "Esc does not clear the range"
        self.same(self.p.tree(), tree_of(stacks_of(MAIN, WORKER)))
        # Keys, with the focus on the axis.
        self.b.eval("document.querySelector('.tracks-axis').focus()")
        self.p.key("ArrowRight")
        first = self.range_options(self.p.fragment())
        self.p.key("ArrowRight")
        self.p.key("ArrowRight", shift=True)
        second = self.range_options(self.p.fragment())
        assert first != second
        self.check_functions(self.report(file, *second))
        self.b.eval("document.querySelector('.tracks-axis').focus()")
        self.p.key("Delete")
        assert "r=" not in self.p.fragment()

    def test_tracks(self):
        """A click chooses a thread, Ctrl adds one; the keyboard does the same."""
        self.open(fragment="flame")
        self.p.click(".track .name", "worker")
        self.same(self.p.tree(), tree_of(stacks_of(WORKER)))
        x, y, w, h = self.p.js("T.rect(T.all('.track.thread')[0])")
        self.b.click(x + w + 200, y + h / 2)  # on its lane
        self.p.settle()
        self.same(self.p.tree(), tree_of(stacks_of(MAIN)))
        self.p.click(".track .name", "worker", ctrl=True)
        self.same(self.p.tree(), tree_of(stacks_of(MAIN, WORKER)))
        self.b.eval("document.querySelector('.tracks-scroll').focus()")
        self.p.key("End", "Enter")
        self.same(self.p.tree(), tree_of(stacks_of(WORKER)))
        self.p.click(".tracks-corner input")
        self.p.type("work")
        self.same(self.p.js("T.texts('.track.thread .name')"), ["worker"])
        self.p.key("Escape")
        self.b.eval("document.activeElement.blur()")
        self.p.key("t")
        assert self.p.js("T.rect(T.one('.tracks'))[3] < 40"), "the tracks do not fold"
        self.p.key("t")

    def test_heat_map(self):
        file = self.made("exact")
        self.open(file, fragment="heat/t=1")
        x, y, w, h = self.p.js("T.rect(T.one('.heat .map'))")
        # Two columns of one second with 50 rows; from 0.1 s to 0.3 s of the first.
        at = lambda seconds: y + 6 + (h - 30) * (1 - seconds)  # noqa: E731
        self.b.drag((x + 54 + 20, at(0.11)), (x + 54 + 20, at(0.29)))
        self.p.settle()
        fragment = self.p.fragment()
        assert fragment.startswith("flame/t=1/r="), fragment
        options = self.range_options(fragment)
        self.same([round(float(v), 3) for v in options[1].split("-")], [0.1, 0.3])
        self.check_tree(self.report(file, "--tree", "--thread", "101", *options))
        self.p.go("heat/t=1")
        self.b.eval("document.querySelector('.heat .map').focus()")
        self.p.key("ArrowUp", "ArrowUp")
        self.p.key("ArrowUp", shift=True)
        self.p.key("Enter")
        self.same([round(float(v), 3) for v in self.range_options(self.p.fragment())[1].split("-")], [0.02, 0.06])

    def test_stack_chart(self):
        self.open(fragment="chart/t=0")
        self.has(self.p.text(".bar .what"), "Thread app (100)")
        x, y, w, _ = self.p.js("T.rect(T.pane())")
        asked = "probe.asks.chart.range"
        whole = self.p.js(asked)
        self.b.wheel(x + 0.5 * w, y + 60, -240, ctrl=True)
        self.p.settle()
        near = self.p.js(asked)
        assert near[0] > whole[0] and near[1] < whole[1], (near, whole)
        self.p.key("w")
        assert self.p.js(asked)[1] - self.p.js(asked)[0] < near[1] - near[0]
        begin = self.p.js(asked)[0]
        self.p.key("a")
        assert self.p.js(asked)[0] < begin
        self.p.key("0")
        self.same(self.p.js(asked), whole)
        self.b.double_click(x + w * 0.2, y + 22 + 2 * 18 + 9)  # parse, from 0 to 0.26 s
        self.p.settle()
        unit = self.p.js("probe.opened.meta.timeUnitNs")
        shown = [v * unit / 1e9 for v in self.p.js(asked)]
        assert shown[0] < 0.01 and 0.25 < shown[1] < 0.35, shown
        self.p.key("Escape")
        self.b.drag((x + w * 0.3 / 1.03, y + 60), (x + w * 0.55 / 1.03, y + 60), shift=True)
        self.p.settle()
        begin, end = (float(v) for v in self.range_options(self.p.fragment())[1].split("-"))
        assert abs(begin - 0.3) < 0.01 and abs(end - 0.55) < 0.01, (begin, end)
        self.p.key("1")
        self.same([b["name"] for b in self.p.boxes() if b["total"] > 20e6], ["all", "_start", "main", "work", "read", "vfs_read"])
