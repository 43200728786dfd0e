// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/module_match.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "analyze/color.h"
#include "analyze/diff_name.h"
#include "analyze/format.h"
#include "base/text.h"
#include "base/utf8.h"

namespace wick {
namespace {

constexpr std::string_view kDigits = "0123456789", kHex = "0123456789abcdef";
constexpr size_t kSides = ModuleMatch::kSides;
constexpr size_t kNone = SIZE_MAX;

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// Length of "1.2.3" at the end; at least one dot and two numbers.
size_t version_length(std::string_view name) {
  size_t begin = name.find_last_not_of("0123456789.") + 1;  // npos + 1 == 0
  while (begin < name.size() && name[begin] == '.') { ++begin; }
  std::string_view tail = name.substr(begin);
  bool is_version = tail.find('.') != tail.npos && !tail.ends_with('.') && tail.find("..") == tail.npos;
  return is_version ? tail.size() : 0;
}

// Length of "-0123456789abcdef" at the end: hashes of cargo and auditwheel.
size_t build_hash_length(std::string_view name) {
  constexpr size_t kFewest = 8, kMost = 64;
  size_t dash = name.rfind('-');
  if (dash == name.npos || dash == 0) { return 0; }
  std::string_view tail = name.substr(dash + 1);
  bool is_hash = tail.size() >= kFewest && tail.size() <= kMost && tail.find_first_not_of(kHex) == tail.npos &&
                 tail.find_first_of(kDigits) != tail.npos;
  return is_hash ? tail.size() + 1 : 0;
}

bool is_start_code(std::string_view name) {
  return name == "main" || name == "_start" || name == "_init" || name == "_fini" || name == "__libc_csu_init";
}

// Modules of one side with the same name: all views show them as one.
struct Group {
  std::string name;
  std::set<std::string_view> builds;
  std::unordered_set<std::string> functions;  // with symbols, without startup code and common standard library code
  bool has_names = false, is_program = false;
  size_t counterpart = kNone;
};

bool can_be_program(std::string_view name) { return !name.empty() && !name.starts_with('[') && name.find(".so") == name.npos; }

// The words of the command, also of `sh -c 'app x'`, as file names.
std::unordered_set<std::string> command_words(const Profile& profile) {
  std::unordered_set<std::string> words;
  for (const std::string& argument : profile.command()) {
    for (std::string_view word : split(argument, ' ')) { words.emplace(base_name(word)); }
  }
  return words;
}

// As the kernel truncates thread names: 15 bytes.
std::string_view task_name(std::string_view name) { return name.substr(0, 15); }

std::string_view busiest_process(const Profile& profile) {
  std::unordered_map<std::string_view, uint64_t> samples;
  for (const Sample& s : profile.samples()) { samples[profile.text(profile[profile[s.thread].process].name)] += s.count; }
  auto most = std::max_element(samples.begin(), samples.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second < b.second : a.first > b.first;
  });
  return most == samples.end() ? std::string_view() : most->first;
}

// The recorded program: named by the command, or by the process if attached.
void mark_programs(const Profile& profile, std::vector<Group>& groups) {
  std::unordered_set<std::string> words = command_words(profile);
  std::string_view process = words.empty() ? busiest_process(profile) : std::string_view();
  for (Group& g : groups) {
    bool is_named = words.count(g.name) > 0 || (!process.empty() && task_name(process) == task_name(g.name));
    bool nobody_tells = words.empty() && process.empty();
    g.is_program = can_be_program(g.name) && (is_named || nobody_tells);
  }
}

struct Side {
  std::vector<Group> groups;
  std::vector<size_t> of_module;
};

Side make_side(const Profile& profile) {
  Side side;
  std::map<std::string_view, size_t> rows;
  for (const Module& m : profile.modules()) {
    std::string_view name = common_module_name(profile.text(m.name));
    auto [it, fresh] = rows.try_emplace(name, side.groups.size());
    if (fresh) { side.groups.push_back({.name = std::string(name), .builds = {}, .functions = {}}); }
    if (m.build_id.valid()) { side.groups[it->second].builds.insert(profile.text(m.build_id)); }
    side.of_module.push_back(it->second);
  }
  for (uint32_t i = 0; i < profile.functions().size(); ++i) {
    const Function& f = profile.functions()[i];
    if (!f.module.valid() || !f.known) { continue; }
    Group& g = side.groups[side.of_module[f.module.value]];
    g.has_names = true;
    std::string_view name = profile.text(f.name);
    if (is_start_code(name) || code_kind(profile, FunctionId{i}) == CodeKind::kStandard) { continue; }
    g.functions.insert(name_without_hash(name));
  }
  mark_programs(profile, side.groups);
  return side;
}

class Matcher {
 public:
  explicit Matcher(Side (&sides)[kSides]) : before_(sides[0].groups), after_(sides[1].groups) {}

  void run() {
    match_builds();
    match_by([](const Group& g) { return g.name; }, [](const Group&, const Group&) { return true; });
    auto program = [](const Group& g) { return std::string(g.is_program ? "program" : ""); };
    match_by(program, [](const Group& a, const Group& b) { return a.has_names && b.has_names && have_much_in_common(a, b); });
    match_by([](const Group& g) { return g.name.starts_with('[') ? std::string() : module_stem(g.name); }, have_much_in_common);
    auto without_mark = [](const Group& g) { return g.is_program ? without_age(module_stem(g.name)) : std::string(); };
    match_by(without_mark, have_much_in_common);
  }

 private:
  void join(size_t a, size_t b) {
    before_[a].counterpart = b;
    after_[b].counterpart = a;
  }

  // Copies of one build may have several names: prefer the same name.
  void match_builds() {
    std::unordered_map<std::string_view, size_t> by_name;
    std::unordered_map<std::string_view, std::deque<size_t>> by_build;
    for (size_t b = 0; b < after_.size(); ++b) {
      by_name.emplace(after_[b].name, b);
      for (std::string_view build : after_[b].builds) { by_build[build].push_back(b); }
    }
    for (size_t a = 0; a < before_.size(); ++a) {
      auto found = by_name.find(before_[a].name);
      if (found == by_name.end()) { continue; }
      const std::set<std::string_view>& builds = after_[found->second].builds;
      bool shared = std::any_of(before_[a].builds.begin(), before_[a].builds.end(),
                                [&](std::string_view build) { return builds.count(build) > 0; });
      if (shared) { join(a, found->second); }
    }
    for (size_t a = 0; a < before_.size(); ++a) {
      for (std::string_view build : before_[a].builds) {
        auto found = by_build.find(build);
        if (found == by_build.end()) { continue; }
        std::deque<size_t>& others = found->second;
        while (!others.empty() && after_[others.front()].counterpart != kNone) { others.pop_front(); }
        if (before_[a].counterpart == kNone && !others.empty()) { join(a, others.front()); }
      }
    }
  }

  // Matches modules whose key is unique on both sides; empty keys do not count.
  template <typename KeyOf, typename Accept>
  void match_by(const KeyOf& key_of, const Accept& accept) {
    std::map<std::string, std::vector<size_t>> rows[kSides];
    std::vector<Group>* sides[kSides] = {&before_, &after_};
    for (size_t side = 0; side < kSides; ++side) {
      for (size_t i = 0; i < sides[side]->size(); ++i) {
        const Group& g = (*sides[side])[i];
        if (std::string key = g.counterpart == kNone ? key_of(g) : ""; !key.empty()) { rows[side][key].push_back(i); }
      }
    }
    for (const auto& [key, a] : rows[0]) {
      auto b = rows[1].find(key);
      bool alone = a.size() == 1 && b != rows[1].end() && b->second.size() == 1;
      if (alone && accept(before_[a[0]], after_[b->second[0]])) { join(a[0], b->second[0]); }
    }
  }

  // At least a quarter of the smaller group's functions. Modules without symbols match by name alone.
  static bool have_much_in_common(const Group& a, const Group& b) {
    constexpr size_t kFew = 4;
    const auto& [smaller, larger] = a.functions.size() < b.functions.size() ? std::tie(a, b) : std::tie(b, a);
    if (smaller.functions.empty()) { return true; }
    auto common = static_cast<size_t>(std::count_if(smaller.functions.begin(), smaller.functions.end(),
                                                    [&](const std::string& name) { return larger.functions.count(name) > 0; }));
    return common * kFew >= smaller.functions.size();
  }

  // "app" of "app.old".
  static std::string without_age(std::string name) {
    for (std::string_view age : {"old", "new", "orig", "bak", "prev", "base", "before", "after"}) {
      for (char mark : {'.', '-', '_'}) {
        std::string tail = mark + std::string(age);
        if (name.size() > tail.size() && name.ends_with(tail)) { return name.substr(0, name.size() - tail.size()); }
      }
    }
    return name;
  }

  std::vector<Group>&before_, &after_;
};

}  // namespace

std::string_view common_module_name(std::string_view name) {
  constexpr std::string_view kKernel = "[kernel]";
  bool kernel = name.starts_with("[kernel]") || name.starts_with("[kernel.") || name.starts_with("[guest.kernel") ||
                name == "vmlinux" || name.starts_with("vmlinux-");
  return kernel ? kKernel : name;
}

std::string module_stem(std::string_view name) {
  constexpr std::string_view kLibrary = ".so";
  if (name.ends_with(kDeleted)) { name.remove_suffix(kDeleted.size()); }
  size_t library = name.rfind(kLibrary);
  bool is_library =
      library != name.npos && library > 0 && name.find_first_not_of("0123456789.", library + kLibrary.size()) == name.npos;
  std::string_view stem = is_library ? name.substr(0, library) : name;
  for (;;) {
    size_t length = std::max(version_length(stem), build_hash_length(stem));
    if (length == 0 || length >= stem.size()) { break; }
    stem.remove_suffix(length);
    while (stem.size() > 1 && (stem.ends_with('-') || stem.ends_with('_') || stem.ends_with('.'))) { stem.remove_suffix(1); }
  }
  return std::string(stem) + std::string(is_library ? kLibrary : "");
}

ModuleMatch::ModuleMatch(const Profile& before, const Profile& after) {
  Side sides[kSides] = {make_side(before), make_side(after)};
  Matcher(sides).run();
  std::set<std::string_view> taken;
  for (const Group& g : sides[1].groups) { taken.insert(g.name); }
  std::vector<std::string> common[kSides];
  for (const Group& g : sides[1].groups) { common[1].push_back(g.name); }
  for (const Group& g : sides[0].groups) {
    if (g.counterpart == kNone) {  // unrelated modules of the same name stay separate
      common[0].push_back(taken.count(g.name) > 0 ? g.name + " (before)" : g.name);
      continue;
    }
    const std::string& name = sides[1].groups[g.counterpart].name;
    common[0].push_back(name);
    if (name == g.name) { continue; }
    renamed_.emplace_back(g.name, name);
    if (can_be_program(name)) { threads_.emplace(task_name(g.name), task_name(name)); }
  }
  for (size_t side = 0; side < kSides; ++side) {
    for (size_t group : sides[side].of_module) { names_[side].push_back(common[side][group]); }
  }
}

std::vector<std::string> ModuleMatch::notes() const {
  constexpr size_t kMostNamed = 3;
  std::vector<std::string> notes;
  for (const auto& [before, after] : renamed_) {
    if (notes.size() == kMostNamed) {
      notes.push_back("and " + count_of(renamed_.size() - kMostNamed, "more renamed module"));
      break;
    }
    notes.push_back("comparing " + printable(before) + " (before) with " + printable(after) + " (after)");
  }
  return notes;
}

std::string ModuleMatch::thread_name(size_t side, std::string_view name) const {
  auto it = side == 0 ? threads_.find(std::string(name)) : threads_.end();
  return it == threads_.end() ? std::string(name) : it->second;
}

}  // namespace wick
