#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Prints the contents of a `.wick` file.   usage: read_wick.py FILE

An independent reader, written from docs/file-format.md alone and sharing no code with wick: a golden test runs it, so that neither the
format nor its description can change unnoticed. It trusts the file and is only for files made by the tests.
"""

import collections
import ctypes
import struct
import sys

MASK = 2**64 - 1
MAGIC = bytes.fromhex("895749434B0D0A1A")
zstd = ctypes.CDLL("libzstd.so.1")
zstd.ZSTD_decompress.restype = ctypes.c_size_t
zstd.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
xxhash = ctypes.CDLL("libxxhash.so.0")
xxhash.XXH3_64bits.restype = ctypes.c_uint64
xxhash.XXH3_64bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]


def xxh3(data):
    return xxhash.XXH3_64bits(data, len(data))


def unzigzag(value):
    return (value >> 1) ^ -(value & 1)


class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, n):
        assert self.at + n <= len(self.data)
        self.at += n
        return self.data[self.at - n : self.at]

    def u8(self):
        return self.take(1)[0]

    def uleb(self):
        value = shift = 0
        while True:
            byte = self.u8()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value & MASK

    def more(self):
        return self.at < len(self.data)


class Table:
    def __init__(self, source):
        self.id = source.u8()
        body = Bytes(source.take(source.uleb()))
        self.first, self.rows, columns = body.uleb(), body.uleb(), body.uleb()
        self.columns = {}
        for _ in range(columns):
            number, coding = body.u8(), body.u8()
            self.columns[number] = self.decode(coding, Bytes(body.take(body.uleb())))
        assert not body.more()

    def decode(self, coding, column):
        if coding == 0:
            values = [column.uleb()] * self.rows
        elif coding == 1:
            values = [column.uleb() for _ in range(self.rows)]
        else:
            assert coding == 2
            values = [column.take(n).decode("utf-8", "surrogateescape") for n in [column.uleb() for _ in range(self.rows)]]
        assert not column.more()
        return values

    def numbers(self, *columns):
        return zip(*(self.columns.get(c, [0] * self.rows) for c in columns))

    def texts(self, column):
        return self.columns.get(column, [""] * self.rows)


class Recording:
    def __init__(self, data):
        assert data[:8] == MAGIC
        self.major, self.minor, check = struct.unpack_from("<HHI", data, 8)
        assert check == xxh3(data[:12]) & 0xFFFFFFFF
        self.keys, self.modules, self.frames, self.stacks, self.threads, self.samples = [], [], [], [], [], []
        self.names, self.counters, self.kinds = {}, {}, []
        self.markers, self.tracks, self.values = [], [], []
        self.code, self.sources = [], {}
        at = 16
        while at < len(data):
            checksum, kind, flags, stored, raw = struct.unpack_from("<QHHII", data, at)
            payload = data[at + 20 : at + 20 + stored]
            assert checksum == xxh3(data[at + 8 : at + 20 + stored])
            if flags & 1:
                unpacked = ctypes.create_string_buffer(raw)
                assert zstd.ZSTD_decompress(unpacked, raw, payload, stored) == raw
                payload = unpacked.raw
            assert len(payload) == raw
            at += 20 + stored
            self.kinds.append(kind)
            self.read_block(Bytes(payload))
        self.samples.sort(key=lambda s: s["time"])
        self.markers.sort(key=lambda m: m[0])
        self.values.sort(key=lambda v: v[1])

    def read_block(self, payload):
        series, strings, chains = [], [""], []
        while payload.more():
            t = Table(payload)
            if t.id == 1:
                self.keys = list(zip(t.texts(1), t.texts(2)))
            elif t.id == 2:
                assert t.first == len(self.modules)
                self.modules += zip([k for (k,) in t.numbers(1)], t.texts(2), t.texts(3))
            elif t.id == 3:
                self.read_frames(t)
            elif t.id == 4:
                self.read_stacks(t)
            elif t.id in (5, 6):
                self.read_threads(t)
            elif t.id == 7:
                series = [dict(thread=a, event=b, period=c, time=None, cpu=0, weight=0) for a, b, c in t.numbers(1, 2, 3)]
            elif t.id == 8:
                self.read_samples(t, series)
            elif t.id == 9:
                strings += t.texts(1)
            elif t.id == 10:
                frame = 0
                for code, length in t.numbers(1, 2):
                    frame += unzigzag(code)
                    chains.append((frame, length))
            elif t.id == 11:
                self.read_chains(t, strings, chains)
            elif t.id == 12:
                self.counters.update(zip(t.texts(1), [v for (v,) in t.numbers(2)]))
            elif t.id == 13:
                assert list(t.numbers(1, 2, 3)) == [(len(self.samples), len(self.markers), len(self.values))]
            elif t.id == 14:
                self.read_markers(t, strings)
            elif t.id == 15:
                assert t.first == len(self.tracks)
                threads = [n - 1 if n else None for (n,) in t.numbers(3)]
                self.tracks += zip(t.texts(1), t.texts(2), threads)
            elif t.id == 16:
                self.read_values(t)
            elif t.id == 17:
                address = 0
                for (module, code), data, frames in zip(t.numbers(1, 2), t.texts(3), t.texts(4)):
                    address = (address + unzigzag(code)) & MASK
                    rows, row = Bytes(frames.encode("utf-8", "surrogateescape")), 0
                    in_it = []
                    while rows.more():
                        row += rows.uleb()
                        in_it.append(row)
                    self.code.append((module, address, data.encode("utf-8", "surrogateescape"), in_it))
            elif t.id == 18:
                for file, text in zip(t.texts(1), t.texts(2)):
                    self.sources[file] = self.sources.get(file, "") + text

    def read_frames(self, t):
        assert t.first == len(self.frames)
        last = collections.defaultdict(int)
        for module, code in t.numbers(1, 2):
            last[module] = (last[module] + unzigzag(code)) & MASK
            self.frames.append((module - 1 if module else None, last[module]))

    def read_stacks(self, t):
        assert t.first == len(self.stacks)
        greatest = -1
        for code, caller in t.numbers(1, 2):
            frame = code - 1 if code else greatest + 1
            greatest = max(greatest, frame)
            self.stacks.append((frame, len(self.stacks) - caller if caller else None))

    def read_threads(self, t):
        start = end = 0
        rows = zip(t.numbers(1, 2, 3, 4, 6, 7, 8, 9, 10), t.texts(5))
        for (pid, tid, parent, process, start_code, end_code, row, counted, tail), name in rows:
            own = row if t.id == 6 else len(self.threads)
            start = (start + unzigzag(start_code)) & MASK
            end = (end + unzigzag(end_code)) & MASK
            first = own + 1 - process if process else None
            count = unzigzag(counted - 1) if counted else None
            thread = (pid, pid + unzigzag(tid), parent, first, name, start, end, count, tail)
            self.threads[own:own + 1] = [thread]

    def read_samples(self, t, series):
        assert t.first == len(self.samples)
        row_time = next_stack = 0
        for which, time, stack, cpu, weight, quality in t.numbers(1, 2, 3, 4, 5, 6):
            s = series[which]
            begins = s["time"] is None
            s["time"] = row_time = ((row_time + time) if begins else (s["time"] + s["period"] + unzigzag(time))) & MASK
            s["cpu"] += unzigzag(cpu)
            s["weight"] = (s["weight"] + unzigzag(weight)) & MASK
            number = None
            if stack:
                number = next_stack + stack // 2 if stack % 2 else stack // 2 - 1
                next_stack = max(next_stack, number + 1)
            self.samples.append({**s, "stack": number, "quality": quality})

    def read_markers(self, t, strings):
        assert t.first == len(self.markers)
        start = 0
        for name, text, thread, start_code, length in t.numbers(1, 2, 3, 4, 5):
            start = (start + unzigzag(start_code)) & MASK
            self.markers.append((start, length, thread - 1 if thread else None, strings[name], strings[text]))

    def read_values(self, t):
        assert t.first == len(self.values)
        times, values = collections.defaultdict(int), collections.defaultdict(int)
        for track, time, value in t.numbers(1, 2, 3):
            times[track] = (times[track] + unzigzag(time)) & MASK
            values[track] = (values[track] + unzigzag(value)) & MASK
            signed = values[track] - 2**64 if values[track] >= 2**63 else values[track]
            self.values.append((track, times[track], signed))

    def read_chains(self, t, strings, chains):
        rows = t.numbers(1, 2, 3, 4)
        line = 0
        for frame, length in chains:
            self.names[frame] = []
            for _ in range(length):
                function, file, line_code, column = next(rows)
                line += unzigzag(line_code)
                self.names[frame].append((strings[function], strings[file], line, column))
        assert next(rows, None) is None

    def stack_text(self, stack):
        parts = []
        while stack is not None:
            frame, stack = self.stacks[stack]
            module, address = self.frames[frame]
            chain = reversed(self.names.get(frame, []))
            name = "=>".join(f"{f}{{{file}:{line}}}" if file else f for f, file, line, _ in chain)
            parts.append(f"{name or '?'}@{module}+{address:#x}")
        return ";".join(reversed(parts))


def main():
    with open(sys.argv[1], "rb") as file:
        r = Recording(file.read())
    print(f"format {r.major}.{r.minor}, blocks {r.kinds}")
    for key, value in r.keys:
        print(f"key {key} = {value}")
    for row in r.modules:
        print("module", *row)
    for pid, tid, parent, process, name, start, end, counted, tail in r.threads:
        used = "" if counted is None else f", counted {counted} (tail {tail})"
        print(f"thread {pid}/{tid} of {parent}, process {process}, {name}, {start}-{end}{used}")
    for s in r.samples:
        where = "" if s["stack"] is None else " " + r.stack_text(s["stack"])
        facts = " ".join(f"{key} {s[key]}" for key in ("thread", "event", "cpu", "weight", "quality"))
        print(f"sample {s['time']} {facts}{where}")
    for name, value in sorted(r.counters.items()):
        print(f"counter {name} = {value}")
    for start, length, thread, name, text in r.markers:
        print(f"marker {start} length {length} thread {thread} {name}: {text}")
    for name, unit, thread in r.tracks:
        print(f"track {name} in {unit} thread {thread}")
    for track, time, value in r.values:
        print(f"value {time} track {track} = {value}")
    for module, address, data, frames in r.code:
        print(f"code {module}+{address:#x} {data.hex()}" + (f" frames {frames}" if frames else ""))
    for file, text in r.sources.items():
        print(f"source {file} {text!r}")


if __name__ == "__main__":
    main()
