# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Numbers on the page are those of `wick report --json`."""

import json
import time

from .base import HEAD, Base
from .page import VIEWS


class CostTests(Base):
    def test_numbers_are_those_of_the_report(self):
        file = self.made("exact")
        self.open(file)
        unit = self.p.js("probe.opened.meta.timeUnitNs")
        cases = [("", []), ("/t=1", ["--thread", "101"]), ("/t=0", ["--thread", "100"]), (f"/r={int(2e8 / unit)}-{int(7e8 / unit)}", ["--range", "0.2-0.7"]), (f"/t=1/r=0-{int(45e7 / unit)}", ["--thread", "101", "--range", "0-0.45"])]
        for fragment, options in cases:
            self.p.go("quality")
            self.p.go("flame" + fragment)
            self.check_functions(self.report(file, *options))
            self.check_tree(self.report(file, "--tree", *options))

    def test_numbers_of_a_recording(self):
        """As above, with costs and times as the kernel gave them."""
        file = self.recorded()
        whole = self.report(file)
        tids = sorted({t["tid"] for t in self.report(file, "--by", "thread")["threads"]})
        self.open(file, fragment="flame")
        self.check_functions(whole)
        self.check_tree(self.report(file, "--tree"), tooltips=False)
        threads = self.p.js("probe.opened.meta.threads.map((t) => t.tid)")
        for tid in tids:
            self.p.go(f"functions/t={threads.index(tid)}")
            self.check_functions(self.report(file, "--thread", tid))
        self.p.go("flame")
        axis = self.p.js("T.rect(T.one('.tracks-axis'))")
        self.b.drag((axis[0] + 0.3 * axis[2], axis[1] + 10), (axis[0] + 0.55 * axis[2], axis[1] + 10))
        self.p.settle()
        options = self.range_options(self.p.fragment())
        self.check_functions(self.report(file, *options))
        self.check_tree(self.report(file, "--tree", *options), tooltips=False)

    def test_events(self):
        file = self.made("exact")
        self.open(file, fragment="functions")
        self.p.click(".header button", "cpu-clock")
        self.same(self.p.js("T.texts('.menu-item .text')"), ["cpu-clock", "cache-misses"])
        self.p.click(".menu-item .text", "cache-misses")
        self.has(self.p.fragment(), "/e=1")
        self.check_functions(self.report(file, "--event", "cache-misses"))
        self.p.key("1")
        self.same(self.p.hover("work", "read")["Total"], "150 cache-misses 68.2%")
        self.p.back()
        self.p.back()
        self.check_functions(self.report(file))

    def test_insights(self):
        """Findings are those of the report, and lead to their functions."""
        file = self.made("insights", HEAD + "sample main;_start;main;parse{src/parse.c:7};malloc@libc 400\nsample main;_start;main;work 600\n")
        report = json.loads(self.run(self.args.wick, "report", "--json", "--insights", file))
        self.same([i["rule"] for i in report["insights"]], ["allocation"])
        self.open(file, fragment="quality")
        text = self.p.text(".insights li")
        self.has(text, "40.0% allocating and freeing memory (certain) in parse (parse.c:7) 40.0%", report["insights"][0]["advice"])
        self.p.click(".insights .link")
        self.same(self.p.fragment().split("/")[0], "flame")
        self.same(self.p.js("T.one('.search input').value"), "^(malloc$)")
        file = self.made("exact")
        self.open(file, fragment="quality")
        self.same(self.p.js("document.querySelectorAll('.insights').length"), 0)

    def test_thousand_threads(self):
        """1,200 threads, 504,000 samples."""
        numbers = range(1001, 2201)
        lines = [f"thread t{n} 1000/{n} worker-{n % 50}" for n in numbers]
        lines += [f"sample t{n};start;run;f{n % 7} {420 + n % 2} at={n % 40 * 50_000_000}" for n in numbers]
        file = self.made("threads", HEAD + "\n".join(lines) + "\n")
        self.open(file)
        count = self.p.js("probe.opened.meta.threads.length")
        assert count > 1000, count
        self.has(self.p.text(".sentence"), f"Flame graph of all {count:,} threads")  # none has a quarter of the time
        self.same(self.p.fragment(), "flame")
        assert self.p.js("document.querySelectorAll('.track').length") < 200, "each track is an element"
        self.p.go("flame")
        self.has(self.p.text(".sentence"), f"all {count:,} threads")
        self.check_functions(self.report(file))
        self.p.key("1")
        # However far one scrolls, only visible tracks are elements, and they are drawn in the next frames.
        seen = self.p.js("""(async () => {
          const seen = [], scroll = T.one('.tracks-scroll');
          for (let i = 0; i < 10; ++i) {
            scroll.scrollTop += 2000;
            await T.frames(2);
            seen.push([document.querySelectorAll('.track').length, T.texts('.track.thread .id').join()]);
          }
          return seen;
        })()""")
        assert max(n for n, _ in seen) < 200, seen
        self.same(len({ids for _, ids in seen}), len(seen), "tracks at ten places")
        self.p.settle()
        tid = 1777
        self.p.click(".tracks-corner input")
        self.p.type(str(tid))
        assert self.p.js("T.texts('.track.thread .id')") and all(str(tid) in t for t in self.p.js("T.texts('.track.thread .id')"))
        self.p.click(".track.thread .id", str(tid))
        self.has(self.p.text(".sentence"), f"({tid})")
        self.check_functions(self.report(file, "--thread", tid))
        self.shot("threads")

    def test_ten_million_samples(self):
        if not self.args.lengthen_wick:
            return
        file = self.folder / "large.wick"
        self.run(self.args.lengthen_wick, self.recorded(), file, 10_000_000)
        self.open(file, fragment="flame")
        want = self.report(file)
        self.same(want["samples"] >= 10_000_000, True)
        self.check_functions(want)
        for view in "12345678":
            begin = time.monotonic()
            self.p.key(view)
            print(f"web:    {VIEWS[int(view) - 1]}: {time.monotonic() - begin:.2f} s")
