// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/live_recording.h"

#include <sys/wait.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "analyze/format.h"
#include "analyze/stack_costs.h"
#include "base/clock.h"
#include "base/text.h"
#include "cli/record_run.h"
#include "cli/record_summary.h"
#include "cli/recording_info.h"
#include "module/cache_dir.h"
#include "view/code.h"

namespace wick {
namespace {

// Symbols are looked up by LiveNames alone.
UnwindOptions live_unwind_options(const RecordRequest& request, const EnginePlan& plan, const Machine& machine) {
  UnwindOptions options = unwind_options(request, plan, machine);
  options.names.reset();
  return options;
}

std::string describe_end(int status) {
  if (WIFSIGNALED(status)) { return strf("ended by signal %d", WTERMSIG(status)); }
  return WEXITSTATUS(status) == 0 ? "ended" : strf("ended with status %d", WEXITSTATUS(status));
}

std::string seconds(uint64_t ns) { return strf("%.3f", static_cast<double>(ns) / 1e9); }

}  // namespace

// The code of a function is read again only if samples hit other places of it.
struct LiveRecording::KnownCode {
  using Place = std::tuple<uint64_t, std::string, uint32_t, bool>;  // address, file, line, whether inlined
  std::string name, module;
  std::set<Place> places;
  FunctionCode code;

  static std::set<Place> places_of(const Profile& p, FunctionId function) {
    std::vector<FunctionId> same = compute_same_functions(p);
    std::set<Place> out;
    for (const Frame& f : p.frames()) {
      if (same[f.function.value] == same[function.value]) {
        out.insert({f.address, std::string(p.text(f.file)), f.line, f.inlined});
      }
    }
    return out;
  }
};

LiveRecording::LiveRecording(RecordRequest request, EnginePlan plan, Machine machine, SourcePlaces places, uint64_t window_ns)
    : request_(std::move(request)),
      plan_(std::move(plan)),
      machine_(std::move(machine)),
      recording_(live_unwind_options(request_, plan_, machine_), window_ns),
      names_(request_.sources),
      code_{.symbols = request_.sources, .source = std::move(places), .files = std::make_shared<CodeFiles>()},
      known_code_(std::make_shared<KnownCode>()) {}

LiveRecording::~LiveRecording() { static_cast<void>(end(false)); }

Status LiveRecording::start(const sigset_t& child_signal_mask) {
  // On a disk rather than in /tmp, which is often in memory.
  size_t slash = request_.output.rfind('/');
  std::string folder = slash == std::string::npos ? "" : request_.output.substr(0, slash + 1);
  if (!recording_.open(folder + ".wick-top").ok()) { WICK_OK(recording_.open("/tmp/.wick-top")); }
  std::promise<Status> started;
  std::future<Status> result = started.get_future();
  thread_ = std::thread([&, this] { record(child_signal_mask, started); });
  Status status = result.get();
  last_wall_ns_ = now_ns();
  last_cpu_ns_ = process_cpu_ns();
  return status;
}

Status LiveRecording::begin(Engine& engine, const sigset_t& child_signal_mask) {
  bool launches = !plan_.options.command.empty();
  if (launches) { WICK_OK(output_.redirect()); }
  capture::Info info = describe_recording(plan_, machine_);  // no sample is earlier
  Status started = engine.start(child_signal_mask);
  output_.restore();
  WICK_OK(std::move(started));
  return recording_.begin_live(info);
}

void LiveRecording::record(const sigset_t& child_signal_mask, std::promise<Status>& started) {
  Result<std::unique_ptr<Engine>> made = make_engine(plan_, machine_);
  Status begun = made.ok() ? begin(**made, child_signal_mask) : Status(made.error());
  bool is_good = begun.ok();
  started.set_value(std::move(begun));
  if (!is_good) { return; }
  Engine& engine = **made;
  StopSignals signals = StopSignals::none();
  Limits limits = request_.limits;
  limits.stop = &stop_;
  auto on_progress = [&](const Progress& progress) {
    std::unique_lock lock(mutex_);
    progress_ = progress;
    if (recording_.so_far().elapsed_ns != described_ns_) { describe_so_far(); }
    if (!task_) { return; }
    std::function<void(Engine*)> task = std::exchange(task_, nullptr);
    lock.unlock();
    task(&engine);
    lock.lock();
    task_done_ = true;
    changed_.notify_all();
  };
  Result<StopReason> reason = recording_.run(engine, signals, limits, on_progress);
  std::optional<int> status = engine.exit_status();
  {
    std::lock_guard lock(mutex_);
    over_ = true;
    if (reason.ok()) {  // the last samples came after the last progress
      describe_so_far();
      const RecordingOutcome& all = recording_.so_far();
      progress_ = {all.elapsed_ns, all.totals.samples, all.lost, all.file_bytes};
    }
    ended_ = !reason.ok()                          ? "recording failed: " + reason.error().message()
             : *reason == StopReason::kAsked       ? ""
             : status && engine.launched_pid() > 0 ? describe_end(*status)
                                                   : "ended";
    changed_.notify_all();
  }
  pid_t pid = engine.launched_pid();
  if (pid <= 0) { return; }
  bool by_us = !status && !asked_;
  if (!status) { status = end_process(pid, asked_); }
  code_ended_ = code_to_pass_on(*status, by_us);
}

void LiveRecording::describe_so_far() {
  const RecordingOutcome& so_far = recording_.so_far();
  described_ns_ = so_far.elapsed_ns;
  quality_ = so_far.notes;
  for (std::string& line : describe_quality(so_far, request_.options)) { quality_.push_back(std::move(line)); }
}

int LiveRecording::end(bool asked) {
  asked_ = asked;
  stop_ = true;
  if (thread_.joinable()) { thread_.join(); }
  return code_ended_;
}

void LiveRecording::run_there(const std::function<void(Engine*)>& task) {
  {
    std::unique_lock lock(mutex_);
    task_done_ = false;
    if (!over_) {
      task_ = task;
      changed_.wait(lock, [&] { return task_done_ || over_; });
      task_ = nullptr;
    }
    if (task_done_) { return; }
  }
  task(nullptr);
}

void LiveRecording::suspend(bool suspended) {
  if (!suspended) { return; }
  run_there([](Engine* engine) {
    if (engine != nullptr) { engine->suspend(); }
  });
}

std::shared_ptr<const Profile> LiveRecording::look(bool again) {
  bool is_over;
  {
    std::lock_guard lock(mutex_);
    is_over = over_;
  }
  // After the end nothing changes, except for symbols that are still being read.
  if (has_looked_ && was_over_ && missing_ == 0) { return nullptr; }
  if (!again) {
    was_over_ = is_over;
    has_looked_ = true;
    picture_ = recording_.live().picture();
  }
  picture_.capture.symbols = names_.known(picture_.code, missing_);
  LoadOptions options{.look_up = false, .others = picture_.others, .begin_ns = picture_.begin_ns, .end_ns = picture_.end_ns};
  return std::make_shared<const Profile>(build_profile(picture_.capture, options, [&](ProfileBuilder& builder) {
    uint64_t since_ns = picture_.begin_ns - std::min(picture_.start_ns, picture_.begin_ns);
    builder.set_start(picture_.begin_ns, picture_.capture.info.start_wall_ns + since_ns);
    builder.set_duration(picture_.end_ns - picture_.begin_ns);
  }));
}

std::vector<std::string> LiveRecording::notes() const {
  std::vector<std::string> out = plan_.notes;
  std::lock_guard lock(mutex_);
  out.push_back(strf("recording: %.0f s%s, %s, %s in a temporary file (s saves it as %s)",
                     static_cast<double>(progress_.elapsed_ns) / 1e9, over_ ? "" : " so far",
                     count_of(progress_.samples, "sample").c_str(), human_bytes(progress_.file_bytes).c_str(),
                     request_.output.c_str()));
  if (request_.limits.max_size_bytes != 0 && progress_.file_bytes >= request_.limits.max_size_bytes) {
    out.push_back("the temporary file has reached --max-size: samples since then are shown, but not saved");
  }
  if (!quality_.empty()) { out.push_back(over_ ? "of the recording:" : "of the recording so far:"); }
  for (const std::string& line : quality_) { out.push_back("  " + line); }
  return out;
}

tui::Source LiveRecording::source_of(std::shared_ptr<const Profile> profile) {
  tui::Source source;
  Result<Selection> all = select_samples(*profile);
  source.view.selection = all.ok() ? *std::move(all) : Selection{.event = EventId{0}, .samples = {}};
  source.view.profile = profile;
  source.live = true;
  std::string range = seconds(picture_.begin_ns - picture_.start_ns) + "-" + seconds(picture_.end_ns - picture_.start_ns);
  source.files = {"window: " + range + " s of the recording (in a saved one: wick report --range " + range + ")"};
  source.notes = notes();
  source.read_code = [profile, known = known_code_, options = code_](FunctionId f) {
    std::set<KnownCode::Place> places = KnownCode::places_of(*profile, f);
    std::string name(profile->text((*profile)[f].name));
    ModuleId module = (*profile)[f].module;
    std::string path(module.valid() ? profile->text((*profile)[module].path) : "");
    bool is_known = known->name == name && known->module == path &&
                    std::includes(known->places.begin(), known->places.end(), places.begin(), places.end());
    if (!is_known) { *known = {name, path, std::move(places), CodeReader(*profile, options).read(f)}; }
    return known->code;
  };
  return source;
}

tui::LiveStatus LiveRecording::status() {
  tui::LiveStatus out;
  out.window_ns = picture_.end_ns - picture_.begin_ns;
  uint64_t now = now_ns(), cpu = process_cpu_ns();
  out.age_ns = now - std::min(picture_.end_ns, now);
  constexpr uint64_t kShortest = 200'000'000;
  if (now >= last_wall_ns_ + kShortest) {
    out.own_cpu = static_cast<double>(cpu - last_cpu_ns_) / static_cast<double>(now - last_wall_ns_);
    last_wall_ns_ = now;
    last_cpu_ns_ = cpu;
  }
  out.symbols_missing = missing_;
  std::lock_guard lock(mutex_);
  out.ended = ended_;
  return out;
}

std::string LiveRecording::save() {
  Recording::Copy copy;
  run_there([&](Engine* engine) { copy = recording_.prepare_copy(engine); });
  std::vector<capture::FrameSymbols> symbols = names_.all(copy.code);
  const std::string& path = request_.output;
  std::vector<capture::CodeBody> bodies = collect_live_code(copy.code, copy.weights, request_.sources, kMostCodeBytes);
  Status written = recording_.write_copy(copy, symbols, bodies, path);
  if (!written.ok()) { return written.error().message() + " (-o FILE)"; }
  std::string what = strf("saved %s: %s samples in %.1f s", path.c_str(), group_thousands(copy.outcome.totals.samples).c_str(),
                          static_cast<double>(copy.outcome.elapsed_ns) / 1e9);
  return copy.is_cut ? "saved " + path + ": the beginning, until --max-size" : what;
}

}  // namespace wick
