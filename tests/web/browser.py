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
from pathlib import Path


def find_chromium():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return shutil.which(name)
    return None


class Browser:
    """One page of one browser. `errors` collects console messages, `requests` the URLs that were loaded."""

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
        self.errors, self.requests, self.loaded = [], [], set()
        pages = [t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page"]
        target = pages[0]["targetId"] if pages else self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "DOM"):
            self.call(domain + ".enable")
        self.call("Page.setLifecycleEventsEnabled", enabled=True)

    def close(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)  # the group that this class started, renderers included
        except ProcessLookupError:
            pass
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, method, **params):
        self.next_id += 1
        message = {"id": self.next_id, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        deadline = time.monotonic() + 60
        while True:
            answer = self._read(deadline)
            if answer.get("id") == self.next_id:
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
        elif method == "Page.lifecycleEvent" and params["name"] == "load":
            self.loaded.add(params["loaderId"])
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

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def media(self, **features):
        self.call("Emulation.setEmulatedMedia", features=[{"name": k.replace("_", "-"), "value": v} for k, v in features.items()])

    def eval(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["exception"]["description"])
        return result["result"].get("value")

    def wait(self, expression, seconds=5):
        """Waits until the expression is true; returns its last value."""
        deadline = time.monotonic() + seconds
        while not (value := self.eval(expression)) and time.monotonic() < deadline:
            time.sleep(0.03)
        return value

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def hover(self, x, y):
        self.mouse("mouseMoved", x, y)

    def click(self, x, y):
        self.hover(x, y)
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)

    CODES = {"Enter": 13, "Escape": 27, "Tab": 9, "Home": 36, "End": 35, "PageUp": 33, "PageDown": 34, "Backspace": 8,
             "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}

    def key(self, key, ctrl=False, shift=False):
        modifiers = (2 if ctrl else 0) | (8 if shift else 0)
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
