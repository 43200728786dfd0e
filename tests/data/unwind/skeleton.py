#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""skeleton.py FILE OUT: a copy of an ELF file in which everything is zero except headers, unwind information and, in our two
small files, code and symbols. Zeros cost nothing once compressed."""
import struct
import sys

data = open(sys.argv[1], "rb").read()
assert data[:4] == b"\x7fELF" and data[4] == 2 and data[5] == 1, "64-bit little-endian ELF expected"
phoff, shoff = struct.unpack_from("<QQ", data, 32)
phentsize, phnum, shentsize, shnum, shstrndx = struct.unpack_from("<HHHHH", data, 54)
sections = [struct.unpack_from("<IIQQQQIIQQ", data, shoff + i * shentsize) for i in range(shnum)]
names = data[sections[shstrndx][4]:][:sections[shstrndx][5]]


def name_of(section):
    return names[section[0]:names.index(b"\0", section[0])].decode()


keep = {".eh_frame", ".eh_frame_hdr", ".debug_frame", ".note.gnu.build-id", ".shstrtab"}
if sys.argv[1].rsplit("/", 1)[-1] in ("dump_stack", "libdump_stack.so"):
    keep |= {".text", ".plt", ".plt.got", ".plt.sec", ".init", ".fini", ".symtab", ".strtab"}
out = bytearray(len(data))


def copy(offset, size):
    out[offset:offset + size] = data[offset:offset + size]


copy(0, 64)
copy(phoff, phentsize * phnum)
copy(shoff, shentsize * shnum)
for section in sections:
    if name_of(section) in keep and section[1] != 8:  # not SHT_NOBITS
        copy(section[4], section[5])
open(sys.argv[2], "wb").write(out)
