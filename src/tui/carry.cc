// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "tui/carry.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "model/profile_builder.h"
#include "tui/apply.h"
#include "tui/layout.h"
#include "tui/rows.h"

namespace wick::tui {
namespace {

constexpr FunctionId kGone{UINT32_MAX - 1};  // matches no function

using Functions = std::unordered_map<uint64_t, FunctionId>;  // by identity

Functions index_functions(const Profile& profile) {
  Functions out;
  std::vector<uint64_t> identities = function_identities(profile);
  for (uint32_t i = 0; i < identities.size(); ++i) { out.try_emplace(identities[i], FunctionId{i}); }
  return out;
}

bool is_same_thread(const Profile& a, const Thread& x, const Profile& b, const Thread& y) {
  return x.tid == y.tid && a[x.process].pid == b[y.process].pid && a.text(a[x.process].name) == b.text(b[y.process].name) &&
         x.start_ns == y.start_ns;
}
uint32_t find_thread(const Profile& in, const Profile& of, uint32_t row) {
  for (uint32_t i = 0; i < in.threads().size(); ++i) {
    if (is_same_thread(in, in.threads()[i], of, of.threads()[row])) { return i; }
  }
  return UINT32_MAX;
}

template <typename Do>
void for_each_query(const State& state, Do&& act) {
  act(state.query);
  for (const Query& q : state.past) { act(q); }
  for (const Query& q : state.future) { act(q); }
}

class Carrier {
 public:
  Carrier(Data& from, Data& to) : from_(from), to_(to), new_functions_(index_functions(to.profile())) {}

  void query(Query& q) {
    for (uint32_t& t : q.threads) { t = find_thread(to_.profile(), from_.profile(), t); }
    std::erase(q.threads, UINT32_MAX);
    std::sort(q.threads.begin(), q.threads.end());
    q.begin_ns = 0;
    q.end_ns = UINT64_MAX;
    std::vector<Transform> before, done;
    for (Transform t : q.transforms) {
      before.push_back(t);
      auto carry = [&](FunctionId f) { return function(f, before, done); };
      t.function = carry(t.function);
      for (FunctionId& f : t.path) { f = carry(f); }
      done.push_back(std::move(t));
    }
    q.transforms = std::move(done);
  }

  // A function of the views of these queries.
  FunctionId shown(FunctionId f, const Query& before, const Query& now) {
    if (!f.valid()) { return f; }
    FunctionId found = is_original(f) ? original(f) : collapsed(f, from_.reading(before).profile, to_.reading(now).profile);
    return found == kGone ? FunctionId{} : found;
  }

 private:
  bool is_original(FunctionId f) const { return f.valid() && f.value < from_.profile().functions().size(); }
  FunctionId original(FunctionId f) {
    if (identities_.empty()) { identities_ = function_identities(from_.profile()); }
    auto it = new_functions_.find(identities_[f.value]);
    return it != new_functions_.end() ? it->second : kGone;
  }
  // One that a transform made, for a collapsed library.
  static FunctionId collapsed(FunctionId f, const Profile& from, const Profile& to) {
    if (f.value >= from.functions().size()) { return kGone; }
    Functions functions = index_functions(to);
    auto it = functions.find(function_identities(from)[f.value]);
    return it != functions.end() ? it->second : kGone;
  }
  // `before` ends with the transform that has the function, `done` with the one before it.
  FunctionId function(FunctionId f, const std::vector<Transform>& before, const std::vector<Transform>& done) {
    if (!f.valid()) { return f; }
    if (is_original(f)) { return original(f); }
    std::vector<Transform> earlier(before.begin(), before.end() - 1);
    return collapsed(f, from_.transformed(earlier), to_.transformed(done));
  }

  Data &from_, &to_;
  Functions new_functions_;
  std::vector<uint64_t> identities_;
};

// The row on which the node was, if it is still there.
std::optional<size_t> find_node(const Tree& tree, const std::vector<TreeRow>& rows, PathHash path) {
  uint32_t node = tree.find(path);
  for (size_t i = 0; i < rows.size() && node != Tree::kNone; ++i) {
    if (rows[i].node == node && !rows[i].is_rest) { return i; }
  }
  return {};
}

// The selected row stays on its line of the screen.
void keep_line(Place& place, const Place& before) {
  size_t line = before.row - std::min(before.top, before.row);
  place.top = place.row - std::min(line, place.row);
}

}  // namespace

std::shared_ptr<const Profile> with_chosen(std::shared_ptr<const Profile> next, const State& state, Data& data) {
  const Profile& old = data.profile();
  std::vector<uint32_t> functions, threads;
  auto want = [&](FunctionId f) {
    if (f.valid() && f.value < old.functions().size()) { functions.push_back(f.value); }
  };
  want(state.function);
  want(state.around);
  for (FunctionId f : state.around_past) { want(f); }
  for_each_query(state, [&](const Query& q) {
    threads.insert(threads.end(), q.threads.begin(), q.threads.end());
    for (const Transform& t : q.transforms) {
      want(t.function);
      for (FunctionId f : t.path) { want(f); }
    }
  });
  std::vector<uint64_t> identities = function_identities(old);
  Functions known = index_functions(*next);
  std::erase_if(functions, [&](uint32_t f) { return known.contains(identities[f]); });
  std::erase_if(threads, [&](uint32_t t) { return find_thread(*next, old, t) != UINT32_MAX; });
  for (std::vector<uint32_t>* rows : {&functions, &threads}) {
    std::sort(rows->begin(), rows->end());
    rows->erase(std::unique(rows->begin(), rows->end()), rows->end());
  }
  if (functions.empty() && threads.empty()) { return next; }
  ProfileBuilder builder{Profile(*next)};
  for (uint32_t row : functions) {
    const Function& f = old.functions()[row];
    if (!known.try_emplace(identities[row]).second) { continue; }
    ModuleId module;
    if (f.module.valid()) {
      const Module& m = old[f.module];
      module = builder.module({.name = builder.string(old.text(m.name)),
                               .path = builder.string(old.text(m.path)),
                               .build_id = builder.string(old.text(m.build_id)),
                               .kernel = m.kernel});
    }
    builder.function(old.text(f.name), old.text(f.raw_name), module, f.known);
  }
  for (uint32_t row : threads) {
    const Thread& t = old.threads()[row];
    const Process& p = old[t.process];
    ProcessId process = builder.add_process(p.pid, old.text(p.name), p.parent_pid, p.start_ns, p.end_ns);
    builder.add_thread(process, t.tid, old.text(t.name), t.start_ns, t.end_ns);
  }
  return std::make_shared<const Profile>(std::move(builder).build());
}

State carry_over(State state, Data& from, Data& to, Size size, bool unicode) {
  State next = state;
  Carrier carrier(from, to);
  carrier.query(next.query);
  for (Query& q : next.past) { carrier.query(q); }
  for (Query& q : next.future) { carrier.query(q); }
  next.function = carrier.shown(state.function, state.query, next.query);
  next.around = carrier.shown(state.around, state.query, next.query);
  for (FunctionId& f : next.around_past) { f = carrier.shown(f, state.query, next.query); }
  std::erase(next.around_past, FunctionId{});
  next.mark = -1;
  bool follows_hottest = !state.has_chosen && state.search.empty();
  if (follows_hottest) {  // whichever it is
    next.function = {};
    next.functions = next.tree = {};
    next.node = kRootPath;
  }

  if (state.view == ViewKind::kThreads) {
    int columns = timeline_columns(size.width);
    const Timeline &before = from.timeline(state.query.event, columns), &now = to.timeline(next.query.event, columns);
    if (state.threads.row < before.tracks.size()) {
      uint32_t thread = find_thread(to.profile(), from.profile(), before.tracks[state.threads.row].thread);
      for (size_t i = 0; i < now.tracks.size(); ++i) {
        if (now.tracks[i].thread == thread) { next.threads.row = i; }
      }
      keep_line(next.threads, state.threads);
    }
  }
  if (state.view == ViewKind::kAround && around_function(state, from).valid() && around_function(next, to).valid()) {
    for (bool side : {false, true}) {
      std::vector<TreeRow> rows = side_rows(state, from, side);
      if (state.sides[side].row >= rows.size()) { continue; }
      const Around& before = from.around(state.query, around_function(state, from));
      PathHash path = (side ? before.callees : before.callers).path[rows[state.sides[side].row].node];
      const Around& now = to.around(next.query, around_function(next, to));
      if (std::optional<size_t> row = find_node(side ? now.callees : now.callers, side_rows(next, to, side), path)) {
        next.sides[side].row = *row;
        keep_line(next.sides[side], state.sides[side]);
      }
    }
  }
  next = settle(std::move(next), to, size, unicode);
  if (follows_hottest) { return next; }
  if (state.view == ViewKind::kFunctions) { keep_line(next.functions, state.functions); }
  if (state.view == ViewKind::kTree) { keep_line(next.tree, state.tree); }
  return settle(std::move(next), to, size, unicode);
}

}  // namespace wick::tui
