// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The two kinds of line in the text of `perf script`. Which fields are there depends on -F, and nothing in the text says so; so a
// sample's first line is read from the time outwards (names of programs may have blanks and digits in them), and what is behind
// the event may be a frame, an address or a tracepoint's text.
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
  bool has_ids = false;  // they were there, if only as -1
  uint32_t cpu = 0;
  std::optional<uint64_t> time_ns{};
  std::optional<uint64_t> period{};
  bool period_overflows = false;
  bool is_padded = false;    // more than a blank is between the period and the event: others have longer names
  std::string_view event{};  // without the last colon; empty: not said
  std::string_view frame{};  // of a sample on a single line; empty: frames follow, or there are none
  bool is_record = false;    // no sample but what --show-mmap-events and the like print
  std::string_view rest{};   // of such a line
};

// With a time in it: such a line begins a sample wherever it stands.
std::optional<PerfScriptHeader> parse_timed_header(std::string_view line);
// Also one without: "app 8828 cycles:", "app". Only where a sample is expected to begin.
PerfScriptHeader parse_untimed_header(std::string_view line);

struct PerfScriptFrame {
  uint64_t address = 0;
  std::string_view function{};  // without the offset; "[unknown]" and nothing: no name
  std::string_view module{};    // what stands in the brackets; empty: not said
  bool inlined = false;
};

// Whether it is indented, with an address first: a frame, not a line of source or of registers.
bool looks_like_frame(std::string_view line);
// A frame whose indentation is gone: old perf printed none, and tools that trim lines take it away. Only within a sample.
bool is_flat_frame(std::string_view line);
// Indented as a frame is, but neither a frame nor what else perf prints there with a label (branches, instructions, metrics).
bool is_damaged_frame(std::string_view line);
// The same where no sample has begun: with a file or "[kernel…]" in its brackets.
bool is_surely_flat_frame(std::string_view line);
// Whether nothing but perf script would print it: with a module, or as wide as perf does.
bool is_surely_frame(std::string_view line);
// Nothing: the address does not fit.
std::optional<PerfScriptFrame> parse_perf_script_frame(std::string_view line);

// "file.c:12", as -F +srcline prints below a frame. No line of source: "libc.so.6[27b25]", "??:0".
struct PerfScriptSource {
  std::string_view file{};
  uint32_t line = 0;
};
std::optional<PerfScriptSource> parse_perf_script_source(std::string_view line);

bool is_blank_line(std::string_view line);

}  // namespace wick
