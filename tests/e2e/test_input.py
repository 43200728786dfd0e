# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""What a command without a file reads: a pipe with something in it, else profile.wick; and never in silence one for the other."""

import time

from harness import *  # noqa: F403

PIPED = b"app;main;piped 5\n"
COMMANDS = (["report"], ["collapse"], ["flamegraph"], ["export", "--format", "folded"])


def folder_with_profile(t):
    (t.tmp / "profile.wick").write_text("app;main;recorded 7\n")


def took(r, name, other, words=""):
    out, err = text_of(r.stdout), text_of(r.stderr)
    need(r.returncode == 0, f"code {r.returncode}: {err}")
    need(name in out and other not in out, f"not {name}:\n{out[:400]}")
    need(words in err if words else err == "", f"it said: {err}")


def test_pipe_with_bytes(t):
    """Piped in, with and without a profile.wick: read by every command, and told where that is passed over."""
    for command in COMMANDS:
        took(t.wick(*command, input=PIPED), "piped", "recorded")
    folder_with_profile(t)
    for command in COMMANDS:
        took(t.wick(*command, input=PIPED), "piped", "recorded", "this is standard input, not profile.wick")
        slow = f"(sleep 1.2; echo '{PIPED.decode().strip()}') | {t.wick_path} {' '.join(command)}"
        took(t.run("sh", "-c", slow), "piped", "recorded", "this is standard input")
        took(t.wick(*command, "-", input=PIPED), "piped", "recorded")


def test_file_as_standard_input(t):
    folder_with_profile(t)
    (t.tmp / "given").write_bytes(PIPED)
    (t.tmp / "empty").touch()
    for command in COMMANDS:
        with open(t.tmp / "given", "rb") as file:
            took(t.wick(*command, stdin=file), "piped", "recorded", "this is standard input")
        with open(t.tmp / "empty", "rb") as file:
            r = t.wick(*command, stdin=file)
        need(r.returncode == 1 and b"standard input is empty" in r.stderr, f"code {r.returncode}: {text_of(r.stderr)}")


def test_empty_pipe(t):
    """Of a pipeline it is an error, never the picture of something else; what the shell of a CI job was given does not count."""
    for has_profile in (False, True):
        if has_profile:
            folder_with_profile(t)
        for command in COMMANDS:
            r = t.run("sh", "-c", f"true | {t.wick_path} {' '.join(command)}")
            need(r.returncode == 1 and not r.stdout, f"{command}: code {r.returncode}, {len(r.stdout)} bytes")
            need(b"standard input is empty" in r.stderr, f"{command}: {text_of(r.stderr)}")
            need((b"hint: wick " + command[0].encode() + b" profile.wick" in r.stderr) == has_profile, text_of(r.stderr))
    for command in COMMANDS:
        r = t.run("sh", "-c", f"{t.wick_path} {' '.join(command)}; exit $?", input=b"")
        took(r, "recorded", "piped", "standard input is empty: this is profile.wick")
        took(t.wick(*command), "recorded", "piped")  # /dev/null


def test_pipe_that_stays_open(t):
    """Editors and jobs leave a pipe open that nobody writes to: no waiting for ever where there is a profile.wick."""
    folder_with_profile(t)
    for command in (["report"], ["flamegraph"]):
        for words in ([t.wick_path, *command], ["sh", "-c", f"{t.wick_path} {command[0]}; exit $?"]):
            begin = time.monotonic()
            p = t.start_process(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            code = p.wait(timeout=30)
            out, err = p.stdout.read(), p.stderr.read()
            p.stdin.close()
            took(subprocess.CompletedProcess(words, code, out, err), "recorded", "piped", "that nothing comes through: this is profile.wick")
            need(time.monotonic() - begin < 15, f"{words} took long")
    # A writer of the same pipeline is waited for.
    p = t.start_process(["sh", "-c", f"(sleep 4; echo '{PIPED.decode().strip()}') | {t.wick_path} report"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = p.communicate(timeout=60)
    need(b"piped" in out and b"waiting for standard input" in err, f"{text_of(out)[:300]} {text_of(err)}")
