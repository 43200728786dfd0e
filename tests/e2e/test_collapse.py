# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""`wick collapse` of perf script text gives the same lines as inferno-collapse-perf, for several programs and options."""

import functools
import gzip

from harness import *  # noqa: F403

# Names that no program here produces.
BY_HAND = """java 24636/25607 [000] 4794564.109216:     250000 cycles:u:
\t    7f722d142778 Ljava/io/PrintStream;::print(Ljava/lang/String;)V->Lcom/acme/X;::y (/tmp/perf-19982.map)
\t    7f722d142779 Lorg/mozilla/javascript/MemberBox;.<init>(Ljava/lang/reflect/Method;)V (/tmp/perf-19982.map)
\t    7f722d142780 [unknown] (/tmp/perf-19982.map)
\t          401000 net/http.(*Client).Do+0x12 (/usr/bin/go-app)
\t          401001 main.main.func1(int)+0x12 (/usr/bin/go-app)

V8 WorkerThread 24636/25608 [001] 4794564.109217:          3 cycles:u:
\t     13a80b608e0a RegExp:[&<>"'] (/tmp/jitted-1-2.so)
\tffffffff8103ce3b native_safe_halt ([kernel.kallsyms])
\t          8c3453 tcp_sendmsg+0x1 (/lib/modules/4.3.0/build/vmlinux)
\tffffffffb94000e0 __softirqentry_text_start+0xe0 (/usr/lib/debug/boot/vmlinux-5.4.14)
\t             7d8 ipv4_conntrack_local+0x7f8f80b8 ([nf_conntrack_ipv4])
\t          401002 _$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..ops..Drop$GT$::drop::h0123456789abcdef (/usr/bin/x)
\t          401003 std::function<int (int, int)>::operator()(int) const (/usr/bin/x)
\t          401004 a::(anonymous namespace)::f(int) (/usr/bin/x)
\t               0 [unknown] ([unknown])

V8 WorkerThread 24636/25608 [001] 4794564.109218:          9 page-faults:
\t          401004 not_of_the_first_event (/usr/bin/x)

java 24636/25607 [000] 4794564.109219:     7 cycles:u:
\t          401002 last_without_a_blank_line+0x1 (/usr/bin/x)
"""


def peer(format="perf"):
    beside = Path.home() / ".cargo" / "bin" / f"inferno-collapse-{format}"
    return str(beside) if beside.exists() else tool(f"inferno-collapse-{format}")


def recorded(t, name, program, *args, options=()):
    """The output of perf script for a program, with these options."""
    data = t.tmp / f"{name}.data"
    r = t.run(tool("perf"), "record", "-q", "-F", "997", "-o", data, *options, "--", program, *args)
    if not data.exists():
        raise Skip(f"perf record: {text_of(r.stderr).strip()[-200:]}")
    return data


def script(t, data, *options):
    r = t.run(tool("perf"), "script", "-i", data, *options)
    need(r.returncode == 0 and r.stdout, f"perf script: {text_of(r.stderr)}")
    return r.stdout


def same_as_inferno(t, text, name, options, format="perf"):
    inferno = peer(format)
    file = t.tmp / f"{name}.txt"
    file.write_bytes(text)
    for option in options:
        theirs = text_of(t.run(inferno, *option, file).stdout).splitlines()
        ours = t.good("collapse", "--compat", "inferno", *option, file).splitlines()
        need(theirs, f"{name}: inferno prints nothing")
        differ = sorted(set(ours) ^ set(theirs))
        need(ours == theirs, f"{name} {' '.join(option)}: {len(differ)} lines differ, the first: {differ[:1] or 'their order'}")
    return len(theirs)


OPTIONS = ((), ("--all",), ("--pid",), ("--tid", "--addrs"), ("--kernel", "--addrs"), ("--jit",))


def test_as_inferno_by_hand(t):
    options = (*OPTIONS, ("--event-filter", "page-faults"), ("--skip-after", "native_safe_halt"), ("--skip-after", "tcp_sendmsg", "--all"))
    return f"{same_as_inferno(t, BY_HAND.encode(), 'hand', options)} stacks"


def as_inferno(t, format, file, options):
    """Compares with the other collapsers on our examples, using their names, roots and costs."""
    text = (ROOT / "tests/golden" / file).read_text()
    # inferno does not support rows that refer to a tagged backtrace.
    lines = [line for line in text.splitlines(True) if "tagged-backtrace ref" not in line]
    return f"{same_as_inferno(t, ''.join(lines).encode(), format, options, format)} stacks"


def tests():
    modules, costs = ((), ("--no-modules",)), ((), ("--ticks",), ("--bytes",))
    table = [
        ("dtrace", "import_dtrace/input.dtrace", ((), ("--includeoffset",))),
        ("ghcprof", "import_ghcprof/input.prof", costs),
        ("sample", "import_sample/input.sample", modules),
        ("vsprof", "import_vsprof/instrumented.csv", ((),)),
        ("vtune", "import_vtune/input.csv", modules),
        ("xctrace", "import_xctrace/input.xml", ((),)),
    ]
    return {f"as_inferno_{f}": functools.partial(as_inferno, format=f, file=file, options=o) for f, file, o in table}


def test_as_inferno_cxx(t):
    """C++ with frame pointers and kernel frames below, with several perf script options."""
    data = recorded(t, "cxx", t.program("callers.cc", "fp"), "0.6", options=("-g",))
    n = same_as_inferno(t, script(t, data), "cxx", (*OPTIONS, ("--skip-after", "main")))
    same_as_inferno(t, script(t, data, "-F", "+pid"), "cxx-pid", OPTIONS)
    return f"{n} stacks"


def test_as_inferno_rust(t):
    data = recorded(t, "rust", t.program("rusty.rs", "release"), "0.6", options=("--call-graph", "dwarf,16384"))
    return f"{same_as_inferno(t, script(t, data), 'rust', OPTIONS)} stacks"


def test_as_inferno_single_lines(t):
    """Samples without call chains."""
    data = recorded(t, "flat", t.program("shares.c"), "0.6")
    return f"{same_as_inferno(t, script(t, data), 'flat', OPTIONS)} stacks"


def test_text_is_text(t):
    """From a file, a pipe or compressed, with any number of threads: the same lines, and all samples."""
    data = recorded(t, "text", t.program("callers.cc", "fp"), "0.6", options=("-g", "-e", "cpu-clock", "-e", "page-faults"))
    text = script(t, data)
    file = t.tmp / "text.txt"
    file.write_bytes(text)
    wanted = t.good("collapse", file)
    need(wanted.count("\n") > 2, f"only {wanted}")
    (t.tmp / "text.gz").write_bytes(gzip.compress(text))
    for what, got in (
        ("gzip", t.good("collapse", t.tmp / "text.gz")),
        ("one thread", t.good("collapse", "-n", "1", file)),
        ("a pipe", t.good("collapse", input=text)),
        ("-o", t.good("collapse", file, "-o", t.tmp / "out") + (t.tmp / "out").read_text()),
    ):
        need(got == wanted, f"{what} gives other lines")
    twice = t.good("collapse", file, file)
    need(sum(int(l.rsplit(" ", 1)[1]) for l in twice.splitlines()) == 2 * sum(int(l.rsplit(" ", 1)[1]) for l in wanted.splitlines()), "two files")
    headers = [l for l in text_of(text).splitlines() if re.search(r"\d+\.\d{6}:", l)]
    events = {}
    for line in headers:
        event = line.split()[-1].rstrip(":")
        events[event] = events.get(event, 0) + 1
    for event, n in events.items():
        lines = t.good("collapse", "--count", "samples", "--event-filter", event, file).splitlines()
        got = sum(int(l.rsplit(" ", 1)[1]) for l in lines)
        need(got == n, f"{event}: {got} samples, perf script has {n}")
    return f"{len(headers)} samples"
