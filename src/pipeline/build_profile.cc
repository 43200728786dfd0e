// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Capture -> Profile. A captured stack is a chain of addresses; each address becomes the functions inlined there, so one captured
// row may become several. Only stacks that samples use are built, each once.
//
// Samples, not stacks, are complete or truncated: the same rows may be a complete stack in one sample and the inner part of a
// truncated one in another. A truncated stack hangs below the frame "[truncated]", so that no view shows it as complete.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyze/format.h"
#include "base/text.h"
#include "model/profile_builder.h"
#include "pipeline/load.h"
#include "pipeline/load_code.h"
#include "pipeline/module_names.h"
#include "pipeline/symbolize_capture.h"
#include "pipeline/time_balance.h"

namespace wick {
namespace {

using capture::Capture;
using capture::FrameSymbols;
using capture::ModuleKind;
using capture::StackQuality;

const char* quality_name(StackQuality quality) {
  switch (quality) {
    case StackQuality::kCut: return "stacks.cut";
    case StackQuality::kNoRow: return "stacks.no_row";
    case StackQuality::kBadRow: return "stacks.bad_row";
    case StackQuality::kTooDeep: return "stacks.too_deep";
    case StackQuality::kNoMapping: return "stacks.no_mapping";
    case StackQuality::kUnreadable: return "stacks.unreadable";
    case StackQuality::kMissed: return "stacks.missed";
    case StackQuality::kNoRegister: return "stacks.no_register";
    case StackQuality::kFramePointers: return "stacks.frame_pointers";
    default: return capture::is_whole(quality) ? "" : "stacks.not_whole";
  }
}

StackWay way_of(StackQuality quality) {
  switch (quality) {
    case StackQuality::kWhole: return StackWay::kCopied;
    case StackQuality::kStopped: return StackWay::kStopped;
    case StackQuality::kCrossed: return StackWay::kCrossed;
    case StackQuality::kLive:
    case StackQuality::kJoined:
    case StackQuality::kMended: return StackWay::kGuessed;
    case StackQuality::kFramePointers: return StackWay::kFramePointers;
    case StackQuality::kKernelThread:
    case StackQuality::kNotWalked: return StackWay::kNone;
    default: return StackWay::kTruncated;
  }
}

class Loader {
 public:
  Loader(const Capture& capture, const LoadOptions& options)
      : capture_(capture),
        options_(options),
        symbols_of_(capture.frames.size()),
        frames_(capture.frames.size()),
        stacks_(capture.stacks.size()),
        cut_stacks_(capture.stacks.size()),
        inlined_left_((uint64_t{4} << 20) + 8 * capture.stacks.size()) {}
  Profile build(const std::function<void(ProfileBuilder&)>& finish);

 private:
  void add_warnings();
  void warn_of_unseen();
  void find_names();
  void warn_of_change(const std::string& path);
  void add_modules();
  void add_threads();
  void add_events();
  void add_samples();
  bool has_all_samples() const;
  void balance();
  uint64_t balanced(const capture::Sample& sample);
  uint64_t take_share(size_t thread, uint64_t weight);
  void add_unsampled();
  void add_unsampled(size_t thread, EventId event, uint64_t ns);
  WaitId add_wait(const capture::Wait& wait);
  void add_unseen_waits();
  uint64_t counter(std::string_view name) const;
  void add_losses();

  void build_frame(capture::FrameId id);
  StackId build_stack(capture::StackId id, bool whole);
  FunctionId function(const std::string& linkage_name, uint32_t module_row, ModuleId of_named);
  ModuleId generated_module(uint32_t version);

  struct ModuleRow {
    ModuleId id;
    ModuleId of_named;  // "[jit]" for generated code
    FunctionId nameless;
  };
  struct FrameRow {
    uint32_t first = 0, count = 0;
  };  // index into chain_frames_; count 0: not built yet

  const Capture& capture_;
  const LoadOptions& options_;
  ProfileBuilder builder_;
  LoadedCode code_;
  std::vector<FrameSymbols> named_now_;
  std::vector<const FrameSymbols*> symbols_of_;
  std::vector<ModuleRow> modules_;  // the last is for frames without a module
  std::vector<ThreadId> threads_;
  std::vector<EventId> events_;
  std::vector<FrameRow> frames_;
  std::vector<FrameId> chain_frames_;
  std::vector<StackId> stacks_, cut_stacks_;
  std::vector<capture::StackId> path_;
  std::vector<ThreadTime> times_;
  std::vector<ThreadBalance> balances_;
  uint64_t unsampled_ = 0;  // in all
  std::unordered_map<std::string_view, StringId> shown_;
  // Truncated stacks, and those that cannot be verified: by event << 8 | quality.
  std::map<uint64_t, uint64_t> truncated_;
  // Long chains multiply with stacks: a small malicious file could use any amount of memory. Real files stay far below the limit.
  uint64_t inlined_left_;
  bool omits_inlined_ = false;
};

Profile Loader::build(const std::function<void(ProfileBuilder&)>& finish) {
  builder_.set_command(capture_.info.command);
  builder_.set_target(capture_.info.target);
  builder_.set_start(capture_.info.start_ns, capture_.info.start_wall_ns);
  code_ = load_code(capture_);
  builder_.about().recorded_code = code_.recorded;
  const capture::Info& info = capture_.info;
  builder_.about().kernel = {.release = info.kernel,
                             .build_id = info.kernel_build_id,
                             .boot_id = info.boot_id,
                             .symbol = info.kernel_text != 0 ? "_stext" : "",
                             .address = info.kernel_text};
  builder_.reserve(capture_.samples.size(), capture_.stacks.size(), capture_.frames.size());
  add_warnings();
  find_names();
  add_modules();
  add_threads();
  add_samples();
  warn_of_unseen();
  add_losses();
  if (omits_inlined_) { builder_.add_warning("too many inlined functions: some stacks are shown without them"); }
  if (finish) { finish(builder_); }
  return std::move(builder_).build();
}

void Loader::add_warnings() {
  if (!capture_.damage.empty()) {
    builder_.add_warning(strf("the file is damaged: %s; showing what precedes it", capture_.damage.c_str()));
  } else if (!capture_.complete) {
    builder_.add_warning("recording is incomplete; showing what was written");
  }
  // Missing counters must not read as "none lost".
  auto tells_loss = [](const capture::Counter& c) { return c.name.starts_with("lost."); };
  bool losses_known = std::any_of(capture_.counters.begin(), capture_.counters.end(), tells_loss);
  if (!capture_.complete && !losses_known) {
    builder_.set_losses_unknown();
    builder_.add_warning("the number of lost samples is unknown");
  }
}

// Without this warning, shares of user time would read as shares of all time. Time without samples is partly in the kernel, too.
void Loader::warn_of_unseen() {
  uint64_t unseen = counter("kernel.unseen_ns"), all = counter("cpu.total_ns");
  all -= std::min(all, counter("cpu.stolen_ns"));
  if (unseen == 0 || unseen * 200 <= all) { return; }
  builder_.add_warning(strf("only user space was sampled: %s%s of %s of CPU time (%s) was in the kernel",
                            may_hide_kernel_time(unsampled_, all) ? "at least " : "",
                            format_duration(static_cast<int64_t>(unseen)).c_str(),
                            format_duration(static_cast<int64_t>(all)).c_str(), format_part(unseen, all).c_str()));
}

// A recording contains symbols. If it was not finished, or made with --no-symbols, the files may still be here. If the user gives
// more places to search, frames without lines are looked up again.
void Loader::find_names() {
  for (const FrameSymbols& symbols : capture_.symbols) { symbols_of_[symbols.frame.value] = &symbols; }
  if (!options_.look_up) { return; }
  bool kernel_too = is_of_running_kernel(capture_.info);
  std::vector<uint32_t> missing;
  for (uint32_t row = 0; row < capture_.frames.size(); ++row) {
    const capture::Frame& frame = capture_.frames[row];
    bool known = symbols_of_[row] != nullptr && (!options_.sources.debug.any() || has_line(*symbols_of_[row]));
    if (known || !frame.module.valid()) { continue; }
    if (has_names_now(capture_.modules[frame.module.value].kind, kernel_too)) { missing.push_back(row); }
  }
  if (missing.empty()) { return; }
  std::vector<std::string> mismatched;
  named_now_ = name_rows(capture_.modules, capture_.frames, missing, {}, mismatched, options_.sources);
  for (const FrameSymbols& symbols : named_now_) {
    const FrameSymbols*& slot = symbols_of_[symbols.frame.value];
    if (slot == nullptr || is_named(symbols) || slot->chain.empty()) { slot = &symbols; }
  }
  for (const std::string& path : mismatched) { warn_of_change(path); }
}

void Loader::warn_of_change(const std::string& path) {
  uint64_t samples = 0;
  std::string build_id;
  for (const capture::Sample& sample : capture_.samples) {
    if (!sample.stack.valid()) { continue; }
    capture::FrameId frame = capture_.stacks[sample.stack.value].frame;
    capture::ModuleId module = capture_.frames[frame.value].module;
    if (!module.valid() || capture_.modules[module.value].path != path) { continue; }
    build_id = capture_.modules[module.value].build_id;
    samples += symbols_of_[frame.value] == nullptr || !is_named(*symbols_of_[frame.value]);
  }
  std::string what = samples == 0   ? "its functions have"
                     : samples == 1 ? "its 1 sample has"
                                    : "its " + group_thousands(samples) + " samples have";
  std::string id = !is_build_id(build_id) ? "" : " (build ID " + build_id.substr(0, 12) + ")";
  builder_.add_warning(strf("%s has changed since it was recorded%s: %s no symbols", path.c_str(), id.c_str(), what.c_str()));
}

ModuleId Loader::generated_module(uint32_t version) {
  return builder_.module({.name = builder_.string(kGeneratedModule),
                          .path = builder_.string(generated_path(version)),
                          .build_id = {},
                          .kernel = false});
}

void Loader::add_modules() {
  for (const capture::Module& module : capture_.modules) {
    std::string stand_in = nameless_function(module);
    ModuleRow row;
    if (module.kind != ModuleKind::kUnknown) {
      std::string_view path = stand_in == "[anon]" ? "//anon" : without_deleted(module.path);
      bool bracketed = module.kind != ModuleKind::kFile;
      std::string_view name = bracketed ? std::string_view(stand_in) : path.substr(path.find_last_of('/') + 1);
      row.id = builder_.module({.name = builder_.string(name),
                                .path = builder_.string(path),
                                .build_id = builder_.string(module.build_id),
                                .kernel = module.kind == ModuleKind::kKernel});
      row.of_named = row.id;
      if (module.kind == ModuleKind::kAnonymous) { row.of_named = generated_module(0); }
    }
    row.nameless = builder_.function(stand_in, {}, row.id, false);
    modules_.push_back(row);
  }
  modules_.push_back({ModuleId{}, ModuleId{}, builder_.function("[unknown]", {}, {}, false)});
}

void Loader::add_threads() {
  std::vector<ProcessId> process_of(capture_.threads.size());
  for (uint32_t i = 0; i < capture_.threads.size(); ++i) {
    const capture::Thread& thread = capture_.threads[i];
    uint32_t first = thread.process.valid() ? thread.process.value : i;
    ProcessId& process = process_of[first];
    if (!process.valid()) {
      const capture::Thread& t = capture_.threads[first];
      process = builder_.add_process(t.pid, t.name, t.parent_pid, t.start_ns, t.end_ns);
    }
    threads_.push_back(builder_.add_thread(process, thread.tid, thread.name, thread.start_ns, thread.end_ns));
    builder_.set_waiting(threads_.back(), thread.ready.value_or(0), thread.blocked.value_or(0));
  }
}

FunctionId Loader::function(const std::string& linkage_name, uint32_t module_row, ModuleId of_named) {
  if (linkage_name.empty()) { return modules_[module_row].nameless; }
  if (linkage_name.starts_with("+0x") && module_row < capture_.modules.size()) {  // "[gzip+0x4a20]"
    std::string name = nameless_function(capture_.modules[module_row]);
    name.insert(name.ends_with(']') ? name.size() - 1 : name.size(), linkage_name);
    return builder_.function(name, linkage_name, modules_[module_row].id, false);
  }
  auto [found, is_new] = shown_.try_emplace(linkage_name);
  if (is_new) { found->second = builder_.string(shown_function(linkage_name, options_.names)); }
  return builder_.function({.name = found->second, .raw_name = builder_.string(linkage_name), .module = of_named});
}

void Loader::build_frame(capture::FrameId id) {
  const capture::Frame& frame = capture_.frames[id.value];
  uint32_t module_row = frame.module.valid() ? frame.module.value : static_cast<uint32_t>(modules_.size() - 1);
  FrameRow& row = frames_[id.value];
  row.first = static_cast<uint32_t>(chain_frames_.size());
  const FrameSymbols* symbols = symbols_of_[id.value];
  uint32_t version = code_.versions.empty() ? 0 : code_.versions[id.value];
  ModuleId of_named = version != 0 ? generated_module(version) : modules_[module_row].of_named;
  if (symbols == nullptr || symbols->chain.empty()) {
    chain_frames_.push_back(builder_.frame({.function = modules_[module_row].nameless, .address = frame.address}));
  } else {
    size_t first = options_.inlines == Inlines::kShow ? 0 : symbols->chain.size() - 1;
    for (size_t i = first; i < symbols->chain.size(); ++i) {
      const capture::SymbolFrame& s = symbols->chain[i];
      chain_frames_.push_back(builder_.frame({.function = function(s.function, module_row, of_named),
                                              .address = frame.address,
                                              .file = builder_.string(s.file),
                                              .line = s.line,
                                              .column = s.column,
                                              .inlined = i + 1 < symbols->chain.size()}));
    }
  }
  row.count = static_cast<uint32_t>(chain_frames_.size()) - row.first;
}

// Iterative: stacks are up to tens of thousands of frames deep.
StackId Loader::build_stack(capture::StackId id, bool whole) {
  std::vector<StackId>& built = whole ? stacks_ : cut_stacks_;
  path_.clear();
  for (; id.valid() && !built[id.value].valid(); id = capture_.stacks[id.value].caller) { path_.push_back(id); }
  StackId caller;
  if (id.valid()) {
    caller = built[id.value];
  } else if (!whole) {
    FunctionId stand_in = builder_.function("[truncated]", {}, {}, false);
    caller = builder_.stack(builder_.frame({.function = stand_in}), {});
  }
  for (auto it = path_.rbegin(); it != path_.rend(); ++it) {
    capture::FrameId frame = capture_.stacks[it->value].frame;
    if (frames_[frame.value].count == 0) { build_frame(frame); }
    FrameRow row = frames_[frame.value];
    // Always the outermost of the chain; inlined functions as long as the limit allows.
    uint32_t least = inlined_left_ >= row.count - 1 ? 0 : row.count - 1;
    inlined_left_ -= row.count - 1 - least;
    for (uint32_t i = row.count; i > least; --i) { caller = builder_.stack(chain_frames_[row.first + i - 1], caller); }
    omits_inlined_ |= least != 0;
    built[it->value] = caller;
  }
  return caller;
}

uint64_t Loader::counter(std::string_view name) const {
  auto found =
      std::find_if(capture_.counters.begin(), capture_.counters.end(), [&](const capture::Counter& c) { return c.name == name; });
  return found != capture_.counters.end() ? found->value : 0;
}

// The counters are at the end of a recording: without them, samples may be missing, and their time is lost, not unsampled.
bool Loader::has_all_samples() const { return capture_.complete || !capture_.counters.empty(); }

// Scales the samples of each thread to the kernel's count, if known.
void Loader::balance() {
  bool any_counted = std::any_of(capture_.threads.begin(), capture_.threads.end(),
                                 [](const capture::Thread& t) { return t.counted.has_value(); });
  // Counts are CPU time, in the unit of the first event.
  bool on_cpu = !capture_.info.events.empty() && capture_.info.events[0].kind == capture::SampleKind::kOnCpu;
  if (!any_counted || !on_cpu || !has_all_samples()) { return; }
  std::unordered_map<std::string_view, uint32_t> names;
  std::set<std::pair<uint32_t, uint64_t>> begins;  // an end that is also a beginning is an exec
  for (const capture::Thread& t : capture_.threads) { begins.insert({t.pid, t.start_ns}); }
  auto number = [&](std::string_view name) { return names.try_emplace(name, static_cast<uint32_t>(names.size())).first->second; };
  for (const capture::Thread& t : capture_.threads) {
    std::string_view process = t.process.valid() ? std::string_view(capture_.threads[t.process.value].name) : t.name;
    bool first = !t.process.valid() || &capture_.threads[t.process.value] == &t;
    times_.push_back({.process_name = number(process),
                      .thread_name = number(t.name),
                      .counted = t.counted,
                      .tail = t.tail,
                      .ended = t.end_ns != 0 && !begins.contains({t.pid, t.end_ns}),
                      .first = first});
  }
  for (size_t i = 0; i < capture_.samples.size(); ++i) {
    const capture::Sample& s = capture_.samples[i];
    if (s.event != 0) { continue; }
    ThreadTime& t = times_[s.thread.value];
    t.sampled += std::min(s.weight, UINT64_MAX - t.sampled);
    t.samples += capture_.counts.empty() ? 1 : capture_.counts[i];
  }
  for (size_t i = 0; i < options_.others.size(); ++i) {
    times_[i].sampled += options_.others[i].weight;
    times_[i].samples += options_.others[i].samples;
  }
  uint64_t rate_hz = capture_.info.events.empty() ? 0 : capture_.info.events[0].rate_hz;
  balances_ = balance_times(times_, {.shared_clock = counter("cpu.shared_clock") != 0,
                                     .user_only = counter("kernel.unseen") != 0,
                                     .has_gaps = counter("lost.ring_full") != 0 || counter("cpu.late_ns") != 0,
                                     .period = rate_hz == 0 ? 0 : 1'000'000'000 / rate_hz,
                                     .way_out = counter("cpu.way_out_ns"),
                                     .afterwards = counter("cpu.afterwards_ns"),
                                     .stolen = counter("machine.stolen_ns")});
  TimeTotals totals = add_up(times_, balances_);
  totals.counted -= std::min(totals.counted, counter("cpu.stolen_ns"));
  unsampled_ = totals.unsampled;
  builder_.set_cpu_time(totals);
  for (size_t i = 0; i < options_.others.size(); ++i) { static_cast<void>(take_share(i, options_.others[i].weight)); }
}

// This sample's share of the thread's balanced time; the rounding error carries over to the next sample.
uint64_t Loader::balanced(const capture::Sample& sample) {
  return balances_.empty() || sample.event != 0 ? sample.weight : take_share(sample.thread.value, sample.weight);
}
uint64_t Loader::take_share(size_t thread, uint64_t weight) {
  ThreadTime& left = times_[thread];
  uint64_t& due = balances_[thread].sampled;
  if (due == left.sampled || left.sampled == 0) { return weight; }
  uint64_t part = due;
  if (weight < left.sampled) {
    double share = static_cast<double>(weight) / static_cast<double>(left.sampled);
    part = std::min(due, static_cast<uint64_t>(static_cast<double>(due) * share));
  }
  due -= part;
  left.sampled -= std::min(left.sampled, weight);
  return part;
}

// Adds time that no sample covers at the end of its thread.
void Loader::add_unsampled() {
  for (size_t i = 0; i < balances_.size(); ++i) {
    if (balances_[i].unsampled != 0) { add_unsampled(i, events_[0], balances_[i].unsampled); }
  }
}

void Loader::add_unsampled(size_t row, EventId event, uint64_t ns) {
  FunctionId stand_in = builder_.function("[unsampled]", {}, {}, false);
  uint64_t last_ns = capture_.samples.empty() ? capture_.info.start_ns : capture_.samples.back().time_ns;
  const capture::Thread& thread = capture_.threads[row];
  Sample sample;
  sample.time_ns = thread.end_ns != 0 ? thread.end_ns : std::max(last_ns, thread.start_ns);
  sample.thread = threads_[row];
  sample.stack = builder_.stack(builder_.frame({.function = stand_in}), {});
  sample.event = event;
  sample.weight = static_cast<int64_t>(std::min<uint64_t>(ns, INT64_MAX));
  sample.count = 0;
  // Of a thread that still runs, it is not known when that was.
  bool is_part = options_.begin_ns != 0 || options_.end_ns != UINT64_MAX;
  bool is_outside = sample.time_ns < options_.begin_ns || sample.time_ns >= options_.end_ns;
  if (is_part && (thread.end_ns == 0 || is_outside)) { return; }
  builder_.add_sample(sample);
}

// Views show the first event that has samples, and mention the others. So on-CPU samples come first, whatever the order in the
// file. Events of different kinds stay separate even if they share a name.
void Loader::add_events() {
  const std::vector<capture::Event>& events = capture_.info.events;
  events_.resize(events.size());
  std::unordered_map<std::string_view, capture::SampleKind> kinds;
  for (bool on_cpu : {true, false}) {
    for (size_t i = 0; i < events.size(); ++i) {
      const capture::Event& event = events[i];
      if ((event.kind == capture::SampleKind::kOnCpu) != on_cpu) { continue; }
      bool is_taken = kinds.try_emplace(event.name, event.kind).first->second != event.kind;
      std::string_view kind = capture::kSampleKindNames[static_cast<size_t>(event.kind)];
      std::string name = is_taken ? strf("%s (%s)", event.name.c_str(), std::string(kind).c_str()) : event.name;
      events_[i] = builder_.event(name, event.unit, event.rate_hz);
    }
  }
}

void Loader::add_samples() {
  add_events();
  balance();
  for (size_t i = 0; i < capture_.samples.size(); ++i) {
    const capture::Sample& s = capture_.samples[i];
    Sample sample;
    sample.time_ns = s.time_ns;
    sample.thread = threads_[s.thread.value];
    // A stack without frames is "[unknown]", whatever its quality, unless it is known why.
    bool is_missed = s.quality == StackQuality::kMissed;
    if (s.stack.valid() || is_missed) { sample.stack = build_stack(s.stack, capture::is_whole(s.quality)); }
    sample.event = events_[s.event];
    sample.weight = static_cast<int64_t>(std::min<uint64_t>(balanced(s), INT64_MAX));
    sample.cpu = s.cpu;
    if (s.wait.valid()) { sample.wait = add_wait(capture_.waits[s.wait.value]); }
    if (!capture_.counts.empty()) { sample.count = capture_.counts[i]; }
    builder_.add_sample(sample);
    if (!capture::is_whole(s.quality) || s.quality == StackQuality::kFramePointers) {
      truncated_[uint64_t{sample.event.value} << 8 | static_cast<uint8_t>(s.quality)] += sample.count;
    }
    builder_.count_stack(way_of(s.quality), sample.count);
  }
  add_unsampled();
  add_unseen_waits();
}

WaitId Loader::add_wait(const capture::Wait& wait) {
  const capture::WaitCause& cause = capture_.causes[wait.cause.value];
  return builder_.add_wait({.kind = builder_.string(capture::kWaitKindNames[static_cast<size_t>(cause.kind)]),
                            .object = builder_.string(cause.object),
                            .length_ns = wait.length_ns,
                            .has_ended = wait.has_ended});
}

// Time in which a thread did not run and that no sample covers: all of the time without a CPU, and short waits that no look met.
void Loader::add_unseen_waits() {
  const std::vector<capture::Event>& events = capture_.info.events;
  bool is_part = options_.begin_ns != 0 || options_.end_ns != UINT64_MAX;
  if (is_part || !has_all_samples()) { return; }
  for (uint32_t event = 0; event < events.size(); ++event) {
    bool is_ready = events[event].name == kReadyEvent;
    if (events[event].kind != capture::SampleKind::kOffCpu || (!is_ready && events[event].name != kBlockedEvent)) { continue; }
    std::vector<uint64_t> sampled(capture_.threads.size());
    for (const capture::Sample& s : capture_.samples) {
      if (s.event == event) { sampled[s.thread.value] += std::min(s.weight, UINT64_MAX - sampled[s.thread.value]); }
    }
    for (size_t i = 0; i < sampled.size(); ++i) {
      const capture::Thread& thread = capture_.threads[i];
      uint64_t counted = (is_ready ? thread.ready : thread.blocked).value_or(0);
      if (counted <= sampled[i]) { continue; }
      add_unsampled(i, events_[event], counted - sampled[i]);
    }
  }
}

// Lost samples, then lost side events, then truncated stacks. Other counters are not losses.
void Loader::add_losses() {
  for (const capture::Counter& counter : capture_.counters) {
    bool samples = counter.name.starts_with("lost.");
    bool other = counter.name.starts_with("side.") || counter.name == "throttled" || counter.name == "samples.late";
    if (samples || other) { builder_.add_loss(counter.name, counter.value, samples); }
  }
  for (const auto& [key, count] : truncated_) {
    builder_.add_loss(quality_name(static_cast<StackQuality>(key & 255)), count, false, EventId{static_cast<uint32_t>(key >> 8)});
  }
}

}  // namespace

Profile build_profile(const Capture& capture, const LoadOptions& options, const std::function<void(ProfileBuilder&)>& finish) {
  return Loader(capture, options).build(finish);
}

}  // namespace wick
