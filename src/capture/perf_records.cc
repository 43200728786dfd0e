// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "capture/perf_records.h"

#include <linux/perf_event.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <bit>

#include "base/byte_reader.h"
#include "base/text.h"
#include "capture/perf_registers.h"

namespace wick {
namespace {

struct Header {
  uint32_t type;
  uint16_t misc, size;
};

std::optional<Header> read_header(std::span<const uint8_t> record) {
  ByteReader r(record);
  Header h{r.u32(), r.u16(), r.u16()};
  if (!r.ok() || h.size != record.size()) { return std::nullopt; }
  return h;
}

// Splits the chain at its markers: huge values that say which context the following frames belong to.
void split_chain(std::span<const uint64_t> chain, RawSample& out) {
  std::span<const uint64_t> others;  // of guests and the like, whose addresses mean nothing here
  std::span<const uint64_t>* current = &out.user_chain;
  size_t begin = 0;
  for (size_t i = 0; i <= chain.size(); ++i) {
    bool marker = i < chain.size() && chain[i] >= static_cast<uint64_t>(PERF_CONTEXT_MAX);
    if (i < chain.size() && !marker) { continue; }
    if (i > begin) { *current = chain.subspan(begin, i - begin); }
    if (marker) {
      current = chain[i] == static_cast<uint64_t>(PERF_CONTEXT_KERNEL) ? &out.kernel_chain
                : chain[i] == static_cast<uint64_t>(PERF_CONTEXT_USER) ? &out.user_chain
                                                                       : &others;
    }
    begin = i + 1;
  }
}

// Views words inside the record. Records and their fields are 8-byte aligned.
std::optional<std::span<const uint64_t>> take_words(ByteReader& r, uint64_t count) {
  if (count > r.left() / 8) {
    r.fail();
    return std::nullopt;
  }
  std::span<const uint8_t> bytes = r.bytes(count * 8);
  return std::span<const uint64_t>(reinterpret_cast<const uint64_t*>(bytes.data()), static_cast<size_t>(count));
}

// Reads the counters of an event or its group.
void take_counters(ByteReader& r, uint64_t format, PerfSample& out) {
  uint64_t times =
      static_cast<uint64_t>(std::popcount(format & (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)));
  constexpr uint64_t kFormatLost = 1 << 4;  // since 6.0
  uint64_t per_value = 1 + static_cast<uint64_t>(std::popcount(format & (PERF_FORMAT_ID | kFormatLost)));
  uint64_t count = format & PERF_FORMAT_GROUP ? r.u64() : 1;
  r.skip(times * 8);
  std::optional<std::span<const uint64_t>> words = take_words(r, std::min(count, r.left()) * per_value);
  if (words && (format & PERF_FORMAT_GROUP) && (format & PERF_FORMAT_ID)) {
    out.counters = *words;
    out.counter_words = static_cast<size_t>(per_value);
  }
}

void skip_branches(ByteReader& r, uint64_t branch_sample_type) {
  constexpr uint64_t kHwIndex = 1 << 17, kCounters = 1 << 19;  // since 5.7 and 6.8
  uint64_t count = r.u64();
  if (count > r.left() / 24) { return r.fail(); }
  if (branch_sample_type & kHwIndex) { r.u64(); }
  r.skip(count * 24);
  if (branch_sample_type & kCounters) { r.skip(count * 8); }
}

// The time is among the trailing id fields, as far as requested: tid, time, id, stream id, cpu, identifier.
uint64_t trailing_time(std::span<const uint8_t> record, uint64_t sample_type) {
  if (!(sample_type & PERF_SAMPLE_TIME)) { return 0; }
  size_t behind = 8;
  for (uint64_t field :
       {uint64_t{PERF_SAMPLE_ID}, uint64_t{PERF_SAMPLE_STREAM_ID}, uint64_t{PERF_SAMPLE_CPU}, uint64_t{PERF_SAMPLE_IDENTIFIER}}) {
    if (sample_type & field) { behind += 8; }
  }
  if (record.size() < behind + 8) { return 0; }
  return ByteReader(record, record.size() - behind).u64();
}

}  // namespace

std::optional<PerfSample> parse_perf_sample(std::span<const uint8_t> record, const PerfLayout& layout) {
  std::optional<Header> header = read_header(record);
  if (!header || header->type != PERF_RECORD_SAMPLE) { return std::nullopt; }
  uint64_t type = layout.sample_type;
  ByteReader r(record, 8);
  PerfSample s;
  s.raw.in_kernel = (header->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
  if (type & PERF_SAMPLE_IDENTIFIER) { s.id = r.u64(); }
  if (type & PERF_SAMPLE_IP) { s.raw.ip = r.u64(); }
  if (type & PERF_SAMPLE_TID) {
    s.raw.pid = r.u32();
    s.raw.tid = r.u32();
  }
  if (type & PERF_SAMPLE_TIME) { s.raw.time_ns = r.u64(); }
  if (type & PERF_SAMPLE_ADDR) { r.u64(); }
  if (type & PERF_SAMPLE_ID) { s.id = r.u64(); }
  if (type & PERF_SAMPLE_STREAM_ID) { r.u64(); }
  if (type & PERF_SAMPLE_CPU) {
    s.raw.cpu = r.u32();
    r.u32();
  }
  if (type & PERF_SAMPLE_PERIOD) { s.period = r.u64(); }
  if (type & PERF_SAMPLE_READ) { take_counters(r, layout.read_format, s); }
  if (type & PERF_SAMPLE_CALLCHAIN) {
    uint64_t count = r.u64();
    if (std::optional<std::span<const uint64_t>> chain = take_words(r, count)) { split_chain(*chain, s.raw); }
  }
  if (type & PERF_SAMPLE_RAW) {
    uint64_t size = r.u32();
    if (size % 8 != 4) { return std::nullopt; }  // the next field would be unaligned
    r.skip(size);
  }
  if (type & PERF_SAMPLE_BRANCH_STACK) { skip_branches(r, layout.branch_sample_type); }
  if (type & PERF_SAMPLE_REGS_USER) {
    uint64_t abi = r.u64();
    if (abi != PERF_SAMPLE_REGS_ABI_NONE) {
      std::optional<std::span<const uint64_t>> values =
          take_words(r, static_cast<uint64_t>(std::popcount(layout.user_registers)));
      s.raw.is_32bit = abi == PERF_SAMPLE_REGS_ABI_32;
      if (values && abi == PERF_SAMPLE_REGS_ABI_64 && layout.arch != Arch::kUnknown) {
        s.raw.user = decode_perf_registers(layout.arch, layout.user_registers, *values);
      }
    }
  }
  if (type & PERF_SAMPLE_STACK_USER) {
    uint64_t size = r.u64();
    std::span<const uint8_t> stack = r.bytes(size);
    if (size != 0) {
      uint64_t filled = r.u64();
      s.raw.stack = stack.first(static_cast<size_t>(std::min<uint64_t>(filled, stack.size())));
    }
  }
  if (!r.ok()) { return std::nullopt; }
  return s;
}

std::optional<uint32_t> parse_perf_cpu(std::span<const uint8_t> record, uint64_t trailer) {
  size_t behind = trailer & PERF_SAMPLE_IDENTIFIER ? 16 : 8;
  if (!(trailer & PERF_SAMPLE_CPU) || record.size() < sizeof(perf_event_header) + behind) { return std::nullopt; }
  return ByteReader(record, record.size() - behind).u32();
}

std::optional<SideEvent> parse_perf_side(std::span<const uint8_t> record, uint64_t trailer) {
  std::optional<Header> header = read_header(record);
  if (!header) { return std::nullopt; }
  uint64_t time_ns = trailing_time(record, trailer);
  ByteReader r(record, 8);
  switch (header->type) {
    case PERF_RECORD_MMAP:
    case PERF_RECORD_MMAP2: {
      MmapEvent e;
      e.time_ns = time_ns;
      e.pid = r.u32();
      e.tid = r.u32();
      e.start = r.u64();
      e.length = r.u64();
      e.file_offset = r.u64();
      if (header->type == PERF_RECORD_MMAP2) {
        std::span<const uint8_t> file = r.bytes(24);  // device, inode, generation; or a build ID
        r.u32();
        r.u32();
        ByteReader f(file);
        if (header->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
          uint64_t size = f.u8();
          f.skip(3);
          std::span<const uint8_t> id = f.bytes(std::min<uint64_t>(size, 20));
          if (f.ok()) { e.build_id = to_hex(id.data(), id.size()); }
        } else {
          uint32_t major_number = f.u32(), minor_number = f.u32();
          e.device = makedev(major_number, minor_number);
          e.inode = f.u64();
        }
      }
      e.path = r.cstring();
      if (!r.ok() || (header->misc & PERF_RECORD_MISC_MMAP_DATA)) { return std::nullopt; }
      return e;
    }
    case PERF_RECORD_COMM: {
      CommEvent e;
      e.time_ns = time_ns;
      e.pid = r.u32();
      e.tid = r.u32();
      e.name = r.cstring();
      e.exec = (header->misc & PERF_RECORD_MISC_COMM_EXEC) != 0;
      return r.ok() ? std::optional<SideEvent>(e) : std::nullopt;
    }
    case PERF_RECORD_FORK:
    case PERF_RECORD_EXIT: {
      ForkEvent e;
      e.pid = r.u32();
      e.parent_pid = r.u32();
      e.tid = r.u32();
      e.parent_tid = r.u32();
      e.time_ns = r.u64();
      if (!r.ok()) { return std::nullopt; }
      if (header->type == PERF_RECORD_EXIT) { return ExitEvent{e.time_ns, e.pid, e.tid}; }
      return e;
    }
    default: return std::nullopt;
  }
}

std::optional<PerfSwitch> parse_perf_switch(std::span<const uint8_t> record) {
  std::optional<Header> header = read_header(record);
  bool of_cpu = header && header->type == PERF_RECORD_SWITCH_CPU_WIDE;
  if (!header || (header->type != PERF_RECORD_SWITCH && !of_cpu)) { return std::nullopt; }
  ByteReader r(record, of_cpu ? 16 : 8);  // the other task comes first
  PerfSwitch out;
  out.pid = r.u32();
  out.tid = r.u32();
  out.time_ns = r.u64();
  out.out = (header->misc & PERF_RECORD_MISC_SWITCH_OUT) != 0;
  out.preempted = out.out && (header->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0;
  if (!r.ok()) { return std::nullopt; }
  return out;
}

std::optional<PerfLost> parse_perf_lost(std::span<const uint8_t> record) {
  std::optional<Header> header = read_header(record);
  if (!header || (header->type != PERF_RECORD_LOST && header->type != PERF_RECORD_LOST_SAMPLES)) { return std::nullopt; }
  ByteReader r(record, 8);
  PerfLost lost;
  if (header->type == PERF_RECORD_LOST) { lost.id = r.u64(); }
  lost.count = r.u64();
  return r.ok() ? std::optional<PerfLost>(lost) : std::nullopt;
}

}  // namespace wick
