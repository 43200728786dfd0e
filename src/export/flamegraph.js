// The interactive part of the flame graph. It replaces the still picture in the file by one that is drawn on demand: only the
// boxes that are in the window and wide enough exist, so neither a hundred thousand boxes nor ten thousand levels slow it down.
(function () {
"use strict";
const NS = "http://www.w3.org/2000/svg", HTML = "http://www.w3.org/1999/xhtml";
const LEAST = 0.4, LEAST_DASHED = 4, DURATION = 180, CHANGE_STEPS = 8, WIDTH_STEPS = 15;
const svg = (document.currentScript && document.currentScript.ownerSVGElement) || document.documentElement;
const D = JSON.parse(svg.querySelector("#wick-data").textContent);
const standalone = document.documentElement === svg;
// The scroll bar is in the margin. Very narrow pictures have less of one.
const PAD = D.width ? Math.min(16, Math.floor(D.width / 10)) : 16, BAR = Math.min(12, PAD);
const ROW = D.row, DIFFERENCE = D.mode === "difference";

// ---- the tree: nodes in depth-first order, callers first; children side by side from the left, the function's own cost right.
// `given` is the tree of the file; the other one, from the leaves (or from the roots, if the file's is from the leaves), is made
// when it is asked for. Everything below works on whichever is shown.
let tree, N, depth, frameOf, samples, self, weight, selfWeight, value, before, selfBefore, X, parent, end, rows, place, callees, widest, ALL;

function makeTree(t) {
  const n = t.depth.length, open = [], next = new Float64Array(n);
  t.X = new Float64Array(n);
  t.parent = new Int32Array(n);
  t.end = new Int32Array(n);
  t.place = new Int32Array(n);      // among its siblings, from 1
  t.callees = new Int32Array(n);    // how many
  t.widest = new Float64Array(n);   // of them
  t.rows = [];
  for (let i = 0; i < n; i++) {
    const d = t.depth[i];
    while (open.length > d) t.end[open.pop()] = i;
    const p = d ? open[d - 1] : -1;
    t.parent[i] = p;
    t.X[i] = p < 0 ? 0 : next[p] + (t.gap ? t.gap[i] : 0);
    next[i] = t.X[i];
    t.place[i] = 1;
    if (p >= 0) {
      next[p] = t.X[i] + t.value[i];
      t.place[i] = ++t.callees[p];
      t.widest[p] = Math.max(t.widest[p], t.value[i]);
    }
    open.push(i);
    (t.rows[d] || (t.rows[d] = [])).push(i);
  }
  while (open.length) t.end[open.pop()] = n;
  return t;
}
const given = (function () {
  const w = D.weight || D.samples.map(n => n * D.perSample);
  const t = {depth: D.depth, frame: D.frame, samples: D.samples, self: D.self, weight: w, gap: D.gap,
             selfWeight: D.selfWeight || D.self.map(n => n * D.perSample), before: D.before, selfBefore: D.selfBefore};
  t.value = (D.value || w).slice();
  if (D.whole) t.value[0] = D.whole;
  if (D.changed) {  // boxes whose change is no noise
    t.changed = new Uint8Array(t.depth.length);
    for (const i of D.changed) t.changed[i] = 1;
    t.carried = new Uint8Array(t.depth.length);
    for (const i of D.carried) t.carried[i] = 1;
  }
  return makeTree(t);
})();

// Every node's own cost is one entry; entries walk outwards together, as long as they meet the same functions. What has no boxes
// in the file is known by its caller only: it stands under a name of its own, so that totals stay what they are.
let other = null;
function reverse(t) {
  const n = t.depth.length, REST_FRAME = D.frames.length / 4;
  D.frames.push(D.names.push("[too narrow to draw]") - 1, D.modules.push("") - 1, Math.max(0, D.colors.indexOf("f0")), 0);
  D.short.push("");
  const inner = {w: new Float64Array(n), s: new Float64Array(n), b: new Float64Array(n)};
  for (let i = n - 1; i > 0; i--) {
    const p = t.parent[i];
    inner.w[p] += t.weight[i];
    inner.s[p] += t.samples[i];
    if (DIFFERENCE) inner.b[p] += t.before[i];
  }
  let entries = [];
  for (let i = 0; i < n; i++) {
    const b = DIFFERENCE ? t.selfBefore[i] : 0, all = DIFFERENCE ? t.before[i] : 0;
    if (t.self[i] || t.selfWeight[i] || b) entries.push({at: i, first: -1, w: t.selfWeight[i], s: t.self[i], b, c: t.changed && t.changed[i]});
    const w = t.weight[i] - inner.w[i] - t.selfWeight[i], s = t.samples[i] - inner.s[i] - t.self[i], more = all - inner.b[i] - b;
    if (w > 0 || more > 0) entries.push({at: i, first: REST_FRAME, w, s, b: more});
  }
  const out = {depth: [], frame: [], samples: [], self: [], weight: [], selfWeight: []};
  if (DIFFERENCE) { out.before = []; out.selfBefore = []; }
  if (t.changed) out.changed = [];  // what holds a box that changed
  const least = LEAST / 4000 * t.value[0];
  const todo = [{frame: t.frame[0], depth: 0, entries}];
  while (todo.length) {
    const node = todo.pop(), groups = new Map();
    let w = 0, s = 0, b = 0, ownW = 0, ownS = 0, ownB = 0;
    for (const e of node.entries) {
      w += e.w; s += e.s; b += e.b;
      const f = e.first >= 0 ? e.first : e.at > 0 ? t.frame[e.at] : -1;
      if (f < 0) { ownW += e.w; ownS += e.s; ownB += e.b; continue; }
      if (e.first >= 0) e.first = -1; else e.at = t.parent[e.at];
      const g = groups.get(f);
      if (g) { g.entries.push(e); g.size += e.w + e.b; } else groups.set(f, {frame: f, depth: node.depth + 1, entries: [e], size: e.w + e.b});
    }
    out.depth.push(node.depth); out.frame.push(node.frame);
    out.samples.push(s); out.self.push(ownS); out.weight.push(w); out.selfWeight.push(ownW);
    if (DIFFERENCE) { out.before.push(b); out.selfBefore.push(ownB); }
    if (out.changed) out.changed.push(node.entries.some(e => e.c) ? 1 : 0);
    const wide = [...groups.values()].filter(g => g.size >= least);
    wide.sort((p, q) => p.size - q.size || q.frame - p.frame);
    for (const g of wide) todo.push(g);
  }
  out.value = out.weight.slice();
  if (DIFFERENCE) widen(out);
  out.value[0] = Math.max(out.value[0], t.value[0]);
  return makeTree(out);
}
// A box is as wide as what it costs now, and what is gone above it: a box that is gone is as wide as it was.
function widen(t) {
  const surplus = new Float64Array(t.depth.length), open = [], parents = [];
  for (let i = 0; i < t.depth.length; i++) { open[t.depth[i]] = i; parents[i] = t.depth[i] ? open[t.depth[i] - 1] : -1; }
  for (let i = t.depth.length - 1; i >= 0; i--) {
    t.value[i] = t.weight[i] ? t.weight[i] + surplus[i] : t.before[i];
    if (i) surplus[parents[i]] += t.value[i] - t.weight[i];
  }
}
function show(t) {
  tree = t;
  ({depth, frame: frameOf, samples, self, weight, selfWeight, value, before, selfBefore, X, parent, end, rows, place, callees, widest} = t);
  N = depth.length;
  ALL = value[0] || 1;
}
show(given);
const reversed = () => (tree !== given) !== !!D.reversed;

const nameOf = i => D.names[D.frames[4 * frameOf[i]]];
const shortOf = i => D.short[D.frames[4 * frameOf[i]]] || nameOf(i);  // without parameters and template arguments
const moduleOf = i => D.modules[D.frames[4 * frameOf[i] + 1]] || "";
const inlinedOf = i => ["", "inlined", "partly inlined"][D.frames[4 * frameOf[i] + 3]];
const attributesOf = i => D.attributes && D.attributes[frameOf[i]] || {};
const isGone = i => DIFFERENCE && !weight[i] && before[i] > 0;
// As export/flamegraph_paint.cc: the change of what the function used itself; of everything, where the box is new or gone.
const changeOf = i => !weight[i] || !before[i] ? weight[i] - before[i] : selfWeight[i] - selfBefore[i];
function colorOf(i) {
  if (D.mode === "width") return "w" + Math.round(Math.sqrt(Math.min(1, value[i] / ALL)) * WIDTH_STEPS);
  if (!DIFFERENCE) return D.colors[D.frames[4 * frameOf[i] + 2]];
  if (tree.carried && tree.carried[i]) return weight[i] > before[i] !== !!D.negate ? "p1" : "m1";  // by what it calls
  const change = D.negate ? -changeOf(i) : changeOf(i);
  if (!change || !D.largest || !i || tree.changed && !tree.changed[i]) return "v0";
  const step = Math.max(1, Math.min(CHANGE_STEPS, Math.ceil(Math.abs(change) / D.largest * CHANGE_STEPS - 1e-9)));
  return (change > 0 ? "p" : "m") + step;
}
// Fixed colors need an ink that fits them, whatever the theme.
const inks = {};
function inkOn(color) {
  if (color[0] !== "#") return "";
  if (!(color in inks)) {
    const linear = at => (v => v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4))(parseInt(color.slice(at, at + 2), 16) / 255);
    inks[color] = 0.2126 * linear(1) + 0.7152 * linear(3) + 0.0722 * linear(5) > 0.179 ? "onlight" : "ondark";
  }
  return inks[color];
}
const firstChild = i => i + 1 < N && parent[i + 1] === i ? i + 1 : -1;
const nextSibling = i => end[i] < N && parent[end[i]] === parent[i] ? end[i] : -1;
function previousSibling(i) {
  let last = -1;
  for (let c = parent[i] < 0 ? i : firstChild(parent[i]); c !== i; c = nextSibling(c)) last = c;
  return last;
}

// ---- numbers and names
function percent(v) {
  if (v === 0 || v >= 0.000995) return (100 * v).toFixed(1) + "%";
  return v >= 0.00005 ? (100 * v).toFixed(2) + "%" : "<0.01%";
}
const format = new Intl.NumberFormat("en-US", {maximumFractionDigits: 2});  // far quicker than toLocaleString
const number = n => format.format(n);
const sampleCount = n => number(n) + (n === 1 ? " sample" : " samples");
// As analyze/format.cc writes costs.
function duration(t) {
  if (t === 0) return "0 s";
  if (t < 1e3) return t.toFixed(0) + " ns";
  if (t < 999.5e3) return (t / 1e3).toFixed(t < 99.95e3 ? 1 : 0) + " us";
  if (t < 999.5e6) return (t / 1e6).toFixed(t < 99.95e6 ? 1 : 0) + " ms";
  if (t < 119.995e9) return (t / 1e9).toFixed(2) + " s";
  const seconds = Math.round(t / 1e9), two = n => String(n).padStart(2, "0");
  if (seconds < 7200) return Math.floor(seconds / 60) + " min " + two(seconds % 60) + " s";
  const minutes = Math.floor((seconds + 30) / 60);
  return Math.floor(minutes / 60) + " h " + two(minutes % 60) + " min";
}
function cost(v) {
  if (D.unit === "ns") return duration(v);
  if (v < 10e3) return number(v) + " " + D.unit;
  let i = 0;
  for (v /= 1e3; v >= 999.5 && i < 5; v /= 1e3) i++;
  return v.toFixed(v < 9.995 ? 2 : v < 99.95 ? 1 : 0) + " " + "kMGTPE"[i] + " " + D.unit;
}
// A weight, and how many samples it is of (nothing: do not tell).
function amounts(w, n) {
  const v = w / D.divisor * D.factor;
  if (D.countName) return [number(v) + " " + D.countName];
  if (!D.unit) return [sampleCount(v)];
  return (n === undefined ? [] : [sampleCount(n * D.factor)]).concat(cost(v));
}
const signed = (v, text) => (v > 0 ? "+" : v < 0 ? "\u2212" : "\u00b1") + text;

// The rest behind the outermost scope, if it can do without: a closure is not parted from its function.
function innerScope(name) {
  for (let i = 0, depth = 0; i + 2 < name.length; i++) {
    const c = name[i];
    if ("<([{".includes(c)) depth++;
    else if (")]}".includes(c) || (c === ">" && name[i - 1] !== "-")) depth--;
    else if (!depth && c === ":" && name[i + 1] === ":") return name[i + 2] === "{" ? "" : name.slice(i + 2);
  }
  return "";
}
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uffe6\ud83c-\ud83e\ud840-\ud8ff]/;
// What fits: the whole name, else without parameters, else without as many outer scopes as need be, else its beginning.
function label(i, chars) {
  const name = i ? nameOf(i) : "all";
  if (WIDE.test(name)) chars = Math.floor(chars / 2);
  if (chars < 2) return "";
  if (name.length <= chars) return name;
  if (D.cutRight) return Array.from(name).slice(0, chars - 1).join("") + "\u2026";
  let plain = shortOf(i);
  for (let inner; plain.length > chars && (inner = innerScope(plain));) plain = inner;
  return plain.length <= chars ? plain : Array.from(plain).slice(0, chars - 1).join("") + "\u2026";
}

// ---- the page
function make(tag, attributes, parentNode, ns) {
  const e = document.createElementNS(ns || NS, tag);
  for (const k in attributes) e.setAttribute(k, attributes[k]);
  if (parentNode) parentNode.appendChild(e);
  return e;
}
const html = (tag, attributes, parentNode) => make(tag, attributes, parentNode, HTML);
function set(e, k, v) {  // null: it has none
  if (e[k + "_"] === v) return;
  e[k + "_"] = v;
  if (v === null) e.removeAttribute(k); else e.setAttribute(k, v);
}
function text(e, s) { if (e.textContent !== s) e.textContent = s; return e; }

function paint(rect, color, more) {
  const fixed = color[0] === "#";
  set(rect, "class", (fixed ? "" : color) + (more ? " " + more : ""));
  set(rect, "fill", fixed ? color : "");
}
const still = svg.querySelector("#wick-still");
const ui = make("g", {});
const topHost = make("foreignObject", {x: 0, y: 0, width: "100%", height: 10}, ui);
const top = html("div", {class: "wick-ui wick-top"}, topHost);
const head = html("div", {class: "wick-head"}, top);
text(html("h1", {title: D.title}, head), D.title);
for (const line of D.subtitles) text(html("p", {}, head), line);
if (D.notes.length) text(html("p", {class: "wick-notes"}, head), D.notes.join(" \u00b7 "));
const find = html("div", {class: "wick-find", role: "search"}, top);
const share = html("span", {class: "wick-share", role: "status"}, find);
const input = html("input", {type: "search", placeholder: "search (regex)", spellcheck: "false", autocomplete: "off",
                             title: "Enter: first match; n, N: next, previous; Escape: back to the graph",
                             "aria-label": "search functions by regular expression"}, find);
const views = html("div", {class: "wick-views", role: "group", "aria-label": "view"}, find);
const viewButton = (name, hint) => text(html("button", {type: "button", title: hint, "aria-pressed": "false"}, views), name);
const flameButton = viewButton("flame", "callers below (i)"), icicleButton = viewButton("icicle", "callers above (i)");
const reverseButton = viewButton("reversed", "leaf functions first, then their callers (r)");
const path = html("nav", {class: "wick-path", "aria-label": "callers of the zoomed frame"}, top);

const flames = make("svg", {class: "flames", tabindex: 0, role: "tree", "aria-label": "flame graph: " + D.title}, ui);
// Browsers take items for parts of the tree only if all that is between them says that it is nothing.
const boxes = make("g", {class: "boxes", role: "none"}, flames);
const ring = make("rect", {class: "ring", rx: 2, visibility: "hidden", "aria-hidden": true}, flames);
const thumb = make("rect", {class: "thumb", width: 5, rx: 2.5, visibility: "hidden", "aria-hidden": true}, flames);
const frame = make("rect", {class: "frame", x: 1, y: 1, "aria-hidden": true}, flames);

const bottomHost = make("foreignObject", {x: 0, width: "100%", height: 10}, ui);
const bottom = html("div", {class: "wick-ui wick-bottom"}, bottomHost);
for (const [name, color, part, look] of D.legend) {
  const item = html("span", {}, bottom);
  const swatch = make("svg", {width: 13, height: 13, class: "wick swatch"}, item);
  paint(make("rect", {x: 1, y: 1, width: 11, height: 11, rx: 3}, swatch), color, look);
  item.appendChild(document.createTextNode(part === null ? name : name + " " + percent(part)));
}
if (D.leftOut) text(html("span", {}, bottom), D.leftOut);
const keys = html("span", {class: "end"}, bottom);
[["click", "zoom"], ["/", "search"], ["n N", "matches"], ["esc", "back"], ["\u2190\u2191\u2192\u2193", "move"]].forEach(([k, what], i) => {
  if (i) keys.appendChild(document.createTextNode("\u2002"));
  text(html("kbd", {}, keys), k);
  keys.appendChild(document.createTextNode(" " + what));
});
const tipHost = make("foreignObject", {x: 0, y: 0, width: "100%", height: "100%", class: "wick-tips"}, ui);
const tip = html("div", {class: "wick-ui wick-tip", style: "visibility:hidden"}, tipHost);
const tipName = html("b", {}, tip);
const tipWhere = html("div", {}, tip), tipCost = html("div", {}, tip), tipSelf = html("div", {}, tip), tipMore = html("div", {}, tip);
const live = html("div", {class: "wick-live", "aria-live": "polite"}, tipHost);

// ---- what is shown
let W = 1200, H = 800, topHeight = 0, areaHeight = 0, charWidth = 7.2;
let from = 0, to = ALL;          // the part of the whole that fills the width
let zoomed = 0, focused = -1, hovered = -1;
let scroll = 0;                  // pixels from the root's end
let icicle = !!D.inverted;
let matches = null, found = [];  // per frame whether it matches, or null without a search; the boxes that do, widest first
let fresh = false;               // a search that no step was taken in
const pool = [];
let current = null;              // of the pool: the box that is focused, if it is in the window
let used = 0, request = 0, animation = null, moving = false;

const contentHeight = () => rows.length * ROW;
const maxScroll = () => Math.max(0, contentHeight() - areaHeight);
function rowY(d) { return icicle ? d * ROW - scroll : areaHeight - (d + 1) * ROW + scroll; }
function depthAt(y) { return Math.floor(icicle ? (y + scroll) / ROW : (areaHeight - y + scroll - 0.001) / ROW); }
const px = v => (v - from) / (to - from) * W;

const page = () => areaHeight - ROW;
const thumbSize = () => Math.max(24, areaHeight * areaHeight / contentHeight());

function box() {
  let b = pool[used];
  if (!b) {
    b = {g: make("g", {role: "treeitem"}, boxes)};
    b.rect = make("rect", {height: ROW - 1, rx: 2}, b.g);
    b.text = make("text", {}, b.g);
    pool.push(b);
  }
  used++;
  return b;
}

function draw() {
  request = 0;
  used = 0;
  const was = current;
  current = null;
  const first = Math.max(0, depthAt(icicle ? 0 : areaHeight - 0.001));
  const last = Math.min(rows.length - 1, depthAt(icicle ? areaHeight : 0));
  const least = LEAST / W * (to - from);
  for (let d = first; d <= last; d++) {
    const row = rows[d], y = rowY(d);
    let lo = 0, hi = row.length;
    while (lo < hi) { const mid = (lo + hi) >> 1; if (X[row[mid]] + value[row[mid]] <= from) lo = mid + 1; else hi = mid; }
    for (; lo < row.length && X[row[lo]] < to; lo++) {
      const i = row[lo];
      if (value[i] < least && i !== focused) continue;
      drawBox(i, d, y, least);
    }
  }
  // A name of its own for each: that another box has the focus is only told if it has another name.
  if (was && was !== current) set(was.g, "id", null);
  const id = current ? "wick-box-" + focused : null;
  if (current) set(current.g, "id", id);
  set(flames, "aria-activedescendant", id);
  for (let k = used; k < pool.length; k++) set(pool[k].g, "visibility", "hidden");
  drawRing();
  const bar = maxScroll() > 0;
  set(thumb, "visibility", bar ? "visible" : "hidden");
  if (bar) {
    const size = thumbSize(), way = (areaHeight - size) * (scroll / maxScroll());
    set(thumb, "x", W + 4);
    set(thumb, "height", size);
    set(thumb, "y", icicle ? way : areaHeight - size - way);
  }
}

function drawBox(i, d, y, least) {
  const left = Math.max(0, px(X[i])), right = Math.min(W, px(X[i] + value[i])), wide = right - left;
  const b = box(), hit = matches && i > 0 && matches[frameOf[i]];  // the root is no function
  const ancestor = d < depth[zoomed], color = hit ? "match" : colorOf(i);
  set(b.g, "visibility", "visible");
  set(b.g, "class", matches && i > 0 && !hit ? "faded" : ancestor ? "caller" : "");
  paint(b.rect, color, "box" + (D.pale && inlinedOf(i) === "inlined" ? " il" : "") + (isGone(i) && wide >= LEAST_DASHED ? " gone" : ""));
  set(b.rect, "x", left.toFixed(2));
  set(b.rect, "y", y);
  set(b.rect, "width", Math.max(LEAST, wide - (wide > 3 ? 1 : 0)).toFixed(2));
  const s = wide < 24 ? "" : label(i, Math.floor((wide - 8) / charWidth));
  if (s) {
    set(b.text, "x", (left + 4).toFixed(2));
    set(b.text, "y", y + ROW / 2 + D.fontSize / 3);
    set(b.text, "class", hit ? "onlight" : inkOn(color));
  }
  text(b.text, s);
  // Names for those who listen; while boxes move nobody does.
  if (!moving || i === focused) {
    set(b.g, "aria-level", d + 1);
    set(b.g, "aria-label", describe(i));
    set(b.g, "aria-posinset", place[i]);
    set(b.g, "aria-setsize", d ? callees[parent[i]] : 1);
    // What is called may be too narrow to be there: zooming opens it.
    const open = widest[i] >= least || (focused > 0 && parent[focused] === i);
    set(b.g, "aria-expanded", callees[i] ? String(open) : null);
  }
  if (i === focused) current = b;
}

function drawRing() {
  const i = hovered >= 0 ? hovered : focused;
  const visible = i >= 0 && X[i] + value[i] > from && X[i] < to;
  set(ring, "visibility", visible ? "visible" : "hidden");
  if (!visible) return;
  const left = Math.max(0, px(X[i])), right = Math.min(W, px(X[i] + value[i]));
  set(ring, "x", left + 0.5);
  set(ring, "y", rowY(depth[i]) + 0.5);
  set(ring, "width", Math.max(1, right - left - 2));
  set(ring, "height", ROW - 2);
}
function later() { if (!request) request = requestAnimationFrame(draw); }

// ---- zoom
function zoom(i, quiet, atOnce) {
  zoomed = i;
  drawPath();
  countMatches();
  const a = [from, to], b = [X[i], X[i] + (value[i] || 1)];
  keepVisible(i);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches || quiet || atOnce;
  cancelAnimationFrame(animation);
  moving = false;
  if (still) { [from, to] = b; later(); } else {
    const start = performance.now();
    moving = true;
    const step = now => {
      const t = Math.min(1, (now - start) / DURATION), e = 1 - Math.pow(1 - t, 3);
      from = a[0] + (b[0] - a[0]) * e;
      to = a[1] + (b[1] - a[1]) * e;
      moving = t < 1;
      draw();
      if (t < 1) animation = requestAnimationFrame(step);
    };
    animation = requestAnimationFrame(step);
  }
  if (!quiet) remember();
}
function keepVisible(i) {
  const y = rowY(depth[i]);
  if (y < 0) scroll += icicle ? y : -y;
  else if (y + ROW > areaHeight) scroll += icicle ? y + ROW - areaHeight : areaHeight - y - ROW;
  scroll = Math.max(0, Math.min(maxScroll(), scroll));
}
function drawPath() {
  path.textContent = "";
  const chain = [];
  for (let i = zoomed; i >= 0; i = parent[i]) chain.push(i);
  chain.reverse();
  if (chain.length === 1) return;
  const few = chain.length > 7 ? chain.slice(0, 2).concat([-1], chain.slice(-4)) : chain;
  few.forEach((i, k) => {
    if (k) text(html("span", {}, path), "\u203a");
    if (i < 0) { text(html("span", {}, path), "\u00a0\u2026\u00a0"); return; }
    const b = text(html("button", {type: "button", title: i ? nameOf(i) : "all"}, path), i ? shortOf(i) : "all");
    b.onclick = () => zoom(i);
  });
}

// ---- search
function search(quiet) {
  const pattern = input.value;
  matches = null;
  found = [];
  fresh = true;
  input.setAttribute("aria-invalid", "false");
  if (pattern) {
    let re = null;
    try { re = new RegExp(pattern, /[A-Z]/.test(pattern) ? "" : "i"); } catch (e) { input.setAttribute("aria-invalid", "true"); }
    if (re) {
      const names = D.names.map(n => re.test(n));
      matches = new Uint8Array(D.frames.length / 4);
      for (let f = 0; f < matches.length; f++) matches[f] = names[D.frames[4 * f]] ? 1 : 0;
      for (let i = 1; i < N; i++) if (matches[frameOf[i]]) found.push(i);
      found.sort((a, b) => value[b] - value[a] || a - b);
    }
  }
  countMatches();
  if (!quiet) remember(true);
  later();
}
// A match inside another is not counted again.
function countMatches() {
  if (!matches) { text(share, input.value ? "invalid regex" : ""); return; }
  let sum = 0, n = 0;
  for (let i = zoomed; i < end[zoomed];) {
    if (i && matches[frameOf[i]]) { sum += value[i]; n++; i = end[i]; } else i++;
  }
  text(share, n ? percent(sum / value[zoomed]) + " matched" : "no match");
}
function step(direction) {
  if (!found.length) return;
  const at = fresh ? -1 : found.indexOf(focused);
  fresh = false;
  focus(found[at < 0 ? (direction > 0 ? 0 : found.length - 1) : (at + direction + found.length) % found.length]);
}

// ---- one box: hover, keyboard
function describe(i) {
  const costs = DIFFERENCE ? differenceTexts(i)
                           : amounts(weight[i], samples[i]).slice(0, 1).concat(percent(value[i] / ALL), "self " + percent(ownShare(i)));
  return [i ? nameOf(i) : "all"].concat(moduleOf(i) || [], inlinedOf(i) || [], costs).join(", ");
}
const ownShare = i => selfWeight[i] / ALL;
function differenceTexts(i) {
  const w = weight[i], b = before[i], change = w - b, own = selfWeight[i] - selfBefore[i];
  const part = (v, all) => all ? " (" + percent(v / all) + ")" : "";
  const rise = b ? ", " + signed(change, percent(Math.abs(change) / b)) : w ? ", new" : "";
  return ["now " + amounts(w) + part(w, weight[0]), "before " + amounts(b) + part(b, before[0]),
          "change " + signed(change, amounts(Math.abs(change))) + (w || !b ? rise : ", gone"),
          "self " + signed(own, amounts(Math.abs(own)))];
}
function showTip(i, x, y) {
  if (i < 0) { tip.style.visibility = "hidden"; return; }
  const attributes = attributesOf(i);
  text(tipName, (i && D.nameType ? D.nameType + " " : "") + (i ? nameOf(i) : "all"));
  text(tipWhere, [moduleOf(i), inlinedOf(i)].filter(Boolean).join(" \u00b7 "));
  tipCost.textContent = "";
  if (DIFFERENCE) {
    const texts = differenceTexts(i);
    text(html("em", {}, tipCost), texts[2]);
    text(tipSelf, texts[0] + " \u00b7 " + texts[1]);
    text(tipMore, texts[3]);
  } else {
    const inside = zoomed && i >= zoomed && i < end[zoomed];
    const zoomShare = inside ? ", " + percent(value[i] / value[zoomed]) + " of this view" : "";
    text(html("em", {}, tipCost), percent(value[i] / ALL));
    const costs = i || value[0] === weight[0] ? amounts(weight[i], samples[i]) : amounts(value[0]);  // --total
    tipCost.appendChild(document.createTextNode([zoomShare].concat(costs).join(" \u00b7 ")));
    text(tipSelf, "self " + percent(ownShare(i)) + " \u00b7 " + amounts(selfWeight[i], self[i])[0]);
    text(tipMore, "");
  }
  const more = [attributes.title, attributes.href && "Ctrl-click opens " + attributes.href].filter(Boolean);
  if (more.length) text(tipMore, [tipMore.textContent].concat(more).filter(Boolean).join(" \u00b7 "));
  tip.style.visibility = "visible";
  const w = tip.offsetWidth, h = tip.offsetHeight;
  tip.style.left = Math.max(8, Math.min(W + 2 * PAD - w - 8, x + 14)) + "px";
  tip.style.top = Math.max(8, y + 20 + h > H ? y - h - 12 : y + 20) + "px";
}
function focus(i) {
  focused = i;
  hovered = -1;
  if (X[i] + value[i] <= from || X[i] >= to || (depth[i] > depth[zoomed] && (i < zoomed || i >= end[zoomed]))) zoom(0, false, true);
  keepVisible(i);
  later();
  const left = Math.max(0, px(X[i])), right = Math.min(W, px(X[i] + value[i]));
  showTip(i, PAD + (left + right) / 2, topHeight + rowY(depth[i]));
  text(live, describe(i));
}
function nodeAt(event) {
  const r = flames.getBoundingClientRect(), x = event.clientX - r.left, y = event.clientY - r.top;
  const row = rows[depthAt(y)];
  if (!row || x < 0 || x > W || y < 0 || y >= areaHeight) return -1;
  const v = from + x / W * (to - from);
  let lo = 0, hi = row.length;
  while (lo < hi) { const mid = (lo + hi) >> 1; if (X[row[mid]] <= v) lo = mid + 1; else hi = mid; }
  const i = row[lo - 1];
  return i !== undefined && v < X[i] + value[i] ? i : -1;
}
flames.addEventListener("pointermove", e => {
  if (drag) return;
  const i = nodeAt(e);
  hovered = i;
  flames.style.cursor = i < 0 ? "default" : "pointer";
  drawRing();
  const r = svg.getBoundingClientRect();
  showTip(i, e.clientX - r.left, e.clientY - r.top);
});
flames.addEventListener("pointerleave", () => { hovered = -1; drawRing(); showTip(-1); });
let drag = null, dragged = false;
// A finger moves the picture; right of it, where the scroll bar is, anything moves that.
flames.addEventListener("pointerdown", e => {
  const onBar = maxScroll() > 0 && e.clientX - flames.getBoundingClientRect().left > W;
  dragged = false;
  drag = onBar || e.pointerType === "touch" ? {y: e.clientY, scroll, onBar} : null;
});
addEventListener("pointermove", e => {
  if (!drag) return;
  const dy = e.clientY - drag.y;
  if (Math.abs(dy) > 6) dragged = true;
  const factor = drag.onBar ? -maxScroll() / Math.max(1, areaHeight - thumbSize()) : 1;
  scrollTo(drag.scroll + (icicle ? -dy : dy) * factor);
});
addEventListener("pointerup", () => { drag = null; });
addEventListener("pointercancel", () => { drag = null; });
flames.addEventListener("click", e => {
  const i = dragged ? -1 : nodeAt(e);
  if (i < 0) return;
  const link = attributesOf(i);
  if (link.href && (e.ctrlKey || e.metaKey)) { open(link.href, link.target || "_blank"); return; }
  focused = i;
  zoom(i);
});
function scrollTo(s) {
  const t = Math.max(0, Math.min(maxScroll(), s));
  if (t === scroll) return false;
  scroll = t;
  later();
  return true;
}
flames.addEventListener("wheel", e => {
  if (e.ctrlKey || !maxScroll()) return;
  const pixels = e.deltaY * (e.deltaMode === 1 ? ROW : e.deltaMode === 2 ? areaHeight : 1);
  scrollTo(scroll + (icicle ? pixels : -pixels));
  e.preventDefault();
}, {passive: false});

function setViews() {
  flameButton.setAttribute("aria-pressed", String(!icicle));
  icicleButton.setAttribute("aria-pressed", String(icicle));
  reverseButton.setAttribute("aria-pressed", String(reversed()));
}
function flip() { icicle = !icicle; scroll = 0; keepVisible(focused < 0 ? zoomed : focused); setViews(); later(); remember(); }
// Boxes of the one tree are not those of the other: zoom starts anew, the search stays.
function setReversed(want) {
  if (want === reversed()) return false;
  if (tree === given) { other = other || reverse(given); show(other); } else show(given);
  focused = hovered = -1;
  zoomed = scroll = 0;
  showTip(-1);
  setViews();
  return true;
}
function turnRound() {
  setReversed(!reversed());
  search(true);
  zoom(0, true);
  layout();
  remember();
  text(live, reversed() ? "leaves first" : "callers first");
}
flameButton.onclick = () => { if (icicle) flip(); };
icicleButton.onclick = () => { if (!icicle) flip(); };
reverseButton.onclick = turnRound;
input.addEventListener("input", () => search());
input.addEventListener("keydown", e => {
  if (e.isComposing || (e.key !== "Enter" && e.key !== "Escape")) return;
  e.preventDefault();  // Escape would empty the field
  if (e.key === "Enter" && input.value && !matches) return;  // not valid: to be mended
  flames.focus();
  if (e.key === "Enter") step(e.shiftKey ? -1 : 1);
});
function back() {
  showTip(-1);
  if (zoomed) {
    if (!matches) focused = -1;  // else n goes on from here
    zoom(0);
  } else if (input.value) {
    input.value = "";
    search();
  } else {
    focused = -1;
    later();
  }
}
function move(key) {
  const i = focused < 0 ? zoomed : focused, up = icicle ? "ArrowDown" : "ArrowUp";
  let to = -1;
  if (key === up) to = firstChild(i);
  else if (key === "ArrowUp" || key === "ArrowDown") to = parent[i];
  else if (key === "ArrowRight") to = nextSibling(i);
  else if (key === "ArrowLeft") to = previousSibling(i);
  focus(to < 0 ? i : to);
}
addEventListener("keydown", e => {
  const typing = e.target === input;
  if (e.key === "F3" || ((e.ctrlKey || e.metaKey) && e.key === "f") || (e.key === "/" && !typing && !e.ctrlKey)) {
    if (!standalone) return;
    input.focus();
    input.select();
    e.preventDefault();
    return;
  }
  if (typing || e.ctrlKey || e.metaKey || e.altKey || (!standalone && !flames.contains(e.target))) return;
  const onButton = e.target.localName === "button";
  if (e.key.startsWith("Arrow")) move(e.key);
  else if ((e.key === "Enter" || e.key === " ") && !onButton) { if (focused >= 0) zoom(focused); }
  else if (e.key === "Backspace") zoom(Math.max(0, parent[zoomed]));
  else if (e.key === "Escape") back();
  else if (e.key === "Home") focus(zoomed);
  else if (e.key === "End") { let i = focused < 0 ? zoomed : focused; while (firstChild(i) >= 0) i = firstChild(i); focus(i); }
  else if (e.key === "PageUp" || e.key === "PageDown") scrollTo(scroll + ((e.key === "PageDown") === icicle ? 1 : -1) * page());
  else if (e.key === "n" || e.key === "N") step(e.key === "n" ? 1 : -1);
  else if (e.key === "i") flip();
  else if (e.key === "r") turnRound();
  else return;
  e.preventDefault();
});

// ---- the address keeps what is shown, so that a link or the back button brings it back
function remember(typing) {
  if (!standalone) return;
  const parts = [];
  if (zoomed) parts.push("zoom=" + zoomed);
  if (input.value) parts.push("search=" + encodeURIComponent(input.value));
  if (icicle !== !!D.inverted) parts.push(icicle ? "down" : "up");
  if (reversed() !== !!D.reversed) parts.push(reversed() ? "reversed" : "forward");
  const hash = parts.length ? "#" + parts.join("&") : "#";
  if (hash === (location.hash || "#")) return;
  // A word that is typed is one step back, not one for each letter.
  const way = typing && location.hash.includes("search=") ? "replaceState" : "pushState";
  try { history[way](null, "", hash); } catch (e) { /* not everywhere is there a history */ }
}
function recall() {
  const want = {};
  for (const part of location.hash.slice(1).split("&")) { const k = part.split("=")[0]; want[k] = part.slice(k.length + 1); }
  const z = Number(want.zoom);
  try { input.value = decodeURIComponent(want.search || ""); } catch (e) { input.value = ""; }
  icicle = D.inverted ? !("up" in want) : "down" in want;
  const turned = setReversed(D.reversed ? !("forward" in want) : "reversed" in want);
  setViews();
  search(true);
  zoom(Number.isInteger(z) && z > 0 && z < N ? z : 0, true);
  if (turned) layout();
}

function layout() {
  if (D.width && standalone) W = D.width - 2 * PAD;
  else W = Math.max(200, (standalone ? innerWidth : svg.getBoundingClientRect().width) - 2 * PAD);
  H = standalone ? innerHeight : svg.getBoundingClientRect().height;
  svg.setAttribute("width", W + 2 * PAD);
  svg.setAttribute("height", standalone ? H : H || 600);
  for (const host of [topHost, bottomHost, tipHost]) host.setAttribute("width", W + 2 * PAD);
  topHost.setAttribute("height", 400);
  topHeight = top.offsetHeight;
  topHost.setAttribute("height", topHeight);
  bottomHost.setAttribute("height", 400);
  const bottomHeight = bottom.offsetHeight;
  bottomHost.setAttribute("height", bottomHeight);
  tipHost.setAttribute("height", H);
  areaHeight = Math.max(4 * ROW, Math.min(contentHeight(), H - topHeight - bottomHeight));
  bottomHost.setAttribute("y", topHeight + areaHeight);
  flames.setAttribute("x", PAD);
  flames.setAttribute("y", topHeight);
  flames.setAttribute("width", W + BAR);
  flames.setAttribute("height", areaHeight);
  frame.setAttribute("width", W - 2);
  frame.setAttribute("height", areaHeight - 2);
  scroll = Math.max(0, Math.min(maxScroll(), scroll));
  const probe = make("text", {}, boxes);
  probe.textContent = "mmmmmmmmmmmmmmmmmmmm";
  charWidth = D.fontWidth ? D.fontSize * D.fontWidth : probe.getComputedTextLength() / 20 || 7.2;
  probe.remove();
  draw();
}

svg.removeAttribute("viewBox");
if (svg.querySelector("title")) svg.querySelector("title").remove();
if (standalone) document.title = D.title;
svg.removeAttribute("role");
still.remove();
svg.appendChild(ui);
layout();
recall();
addEventListener("resize", layout);
addEventListener("popstate", recall);
addEventListener("hashchange", recall);
})();
