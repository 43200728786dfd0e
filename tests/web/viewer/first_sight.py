# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""What each view shows at first, served and from disk."""

import re

from .base import HEAD, MAIN, Base, stacks_of
from .model import cell, cost, tree_of
from .page import VIEWS


class FirstSightTests(Base):
    def test_first_visit(self):
        self.open()
        self.same(self.p.text(".sentence"), "Flame graph of thread app (100): 1.00 s of CPU time in 1,000 samples, 66.7% of the recording")
        self.same(self.p.fragment(), "flame/t=0")
        self.same(self.p.js("document.title"), "./app --fast – wick")
        self.same(self.p.text("[role=tab][aria-selected=true]"), "Flame graph")
        self.same(self.p.tree(), tree_of(stacks_of(MAIN)))
        ground = self.p.js("T.color(T.rect(T.pane())[0] + 5, T.rect(T.pane())[1] + 5)")
        for path in (("work", "read", "vfs_read"), ("parse", "step"), ("main",)):
            x, y = self.p.point(*path)
            assert self.p.js(f"T.color({x + 20}, {y - 7})") != ground, f"{path} is not drawn"
        self.same(self.p.js("T.texts('.track .share')"), ["100.0%", "66.7%", "33.3%"])
        self.shot("first")

    def test_each_view_served_and_from_disk(self):
        """Number keys and clicks open each view with the hot function; a page from disk shows the same as a served one."""
        seen = []
        file = self.made("exact")
        for url in (self.serve(file).url, self.html(file)):
            self.p.open(url)
            pages = {}
            for i, view in enumerate(VIEWS):
                self.p.key("4" if view != "functions" else "1")
                self.p.key(str(i + 1))
                self.same(self.p.js("location.hash.slice(1).split('/')[0]"), view)
                by_key = self.p.js("T.page()")
                self.p.key("4" if view != "functions" else "1")
                self.p.click(f"#tab-{view}")
                self.p.becomes("T.page()", by_key)
                self.hot_function(view)
                self.b.hover(2, 2)
                self.p.settle()
                pages[view] = (self.p.js("T.page()"), self.p.js("T.picture()"))
                self.shot(f"view-{view}")
            seen.append(pages)
        for view in VIEWS:
            # A page from disk has no server that could look for the sources.
            served, disk = (re.sub(r"(?m)^(/opt/example/app was|source file) not found.*\n", "", s[view][0]) for s in seen)
            self.same(disk, served, f"text of {view}")
            assert seen[0][view][1] == seen[1][view][1], f"the pictures of {view} differ"

    def hot_function(self, view):
        p = self.p
        if view == "flame":
            self.same(p.hover("main", "work")["Self"], "350 ms 35.0%")
        elif view == "chart":
            x, y, w, _ = p.js("T.rect(T.pane())")
            self.b.hover(x + w * 0.6, y + 22 + 2 * 18 + 9)  # 0.6 of 1.03 s, third level
            p.becomes("T.tip()?.title", "work")
            self.same(p.js("T.tip().lines.Duration"), "600 ms 58.3% of the recording")
        elif view == "tree":
            rows = p.js("T.rows('.tree-view')")
            assert any("work" in row for row in rows), rows
        elif view == "functions":
            self.same(p.js("T.rows('.functions-view')[0]"), ["0.350", "35.0%", "0.600", "60.0%", "600", "work", "app", "work.c:3"])
        elif view == "around":
            p.becomes("T.text('.around .middle .name')", "work")
        elif view == "code":
            p.becomes("T.text('.code-head .function')", "work")
            p.becomes("T.rows('.code-view .source').map((r) => r.join(' ').trim()).filter((r) => r !== '⋯')", ["src/work.c", "250.0 3 work.c:3", "350.0 350.0 5 work.c:5"])
        elif view == "heat":
            self.has(p.text(".heat"), "Activity of thread app (100)", "20.0 ms in 20.0 ms")
        else:
            self.has(p.text("#view"), "./app --fast", "1,500", "cpu-clock", "cache-misses")

    def test_source_and_assembly(self):
        """Lines and instructions of the function that burns the time, served and from disk."""
        file = self.recorded()
        lines = {line["name"].rsplit(":", 1)[1]: line["self"] for line in self.report(file, "--by", "line")["lines"] if "work.h" in line["name"]}
        burn = self.report(file)["functions"][0]
        self.same(burn["name"], "burn")
        for url in (self.serve(file).url, self.html(file)):
            self.p.open(url, "code")
            self.p.becomes("T.text('.code-head .function')", "burn")
            assert self.b.wait("T.rows('.code-view .assembly').length > 5"), self.p.text(".code-view")
            source, assembly = self.p.js("T.rows('.code-view .source')"), self.p.js("T.rows('.code-view .assembly')")
            hot = [row for row in source if "a = a * 6364136223846793005ull" in " ".join(row)]
            assert hot, source
            number = next(c for c in hot[0] if c.isdigit() and len(c) > 1)
            self.same(hot[0][0], cell(lines[number], max(lines.values()), "ns"), f"self time of line {number}")
            assert any(re.search(r"\bi?mul|madd", " ".join(row)) for row in assembly), assembly
            self.has(self.p.text(".code-head"), cost(burn["self"], "ns"))
            # A click on the line marks its instructions.
            self.same(self.p.js("T.all('.assembly .linked').length"), 0)
            row = self.p.js("(e => T.rect(e))(T.all('.source .table-row').find((e) => e.innerText.includes('6364136223846793005ull')))")
            self.b.click(row[0] + row[2] - 60, row[1] + row[3] / 2)
            self.p.settle()
            assert self.p.js("T.all('.assembly .linked').length") > 0, "no instruction belongs to the line"
            self.shot("source")
        # By the menu of a box.
        self.p.go("flame")
        path = next(b["path"] for b in self.p.boxes() if b["name"] == "heavy" and b["isSeen"])
        self.b.right_click(*self.p.point(*path))
        self.p.settle()
        self.p.click(".menu-item .text", "Source and assembly")
        self.p.becomes("T.text('.code-head .function')", "heavy")

    def test_callers_and_callees(self):
        self.open(fragment="flame")
        self.b.right_click(*self.p.point("_start", "main", "parse"))
        self.p.settle()
        self.p.click(".menu-item .text", "Callers and callees")
        self.p.becomes("T.text('.around .middle .name')", "parse")
        side = lambda name: dict(self.p.js(f"(b => Array.from({{length: b.count}}, (_, i) => [T.name(b.key[i]), b.total[i]]))(probe.answers.around.{name})"))  # noqa: E731
        self.same(side("callers"), {"parse": 400e6, "main": 300e6, "_start": 300e6, "run": 100e6, "clone": 100e6})
        self.same(side("callees"), {"parse": 400e6, "alloc": 200e6, "step": 200e6, "malloc": 100e6, "brk": 40e6})

    def test_functions_beside_callers_and_callees(self):
        """The list is the function table: a click or an arrow puts a function in the middle, the search filters, the rest stays as it was."""
        self.open(fragment="around")
        middle = "T.text('.around .middle .name')"
        self.p.becomes(middle, "crunch")
        names = [row[2].split("\n")[0] for row in self.p.js("T.rows('.function-list')")]
        self.same(names[:3], ["crunch", "work", "vfs_read"])
        self.same(self.p.js("T.texts('.function-list .table-row.selected .text')"), ["crunch"])
        self.p.click(".function-list .text", "parse")
        self.p.becomes(middle, "parse")
        self.same(self.p.js("T.texts('.function-list .table-row.selected .text')"), ["parse"])
        at = names.index("parse")
        self.p.key("ArrowUp")
        self.p.becomes(middle, names[at - 1])
        self.p.key("ArrowDown")
        self.p.becomes(middle, "parse")
        self.p.key("/")
        self.p.type("alloc")
        self.p.becomes("T.texts('.function-list .name .text').sort().join()", "alloc,malloc")
        self.same(self.p.js(middle), "parse")
        self.b.size(800, 600)
        self.p.becomes("T.one('.function-list')", None)
        self.b.size(1280, 720)

    def test_actions_on_callers_and_callees(self):
        """Keys act on the function that is selected, not on the one in the middle; a function is not a node of the tree."""
        self.open(self.recorded(), fragment="around")
        self.p.becomes("T.text('.around .middle .name')", "burn")
        self.p.key("Home", "ArrowUp")
        caller = self.p.text(".bar .about .name")
        assert caller and caller != "burn", caller
        for key in "FM":
            self.p.key(key)
            self.p.becomes("T.texts('.toast').at(-1)", "Select a node in the flame graph or call tree first")
        assert "/x=" not in self.p.fragment(), self.p.fragment()
        self.p.key("6")
        self.p.becomes("T.text('.code-head .function')", caller)
        self.p.back()
        self.p.becomes("T.text('.around .middle .name')", "burn")
        self.p.click("#tab-code")
        self.p.becomes("T.text('.code-head .function')", caller)
        self.p.back()
        self.p.key("1")
        self.p.key("F")
        assert "/x=" not in self.p.fragment(), "a function became a path"
        self.p.key("f")
        self.has(self.p.fragment(), f"/x=f{self.p.js('T.key(' + repr(caller) + ')')}")

    def test_empty_profile(self):
        self.open(self.made("empty", HEAD))
        for view in "12345678":
            self.p.key(view)
        self.p.key("1")
        self.has(self.p.text("#view"), "No samples")
