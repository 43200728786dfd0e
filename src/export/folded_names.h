// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Frames in folded stacks: wick's format, or exactly that of FlameGraph or inferno (docs/formats.md compares them).

#include <string>
#include <string_view>
#include <vector>

#include "model/profile.h"
#include "model/rules.h"

namespace wick {

struct FrameTextOptions {
  bool kernel = false;     // "_[k]" after kernel functions
  bool jit = false;        // "_[j]" after generated code
  bool inlined = false;    // "_[i]" after inlined functions
  bool addresses = false;  // "[libc.so.6 <7f12>]" if there is no symbol
  bool source = false;     // ":file.c:12"
  Rules compat = Rules::kOwn;
  bool has_sources = true;                // with `compat`: the text has source lines
  bool raw_names = false;                 // with `compat`: apply the rules to the file's texts, kept in Function::raw_name
  std::vector<std::string> skip_after{};  // drop the callers of these functions, and the command
};

struct FrameText {
  std::vector<std::string> labels{};  // outermost first; empty: the frame is dropped
  bool is_last = false;               // drop its callers
};
// `command`: the stack's first frame; some rules apply to one language only.
FrameText frame_text(const Profile& profile, const Frame& frame, std::string_view command, const FrameTextOptions& options);
// Whether frame_text depends on this command.
bool is_java(std::string_view command);

// The first frame: the thread's name, "app-4711" with `pid`, "app-4711/4713" with `tid`; "?" for an unknown PID.
std::string command_text(const Profile& profile, const Thread& thread, bool pid, bool tid, bool pids_known, Rules compat);

// A frame's name as it may appear between semicolons: one line, ";" replaced by ":".
std::string folded_name(std::string_view name);

}  // namespace wick
