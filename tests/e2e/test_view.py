# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""`wick view`: serves the viewer to those who have the URL, to no one else, and ends by itself. The page is tested in tests/web."""

import socket
import struct

from harness import *  # noqa: F403
from viewer_profile import ViewerProfile

FOLDED = "app;main;hot 70\napp;main;cold 30\n"


class Server:
    """A running `wick view`, or another command that prints the URL to `stream`."""

    def __init__(self, t, *args, command=None, stream="stdout", **kw):
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
        self.p = t.start_process(command or [t.wick_path, "view", *args], **{**pipes, **kw})
        watchdog = threading.Timer(60, self.p.kill)
        watchdog.start()
        found = None
        for line in getattr(self.p, stream):
            found = re.search(rb"http://(127\.0\.0\.1):(\d+)/([0-9a-f]{32})/\s", line)
            if found:
                break
        watchdog.cancel()
        need(found, f"no URL: {text_of(self.p.stderr.read()) if self.p.poll() is not None else ''}")
        self.port, self.token = int(found.group(2)), found.group(3).decode()
        self.url, self.address = found.group(0).decode().strip(), f"127.0.0.1:{self.port}"

    def connect(self, data=b""):
        s = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        s.sendall(data)
        return s

    def raw(self, data):
        """The status and the answer to these bytes. The answer arrives even if not all of them are read."""
        with self.connect(data) as s:
            answer = b""
            while chunk := s.recv(1 << 16):
                answer += chunk
        head, _, body = answer.partition(b"\r\n\r\n")
        need(head.startswith(b"HTTP/1.1 "), f"no answer to {data[:80]!r}: {answer[:80]!r}")
        size = re.search(rb"\r\nContent-Length: (\d+)", head)
        need(size and int(size.group(1)) == len(body), f"{len(body)} bytes of {size and size.group(1)}")
        for field in (b"Cache-Control: no-store", b"X-Content-Type-Options: nosniff", b"Referrer-Policy: no-referrer", b"frame-ancestors 'none'"):
            need(field in head, f"no {field!r} in the answer to {data[:80]!r}")
        return int(head[9:12]), body, head

    def head(self, line, *fields, host=None):
        lines = [f"{line} HTTP/1.1", f"Host: {self.address if host is None else host}", *fields, "", ""]
        return "\r\n".join(lines).encode("latin-1")

    def get(self, rest, *fields):
        return self.raw(self.head(f"GET /{self.token}{rest}", *fields))

    def open_page(self):
        s = self.connect(self.head(f"GET /{self.token}/alive"))
        need(s.recv(15) == b"HTTP/1.1 200 OK", "no stream")
        return s

    def end(self, seconds=5):
        try:
            return self.p.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Fail(f"still there after {seconds} s")


def folded(t, name="a.folded", text=FOLDED):
    (t.tmp / name).write_text(text)
    return t.tmp / name


def large(t):
    """About 8 MB for the page."""
    return folded(t, "large.folded", "".join(f"app;f{i % 1000};g{i % 997};leaf{i} {i}\n" for i in range(200_000)))


def test_page_and_profile(t):
    """The numbers are those of the report; the server listens on loopback alone."""
    r = t.record(t.program("pool.cc", "O2", ["-g"]), "0.5", "2")
    s = Server(t, "--no-open", r.file)
    status, page, head = s.get("/")
    need(status == 200 and page.startswith(b"<!doctype html>") and b"text/html; charset=utf-8" in head, f"{status} {page[:60]!r}")
    status, data, head = s.get("/profile")
    need(status == 200 and b"application/octet-stream" in head, f"{status}")
    p = ViewerProfile(data)
    theirs = {(f["name"], f["module"]): (f["self"], f["total"]) for f in r.json["functions"]}
    need({(p.function_name(f), p.module_name(f)): c for f, c in p.costs(0).items()} == theirs, "other costs than in the report")
    rows = [l.split() for l in Path("/proc/net/tcp").read_text().splitlines()]
    at = {w[1] for w in rows if w[3] == "0A" and int(w[1].split(":")[1], 16) == s.port}
    need(at == {f"0100007F:{s.port:04X}"}, f"listens on {at}")
    tcp6 = Path("/proc/net/tcp6")
    need(not tcp6.exists() or f":{s.port:04X} 0" not in tcp6.read_text(), "listens on IPv6")


def test_refusals(t):
    s = Server(t, "--no-open", folded(t))
    token, other = s.token, ("b" if s.token[0] == "a" else "a") + s.token[1:]
    get = lambda path, *fields, **kw: s.head(f"GET {path}", *fields, **kw)  # noqa: E731
    wanted = [
        (404, [get("/"), get("//"), get(f"/{other}/"), get(f"/{token[:-1]}/"), get(f"/{token}0/"), get(f"/{token}"), get("/favicon.ico")]),
        (404, [get(f"/{token}{8 * up}/etc/passwd") for up in ("/..", "/%2e%2e", "/..%2f..", "//")] + [get(f"/..{p}") for p in ("/etc/passwd", f"/{token}/")]),
        (404, [get(f"/{token}/{p}") for p in ("index.html", "profile/", "profile?x", "code", "code?function=", "code?function=1x", "code?function=1000", "code?function=99999999999")]),
        (403, [get(f"/{token}/", host=h) for h in ("evil.example", "localhost", "127.0.0.1", f"127.0.0.1:{s.port + 1}", f"{s.address}.evil.example")]),
        (403, [get(f"/{token}/profile", f"Origin: {o}") for o in ("http://evil.example", "null", "http://127.0.0.1", f"https://{s.address}")]),
        (403, [s.head(f"POST /{token}/quit", "Origin: http://evil.example")]),
        (405, [s.head(f"{m} /{token}/") for m in ("HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE")] + [get(f"/{token}/quit")]),
        (413, [s.head(f"POST /{token}/quit", "Content-Length: 100000000") + 300_000 * b"x", get(f"/{token}/", "Transfer-Encoding: chunked")]),
        (431, [get(f"/{token}/", "X: " + 9000 * "x"), get("/" + 100_000 * "a"), 20_000 * b"\0"]),
        (400, [b"\r\n\r\n", b"GET / HTTP/1.0\r\n\r\n", f"GET /{token}/ HTTP/1.1\r\n\r\n".encode(), get(f"/{token}/").replace(b"Host", b"Host: x\r\nHost")]),
        (400, [get(f"http://{s.address}/{token}/"), get(f"/{token}/\0"), get(f"/{token}/", "A: b\r\n c"), get(f"/{token}/", "A: b\rc"), b"\x16\x03\x01\r\n\r\n"]),
    ]
    for status, requests in wanted:
        for request in requests:
            got, body, _ = s.raw(request)
            need(got == status, f"{got}, not {status}: {request[:150]!r}")
            need(b"root:" not in body and token.encode() not in body, f"says too much: {body[:100]!r}")
    need(s.get("/")[0] == 200 and s.get("/profile", f"Origin: http://{s.address}")[0] == 200, "refuses its own page")
    with s.connect(b"GET /") as cut:  # closes in mid-request
        cut.shutdown(socket.SHUT_WR)
        need(cut.recv(100) == b"", "answered half a request")


def test_many_clients(t):
    """Two pages at once; clients that are slow, killed in mid-transfer or silent delay nobody."""
    s = Server(t, "--no-open", large(t))
    ask = s.head(f"GET /{s.token}/profile")
    slow = s.connect(ask)
    for _ in range(20):
        with s.connect(ask) as killed:
            killed.recv(1000)
            killed.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset, not an end
    silent = [s.connect(b"GET ") for _ in range(200)]
    found = [None, None]

    def fetch(i):
        found[i] = s.get("/profile")[1]

    threads = [threading.Thread(target=fetch, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    need(found[0] and found[0] == found[1] and len(found[0]) > 5_000_000, f"{[len(f or b'') for f in found]} bytes")
    need(ViewerProfile(found[0]).meta["events"][0]["weight"] == sum(range(200_000)), "other costs")
    need(s.p.poll() is None and slow.recv(9) == b"HTTP/1.1 ", "the slow one was dropped")
    del silent
    s.p.terminate()
    need(s.end() == 0, "SIGTERM in mid-transfer")


def test_ends(t):
    """At once and with 0 on SIGTERM, SIGINT and when the page asks for it, whatever is open."""
    for ask in (lambda s: s.p.send_signal(signal.SIGTERM), lambda s: s.p.send_signal(signal.SIGINT), lambda s: s.raw(s.head(f"POST /{s.token}/quit", "Content-Length: 0"))):
        s = Server(t, "--no-open", folded(t))
        page, silent = s.open_page(), s.connect()
        ask(s)
        need(s.end(2) == 0, f"code {s.p.returncode}")
        while page.recv(1000):
            pass
        silent.close()


def test_page_gone(t):
    """Ends some seconds after the last page has gone, not earlier, and not before a first one came."""
    unseen, seen = Server(t, "--no-open", folded(t)), Server(t, "--no-open", folded(t))
    unseen.get("/")
    first, second = seen.open_page(), seen.open_page()
    first.close()
    time.sleep(1)
    second.close()
    time.sleep(5)
    reloaded = seen.open_page()
    time.sleep(9)
    need(seen.p.poll() is None, "ended while a page was open")
    reloaded.close()
    start = time.monotonic()
    need(seen.end(30) == 0, f"code {seen.p.returncode}")
    need(8 < time.monotonic() - start < 20, f"ended after {time.monotonic() - start:.1f} s")
    need("the page was closed" in text_of(seen.p.stderr.read()), "does not say why it ended")
    need(unseen.p.poll() is None, "ended before anyone came")


def test_comparison(t):
    """Two files: both sides with their threads and times; functions match."""
    files = [t.record(t.program("pool.cc", "O2", ["-g"]), seconds, "2", name=f"{seconds}.wick") for seconds in ("0.3", "0.6")]
    s = Server(t, "--no-open", files[0].file, files[1].file)
    p = ViewerProfile(s.get("/profile")[1])
    need(p.meta["isDifference"] and p.meta["sides"] == [str(f.file) for f in files] and p.meta["hasTimes"], f"{p.meta['sides']}")
    need([e["name"] for e in p.meta["events"]] == ["before", "after"], f"{p.meta['events']}")
    need([e["weight"] for e in p.meta["events"]] == [f.json["total"] for f in files], "other costs than in the reports")
    need({th["side"] for th in p.meta["threads"]} == {0, 1} and all(th["tid"] for th in p.meta["threads"]), f"{p.meta['threads']}")
    names = [{p.function_name(f) for f in p.costs(event)} for event in (0, 1)]
    need(any("Hash::run" in n for n in names[0] & names[1]), "functions do not match")


def test_inputs(t):
    """Standard input, selections, and files that cannot be shown."""
    s = Server(t, "--no-open", "--ignore", "cold", "-", stdin=open(folded(t), "rb"))
    p = ViewerProfile(s.get("/profile")[1])
    need(p.meta["events"][0]["weight"] == 70 and not p.meta["hasTimes"], f"{p.meta['events']}")
    need("without /cold/" in p.meta["summary"][-1], f"{p.meta['summary']}")
    t.refused("view", "--no-open", t.tmp / "missing", code=1, says="missing")
    (t.tmp / "damaged.wick").write_bytes(b"WICK" + 100 * b"\xff")
    t.refused("view", "--no-open", t.tmp / "damaged.wick", code=1, says="damaged.wick")
    t.refused("view", "--no-open", "-", "-", code=2, says="only one profile")
    t.refused("view", "--no-open", "--event", "nothing", folded(t), code=1, says="was not recorded")


def test_port(t):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        t.refused("view", "--no-open", "--port", port, folded(t), code=1, says=["--port", "in use", "hint: wick view"])
    s = Server(t, "--no-open", "--port", port, folded(t))
    need(s.port == port and s.get("/")[0] == 200, f"port {s.port}")
    t.refused("view", "--port", "0", folded(t), code=2, says="from 1 to 65535")
    t.refused("view", "--port", "http", folded(t), code=2, says="from 1 to 65535")


def test_record_view(t):
    """The recording is shown; the URL goes to standard error, and the exit status is the command's."""
    command = [t.wick_path, "record", "--view", "-o", t.tmp / "p.wick", "--", t.program("ends.c"), "exit", "7", "0.2"]
    s = Server(t, command=command, stream="stderr")
    p = ViewerProfile(s.get("/profile")[1])
    need(p.meta["events"][0]["samples"] > 0, f"{p.meta['events']}")
    s.p.send_signal(signal.SIGINT)
    need(s.end() == 7, f"code {s.p.returncode}")


def test_browser(t):
    """A browser is opened where there is a display; its command line, which all users can see, has a URL for one visit only."""
    folder = t.tmp / "bin"
    folder.mkdir()
    opened = t.tmp / "opened"
    opened.mkdir()
    os.chmod(opened, 0o777)
    (folder / "xdg-open").write_text(f'#!/bin/sh\necho "$@" > {opened}/part\nmv {opened}/part {opened}/url\n')
    os.chmod(folder / "xdg-open", 0o755)
    environment = {**t.environment(t.tmp), "PATH": f"{folder}:{os.environ['PATH']}"}
    environment.pop("WAYLAND_DISPLAY", None)
    command = [t.wick_path, "view", folded(t)]
    command = t.as_user(command)[0] if os.getuid() == 0 else command

    environment.pop("DISPLAY", None)
    s = Server(t, command=command, env=environment)
    s.p.terminate()
    need("no display" in text_of(s.p.stderr.read()) and not (opened / "url").exists(), "opened without a display")
    environment["DISPLAY"] = ":0"
    s = Server(t, command=command, env=environment)
    wait_until((opened / "url").exists, 10, "the browser")
    url = (opened / "url").read_text().strip()
    need(url.startswith(f"http://{s.address}/") and s.token not in url, f"the browser got {url}")
    visit = s.head(f"GET /{url.split('/')[3]}/")
    status, _, head = s.raw(visit)
    need(status == 303 and f"Location: /{s.token}/\r\n".encode() in head + b"\r\n", f"{status}: {head!r}")
    need(s.raw(visit)[0] == 404, "two visits")
    if os.getuid() == 0:
        s = Server(t, folded(t), env=environment)
        s.p.terminate()
        need("as root" in text_of(s.p.stderr.read()), "does not say why no browser opens")
