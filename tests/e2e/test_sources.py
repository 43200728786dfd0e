# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Symbols come from the file that ran, wherever it or its debug file is, and from no other."""

import shutil

from harness import *  # noqa: F403
from test_symbols import run_ok

PATH = "main > run > round_of_work > heavy > burn$"


def named(r, what, least=50.0):
    at_least(r.share(PATH), least, f"percent of the samples named, {what}")


def nameless(r, what):
    need(r.share("heavy") == 0 and r.share("burn") == 0, f"names from somewhere, {what}")


class Split:
    """A stripped program in its own directory, and its debug file."""

    def __init__(self, t, build_id=True, link="app.debug", name="split"):
        self.folder = t.tmp / name
        self.folder.mkdir()
        self.whole, self.app, self.debug = t.tmp / f"{name}.whole", self.folder / "app", t.tmp / f"{name}.debug"
        extra = ["-g"] + ([] if build_id else ["-Wl,--build-id=none"])
        copy_program(t.program("shares.c", extra=extra), self.whole)
        named_debug = t.tmp / link
        run_ok(tool("objcopy"), "--only-keep-debug", self.whole, named_debug)
        run_ok(tool("objcopy"), "--strip-all", f"--add-gnu-debuglink={named_debug}", self.whole, self.app)
        named_debug.rename(self.debug)
        notes = run_ok(tool("readelf"), "-n", self.app)
        found = re.search(r"Build ID: ([0-9a-f]+)", notes)
        self.id = found.group(1) if found else ""

    def put(self, place):
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(self.debug, place)
        return place


# ------------------------------------------------------------------------------------------------- files that come and go


def attach(t, p, seconds="0.6", **kw):
    return t.record(options=["-p", p.pid, "-d", seconds], **kw)


def settled(p, name):
    wait_until(lambda: Path(f"/proc/{p.pid}/comm").read_text().strip() == name, what=f"{name} running")


def test_deleted(t):
    """Deleted before wick looks: the process still holds it."""
    app = t.copied(t.program("shares.c"), t.tmp)
    p = t.start_process([app, "20"], stdout=subprocess.DEVNULL)
    settled(p, "shares")
    app.unlink()
    named(attach(t, p), "deleted before")


def test_replaced(t):
    """Replaced by another build, whose symbols would be wrong."""
    app = t.copied(t.program("shares.c"), t.tmp)
    p = t.start_process([app, "20"], stdout=subprocess.DEVNULL)
    settled(p, "shares")
    other = t.tmp / "other"
    copy_program(t.program("deep.c"), other)
    other.rename(app)
    named(attach(t, p), "replaced by another build")
    # The same while recording.
    app.unlink()
    copy_program(t.program("shares.c"), app)
    p = t.start_process([t.wick_path, "record", "-q", "-o", t.tmp / "q.wick", "--", app, "1.5"], stdout=subprocess.DEVNULL)
    t.sleep(0.5)
    copy_program(t.program("deep.c"), other)
    other.rename(app)
    need(p.wait(30) == 0, "record failed")
    named(Recording(t, t.tmp / "q.wick", subprocess.CompletedProcess([], 0, b"", b"")), "replaced while recording")


def test_changed_since(t):
    """An unfinished recording is symbolized with the existing files; wick rejects a file of another build and says so."""
    app = t.copied(t.program("shares.c"), t.tmp)
    file = t.tmp / "p.wick"
    p = t.start_process([t.wick_path, "record", "-q", "-o", file, "--", app, "30"])
    t.sleep(2.5)
    t.kill_recorder(p)
    named(Recording(t, file, subprocess.CompletedProcess([], 0, b"", b"")), "from the same build")
    app.unlink()
    copy_program(t.program("deep.c"), app)
    text = t.good("report", file)
    need(re.search(r"shares has changed since it was recorded \(build ID [0-9a-f]{12}\): its [\d,]+ samples have no symbols", text),
         f"nothing of the change: {text[:400]}")
    nameless(Recording(t, file, subprocess.CompletedProcess([], 0, b"", b"")), "though the file is another")
    # The old build at another path restores the symbols.
    old = t.tmp / "sysroot" / str(app)[1:]
    old.parent.mkdir(parents=True)
    copy_program(t.program("shares.c"), old)
    r = Recording(t, file, subprocess.CompletedProcess([], 0, b"", b""))
    r.stacks = [(l.split(";")[0], l.partition(";")[2].rpartition(" ")[0], float(l.rpartition(" ")[2])) for l in r.collapsed("--symfs", t.tmp / "sysroot")]
    named(r, "with --symfs")


def test_memfd(t):
    r = t.record(t.program("memfd.c"), t.program("shares.c"), "0.7")
    named(r, "started from memory")


def test_mount_namespace(t):
    """A program in a directory that only exists in its own mount namespace."""
    unshare = tool("unshare")
    inner = t.tmp / "inner"
    inner.mkdir()
    script = f"mount -t tmpfs none {inner} && cp {t.program('shares.c')} {inner}/hidden && exec {inner}/hidden 20"
    if subprocess.run([unshare, "--mount", "mount", "-t", "tmpfs", "none", inner], capture_output=True).returncode != 0:
        raise Skip("may not make a mount namespace")
    p = t.start_process([unshare, "--mount", "sh", "-c", script], stdout=subprocess.DEVNULL)
    settled(p, "hidden")
    need(not (inner / "hidden").exists(), "the folder is not its own")
    named(attach(t, p), "in a mount namespace")


# ------------------------------------------------------------------------------------------------------------ debug files


def test_debuglink(t):
    """The three locations of a debug file linked by name; a wrong checksum means another file."""
    for build_id in (True, False):
        split = Split(t, build_id, name=f"s{int(build_id)}")
        record = lambda *options: t.record(split.app, "0.6", options=options)  # noqa: E731
        nameless(record(), "without a debug file")
        for place in (split.folder / "app.debug", split.folder / ".debug" / "app.debug"):
            split.put(place)
            named(record(), f"from {place.relative_to(split.folder)}")
            place.unlink()
        root = t.tmp / f"root{int(build_id)}"
        split.put(root / str(split.folder)[1:] / "app.debug")
        named(record("--debug-dir", root), "below a debug dir")
        if not build_id:
            place = split.put(split.folder / "app.debug")
            place.write_bytes(place.read_bytes() + b"more")
            nameless(record(), "from a file with another checksum")
            place.unlink()
    other = Split(t, True, name="other")
    run_ok(tool("gcc"), "-O1", "-g", "-pthread", PROGRAMS / "shares.c", "-o", t.tmp / "rebuilt")
    run_ok(tool("objcopy"), "--only-keep-debug", t.tmp / "rebuilt", other.folder / "app.debug")
    nameless(t.record(other.app, "0.6"), "from the debug file of another build")


def test_debug_dir(t):
    """By build ID, by name, and with any name; also for earlier recordings."""
    split = Split(t)
    # The symbols of a recording must not come from the cache of another location.
    before = t.record(split.app, "0.6", name="before.wick")
    nameless(before, "without a debug file")
    for place in (f".build-id/{split.id[:2]}/{split.id[2:]}.debug", "app.debug", "app", "of-some-name", f"{str(split.folder)[1:]}/app.debug"):
        root = t.tmp / place.replace("/", "_")
        split.put(root / place)
        named(t.record(split.app, "0.6", options=["--debug-dir", root]), f"from {place}")
        lines = before.collapsed("--debug-dir", t.tmp, "--debug-dir", root) if place == "app" else before.collapsed("--debug-dir", root)
        need(any("heavy;burn " in l for l in lines), f"a view finds no names in {place}")
        report = t.good("report", before.file, "--debug-dir", root, "--by", "line", "--limit", "1")
        need("work.h:" in report, f"a view finds no lines in {place}: {report}")
    address = re.search(r"([0-9a-f]+) T heavy", run_ok(tool("nm"), split.whole)).group(1)
    for options, wanted in (([], "??"), (["--debug-dir", t.tmp / "app"], "heavy")):
        got = t.good("addr2line", "-f", "-e", split.app, *options, address).splitlines()[0]
        need(got == wanted, f"addr2line {options}: {got}")
    # The file itself is gone: its debug file suffices.
    split.app.unlink()
    need(any("heavy;burn " in l for l in before.collapsed("--debug-dir", t.tmp / "app")), "no names without the program")
    for wrong in (t.tmp / "no-such", split.whole):
        t.refused("report", before.file, "--debug-dir", wrong, code=2, says="--debug-dir")


def test_symfs(t):
    """The root of another machine, where the program was not stripped."""
    split = Split(t)
    before = t.record(split.app, "0.6")
    nameless(before, "without a sysroot")
    root = t.tmp / "sysroot"
    copy = root / str(split.app)[1:]
    copy.parent.mkdir(parents=True)
    copy_program(t.program("deep.c"), copy)
    need(not any("heavy" in l or "deep" in l for l in before.collapsed("--symfs", root)), "names from another build below the root")
    copy.unlink()
    copy_program(split.whole, copy)
    need(any("heavy;burn " in l for l in before.collapsed("--symfs", root)), "no names from the file below the root")
    split.app.unlink()
    need(any("heavy;burn " in l for l in before.collapsed("--symfs", f"{root}/")), "no names when the program itself is gone")


def test_minidebuginfo(t):
    """Symbols of a stripped program in .gnu_debugdata, as shipped by Fedora."""
    xz, objcopy = tool("xz"), tool("objcopy")
    whole, app, small = t.tmp / "whole", t.tmp / "app", t.tmp / "small"
    copy_program(t.program("shares.c"), whole)
    run_ok(objcopy, "--only-keep-debug", whole, small)
    run_ok(objcopy, "-S", "--remove-section=.comment", *(f"--keep-symbol={n}" for n in ("burn", "heavy", "round_of_work", "run", "main")), small, t.tmp / "mini")
    run_ok(xz, "-z", t.tmp / "mini")
    run_ok(objcopy, "--strip-all", whole, app)
    nameless(t.record(app, "0.5"), "before .gnu_debugdata is there")
    run_ok(objcopy, f"--add-section=.gnu_debugdata={t.tmp / 'mini.xz'}", app)
    named(t.record(app, "0.6"), "from .gnu_debugdata")


def test_stubs_and_vdso(t):
    """PLT entries, and the functions of the vDSO."""
    r = t.record(t.program("stubs.c", extra=["-Wl,-z,lazy"]), "1.0")
    at_least(r.share("main > ask_another_file > /(rand|abs|random)@plt/$"), 0.3, "percent in linkage stubs")
    vdso = r.share("main > ask_the_clock > * > /(__vdso_|__kernel_)?clock_gettime.*/")
    at_least(vdso, 10, "percent in clock_gettime")
    modules = {f["module"]: f for f in json.loads(t.good("report", r.file, "--json"))["functions"] if f["name"].startswith("[")}
    need("[vdso]" not in modules or modules["[vdso]"]["self_samples"] * 20 < r.total, f"the vDSO's functions have no names: {modules}")
    return f"{r.share('/.*@plt/'):.1f} % in stubs, {vdso:.1f} % in clock_gettime"


# ------------------------------------------------------------------------------------------------------------- debuginfod


class FakeServer:
    """A debuginfod-find that serves files from a directory instead of servers and logs its requests."""

    def __init__(self, t, split, body=None):
        self.log, self.bin, self.cache = t.tmp / "asked", t.tmp / "bin", t.tmp / "fetched"
        self.bin.mkdir()
        body = body or (f'mkdir -p "{self.cache}/$2" && [ "$2" = {split.id} ] && cp {split.debug} "{self.cache}/$2/debuginfo" && '
                        f'echo "{self.cache}/$2/debuginfo"')
        script = self.bin / "debuginfod-find"
        script.write_text(f'#!/bin/sh\necho "$1 $2 $DEBUGINFOD_MAXSIZE" >> {self.log}\n{body}\n')
        script.chmod(0o755)
        self.env = {**t.environment(t.tmp), "PATH": f"{self.bin}:{os.environ['PATH']}", "DEBUGINFOD_URLS": "http://example.invalid",
                    "DEBUGINFOD_CACHE_PATH": str(self.cache)}

    def asked(self):
        return self.log.read_text().splitlines() if self.log.exists() else []


def test_fetch(t):
    split = Split(t)
    server = FakeServer(t, split)
    quiet = {k: v for k, v in server.env.items() if k != "DEBUGINFOD_URLS"}
    nameless(t.record(split.app, "0.5", env=quiet), "without DEBUGINFOD_URLS")
    nameless(t.record(split.app, "0.5", env=server.env, options=["--no-fetch"]), "with --no-fetch")
    need(server.asked() == [], f"asked for {server.asked()}")
    r = t.record(split.app, "0.6", env=server.env, quiet=False)
    named(r, "fetched")
    first = server.asked()[0].split()
    need(first == ["debuginfo", split.id, "2000000000"], f"first asked for {first}")
    need("fetching debug info of app (1 of " in r.stderr and "fetched debug info of 1 of " in r.stderr, f"no word of it: {r.stderr}")
    # Fetched files are used without asking, even without a server, and views never ask.
    server.log.unlink()
    named(t.record(split.app, "0.6", env={**quiet}), "from debuginfod's cache")
    shutil.rmtree(server.cache)
    old = t.record(split.app, "0.5", env=server.env, options=["--no-fetch"])
    t.good("report", old.file, env=server.env)
    need(server.asked() == [], f"asked for {server.asked()}")


def test_fetch_limits(t):
    """Fetches nothing beyond the limit; a hanging server does not block the recording."""
    split = Split(t)
    server = FakeServer(t, split)
    nameless(t.record(split.app, "0.4", env=server.env, options=["--fetch-limit", "0"]), "with a limit of nothing")
    need(server.asked() == [], f"asked for {server.asked()}")
    t.record(split.app, "0.4", env={**server.env, "DEBUGINFOD_MAXSIZE": "1000"}, options=["--fetch-limit", "5M"])
    need(server.asked()[0].endswith(" 1000"), f"the user's own limit is lost: {server.asked()}")
    t.refused("record", "--fetch-limit", "x", "--", split.app, code=2, says="--fetch-limit")


def test_fetch_interrupted(t):
    """Ctrl-C while a server does not answer: the recording is complete, and no process is left."""
    split = Split(t)
    server = FakeServer(t, split, body="exec sleep 300")
    file = t.tmp / "p.wick"
    p = t.start_process([t.wick_path, "record", "-o", file, "--", split.app, "0.5"], env=server.env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    wait_until(lambda: server.asked(), 60, "a question to the server")
    child = children(p.pid)
    os.kill(p.pid, signal.SIGINT)
    _, err = p.communicate(timeout=120)
    need(p.returncode == 0, f"code {p.returncode}: {text_of(err)}")
    need("skipped the rest" in text_of(err) and "wrote " in text_of(err), f"no word of it: {text_of(err)}")
    r = Recording(t, file, subprocess.CompletedProcess([], 0, b"", b""))
    need(r.properties()["samples"] > 50 and not r.json["warnings"], "the recording is not whole")
    wait_until(lambda: not any(Path(f"/proc/{c}").exists() for c in child), what="the end of debuginfod-find")


# ----------------------------------------------------------------------------------------------------------- messages


def test_advice(t):
    """The summary and the report name the worst file and the flag that would help."""
    split = Split(t)
    split.debug.unlink()
    r = t.record(split.app, "0.5", quiet=False)
    for text in (r.stderr, t.good("report", r.file)):
        need(re.search(r"symbols: missing for \d+\.\d% of samples:\n +\d+\.\d%  \S*/app: stripped: build with -g, no -s", text), f"no advice in: {text}")
    r = t.record(t.program("shares.c"), "0.5", quiet=False)
    need(re.search(r"lines: .*\n.*/shares: build with -g", r.stderr) and "symbols:" not in r.stderr, f"no advice in: {r.stderr}")
    r = t.record(t.program("shares.c", extra=["-g"]), "0.5", quiet=False)
    need("lines:" not in r.stderr and "symbols:" not in r.stderr, f"needless advice in: {r.stderr}")
