# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""perf.data: a file of perf record gives the known shares and as many samples as perf script lists."""

import random

from harness import *  # noqa: F403

SHARES = {"round_of_work > heavy > burn": 60, "round_of_work > middle > burn": 30, "round_of_work > light > burn": 10}


def perf_record(t, name, program, *options, seconds=1, threads=1):
    file = t.tmp / name
    r = t.run(tool("perf"), "record", "-q", "-F", "997", *options, "-o", file, "--", program, seconds, threads)
    if r.returncode != 0 or not file.exists():
        raise Skip(f"perf cannot record here: {text_of(r.stderr).strip()[-150:]}")
    return file


def perf_samples(t, file, event=None):
    """As counted by perf."""
    out = text_of(t.run(tool("perf"), "script", "-i", file, "-F", "event", timeout=120).stdout)
    lines = [l.strip().rstrip(":") for l in out.splitlines() if l.strip()]
    return sum(1 for l in lines if event in (None, l))


def samples_of(t, file, *options):
    return json.loads(t.good("report", "--json", *options, file))["samples"]


def open_file(t, file):
    return Recording(t, file, subprocess.CompletedProcess([], 0, b"", b""))


def test_frame_pointers(t):
    """Frame pointer chains: shares, samples, totals, symbols of the kernel and the program."""
    program = t.program("shares.c", "O0", ["-fno-omit-frame-pointer"])
    file = perf_record(t, "fp.data", program, "--call-graph", "fp", seconds=2)
    r = open_file(t, file)
    r.properties()
    r.shares(SHARES, 4)
    need(r.json["samples"] == perf_samples(t, file), f"{r.json['samples']} samples, perf script has {perf_samples(t, file)}")
    return f"{r.json['samples']} samples"


def test_small_files(t):
    """Files of a few pages, which are examined completely before they are read."""
    program = t.program("shares.c", "O0", ["-fno-omit-frame-pointer"])
    sizes = []
    for seconds in (0.02, 0.1, 0.3):
        file = perf_record(t, f"small{seconds}.data", program, "-g", seconds=seconds)
        need(samples_of(t, file) == perf_samples(t, file), f"{samples_of(t, file)} samples, perf script has {perf_samples(t, file)}")
        sizes.append(file.stat().st_size)
    return f"{sizes} bytes"


def test_copied_stacks(t):
    """Copied stacks of two threads, unwound by wick: shares, samples, complete stacks."""
    program = t.program("shares.c", "O2", ["-g"])
    file = perf_record(t, "dwarf.data", program, "--call-graph", "dwarf", seconds=1, threads=2)
    r = open_file(t, file)
    r.properties()
    r.shares(SHARES, 4)
    need(r.json["samples"] == perf_samples(t, file), f"{r.json['samples']} samples, perf script has {perf_samples(t, file)}")
    return r.whole("main", "start")


def test_pipe(t):
    """perf record -o - | wick: through a pipe, and the same bytes as a file."""
    program = t.program("shares.c", "O0", ["-fno-omit-frame-pointer"])
    data = t.run(tool("perf"), "record", "-q", "-F", "997", "-g", "-o", "-", "--", program, 1).stdout
    if not data.startswith(b"PERFILE2"):
        raise Skip("perf cannot record into a pipe here")
    (t.tmp / "pipe.data").write_bytes(data)
    one = t.good("collapse", t.tmp / "pipe.data")
    two = t.good("collapse", "-", input=data)
    need(one == two, "a pipe gives other stacks than the same bytes in a file")
    r = open_file(t, t.tmp / "pipe.data")
    r.shares(SHARES, 5)
    return f"{r.json['samples']} samples"


def test_compressed(t):
    """Compressed records (perf record -z) and a gzip file."""
    program = t.program("shares.c", "O2", ["-g"])
    if "zstd: [ on" not in text_of(t.run(tool("perf"), "version", "--build-options").stdout):
        raise Skip("this perf has no zstd")
    file = perf_record(t, "z.data", program, "-z", "--call-graph", "dwarf", threads=2)
    r = open_file(t, file)
    r.shares(SHARES, 5)
    need(r.json["samples"] == perf_samples(t, file), f"{r.json['samples']} samples, perf script has {perf_samples(t, file)}")
    t.run("gzip", "-k", file)
    need(t.good("collapse", file) == t.good("collapse", f"{file}.gz"), "packed with gzip it is another profile")


def perf_times(t, file):
    """Time and thread of each sample, in perf's order."""
    out = text_of(t.run(tool("perf"), "script", "-i", file, "--ns", "-F", "tid,time", timeout=120).stdout)
    return [l.split() for l in out.splitlines() if l.strip()]


def threads_folder(t, name, program, *options, threads=2):
    file = perf_record(t, name, program, "--threads", *options, threads=threads)
    if not (file / "data.0").exists():
        raise Skip("this perf record has no --threads")
    return file


def test_folder(t):
    """perf record --threads writes a folder: as many samples as perf script lists, the same total, in the order of time; for every command."""
    copied, chained = t.program("shares.c", "O2", ["-g"]), t.program("shares.c", "O0", ["-fno-omit-frame-pointer"])
    cases = {"fp": ("-g",), "dwarf": ("--call-graph", "dwarf")}
    if "zstd: [ on" in text_of(t.run(tool("perf"), "version", "--build-options").stdout):
        cases["packed"] = ("-z", "--call-graph", "dwarf")
    told = []
    for name, options in cases.items():
        folder = threads_folder(t, f"{name}.data", chained if name == "fp" else copied, *options)
        r = open_file(t, folder)
        r.shares(SHARES, 5)
        need(r.json["samples"] == perf_samples(t, folder), f"{name}: {r.json['samples']} samples, perf script has {perf_samples(t, folder)}")
        text = t.tmp / f"{name}.txt"
        text.write_bytes(t.run(tool("perf"), "script", "-i", folder, "--ns", timeout=120).stdout)
        need(r.json["total"] == json.loads(t.good("report", "--json", text))["total"], f"{name}: the total is not that of perf script")
        # Its own text has samples in the profile's order.
        own = t.good("export", "--format", "perf-script", folder)
        times = re.findall(r"^\S.* (\d+\.\d+):", own, re.M)
        need(len(times) == r.json["samples"] and times == sorted(times, key=float), f"{name}: not in the order of time")
        need([x[:-3] for x in sorted(t_[1].rstrip(":") for t_ in perf_times(t, folder))] == sorted(x[: x.index(".") + 7] for x in times), f"{name}: other times than perf script's")
        need(t.good("collapse", folder) == t.good("collapse", "--from", "perf-data", f"{folder}/"), "named in another way it is another profile")
        t.good("flamegraph", folder, "-o", t.tmp / "x.svg")
        t.good("diff", folder, folder)
        told.append(f"{name}: {r.json['samples']} samples in {len(list(folder.glob('data.*')))} files")
    return ", ".join(told)


def test_damaged_folder(t):
    """A directory with a missing, truncated or foreign file: an error, or a warning and the rest."""
    program = t.program("shares.c")
    folder = threads_folder(t, "whole.data", program, "-g")
    whole = samples_of(t, folder)

    def damaged(name):
        shutil.copytree(folder, t.tmp / name)
        return t.tmp / name

    def told(path, text):
        r = t.run(t.wick_path, "report", path)
        need(r.returncode == 0 and text in text_of(r.stdout) + text_of(r.stderr), f"{path.name}: {text_of(r.stdout)[:300]}{text_of(r.stderr)}")

    full = max(folder.glob("data.*"), key=lambda p: p.stat().st_size).name
    one = damaged("cut.data")
    os.truncate(one / full, (one / full).stat().st_size // 2 + 1)
    told(one, f"{full}: the last record is truncated")
    need(0 < samples_of(t, one) < whole, f"{samples_of(t, one)} of {whole} samples")
    one = damaged("fifo.data")
    (one / full).unlink()
    os.mkfifo(one / full)
    told(one, f"{full} is a fifo, not a regular file")
    one = damaged("gap.data")
    shutil.move(one / full, one / "data.77")
    told(one, "missing from the directory")
    one = damaged("headless.data")
    (one / "data").unlink()
    r = t.run(t.wick_path, "report", one)
    need(r.returncode == 1 and 'its file "data" is missing' in text_of(r.stderr), text_of(r.stderr))
    r = t.run(t.wick_path, "report", folder / "data")
    need(r.returncode == 1 and f"hint: wick report {folder}" in text_of(r.stderr), text_of(r.stderr))


def test_several_events(t):
    """Several events: each has the samples that perf script lists. By default, the file and its text show the same event and say so."""
    program = t.program("shares.c", "O0", ["-fno-omit-frame-pointer"])
    file = perf_record(t, "multi.data", program, "-e", "cpu-clock,page-faults,context-switches", "-g")
    counts = {}
    for event in ("cpu-clock", "page-faults"):
        counts[event] = samples_of(t, file, "--event", event)
        need(counts[event] == perf_samples(t, file, event), f"{event}: {counts[event]}, perf script has {perf_samples(t, file, event)}")
    text = t.tmp / "multi.txt"
    text.write_bytes(t.run(tool("perf"), "script", "-i", file, timeout=120).stdout)
    for one in (file, text):
        need(samples_of(t, one) == counts["cpu-clock"], f"{one.name}: {samples_of(t, one)} samples, not cpu-clock's")
        for command in ("collapse", "flamegraph"):
            r = t.run(t.wick_path, command, one)
            lines = [l for l in text_of(r.stderr).splitlines() if "showing cpu-clock; also recorded: " in l and "page-faults" in l and "--event" in l]
            need(r.returncode == 0 and len(lines) == 1, f"{command} {one.name}: {text_of(r.stderr)}")
        need("context-switches" in text_of(r.stdout) and "page-faults" in text_of(r.stdout), "the picture does not tell of other events")
    return str(counts)


def test_whole_machine(t):
    """perf record -a: many processes; contains every sample that perf script lists."""
    root_only()
    program = t.program("shares.c")
    file = perf_record(t, "all.data", program, "-a", "-g")
    need(samples_of(t, file) == perf_samples(t, file), f"{samples_of(t, file)} samples, perf script has {perf_samples(t, file)}")


def test_symfs_and_changed_files(t):
    """The file that ran is gone or replaced: no wrong symbols, and a message; wick uses it if found below --symfs or in perf's cache."""
    program = t.tmp / "shares"
    build_id = "5ca1ab1e" * 5  # unique: perf's cache also has the programs of other tests
    copy_program(t.program("shares.c", "O0", ["-fno-omit-frame-pointer", f"-Wl,--build-id=0x{build_id}"]), program)
    file = perf_record(t, "fp.data", program, "-g")
    before = open_file(t, file).share("main > run > round_of_work")
    at_least(before, 95, "round_of_work")
    root = t.tmp / "root"
    (root / str(t.tmp)[1:]).mkdir(parents=True)
    shutil.move(program, root / str(program)[1:])
    kept = t.shared / "home" / ".debug" / ".build-id" / build_id[:2] / build_id[2:]
    if os.path.lexists(kept):
        need("round_of_work" in t.good("collapse", file), "not found in perf's cache")
        kept.unlink()
    bare = open_file(t, file)
    need(bare.share("round_of_work") == 0, "names of a file that is not here")
    with_root = t.good("collapse", "--symfs", root, file)
    need("round_of_work" in with_root, "not found below --symfs")
    copy_program(t.program("deep.c"), program)
    r = t.wick("collapse", file)
    need("has changed since it was recorded" in text_of(r.stderr), f"no word of the other file: {text_of(r.stderr)}")
    need("round_of_work" not in text_of(r.stdout), "names of another file")


def test_cut_and_damaged(t):
    """Killed recorders, truncated and damaged files: a message or the intact part, never a crash or a hang."""
    program = t.program("shares.c", "O0", ["-fno-omit-frame-pointer"])
    data = perf_record(t, "fp.data", program, "-g").read_bytes()
    killed = bytearray(data)
    killed[48:56] = bytes(8)  # as perf leaves it when killed: no data size
    (t.tmp / "killed").write_bytes(killed)
    r = t.wick("report", t.tmp / "killed")
    need(r.returncode == 0 and "did not finish" in text_of(r.stdout + r.stderr), f"a killed recorder's: {text_of(r.stderr)}")
    rnd = random.Random(5)
    for i in range(30):
        bad = bytearray(data[: rnd.randrange(len(data))] if i % 2 else data)
        for _ in range(0 if i % 2 else 20):
            bad[rnd.randrange(len(bad))] ^= 1 << rnd.randrange(8)
        (t.tmp / "bad").write_bytes(bad)
        r = t.wick("report", t.tmp / "bad", timeout=120)
        need(r.returncode in (0, 1), f"case {i}: code {r.returncode}: {text_of(r.stderr)[-200:]}")
        need(r.returncode == 0 or "wick: " in text_of(r.stderr), f"case {i}: no message")
