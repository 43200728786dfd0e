// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "tui/data.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "analyze/format.h"
#include "analyze/overview.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/utf8.h"
#include "model/profile_builder.h"

namespace wick::tui {
namespace {

constexpr size_t kKeptReadings = 4, kKeptShapes = 4;
constexpr double kLeastShare = 2e-5;      // of nodes in large trees
constexpr size_t kLargeStacks = 100'000;  // of a profile
constexpr size_t kLargeSamples = 1'000'000;

std::vector<uint32_t> group_threads(const Profile& profile) {
  std::map<StringId, uint32_t> groups;
  std::vector<uint32_t> of_thread;
  for (const Thread& thread : profile.threads()) {
    of_thread.push_back(groups.try_emplace(profile[thread.process].name, static_cast<uint32_t>(groups.size())).first->second);
  }
  return of_thread;
}

std::vector<bool> chosen_threads(const Profile& profile, const std::vector<uint32_t>& wanted) {
  std::vector<bool> chosen(profile.threads().size(), wanted.empty());
  for (uint32_t t : wanted) { chosen[t] = true; }
  return chosen;
}

std::vector<bool> find_threads_after(const Profile& profile) {
  std::vector<bool> out(profile.threads().size());
  for (const Sample& s : profile.samples()) { out[s.thread.value] = s.event.value == 1; }
  return out;
}

uint64_t time_of(const Profile& profile, const Sample& s) {
  return s.time_ns > profile.start_ns() ? s.time_ns - profile.start_ns() : 0;
}

}  // namespace

std::vector<uint64_t> function_identities(const Profile& profile) {
  std::vector<uint64_t> out;
  out.reserve(profile.functions().size());
  for (const Function& f : profile.functions()) {
    std::string_view module = f.module.valid() ? profile.text(profile[f.module].name) : std::string_view();
    out.push_back(hash_pair(hash_text(profile.text(f.name)), hash_text(module)));
  }
  return out;
}

BothCosts Tree::hidden(uint32_t node) const {
  BothCosts rest{nodes[node].total, nodes[node].total_before};
  rest -= {nodes[node].self, nodes[node].self_before};
  for (uint32_t c = first_child(node); c != kNone; c = next_sibling(c)) { rest -= {nodes[c].total, nodes[c].total_before}; }
  return rest;
}

std::vector<FunctionId> Tree::functions_to(uint32_t node) const {
  std::vector<FunctionId> out;
  for (; node != kNone && node != 0; node = nodes[node].parent) {
    if (nodes[node].function.valid()) { out.push_back(nodes[node].function); }
  }
  std::reverse(out.begin(), out.end());
  return out;
}

uint64_t Timeline::time_ns(int column) const {
  if (columns <= 0) { return 0; }
  return static_cast<uint64_t>(static_cast<unsigned __int128>(end_ns) * static_cast<unsigned>(std::clamp(column, 0, columns)) /
                               static_cast<unsigned>(columns));
}

Data::Data(Source source) : source_(std::move(source)), group_of_thread_(group_threads(profile())) {
  if (compares()) { is_after_ = find_threads_after(profile()); }
  all_.try_emplace(source_.view.selection.event.value, std::move(source_.view.selection));
}

Query Data::first_query() const {
  Query query;
  query.event = compares() ? EventId{1} : EventId{all_.begin()->first};
  return query;
}

std::vector<uint32_t> Data::compared_threads(uint32_t thread) const {
  if (!compares()) { return {thread}; }
  const std::vector<Thread>& threads = profile().threads();
  auto name = [&](uint32_t t) { return std::pair(profile()[threads[t].process].name, threads[t].name); };
  std::vector<uint32_t> out;
  for (uint32_t t = 0; t < threads.size(); ++t) {
    if (name(t) == name(thread)) { out.push_back(t); }
  }
  return out;
}

std::string Data::names_of(uint32_t thread) const {
  const Thread& t = profile().threads()[thread];
  auto own = [&](const std::vector<std::string>& names, uint32_t row, StringId common) {
    return shown_name(row < names.size() ? std::string_view(names[row]) : profile().text(common));
  };
  std::string name = own(source_.own_names.threads, thread, t.name);
  std::string process = own(source_.own_names.processes, t.process.value, profile()[t.process].name);
  return name == process ? name : process + "/" + name;
}

std::string Data::thread_label(uint32_t thread) const {
  uint32_t tid = profile().threads()[thread].tid;
  std::string side = !compares() ? "" : is_after_[thread] ? "after " : "before ";
  return side + names_of(thread) + (tid != 0 ? " " + std::to_string(tid) : "");
}

std::string Data::describe_threads(const std::vector<uint32_t>& threads) const {
  if (!compares()) {
    if (threads.size() != 1) { return count_of(threads.size(), "thread"); }
    const Thread& t = profile().threads()[threads[0]];
    return "thread " + shown_name(profile().text(t.name)) + (t.tid != 0 ? " " + std::to_string(t.tid) : "");
  }
  std::set<std::string> names;
  size_t counts[2] = {0, 0};
  for (uint32_t t : threads) {
    names.insert(names_of(t));
    ++counts[is_after_[t] ? 1 : 0];
  }
  std::string what = names.size() > 2 ? "threads of " + count_of(names.size(), "name") : "threads named " + *names.begin();
  if (names.size() == 2) { what += " and " + *names.rbegin(); }
  return what + " (" + group_thousands(counts[0]) + " before, " + group_thousands(counts[1]) + " after)";
}

bool Data::is_large() const { return profile().samples().size() > kLargeSamples || profile().stacks().size() > 3 * kLargeStacks; }

const Result<Selection>& Data::all_samples(EventId event) {
  auto it = all_.find(event.value);
  if (it == all_.end()) { it = all_.emplace(event.value, select_samples(profile(), source_.view.filter, event)).first; }
  return it->second;
}

Status Data::check_event(EventId event) {
  const Result<Selection>& all = all_samples(event);
  return all.ok() ? ok_status() : Status(all.error());
}

std::vector<EventId> Data::events_with_samples() const {
  std::vector<bool> has(profile().events().size());
  size_t missing = has.size();
  for (const Sample& s : profile().samples()) {
    if (has[s.event.value]) { continue; }
    has[s.event.value] = true;
    if (--missing == 0) { break; }
  }
  std::vector<EventId> out;
  for (uint32_t i = 0; i < has.size(); ++i) {
    if (has[i]) { out.push_back({i}); }
  }
  return out;
}

const StackShape& Data::shape(const std::vector<Transform>& transforms) {
  for (size_t i = 0; i < shapes_.size(); ++i) {
    if (shapes_[i].first == transforms) { return shapes_[i].second; }
  }
  StackShape made;
  if (transforms.empty()) {
    made = shape_of(profile());
  } else {
    std::vector<Transform> before(transforms.begin(), transforms.end() - 1);
    Result<StackShape> next = transform_stacks(shape(before), transforms.back());
    WICK_ASSERT(next.ok(), "patterns are checked when they are typed");
    made = *std::move(next);
  }
  shapes_.emplace_front(transforms, std::move(made));
  if (shapes_.size() > kKeptShapes) { shapes_.pop_back(); }
  return shapes_.front().second;
}

const std::vector<Data::StackSum>& Data::sums(const Query& query, EventId event) {
  Query key{.event = event, .threads = query.threads, .begin_ns = query.begin_ns, .end_ns = query.end_ns, .transforms = {}};
  for (const auto& [known, sums] : sums_) {
    if (known == key) { return sums; }
  }
  std::vector<StackSum> out;
  const Result<Selection>& all = all_samples(event);
  static const std::vector<uint32_t> kNoSamples;
  const std::vector<uint32_t>& rows = all.ok() ? all->samples : kNoSamples;
  const std::vector<Sample>& samples = profile().samples();
  auto first = rows.begin(), last = rows.end();
  if (!query.all_times()) {
    auto earlier = [&](uint32_t row, uint64_t time_ns) { return time_of(profile(), samples[row]) < time_ns; };
    first = std::lower_bound(first, last, query.begin_ns, earlier);
    last = query.end_ns == UINT64_MAX ? last : std::lower_bound(first, last, query.end_ns, earlier);
  }
  std::vector<bool> threads = chosen_threads(profile(), query.threads);
  // A stack rarely belongs to several programs: the first one has its cost here, others in `more`.
  std::vector<StackSum> by_stack(profile().stacks().size());
  std::map<std::pair<uint32_t, uint32_t>, StackSum> more;
  for (auto it = first; it != last; ++it) {
    const Sample& s = samples[*it];
    if (!threads[s.thread.value]) { continue; }
    StackSum* sum = &by_stack[s.stack.value];
    uint32_t group = group_of_thread_[s.thread.value];
    bool is_first = !sum->thread.valid() || group_of_thread_[sum->thread.value] == group;
    if (!is_first) { sum = &more[{s.stack.value, group}]; }
    if (!sum->thread.valid()) {
      sum->thread = s.thread;
      sum->stack = s.stack;
    }
    sum->cost += {s.weight, s.count};
  }
  for (const StackSum& sum : by_stack) {
    if (sum.thread.valid()) { out.push_back(sum); }
  }
  for (const auto& [stack, sum] : more) { out.push_back(sum); }
  sums_.emplace_front(std::move(key), std::move(out));
  if (sums_.size() > kKeptReadings) { sums_.pop_back(); }
  return sums_.front().second;
}

void Data::add_samples(ProfileBuilder& builder, const StackShape& shape, const Query& query, EventId event) {
  for (const StackSum& sum : sums(query, event)) {
    StackId stack = shape.stacks[sum.stack.value];
    if (stack == StackShape::kDropped) { continue; }
    builder.add_sample({.time_ns = profile().start_ns(),
                        .thread = sum.thread,
                        .stack = stack,
                        .event = event,
                        .weight = sum.cost.weight,
                        .count = sum.cost.samples});
  }
}

Reading* Data::read(const Query& query) {
  for (size_t i = 0; i < readings_.size(); ++i) {
    if (!(readings_[i]->query == query)) { continue; }
    std::rotate(readings_.begin(), readings_.begin() + static_cast<ptrdiff_t>(i),
                readings_.begin() + static_cast<ptrdiff_t>(i) + 1);
    return readings_.front().get();
  }
  auto reading = std::make_unique<Reading>();
  reading->query = query;
  {
    const StackShape& stacks = shape(query.transforms);
    ProfileBuilder builder{Profile(stacks.profile)};
    if (compares()) { add_samples(builder, stacks, query, {0}); }
    add_samples(builder, stacks, query, compares() ? EventId{1} : query.event);
    reading->profile = std::move(builder).build();
  }
  reading->identities = function_identities(reading->profile);
  auto select = [&](EventId event) {
    Result<Selection> all = select_samples(reading->profile, {}, event);
    return all.ok() ? *std::move(all) : Selection{.event = event, .samples = {}};
  };
  reading->now = select(compares() ? EventId{1} : query.event);
  if (compares()) { reading->before = select({0}); }
  find_functions(*reading);
  readings_.push_front(std::move(reading));
  if (readings_.size() > kKeptReadings) { readings_.pop_back(); }
  return readings_.front().get();
}

void Data::find_functions(Reading& reading) const {
  if (compares()) {
    Sides sides{reading.before, reading.now, {}};
    sides.both.event = reading.now.event;
    reading.compared = compute_diff(reading.profile, sides, reading.query.normalize);
    for (const DiffRow& row : reading.compared.rows) {
      reading.functions.push_back({{row.id}, row.self, row.total, row.inlining});
    }
    return;
  }
  reading.compared.after = {reading.now.weight, reading.now.count};
  for (const CostRow& row : compute_table(reading.profile, reading.now).rows) {
    reading.functions.push_back({{row.id}, {.before = {}, .after = row.self}, {.before = {}, .after = row.total}, row.inlining});
  }
}

const std::vector<uint32_t>& Data::function_rows(const State& state) {
  Reading& r = *read(state.query);
  std::pair wanted(state.sort, state.search);
  if (r.rows_for == wanted) { return r.rows; }
  const Found* matches = state.search.empty() ? nullptr : &found(state.query, state.search);
  r.rows.clear();
  for (uint32_t i = 0; i < r.functions.size(); ++i) {
    if (matches == nullptr || !matches->status.ok() || matches->functions[r.functions[i].function.value]) { r.rows.push_back(i); }
  }
  auto name = [&](uint32_t i) { return r.profile.text(r.profile[r.functions[i].function].name); };
  auto key = [&](uint32_t i) -> std::pair<double, double> {
    const FunctionRow& f = r.functions[i];
    double self = static_cast<double>(f.self.after.weight), total = static_cast<double>(f.total.after.weight);
    if (state.sort == Sort::kChange) { return {std::abs(r.compared.change(f.self)), std::abs(r.compared.change(f.total))}; }
    return state.sort == Sort::kTotal ? std::pair(total, self) : std::pair(self, total);
  };
  std::stable_sort(r.rows.begin(), r.rows.end(), [&](uint32_t a, uint32_t b) {
    if (state.sort == Sort::kName) { return name(a) < name(b); }
    return key(a) > key(b);
  });
  r.rows_for = wanted;
  return r.rows;
}

Tree Data::make_tree(const Reading& reading, std::vector<FlameNode> nodes, std::vector<std::string> groups) const {
  Tree tree{.nodes = std::move(nodes),
            .groups = std::move(groups),
            .end = {},
            .path = {},
            .compared = {},
            .by_path = {},
            .heaviest = {}};
  size_t n = tree.nodes.size();
  tree.end.resize(n);
  tree.path.resize(n);
  tree.heaviest.resize(n);
  tree.by_path.reserve(n);
  for (uint32_t i = static_cast<uint32_t>(n); i-- > 0;) {
    tree.end[i] = std::max(tree.end[i], i + 1);
    if (i > 0) { tree.end[tree.nodes[i].parent] = std::max(tree.end[tree.nodes[i].parent], tree.end[i]); }
  }
  for (uint32_t i = 0; i < n; ++i) {
    const FlameNode& node = tree.nodes[i];
    uint64_t key = node.function.valid() ? reading.identities[node.function.value]
                   : i == 0              ? 0
                                         : hash_pair(hash_text(tree.groups[node.group]), 1);
    tree.path[i] = i == 0 ? kRootPath : hash_pair(tree.path[node.parent], key) | 1;
    tree.by_path.emplace(tree.path[i], i);
    tree.levels = std::max(tree.levels, node.depth + 1);
    // The heaviest child stays open as long as it has most of its caller's cost.
    bool leads = i > 0 && node.parent + 1 == i && 2 * node.total.weight >= tree.nodes[node.parent].total.weight;
    tree.heaviest[i] = i == 0 || (tree.heaviest[node.parent] && (node.parent == 0 ? i == 1 : leads));
  }
  if (!compares()) { return tree; }
  std::vector<double*> costs, shares;
  tree.compared.resize(n);
  const DiffTable& whole = reading.compared;
  for (uint32_t i = 1; i < n; ++i) {
    DiffCost& c = tree.compared[i];
    c.before = tree.nodes[i].total_before;
    c.after = tree.nodes[i].total;
    if (least_noise(whole.costs_before(c), whole.costs_after(c)) > kNoiseLevel) { continue; }
    c.cost_noise = cost_noise(whole.costs_before(c), whole.costs_after(c));
    c.share_noise = share_noise(whole.costs_before(c), whole.costs_after(c));
    costs.push_back(&c.cost_noise);
    shares.push_back(&c.share_noise);
  }
  correct_for_many(std::move(costs));
  correct_for_many(std::move(shares));
  return tree;
}

const Tree& Data::tree(const Query& query, bool inverted) {
  Reading& r = *read(query);
  std::unique_ptr<Tree>& tree = r.trees[inverted ? 1 : 0];
  if (!tree) {
    FlameTreeOptions options{.reverse = inverted};
    options.least_share = inverted || r.profile.stacks().size() > kLargeStacks ? kLeastShare : 0;
    options.before = compares() ? &r.before : nullptr;
    FlameTree made = compute_flame_tree(r.profile, r.now, options);
    tree = std::make_unique<Tree>(make_tree(r, std::move(made.nodes), std::move(made.groups)));
  }
  return *tree;
}

const Around& Data::around(const Query& query, FunctionId function) {
  Reading* r = read(query);
  if (r->around && r->around->function == function) { return *r->around; }
  auto made = std::make_unique<Around>();
  made->function = function;
  auto build = [&](const Reading& of, bool callers, std::span<const FunctionId> targets) {
    StackTreeOptions options{.before = compares() ? &of.before : nullptr, .all = false};
    options.least = kLeastShare * static_cast<double>(of.now.weight + of.before.weight);
    StackTreeBuilder<FlameNode> builder(of.profile, of.now, options);
    callers ? builder.build_callers(targets) : builder.build_forward({});
    return make_tree(of, std::move(builder.nodes()), {});
  };
  std::vector<FunctionId> same = compute_same_functions(r->profile), targets;
  for (uint32_t i = 0; i < same.size(); ++i) {
    if (same[i] == same[function.value]) { targets.push_back({i}); }
  }
  made->callers = build(*r, true, targets);
  Query focused = query;
  focused.transforms.push_back({.op = Transform::Op::kFocusFunction, .function = function});
  made->callees = build(*read(focused), false, {});
  r = read(query);
  r->around = std::move(made);
  return *r->around;
}

const Found& Data::found(const Query& query, const std::string& pattern) {
  Reading& r = *read(query);
  if (r.found && r.found_pattern == pattern) { return *r.found; }
  auto made = std::make_unique<Found>();
  Result<std::vector<bool>> matches = match_functions(r.profile, pattern);
  made->functions.resize(r.profile.functions().size());
  if (!matches.ok()) {
    made->status = matches.error();
  } else if (!pattern.empty()) {
    made->functions = *std::move(matches);
    std::vector<bool> stacks(r.profile.stacks().size());
    for (size_t i = 0; i < stacks.size(); ++i) {
      const Stack& s = r.profile.stacks()[i];
      stacks[i] = (s.caller.valid() && stacks[s.caller.value]) || made->functions[r.profile[s.frame].function.value];
    }
    auto sum = [&](const Selection& selection) {
      Cost cost;
      for (uint32_t row : selection.samples) {
        const Sample& s = r.profile.samples()[row];
        if (stacks[s.stack.value]) { cost += {s.weight, s.count}; }
      }
      return cost;
    };
    made->cost = sum(r.now);
    made->before = sum(r.before);
    for (const FunctionRow& row : r.functions) { made->count += made->functions[row.function.value] ? 1 : 0; }
  }
  r.found = std::move(made);
  r.found_pattern = pattern;
  return *r.found;
}

const Timeline& Data::timeline(EventId event, int columns) {
  columns = std::max(columns, 1);
  if (timeline_ && timeline_->event == event && timeline_->columns == columns) { return *timeline_; }
  auto made = std::make_unique<Timeline>();
  made->event = event;
  made->columns = columns;
  const Profile& p = profile();
  std::vector<EventId> events = compares() ? std::vector<EventId>{{0}, {1}} : std::vector<EventId>{event};
  uint64_t last = 0;
  for (EventId e : events) {
    const Result<Selection>& all = all_samples(e);
    if (all.ok() && !all->samples.empty()) { last = std::max(last, time_of(p, p.samples()[all->samples.back()])); }
  }
  made->end_ns = std::max(last + 1, is_live() ? p.duration_ns() : 0);
  std::vector<Cost> costs(p.threads().size());
  std::vector<std::vector<double>> bins(p.threads().size());
  double per_ns = static_cast<double>(columns) / static_cast<double>(made->end_ns);
  for (EventId e : events) {
    const Result<Selection>& all = all_samples(e);
    if (!all.ok()) { continue; }
    for (uint32_t row : all->samples) {
      const Sample& s = p.samples()[row];
      std::vector<double>& of = bins[s.thread.value];
      if (of.empty()) { of.resize(static_cast<size_t>(columns)); }
      auto column = static_cast<size_t>(static_cast<double>(time_of(p, s)) * per_ns);
      of[std::min(column, of.size() - 1)] += static_cast<double>(s.weight);
      costs[s.thread.value] += {s.weight, s.count};
    }
  }
  bool is_time = event.valid() && p.text(p[event].unit) == "ns" && p.has_times();
  double full = is_time ? 1 / per_ns * static_cast<double>(p[event].divisor) : 0;
  for (const std::vector<double>& of : bins) {
    for (double cost : of) { full = is_time ? full : std::max(full, cost); }
  }
  for (uint32_t t = 0; t < bins.size(); ++t) {
    if (bins[t].empty()) { continue; }
    ThreadTrack track{t, thread_label(t), costs[t], {}};
    for (double cost : bins[t]) { track.use.push_back(full > 0 ? static_cast<float>(std::clamp(cost / full, 0.0, 1.0)) : 0); }
    made->tracks.push_back(std::move(track));
  }
  std::stable_sort(made->tracks.begin(), made->tracks.end(),
                   [](const ThreadTrack& a, const ThreadTrack& b) { return a.cost.weight > b.cost.weight; });
  timeline_ = std::move(made);
  return *timeline_;
}

const Overview& Data::overview(EventId event) {
  if (event.value < source_.sides.size()) { return source_.sides[event.value].overview; }
  auto it = overviews_.find(event.value);
  if (it == overviews_.end()) { it = overviews_.emplace(event.value, compute_overview(profile(), event)).first; }
  return it->second;
}

const std::string& Data::other_events(EventId event) {
  auto it = other_events_.find(event.value);
  if (it == other_events_.end()) { it = other_events_.emplace(event.value, describe_other_events(profile(), {&event, 1})).first; }
  return it->second;
}

bool is_open(const Tree& tree, const std::map<PathHash, bool>& opened, uint32_t node, bool heaviest) {
  auto it = opened.find(tree.path[node]);
  return it != opened.end() ? it->second : heaviest && tree.heaviest[node];
}

std::vector<TreeRow> open_rows(const Tree& tree, const std::map<PathHash, bool>& opened, uint32_t base, bool heaviest) {
  std::vector<TreeRow> rows;
  if (tree.nodes.empty()) { return rows; }
  std::vector<std::pair<uint32_t, uint32_t>> levels;  // end of an open node, level of its children
  auto open = [&](uint32_t node, uint32_t level) {
    uint32_t first = tree.first_child(node);
    bool is_chain = first == Tree::kNone || tree.end[first] == tree.end[node];
    levels.push_back({tree.end[node], is_chain || node == base ? level : level + 1});
  };
  auto close = [&](uint32_t at, auto& stack) {
    while (!levels.empty() && levels.back().first <= at) {
      uint32_t node = stack.back();
      if (tree.hidden(node).size() > 0) { rows.push_back({.node = node, .level = levels.back().second, .is_rest = true}); }
      levels.pop_back();
      stack.pop_back();
    }
  };
  std::vector<uint32_t> stack;
  open(base, 0);
  stack.push_back(base);
  for (uint32_t i = base + 1; i < tree.end[base];) {
    close(i, stack);
    TreeRow row{.node = i, .level = levels.back().second};
    row.has_children = tree.first_child(i) != Tree::kNone || tree.hidden(i).size() > 0;
    row.open = row.has_children && is_open(tree, opened, i, heaviest);
    rows.push_back(row);
    if (row.open) {
      open(i, row.level);
      stack.push_back(i);
      ++i;
    } else {
      i = tree.end[i];
    }
  }
  close(tree.end[base], stack);
  return rows;
}

}  // namespace wick::tui
