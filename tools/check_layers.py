#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Fails when a file under src/ includes a room that the table does not allow.   usage: check_layers.py [ROOT]"""

import re
import sys
from pathlib import Path

LOW = {"base", "model", "capture", "elf", "module", "record", "import", "unwind", "symbolize", "analyze"}
ALLOWED = {
    "base": set(),
    "model": {"base"},
    "capture": {"base"},
    "elf": {"base"},
    "module": {"base", "elf"},
    "record": {"base", "capture", "elf"},
    "import": {"base", "capture", "model"},
    "unwind": {"base", "capture", "elf", "module"},
    "symbolize": {"base", "elf", "module", "model"},
    "analyze": {"base", "model"},
    "pipeline": LOW,
    "export": {"base", "model", "analyze"},
    "term": {"base", "model", "analyze"},
    "serve": {"base", "model", "analyze", "export", "symbolize"},
    "cli": LOW | {"pipeline", "export", "term", "serve"},
}
# Headers of libraries that belong to one room only.
LIBRARIES = {
    "CLI/": {"cli"},
    "httplib.h": {"serve"},
    "libiberty/": {"symbolize"},
    "lzma.h": {"elf"},
    "protozero/": {"export", "import"},
    "re2/": {"analyze"},
    "xxhash.h": {"base"},
    "zlib.h": {"elf", "import"},
    "zstd.h": {"capture", "elf", "import"},
}
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.M)


def violations(root):
    src = root / "src"
    for file in sorted([*src.rglob("*.cc"), *src.rglob("*.h")]):
        parts = file.relative_to(src).parts
        if len(parts) < 2:
            continue  # src/main.cc
        room = parts[0]
        if room not in ALLOWED:
            yield f"{file}: the room {room}/ has no row in the table of tools/check_layers.py"
            continue
        for quote, name in INCLUDE.findall(file.read_text()):
            if quote == '"':
                other = name.split("/")[0]
                if "/" not in name or name.startswith(".."):
                    yield f'{file}: "{name}" must be written from src/'
                elif other != room and other not in ALLOWED[room]:
                    yield f"{file}: {room}/ may not include {name}"
            else:
                for prefix, rooms in LIBRARIES.items():
                    if name.startswith(prefix) and room not in rooms:
                        yield f"{file}: <{name}> belongs to {', '.join(sorted(rooms))}"


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = list(violations(root))
    print("\n".join(found) or "layers: all includes follow the table")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
