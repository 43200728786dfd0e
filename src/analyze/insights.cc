// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Each function is compared with all rules once and gets a bit per rule. A stack has the bits of its frame and of its caller, as
// far as the rule's symptom reaches, so one pass in ID order finds the rules of each stack, and its nearest code of the program.

#include "analyze/insights.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <utility>

#include "analyze/format.h"
#include "analyze/insight_counts.h"
#include "analyze/outermost_walk.h"
#include "base/hash.h"
#include "base/text.h"

namespace wick {
namespace {

constexpr uint64_t kFewestSamples = 100, kFewestOfRule = 20;
constexpr size_t kMostPlaces = 3;
constexpr uint32_t kNoStack = UINT32_MAX, kDeep = 200;
constexpr int kMostSteps = 256;  // from a sample to the outermost frame of its symptom

uint64_t bit(size_t rule) { return uint64_t{1} << rule; }

uint64_t rules_with(std::initializer_list<Symptom> symptoms) {
  uint64_t bits = 0;
  for (size_t i = 0; i < insight_rules().size(); ++i) {
    for (Symptom s : symptoms) { bits |= insight_rules()[i].symptom == s ? bit(i) : 0; }
  }
  return bits;
}

uint64_t rules_with_kernel() {
  uint64_t bits = 0;
  for (size_t i = 0; i < insight_rules().size(); ++i) { bits |= insight_rules()[i].with_kernel ? bit(i) : 0; }
  return bits;
}

class InsightFinder {
 public:
  InsightFinder(const Profile& profile, const Selection& selection)
      : p_(profile),
        selection_(selection),
        functions_(classify_functions(profile)),
        same_(compute_same_functions(profile)),
        self_(compute_stack_self(profile, selection)),
        subtree_(self_),
        costs_(insight_rules().size()),
        fixed_(insight_rules().size()) {
    add_up_callers(p_, subtree_);
  }

  std::vector<Insight> find() {
    visit_stacks();
    find_recursion();
    std::vector<Insight> out;
    for (size_t i = 0; i < insight_rules().size(); ++i) {
      const InsightRule& rule = insight_rules()[i];
      Insight found{.rule = &rule, .cost = costs_[i]};
      switch (rule.symptom) {
        case Symptom::kThread: find_busy_thread(p_, selection_, found); break;
        case Symptom::kProcesses: find_short_processes(p_, selection_, found); break;
        case Symptom::kLine: found.cost = take_hottest_line(found.where); break;
        default: break;
      }
      found.share = share(found.cost.weight, selection_.weight);
      if (found.cost.samples < kFewestOfRule || found.share < rule.least_share || !holds(i)) { continue; }
      if (found.where.empty()) { found.where = top_places(where_, i); }
      found.frames = top_places(evidence_, i);
      found.next = next_command(found);
      out.push_back(std::move(found));
    }
    drop_explained_kernel_time(out);
    std::stable_sort(out.begin(), out.end(), [](const Insight& a, const Insight& b) { return a.share > b.share; });
    return out;
  }

 private:
  using CostByFrame = tsl::robin_map<uint64_t, Cost, NumberHash>;  // rule << 32 | frame

  uint64_t bits_of(uint32_t stack) const {
    const Frame& frame = p_[p_.stacks()[stack].frame];
    return functions_.rules[frame.function.value];
  }
  bool is_own(uint32_t stack) const { return functions_.own[p_[p_.stacks()[stack].frame].function.value]; }
  bool is_kernel(uint32_t stack) const {
    ModuleId module = p_[p_[p_.stacks()[stack].frame].function].module;
    return module.valid() && p_[module].kernel;
  }

  void add(size_t rule, Cost cost, uint32_t owner, uint32_t evidence) {
    costs_[rule] += cost;
    if (owner != kNoStack) { where_[uint64_t{rule} << 32 | p_.stacks()[owner].frame.value] += cost; }
    if (evidence != kNoStack) { evidence_[uint64_t{rule} << 32 | p_.stacks()[evidence].frame.value] += cost; }
  }

  void visit_stacks() {
    const uint64_t direct = rules_with({Symptom::kDirect}), anywhere = rules_with({Symptom::kAnywhere, Symptom::kSmallPieces}),
                   innermost = rules_with({Symptom::kInnermost}), out_of_line = rules_with({Symptom::kOutOfLine}),
                   kernel = rules_with({Symptom::kKernel}), unnamed = rules_with({Symptom::kUnnamed}),
                   lines = rules_with({Symptom::kLine}), pieces = rules_with({Symptom::kSmallPieces}),
                   in_kernel = rules_with_kernel();
    owner_.resize(p_.stacks().size());
    bits_.resize(p_.stacks().size());
    for (uint32_t i = 0; i < p_.stacks().size(); ++i) {
      StackId caller = p_.stacks()[i].caller;
      uint64_t above = caller.valid() ? bits_[caller.value] : 0, own_bits = bits_of(i);
      bool own = is_own(i), of_kernel = is_kernel(i);
      uint32_t caller_owner = caller.valid() ? owner_[caller.value] : kNoStack;
      owner_[i] = own ? i : caller_owner;
      uint64_t reach = own ? 0 : of_kernel ? in_kernel : ~uint64_t{0};
      bits_[i] = (above & (anywhere | (direct & reach))) | (own_bits & (anywhere | direct));
      if (subtree_[i].empty()) { continue; }
      for (uint64_t fresh = bits_[i] & ~above & anywhere; fresh != 0; fresh &= fresh - 1) {
        add(static_cast<size_t>(__builtin_ctzll(fresh)), subtree_[i], caller_owner, i);
      }
      if (self_[i].empty()) { continue; }
      const Frame& frame = p_[p_.stacks()[i].frame];
      for (uint64_t rest = bits_[i] & direct; rest != 0; rest &= rest - 1) {
        size_t rule = static_cast<size_t>(__builtin_ctzll(rest));
        add(rule, self_[i], owner_[i], outermost_with(i, rule));
      }
      for (uint64_t rest = bits_[i] & pieces & (own_bits >> kFixedCostsBit != 0 ? ~uint64_t{0} : 0); rest != 0; rest &= rest - 1) {
        fixed_[static_cast<size_t>(__builtin_ctzll(rest))] += self_[i];
      }
      uint64_t at_leaf = (own_bits & innermost) | (frame.inlined || !p_.stack_ways() ? 0 : own_bits & out_of_line) |
                         (of_kernel ? kernel : 0) | (is_unnamed(frame) ? unnamed : 0);
      for (; at_leaf != 0; at_leaf &= at_leaf - 1) {
        add(static_cast<size_t>(__builtin_ctzll(at_leaf)), self_[i], owner_[i], i);
      }
      if (lines != 0) { add_line(i); }
    }
  }

  // Where the symptom of a sample begins.
  uint32_t outermost_with(uint32_t stack, size_t rule) const {
    uint32_t found = stack;
    for (int steps = 0; steps < kMostSteps && stack != kNoStack && (bits_[stack] & bit(rule)) != 0; ++steps) {
      if ((bits_of(stack) & bit(rule)) != 0) { found = stack; }
      StackId caller = p_.stacks()[stack].caller;
      stack = caller.valid() ? caller.value : kNoStack;
    }
    return found;
  }

  bool is_unnamed(const Frame& frame) const {
    const Function& f = p_[frame.function];
    return !f.known && f.module.valid() && p_.text(p_[f.module].name) == "[anon]";
  }

  // The line of the program's function that runs: of the innermost frame, or of the function that library code is inlined into.
  void add_line(uint32_t stack) {
    for (uint32_t at = stack; at != kNoStack;) {
      const Frame& frame = p_[p_.stacks()[at].frame];
      if (is_own(at)) {
        if (frame.line == 0 || !frame.file.valid()) { return; }
        LineCost& line = lines_[uint64_t{frame.file.value} << 32 | frame.line];
        line.cost += self_[stack];
        line.frame = p_.stacks()[at].frame;
        return;
      }
      if (!frame.inlined) { return; }
      StackId caller = p_.stacks()[at].caller;
      at = caller.valid() ? caller.value : kNoStack;
    }
  }

  Cost take_hottest_line(std::vector<InsightPlace>& where) const {
    const LineCost* hottest = nullptr;
    for (const auto& [key, line] : lines_) {
      if (hottest == nullptr || line.cost.weight > hottest->cost.weight) { hottest = &line; }
    }
    if (hottest == nullptr) { return {}; }
    const Frame& frame = p_[hottest->frame];
    where.push_back({frame.function, std::string(p_.text(p_[frame.function].name)), frame.file, frame.line, hottest->cost});
    return hottest->cost;
  }

  // A function counts as often as it is on the stack, so recursion through several functions is found.
  void find_recursion() {
    size_t rule = 0;
    while (insight_rules()[rule].symptom != Symptom::kRecursion) { ++rule; }
    std::vector<uint32_t> levels(p_.functions().size());
    uint32_t deep = 0;  // functions that are deep on the current path
    auto function = [&](uint32_t stack) { return same_[p_[p_.stacks()[stack].frame].function.value].value; };
    OutermostWalk(p_, subtree_)
        .walk(
            [&](uint32_t stack) {
              if (++levels[function(stack)] == kDeep && deep++ == 0 && p_[FunctionId{function(stack)}].known) {
                add(rule, subtree_[stack], is_own(stack) ? stack : owner_[stack], stack);
              }
            },
            [&](uint32_t stack) {
              if (levels[function(stack)]-- == kDeep) { --deep; }
            });
  }

  // Small pieces: most of the time of calls does not depend on their size.
  bool holds(size_t rule) const {
    constexpr double kMostlyFixed = 0.25;
    return insight_rules()[rule].symptom != Symptom::kSmallPieces ||
           share(fixed_[rule].weight, costs_[rule].weight) >= kMostlyFixed;
  }

  // Frames of one rule, by function; each with its most expensive line.
  std::vector<InsightPlace> top_places(const CostByFrame& costs, size_t rule) const {
    std::vector<InsightPlace> places;
    tsl::robin_map<uint32_t, size_t, NumberHash> place_of;
    tsl::robin_map<uint64_t, Cost, NumberHash> by_line;
    for (const auto& [key, cost] : costs) {
      if (key >> 32 != rule) { continue; }
      const Frame& frame = p_.frames()[static_cast<uint32_t>(key)];
      FunctionId function = same_[frame.function.value];
      auto [at, fresh] = place_of.try_emplace(function.value, places.size());
      if (fresh) { places.push_back({function, std::string(p_.text(p_[function].name)), {}, 0, {}}); }
      places[at->second].cost += cost;
      if (frame.line != 0 && frame.file.valid()) { by_line[uint64_t{at->second} << 32 | key << 32 >> 32] += cost; }
    }
    // Several frames can have one line; the most expensive line is found among their sums.
    std::vector<tsl::robin_map<uint64_t, int64_t, NumberHash>> sums(places.size());
    for (const auto& [key, cost] : by_line) {
      const Frame& frame = p_.frames()[static_cast<uint32_t>(key)];
      sums[key >> 32][uint64_t{frame.file.value} << 32 | frame.line] += cost.weight;
    }
    for (size_t i = 0; i < places.size(); ++i) {
      std::pair<int64_t, uint64_t> best{0, 0};
      for (const auto& [line, weight] : sums[i]) { best = std::max(best, {weight, ~line}); }
      if (best.first > 0) {
        places[i].file = StringId{static_cast<uint32_t>(~best.second >> 32)};
        places[i].line = static_cast<uint32_t>(~best.second);
      }
    }
    std::sort(places.begin(), places.end(), [](const InsightPlace& a, const InsightPlace& b) {
      return a.cost.weight != b.cost.weight ? a.cost.weight > b.cost.weight : a.name < b.name;
    });
    // A place with less than a twentieth of the most expensive one explains nothing.
    std::erase_if(places,
        [most = places.empty() ? 0 : places[0].cost.weight](const InsightPlace& p) { return p.cost.weight < most / 20; });
    if (places.size() > kMostPlaces) { places.resize(kMostPlaces); }
    return places;
  }

  // Kernel time says nothing new if it is nearly all system calls, or nearly all page faults.
  static void drop_explained_kernel_time(std::vector<Insight>& found) {
    constexpr double kNearlyAll = 0.95;
    auto kernel = std::ranges::find_if(found, [](const Insight& i) { return i.rule->symptom == Symptom::kKernel; });
    if (kernel == found.end()) { return; }
    bool explained = std::ranges::any_of(found, [&](const Insight& i) {
      return (i.rule->id == "system-calls" || i.rule->id == "page-faults") && i.share >= kNearlyAll * kernel->share;
    });
    if (explained) { found.erase(kernel); }
  }

  std::string next_command(const Insight& found) const {
    switch (found.rule->symptom) {
      case Symptom::kThread: return "report --by thread";
      case Symptom::kProcesses: return "report --by process";
      case Symptom::kKernel: return "report --tree";
      case Symptom::kOutOfLine: return "report --full";
      case Symptom::kLine: return found.where.empty() ? "" : "annotate " + shell_quote(found.where[0].name);
      default: return found.frames.empty() ? "" : "report --callers " + shell_quote(found.frames[0].name);
    }
  }

  struct LineCost {
    Cost cost{};
    FrameId frame{};
  };

  const Profile& p_;
  const Selection& selection_;
  ClassifiedFunctions functions_;
  std::vector<FunctionId> same_;
  std::vector<Cost> self_, subtree_;
  std::vector<uint32_t> owner_;  // of each stack: itself or the nearest calling stack whose frame is code of the program
  std::vector<uint64_t> bits_;
  std::vector<Cost> costs_, fixed_;  // of each rule
  CostByFrame where_, evidence_;
  tsl::robin_map<uint64_t, LineCost, NumberHash> lines_;  // file << 32 | line
};

}  // namespace

Insights compute_insights(const Profile& profile, const Selection& selection) {
  if (profile.is_difference()) { return {.why_none = "not computed for a comparison"}; }
  if (!selection.event.valid() || !measures_cpu_time(profile, selection.event)) {
    return {.why_none = "they need samples of CPU time (--event cpu-clock or cycles)"};
  }
  if (selection.count < kFewestSamples) { return {.why_none = "they need at least 100 samples"}; }
  return {.found = InsightFinder(profile, selection).find()};
}

}  // namespace wick
