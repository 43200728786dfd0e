# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""The viewer's page for tests: serves it, opens it, tells where things are on the screen and what the page says.

Boxes are drawn on a canvas. Where they are follows from the answers of the engine, which the probe keeps as they pass by; a test that
points at a box sees from the tooltip whether it is there.
"""

import json
import re
import select
import subprocess
from pathlib import Path

# Keeps the newest question and answer of each kind, the columns of the profile, and the timers that will run soon.
PROBE = r"""
window.probe = { asks: {}, answers: {}, opened: null, ran: 0, soon: new Set() };
{
  const start = window.setTimeout, stop = window.clearTimeout;
  window.setTimeout = (run, ms, ...rest) => {
    const id = start(() => { probe.soon.delete(id); run(...rest); }, ms);
    if (ms <= 500) probe.soon.add(id);
    return id;
  };
  window.clearTimeout = (id) => { probe.soon.delete(id); stop(id); };
}
{
  const Plain = window.Worker, kinds = new Map();
  window.Worker = class extends Plain {
    constructor(...rest) {
      super(...rest);
      this.addEventListener("message", ({ data }) => {
        const { kind, ask } = kinds.get(data.id);
        if (kind === "open") probe.opened = data.answer;
        if (kind === "flame" && ask.viewport.pixels === 1) return;  // only for the totals
        probe.asks[kind] = ask;
        probe.answers[kind] = data.answer;
      });
    }
    postMessage(message, transfer) {
      kinds.set(message.id, { kind: message.kind, ask: message.kind === "open" ? null : message.ask });
      super.postMessage(message, transfer);
    }
  };
}
"""

HELPERS = r"""
window.T = {
  root: () => document.querySelector(".root"),
  one: (selector) => [...document.querySelectorAll(selector)].find((e) => e.checkVisibility()) ?? null,
  all: (selector) => [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility()),
  text: (selector) => T.one(selector)?.innerText ?? null,
  texts: (selector) => T.all(selector).map((e) => e.innerText),
  rect: (e) => { const r = e.getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; },
  named: (selector, text) => T.all(selector).find((e) => e.innerText.trim() === text || e.getAttribute("aria-label") === text || e.title === text) ?? null,
  frames: (n) => new Promise((done) => { const step = () => (n-- > 0 ? requestAnimationFrame(step) : done(true)); step(); }),
  failed: () => document.querySelector(".state[role=alert]") !== null,
  idle: () => T.failed() || T.root()?.getAttribute("aria-busy") === "false",
  settled: async (ms) => {
    const end = performance.now() + ms;
    for (let calm = 0; calm < 2; ) {
      await T.frames(2);
      calm = T.idle() ? calm + 1 : 0;
      if (performance.now() > end) return false;
    }
    return true;
  },
  name: (key) => {
    const { symbols, meta } = probe.opened, { offsets, bytes, name } = symbols;
    if (key === 0xffffffff) return "all";
    if (key >= name.length) return [...meta.groups, ...meta.modules.map((m) => m.name)][key - name.length];
    return new TextDecoder().decode(bytes.subarray(offsets[name[key]], offsets[name[key] + 1]));
  },
  moduleOf: (key) => { if (key >= probe.opened.symbols.name.length) return ""; const m = probe.opened.symbols.module[key]; return m === 0xffffffff ? "" : probe.opened.meta.modules[m].name; },
  key: (text) => { for (let key = 0; key < probe.opened.symbols.name.length; ++key) if (T.name(key) === text) return key; return -1; },
  pane: () => T.one(".drawn .boxes"),
  // Boxes of the flame graph with their path and where they are in the window.
  boxes: () => {
    const { boxes: b } = probe.answers.flame, { from, to } = probe.asks.flame.viewport;
    const pane = T.pane(), frame = pane.getBoundingClientRect(), levels = Math.max(...b.depth.subarray(0, b.count)) + 1;
    const atBottom = pane.getAttribute("aria-label").startsWith("Flame graph");
    const content = Math.max(pane.clientHeight, levels * 18), paths = [], modules = [];
    return Array.from({ length: b.count }, (_, i) => {
      const path = b.parent[i] < 0 ? [] : [...paths[b.parent[i]].slice(-30), T.name(b.key[i])];  // of deep stacks the end
      paths.push(path);
      modules.push(b.parent[i] < 0 ? [] : [...modules[b.parent[i]].slice(-30), T.moduleOf(b.key[i])]);
      const scale = pane.clientWidth / (to - from);
      const left = Math.max(0, (b.x[i] - from) * scale), right = Math.min(pane.clientWidth, (b.x[i] + b.width[i] - from) * scale);
      const top = (atBottom ? content - (b.depth[i] + 1) * 18 : b.depth[i] * 18) - pane.scrollTop;
      return {
        path, modules: modules[i], name: T.name(b.key[i]), key: b.key[i], self: b.self[i], total: b.total[i], samples: b.samples[i],
        baseSelf: b.baseSelf?.[i] ?? 0, baseTotal: b.baseTotal?.[i] ?? 0, width: right - left,
        x: frame.x + (left + right) / 2, y: frame.y + top + 9, isSeen: top >= 0 && top + 18 <= pane.clientHeight,
      };
    });
  },
  color: (x, y) => {  // of the picture, not of marks above it
    const canvas = T.pane().querySelector("canvas"), frame = canvas.getBoundingClientRect(), ratio = canvas.width / frame.width;
    const copy = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, -Math.round((x - frame.x) * ratio), -Math.round((y - frame.y) * ratio));
    return [...copy.getImageData(0, 0, 1, 1).data].slice(0, 3).join();
  },
  tip: () => { const t = document.querySelector(".tooltip.shown-now"); return t === null || t.innerText === "" ? null : {
    title: t.querySelector(".title").innerText,
    lines: Object.fromEntries([...t.querySelectorAll("dt")].map((dt) => [dt.innerText, [...dt.nextSibling.children].map((x) => x.textContent).join(" ") || dt.nextSibling.textContent])),
  }; },
  rows: (view) => T.all(view + " .table-row").sort((a, b) => a.ariaRowIndex - b.ariaRowIndex).map((row) => [...row.children].map((cell) => cell.innerText.trim())),
  picture: () => T.all("#view canvas").map((c) => c.toDataURL()).join(),
  // All that the page says. Rows of tables are in the document in any order.
  page: () => [...T.one(".page").innerText.replace(/[ \t]+/g, " ").split("\n").sort(), ...T.rows("#view")].join("\n"),
  functions: () => { const { rows } = probe.answers.functions; return Array.from({ length: rows.count }, (_, i) => ({
    name: T.name(rows.key[i]), module: T.moduleOf(rows.key[i]), self: rows.self[i], total: rows.total[i], self_samples: rows.selfSamples[i],
    total_samples: rows.samples[i], baseSelf: rows.baseSelf?.[i], baseTotal: rows.baseTotal?.[i], verdict: rows.verdict?.[i],
  })); },
  focused: () => { const e = document.activeElement; return `${e.localName} ${e.getAttribute("aria-label") ?? e.innerText.trim().split("\n")[0]}`.trim(); },
};
"""

VIEWS = ["flame", "chart", "tree", "functions", "around", "code", "heat", "quality"]


class Served:
    """A running `wick view`."""

    def __init__(self, wick, *args, cwd=None):
        self.process = subprocess.Popen([wick, "view", "--no-open", *map(str, args)], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        if not select.select([self.process.stdout], [], [], 120)[0]:
            self.end()
            raise TimeoutError("wick view prints no URL")
        line = self.process.stdout.readline().decode()
        if not re.match(r"http://127\.0\.0\.1:\d+/[0-9a-f]{32}/$", line.strip()):
            _, error = self.process.communicate()
            raise AssertionError(f"wick view: {line!r} {error.decode()!r}")
        self.url = line.strip()

    def end(self):
        self.process.kill()
        self.process.communicate()


class Page:
    def __init__(self, browser):
        self.b = browser
        self.errors, self.requests = [], []
        browser.prepare = self.prepare
        self.prepare()

    def prepare(self):
        self.b.call("Page.addScriptToEvaluateOnNewDocument", source=PROBE + HELPERS)
        self.b.size(1280, 800)
        self.media()

    def media(self, scheme="light"):
        self.b.media(prefers_reduced_motion="reduce", prefers_color_scheme=scheme)

    def open(self, url, fragment="", seconds=100):
        self.collect()
        url = url if "://" in str(url) else Path(url).resolve().as_uri()
        self.b.open(url + (f"#{fragment}" if fragment else ""))
        assert self.b.wait("!!window.T && T.root() !== null", seconds), "no page"
        self.settle(seconds)

    def collect(self):
        """Takes what the browser has seen until now."""
        self.errors += self.b.errors
        self.requests += self.b.requests
        self.b.errors, self.b.requests = [], []

    def settle(self, seconds=60):
        """Until the engine has answered all and the answers are drawn."""
        assert self.b.eval(f"T.settled({seconds * 1000})"), "the page stays busy"

    def js(self, expression):
        return self.b.eval(expression)

    def text(self, selector):
        return self.js(f"T.text({json.dumps(selector)})")

    def becomes(self, expression, want=True):
        self.b.wait(f"JSON.stringify({expression}) === JSON.stringify({json.dumps(want)})")
        got = self.js(expression)
        assert got == want, f"{expression}: {got!r}, expected {want!r}"

    # ---- real input

    def key(self, *keys, **held):
        for key in keys:
            self.b.key(key, **held)
        self.settle()

    def type(self, text):
        self.b.type(text)
        self.settle()

    def at(self, selector, text=None):
        """Where an element is: by CSS selector, and by its text or label."""
        found = f"T.named({json.dumps(selector)}, {json.dumps(text)})" if text is not None else f"T.one({json.dumps(selector)})"
        rect = self.js(f"(e => e && T.rect(e))({found})")
        assert rect, f"no {selector} {text or ''}"
        return rect[0] + rect[2] / 2, rect[1] + rect[3] / 2

    def click(self, selector, text=None, **held):
        self.b.click(*self.at(selector, text), **held)
        self.settle()

    def boxes(self):
        return self.js("T.boxes()")

    def tree(self):
        """The flame graph as {path: (self, total)}."""
        return {tuple(box["path"]): (box["self"], box["total"]) for box in self.boxes()}

    def box(self, *path):
        """A box, by the end of its path."""
        found = [x for x in self.boxes() if tuple(x["path"][-len(path):]) == path]
        assert found, f"no box {path} among {[x['path'] for x in self.boxes()]}"
        return found[0]

    def point(self, *path):
        box = self.box(*path)
        assert box["isSeen"] and box["width"] > 2, f"{path} is not on the screen: {box}"
        return box["x"], box["y"]

    def hover(self, *path):
        """The tooltip of a box."""
        self.b.hover(*self.point(*path))
        self.becomes("T.tip()?.title", path[-1] if path else "all")
        return self.js("T.tip().lines")

    def select(self, *path):
        self.b.click(*self.point(*path))
        self.settle()

    def fragment(self):
        """The URL's fragment, once movements have been written: when they pause, by a timer."""
        assert self.b.wait("probe.soon.size === 0"), "timers go on"
        return self.js("location.hash.slice(1)")

    def go(self, fragment):
        """Another state, as if the user edited the URL."""
        self.js(f"void (location.hash = {json.dumps(fragment)})")
        self.b.wait(f"decodeURIComponent(location.hash.slice(1)) === decodeURIComponent({json.dumps(fragment)})")
        self.settle()

    def back(self, by=-1):
        before = self.js("location.hash")
        self.js(f"void history.go({by})")
        assert self.b.wait(f"location.hash !== {json.dumps(before)}"), "the history does not move"
        self.settle()
