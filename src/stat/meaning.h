// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a figure suggests, and the command that looks closer. These are rules of thumb, and shown as such: a threshold, not a proof.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stat/figure.h"

namespace wick::stat {

// In `command`, {record} and {sudo-record} stand for wick record, {sudo} for sudo if that is needed, {repeat} for a command that
// shows how much the figures vary, and {target} for the words that record the same target again.
struct Rule {
  const char* figure;
  bool above;  // applies to values above `limit`, else below
  double limit;
  const char* per;    // divides the value by this figure first (per second of it if that is a time); nullptr: as it is
  double least;       // applies only if the value before the division is at least this
  const char* text;
  const char* command;
};
std::span<const Rule> rules();

struct Meaning {
  std::string figure, core, text, command;
};
// `target`: the words that name the target for `wick record`: "-- ./app x" or "-p 4711". At most one meaning for each figure:
// of several rules that apply, the first.
std::vector<Meaning> find_meanings(const Figures& figures, std::string_view target, bool needs_sudo);

}  // namespace wick::stat
