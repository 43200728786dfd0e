// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sampling with perf_event_open. Each CPU has a pair of rings: samples in one, side records (mappings, names, forks, exits) in
// the other, so that side records never wait behind samples or are lost with them. Every event of every thread writes to the
// rings of its CPU. Rings are drained by timer, and by watermark where that may be too late.

#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "base/fd.h"
#include "capture/ended_tasks.h"
#include "os/process_state.h"
#include "record/clock_keeper.h"
#include "record/deep_threads.h"
#include "record/engine.h"
#include "record/launch.h"
#include "record/machine.h"
#include "record/perf_open.h"
#include "record/perf_ring.h"
#include "record/spread_clocks.h"
#include "record/task_counts.h"
#include "record/task_filter.h"
#include "record/thread_roots.h"
#include "record/wait_watch.h"

namespace wick {

EngineInfo describe_perf_engine(const RecordOptions& options, const Machine& machine);

class PerfEngine final : public Engine {
 public:
  PerfEngine(RecordOptions options, Machine machine);
  ~PerfEngine() override;

  EngineInfo info() const override;
  Status start(const sigset_t& child_signal_mask) override;
  void enable() override;
  Result<TargetState> pump(RawSink& sink, int wake_fd, uint64_t deadline_ns) override;
  void suspend() override;
  void measure() override;
  void stop(RawSink& sink) override;
  pid_t launched_pid() const override { return launched_pid_; }
  std::optional<int> exit_status() const override { return exit_status_; }
  std::vector<EngineCounter> counters() const override;
  std::vector<KernelCode> kernel_code() const override { return filter_ ? filter_->code() : std::vector<KernelCode>(); }
  std::vector<std::string> notes() const override { return notes_; }

 private:
  struct OpenEvent {
    Fd fd;
    uint32_t event = 0;
    int spread_over = -1;  // for one of several clocks: the file of the single clock that they replace
  };
  struct Source {
    uint32_t event = 0;
    pid_t root = 0;
    PerfLayout layout;
    uint64_t weight = 0;   // of each sample, if not the period
    TickTimes ticks = {};  // of one of several clocks
  };  // for an event ID: which event, attached to which thread
  struct SideCounter {
    Fd fd;
    bool sampled = false;  // whether its CPU is sampled
  };
  struct CpuRings {
    int cpu = 0;
    bool sampled = false;                     // false: side records only
    std::unique_ptr<PerfRing> samples, side;  // set by start(), `samples` only if sampled
    std::unique_ptr<PerfRing> large;          // for large copies, once needed
    std::unique_ptr<PerfRing> switches;       // if context switches are counted
    bool hung_up = false;
  };

  Status open_target(pid_t pid, unsigned long flags);
  Status open_on_cpu(CpuRings& rings, pid_t pid, unsigned long flags);
  Status open_sampling(CpuRings& rings, pid_t pid, unsigned long flags);
  void plan_filter();
  Status open_filtered();
  bool open_large();
  void settle_large(const RawSample& sample);
  void plan_clocks(uint64_t begin_ns, bool is_large);
  void start_due_clocks();
  bool start_clock(const CpuRings& rings, uint64_t period_ns, bool is_large);
  Status open_switches(CpuRings& rings, pid_t pid);
  void read_switches(CpuRings& rings);
  void watch_waits(uint64_t upto_ns);
  void look_at_waits();
  void count_tasks(std::vector<SideEvent>& side, uint64_t upto_ns);
  void keep_clocks(const std::vector<SideEvent>& side);
  void await_ends(RawSink& sink);
  void report_counts(RawSink& sink);
  Status map_ring(std::unique_ptr<PerfRing>& ring, int fd, bool side);
  Status attach_running();
  void enable_side();
  bool drain(RawSink& sink);
  void notice_deep(const RawBatch& batch);
  void look_at_deep(RawSink& sink);
  std::unique_ptr<StopClock> start_stop_clock(pid_t pid, pid_t tid);
  void take_unexamined(RawSink& sink);
  void read_side(CpuRings& rings);
  void notice_side(const SideEvent& event);
  void begin_command(uint64_t exec_ns);
  void read_samples(PerfRing& ring, RawBatch& batch);
  void notice_exit(const ExitEvent& exit);
  void check_early_exits();
  bool target_ended();
  uint64_t load_cpu_time() const;
  std::vector<pid_t> followed_processes() const;
  void count_system_time();
  bool fills_slowly() const;
  void wait_for_data(int wake_fd, uint64_t deadline_ns);
  void reread_maps(const RawBatch& batch);
  void begin_counts();
  void keep_rings();
  void enable_attached(RawSink& sink);

  RecordOptions options_;
  Machine machine_;
  PerfPlan plan_;
  std::vector<int> cpus_;  // CPUs to sample
  std::vector<CpuRings> rings_;
  std::unique_ptr<RingKeeper> keeper_;  // drains the rings while this thread is busy
  std::vector<OpenEvent> sampling_;
  std::vector<SideCounter> side_;
  std::unordered_map<uint64_t, Source> sources_;
  ThreadRoots roots_;
  ClockKeeper clocks_;  // of task events
  std::optional<TaskFilter> filter_;  // if set, events belong to CPUs
  std::vector<Fd> outputs_;
  bool has_large_ = false, may_have_large_ = true;
  std::unordered_map<uint32_t, unsigned> large_;  // threads with large copies: consecutive samples that did not need them
  std::unordered_set<uint32_t> deep_processes_;   // with threads for which large copies did not suffice
  struct DueClock : SpreadClock {
    bool is_large = false;
  };
  std::vector<DueClock> due_clocks_;  // the next one last
  std::unordered_map<const PerfRing*, uint64_t> last_tick_ns_;
  EndedTasks ended_tasks_;
  std::optional<TaskCounts> counts_;
  std::vector<Fd> switch_events_;
  struct Switch : PerfSwitch {
    uint32_t cpu = 0;
  };
  std::vector<Switch> switches_;  // not counted yet
  std::optional<WaitWatch> waits_;
  std::vector<PerfSwitch> wait_switches_;  // not in waits_ yet
  uint64_t waits_upto_ns_ = 0;
  std::vector<TaskEnd> ends_;     // not counted yet
  bool switches_lost_ = false;
  uint64_t lost_switches_ = 0;
  uint64_t way_out_ns_ = 0, afterwards_ns_ = 0;   // task_counts.h
  uint64_t last_run_ns_ = 0, last_group_ns_ = 0;  // of the launched process and of all its threads, when it ended
  uint64_t exec_ns_ = 0;                          // when the launched command started
  struct {
    uint64_t time_ns = 0, run_ns = 0;
  } started_;  // soon after that, with the CPU time of its process
  bool attached_several_ = false;
  bool enable_due_ = false;  // with the first pump()
  std::vector<pid_t> attached_tids_;
  size_t most_ring_pages_ = SIZE_MAX;

  std::optional<RaisedFileLimit> file_limit_;
  std::optional<DefaultSigchld> sigchld_;
  std::optional<PromptScheduling> scheduling_;
  std::unique_ptr<Launch> launch_;
  pid_t launched_pid_ = -1;
  Fd launched_fd_;  // pidfd
  std::optional<int> exit_status_;
  std::vector<Fd> attached_fds_;  // pidfds of running ones
  bool watches_processes_ = false, ended_ = false;
  std::vector<SideEvent> pending_side_;
  struct Reread {
    uint64_t after_lost = 0, not_before_ns = 0;
  };
  std::unordered_map<uint32_t, Reread> rereads_;            // processes whose mappings were read again after lost side records
  std::vector<std::pair<uint64_t, uint32_t>> early_exits_;  // (time, pid) of processes that may still be running
  uint64_t last_drain_ns_ = 0, drain_interval_ns_ = 0, hurry_until_ns_ = 0, begin_ns_ = 0, woke_ns_ = 0;
  std::optional<DeepThreads> deep_;  // once there is a deep thread

  uint64_t samples_made_ = 0, held_up_ = 0, replaced_ = 0, late_ = 0, lost_records_ = 0, side_lost_ = 0, throttles_ = 0,
           malformed_ = 0, unknown_thread_ = 0, duplicates_ = 0, cpu_time_ns_ = 0, cpu_time_before_ns_ = 0, system_ns_ = 0,
           stolen_ns_ = 0, stolen_before_ns_ = 0, used_ns_ = 0, ended_system_ns_ = 0, ended_all_ns_ = 0, before_exec_ns_ = 0;
  std::unordered_map<pid_t, uint64_t> system_before_ns_;
  std::optional<uint64_t> lost_samples_;  // counted by the kernel; known at the end
  std::vector<std::string> notes_;
};

}  // namespace wick
