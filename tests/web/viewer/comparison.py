# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Two files, two ranges of time, two threads."""

import json

from .base import AFTER, MAIN, Base, recording, stacks_of
from .model import cell, close, cost, share, tree_of


class ComparisonTests(Base):
    def check_difference(self, want, rows, normalized):
        """The function table against `wick diff --json`: costs of both sides, and the verdict."""
        theirs = {(f["name"], f["module"]): f for f in want["functions"]}
        self.same({(r["name"], r["module"]) for r in rows}, set(theirs), "functions")
        scale = want["scale"] if normalized else 1
        for r in rows:
            f = theirs[r["name"], r["module"]]
            for mine, base, kind in ((r["self"], r["baseSelf"], "self"), (r["total"], r["baseTotal"], "total")):
                assert mine == f[kind]["after"] and close(base, f[kind]["before"] * scale), (r, f)
            self.same(r["verdict"], {"grew": 1, "shrank": -1, "": 0}[f["self"]["verdict"]], f"verdict on {r['name']}")

    def test_comparison_of_files(self):
        before, after = self.made("before", recording(misses=[])), self.made("after", recording(AFTER, misses=[]))
        self.open(before, after)
        want = self.report(None, before, after, command="diff")
        self.has(self.p.text(".sentence"), "compared with" if want["normalized"] else "against", "before.wick")
        gone, grown = self.p.hover("parse", "step"), self.p.hover("main", "work")
        self.same([gone["Before"], gone["After"], gone["Verdict"]], ["200 ms 13.3%", "0 s 0.0%", "significantly less"])
        self.same([grown["Before"], grown["After"], grown["Change"], grown["Verdict"]], ["600 ms 40.0%", "1.04 s 56.8%", "+445 ms +74.2%", "significantly more"])
        self.same(self.p.hover("main", "fib")["Verdict"], "unchanged")
        self.same([self.p.hover()[k] for k in ("Change", "Verdict")], ["+339 ms +22.6%", "significantly more"])
        x, y = self.p.point("main", "work")
        assert self.p.js(f"T.color({x + 30}, {y - 7})") != self.p.js(f"T.color({self.p.point('main', 'fib')[0]}, {y - 7})"), "work has no color"
        self.shot("comparison")
        self.p.key("4")
        self.check_difference(want, self.p.js("T.functions()"), False)
        work = next(r for r in self.p.js("T.rows('.functions-view')") if "work" in r)
        self.same(work[:4], ["0.350", "0.800", "+0.450", "+128.6%"])
        self.p.key("3")
        rows = self.p.js("probe.answers.tree.rows.map((r) => [T.name(r.key), r.depth, r.baseTotal, r.total])")
        self.same(self.tree_rows(rows)["_start", "main", "work"], (600_000_000, 1_045_000_000))
        self.p.key("5")
        self.p.key("6")
        self.has(self.p.text(".code-head"), "before:")
        # Normalized, swapped, one side alone.
        self.p.key("4")
        self.p.click(".header button", "Compare")
        self.p.click(".popup label.menu-item")
        self.b.key("Escape")
        self.p.settle()
        self.check_difference(self.report(None, "--normalize", before, after, command="diff"), self.p.js("T.functions()"), True)
        self.p.click(".header button", "Compare")
        self.p.click(".popup label.menu-item")
        self.b.key("Escape")
        self.p.click(".header button", "Compare")
        self.p.click(".popup .menu-item", "Swap sides")
        self.check_difference(self.report(None, after, before, command="diff"), self.p.js("T.functions()"), False)
        self.p.click(".header button", "Compare")
        self.p.click(".popup .menu-item", f"Only {before}")
        self.check_functions(self.report(before))

    def test_source_of_a_comparison(self):
        """Costs of both files by line; by instruction for the same build only, and the page says so. Served and from disk."""
        first = self.recorded()
        line = "a = a * 6364136223846793005ull"
        for second, is_same in ((self.recorded("longer", 1), True), (self.recorded("other", 0.8, "-O2"), False)):
            costs = [json.loads(self.run(self.args.wick, "annotate", "--json", "burn", file)) for file in (first, second)]
            hot = [max((r for r in c["rows"] if r["kind"] == "line"), key=lambda r: r["self"])["self"] for c in costs]
            code = [{r["address"]: r["self"] for r in c["rows"] if r["kind"] == "instruction" and r["self"]} for c in costs]
            unit = lambda ns: cell(ns, max(hot[1], max(code[1].values())), "ns")  # noqa: E731, B023
            for url in (self.serve(first, second).url, self.html(first, second)):
                self.p.open(url, "code")
                self.p.becomes("T.text('.code-head .function')", "burn")
                assert self.b.wait("T.rows('.code-view .assembly').length > 5"), self.p.text(".code-view")
                note = self.p.text(".code-notes") or ""
                self.same("the builds differ" in note, not is_same, note)
                [row] = [r for r in self.p.js("T.rows('.code-view .source')") if line in " ".join(r)]
                self.same(row[:2], [unit(v) for v in hot], "the hot line")
                judged = self.p.js("document.querySelectorAll('.code-view .source .more, .code-view .source .less').length")
                assert is_same or judged == 0, f"{judged} lines of different builds are judged"
                heads = self.p.js("[...T.one('.assembly .table-head').children].map((c) => c.innerText.replace(/\\s.*/s, ''))")
                self.same(heads[:3], ["After", "Change", "Address"] if is_same else ["After", "Address", ""], "columns")
                shown = {int(r[heads.index("Address")], 16): r for r in self.p.js("T.rows('.code-view .assembly')")}
                address, ns = max(code[1].items(), key=lambda x: x[1])
                self.same(shown[address][0], unit(ns), "the hot instruction")
                if is_same:
                    self.b.hover(*self.p.at(".assembly .name", " ".join(shown[address][heads.index("Assembly")].split())))
                    self.p.becomes("T.tip()?.lines.Self.startsWith(" + json.dumps(f"{cost(code[0].get(address, 0), 'ns')} → {cost(ns, 'ns')} ") + ")")
                self.shot(f"source-comparison-{'same' if is_same else 'other'}")
        # One side alone.
        self.p.click(".header button", "Compare")
        self.p.click(".popup .menu-item", f"Only {first}")
        [row] = [r for r in self.p.js("T.rows('.code-view .source')") if line in " ".join(r)]
        self.same(row[0], cell(hot[0], hot[0], "ns"), "the line before")

    def test_comparison_within_a_recording(self):
        file = self.made("exact")
        unit = 1_000_000
        self.open(file, fragment="flame")
        x, y, w, h = self.p.js("T.rect(T.one('.tracks-axis'))")
        self.b.drag((x + 0.6 * w, y + 10), (x + 0.9 * w, y + 10))
        self.p.settle()
        self.b.drag((x + 0.05 * w, y + 10), (x + 0.25 * w, y + 10), ctrl=True)
        self.p.settle()
        fragment = self.p.fragment()
        now, then = self.range_options(fragment), self.range_options(fragment, r"/c=r(\d+)-(\d+)")
        after, before = self.report(file, *now), self.report(file, *then)
        self.has(self.p.text(".sentence"), "compared with", "(normalized)")
        self.p.key("4")
        self.check_sides(before, after, before["total"] and after["total"] / before["total"])
        # Two threads.
        self.p.go("functions/t=0")
        self.p.click(".header button", "Compare")
        self.p.click(".popup .pick .text", "worker (101)")
        self.b.key("Escape")
        self.p.settle()
        self.has(self.p.fragment(), "c=t1")
        self.check_sides(self.report(file, "--thread", "101"), self.report(file, "--thread", "100"), 1000 / 500)
        self.p.key("1")
        tip = self.p.hover("_start", "main", "parse", "alloc")
        self.same([tip["Before (scaled)"], tip["After"]], ["0 s 0.0%", f"100 ms {share(100 * unit, 1000 * unit)}"])
        self.p.click(".crumb.compare .remove")
        self.same(self.p.tree(), tree_of(stacks_of(MAIN)))

    def check_sides(self, before, after, scale):
        rows = {(r["name"], r["module"]): r for r in self.p.js("T.functions()")}
        sides = [{(f["name"], f["module"]): f for f in side["functions"]} for side in (before, after)]
        self.same(set(rows), set(sides[0]) | set(sides[1]), "functions")
        for name, r in rows.items():
            for kind, base in (("self", "baseSelf"), ("total", "baseTotal")):
                old, new = (side.get(name, {kind: 0})[kind] for side in sides)
                assert r[kind] == new and close(r[base], old * scale), (r, old, new, scale)
