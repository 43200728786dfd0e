// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the views show of a profile, computed when first asked for and kept.
//
// A recording may have ten million samples, but far fewer different stacks. So the samples of a query are first added up by stack
// into a profile of their own, from which the functions of analyze/ compute tables and trees as for any other profile.

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyze/diff_table.h"
#include "analyze/flame_tree.h"
#include "analyze/overview.h"
#include "analyze/transform.h"
#include "annotate/function_code.h"
#include "annotate/line_diff.h"
#include "tui/state.h"
#include "view/view.h"

namespace wick::tui {

// What to show, as loaded.
struct Source {
  View view;
  bool compares = false;  // the profile is a comparison (Profile::is_difference)
  std::vector<std::string> files{};
  std::vector<RecordingSummary> sides{};                // of a comparison: before, after
  OwnNames own_names{};                                 // of a comparison
  std::vector<std::string> notes{};                     // about the comparison, or the recording in progress
  bool live = false;                                    // still recording: the next profile replaces this one
  std::function<FunctionCode(FunctionId)> read_code{};  // null: none
  std::function<bool(FunctionId)> is_only_before{};     // of a comparison: whether that is the code before
  // Of a comparison: a side's source, to compare lines. Null: lines are not compared.
  std::function<VersionedLines(FunctionId, bool is_before, const std::string& file)> find_lines{};
  std::function<Builds(FunctionId)> compare_builds{};
};

// By function: what it is in any profile. Those that count as the same (analyze/stack_costs.h) have the same number.
std::vector<uint64_t> function_identities(const Profile& profile);

// A row of the function table.
struct FunctionRow {
  FunctionId function;
  DiffCost self, total;  // `before` only in comparisons
  Inlining inlining{};
};

struct Tree {
  static constexpr uint32_t kNone = TreeNode::kNone;

  std::vector<FlameNode> nodes;  // nodes[0] is the root; depth first, heaviest children first
  std::vector<std::string> groups;
  std::vector<uint32_t> end;       // by node: index behind its subtree
  std::vector<PathHash> path;      // by node
  std::vector<DiffCost> compared;  // by node, in comparisons: total costs
  std::unordered_map<PathHash, uint32_t> by_path;
  uint32_t levels = 0;
  std::vector<bool> heaviest;  // by node: on the heaviest path, to where it splits

  uint32_t find(PathHash hash) const {  // kNone: gone
    auto it = by_path.find(hash);
    return it == by_path.end() ? kNone : it->second;
  }
  uint32_t first_child(uint32_t node) const { return node + 1 < end[node] ? node + 1 : kNone; }
  uint32_t next_sibling(uint32_t node) const {
    uint32_t parent = nodes[node].parent;
    return parent != kNone && end[node] < end[parent] ? end[node] : kNone;
  }
  // The part of the total that neither the node itself nor a child with a node of its own has.
  BothCosts hidden(uint32_t node) const;
  // The functions from the outermost one to the node, without the process.
  std::vector<FunctionId> functions_to(uint32_t node) const;
};

// A line of a tree that is partly open.
struct TreeRow {
  uint32_t node = 0;
  uint32_t level = 0;    // of indentation
  bool is_rest = false;  // smaller branches of `node`, which have no nodes
  bool has_children = false, open = false;
};

struct Around {
  FunctionId function;
  Tree callers, callees;  // the root of callers, and the first node of callees, is the function
};

struct Found {
  Status status = ok_status();  // of the pattern
  std::vector<bool> functions;  // by function: whether it matches
  Cost cost, before;            // of samples with a match
  size_t count = 0;             // functions with cost that match
};

struct CodeLines {
  FunctionId function;
  std::vector<std::string> lines;  // with the escape sequences of paint()
  size_t first_hot = 0;
  std::string heading;
  int costs = 15;  // columns that stay when the text scrolls
};

// All of a query.
struct Reading {
  Query query;
  Profile profile;                   // one sample per stack and process name
  std::vector<uint64_t> identities;  // function_identities() of it
  Selection now, before;             // `before` only in comparisons
  DiffTable compared;                // totals, and in comparisons the rows
  std::vector<FunctionRow> functions;

  std::unique_ptr<Tree> trees[2];  // forward, inverted
  std::unique_ptr<Around> around;
  std::unique_ptr<Found> found;
  std::string found_pattern;
  std::unique_ptr<CodeLines> code;
  CodeMode code_mode = CodeMode::kBoth;
  std::vector<uint32_t> rows;  // of `functions`, as sorted and searched
  std::optional<std::pair<Sort, std::string>> rows_for;
};

struct ThreadTrack {
  uint32_t thread = 0;
  std::string label;
  Cost cost;
  std::vector<float> use;  // by column, 0 … 1
};
struct Timeline {
  EventId event{};
  int columns = 0;
  uint64_t end_ns = 0;              // behind the last sample
  std::vector<ThreadTrack> tracks;  // the busiest first

  uint64_t time_ns(int column) const;  // where the column begins
};

class Data {
 public:
  explicit Data(Source source);

  const Profile& profile() const { return *source_.view.profile; }
  const Source& source() const { return source_; }
  bool compares() const { return source_.compares; }
  bool is_live() const { return source_.live; }
  Query first_query() const;
  // In a comparison all threads that have this one's name, of both sides, since thread IDs match nothing; otherwise it alone.
  std::vector<uint32_t> compared_threads(uint32_t thread) const;
  // "app/worker 101", "before app/worker 101"
  std::string thread_label(uint32_t thread) const;
  // What the query selects: "thread worker 101", "3 threads"; in a comparison "threads named worker (1 before, 2 after)".
  std::string describe_threads(const std::vector<uint32_t>& threads) const;
  // Whether a query of this size takes long enough to say so.
  bool is_large() const;

  const Reading& reading(const Query& query) { return *read(query); }
  // The stacks after these transforms, without samples.
  const Profile& transformed(const std::vector<Transform>& transforms) { return shape(transforms).profile; }
  const std::vector<uint32_t>& function_rows(const State& state);
  const Tree& tree(const Query& query, bool inverted);
  const Around& around(const Query& query, FunctionId function);
  const Found& found(const Query& query, const std::string& pattern);
  const CodeLines& code(const Query& query, FunctionId function, CodeMode mode, bool unicode);
  const Timeline& timeline(EventId event, int columns);
  const Overview& overview(EventId event);
  // What else was recorded, as text; empty: nothing.
  const std::string& other_events(EventId event);
  // Fails if the event's samples cannot be shown.
  Status check_event(EventId event);
  std::vector<EventId> events_with_samples() const;

 private:
  Reading* read(const Query& query);
  const StackShape& shape(const std::vector<Transform>& transforms);
  const Result<Selection>& all_samples(EventId event);
  // The cost of a stack, of the samples of one program.
  struct StackSum {
    StackId stack;
    ThreadId thread;  // one of the program
    Cost cost;
  };
  const std::vector<StackSum>& sums(const Query& query, EventId event);
  void add_samples(class ProfileBuilder& builder, const StackShape& shape, const Query& query, EventId event);
  void find_functions(Reading& reading) const;
  std::string names_of(uint32_t thread) const;
  std::string describe_code_side(bool is_before) const;
  void read_code(const Reading& r, CodeMode mode, bool unicode, CodeLines& out) const;
  void compare_code(const Reading& r, bool unicode, CodeLines& out) const;
  Tree make_tree(const Reading& reading, std::vector<FlameNode> nodes, std::vector<std::string> groups) const;

  Source source_;
  std::map<uint32_t, Result<Selection>> all_;
  std::vector<uint32_t> group_of_thread_;  // by process name
  std::vector<bool> is_after_;             // by thread, in comparisons
  std::deque<std::pair<std::vector<Transform>, StackShape>> shapes_;
  std::deque<std::unique_ptr<Reading>> readings_;
  // By event, threads and times.
  std::deque<std::pair<Query, std::vector<StackSum>>> sums_;
  std::unique_ptr<Timeline> timeline_;
  std::map<uint32_t, Overview> overviews_;
  std::map<uint32_t, std::string> other_events_;
};

// The visible rows, without the root; `base`: the node whose children come first.
// `heaviest`: the heaviest path is open unless it was closed.
std::vector<TreeRow> open_rows(const Tree& tree, const std::map<PathHash, bool>& opened, uint32_t base = 0, bool heaviest = true);
bool is_open(const Tree& tree, const std::map<PathHash, bool>& opened, uint32_t node, bool heaviest = true);

}  // namespace wick::tui
