# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""`wick addr2line` gives the same inline chains, files and lines as LLVM's symbolizer, for every kind of debug info."""

import json
import random
import re
import shutil

from harness import *  # noqa: F403

# Ways to produce debug info.
CPP = {
    "dwarf5": ["-gdwarf-5"],
    "dwarf4": ["-gdwarf-4"],
    "dwarf3": ["-gdwarf-3"],
    "dwarf2": ["-gdwarf-2", "-gstrict-dwarf"],
    "zlib": ["-g", "-gz=zlib"],
    "g1": ["-g1"],
    "lto": ["-g", "-flto", "-O3"],
    "types": ["-g", "-fdebug-types-section"],
}


def text_section(program):
    """(address, size) of .text."""
    for line in run_ok(tool("readelf"), "-SW", program).splitlines():
        words = line.replace("[ ", "[").split()
        if len(words) > 5 and words[1] == ".text":
            return int(words[3], 16), int(words[5], 16)
    raise Fail(f"{program} has no .text")


def run_ok(*cmd, text=None):
    r = subprocess.run([str(c) for c in cmd], input=text, capture_output=True, text=True, timeout=300)
    need(r.returncode == 0, f"{' '.join(map(str, cmd))[:100]}: code {r.returncode}: {r.stderr[-200:]}")
    return r.stdout


# Every intended difference, with its reason. Any other fails.
DIFFERENCES = json.loads((TESTS / "data" / "differences_to_llvm.json").read_text())
SCOPE_MAY_DIFFER = any(d.get("scope") for d in DIFFERENCES)


def plain(name):
    for d in DIFFERENCES:
        if "pattern" in d:
            name = re.sub(d["pattern"], d["becomes"], name)
    return name


def plain_path(path):
    for d in DIFFERENCES:
        if "path_pattern" in d:
            path = re.sub(d["path_pattern"], d["becomes"], path)
    return path


def chains_of_llvm(program, addresses):
    out = run_ok(tool("llvm-symbolizer-19", "llvm-symbolizer"), "--output-style=JSON", "--no-demangle", "-e", program,
                 text="".join(f"{a:#x}\n" for a in addresses))
    found = {}
    for line in out.splitlines():
        row = json.loads(line)
        found[int(row["Address"], 16)] = [
            (plain(s["FunctionName"]), plain_path(s["FileName"]), s["Line"], s["Column"]) for s in row.get("Symbol", [])
        ]
    return found


def chains_of_wick(t, program, addresses):
    text = "".join(f"{a:#x}\n" for a in addresses)
    found = {}
    for line in run_ok(t.wick_path, "addr2line", "--json", "-i", "-e", program, text=text).splitlines():
        row = json.loads(line)
        found[row["address"]] = [
            (plain(f.get("function", "")), plain_path(f.get("file", "")), f.get("line", 0), f.get("column", 0)) for f in row["frames"]
        ]
    return found


def same(mine, theirs):
    if len(mine) != len(theirs):
        return False
    return all(a[1:] == b[1:] and (a[0] == b[0] or (SCOPE_MAY_DIFFER and a[0].endswith("::" + b[0]))) for a, b in zip(mine, theirs))


def compare(t, program, count=4000):
    begin, size = text_section(program)
    rnd = random.Random(7)
    addresses = sorted({begin + rnd.randrange(size) for _ in range(count)})
    theirs, mine = chains_of_llvm(program, addresses), chains_of_wick(t, program, addresses)
    known = [a for a in addresses if theirs.get(a) and theirs[a][0][0]]
    need(len(known) > 100, f"LLVM knows only {len(known)} of the addresses")
    differ = [a for a in known if not same(mine[a], theirs[a])]
    need(not differ, f"{len(differ)} of {len(known)} differ, as {differ[0] if differ else 0:#x}: {mine.get(differ[0]) if differ else ''} not "
                     f"{theirs[differ[0]] if differ else ''}")
    inlined = sum(len(theirs[a]) > 1 for a in known)
    return f"{len(known)} addresses, {inlined} with inlined functions"


def build_here(t, source, flags, name, compiler=None):
    """A program in the test's directory, so that the files next to it (.dwo, .dwp) are its own."""
    out = t.tmp / name
    cmd = [compiler or tool("g++"), "-std=c++20", "-O2", "-pthread", "-I", PROGRAMS, *flags, PROGRAMS / source, "-o", out]
    r = subprocess.run([str(c) for c in cmd], capture_output=True, cwd=t.tmp, timeout=300)
    need(r.returncode == 0, f"cannot build {name}: {r.stderr.decode()[-200:]}")
    return out


def test_gcc(t):
    return "; ".join(f"{name}: {compare(t, build_here(t, 'callers.cc', flags, name))}" for name, flags in CPP.items())


def test_clang(t):
    clang = tool("clang++-19", "clang++")
    return "; ".join(
        f"{name}: {compare(t, build_here(t, 'callers.cc', flags, name, clang))}"
        for name, flags in (("c5", ["-g", "-gdwarf-5"]), ("c4", ["-g", "-gdwarf-4"]), ("c1", ["-g1"]))
    )


def test_rust(t):
    rustc = tool("rustc")
    found = []
    for name, flags in (("plain", []), ("v0", ["-C", "symbol-mangling-version=v0"]), ("lto", ["-C", "lto=fat", "-C", "panic=abort"])):
        out = t.tmp / name
        run_ok(rustc, "--edition", "2021", "-O", "-g", *flags, PROGRAMS / "rusty.rs", "-o", out)
        found.append(f"{name}: {compare(t, out)}")
    return "; ".join(found)


def test_split(t):
    """Split DWARF in separate files and in a package, in both versions."""
    clang, dwp = tool("clang++-19", "clang++"), tool("llvm-dwp-19", "llvm-dwp")
    for version in (4, 5):
        program = build_here(t, "callers.cc", ["-g", f"-gdwarf-{version}", "-gsplit-dwarf"], f"split{version}", clang)
        compare(t, program)
        run_ok(dwp, "-e", program, "-o", f"{program}.dwp")
        for file in t.tmp.glob("*.dwo"):
            file.unlink()
        compare(t, program)
    return "4 and 5, files and packages"


def test_compressed_and_moved(t):
    """Compressed afterwards, or moved to a separate file: the same answers as from the program itself."""
    objcopy = tool("llvm-objcopy-19", "llvm-objcopy")
    whole = build_here(t, "callers.cc", ["-g"], "whole")
    begin, size = text_section(whole)
    addresses = range(begin, begin + size, 7)
    expected = chains_of_wick(t, whole, addresses)
    need(sum(len(c) > 1 for c in expected.values()) > 100, "too few inlined functions to tell")
    for name, how in (("zstd", ["--compress-debug-sections=zstd"]), ("zlib", ["--compress-debug-sections=zlib"])):
        run_ok(objcopy, *how, whole, t.tmp / name)
        need(chains_of_wick(t, t.tmp / name, addresses) == expected, f"other names with {name}")
    run_ok(tool("objcopy"), "--only-keep-debug", whole, t.tmp / "beside.debug")
    run_ok(tool("objcopy"), "--strip-all", f"--add-gnu-debuglink={t.tmp / 'beside.debug'}", whole, t.tmp / "beside")
    need(chains_of_wick(t, t.tmp / "beside", addresses) == expected, "other names from a file beside")


def test_shared_parts(t):
    """Parts that dwz moved from two programs to a third file."""
    dwz = tool("dwz")
    whole = build_here(t, "callers.cc", ["-g"], "whole")
    begin, size = text_section(whole)
    expected = chains_of_wick(t, whole, range(begin, begin + size, 7))
    for name in ("one", "two"):
        shutil.copy(whole, t.tmp / name)
    run_ok(dwz, "-m", t.tmp / "shared", "-M", "shared", t.tmp / "one", t.tmp / "two")
    need(chains_of_wick(t, t.tmp / "one", range(begin, begin + size, 7)) == expected, "other names after dwz")


def test_like_binutils(t):
    """The same text as binutils prints, for functions without inlined calls, with all its output options."""
    program = build_here(t, "callers.cc", ["-g", "-O0"], "plain")
    begin, size = text_section(program)
    rnd = random.Random(3)
    text = "".join(f"{begin + rnd.randrange(size):x}\n" for _ in range(200))
    for options in ([], ["-f"], ["-a"], ["-f", "-a"], ["-f", "-p"], ["-a", "-f", "-p", "-i"], ["-s"], ["-f", "-s", "-C"]):
        mine = run_ok(t.wick_path, "addr2line", *options, "-e", program, text=text)
        theirs = re.sub(r" \(discriminator \d+\)", "", run_ok(tool("addr2line"), *options, "-e", program, text=text))
        # For constructors that share a body, each tool takes another symbol.
        mine, theirs = ([re.sub(r"([CD])[12](?=E)", r"\1", re.sub(r"/\./|/[^/ ]+/\.\./", "/", l)) for l in x.splitlines()] for x in (mine, theirs))
        differ = [(a, b) for a, b in zip(mine, theirs) if a != b]
        need(len(mine) == len(theirs) and len(differ) * 50 <= len(theirs), f"{options}: {len(differ)} of {len(theirs)} lines differ: {differ[:1]}")
    need(run_ok(t.wick_path, "addr2line", "-e", program, "-f", f"{begin:#x}").splitlines()[0] == "_start", "an address as an argument")
    section = run_ok(t.wick_path, "addr2line", "-e", program, "-f", "-j", ".text", "0").splitlines()[0]
    need(section == "_start", f"the beginning of .text is {section}")
    # Symbols instead of addresses, unmapped addresses, and the last of several files.
    for args in (["-f", "main"], ["-f", "main+0x4"], ["-fp", "0x1"], ["-e", "/nowhere", "-e", program, "-f", "main+4"]):
        mine, theirs = (run_ok(x, "addr2line", "-e", program, *args) if x == t.wick_path else run_ok(x, "-e", program, *args)
                        for x in (t.wick_path, tool("addr2line")))
        need(re.sub(r"/\./", "/", mine) == re.sub(r"/\./", "/", theirs), f"{args}: {mine!r} not {theirs!r}")


def test_lambdas(t):
    """Functions without a linkage name are told apart by their scope and source location."""
    program = build_here(t, "lambdas.cc", ["-g", "-O2"], "lambdas")
    r = t.record(program, "0.8")
    ring = "main > shop::Till::ring > "
    bell = r"/shop::Till::ring\(long\)::Bell::strike/"
    r.shares({ring + r"/shop::Till::ring\(long\)::\{lambda.*operator\(\)/ > burn": 40, ring + bell + " > burn": 30}, 6)
    names = {f for _, s, _ in r.stacks for f in s.split(";") if re.match(r"main(\(.*\))?::\{lambda.*operator\(\)", f)}
    need(len(names) == 2, f"two lambdas in main: {names}")


def test_stripped(t):
    """Functions without symbols are told apart by their start addresses, and still count as unsymbolized."""
    program = t.program("shares.c", "stripped")
    r = t.record(program, "0.8", quiet=False)
    bare = re.compile(r"\[" + program.name + r"\+0x[0-9a-f]+\]$")
    functions = {f for _, s, _ in r.stacks for f in s.split(";") if bare.match(f)}
    need(len(functions) >= 5, f"start, main, run, round_of_work, three of them, burn: {functions}")
    shares = sorted(100 * sum(n for _, s, n in r.stacks if f in s.split(";")) / r.total for f in functions)
    if not (any(50 < x < 70 for x in shares) and any(22 < x < 38 for x in shares)):
        raise OutOfRange(f"shares of heavy and middle: {shares}")
    need(re.search(r"symbols: missing for \d+\.\d% of samples", r.stderr), f"not told: {r.stderr}")
    doctor = t.good("doctor", program)
    need(f"show as [{program.name}+0x…]" in doctor, f"not as in the profile: {doctor}")


def test_answers_at_once(t):
    """A program may ask, wait for the answer, and ask again."""
    program = build_here(t, "callers.cc", ["-g"], "plain")
    begin, _ = text_section(program)
    p = subprocess.Popen([str(t.wick_path), "addr2line", "-f", "-e", str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    for _ in range(3):
        p.stdin.write(f"{begin:x}\n")
        p.stdin.flush()
        need(p.stdout.readline().strip() not in ("", "??"), "no answer")
        p.stdout.readline()
    p.stdin.close()
    need(p.wait(60) == 0, f"code {p.returncode}")


def test_wrong_use(t):
    for args in (["-e", t.tmp / "none", "0"], ["-e", "/etc/passwd", "0"], ["-e", t.tmp, "0"], ["-e", "/dev/null", "0"], ["-e", t.wick_path, "-j", ".nosuch", "0"]):
        r = subprocess.run([str(t.wick_path), "addr2line", *map(str, args)], capture_output=True, text=True, timeout=120)
        need(r.returncode == 1 and r.stderr.startswith("wick: ") and r.stderr.rstrip().splitlines()[0][-1] != ":" and not r.stdout, f"{args}: code {r.returncode}: {r.stderr[:100]}")
