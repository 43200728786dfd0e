// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shared by all writers: the samples, their times, and the rows of the profile that they need.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/diff_profile.h"
#include "analyze/selection.h"
#include "analyze/stack_costs.h"
#include "model/profile.h"

namespace wick {

// Samples of one event or several; must not be copied or moved while referred to.
struct ExportView {
  const Profile& profile;
  const Filter& filter;
  std::vector<Selection> selections;  // one per event, at least one
  // For the viewer's page.
  std::vector<std::string> files{};               // as named by the user; empty: unknown
  std::vector<std::string> sides{}, notes{};      // of a comparison: its files; how they were made comparable
  OwnNames own_names{};                           // of a comparison
  std::function<std::string(FunctionId)> code{};  // source and assembly (JSON), if they are wanted

  const Selection& first() const { return selections.front(); }
  uint64_t count() const;  // total
};

// The rows of all selections, sorted by time.
std::vector<uint32_t> all_rows(const ExportView& view);

// A row may represent many samples. Formats without counts repeat it, up to this limit.
constexpr uint64_t kMostRepeated = 20'000'000;
inline bool repeats_rows(const ExportView& view) { return view.count() <= kMostRepeated; }

// Limit for formats that write all frames of each stack: about a hundred gigabytes of text.
constexpr uint64_t kMostSpelledFrames = 10'000'000'000;

// Part number `part` of `parts` of a weight: parts differ by at most 1 and add up to the weight.
constexpr int64_t part_of(int64_t weight, uint64_t part, uint64_t parts) {
  __int128 w = weight, n = static_cast<__int128>(parts);
  return static_cast<int64_t>(w * (static_cast<__int128>(part) + 1) / n - w * static_cast<__int128>(part) / n);
}

// A weight in units of its event, rounded.
int64_t whole_units(int64_t weight, uint64_t divisor);
// Whether an event's cost is just the number of samples.
bool is_sample_count(const Profile& profile, const Selection& selection);

// The time of a sample in nanoseconds since the profile's start; if unknown, one per millisecond. `slot`: number of earlier
// samples.
uint64_t sample_time(const Profile& profile, const Sample& sample, uint64_t slot);

// Whether anything identifies this thread: files of other tools may not.
bool is_identified(const Profile& profile, const Thread& thread);
// "worker (101)"; empty for an anonymous thread.
std::string thread_title(const Profile& profile, const Thread& thread);

// The selected rows of each thread that has some, in order.
struct ThreadRows {
  ThreadId thread;
  std::vector<uint32_t> rows;
};
std::vector<ThreadRows> rows_by_thread(const Profile& profile, const Selection& selection);

// Replaces invalid UTF-8 by U+FFFD.
std::string valid_utf8(std::string_view text);
// A function's name, or a placeholder.
std::string_view function_text(const Profile& profile, FunctionId function);
// The source file of each function, from its first frame that has one.
std::vector<StringId> files_of_functions(const Profile& profile, const std::vector<FunctionId>& same);

constexpr uint32_t kNoRow = UINT32_MAX;

// Only the rows that the selected samples need, numbered densely.
struct Numbering {
  std::vector<uint32_t> rows;       // old number of each new one, ascending
  std::vector<uint32_t> number_of;  // new number of each old one, or kNoRow

  size_t size() const { return rows.size(); }
  uint32_t operator[](uint32_t old_row) const { return old_row == kNoRow ? kNoRow : number_of[old_row]; }
};
Numbering number_rows(const std::vector<bool>& used);
Numbering used_stacks(const ExportView& view);

// An address with everything inlined around it: one row per distinct chain of frames. Formats store inlined functions as a
// property of an address, the profile as frames of the stack.
struct InlineChains {
  struct Row {
    FrameId frame;
    uint32_t outer = kNoRow;  // what `frame` is inlined into
  };
  std::vector<Row> rows;
  std::vector<uint32_t> of_stack;  // for used stacks, by new number
};
InlineChains compute_inline_chains(const Profile& profile, const Numbering& stacks);

}  // namespace wick
