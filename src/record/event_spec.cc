// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/event_spec.h"

#include <dirent.h>
#include <linux/perf_event.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "base/fd.h"
#include "base/text.h"
#include "record/machine_probe.h"

namespace wick {
namespace {

struct Named {
  const char* name;
  uint32_t type;
  uint64_t config;
  const char* unit;
  bool kernel_side, every;
};

constexpr uint32_t kHw = PERF_TYPE_HARDWARE, kSw = PERF_TYPE_SOFTWARE;
constexpr Named kEvents[] = {
    {"cycles", kHw, PERF_COUNT_HW_CPU_CYCLES, "cycles", false, false},
    {"cpu-cycles", kHw, PERF_COUNT_HW_CPU_CYCLES, "cycles", false, false},
    {"instructions", kHw, PERF_COUNT_HW_INSTRUCTIONS, "instructions", false, false},
    {"cache-references", kHw, PERF_COUNT_HW_CACHE_REFERENCES, "cache-references", false, false},
    {"cache-misses", kHw, PERF_COUNT_HW_CACHE_MISSES, "cache-misses", false, false},
    {"branches", kHw, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, "branches", false, false},
    {"branch-instructions", kHw, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, "branches", false, false},
    {"branch-misses", kHw, PERF_COUNT_HW_BRANCH_MISSES, "branch-misses", false, false},
    {"bus-cycles", kHw, PERF_COUNT_HW_BUS_CYCLES, "bus-cycles", false, false},
    {"ref-cycles", kHw, PERF_COUNT_HW_REF_CPU_CYCLES, "ref-cycles", false, false},
    {"stalled-cycles-frontend", kHw, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, "cycles", false, false},
    {"stalled-cycles-backend", kHw, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, "cycles", false, false},
    {"cpu-clock", kSw, PERF_COUNT_SW_CPU_CLOCK, "ns", false, false},
    {"task-clock", kSw, PERF_COUNT_SW_TASK_CLOCK, "ns", false, false},
    {"page-faults", kSw, PERF_COUNT_SW_PAGE_FAULTS, "page-faults", false, true},
    {"faults", kSw, PERF_COUNT_SW_PAGE_FAULTS, "page-faults", false, true},
    {"minor-faults", kSw, PERF_COUNT_SW_PAGE_FAULTS_MIN, "page-faults", false, true},
    {"major-faults", kSw, PERF_COUNT_SW_PAGE_FAULTS_MAJ, "page-faults", false, true},
    {"context-switches", kSw, PERF_COUNT_SW_CONTEXT_SWITCHES, "context-switches", true, true},
    {"cs", kSw, PERF_COUNT_SW_CONTEXT_SWITCHES, "context-switches", true, true},
    {"cpu-migrations", kSw, PERF_COUNT_SW_CPU_MIGRATIONS, "cpu-migrations", true, true},
    {"migrations", kSw, PERF_COUNT_SW_CPU_MIGRATIONS, "cpu-migrations", true, true},
    {"cgroup-switches", kSw, 11 /* PERF_COUNT_SW_CGROUP_SWITCHES, 5.12 */, "cgroup-switches", true, true},
    {"alignment-faults", kSw, PERF_COUNT_SW_ALIGNMENT_FAULTS, "alignment-faults", false, true},
    {"emulation-faults", kSw, PERF_COUNT_SW_EMULATION_FAULTS, "emulation-faults", false, true},
};

struct CacheWord {
  const char* name;
  uint64_t code;
};
constexpr CacheWord kCaches[] = {{"L1-dcache", 0}, {"L1-icache", 1}, {"LLC", 2}, {"dTLB", 3},
                                 {"iTLB", 4},      {"branch", 5},    {"node", 6}};
constexpr CacheWord kCacheOps[] = {{"load", 0}, {"store", 1}, {"prefetch", 2}};

// "L1-dcache-load-misses", "LLC-stores" …: cache | operation << 8 | (misses) << 16.
bool find_cache_event(std::string_view name, EventSpec& spec) {
  for (const CacheWord& cache : kCaches) {
    for (const CacheWord& op : kCacheOps) {
      for (uint64_t miss : {0, 1}) {
        std::string plural = std::string(op.name) + (op.code == 2 ? "es" : "s");
        std::string full = std::string(cache.name) + "-" + (miss ? std::string(op.name) + "-misses" : plural);
        if (full == name) {
          spec.type = PERF_TYPE_HW_CACHE;
          spec.config = cache.code | op.code << 8 | miss << 16;
          spec.unit = full;
          return true;
        }
      }
    }
  }
  return false;
}

std::vector<std::string> list_folder(const std::string& path) {
  std::vector<std::string> names;
  std::unique_ptr<DIR, int (*)(DIR*)> dir(::opendir(path.c_str()), ::closedir);
  while (dirent* entry = dir ? ::readdir(dir.get()) : nullptr) {
    if (entry->d_name[0] != '.') { names.push_back(entry->d_name); }
  }
  return names;
}

std::string tracing_folder() {
  for (const char* root : {"/sys/kernel/tracing/events", "/sys/kernel/debug/tracing/events"}) {
    if (!list_folder(root).empty()) { return root; }
  }
  return {};
}

std::string unknown_event_hint(std::string_view name, const std::vector<std::string>& candidates) {
  std::vector<std::string> near = nearest_words(name, candidates);
  if (near.empty()) { return "wick record --help"; }
  std::string hint = "wick record -e " + near[0] + " …";
  for (size_t i = 1; i < near.size(); ++i) { hint += (i == 1 ? "   (or: " : ", ") + near[i]; }
  return near.size() > 1 ? hint + ")" : hint;
}

Result<EventSpec> tracepoint_spec(const std::string& system, const std::string& name) {
  std::string folder = tracing_folder();
  if (folder.empty()) {
    return Error("cannot use the tracepoint %s:%s: tracefs cannot be read", system.c_str(), name.c_str())
        .with_code(Errc::kPermission)
        .with_hint(::geteuid() == 0 ? "mount -t tracefs tracefs /sys/kernel/tracing"
                                    : "sudo wick record …   (only root can use tracepoints)");
  }
  int errnum = 0;
  uint64_t number = find_tracepoint(system.c_str(), name.c_str(), errnum);
  if (number == 0) {
    std::vector<std::string> candidates;
    for (const std::string& other : list_folder(folder + "/" + system)) { candidates.push_back(system + ":" + other); }
    if (candidates.empty()) {
      for (const std::string& other : list_folder(folder)) { candidates.push_back(other + ":" + name); }
    }
    return Error("unknown tracepoint \"%s:%s\"", system.c_str(), name.c_str())
        .with_code(Errc::kUsage)
        .with_hint(unknown_event_hint(system + ":" + name, candidates));
  }
  EventSpec spec;
  spec.type = PERF_TYPE_TRACEPOINT;
  spec.config = number;
  spec.unit = "samples";
  spec.kernel_side = true;
  spec.period = 1;
  return spec;
}

// "0-7,32-35" in a PMU's format file: the target bits of the value.
void place_bits(std::string_view ranges, uint64_t value, uint64_t& config) {
  for (std::string_view range : split(ranges, ',')) {
    std::vector<std::string_view> ends = split(range, '-');
    std::optional<uint64_t> low = parse_u64(trim(ends[0])), high = parse_u64(trim(ends.back()));
    if (!low || !high || *high < *low || *high > 63) { return; }
    for (uint64_t bit = *low; bit <= *high; ++bit, value >>= 1) { config |= (value & 1) << bit; }
  }
}

// "cpu/event=0x3c,umask=1/" and "cpu/mem-loads/", resolved with the PMU's files in sysfs.
Result<EventSpec> find_pmu_event(const std::string& sysfs, const std::string& pmu, std::string_view terms,
                                 int depth = 0) {
  std::string folder = sysfs + "/bus/event_source/devices/" + pmu;
  Result<std::string> type = read_file(folder + "/type", 100);
  std::optional<uint64_t> number = type ? parse_u64(trim(*type)) : std::nullopt;
  if (!number) {
    return Error("this machine has no PMU \"%s\"", pmu.c_str())
        .with_code(Errc::kUsage)
        .with_hint("ls /sys/bus/event_source/devices");
  }
  EventSpec spec;
  spec.type = static_cast<uint32_t>(*number);
  spec.unit = "events";
  for (std::string_view term : split(terms, ',')) {
    std::vector<std::string_view> parts = split(term, '=');
    std::string key(trim(parts[0]));
    std::string_view text = parts.size() > 1 ? trim(parts[1]) : std::string_view("1");
    bool hex = text.substr(0, 2) == "0x";
    std::optional<uint64_t> value = parse_u64(hex ? text.substr(2) : text, hex ? 16 : 10);
    bool plain_name = key.find('/') == std::string::npos;
    Result<std::string> format = plain_name ? read_file(folder + "/format/" + key, 4096) : Result<std::string>(Error("no"));
    if (value && (key == "config" || key == "config1" || key == "config2")) {
      (key == "config" ? spec.config : key == "config1" ? spec.config1 : spec.config2) |= *value;
    } else if (value && format) {  // "config:0-7,21"
      size_t colon = format->find(':');
      std::string_view where = std::string_view(*format).substr(0, colon),
                       ranges = trim(std::string_view(*format).substr(colon + 1));
      place_bits(ranges, *value, where == "config1" ? spec.config1 : where == "config2" ? spec.config2 : spec.config);
    } else if (Result<std::string> alias =
                   plain_name ? read_file(folder + "/events/" + key, 4096) : Result<std::string>(Error("no"));
               alias && depth == 0) {
      WICK_LET(EventSpec named, find_pmu_event(sysfs, pmu, trim(*alias), 1));
      spec.config |= named.config;
      spec.config1 |= named.config1;
      spec.config2 |= named.config2;
      spec.unit = key;
    } else {
      return Error("the PMU \"%s\" has no \"%s\"", pmu.c_str(), key.c_str())
          .with_code(Errc::kUsage)
          .with_hint("ls " + folder + "/format " + folder + "/events");
    }
  }
  return spec;
}

bool take_modifiers(std::string_view letters, EventSpec& spec) {
  bool user = false, kernel = false;
  for (char c : letters) {
    if (c == 'u') {
      user = true;
    } else if (c == 'k') {
      kernel = true;
    } else if (c == 'p' && spec.precise < 3) {
      ++spec.precise;
    } else {
      return false;
    }
  }
  spec.user_only = user && !kernel;
  spec.kernel_only = kernel && !user;
  return true;
}

const Named* find_named(std::string_view name) {
  for (const Named& event : kEvents) {
    if (name == event.name) { return &event; }
  }
  return nullptr;
}

EventSpec from_named(const Named& event) {
  EventSpec spec;
  spec.name = event.name;
  spec.type = event.type;
  spec.config = event.config;
  spec.unit = event.unit;
  spec.is_clock = spec.unit == "ns";
  spec.kernel_side = event.kernel_side;
  spec.period = event.every ? 1 : 0;
  return spec;
}

Result<EventSpec> parse_event(std::string_view text, const std::string& sysfs) {
  std::string whole(text);
  if (size_t slash = text.find('/'); slash != std::string_view::npos) {
    size_t end = text.find('/', slash + 1);
    std::string_view rest = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (!rest.empty() && rest[0] == ':') { rest.remove_prefix(1); }
    std::string pmu(text.substr(0, slash));
    if (end == std::string_view::npos || pmu.empty()) {
      return Error("event \"%s\" needs a second slash", whole.c_str()).with_code(Errc::kUsage);
    }
    WICK_LET(EventSpec spec, find_pmu_event(sysfs, pmu, text.substr(slash + 1, end - slash - 1)));
    if (!take_modifiers(rest, spec)) {
      return Error("event \"%s\": modifiers are u, k and p", whole.c_str()).with_code(Errc::kUsage);
    }
    spec.name = whole;
    return spec;
  }
  std::vector<std::string_view> parts = split(text, ':');
  EventSpec spec;
  size_t used = 1;
  if (parts[0] == "auto") {
    spec = automatic_event();
  } else if (const Named* named = find_named(parts[0])) {
    spec = from_named(*named);
  } else if (find_cache_event(parts[0], spec)) {
  } else if (std::optional<uint64_t> raw =
                 parts[0].size() > 1 && parts[0][0] == 'r' ? parse_u64(parts[0].substr(1), 16) : std::nullopt) {
    spec.type = PERF_TYPE_RAW;
    spec.config = *raw;
    spec.unit = "events";
  } else if (parts.size() >= 2 && !parts[0].empty() && !parts[1].empty() && parts[0].find('.') == std::string_view::npos &&
             parts[1].find('.') == std::string_view::npos) {
    // "cycels:u" is a mistyped name with a modifier, not a tracepoint.
    EventSpec probe;
    bool like_modifier = take_modifiers(parts[1], probe);
    std::vector<std::string> near = nearest_words(parts[0], known_event_names());
    if (like_modifier && !near.empty()) {
      return Error("unknown event \"%s\"", std::string(parts[0]).c_str())
          .with_code(Errc::kUsage)
          .with_hint(unknown_event_hint(parts[0], known_event_names()));
    }
    WICK_LET(spec, tracepoint_spec(std::string(parts[0]), std::string(parts[1])));
    used = 2;
  } else {
    return Error("unknown event \"%s\"", whole.c_str())
        .with_code(Errc::kUsage)
        .with_hint(unknown_event_hint(parts[0], known_event_names()));
  }
  if (parts.size() > used + 1 || (parts.size() == used + 1 && (parts[used].empty() || !take_modifiers(parts[used], spec)))) {
    return Error("event \"%s\": modifiers are u (user), k (kernel) and p (precise)", whole.c_str()).with_code(Errc::kUsage);
  }
  spec.name = spec.automatic ? spec.name + whole.substr(parts[0].size()) : whole;
  return spec;
}

}  // namespace

Result<std::vector<EventSpec>> parse_events(std::string_view list, const std::string& sysfs) {
  std::vector<EventSpec> events;
  size_t begin = 0;
  bool in_slashes = false;
  for (size_t i = 0; i <= list.size(); ++i) {  // commas inside pmu/…/ belong to the event
    if (i < list.size() && list[i] == '/') { in_slashes = !in_slashes; }
    if (i < list.size() && (list[i] != ',' || in_slashes)) { continue; }
    std::string_view one = trim(list.substr(begin, i - begin));
    begin = i + 1;
    if (one.empty()) {
      return Error("empty event name in \"%s\"", std::string(list).c_str())
          .with_code(Errc::kUsage)
          .with_hint("wick record -e cpu-clock …");
    }
    WICK_LET(EventSpec spec, parse_event(one, sysfs));
    if (spec.kernel_side && spec.user_only) {
      return Error("event \"%s\" never fires: it happens only in the kernel, which :u excludes", spec.name.c_str())
          .with_code(Errc::kUsage)
          .with_hint("wick record -e " + spec.name.substr(0, spec.name.rfind(':')) + " …");
    }
    events.push_back(std::move(spec));
  }
  return events;
}

EventSpec automatic_event() {
  EventSpec spec = from_named(*find_named("cycles"));
  spec.automatic = true;
  return spec;
}
EventSpec default_software_event() { return from_named(*find_named("cpu-clock")); }

std::vector<std::string> known_event_names() {
  std::vector<std::string> names;
  for (const Named& event : kEvents) { names.push_back(event.name); }
  for (const CacheWord& cache : kCaches) {
    for (const char* what : {"loads", "load-misses", "stores", "store-misses", "prefetches", "prefetch-misses"}) {
      names.push_back(std::string(cache.name) + "-" + what);
    }
  }
  return names;
}

}  // namespace wick
