// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "stat/figure.h"

#include <algorithm>
#include <optional>
#include <set>

namespace wick::stat {
namespace {

struct Ratio {
  const char *name, *part, *whole;
  Unit unit;
};
constexpr Ratio kRatios[] = {
    {"ipc", "instructions", "cycles", Unit::kRatio},
    {"branch-miss-share", "branch-misses", "branches", Unit::kShare},
    {"cache-miss-share", "cache-misses", "cache-references", Unit::kShare},
    {"l1d-miss-share", "L1-dcache-load-misses", "L1-dcache-loads", Unit::kShare},
    {"frontend-stalls", "stalled-cycles-frontend", "cycles", Unit::kShare},
    {"backend-stalls", "stalled-cycles-backend", "cycles", Unit::kShare},
    {"retiring", "topdown-retiring", "slots", Unit::kShare},
    {"bad-speculation", "topdown-bad-spec", "slots", Unit::kShare},
    {"frontend-bound", "topdown-fe-bound", "slots", Unit::kShare},
    {"backend-bound", "topdown-be-bound", "slots", Unit::kShare},
};

// Arm's formulas: slots that the frontend or the backend left empty; the rest is split by the operations that retired.
void add_arm_topdown(Figures& figures, const std::string& core, double slots_per_cycle) {
  auto get = [&](const char* name) { return find_figure(figures, name, core); };
  const Figure *cycles = get("topdown-cycles"), *frontend = get("stall-slot-frontend"), *backend = get("stall-slot-backend"),
               *retired = get("op-retired"), *speculated = get("op-spec");
  bool has_all = cycles != nullptr && frontend != nullptr && backend != nullptr && retired != nullptr && speculated != nullptr;
  if (!has_all || cycles->value <= 0 || speculated->value <= 0 || slots_per_cycle <= 0) { return; }
  double slots = cycles->value * slots_per_cycle;
  double fe = std::min(frontend->value / slots, 1.0), be = std::min(backend->value / slots, 1.0);
  double used = std::max(1 - fe - be, 0.0), good = std::min(retired->value / speculated->value, 1.0);
  double counted = cycles->counted;
  auto add = [&](const char* name, double share) {
    figures.push_back({name, core, Unit::kShare, Scope::kTarget, share, counted});
  };
  add("retiring", used * good);
  add("bad-speculation", used * (1 - good));
  add("frontend-bound", fe);
  add("backend-bound", be);
}

}  // namespace

const Figure* find_figure(const Figures& figures, std::string_view name, std::string_view core) {
  for (const Figure& figure : figures) {
    if (figure.name == name && figure.core == core) { return &figure; }
  }
  return nullptr;
}

const char* unit_name(Unit unit) {
  switch (unit) {
    case Unit::kCount: return "count";
    case Unit::kNanoseconds: return "ns";
    case Unit::kBytes: return "bytes";
    case Unit::kRatio: return "ratio";
    case Unit::kShare: return "share";
  }
  return "";
}

const char* scope_name(Scope scope) {
  return scope == Scope::kTarget ? "target" : scope == Scope::kMachine ? "machine" : "simulated";
}

const char* bound_name(Bound bound) {
  return bound == Bound::kExact ? "exact" : bound == Bound::kAtLeast ? "at_least" : "at_most";
}

void add_ratios(Figures& figures, uint32_t slots_per_cycle) {
  std::set<std::string> cores;
  for (const Figure& figure : figures) { cores.insert(figure.core); }
  for (const std::string& core : cores) {
    for (const Ratio& ratio : kRatios) {
      const Figure *part = find_figure(figures, ratio.part, core), *whole = find_figure(figures, ratio.whole, core);
      if (part == nullptr || whole == nullptr || whole->value <= 0) { continue; }
      Figure out{ratio.name, core, ratio.unit, part->scope, part->value / whole->value};
      out.counted = std::min(part->counted, whole->counted);
      figures.push_back(std::move(out));
    }
    add_arm_topdown(figures, core, slots_per_cycle);
  }
}

void add_cpu_use(Figures& figures) {
  const Figure* used = find_figure(figures, "task-clock");
  if (used == nullptr) { used = find_figure(figures, "cpu-busy"); }
  const Figure* elapsed = find_figure(figures, "elapsed");
  if (used == nullptr || elapsed == nullptr || elapsed->value <= 0) { return; }
  figures.push_back({"cpus-used", "", Unit::kRatio, used->scope, used->value / elapsed->value, 1, used->bound});
}

}  // namespace wick::stat
