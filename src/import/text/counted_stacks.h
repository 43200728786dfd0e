// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Stacks counted by tracers: frames, innermost first, one per line, then the count. DTrace, SystemTap, bpftrace, and two
// profilers with the same layout.

#include "import/common/reader.h"

namespace wick {

bool is_dtrace(const Head& head);
Result<Profile> read_dtrace(Input& input, const ImportOptions& options);
constexpr Reader kDtraceReader = {"dtrace", "DTrace stacks", is_dtrace, read_dtrace};

bool is_stap(const Head& head);
Result<Profile> read_stap(Input& input, const ImportOptions& options);
constexpr Reader kStapReader = {"stap", "SystemTap stacks", is_stap, read_stap};

bool is_bpftrace(const Head& head);
Result<Profile> read_bpftrace(Input& input, const ImportOptions& options);
constexpr Reader kBpftraceReader = {"bpftrace", "bpftrace maps", is_bpftrace, read_bpftrace};

// The lightweight Java profiler: "COUNT DEPTH  frame", then the other frames.
bool is_ljp(const Head& head);
Result<Profile> read_ljp(Input& input, const ImportOptions& options);
constexpr Reader kLjpReader = {"ljp", "a lightweight Java profiler's report", is_ljp, read_ljp};

// wallClockProfiler: "12.3% ==== (45 samples)", then "1: frame   (at file:line)".
bool is_wcp(const Head& head);
Result<Profile> read_wcp(Input& input, const ImportOptions& options);
constexpr Reader kWcpReader = {"wcp", "a wallClockProfiler report", is_wcp, read_wcp};

}  // namespace wick
