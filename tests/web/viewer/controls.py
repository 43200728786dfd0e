# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Themes, keyboard, help, copies and pictures."""

import re
import struct
import xml.etree.ElementTree as ElementTree

from .base import Base
from .transforms import TransformTests

# Whether the focused element looks different from when it has no focus: its own outline or shadow, or that of what stands for it.
FOCUS_SEEN = """(() => {
  const e = document.activeElement;
  const look = () => [e, e.parentElement, ...e.parentElement.children, ...document.querySelectorAll('.brush .band, .track, .table-row.selected')].map((x) => {
    const s = getComputedStyle(x);
    return [s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0 ? s.outline : '', s.boxShadow, s.borderColor, s.backgroundColor, s.opacity, s.visibility, s.display].join();
  }).join('|');
  const focused = look();
  e.blur();
  const without = look();
  e.focus({ focusVisible: true, preventScroll: true });
  return focused !== without;
})()"""


def prop(node, name):
    return any(p["name"] == name and p["value"].get("value") for p in node.get("properties", []))


class ControlTests(Base):
    def test_dark(self):
        self.open()
        light = self.p.js("getComputedStyle(document.body).backgroundColor")
        picture = self.p.js("T.picture()")
        self.p.media("dark")
        self.p.becomes("document.documentElement.dataset.theme", "dark")
        self.p.settle()
        dark = self.p.js("getComputedStyle(document.body).backgroundColor")
        assert sum(map(int, re.findall(r"\d+", dark)[:3])) < 200 < sum(map(int, re.findall(r"\d+", light)[:3])), (light, dark)
        assert self.p.js("T.picture()") != picture, "the picture stays light"
        for view in "12345678":
            self.p.key(view)
            self.unreadable()
        self.shot("dark")
        self.p.media()
        self.p.key("1")
        for theme in ("light", "dark", "light"):
            self.p.click(".header button[data-theme]")
            self.same(self.p.js("document.documentElement.dataset.theme"), theme)
            if theme == "dark":
                self.p.open(self.servers[0].url)
                self.same(self.p.js("document.documentElement.dataset.theme"), "dark", "the choice is not remembered")
        for view in "12345678":
            self.p.key(view)
            self.unreadable()
        self.p.js("localStorage.clear()")

    def unreadable(self):
        """No text has too little contrast to its ground (WCAG: 4.5; 3 for what is secondary)."""
        bad = self.p.js("""(() => {
          const parse = (c) => { const v = c.match(/[\\d.]+/g).map(Number); return v.length < 4 ? [...v, 1] : v; };
          const light = (c) => { const [r, g, b] = c.map((v) => ((v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
          const ground = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c[3] > 0.5) return c; } return [255, 255, 255, 1]; };
          return T.all("#view *, .header *, .tabs *, .shown *, .footer *").filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim() !== "")).map((e) => {
            const [a, b] = [light(parse(getComputedStyle(e).color)), light(ground(e))];
            return [e.className + ": " + e.innerText.slice(0, 30), (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
          }).filter(([text, ratio]) => ratio < 3);
        })()""")
        self.same(bad, [], f"contrast in {self.p.js('location.hash')}, {self.p.js('document.documentElement.dataset.theme')}")

    def test_keyboard_only(self):
        """Tab reaches each control, and one sees where the focus is."""
        self.open()
        for view, within in (("1", {"button Flame", "button Icicle", "button Inverted"}), ("3", {"button Inverted", "div Call tree"}), ("4", {"div Functions", "div Function"}), ("5", {"div Callers of work", "div Callees of work"}), ("6", {"div Source"}), ("2", set()), ("7", set()), ("8", set())):
            self.b.eval("document.activeElement.blur()")
            self.p.key(view)
            seen, hidden = [], []
            while True:  # behind the last control comes the page, then the first one
                self.b.key("Tab")
                if self.p.js("document.activeElement === document.body"):
                    break
            while len(seen) < 60:
                self.b.key("Tab")
                if self.p.js("document.activeElement === document.body"):
                    break
                seen.append(self.p.js("T.focused()"))
                name = seen[-1]
                if not self.p.js(FOCUS_SEEN):
                    hidden.append(name)
            common = {"input Search functions", "button cpu-clock", "button Compare", "button Save", "button Theme: as the system", "button Keys and help (?)", "button Tracks", "div Range of time", "div Processes and threads", "div Height of the tracks", "button Everything", "button Thread app (100)", "button Remove thread app (100)"}
            self.same((common | within) - set(seen), set(), f"not reached in view {view}")
            self.same(hidden, [], f"focus not seen in view {view}")
            controls = self.p.js("T.all('button, input, [tabindex=\"0\"]').filter((e) => e.tabIndex >= 0 && e.checkVisibility({ checkVisibilityCSS: true })).length")
            assert len(seen) >= controls, f"{len(seen)} of {controls} controls in view {view}: {seen}"
        # Without the mouse: a view, a box, its menu, an action, undo.
        self.b.eval("document.activeElement.blur()")
        self.p.key("1")
        self.p.key("ArrowUp", "ArrowUp", "ArrowUp")
        self.p.key("F10", shift=True)
        assert self.p.js("T.one('[role=menu]') !== null && document.activeElement.closest('[role=menu]') !== null"), "no menu"
        self.p.key("ArrowDown", "Enter")
        self.has(self.p.fragment(), "/x=F")
        self.p.back()
        self.p.click("#tab-flame")
        self.p.key("ArrowRight")
        self.same(self.p.text("[role=tab][aria-selected=true]"), "Stack chart")
        self.same(self.p.js("T.focused()"), "button Stack chart")

    def test_accessibility_tree(self):
        """What a screen reader gets: landmarks, a name for everything that takes the focus, and the box or row that keys selected."""
        landmarks = {"banner", "search", "region Tracks", "navigation Views", "main", "contentinfo"}
        content = {
            "1": {"tree Flame graph"}, "2": {"tree Stack chart"}, "3": {"treegrid Call tree"}, "4": {"grid Functions"},
            "5": {"grid Functions", "tree Callers of work", "tree Callees of work"}, "6": {"treegrid Source"}, "7": {"application Heat map"}, "8": {"region Summary and quality of the recording"},
        }
        selected = {"1": "treeitem _start, total 1.00 s (100.0%)", "2": "treeitem _start, 1.00 s, from 0.00 s to 1.00 s", "3": "row 1.000 100.0% 0", "4": "row 0.350 35.0%", "5": "treeitem work, total 600 ms"}
        self.open()
        for view, names in content.items():
            self.p.key(view)
            nodes = [(n, n["role"]["value"], n.get("name", {}).get("value", "")) for n in self.b.call("Accessibility.getFullAXTree")["nodes"] if not n.get("ignored")]
            said = [f"{role} {name}".strip() for _, role, name in nodes]
            self.same(landmarks - set(said), set(), f"landmarks of view {view}")
            tabs = [name for n, role, name in nodes if role == "tab" and prop(n, "selected")]
            self.same(tabs, [name for _, role, name in nodes if role == "tabpanel"], f"tab of view {view}")
            self.same([want for want in names if not any(s == want or s.startswith(want + ":") for s in said)], [], f"content of view {view}: {said}")
            self.same([role for n, role, name in nodes if name == "" and prop(n, "focusable")], [], f"without a name in view {view}")
            self.same([role for _, role, name in nodes if name == "" and role in ("img", "Canvas", "image", "dialog")], [], f"pictures of view {view}")
            if view not in selected:
                continue
            self.b.eval("document.querySelector('#view [role^=tree], #view [role=grid]').focus()")
            if view == "5":
                self.b.eval("document.querySelectorAll('#view [role=tree]')[1].focus()")
            self.p.key("Home" if view in "34" else "ArrowDown" if view == "5" else "ArrowUp" if view == "1" else "ArrowRight")
            active = self.p.js("document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.id ?? null")
            assert active, f"keys select nothing in view {view}"
            root = self.b.call("DOM.getDocument")["root"]["nodeId"]
            node = self.b.call("DOM.querySelector", nodeId=root, selector=f"#{active}")["nodeId"]
            ax = self.b.call("Accessibility.getPartialAXTree", nodeId=node, fetchRelatives=False)["nodes"][0]
            said = f"{ax['role']['value']} {ax['name']['value']}"
            assert said.startswith(selected[view]), f"view {view}: {said}"

    def test_help(self):
        self.open()
        self.p.key("?")
        text = self.p.text("dialog.sheet")
        self.has(text, "Keyboard and mouse", "Focus on the function", "Next, previous match", "Heat map")
        # Each letter of the sheet that is a transform does something (test_transforms).
        letters = self.p.js("[...document.querySelectorAll('dialog section:nth-of-type(3) kbd')].map((k) => k.innerText)")
        self.same({t[0] for t in self.TRANSFORMS if len(t[0]) == 1} - set(letters), set(), "letters that the sheet lacks")
        self.p.key("?")
        self.same(self.p.js("T.one('dialog.sheet')"), None)
        self.p.click(".header button", "Keys and help (?)")
        assert self.p.js("T.one('dialog.sheet') !== null")
        self.p.key("Escape")
        self.same(self.p.js("T.one('dialog.sheet')"), None)

    def test_copy_and_save(self):
        for url in (self.serve(self.made("exact")).url, self.html(self.made("exact"))):
            self.p.open(url, "flame")
            text = self.copied(lambda: self.p.key("y"))
            self.p.becomes("T.texts('.toast')", ["Copied the view as text"])
            self.has(text, "./app --fast: share, total, self", "work")
            assert re.search(r"40\.0%\s+600 ms\s+350 ms.*work", text), text
            self.p.key("4")
            self.p.click(".header button", "Save")
            self.has(self.copied(lambda: self.p.click(".menu-item .text", "Copy as text")), "Self", "crunch", "0.400")
            self.p.key("1")
            self.b.right_click(*self.p.point("work", "read"))
            self.p.settle()
            self.same(self.copied(lambda: self.p.click(".menu-item .text", "Copy stack")), "_start\nmain\nwork\nread")
            svg = self.save("Save picture as SVG")
            root = ElementTree.parse(svg).getroot()
            self.same(root.tag, "{http://www.w3.org/2000/svg}svg")
            texts = "".join(root.itertext())
            self.has(texts, "work", "vfs_read", "total 600 ms (40.0%)")
            png = self.save("Save picture as PNG").read_bytes()
            assert png[:8] == b"\x89PNG\r\n\x1a\n", png[:8]
            width, height = struct.unpack(">II", png[16:24])
            self.same(width, 2 * int(float(root.get("width"))))
            assert height > 100 and len(png) > 3000, (height, len(png))
            for view in ("2", "5"):
                self.p.key(view)
                ElementTree.parse(self.save("Save picture as SVG"))
