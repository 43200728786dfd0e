// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Makes synthetic profiles for `wick view`'s page: a random program with a hot path, walked again and again.
//   node make_payload.js --samples 20000 --threads 6 -o FILE

import * as fs from "node:fs";
import process from "node:process";

import type { Meta } from "../../../web/src/engine/api";
import { encodePayload, plainMeta, stringColumns, type Columns } from "./encode";

export interface PayloadOptions {
  seed: number;
  samples: number;
  functions: number;
  stacks: number; // rows of the stack table, about
  depth: number; // of the deepest stacks
  threads: number;
  processes: number;
  events: number;
  hostile: boolean; // names that attack whoever shows them
  difference: boolean;
  constantWeight: boolean;
}
export const defaults: PayloadOptions = {
  seed: 1, samples: 20000, functions: 300, stacks: 6000, depth: 60, threads: 6, processes: 2, events: 1, hostile: false,
  difference: false, constantWeight: false,
};

// A small, seeded generator (mulberry32).
export class Random {
  constructor(private state: number) {}
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }
  below(n: number): number {
    return Math.floor(this.next() * n);
  }
  // Small numbers are frequent.
  skewed(n: number, power = 3): number {
    return Math.floor(n * this.next() ** power);
  }
}

const kNone = 0xffffffff;
enum Kind { Program, Library, Standard, System, Kernel, Unknown }
const kKinds = ["program", "libraries", "standard library", "system", "kernel", "unknown", "unclassified"];
const kLight = [
  ["#f4b183", "#f7bd84", "#f3b97c", "#f8c98c", "#f2c27b", "#f6d391"], ["#8fd3b0", "#9adcbb", "#8ed6bb", "#9ee1c6", "#92dcc7", "#a1e6d3"],
  ["#9cc7e4", "#a8cfec", "#9fc5e8", "#acd2f2", "#a2c2eb", "#b0cff5"], ["#c3b3e6", "#cdbcef", "#c8b3e6", "#d5c0f2", "#ceb5e7", "#dbc4f3"],
  ["#eba6b5", "#f3b0bd", "#eca8b0", "#f6b6bd", "#eeaaad", "#f8bab8"], ["#c4c2be", "#d3d0cc", "#c9c6c2", "#d8d5d1", "#cecbc7", "#dddad6"],
  ["#f4b183", "#f7bd84", "#f3b97c", "#f8c98c", "#f2c27b", "#f6d391"],
];
const kDark = [
  ["#8a4a2b", "#9a5a33", "#8d5326", "#a1652f", "#8f5c20", "#a87129"], ["#20664a", "#2b7557", "#1f6852", "#2c7a63", "#1e6a5a", "#2c7e6d"],
  ["#2a5a80", "#346790", "#2f588a", "#3c6a9c", "#38558f", "#456aa6"], ["#5b4690", "#6751a0", "#62448e", "#7352a3", "#69438b", "#7b52a4"],
  ["#87344f", "#98405a", "#893547", "#9d4450", "#8a3740", "#a04748"], ["#565451", "#64615e", "#5a5855", "#696663", "#5f5c59", "#6e6b68"],
  ["#8a4a2b", "#9a5a33", "#8d5326", "#a1652f", "#8f5c20", "#a87129"],
];

interface Function {
  name: string;
  module: number;
  kind: Kind;
  file: string;
  line: number;
  callees: number[]; // frequent ones first
  leaf: number; // how often a walk ends here, 0 … 1
  inlined: boolean;
}

const kModules: Meta["modules"] = [
  { name: "tileserver", path: "/usr/local/bin/tileserver", buildId: "5d41402abc4b2a76b9719d911017c592ae6f1c01", kernel: false },
  { name: "libgeos.so.3.11", path: "/usr/lib/libgeos.so.3.11", buildId: "7d793037a0760186574b0282f2f435e7a1bb2c02", kernel: false },
  { name: "libstdc++.so.6", path: "/usr/lib/libstdc++.so.6", buildId: "9e107d9d372bb6826bd81d3542a419d6c3d4ee03", kernel: false },
  { name: "libc.so.6", path: "/usr/lib/libc.so.6", buildId: "e4d909c290d0fb1ca068ffaddf22cbd0aa55bb04", kernel: false },
  { name: "[kernel]", path: "", buildId: "", kernel: true },
  { name: "libz.so.1", path: "/usr/lib/libz.so.1", buildId: "0cc175b9c0f1b6a831c399e269772661bb44dd05", kernel: false },
];

// A small program by hand, so that the picture is one that people know: a server that renders and compresses map tiles.
const kProgram: [string, number, Kind, string, number, string[], number, boolean?][] = [
  ["_start", 3, Kind.System, "", 0, ["__libc_start_main"], 0],
  ["__libc_start_main", 3, Kind.System, "csu/libc-start.c", 360, ["main"], 0],
  ["clone3", 3, Kind.System, "", 0, ["start_thread"], 0],
  ["start_thread", 3, Kind.System, "nptl/pthread_create.c", 444, ["std::thread::_State_impl<tiles::Worker>::_M_run()"], 0],
  ["main", 0, Kind.Program, "src/main.cc", 48, ["tiles::Server::run(tiles::Config const&)", "tiles::Config::parse(std::string_view)"], 0],
  ["tiles::Config::parse(std::string_view)", 0, Kind.Program, "src/config.cc", 22, ["operator new(unsigned long)", "std::__cxx11::basic_string<char>::_M_append(char const*, unsigned long)"], 0.3],
  ["std::thread::_State_impl<tiles::Worker>::_M_run()", 2, Kind.Standard, "", 0, ["tiles::Worker::loop()"], 0],
  ["tiles::Worker::loop()", 0, Kind.Program, "src/worker.cc", 31, ["tiles::render_tile(tiles::Request const&, tiles::Style const&)", "tiles::Queue<tiles::Request>::pop()"], 0.01],
  ["tiles::Server::run(tiles::Config const&)", 0, Kind.Program, "src/server.cc", 77, ["tiles::Connection::read_request()", "tiles::render_tile(tiles::Request const&, tiles::Style const&)", "epoll_wait"], 0.02],
  ["tiles::Connection::read_request()", 0, Kind.Program, "src/connection.cc", 58, ["recv", "tiles::http::Parser<tiles::http::Request>::feed(std::span<std::byte const>)", "operator new(unsigned long)"], 0.1],
  ["tiles::http::Parser<tiles::http::Request>::feed(std::span<std::byte const>)", 0, Kind.Program, "src/http/parser.h", 112, ["memchr", "std::__cxx11::basic_string<char>::_M_append(char const*, unsigned long)"], 0.5, true],
  ["tiles::Queue<tiles::Request>::pop()", 0, Kind.Program, "src/queue.h", 40, ["pthread_cond_wait", "pthread_mutex_lock"], 0.1, true],
  ["tiles::render_tile(tiles::Request const&, tiles::Style const&)", 0, Kind.Program, "src/render.cc", 140, ["tiles::raster::Rasterizer::fill(tiles::geo::Path const&)", "tiles::encode_png(tiles::Image const&)", "tiles::geo::simplify(tiles::geo::Path&, double)", "tiles::Style::match(tiles::Feature const&) const", "tiles::Index::query(tiles::geo::Box const&)"], 0.02],
  ["tiles::raster::Rasterizer::fill(tiles::geo::Path const&)", 0, Kind.Program, "src/raster/rasterizer.cc", 88, ["tiles::raster::Rasterizer::sweep(int, int)", "tiles::raster::blend_span<tiles::raster::Rgba8>(tiles::raster::Rgba8*, unsigned char const*, int)", "void std::__introsort_loop<tiles::raster::Edge*, long>(tiles::raster::Edge*, tiles::raster::Edge*, long)"], 0.08],
  ["tiles::raster::Rasterizer::sweep(int, int)", 0, Kind.Program, "src/raster/rasterizer.cc", 131, ["tiles::raster::blend_span<tiles::raster::Rgba8>(tiles::raster::Rgba8*, unsigned char const*, int)", "tiles::raster::Cells::accumulate(int, float)"], 0.25],
  ["tiles::raster::blend_span<tiles::raster::Rgba8>(tiles::raster::Rgba8*, unsigned char const*, int)", 0, Kind.Program, "src/raster/blend.h", 64, ["memset"], 0.95, true],
  ["tiles::raster::Cells::accumulate(int, float)", 0, Kind.Program, "src/raster/cells.h", 35, [], 1, true],
  ["void std::__introsort_loop<tiles::raster::Edge*, long>(tiles::raster::Edge*, tiles::raster::Edge*, long)", 0, Kind.Standard, "bits/stl_algo.h", 1941, ["void std::__introsort_loop<tiles::raster::Edge*, long>(tiles::raster::Edge*, tiles::raster::Edge*, long)", "tiles::raster::Edge::operator<(tiles::raster::Edge const&) const"], 0.4],
  ["tiles::raster::Edge::operator<(tiles::raster::Edge const&) const", 0, Kind.Program, "src/raster/edge.h", 19, [], 1, true],
  ["tiles::encode_png(tiles::Image const&)", 0, Kind.Program, "src/png.cc", 52, ["deflate", "tiles::png::filter_row(std::span<std::byte const>, int)", "crc32_z"], 0.03],
  ["tiles::png::filter_row(std::span<std::byte const>, int)", 0, Kind.Program, "src/png.cc", 96, [], 1],
  ["deflate", 5, Kind.Library, "deflate.c", 763, ["deflate_slow", "crc32_z"], 0.02],
  ["deflate_slow", 5, Kind.Library, "deflate.c", 1853, ["longest_match", "_tr_flush_block", "memcpy"], 0.25],
  ["longest_match", 5, Kind.Library, "deflate.c", 1167, [], 1],
  ["_tr_flush_block", 5, Kind.Library, "trees.c", 915, ["compress_block"], 0.2],
  ["compress_block", 5, Kind.Library, "trees.c", 1042, [], 1],
  ["crc32_z", 5, Kind.Library, "crc32.c", 600, [], 1],
  ["tiles::geo::simplify(tiles::geo::Path&, double)", 0, Kind.Program, "src/geo/simplify.cc", 27, ["geos::simplify::DouglasPeuckerLineSimplifier::simplifySection(unsigned long, unsigned long)", "operator new(unsigned long)"], 0.2],
  ["geos::simplify::DouglasPeuckerLineSimplifier::simplifySection(unsigned long, unsigned long)", 1, Kind.Library, "", 0, ["geos::simplify::DouglasPeuckerLineSimplifier::simplifySection(unsigned long, unsigned long)", "geos::algorithm::Distance::pointToSegment(geos::geom::CoordinateXY const&, geos::geom::CoordinateXY const&, geos::geom::CoordinateXY const&)"], 0.3],
  ["geos::algorithm::Distance::pointToSegment(geos::geom::CoordinateXY const&, geos::geom::CoordinateXY const&, geos::geom::CoordinateXY const&)", 1, Kind.Library, "", 0, [], 1],
  ["tiles::Style::match(tiles::Feature const&) const", 0, Kind.Program, "src/style.cc", 203, ["<hashbrown::map::HashMap<style::Key, style::Rule> as core::ops::Index<&style::Key>>::index", "memcmp", "tiles_style::expr::Expr::eval"], 0.2],
  ["tiles_style::expr::Expr::eval", 0, Kind.Program, "style/src/expr.rs", 71, ["tiles_style::expr::Expr::eval", "<alloc::string::String as core::cmp::PartialEq>::eq", "<alloc::vec::Vec<T, A> as core::ops::drop::Drop>::drop"], 0.3],
  ["<hashbrown::map::HashMap<style::Key, style::Rule> as core::ops::Index<&style::Key>>::index", 0, Kind.Standard, "hashbrown/src/map.rs", 1208, [], 1, true],
  ["<alloc::string::String as core::cmp::PartialEq>::eq", 0, Kind.Standard, "alloc/src/string.rs", 2290, ["memcmp"], 0.4, true],
  ["<alloc::vec::Vec<T, A> as core::ops::drop::Drop>::drop", 0, Kind.Standard, "alloc/src/vec/mod.rs", 3201, ["free"], 0.4, true],
  ["tiles::Index::query(tiles::geo::Box const&)", 0, Kind.Program, "src/index.cc", 61, ["tiles::Index::Node::visit(tiles::geo::Box const&)", "pread64"], 0.1],
  ["tiles::Index::Node::visit(tiles::geo::Box const&)", 0, Kind.Program, "src/index.cc", 88, ["tiles::Index::Node::visit(tiles::geo::Box const&)", "tiles::geo::Box::intersects(tiles::geo::Box const&) const"], 0.4],
  ["tiles::geo::Box::intersects(tiles::geo::Box const&) const", 0, Kind.Program, "src/geo/box.h", 24, [], 1, true],
  ["operator new(unsigned long)", 2, Kind.Standard, "", 0, ["malloc"], 0.2],
  ["std::__cxx11::basic_string<char>::_M_append(char const*, unsigned long)", 2, Kind.Standard, "", 0, ["memcpy", "operator new(unsigned long)"], 0.3],
  ["malloc", 3, Kind.System, "malloc/malloc.c", 3294, ["_int_malloc"], 0.5],
  ["_int_malloc", 3, Kind.System, "malloc/malloc.c", 3900, ["asm_exc_page_fault"], 0.9],
  ["free", 3, Kind.System, "malloc/malloc.c", 3360, [], 1],
  ["memcpy", 3, Kind.System, "", 0, ["asm_exc_page_fault"], 0.9],
  ["memset", 3, Kind.System, "", 0, ["asm_exc_page_fault"], 0.8],
  ["memcmp", 3, Kind.System, "", 0, [], 1],
  ["memchr", 3, Kind.System, "", 0, [], 1],
  ["pthread_mutex_lock", 3, Kind.System, "nptl/pthread_mutex_lock.c", 90, [], 1],
  ["pthread_cond_wait", 3, Kind.System, "nptl/pthread_cond_wait.c", 503, ["entry_SYSCALL_64_after_hwframe"], 0.2],
  ["recv", 3, Kind.System, "", 0, ["entry_SYSCALL_64_after_hwframe"], 0.1],
  ["epoll_wait", 3, Kind.System, "", 0, ["entry_SYSCALL_64_after_hwframe"], 0.1],
  ["pread64", 3, Kind.System, "", 0, ["entry_SYSCALL_64_after_hwframe"], 0.1],
  ["entry_SYSCALL_64_after_hwframe", 4, Kind.Kernel, "", 0, ["do_syscall_64"], 0.02],
  ["do_syscall_64", 4, Kind.Kernel, "", 0, ["x64_sys_futex", "vfs_read", "tcp_recvmsg", "syscall_exit_to_user_mode"], 0.1],
  ["x64_sys_futex", 4, Kind.Kernel, "", 0, ["futex_wait"], 0.2],
  ["futex_wait", 4, Kind.Kernel, "", 0, [], 1],
  ["vfs_read", 4, Kind.Kernel, "", 0, ["filemap_read"], 0.2],
  ["filemap_read", 4, Kind.Kernel, "", 0, ["copy_page_to_iter"], 0.4],
  ["copy_page_to_iter", 4, Kind.Kernel, "", 0, [], 1],
  ["tcp_recvmsg", 4, Kind.Kernel, "", 0, [], 1],
  ["syscall_exit_to_user_mode", 4, Kind.Kernel, "", 0, [], 1],
  ["asm_exc_page_fault", 4, Kind.Kernel, "", 0, ["do_anonymous_page"], 0.1],
  ["do_anonymous_page", 4, Kind.Kernel, "", 0, ["clear_page_erms"], 0.3],
  ["clear_page_erms", 4, Kind.Kernel, "", 0, [], 1],
  ["[libgeos.so.3.11+0x4a210]", 1, Kind.Unknown, "", 0, [], 1],
];

const kHostile = [
  "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "a\u0000b\u0007c\u001b[31mred\u001b[0m", "\u202egnp.exe\u202c", "\u2066x\u2069\u200f",
  "&amp;&lt;b&gt;\"'`", "x".repeat(1 << 20), "", " ", "\n\n\r\n", "constructor", "__proto__", "toString", "🔥".repeat(300), "e\u0301\u0301\u0301\u0301",
  "</textarea><svg onload=alert(1)>", "%s%n%x", "../../etc/passwd", "\ufeffbom", "\ud7ff\ue000",
];

function makeProgram(options: PayloadOptions, random: Random): { functions: Function[]; mainRoot: number; threadRoot: number; nested: number } {
  const functions: Function[] = kProgram.map(([name, module, kind, file, line, , leaf, inlined]) => (
    { name, module, kind, file, line, callees: [], leaf, inlined: inlined ?? false }));
  const byName = new Map(functions.map((f, i) => [f.name, i]));
  kProgram.forEach((row, i) => {
    functions[i]!.callees = row[5].map((name) => {
      const callee = byName.get(name);
      if (callee === undefined) throw new Error(`no function ${name}`);
      return callee;
    });
  });
  const hand = functions.length;
  const spaces = ["geo", "raster", "style", "cache", "net", "json", "label", "proj", "font", "store"];
  const types = ["Layer", "Glyph", "Decoder", "Visitor", "Cursor", "Mesh", "Planner", "Buffer", "Registry", "Resolver", "Polygon", "Shaper"];
  const verbs = ["apply", "next", "merge", "lookup", "flush", "emit", "visit", "split", "clip", "measure", "place", "load"];
  for (let i = hand; i < options.functions; ++i) {
    const n = i - hand, space = spaces[n % 10]!, type = types[Math.floor(n / 10) % 12]!, verb = verbs[Math.floor(n / 120) % 12]!;
    const serial = Math.floor(n / 1440);
    const rust = random.next() < 0.3;
    functions.push({
      name: rust ? `tiles_${space}::${type.toLowerCase()}::${type}${serial || ""}::${verb}` : `tiles::${space}::${type}${serial || ""}::${verb}(tiles::geo::Box const&, unsigned long)`,
      module: random.next() < 0.85 ? 0 : random.below(kModules.length - 1), kind: Kind.Program,
      file: rust ? `${space}/src/${type.toLowerCase()}.rs` : `src/${space}/${type.toLowerCase()}.cc`, line: 10 + random.below(900),
      callees: [], leaf: 0.05 + 0.4 * random.next(), inlined: random.next() < 0.2,
    });
    const f = functions[i]!;
    f.kind = [Kind.Program, Kind.Library, Kind.Standard, Kind.System, Kind.Kernel, Kind.Library][f.module]!;
    if (f.module === 4) f.inlined = false;
  }
  // Callees of the rest: mostly functions that come later, so that walks end; some call back.
  for (let i = hand; i < functions.length; ++i) {
    const f = functions[i]!;
    const callees = 1 + random.skewed(8, 2);
    for (let j = 0; j < callees; ++j) {
      const far = i + 1 + random.skewed(Math.min(functions.length - i, 200 + functions.length / 20), 2);
      f.callees.push(random.next() < 0.06 ? hand + random.below(functions.length - hand) : far < functions.length ? far : random.below(hand - 4) + 4);
    }
  }
  if (functions.length > hand) {
    const render = functions[byName.get("tiles::render_tile(tiles::Request const&, tiles::Style const&)")!]!;
    for (let j = 0; j < 12; ++j) render.callees.push(hand + random.skewed(functions.length - hand, 2));
    functions[byName.get("tiles::Style::match(tiles::Feature const&) const")!]!.callees.push(hand + random.skewed(functions.length - hand, 3));
  }
  if (options.hostile) kHostile.forEach((name, i) => (functions[10 + i]!.name = name));
  return { functions, mainRoot: 0, threadRoot: 2, nested: byName.get("tiles_style::expr::Expr::eval")! };
}

// A table that grows.
class Rows {
  values = new Uint32Array(1024);
  length = 0;
  push(value: number): number {
    if (this.length === this.values.length) {
      const larger = new Uint32Array(this.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length] = value;
    return this.length++;
  }
  done(): Uint32Array {
    return this.values.slice(0, this.length);
  }
}

export function makePayload(change: Partial<PayloadOptions>): Uint8Array {
  const options = { ...defaults, ...change };
  const random = new Random(options.seed);
  const program = makeProgram(options, random);
  const { functions } = program;
  const strings: string[] = [];
  const stringRows = new Map<string, number>();
  const string = (text: string) => {
    let row = stringRows.get(text);
    if (row === undefined) stringRows.set(text, (row = strings.push(text) - 1));
    return row;
  };

  // ---- frames and stacks
  const frameFunction = new Rows(), frameFile = new Rows(), frameLine = new Rows(), frameInlined = new Rows();
  const frameAddress: number[] = [];
  const frames = new Map<string, number>();
  const frame = (f: number, line: number, address: number, inlined: boolean) => {
    const key = `${f} ${line} ${address} ${inlined ? 1 : 0}`;
    let row = frames.get(key);
    if (row === undefined) {
      row = frameFunction.push(f);
      frameFile.push(functions[f]!.file === "" ? kNone : string(functions[f]!.file));
      frameLine.push(functions[f]!.file === "" ? 0 : line);
      frameInlined.push(inlined ? 1 : 0);
      frameAddress.push(address);
      frames.set(key, row);
    }
    return row;
  };
  const groupNames = Array.from({ length: options.processes }, (_, i) => (i === 0 ? "tileserver" : i === 1 ? "tile-indexer" : `helper-${i}`));
  const stackFrame = new Rows(), stackCaller = new Rows();
  for (let i = 0; i < groupNames.length; ++i) {
    stackFrame.push(kNone);
    stackCaller.push(kNone);
  }
  const stacks = new Map<number, number>();
  // One walk from a root: the row of its leaf.
  const walk = (group: number, root: number, maxDepth: number): number => {
    const path = [root];
    const lines: number[] = [];
    for (;;) {
      const f = functions[path[path.length - 1]!]!;
      if (path.length >= maxDepth || f.callees.length === 0 || random.next() < f.leaf) {
        lines.push(f.line + 1 + random.skewed(14, 2));
        break;
      }
      const pick = random.skewed(f.callees.length, 2.2);
      lines.push(f.line + 1 + pick * 3);
      path.push(f.callees[pick]!);
    }
    // The frames of one physical frame have one address.
    let row = group;
    for (let i = 0; i < path.length; ++i) {
      let inner = i;
      while (inner + 1 < path.length && functions[path[inner + 1]!]!.inlined) ++inner;
      let outer = i;
      while (outer > 0 && functions[path[outer]!]!.inlined) --outer;
      const address = 0x1000 + path[outer]! * 0x400 + ((lines[inner]! * 4 + (inner - outer) * 0x80) & 0x3fc);
      const f = frame(path[i]!, lines[i]!, address, i > 0 && functions[path[i]!]!.inlined);
      const key = row * 4194304 + f;
      let next = stacks.get(key);
      if (next === undefined) {
        next = stackFrame.push(f);
        stackCaller.push(row);
        stacks.set(key, next);
      }
      row = next;
    }
    return row;
  };
  // Where samples can be: one pool for each kind of thread.
  const pools = groupNames.flatMap((_, group) => [program.mainRoot, program.threadRoot].map((root) => ({ group, root, leaves: [] as number[] })));
  const share = options.stacks / pools.length;
  for (const pool of pools) {
    const until = stackFrame.length + share;
    for (let tries = 0; stackFrame.length < until && tries < options.stacks * 4; ++tries) {
      pool.leaves.push(walk(pool.group, pool.root, 5 + Math.floor((options.depth - 5) * Math.max(0.3, random.next()))));
    }
    if (options.depth > 200) {
      // One very deep recursion.
      const nested = functions[program.nested]!;
      const saved = [nested.leaf, nested.callees] as const;
      nested.leaf = 0;
      nested.callees = [program.nested];
      pool.leaves.push(walk(pool.group, program.nested, options.depth));
      [nested.leaf, nested.callees] = saved;
    }
  }

  // In a difference one function is gone, one is new, one became faster and one slower.
  const row = (name: string) => functions.findIndex((f) => f.name.startsWith(name));
  const gone = row("tiles::png::filter_row"), fresh = row("compress_block"), faster = row("geos::simplify"), slower = row("longest_match");
  const onStack = (leaf: number, f: number): boolean => {
    for (let at = leaf; at >= groupNames.length; at = stackCaller.values[at]!) if (frameFunction.values[stackFrame.values[at]!] === f) return true;
    return false;
  };

  // ---- samples
  const unit = 1000;
  const events = options.difference ? 2 : options.events;
  const sides = options.difference ? 2 : 1;
  const threadCount = options.threads * sides;
  const threads = Array.from({ length: threadCount }, (_, i) => {
    const own = i % options.threads, side = Math.floor(i / options.threads);
    const process = own < options.processes ? own : own % Math.max(1, Math.ceil(options.processes / 2));
    return { process, tid: 4711 + own, name: own < options.processes ? groupNames[own]! : `worker-${own}`, start: 0, end: 0, side, main: own < options.processes };
  });
  const perEvent = Math.floor(options.samples / events);
  const sampleStack = new Uint32Array(perEvent * events), sampleTime = new Uint32Array(perEvent * events);
  const sampleWeight = new Uint32Array(perEvent * events), sampleCount = new Uint8Array(perEvent * events).fill(1);
  const segmentEvent: number[] = [], segmentThread: number[] = [], segmentFirst: number[] = [];
  let at = 0, lastTime = 0, unsampled = 0;
  const meanPeriod = 1000; // 1 kHz, in units
  for (let event = 0; event < events; ++event) {
    const mine = threads.map((_, i) => i).filter((i) => !options.difference || threads[i]!.side === event);
    const weights = mine.map((_, j) => 1 / (1 + 0.35 * j));
    const all = weights.reduce((a, b) => a + b, 0);
    const span = (perEvent * weights[0]!) / all * meanPeriod * 1.25;
    const eventEnd = at + perEvent;
    mine.forEach((t, j) => {
      const thread = threads[t]!;
      const n = j === mine.length - 1 ? eventEnd - at : Math.min(eventEnd - at, Math.floor((perEvent * weights[j]!) / all));
      if (n === 0) return;
      segmentEvent.push(event);
      segmentThread.push(t);
      segmentFirst.push(at);
      const pool = pools[thread.process * 2 + (thread.main ? 0 : 1)]!.leaves;
      const slow = options.difference ? pool.filter((leaf) => onStack(leaf, slower)) : [];
      // Bursts of work with waiting between; each burst likes some part of the pool.
      const busy = Math.min(1, (n * meanPeriod) / span);
      let time = Math.floor(span * 0.02 * random.next()), center = random.below(pool.length), left = 0;
      thread.start = Math.min(thread.start === 0 ? Infinity : thread.start, time);
      for (let i = 0; i < n; ++i, ++at) {
        if (left-- <= 0) {
          left = 20 + random.below(400);
          center = random.below(pool.length);
          const gap = (left * meanPeriod * (1 - busy)) / Math.max(busy, 0.02);
          if (i > 0) time += Math.floor(gap * (0.5 + random.next()));
        }
        const step = meanPeriod - 40 + random.below(80);
        time += step;
        const near = random.next();
        // The order of the pool is random, so its first part is a fixed set of hot stacks.
        let index = near < 0.45 ? random.skewed(Math.min(pool.length, 4000), 2) : near < 0.8 ? (center + random.skewed(2000, 3)) % pool.length : random.below(pool.length);
        let leaf = pool[index]!;
        if (options.difference && event === 0 && onStack(leaf, fresh)) leaf = pool[(index = random.below(pool.length))]!;
        const moves = options.difference && event === 1 && (onStack(leaf, gone) || (onStack(leaf, faster) && random.next() < 0.6));
        if (moves && slow.length > 0) leaf = slow[random.below(slow.length)]!;
        sampleStack[at] = leaf;
        sampleTime[at] = time;
        sampleWeight[at] = options.constantWeight ? 1000000 : event === 0 || options.difference ? step * 1000 : 1 + random.skewed(5000, 3);
        if (!options.constantWeight && random.next() < 0.001) {
          sampleCount[at] = 0;
          unsampled += sampleWeight[at]!;
        }
      }
      thread.end = Math.max(thread.end, time + 1);
      lastTime = Math.max(lastTime, time + 1);
    });
    at = eventEnd;
  }
  segmentFirst.push(at);

  const sum = (event: number, of: (i: number) => number) => {
    let total = 0;
    segmentEvent.forEach((e, s) => {
      for (let i = segmentFirst[s]!; e === event && i < segmentFirst[s + 1]!; ++i) total += of(i);
    });
    return total;
  };
  const eventName = (e: number) => (options.difference ? ["before", "after"][e]! : ["cpu-clock", "cache-misses", "page-faults", "branch-misses"][e] ?? `event-${e}`);
  const functionName = functions.map((f) => string(f.name));
  const meta = plainMeta({
    title: "tileserver --threads 4 --port 8080", command: ["tileserver", "--threads", "4", "--port", "8080"], startWallNs: "1700000000000000000",
    durationNs: lastTime * unit, timeUnitNs: unit, isDifference: options.difference, sides: options.difference ? ["before.wick", "after.wick"] : [],
    files: options.difference ? ["before.wick", "after.wick"] : ["profile.wick"],
    events: Array.from({ length: events }, (_, e) => ({
      name: eventName(e), unit: e === 0 || options.difference ? "ns" : "events", divisor: 1, rateHz: e === 0 || options.difference ? 1000 : 0,
      samples: sum(e, (i) => sampleCount[i]!), weight: sum(e, (i) => sampleWeight[i]!),
    })),
    processes: groupNames.map((name, i) => ({ pid: 4711 + i, parentPid: 1, name })),
    threads: threads.map(({ process, tid, name, start, end, side }) => ({ process, tid, name, start, end, side })),
    modules: kModules, groups: groupNames, kinds: kKinds, palette: { light: kLight, dark: kDark },
    summary: [`${options.samples.toLocaleString("en-US")} samples at 1000 Hz per thread`, `${options.processes} processes, ${options.threads} threads`],
    quality: ["stacks: 99.9% complete, 0.1% truncated", "symbols: missing for 0.4% of samples"],
    stackWays: { "frame pointers": Math.floor(options.samples * 0.7), "DWARF": Math.floor(options.samples * 0.3) },
    cpuTime: options.difference ? null : { counted: sum(0, (i) => sampleWeight[i]!), sampled: sum(0, (i) => sampleWeight[i]!) - unsampled, unsampled },
    hasSource: false,
  });
  const shade = (text: string) => {
    let h = 2166136261;
    for (let i = 0; i < Math.min(text.length, 200); ++i) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
    return (h >>> 8) % 6;
  };
  const columns: Columns = {
    ...stringColumns(strings),
    function_name: Uint32Array.from(functionName), function_module: Uint32Array.from(functions.map((f) => f.module)),
    function_kind: Uint8Array.from(functions.map((f) => f.kind)), function_shade: Uint8Array.from(functions.map((f) => shade(f.name))),
    frame_function: frameFunction.done(), frame_file: frameFile.done(), frame_line: frameLine.done(), frame_address: Float64Array.from(frameAddress),
    frame_inlined: Uint8Array.from(frameInlined.done()), stack_frame: stackFrame.done(), stack_caller: stackCaller.done(),
    segment_event: Uint32Array.from(segmentEvent), segment_thread: Uint32Array.from(segmentThread), segment_first: Uint32Array.from(segmentFirst),
    sample_stack: sampleStack, sample_time: sampleTime,
    sample_weight: options.constantWeight ? { constant: 1000000, count: at } : sampleWeight,
    sample_count: options.constantWeight ? { constant: 1, count: at } : sampleCount,
  };
  return encodePayload(meta, columns);
}

function main(args: string[]): void {
  const options: Partial<PayloadOptions> = {};
  let out = "";
  for (let i = 0; i < args.length; ++i) {
    const name = args[i]!.replace(/^--?/, "").replace(/-(\w)/g, (_, c: string) => c.toUpperCase());
    if (name === "o") out = args[++i] ?? "";
    else if (name === "hostile" || name === "difference" || name === "constantWeight") options[name] = true;
    else if (name in defaults) options[name as "samples"] = Number(args[++i]);
    else throw new Error(`unknown option ${args[i]}`);
  }
  if (out === "") throw new Error("usage: make_payload [--samples N] [--functions N] [--stacks N] [--depth N] [--threads N] [--processes N] [--events N] [--hostile] [--difference] [--constant-weight] [--seed N] -o FILE");
  const bytes = makePayload(options);
  fs.writeFileSync(out, bytes);
  console.log(`${out}: ${bytes.length} bytes`);
}

if (process.argv[1] !== undefined && /make_payload[^/]*\.[cm]?js$/.test(process.argv[1])) main(process.argv.slice(2));
