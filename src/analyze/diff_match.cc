// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff_match.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "analyze/diff_name.h"
#include "analyze/palette.h"
#include "analyze/stack_costs.h"
#include "model/function_name.h"

namespace wick {
namespace {

constexpr std::string_view kKernel = "[kernel]";

bool is_c_name(std::string_view name) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@.";
  return !name.empty() && name.find_first_not_of(kLetters) == name.npos;
}

// As in the kernel: 15 bytes; collapsers drop spaces.
std::string command_name(std::string_view name) {
  constexpr size_t kLongest = 15;
  std::string out(name.substr(0, kLongest));
  std::replace(out.begin(), out.end(), ' ', '_');
  return out;
}
// "app-123", "app-123/124", "app-?", "app (123)"
std::string_view without_ids(std::string_view name) {
  if (size_t open = name.rfind(" ("); open != name.npos && name.ends_with(')')) { return name.substr(0, open); }
  size_t end = name.find_last_not_of("0123456789/?");
  return end != name.npos && end > 0 && end + 1 < name.size() && name[end] == '-' ? name.substr(0, end) : name;
}

// "[app.old+0x10]" is in [app] if both sides use that name for the module.
void rename_place(std::string& name, std::string_view module, std::string_view common) {
  bool is_place = name.starts_with('[') && std::string_view(name).substr(1).starts_with(module) && !module.empty() &&
                  name.size() > module.size() + 1 && (name[module.size() + 1] == '+' || name[module.size() + 1] == ']');
  if (is_place && !module.starts_with('[')) { name.replace(1, module.size(), common); }
}

std::set<std::string_view> builds_of(const Profile& profile) {
  std::set<std::string_view> builds;
  for (const Module& m : profile.modules()) {
    if (m.build_id.valid()) { builds.insert(profile.text(m.build_id)); }
  }
  return builds;
}

}  // namespace

std::string loose_name(std::string_view name) {
  std::string plain = short_name(name_without_hash(split_mark(name).name));
  if (!is_c_name(plain)) { return plain; }
  std::string_view rest = plain;
  rest = rest.substr(0, rest.find('@'));  // a symbol's version
  for (std::string_view prefix : {"__GI_", "_", "_", "_", "libc_", "IO_", "_"}) {
    if (rest.starts_with(prefix) && rest.size() > prefix.size()) { rest.remove_prefix(prefix.size()); }
  }
  return std::string(rest);
}

FunctionMatch::FunctionMatch(const Profile& before, const Profile& after, const MatchOptions& options)
    : profiles_{&before, &after},
      modules_(before, after),
      loose_(before.imported_from() != after.imported_from()),
      by_name_(options.by_name) {
  auto has_module = [](const Function& f) { return f.module.valid(); };
  for (const Profile* p : profiles_) {
    by_name_ = by_name_ || (!p->functions().empty() && std::none_of(p->functions().begin(), p->functions().end(), has_module));
  }
  name_all(options);
  if (loose_) {
    look_for_inlined();
    match_loosely();
  }
  if (!by_name_) { match_modules(); }
}

void FunctionMatch::name_all(const MatchOptions& options) {
  std::set<std::string_view> builds[kSides] = {builds_of(*profiles_[0]), builds_of(*profiles_[1])};
  std::unordered_set<std::string_view> names[kSides];
  std::array<std::unordered_set<std::string>, kSides> hashed;
  for (size_t side = 0; side < kSides; ++side) {
    for (const Function& f : profiles_[side]->functions()) {
      std::string_view name = profiles_[side]->text(f.name);
      names[side].insert(name);
      if (has_hash(name)) { hashed[side].emplace(name); }
    }
  }
  std::array<Renamed, kSides> renamed =
      match_hashed_names(hashed, [&](size_t side, const std::string& name) { return names[side].count(name) > 0; });
  for (size_t side = 0; side < kSides; ++side) {
    const Profile& from = *profiles_[side];
    auto is_same_build = [&](ModuleId id) {
      if (!id.valid() || !from[id].build_id.valid()) { return false; }
      std::string_view build = from.text(from[id].build_id);
      return builds[0].count(build) > 0 && builds[1].count(build) > 0;
    };
    for (const Function& f : from.functions()) {
      Named named{.name = std::string(from.text(f.name)), .module = {}};
      if (auto it = renamed[side].find(named.name); it != renamed[side].end()) { named.name = it->second; }
      if (!f.known && f.module.valid()) {
        rename_place(named.name, from.text(from[f.module].name), modules_.name(side, f.module));
      }
      bool nameless = !f.known || (loose_ && named.name.starts_with('['));
      if (nameless && !is_same_build(f.module)) { named.name = name_without_address(named.name); }
      if (options.strip_hex) { named.name = strip_hex(named.name); }
      if (f.module.valid() && !by_name_) {
        named.module = modules_.name(side, f.module);
        named.from = f.module;
        named.kernel = from[f.module].kernel || named.module == kKernel;
      }
      named_[side].push_back(std::move(named));
    }
  }
}

// Only for functions without a counterpart of the same name: overloads and instances that both sides distinguish stay separate.
void FunctionMatch::match_loosely() {
  std::unordered_set<std::string_view> names[kSides];
  for (size_t side = 0; side < kSides; ++side) {
    for (const Named& n : named_[side]) {
      if (!n.skipped) { names[side].insert(n.name); }
    }
  }
  std::map<std::string, std::set<std::string>> left[kSides];  // by loose name
  for (size_t side = 0; side < kSides; ++side) {
    for (const Named& n : named_[side]) {
      if (!n.skipped && names[1 - side].count(n.name) == 0) { left[side][loose_name(n.name)].insert(n.name); }
    }
  }
  std::unordered_map<std::string, std::string> common[kSides];
  for (const auto& [loose, in_after] : left[1]) {
    auto it = left[0].find(loose);
    if (it == left[0].end()) { continue; }
    const std::string& name = in_after.size() == 1 ? *in_after.begin() : loose;
    for (const std::string& n : it->second) { common[0].emplace(n, name); }
    for (const std::string& n : in_after) { common[1].emplace(n, name); }
  }
  for (size_t side = 0; side < kSides; ++side) {
    for (Named& n : named_[side]) {
      if (auto it = common[side].find(n.name); it != common[side].end()) { n.name = it->second; }
    }
  }
}

// A module that is missing on one side, or named differently, does not separate functions of the same name.
void FunctionMatch::match_modules() {
  struct Places {
    std::map<std::string_view, const Named*> modules[kSides];
  };
  std::unordered_map<std::string_view, Places> places;
  for (size_t side = 0; side < kSides; ++side) {
    for (const Named& n : named_[side]) { places[n.name].modules[side].emplace(n.module, &n); }
  }
  struct Place {
    std::string module;
    bool kernel = false;
  };
  std::unordered_map<std::string, Place> moved;
  for (const auto& [name, place] : places) {
    const auto& [before, after] = place.modules;
    if (before.empty() || after.empty()) { continue; }
    bool unknown = before.count("") > 0 || after.count("") > 0;
    bool differs = loose_ && before.size() == 1 && after.size() == 1 && before.begin()->first != after.begin()->first;
    if (!unknown && !differs) { continue; }
    std::map<std::string_view, const Named*> all(after);
    if (!differs || unknown) { all.insert(before.begin(), before.end()); }
    all.erase("");
    moved[std::string(name)] = all.size() == 1 ? Place{std::string(all.begin()->first), all.begin()->second->kernel} : Place{};
  }
  for (std::vector<Named>& side : named_) {
    for (Named& n : side) {
      auto it = moved.find(n.name);
      if (it == moved.end()) { continue; }
      if (n.module != it->second.module) { n.from = {}; }
      n.module = it->second.module;
      n.kernel = it->second.kernel;
    }
  }
}

void FunctionMatch::look_for_inlined() {
  auto is_inlined = [](const Frame& f) { return f.inlined; };
  for (size_t side = 0; side < kSides; ++side) {
    const Profile &from = *profiles_[side], &other = *profiles_[1 - side];
    if (std::any_of(other.frames().begin(), other.frames().end(), is_inlined)) { continue; }
    std::vector<Inlining> inlining(from.functions().size());
    for (const Frame& f : from.frames()) { inlining[f.function.value].add(f); }
    // Some formats contain inlined functions without marking them.
    std::unordered_set<std::string> names;
    for (const Named& n : named_[1 - side]) { names.insert(loose_name(n.name)); }
    size_t all = 0, known = 0;
    for (size_t i = 0; i < inlining.size(); ++i) {
      if (!inlining[i].all()) { continue; }
      ++all;
      known += names.count(loose_name(named_[side][i].name));
    }
    constexpr size_t kFew = 4;  // one in this many is known from elsewhere
    skips_inlined_[side] = all > 0 && known * kFew < all;
    for (size_t i = 0; i < inlining.size() && skips_inlined_[side]; ++i) { named_[side][i].skipped = inlining[i].all(); }
  }
}

std::set<std::string> find_command_frames(const Profile& profile, const Selection& selection, const Profile& other) {
  std::set<std::string> found;
  bool tells =
      std::any_of(profile.processes().begin(), profile.processes().end(), [](const Process& p) { return p.name.valid(); }) ||
      std::any_of(profile.threads().begin(), profile.threads().end(), [](const Thread& t) { return t.name.valid(); });
  if (tells) { return found; }
  std::set<std::string> commands;
  for (const Process& p : other.processes()) { commands.insert(command_name(other.text(p.name))); }
  for (const Thread& t : other.threads()) { commands.insert(command_name(other.text(t.name))); }
  commands.erase("");
  for (const Function& f : other.functions()) { commands.erase(std::string(other.text(f.name))); }  // a thread named "main"
  if (commands.empty()) { return found; }
  std::vector<uint32_t> outermost(profile.stacks().size());
  for (uint32_t i = 0; i < outermost.size(); ++i) {
    StackId caller = profile.stacks()[i].caller;
    outermost[i] = caller.valid() ? outermost[caller.value] : i;
  }
  double all = 0, begin_so = 0;
  std::map<uint32_t, bool> is_command;  // by function
  for (uint32_t row : selection.samples) {
    const Sample& s = profile.samples()[row];
    uint32_t function = profile[profile.stacks()[outermost[s.stack.value]].frame].function.value;
    std::string_view name = profile.text(profile.functions()[function].name);
    auto [it, fresh] = is_command.try_emplace(function, false);
    if (fresh) { it->second = commands.count(command_name(name)) + commands.count(command_name(without_ids(name))) > 0; }
    if (it->second) { found.insert(std::string(name)); }
    double weight = static_cast<double>(std::max<int64_t>(s.weight, 0));
    all += weight;
    begin_so += it->second ? weight : 0;
  }
  constexpr double kNearlyAll = 0.9;
  if (begin_so < kNearlyAll * all) { found.clear(); }
  return found;
}

}  // namespace wick
