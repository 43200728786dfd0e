# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""The file on disk: default name, the old one kept, killed recorders, full disks, size limits, damaged and foreign input."""

import random
import resource

from harness import *  # noqa: F403


def test_default_name(t):
    """profile.wick in the current folder; the one before it becomes profile.wick.old; report and friends read it by default."""
    home = t.tmp / "here"
    home.mkdir()
    for seconds in ("0.3", "0.6"):
        need(t.wick("record", "-q", "--", t.program("shares.c"), seconds, cwd=home).returncode == 0, "record failed")
    names = sorted(p.name for p in home.iterdir())
    need(names == ["profile.wick", "profile.wick.old"], f"files: {names}")
    new, old = (json.loads(t.good("report", *a, "--json", cwd=home))["samples"] for a in ([], ["profile.wick.old"]))
    at_least(old, 100, "samples in the old one")
    at_least(new, old + 1, "samples in the new one")
    need("burn" in t.good("collapse", cwd=home), "collapse does not read profile.wick")
    need(t.good("flamegraph", cwd=home).startswith("<"), "flamegraph does not write to standard output")


def test_small_file(t):
    """At most 20 bytes a sample plus 60 kB for symbols and tables."""
    r = t.record(t.program("shares.c"), "1.5", "2")
    size, n = r.file.stat().st_size, r.json["samples"]
    need(size <= 20 * n + 60_000, f"{size} bytes for {n} samples")
    return f"{size} bytes for {n} samples"


def killed(t, engine):
    file = t.tmp / "p.wick"
    p = t.start_process([t.wick_path, "record", "-q", "-o", file, "--engine", engine, "--", t.program("shares.c"), "30"])
    t.sleep(3.2)
    used = sum(cpu_seconds(c) for c in children(p.pid))
    t.kill_recorder(p)
    r = t.wick("report", "--json", file)
    need(r.returncode == 0, f"the file does not open: {text_of(r.stderr)}")
    # A second or so may be missing.
    at_least(json.loads(r.stdout)["samples"], 0.5 * 997 * used, f"samples kept of {used:.2f} CPU seconds")
    need("burn" in text_of(r.stdout), "no names in it")


def test_killed_perf(t):
    """kill -9 of wick leaves a file that opens with all but the last block."""
    return killed(t, "perf")


def test_killed_ptrace(t):
    return killed(t, "ptrace")


@serial
def test_full_disk(t):
    """A disk that fills up: an error that says so, and a file that opens."""
    root_only()
    disk = t.tmp / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", disk], capture_output=True).returncode != 0:
        raise Skip("may not mount a small disk")
    try:
        (disk / "filler").write_bytes(b"x" * 40_000)
        r = t.wick("record", "-F", "20000", "-o", disk / "p.wick", "--", t.program("threads.c"), "100", "0.03")
        err = text_of(r.stderr)
        need(re.search("no space|disk is full|full disk", err, re.I), f"nothing about a full disk (code {r.returncode}): {err[-400:]}")
        need("terminate called" not in err, err)
        opened = t.wick("report", "--json", disk / "p.wick")
        need(opened.returncode == 0, f"the file does not open: {text_of(opened.stderr)}")
        return f"code {r.returncode}, {json.loads(opened.stdout)['samples']} samples"
    finally:
        subprocess.run(["umount", "-l", disk])


def test_file_limit(t):
    """The same with a limit on the size of files (ulimit -f)."""
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (12_000, 12_000))

    file = t.tmp / "p.wick"
    r = t.run(t.wick_path, "record", "-F", "10000", "-o", file, "--", t.program("threads.c"), "60", "0.03", preexec_fn=limit)
    need("wick: " in text_of(r.stderr), f"no message (code {r.returncode})")
    opened = t.wick("report", "--json", file)
    need(opened.returncode in (0, 1) and (opened.returncode == 0 or b"wick: " in opened.stderr), f"{opened}")
    return f"code {r.returncode}"


def test_max_size(t):
    """--max-size ends the recording there; the file is whole and the program is ended like by Ctrl-C, or goes on unrecorded."""
    file = t.tmp / "p.wick"
    r = t.wick("record", "-F", "20000", "--max-size", "100k", "-o", file, "--", t.program("threads.c"), "100", "0.03")
    size = file.stat().st_size
    need(size <= 160_000, f"{size} bytes")
    opened = json.loads(t.good("report", "--json", file))
    at_least(opened["samples"], 100, "samples")
    return f"code {r.returncode}, {size} bytes, {opened['samples']} samples"


def test_damaged(t):
    """Cut anywhere or with bytes changed, a file opens with what is whole or is refused with a message; never a crash."""
    r = t.record(t.program("shares.c"), "0.6", "2")
    data = r.file.read_bytes()
    rng = random.Random(7)
    broken = t.tmp / "broken.wick"
    opened = 0
    for i in range(60):
        cut = bytearray(data)
        if i % 2:
            del cut[rng.randrange(len(cut)) :]
        else:
            for _ in range(rng.randrange(1, 8)):
                cut[rng.randrange(len(cut))] ^= 1 << rng.randrange(8)
        broken.write_bytes(cut)
        got = t.wick("report", "--json", broken, timeout=120)
        need(got.returncode in (0, 1), f"code {got.returncode} on damaged file {i}: {text_of(got.stderr)[-200:]}")
        if got.returncode == 0:
            opened += 1
            json.loads(got.stdout)
        else:
            need(b"wick: " in got.stderr, f"no message on damaged file {i}")
    return f"{opened} of 60 opened"


def test_foreign_files(t):
    """What is no profile gets an error that names the file; no output file is begun."""
    inputs = {
        "missing": None,
        "empty": b"",
        "text": b"hello\n",
        "noise": random.Random(1).randbytes(100_000),
        "elf": t.program("shares.c").read_bytes(),
        "zeros": bytes(100_000),
    }
    for name, data in inputs.items():
        if data is not None:
            (t.tmp / name).write_bytes(data)
        for command in ("report", "collapse", "flamegraph"):
            err = t.refused(command, t.tmp / name, code=1, says=[re.escape(str(t.tmp / name))])
            need(len(err.splitlines()) <= 3, f"long message: {err}")
    for path in ("/dev/null", t.tmp, "/dev/zero"):
        t.refused("report", path, code=1, says=re.escape(str(path)), timeout=120)
    t.refused("flamegraph", t.tmp / "noise", "-o", t.tmp / "out.svg", code=1)
    need(not (t.tmp / "out.svg").exists(), "a half-written picture was left")


def test_newer_version(t):
    """A file that says it is of a newer major version (byte 8 of the header) is refused, not read as if it were ours."""
    r = t.record(t.program("shares.c"), "0.2")
    data = bytearray(r.file.read_bytes())
    data[8] = 200
    (t.tmp / "new.wick").write_bytes(data)
    t.refused("report", t.tmp / "new.wick", code=1, says="version|newer|header")


def test_unwritable(t):
    t.refused("record", "-o", "/no/such/folder/x.wick", "--", "true", code=125, says="/no/such/folder")
    t.refused("record", "-o", t.tmp, "--", "true", code=125, says=re.escape(str(t.tmp)))
    locked = t.tmp / "locked"
    locked.mkdir(mode=0o755)
    t.refused("record", "-o", locked / "x.wick", "--", "true", code=125, says="permission", user="nobody")


def test_moved(t):
    """Names are in the file: it says the same after the program is gone."""
    program = t.copied(t.program("callers.cc"), t.tmp)
    r = t.record(program, "0.4")
    before = t.good("collapse", r.file)
    program.unlink()
    need(t.good("collapse", r.file) == before, "collapse differs once the program is gone")


def test_deleted_program(t):
    """A program that is deleted while it runs keeps its names and its whole stacks."""
    program = t.copied(t.program("shares.c"), t.tmp)
    r = t.record("sh", "-c", f"{program} 0.8 & sleep 0.1; rm {program}; wait")
    return r.whole("main > run", "/.*(sh|dash|sleep|rm).*/") + f", shares {r.share('round_of_work', 'shares'):.0f} %"
