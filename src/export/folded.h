// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Folded stacks, the text that flame graph tools read: one line per distinct stack, "command;root;…;leaf COUNT".

#include <functional>
#include <string>
#include <string_view>

#include "analyze/selection.h"

namespace wick {

struct FoldedOptions {
  bool pid = false;  // command-PID
  bool tid = false;  // command-PID/TID
};

// Hands the text over in pieces: all lines together can be far larger than the profile. Stops when `sink` returns false. Lines
// are sorted frame by frame. COUNT is the number of samples.
void write_folded(const Profile& profile, const Selection& selection, const FoldedOptions& options,
                  const std::function<bool(std::string_view)>& sink);

// A frame's name as it may stand between semicolons: one line, ";" replaced by ":".
std::string folded_name(std::string_view name);

}  // namespace wick
