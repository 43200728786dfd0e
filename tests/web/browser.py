# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Chromium for tests: started without a window, driven over a pipe with the DevTools protocol.

The standard library is enough for this, so the tests need Debian's chromium and nothing from a package registry.
"""

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
import traceback
from pathlib import Path


def find_chromium():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return shutil.which(name)
    return None


def modifiers_of(ctrl=False, shift=False, alt=False):
    return (1 if alt else 0) | (2 if ctrl else 0) | (8 if shift else 0)


class Browser:
    """A browser, and the page that is driven. `errors` collects console messages of all pages and their workers, `requests` the URLs
    that were loaded."""

    def __init__(self, program):
        self.folder = tempfile.mkdtemp(prefix="wick-web-")
        to_browser, self.out = os.pipe()
        self.inp, from_browser = os.pipe()

        def wire():  # the protocol's file descriptors are 3 and 4
            os.dup2(to_browser, 10)
            os.dup2(from_browser, 11)
            os.dup2(10, 3)
            os.dup2(11, 4)

        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions"]
        flags += ["--disable-dev-shm-usage", "--hide-scrollbars"]
        self.process = subprocess.Popen(
            [program, *flags, f"--user-data-dir={self.folder}", "--remote-debugging-pipe", "about:blank"],
            preexec_fn=wire, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.next_id, self.session = b"", 0, None
        self.errors, self.requests, self.loaded, self.downloads = [], [], set(), []
        self.targets = {}  # of pages, by session
        self.prepare = lambda: None  # called for each new page
        pages = [t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page"]
        self._attach(pages[0]["targetId"] if pages else self.call("Target.createTarget", url="about:blank")["targetId"])

    def _attach(self, target):
        self.session = None
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.targets[self.session] = target
        for domain in ("Page", "Runtime", "Log", "Network", "DOM"):
            self.call(domain + ".enable")
        self.call("Page.setLifecycleEventsEnabled", enabled=True)
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)  # a page in the background behaves as one in front
        # Workers wait until their messages are collected.
        self.call("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True)

    def new_page(self):
        """Opens a page and drives it from now on. `use` goes back to another; `session` is its name."""
        self.session = None
        self._attach(self.call("Target.createTarget", url="about:blank")["targetId"])
        self.prepare()
        return self.session

    def use(self, session):
        self.session = session
        self.call("Page.bringToFront")

    def close_page(self, session):
        self.session = None
        self.call("Target.closeTarget", targetId=self.targets.pop(session))
        self.session = next(iter(self.targets), None)

    def close(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)  # the group that this class started, renderers included
        except ProcessLookupError:
            pass
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _send(self, session, method, params):
        self.next_id += 1
        message = {"id": self.next_id, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        return self.next_id

    def call(self, method, **params):
        sent = self._send(self.session, method, params)
        deadline = time.monotonic() + 150
        while True:
            answer = self._read(deadline)
            if answer.get("id") == sent:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def _read(self, deadline):
        while b"\0" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.inp], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self.inp, 1 << 20)
            if not piece:
                raise EOFError("the browser has ended")
            self.buffer += piece
        line, _, self.buffer = self.buffer.partition(b"\0")
        message = json.loads(line)
        method, params = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.errors.append(params["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.errors.append(str(params["args"]))
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Browser.downloadProgress" and params["state"] != "inProgress":
            self.downloads.append(params["state"])
        elif method == "Page.lifecycleEvent" and params["name"] == "load":
            self.loaded.add(params["loaderId"])
        elif method == "Target.attachedToTarget" and params["waitingForDebugger"]:
            for start in ("Runtime.enable", "Network.enable", "Runtime.runIfWaitingForDebugger"):
                self._send(params["sessionId"], start, {})
        return message

    def open(self, url, scripts=True):
        self.errors, self.requests = [], []
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        self._load("about:blank")  # otherwise a change of the fragment alone would not reload
        self._load(url if "://" in str(url) else Path(url).resolve().as_uri())
        self.requests = [r for r in self.requests if r != "about:blank"]

    def _load(self, url):
        """Waits for this document: the load event of the previous one may still be pending."""
        loader = self.call("Page.navigate", url=url)["loaderId"]
        deadline = time.monotonic() + 60
        while loader not in self.loaded:
            self._read(deadline)

    def save_downloads(self, folder):
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder), eventsEnabled=True)

    def wait_for_download(self):
        """Returns how the next one ends: completed or canceled."""
        deadline = time.monotonic() + 60
        while not self.downloads:
            self._read(deadline)
        return self.downloads.pop(0)

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def media(self, **features):
        self.call("Emulation.setEmulatedMedia", features=[{"name": k.replace("_", "-"), "value": v} for k, v in features.items()])

    def eval(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["exception"]["description"])
        return result["result"].get("value")

    def wait(self, expression, seconds=30):
        """Waits until the expression is true; returns its last value. The time is for slow machines: it passes only if a test fails."""
        deadline = time.monotonic() + seconds
        while not (value := self.eval_or_none(expression)) and time.monotonic() < deadline:
            time.sleep(0.03)
        return value

    def eval_or_none(self, expression):
        """None while the page is replaced by another."""
        try:
            return self.eval(expression)
        except RuntimeError as error:
            if "navigated" not in str(error):
                raise
            return None

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def hover(self, x, y):
        self.mouse("mouseMoved", x, y)

    def click(self, x, y, count=1, button="left", ctrl=False, shift=False):
        self.hover(x, y)
        for n in range(1, count + 1):
            for kind in ("mousePressed", "mouseReleased"):
                self.mouse(kind, x, y, button=button, clickCount=n, modifiers=modifiers_of(ctrl, shift))

    def double_click(self, x, y):
        self.click(x, y, count=2)

    def right_click(self, x, y):
        self.click(x, y, button="right")

    def drag(self, begin, end, ctrl=False, shift=False, steps=6):
        """Presses at one point, moves in steps, releases at the other."""
        held = {"modifiers": modifiers_of(ctrl, shift)}
        self.hover(*begin)
        self.mouse("mousePressed", *begin, button="left", clickCount=1, **held)
        for i in range(1, steps + 1):
            at = [a + (b - a) * i / steps for a, b in zip(begin, end)]
            self.mouse("mouseMoved", *at, button="left", buttons=1, **held)
        self.mouse("mouseReleased", *end, button="left", clickCount=1, **held)

    def wheel(self, x, y, dy, dx=0, ctrl=False):
        self.mouse("mouseWheel", x, y, deltaX=dx, deltaY=dy, modifiers=modifiers_of(ctrl))

    CODES = {"Enter": 13, "Escape": 27, "Tab": 9, "Home": 36, "End": 35, "PageUp": 33, "PageDown": 34, "Backspace": 8, "Delete": 46,
             "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "F10": 121, "ContextMenu": 93}

    def key(self, key, ctrl=False, shift=False, alt=False):
        modifiers = modifiers_of(ctrl, shift or (len(key) == 1 and (key.isupper() or key in "?*+~")), alt)
        code = self.CODES.get(key) or (ord(key.upper()) if key.isalnum() else 0)  # "$" has the number of Home
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 and not ctrl else "")
        common = {"key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        typed = {"text": text} if text else {}
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **common, **typed)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def type(self, text):
        for c in text:
            self.key(c)

    def screenshot(self, path):
        Path(path).write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))


def run_tests(kind, names, args):
    """Runs these methods of kind(browser, args, folder). Returns the exit code: 77 (skipped) where there is no browser."""
    program = find_chromium()
    if not program:
        print("web: skipped: no chromium here (Debian package: chromium)")
        return 1 if os.environ.get("WICK_NO_SKIP") == "1" else 77
    failed = 0
    browser = Browser(program)
    try:
        with tempfile.TemporaryDirectory(prefix="wick-web-") as folder:
            tests = kind(browser, args, Path(folder))
            for name in names:
                begin = time.monotonic()
                tests.begin_test()
                try:
                    try:
                        getattr(tests, name)()
                    except BaseException:
                        tests.shot(f"FAILED-{name}")
                        raise
                    finally:
                        tests.end_test()
                    print(f"web: ok {name[5:]} ({time.monotonic() - begin:.1f} s)", flush=True)
                except Exception:  # noqa: BLE001
                    failed += 1
                    print(f"web: FAILED {name[5:]}\n{traceback.format_exc(limit=4)}", flush=True)
    finally:
        browser.close()
    return 1 if failed else 0
