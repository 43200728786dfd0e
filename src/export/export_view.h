// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What all writers of profiles share: which samples, when they were, which rows of the profile's tables they need.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/selection.h"
#include "analyze/stack_costs.h"
#include "model/profile.h"

namespace wick {

// The samples of one event or of several; not copied or moved while something refers to it.
struct ExportView {
  const Profile& profile;
  const Filter& filter;
  std::vector<Selection> selections;  // one for each event, at least one

  const Selection& first() const { return selections.front(); }
  uint64_t count() const;  // samples of all
};

// The rows of all selections, by time.
std::vector<uint32_t> all_rows(const ExportView& view);

// A row may stand for any number of samples. Formats without counts get it so many times, unless that would be absurd.
constexpr uint64_t kMostRepeated = 20'000'000;
inline bool repeats_rows(const ExportView& view) { return view.count() <= kMostRepeated; }

// Frames in the text of formats that have all of each stack: a hundred gigabytes, which nobody reads.
constexpr uint64_t kMostSpelledFrames = 10'000'000'000;

// One part of `parts` of a weight: the parts differ by at most 1, and add up to it.
constexpr int64_t part_of(int64_t weight, uint64_t part, uint64_t parts) {
  __int128 w = weight, n = static_cast<__int128>(parts);
  return static_cast<int64_t>(w * (static_cast<__int128>(part) + 1) / n - w * static_cast<__int128>(part) / n);
}

// A weight in whole units of its event, rounded.
int64_t whole_units(int64_t weight, uint64_t divisor);
// Whether an event's cost is nothing but the number of its samples.
bool is_sample_count(const Profile& profile, const Selection& selection);

// When samples were taken, in nanoseconds since the profile's start; where that is not known, one each millisecond. `slot`: how
// many samples came before.
uint64_t sample_time(const Profile& profile, const Sample& sample, uint64_t slot);

// Whether anything tells this thread from others: files of other tools need not know.
bool is_told(const Profile& profile, const Thread& thread);
// "worker (101)"; empty for a thread that is not told.
std::string thread_title(const Profile& profile, const Thread& thread);

// The selected rows of each thread that has some, in order.
struct ThreadRows {
  ThreadId thread;
  std::vector<uint32_t> rows;
};
std::vector<ThreadRows> rows_by_thread(const Profile& profile, const Selection& selection);

// Invalid UTF-8 becomes U+FFFD; everything else stays.
std::string valid_utf8(std::string_view text);
// A function's name; what has none is shown as such.
std::string_view function_text(const Profile& profile, FunctionId function);
// The file that a function's code was compiled from, as its first frame that tells has it.
std::vector<StringId> files_of_functions(const Profile& profile, const std::vector<FunctionId>& same);

constexpr uint32_t kNoRow = UINT32_MAX;

// Only rows that the selected samples need, with new dense numbers.
struct Numbering {
  std::vector<uint32_t> rows;       // the old number of each new one, ascending
  std::vector<uint32_t> number_of;  // the new number of each old one, or kNoRow

  size_t size() const { return rows.size(); }
  uint32_t operator[](uint32_t old_row) const { return old_row == kNoRow ? kNoRow : number_of[old_row]; }
};
Numbering number_rows(const std::vector<bool>& used);
Numbering used_stacks(const ExportView& view);

// A place in the code with everything that was inlined around it: one such row for each different chain of frames. Formats keep
// inlined functions as a property of an address, the profile as frames of the stack.
struct InlineChains {
  struct Row {
    FrameId frame;
    uint32_t outer = kNoRow;  // what `frame` was inlined into
  };
  std::vector<Row> rows;
  std::vector<uint32_t> of_stack;  // for used stacks, by their new number
};
InlineChains compute_inline_chains(const Profile& profile, const Numbering& stacks);

}  // namespace wick
