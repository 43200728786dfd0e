// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "export/export_view.h"

#include <tsl/robin_map.h>

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"
#include "base/utf8.h"

namespace wick {

uint64_t ExportView::count() const {
  uint64_t sum = 0;
  for (const Selection& s : selections) {
    if (__builtin_add_overflow(sum, s.count, &sum)) { return UINT64_MAX; }
  }
  return sum;
}

std::vector<uint32_t> all_rows(const ExportView& view) {
  std::vector<uint32_t> rows;
  for (const Selection& s : view.selections) { rows.insert(rows.end(), s.samples.begin(), s.samples.end()); }
  if (view.selections.size() > 1) { std::sort(rows.begin(), rows.end()); }
  return rows;
}

int64_t whole_units(int64_t weight, uint64_t divisor) {
  if (divisor <= 1) { return weight; }
  __int128 d = static_cast<__int128>(divisor), half = weight < 0 ? -d / 2 : d / 2;
  return static_cast<int64_t>((weight + half) / d);
}

bool is_sample_count(const Profile& profile, const Selection& selection) {
  if (!selection.event.valid()) { return true; }
  const Event& event = profile[selection.event];
  if (profile.text(event.unit) != "samples") { return false; }
  return std::all_of(selection.samples.begin(), selection.samples.end(), [&](uint32_t row) {
    const Sample& s = profile.samples()[row];
    return static_cast<__int128>(s.weight) == static_cast<__int128>(s.count) * event.divisor;
  });
}

uint64_t sample_time(const Profile& profile, const Sample& sample, uint64_t slot) {
  constexpr uint64_t kStepNs = 1'000'000;
  if (profile.has_times()) { return sample.time_ns > profile.start_ns() ? sample.time_ns - profile.start_ns() : 0; }
  return std::min(slot, static_cast<uint64_t>(INT64_MAX) / kStepNs) * kStepNs;
}

bool is_identified(const Profile& profile, const Thread& thread) {
  return thread.name.valid() || thread.tid != 0 || profile[thread.process].pid != 0;
}

std::string thread_title(const Profile& profile, const Thread& thread) {
  std::string_view name = profile.text(thread.name);
  if (thread.tid == 0) { return std::string(name); }
  return name.empty() ? strf("thread %u", thread.tid) : std::string(name) + strf(" (%u)", thread.tid);
}

std::vector<ThreadRows> rows_by_thread(const Profile& profile, const Selection& selection) {
  std::vector<ThreadRows> all(profile.threads().size());
  for (uint32_t i = 0; i < all.size(); ++i) { all[i].thread = ThreadId{i}; }
  for (uint32_t row : selection.samples) { all[profile.samples()[row].thread.value].rows.push_back(row); }
  std::erase_if(all, [](const ThreadRows& t) { return t.rows.empty(); });
  return all;
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    CodePoint c = decode_utf8(text);
    append_utf8(out, c.value);
    text.remove_prefix(c.size);
  }
  return out;
}

std::string_view function_text(const Profile& profile, FunctionId function) {
  std::string_view name = profile.text(profile[function].name);
  return name.empty() ? "[unnamed]" : name;
}

std::vector<StringId> files_of_functions(const Profile& profile, const std::vector<FunctionId>& same) {
  std::vector<StringId> files(profile.functions().size());
  for (const Frame& frame : profile.frames()) {
    StringId& file = files[same[frame.function.value].value];
    if (!file.valid()) { file = frame.file; }
  }
  return files;
}

Numbering number_rows(const std::vector<bool>& used) {
  Numbering out;
  out.number_of.assign(used.size(), kNoRow);
  for (uint32_t i = 0; i < used.size(); ++i) {
    if (!used[i]) { continue; }
    out.number_of[i] = static_cast<uint32_t>(out.rows.size());
    out.rows.push_back(i);
  }
  return out;
}

Numbering used_stacks(const ExportView& view) {
  const Profile& p = view.profile;
  std::vector<bool> used(p.stacks().size());
  for (const Selection& selection : view.selections) {
    for (uint32_t row : selection.samples) { used[p.samples()[row].stack.value] = true; }
  }
  for (size_t i = used.size(); i-- > 0;) {
    if (used[i] && p.stacks()[i].caller.valid()) { used[p.stacks()[i].caller.value] = true; }
  }
  return number_rows(used);
}

InlineChains compute_inline_chains(const Profile& profile, const Numbering& stacks) {
  InlineChains out;
  tsl::robin_map<uint64_t, uint32_t, NumberHash> known;  // outer << 32 | frame
  out.of_stack.reserve(stacks.size());
  for (uint32_t old_row : stacks.rows) {
    const Stack& stack = profile.stacks()[old_row];
    bool inlined = profile[stack.frame].inlined && stack.caller.valid();
    uint32_t outer = inlined ? out.of_stack[stacks[stack.caller.value]] : kNoRow;
    auto [it, fresh] = known.try_emplace(uint64_t{outer} << 32 | stack.frame.value, static_cast<uint32_t>(out.rows.size()));
    if (fresh) { out.rows.push_back({stack.frame, outer}); }
    out.of_stack.push_back(it->second);
  }
  return out;
}

}  // namespace wick
