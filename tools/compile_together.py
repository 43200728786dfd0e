#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Combines source files to compile them faster, and prints the files to compile.   usage: compile_together.py FOLDER MOST SOURCE…

Compiling a sanitized file takes most of its time for templates of the standard library; ten files together take about as long as six
alone. Files are combined only if they stay independent: no name in an unnamed namespace of one may be declared in that of another, or in
a header that one of them includes. Files that fit no group are printed as they are. If the compiler reports a name that two
combined files declare, rename one of them.
"""

import re
import sys
from pathlib import Path

SRC = Path(__file__).resolve().parent.parent / "src"
# clang-format puts declarations at namespace level into the first column.
TYPE = re.compile(r"^(?:template <.*> ?\n?)?(?:(?:class|struct|union|enum(?: class)?) (\w+)(?! *;)|using (\w+) =)", re.M)
ENUM = re.compile(r"^enum (?!class)[^{;]*\{([^}]*)\}", re.M)
FUNCTION = re.compile(r"^(?!return|static_assert|namespace|using|class|struct|enum)(?:\w[^\n(=]*\W)?(\w+)\(", re.M)
VARIABLES = re.compile(r"^(?:(?:inline|static|thread_local) )*(?:constexpr|const|constinit|thread_local|volatile|std::atomic)\b[^\n(]*", re.M)
VARIABLE = re.compile(r"\b([A-Za-z_]\w*)(?:\[\w*\])* ?(?:=|\{|;)")
INITIALIZED = re.compile(r"\b([A-Za-z_]\w*)(?:\[\w*\])* ?[={]")


def declared(text):
    text = re.sub(r'//[^\n]*|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"', '""', text)
    names = {a or b for a, b in TYPE.findall(text)} | set(FUNCTION.findall(text))
    for body in ENUM.findall(text):
        names.update(re.findall(r"\b([A-Za-z_]\w*)\s*(?:=|,|$)", body))
    for line in VARIABLES.findall(text):
        names.update((INITIALIZED if "=" in line else VARIABLE).findall(line))
    return {n for n in names if not re.fullmatch(r"TEST\w*|INSTANTIATE\w*|operator|UINT\w*|\w+_t", n)}


def declared_for_itself(text):
    return declared("".join(re.findall(r"^namespace \{$(.*?)^\}  // namespace$", text, re.M | re.S)))


def headers_of(sources):
    """Project headers that these files include, directly or not."""
    found, todo = set(), list(sources)
    while todo:
        for name in re.findall(r'^#include "([^"]+\.h)"', todo.pop().read_text(), re.M):
            header = SRC / name
            if header not in found and header.exists():
                found.add(header)
                todo.append(header)
    return found


def main():
    folder, most, sources = Path(sys.argv[1]), int(sys.argv[2]), [Path(p) for p in sys.argv[3:]]
    in_headers = set().union(*(declared(h.read_text()) for h in headers_of(sources)))
    alone, groups = [], []  # a group: [files, their own names]
    for source in sources:
        own = declared_for_itself(source.read_text())
        if own & in_headers:
            alone.append([[source], own])
            continue
        for group in groups:
            if len(group[0]) < most and not group[1] & own:
                group[0].append(source)
                group[1] |= own
                break
        else:
            groups.append([[source], own])
    folder.mkdir(parents=True, exist_ok=True)
    for files, _ in groups + alone:
        if len(files) == 1:
            print(files[0])
            continue
        made = folder / f"{files[0].stem}_and_{len(files) - 1}_more.cc"
        text = "".join(f'#include "{f}"\n' for f in files)
        if not made.exists() or made.read_text() != text:
            made.write_text(text)
        print(made)


if __name__ == "__main__":
    main()
