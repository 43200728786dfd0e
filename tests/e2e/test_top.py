# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""`wick top` in a pseudo-terminal: what it shows is true, is that of the saved recording, and the terminal and the command are left well."""

from harness import *  # noqa: F403
from terminal import Terminal

ROW = re.compile(r"^ *(?:([\d.]+)%)? +([\d.]+)% .*?(\S+) +(\S+) *$")


def start(t, *args, columns=120, rows=40, user=None, **kw):
    command = [t.wick_path, "top", *args]
    if user == "nobody":
        command, home = t.as_user(command)
        kw = {"HOME": str(home), **kw}
    return Terminal(t, command, columns=columns, rows=rows, **kw)


def shares(t):
    return t.program("shares.c", "O2", ["-g", "-pthread"])


def quits(tty, code=0):
    tty.send("q")
    ended = tty.end()
    need(ended == code, f"code {ended}:\n{tty.screen.text()}")
    need(not tty.restored(), tty.restored())
    need(not tty.screen.odd, f"control characters: {tty.screen.odd[:5]}")


def watch(tty, seconds):
    """The screen changes each second, so it never settles."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        tty.read(left)


def functions(tty):
    """{(name, module): (self, total)} of the functions on the screen, in percent."""
    shown = {}
    for line in tty.screen.text().splitlines()[3:-1]:
        m = ROW.match(line.replace(" [unsampled]", " [unsampled] -"))
        if m:
            shown[m.group(3), m.group(4)] = float(m.group(1) or 0), float(m.group(2))
    return shown


def paused_picture(tty):
    """Pauses; the functions, the samples and the range of the recording that they are from."""
    tty.key("4", "FUNCTION")
    tty.key("p", "paused")
    shown = functions(tty)
    samples = int(re.search(r"([\d,]+) samples? of", tty.screen.text()).group(1).replace(",", ""))
    tty.key("7", "window:")
    begin, end = re.search(r"window: ([\d.]+)-([\d.]+) s", tty.screen.text()).groups()
    return shown, samples, f"{begin}-{end}"


def compare(t, shown, samples, report, tolerance=0.051):
    need(sum(f["self_samples"] for f in report["functions"]) == samples,
         f"{samples} samples on the screen, {sum(f['self_samples'] for f in report['functions'])} in the report")
    compared = 0
    for f in report["functions"]:
        key = f["name"], f["module"] or "-"
        if key not in shown:
            continue
        for kind, value in zip(("self", "total"), shown[key]):
            wanted = 100 * f[kind] / report["total"]
            need(abs(value - wanted) <= tolerance, f"{f['name']}: {kind} {value} on the screen, {wanted} in the report")
        compared += 1
    names = {(f["name"], f["module"] or "-") for f in report["functions"]}
    need(compared > 3, f"only {compared} functions are in both")
    only_shown = {key: shares for key, shares in shown.items() if key not in names and max(shares) > tolerance}
    need(not only_shown, f"{only_shown} are not in the report")


def saved_report(t, tty, file, range_):
    tty.key("s", "saved /")
    return json.loads(t.good("report", "--json", "--limit", "0", "--range", range_, file))


def test_shows_what_the_saved_recording_has(t):
    """The window's numbers are those of the report for the same range, and those of the program."""
    file = t.tmp / "saved.wick"
    tty = start(t, "-F", "997", "--window", "5", "-o", file, "--", shares(t), "60", "2")
    tty.wait_for("last 5 s", "burn", "heavy", seconds=40)
    watch(tty, 2)
    shown, samples, range_ = paused_picture(tty)
    report = saved_report(t, tty, file, range_)
    compare(t, shown, samples, report)
    totals = {f["name"]: 100 * f["total"] / report["total"] for f in report["functions"]}
    for name, wanted in (("heavy", 60), ("middle", 30), ("light", 10)):
        near(totals[name], wanted, 5, name)
    whole = json.loads(t.good("report", "--json", file))
    need(whole["samples"] > samples, "the file has only the window")
    need("recording is incomplete" not in t.good("report", file), "the saved file has no end")
    # The display stays the same while it is paused; recording continues.
    tty.key("4", "paused", "FUNCTION")
    before = functions(tty)
    age = int(re.search(r"paused, (\d+) s old", tty.screen.text()).group(1))
    watch(tty, 3)
    need(functions(tty) == before, "rows changed while paused")
    now = int(re.search(r"paused, (\d+) s old", tty.screen.text()).group(1))
    need(now >= age + 2, f"the picture was {age} s old and is now {now} s old")
    tty.key("p", "last 5 s", without=["paused"])
    quits(tty)


def test_window_forgets(t):
    """A function that no longer runs leaves the window after its length, neither before nor much later."""
    program = t.program("phases.c", "O2", ["-g"])
    tty = start(t, "--window", "3", "--", program, "5", "30")
    tty.wait_for("first_phase")
    tty.wait_for("second_phase")
    changed = time.monotonic()
    need("first_phase" in tty.screen.text(), "first_phase ran within the last 3 s")
    watch(tty, 1)
    need("first_phase" in tty.screen.text(), "first_phase ran within the last 3 s")
    tty.wait_for("second_phase", without=["first_phase"], seconds=10)
    took = time.monotonic() - changed
    need(1.5 <= took <= 5.5, f"first_phase was shown for {took:.1f} s more")
    need("burn" in tty.screen.text(), "no burn")
    quits(tty)


def test_selection_stays(t):
    """The selected function stays selected, however the order changes."""
    tty = start(t, "--window", "2", "--", t.program("phases.c", "O2", ["-g"]), "3", "30")
    tty.wait_for("first_phase")
    tty.key("/^main$\r", "/^main$/")
    tty.send("\x1b")
    tty.key("6", "main  phases")
    tty.key("4", "FUNCTION")
    tty.wait_for("second_phase", without=["first_phase"], seconds=15)
    tty.key("6", "main  phases")
    tty.key("\x1b", "FUNCTION")
    quits(tty)


def test_enter_shows_code(t):
    tty = start(t, "--", shares(t), "60", "1")
    tty.wait_for("burn")
    tty.key("/^burn$\r", "/^burn$/")
    tty.key("\r", "burn  shares", "imul" if platform.machine() == "x86_64" else "mul", "a = a * 6364136223846793005ull")
    watch(tty, 2.2)  # two refreshes later
    tty.wait_for("burn  shares", "a = a * 6364136223846793005ull")
    tty.key("\x1b", "FUNCTION")
    quits(tty)


def test_ended_target_stays_on_the_screen(t):
    tty = start(t, "-o", t.tmp / "p.wick", "--", "sh", "-c", f"{shares(t)} 2 1; echo written by the command; exit 3")
    tty.wait_for("ended with status 3", "burn", seconds=40)
    watch(tty, 2.2)
    tty.wait_for("ended with status 3", "burn")
    tty.key("3", "heavy")
    tty.key("s", "saved /")
    quits(tty, code=3)
    need("written by the command" in tty.screen.text(), f"no output of the command:\n{tty.screen.text()}")
    need("burn" in t.good("report", t.tmp / "p.wick"), "no burn in the saved file")


def test_saved_recording_has_code(t):
    """The instructions of hot functions are in the file, as in other recordings."""
    program, file = t.tmp / "bin" / "shares", t.tmp / "saved.wick"
    program.parent.mkdir()
    shutil.copy(shares(t), program)
    tty = start(t, "-o", file, "--", program, "60", "1")
    tty.wait_for("burn")
    watch(tty, 1.2)
    tty.key("s", "saved /")
    quits(tty)
    with_program = json.loads(t.good("annotate", "--json", "burn", file))
    program.unlink()
    without = json.loads(t.good("annotate", "--json", "burn", file))
    code = [sorted((row["address"], row["bytes"], row["self"]) for row in a["rows"] if row["kind"] == "instruction") for a in (with_program, without)]
    need(code[0] and code[0] == code[1], f"{len(code[0])} instructions, {len(code[1])} without the program: {without['notes']}")
    need(without["notes"][0].startswith("instructions are from the recording"), f"{without['notes']}")


def test_ended_recording_counts_all_samples(t):
    """The view of the recording counts the last samples, as the header and the saved file do."""
    file = t.tmp / "p.wick"
    # The window is longer than the recording takes on a busy machine.
    tty = start(t, "-F", "997", "--window", "300", "-o", file, "--", shares(t), "1", "2")
    tty.wait_for("ended, last", "burn", seconds=60)
    watch(tty, 1.2)
    tty.key("7", "recording: ")
    text = tty.screen.text()
    header, noted = (int(n.replace(",", "")) for n in re.search(
        r"ended, last .*?([\d,]+) samples.*?recording: \d+ s(?: so far)?, ([\d,]+) samples", text, re.S).groups())
    tty.key("s", "saved /")
    quits(tty)
    saved = json.loads(t.good("report", "--json", file))["samples"]
    need("so far" not in text, text)
    need(header == noted == saved, f"{header} samples in the header, {noted} of the recording, {saved} in the file:\n{text}")


def test_attached_target_goes_on(t):
    p = t.start_process([shares(t), "60", "1"])
    tty = start(t, "-p", str(p.pid))
    tty.wait_for(f"shares (pid {p.pid})", "burn")
    quits(tty)
    need(p.poll() is None, "the target has ended")
    tty = start(t, "-p", str(p.pid))
    tty.wait_for("burn")
    p.kill()
    p.wait()
    tty.wait_for("ended, last", "burn")
    quits(tty)


def test_signals(t):
    """The terminal is restored, and the command ends, whatever ends wick."""
    for keys, name in (("\x03", None), ("", "SIGTERM"), ("", "SIGHUP"), ("q", None)):
        tty = start(t, "--", shares(t), "60", "1")
        tty.wait_for("burn")
        (pid,) = children(tty.p.pid)
        tty.send(keys) if keys else tty.p.send_signal(getattr(signal, name))
        code = tty.end()
        need(code == (130 if keys == "\x03" else 0), f"{name or keys!r}: code {code}")
        need(not tty.restored(), f"{name or keys!r}: {tty.restored()}")
        need(not Path(f"/proc/{pid}").exists(), f"{name or keys!r}: the command still runs")


def test_stop_and_continue(t):
    for engine in ("perf", "ptrace"):
        tty = Terminal(t, [tool("bash"), "-mc", f"{t.wick_path} top --engine {engine} -- {shares(t)} 60 1; echo IS STOPPED; read line; fg; echo IS OVER"])
        tty.wait_for("burn")
        tty.key("\x1a", "IS STOPPED")
        need(1049 not in tty.screen.modes, f"modes: {tty.screen.modes}")
        tty.key("\n", "FUNCTION", "burn")
        tty.key("q", "IS OVER")
        tty.end()
        need(not tty.restored(), tty.restored())


def test_new_code_gets_symbols(t):
    """Programs that are started and libraries that are loaded while it runs."""
    plugins = [t.program("plugin.c", "O2", ["-g", "-shared", "-fPIC", f"-DNAME={n}"], name=f"lib{n}.so") for n in ("late", "later")]
    loader = t.program("loader.c", "O2", ["-g", "-ldl"])
    tty = start(t, "--window", "4", "--", "sh", "-c", f"{shares(t)} 4 1; exec {loader} 8 {' '.join(map(str, plugins))}")
    tty.wait_for("burn", "heavy")
    tty.wait_for("late_work", "later_work", "load_and_run", without=["heavy"], seconds=30)
    quits(tty)


def test_without_symbols(t):
    stripped = t.tmp / "stripped"
    run = subprocess.run([tool("strip"), "-o", stripped, shares(t)])
    need(run.returncode == 0, "strip failed")
    tty = start(t, "--", stripped, "60", "1")
    tty.wait_for("[stripped")
    tty.key("3", "[stripped")
    tty.key("1", "all")
    quits(tty)


def test_short_threads(t):
    """Threads that end within a period. The report knows those of the whole recording and balances their time with all of them, the
    screen with those of its window: shares may differ a little, the number of samples may not."""
    for user in (None, "nobody"):
        folder = t.tmp / "nobody" if user else t.tmp
        if user:
            t.as_user([])
        file = folder / "saved.wick"
        storm = t.program("storm.c", "O2", ["-g", "-pthread"])
        tty = start(t, "-F", "499", "--window", "4", "-o", file, "--", storm, "threads", "1000000", "busy", user=user)
        tty.wait_for("last 4 s", "burn", seconds=40)
        tty.key("o", "small_job", "busy_work", "sort: total")
        shown, samples, range_ = paused_picture(tty)
        compare(t, shown, samples, saved_report(t, tty, file, range_), tolerance=2)
        quits(tty)


def test_engines_and_users(t):
    """By ptrace, and without rights: the same picture."""
    for options, user in ((["--engine", "ptrace"], None), ([], "nobody"), (["--engine", "ptrace"], "nobody")):
        folder = t.tmp / "nobody" if user else t.tmp
        if user:
            t.as_user([])
        file = folder / "saved.wick"
        tty = start(t, *options, "-F", "499", "--window", "3", "-o", file, "--", shares(t), "60", "1", user=user)
        tty.wait_for("last 3 s", "burn", "heavy", seconds=40)
        shown, samples, range_ = paused_picture(tty)
        report = saved_report(t, tty, file, range_)
        compare(t, shown, samples, report)
        quits(tty)


def test_no_kernel_time_that_is_not(t):
    """Without rights to sample the kernel, its time is what CPU time is left. Each of many threads has some that is not sampled yet."""
    tty = start(t, "--window", "3", "--", shares(t), "60", "60", user="nobody")
    tty.wait_for("last 3 s", "burn", seconds=40)
    tty.key("7", "window:")
    watch(tty, 6)
    threads = int(re.search(r"(\d+) threads", tty.screen.text()).group(1))
    need(threads > 40, tty.screen.text())  # with three samples each, a few of the 60 have none by chance
    claimed = re.search(r"kernel: .*\(([\d.]+)%\)", tty.screen.text())
    need(not claimed or float(claimed.group(1)) < 4, tty.screen.text())
    quits(tty)


def test_system_wide(t):
    root_only()
    p = t.start_process([shares(t), "60", "1"])
    tty = start(t, "-a", "--window", "2")
    tty.wait_for("burn", "whole system")
    quits(tty)
    p.kill()


def test_every_key_in_every_view(t):
    """No key ends wick or leaves something odd on the screen, at any size, while the picture changes."""
    tty = start(t, "--window", "2", "-o", t.tmp / "k.wick", "--", shares(t), "90", "2", columns=90, rows=20)
    tty.wait_for("burn")
    for i, view in enumerate("1234567"):
        for key in "1234567890[]jkhlgGnNfFSmMdcrRCuUiox*te% \t\rp\x02\x06\x0c\x12\x1b":
            tty.send(view + key)
            tty.read(0)
        watch(tty, 1.2 if i % 2 else 0.1)  # with a refresh
        for columns, rows in [(20, 5), (1, 1), (200, 60), (90, 20)]:
            tty.resize(columns, rows)
            tty.send("j")
            watch(tty, 0.05)
        tty.send("\x1b")
    need(tty.p.poll() is None, "wick has ended")
    tty.send("4\x1b\x1bx")
    tty.wait_for("FUNCTION")
    tty.key("s", "saved /")
    quits(tty)


def test_transforms_stay(t):
    tty = start(t, "--window", "3", "--", shares(t), "60", "1")
    tty.wait_for("heavy")
    tty.key("/^heavy$\r", "/^heavy$/")
    tty.key("f\x1b", "focus on heavy")
    watch(tty, 2.5)
    need("focus on heavy" in tty.screen.text() and "middle" not in tty.screen.text(), tty.screen.text())
    part = re.search(r"= ([\d.]+)%", tty.screen.text())
    near(float(part.group(1)), 60, 15, "heavy")
    quits(tty)


def test_hostile_names(t):
    """Names of programs and threads never control the terminal."""
    hostile = t.tmp / "a\x1b]0;owned\x07\u202eb"
    copy_program(shares(t), hostile)
    tty = start(t, "--", hostile, "60", "1")
    tty.wait_for("burn")
    for view in "12345674":
        tty.send(view)
        watch(tty, 0.2)
    tty.wait_for("burn")
    need(b"\x1b]0;" not in tty.output and "\u202e" not in tty.output.decode("utf-8", "replace"), "an escape sequence got through")
    quits(tty)


def test_refusals(t):
    """Errors are plain lines: the screen is not taken over for them."""
    t.refused("top", "--", "true", code=2, says=["not a terminal", "hint: wick record"])
    for args, code, says in (
        ([], 2, "nothing to record"),
        (["-p", "999999999"], 125, "999999999"),
        (["--window", "0", "--", "true"], 2, "--window must be"),
        (["--windw", "3"], 2, "--window"),
        (["--", "surely-no-such-program"], 127, "surely-no-such-program"),
        (["-o", "-", "--", "true"], 2, "-o -"),
    ):
        tty = start(t, *args)
        ended = tty.end()
        need(ended == code, f"{args}: code {ended}, not {code}:\n{tty.screen.text()}")
        need("wick: " in tty.screen.text() and says in tty.screen.text(), tty.screen.text())
        need("wick record" not in tty.screen.text(), tty.screen.text())
        need(b"\x1b[?1049h" not in tty.output, f"{args}: the screen was taken over")


def test_file_limit(t):
    """The display continues when the file is full, and the file can be read."""
    file = t.tmp / "saved.wick"
    tty = start(t, "-F", "997", "--window", "2", "--max-size", "2k", "-o", file, "--", t.program("phases.c", "O2", ["-g"]), "4", "30")
    tty.wait_for("second_phase", without=["first_phase"], seconds=20)
    tty.key("7", "--max-size")
    tty.key("s", "the beginning")
    text = t.good("report", file)
    need("first_phase" in text, text)
    quits(tty)
