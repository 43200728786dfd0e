# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Hostile names, deep stacks, lost servers, damaged profiles."""

import http.server
import json
import re
import signal
import struct
import threading
import time
import xml.etree.ElementTree as ElementTree

from .base import MAIN, WORKER, Base, stacks_of
from .model import transformed, tree_of
from .page import VIEWS

HOSTILE = [
    "<img src=x onerror=probe.ran=1>",
    "<script>probe.ran=2</script>",
    "</script><script>probe.ran=3</script>",
    "\"onmouseover=probe.ran=4 '",
    "javascript:probe.ran=5",
    "bell\x07back\x08tab\tescape\x1b[31mred",
    "\u202ereversed\u2066isolate\u200fmark",
    "&lt;b&gt;&amp;",
    "\U0001f525 \u00e4\u00f6\u00fc \u4e16\u754c",
    "__proto__",
    "x" * 1_000_000,
]


class Impostor:
    """A server with the page and another profile. None: there is none."""

    def __init__(self, page):
        outer = self
        self.profile = b""

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                data = {"/t/": page, "/t/profile": outer.profile}.get(self.path)
                self.send_response(200 if data is not None else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8" if self.path == "/t/" else "application/octet-stream")
                self.send_header("Content-Length", str(len(data or b"")))
                self.end_headers()
                self.wfile.write(data or b"")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/t/"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


# HTML in every name that a recording has.
MARKED = """command ./<marquee>app <marquee>
event <marquee>clock ns 1000
event <marquee>misses <marquee> 0 kind=other
note <marquee>note
module app /opt/<marquee>app build_id=0011
thread main 100/100 <marquee>main
thread other 100/101 <marquee>other
sample main;_start;main{<marquee>/a/<marquee>a.c:3};<marquee>work{<marquee>b.c:5} 100
sample main;_start;main;<marquee>work=><marquee>inlined{<marquee>c.c:7} 100
sample other;_start;<marquee>run 50
sample other;_start;<marquee>run 50 event=1 weight=3
"""


class RobustnessTests(Base):
    def hostile(self):
        text = "".join(f"<script>probe.ran=7</script>;main;{name.replace(';', ':').replace(chr(10), ' ')} {10 + i}\n" for i, name in enumerate(HOSTILE))
        file = self.folder / "hostile.folded"
        file.write_text(text, encoding="utf-8")
        return file

    def test_hostile_names(self):
        """Names are text: nothing of them runs, or becomes an element, or hides what is around it."""
        file = self.hostile()
        for url in (self.serve(file).url, self.html(file)):
            self.p.open(url)
            for view in "12345678":
                self.p.key(view)
                self.b.hover(400, 500)
                self.p.settle()
                self.same(self.p.js("probe.ran"), 0, f"view {view}")
                self.same(self.p.js("document.querySelectorAll('.root img, .root script, .popup img, .popup script').length"), 0)
                self.same(self.p.js("[...document.querySelectorAll('.root *')].filter((e) => [...e.attributes].some((a) => a.name.startsWith('on'))).length"), 0)
                self.same(self.p.js(r"/[\u0000-\u0008\u000b-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/.exec(document.querySelector('.root').innerText)?.index ?? -1"), -1, f"view {view}")
            self.p.key("1")
            for box in self.p.boxes():
                if not box["isSeen"] or box["width"] < 5:
                    continue
                self.b.hover(box["x"], box["y"])
                assert self.b.wait("T.tip()")
                x, y, w, h = self.p.js("T.rect(document.querySelector('.tooltip'))")
                assert x >= 0 and y >= 0 and x + w <= 1280 and h < 400, (box["name"][:40], x, y, w, h)
                self.b.right_click(box["x"], box["y"])
                self.p.settle()
                x, y, w, h = self.p.js("T.one('[role=menu]') ? T.rect(T.one('[role=menu]')) : [0, 0, 0, 0]")
                assert x >= 0 and x + w <= 1280 and y + h <= 800, (box["name"][:40], x, y, w, h)
                self.b.key("Escape")
                self.p.settle()
            self.p.key("4")
            self.p.key("/")
            self.p.type("<img")
            rows = self.p.js("T.rows('.functions-view')")
            assert len(rows) == 1 and HOSTILE[0] in rows[0], rows
            self.p.key("Escape", "Escape")
            self.p.key("1")
            assert len(self.copied(lambda: self.p.key("y"))) < 3_000_000
            ElementTree.parse(self.save("Save picture as SVG"))
            self.same(self.p.js("probe.ran"), 0)
        # Each as a crumb, too.
        for key in range(self.p.js("probe.opened.symbols.name.length")):
            self.p.go(f"flame/x=d{key}")
            self.same(self.p.js("probe.ran"), 0)

    def test_exploding_pattern(self):
        """An expression that would take ages is given up; the page and all views go on."""
        name = "a" * 60 + "!"
        file = self.folder / "exploding.folded"
        file.write_text(f"main;{name} 30\nmain;other 10\n", encoding="utf-8")
        for url in (self.serve(file).url, self.html(file)):
            self.p.open(url)
            self.p.key("/")
            self.p.type("(a+)+$")
            assert self.b.wait("T.text('.search .result') === 'this expression takes too long'", 20), self.p.text(".search .result")
            for view in VIEWS:
                self.p.go(f"{view}/s=(a%2B)%2B%24")
                self.same(self.p.text(".search .result"), "this expression takes too long", view)
            # As a filter, too.
            self.p.go("flame/x=g(a%2B)%2B%24")
            self.has(self.p.text("#view"), "this expression takes too long")
            self.p.go("flame")
            self.p.key("Escape", "/")  # the box still had the focus
            self.p.type("other")
            self.p.becomes("T.text('.search .result')", "25.0% in 1 function")
            self.p.key("Escape", "Escape")
            self.p.key("3")
            self.same([row[4] for row in self.p.js("T.rows('.tree-view')")], ["main", name, "other"])

    def test_html_in_all_names(self):
        """Of modules, files, threads, events, the command: nowhere does it become an element."""

        def check(where):
            self.p.settle()
            self.same(self.p.js("document.querySelectorAll('marquee').length"), 0, where)

        file = self.made("<marquee>", MARKED)
        for files, fragment in (((file,), "flame/c=t1/t=0"), ((file, file), "flame")):
            self.open(*files, fragment=fragment)
            self.has(self.p.js("document.title"), "<marquee>")
            for view in "12345678":
                self.p.key(view)
                check(view)
                if view in "34":
                    self.b.hover(*self.p.at("#view .table-row .name .text"))
                    assert self.b.wait("T.tip()")
                    check(f"tooltip in {view}")
            self.p.key("1")
            for box in self.p.boxes():
                self.b.hover(box["x"], box["y"])
                assert self.b.wait("T.tip()")
                check("tooltip")
                self.b.right_click(box["x"], box["y"])
                check("menu")
                self.b.key("Escape")
            self.p.select("<marquee>work")
            self.p.key("f")
            check("crumb")
            for button in self.p.js("T.all('.header button[aria-haspopup]').map((e) => e.innerText.trim())"):
                self.p.click(".header button", button)
                check(button)
                self.b.key("Escape")
            self.b.hover(*self.p.at(".track.thread"))
            check("track")
            self.has(self.copied(lambda: self.p.key("y")), "<marquee>work")
            self.has("".join(ElementTree.parse(self.save("Save picture as SVG")).getroot().itertext()), "<marquee>work")

    def test_deep_stack(self):
        file = self.folder / "deep.folded"
        file.write_text(";".join(["app", "main"] + ["down", "again"] * 5000 + ["leaf"]) + " 900\napp;main;other 100\n")
        self.open(file)
        self.same(self.p.js("probe.answers.flame.boxes.levels"), 10_004)  # with the root
        for view in "12345678":
            self.p.key(view)
            self.same(self.p.text(".banner"), None)
        self.p.key("4")
        self.has(str(self.p.js("T.rows('.functions-view')")), "leaf", "down")
        self.p.key("1")
        self.p.key("/")
        self.p.type("leaf")
        self.p.key("Enter")
        self.b.eval("document.activeElement.blur()")
        self.has(self.p.text(".bar .about"), "leaf")
        tip = self.p.hover("again", "leaf")
        self.has(tip["Total"], "900")
        self.p.key("r")
        self.p.key("Escape", "Escape", "Escape")
        self.p.go("flame")
        self.p.key("i")
        self.same(self.p.box("leaf")["total"], 900)
        self.p.key("3")
        self.b.click(*self.p.at(".tree-view .table-row"))
        self.p.key("*", "End")
        self.p.key("y")
        ElementTree.parse(self.save_of_flame())

    def save_of_flame(self):
        self.p.key("1")
        return self.save("Save picture as SVG")

    def test_server_killed(self):
        """A banner says so, and the page goes on."""
        server = self.serve(self.recorded())
        self.p.open(server.url, "flame")
        self.expected_errors = ["ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_RESET"]
        server.process.send_signal(signal.SIGKILL)
        assert self.b.wait("T.text('.banner')"), "no banner"
        self.has(self.p.text(".banner"), "wick view has ended", "still works")
        self.check_functions(self.report(self.recorded()))
        self.p.key("/")
        self.p.type("heavy")
        self.has(self.p.text(".search .result"), "in 1 function")
        self.p.key("Escape", "Escape")
        self.p.key("6")
        assert self.b.wait("T.text('#view').includes('wick view has ended; start it again to see source and assembly')"), self.p.text("#view")
        self.p.click(".banner button", "Try again")
        assert self.b.wait("T.text('.banner').includes('wick view has ended')"), self.p.text(".banner")
        self.p.click(".banner button", "Hide")
        self.same(self.p.text(".banner"), None)

    def test_two_pages(self):
        """Two pages of one server have states of their own; it ends when both are closed."""
        server = self.serve(self.made("exact"))
        self.p.open(server.url, "flame")
        first = self.b.session
        second = self.b.new_page()
        self.p.open(server.url, "functions/t=1")
        self.check_functions(self.report(self.made("exact"), "--thread", "101"))
        self.b.use(first)
        self.p.select("main", "work")
        self.p.key("f")
        self.same(self.p.tree(), tree_of(transformed(stacks_of(MAIN, WORKER), "f", ("work",))))
        self.b.use(second)
        self.same(self.p.text("[role=tab][aria-selected=true]"), "Functions")
        self.b.close_page(second)
        self.b.use(first)
        time.sleep(4)
        self.same(server.process.poll(), None, "ended with a page open")
        self.b.call("Page.navigate", url="about:blank")
        self.same(server.process.wait(60), 0)

    def test_quit(self):
        server = self.serve(self.made("exact"))
        self.p.open(server.url)
        self.p.click(".header button", "Save")
        self.p.click(".menu-item .text", "Quit wick view")
        self.same(server.process.wait(60), 0)
        self.expected_errors = ["ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_RESET"]
        assert self.b.wait("T.text('.banner')"), "no banner"

    def test_damaged_profiles(self):
        """A page that cannot read its profile says so."""
        html = self.html(self.made("exact")).read_text()
        begin = re.search(r'id="?wick-profile"?[^>]*>', html).end()
        end = html.index("<", begin)
        packed = html[begin:end].strip()
        for name, data in (("cut", packed[: len(packed) // 2]), ("text", "!!!" + packed), ("empty", ""), ("flipped", packed[:200] + ("A" if packed[200] != "A" else "B") * 40 + packed[240:])):
            damaged = self.folder / f"damaged-{name}.html"
            damaged.write_text(html[:begin] + data + html[end:])
            self.p.open(damaged)
            self.has(self.p.text(".state"), "Cannot show this profile")
            self.same(self.p.js("T.all('.page').length"), 0)
        server = self.serve(self.made("exact"))
        self.p.open(server.url)
        whole = bytes(self.p.js("fetch('profile').then((r) => r.arrayBuffer()).then((b) => [...new Uint8Array(b)])"))
        page = self.p.js("fetch('.').then((r) => r.text())").encode()
        cases = [("cut", whole[: len(whole) // 2]), ("cut in the header", whole[:200]), ("empty", b""), ("other magic", b"X" + whole[1:]), ("version", whole[:8] + b"\x63" + whole[9:]), ("zeros", whole[:16] + bytes(len(whole) - 16))]
        header = struct.unpack("<I", whole[12:16])[0]
        for column in json.loads(whole[16 : 16 + header])["columns"]:
            if column["name"] in ("stack_frame", "stack_caller", "segment_thread", "sample_stack", "frame_function", "string_offset", "segment_first"):
                at = 16 + header + column["offset"] + 4 * (column["count"] - 1)
                cases.append((column["name"], whole[:at] + b"\xfe\xff\xff\xff" + whole[at + 4 :]))
        assert len(cases) == 13, [c[0] for c in cases]
        with Impostor(page) as impostor:
            self.allowed = [impostor.url]
            for name, data in cases:
                impostor.profile = data
                self.p.open(impostor.url)
                assert self.p.js("T.failed()"), f"{name}: no error"
                self.has(self.p.text(".state"), "another version" if name == "version" else "Cannot show this profile", "Try again")
            impostor.profile = None
            self.expected_errors = ["404", "503", "Failed to load resource"]
            self.p.open(impostor.url)
            self.has(self.p.text(".state"), "Cannot show this profile", "status 404")
            impostor.profile = whole
            self.b.click(*self.p.at(".state button", "Try again"))  # loads the page again
            assert self.b.wait("!!window.T && T.one('.page') !== null"), "no page after the repair"
