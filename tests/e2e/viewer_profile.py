# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the viewer's profile (docs/view-protocol.md)."""

import array
import json
import struct

NONE = 0xFFFFFFFF


class ViewerProfile:
    def __init__(self, data):
        magic, version, size = struct.unpack_from("<8sII", data)
        if magic != b"WICKVIEW" or version != 1:
            raise ValueError(f"not a viewer's profile: {data[:16]!r}")
        header = json.loads(data[16 : 16 + size])
        self.meta = header["meta"]
        self.columns = {}
        for c in header["columns"]:
            if "constant" in c:
                self.columns[c["name"]] = [c["constant"]] * c["count"]
                continue
            values = array.array({"u8": "B", "u32": "I", "f64": "d"}[c["type"]])
            begin = 16 + size + c["offset"]
            values.frombytes(data[begin : begin + c["count"] * values.itemsize])
            self.columns[c["name"]] = values

    def text(self, row):
        begin, end = self.columns["string_offset"][row : row + 2]
        return bytes(self.columns["string_bytes"][begin:end]).decode()

    def function_name(self, row):
        return self.text(self.columns["function_name"][row])

    def module_name(self, row):
        module = self.columns["function_module"][row]
        return "" if module == NONE else self.meta["modules"][module]["name"]

    def costs(self, event):
        """{function: (self, total)} of an event, over all threads and times."""
        c = self.columns
        found = {}
        for i, of in enumerate(c["segment_event"]):
            for row in range(c["segment_first"][i], c["segment_first"][i + 1]) if of == event else ():
                weight, stack, seen = int(c["sample_weight"][row]), c["sample_stack"][row], set()
                leaf = c["frame_function"][c["stack_frame"][stack]]
                while c["stack_frame"][stack] != NONE:
                    seen.add(c["frame_function"][c["stack_frame"][stack]])
                    stack = c["stack_caller"][stack]
                for f in seen:
                    own, total = found.get(f, (0, 0))
                    found[f] = (own + (weight if f == leaf else 0), total + weight)
        return found
