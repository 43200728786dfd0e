// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/recording.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

#include "analyze/library_glue.h"
#include "base/clock.h"
#include "base/text.h"
#include "pipeline/module_names.h"
#include "pipeline/name_generated.h"
#include "pipeline/symbolize_capture.h"
#include "symbolize/demangle.h"

namespace wick {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint64_t kProgressNs = 200'000'000;
constexpr uint64_t kSameWishNs = 200'000'000;
// Of a live recording: samples of stopped threads arrive a little later than others.
constexpr uint64_t kSettledNs = 100'000'000;
constexpr uint64_t kMeasureNs = 5 * kSecond;
constexpr size_t kSamplesPerBlock = 65536;
constexpr uint64_t kMostSourceTotal = 16 << 20;  // bytes of source files in a recording
constexpr size_t kLeastSampleBytes = 4;          // in the file

const char* const kQualityNames[] = {"whole",      nullptr, nullptr,   "kernel_thread", "frame_pointers",
                                     "not_walked", nullptr, "stopped", "crossed"};
const char* const kBadQualityNames[] = {"cut", "no_row", "bad_row", "too_deep", "no_mapping", "unreadable", "missed", "no_register"};

uint64_t counter_value(const std::vector<capture::Counter>& counters, const std::string& name) {
  for (const capture::Counter& counter : counters) {
    if (counter.name == name) { return counter.value; }
  }
  return 0;
}

// By frame row, scaled to the time of each thread as the profile shows it.
std::vector<uint64_t> balanced_leaves(const std::vector<LeafWeight>& leaves, std::span<const ThreadTime> times,
                                      std::span<const ThreadBalance> balances, size_t frames) {
  std::vector<double> sums(frames);
  for (const LeafWeight& leaf : leaves) {
    double sampled = static_cast<double>(times[leaf.thread].sampled), shown = static_cast<double>(balances[leaf.thread].sampled);
    sums[leaf.frame] += static_cast<double>(leaf.weight) * (sampled > 0 ? shown / sampled : 1);
  }
  std::vector<uint64_t> out;
  for (double sum : sums) { out.push_back(static_cast<uint64_t>(std::llround(sum))); }
  return out;
}

}  // namespace

std::vector<HotFunction> compute_hottest(const std::map<std::pair<std::string, std::string>, uint64_t>& by_linkage_name) {
  std::map<std::pair<std::string, std::string>, uint64_t> by_name;
  for (const auto& [key, weight] : by_linkage_name) { by_name[{demangle(key.first), key.second}] += weight; }
  std::vector<HotFunction> hottest;
  for (const auto& [key, weight] : by_name) { hottest.push_back({key.first, key.second, weight}); }
  std::stable_sort(hottest.begin(), hottest.end(),
                   [](const HotFunction& a, const HotFunction& b) { return a.weight > b.weight; });
  if (hottest.size() > 5) { hottest.resize(5); }
  return hottest;
}

const capture::SymbolFrame& find_own_function(const std::vector<capture::SymbolFrame>& chain) {
  size_t own = 0;
  while (own + 1 < chain.size() && is_library_glue(demangle(chain[own].function))) { ++own; }
  return chain[own];
}

Status Recording::open(const std::string& path) { return file_.open(path); }

Status Recording::begin(const capture::Info& info) {
  info_ = info;
  begin_ns_ = end_ns_ = last_flush_ns_ = now_ns();
  WICK_OK(file_.commit());
  file_.append(writer_.begin(info));
  return ok_status();
}

Status Recording::begin_live(const capture::Info& info) {
  info_ = info;
  begin_ns_ = end_ns_ = last_flush_ns_ = now_ns();
  live_->begin(info);
  file_.append(writer_.begin(info));
  return ok_status();
}

void Recording::flush() {
  std::vector<uint8_t> blocks = writer_.encode_pending();
  if (!file_ended_) { file_.append(std::move(blocks)); }
  last_flush_ns_ = now_ns();
}

// The target handles the first signal (it may have work to finish); the next one ends the recording at once. A signal right after
// another is the same request: timeout(1) signals its child and then the group.
bool Recording::handle_signals(Engine& engine, StopSignals& signals, Asked& asked) {
  while (std::optional<StopSignal> signal = signals.next()) {
    pid_t pid = engine.launched_pid();
    if (pid < 0) { return true; }
    uint64_t now = now_ns();
    if (asked.count > 0 && now < asked.last_ns + kSameWishNs) { continue; }
    asked.last_ns = now;
    pass_on(*signal, pid);
    if (++asked.count >= 2) { return true; }
  }
  return false;
}

Result<StopReason> Recording::run(Engine& engine, StopSignals& signals, const Limits& limits,
                                  const std::function<void(const Progress&)>& on_progress) {
  uint64_t start = now_ns();
  bool enabled = limits.delay_ns == 0;
  uint64_t enable_at = start + limits.delay_ns;
  uint64_t end_at = limits.duration_ns == 0 ? UINT64_MAX : enable_at + limits.duration_ns;
  uint64_t next_progress = start, samples_before = stage_.samples();
  Asked asked;
  StopReason reason = StopReason::kTargetEnded;
  struct Suspension {
    StopSignals& signals;
    ~Suspension() { signals.set_before_suspend({}); }
  } suspension{signals};
  signals.set_before_suspend([&engine] { engine.suspend(); });
  for (;;) {
    uint64_t deadline =
        std::min({end_at, last_flush_ns_ + kSecond, enabled ? UINT64_MAX : enable_at, on_progress ? next_progress : UINT64_MAX});
    uint64_t pumped_ns = now_ns();
    Result<TargetState> state = engine.pump(stage_, signals.fd(), deadline);
    if (!state) {
      engine.stop(stage_);
      end_ns_ = now_ns();
      collect(engine);
      return std::move(state).error();
    }
    uint64_t now = now_ns();
    if (live_ && now >= last_publish_ns_ + kProgressNs) { publish(engine, pumped_ns - std::min(pumped_ns, kSettledNs)); }
    if (limits.stop != nullptr && *limits.stop) {
      reason = StopReason::kAsked;
      break;
    }
    if (handle_signals(engine, signals, asked)) {
      reason = StopReason::kSignal;
      break;
    }
    if (*state == TargetState::kEnded) {
      if (asked.count > 0) { reason = StopReason::kSignal; }  // whatever its exit code
      break;
    }
    if (now >= end_at) {
      reason = StopReason::kDuration;
      break;
    }
    if (!enabled && now >= enable_at) {
      engine.enable();
      enabled = true;
    }
    bool nearly_full =
        limits.max_size_bytes != 0 && file_.size_bytes() + writer_.pending_samples() * kLeastSampleBytes >= limits.max_size_bytes;
    if (now >= last_flush_ns_ + kSecond || writer_.pending_samples() >= kSamplesPerBlock || nearly_full) { flush(); }
    bool is_full = limits.max_size_bytes != 0 && file_.size_bytes() >= limits.max_size_bytes;
    file_ended_ = file_ended_ || (live_ && (is_full || file_.failed()));
    if (file_.failed() && !live_) {
      reason = StopReason::kDiskFull;
      break;
    }
    if (is_full && !live_) {
      reason = StopReason::kMaxSize;
      break;
    }
    if (on_progress && now >= next_progress) {
      next_progress = now + kProgressNs;
      std::vector<EngineCounter> counters = engine.counters();
      uint64_t lost = 0;
      for (const EngineCounter& counter : counters) { lost += counter.name.starts_with("lost.") ? counter.value : 0; }
      on_progress({now - start, stage_.samples() - samples_before, lost, file_.size_bytes(), !enabled});
    }
  }
  engine.stop(stage_);
  end_ns_ = now_ns();
  collect(engine);
  flush();
  if (live_) {
    so_far_ = describe_so_far(nullptr);
    so_far_.file_bytes = file_.size_bytes();
    live_->publish_last(end_ns_, so_far_.counters, stage_.stacks(), own_code_);
  }
  stopped_by_ = reason;
  return reason;
}

void Recording::collect(Engine& engine) {
  engine_ = engine.info();
  for (const EngineCounter& counter : engine.counters()) {
    auto same =
        std::find_if(counters_.begin(), counters_.end(), [&](const capture::Counter& c) { return c.name == counter.name; });
    if (same == counters_.end()) {
      counters_.push_back({counter.name, counter.value});
    } else {
      same->value += counter.value;
    }
  }
  std::vector<KernelCode> code = engine.kernel_code();
  own_code_.insert(own_code_.end(), code.begin(), code.end());
  for (const std::string& note : engine.notes()) {
    bool is_known = std::find(notes_.begin(), notes_.end(), note) != notes_.end();  // in an earlier run
    if (!is_known) { notes_.push_back(note); }
  }
}

std::vector<capture::FrameSymbols> Recording::name_all(Naming naming, const SymbolSources& sources,
                                                       std::span<const uint64_t> leaf_samples, std::span<const uint64_t> weights,
                                                       std::vector<HotCode>& generated) {
  const std::vector<capture::Module>& modules = stage_.stacks().modules();
  const std::vector<capture::Frame>& frames = stage_.stacks().frames();
  std::vector<std::string> mismatched;
  if (naming == Naming::kAtOnce) {
    std::vector<capture::FrameSymbols> all = name_frames(modules, frames, stage_.stacks().opened(), mismatched, sources,
                                                         {leaf_samples, stage_.prepared_names(), nullptr, own_code_});
    generated = name_generated_frames(stage_.stacks(), all, weights);
    return all;
  }
  std::vector<capture::FrameSymbols> all(frames.size());
  std::vector<uint32_t> rows;
  for (uint32_t row = 0; row < frames.size(); ++row) {
    all[row].frame = {row};
    capture::ModuleId module = frames[row].module;
    if (module.valid() && !can_be_named_later(modules[module.value].kind)) { rows.push_back(row); }
  }
  std::vector<bool> looked(frames.size());
  for (capture::FrameSymbols& named :
       name_rows(modules, frames, rows, stage_.stacks().opened(), mismatched, sources, {}, own_code_)) {
    looked[named.frame.value] = true;
    all[named.frame.value].chain = std::move(named.chain);
  }
  generated = name_generated_frames(stage_.stacks(), all, weights);
  std::erase_if(all, [&](const capture::FrameSymbols& named) { return named.chain.empty() && !looked[named.frame.value]; });
  return all;
}

// What finish() would find if the recording ended now.
RecordingOutcome Recording::describe_so_far(Engine* engine, std::vector<uint64_t>* leaf_weights) {
  auto before = std::tuple(counters_, notes_, own_code_, end_ns_);
  is_running_ = engine != nullptr;
  if (is_running_) {
    collect(*engine);
    end_ns_ = now_ns();
  }
  RecordingOutcome out = describe_runs();
  count_stacks(out);
  std::vector<uint64_t> weights = account_for_time(out);
  if (leaf_weights != nullptr) { *leaf_weights = std::move(weights); }
  is_running_ = false;
  out.counters = counters_;
  std::tie(counters_, notes_, own_code_, end_ns_) = std::move(before);
  return out;
}

void Recording::publish(Engine& engine, uint64_t until_ns) {
  uint64_t now = last_publish_ns_ = now_ns();
  if (now >= last_measure_ns_ + kMeasureNs) {  // takes longer, the more threads and frames there were
    engine.measure();
    last_measure_ns_ = now;
    so_far_ = describe_so_far(&engine);
  }
  for (const EngineCounter& counter : engine.counters()) {
    auto same = std::ranges::find(so_far_.counters, counter.name, &capture::Counter::name);
    if (same != so_far_.counters.end()) { same->value = counter.value; }
  }
  live_->publish(until_ns, so_far_.counters, stage_.stacks(), engine.kernel_code());
}

Recording::Copy Recording::prepare_copy(Engine* engine) {
  if (engine != nullptr) { engine->measure(); }
  Copy copy;
  copy.outcome = describe_so_far(engine, &copy.weights);
  for (const capture::Counter& counter : copy.outcome.counters) { writer_.set_counter(counter.name, counter.value); }
  flush();
  copy.file_bytes = file_.size_bytes();
  copy.is_cut = file_ended_;
  if (!file_ended_) { copy.end = writer_.end_mark(); }
  copy.code = live_->all_frames();
  return copy;
}

Status Recording::write_copy(const Copy& copy, std::span<const capture::FrameSymbols> symbols,
                             std::span<const capture::CodeBody> bodies, const std::string& path) {
  WICK_LET(OutputFile to, OutputFile::create(path));
  WICK_OK(file_.copy(copy.file_bytes, to));
  std::vector<uint8_t> rest;
  capture::BlockWriter blocks;
  capture::append_symbol_blocks(rest, blocks, symbols);
  capture::append_code_blocks(rest, blocks, bodies);
  rest.insert(rest.end(), copy.end.begin(), copy.end.end());
  WICK_OK(to.write(rest));
  return to.is_special() ? ok_status() : to.commit(OutputFile::Old::kKept);
}

Result<RecordingOutcome> Recording::finish(Naming naming, const SymbolSources& sources, const EmbedOptions& embed) {
  RecordingOutcome out = describe_runs();
  count_stacks(out);
  std::vector<uint64_t> leaf_weights = account_for_time(out);
  std::vector<HotCode> generated;
  std::vector<capture::FrameSymbols> symbols =
      name_all(naming, sources, out.totals.leaf_samples,
               embed.most_code_bytes > 0 ? std::span<const uint64_t>(leaf_weights) : std::span<const uint64_t>(), generated);
  if (naming == Naming::kAtOnce) { find_hottest(symbols, leaf_weights, out); }
  find_lacking(symbols, out);
  add_code(leaf_weights, sources, embed, std::move(generated));
  add_source(symbols, leaf_weights, embed);
  WICK_OK(write_rest(std::move(symbols)));
  out.file_bytes = file_.size_bytes();
  out.counters = counters_;
  return out;
}

RecordingOutcome Recording::describe_runs() const {
  RecordingOutcome out;
  out.elapsed_ns = end_ns_ - begin_ns_;
  out.stopped_by = stopped_by_;
  out.totals = stage_.totals();
  out.notes = notes_;
  out.events = info_.events;
  out.engine = engine_;
  if (out.totals.in_32bit > 0) { out.notes.push_back("stacks of 32-bit programs are not unwound"); }
  for (const capture::Counter& counter : counters_) { out.lost += counter.name.starts_with("lost.") ? counter.value : 0; }
  return out;
}

void Recording::count_stacks(const RecordingOutcome& out) {
  for (size_t i = 0; i < std::size(kQualityNames); ++i) {
    if (kQualityNames[i] == nullptr) { continue; }  // only in older files
    counters_.push_back({std::string("stacks.") + kQualityNames[i], out.totals.quality[i]});
  }
  for (size_t i = 0; i < std::size(kBadQualityNames); ++i) {
    counters_.push_back({std::string("stacks.") + kBadQualityNames[i], out.totals.quality[16 + i]});
  }
}

// Compares the samples with the time that the kernel counted, as views of the file do (build_profile.cc). Returns the weight of
// each innermost frame.
std::vector<uint64_t> Recording::account_for_time(RecordingOutcome& out) {
  bool hidden = engine_.hides_kernel_time;
  if (engine_.shares_clock) { counters_.push_back({"cpu.shared_clock", 1}); }
  if (hidden) { counters_.push_back({"kernel.unseen", 1}); }
  std::vector<ThreadTime> times = stage_.times();
  uint64_t first_rate_hz = info_.events.empty() ? 0 : info_.events[0].rate_hz;
  BalanceRules rules{.shared_clock = engine_.shares_clock,
                     .user_only = hidden,
                     .has_gaps = counter_value(counters_, "lost.ring_full") != 0 || counter_value(counters_, "cpu.late_ns") != 0,
                     .period = first_rate_hz == 0 ? 0 : kSecond / first_rate_hz,
                     .way_out = counter_value(counters_, "cpu.way_out_ns"),
                     .afterwards = counter_value(counters_, "cpu.afterwards_ns"),
                     .stolen = counter_value(counters_, "machine.stolen_ns")};
  std::vector<ThreadBalance> balances = balance_times(times, rules);
  out.times = add_up(times, balances);
  out.cpu_ns = counter_value(counters_, "cpu.total_ns");
  bool by_clock = info_.events.size() == 1 && info_.events[0].unit == "ns";
  if (by_clock && !hidden) { out.cpu_ns = std::max(out.cpu_ns, out.times.sampled + out.times.unsampled); }
  if (hidden) {
    if (by_clock) {
      RestOfTime rest = divide_rest({.counted = out.cpu_ns,
                                     .explained = explained_ns(out),
                                     .system = counter_value(counters_, "cpu.system_ns"),
                                     .stolen = counter_value(counters_, "machine.stolen_ns"),
                                     .used = counter_value(counters_, "cpu.used_ns")});
      out.unseen_ns = rest.kernel;
      out.stolen_ns = rest.stolen;
      out.cpu_ns -= rest.stolen;
    } else {
      out.unseen_ns = std::min(counter_value(counters_, "cpu.system_ns"), out.cpu_ns);
    }
    counters_.push_back({"kernel.unseen_ns", out.unseen_ns});
    if (out.stolen_ns > 0) { counters_.push_back({"cpu.stolen_ns", out.stolen_ns}); }
  }
  return balanced_leaves(stage_.leaf_weights(), times, balances, out.totals.leaf_samples.size());
}

// CPU time that samples, losses and known gaps explain.
uint64_t Recording::explained_ns(const RecordingOutcome& out) const {
  uint64_t rate_hz = std::max<uint64_t>(info_.events[0].rate_hz, 1);
  uint64_t period = out.totals.samples > 0 ? out.totals.weight / out.totals.samples : kSecond / rate_hz;
  // Each thread that still runs has used up to a period since its last sample.
  uint64_t running = is_running_ ? live_->running_threads() : 0;
  return out.times.sampled + out.times.unsampled + (out.lost + running) * period;
}

void Recording::find_hottest(std::span<const capture::FrameSymbols> symbols, std::span<const uint64_t> leaf_weights,
                             RecordingOutcome& out) const {
  std::map<std::pair<std::string, std::string>, uint64_t> by_linkage_name;
  for (const capture::FrameSymbols& named : symbols) {
    uint64_t weight = leaf_weights[named.frame.value];
    if (weight == 0) { continue; }
    const capture::Module& module = stage_.stacks().modules()[stage_.stacks().frames()[named.frame.value].module.value];
    if (is_named(named)) {
      const capture::SymbolFrame& own = find_own_function(named.chain);
      by_linkage_name[{own.function, shown_module(module, true)}] += weight;
      out.glue_folded = out.glue_folded || &own != &named.chain[0];
    } else {
      std::string bare = nameless_function(module);
      if (!named.chain.empty()) { bare.insert(bare.size() - 1, named.chain[0].function); }  // "[gzip+0x4a20]"
      by_linkage_name[{bare, shown_module(module, false)}] += weight;
    }
  }
  out.hottest = compute_hottest(by_linkage_name);
}

void Recording::find_lacking(std::span<const capture::FrameSymbols> symbols, RecordingOutcome& out) const {
  const std::vector<capture::Module>& modules = stage_.stacks().modules();
  std::vector<uint64_t> unnamed(modules.size()), lineless(modules.size());  // samples
  for (const capture::FrameSymbols& named : symbols) {
    uint32_t module = stage_.stacks().frames()[named.frame.value].module.value;
    uint64_t samples = out.totals.leaf_samples[named.frame.value];
    if (!is_named(named)) {
      unnamed[module] += samples;
    } else if (named.chain[0].line == 0 && modules[module].kind == capture::ModuleKind::kFile) {
      lineless[module] += samples;
    }
  }
  for (auto [from, to] : {std::pair{&unnamed, &out.unnamed}, std::pair{&lineless, &out.lineless}}) {
    for (size_t i = 0; i < modules.size(); ++i) {
      if ((*from)[i] == 0) { continue; }
      const LoadedModule* file = stage_.stacks().opened()[i];
      std::string trouble = file == nullptr ? "" : file->file.is_damaged() ? "truncated while recording" : file->trouble;
      to->push_back({modules[i].path, modules[i].build_id, std::move(trouble), (*from)[i]});
    }
    std::stable_sort(to->begin(), to->end(),
                     [](const LackingModule& a, const LackingModule& b) { return a.samples > b.samples; });
  }
}

void Recording::add_code(std::span<const uint64_t> leaf_weights, const SymbolSources& sources, const EmbedOptions& embed,
                         std::vector<HotCode> generated) {
  if (embed.most_code_bytes == 0) { return; }
  const StackTable& stacks = stage_.stacks();
  std::vector<HotCode> others = load_kernel_code(stacks.modules(), stacks.frames(), leaf_weights, sources, own_code_);
  std::move(generated.begin(), generated.end(), std::back_inserter(others));
  for (capture::CodeBody& body :
       collect_code(stacks.modules(), stacks.frames(), stacks.opened(), leaf_weights, embed.most_code_bytes, std::move(others))) {
    writer_.add_code(std::move(body));
  }
}

void Recording::add_source(std::span<const capture::FrameSymbols> symbols, std::span<const uint64_t> leaf_weights,
                           const EmbedOptions& embed) {
  if (!embed.read_source) { return; }
  const StackTable& stacks = stage_.stacks();
  std::map<std::string, uint64_t> weights;  // by file, of all functions inlined there
  std::map<std::string, std::string> programs;
  for (const capture::FrameSymbols& named : symbols) {
    uint64_t weight = leaf_weights[named.frame.value];
    if (weight == 0) { continue; }
    for (const capture::SymbolFrame& frame : named.chain) {
      if (frame.file.empty()) { continue; }
      weights[frame.file] += weight;
      programs.try_emplace(frame.file, stacks.modules()[stacks.frames()[named.frame.value].module.value].path);
    }
  }
  std::vector<std::pair<uint64_t, std::string>> files;
  for (const auto& [file, weight] : weights) { files.push_back({weight, file}); }
  std::sort(files.rbegin(), files.rend());
  uint64_t left = kMostSourceTotal;
  for (const auto& [weight, file] : files) {
    std::string text = embed.read_source(file, programs[file]);
    if (text.empty() || text.size() > left) { continue; }
    left -= text.size();
    writer_.add_source({file, std::move(text)});
  }
}

Status Recording::write_rest(std::vector<capture::FrameSymbols> symbols) {
  for (capture::FrameSymbols& named : symbols) { writer_.add_symbols(std::move(named)); }
  for (const capture::Counter& counter : counters_) { writer_.set_counter(counter.name, counter.value); }
  file_.append(writer_.finish());
  return file_.close();
}

}  // namespace wick
