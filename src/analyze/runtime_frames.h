// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runtimes call the program through chains of their own: the C library's start of a program or thread, Rust's lang_start, C++'s
// std::thread, std::function and std::invoke, tokio's workers, rayon's jobs. A reader of a tree looks for what the program does,
// so two or more such frames in a row can be shown as one.
//
// Names decide, complete with their scopes, and the module where a name is not the runtime's own (start_thread is folded in libc
// only). A frame that is not certainly a runtime's stays. So does the innermost frame of a sample: what a runtime costs itself is
// seen. Costs are untouched.

#include <span>
#include <string>
#include <string_view>

#include "model/profile.h"

namespace wick {

// What the function of a folded frame is called; Frame::folded tells how many frames it stands for. Starts of the program and of
// threads stay apart, so that threads do not look like callees of one function.
inline constexpr std::string_view kRuntimeFrames = "[runtime frames]", kProgramStart = "[program start]",
                                  kThreadStart = "[thread start]";

// The same profile with runtime chains folded; samples keep their places, so selections stay what they are. Functions of `keep`
// are never folded.
[[nodiscard]] Profile fold_runtime_frames(Profile profile, std::span<const FunctionId> keep = {});

// How many frames nodes of a tree stand for: the fewest and the most of the stacks that meet there.
struct FoldedFrames {
  uint16_t least = 0, most = 0;  // 0: a node as any other

  void add(const Frame& frame) {
    if (frame.folded == 0) { return; }
    least = least == 0 || frame.folded < least ? frame.folded : least;
    most = frame.folded > most ? frame.folded : most;
  }
  void add(const FoldedFrames& o) {
    if (o.most == 0) { return; }
    least = least == 0 || o.least < least ? o.least : least;
    most = o.most > most ? o.most : most;
  }
};
// "7 runtime frames", "5-7 runtime frames (thread start)"; `name`: of the function, as above.
std::string describe_folded(const FoldedFrames& folded, std::string_view name = kRuntimeFrames);

}  // namespace wick
