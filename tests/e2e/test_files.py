# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""The file on disk: default name, the previous one kept, killed recorders, full disks, size limits, damaged and foreign input."""

import functools
import random
import resource

from harness import *  # noqa: F403


def test_default_name(t):
    """Writes profile.wick in the current directory and renames the previous one to profile.wick.old; report etc. read it by default."""
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


def test_hostile_name(t):
    """The name of a file may contain escape sequences: messages escape them, and the hint still works when pasted."""
    name, said = "a\x1b[31mRED\x1b]0;title\x07.wick", ""
    for args in (
        ["record", "-o", name, "--", t.program("shares.c"), "0.1"],
        ["report", name],
        ["report", "no-" + name],
        ["record", "-o", "missing/" + name, "--", "true"],
        ["record", "--", "./" + name],
        ["report", "--event", name, name],
        ["flamegraph", name, "-o", name + ".svg"],
        ["diff", name, "no-" + name],
        [name],
    ):
        r = t.wick(*args, cwd=t.tmp)
        said += text_of(r.stdout) + text_of(r.stderr)
    need("\x1b" not in said and "\x07" not in said, f"an escape sequence got through: {said!r}")
    pasted = re.search(r"next: wick (report \$'.*')", said)
    need(pasted, f"no command to paste: {said}")
    if shutil.which("bash"):
        r = t.run("bash", "-c", f"{t.wick_path} {pasted[1]}", cwd=t.tmp)
        need(r.returncode == 0 and "burn" in text_of(r.stdout), f"{pasted[0]}: code {r.returncode}: {text_of(r.stderr)}")


def test_small_file(t):
    """At most 20 bytes per sample plus 60 kB for symbols and tables."""
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
    # About a second may be missing.
    at_least(json.loads(r.stdout)["samples"], 0.5 * 997 * used, f"samples kept of {used:.2f} CPU seconds")
    need("burn" in text_of(r.stdout), "no names in it")


def test_killed_perf(t):
    """kill -9 of wick leaves a readable file with all but the last block."""
    return killed(t, "perf")


def test_killed_ptrace(t):
    return killed(t, "ptrace")


@serial
def test_full_disk(t):
    """A disk that fills up: a clear error and a readable file."""
    root_only()
    disk = t.tmp / "disk"
    disk.mkdir()
    # One block per second: of four, the first fits and the last does not.
    command = ["-F", "5000", "--", t.program("shares.c"), "4"]
    whole = t.tmp / "whole.wick"
    t.good("record", "-q", "-o", whole, *command)
    size = 4096 * max(3, whole.stat().st_size * 6 // 10 // 4096)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", disk], capture_output=True).returncode != 0:
        raise Skip("may not mount a small disk")
    try:
        r = t.wick("record", "-o", disk / "p.wick", *command)
        err = text_of(r.stderr)
        need(re.search("no space|disk is full|full disk", err, re.I), f"nothing about a full disk (code {r.returncode}): {err[-400:]}")
        need("terminate called" not in err, err)
        opened = t.wick("report", "--json", disk / "p.wick")
        need(opened.returncode == 0, f"the file does not open: {text_of(opened.stderr)}")
        samples = json.loads(opened.stdout)["samples"]
        need(samples > 0 and re.search(r"^hint: wick report .*p\.wick", err, re.M), f"{samples} samples, but no hint: {err}")
        (disk / "p.wick").unlink()
        (disk / "filler").write_bytes(b"x" * (size - 4096))
        err = text_of(t.wick("record", "-o", disk / "p.wick", "--", t.program("threads.c"), "100", "0.03").stderr)
        shown = t.wick("report", "--json", disk / "p.wick")
        empty = shown.returncode != 0 or json.loads(shown.stdout)["samples"] == 0
        need(empty != ("hint: wick report" in err), f"the hint and the file differ (code {shown.returncode}): {err}")
        return f"code {r.returncode}, {samples} samples"
    finally:
        subprocess.run(["umount", "-l", disk])


def test_file_limit(t):
    """The same with a limit on file size (ulimit -f)."""
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
    """--max-size ends the recording; the file is complete, the program continues, and its exit code is passed on."""
    file = t.tmp / "p.wick"
    script = f"{t.program('threads.c')} 200 0.03; touch {t.tmp}/ended; exit 7"
    for engine in ("perf", "ptrace"):
        (t.tmp / "ended").unlink(missing_ok=True)
        r = t.wick("record", "--engine", engine, "-F", "5000", "--max-size", "4k", "-o", file, "--", "sh", "-c", script)
        need(r.returncode == 7 and (t.tmp / "ended").exists(), f"{engine}: code {r.returncode}: {text_of(r.stderr)}")
        need("--max-size" in text_of(r.stderr), f"{engine}: the summary does not say why it ended: {text_of(r.stderr)}")
    begin = time.monotonic()
    r = t.wick("record", "-F", "5000", "--max-size", "20k", "-d", "1.5", "-o", file, "--", t.program("ends.c"), "forever")
    need(r.returncode == 0 and time.monotonic() - begin < 15, f"-d does not end it: code {r.returncode}: {text_of(r.stderr)}")
    r = t.wick("record", "-F", "20000", "--max-size", "100k", "-o", file, "--", t.program("threads.c"), "100", "0.03")
    size = file.stat().st_size
    need(size <= 160_000, f"{size} bytes")
    opened = json.loads(t.good("report", "--json", file))
    at_least(opened["samples"], 100, "samples")
    return f"code {r.returncode}, {size} bytes, {opened['samples']} samples"


def test_damaged(t):
    """A file truncated anywhere or with changed bytes opens with its intact part or is rejected with a message; it never crashes wick."""
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


def block_ends(data):
    """Where the blocks of a .wick file end (docs/file-format.md)."""
    at, ends = 16, [16]
    while at < len(data):
        at += 20 + int.from_bytes(data[at + 12 : at + 16], "little")
        ends.append(at)
    return ends


def cut_file(t, engine, user=None):
    """A truncated recording shows the samples that are left, says that it is damaged, and does not show the lost time as unsampled."""
    if user:
        root_only()
    r = t.record(t.program("shares.c"), "0.6", "2", options=["--engine", engine], user=user)
    data, all_samples = r.file.read_bytes(), r.json["samples"]
    ends = block_ends(data)
    need(ends[-1] == len(data), f"blocks end at {ends}, the file at {len(data)}")
    kept = set()
    for size in sorted({*ends[:-1], *((a + b) // 2 for a, b in zip(ends, ends[1:]))}):
        (t.tmp / "cut.wick").write_bytes(data[:size])
        got = t.wick("report", t.tmp / "cut.wick")
        shown = text_of(got.stdout) + text_of(got.stderr)
        need(re.search("damaged|incomplete|contains no recording", shown), f"{size} bytes of {len(data)}: no warning: {shown[:300]}")
        if got.returncode != 0:
            continue
        report = json.loads(t.good("report", "--json", t.tmp / "cut.wick"))
        kept.add(report["samples"])
        if report["samples"] < all_samples:
            need(UNSAMPLED not in shown, f"{size} bytes of {len(data)}: the lost time is shown as unsampled: {shown[:300]}")
    need({0, all_samples} <= kept, f"samples in parts of the file: {kept}")
    return f"{sorted(kept)} of {all_samples} samples, {len(ends) - 1} blocks"


def test_foreign_files(t):
    """Other input gets an error that names the file; no output file is created."""
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
    """Rejects a file with a newer major version (byte 8 of the header)."""
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


def test_closed_pipe(t):
    """A reader of the recording that goes away ends wick with an error."""
    ours, theirs = os.pipe()
    os.close(ours)
    try:
        r = t.wick("record", "-o", "/dev/stdout", "--", "true", stdout=theirs, timeout=20)
    finally:
        os.close(theirs)
    need(r.returncode == 125 and "broken pipe" in text_of(r.stderr), f"code {r.returncode}: {text_of(r.stderr)}")


def test_planted_fifo(t):
    """wick neither waits for nor writes to a FIFO that another user created in a shared directory."""
    root_only()
    shared = t.tmp / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    fifo = shared / "profile.wick"
    os.mkfifo(fifo)
    os.chown(fifo, NOBODY, NOBODY)
    t.refused("record", "-o", fifo, "--", "true", code=125, says="another user", timeout=20)


def test_moved(t):
    """The file contains the symbols: it gives the same output after the program is deleted."""
    program = t.copied(t.program("callers.cc"), t.tmp)
    r = t.record(program, "0.4")
    before = t.good("collapse", r.file)
    program.unlink()
    need(t.good("collapse", r.file) == before, "collapse differs once the program is gone")


def test_deleted_program(t):
    """A program deleted while it runs keeps its symbols and complete stacks."""
    program = t.copied(t.program("shares.c"), t.tmp)
    r = t.record("sh", "-c", f"{program} 0.8 & sleep 0.1; rm {program}; wait")
    return r.whole("main > run", "/.*(sh|dash|sleep|rm).*/") + f", shares {r.share('round_of_work', 'shares'):.0f} %"


def emptied_program(t, engine):
    """Truncating the file of the running program does not end the recording: the summary names the file, and the rest is recorded."""
    program = t.tmp / "app"
    copy_program(t.program("shares.c"), program)
    file = t.tmp / "p.wick"
    p = t.wick("record", "-o", file, "--engine", engine, "--", "sh", "-c", f"{program} 0.4; : > {program}; {t.program('shares.c')} 0.4")
    said = p.stderr.decode()
    need(p.returncode == 0, f"exit {p.returncode}: {said}")
    need("recorded" in said and f"{program}: cannot be read: truncated while recording" in said, said)
    at_least(json.loads(t.good("report", "--json", file))["samples"], 400, "samples of both")


def tests():
    made = {"cut_file.perf.nobody": functools.partial(cut_file, engine="perf", user="nobody")}
    for engine in ("perf", "ptrace"):
        made[f"emptied_program.{engine}"] = functools.partial(emptied_program, engine=engine)
        made[f"cut_file.{engine}"] = functools.partial(cut_file, engine=engine)
    return made
