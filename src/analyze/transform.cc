// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/transform.h"

#include <re2/re2.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "analyze/format.h"
#include "analyze/stack_costs.h"
#include "base/utf8.h"
#include "model/profile_builder.h"

namespace wick {
namespace {

using Op = Transform::Op;

// Builds new stacks from old ones, callers first.
class Transformer {
 public:
  Transformer(const Profile& from, const Transform& transform)
      : transform_(transform),
        same_(compute_same_functions(from)),
        builder_(Profile(from)),
        old_(builder_.take_stacks()),
        place_(old_.size(), kRoot),
        goes_(old_.size(), kRoot) {}

  Result<Profile> run() {
    switch (transform_.op) {
      case Op::kFocusFunction: focus([this](size_t i) { return is_function(i); }); break;
      case Op::kFocusSubtree: transform_.inverted ? focus_ends() : focus(along_path()); break;
      case Op::kFocusSelf:
        keep_all();
        drop([this](size_t i) { return !is_function(i); });
        break;
      case Op::kMergeFunction: merge([this](size_t i) { return is_function(i); }); break;
      case Op::kMergeNode: transform_.inverted ? merge_ends() : merge(along_path()); break;
      case Op::kDropFunction:
        keep_all();
        drop(below([this](size_t i) { return is_function(i); }));
        break;
      case Op::kCollapseSubtree: collapse_subtree(); break;
      case Op::kCollapseRecursion: collapse_recursion(); break;
      case Op::kCollapseDirectRecursion:
        merge([this](size_t i) { return is_function(i) && old_[i].caller.valid() && is_function(old_[i].caller.value); });
        break;
      case Op::kCollapseModule: collapse_module(); break;
      case Op::kKeepMatching: {
        WICK_LET(std::vector<bool> matches, match_functions(builder_.so_far(), transform_.pattern));
        keep_all();
        auto has_match = below([&](size_t i) { return matches[function(i).value]; });
        drop([&](size_t i) { return !has_match(i); });
        break;
      }
    }
    for (size_t i = 0; i < old_.size(); ++i) {
      if (goes_[i] == kRoot) { goes_[i] = dropped_.empty() || !dropped_[i] ? end_of(place_[i]) : StackShape::kDropped; }
    }
    return std::move(builder_).build();
  }

  const std::vector<StackId>& goes() const { return goes_; }  // by old stack

 private:
  static constexpr StackId kRoot{};  // no frame is left

  const Frame& frame(size_t i) const { return builder_.so_far()[old_[i].frame]; }
  FunctionId function(size_t i) const { return frame(i).function; }
  FunctionId same(size_t i) const { return function(i).value < same_.size() ? same_[function(i).value] : function(i); }
  bool is_function(size_t i) const { return is_same(i, transform_.function); }
  bool is_same(size_t i, FunctionId f) const { return f.value < same_.size() && same(i) == same_[f.value]; }

  StackId caller_place(size_t i) const { return old_[i].caller.valid() ? place_[old_[i].caller.value] : kRoot; }
  StackId keep(size_t i) { return builder_.stack(old_[i].frame, caller_place(i)); }

  // A sample whose frames are all gone still counts.
  StackId end_of(StackId place) {
    if (place != kRoot) { return place; }
    if (!merged_.valid()) {
      FunctionId f = builder_.function("[merged]", {}, {}, false);
      merged_ = builder_.stack(builder_.frame({.function = f}), {});
    }
    return merged_;
  }

  void keep_all() {
    for (size_t i = 0; i < old_.size(); ++i) { place_[i] = keep(i); }
  }
  template <typename Is>
  void drop(const Is& is) {
    dropped_.resize(old_.size());
    for (size_t i = 0; i < old_.size(); ++i) { dropped_[i] = is(i); }
  }
  // Whether a stack has a frame for which `is` holds. To be asked in order.
  std::function<bool(size_t)> below(std::function<bool(size_t)> is) {
    return [this, is, inside = std::vector<bool>(old_.size())](size_t i) mutable {
      return inside[i] = (old_[i].caller.valid() && inside[old_[i].caller.value]) || is(i);
    };
  }
  // Whether a stack is exactly the path. To be asked in order.
  std::function<bool(size_t)> along_path() {
    return [this, depth = std::vector<uint32_t>(old_.size())](size_t i) mutable {
      // depth: how many functions of the path the stack has matched, if it has no others; else 0.
      uint32_t above = old_[i].caller.valid() ? depth[old_[i].caller.value] : 0;
      bool goes_on = !old_[i].caller.valid() || above > 0;
      depth[i] = goes_on && above < transform_.path.size() && is_same(i, transform_.path[above]) ? above + 1 : 0;
      return depth[i] == transform_.path.size() && depth[i] > 0;
    };
  }

  template <typename Is>
  void focus(Is is) {
    dropped_.resize(old_.size());
    for (size_t i = 0; i < old_.size(); ++i) {
      bool starts = is(i);
      bool inside = old_[i].caller.valid() && !dropped_[old_[i].caller.value];
      dropped_[i] = !inside && !starts;
      if (!dropped_[i]) { place_[i] = builder_.stack(old_[i].frame, inside ? caller_place(i) : kRoot); }
    }
  }

  template <typename Is>
  void merge(Is is) {
    for (size_t i = 0; i < old_.size(); ++i) { place_[i] = is(i) ? caller_place(i) : keep(i); }
  }

  void collapse_subtree() {
    std::vector<bool> inside(old_.size());
    for (size_t i = 0; i < old_.size(); ++i) {
      bool above = old_[i].caller.valid() && inside[old_[i].caller.value];
      inside[i] = above || is_function(i);
      place_[i] = above ? caller_place(i) : keep(i);
    }
  }

  void collapse_recursion() {
    std::vector<StackId> outermost(old_.size());  // where its outermost occurrence went
    for (size_t i = 0; i < old_.size(); ++i) {
      outermost[i] = old_[i].caller.valid() ? outermost[old_[i].caller.value] : kRoot;
      place_[i] = is_function(i) && outermost[i] != kRoot ? outermost[i] : keep(i);
      if (is_function(i) && outermost[i] == kRoot) { outermost[i] = place_[i]; }
    }
  }

  void collapse_module() {
    ModuleId wanted = builder_.so_far()[transform_.function].module;
    if (!wanted.valid()) { return keep_all(); }
    std::string name(builder_.text(builder_.so_far()[wanted].name));
    auto is_of = [&](size_t i) {
      ModuleId module = builder_.so_far()[function(i)].module;
      return module.valid() && builder_.text(builder_.so_far()[module].name) == name;
    };
    std::vector<bool> is_of_module;
    for (size_t i = 0; i < old_.size(); ++i) { is_of_module.push_back(is_of(i)); }
    FrameId collapsed = builder_.frame({.function = builder_.function("[" + name + "]", {}, wanted)});
    for (size_t i = 0; i < old_.size(); ++i) {
      bool goes_on = is_of_module[i] && old_[i].caller.valid() && is_of_module[old_[i].caller.value];
      place_[i] = goes_on ? caller_place(i) : is_of_module[i] ? builder_.stack(collapsed, caller_place(i)) : keep(i);
    }
  }

  // The stack of the path's last function, for a sample at `i` whose innermost functions are the path.
  std::optional<size_t> match_end(size_t i) const {
    StackId at{static_cast<uint32_t>(i)};
    for (size_t k = 0; k < transform_.path.size(); ++k) {
      if (k > 0) { at = old_[at.value].caller; }
      if (!at.valid() || !is_same(at.value, transform_.path[k])) { return {}; }
    }
    return transform_.path.empty() ? std::nullopt : std::optional<size_t>(at.value);
  }

  void focus_ends() {
    keep_all();
    drop([this](size_t i) { return !match_end(i); });
    for (size_t i = 0; i < old_.size(); ++i) {
      if (!dropped_[i]) { goes_[i] = place_[*match_end(i)]; }
    }
  }

  // Only samples that end here change; others that pass these nodes stay.
  void merge_ends() {
    keep_all();
    for (size_t i = 0; i < old_.size(); ++i) {
      std::optional<size_t> node = match_end(i);
      if (!node) { continue; }
      std::vector<FrameId> callees;
      for (size_t at = i; at != *node; at = old_[at].caller.value) { callees.push_back(old_[at].frame); }
      StackId to = caller_place(*node);
      for (size_t k = callees.size(); k-- > 0;) { to = builder_.stack(callees[k], to); }
      goes_[i] = end_of(to);
    }
  }

  const Transform& transform_;
  std::vector<FunctionId> same_;
  ProfileBuilder builder_;
  std::vector<Stack> old_;
  std::vector<StackId> place_;  // by old stack: where it is among the new ones, for those that it calls
  std::vector<StackId> goes_;   // by old stack: where its samples go, if elsewhere; in the end for all
  std::vector<bool> dropped_;   // by old stack; empty: none
  StackId merged_{};
};

}  // namespace

StackShape shape_of(const Profile& profile) {
  StackShape shape{ProfileBuilder::without_samples(profile), {}};
  shape.stacks.reserve(profile.stacks().size());
  for (uint32_t i = 0; i < profile.stacks().size(); ++i) { shape.stacks.push_back({i}); }
  return shape;
}

Result<StackShape> transform_stacks(const StackShape& shape, const Transform& transform) {
  Transformer transformer(shape.profile, transform);
  WICK_LET(Profile profile, transformer.run());
  StackShape out{std::move(profile), shape.stacks};
  for (StackId& stack : out.stacks) {
    if (stack != StackShape::kDropped) { stack = transformer.goes()[stack.value]; }
  }
  return out;
}

std::string describe_transform(const Profile& profile, const Transform& transform) {
  FunctionId f = transform.path.empty() ? transform.function : transform.path.back();
  bool known = f.valid() && f.value < profile.functions().size();
  std::string name = known ? shown_name(profile.text(profile[f].name)) : "[collapsed]";
  switch (transform.op) {
    case Op::kFocusFunction: return "focus on " + name;
    case Op::kFocusSubtree: return "focus on subtree " + name;
    case Op::kFocusSelf: return "self time of " + name;
    case Op::kMergeFunction: return "merged " + name;
    case Op::kMergeNode: return "merged one " + name;
    case Op::kDropFunction: return "without " + name;
    case Op::kCollapseSubtree: return "collapsed callees of " + name;
    case Op::kCollapseRecursion: return "collapsed recursion of " + name;
    case Op::kCollapseDirectRecursion: return "collapsed direct recursion of " + name;
    case Op::kCollapseModule: {
      bool has_module = known && profile[f].module.valid();
      return "collapsed " + (has_module ? printable(profile.text(profile[profile[f].module].name)) : name);
    }
    case Op::kKeepMatching: return "only with /" + printable(transform.pattern) + "/";
  }
  return {};
}

Result<std::vector<bool>> match_functions(const Profile& profile, const std::string& pattern) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_case_sensitive(std::any_of(pattern.begin(), pattern.end(), [](char c) { return c >= 'A' && c <= 'Z'; }));
  RE2 re(pattern, options);
  if (!re.ok()) { return Error("not a regular expression: %s", printable(re.error()).c_str()).with_code(Errc::kUsage); }
  std::vector<bool> matches(profile.functions().size());
  for (size_t i = 0; i < matches.size(); ++i) { matches[i] = RE2::PartialMatch(profile.text(profile.functions()[i].name), re); }
  return matches;
}

}  // namespace wick
