// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "tui/rows.h"

#include "analyze/format.h"
#include "analyze/overview.h"
#include "base/text.h"
#include "base/utf8.h"
#include "tui/keys.h"

namespace wick::tui {

std::vector<TreeRow> tree_rows(const State& state, Data& data) {
  return open_rows(data.tree(state.query, state.inverted), state.opened);
}

FunctionId around_function(const State& state, Data& data) {
  const Reading& r = data.reading(state.query);
  FunctionId wanted = state.around.valid() ? state.around : state.function;
  if (wanted.valid() && wanted.value < r.profile.functions().size()) { return wanted; }
  return r.functions.empty() ? FunctionId{} : r.functions.front().function;
}

std::vector<TreeRow> side_rows(const State& state, Data& data, bool callees) {
  FunctionId function = around_function(state, data);
  if (!function.valid()) { return {}; }
  const Around& around = data.around(state.query, function);
  const Tree& tree = callees ? around.callees : around.callers;
  return open_rows(tree, state.around_opened[callees], callees && tree.nodes.size() > 1 ? 1 : 0, false);
}

size_t help_rows(bool live) {
  size_t rows = 0;
  const char* section = nullptr;
  for (const Binding& b : key_map()) {
    if (b.section == nullptr || !b.is_for(live)) { continue; }
    if (b.section != section) { rows += section == nullptr ? 1 : 2; }
    section = b.section;
    ++rows;
  }
  return rows;
}

std::vector<std::string> quality_lines(Data& data, const State& state) {
  const Profile& p = data.profile();
  std::vector<std::string> out;
  auto add = [&](const std::string& line) {
    if (!line.empty()) { out.push_back(printable(line)); }
  };
  const std::vector<std::string>& files = data.source().files;
  if (data.compares()) {
    const std::vector<RecordingSummary>& sides = data.source().sides;
    for (size_t i = 0; i < files.size(); ++i) {
      add((i == 0 ? "before: " : "after:  ") + files[i]);
      for (const std::string& line : i < sides.size() ? sides[i].lines : std::vector<std::string>{}) { add("  " + line); }
    }
  } else {
    for (const std::string& file : files) { add(file); }
    for (const std::string& line : recording_lines(p, state.query.event, data.overview(state.query.event))) { add(line); }
    const std::string& others = data.other_events(state.query.event);
    if (!others.empty()) { add("also recorded: " + others + " (e)"); }
  }
  for (const std::string& note : data.source().notes) { add(note); }
  for (const std::string& warning : data.reading(state.query).compared.warnings) { add("warning: " + warning); }
  for (const std::string& warning : p.warnings()) { add("warning: " + warning); }
  return out;
}

}  // namespace wick::tui
