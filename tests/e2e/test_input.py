# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""What a command without a file reads: a pipe or file on standard input, else profile.wick; never silently one instead of the other."""

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
    """Piped input, with and without a profile.wick: every command reads it, and reports an ignored profile.wick."""
    for command in COMMANDS:
        took(t.wick(*command, input=PIPED), "piped", "recorded")
    folder_with_profile(t)
    for command in COMMANDS:
        took(t.wick(*command, input=PIPED), "piped", "recorded", "reading standard input (ignoring ./profile.wick)")
        slow = f"(sleep 1.2; echo '{PIPED.decode().strip()}') | {t.wick_path} {' '.join(command)}"
        took(t.run("sh", "-c", slow), "piped", "recorded", "reading standard input")
        took(t.wick(*command, "-", input=PIPED), "piped", "recorded")


def test_file_as_standard_input(t):
    folder_with_profile(t)
    (t.tmp / "given").write_bytes(PIPED)
    (t.tmp / "empty").touch()
    for command in COMMANDS:
        with open(t.tmp / "given", "rb") as file:
            took(t.wick(*command, stdin=file), "piped", "recorded", "reading standard input")
        with open(t.tmp / "empty", "rb") as file:
            r = t.wick(*command, stdin=file)
        need(r.returncode == 1 and b"standard input is empty" in r.stderr, f"code {r.returncode}: {text_of(r.stderr)}")


def test_empty_pipe(t):
    """An error, never the output of another profile."""
    for has_profile in (False, True):
        if has_profile:
            folder_with_profile(t)
        for command in COMMANDS:
            r = t.run("sh", "-c", f"true | {t.wick_path} {' '.join(command)}")
            need(r.returncode == 1 and not r.stdout, f"{command}: code {r.returncode}, {len(r.stdout)} bytes")
            need(b"standard input is empty" in r.stderr, f"{command}: {text_of(r.stderr)}")
            need((b"hint: wick " + command[0].encode() + b" profile.wick" in r.stderr) == has_profile, text_of(r.stderr))
    for command in COMMANDS:
        took(t.wick(*command), "recorded", "piped")  # /dev/null


def test_slow_pipe(t):
    """Waits for it and prints a line about it."""
    folder_with_profile(t)
    p = t.start_process(["sh", "-c", f"(sleep 4; echo '{PIPED.decode().strip()}') | {t.wick_path} report"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = p.communicate(timeout=60)
    need(b"piped" in out and b"recorded" not in out and b"waiting for standard input" in err, f"{text_of(out)[:300]} {text_of(err)}")


def test_named_file_goes_first(t):
    """Regardless of standard input."""
    folder_with_profile(t)
    for command in COMMANDS:
        took(t.wick(*command, "profile.wick", input=PIPED), "recorded", "piped")
