// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "stat/plan.h"

#include <algorithm>
#include <cerrno>

#include "base/text.h"

namespace wick::stat {
namespace {

// The names of a generic event: of its figure, and in the sysfs directories of x86 and Arm PMUs, where hybrid machines need
// them. Those of the top-down method are only there.
struct Known {
  const char *figure, *x86, *arm;
};
using Set = std::vector<Known>;

const Set kBasic = {{"cycles", "cpu-cycles", "cpu_cycles"},
                    {"instructions", "instructions", "inst_retired"},
                    {"branches", "branch-instructions", "br_retired"},
                    {"branch-misses", "branch-misses", "br_mis_pred_retired"}};
const Set kCache = {{"cache-references", "cache-references", "l1d_cache"}, {"cache-misses", "cache-misses", "l1d_cache_refill"}};
const Set kStalls = {{"stalled-cycles-frontend", "stalled-cycles-frontend", "stall_frontend"},
                     {"stalled-cycles-backend", "stalled-cycles-backend", "stall_backend"},
                     {"cycles", "cpu-cycles", "cpu_cycles"}};
const Set kLevels = {{"L1-dcache-loads", nullptr, nullptr},
                     {"L1-dcache-load-misses", nullptr, nullptr},
                     {"LLC-loads", nullptr, nullptr},
                     {"LLC-load-misses", nullptr, nullptr},
                     {"dTLB-load-misses", nullptr, nullptr}};
// "slots" must lead its group.
const Set kIntelTopdown = {{"slots", "slots", nullptr},
                           {"topdown-retiring", "topdown-retiring", nullptr},
                           {"topdown-bad-spec", "topdown-bad-spec", nullptr},
                           {"topdown-fe-bound", "topdown-fe-bound", nullptr},
                           {"topdown-be-bound", "topdown-be-bound", nullptr}};
const Set kArmTopdown = {{"topdown-cycles", nullptr, "cpu_cycles"},
                         {"stall-slot-frontend", nullptr, "stall_slot_frontend"},
                         {"stall-slot-backend", nullptr, "stall_slot_backend"},
                         {"op-retired", nullptr, "op_retired"},
                         {"op-spec", nullptr, "op_spec"}};

class Planner {
 public:
  Planner(const PlanRequest& request, const std::vector<CorePmu>& pmus, const std::string& sysfs, CounterPort& port)
      : request_(request), pmus_(pmus), sysfs_(sysfs), port_(port) {}

  CounterPlan usual() {
    plan_.with_kernel = request_.with_kernel;
    add_software();
    CorePmu unnamed;  // without sysfs, or with one PMU, generic events need no PMU
    std::vector<CorePmu> pmus = pmus_.empty() ? std::vector<CorePmu>{unnamed} : pmus_;
    for (const CorePmu& pmu : pmus) {
      open_group_.reset();
      for (const Set* set : {&kBasic, &kCache, &kStalls}) { add_set(*set, pmu, false); }
      if (request_.detailed) { add_set(kLevels, pmu, false); }
      open_group_.reset();
      add_set(kIntelTopdown, pmu, true);
      if (pmu.slots > 0) { add_set(kArmTopdown, pmu, true); }
    }
    note_missing_hardware();
    return std::move(plan_);
  }

  Result<CounterPlan> asked() {
    plan_.with_kernel = request_.with_kernel;
    add_software();
    for (const EventSpec& event : request_.events) {
      if (event.type == PERF_TYPE_SOFTWARE || event.type == PERF_TYPE_TRACEPOINT) {
        WICK_OK(add_alone(event));
        continue;
      }
      bool is_generic = event.type == PERF_TYPE_HARDWARE || event.type == PERF_TYPE_HW_CACHE;
      bool any = false;
      for (const CorePmu& pmu : pmus_.empty() ? std::vector<CorePmu>{CorePmu{}} : pmus_) {
        bool is_of_pmu = is_generic || event.type == PERF_TYPE_RAW || event.type == pmu.type || pmus_.size() <= 1;
        if (!is_of_pmu) { continue; }
        EventSpec own = event;
        bool extend = is_generic && pmus_.size() > 1;
        if (extend) { own.config |= uint64_t{pmu.type} << kPmuTypeShift; }
        if (event.type == PERF_TYPE_RAW && pmus_.size() > 1) { own.type = pmu.type; }
        if (!works({{event.name, own}})) { continue; }
        any = true;
        put({{event.name, own}}, pmu);
      }
      if (!any) { return refused(event); }
    }
    note_missing_hardware();
    return std::move(plan_);
  }

 private:
  static constexpr int kPmuTypeShift = 32;

  Error refused(const EventSpec& event) const {
    if (error_ == EACCES || error_ == EPERM) {
      return Error("cannot count \"%s\": permission denied", event.name.c_str())
          .with_code(Errc::kPermission)
          .with_hint("wick doctor");
    }
    return Error("cannot count \"%s\": this machine has no such counter", event.name.c_str())
        .with_code(Errc::kUsage)
        .with_hint("wick stat …   (without -e: what can be counted here; --exact simulates instructions and misses)");
  }

  int probe(const EventSpec& event, int leader) {
    perf_event_attr attr = counting_attr(event, request_.with_kernel && !event.user_only, leader < 0);
    attr.enable_on_exec = attr.inherit = 0;
    return port_.open(attr, request_.of_machine ? -1 : 0, request_.of_machine ? 0 : -1, leader);
  }

  // Whether the kernel accepts these in one group.
  bool works(const std::vector<Counter>& counters) {
    std::vector<int> handles;
    for (const Counter& counter : counters) {
      int handle = probe(counter.event, handles.empty() ? -1 : handles[0]);
      if (handle < 0) {
        error_ = -handle;
        break;
      }
      handles.push_back(handle);
    }
    bool complete = handles.size() == counters.size();
    if (complete && request_.watchdog && counters.size() > 1) {
      EventSpec one_more = counters.back().event;
      int handle = probe(one_more, handles[0]);
      complete = handle >= 0;
      if (complete) { handles.push_back(handle); }
    }
    std::for_each(handles.rbegin(), handles.rend(), [&](int handle) { port_.close(handle); });
    return complete;
  }

  void add_software() {
    CounterGroup group;
    std::vector<const char*> names = {"task-clock"};
    // Switches and migrations happen in the kernel, and part of the faults do: without it, their counts are wrong.
    if (request_.with_kernel) { names.insert(names.end(), {"context-switches", "cpu-migrations", "page-faults", "major-faults"}); }
    for (const char* name : names) {
      EventSpec event = *find_event(name);
      if (works({{name, event}})) {
        group.counters.push_back({name, event});
      } else if (group.counters.empty()) {
        plan_.software_error = error_;
        return;
      }
    }
    plan_.groups.push_back(std::move(group));
  }

  std::optional<EventSpec> find_event(const std::string& text) const {
    Result<std::vector<EventSpec>> found = parse_events(text, sysfs_);
    return found.ok() && found->size() == 1 ? std::optional(found->front()) : std::nullopt;
  }

  // The event on that PMU.
  std::optional<EventSpec> resolve(const Known& known, const CorePmu& pmu, bool only_sysfs) const {
    bool is_arm = pmu.name.starts_with("armv") || pmu.name.starts_with("apple_");
    const char* alias = is_arm ? known.arm : known.x86;
    if (!only_sysfs && pmus_.size() <= 1) { return find_event(known.figure); }
    if (!only_sysfs && !is_arm) {  // hybrid x86: the upper half of a generic event chooses the PMU
      std::optional<EventSpec> event = find_event(known.figure);
      if (event) { event->config |= uint64_t{pmu.type} << kPmuTypeShift; }
      return event;
    }
    return alias == nullptr || pmu.name.empty() ? std::nullopt : find_event(pmu.name + "/" + alias + "/");
  }

  void add_set(const Set& set, const CorePmu& pmu, bool whole) {
    std::vector<Counter> counters;
    for (const Known& known : set) {
      std::optional<EventSpec> event = resolve(known, pmu, whole);
      // Members of the top-down groups work only behind their leader.
      if (event && (whole || works({{known.figure, *event}}))) {
        counters.push_back({known.figure, *event});
      } else if (whole) {
        return;
      }
    }
    if (set.front().figure == kStalls.front().figure && counters.size() == 1) { return; }  // cycles without stalls
    if (whole && !works(counters)) { return; }
    put(std::move(counters), pmu);
  }

  // Into the group that is being filled if the kernel accepts it, else into a new one.
  void put(std::vector<Counter> counters, const CorePmu& pmu) {
    if (counters.empty()) { return; }
    std::string core = pmus_.size() > 1 ? pmu.name : "";
    if (open_group_ && plan_.groups[*open_group_].core == core) {
      std::vector<Counter> all = plan_.groups[*open_group_].counters;
      for (const Counter& counter : counters) {
        bool is_there = std::any_of(all.begin(), all.end(), [&](const Counter& c) { return c.name == counter.name; });
        if (!is_there) { all.push_back(counter); }
      }
      if (works(all)) {
        plan_.groups[*open_group_].counters = std::move(all);
        return;
      }
    }
    if (!works(counters) && counters.size() > 1) {
      for (Counter& counter : counters) {
        open_group_.reset();
        put({std::move(counter)}, pmu);
      }
      return;
    }
    open_group_ = plan_.groups.size();
    plan_.groups.push_back({std::move(counters), core, pmu.cpus, pmu.slots, true});
  }

  Status add_alone(const EventSpec& event) {
    bool is_there = false;
    for (const CounterGroup& group : plan_.groups) {
      for (const Counter& c : group.counters) { is_there |= c.name == event.name; }
    }
    if (is_there) { return ok_status(); }
    if (event.kernel_side && !request_.with_kernel) {
      return Error("cannot count \"%s\": it occurs only in the kernel, which perf_event_paranoid hides", event.name.c_str())
          .with_code(Errc::kPermission)
          .with_hint("sudo sysctl kernel.perf_event_paranoid=1");
    }
    if (!works({{event.name, event}})) { return refused(event); }
    plan_.groups.push_back({{{event.name, event}}, "", {}, 0, false});
    return ok_status();
  }

  void note_missing_hardware() {
    bool any = std::any_of(plan_.groups.begin(), plan_.groups.end(), [](const CounterGroup& g) { return g.hardware; });
    if (any) { return; }
    static_cast<void>(works({{"cycles", *find_event("cycles")}}));
    plan_.hardware_error = error_;
  }

  const PlanRequest& request_;
  const std::vector<CorePmu>& pmus_;
  const std::string& sysfs_;
  CounterPort& port_;
  CounterPlan plan_;
  std::optional<size_t> open_group_;
  int error_ = 0;
};

}  // namespace

std::vector<CorePmu> load_core_pmus(const std::vector<std::string>& names, const std::string& sysfs) {
  std::vector<CorePmu> out;
  for (const std::string& name : names) {
    std::string folder = sysfs + "/bus/event_source/devices/" + name;
    auto text = [&](const char* file) { return std::string(trim(read_file(folder + file, 4096).value_or(""))); };
    std::optional<uint64_t> type = parse_u64(text("/type"));
    if (!type || *type > UINT32_MAX) { continue; }
    CorePmu pmu{name, static_cast<uint32_t>(*type), {}, 0};
    if (Result<std::vector<uint32_t>> cpus = parse_cpu_list(text("/cpus")); cpus.ok()) { pmu.cpus = *std::move(cpus); }
    std::string slots = text("/caps/slots");
    bool is_hex = slots.starts_with("0x");
    std::optional<uint64_t> number = parse_u64(is_hex ? slots.substr(2) : slots, is_hex ? 16 : 10);
    if (number && *number <= 64) { pmu.slots = static_cast<uint32_t>(*number); }
    out.push_back(std::move(pmu));
  }
  return out;
}

Result<CounterPlan> plan_counters(const PlanRequest& request, const std::vector<CorePmu>& pmus, const std::string& sysfs,
                                  CounterPort& port) {
  Planner planner(request, pmus, sysfs, port);
  if (request.events.empty()) { return planner.usual(); }
  return planner.asked();
}

perf_event_attr counting_attr(const EventSpec& event, bool with_kernel, bool leads) {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = event.type;
  attr.config = event.config;
  attr.config1 = event.config1;
  attr.config2 = event.config2;
  attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  attr.disabled = leads;  // the others count with their leader
  attr.inherit = 1;
  attr.exclude_kernel = !with_kernel;
  attr.exclude_user = event.kernel_only;
  attr.exclude_hv = 1;
  return attr;
}

}  // namespace wick::stat
