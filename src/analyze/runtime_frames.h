// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runtimes call the program through chains of frames: the C library's start of programs and threads, Rust's lang_start, C++'s
// std::thread, std::function and std::invoke, tokio's workers, rayon's jobs. Readers of a tree look for the program's work, so
// two or more such frames in a row can be shown as one.
//
// Full names decide, and the module if a name is not reserved (start_thread is folded only in libc). Frames that are not certain
// stay. So does the innermost frame of a sample: a runtime's self cost remains visible. Costs do not change.

#include <span>
#include <string>
#include <string_view>

#include "model/profile.h"

namespace wick {

// The function name of a folded frame; Frame::folded has the number of frames. Starts of the program and of threads are separate,
// so that threads do not look like callees of one function.
inline constexpr std::string_view kRuntimeFrames = "[runtime frames]", kProgramStart = "[program start]",
                                  kThreadStart = "[thread start]";

// The same profile with runtime chains folded; samples keep their rows, so selections stay valid. Functions in `keep` are never
// folded.
[[nodiscard]] Profile fold_runtime_frames(Profile profile, std::span<const FunctionId> keep = {});

// How many frames a tree node represents: the minimum and maximum over its stacks.
struct FoldedFrames {
  uint16_t least = 0, most = 0;  // 0: not folded

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
// "7 runtime frames", "5-7 runtime frames (thread start)"; `name`: the function's, as above.
std::string describe_folded(const FoldedFrames& folded, std::string_view name = kRuntimeFrames);

}  // namespace wick
