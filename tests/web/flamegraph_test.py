#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""The flame graph in a real browser: drawing, zoom, search, keyboard, themes, hostile names, great depth.

usage: flamegraph_test.py --wick WICK --make-wick MAKE_WICK [--shots FOLDER]     (WICK_NO_SKIP=1: a missing browser is a failure)
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

from browser import run_tests

SMALL = """command ./app --fast
event cpu-clock ns 1000
module app /opt/app
module libc /usr/lib/libc.so.6
module kernel [kernel] kind=kernel
thread main 100/100 app
sample main;_start;main;_ZN2ns5ParseIiE3runEi;alloc;malloc@libc 100
sample main;_start;main;_ZN2ns5ParseIiE3runEi;alloc;malloc@libc;_int_malloc@libc 100
sample main;_start;main;_ZN2ns5ParseIiE3runEi 200
sample main;_start;main;work;malloc@libc 50
sample main;_start;main;work;read@libc;vfs_read@kernel 250
sample main;_start;main;work 300
counter lost.ring_full 9
"""

# Positions of elements, as the page reports them.
HELPERS = """
window.T = {
  boxes: () => [...document.querySelectorAll('.flames > g > g')].filter(g => g.getAttribute('visibility') !== 'hidden'),
  box: name => T.boxes().find(g => g.lastChild.textContent === name),
  list: r => [r.x, r.y, r.width, r.height],
  rect: name => T.box(name) ? T.list(T.box(name).firstChild.getBoundingClientRect()) : null,
  names: () => T.boxes().map(g => g.lastChild.textContent).filter(Boolean),
  input: () => document.querySelector('.wick-find input'),
  share: () => document.querySelector('.wick-share').textContent,
  path: () => document.querySelector('.wick-path').textContent,
  live: () => document.querySelector('.wick-live').textContent,
  flames: () => document.querySelector('.flames'),
  current: () => document.getElementById(T.flames().getAttribute('aria-activedescendant')),
  tip: () => (t => getComputedStyle(t).visibility === 'hidden' ? '' : t.innerText)(document.querySelector('.wick-tip')),
  colors: () => getComputedStyle(document.documentElement).backgroundColor + getComputedStyle(T.box('main').firstChild).fill,
  active: () => document.activeElement.localName + ' ' + (document.activeElement.getAttribute('role') || ''),
  overflows: g => g.lastChild.textContent && g.lastChild.getComputedTextLength() + 4 > g.firstChild.getBBox().width,
  overflowing: () => T.boxes().filter(T.overflows).map(g => g.lastChild.textContent),
  redraw: () => { const t = performance.now(); dispatchEvent(new Event('resize')); return performance.now() - t; },
  matched: () => document.querySelectorAll('.flames .match').length,
  strength: name => {  // how far a box is from the grey of no change, as it is seen
    const numbers = s => s.match(/[\\d.]+/g).map(Number), style = getComputedStyle(T.box(name).firstChild);
    const ground = numbers(getComputedStyle(document.documentElement).backgroundColor);
    const grey = numbers(getComputedStyle(T.box('same').firstChild).fill);
    const seen = numbers(style.fill).map((v, k) => ground[k] + (v - ground[k]) * style.fillOpacity);
    return Math.hypot(...seen.map((v, k) => v - grey[k]));
  },
};
"""


class Tests:
    def __init__(self, browser, args, folder):
        self.b, self.wick, self.make_wick, self.folder, self.shots = browser, args.wick, args.make_wick, folder, args.shots

    def begin_test(self):
        pass

    def end_test(self):
        self.same(self.b.errors, [])

    def picture(self, name, text, *options):
        wick_file, svg, source = (self.folder / f"{name}.{end}" for end in ("wick", "svg", "txt"))
        source.write_text(text)
        subprocess.run([self.make_wick, source, wick_file], check=True)
        subprocess.run([self.wick, "flamegraph", wick_file, "-o", svg, *options], check=True, stderr=subprocess.DEVNULL)
        return svg

    def folded(self, name, text, *options):
        source, svg = self.folder / f"{name}.folded", self.folder / f"{name}.svg"
        source.write_text(text)
        subprocess.run([self.wick, "flamegraph", source, "-o", svg, *options], check=True, stderr=subprocess.DEVNULL)
        return svg

    def open(self, svg, size=(1200, 700)):
        self.b.size(*size)
        self.b.media(prefers_reduced_motion="reduce", prefers_color_scheme="light")
        self.b.open(svg)
        self.b.eval(HELPERS)

    def shot(self, name):
        if self.shots:
            self.b.screenshot(Path(self.shots) / f"{name}.png")

    def center(self, name):
        x, y, w, h = self.b.eval(f"T.rect({json.dumps(name)})")
        return x + w / 2, y + h / 2

    def same(self, got, want):
        assert got == want, f"{got!r}, expected {want!r}"

    def becomes(self, expression, want):
        self.b.wait(f"({expression}) === {json.dumps(want)}")
        self.same(self.b.eval(expression), want)

    # ---- the tests

    def test_draws_the_tree(self):
        self.open(self.picture("small", SMALL))
        self.same(self.b.eval("document.querySelectorAll('#wick-still').length"), 0)
        names = self.b.eval("T.names()")
        for name in ("all", "_start", "main", "work", "ns::Parse<int>::run(int)", "malloc", "_int_malloc", "vfs_read"):
            assert name in names, f"no box {name} among {names}"
        _, _, whole, _ = self.b.eval("T.rect('all')")
        _, y_work, w_work, _ = self.b.eval("T.rect('work')")
        _, y_main, _, _ = self.b.eval("T.rect('main')")
        assert abs(w_work / whole - 0.6) < 0.01, (w_work, whole)
        assert y_work < y_main, "a callee stands above its caller"
        self.same(self.b.eval("document.title"), "./app --fast")
        assert "1,000 samples" in self.b.eval("document.querySelector('.wick-head').innerText")
        assert "9 samples lost" in self.b.eval("document.querySelector('.wick-head').innerText")
        self.same(self.b.requests, [(self.folder / "small.svg").resolve().as_uri()])
        self.shot("light")

    def test_hover_shows_the_figures(self):
        self.open(self.folder / "small.svg")
        self.b.hover(*self.center("read"))
        tip = self.b.wait("T.tip()")
        for part in ("read", "libc.so.6", "25.0%", "250 samples", "250 ms", "self 0.0%"):
            assert part in tip, f"no {part!r} in {tip!r}"
        self.b.hover(5, 5)
        assert self.b.wait("T.tip() === ''")

    def test_click_zooms_and_escape_resets(self):
        self.open(self.folder / "small.svg")
        _, _, whole, _ = self.b.eval("T.rect('all')")
        self.b.click(*self.center("work"))
        assert self.b.wait(f"Math.abs(T.rect('work')[2] - {whole}) < 3"), self.b.eval("T.rect('work')")
        assert "work" in self.b.eval("T.path()") and "main" in self.b.eval("T.path()")
        self.same(self.b.eval("T.box('main').getAttribute('class')"), "caller")
        self.same(self.b.eval("T.box('ns::Parse<int>::run(int)')"), None)
        assert "zoom=" in self.b.eval("location.hash")
        self.shot("zoomed")
        self.b.click(*self.center("main"))  # a caller: zooms out to it
        assert self.b.wait("!!T.box('ns::Parse<int>::run(int)')")
        self.b.key("Escape")
        assert self.b.wait("T.path() === ''")
        self.b.eval("history.back()")
        assert self.b.wait("T.path().includes('main')"), "the back button returns to the zoom before"

    def test_breadcrumbs_lead_back(self):
        self.open(self.folder / "small.svg")
        self.b.click(*self.center("vfs_read"))
        assert self.b.wait("T.path().includes('vfs_read')")
        self.b.eval("[...document.querySelectorAll('.wick-path button')].find(b => b.textContent === 'work').click()")
        assert self.b.wait("T.path().endsWith('work')")

    def test_link_brings_back_zoom_and_search(self):
        self.open(self.folder / "small.svg")
        self.b.click(*self.center("work"))
        self.b.wait("location.hash.includes('zoom=')")
        self.b.key("/")
        self.b.type("malloc")
        self.b.wait("location.hash.includes('search=malloc')")
        self.b.open((self.folder / "small.svg").resolve().as_uri() + self.b.eval("location.hash"))
        self.b.eval(HELPERS)
        self.same(self.b.eval("T.input().value"), "malloc")
        assert self.b.wait("T.path().endsWith('work')")

    def test_search_by_regular_expression(self):
        self.open(self.folder / "small.svg")
        self.b.key("/")
        assert self.b.wait("document.activeElement === T.input()")
        self.b.type("malloc")
        self.becomes("T.share()", "25.0% matched")  # _int_malloc is called by malloc: not counted twice
        self.becomes("T.matched()", 3)
        self.shot("search")
        self.b.key("Enter")
        assert "malloc" in self.b.wait("T.live()")
        self.b.key("/")  # the previous search is selected: typing replaces it
        self.b.type("^read$|Parse")
        self.becomes("T.share()", "65.0% matched")
        self.b.eval("T.input().value = ''")
        self.b.type("a(b")
        self.becomes("T.share()", "invalid regex")
        self.becomes("T.input().getAttribute('aria-invalid')", "true")
        self.b.key("Enter")
        self.same(self.b.eval("document.activeElement === T.input()"), True)  # to correct it
        self.b.key("Escape")
        self.b.key("Escape")
        self.becomes("T.input().value", "")
        self.becomes("T.matched()", 0)
        self.b.key("f", ctrl=True)
        assert self.b.wait("document.activeElement === T.input()"), "Ctrl-F leads to the search field"
        self.b.type("nothing like it")
        self.becomes("T.share()", "no match")

    def test_a_search_is_one_step_back(self):
        self.open(self.folder / "small.svg")
        before = self.b.eval("history.length")
        self.b.key("/")
        self.b.type("malloc")
        self.b.wait("location.hash.includes('search=malloc')")
        self.same(self.b.eval("history.length"), before + 1)
        self.b.eval("history.back()")
        self.becomes("T.input().value", "")

    def test_the_root_is_no_match(self):
        self.open(self.folder / "small.svg")
        self.b.key("/")
        self.b.type("a")  # "all"
        self.b.wait("T.matched() > 0")
        assert "match" not in self.b.eval("T.box('all').firstChild.getAttribute('class')")
        self.same(self.b.eval("T.box('all').getAttribute('class')"), "")

    def test_the_tip_stands_where_the_box_will_be(self):
        self.open(self.folder / "small.svg")
        self.b.click(*self.center("work"))
        assert self.b.wait("T.path().endsWith('work')")
        self.b.media(prefers_reduced_motion="no-preference")
        self.b.key("/")
        self.b.type("alloc$")
        self.b.key("Enter")  # the wider of two matches is outside the zoomed range
        assert self.b.wait("T.path() === '' && !!T.box('alloc')")
        x, _, width, _ = self.b.eval("T.rect('alloc')")
        left = self.b.eval("document.querySelector('.wick-tip').getBoundingClientRect().left")
        assert x < left < x + width, (x, left, width)

    def test_names_and_costs_read_as_in_the_report(self):
        head = "command ./x\nevent cycles cycles 1000\nmodule app /opt/app\nthread main 1/1 x\n"
        names = {"_ZN3vecIN2ns10operator_tEE4pushEi": "vec::push", "_ZN2ns9operators3runEi": "ns::operators::run"}
        names["_ZN2nslsERNS_3OutEi"] = "ns::operator<<"
        for name, brief in names.items():
            self.open(self.picture("names", head + f"sample main;main;{name} 100 weight=31040000\n"))
            self.b.key("End")
            self.b.key("Enter")
            assert self.b.wait(f"T.path().endsWith({json.dumps(brief)})"), self.b.eval("T.path()")
            assert "3.10 G cycles" in self.b.wait("T.tip()"), self.b.eval("T.tip()")
        head = head.replace("cycles cycles", "cpu-clock ns")
        self.open(self.picture("long", head + "sample main;main 3 weight=3600000000000\n"))
        self.b.hover(*self.center("main"))
        assert "3 h 00 min" in self.b.wait("T.tip()"), self.b.eval("T.tip()")

    def test_inlined_functions_are_marked(self):
        text = "command ./x\nmodule app /opt/app\nthread main 1/1 x\nsample main;main=>always 100\nsample main;main=>both 100\nsample main;main;both 100\n"
        self.open(self.picture("inlined", text))
        opacity = "getComputedStyle(T.box('%s').firstChild).fillOpacity"
        self.same([self.b.eval(opacity % name) for name in ("main", "always", "both")], ["1", "0.5", "1"])
        for name, words in (("always", "app · inlined\n"), ("both", "app · partly inlined\n"), ("main", "app\n")):
            self.b.hover(*self.center(name))
            tip = self.b.wait(f"T.tip().startsWith({json.dumps(name)}) && T.tip()")
            assert words in tip, f"no {words!r} in {tip!r}"
        self.same(self.b.eval("document.querySelector('.wick-bottom').textContent.includes('pale: inlined')"), True)
        self.shot("inlined")
        self.open(self.folder / "small.svg")
        self.same(self.b.eval("document.querySelector('.wick-bottom').textContent.includes('inlined')"), False)

    def test_a_closure_keeps_its_function(self):
        name = "_ZN11application6server7handler28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE"
        text = f"command ./x\nmodule app /opt/app\nthread main 1/1 x\nsample main;main 700\nsample main;main;{name} 200\n"
        self.open(self.picture("closure", text))
        names = self.b.eval("T.names()")  # its length depends on the fonts
        assert any(n.endswith("handler::{{closure}}") and not n.startswith("application") for n in names), names

    def test_keyboard_alone_is_enough(self):
        self.open(self.folder / "small.svg")
        way = [("Up", "_start"), ("Up", "main"), ("Up", "work"), ("Right", "ns::Parse<int>::run(int)")]
        for key, name in way + [("Left", "work"), ("Up", "read")]:
            self.b.key("Arrow" + key)
            reached = self.b.wait(f"T.live().startsWith({json.dumps(name + ',')})")
            assert reached, f"{key}: {self.b.eval('T.live()')}, expected {name}"
        self.becomes("T.current() && T.current().getAttribute('aria-level')", "5")
        self.b.key("ArrowDown")
        self.b.key("Enter")
        assert self.b.wait("T.path().endsWith('work')")
        self.b.key("Backspace")
        assert self.b.wait("T.path().endsWith('main')")
        self.b.key("Escape")
        y = self.b.eval("T.rect('all')[1]")
        self.b.key("i")
        assert self.b.wait(f"T.rect('all')[1] < {y}"), "i turns it upside down"

    def test_tab_reaches_everything(self):
        self.open(self.folder / "small.svg")
        seen = []
        for _ in range(5):
            self.b.key("Tab")
            seen.append(self.b.eval("T.active()").strip())
        self.same(seen, ["input", "button", "button", "button", "svg tree"])

    def test_follows_the_window_and_the_theme(self):
        self.open(self.folder / "small.svg")
        light = self.b.eval("T.colors()")
        self.b.media(prefers_color_scheme="dark")
        assert light != self.b.eval("T.colors()")
        self.shot("dark")
        for width in (480, 1900):
            self.b.size(width, 600)
            assert self.b.wait(f"Math.abs(T.rect('all')[2] - ({width} - 32)) < 3"), self.b.eval("T.rect('all')")
            self.shot(f"width-{width}")
            self.same(self.b.eval("T.overflowing()"), [])
        fixed = self.picture("fixed", SMALL, "--width", "700", "--title", "my title")
        self.open(fixed)
        assert abs(self.b.eval("T.rect('all')[2]") - 668) < 3
        self.same(self.b.eval("document.title"), "my title")

    def test_static_image_without_scripts(self):
        self.b.size(1200, 700)
        self.b.open(self.folder / "small.svg", scripts=False)
        root = self.b.call("DOM.getDocument")["root"]["nodeId"]
        rects = self.b.call("DOM.querySelectorAll", nodeId=root, selector="#wick-still rect")["nodeIds"]
        texts = self.b.call("DOM.querySelectorAll", nodeId=root, selector="#wick-still text")["nodeIds"]
        assert len(rects) >= 10 and len(texts) >= 10, (len(rects), len(texts))
        self.shot("still")

    def test_hostile_names_are_only_names(self):
        evil = ["]]>", "</script><script>document.title='pwned'</script>", "<img/src=x/onerror=document.title='pwned'>"]
        evil += ["\"&'<&amp", "\\u003c\\\"", "<!--", "函数🔥"]
        text = "command ./x ]]> <b>&\nmodule app /opt/app\nthread main 1/1 x\n"
        for i, name in enumerate(evil):
            text += f"sample main;root;{name} {100 * (i + 1)}\n"
        self.open(self.picture("hostile", text))
        self.same(self.b.eval("document.title"), "./x ']]>' '<b>&'")
        self.same(self.b.eval("document.querySelectorAll('script').length"), 2)
        names = self.b.eval("JSON.parse(document.querySelector('#wick-data').textContent).names")
        for name in evil:
            assert name in names, f"{name!r} is not among {names}"
        self.b.hover(*self.center("函数🔥"))
        assert "函数🔥" in self.b.wait("T.tip()")
        self.shot("hostile")

    def test_ten_thousand_levels(self):
        descent = ";".join(["descend"] * 10000)
        started = time.monotonic()
        head = "command ./deep\nmodule app /opt/app\nthread main 1/1 x\n"
        self.open(self.picture("deep", head + f"sample main;main;{descent};inner 500\nsample main;main;{descent} 20\n"))
        assert self.b.eval("T.boxes().length") < 100, "only what is in the window is drawn"
        self.b.key("End")
        assert self.b.wait("T.live().startsWith('inner,')")
        assert self.b.wait("!!T.box('inner')")
        self.shot("deep")
        self.b.key("Home")
        assert self.b.wait("!!T.box('main')")
        self.b.mouse("mouseWheel", 600, 400, deltaX=0, deltaY=-3000)
        assert self.b.wait("!T.box('main')"), "the wheel scrolls"
        edges = self.b.eval("[Math.max(...[...document.querySelectorAll('.boxes rect')].map(r => r.getBoundingClientRect().right)), document.querySelector('.thumb').getBoundingClientRect().left]")
        assert edges[0] <= edges[1], f"boxes end at {edges[0]}, the scroll bar begins at {edges[1]}"
        x, y = self.b.eval("(r => [r.left + r.width / 2, r.top + r.height / 2])(document.querySelector('.thumb').getBoundingClientRect())")
        self.b.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.b.mouse("mouseMoved", x, y + 400, button="left", buttons=1)
        self.b.mouse("mouseReleased", x, y + 400, button="left", clickCount=1)
        assert self.b.wait("!!T.box('main')"), "the bar can be dragged"
        assert time.monotonic() - started < 20

    def test_many_boxes_stay_quick(self):
        lines = ["command ./wide", "module app /opt/app", "thread main 1/1 x"]
        for i in range(2000):
            lines.append(f"sample main;main;a{i % 7};b{i % 91};c{i % 400};d{i} 1")
        self.open(self.picture("wide", "\n".join(lines) + "\n"))
        boxes = self.b.eval("T.boxes().length")
        assert boxes > 2000, boxes
        took = self.b.eval("T.redraw()")
        assert took < 1000, f"drawing {boxes} boxes took {took:.0f} ms"
        self.shot("wide")

    def test_reversing_inside_the_page(self):
        self.open(self.folder / "small.svg")
        self.b.key("r")
        assert self.b.wait("T.names().includes('vfs_read')"), self.b.eval("T.names()")
        _, _, whole, _ = self.b.eval("T.rect('all')")
        for name, part in (("work", 0.3), ("vfs_read", 0.25), ("malloc", 0.15), ("ns::Parse<int>::run(int)", 0.2)):
            level = "T.boxes().filter(g => g.getAttribute('aria-level') === '2')"
            wide = self.b.eval(f"{level}.find(g => g.getAttribute('aria-label').startsWith({json.dumps(name + ',')})).firstChild.getBoundingClientRect().width")
            assert abs(wide / whole - part) < 0.01, f"{name}: {wide / whole}, expected {part}"
        self.same(self.b.eval("[...document.querySelectorAll('.wick-views button')].map(b => b.getAttribute('aria-pressed'))"), ["true", "false", "true"])
        self.shot("reversed")
        self.b.click(*self.center("vfs_read"))
        assert self.b.wait("location.hash.includes('zoom=') && location.hash.includes('reversed')")
        self.b.open((self.folder / "small.svg").resolve().as_uri() + self.b.eval("location.hash"))
        self.b.eval(HELPERS)
        assert self.b.wait("T.path().endsWith('vfs_read')"), self.b.eval("T.path()")
        self.b.key("r")
        assert self.b.wait("T.path() === '' && !location.hash.includes('reversed')")
        # Switching a reversed graph gives the same boxes as a forward one.
        lines = "a;b;c 3\na;b 2\nd;c 1\n"
        forward = []
        for name, options, key in (("forward", [], ""), ("backward", ["--reverse"], "r")):
            self.open(self.folded(name, lines, *options))
            if key:
                self.b.key(key)
                self.b.wait("T.boxes()[1].getAttribute('aria-label').startsWith('a,')")
            forward.append(self.b.eval("T.boxes().map(g => g.getAttribute('aria-level') + g.getAttribute('aria-label'))"))
        self.same(forward[0], forward[1])

    def test_hidden_boxes_count_in_reversed_graphs(self):
        lines = "".join(f"main;cold{i} 1\n" for i in range(50)) + "main;hot 20000\n"
        self.open(self.folded("narrow", lines))
        assert "50 branches under 0.1 px are hidden" in self.b.eval("document.querySelector('.wick-bottom').textContent")
        self.b.key("r")
        assert self.b.wait("T.boxes().some(g => g.getAttribute('aria-label').startsWith('[too narrow to draw], 50 samples'))"), self.b.eval("T.boxes().map(g => g.getAttribute('aria-label'))")

    def test_icicle_is_one_click(self):
        self.open(self.folder / "small.svg")
        y = self.b.eval("T.rect('all')[1]")
        self.b.eval("[...document.querySelectorAll('.wick-views button')].find(b => b.textContent === 'icicle').click()")
        assert self.b.wait(f"T.rect('all')[1] < {y}")
        assert "down" in self.b.eval("location.hash")
        self.shot("icicle")
        self.open(self.picture("inverted", SMALL, "--inverted"))
        assert self.b.eval("T.rect('all')[1] < T.rect('main')[1]")
        self.b.key("i")
        assert self.b.wait("T.rect('all')[1] > T.rect('main')[1] && location.hash === '#up'")

    def test_next_and_previous_match(self):
        self.open(self.folder / "small.svg")
        self.b.key("/")
        self.b.type("malloc$")
        self.b.wait("T.matched() === 3")
        self.b.key("Enter")
        first = self.b.wait("T.live()")
        self.same(self.b.eval("T.active()"), "svg tree")
        self.b.key("n")
        assert self.b.wait(f"T.live() !== {json.dumps(first)}")
        self.same(self.b.eval("T.input().value"), "malloc$")
        self.b.key("N")
        self.becomes("T.live()", first)
        self.b.key("/")
        self.b.key("Enter")  # the same search again: the next match
        assert self.b.wait(f"T.live() !== {json.dumps(first)}")
        self.b.key("/")
        self.b.type("alloc$")  # a new search starts at its widest match
        self.b.key("Enter")
        assert self.b.wait("T.live().startsWith('alloc,')"), self.b.eval("T.live()")

    def test_escape_takes_back_one_thing_at_a_time(self):
        self.open(self.folder / "small.svg")
        self.b.click(*self.center("work"))
        assert self.b.wait("T.path().endsWith('work')")
        self.b.key("/")
        self.b.type("read")
        self.becomes("T.matched()", 2)
        self.b.key("Escape")  # out of the field
        self.same(self.b.eval("[T.active(), T.input().value]"), ["svg tree", "read"])
        self.b.key("n")
        assert self.b.wait("T.live().startsWith('read,')"), self.b.eval("T.live()")
        self.b.key("Escape")
        assert self.b.wait("T.path() === '' && location.hash === '#search=read'"), self.b.eval("location.hash")
        self.same(self.b.eval("[T.input().value, T.matched()]"), ["read", 2])
        self.b.key("n")  # continues from the last match
        assert self.b.wait("T.live().startsWith('vfs_read,')"), self.b.eval("T.live()")
        self.b.key("Escape")
        self.becomes("T.input().value", "")
        self.becomes("T.matched()", 0)
        self.same(self.b.eval("!!T.current()"), True)
        self.b.key("Escape")
        self.becomes("T.flames().hasAttribute('aria-activedescendant')", False)
        # Clearing the search keeps the zoom.
        self.b.click(*self.center("work"))
        self.b.key("/")
        self.b.type("read")
        self.b.key("Enter")
        self.b.key("/")
        self.b.key("Backspace")
        self.b.key("Enter")
        self.becomes("T.matched()", 0)
        assert self.b.wait("T.path().endsWith('work')")
        self.same(self.b.eval("T.active()"), "svg tree")

    def test_boxes_have_names_for_screen_readers(self):
        self.open(self.folder / "small.svg")
        self.same(self.b.eval("T.box('work').getAttribute('role')"), "treeitem")
        self.same(self.b.eval("T.box('work').getAttribute('aria-level')"), "4")
        self.same(self.b.eval("T.box('work').getAttribute('aria-label')"), "work, app, 600 samples, 60.0%, self 30.0%")

    def heard(self):
        """The accessibility tree: role, name and properties of all elements that are not hidden, by ID."""
        value = lambda node, key: node.get(key, {}).get("value")
        nodes = [n for n in self.b.call("Accessibility.getFullAXTree")["nodes"] if not n["ignored"]]
        told = {}
        for n in nodes:
            properties = {p["name"]: p["value"].get("value") for p in n.get("properties", [])}
            related = [r.get("idref") for p in n.get("properties", []) for r in p["value"].get("relatedNodes", []) if p["name"] == "activedescendant"]
            told[n["nodeId"]] = {"role": value(n, "role"), "name": value(n, "name"), "parent": n.get("parentId"), "active": related, **properties}
        return told

    def test_boxes_are_a_tree_for_screen_readers(self):
        self.open(self.folder / "small.svg")
        told = self.heard()
        trees = [k for k, n in told.items() if n["role"] == "tree"]
        self.same(len(trees), 1)
        items = {n["name"].split(",")[0]: n for n in told.values() if n["role"] == "treeitem"}
        self.same(sorted(items), sorted({"all", "_start", "main", "work", "ns::Parse<int>::run(int)", "alloc", "malloc", "_int_malloc", "read", "vfs_read"}))
        self.same(len([n for n in told.values() if n["role"] == "treeitem"]), self.b.eval("T.boxes().length"))
        self.same([items[n]["level"] for n in ("all", "main", "work", "vfs_read")], [1, 3, 4, 6])
        self.same({n["parent"] for n in items.values()}, set(trees))
        self.same([items[n].get("expanded") for n in ("main", "read", "vfs_read")], [True, True, None])
        place = "(g => [g.getAttribute('aria-posinset'), g.getAttribute('aria-setsize')])(T.box('%s'))"
        self.same([self.b.eval(place % n) for n in ("all", "work", "ns::Parse<int>::run(int)", "read")], [["1", "1"], ["1", "2"], ["2", "2"], ["1", "2"]])
        for _ in range(3):
            self.b.key("ArrowUp")
        self.becomes("T.current() && T.current().lastChild.textContent", "work")
        self.b.eval("T.flames().focus()")
        told = self.heard()
        (active,) = [n["active"] for n in told.values() if n["role"] == "tree"]
        self.same(active, [self.b.eval("T.current().id")])
        # The static image has a name.
        self.b.open(self.picture("plain", SMALL, "--no-javascript"))
        roles = {n["role"]: n["name"] for n in self.heard().values()}
        assert "./app --fast" in (roles.get("image"), roles.get("SvgRoot"), roles.get("img")), roles

    def test_screen_reader_focus_follows_the_box(self):
        head = "command ./deep\nmodule app /opt/app\nthread main 1/1 x\n"
        self.open(self.picture("far", head + "sample main;main;" + ";".join(["f"] * 200) + " 9000\nsample main;main;thin;inside 1\n"))
        self.b.key("Home")
        self.b.key("ArrowUp")
        self.becomes("T.current() && T.current().lastChild.textContent", "main")
        self.b.mouse("mouseWheel", 600, 400, deltaX=0, deltaY=-3000)
        self.becomes("T.flames().hasAttribute('aria-activedescendant')", False)  # scrolled out of view
        self.same(self.b.eval("document.querySelectorAll('.boxes [id]').length"), 0)
        self.b.key("ArrowUp")
        self.b.key("ArrowRight")  # too narrow to draw unless it is the active one
        assert self.b.wait("T.current() && T.current().getAttribute('aria-label').startsWith('thin,')"), self.b.eval("T.live()")
        self.same(self.b.eval("T.current().getAttribute('aria-expanded')"), "false")
        self.b.key("Enter")
        self.becomes("T.current().getAttribute('aria-expanded')", "true")

    def test_palettes_keep_their_colors_in_the_dark(self):
        svg = self.folded("palette", "a;java/lang/String:hash_[j] 60\na;vfs_read_[k] 40\n", "--colors", "java", "--nametype", "Frame:", "--countname", "bytes")
        self.open(svg)
        fill = "getComputedStyle(T.box('vfs_read').firstChild).fill + getComputedStyle(T.box('vfs_read').lastChild).fill"
        light = self.b.eval(fill)
        self.b.media(prefers_color_scheme="dark")
        self.same(self.b.eval(fill), light)
        self.b.hover(*self.center("vfs_read"))
        tip = self.b.wait("T.tip()")
        assert "Frame: vfs_read" in tip and "40 bytes" in tip, tip
        self.shot("palette-dark")

    def test_a_chart_keeps_its_gaps(self):
        lines = "".join(f"main;a 100\nmain;x{i} 0.001\n" if i == 0 else f"main;b 100\nmain;a {i}\n" for i in range(3))
        self.open(self.folded("chart", lines, "--flamechart"))
        self.same(self.b.eval("T.names().filter(n => n === 'b').length"), 2)
        self.shot("chart")

    def test_links_of_functions(self):
        attributes = self.folder / "attributes"
        attributes.write_text("work\thref=https://example.org/work\ttitle=the work\n")
        self.open(self.picture("linked", SMALL, "--nameattr", str(attributes)))
        self.b.hover(*self.center("work"))
        tip = self.b.wait("T.tip()")
        assert "the work" in tip and "https://example.org/work" in tip, tip
        self.b.click(*self.center("work"))
        assert self.b.wait("T.path().endsWith('work')")

    def test_a_difference(self):
        lines = "app;main;parse 60 60\napp;main;render 40 140\napp;main;vanished;inner 20 0\napp;main;fresh 0 10\n"
        self.open(self.folded("difference", lines))
        look = "T.box('%s').firstChild.getAttribute('class')"
        self.same([self.b.eval(look % n) for n in ("parse", "render", "vanished", "fresh")], ["v0 box", "p8 box", "m2 box gone", "p1 box"])
        self.b.hover(*self.center("render"))
        tip = self.b.wait("T.tip()")
        for part in ("change +100 samples, +250.0%", "now 140 samples (66.7%)", "before 40 samples (33.3%)"):
            assert part in tip, f"no {part!r} in {tip!r}"
        self.b.hover(*self.center("vanished"))
        assert self.b.wait("T.tip().includes('\u221220 samples, gone')"), self.b.eval("T.tip()")
        self.shot("difference")
        self.b.media(prefers_color_scheme="dark")
        self.shot("difference-dark")
        self.b.key("r")
        assert self.b.wait("T.boxes().length > 5 && T.box('inner').getAttribute('aria-level') === '2'")
        self.same(self.b.eval(look % "inner"), "m2 box gone")
        self.shot("difference-reversed")
        self.open(self.folded("orange", lines, "--colors", "blue-orange"))
        self.shot("difference-orange")

    def test_gone_boxes_are_as_strong_as_their_change(self):
        lines = "app;gone 36 0\napp;shrunk 30 13\napp;same 20 20\napp;grown 14 67\napp;slim 0.2 0\n"
        self.open(self.folded("gone", lines))
        for theme in ("light", "dark"):
            self.b.media(prefers_color_scheme=theme)
            gone, shrunk = (self.b.eval(f"T.strength('{n}')") for n in ("gone", "shrunk"))
            assert gone > shrunk * 1.2, f"{theme}: -36 is {gone:.0f} from grey, -17 is {shrunk:.0f}"
            dashes = "getComputedStyle(T.box('%s').firstChild).strokeDasharray + getComputedStyle(T.box('%s').firstChild).stroke"
            assert self.b.eval(dashes % ("gone", "gone")) != self.b.eval(dashes % ("shrunk", "shrunk"))
            self.shot(f"gone-{theme}")
        slim = self.b.eval("T.boxes().find(g => g.getAttribute('aria-label').startsWith('slim,')).firstChild.getAttribute('class')")
        self.same(slim.split()[1:], ["box"])  # dashes would hide its color

    def test_color_of_field_and_buttons(self):
        self.open(self.picture("ui", SMALL, "--uicolor", "#ff0000"))
        self.b.click(*self.center("work"))
        assert self.b.wait("T.path().endsWith('work')")
        colors = "[...new Set([getComputedStyle(T.input(), '::placeholder').color, getComputedStyle(T.input()).color, getComputedStyle(document.querySelector('.wick-share')).color, ...[...document.querySelectorAll('button')].map(b => getComputedStyle(b).color)])]"
        for theme in ("light", "dark"):
            self.b.media(prefers_color_scheme=theme)
            self.same(self.b.eval(colors), ["rgb(255, 0, 0)"])
            self.shot(f"ui-{theme}")

    def test_empty_profile(self):
        svg = self.picture("empty", "command ./x\nmodule app /opt/app\nthread main 1/1 x\n")
        self.b.open(svg)
        assert "no samples to draw" in self.b.eval("document.documentElement.textContent")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wick", required=True)
    parser.add_argument("--make-wick", required=True)
    parser.add_argument("--shots", help="keep screenshots here, to look at")
    args = parser.parse_args()
    return run_tests(Tests, [n for n in vars(Tests) if n.startswith("test_")], args)


if __name__ == "__main__":
    sys.exit(main())
