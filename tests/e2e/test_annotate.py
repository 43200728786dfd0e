# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""`wick annotate`, and source and assembly in the viewer's page: costs are those of the report, addresses those of objdump."""

import base64
import collections
import gzip
import http.server
import pty
import struct
import sys
import threading

from harness import *  # noqa: F403
from terminal import Terminal
from test_view import Server
from viewer_profile import ViewerProfile

BAKERY = PROGRAMS / "bakery.cc"
LINES = BAKERY.read_text().splitlines()


def line_of(mark):
    """The number of the line that ends with this comment."""
    found = [i + 1 for i, line in enumerate(LINES) if line.endswith(f"// {mark}")]
    need(len(found) == 1, f"{len(found)} lines with // {mark}")
    return found[0]


def recorded(t, **kw):
    return t.record(t.program("bakery.cc", "O2", ["-g"]), "0.7", **kw)


def annotated(t, *args, **kw):
    a = json.loads(t.good("annotate", "--json", *args, **kw))
    check_sums(a)
    return a


def of_kind(a, kind):
    return [row for row in a["rows"] if row["kind"] == kind]


def check_sums(a):
    """A line or an inlined function costs as much as its instructions, all instructions as much as the function's code."""
    rows = a["rows"]
    for i, row in enumerate(rows):
        need(row.get("total", row.get("self", 0)) >= row.get("self", 0) >= 0, f"costs of {row}")
        if row["kind"] not in ("line", "inlined"):
            continue
        own, depth = [], row["depth"]
        for other in rows[i + 1 :]:
            if other["depth"] < depth or other["kind"] in ("file", "gap"):
                break
            if other["depth"] == depth and other["kind"] in (("line", "inlined") if row["kind"] == "line" else ("inlined",)):
                break
            own += [other["self"]] if other["kind"] == "instruction" else []
        # The unknown line also has cost without instructions.
        is_more = row["kind"] == "line" and row["line"] == 0 and any("not shown: instructions" in note for note in a["notes"])
        need(not own or row["self"] == sum(own) or (is_more and row["self"] > sum(own)), f"{row['self']} is not the sum of {own}: {row}")
    parts = a["functions"]
    if not any("other builds" in note for note in a["notes"]):
        need(sum(part["self"] for part in parts) == a["function_code"], f"functions cost {parts}, the function's code {a['function_code']}")
    need(all(part["self"] == sum(line["self"] for line in part["lines"]) for part in parts), f"{parts}")
    if of_kind(a, "instruction"):
        total = sum(row["self"] for row in of_kind(a, "instruction"))
        if not any("not shown" in note for note in a["notes"]):
            need(total == a["function_code"], f"instructions cost {total}, the function's code {a['function_code']}")
            lines = sum(row["self"] for row in of_kind(a, "line") if row["depth"] == 0)
            need(lines == total, f"lines cost {lines}, instructions {total}")
        addresses = [row["address"] for row in of_kind(a, "instruction")]
        need(len(addresses) == len(set(addresses)), "an instruction appears twice")


def innermost_lines(a):
    """{(file, line): cost of the instructions made for it}"""
    found, at = collections.Counter(), {}
    for row in a["rows"]:
        if row["kind"] == "line":
            at[row["depth"]] = (row["file"], row["line"])
        elif row["kind"] == "instruction":
            found[at[row["depth"]]] += row["self"]
    return found


def test_costs(t):
    """Those of lines, functions and calls are those of the other views; the hot line is the known one."""
    r = recorded(t)
    functions = {f["name"]: f for f in r.json["functions"]}
    lines = collections.Counter()
    for name in ("mix_dough", "mix_batter"):
        a = annotated(t, name, r.file)
        theirs = functions[a["function"]]
        need((a["function_self"], a["function_total"]) == (theirs["self"], theirs["total"]), f"{name} is not {theirs}")
        need((a["total"], a["samples"], a["unit"]) == (r.json["total"], r.json["samples"], "ns"), f"{name}: {a['total']}")
        need(all("newer" in note for note in a["notes"]), f"{name}: {a['notes']}")  # the program is kept between runs
        lines += innermost_lines(a)
    report = json.loads(t.good("report", "--by", "line", "--json", r.file))["lines"]
    first, last = line_of("hot") - 2, next(i for i, line in enumerate(LINES) if line.startswith("int main"))
    theirs = {(row["file"], row["line"]): row["self"] for row in report if row["file"] == str(BAKERY) and first <= row["line"] <= last and row["self"]}
    theirs.pop((str(BAKERY), next(i + 1 for i, line in enumerate(LINES) if " rest(long" in line)), None)
    need({k: v for k, v in lines.items() if v} == theirs, f"lines: {lines}, in the report: {theirs}")

    a = annotated(t, "mix_dough", r.file)
    parts = {(line["file"], line["line"]): 0 for part in a["functions"] for line in part["lines"]}
    for line in (line for part in a["functions"] for line in part["lines"]):
        parts[line["file"], line["line"]] += line["self"]
    need(parts == {k: v for k, v in innermost_lines(a).items() if v}, f"lines by function: {parts}")
    need(a["functions"][0]["name"] == "stir" and a["functions"][0]["inlined"], f"{a['functions'][0]}")
    shown = t.good("annotate", "--by", "inlined", "mix_dough", r.file)
    need("stir  (inlined, " in shown and "// hot" in shown, shown)
    hot = max(of_kind(a, "instruction"), key=lambda row: row["self"])
    at = a["rows"].index(hot)
    above = next(row for row in a["rows"][at::-1] if row["kind"] == "line")
    need((above["line"], above["text"], above["depth"]) == (line_of("hot"), LINES[line_of("hot") - 1], 2), f"the hot line: {above}")
    need([row["name"] for row in of_kind(a, "inlined")][:2] == ["knead", "stir"], f"{of_kind(a, 'inlined')}")
    at_least(lines[str(BAKERY), line_of("hot")] / sum(lines.values()), 0.6, "share of the hot line")
    outermost = next(row for row in of_kind(a, "line") if row["line"] == line_of("outermost") and row["depth"] == 0)
    need(outermost["self"] >= above["self"], f"lines leave out inlined code: {outermost}")

    called = sum(n for _, s, n in r.parsed("--count", "weights") if "mix_dough(long);rest(long)" in s)
    call = next(row for row in of_kind(a, "instruction") if row.get("called") == "rest(long)")
    line = next(row for row in of_kind(a, "line") if row["line"] == line_of("called"))
    below = [row["total"] - row["self"] for row in (call, line)]  # a sample may be at the call itself
    need(called > 0 and below == [called, called], f"{called} in rest, not {call} and {line}")

    stir = annotated(t, "stir", r.file)
    need(stir["function_self"] == stir["function_code"] == functions["stir"]["self"], f"stir: {functions['stir']}")
    need(annotated(t, r.file)["function"] == "stir", "the hottest function")
    heading = next(l for l in t.good("annotate", "mix_dough", r.file).splitlines() if l.endswith("% total"))
    shares = [100 * a[f"function_{part}"] / a["total"] for part in ("self", "code", "total")]
    need(heading.endswith("{:.1f}% self, {:.1f}% with inlined code, {:.1f}% total".format(*shares)), f"{heading} is not {shares}")
    need("with inlined code" not in t.good("annotate", "stir", r.file), "says the same twice")


def test_selection(t):
    """The selection options of the report work here."""
    r = recorded(t)
    part = annotated(t, "stir", "--focus", "mix_batter", r.file)
    whole = annotated(t, "stir", r.file)
    need(0 < part["total"] < whole["total"] and part["function_code"] < whole["function_code"], f"{part['total']} of {whole['total']}")
    without = annotated(t, "mix_dough", "--no-inlines", r.file)
    need(without["function_self"] == without["function_code"] and not any(f["name"] == "stir" for f in json.loads(t.good("report", "--no-inlines", "--json", r.file))["functions"]), "--no-inlines")
    t.refused("annotate", "mix", r.file, code=1, says=["matches 2 functions", "mix_dough", "mix_batter", r"hint: wick annotate mix_\w+ /.*p\.wick"])
    t.refused("annotate", "nothing", r.file, code=1, says="no function \"nothing\"")
    t.refused("annotate", "stir", "--thread", "nobody", r.file, code=1, says="nobody")
    t.refused("annotate", "--asm", "--source", r.file, code=2, says="cannot be combined")
    t.refused("annotate", "stir", t.tmp / "missing", code=1, says="missing")


def test_assembly(t):
    """The instructions are those that objdump finds, with the jumps; other views draw no jumps."""
    objdump, program = tool("objdump"), t.program("bakery.cc", "O2", ["-g"])
    r = recorded(t)
    text = text_of(t.run(objdump, "-d", "--no-show-raw-insn", "--disassemble=_ZL9mix_doughl", program).stdout)
    theirs = [int(m, 16) for m in re.findall(r"^\s+([0-9a-f]+):\t", text, re.M)]
    need(len(theirs) > 10, f"objdump: {text[:300]}")
    need(sorted(row["address"] for row in of_kind(annotated(t, "mix_dough", r.file), "instruction")) == theirs, "other addresses in JSON")
    shown = t.good("annotate", "--asm", "mix_dough", r.file)
    need([int(m, 16) for m in re.findall(r" ([0-9a-f]{3,})  [a-z]", shown)] == theirs, f"other addresses:\n{shown}")
    need(all(c in shown for c in "╭╰▸▶") and "<rest>" in shown and "stir ← knead" in shown, f"no arrows:\n{shown}")
    lines, source = t.good("annotate", "mix_dough", r.file), t.good("annotate", "--source", "mix_dough", r.file)
    need(not set("╭╰▸") & set(lines + source), f"arrows:\n{lines}")
    need("▶" in lines and "<rest>" in lines and "▶" not in source and "<rest>" not in source, f"instructions:\n{source}")
    need("// hot" in lines and "// hot" in source and "// hot" not in shown, "source")
    few, many = (t.good("annotate", "--source", "--context", n, "mix_dough", r.file).count("\n") for n in (0, 20))
    need(few < source.count("\n") < many, f"--context: {few} and {many} lines")


def on_terminal(t, *args, columns, **env):
    near_end, far_end = pty.openpty()
    p = t.start_process([t.wick_path, *args], stdin=subprocess.DEVNULL, stdout=far_end, stderr=subprocess.PIPE,
                        env={**t.environment(t.tmp), "COLUMNS": str(columns), "TERM": "xterm", **env})
    os.close(far_end)
    out = b""
    try:
        while data := os.read(near_end, 1 << 16):
            out += data
    except OSError:  # the other end has closed
        pass
    os.close(near_end)
    need(p.wait(60) == 0, text_of(p.stderr.read()))
    return out.decode().replace("\r\n", "\n")


def test_width(t):
    """Lines fit a terminal and have no trailing blanks; elsewhere they are complete."""
    r = recorded(t)
    for options in ((), ("--asm",), ("--source",)):
        for columns, locale in ((80, "C.UTF-8"), (100, "C.UTF-8"), (80, "C")):
            shown = on_terminal(t, "annotate", *options, "mix_dough", r.file, columns=columns, LC_ALL=locale)
            need("\x1b[" in shown, "no colors")
            plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
            for line in plain[plain.index("\n\n") + 2 :].splitlines():  # without the lines about the recording
                need(len(line) <= columns and line == line.rstrip(), f"{columns} columns: {line!r}")
            need(locale != "C" or shown.isascii(), f"not ASCII: {plain}")
            need("--asm" in options or f"{line_of('hot')}      a = ((a ^ (a >> 29))" in plain, f"no start of the hot line:\n{plain}")
        need("\x1b" not in t.good("annotate", *options, "mix_dough", r.file), "colors in a pipe")
        for line in t.good("annotate", *options, "mix_dough", r.file).splitlines():
            need(line == line.rstrip(), f"{line!r}")
    need(LINES[line_of("hot") - 1] in t.good("annotate", "mix_dough", r.file), "cut in a pipe")


def plain(shown):
    return re.sub(r"\x1b\[[0-9;]*[mK]", "", shown).replace("\r\n", "\n")


class Spy:
    """A pager that keeps what it is given."""

    def __init__(self, t):
        self.file = t.tmp / "paged"
        self.command = f"tee {self.file}"

    def text(self):
        return plain(self.file.read_text()) if self.file.exists() else None


def test_pager(t):
    """Text longer than the terminal is shown in $PAGER; elsewhere and if it fits, nothing is started."""
    r, spy = recorded(t), Spy(t)
    command = [t.wick_path, "annotate", "mix_dough", r.file]

    def shown(*options, rows=10, **environment):
        spy.file.unlink(missing_ok=True)
        tty = Terminal(t, [*command, *options], columns=200, rows=rows, **{"PAGER": spy.command, **environment})
        need(tty.end() == 0, f"{options}, {environment}:\n{tty.screen.text()}")
        return plain(tty.output.decode())

    whole = t.good("annotate", "mix_dough", r.file)
    last = whole.splitlines()[-1]
    need(shown() == whole == spy.text(), f"in a pager: {spy.text()}")
    for what, options, environment in (("fits", {"rows": whole.count("\n") + 1}, {}), ("empty", {}, {"PAGER": ""}), ("cat", {}, {"PAGER": " cat "}),
                                       ("a dumb terminal", {}, {"TERM": "dumb"}), ("no such pager", {}, {"PAGER": "/no/such/pager"}),
                                       ("less is missing", {}, {"PAGER": None, "PATH": str(t.tmp)})):
        text = shown(**options, **environment)
        need(text.endswith(whole) and spy.text() is None, f"{what}: {text}")
    need(shown("--no-pager") == whole and spy.text() is None, "--no-pager")
    need(shown(rows=whole.count("\n")) == whole == spy.text(), "one line too long for the prompt")
    shown("--json")
    need(spy.text() is None, "JSON in a pager")
    need(t.good("annotate", "mix_dough", r.file, env={**t.environment(t.tmp), "PAGER": spy.command}) == whole and spy.text() is None, f"a pager in a pipe; {last}")


def test_pager_keys(t):
    """less keeps colors whatever $LESS says. Ctrl-C does not end it, and quitting it is no error."""
    tool("less")
    r = recorded(t)
    for less in (None, "-i", "M"):
        tty = Terminal(t, [t.wick_path, "annotate", "mix_dough", r.file], columns=120, rows=10, PAGER=None, LESS=less)
        tty.wait_for("mix_dough", "SELF")
        need("ESC" not in tty.screen.text() and b"\x1b[1m" in tty.output, f"LESS={less}: {tty.screen.text()}")
        tty.send("\x03")
        tty.settle()
        need(tty.p.poll() is None, f"Ctrl-C ended it: {tty.screen.text()}")
        tty.key("G", "(END)")
        tty.send("q")
        need(tty.end() == 0 and not tty.restored(), f"{tty.p.returncode}: {tty.restored()}")


def test_pager_quits(t):
    """A pager that reads only the start, or nothing, of a text that does not fit into a pipe."""
    source, program = t.tmp / "long.c", t.tmp / "long"
    steps = "".join(f"    x = (x ^ (x >> 29)) * {i * 2 + 12345}ul;\n" for i in range(3000))
    source.write_text(f"volatile unsigned long sink;\nint main(void) {{\n  unsigned long x = 1;\n  for (int i = 0; i < 50000; i++) {{\n{steps}  }}\n  sink = x;\n}}\n")
    need(t.run("gcc", "-O1", "-g", source, "-o", program).returncode == 0, "gcc")
    r = t.record(program)
    text = t.good("annotate", "--context", "10000", "main", r.file)
    need(len(text) > 1 << 17, f"too short a text: {len(text)} bytes: {text[:1000]}")
    for pager, wanted in (("head -n 3", "none lost"), ("exit 3", ""), ("kill -9 $$", "")):
        tty = Terminal(t, [t.wick_path, "annotate", "--context", "10000", "main", r.file], rows=10, PAGER=pager)
        need(tty.end() == 0, f"{pager}: {tty.screen.text()}")
        text = plain(tty.output.decode())
        need(wanted in text and len(text) < 1000 and "wick:" not in text, f"{pager}: {text[:2000]}")


class Build:
    """A build of the program in the test's directory, whose files can be changed."""

    def __init__(self, t):
        self.t, self.source, self.program = t, t.tmp / "src" / "loaf.cc", t.tmp / "bin" / "loaf"
        for path in (self.source, self.program):
            path.parent.mkdir()
        shutil.copy(BAKERY, self.source)
        shutil.copy(PROGRAMS / "work.h", self.source.parent)
        self.compile("-g")

    def compile(self, *flags):
        r = self.t.run(*compile_command(self.source, "O2"), *flags, self.source, "-o", self.program)
        need(r.returncode == 0, text_of(r.stderr))

    def record(self, **kw):
        return self.t.record(self.program, "0.3", **kw)


def test_source_gone(t):
    b = Build(t)
    r = b.record()
    os.utime(b.source, (time.time() + 60, time.time() + 60))
    a = annotated(t, "mix_dough", r.file)
    need(a["notes"] == [f"source file is newer than the program: {b.source}"], f"{a['notes']}")
    elsewhere = t.tmp / "elsewhere" / "src"
    shutil.move(b.source.parent, elsewhere)
    gone = annotated(t, "mix_dough", r.file)
    need(gone["notes"] == [f"source file not found: {b.source}"], f"{gone['notes']}")
    need(not any("text" in row for row in of_kind(gone, "line")), "source from nowhere")
    need(of_kind(gone, "instruction") == of_kind(a, "instruction"), "other instructions")
    found = annotated(t, "mix_dough", "--source-dir", elsewhere.parent, r.file)
    need(found["rows"] == a["rows"], "--source-dir")
    t.refused("annotate", "--source-dir", b.source, r.file, code=2, says="--source-dir")


class SourceServer:
    """A debuginfod server for source files. answer(path): the bytes, a number of seconds to wait, or None if it has no such file."""

    def __init__(self, t, answer):
        self.t, self.asked = t, []
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                server.asked.append(self.path)
                body = answer(self.path)
                if isinstance(body, int):
                    time.sleep(body)
                try:
                    if not isinstance(body, bytes):
                        self.send_error(404)
                        return
                    self.send_response(200)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                except OSError:  # the client has seen enough
                    pass

            do_HEAD = do_GET

            def log_message(self, *_):
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.http.shutdown()
        self.http.server_close()

    def clients(self):
        """Environments with a client: ours and, if it is installed, the real one. Each has an empty cache."""
        folder = self.t.tmp / "client"
        folder.mkdir(exist_ok=True)
        script = folder / "debuginfod-find"
        script.write_text(f"""#!{sys.executable}
import os, sys, urllib.request
_, kind, build, name = sys.argv
path = os.path.join(os.environ["DEBUGINFOD_CACHE_PATH"], build, kind + name.replace("/", "#"))
os.makedirs(os.path.dirname(path), exist_ok=True)
with urllib.request.urlopen(f"{{os.environ['DEBUGINFOD_URLS']}}/buildid/{{build}}/{{kind}}{{name}}") as f:
    if int(f.headers["Content-Length"]) > int(os.environ["DEBUGINFOD_MAXSIZE"]):
        sys.exit(1)
    open(path, "wb").write(f.read())
print(path)
""")
        script.chmod(0o755)
        paths = [f"{folder}:{os.environ['PATH']}"] + ([os.environ["PATH"]] if shutil.which("debuginfod-find") else [])
        for number, path in enumerate(paths):
            cache = self.t.tmp / f"cache{number}"
            shutil.rmtree(cache, ignore_errors=True)
            self.asked.clear()
            yield {**self.t.environment(self.t.tmp), "PATH": path, "DEBUGINFOD_CACHE_PATH": str(cache),
                   "DEBUGINFOD_URLS": f"http://127.0.0.1:{self.http.server_port}", "DEBUGINFOD_RETRY_LIMIT": "1"}


def build_id_of(t, program):
    return re.search(r"Build ID: (\w+)", text_of(t.run("readelf", "-n", program).stdout))[1]


def test_source_fetched(t):
    """Source files that are nowhere else come from debuginfod, unless that is forbidden; only those of the shown function."""
    b = Build(t)
    r, build = b.record(), build_id_of(t, b.program)
    here = annotated(t, "mix_dough", r.file)
    text = b.source.read_bytes()
    shutil.rmtree(b.source.parent)
    missing = annotated(t, "mix_dough", r.file)
    wanted = f"/buildid/{build}/source{b.source}"
    with SourceServer(t, lambda path: text if path == wanted else None) as server:
        for env in server.clients():
            for options, less in ((["--no-fetch"], {}), (["--fetch-limit", "0"], {}), ([], {"DEBUGINFOD_URLS": ""})):
                a = annotated(t, "mix_dough", r.file, *options, env={**env, **less})
                need(a["rows"] == missing["rows"] and not server.asked, f"{options}, {less}: asked for {server.asked}")
            for command in (["report", r.file], ["export", "-q", "-o", t.tmp / "page.html", r.file]):
                t.good(*command, env=env)
            need(not server.asked, f"other views asked for {server.asked}")
            fetched = annotated(t, "mix_dough", r.file, env=env)
            need(server.asked == [wanted], f"asked for {server.asked}")
            need(fetched["rows"] == here["rows"], "other lines than those of the file")
            need(fetched["notes"] == [f"source file from debuginfod: {b.source}"], f"{fetched['notes']}")
            t.refused("annotate", "--fetch-limit", "x", r.file, code=2, says="--fetch-limit", env=env)


def test_source_server_fails(t):
    """Whatever a server answers, the function is shown, and in time."""
    b = Build(t)
    r = b.record()
    shutil.rmtree(b.source.parent)
    missing = annotated(t, "mix_dough", r.file)
    for what, answer in (("404", None), ("no text", b"\x7fELF\0\0"), ("too large", b"x\n" * (9 << 20))):
        with SourceServer(t, lambda path: answer) as server:
            for env in server.clients():
                a = annotated(t, "mix_dough", r.file, env=env)
                need(server.asked and a["rows"] == missing["rows"], f"{what}: asked for {server.asked}")
                need(a["notes"] == missing["notes"], f"{what}: {a['notes']}")
    with SourceServer(t, lambda path: b"other\n") as server:
        for env in server.clients():
            a = annotated(t, "mix_dough", r.file, env=env)
            need(sorted(a["notes"]) == [f"source file from debuginfod: {b.source}",
                                        f"source file has fewer lines than when the program was built: {next(Path(env['DEBUGINFOD_CACHE_PATH']).glob('*/source*'))}"],
                 f"another file: {a['notes']}")
            need(not any("other" in row.get("text", "") for row in of_kind(a, "line")), "another file's line")
    with SourceServer(t, lambda path: 300) as server:
        for env in server.clients():
            begin = time.monotonic()
            a = annotated(t, "mix_dough", r.file, env=env)
            need("debuginfod is slow: not all source files were fetched" in a["notes"], f"slow: {a['notes']}")
            need(a["rows"] == missing["rows"] and time.monotonic() - begin < 120, f"slow: {time.monotonic() - begin:.0f} s")
            break  # DEBUGINFOD_TIMEOUT is the real client's own limit


def test_source_names(t):
    """Names in debug info that would be other documents of the server, or other files of the cache, are not asked for."""
    source, program = t.tmp / "odd.c", t.tmp / "odd"
    code = "volatile unsigned long sink;\n#line 1 \"{}\"\nint main(void) {{\n  unsigned long x = 1;\n  for (long i = 0; i < 200000000; i++) x = x * 31 + 7;\n  sink = x;\n}}\n"
    for name, asked in (("/../../../../secret.c", None), ("/a/%2e%2e/%2e%2e/b.c", None), ("/a?b=/x.c", None), ("/a#/x.c", None), ("/a\\nb.c", None),
                        ("/nowhere/x/../y.c", "/nowhere/y.c"), ("/etc/shadow", None), ("relative.c", f"{t.tmp}/relative.c")):
        source.write_text(code.format(name))
        need(t.run("gcc", "-O1", "-g", source, "-o", program, cwd=t.tmp).returncode == 0, "gcc")
        r, build = t.record(program), build_id_of(t, program)
        with SourceServer(t, lambda path: None) as server:
            for env in server.clients():
                t.good("annotate", "main", r.file, env=env)
                need(server.asked == ([f"/buildid/{build}/source{asked}"] if asked else []), f"{name}: asked for {server.asked}")


def test_program_gone(t):
    """Without the program's own file, and its code in the recording, there are lines, but no instructions."""
    b = Build(t)
    r = b.record(options=["--no-code"])
    before = annotated(t, "mix_dough", r.file)
    b.compile("-g", "-O1")
    for note in ("has changed since it was recorded; its source may have changed", "was not found"):
        a = annotated(t, "mix_dough", r.file)
        need(a["notes"] == [f"no instructions: {b.program} {note}"] and not of_kind(a, "instruction"), f"{a['notes']}")
        need([a[f"function_{part}"] for part in ("self", "code", "total")] == [before[f"function_{part}"] for part in ("self", "code", "total")], "costs")
        need(sum(row["self"] for row in of_kind(a, "line")) == a["function_self"], "costs of lines")
        need("// outermost" in t.good("annotate", "mix_dough", r.file), "no source")
        b.program.unlink(missing_ok=True)
    os.utime(b.source, (time.time() + 60, time.time() + 60))
    a = annotated(t, "mix_dough", r.file)
    need(f"source file has changed since the recording: {b.source}" in a["notes"], f"edited after the recording: {a['notes']}")


NODE = """
function leaf(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) % 1000003; return s; }
function other(n) { let s = 1; for (let i = 1; i < n; i++) s += Math.sqrt(i) * s % 7; return s; }
const end = Date.now() + 900; let s = 0;
while (Date.now() < end) { s += leaf(20000); s += other(2000); }
console.log(s);
"""


def logged_code(dump):
    """[(name, address, code)] of a jitdump, by an independent reader."""
    data, found = dump.read_bytes(), []
    at = struct.unpack_from("<I", data, 8)[0]
    while at + 16 <= len(data):
        kind, size = struct.unpack_from("<II", data, at)
        need(size >= 16, f"a record of {size} bytes")
        if kind == 0:
            address, length = struct.unpack_from("<QQ", data, at + 32)
            end = data.index(b"\0", at + 56)
            found.append((data[at + 56 : end].decode(), address, data[end + 1 : end + 1 + length]))
        at += size
    return found


def check_generated(t, a, logged, what):
    """The instructions are bytes that were logged under this name, at their addresses."""
    instructions = of_kind(a, "instruction")
    need(instructions, f"{what}: no instructions: {a['notes']}")
    versions = [(address, code) for name, address, code in logged if name == a["function"]]
    need(versions, f"{what}: {a['function']} was not logged")
    for row in instructions:
        mine = bytes.fromhex(row["bytes"].replace(" ", ""))
        need(any(code[row["address"] - address :].startswith(mine) for address, code in versions if row["address"] >= address), f"{what}: not logged: {row}")
    need(a["notes"][0] == "instructions are as the JIT compiler logged them (jitdump)", f"{what}: {a['notes']}")
    need(sum(row["self"] for row in of_kind(a, "line") if row["depth"] == 0) == a["function_self"], f"{what}: lines do not add up to {a['function_self']}")


def test_generated(t):
    """Instructions of generated code are in the recording; perf.data has them as long as the jitdump exists."""
    node, script = tool("node"), t.tmp / "work.js"
    script.write_text(NODE)
    r = t.record(node, "--perf-prof", "--no-turbo-inlining", script, cwd=t.tmp)
    dump = next(iter(t.tmp.glob("jit-*.dump")))
    logged = logged_code(dump)
    dump.unlink()
    functions = [f for f in r.json["functions"] if re.search(r":\S?(leaf|other) ", f["name"]) and f["self"] > 0.05 * r.json["total"]]
    need(functions, f"no function is hot: {r.json['functions'][:5]}")
    for f in functions:
        a = annotated(t, f["name"], r.file)
        need(a["function_self"] == f["self"], f"{a['function_self']} is not {f}")
        check_generated(t, a, logged, "wick")
    r = t.record(node, "--perf-prof", script, cwd=t.tmp, options=["--no-code"])
    next(iter(t.tmp.glob("jit-*.dump"))).unlink()
    hottest = max((f for f in r.json["functions"] if f["module"] == "[jit]"), key=lambda f: f["self"])
    a = annotated(t, hottest["name"], r.file)
    need("--perf-prof" in a["notes"][0] and not of_kind(a, "instruction"), f"{a['notes']}")
    need(sum(row["self"] for row in of_kind(a, "line")) == a["function_self"] > 0, f"lines do not add up: {a['rows']}")

    perf = tool("perf")
    recorded = t.run(perf, "record", "-q", "-k", "mono", "-e", "cpu-clock", "-o", t.tmp / "perf.data", node, "--perf-prof", script, cwd=t.tmp)
    need(recorded.returncode == 0, text_of(recorded.stderr))
    dump = next(iter(t.tmp.glob("jit-*.dump")))
    report = json.loads(t.good("report", "--json", t.tmp / "perf.data"))
    hottest = max((f for f in report["functions"] if f["module"] == "[jit]"), key=lambda f: f["self"])
    check_generated(t, annotated(t, hottest["name"], t.tmp / "perf.data"), logged_code(dump), "perf.data")
    dump.unlink()
    for log in t.tmp.glob("isolate-*"):
        log.unlink()


def test_kernel(t):
    """Instructions of the kernel are what its memory has, if it can be read. Otherwise a note says why, and the costs still add up."""
    root_only()
    r = t.record("dd", "if=/dev/zero", "of=/dev/null", "bs=1M", "count=30000")
    kernel = [f for f in r.json["functions"] if f["module"] == "[kernel]" and f["self"] > 0.05 * r.json["total"]]
    if not kernel:
        raise Skip("the kernel is not sampled here")
    a = annotated(t, kernel[0]["name"], r.file)
    need(sum(row["self"] for row in of_kind(a, "line") if row["depth"] == 0) == a["function_self"] > 0, f"lines do not add up: {a}")
    if not os.access("/proc/kcore", os.R_OK):
        need(a["notes"][0].startswith("no instructions: ") and "kcore" in a["notes"][0], f"{a['notes']}")
        return "without /proc/kcore"
    need(a["notes"][0] == "instructions are those in the kernel's memory at the end of the recording", f"{a['notes']}")
    without = t.record("dd", "if=/dev/zero", "of=/dev/null", "bs=1M", "count=30000", options=["--no-code"], name="without.wick")
    b = annotated(t, kernel[0]["name"], without.file)
    need(b["notes"][0] == "instructions are those in the kernel's memory now (/proc/kcore)", f"{b['notes']}")
    code = [[(row["address"], row["bytes"]) for row in of_kind(x, "instruction")] for x in (a, b)]
    need(code[0] and sorted(code[0]) == sorted(code[1]), "the recording has other instructions than the memory")


def test_two_builds(t):
    """Lines and instructions of another build with the same name are not those of this one."""
    programs = []
    for name, step in (("a", "x ^= x << 13;"), ("b", "x = x / 3 + 12345678901;")):
        source, program = t.tmp / name / "app.c", t.tmp / name / "app"
        source.parent.mkdir()
        source.write_text(f"""#include <stdlib.h>
        volatile unsigned long sink;
        __attribute__((noinline)) void work(long n) {{
          unsigned long x = 1;
          for (long i = 0; i < n; i++) {step}
          sink = x;
        }}
        int main(int c, char** v) {{ work(atol(v[1]) * 1000000); }}
        """)
        need(t.run("gcc", "-O2", "-g", source, "-o", program).returncode == 0, "gcc")
        programs.append(program)
    r = t.record("sh", "-c", f"{programs[0]} 200; {programs[1]} 400")
    a = annotated(t, "work", r.file)
    costs = [sum(n for _, s, n in r.parsed("--count", "weights", "--focus", "work") if s.endswith(";work")), a["function_self"]]
    need(costs[0] == costs[1], f"the report has {costs[0]}, not {costs[1]}")
    need(len(a["notes"]) == 1 and re.fullmatch(r"not shown: other builds of app \([0-9.]+% self\)", a["notes"][0]), f"{a['notes']}")
    files = {row["file"] for row in of_kind(a, "line") if row["self"]}
    need(len(files) == 1, f"lines of {files}")
    shown = sum(row["self"] for row in of_kind(a, "instruction"))
    need(0 < shown < a["function_code"] and shown == sum(row["self"] for row in of_kind(a, "line")), f"{shown} of {a['function_code']}")


def test_inlined_and_called(t):
    """The lines of a function have the cost of its code and of all places where it was inlined."""
    source, program = t.tmp / "mix.c", t.tmp / "mix"
    source.write_text("""
    volatile unsigned long sink;
    static inline unsigned long stir(unsigned long a, long n) {
      for (long i = 0; i < n; i++)
        a = (a ^ (a >> 29)) * 0xbf58476d1ce4e5b9ul;
      return a;
    }
    unsigned long (*volatile called)(unsigned long, long) = stir;
    __attribute__((noinline)) unsigned long both(unsigned long a) { return called(stir(a, 100000000), 100000000); }
    int main(void) { sink = both(1); }
    """)
    need(t.run("gcc", "-O2", "-g", source, "-o", program).returncode == 0, "gcc")
    r = t.record(program)
    a = annotated(t, "stir", r.file)
    containers = collections.Counter()
    for row in of_kind(a, "instruction"):
        containers[row.get("container", "")] += row["self"]
    need(set(containers) == {"", "both"} and min(containers.values()) > 0, f"{containers}")
    for row in of_kind(a, "line"):
        need(row["depth"] == 0 and (3 <= row["line"] <= 7 or row["self"] == 0), f"a line of another function: {row}")
        need(row.get("total", 0) - row["self"] <= 0.05 * a["total"], f"the line calls nothing: {row}")  # but interrupts
    need("(in both)" in t.good("annotate", "--asm", "stir", r.file), "where it is inlined")


def test_stripped(t):
    """Without debug info there are instructions, without symbols too, but no name to ask for."""
    b = Build(t)
    strip = tool("strip")
    need(t.run(strip, "--strip-debug", b.program).returncode == 0, "strip")
    r = b.record()
    a = annotated(t, "mix_dough", r.file)
    need(len(of_kind(a, "instruction")) > 10 and [row["line"] for row in of_kind(a, "line")] == [0], f"{a['rows'][:5]}")
    need(len(a["notes"]) == 1 and "no debug info" in a["notes"][0], f"{a['notes']}")
    need(a["function_self"] == a["function_code"], "inlined code without debug info")
    need(t.run(strip, b.program).returncode == 0, "strip")
    later = annotated(t, "mix_dough", r.file)
    need(of_kind(later, "instruction") and later["function_code"] == a["function_code"], f"stripped after it was recorded: {later['notes']}")
    r = b.record()
    t.refused("annotate", "mix_dough", r.file, code=1, says='no function "mix_dough"')
    hottest = max(r.json["functions"], key=lambda f: f["self"])
    a = annotated(t, r.file)
    need(a["function_self"] == hottest["self"] and of_kind(a, "instruction"), f"the hottest is {hottest}, shown are {a['function_self']} ns")


def test_inlined_in_many_places(t):
    """All places are shown, however many there are."""
    source, program = t.tmp / "many.c", t.tmp / "many"
    functions = "".join(f"__attribute__((noinline)) unsigned long f{i}(unsigned long a) {{ return stir(a) + {i}; }}\n" for i in range(200))
    source.write_text(f"""
    volatile unsigned long sink;
    static inline __attribute__((always_inline)) unsigned long stir(unsigned long a) {{
      for (long i = 0; i < 1000000; i++) a = (a ^ (a >> 29)) * 0xbf58476d1ce4e5b9ul;
      return a;
    }}
    {functions}
    int main(void) {{ {"".join(f"sink = f{i}(sink);" for i in range(200))} }}
    """)
    need(t.run("gcc", "-O2", "-g", source, "-o", program).returncode == 0, "gcc")
    r = t.record(program)
    a = annotated(t, "stir", r.file)
    containers = {row["container"] for row in of_kind(a, "instruction") if row["self"]}
    need(len(containers) > 100 and not a["notes"], f"{len(containers)} places; {a['notes']}")


def test_only_debug_info(t):
    """Lines come from a debug file if the program is gone; bytes that are no code are not shown as instructions."""
    b = Build(t)
    r, full = b.record(options=["--no-code"]), b.record(name="full.wick")
    whole = annotated(t, "mix_dough", full.file)
    debug = t.tmp / "debug" / "loaf.debug"
    debug.parent.mkdir()
    need(t.run(tool("objcopy"), "--only-keep-debug", b.program, debug).returncode == 0, "objcopy")
    program, kept = b.program.read_bytes(), bytearray(debug.read_bytes())
    b.program.unlink()
    first, count = int.from_bytes(program[0x20:0x28], "little"), int.from_bytes(program[0x38:0x3A], "little")
    headers = slice(first, first + 56 * count)
    for made_by in ("objcopy", "eu-strip"):
        a = annotated(t, "mix_dough", "--debug-dir", debug.parent, r.file)
        need(not of_kind(a, "instruction") and "only its debug info" in a["notes"][0], f"{made_by}: {a['notes']}")
        need(any("// outermost" in row.get("text", "") for row in of_kind(a, "line")), f"{made_by}: no source")
        a = annotated(t, "mix_dough", "--debug-dir", debug.parent, full.file)
        need(a["rows"] == whole["rows"], f"{made_by}: the recording's code with the debug file's lines is not the program's")
        kept[headers] = program[headers]  # eu-strip leaves the program headers as they were
        debug.write_bytes(kept)


def test_ordinary_user(t):
    r = recorded(t, user="nobody")
    a = annotated(t, "stir", r.file, user="nobody")
    need(of_kind(a, "instruction") and a["function_code"] > 0, f"{a['notes']}")


def element(page, name):
    packed = re.search(rf'<script type="text/plain" id="{name}">([A-Za-z0-9+/=]+)</script>', page)
    return packed and gzip.decompress(base64.b64decode(packed.group(1)))


def test_pages(t):
    """The exported page has the source of the hottest functions unless it is left out; `wick view` gives the same."""
    r = recorded(t)
    for name, options in (("with", []), ("without", ["--no-source"])):
        t.good("export", "-q", "-o", t.tmp / f"{name}.html", *options, r.file)
    page, without = ((t.tmp / f"{name}.html").read_text() for name in ("with", "without"))
    need(element(without, "wick-code") is None and "// hot" not in element(without, "wick-profile").decode("latin-1"), "--no-source")
    code, profile = json.loads(element(page, "wick-code")), ViewerProfile(element(page, "wick-profile"))
    hot = max(profile.costs(0).items(), key=lambda item: item[1][0])[0]
    need(profile.function_name(hot) == "stir" and code[str(hot)]["name"] == "stir", f"the hottest is {profile.function_name(hot)}")
    need(any(row["text"] == LINES[line_of("hot") - 1] for row in code[str(hot)]["rows"]), "no source")
    theirs = {row["address"]: row["bytes"] for row in of_kind(annotated(t, "stir", r.file), "instruction")}
    need({i["address"]: i["bytes"] for i in code[str(hot)]["instructions"]} == theirs, "other instructions than those of annotate")

    s = Server(t, "--no-open", r.file)
    served = ViewerProfile(s.get("/profile")[1])
    rows = {(served.function_name(f), served.module_name(f)): f for f in served.costs(0)}
    for number, wanted in code.items():
        status, body, head = s.get(f"/code?function={rows[wanted['name'], profile.module_name(int(number))]}")
        need(status == 200 and b"application/json" in head and json.loads(body) == wanted, f"{status}: {wanted['name']}")
    need(s.get(f"/code?function={len(served.columns['function_name'])}")[0] == 404, "one more function")

    elsewhere = t.tmp / "elsewhere" / "programs"
    elsewhere.mkdir(parents=True)
    (elsewhere / "bakery.cc").write_text("\n".join(line.upper() for line in LINES))
    t.good("export", "-q", "-o", t.tmp / "other.html", "--source-dir", elsewhere.parent, r.file)
    need("// HOT" in element((t.tmp / "other.html").read_text(), "wick-code").decode(), "--source-dir of export")
    s = Server(t, "--no-open", "--source-dir", elsewhere.parent, r.file)
    need(b"// HOT" in s.get(f"/code?function={hot}")[1], "--source-dir of view")


def addresses(p, event, name):
    """{address: self cost} of a function in the viewer's profile."""
    c, found = p.columns, collections.Counter()
    for i, of in enumerate(c["segment_event"]):
        for row in range(c["segment_first"][i], c["segment_first"][i + 1]) if of == event else ():
            frame = c["stack_frame"][c["sample_stack"][row]]
            if p.function_name(c["frame_function"][frame]) == name:
                found[int(c["frame_address"][frame])] += int(c["sample_weight"][row])
    return found


def test_compared_pages(t):
    """Of one build, both sides have costs by address. Of two builds only the file after, and the page says so. Served and exported."""
    program = t.program("bakery.cc", "O2", ["-g"])
    first, again = (t.record(program, seconds, name=f"{seconds}.wick") for seconds in ("0.4", "0.8"))
    other = t.record(t.program("bakery.cc", "O2", ["-g", "-O1"]), "0.6", name="other.wick")
    for after, is_same in ((again, True), (other, False)):
        files = [first.file, after.file]
        out = t.tmp / "both.html"
        need("cannot store" not in text_of(t.wick("export", "-o", out, *files).stderr), "a remark")
        page = out.read_text()
        code, p = json.loads(element(page, "wick-code")), ViewerProfile(element(page, "wick-profile"))
        need(p.meta["isDifference"] and p.meta["hasSource"] and p.meta["sides"] == [str(f) for f in files], f"{p.meta['sides']}")
        need([e["weight"] for e in p.meta["events"]] == [first.json["total"], after.json["total"]], "other costs than in the reports")
        hot = max(p.costs(1).items(), key=lambda item: item[1][0])[0]
        need(p.function_name(hot) == "stir", f"the hottest is {p.function_name(hot)}")
        shown = code[str(hot)]
        need(any(row["text"] == LINES[line_of("hot") - 1] for row in shown["rows"]), "no source")
        theirs = {row["address"]: row for row in of_kind(annotated(t, "stir", after.file), "instruction")}
        need({i["address"]: i["bytes"] for i in shown["instructions"]} == {a: row["bytes"] for a, row in theirs.items()}, "not the code after")
        need(any("builds differ" in note for note in shown["notes"]) == (not is_same), f"{shown['notes']}")
        module = p.meta["modules"][p.columns["function_module"][hot]]
        need(bool(module["buildId"]) == is_same, f"{module}")
        need(addresses(p, 1, "stir") == {a: row["self"] for a, row in theirs.items() if row["self"]}, "costs after")
        before = {row["address"]: row["self"] for row in of_kind(annotated(t, "stir", first.file), "instruction") if row["self"]}
        need(addresses(p, 0, "stir") == (before if is_same else {0: sum(before.values())}), "costs before")

        s = Server(t, "--no-open", *files)
        need(ViewerProfile(s.get("/profile")[1]).meta == p.meta, "the server has another profile")
        for number, wanted in code.items():
            need(json.loads(s.get(f"/code?function={number}")[1]) == wanted, f"served: {wanted['name']}")
    t.good("export", "-q", "--no-source", "-o", out, *files)
    need(element(out.read_text(), "wick-code") is None, "--no-source")
    t.refused("export", "--format", "pprof", *files, code=2, says=["pprof cannot store a comparison", f"hint: wick export --format html {files[0]} {files[1]}"])
    t.refused("export", "-o", t.tmp / "x.html", "-", "-", code=2, says="only one profile")
    t.refused("export", "-o", files[1], "--format", "html", *files, code=2, says="it is the input")
    need(not (t.tmp / "x.html").exists(), "a file of a refused comparison")


def test_vanished_function(t):
    """A function that only the file before has is shown with its code and costs there."""
    before = t.record(t.program("bakery.cc", "O2", ["-g"]), "0.5", name="before.wick")
    after = t.record(t.program("shares.c", "O2", ["-g", "-pthread"]), "0.3", "2", name="after.wick")
    s = Server(t, "--no-open", before.file, after.file)
    p = ViewerProfile(s.get("/profile")[1])
    number = next(f for f in p.costs(0) if p.function_name(f) == "mix_dough(long)")
    need(number not in p.costs(1), "mix_dough in another program")
    shown = json.loads(s.get(f"/code?function={number}")[1])
    need(shown["notes"][0].endswith("this is the code before"), f"{shown['notes']}")
    theirs = {row["address"]: row["bytes"] for row in of_kind(annotated(t, "mix_dough", before.file), "instruction")}
    need({i["address"]: i["bytes"] for i in shown["instructions"]} == theirs, "other instructions than those of annotate")
    theirs = {row["address"]: row["self"] for row in of_kind(annotated(t, "stir", before.file), "instruction") if row["self"]}
    need(addresses(p, 0, "stir") == theirs, "costs of inlined code")


def compared(t, *args):
    d = json.loads(t.good("diff", "--annotate", *args, "--json", "--context", "0"))
    for side in ("before", "after"):
        lines = sum(row["self"][side] for row in of_kind(d, "line") if row["depth"] == 0 and "self" in row)
        need(lines == d["function_code"][side], f"lines cost {lines} {side}, the function {d['function_code'][side]}")
    return d


def test_compared_lines(t):
    """A line is found again in another build, though lines were added above it and its program is gone. What cannot be matched is not judged."""
    folder = t.tmp / "project"
    folder.mkdir()
    source, program = folder / "bakery.cc", folder / "bakery"
    (folder / "work.h").write_text((PROGRAMS / "work.h").read_text())
    text = BAKERY.read_text()

    def build_and_record(name):
        need(t.run(tool("g++"), "-std=c++20", "-O2", "-g", "-pthread", source, "-o", program).returncode == 0, "does not compile")
        return t.record(program, "0.6", name=name)

    source.write_text(text)
    first = build_and_record("first.wick")
    again = t.record(program, "0.6", name="again.wick")
    d = compared(t, "mix_dough", first.file, again.file)
    theirs = [annotated(t, "mix_dough", r.file) for r in (first, again)]
    for side, a in zip(("before", "after"), theirs):
        for part in ("self", "code", "total"):
            need(d[f"function_{part}"][side] == a[f"function_{part}"], f"{part} {side}: {d[f'function_{part}'][side]}, not {a[f'function_{part}']}")
        costs = {(row["depth"], row["file"], row["line"]): row["self"] for row in of_kind(a, "line") if row["self"]}
        mine = {(row["depth"], row["file"], row[f"{side}_line"]): row["self"][side] for row in of_kind(d, "line") if row["self"][side]}
        need(mine == costs, f"lines {side}: {mine}, annotate has {costs}")
    need(not d["notes"], f"one build: {d['notes']}")
    need(any("text" in row for row in of_kind(d, "line")), "no source")

    # The same program, two lines further down; the first is at the top of the function. Nothing became slower.
    old = t.tmp / "old"
    old.mkdir()
    (old / "bakery.cc").write_text(text)
    moved = text.replace("  uint64_t a = sink;\n", "  // A new line.\n  uint64_t a = sink;\n", 1)
    moved = moved.replace("INLINE uint64_t stir", "// Another one.\nINLINE uint64_t stir", 1)
    source.write_text(moved)
    second = build_and_record("second.wick")
    lines = moved.splitlines()
    hot = [next(i + 1 for i, line in enumerate(l) if line.endswith("// hot")) for l in (LINES, lines)]
    need(hot[1] == hot[0] + 1, f"{hot}")

    d = compared(t, "mix_dough", "--source-dir-before", old, first.file, second.file)
    need(any(note == "the builds differ: lines are matched by their text" for note in d["notes"]), f"{d['notes']}")
    for row in of_kind(d, "line"):
        need(row["text"] == lines[row["after_line"] - 1] or row["after_line"] == 0, f"{row}")
        need(row["before_line"] == 0 or row["text"].strip() == LINES[row["before_line"] - 1].strip(), f"{row}")
        need(row["before_line"] > 0 and row["after_line"] > 0, f"not found again: {row}")
    found = next(row for row in of_kind(d, "line") if row["text"].endswith("// hot"))
    need([found["before_line"], found["after_line"]] == hot and found["comparable"], f"{found}")
    need(min(found["self"]["before_share"], found["self"]["after_share"]) > 0.5, f"{found}")

    # The edited file is not the source of the first build, though it has its name.
    d = compared(t, "mix_dough", first.file, second.file)
    need(any("by number and not judged" in note and "BEFORE" in note for note in d["notes"]), f"{d['notes']}")
    need(not any(row["comparable"] or row["self"]["verdict"] for row in d["rows"] if "self" in row), "judged")
    need(any(row["before_line"] == row["after_line"] == hot[0] for row in of_kind(d, "line")), "by number")


def test_recorded_code(t):
    """Instructions come from the recording if the program is gone or rebuilt, with the same costs; --no-code leaves them out."""
    program = t.tmp / "bakery"
    shutil.copy2(t.program("bakery.cc", "O2", ["-g"]), program)
    r = t.record(program, "0.7")
    none = t.record(program, "0.3", options=["--no-code"], name="none.wick")
    there = {name: annotated(t, name, r.file) for name in ("mix_dough", "stir")}
    cache = {**os.environ, "XDG_CACHE_HOME": str(t.tmp / "empty")}
    other = t.program("bakery.cc", "O2", ["-g", "-O1"])
    for change in ("deleted", "rebuilt"):
        program.unlink()
        if change == "rebuilt":
            shutil.copy2(other, program)
        for name, a in there.items():
            b = annotated(t, name, r.file, env=cache)
            theirs, mine = ({row["address"]: row for row in of_kind(x, "instruction")} for x in (a, b))
            need(any("are from the recording" in note for note in b["notes"]), f"{change}, {name}: {b['notes']}")
            need(set(mine) <= set(theirs), f"{change}, {name}: other addresses")
            need(name == "stir" or set(mine) == set(theirs), f"{change}, {name}: {len(mine)} of {len(theirs)} instructions")
            for address, row in mine.items():
                same = theirs[address]
                need((row["bytes"], row["text"], row["self"]) == (same["bytes"], same["text"], same["self"]), f"{row} is not {same}")
            need(a["function_code"] == b["function_code"] == sum(row["self"] for row in mine.values()), f"{name}: costs")
        shown = t.good("annotate", "--asm", "mix_dough", r.file, env=cache)
        need("▶" in shown and "imul" in shown or "mul" in shown, shown)
        notes = annotated(t, "mix_dough", none.file, env=cache)["notes"]
        need(any(note.startswith("no instructions") for note in notes), f"{notes}")
        program.touch()


def test_embedded_source(t):
    """--embed-source keeps the source of the recorded build, and a later comparison matches lines by it. Newer files are other versions."""
    folder = t.tmp / "project"
    folder.mkdir()
    source, program = folder / "bakery.cc", folder / "bakery"
    (folder / "work.h").write_text((PROGRAMS / "work.h").read_text())

    def build():
        need(t.run(tool("g++"), "-std=c++20", "-O2", "-g", "-pthread", source, "-o", program).returncode == 0, "does not compile")

    source.write_text(BAKERY.read_text())
    build()
    first = t.record(program, "0.5", options=["--embed-source"], name="first.wick")
    plain = t.record(program, "0.3", name="plain.wick")
    moved = "// A new line.\n" + BAKERY.read_text()
    source.write_text(moved)
    late = t.record(program, "0.3", options=["--embed-source"], name="late.wick")
    build()
    second = t.record(program, "0.5", options=["--embed-source"], name="second.wick")
    source.unlink()
    for r, lines in ((first, LINES), (second, moved.splitlines())):
        a = annotated(t, "mix_dough", r.file)
        need(not any("not found" in note and "bakery.cc" in note for note in a["notes"]), f"{a['notes']}")
        for row in of_kind(a, "line"):
            need(row["file"] != str(source) or row["text"] == lines[row["line"] - 1], f"{row}")
    for r in (plain, late):
        a = annotated(t, "mix_dough", r.file)
        need(any("not found" in note for note in a["notes"]), f"source that was not embedded: {a['notes']}")
    d = compared(t, "mix_dough", first.file, second.file)
    need("the builds differ: lines are matched by their text" in d["notes"], f"{d['notes']}")
    hot = next(row for row in of_kind(d, "line") if row.get("text", "").endswith("// hot"))
    need(hot["after_line"] == hot["before_line"] + 1 and hot["comparable"], f"{hot}")
    t.refused("record", "--embed-source", "--no-symbols", "--", program, code=2, says="--embed-source needs symbols")
