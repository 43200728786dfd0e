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
