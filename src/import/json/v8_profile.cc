// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/json/v8_profile.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/text.h"

namespace wick {

void V8Profile::add_nodes(ProfileBuilder& b, JsonValue nodes) {
  JsonValue node, child;
  std::string name, url;
  for (JsonValue::Walk walk = nodes.items(); walk.next(node);) {
    JsonValue id, parent, call_frame, hits, children;
    JsonValue::Member member;
    for (JsonValue::Walk in = node.members(); in.next(member);) {
      if (member.key == "id") { id = member.value; }
      if (member.key == "parent") { parent = member.value; }
      if (member.key == "callFrame") { call_frame = member.value; }
      if (member.key == "hitCount") { hits = member.value; }
      if (member.key == "children") { children = member.value; }
    }
    size_t row = table_.frame.size();
    if (std::optional<int64_t> number = id.integer()) { row_of_id_.try_emplace(*number, row); }
    std::string_view function = call_frame["functionName"].text(name);
    bool is_root = function == "(root)";
    auto small = [](JsonValue v) {  // counted from 0 there; -1: unknown
      int64_t n = v.integer().value_or(-1);
      return n >= 0 && n < INT32_MAX ? static_cast<uint32_t>(n + 1) : 0u;
    };
    bool stands_for_one = function.size() > 2 && function.starts_with('[') && function.ends_with(']');
    uint32_t line = small(call_frame["lineNumber"]);
    FunctionId f = b.function(function.empty() ? "(anonymous)" : function, {}, {}, !stands_for_one);
    FrameId frame = b.frame({.function = f,
                             .file = b.string(call_frame["url"].text(url)),
                             .line = line,
                             .column = line == 0 ? 0 : small(call_frame["columnNumber"])});
    table_.frame.push_back(call_frame.is_object() ? frame : FrameId{});
    table_.hidden.push_back(is_root && !parent.is_number());
    parent_id_.push_back(parent.integer().value_or(-1));
    hits_.push_back(hits.integer().value_or(0));
    for (JsonValue::Walk in = children.items(); in.next(child);) {
      if (std::optional<int64_t> number = child.integer()) { children_.push_back({row, *number}); }
    }
  }
}

void V8Profile::add_samples(JsonValue samples, JsonValue time_deltas) {
  JsonValue item;
  for (JsonValue::Walk walk = samples.items(); walk.next(item);) { samples_.push_back(item.integer().value_or(-1)); }
  for (JsonValue::Walk walk = time_deltas.items(); walk.next(item);) { deltas_ns_.push_back(item.scaled(3).value_or(0)); }
}

void V8Profile::add_to(ProfileBuilder& b, const Target& target, SkippedRows& skipped) {
  size_t rows = table_.frame.size();
  table_.caller.assign(rows, -1);
  auto row_of = [&](int64_t id) {
    auto it = row_of_id_.find(id);
    return it == row_of_id_.end() ? static_cast<int64_t>(rows) : static_cast<int64_t>(it->second);
  };
  for (size_t i = 0; i < rows; ++i) {
    if (parent_id_[i] >= 0) { table_.caller[i] = row_of(parent_id_[i]); }
  }
  for (const auto& [row, id] : children_) {
    if (auto it = row_of_id_.find(id); it != row_of_id_.end()) { table_.caller[it->second] = static_cast<int64_t>(row); }
  }
  BuiltStacks built = build_stacks(b, table_);
  auto add = [&](size_t row, uint64_t time_ns, EventId event, int64_t weight, uint64_t count) {
    StackId stack = built.stack[row];
    if (table_.hidden[row]) { stack = b.stack(table_.frame[row], {}); }  // the root
    b.add_sample({.time_ns = time_ns, .thread = target.thread, .stack = stack, .event = event, .weight = weight, .count = count});
  };
  auto good = [&](int64_t row) {
    return row >= 0 && static_cast<size_t>(row) < rows && built.good[static_cast<size_t>(row)] &&
           table_.frame[static_cast<size_t>(row)].valid();
  };
  if (samples_.empty()) {
    for (size_t i = 0; i < rows; ++i) {
      if (hits_[i] <= 0) { continue; }
      if (good(static_cast<int64_t>(i))) {
        add(i, 0, target.hits, hits_[i], static_cast<uint64_t>(hits_[i]));
      } else {
        skipped.add("node %zu: its parent is missing or circular", i);
      }
    }
    return;
  }
  // V8 may write a sample after a later one.
  struct Timed {
    int64_t at_ns;
    size_t row;
  };
  if (!deltas_ns_.empty() && deltas_ns_.size() < samples_.size()) {
    b.add_warning(strf("only %zu of %zu samples have a time; the others get the last one", deltas_ns_.size(), samples_.size()));
  }
  std::vector<Timed> timed;
  timed.reserve(samples_.size());
  int64_t now = 0;
  for (size_t i = 0; i < samples_.size(); ++i) {
    int64_t delta = i < deltas_ns_.size() ? deltas_ns_[i] : 0;
    if (__builtin_add_overflow(now, delta, &now)) { now = delta < 0 ? INT64_MIN : INT64_MAX; }
    timed.push_back({now, i});
  }
  std::stable_sort(timed.begin(), timed.end(), [](const Timed& a, const Timed& c) { return a.at_ns < c.at_ns; });
  for (size_t i = 0; i < timed.size(); ++i) {
    int64_t at = timed[i].at_ns, until = i + 1 < timed.size() ? timed[i + 1].at_ns : target.duration_ns, cost = 0;
    if (until <= at || __builtin_sub_overflow(until, at, &cost)) { cost = 0; }
    int64_t id = samples_[timed[i].row], row = row_of(id);
    if (!good(row)) {
      skipped.add("sample %zu: its node %lld is missing or circular", timed[i].row, static_cast<long long>(id));
      continue;
    }
    uint64_t time_ns = 0;
    if (__builtin_add_overflow(target.start_ns, time_of(at), &time_ns)) { time_ns = UINT64_MAX; }
    if (uint64_t end = 0; !__builtin_add_overflow(time_ns, static_cast<uint64_t>(cost), &end)) {
      b.extend_thread(target.thread, end);
    }
    add(static_cast<size_t>(row), time_ns, target.time, cost, 1);
  }
}

}  // namespace wick
