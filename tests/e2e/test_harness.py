# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""The rules of the end-to-end tests themselves."""

from harness import *  # noqa: F403


def failure_of(check, *arguments):
    try:
        check(*arguments)
    except Fail as e:
        return e
    raise Final(f"{check.__name__} accepts {arguments}")


def test_repeats(t):
    """A share out of range is measured again, and so is what follows a guess about time; incomplete stacks and missing CPU time never."""
    for check, arguments, again, again_after_guess in (
        (near, (50, 60, 5, "share"), True, True),
        (at_least, (1, 2, "samples"), True, True),
        (need, (False, "condition"), False, True),
        (complete, (96, 97, "percent of the stacks"), False, False),
    ):
        failure = failure_of(check, *arguments)
        need(may_repeat(failure, False) == again, f"{check.__name__}: {again}")
        need(may_repeat(failure, True) == again_after_guess, f"{check.__name__} after a guess: {again_after_guess}")


def test_stolen_time(t):
    """Stolen time is a share of the time that the CPUs were wanted."""
    before, after = [100, 0, 50, 10], [160, 10, 70, 20]
    need(stolen_share(before, after) == 0.1 and stolen_share(before, before) == 0, f"{stolen_share(before, after)}")
    need(stolen_seconds(before, after) == 10 / os.sysconf("SC_CLK_TCK"), f"{stolen_seconds(before, after)}")
