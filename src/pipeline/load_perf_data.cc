// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/load_perf_data.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <unordered_map>

#include "base/text.h"
#include "capture/rows.h"
#include "import/perf/perf_data.h"
#include "model/event_name.h"
#include "pipeline/name_frames.h"
#include "pipeline/name_generated.h"
#include "pipeline/perf_folder.h"
#include "pipeline/recorded_files.h"
#include "pipeline/recorded_kernel.h"
#include "pipeline/recorded_processes.h"
#include "pipeline/unwind_stage.h"

namespace wick {
namespace {

// If times are not needed, at most this many samples are kept separately: the heading shows the length of the recording.
constexpr uint64_t kManySamples = 2'000'000;

// Created with the first batch: by then the file has named its CPU.
class Stage final : public RawSink {
 public:
  Stage(const LoadOptions& options, capture::MemoryRows& rows) : options_(options), rows_(rows) {}

  void set_reader(const PerfDataReader& reader) { info_ = &reader.info(); }
  void consume(RawBatch& batch) override {
    if (!unwinding_) { begin(); }
    unwinding_->consume(batch);
  }

  void begin() {
    processes_.emplace(*info_, options_.sources.debug);
    UnwindOptions unwind;
    unwind.mode = std::nullopt;
    unwind.arch = perf_data_arch(*info_);
    unwind.cache_dir = options_.sources.cache_dir;
    unsigned threads = options_.import.threads != 0 ? options_.import.threads : std::thread::hardware_concurrency();
    unwind.workers = std::clamp(threads, 1u, 16u) - 1;
    if (options_.import.functions_only) {
      alike_.emplace(options_.sources, *processes_);
      unwind.alike = &*alike_;
    }
    unwinding_.emplace(std::move(unwind), *processes_, rows_);
  }

  // Symbolizes all sampled frames.
  void finish(capture::Capture& capture) {
    if (!unwinding_) { begin(); }
    const StackTable& stacks = unwinding_->stacks();
    std::vector<std::string> mismatched;
    // Kernel symbols are found separately.
    std::vector<capture::Module> modules = stacks.modules();
    for (capture::Module& module : modules) {
      if (module.kind == capture::ModuleKind::kKernel) { module.kind = capture::ModuleKind::kUnknown; }
    }
    // Files that could not be opened while reading are not searched again: their addresses are as mapped.
    std::vector<const LoadedModule*> opened = stacks.opened();
    for (size_t i = 0; i < opened.size(); ++i) {
      if (opened[i] == nullptr || !opened[i]->image) { modules[i].kind = capture::ModuleKind::kUnknown; }
    }
    capture.symbols =
        name_frames(modules, stacks.frames(), opened, mismatched, options_.sources, {.loaded = alike_ ? &*alike_ : nullptr});
    add_generated_code(capture, name_generated_frames(stacks, capture.symbols, leaf_weights(capture)));
    auto kernel = [this] {
      std::shared_ptr<const FileSymbols> loaded = alike_ ? alike_->symbols(nullptr) : nullptr;
      return loaded != nullptr ? loaded : processes_->load_kernel(options_.sources);
    };
    name_recorded_kernel(capture, *info_, kernel, capture.symbols);
  }

  const RecordedFiles& files() const { return processes_->files(); }
  KernelIdentity kernel() const { return processes_->kernel_identity(); }

 private:
  // By frame: samples of all events.
  static std::vector<uint64_t> leaf_weights(const capture::Capture& capture) {
    std::vector<uint64_t> weights(capture.frames.size());
    for (size_t i = 0; i < capture.samples.size(); ++i) {
      capture::StackId stack = capture.samples[i].stack;
      if (stack.valid()) { weights[capture.stacks[stack.value].frame.value] += capture.counts.empty() ? 1 : capture.counts[i]; }
    }
    return weights;
  }
  static void add_generated_code(capture::Capture& capture, std::vector<HotCode> hot) {
    std::stable_sort(hot.begin(), hot.end(), [](const HotCode& a, const HotCode& b) { return a.weight > b.weight; });
    for (HotCode& code : hot) { capture.code.push_back(std::move(code.body)); }
  }

  const LoadOptions& options_;
  capture::MemoryRows& rows_;
  const PerfDataInfo* info_ = nullptr;
  std::optional<RecordedProcesses> processes_;
  std::optional<AlikeFrames> alike_;
  std::optional<UnwindStage> unwinding_;
};

// Events without samples (dummies, counting group leaders) are left out, unless there are no samples at all.
void set_events(const PerfDataInfo& info, const PerfDataTotals& totals, capture::Capture& capture) {
  // "cpu-clock:pppH" is shown as "cpu-clock", unless that would give two events the same name.
  std::unordered_map<std::string, size_t> plain_names;
  for (const PerfDataEvent& event : info.events) { ++plain_names[plain_event_name(event.name)]; }
  std::vector<uint32_t> new_number(info.events.size());
  for (uint32_t i = 0; i < info.events.size(); ++i) {
    bool has_samples = i < totals.event_samples.size() && totals.event_samples[i] > 0;
    if (totals.samples > 0 && !has_samples) { continue; }
    new_number[i] = static_cast<uint32_t>(capture.info.events.size());
    const PerfDataEvent& event = info.events[i];
    std::string name = plain_event_name(event.name);
    if (plain_names[name] > 1) { name = event.name; }
    capture.info.events.push_back({name, event.unit, event.rate_hz});
  }
  for (capture::Sample& sample : capture.samples) { sample.event = new_number[sample.event]; }
}

void set_info(const PerfDataReader& reader, capture::Capture& capture) {
  const PerfDataInfo& info = reader.info();
  capture.complete = true;
  capture.info.engine = "perf";
  capture.info.host = info.host;
  capture.info.kernel = info.kernel;
  capture.info.cpu_model = info.cpu_model;
  capture.info.arch = perf_data_arch(info);
  capture.info.cpu_count = info.cpu_count;
  capture.info.command = info.command;
  set_events(info, reader.totals(), capture);
  uint64_t first_ns = UINT64_MAX;
  for (const capture::Sample& sample : capture.samples) { first_ns = std::min(first_ns, sample.time_ns); }
  bool is_plausible = info.first_sample_ns != 0 && info.first_sample_ns <= first_ns;
  capture.info.start_ns = is_plausible ? info.first_sample_ns : first_ns == UINT64_MAX ? 0 : first_ns;
  if (info.wall_offset_ns != 0) { capture.info.start_wall_ns = capture.info.start_ns + info.wall_offset_ns; }

  // A full ring is reported twice: by the kernel, counting all records, and at the end by perf, counting samples.
  const PerfDataTotals& totals = reader.totals();
  capture.counters = {{"lost.ring_full", std::max(totals.lost_records, totals.lost_samples)},
                      {"lost.malformed", totals.malformed},
                      {"lost.unknown_event", totals.unknown_event},
                      {"throttled", totals.throttled}};
}

void add_warnings(const PerfDataReader& reader, const Stage& stage, ProfileBuilder& builder) {
  auto add = [&](std::string text) { builder.add_warning(std::move(text)); };
  const PerfDataTotals& totals = reader.totals();
  for (const std::string& warning : reader.warnings()) { add(warning); }
  if (totals.malformed > 0) {
    add(strf("skipped %s malformed records (first: %s)", group_thousands(totals.malformed).c_str(),
             totals.first_malformed.c_str()));
  }
  if (totals.unknown_event > 0) {
    add(strf("%s samples belong to events that the file does not describe", group_thousands(totals.unknown_event).c_str()));
  }
  if (totals.aux_records > 0) { add(strf("ignoring %s of hardware traces (AUX data)", human_bytes(totals.aux_bytes).c_str())); }
  if (totals.deferred > 0) { add(strf("%s deferred user stacks are not shown", group_thousands(totals.deferred).c_str())); }
  if (totals.unwalked > 0) {
    add(strf("%s copied stacks are not unwound: unsupported CPU (%s)", group_thousands(totals.unwalked).c_str(),
             reader.info().arch.empty() ? "unknown" : reader.info().arch.c_str()));
  }
  if (totals.overflowing > 0) {
    add(strf("skipped %s samples whose counts are too large to add up", group_thousands(totals.overflowing).c_str()));
  }
  if (totals.guest > 0) { add(strf("%s samples are in virtual machines", group_thousands(totals.guest).c_str())); }
  for (const std::string& path : stage.files().changed()) {
    add(path + " has changed since it was recorded: its functions have no symbols");
  }
  for (const std::string& path : stage.files().unproven()) {
    add(path + " was recorded on another machine without a build ID: not using the local file (symfs / uses it)");
  }
}

// `problems`: warnings about the file; samples may be missing because of them.
Result<Profile> load_records(const LoadOptions& options, std::function<void(Bytes)> release,
                             const std::function<Status(PerfDataReader&)>& read, const std::vector<std::string>& problems = {}) {
  uint64_t most_single = options.import.merge ? 0 : options.import.merge_many ? kManySamples : UINT64_MAX;
  capture::MemoryRows rows(most_single);
  Stage stage(options, rows);
  PerfDataReader reader(stage, std::move(release));
  stage.set_reader(reader);
  WICK_OK(read(reader));
  stage.finish(rows.capture);
  set_info(reader, rows.capture);
  LoadOptions rest = options;
  rest.sources.debug = {};  // the rest has no symbols
  auto has_time = [](const PerfDataEvent& event) { return (event.layout.sample_type & (1u << 2)) != 0; };  // PERF_SAMPLE_TIME
  bool timed = std::any_of(reader.info().events.begin(), reader.info().events.end(), has_time);
  if (!timed) {  // exit records may have times; they do not give the recording a length
    rows.capture.info.start_ns = rows.capture.info.start_wall_ns = 0;
    for (capture::Thread& thread : rows.capture.threads) { thread.start_ns = thread.end_ns = 0; }
  }
  return build_profile(rows.capture, rest, [&](ProfileBuilder& builder) {
    ProfileAbout& about = builder.about();
    about.imported_from = kPerfDataReader.what;
    about.events_ranked = false;
    about.kernel = stage.kernel();
    about.has_times = timed && !rows.is_merged();
    about.left_behind = {.times = timed && rows.is_merged(), .cpus = rows.has_merged_cpus()};
    if (reader.is_incomplete() && std::max(reader.totals().lost_records, reader.totals().lost_samples) == 0) {
      about.losses_known = false;
    }
    add_warnings(reader, stage, builder);
    if (!problems.empty()) { about.losses_known = false; }
    for (const std::string& problem : problems) { builder.add_warning(problem); }
  });
}

}  // namespace

Result<Profile> load_perf_data(Input& input, const LoadOptions& options) {
  return load_records(
      options, [&](Bytes done) { input.release(done); }, [&](PerfDataReader& reader) { return reader.read(input); });
}

Result<Profile> load_perf_folder(const std::string& path, const LoadOptions& options) {
  WICK_LET(PerfFolder folder, open_perf_folder(path));
  std::vector<PerfDataPart> parts;
  for (const PerfFolder::Part& part : folder.parts) { parts.push_back({part.name, part.file.bytes()}); }
  Result<Profile> profile = load_records(
      options, release_mapped, [&](PerfDataReader& reader) { return reader.read_folder(folder.head.bytes(), std::move(parts)); },
      folder.problems);
  WICK_OK(folder.head.check(path + "/data"));
  for (const PerfFolder::Part& part : folder.parts) { WICK_OK(part.file.check(path + "/" + part.name)); }
  if (!profile.ok()) { return std::move(profile).error().context("as perf.data").context("cannot read " + path); }
  return profile;
}

}  // namespace wick
