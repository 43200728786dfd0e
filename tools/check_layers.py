#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that files under src/ include only what the table in docs/design.md allows.   usage: check_layers.py [ROOT]"""

import re
import sys
from pathlib import Path

ROW = re.compile(r"^\| `(\w+)` \|.*\| ([^|]+) \|$", re.M)
# Library headers that only these rooms may include.
LIBRARIES = {
    "CLI/": {"cli"},
    "libiberty/": {"symbolize"},
    "lzma.h": {"elf"},
    "ncurses": {"tui"},
    "protozero/": {"export", "import"},
    "re2/": {"analyze", "import"},
    "xxhash.h": {"base"},
    "zlib.h": {"elf", "export", "import"},
    "zstd.h": {"capture", "elf", "import"},
}
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.M)


def table_of(root):
    """{room: rooms that it may include}"""
    rooms = {}
    for room, allowed in ROW.findall((root / "docs/design.md").read_text()):
        rooms[room] = set(rooms) if allowed == "above" else set() if allowed == "-" else set(allowed.split(", "))
        unknown = rooms[room] - set(rooms)
        if unknown:
            sys.exit(f"docs/design.md: {room} may include {', '.join(sorted(unknown))}, but no row above defines it")
    return rooms


def violations(root):
    src = root / "src"
    rooms = table_of(root)
    for file in sorted([*src.rglob("*.cc"), *src.rglob("*.h")]):
        parts = file.relative_to(src).parts
        if len(parts) < 2:
            continue  # src/main.cc
        room = parts[0]
        if room not in rooms:
            yield f"{file}: {room}/ is missing in the table of docs/design.md"
            continue
        for quote, name in INCLUDE.findall(file.read_text()):
            if quote == '"':
                other = name.split("/")[0]
                if "/" not in name or name.startswith(".."):
                    yield f'{file}: the path "{name}" must start at src/'
                elif other != room and other not in rooms[room]:
                    yield f"{file}: {room}/ may not include {name}"
            else:
                for prefix, owners in LIBRARIES.items():
                    if name.startswith(prefix) and room not in owners:
                        yield f"{file}: only {', '.join(sorted(owners))} may include <{name}>"


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = list(violations(root))
    print("\n".join(found) or "layers: all includes are allowed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
