// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sampling by perf_event_open. One pair of rings per CPU: samples in one, side records (mappings, names, forks, exits) in the
// other, so that these never wait behind samples or are lost with them. Every event of every thread writes into the rings of
// its CPU. Rings are drained by watermark or by timer, whichever comes first.

#include <memory>
#include <unordered_map>

#include "base/fd.h"
#include "record/engine.h"
#include "record/launch.h"
#include "record/machine.h"
#include "record/perf_open.h"
#include "record/perf_ring.h"
#include "record/recorder_state.h"
#include "record/thread_roots.h"

namespace wick {

class PerfEngine final : public Engine {
 public:
  PerfEngine(RecordOptions options, Machine machine);
  ~PerfEngine() override;

  Status start(const sigset_t& child_signal_mask) override;
  void enable() override;
  Result<TargetState> pump(RawSink& sink, int wake_fd, uint64_t deadline_ns) override;
  void stop(RawSink& sink) override;
  pid_t launched_pid() const override { return launched_pid_; }
  std::optional<int> exit_status() const override { return exit_status_; }
  std::vector<EngineCounter> counters() const override;
  std::vector<std::string> notes() const override { return notes_; }

 private:
  struct OpenEvent {
    Fd fd;
    uint32_t event = 0;
  };
  struct Source {
    uint32_t event = 0;
    pid_t root = 0;
    PerfLayout layout;
  };  // behind an id: which event, attached to which thread
  struct SideCounter {
    Fd fd;
    bool sampled = false;  // its CPU is
  };
  struct CpuRings {
    int cpu = 0;
    bool sampled = false;                     // false: side records only
    std::unique_ptr<PerfRing> samples, side;  // set by start(), `samples` where sampled
    bool hung_up = false;
  };

  Status open_target(pid_t pid, unsigned long flags);
  Status open_on_cpu(CpuRings& rings, pid_t pid, unsigned long flags);
  Status map_ring(std::unique_ptr<PerfRing>& ring, int fd, bool side);
  Status attach_running();
  void enable_side();
  bool drain(RawSink& sink);
  void read_side(CpuRings& rings);
  void read_samples(CpuRings& rings, RawBatch& batch);
  void notice_exit(const ExitEvent& exit);
  void check_early_exits();
  bool target_ended();
  uint64_t load_cpu_time() const;
  std::vector<pid_t> followed_processes() const;
  void count_system_time();
  void wait_for_data(int wake_fd, uint64_t deadline_ns);

  RecordOptions options_;
  Machine machine_;
  PerfPlan plan_;
  std::vector<int> cpus_;  // to be sampled
  std::vector<CpuRings> rings_;
  std::vector<OpenEvent> sampling_;
  std::vector<SideCounter> side_;
  std::unordered_map<uint64_t, Source> sources_;
  ThreadRoots roots_;
  bool attached_several_ = false;

  std::optional<RaisedFileLimit> file_limit_;
  std::optional<DefaultSigchld> sigchld_;
  std::optional<PromptScheduling> scheduling_;
  std::unique_ptr<Launch> launch_;
  pid_t launched_pid_ = -1;
  Fd launched_fd_;  // pidfd
  std::optional<int> exit_status_;
  std::vector<Fd> attached_fds_;  // pidfds of those that still live
  bool watches_processes_ = false;
  std::vector<SideEvent> pending_side_;
  std::vector<std::pair<uint64_t, uint32_t>> early_exits_;  // (time, pid) of processes that may live on
  uint64_t last_drain_ns_ = 0, drain_interval_ns_ = 0;

  uint64_t samples_made_ = 0, lost_records_ = 0, side_lost_ = 0, throttles_ = 0, malformed_ = 0, duplicates_ = 0,
           cpu_time_ns_ = 0, cpu_time_before_ns_ = 0, system_ns_ = 0, ended_system_ns_ = 0;
  std::unordered_map<pid_t, uint64_t> system_before_ns_;
  std::optional<uint64_t> lost_samples_;  // what the kernel itself has counted; known at the end
  std::vector<std::string> notes_;
};

}  // namespace wick
