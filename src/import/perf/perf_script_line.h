// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The two kinds of lines in `perf script` text. The fields depend on -F, and the text does not list them; so a header is parsed
// from the time outwards (program names may contain spaces and digits), and a frame, an address or a tracepoint's text may follow
// the event.
//
//   java 24636/25607 [000] 4794564.109216:     250000 cycles:u:
//   	    7f6d2148eb25 __libc_start_main+0xd5 (/lib64/libc-2.33.so)
//     libc-start.c:310
//
//   the single line:  app  8828 37683.504406:    1001001 cpu-clock:     7fdc4a5260c0 do_lookup_x+0x360 (/lib/ld.so)

#include <cstdint>
#include <optional>
#include <string_view>

namespace wick {

struct PerfScriptHeader {
  std::string_view comm{};
  std::optional<uint32_t> pid{}, tid{};
  bool has_ids = false;  // present, if only as -1
  uint32_t cpu = 0;
  std::optional<uint64_t> time_ns{};
  std::optional<uint64_t> period{};
  bool period_overflows = false;
  bool is_padded = false;    // more than one space between period and event: other events have longer names
  std::string_view event{};  // without the last colon; empty: unknown
  std::string_view frame{};  // of a sample on a single line; empty: frames follow, or there are none
  bool is_record = false;    // not a sample, but a record printed by --show-mmap-events etc.
  std::string_view rest{};   // of such a record
};

// A header with a time: it begins a sample anywhere.
std::optional<PerfScriptHeader> parse_timed_header(std::string_view line);
// Or without one: "app 8828 cycles:", "app". Only where a sample may begin.
PerfScriptHeader parse_untimed_header(std::string_view line);

struct PerfScriptFrame {
  uint64_t address = 0;
  std::string_view function{};  // without the offset; "[unknown]" or empty: no symbol
  std::string_view module{};    // the text in brackets; empty: unknown
  bool inlined = false;
};

// Whether it is indented and begins with an address: a frame, not source or registers.
bool looks_like_frame(std::string_view line);
// A frame without indentation: old perf printed none, and some tools trim lines. Only within a sample.
bool is_flat_frame(std::string_view line);
// Indented like a frame, but neither a frame nor other labeled output of perf (branches, instructions, metrics).
bool is_damaged_frame(std::string_view line);
// The same outside of a sample: with a file or "[kernel…]" in brackets.
bool is_surely_flat_frame(std::string_view line);
// Whether only perf script prints such a line: with a module, or as wide as perf's.
bool is_surely_frame(std::string_view line);
// Nullopt: the address does not fit.
std::optional<PerfScriptFrame> parse_perf_script_frame(std::string_view line);

// "file.c:12", as -F +srcline prints below a frame. "libc.so.6[27b25]" and "??:0" are not source lines.
struct PerfScriptSource {
  std::string_view file{};
  uint32_t line = 0;
};
std::optional<PerfScriptSource> parse_perf_script_source(std::string_view line);

bool is_blank_line(std::string_view line);

}  // namespace wick
