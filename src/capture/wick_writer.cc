// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Rows become columns of small numbers: each value is the difference from what earlier rows of the block predict, so that a
// column of correct predictions is constant. No prediction crosses blocks: each can be decoded with the tables alone. Blocks come
// in order of reference.

#include "capture/wick_writer.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "capture/columns.h"

namespace wick::capture {
namespace {

using namespace column;

constexpr size_t kSamplesPerBlock = 65536;
constexpr size_t kRowsPerTable = 1u << 20;
constexpr size_t kTextRowsPerTable = 512;        // rows with texts, which may be long
constexpr size_t kTextBytesPerBlock = 4u << 20;  // size limit of a block of symbols or markers; a chain is never split
constexpr size_t kTextBytesAtMost = 32u << 20;   // per chain: further names are dropped
constexpr size_t kMostTrackName = 4096;          // bytes

using Numbers = std::vector<uint64_t>;
using Texts = std::vector<std::string_view>;

// The strings of one block, without duplicates. Number 0 is the empty string.
class BlockStrings {
 public:
  uint64_t id_of(const std::string& text) {
    if (text.empty() || bytes_ > kTextBytesAtMost) { return 0; }
    auto [found, is_new] = ids_.try_emplace(text, strings_.size() + 1);
    if (is_new) {
      strings_.push_back(text);
      bytes_ += text.size() + 1;
    }
    return found->second;
  }
  void count_row(size_t bytes) { bytes_ += bytes; }
  bool is_full() const { return bytes_ >= kTextBytesPerBlock; }
  void append_to(ByteWriter& payload) const {
    TableWriter table(TableId::kStrings, 0, strings_.size());
    table.texts(kString, strings_);
    table.append_to(payload);
  }

 private:
  std::unordered_map<std::string_view, uint64_t> ids_;
  Texts strings_;
  size_t bytes_ = 0;  // of the block, approximately
};

bool has_any(const Numbers& column) {
  return std::ranges::any_of(column, [](uint64_t value) { return value != 0; });
}

// `row`: the row number of each thread.
void add_thread_columns(TableWriter& table, std::span<const Thread> threads, const Numbers& row) {
  Numbers pid, tid, parent, process, start, end, counted, tail, ready, blocked;
  Texts name;
  uint64_t last_start = 0, last_end = 0;
  for (size_t i = 0; i < threads.size(); ++i) {
    const Thread& t = threads[i];
    pid.push_back(t.pid);
    tid.push_back(zigzag(uint64_t{t.tid} - t.pid));
    parent.push_back(t.parent_pid);
    process.push_back(t.process.valid() ? row[i] - t.process.value + 1 : 0);
    name.push_back(t.name);
    start.push_back(zigzag(t.start_ns - last_start));
    end.push_back(zigzag(t.end_ns - last_end));
    last_start = t.start_ns;
    last_end = t.end_ns;
    counted.push_back(t.counted ? zigzag(static_cast<uint64_t>(*t.counted)) + 1 : 0);
    tail.push_back(t.tail);
    ready.push_back(t.ready ? *t.ready + 1 : 0);
    blocked.push_back(t.blocked ? *t.blocked + 1 : 0);
  }
  table.numbers(kPid, pid);
  table.numbers(kTid, tid);
  table.numbers(kParentPid, parent);
  table.numbers(kProcess, process);
  table.texts(kThreadName, name);
  table.numbers(kStart, start);
  table.numbers(kEnd, end);
  if (has_any(counted)) {
    table.numbers(kCounted, counted);
    table.numbers(kTail, tail);
  }
  if (has_any(ready)) { table.numbers(kReady, ready); }
  if (has_any(blocked)) { table.numbers(kBlocked, blocked); }
}

// 0: no stack. Odd: a stack not used by earlier samples, by distance. Even: a used one.
uint64_t stack_code(StackId stack, uint64_t& next_stack) {
  if (!stack.valid()) { return 0; }
  uint64_t value = stack.value;
  if (value < next_stack) { return 2 * value + 2; }
  uint64_t beyond = value - next_stack;
  next_stack = value + 1;
  return 2 * beyond + 1;
}

// The usual interval of each series: the median, so that one long pause does not affect the others.
Numbers median_intervals(const Numbers& which, const Numbers& interval, const std::vector<bool>& begins, size_t series_count) {
  Numbers first(series_count + 1);
  for (size_t i = 0; i < which.size(); ++i) { first[which[i] + 1] += !begins[i]; }
  std::partial_sum(first.begin(), first.end(), first.begin());
  Numbers sorted(first.back()), next = first, median(series_count);
  for (size_t i = 0; i < which.size(); ++i) {
    if (!begins[i]) { sorted[next[which[i]]++] = interval[i]; }
  }
  for (size_t s = 0; s < series_count; ++s) {
    auto begin = sorted.begin() + static_cast<ptrdiff_t>(first[s]), end = sorted.begin() + static_cast<ptrdiff_t>(first[s + 1]);
    if (begin == end) { continue; }
    std::nth_element(begin, begin + (end - begin) / 2, end);
    median[s] = *(begin + (end - begin) / 2);
  }
  return median;
}

}  // namespace

namespace {

constexpr size_t kCodeBytesPerBlock = 8 << 20;

// Rows, each as the distance to the one before.
std::string encode_frames(const std::vector<FrameId>& frames) {
  ByteWriter out;
  uint32_t last = 0;
  for (FrameId frame : frames) { out.uleb(frame.value - std::exchange(last, frame.value)); }
  return {reinterpret_cast<const char*>(out.data().data()), out.size()};
}

}  // namespace

void append_code_blocks(std::vector<uint8_t>& out, BlockWriter& blocks, std::span<const CodeBody> code) {
  for (size_t at = 0; at < code.size();) {
    Numbers module, address;
    Texts bytes, frames;
    std::deque<std::string> lists;
    uint64_t last = 0;
    for (size_t size = 0; at < code.size() && size < kCodeBytesPerBlock; ++at) {
      const CodeBody& body = code[at];
      module.push_back(body.module.value);
      address.push_back(zigzag(body.address - last));
      last = body.address;
      bytes.push_back(body.bytes);
      frames.push_back(lists.emplace_back(encode_frames(body.frames)));
      size += body.bytes.size() + frames.back().size();
    }
    TableWriter table(TableId::kCode, 0, module.size());
    table.numbers(kCodeModule, module);
    table.numbers(kCodeAddress, address);
    table.texts(kCodeBytes, bytes);
    table.texts(kCodeFrames, frames);
    ByteWriter payload;
    table.append_to(payload);
    blocks.append(out, BlockKind::kCode, payload.data());
  }
}

void append_symbol_blocks(std::vector<uint8_t>& out, BlockWriter& blocks, std::span<const FrameSymbols> symbols) {
  for (size_t at = 0; at < symbols.size();) {
    BlockStrings strings;
    Numbers frame, length, function, file, line, column;
    uint64_t last_frame = 0, last_line = 0;
    for (; at < symbols.size() && !strings.is_full(); ++at) {
      const FrameSymbols& named = symbols[at];
      frame.push_back(zigzag(named.frame.value - last_frame));
      last_frame = named.frame.value;
      length.push_back(named.chain.size());
      for (const SymbolFrame& s : named.chain) {
        function.push_back(strings.id_of(s.function));
        file.push_back(strings.id_of(s.file));
        line.push_back(zigzag(s.line - last_line));
        last_line = s.line;
        column.push_back(s.column);
      }
      strings.count_row(4 + 8 * named.chain.size());
    }
    ByteWriter payload;
    strings.append_to(payload);
    TableWriter chains(TableId::kChains, 0, frame.size());
    chains.numbers(kChainFrame, frame);
    chains.numbers(kChainLength, length);
    chains.append_to(payload);
    TableWriter chain_frames(TableId::kChainFrames, 0, function.size());
    chain_frames.numbers(kFunction, function);
    chain_frames.numbers(kFile, file);
    chain_frames.numbers(kLine, line);
    chain_frames.numbers(kColumn, column);
    chain_frames.append_to(payload);
    blocks.append(out, BlockKind::kSymbols, payload.data());
  }
}

std::vector<uint8_t> WickWriter::begin(const Info& info) {
  std::vector<uint8_t> out;
  append_file_header(out);
  info_ = info;
  encode_info(out);
  return out;
}

ModuleId WickWriter::add_module(Module module) {
  modules_.push_back(std::move(module));
  return ModuleId{module_count_++};
}

FrameId WickWriter::add_frame(Frame frame) {
  WICK_ASSERT(!frame.module.valid() || frame.module.value < module_count_, "a frame's module is added before it");
  frames_.push_back(frame);
  return FrameId{frame_count_++};
}

StackId WickWriter::add_stack(Stack stack) {
  WICK_ASSERT(stack.frame.value < frame_count_, "a stack's frame is added before it");
  WICK_ASSERT(!stack.caller.valid() || stack.caller.value < stack_count_, "a calling stack is added before the called");
  stacks_.push_back(stack);
  return StackId{stack_count_++};
}

ThreadId WickWriter::add_thread(Thread thread) {
  bool known = !thread.process.valid() || thread.process.value <= thread_count_;
  WICK_ASSERT(known, "a process's first thread is added before the others");
  threads_.push_back(std::move(thread));
  return ThreadId{thread_count_++};
}

void WickWriter::update_thread(ThreadId id, Thread thread) {
  WICK_ASSERT(id.value < thread_count_, "only a thread that was added can change");
  WICK_ASSERT(!thread.process.valid() || thread.process.value <= id.value, "a process's first thread is added before the others");
  uint32_t encoded = thread_count_ - static_cast<uint32_t>(threads_.size());
  if (id.value >= encoded) {
    threads_[id.value - encoded] = std::move(thread);
  } else {
    thread_updates_.push_back({id, std::move(thread)});
  }
}

CauseId WickWriter::add_cause(WaitCause cause) {
  cause.object.resize(std::min(cause.object.size(), kMaxTextBytes));
  causes_.push_back(std::move(cause));
  return CauseId{cause_count_++};
}

WaitId WickWriter::add_wait(Wait wait) {
  WICK_ASSERT(wait.cause.value < cause_count_, "a wait's cause is added before it");
  waits_.push_back(wait);
  return WaitId{wait_count_++};
}

void WickWriter::add_sample(const Sample& sample) {
  WICK_ASSERT(sample.thread.value < thread_count_, "a sample's thread is added before it");
  WICK_ASSERT(!sample.stack.valid() || sample.stack.value < stack_count_, "a sample's stack is added before it");
  WICK_ASSERT(sample.event < info_.events.size(), "a sample's event is in the information block");
  WICK_ASSERT(!sample.wait.valid() || sample.wait.value < wait_count_, "a sample's wait is added before it");
  samples_.push_back(sample);
}

void WickWriter::add_symbols(FrameSymbols symbols) {
  WICK_ASSERT(symbols.frame.value < frame_count_, "a named frame is in the table");
  symbols_.push_back(std::move(symbols));
}

void WickWriter::set_counter(const std::string& name, uint64_t value) {
  auto [found, is_new] = counters_.try_emplace(name, CounterState{value, true});
  if (!is_new && found->second.value != value) { found->second = {value, true}; }
}

void WickWriter::add_marker(Marker marker) {
  WICK_ASSERT(!marker.thread.valid() || marker.thread.value < thread_count_, "a marker's thread is added before it");
  WICK_ASSERT(marker.start_ns <= marker.end_ns, "an interval ends after it began");
  markers_.push_back(std::move(marker));
}

TrackId WickWriter::add_track(Track track) {
  WICK_ASSERT(!track.thread.valid() || track.thread.value < thread_count_, "a track's thread is added before it");
  for (std::string* text : {&track.name, &track.unit}) { text->resize(std::min(text->size(), kMostTrackName)); }
  tracks_.push_back(std::move(track));
  return TrackId{track_count_++};
}

void WickWriter::add_value(const TrackValue& value) {
  WICK_ASSERT(value.track.value < track_count_, "a track is added before its values");
  values_.push_back(value);
}

void WickWriter::add_code(CodeBody body) {
  WICK_ASSERT(body.module.value < module_count_, "a module is added before its code");
  WICK_ASSERT(body.bytes.size() <= kMaxTextBytes, "a function is stored as one text");
  WICK_ASSERT(std::is_sorted(body.frames.begin(), body.frames.end(), [](FrameId a, FrameId b) { return a.value < b.value; }) &&
                  (body.frames.empty() || body.frames.back().value < frame_count_),
              "frames are added before their code, which has them in order");
  code_.push_back(std::move(body));
}

void WickWriter::add_source(SourceText source) {
  // One text holds at most kMaxTextBytes.
  std::string_view rest = source.text;
  while (rest.size() > kMaxTextBytes) {
    size_t end = rest.rfind('\n', kMaxTextBytes - 1);
    if (end == std::string_view::npos) { return; }  // no source code has such lines
    sources_.push_back({source.file, std::string(rest.substr(0, end + 1))});
    rest.remove_prefix(end + 1);
  }
  sources_.push_back({std::move(source.file), std::string(rest)});
}

void WickWriter::set_info(Info info) {
  WICK_ASSERT(info.events.size() >= info_.events.size(), "samples refer to the events that were there");
  info_ = std::move(info);
  info_pending_ = true;
}

std::vector<uint8_t> WickWriter::encode_pending() {
  std::vector<uint8_t> out;
  if (info_pending_) { encode_info(out); }
  encode_tables(out);
  encode_samples(out);
  append_symbol_blocks(out, blocks_, symbols_);
  symbols_.clear();
  encode_counters(out);
  encode_markers(out);
  encode_tracks(out);
  encode_code(out);
  return out;
}

std::vector<uint8_t> WickWriter::finish() {
  std::vector<uint8_t> out = encode_pending();
  std::vector<uint8_t> end = end_mark();
  out.insert(out.end(), end.begin(), end.end());
  return out;
}

std::vector<uint8_t> WickWriter::end_mark() {
  WICK_ASSERT(samples_.empty() && markers_.empty() && values_.empty(), "the totals are those of the file");
  std::vector<uint8_t> out;
  TableWriter totals(TableId::kTotals, 0, 1);
  uint64_t samples[] = {sample_count_}, markers[] = {marker_count_}, values[] = {value_count_};
  totals.numbers(kTotalSamples, samples);
  totals.numbers(kTotalMarkers, markers);
  totals.numbers(kTotalValues, values);
  ByteWriter payload;
  totals.append_to(payload);
  blocks_.append(out, BlockKind::kEnd, payload.data());
  return out;
}

// Keys and values as text: this part changes most often, and should be readable in a hex dump.
void WickWriter::encode_info(std::vector<uint8_t>& out) {
  std::vector<std::pair<std::string_view, std::string>> pairs = {
      {"wick_version", info_.wick_version},
      {"engine", info_.engine},
      {"unwind", info_.unwind},
      {"host", info_.host},
      {"kernel", info_.kernel},
      {"cpu_model", info_.cpu_model},
      {"arch", arch_name(info_.arch)},
      {"cpu_count", std::to_string(info_.cpu_count)},
      {"start_wall_ns", std::to_string(info_.start_wall_ns)},
      {"start_ns", std::to_string(info_.start_ns)},
  };
  for (const std::string& arg : info_.command) { pairs.push_back({"command", arg}); }
  if (!info_.kernel_build_id.empty()) { pairs.push_back({"kernel_build_id", info_.kernel_build_id}); }
  if (info_.kernel_text != 0) { pairs.push_back({"kernel_text", std::to_string(info_.kernel_text)}); }
  if (!info_.boot_id.empty()) { pairs.push_back({"boot_id", info_.boot_id}); }
  if (!info_.target.empty()) { pairs.push_back({"target", info_.target}); }
  for (const Event& event : info_.events) {
    pairs.push_back({"event", event.name});
    pairs.push_back({"event.unit", event.unit});
    pairs.push_back({"event.rate_hz", std::to_string(event.rate_hz)});
    if (event.kind != SampleKind::kOnCpu) {
      pairs.push_back({"event.kind", std::string(kSampleKindNames[static_cast<size_t>(event.kind)])});
    }
  }
  for (const std::string& note : info_.notes) { pairs.push_back({"note", note}); }

  Texts keys, values;
  for (const auto& [key, value] : pairs) {
    keys.push_back(key);
    values.push_back(value);
  }
  TableWriter table(TableId::kKeys, 0, pairs.size());
  table.texts(kKey, keys);
  table.texts(kValue, values);
  ByteWriter payload;
  table.append_to(payload);
  blocks_.append(out, BlockKind::kInfo, payload.data());
  info_pending_ = false;
}

void WickWriter::encode_tables(std::vector<uint8_t>& out) {
  ByteWriter payload;
  auto flush = [&](size_t at_least) {
    if (payload.size() > at_least) {
      blocks_.append(out, BlockKind::kTables, payload.data());
      payload.clear();
    }
  };
  // Calls fill(table, rows, first row) for slices of `rows` that fit into one table.
  auto slices = [&](TableId id, size_t most, auto& rows, uint64_t first_row, auto fill) {
    for (size_t at = 0; at < rows.size(); at += most) {
      std::span slice = std::span(rows).subspan(at, std::min(most, rows.size() - at));
      TableWriter table(id, first_row + at, slice.size());
      fill(table, slice, first_row + at);
      table.append_to(payload);
      flush(8u << 20);
    }
    rows.clear();
  };

  slices(TableId::kModules, kTextRowsPerTable, modules_, module_count_ - modules_.size(),
         [](TableWriter& table, std::span<Module> rows, uint64_t) {
           Numbers kind;
           Texts path, build_id;
           for (const Module& m : rows) {
             kind.push_back(static_cast<uint8_t>(m.kind));
             path.push_back(m.path);
             build_id.push_back(m.build_id);
           }
           table.numbers(kModuleKind, kind);
           table.texts(kModulePath, path);
           table.texts(kModuleBuildId, build_id);
         });
  slices(TableId::kCauses, kTextRowsPerTable, causes_, cause_count_ - causes_.size(),
         [](TableWriter& table, std::span<WaitCause> rows, uint64_t) {
           Numbers kind;
           Texts object;
           for (const WaitCause& cause : rows) {
             kind.push_back(static_cast<uint8_t>(cause.kind));
             object.push_back(cause.object);
           }
           table.numbers(kCauseKind, kind);
           table.texts(kCauseObject, object);
         });
  slices(TableId::kWaits, kRowsPerTable, waits_, wait_count_ - waits_.size(),
         [](TableWriter& table, std::span<Wait> rows, uint64_t) {
           Numbers cause, length, goes_on;
           for (const Wait& wait : rows) {
             cause.push_back(wait.cause.value);
             length.push_back(wait.length_ns);
             goes_on.push_back(wait.has_ended ? 0 : 1);
           }
           table.numbers(kWaitCause, cause);
           table.numbers(kWaitLength, length);
           table.numbers(kWaitGoesOn, goes_on);
         });
  slices(TableId::kFrames, kRowsPerTable, frames_, frame_count_ - frames_.size(),
         [&](TableWriter& table, std::span<Frame> rows, uint64_t) {
           Numbers module, address;
           Numbers last(module_count_ + 1);  // last address of each module; 0 is "no module"
           for (const Frame& f : rows) {
             uint64_t m = f.module.valid() ? f.module.value + 1 : 0;
             module.push_back(m);
             address.push_back(zigzag(f.address - last[m]));
             last[m] = f.address;
           }
           table.numbers(kFrameModule, module);
           table.numbers(kFrameAddress, address);
         });
  slices(TableId::kStacks, kRowsPerTable, stacks_, stack_count_ - stacks_.size(),
         [](TableWriter& table, std::span<Stack> rows, uint64_t first_row) {
           // A new stack usually ends in the frame added for it: the one after the greatest so far.
           Numbers frame, caller;
           uint64_t next_frame = 0;
           for (const Stack& s : rows) {
             caller.push_back(s.caller.valid() ? first_row + caller.size() - s.caller.value : 0);
             uint64_t f = s.frame.value;
             frame.push_back(f == next_frame ? 0 : f + 1);
             next_frame = std::max(next_frame, f + 1);
           }
           table.numbers(kStackFrame, frame);
           table.numbers(kStackCaller, caller);
         });
  slices(TableId::kThreads, kTextRowsPerTable, threads_, thread_count_ - threads_.size(),
         [](TableWriter& table, std::span<Thread> rows, uint64_t first_row) {
           Numbers own(rows.size());
           std::iota(own.begin(), own.end(), first_row);
           add_thread_columns(table, rows, own);
         });
  slices(TableId::kThreadUpdates, kTextRowsPerTable, thread_updates_, 0,
         [](TableWriter& table, std::span<std::pair<ThreadId, Thread>> rows, uint64_t) {
           Numbers own;
           std::vector<Thread> threads;
           for (auto& [id, thread] : rows) {
             own.push_back(id.value);
             threads.push_back(std::move(thread));
           }
           table.numbers(kThreadRow, own);
           add_thread_columns(table, threads, own);
         });
  flush(0);
}

// A thread's samples of one event come at regular intervals, usually with the CPU and weight of the previous one. So each is
// coded relative to the previous sample of its series (thread, event), and each series has a usual interval.
void WickWriter::encode_samples(std::vector<uint8_t>& out) {
  auto earlier = [](const Sample& a, const Sample& b) { return a.time_ns < b.time_ns; };
  if (!std::is_sorted(samples_.begin(), samples_.end(), earlier)) { std::stable_sort(samples_.begin(), samples_.end(), earlier); }
  for (size_t at = 0; at < samples_.size(); at += kSamplesPerBlock) {
    encode_sample_block(out, std::span(samples_).subspan(at, std::min(kSamplesPerBlock, samples_.size() - at)));
  }
  samples_.clear();
}

void WickWriter::encode_sample_block(std::vector<uint8_t>& out, std::span<const Sample> samples) {
  struct Series {
    uint32_t event, next;
    uint64_t time, weight;
    uint32_t cpu;
  };
  constexpr uint32_t kNone = UINT32_MAX;
  std::vector<Series> series;
  Numbers series_thread, series_event;
  std::vector<uint32_t> first_of_thread(thread_count_, kNone);
  Numbers which, time, stack, cpu, weight, quality, wait;
  for (Numbers* column : {&which, &time, &stack, &cpu, &weight, &quality, &wait}) { column->reserve(samples.size()); }
  std::vector<bool> begins(samples.size());

  uint64_t row_time = 0, next_stack = 0, last_wait = 0;
  for (const Sample& s : samples) {
    uint32_t index = first_of_thread[s.thread.value];
    while (index != kNone && series[index].event != s.event) { index = series[index].next; }
    bool begin = index == kNone;
    if (begin) {
      index = static_cast<uint32_t>(series.size());
      series.push_back({s.event, first_of_thread[s.thread.value], row_time, 0, 0});
      first_of_thread[s.thread.value] = index;
      series_thread.push_back(s.thread.value);
      series_event.push_back(s.event);
      begins[which.size()] = true;
    }
    Series& of = series[index];
    which.push_back(index);
    time.push_back(s.time_ns - of.time);  // the usual interval is subtracted below
    stack.push_back(stack_code(s.stack, next_stack));
    cpu.push_back(zigzag(uint64_t{s.cpu} - of.cpu));
    weight.push_back(zigzag(s.weight - of.weight));
    quality.push_back(static_cast<uint8_t>(s.quality));
    wait.push_back(s.wait.valid() ? zigzag(s.wait.value - last_wait) + 1 : 0);
    if (s.wait.valid()) { last_wait = s.wait.value; }
    of.time = row_time = s.time_ns;
    of.cpu = s.cpu;
    of.weight = s.weight;
  }

  Numbers period = median_intervals(which, time, begins, series.size());
  for (size_t i = 0; i < time.size(); ++i) { time[i] = begins[i] ? time[i] : zigzag(time[i] - period[which[i]]); }

  TableWriter series_table(TableId::kSeries, 0, series.size());
  series_table.numbers(kSeriesThread, series_thread);
  series_table.numbers(kSeriesEvent, series_event);
  series_table.numbers(kSeriesPeriod, period);
  TableWriter table(TableId::kSamples, sample_count_, samples.size());
  table.numbers(kSampleSeries, which);
  table.numbers(kTime, time);
  table.numbers(kStack, stack);
  table.numbers(kCpu, cpu);
  table.numbers(kWeight, weight);
  table.numbers(kQuality, quality);
  if (has_any(wait)) { table.numbers(kSampleWait, wait); }
  ByteWriter payload;
  series_table.append_to(payload);
  table.append_to(payload);
  blocks_.append(out, BlockKind::kSamples, payload.data());
  sample_count_ += samples.size();
}

void WickWriter::encode_counters(std::vector<uint8_t>& out) {
  Texts name;
  Numbers value;
  for (auto& [counter, state] : counters_) {
    if (!std::exchange(state.pending, false)) { continue; }
    name.push_back(counter);
    value.push_back(state.value);
  }
  if (name.empty()) { return; }
  TableWriter table(TableId::kCounters, 0, name.size());
  table.texts(kCounterName, name);
  table.numbers(kCounterValue, value);
  ByteWriter payload;
  table.append_to(payload);
  blocks_.append(out, BlockKind::kCounters, payload.data());
}

void WickWriter::encode_markers(std::vector<uint8_t>& out) {
  for (size_t at = 0; at < markers_.size();) {
    BlockStrings strings;
    Numbers name, text, thread, start, length;
    uint64_t last_start = 0;
    for (; at < markers_.size() && !strings.is_full(); ++at) {
      const Marker& m = markers_[at];
      name.push_back(strings.id_of(m.name));
      text.push_back(strings.id_of(m.text));
      thread.push_back(m.thread.valid() ? m.thread.value + 1 : 0);
      start.push_back(zigzag(m.start_ns - last_start));
      length.push_back(m.end_ns - m.start_ns);
      last_start = m.start_ns;
      strings.count_row(12);
    }
    ByteWriter payload;
    strings.append_to(payload);
    TableWriter table(TableId::kMarkers, marker_count_, name.size());
    table.numbers(kMarkerName, name);
    table.numbers(kMarkerText, text);
    table.numbers(kMarkerThread, thread);
    table.numbers(kMarkerStart, start);
    table.numbers(kMarkerLength, length);
    table.append_to(payload);
    blocks_.append(out, BlockKind::kTimeline, payload.data());
    marker_count_ += name.size();
  }
  markers_.clear();
}

void WickWriter::encode_tracks(std::vector<uint8_t>& out) {
  uint64_t first_track = track_count_ - tracks_.size();
  for (size_t at = 0; at < tracks_.size(); at += kTextRowsPerTable) {
    std::span<const Track> rows = std::span(tracks_).subspan(at, std::min(kTextRowsPerTable, tracks_.size() - at));
    Texts name, unit;
    Numbers thread;
    for (const Track& t : rows) {
      name.push_back(t.name);
      unit.push_back(t.unit);
      thread.push_back(t.thread.valid() ? t.thread.value + 1 : 0);
    }
    TableWriter table(TableId::kTracks, first_track + at, rows.size());
    table.texts(kTrackName, name);
    table.texts(kTrackUnit, unit);
    table.numbers(kTrackThread, thread);
    ByteWriter payload;
    table.append_to(payload);
    blocks_.append(out, BlockKind::kTimeline, payload.data());
  }
  tracks_.clear();
  for (size_t at = 0; at < values_.size(); at += kRowsPerTable) {
    std::span<const TrackValue> rows = std::span(values_).subspan(at, std::min(kRowsPerTable, values_.size() - at));
    Numbers track, time, value;
    Numbers last_time(track_count_), last_value(track_count_);
    for (const TrackValue& v : rows) {
      uint32_t of = v.track.value;
      auto number = static_cast<uint64_t>(v.value);
      track.push_back(of);
      time.push_back(zigzag(v.time_ns - last_time[of]));
      value.push_back(zigzag(number - last_value[of]));
      last_time[of] = v.time_ns;
      last_value[of] = number;
    }
    TableWriter table(TableId::kTrackValues, value_count_, rows.size());
    table.numbers(kValueTrack, track);
    table.numbers(kValueTime, time);
    table.numbers(kTrackValue, value);
    ByteWriter payload;
    table.append_to(payload);
    blocks_.append(out, BlockKind::kTimeline, payload.data());
    value_count_ += rows.size();
  }
  values_.clear();
}

void WickWriter::encode_code(std::vector<uint8_t>& out) {
  append_code_blocks(out, blocks_, code_);
  code_.clear();
  for (size_t at = 0; at < sources_.size();) {
    Texts file, text;
    for (size_t size = 0; at < sources_.size() && size < kCodeBytesPerBlock; ++at) {
      file.push_back(sources_[at].file);
      text.push_back(sources_[at].text);
      size += sources_[at].text.size();
    }
    TableWriter table(TableId::kSources, 0, file.size());
    table.texts(kSourceFile, file);
    table.texts(kSourceText, text);
    ByteWriter payload;
    table.append_to(payload);
    blocks_.append(out, BlockKind::kCode, payload.data());
  }
  sources_.clear();
}

}  // namespace wick::capture
