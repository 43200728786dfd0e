# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Symbolizing afterwards: `wick record --no-symbols`, `wick symbolize`; symbols found later are the same as those found at once."""

import shutil
import struct

from harness import *  # noqa: F403

VIEWS = (
    ["collapse"],
    ["collapse", "--no-inlines"],
    ["collapse", "--names", "raw"],
    ["collapse", "--names", "short"],
    ["report", "--json"],
    ["report", "--json", "--tree"],
    ["report", "--json", "--by", "line"],
    ["report", "--json", "--by", "file"],
    ["report", "--json", "--by", "module"],
    ["report", "--by", "line", "--no-inlines"],
)
SYMBOLS = 4
# For recordings whose symbols are removed: the BPF programs that wick loads into the kernel are gone by the time of
# symbolization.
USER_SPACE = ["-e", "cpu-clock:u"]


def views(t, file):
    return {" ".join(v): t.good(*v, file) for v in VIEWS}


def same_views(t, a, b, what):
    one, two = views(t, a), views(t, b)
    differ = [v for v in one if one[v] != two[v]]
    need(not differ, f"{what}: other {differ}: {one[differ[0]][:300] if differ else ''} not {two[differ[0]][:300] if differ else ''}")
    return one


def without_names(source, target):
    """A copy of the recording without its symbol blocks, as described in docs/file-format.md."""
    data = source.read_bytes()
    out, at, dropped = data[:16], 16, 0
    while at < len(data):
        _, kind, _, stored, _ = struct.unpack_from("<QHHII", data, at)
        block = data[at : at + 20 + stored]
        dropped += kind == SYMBOLS
        out += b"" if kind == SYMBOLS else block
        at += len(block)
    need(dropped > 0, "there were no names to take away")
    target.write_bytes(out)
    return target


def build_own(t, source, flags, name, compiler="g++"):
    """Builds in the test's directory, since these programs are moved and changed."""
    out = t.tmp / name
    r = subprocess.run([tool(compiler), "-O2", "-pthread", "-I", PROGRAMS, *flags, PROGRAMS / source, "-o", out], capture_output=True, timeout=300)
    need(r.returncode == 0, f"cannot build {name}: {text_of(r.stderr)[-200:]}")
    return out


def symbolize(t, *args, code=0):
    """The program's output."""
    r = t.wick("symbolize", *args)
    need(r.returncode == code, f"symbolize {args}: code {r.returncode}: {text_of(r.stderr)[-300:]}")
    return text_of(r.stderr)


def lines_of(views_of, module):
    return {l["name"] for l in json.loads(views_of["report --json --by line"])["lines"] if l["line"] and l["module"] == module}


def test_named_later_equals_named_at_once(t):
    """A recording with symbols, and one without them that is symbolized afterwards, look the same in every view."""
    programs = [build_own(t, "callers.cc", ["-g", "-std=c++20"], "callers")]
    if shutil.which("rustc"):
        rust = t.tmp / "rusty"
        subprocess.run(["rustc", "--edition", "2021", "-O", "-g", PROGRAMS / "rusty.rs", "-o", rust], check=True, capture_output=True, timeout=300)
        programs.append(rust)
    found = []
    for program in programs:
        at_once = t.record(program, name=f"{program.name}.wick", options=USER_SPACE).file
        bare = without_names(at_once, t.tmp / "bare.wick")
        said = symbolize(t, bare, "-o", t.tmp / "later.wick")
        need("symbolized " in said and "before: 0.0%" in said, f"it says: {said}")
        seen = same_views(t, at_once, t.tmp / "later.wick", program.name)
        same_views(t, at_once, bare, f"{program.name}, named when it is shown")
        need(any('"inlined":true' in l for l in seen["report --json"].splitlines()), f"nothing inlined in {program.name}: no proof")
        need(len(lines_of(seen, program.name)) > 3, f"hardly any lines in {program.name}: no proof")
        need(seen["collapse"] != seen["collapse --names raw"], "no mangled names: no proof")
        # Symbolizing again changes nothing.
        symbolize(t, "-q", t.tmp / "later.wick", "-o", t.tmp / "again.wick")
        need((t.tmp / "again.wick").read_bytes() == (t.tmp / "later.wick").read_bytes(), "naming again writes another file")
        found.append(f"{program.name}: {len(lines_of(seen, program.name))} lines")
    return ", ".join(found)


def test_no_symbols(t):
    """--no-symbols omits symbols of files; views symbolize while the file exists; `wick symbolize` adds them to the recording."""
    program = build_own(t, "callers.cc", ["-g", "-std=c++20"], "callers")
    r = t.record(program, options=["--no-symbols"], quiet=False)
    need("wick symbolize" in r.stderr, f"the summary does not tell how to go on: {r.stderr}")
    named_by_view = views(t, r.file)
    need(len(lines_of(named_by_view, "callers")) > 3, "views do not name what is here")
    copy = t.tmp / "copy.wick"
    shutil.copy(r.file, copy)
    symbolize(t, copy)
    hidden = program.rename(t.tmp / "away")
    need(views(t, copy) == named_by_view, "the names are not in the recording")
    unnamed = t.good("collapse", r.file)
    need("[callers]" in unnamed and "burn" not in unnamed, "names were in the recording before")
    # Kernel addresses are meaningless after a reboot: they are symbolized at once if the kernel reveals them.
    kernel = {f["name"] for f in json.loads(named_by_view["report --json"])["functions"] if f["module"] == "[kernel]"}
    in_file = {f["name"] for f in json.loads(t.good("report", "--json", r.file))["functions"] if f["module"] == "[kernel]"}
    need(kernel == in_file, f"kernel functions in the file: {in_file}, by the view: {kernel}")
    said = symbolize(t, r.file, "-o", t.tmp / "x.wick")
    need("not found on this machine" in said and "hint: wick symbolize --debug-dir" in said, f"it says: {said}")
    hidden.rename(program)
    symbolize(t, r.file)
    need(views(t, r.file) == named_by_view, "other names once the file was back")


def test_debug_files_found_later(t):
    """Symbols improve when debug files appear, and stay when those are gone."""
    objcopy = tool("objcopy")
    program = build_own(t, "callers.cc", ["-g", "-std=c++20", "-Wl,--build-id"], "callers")
    shutil.copy(program, t.tmp / "whole")
    subprocess.run([objcopy, "--strip-debug", program], check=True)
    r = t.record(program, options=USER_SPACE)
    poor = views(t, r.file)
    need(not lines_of(poor, "callers"), "lines without debug information")
    notes = subprocess.run([tool("readelf"), "-n", program], capture_output=True, text=True).stdout
    build_id = re.search(r"Build ID: ([0-9a-f]+)", notes).group(1)
    folder = t.tmp / "debug" / ".build-id" / build_id[:2]
    folder.mkdir(parents=True)
    subprocess.run([objcopy, "--only-keep-debug", t.tmp / "whole", folder / f"{build_id[2:]}.debug"], check=True)
    (t.tmp / "none").mkdir()
    symbolize(t, "--debug-dir", t.tmp / "none", "--debug-dir", t.tmp / "debug", r.file)
    rich = views(t, r.file)
    need(len(lines_of(rich, "callers")) > 3 and '"inlined":true' in rich["report --json"], "no lines from the debug file")
    shutil.rmtree(t.tmp / "debug")
    symbolize(t, r.file)
    need(views(t, r.file) == rich, "names were lost with the debug file")
    # As if everything had been present from the start.
    shutil.copy(t.tmp / "whole", program)
    bare = without_names(r.file, t.tmp / "bare.wick")
    symbolize(t, bare)
    need(views(t, bare) == rich, "a separate debug file gives other names than the program with it")


def test_another_build(t):
    """Does not use a file other than the one that ran, and names it."""
    program = build_own(t, "callers.cc", ["-g", "-std=c++20", "-Wl,--build-id"], "callers")
    r = t.record(program, options=["--no-symbols"])
    build_own(t, "callers.cc", ["-g", "-O1", "-std=c++20", "-Wl,--build-id"], "callers")
    said = symbolize(t, r.file)
    need("not the build that ran" in said and "[callers]" in t.good("collapse", r.file), f"it says: {said}")


def test_another_program_without_build_id(t):
    """If the linker adds no build ID, the code itself identifies a build."""
    flags = ["-g", "-std=c++20", "-Wl,--build-id=none"]
    program = build_own(t, "callers.cc", flags, "callers")
    r = t.record(program, options=["--no-symbols"])
    shutil.copy(program, t.tmp / "old")
    build_own(t, "callers.cc", [*flags, "-O1"], "callers")
    said = symbolize(t, r.file)
    need("not the build that ran" in said and "[callers]" in t.good("collapse", r.file), f"it says: {said}")
    need("has changed since it was recorded" in t.good("report", r.file), "the view does not tell")
    shutil.copy(t.tmp / "old", program)
    symbolize(t, r.file)
    need("main" in t.good("collapse", r.file), "the same program is not taken again")


def test_program_is_gone(t):
    """The program itself, or its debug file, in a directory given as a relative path. No PLT stubs: only the program has their names."""
    program = build_own(t, "callers.cc", ["-g", "-fno-plt", "-std=c++20", "-Wl,--build-id"], "callers")
    r = t.record(program, options=["--no-symbols"])
    for name, how in (("whole", []), ("debug", ["--only-keep-debug"])):
        (t.tmp / name).mkdir()
        subprocess.run([tool("objcopy"), *how, program, t.tmp / name / "anything"], check=True)
    expected = views(t, r.file)
    program.unlink()
    for name in ("whole", "debug"):
        bare = shutil.copy(r.file, t.tmp / f"{name}.wick")
        done = subprocess.run([t.wick_path, "symbolize", "--debug-dir", name, bare], cwd=t.tmp, capture_output=True, text=True, timeout=60)
        need(done.returncode == 0, f"{name}: code {done.returncode}: {done.stderr}")
        need(views(t, bare) == expected, f"{name}: other names than with the program: {done.stderr}")


def test_killed_recorder(t):
    """A killed recorder's file can be symbolized, and stays marked as unfinished."""
    program = build_own(t, "callers.cc", ["-g", "-std=c++20"], "callers")
    r = t.record(program)
    bare = without_names(r.file, t.tmp / "bare.wick").read_bytes()
    for name, cut in (("unfinished", 0), ("damaged", 7)):
        # Without its last block, and without a part of the previous one.
        at, starts = 16, []
        while at < len(bare):
            starts.append(at)
            at += 20 + struct.unpack_from("<I", bare, at + 12)[0]
        file = t.tmp / f"{name}.wick"
        file.write_bytes(bare[: starts[-1] - cut])
        before = json.loads(t.good("report", "--json", file))
        said = symbolize(t, file)
        need(("damaged" if cut else "incomplete") in said, f"{name}: it says: {said}")
        after = json.loads(t.good("report", "--json", file))
        need(after["samples"] == before["samples"] and after["functions"] == before["functions"], f"{name}: other samples or names")
        need(any("incomplete" in w for w in after["warnings"]), f"{name}: taken for a whole recording: {after['warnings']}")


def test_planted_link(t):
    """Does not replace the target of a link that another user may have created; replaces that of the user's own."""
    r = t.record(t.program("shares.c"), "0.3", options=["--no-symbols"])
    shared = t.tmp / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    link = shared / "p.wick"
    link.symlink_to(r.file)
    before = r.file.read_bytes()
    t.refused("symbolize", link, code=1, says="link")
    need(link.is_symlink() and r.file.read_bytes() == before, "the target was replaced")
    t.good("symbolize", r.file, "-o", link)
    need(not link.is_symlink() and r.file.read_bytes() == before, "-o followed the link")
    own = t.tmp / "own.wick"
    own.symlink_to(r.file)
    t.good("symbolize", r.file, "-o", own)
    need(own.is_symlink() and r.file.read_bytes() != before, "-o replaced the user's own link")


def test_in_place(t):
    """Replaces the file atomically: links and permissions stay, no temporary file is left, and a failure changes nothing."""
    r = t.record(t.program("shares.c"), "0.3", options=["--no-symbols"])
    folder = t.tmp / "folder"
    folder.mkdir()
    file, link = folder / "p.wick", t.tmp / "link.wick"
    shutil.copy(r.file, file)
    file.chmod(0o600)
    link.symlink_to(file)
    symbolize(t, link)
    need(link.is_symlink() and file.stat().st_mode & 0o777 == 0o600, f"rights are {file.stat().st_mode:o}")
    need([p.name for p in folder.iterdir()] == ["p.wick"], "something is left beside the file")
    need("burn" in t.good("collapse", file), "no names")
    before = file.read_bytes()
    r = t.wick("symbolize", file, "-o", t.tmp / "no" / "such" / "folder")
    need(r.returncode == 1 and file.read_bytes() == before, f"code {r.returncode}")
    out = t.wick("symbolize", "-q", file, "-o", "-")
    need(out.returncode == 0 and not out.stderr and out.stdout == before, "-o - does not write to standard output")
    t.refused("symbolize", __file__, code=1, says="not a wick profile")
