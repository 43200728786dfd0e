// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The input is untrusted even if wick wrote it: a checksum detects accidents, not malice. So every count is checked before memory
// is allocated, every ID before it is used, and the size of the file limits what it may expand to. A table is read completely or
// not at all: the first error ends reading, and everything before it is the recording.

#include "capture/wick_reader.h"

#include <algorithm>
#include <iterator>

#include "base/byte_reader.h"
#include "base/text.h"
#include "capture/block.h"
#include "capture/columns.h"

namespace wick::capture {
namespace {

using namespace column;

using Numbers = std::vector<uint64_t>;
using Texts = std::vector<std::string_view>;

constexpr size_t kMaxCounters = 512;

Arch arch_of(std::string_view name) {
  for (Arch arch : {Arch::kX86_64, Arch::kAarch64}) {
    if (name == arch_name(arch)) { return arch; }
  }
  return Arch::kUnknown;
}

SampleKind sample_kind_of(std::string_view name) {
  auto found = std::find(std::begin(kSampleKindNames), std::end(kSampleKindNames), name);
  return found == std::end(kSampleKindNames) ? SampleKind::kOther : static_cast<SampleKind>(found - std::begin(kSampleKindNames));
}

class Decoder {
 public:
  // Real recordings expand to about 10 times their size; tiny uniform test files to thousands of times.
  explicit Decoder(size_t file_size) : budget_((uint64_t{256} << 20) + uint64_t{64} * file_size) {}

  // Returns the error, or an empty string.
  std::string decode(uint16_t kind, std::span<const uint8_t> payload);
  bool has_info() const { return has_info_; }
  Capture take();

 private:
  bool decode_table(const TableReader& table);
  bool keys(const TableReader& table);
  bool modules(const TableReader& table);
  bool frames(const TableReader& table);
  bool stacks(const TableReader& table);
  bool threads(const TableReader& table, bool updates);
  bool causes(const TableReader& table);
  bool waits(const TableReader& table);
  bool series(const TableReader& table);
  bool samples(const TableReader& table);
  bool strings(const TableReader& table);
  bool chains(const TableReader& table);
  bool chain_frames(const TableReader& table);
  bool counters(const TableReader& table);
  bool totals(const TableReader& table);
  bool markers(const TableReader& table);
  bool tracks(const TableReader& table);
  bool track_values(const TableReader& table);
  bool code(const TableReader& table);
  bool sources(const TableReader& table);

  bool charge(uint64_t bytes);
  bool fail(const char* what) {
    if (wrong_.empty()) { wrong_ = what; }
    return false;
  }
  // The rows so far must be those that the writer had written before.
  bool in_sequence(const TableReader& table, size_t here) {
    if (table.first_row() != here) { return fail("is out of order"); }
    return here + table.rows() < UINT32_MAX ? true : fail("has too many rows");
  }
  bool malformed() { return fail("is malformed"); }
  bool bad_reference() { return fail("refers to missing rows"); }

  struct Series {
    uint64_t thread, event, period, time = 0, weight = 0;
    uint32_t cpu = 0;
    bool begun = false;
  };

  Capture capture_;
  uint64_t budget_;
  bool has_info_ = false;
  std::string wrong_;
  // For the current block.
  std::vector<Series> series_;
  Texts strings_;
  Numbers chain_frames_of_, chain_lengths_;
};

bool Decoder::charge(uint64_t bytes) {
  if (bytes > budget_) { return fail("decompresses to too much for a file of this size"); }
  budget_ -= bytes;
  return true;
}

std::string Decoder::decode(uint16_t kind, std::span<const uint8_t> payload) {
  wrong_.clear();
  if (!is_known_block(kind)) { return wrong_; }
  series_.clear();
  strings_.clear();
  chain_frames_of_.clear();
  chain_lengths_.clear();
  capture_.complete = kind == static_cast<uint16_t>(BlockKind::kEnd);
  if (!charge(payload.size())) {
    capture_.complete = false;
    return wrong_;
  }
  ByteReader reader(payload);
  TableReader table;
  while (table.next(reader)) {
    if (!decode_table(table)) { break; }
  }
  if (wrong_.empty() && !reader.ok()) { malformed(); }
  if (!wrong_.empty()) { capture_.complete = false; }
  return wrong_;
}

bool Decoder::decode_table(const TableReader& table) {
  switch (table.id()) {
    case TableId::kKeys: return keys(table);
    case TableId::kModules: return modules(table);
    case TableId::kFrames: return frames(table);
    case TableId::kStacks: return stacks(table);
    case TableId::kThreads: return threads(table, false);
    case TableId::kThreadUpdates: return threads(table, true);
    case TableId::kCauses: return causes(table);
    case TableId::kWaits: return waits(table);
    case TableId::kSeries: return series(table);
    case TableId::kSamples: return samples(table);
    case TableId::kStrings: return strings(table);
    case TableId::kChains: return chains(table);
    case TableId::kChainFrames: return chain_frames(table);
    case TableId::kCounters: return counters(table);
    case TableId::kTotals: return totals(table);
    case TableId::kMarkers: return markers(table);
    case TableId::kTracks: return tracks(table);
    case TableId::kTrackValues: return track_values(table);
    case TableId::kCode: return code(table);
    case TableId::kSources: return sources(table);
  }
  return true;  // of a later version
}

bool Decoder::keys(const TableReader& table) {
  Texts key, value;
  if (!charge(uint64_t{table.rows()} * 80)) { return false; }
  if (!table.texts(kKey, key) || !table.texts(kValue, value)) { return malformed(); }
  Info info;
  auto number = [](std::string_view text) { return parse_u64(text).value_or(0); };
  for (uint32_t i = 0; i < table.rows(); ++i) {
    std::string text(value[i]);
    if (key[i] == "wick_version") {
      info.wick_version = text;
    } else if (key[i] == "engine") {
      info.engine = text;
    } else if (key[i] == "unwind") {
      info.unwind = text;
    } else if (key[i] == "host") {
      info.host = text;
    } else if (key[i] == "kernel") {
      info.kernel = text;
    } else if (key[i] == "kernel_build_id") {
      info.kernel_build_id = text;
    } else if (key[i] == "kernel_text") {
      info.kernel_text = number(text);
    } else if (key[i] == "boot_id") {
      info.boot_id = text;
    } else if (key[i] == "cpu_model") {
      info.cpu_model = text;
    } else if (key[i] == "arch") {
      info.arch = arch_of(text);
    } else if (key[i] == "cpu_count") {
      info.cpu_count = static_cast<uint32_t>(number(text));
    } else if (key[i] == "start_wall_ns") {
      info.start_wall_ns = number(text);
    } else if (key[i] == "start_ns") {
      info.start_ns = number(text);
    } else if (key[i] == "command") {
      info.command.push_back(text);
    } else if (key[i] == "target") {
      info.target = text;
    } else if (key[i] == "event") {
      info.events.push_back({text, "", 0});
    } else if (key[i] == "event.unit" && !info.events.empty()) {
      info.events.back().unit = text;
    } else if (key[i] == "event.rate_hz" && !info.events.empty()) {
      info.events.back().rate_hz = number(text);
    } else if (key[i] == "event.kind" && !info.events.empty()) {
      info.events.back().kind = sample_kind_of(text);
    } else if (key[i] == "note") {
      info.notes.push_back(text);
    }
  }
  // Samples refer to events by number: a later block may add events, but not remove any.
  if (info.events.size() < capture_.info.events.size()) { return bad_reference(); }
  capture_.info = std::move(info);
  has_info_ = true;
  return true;
}

bool Decoder::modules(const TableReader& table) {
  Numbers kind;
  Texts path, build_id;
  if (!in_sequence(table, capture_.modules.size()) || !charge(table.rows() * sizeof(Module))) { return false; }
  if (!table.numbers(kModuleKind, kind) || !table.texts(kModulePath, path) || !table.texts(kModuleBuildId, build_id)) {
    return malformed();
  }
  for (uint32_t i = 0; i < table.rows(); ++i) {
    auto last = static_cast<uint64_t>(ModuleKind::kUnknown);
    auto safe = static_cast<ModuleKind>(std::min(kind[i], last));
    capture_.modules.push_back({safe, std::string(path[i]), std::string(build_id[i])});
  }
  return true;
}

bool Decoder::frames(const TableReader& table) {
  Numbers module, address;
  if (!in_sequence(table, capture_.frames.size()) || !charge(table.rows() * sizeof(Frame))) { return false; }
  if (!table.numbers(kFrameModule, module) || !table.numbers(kFrameAddress, address)) { return malformed(); }
  if (table.rows() == 0) { return true; }
  if (!charge((capture_.modules.size() + 1) * sizeof(uint64_t))) { return false; }
  Numbers last(capture_.modules.size() + 1);
  for (uint32_t i = 0; i < table.rows(); ++i) {
    if (module[i] >= last.size()) { return bad_reference(); }
    last[module[i]] += unzigzag_u64(address[i]);
    address[i] = last[module[i]];
  }
  for (uint32_t i = 0; i < table.rows(); ++i) {
    capture_.frames.push_back({ModuleId{static_cast<uint32_t>(module[i] - 1)}, address[i]});
  }
  return true;
}

bool Decoder::stacks(const TableReader& table) {
  Numbers frame, caller;
  if (!in_sequence(table, capture_.stacks.size()) || !charge(table.rows() * sizeof(Stack))) { return false; }
  if (!table.numbers(kStackFrame, frame) || !table.numbers(kStackCaller, caller)) { return malformed(); }
  uint64_t next_frame = 0;
  for (uint32_t i = 0; i < table.rows(); ++i) {
    frame[i] = frame[i] == 0 ? next_frame : frame[i] - 1;
    next_frame = std::max(next_frame, frame[i] + 1);
    if (frame[i] >= capture_.frames.size() || caller[i] > table.first_row() + i) { return bad_reference(); }
  }
  for (uint32_t i = 0; i < table.rows(); ++i) {
    StackId by = caller[i] == 0 ? StackId{} : StackId{static_cast<uint32_t>(table.first_row() + i - caller[i])};
    capture_.stacks.push_back({FrameId{static_cast<uint32_t>(frame[i])}, by});
  }
  return true;
}

bool Decoder::threads(const TableReader& table, bool updates) {
  Numbers pid, tid, parent, process, start, end, own, counted, tail, ready, blocked;
  Texts name;
  if (!updates && !in_sequence(table, capture_.threads.size())) { return false; }
  if (!charge(table.rows() * sizeof(Thread))) { return false; }
  if (!table.numbers(kPid, pid) || !table.numbers(kTid, tid) || !table.numbers(kParentPid, parent) ||
      !table.numbers(kProcess, process) || !table.texts(kThreadName, name) || !table.numbers(kStart, start) ||
      !table.numbers(kEnd, end) || !table.numbers(kThreadRow, own) || !table.numbers(kCounted, counted) ||
      !table.numbers(kTail, tail) || !table.numbers(kReady, ready) || !table.numbers(kBlocked, blocked)) {
    return malformed();
  }
  for (uint32_t i = 0; i < table.rows(); ++i) {
    if (!updates) { own[i] = table.first_row() + i; }
    if ((updates && own[i] >= capture_.threads.size()) || process[i] > own[i] + 1) { return bad_reference(); }
  }
  uint64_t last_start = 0, last_end = 0;
  for (uint32_t i = 0; i < table.rows(); ++i) {
    last_start += unzigzag_u64(start[i]);
    last_end += unzigzag_u64(end[i]);
    Thread thread;
    thread.pid = static_cast<uint32_t>(pid[i]);
    thread.tid = static_cast<uint32_t>(pid[i] + unzigzag_u64(tid[i]));
    thread.parent_pid = static_cast<uint32_t>(parent[i]);
    thread.process = process[i] == 0 ? ThreadId{} : ThreadId{static_cast<uint32_t>(own[i] + 1 - process[i])};
    thread.name = name[i];
    thread.start_ns = last_start;
    thread.end_ns = last_end;
    if (counted[i] != 0) { thread.counted = static_cast<int64_t>(unzigzag_u64(counted[i] - 1)); }
    thread.tail = tail[i];
    if (ready[i] != 0) { thread.ready = ready[i] - 1; }
    if (blocked[i] != 0) { thread.blocked = blocked[i] - 1; }
    if (updates) {
      capture_.threads[own[i]] = std::move(thread);
    } else {
      capture_.threads.push_back(std::move(thread));
    }
  }
  return true;
}

bool Decoder::causes(const TableReader& table) {
  Numbers kind;
  Texts object;
  if (!in_sequence(table, capture_.causes.size()) || !charge(table.rows() * sizeof(WaitCause))) { return false; }
  if (!table.numbers(kCauseKind, kind) || !table.texts(kCauseObject, object)) { return malformed(); }
  for (uint32_t i = 0; i < table.rows(); ++i) {
    bool is_known = kind[i] < kWaitKindNames.size();
    capture_.causes.push_back({is_known ? static_cast<WaitKind>(kind[i]) : WaitKind::kUnknown, std::string(object[i])});
  }
  return true;
}

bool Decoder::waits(const TableReader& table) {
  Numbers cause, length, goes_on;
  if (!in_sequence(table, capture_.waits.size()) || !charge(table.rows() * sizeof(Wait))) { return false; }
  if (!table.numbers(kWaitCause, cause) || !table.numbers(kWaitLength, length) || !table.numbers(kWaitGoesOn, goes_on)) {
    return malformed();
  }
  for (uint32_t i = 0; i < table.rows(); ++i) {
    if (cause[i] >= capture_.causes.size()) { return bad_reference(); }
    capture_.waits.push_back({CauseId{static_cast<uint32_t>(cause[i])}, length[i], goes_on[i] == 0});
  }
  return true;
}

bool Decoder::series(const TableReader& table) {
  Numbers thread, event, period;
  if (!charge(table.rows() * sizeof(Series))) { return false; }
  if (!table.numbers(kSeriesThread, thread) || !table.numbers(kSeriesEvent, event) || !table.numbers(kSeriesPeriod, period)) {
    return malformed();
  }
  for (uint32_t i = 0; i < table.rows(); ++i) {
    if (thread[i] >= capture_.threads.size() || event[i] >= capture_.info.events.size()) { return bad_reference(); }
    series_.push_back({thread[i], event[i], period[i]});
  }
  return true;
}

bool Decoder::samples(const TableReader& table) {
  Numbers which, time, stack, cpu, weight, quality, wait;
  if (!in_sequence(table, capture_.samples.size()) || !charge(table.rows() * sizeof(Sample))) { return false; }
  if (!table.numbers(kSampleSeries, which) || !table.numbers(kTime, time) || !table.numbers(kStack, stack) ||
      !table.numbers(kCpu, cpu) || !table.numbers(kWeight, weight) || !table.numbers(kQuality, quality) ||
      !table.numbers(kSampleWait, wait)) {
    return malformed();
  }
  uint64_t next_stack = 0, last_wait = 0;
  std::vector<StackId> stacks(table.rows());
  for (uint32_t i = 0; i < table.rows(); ++i) {
    if (wait[i] != 0) {
      last_wait += unzigzag_u64(wait[i] - 1);
      if (last_wait >= capture_.waits.size()) { return bad_reference(); }
      wait[i] = last_wait + 1;
    }
    if (which[i] >= series_.size()) { return bad_reference(); }
    if (stack[i] == 0) { continue; }
    uint64_t id = stack[i] % 2 == 1 ? next_stack + stack[i] / 2 : stack[i] / 2 - 1;
    if (id >= capture_.stacks.size()) { return bad_reference(); }
    next_stack = std::max(next_stack, id + 1);
    stacks[i] = StackId{static_cast<uint32_t>(id)};
  }
  uint64_t row_time = 0;
  for (uint32_t i = 0; i < table.rows(); ++i) {
    Series& of = series_[which[i]];
    of.time = of.begun ? of.time + of.period + unzigzag_u64(time[i]) : row_time + time[i];
    of.begun = true;
    of.cpu += static_cast<uint32_t>(unzigzag_u64(cpu[i]));
    of.weight += unzigzag_u64(weight[i]);
    row_time = of.time;
    Sample sample;
    sample.time_ns = of.time;
    sample.thread = ThreadId{static_cast<uint32_t>(of.thread)};
    sample.stack = stacks[i];
    sample.event = static_cast<uint32_t>(of.event);
    sample.cpu = of.cpu;
    sample.weight = of.weight;
    sample.quality = static_cast<StackQuality>(quality[i]);
    if (wait[i] != 0) { sample.wait = WaitId{static_cast<uint32_t>(wait[i] - 1)}; }
    capture_.samples.push_back(sample);
  }
  return true;
}

bool Decoder::strings(const TableReader& table) {
  if (!charge(table.rows() * sizeof(std::string_view))) { return false; }
  return table.texts(kString, strings_) ? true : malformed();
}

bool Decoder::chains(const TableReader& table) {
  if (!charge(table.rows() * sizeof(FrameSymbols))) { return false; }
  if (!table.numbers(kChainFrame, chain_frames_of_) || !table.numbers(kChainLength, chain_lengths_)) { return malformed(); }
  uint64_t frame = 0;
  for (uint64_t& f : chain_frames_of_) {
    frame += unzigzag_u64(f);
    if (frame >= capture_.frames.size()) { return bad_reference(); }
    f = frame;
  }
  return true;
}

bool Decoder::chain_frames(const TableReader& table) {
  Numbers function, file, line, column;
  if (!charge(table.rows() * sizeof(SymbolFrame))) { return false; }
  if (!table.numbers(kFunction, function) || !table.numbers(kFile, file) || !table.numbers(kLine, line) ||
      !table.numbers(kColumn, column)) {
    return malformed();
  }
  uint64_t last_line = 0;
  for (uint32_t i = 0; i < table.rows(); ++i) {
    if (function[i] > strings_.size() || file[i] > strings_.size()) { return bad_reference(); }
    line[i] = last_line += unzigzag_u64(line[i]);
  }
  // Many rows may refer to one long string: count the memory of their copies.
  auto text = [&](uint64_t id) { return id == 0 ? std::string_view() : strings_[id - 1]; };
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < table.rows(); ++i) { bytes += text(function[i]).size() + text(file[i]).size(); }
  if (!charge(bytes)) { return false; }
  uint64_t at = 0;
  for (uint64_t length : chain_lengths_) {
    if (length > table.rows() - at) { return bad_reference(); }
    at += length;
  }
  if (at != table.rows()) { return bad_reference(); }
  at = 0;
  for (size_t c = 0; c < chain_lengths_.size(); ++c) {
    FrameSymbols symbols;
    symbols.frame = FrameId{static_cast<uint32_t>(chain_frames_of_[c])};
    symbols.chain.reserve(chain_lengths_[c]);
    for (uint64_t end = at + chain_lengths_[c]; at < end; ++at) {
      symbols.chain.push_back({std::string(text(function[at])), std::string(text(file[at])), static_cast<uint32_t>(line[at]),
                               static_cast<uint32_t>(column[at])});
    }
    capture_.symbols.push_back(std::move(symbols));
  }
  chain_frames_of_.clear();  // one table of frames per table of chains, so that none is filled twice
  chain_lengths_.clear();
  return true;
}

bool Decoder::counters(const TableReader& table) {
  Texts name;
  Numbers value;
  if (table.rows() > kMaxCounters) { return malformed(); }
  if (!table.texts(kCounterName, name) || !table.numbers(kCounterValue, value)) { return malformed(); }
  for (uint32_t i = 0; i < table.rows(); ++i) {
    auto same = [&](const Counter& c) { return c.name == name[i]; };
    auto found = std::find_if(capture_.counters.begin(), capture_.counters.end(), same);
    if (found != capture_.counters.end()) {
      found->value = value[i];
      continue;
    }
    if (capture_.counters.size() >= kMaxCounters) { return malformed(); }
    capture_.counters.push_back({std::string(name[i]), value[i]});
  }
  return true;
}

bool Decoder::totals(const TableReader& table) {
  Numbers total, markers, values;
  if (!charge(uint64_t{table.rows()} * 3 * sizeof(uint64_t))) { return false; }
  if (!table.numbers(kTotalSamples, total) || !table.numbers(kTotalMarkers, markers) || !table.numbers(kTotalValues, values)) {
    return malformed();
  }
  if (table.rows() != 1) { return true; }
  if (total[0] != capture_.samples.size()) { return fail("has a wrong sample count"); }
  if (markers[0] != capture_.markers.size() || values[0] != capture_.values.size()) {
    return fail("has a wrong marker or value count");
  }
  return true;
}

bool Decoder::markers(const TableReader& table) {
  Numbers name, text, thread, start, length;
  if (!in_sequence(table, capture_.markers.size()) || !charge(table.rows() * sizeof(Marker))) { return false; }
  if (!table.numbers(kMarkerName, name) || !table.numbers(kMarkerText, text) || !table.numbers(kMarkerThread, thread) ||
      !table.numbers(kMarkerStart, start) || !table.numbers(kMarkerLength, length)) {
    return malformed();
  }
  auto string = [&](uint64_t id) { return id == 0 ? std::string_view() : strings_[id - 1]; };
  uint64_t last_start = 0, bytes = 0;
  for (uint32_t i = 0; i < table.rows(); ++i) {
    bool known = name[i] <= strings_.size() && text[i] <= strings_.size() && thread[i] <= capture_.threads.size();
    if (!known) { return bad_reference(); }
    start[i] = last_start += unzigzag_u64(start[i]);
    if (length[i] > UINT64_MAX - start[i]) { return malformed(); }
    bytes += string(name[i]).size() + string(text[i]).size();
  }
  if (!charge(bytes)) { return false; }
  for (uint32_t i = 0; i < table.rows(); ++i) {
    ThreadId of = thread[i] == 0 ? ThreadId{} : ThreadId{static_cast<uint32_t>(thread[i] - 1)};
    capture_.markers.push_back({std::string(string(name[i])), std::string(string(text[i])), of, start[i], start[i] + length[i]});
  }
  return true;
}

bool Decoder::tracks(const TableReader& table) {
  Texts name, unit;
  Numbers thread;
  if (!in_sequence(table, capture_.tracks.size()) || !charge(table.rows() * sizeof(Track))) { return false; }
  if (!table.texts(kTrackName, name) || !table.texts(kTrackUnit, unit) || !table.numbers(kTrackThread, thread)) {
    return malformed();
  }
  for (uint64_t of : thread) {
    if (of > capture_.threads.size()) { return bad_reference(); }
  }
  for (uint32_t i = 0; i < table.rows(); ++i) {
    ThreadId of = thread[i] == 0 ? ThreadId{} : ThreadId{static_cast<uint32_t>(thread[i] - 1)};
    capture_.tracks.push_back({std::string(name[i]), std::string(unit[i]), of});
  }
  return true;
}

bool Decoder::track_values(const TableReader& table) {
  Numbers track, time, value;
  if (!in_sequence(table, capture_.values.size()) || !charge(table.rows() * sizeof(TrackValue))) { return false; }
  if (!table.numbers(kValueTrack, track) || !table.numbers(kValueTime, time) || !table.numbers(kTrackValue, value)) {
    return malformed();
  }
  if (table.rows() == 0) { return true; }
  if (!charge(capture_.tracks.size() * 2 * sizeof(uint64_t))) { return false; }
  Numbers last_time(capture_.tracks.size()), last_value(capture_.tracks.size());
  for (uint64_t of : track) {
    if (of >= capture_.tracks.size()) { return bad_reference(); }
  }
  for (uint32_t i = 0; i < table.rows(); ++i) {
    last_time[track[i]] += unzigzag_u64(time[i]);
    last_value[track[i]] += unzigzag_u64(value[i]);
    capture_.values.push_back(
        {TrackId{static_cast<uint32_t>(track[i])}, last_time[track[i]], static_cast<int64_t>(last_value[track[i]])});
  }
  return true;
}

bool Decoder::code(const TableReader& table) {
  Numbers module, address;
  Texts bytes, lists;
  if (!charge(table.rows() * sizeof(CodeBody))) { return false; }
  if (!table.numbers(kCodeModule, module) || !table.numbers(kCodeAddress, address) || !table.texts(kCodeBytes, bytes) ||
      !table.texts(kCodeFrames, lists)) {
    return malformed();
  }
  uint64_t last = 0;
  for (uint32_t i = 0; i < table.rows(); ++i) {
    if (module[i] >= capture_.modules.size()) { return bad_reference(); }
    address[i] = last += unzigzag_u64(address[i]);
    if (bytes[i].size() > UINT64_MAX - address[i] || !charge(bytes[i].size())) { return malformed(); }
  }
  std::vector<std::vector<FrameId>> frames(table.rows());
  for (uint32_t i = 0; i < table.rows(); ++i) {
    if (!charge(lists[i].size() * sizeof(FrameId))) { return false; }
    uint64_t row = 0;
    for (ByteReader r({reinterpret_cast<const uint8_t*>(lists[i].data()), lists[i].size()}); !r.at_end();) {
      row += r.uleb();
      if (!r.ok() || row >= capture_.frames.size()) { return bad_reference(); }
      frames[i].push_back(FrameId{static_cast<uint32_t>(row)});
    }
  }
  for (uint32_t i = 0; i < table.rows(); ++i) {
    capture_.code.push_back(
        {ModuleId{static_cast<uint32_t>(module[i])}, address[i], std::string(bytes[i]), std::move(frames[i])});
  }
  return true;
}

bool Decoder::sources(const TableReader& table) {
  Texts file, text;
  if (!charge(table.rows() * sizeof(SourceText))) { return false; }
  if (!table.texts(kSourceFile, file) || !table.texts(kSourceText, text)) { return malformed(); }
  for (uint32_t i = 0; i < table.rows(); ++i) {
    if (!charge(file[i].size() + text[i].size())) { return false; }
  }
  for (uint32_t i = 0; i < table.rows(); ++i) { capture_.sources.push_back({std::string(file[i]), std::string(text[i])}); }
  return true;
}

template <typename Row>
void sort_by_time(std::vector<Row>& rows, uint64_t Row::* time) {
  auto earlier = [time](const Row& a, const Row& b) { return a.*time < b.*time; };
  if (!std::is_sorted(rows.begin(), rows.end(), earlier)) { std::stable_sort(rows.begin(), rows.end(), earlier); }
}

Capture Decoder::take() {
  sort_by_time(capture_.samples, &Sample::time_ns);
  sort_by_time(capture_.markers, &Marker::start_ns);
  sort_by_time(capture_.values, &TrackValue::time_ns);
  return std::move(capture_);
}

}  // namespace

bool looks_like_wick(std::span<const uint8_t> bytes) {
  return bytes.size() >= kWickMagic.size() && std::equal(kWickMagic.begin(), kWickMagic.end(), bytes.begin());
}

Result<Capture> read_wick(std::span<const uint8_t> bytes) {
  WICK_LET(BlockReader blocks, BlockReader::open(bytes));
  Decoder decoder(bytes.size());
  std::string damage;
  uint64_t whole_bytes = kFileHeaderSize;
  while (damage.empty() && blocks.next()) {
    std::string wrong = decoder.decode(blocks.kind(), blocks.payload());
    if (!wrong.empty()) {
      damage = blocks.place() + " " + wrong;
    } else {
      whole_bytes += blocks.bytes().size();
    }
  }
  if (damage.empty()) { damage = blocks.damage(); }
  if (!decoder.has_info()) {
    std::string why = damage.empty() ? "it ends after its header" : damage;
    return Error("this wick profile contains no recording: %s", why.c_str()).with_code(Errc::kBadInput);
  }
  Capture capture = decoder.take();
  if (!damage.empty()) { capture.complete = false; }
  capture.whole_bytes = whole_bytes;
  capture.damage = std::move(damage);
  return capture;
}

}  // namespace wick::capture
