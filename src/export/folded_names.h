// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How frames are written in folded stacks: our own way, or exactly as the tools whose place wick takes write them
// (docs/formats.md has the rules side by side).

#include <string>
#include <string_view>
#include <vector>

#include "model/profile.h"
#include "model/rules.h"

namespace wick {

struct FrameTextOptions {
  bool kernel = false;     // "_[k]" behind functions of the kernel
  bool jit = false;        // "_[j]" behind generated code
  bool inlined = false;    // "_[i]" behind what was inlined
  bool addresses = false;  // "[libc.so.6 <7f12>]" for what has no name
  bool source = false;     // ":file.c:12"
  Rules compat = Rules::kOwn;
  bool has_sources = true;  // with `compat`: the text has lines of sources, so that what stands there otherwise is known
  bool raw_names = false;   // with `compat`: its rules are about the texts of the file, which Function::raw_name keeps
  std::vector<std::string> skip_after{};  // what called these functions is left out, and the command too
};

struct FrameText {
  std::vector<std::string> labels{};  // outermost first; none: the frame is left out
  bool is_last = false;               // callers are left out
};
// `command`: what the stack's first frame will be; some rules are for one language's programs.
FrameText frame_text(const Profile& profile, const Frame& frame, std::string_view command, const FrameTextOptions& options);
// Whether frame_text depends on this command.
bool is_java(std::string_view command);

// The first frame: the thread's name, "app-4711" with `pid`, "app-4711/4713" with `tid`; "?" for a pid that is not known.
std::string command_text(const Profile& profile, const Thread& thread, bool pid, bool tid, bool pids_known, Rules compat);

// A frame's name as it may stand between semicolons: one line, ";" replaced by ":".
std::string folded_name(std::string_view name);

}  // namespace wick
