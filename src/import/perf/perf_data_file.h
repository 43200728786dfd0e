// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Metadata of a perf.data file: its events (attributes), and facts that perf record adds (features). In a file they are sections
// that the header points to; in a pipe they are records.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/byte_reader.h"
#include "base/cpu.h"
#include "base/fd.h"
#include "base/result.h"
#include "capture/perf_records.h"

namespace wick {

// Like ByteReader, for either byte order.
class OrderedReader {
 public:
  OrderedReader(Bytes bytes, bool swapped, size_t offset = 0) : r_(bytes, offset), swapped_(swapped) {}

  uint16_t u16() { return swapped_ ? __builtin_bswap16(r_.u16()) : r_.u16(); }
  uint32_t u32() { return swapped_ ? __builtin_bswap32(r_.u32()) : r_.u32(); }
  uint64_t u64() { return swapped_ ? __builtin_bswap64(r_.u64()) : r_.u64(); }
  Bytes bytes(uint64_t count) { return r_.bytes(count); }
  void skip(uint64_t count) { r_.skip(count); }
  size_t left() const { return r_.left(); }
  bool ok() const { return r_.ok(); }

 private:
  ByteReader r_;
  bool swapped_;
};

struct PerfDataEvent {
  std::string name, unit;
  uint32_t type = 0;  // of the attribute
  uint64_t config = 0;
  uint64_t rate_hz = 0;       // 0: sampled by period
  uint64_t fixed_period = 0;  // of samples without one; 0: one each
  PerfLayout layout;
  bool sample_id_all = false;
  bool copies_stack = false;  // samples have user registers and stack bytes
  std::vector<uint64_t> ids;
};

struct PerfDataBuildId {
  std::string path, id;  // id: hex
  bool kernel = false;
};

struct PerfDataInfo {
  bool swapped = false;  // written with the other byte order
  std::vector<PerfDataEvent> events;
  std::unordered_map<uint64_t, uint32_t> event_of_id;
  std::string host, kernel, arch, perf_version, cpu_model;  // empty: unknown
  uint32_t cpu_count = 0;
  std::vector<std::string> command;
  std::vector<PerfDataBuildId> build_ids;
  uint64_t first_sample_ns = 0;    // 0: unknown
  bool is_head_of_folder = false;  // perf record --threads: the records are in other files
  uint64_t wall_offset_ns = 0;     // real time minus the samples' clock; 0: unknown

  // The kernel's position: the address of `kernel_symbol` (_text or _stext); empty: unknown.
  std::string kernel_symbol;
  uint64_t kernel_address = 0;
  struct KernelSymbol {
    uint64_t start = 0, length = 0;
    std::string name;
  };
  std::vector<KernelSymbol> kernel_symbols;  // added while recording: BPF programs, trampolines
};

constexpr std::string_view kPerfDataMagic = "PERFILE2", kPerfDataMagicSwapped = "2ELIFREP", kPerfDataMagicOld = "PERFFILE";
constexpr size_t kPerfPipeHeaderBytes = 16, kPerfFileHeaderBytes = 104;

struct PerfFileSection {
  uint64_t offset = 0, size = 0;
};
struct PerfFileLayout {
  PerfFileSection data;
  bool unfinished = false;  // perf record was killed: data reaches to the end, without features
  bool cut = false;         // the file ends before its data
};

// Parses the header, attributes and features of a file. `troubles` gets problems of single features.
Result<PerfFileLayout> parse_perf_file(Bytes file, PerfDataInfo& info, std::vector<std::string>& troubles);

// An attribute, without IDs; nullopt if invalid.
std::optional<PerfDataEvent> parse_perf_attr(Bytes attr, bool swapped);
void add_perf_event(PerfDataInfo& info, PerfDataEvent event);
// False if its bytes are invalid.
bool parse_perf_feature(uint64_t feature, Bytes bytes, PerfDataInfo& info);
// One entry of the build ID table; in pipes a record.
std::optional<PerfDataBuildId> parse_perf_build_id(Bytes record, bool swapped);

// From the file's metadata, else from the recorded registers; kUnknown for a CPU without an unwinder.
Arch perf_data_arch(const PerfDataInfo& info);

}  // namespace wick
