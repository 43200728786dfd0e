# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""A program in a pseudo-terminal, and the screen that it draws: enough of xterm for what ncurses writes."""

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
import unicodedata

from harness import Fail

CSI = re.compile(r"\x1b\[([?>=!]?)([0-9;]*)([ -/]*)([@-~])")


class Screen:
    def __init__(self, columns, rows):
        self.resize(columns, rows)
        self.modes = set()  # of "?1049h" and the like
        self.odd = []  # control characters that a screen program never writes
        self.pending = ""

    def resize(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.x = self.y = 0
        self.top, self.bottom = 0, rows - 1
        self.cells = [[" "] * columns for _ in range(rows)]
        self.last = " "

    def text(self):
        return "\n".join("".join(row).rstrip() for row in self.cells)

    def feed(self, text):
        text = self.pending + text
        self.pending = ""
        i = 0
        while i < len(text):
            c = text[i]
            if c == "\x1b":
                used = self.escape(text, i)
                if used == 0:
                    self.pending = text[i:]
                    return
                i += used
                continue
            i += 1
            if c == "\r":
                self.x = 0
            elif c == "\n":
                self.line_feed()
            elif c == "\b":
                self.x = max(self.x - 1, 0)
            elif c == "\t":
                self.x = min((self.x // 8 + 1) * 8, self.columns - 1)
            elif c in "\x0e\x0f\x07":
                pass
            elif unicodedata.category(c) in ("Cc", "Cf"):
                self.odd.append(c)
            else:
                self.put(c)

    def line_feed(self):
        if self.y == self.bottom:
            self.cells.insert(self.bottom + 1, [" "] * self.columns)
            del self.cells[self.top]
        else:
            self.y = min(self.y + 1, self.rows - 1)

    def put(self, c):
        wide = unicodedata.east_asian_width(c) in "WF"
        if self.x + (2 if wide else 1) > self.columns:
            self.x = 0
            self.line_feed()
        self.cells[self.y][self.x] = c
        if wide:
            self.cells[self.y][self.x + 1] = ""
        self.x += 2 if wide else 1
        self.last = c

    def escape(self, text, i):
        """How many characters it has; 0: it is not complete."""
        if len(text) < i + 2:
            return 0
        kind = text[i + 1]
        if kind == "]":
            if not text.startswith("\x1b]104", i):  # the colors are those of the terminal again
                self.odd.append("OSC")
            end = text.find("\x07", i)
            return end + 1 - i if end >= 0 else 0
        if kind in "()":
            return 3 if len(text) >= i + 3 else 0
        if kind == "M":
            if self.y == self.top:
                self.cells.insert(self.top, [" "] * self.columns)
                del self.cells[self.bottom + 1]
            else:
                self.y = max(self.y - 1, 0)
            return 2
        if kind != "[":
            return 2
        m = CSI.match(text, i)
        if not m:
            return 0 if re.fullmatch(r"\x1b\[[?>=!]?[0-9;]*[ -/]*", text[i:]) else 2
        private, arguments, _, final = m.groups()
        numbers = [int(n) if n else 0 for n in arguments.split(";")]
        first = max(numbers[0], 1)
        if private:
            for n in numbers:
                (self.modes.add if final == "h" else self.modes.discard)(n) if final in "hl" else None
            if final == "h" and 1049 in numbers:
                self.cells = [[" "] * self.columns for _ in range(self.rows)]
            return len(m.group(0))
        row = self.cells[min(self.y, self.rows - 1)]
        if final in "Hf":
            self.y = min(first, self.rows) - 1
            self.x = min(max(numbers[1] if len(numbers) > 1 else 1, 1), self.columns) - 1
        elif final == "A":
            self.y = max(self.y - first, 0)
        elif final == "B":
            self.y = min(self.y + first, self.rows - 1)
        elif final == "C":
            self.x = min(self.x + first, self.columns - 1)
        elif final == "D":
            self.x = max(self.x - first, 0)
        elif final == "G":
            self.x = min(first, self.columns) - 1
        elif final == "d":
            self.y = min(first, self.rows) - 1
        elif final == "J":
            if numbers[0] == 2:
                self.cells = [[" "] * self.columns for _ in range(self.rows)]
            elif numbers[0] == 0:
                row[self.x :] = [" "] * (self.columns - self.x)
                for y in range(self.y + 1, self.rows):
                    self.cells[y] = [" "] * self.columns
            else:
                for y in range(self.y):
                    self.cells[y] = [" "] * self.columns
                row[: self.x + 1] = [" "] * (self.x + 1)
        elif final == "K":
            if numbers[0] == 0:
                row[self.x :] = [" "] * (self.columns - self.x)
            elif numbers[0] == 1:
                row[: self.x + 1] = [" "] * (self.x + 1)
            else:
                row[:] = [" "] * self.columns
        elif final == "X":
            end = min(self.x + first, self.columns)
            row[self.x : end] = [" "] * (end - self.x)
        elif final == "P":
            del row[self.x : self.x + first]
            row.extend([" "] * (self.columns - len(row)))
        elif final == "@":
            row[self.x : self.x] = [" "] * first
            del row[self.columns :]
        elif final == "b":
            for _ in range(first):
                self.put(self.last)
        elif final in "LMST":
            for _ in range(first):
                at = self.y if final in "LM" else self.top
                if final in "LT":
                    self.cells.insert(at, [" "] * self.columns)
                    del self.cells[self.bottom + 1]
                else:
                    self.cells.insert(self.bottom + 1, [" "] * self.columns)
                    del self.cells[at]
        elif final == "r":
            self.top = first - 1
            self.bottom = (numbers[1] if len(numbers) > 1 and numbers[1] else self.rows) - 1
            self.x = self.y = 0
        return len(m.group(0))


class Terminal:
    """Starts the command in a terminal of this size."""

    def __init__(self, t, command, columns=100, rows=30, stdin=None, **environment):
        self.screen = Screen(columns, rows)
        self.master, slave = pty.openpty()
        self.set_size(columns, rows)
        self.before = termios.tcgetattr(slave)
        self.slave_name = os.ttyname(slave)
        env = {**os.environ, **t.environment(t.shared / "home"), "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **environment}
        for name in [n for n, value in env.items() if value is None]:
            del env[name]
        env.pop("COLUMNS", None)
        env.pop("LINES", None)

        def own_terminal():
            os.setsid()
            fcntl.ioctl(1, termios.TIOCSCTTY, 0)

        streams = {"stdin": slave if stdin is None else stdin, "stdout": slave, "stderr": slave}
        self.p = t.start_process(command, env=env, start_new_session=False, preexec_fn=own_terminal, **streams)
        self.slave = slave
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.output = b""

    def set_size(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns, rows):
        self.screen.resize(columns, rows)
        self.set_size(columns, rows)

    def read(self, seconds):
        """Shows what arrives within that time; returns whether anything did."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.master, 1 << 16)
        except OSError:
            return False
        self.output += data
        self.screen.feed(self.decoder.decode(data))
        return bool(data)

    def send(self, text):
        os.write(self.master, text.encode() if isinstance(text, str) else text)

    def wait_for(self, *texts, without=(), seconds=30):
        """Until the screen has all of these texts."""
        end = time.monotonic() + seconds
        while True:
            shown = self.screen.text()
            if all(x in shown for x in texts) and not any(x in shown for x in without) and not self.read(0.05):
                return shown  # and nothing more is being drawn
            if time.monotonic() > end or (self.p.poll() is not None and not self.read(0)):
                state = "ended" if self.p.poll() is not None else "shows"
                raise Fail(f"no {texts!r} (without {without!r}); wick {state}:\n{shown}")
            self.read(0.1)

    def key(self, keys, *texts, **kw):
        self.send(keys)
        return self.wait_for(*texts, **kw)

    def settle(self, seconds=0.3):
        """Until nothing more arrives."""
        while self.read(seconds):
            pass
        return self.screen.text()

    def end(self, seconds=30):
        """The exit code."""
        end = time.monotonic() + seconds
        while self.p.poll() is None:
            if time.monotonic() > end:
                raise Fail(f"still there after {seconds} s:\n{self.screen.text()}")
            self.read(0.05)
        while self.read(0):
            pass
        return self.p.returncode

    def restored(self):
        """What is wrong with the terminal now; empty: nothing."""
        after = termios.tcgetattr(self.slave)
        wrong = [] if after[:4] == self.before[:4] else ["its settings differ"]
        return wrong + [f"mode {m} is on" for m in (1000, 1002, 1003, 1006, 1049) if m in self.screen.modes]

    def hang_up(self):
        os.close(self.master)
        os.close(self.slave)
