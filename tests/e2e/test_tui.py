# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""`wick tui` in a pseudo-terminal: every view and key, resizing, hostile names, signals, and what is not a terminal."""

from harness import *  # noqa: F403
from terminal import Terminal

FOLDED = "app;main;run;parse;read 30\napp;main;run;parse 20\napp;main;run;draw 25\napp;main;start;work;memcpy 15\napp;main;start;work 10\n"
KEYS = "1234567890[]jkhlgGnNfFSmMdcrRCuUisx*te% \t\r" + "\x02\x06\x0c\x12"


def folded(t, name="a.folded", text=FOLDED):
    (t.tmp / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return t.tmp / name


def start(t, *args, **kw):
    return Terminal(t, [t.wick_path, "tui", *args], **kw)


def quits(tty):
    tty.send("q")
    code = tty.end()
    need(code == 0, f"code {code}")
    need(not tty.restored(), tty.restored())
    need(not tty.screen.odd, f"control characters: {tty.screen.odd[:5]}")


def test_every_view(t):
    """Each view shows the numbers of the profile, and the selected function is the same in all of them."""
    tty = start(t, folded(t))
    tty.wait_for("4 Functions", "FUNCTION", "30.0%", "read", "25.0%", "draw")
    tty.key("jj", "parse")
    tty.key("\r", "CALLERS OF parse", "CALLED BY parse", "run", "read")
    tty.key("1", "parse  50.0% total, 20.0% self", "Enter zoom")
    tty.key("\r", "parse  50.0% total, 20.0% self")
    tty.key("3", "callees below", "▾ main", "parse")
    tty.key("i", "callers below")
    tty.key("2", "at 0.000 s")
    tty.key("6", "parse")
    tty.key("7", "100 samples", "folded")
    tty.key("?", "Flame graph", "Focus on the function", "Esc back")
    tty.key("\x1b", "100 samples", without=["Esc back"])
    quits(tty)


def test_search_and_transforms(t):
    tty = start(t, folded(t))
    tty.wait_for("memcpy")
    tty.key("/mem", "/mem_")
    tty.key("\r", "/mem/: 1 function, 15.0%", without=["draw"])
    tty.key("g", "only with /mem/", "15 samples")
    tty.key("u", "100 samples")
    tty.key("\x1b", "draw", "read")
    tty.key("\x1bOH", "FUNCTION")
    tty.key("d", "without read", "70 samples", "= 70.0%")
    tty.key("u", "100 samples", without=["without read"])
    tty.key("U", "without read", "70 samples")
    tty.key("/(\r", "not a regular expression")
    quits(tty)


def test_sequences_of_other_terminals(t):
    """Cursor keys in the code that the terminal's description does not have, and keys that it does not have at all."""
    tty = start(t, folded(t))
    tty.wait_for("4 Functions", "read", "draw")
    tty.key("\x1b[B\x1b[Bx\r", "CALLERS OF parse")
    tty.key("\x1b", "CALLERS OF", without=["Esc back"])
    tty.key("4\x1b[1;9A\x1b[A\r", "CALLERS OF read")
    for sequence in ("\x1b[1;2P", "\x1b[25;3~", "\x1b[200~", "\x1b[E"):
        tty.send(sequence)
        tty.settle()
        need("CALLERS OF read" in tty.screen.text() and "100 samples" in tty.screen.text(), f"{sequence!r}:\n{tty.screen.text()}")
    tty.key("\x1b", "CALLERS OF")
    quits(tty)


def mouse(tty, button, x, y, release=False):
    tty.send(f"\x1b[<{button};{x + 1};{y + 1}{'m' if release else 'M'}")


def click(tty, text):
    x, y = find(tty, text)
    mouse(tty, 0, x, y)
    mouse(tty, 0, x, y, release=True)


def find(tty, text):
    """Column and row of the text on the screen."""
    for y, line in enumerate(tty.screen.text().splitlines()):
        if text in line:
            return line.index(text), y
    raise Fail(f"no {text!r}:\n{tty.screen.text()}")


def test_mouse(t):
    """A click selects, a second one opens; tabs, the wheel, and a range of time by dragging."""
    file = t.record(t.program("shares.c", "O2", ["-g", "-pthread"]), "0.3", "2").file
    tty = start(t, file)
    tty.wait_for("FUNCTION", "burn")
    click(tty, "burn")
    tty.wait_for("CALLERS OF burn", "heavy")  # it was selected already
    click(tty, "3 Tree")
    tty.wait_for("callees below")
    mouse(tty, 65, 10, 10)
    mouse(tty, 64, 10, 10)
    click(tty, "2 Threads")
    tty.wait_for("at 0.000 s")
    y = find(tty, "  shares ")[1]
    whole = tty.screen.text().splitlines()[1]
    mouse(tty, 0, 40, y)
    tty.wait_for("at 0.", without=["at 0.000"])
    mouse(tty, 32, 50, y)
    tty.wait_for(" - 0.")
    mouse(tty, 0, 60, y, release=True)
    tty.wait_for("= ")
    need(re.search(r"^\d+\.\d{3}-\d+\.\d{3} s$", tty.screen.text(), re.M), f"no range:\n{tty.screen.text()}")
    tty.send("x")
    tty.wait_for(whole)
    quits(tty)


def test_comparison(t):
    before, after = folded(t, "a.folded", "app;main;work 1000\napp;main;same 1000\n"), folded(t, "b.folded", "app;main;work 3000\napp;main;same 1000\n")
    tty = start(t, before, after)
    tty.wait_for("a.folded", "b.folded", "comparing costs", "BEFORE", "AFTER", "work", "same")
    line = next(l for l in tty.screen.text().splitlines() if l.endswith("work"))
    need(line.split()[:3] == ["+2000", "1000", "3000"], line)
    tty.key("%", "comparing shares", "pp")
    tty.key("3", "main")
    tty.key("1", "all")
    quits(tty)


def test_every_key_in_every_view(t):
    """No key ends wick or leaves something odd on the screen; nor do keys that mean nothing, or half of a sequence."""
    tty = start(t, folded(t), columns=90, rows=20)
    tty.wait_for("read")
    for view in "1234567":
        for key in KEYS + "\x1b":
            tty.send(view + key)
            tty.read(0)
        tty.send("\x1b")
    tty.send("\x1b[99~\x1b[<0;5;5M\x1b[<0;5;5m\x1b[<64;5;5Mzzö\xc3".encode("latin-1"))
    tty.settle()
    tty.send("\x1b")
    tty.settle()
    need(tty.p.poll() is None, "wick has ended")
    tty.send("4")
    tty.wait_for("FUNCTION")
    quits(tty)


def test_resize(t):
    """Down to one cell and back, in every view, while the user types; a storm of signals loses nothing."""
    tty = start(t, folded(t))
    tty.wait_for("read")
    for view in "1234567":
        tty.send(view)
        for columns, rows in [(20, 5), (1, 1), (3, 2), (200, 60), (20, 1), (1, 20), (100, 30)]:
            tty.resize(columns, rows)
            tty.send("j")
            tty.settle(0.05)
    tty.send("4")
    tty.wait_for("FUNCTION", "read")
    for i in range(300):
        tty.set_size(20 + i % 90, 5 + i % 30)
    tty.resize(100, 30)
    tty.send("\x0c")
    tty.wait_for("FUNCTION", "read", "q quit")
    need(len(tty.screen.text().splitlines()) <= 30, "more lines than the screen has")
    quits(tty)


def test_hostile_names(t):
    """Names of functions never control the terminal."""
    names = [b"\x1b]0;owned\x07", b"\x1b[2J", b"\x9b31m", b"a\rb\x08\x00", b"\xe2\x80\xae" + b"evil", b"\xff\xfe", "漢字".encode() * 40, "שלום".encode(), b"x" * 100_000]
    text = b"".join(b"main;" + n.replace(b";", b"") + b" 10\n" for n in names)
    tty = start(t, folded(t, text=text))
    tty.wait_for("owned", "evil")
    for view in "1234567":
        tty.send(view)
        tty.settle(0.1)
    tty.send("4")
    tty.wait_for("owned")
    for _ in names:
        tty.send("j")
    tty.settle(0.1)
    need(b"\x1b]0;" not in tty.output and b"\x9b31m" not in tty.output, "an escape sequence got through")
    need("\u202e" not in tty.output.decode("utf-8", "replace"), "a bidirectional mark got through")
    quits(tty)


def test_stop_and_continue(t):
    """Ctrl-Z gives the terminal back to the shell; fg shows everything again, in the size that the terminal has by then."""
    script = f"{t.wick_path} tui {folded(t)}; echo IS STOPPED; read line; fg; echo IS OVER"
    tty = Terminal(t, [tool("bash"), "-mc", script])
    tty.wait_for("FUNCTION", "read")
    tty.key("j\x1a", "IS STOPPED")
    need(1049 not in tty.screen.modes and 1000 not in tty.screen.modes and 1002 not in tty.screen.modes, f"modes: {tty.screen.modes}")
    tty.resize(70, 20)
    tty.key("\n", "FUNCTION", "draw")
    tty.key("7", "100 samples")
    tty.key("4", "read", "FUNCTION")
    tty.key("q", "IS OVER")
    tty.end()
    need(not tty.restored(), tty.restored())
    # Ctrl-Z has no effect on the only program of a terminal (ssh -t HOST wick tui), since no shell could resume it.
    tty = start(t, folded(t))
    tty.wait_for("read")
    tty.key("\x1a7", "100 samples")
    quits(tty)


def test_ends_with_the_terminal(t):
    tty = start(t, folded(t))
    tty.wait_for("read")
    tty.hang_up()
    try:
        tty.p.wait(60)
    except subprocess.TimeoutExpired:
        raise Fail("still there after the terminal was closed")
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        tty = start(t, folded(t))
        tty.wait_for("read")
        tty.p.send_signal(getattr(signal, name))
        need(tty.end() == 0, f"{name}: {tty.p.returncode}")
        need(not tty.restored(), f"{name}: {tty.restored()}")
    tty = start(t, folded(t))
    tty.wait_for("read")
    tty.send("\x03")
    need(tty.end() == 0 and not tty.restored(), "Ctrl-C")


def test_terminals(t):
    """Without colors, with few, without Unicode, of an unknown type; and those that cannot show a screen."""
    file = folded(t)
    tty = start(t, file, NO_COLOR="1")
    tty.key("1", "|main")
    need(not re.search(rb"\x1b\[[0-9;]*(3[0-7]|4[0-7]|38|48)[;m]", tty.output), "a color")
    quits(tty)
    tty = start(t, file, LC_ALL="C")
    tty.wait_for("read")
    for view in "1234567":
        tty.send(view)
        tty.settle(0.1)
    need(all(b < 0x80 for b in tty.output), "not ASCII")
    quits(tty)
    for term in ("xterm", "screen-256color", "linux", "vt100", "surely-unknown"):
        tty = start(t, file, TERM=term)
        tty.wait_for("read", "FUNCTION")
        tty.key("1", "all")
        tty.send("q")
        need(tty.end() == 0, f"{term}: {tty.p.returncode}")
    for term in ("dumb", ""):
        tty = start(t, file, TERM=term)
        need(tty.end() == 2, f"TERM={term}: {tty.p.returncode}")
        need("cannot show a screen" in tty.screen.text(), tty.screen.text())


def test_not_a_terminal(t):
    t.refused("tui", folded(t), code=2, says=["not a terminal", "hint: wick report"])


def test_wrong_files(t):
    """Errors are plain lines: the screen is not taken over for them."""
    for file, says in ((t.tmp / "missing", "missing"), (folded(t, "empty", ""), "empty")):
        tty = start(t, file)
        need(tty.end() == 1, f"{file}: {tty.p.returncode}")
        need("wick: " in tty.screen.text() and says in tty.screen.text(), tty.screen.text())
        need(b"\x1b[?1049h" not in tty.output, "the screen was taken over")


def test_piped_profile(t):
    """The profile comes from standard input, the keys from the terminal."""
    read, write = os.pipe()
    os.write(write, FOLDED.encode())
    os.close(write)
    tty = start(t, stdin=read)
    os.close(read)
    tty.wait_for("read", "30.0%")
    tty.key("3", "main")
    quits(tty)


def compare_with_report(t, tty, file):
    """The screen shows functions by self time."""
    report = json.loads(t.good("report", "--json", file))
    shown = {}
    for line in tty.screen.text().splitlines():
        m = re.match(r" *([\d.]+)% +([\d.]+)% +\S+ \S+ (\S+)(?: +(\S+))? *$", line)
        if m:
            shown[m.group(3), m.group(4) or ""] = float(m.group(1)), float(m.group(2))
    for f in report["functions"][:3]:
        key = f["name"], f["module"]
        need(key in shown, f"no {key}:\n{tty.screen.text()}")
        for kind, value in zip(("self", "total"), shown[key]):
            wanted = 100 * f[kind] / report["total"]
            need(abs(value - wanted) <= 0.051, f"{f['name']}: {kind} {value} on the screen, {wanted} in the report")


def test_recording(t):
    """A real recording: threads, a range of time, source and assembly of the hottest function."""
    file = t.record(t.program("shares.c", "O2", ["-g", "-pthread"]), "0.3", "3").file
    tty = start(t, file, columns=120, rows=40)
    tty.wait_for("burn")
    compare_with_report(t, tty, file)
    tty.key("2", "at 0.000 s")
    tty.key("j\r" + " " + "\x1bOC" * 30 + "\r", "thread shares", " s")
    chosen = re.search(r"thread shares (\d+), (\d+\.\d+)-(\d+\.\d+) s", tty.screen.text())
    need(chosen, tty.screen.text())
    samples = int(re.search(r"  (\d+) samples of", tty.screen.text()).group(1))
    part = json.loads(t.good("report", "--json", "--thread", chosen.group(1), "--range", f"{chosen.group(2)}-{chosen.group(3)}", file))
    wanted = sum(f["self_samples"] for f in part["functions"])
    # The screen rounds to milliseconds, so each end may differ by a sample.
    need(wanted > 20 and abs(samples - wanted) <= 2, f"{samples} samples on the screen, {wanted} in the report")
    tty.key("x4", "burn", without=["thread shares"])
    tty.key("6", "burn", "SELF", "work.h")
    tty.key("s", "work.h")
    tty.key("s", "burn")
    shown = tty.key("2", "begin range")
    busy = [l for l in shown.splitlines() if l.startswith("  shares ") and re.search("[▁▂▃▄▅▆▇█]", l)]
    need(len(busy) == 3, f"{len(busy)} threads:\n{shown}")
    tty.key("\r", "thread shares")
    tty.key("x 4", "FUNCTION", without=["thread shares"])
    tty.key("3", "round_of_work", "heavy")
    quits(tty)
