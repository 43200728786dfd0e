#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Prints a pprof profile (uncompressed, from standard input) as text, with names in place of numbers."""

import sys


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def fields(data):
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        value, at = varint(data, at)
        if tag & 7 == 2:
            value, at = data[at : at + value], at + value
        yield tag >> 3, value


def numbers(data):
    at = 0
    while at < len(data):
        value, at = varint(data, at)
        yield value


def main():
    top = list(fields(sys.stdin.buffer.read()))
    texts = [v.decode() for f, v in top if f == 6]
    tables = {n: {dict(fields(v))[1]: list(fields(v)) for f, v in top if f == n} for n in (3, 4, 5)}

    def kind(message):
        d = dict(fields(message))
        return f"{texts[d[1]]}/{texts[d[2]]}"

    def location(i):
        d, lines = dict(tables[4][i]), [dict(fields(v)) for f, v in tables[4][i] if f == 4]
        mapping = dict(tables[3][d[2]]) if 2 in d else {}
        code = " < ".join(f"{texts[dict(tables[5][l[1]])[2]]} {texts[dict(tables[5][l[1]])[4]]}:{l.get(2, 0)}" for l in lines)
        return f"{texts[mapping.get(5, 0)]} {texts[mapping.get(6, 0)]} {d.get(3, 0):#x} {code}".strip()

    for f, v in top:
        if f == 1:
            print("type", kind(v))
        elif f in (9, 10, 12):
            print({9: "time", 10: "duration", 12: "period"}[f], v)
        elif f == 11:
            print("period type", kind(v))
        elif f in (13, 14):
            print({13: "comment", 14: "default"}[f], texts[v])
        elif f == 2:
            s = list(fields(v))
            values = " ".join(map(str, numbers(next(x for n, x in s if n == 2))))
            labels = [dict(fields(x)) for n, x in s if n == 3]
            print("sample", values, " ".join(f"{texts[l[1]]}={texts[l[2]] if 2 in l else l[3]}" for l in labels))
            for i in numbers(next(x for n, x in s if n == 1)):
                print("   ", location(i))


main()
