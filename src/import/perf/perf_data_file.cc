// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/perf/perf_data_file.h"

#include <linux/perf_event.h>

#include <algorithm>
#include <array>
#include <bit>

#include "base/text.h"

namespace wick {
namespace {

enum Feature : uint64_t {
  kBuildId = 2,
  kHostName = 3,
  kOsRelease = 4,
  kVersion = 5,
  kArch = 6,
  kCpuCount = 7,
  kCpuModel = 8,
  kCommandLine = 11,
  kEventNames = 12,
  kSampleTime = 21,
  kDirectory = 24,
  kClockData = 29,
  kFeatureBits = 256,
};

constexpr size_t kMostEvents = 4096, kMostIds = 1 << 20, kMostWords = 1 << 16, kMostBuildIds = 1 << 18;
constexpr uint64_t kAllInOneFile = 0;   // value in a directory's head if there are no other files
constexpr size_t kLeastAttrBytes = 64;  // of the first version; later ones are longer

std::string read_feature_text(OrderedReader& r) {
  Bytes bytes = r.bytes(r.u32());
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return std::string(text.substr(0, text.find('\0')));
}

// Names of events that the file does not name.
std::string generic_name(uint32_t type, uint64_t config) {
  constexpr std::array kHardware = {
      "cycles",        "instructions", "cache-references",        "cache-misses",           "branches",
      "branch-misses", "bus-cycles",   "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles"};
  constexpr std::array kSoftware = {"cpu-clock",        "task-clock",   "page-faults",  "context-switches",
                                    "cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
                                    "emulation-faults", "dummy",        "bpf-output",   "cgroup-switches"};
  if (type == PERF_TYPE_HARDWARE && (config & UINT32_MAX) < kHardware.size()) { return kHardware[config & UINT32_MAX]; }
  if (type == PERF_TYPE_SOFTWARE && config < kSoftware.size()) { return kSoftware[config]; }
  if (type == PERF_TYPE_RAW) { return strf("r%llx", static_cast<unsigned long long>(config)); }
  if (type == PERF_TYPE_BREAKPOINT) { return "breakpoint"; }
  return strf("event %u:%llu", type, static_cast<unsigned long long>(config));
}

// What the weight of a sample counts.
std::string unit_of(const PerfDataEvent& event) {
  if (event.type == PERF_TYPE_SOFTWARE && event.config <= PERF_COUNT_SW_TASK_CLOCK) { return "ns"; }
  if (event.type == PERF_TYPE_TRACEPOINT || event.type == PERF_TYPE_BREAKPOINT) { return "samples"; }
  return event.type == PERF_TYPE_HARDWARE || event.type == PERF_TYPE_SOFTWARE ? generic_name(event.type, event.config) : "events";
}

void parse_event_names(OrderedReader& r, PerfDataInfo& info) {
  uint32_t count = r.u32(), attr_bytes = r.u32();
  for (uint32_t i = 0; i < count && i < kMostEvents && r.ok(); ++i) {
    r.skip(attr_bytes);
    uint32_t id_count = r.u32();
    std::string name = read_feature_text(r);
    if (!r.ok() || id_count > r.left() / 8) { return; }
    for (uint32_t k = 0; k < id_count; ++k) {
      auto found = info.event_of_id.find(r.u64());
      if (found != info.event_of_id.end() && !name.empty()) { info.events[found->second].name = name; }
    }
    // Files with a single event may have no IDs.
    if (id_count == 0 && i < info.events.size() && count == info.events.size() && !name.empty()) { info.events[i].name = name; }
  }
}

}  // namespace

std::optional<PerfDataEvent> parse_perf_attr(Bytes attr, bool swapped) {
  if (attr.size() < kLeastAttrBytes) { return std::nullopt; }
  OrderedReader r(attr, swapped);
  PerfDataEvent e;
  e.type = r.u32();
  r.u32();  // size
  e.config = r.u64();
  uint64_t period = r.u64();
  e.layout.sample_type = r.u64();
  e.layout.read_format = r.u64();
  // Bit fields begin at the low end of a byte on little-endian machines, at the high end on others.
  Bytes flag_bytes = r.bytes(8);
  uint64_t flags = 0;
  for (size_t i = 0; i < 8; ++i) {
    uint8_t byte = flag_bytes[i];
    if (swapped) {
      byte = static_cast<uint8_t>((byte & 0xf0) >> 4 | (byte & 0x0f) << 4);
      byte = static_cast<uint8_t>((byte & 0xcc) >> 2 | (byte & 0x33) << 2);
      byte = static_cast<uint8_t>((byte & 0xaa) >> 1 | (byte & 0x55) << 1);
    }
    flags |= uint64_t{byte} << (8 * i);
  }
  constexpr uint64_t kFreq = 1 << 10, kSampleIdAll = 1 << 18;
  e.sample_id_all = (flags & kSampleIdAll) != 0;
  if (flags & kFreq) {
    e.rate_hz = period;
  } else {
    e.fixed_period = period;
  }
  r.skip(4 + 4 + 8);  // wakeup_events, bp_type, config1
  // Files of an old perf end here.
  if (r.left() >= 8) { r.skip(8); }  // config2
  if (r.left() >= 8) { e.layout.branch_sample_type = r.u64(); }
  if (r.left() >= 8) { e.layout.user_registers = r.u64(); }
  e.copies_stack = (e.layout.sample_type & PERF_SAMPLE_REGS_USER) && (e.layout.sample_type & PERF_SAMPLE_STACK_USER);
  e.name = generic_name(e.type, e.config);
  bool counted = (e.layout.sample_type & PERF_SAMPLE_PERIOD) || e.fixed_period != 0;
  e.unit = counted ? unit_of(e) : "samples";
  return e;
}

void add_perf_event(PerfDataInfo& info, PerfDataEvent event) {
  if (info.events.size() >= kMostEvents) { return; }
  for (uint64_t id : event.ids) {
    if (info.event_of_id.size() < kMostIds) { info.event_of_id.emplace(id, static_cast<uint32_t>(info.events.size())); }
  }
  info.events.push_back(std::move(event));
}

std::optional<PerfDataBuildId> parse_perf_build_id(Bytes record, bool swapped) {
  constexpr uint16_t kHasSize = 1 << 15;
  constexpr size_t kIdBytes = 20, kIdRoom = 24;
  OrderedReader r(record, swapped);
  r.u32();
  uint16_t misc = r.u16();
  r.u16();
  r.u32();  // pid
  Bytes id = r.bytes(kIdRoom);
  if (!r.ok()) { return std::nullopt; }
  Bytes rest = r.bytes(r.left());
  std::string_view path(reinterpret_cast<const char*>(rest.data()), rest.size());
  size_t size = misc & kHasSize ? std::min<size_t>(id[kIdBytes], kIdBytes) : kIdBytes;
  PerfDataBuildId out;
  out.path = path.substr(0, path.find('\0'));
  out.kernel = (misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
  out.id = to_hex(id.data(), size);
  // Older files pad a shorter one with zeros.
  if (!(misc & kHasSize)) {
    while (out.id.size() > 32 && out.id.ends_with("00000000")) { out.id.resize(out.id.size() - 8); }
  }
  if (out.path.empty() || out.id.find_first_not_of('0') == std::string::npos) { return std::nullopt; }
  return out;
}

bool parse_perf_feature(uint64_t feature, Bytes bytes, PerfDataInfo& info) {
  OrderedReader r(bytes, info.swapped);
  switch (feature) {
    case kHostName: info.host = read_feature_text(r); break;
    case kOsRelease: info.kernel = read_feature_text(r); break;
    case kVersion: info.perf_version = read_feature_text(r); break;
    case kArch: info.arch = read_feature_text(r); break;
    case kCpuModel: info.cpu_model = read_feature_text(r); break;
    case kCpuCount:
      r.u32();  // flag: present
      info.cpu_count = r.u32();
      break;
    case kCommandLine: {
      info.command.clear();
      uint32_t count = r.u32();
      for (uint32_t i = 0; i < count && i < kMostWords && r.ok(); ++i) { info.command.push_back(read_feature_text(r)); }
      break;
    }
    case kEventNames: parse_event_names(r, info); break;
    case kSampleTime: info.first_sample_ns = r.u64(); break;
    case kDirectory: info.is_head_of_folder = r.u64() != kAllInOneFile; break;
    case kClockData: {
      r.u32();  // version
      r.u32();  // which clock
      uint64_t wall = r.u64(), clock = r.u64();
      if (r.ok() && wall > clock) { info.wall_offset_ns = wall - clock; }
      break;
    }
    case kBuildId: {
      while (r.left() >= 8 && info.build_ids.size() < kMostBuildIds) {
        Bytes rest = bytes.subspan(bytes.size() - r.left());
        OrderedReader header(rest, info.swapped, 6);
        uint16_t size = header.u16();
        if (size < 8 || size > rest.size()) { return false; }
        if (auto entry = parse_perf_build_id(rest.first(size), info.swapped)) { info.build_ids.push_back(*std::move(entry)); }
        r.skip(size);
      }
      break;
    }
    default: break;
  }
  return r.ok();
}

Result<PerfFileLayout> parse_perf_file(Bytes file, PerfDataInfo& info, std::vector<std::string>& troubles) {
  auto bad = [](std::string what) { return Error("%s", what.c_str()).with_code(Errc::kBadInput); };
  auto fits = [&](const PerfFileSection& s) { return s.offset <= file.size() && s.size <= file.size() - s.offset; };
  if (file.size() < kPerfFileHeaderBytes) { return bad("truncated header: expected 104 bytes"); }
  OrderedReader r(file, info.swapped, 8);
  r.u64();  // size of the header
  uint64_t attr_bytes = r.u64();
  PerfFileSection attrs{r.u64(), r.u64()}, data{r.u64(), r.u64()};
  r.skip(16);
  std::array<uint64_t, 4> feature_words{r.u64(), r.u64(), r.u64(), r.u64()};
  if (attr_bytes < kLeastAttrBytes + 16 || attr_bytes > 4096) {
    return bad(strf("byte 16: attributes of %llu bytes: expected 80 to 4096", static_cast<unsigned long long>(attr_bytes)));
  }
  if (!fits(attrs) || attrs.size < attr_bytes) { return bad("byte 24: the attribute section is empty or outside the file"); }
  uint64_t ids_left = file.size() / 8;  // sections of several events may share bytes: bounds the work
  for (uint64_t at = 0; attrs.size - at >= attr_bytes && info.events.size() < kMostEvents; at += attr_bytes) {
    Bytes row = file.subspan(static_cast<size_t>(attrs.offset + at), static_cast<size_t>(attr_bytes));
    std::optional<PerfDataEvent> event = parse_perf_attr(row.first(row.size() - 16), info.swapped);
    if (!event) { continue; }
    OrderedReader where(row, info.swapped, row.size() - 16);
    PerfFileSection ids{where.u64(), where.u64()};
    if (!fits(ids)) {
      troubles.push_back(strf("the IDs of event %zu are outside the file", info.events.size()));
    } else {
      OrderedReader id(file.subspan(static_cast<size_t>(ids.offset), static_cast<size_t>(ids.size)), info.swapped);
      for (uint64_t i = 0; i < ids.size / 8 && ids_left > 0; ++i, --ids_left) { event->ids.push_back(id.u64()); }
    }
    add_perf_event(info, *std::move(event));
  }
  if (data.offset > file.size()) { return bad("byte 40: the data begins after the end of the file"); }
  PerfFileLayout layout;
  layout.data = data;
  layout.unfinished = data.size == 0;
  if (layout.unfinished) {
    layout.data.size = file.size() - data.offset;
    return layout;
  }
  if (!fits(data)) {
    troubles.push_back("the file is truncated");
    layout.cut = true;
    layout.data.size = file.size() - data.offset;
    return layout;
  }
  // A table of sections after the data, one per set bit.
  OrderedReader table(file, info.swapped, static_cast<size_t>(data.offset + data.size));
  std::vector<std::pair<uint64_t, PerfFileSection>> features;
  for (uint64_t bit = 0; bit < kFeatureBits; ++bit) {
    uint64_t word = feature_words[bit / 64];
    if (!(word >> (bit % 64) & 1)) { continue; }
    features.push_back({bit, {table.u64(), table.u64()}});
  }
  if (!table.ok()) {
    troubles.push_back("the feature table is truncated");
    return layout;
  }
  for (const auto& [bit, section] : features) {
    bool good =
        fits(section) &&
        parse_perf_feature(bit, file.subspan(static_cast<size_t>(section.offset), static_cast<size_t>(section.size)), info);
    if (!good) { troubles.push_back(strf("feature %llu is damaged", static_cast<unsigned long long>(bit))); }
  }
  return layout;
}

Arch perf_data_arch(const PerfDataInfo& info) {
  if (info.swapped) { return Arch::kUnknown; }  // both supported CPUs are little-endian
  if (info.arch == "x86_64" || info.arch == "amd64") { return Arch::kX86_64; }
  if (info.arch == "aarch64" || info.arch == "arm64") { return Arch::kAarch64; }
  if (!info.arch.empty()) { return Arch::kUnknown; }
  for (const PerfDataEvent& event : info.events) {
    constexpr uint64_t kAarch64Only = uint64_t{0x1ff} << 24;
    if (event.copies_stack) { return event.layout.user_registers & kAarch64Only ? Arch::kAarch64 : Arch::kX86_64; }
  }
  return host_arch();
}

}  // namespace wick
