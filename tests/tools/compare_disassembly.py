#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Compares wick's disassembly with `objdump -d` and `llvm-objdump -d`, instruction by instruction.

  compare_disassembly.py --disassemble build/release/tests/disassemble [--most-mb N] FILE…

Functions come from the symbol tables, from evenly spread parts of the file if there are more than N megabytes (default 4). wick and
the others must agree on where each instruction begins, on direct jump and call targets, and on the instruction's name. Names that
differ only in spelling count as the same; SPELLINGS lists these with their reasons. Everything else is printed by kind, with counts and
examples. Exits with 1 if an instruction begins or jumps elsewhere.
"""

import argparse
import bisect
import collections
import re
import shutil
import subprocess
import sys

# Other names for the same instruction; docs/disassembly.md has the reasons.
SPELLINGS = {
    "x86-64": {
        "movabs": "mov", "icebp": "int1", "pushfq": "pushf", "popfq": "popf",
        **{f"{base}{size}": base for base in ("stos", "movs", "lods", "scas", "cmps", "ins", "outs") for size in "bwdq"},
        **{f"pclmul{a}q{b}qdq": "pclmulqdq" for a in "lh" for b in "lh"},
        **{f"vpclmul{a}q{b}qdq": "vpclmulqdq" for a in "lh" for b in "lh"},
    },
    "aarch64": {"b.hs": "b.cs", "b.lo": "b.cc", **{name: "mov" for name in ("movz", "movn", "orr", "ins")}, "ushll": "uxtl", "sshll": "sxtl"},
}
PREFIXES = {"lock", "rep", "repz", "repnz", "repe", "repne", "notrack", "bnd", "data16", "addr32", "cs", "ds", "es", "ss", "fs", "gs",
            "rex", "rex.w", "xacquire", "xrelease", "{evex}", "{vex}", "{vex3}"}
NO_CODE = {".byte", "(bad)", "<unknown>", ".word", ".inst", "udf", ".long"}


def call(*cmd, **options):
    return subprocess.run([str(c) for c in cmd], check=True, capture_output=True, text=True, **options).stdout


def functions(path):
    """[(begin, end)] of all functions with a size, without overlaps, by address."""
    found = set()
    for table in ("--symbols", "--dyn-syms"):
        for line in call("readelf", "-W", table, path).splitlines():
            word = line.split()
            if len(word) >= 8 and word[3] == "FUNC" and word[6].isdigit() and int(word[2], 0) > 0:
                found.add((int(word[1], 16), int(word[1], 16) + int(word[2], 0)))
    out = []
    for begin, end in sorted(found):
        if not out or begin >= out[-1][1]:
            out.append((begin, end))
    return out


def choose(ranges, most_bytes):
    """Eight parts of the file, evenly spread: [(begin, end, functions)]."""
    if sum(e - b for b, e in ranges) <= most_bytes:
        return [(ranges[0][0], ranges[-1][1], ranges)]
    parts, starts = 8, [b for b, _ in ranges]
    span = (ranges[-1][1] - ranges[0][0]) // parts
    chosen = []
    for i in range(parts):
        at, size, own = bisect.bisect_left(starts, ranges[0][0] + i * span), 0, []
        while at < len(ranges) and size < most_bytes // parts:
            own.append(ranges[at])
            size = ranges[at][1] - own[0][0]
            at += 1
        if own and (not chosen or own[0][0] >= chosen[-1][1]):
            chosen.append((own[0][0], own[-1][1], own))
    return chosen


def words(text, arch):
    """(name, target) of an instruction as text."""
    if "(bad)" in text or "<unknown>" in text:
        return "(bad)", None
    text = text.split("//")[0].split("<")[0]
    if arch == "x86-64":
        text = text.split("#")[0]
    part = text.replace(",pt", "").replace(",pn", "").split()
    while part and (part[0].lower() in PREFIXES or part[0].startswith("rex.")):
        part = part[1:]
    if not part:
        return None, None
    name = part[0].lower()
    if name == "xchg" and len(set(re.split(r"[\s,]+", " ".join(part[1:]).strip()))) == 1:
        name = "nop"
    numbers = re.findall(r"(?<![\w\[+*-])#?(?:0x)?([0-9a-f]{1,16})\s*$", text.strip())
    return SPELLINGS[arch].get(name, name), int(numbers[-1], 16) if numbers else None


def theirs(tool, path, begin, end, arch):
    """{address: (name, target)} of objdump or llvm-objdump."""
    syntax = []
    if arch == "x86-64":
        syntax = ["--x86-asm-syntax=intel"] if "llvm" in tool else ["-M", "intel"]
    out = call(tool, "-d", "--no-show-raw-insn", *syntax, f"--start-address={begin:#x}", f"--stop-address={end:#x}", path)
    found, prefix = {}, None
    for m in re.finditer(r"^\s*([0-9a-f]+)(?: <.*>:|:\s+(\S.*))$", out, re.M):
        if not m[2]:  # the name of a function; what precedes it may be data
            prefix = None
            continue
        name, target = words(m[2], arch)
        at = prefix if prefix is not None else int(m[1], 16)
        # llvm-objdump prints these on a line of their own. Other prefixes without an instruction are data.
        prefix = at if m[2].split()[0] in ("lock", "rep", "repne") and name is None else None
        if prefix is None:
            found[at] = name or "(bad)", target
    return found


def compare(path, parts, mine, other, arch, differences, examples):
    """Compares {address: (size, kind, target, name)} with {address: (name, target)}. Returns (compared, wrong)."""
    wrong = compared = 0

    def differ(kind, *what):
        differences[kind] += 1
        if len(examples[kind]) < 3:
            examples[kind].append(" ".join(what))

    order = sorted(other)
    for begin, end in (r for part in parts for r in part[2]):
        for at in order[bisect.bisect_left(order, begin):bisect.bisect_left(order, end)]:
            if at not in mine["code"]:
                wrong += 1
                differ("the other begins inside an instruction of wick", f"{at:x} {other[at][0]}")
        own = [a for a in mine["order"][bisect.bisect_left(mine["order"], begin):bisect.bisect_left(mine["order"], end)]]
        for at in own:
            size, kind, target, name, text = mine["code"][at]
            compared += 1
            if at not in other:
                wrong += 1
                differ("begins inside an instruction of the other", f"{at:x} {text}")
                continue
            their_name, their_target = other[at]
            if name in NO_CODE or their_name in NO_CODE:
                if name not in NO_CODE or their_name not in NO_CODE:
                    differ(f"only one knows it: {name} / {their_name}", f"{at:x} {text}")
                continue
            if kind in ("jump", "call") and target is not None and their_target != target:
                wrong += 1
                differ("another target", f"{at:x} {text}: {their_target:x}" if their_target else f"{at:x} {text}: none")
            elif name != their_name:
                differ(f"another name: {name} / {their_name}", f"{at:x} {text}")
    return compared, wrong


def read_own(tool, path, parts, arch):
    ranges = "".join(f"{b:x} {e:x}\n" for part in parts for b, e in part[2])
    code = {}
    for line in call(tool, path, input=ranges).splitlines():
        address, size, kind, target, text = line.split(" ", 4)
        name = words(text, arch)[0] or text
        code[int(address, 16)] = (int(size), kind, int(target, 16) if target != "-" else None, name, text)
    return {"code": code, "order": sorted(code)}


def arch_of(path):
    header = call("readelf", "-h", path)
    return "aarch64" if "AArch64" in header else "x86-64"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--disassemble", required=True, help="wick's disassembler (build target `disassemble`)")
    parser.add_argument("--most-mb", type=float, default=4)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    failed = False
    for path in options.files:
        arch = arch_of(path)
        ranges = functions(path)
        if not ranges:
            sys.exit(f"compare_disassembly: {path} has no symbols")
        parts = choose(ranges, int(options.most_mb * 1e6))
        mine = read_own(options.disassemble, path, parts, arch)
        objdump = "aarch64-linux-gnu-objdump" if arch == "aarch64" and shutil.which("aarch64-linux-gnu-objdump") else "objdump"
        llvm = next((t for t in ("llvm-objdump-19", "llvm-objdump") if shutil.which(t)), None)
        print(f"{path}: {sum(len(p[2]) for p in parts)} functions, {len(mine['code'])} instructions")
        for tool in filter(None, (objdump, llvm)):
            differences, examples = collections.Counter(), collections.defaultdict(list)
            other = {}
            for begin, end, _ in parts:
                other.update(theirs(tool, path, begin, end, arch))
            compared, wrong = compare(path, parts, mine, other, arch, differences, examples)
            failed |= wrong > 0 or compared == 0
            print(f"  {tool}: {compared - min(compared, sum(differences.values()))} of {compared} the same, {wrong} begin or jump elsewhere")
            for kind, count in differences.most_common():
                print(f"    {count} {kind}   {'; '.join(examples[kind])}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
