# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Hints work when pasted: each is taken from wick's own output and run, if the tools for it are installed."""

import functools

from harness import *  # noqa: F403


def generated_hint(t, program, *script):
    """The flags that the summary suggests for generated code: without them symbols are missing, with them they are present."""
    program = tool(program)
    name = Path(program).name
    r = t.record(program, *script, options=["-F", "1999"], quiet=False)
    advised = re.search(rf"generated code: run {name} with (.+)", r.stderr)
    need(advised, f"no hint for {name}:\n{r.stderr}")
    flags = advised.group(1).split()
    again = t.record(program, *flags, *script, options=["-F", "1999"], quiet=False)
    need("generated code" not in again.stderr, f"{name} {' '.join(flags)} does not help:\n{again.stderr}")
    return " ".join(flags)


JAVA = """
public class Busy {
  static long mix(long x) { for (int i = 0; i < 1000; ++i) { x = x * 6364136223846793005L + 1442695040888963407L; x ^= x >>> 29; } return x; }
  public static void main(String[] a) { long s = 0, end = System.nanoTime() + 1500000000L; while (System.nanoTime() < end) { s += mix(s); } System.out.println(s); }
}
"""
NODE = "function mix(x) { for (let i = 0; i < 1e5; ++i) { x = (x * 1103515245 + 12345) % 2147483648; } return x; } const end = Date.now() + 1200; let s = 1; while (Date.now() < end) { s = mix(s); } console.log(s);"


def test_java(t):
    (t.tmp / "Busy.java").write_text(JAVA)
    r = t.run(tool("javac"), "-d", t.tmp, t.tmp / "Busy.java", timeout=120)
    need(r.returncode == 0, text_of(r.stderr))
    return generated_hint(t, "java", "-cp", t.tmp, "Busy")


def test_node(t):
    return generated_hint(t, "node", "-e", NODE)


# What provokes a hint: wick's arguments, in a directory with the files of hint_place().
HINTS = {
    "no_profile": ["report", "missing.wick"],
    "program": ["report", "app"],
    "own_json": ["report", "own.json"],
    "text": ["report", "folded.txt"],
    "perf_data": ["report", "--from", "folded", "perf.data"],
    "perf_script": ["collapse", "--from", "perf-script", "perf.data"],
    "empty_input": ["report"],
    "callers": ["report", "other.wick", "--callers", "in"],
    "annotate": ["annotate", "in", "other.wick"],
    "thread": ["report", "other.wick", "--thread", "nobody"],
    "export_format": ["export", "other.wick", "--format", "pprov"],
    "export_extension": ["export", "other.wick", "-o", "x.unknown"],
    "diff": ["diff", "profile.wick", "faults.wick"],
    "diff_nothing": ["diff"],
    "doctor_script": ["doctor", "script"],
    "addr2line_text": ["addr2line", "-e", "folded.txt", "0x10"],
    "addr2line_object": ["addr2line", "-e", "object.o", "0x10"],
    "option": ["report", "--unknown"],
    "command": ["repot"],
    "nothing_to_record": ["record"],
    "not_in_path": ["record", "--", "app"],
    "not_executable": ["record", "--", "./plain"],
    "directory": ["record", "-o", "directory", "--", "./app"],
    "unwritable": ["record", "-o", "missing/x.wick", "--", "./app"],
    "rate": ["record", "-F", "100000000", "--", "./app"],
    "cpu": ["record", "-C", "9999", "-a", "-d", "0.1"],
    "iterations": ["record", "--iterations", "3", "-p", "1"],
    "count": ["record", "-c", "5", "--", "./app"],
    "duration": ["record", "-d", "0", "--", "./app"],
    "stack_size": ["record", "--stack-size", "1G", "--", "./app"],
    "event": ["record", "-e", "page-fault", "--", "./app"],
    "event_unknown": ["record", "-e", "unknown", "--", "./app"],
    "event_empty": ["record", "-e", ",", "--", "./app"],
    "event_in_kernel": ["record", "-e", "context-switches:u", "--", "./app"],
    "event_no_hardware": ["record", "-e", "cycles", "--", "./app"],
    "event_pmu": ["record", "-e", "unknown/x/", "--", "./app"],
    "event_ptrace": ["record", "--engine", "ptrace", "-e", "page-faults", "--", "./app"],
    "engine_attach": ["record", "--engine", "ptrace", "-p", "1"],
    "process": ["record", "-p", "999999999"],
    "thread_id": ["record", "-t", "999999999"],
    "cgroup": ["record", "--cgroup", "/no/such/group"],
}
# Words of a hint that stand for something, longest first.
STAND_INS = [
    ("CMD ARGS", "./app"),
    ("CMD", "./app"),
    ("BEFORE AFTER", "profile.wick other.wick"),
    ("PROGRAM", "./app"),
    ("ADDRESS…", "0x10"),
    ("FILE", "new.wick"),
    ("…", "-- ./app"),
]


recorded_once = threading.Lock()


def hint_place(t):
    """A directory with the files that the commands above name."""
    made = t.shared / "hints"
    with recorded_once:
        if not made.exists():
            fill_hint_place(t, made)
    return Path(shutil.copytree(made, t.tmp / "here"))


def fill_hint_place(t, here):
    here.mkdir()
    for name, options in {"profile.wick": [], "other.wick": [], "faults.wick": ["-e", "page-faults"]}.items():
        r = t.wick("record", "-q", "-F", "499", *options, "-o", here / name, "--", t.program("callers.cc"), "0.2")
        need(r.returncode == 0, text_of(r.stderr))
    t.good("export", "--format", "json", here / "profile.wick", "-o", here / "own.json")
    copy_program("/bin/true", here / "app")
    (here / "app").chmod(0o755)
    copy_program(here / "app", here / "plain")
    (here / "plain").chmod(0o644)
    (here / "script").write_text("#!/bin/sh\ntrue\n")
    (here / "folded.txt").write_text("main;run 3\nonly a text\n")
    (here / "directory").mkdir()


def command_of(hint):
    """The command of a hint, with something for each word that the user has to fill in, without remarks after it."""
    command = re.sub(r"   \(.*\)$", "", hint)
    for word, instead in STAND_INS:
        command = command.replace(word, instead)
    return command


def pasted(t, arguments):
    """Runs wick, then the hint that it prints."""
    here = hint_place(t)
    if "perf.data" in arguments:
        need(t.run(tool("perf"), "record", "-q", "-g", "-o", here / "perf.data", "true").returncode == 0, "perf cannot record")
    if "object.o" in arguments:
        (here / "object.c").write_text("int x(void) { return 1; }\n")
        need(t.run(tool("gcc"), "-c", "object.c", "-o", "object.o", cwd=here).returncode == 0, "gcc")
    options = {"stdin": subprocess.PIPE, "input": b""} if arguments == ["report"] else {}
    r = t.wick(*arguments, cwd=here, **options)
    hint = re.search(r"^hint: (.+)$", text_of(r.stderr), re.M)
    if r.returncode == 0 and arguments[:3] == ["record", "-e", "cycles"]:
        raise Skip("this machine has hardware counters")
    need(r.returncode != 0 and hint, f"wick {' '.join(arguments)}: no hint: {text_of(r.stderr)}")
    command = command_of(hint.group(1))
    if re.match(r"(systemd-cgls)\b", command) and not shutil.which("systemd-cgls"):
        command = re.search(r"\(or: (.+)\)$", hint.group(1)).group(1)
    elif not shutil.which(command.split()[0]) and command.split()[0] != "wick":
        raise Skip(f"{command.split()[0]} is not installed")
    env = t.environment(t.shared / "home")
    env["PATH"] = f"{Path(t.wick_path).parent}:{env['PATH']}"
    again = t.run("sh", "-c", command, cwd=here, env=env)
    need(again.returncode == 0, f"hint: {hint.group(1)}\n$ {command}\ncode {again.returncode}: {text_of(again.stderr)}")
    return command


def test_stack_size(t):
    """The options that the summary suggests for page faults in deep stacks complete them, and no more samples are lost."""
    python = tool("python3")
    command = [python, "-c", "import json, re, asyncio, email.message"]

    def truncated(*options):
        said = t.record(*command, options=["-e", "page-faults", *options], quiet=False).stderr
        found = re.search(r"^stacks: .*?([\d.]+)% truncated", said, re.M)
        return float(found.group(1)) if found else 0.0, said

    share, said = truncated()
    advised = re.search(r"copy more of each stack with (--stack-size .+)", said)
    if share < 1:
        raise Skip("all stacks are short")
    need(advised, f"no hint:\n{said}")
    better, said = truncated(*advised.group(1).split())
    complete(share - better, 0.5 * share, f"{share}% truncated, {better}% with {advised.group(1)}: points less")
    return f"{share}% truncated, {better}% with {advised.group(1)}"


def test_settings(t):
    """Kernel settings that hints and `wick doctor` change exist here, unless the kernel is built without the feature."""
    text = "".join(p.read_text() for p in sorted((ROOT / "src").rglob("*.cc")) if not p.name.endswith("_test.cc"))
    found = sorted(set(re.findall(r"\b((?:kernel|fs|vm)\.[a-z0-9_.]+)=", text)))
    need("kernel.perf_event_paranoid" in found, f"found only {found}")
    optional = {"kernel.yama.ptrace_scope"}
    missing = [name for name in found if name not in optional and not Path("/proc/sys", *name.split(".")).exists()]
    need(not missing, f"unknown settings: {missing}")
    return " ".join(found)


def test_partial_debug_info(t):
    """record and doctor agree about a program whose debug info covers only a part of it."""
    gcc = tool("gcc")
    (t.tmp / "a.c").write_text("unsigned work(void);\nint main(void) { return work() == 7; }\n")
    (t.tmp / "b.c").write_text(
        'void unused(void) { __asm__(".skip 200000"); }\n'
        "unsigned work(void) { volatile unsigned x = 1; for (long i = 0; i < 300000000; ++i) { x = x * 5 + 1; } return x; }\n"
    )
    program = t.tmp / "partial"
    for cmd in (["-g", "-c", "a.c", "-o", "a.o"], ["-c", "b.c", "-o", "b.o"], ["a.o", "b.o", "-o", program]):
        r = t.run(gcc, "-O1", *cmd, cwd=t.tmp)
        need(r.returncode == 0, text_of(r.stderr))
    said = t.record(program, quiet=False).stderr
    need("build with -g for all code" in said, said)
    doctor = t.good("doctor", program)
    need("covers only 0% of the code" in doctor and "-g for all code" in doctor and "Nothing to change" not in doctor, doctor)


def test_debug_package(t):
    """apt knows the packages that `wick doctor` suggests (queried, not installed)."""
    apt = tool("apt-get")
    advised = 0
    for file in ("libc.so.6", "libz.so.1", "libstdc++.so.6"):
        path = next(iter(sorted(Path("/usr/lib").glob(f"*-linux-gnu/{file}"))), None)
        if path is None:
            continue
        for line in t.good("doctor", path.resolve()).splitlines():
            command = re.search(r"sudo apt install (\S+)$", line)
            if command is None or "sources.list.d" in line:  # a line that adds a package archive first would change this machine
                continue
            advised += 1
            r = t.run(apt, "install", "--simulate", command.group(1))
            need(r.returncode == 0, f"{line}: {text_of(r.stderr)}")
    if advised == 0:
        raise Skip("no package is advised here")
    return f"{advised} packages"


def tests():
    return {f"pasted.{name}": functools.partial(pasted, arguments=arguments) for name, arguments in HINTS.items()}
