// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Every view of any profile: names of any bytes, any times and weights, any shape of stacks, any filter. The input is a recipe
// for a profile; what must hold is that nothing crashes or hangs, and that the sums add up. All views of one input took 40 ms:
// its size and its last byte tell which one it is for.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analyze/call_tree.h"
#include "analyze/find_function.h"
#include "analyze/function_table.h"
#include "analyze/library_glue.h"
#include "analyze/runtime_frames.h"
#include "base/byte_reader.h"
#include "base/result.h"
#include "export/flamegraph.h"
#include "export/folded.h"
#include "export/formats.h"
#include "export/report_json.h"
#include "model/profile_builder.h"
#include "term/report_view.h"
#include "term/tree_view.h"

namespace {

using namespace wick;

Profile make_profile(ByteReader& in) {
  ProfileBuilder b;
  std::vector<std::string> texts = {""};
  for (size_t n = in.u8() % 16; n > 0; --n) { texts.emplace_back(in.text()); }
  auto text = [&] { return texts[in.u8() % texts.size()]; };
  b.set_command({text(), text()});
  b.set_start(in.u8() * uint64_t{1'000'000}, 0);
  std::vector<EventId> events = {b.event(text(), in.u8() % 2 ? "ns" : text(), in.u8())};
  events.push_back(b.event(text(), text()));
  std::vector<ThreadId> threads;
  for (size_t n = 1 + in.u8() % 4; n > 0; --n) {
    threads.push_back(b.add_thread(b.add_process(in.u8(), text()), in.u8(), text()));
  }
  std::vector<FrameId> frames;
  for (size_t n = 1 + in.u8() % 12; n > 0; --n) {
    uint8_t how = in.u8();
    ModuleId module = how & 1 ? b.module(text(), text(), how & 2) : ModuleId{};
    frames.push_back(
        b.frame({.function = b.function(text(), text(), module, how & 4), .address = in.u8(), .inlined = (how & 8) != 0}));
  }
  std::vector<StackId> stacks = {StackId{}};
  while (!in.at_end() && stacks.size() < 300) {
    uint8_t what = in.u8();
    if (what < 128) {  // a stack on top of an earlier one; high numbers mean: of the last one, to reach any depth
      StackId caller = what < 64 ? stacks[what % stacks.size()] : stacks.back();
      stacks.push_back(b.stack(frames[in.u8() % frames.size()], caller));
    } else if (what < 250) {
      StackId stack = what % 2 ? stacks.back() : stacks[in.u8() % stacks.size()];
      int64_t weight = what < 200 ? in.i8() : in.i64();
      b.add_sample({.time_ns = in.u16() * uint64_t{100'000},
                    .thread = threads[what % threads.size()],
                    .stack = stack,
                    .event = events[what % 8 == 0],
                    .weight = weight});
    } else {
      b.add_loss(text(), in.u64(), what % 2);
      b.add_warning(text());
    }
  }
  return std::move(b).build();
}

void use_table(const Profile& p, const Selection& selection, GroupBy by, int width) {
  CostTable table = compute_table(p, selection, by);
  int64_t self = 0;
  for (const CostRow& row : table.rows) { self += row.self.weight; }
  WICK_ASSERT(self == selection.weight, "self costs add up to the total");
  (void)render_table(p, table, {"ns"}, 5, Style{.terminal = width > 0, .color = true, .unicode = width != 20, .width = width});
  (void)table_json(p, selection, table);
}

const Style kStyle{.terminal = true, .color = false, .unicode = true, .width = 60};

void use_tree(const Profile& p, const Selection& selection, const std::string& wanted) {
  CallTree tree = compute_call_tree(p, selection, group_by_process_name(p, selection));
  WICK_ASSERT(tree.nodes[0].total.weight == selection.weight, "the tree's root is everything");
  (void)render_tree(p, tree, {}, selection.weight, kStyle);
  (void)tree_json(p, selection, tree, 3);
  if (Result<FoundFunction> found = find_function(p, selection, wanted); found.ok()) {
    (void)render_tree(p, compute_callers(p, selection, found->functions), {.callee = found->name}, selection.weight, kStyle);
  }
}

void use_runtime_folding(const Profile& p, const Selection& selection) {
  Profile folded = fold_library_glue(fold_runtime_frames(p)).profile;
  check_profile(folded);
  CallTree tree = compute_call_tree(folded, selection, group_by_thread(folded, selection));
  WICK_ASSERT(tree.nodes[0].total.weight == selection.weight, "folding keeps all costs");
  (void)render_tree(folded, tree, {}, selection.weight, kStyle);
}

void use_folded_stacks(const Profile& p, const Selection& selection, bool pid, bool tid) {
  uint64_t samples = 0;
  write_folded(p, selection, {.pid = pid, .tid = tid}, [&](std::string_view piece) {
    for (size_t end, begin = 0; (end = piece.find('\n', begin)) != std::string_view::npos; begin = end + 1) {
      std::string_view line = piece.substr(begin, end - begin);
      samples += std::stoull(std::string(line.substr(line.rfind(' ') + 1)));
    }
    return true;
  });
  WICK_ASSERT(samples == selection.samples.size(), "folded stacks hold every sample");
}

void use_flamegraph(const Profile& p, const Selection& selection, const Filter& filter) {
  std::string svg = flamegraph_svg(p, selection, filter, {});
  size_t ends = 0;
  for (size_t at = 0; (at = svg.find("]]>", at)) != std::string::npos; ++at) { ++ends; }
  WICK_ASSERT(ends == 0 || ends == 2, "no name ends the data");
}

void use_export(const Profile& p, const Selection& selection, const Filter& filter, const ExportFormat& format) {
  ExportView exported{p, filter, {selection}};
  for (uint32_t i = 0; i < p.events().size(); ++i) {
    if (EventId{i} == selection.event) { continue; }
    if (Result<Selection> other = select_samples(p, filter, EventId{i}); other.ok()) { exported.selections.push_back(*other); }
  }
  size_t written = 0;
  format.write(exported, [&](std::string_view piece) { return (written += piece.size()) > 0; });
  WICK_ASSERT(written > 0 || exported.count() == 0, "samples leave something behind");
  (void)export_remarks(format, exported);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ByteReader in({data, size});
  Filter filter;
  uint8_t use = in.u8();
  if (use & 1) { filter.focus = in.text(); }
  if (use & 2) { filter.ignore = in.text(); }
  if (use & 4) { (void)parse_range(in.text(), filter); }
  std::string wanted(use & 8 ? in.text() : "f");
  Profile p = make_profile(in);
  Result<Selection> selected = select_samples(p, filter);
  if (!selected.ok()) { return 0; }
  const Selection& selection = *selected;
  constexpr GroupBy kGroups[] = {GroupBy::kFunction, GroupBy::kModule, GroupBy::kFile,
                                 GroupBy::kLine,     GroupBy::kThread, GroupBy::kProcess};
  constexpr int kWidths[] = {0, 20, 130};
  size_t choice = size + (size > 0 ? data[size - 1] : 0), detail = choice / 8;
  switch (choice % 8) {
    case 0: use_table(p, selection, kGroups[detail % 6], kWidths[detail / 6 % 3]); break;
    case 1: use_tree(p, selection, wanted); break;
    case 2: use_runtime_folding(p, selection); break;
    case 3: use_folded_stacks(p, selection, use & 16, use & 32); break;
    case 4: (void)render_heading(p, selection, filter, kStyle); break;
    default: {
      const ExportFormat& format = export_formats()[detail % export_formats().size()];
      if (format.name == "svg") {
        use_flamegraph(p, selection, filter);
      } else if (format.name != "folded") {
        use_export(p, selection, filter, format);
      }
    }
  }
  return 0;
}
