# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""The URL has all of the state, and any URL gives a page."""

from .base import MAIN, WORKER, Base, stacks_of
from .model import tree_of


class UrlTests(Base):
    STATES = [
        "flame/t=1/s=parse", "flame/inverted/icicle", "tree/t=0/o=0.1.2", "functions/by=-total/s=a", "functions/by=name", "around/k=2", "code/k=2",
        "flame/x=d12,m2/p=0.1.9", "flame/e=1", "chart/t=1", "heat/t=0", "flame/r=100-300000/c=r400000-600000", "functions/t=0/c=t1/n=0", "flame/z=0.1.9/p=0.1.9.10",
    ]

    def test_urls_restore_the_page(self):
        """Any state, opened anew from its URL, is the same page."""
        server = self.serve(self.made("exact"))
        self.p.open(server.url)
        first, second = self.b.session, self.b.new_page()
        for state in self.STATES:
            self.b.use(first)
            self.p.go(state)
            text, url = self.p.js("T.page()"), self.p.fragment()
            for part in state.split("/"):
                assert part in url.split("/"), f"{part} of {state} is not in {url}"
            self.b.use(second)
            self.p.open(server.url, url)
            self.p.becomes("T.page()", text)
            self.same(sorted(self.p.fragment().split("/")), sorted(url.split("/")))

    def test_zoom_by_hand_is_in_the_url(self):
        """Wheel and drag of flame graph and stack chart; back and forward; another page shows the same part."""
        server = self.serve(self.made("exact"))
        self.p.open(server.url, "flame")
        first, second = self.b.session, self.b.new_page()
        parts = {"flame": ("v", "(v => [v.from, v.to])(probe.asks.flame.viewport)"), "chart": ("w", "probe.asks.chart.range")}
        for view, (letter, shown) in parts.items():
            self.b.use(first)
            self.p.go(view)
            x, y, w, h = self.p.js("T.rect(T.pane())")
            whole = self.p.js(shown)
            length = whole[1] - whole[0]
            for _ in range(4):
                self.b.wheel(x + 0.3 * w, y + h - 30, -120, ctrl=True)
            self.p.settle()
            wheeled, zoomed = self.p.js(shown), self.p.fragment()
            assert wheeled[1] - wheeled[0] < 0.5 * length, wheeled
            self.b.drag((x + 0.5 * w, y + h - 30), (x + 0.3 * w, y + h - 30))
            self.p.settle()
            near, fragment = self.p.js(shown), self.p.fragment()
            assert near[0] > wheeled[0] + 0.01 * length, (wheeled, near)
            assert f"/{letter}=" in zoomed and f"/{letter}=" in fragment and zoomed != fragment, (zoomed, fragment)
            self.b.use(second)
            self.p.open(server.url, fragment)
            for got, want in zip(self.p.js(shown), near):
                assert abs(got - want) < 0.001 * length, (fragment, self.p.js(shown), near)
            self.same(self.p.fragment(), fragment)
            self.b.use(first)
            # Another view, then back: the part is still shown, and nothing between is a step.
            self.p.key("4")
            self.p.back()
            self.same(self.p.fragment(), fragment)
            self.p.key("0")
            self.same([self.p.js(shown), f"/{letter}=" in self.p.fragment()], [whole, False])
        # A zoom to a box is a step; back goes to the part before it, forward to the box again.
        self.p.go("flame/v=0.1-0.9")
        self.b.double_click(*self.p.point("main", "work"))
        self.p.settle()
        self.has(self.p.fragment(), "/z=")
        box = self.p.js(parts["flame"][1])
        assert "/v=" not in self.p.fragment(), self.p.fragment()
        self.p.back()
        self.same(self.p.js(parts["flame"][1]), [0.1, 0.9])
        self.p.back(1)
        self.same(self.p.js(parts["flame"][1]), box)
        # Zoomed by hand within the box: Esc goes back to it, then out.
        self.b.wheel(*self.p.point("main", "work"), -240, ctrl=True)
        self.p.settle()
        self.has(self.p.fragment(), "/z=", "/v=")
        self.p.key("Escape")
        self.same(self.p.js(parts["flame"][1]), box)

    def test_garbage_in_urls(self):
        server = self.serve(self.made("exact"))
        garbage = [
            "nonsense", "flame/t=99999", "flame/x=f99999,q1,F,M..,g%5B", "flame/r=9-3", "flame/r=-", "tree/o=1~2,9~9", "flame/z=1*9999999999", "flame/p=0.0.0.0",
            "functions/by=--", "around/k=4294967295", "code/k=1e9", "flame/v=0.5-0.4", "flame/v=1e-300-1", "chart/w=9999999999999999-1", "chart/w=5-6","flame/c=files", "flame/s=%28%28", "flame/s=%E0%A4%A", "flame/e=77", "//////", "%", "flame/t=5-1,0-99999999999999",
            "flame/x=F0.99.1", "flame/<img src=x onerror=probe.ran=1>", "x" * 100_000,
        ]
        for text in garbage:
            self.p.open(server.url, text)
            self.same(self.p.js("T.failed()"), False, text)
            assert self.p.js("T.one('#view > *') !== null && T.all('[role=tab]').length === 8"), text
            self.same(self.p.js("probe.ran"), 0)
            self.p.key("1")
            assert len(self.p.boxes()) > 0
        self.p.go("flame")
        self.same(self.p.tree(), tree_of(stacks_of(MAIN, WORKER)))
