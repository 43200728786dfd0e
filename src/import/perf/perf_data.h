// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// perf.data, as perf record writes it to a file or pipe -> the same batches of raw samples and side events as from a recording
// engine. pipeline/load_perf_data.h adds unwinding and symbols: this reader alone does not build a Profile.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "capture/ended_tasks.h"
#include "capture/raw.h"
#include "import/common/reader.h"
#include "import/perf/perf_data_file.h"
#include "import/perf/perf_data_window.h"

namespace wick {

bool is_perf_data(const Head& head);
constexpr Reader kPerfDataReader = {"perf-data", "perf.data", is_perf_data, nullptr};

struct PerfDataTotals {
  uint64_t samples = 0, side = 0;
  std::vector<uint64_t> event_samples;          // by event
  std::vector<uint64_t> event_weight;           // by event
  uint64_t lost_records = 0, lost_samples = 0;  // PERF_RECORD_LOST counts records of all kinds
  uint64_t throttled = 0;                       // times
  uint64_t malformed = 0;                       // records that do not match their event
  std::string first_malformed;                  // position of the first
  uint64_t unknown_event = 0;                   // samples of events that the file does not describe
  uint64_t aux_records = 0, aux_bytes = 0;      // hardware traces
  uint64_t unwalked = 0;                        // copied stacks of a CPU without an unwinder
  uint64_t deferred = 0;                        // user stacks stored apart from their samples
  uint64_t guest = 0;                           // samples in virtual machines
  uint64_t overflowing = 0;                     // samples whose counts would overflow the sum
};

// A file of a directory besides its head: records without a header.
struct PerfDataPart {
  std::string name;
  Bytes bytes;
};

class PerfDataReader {
 public:
  // `release`: called for bytes of an in-memory input that are no longer needed (a hint).
  explicit PerfDataReader(RawSink& sink, std::function<void(Bytes)> release = {});
  ~PerfDataReader();
  PerfDataReader(const PerfDataReader&) = delete;
  PerfDataReader& operator=(const PerfDataReader&) = delete;

  // Fails if nothing is valid; otherwise passes on everything before the damage.
  Status read(Input& input);
  // The same for a directory of perf record --threads; the bytes must outlive this object. Damage in a part ends only that part.
  Status read_folder(Bytes head, std::vector<PerfDataPart> parts);

  const PerfDataInfo& info() const { return info_; }  // complete enough when a batch with samples arrives
  const PerfDataTotals& totals() const { return totals_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  bool is_incomplete() const { return incomplete_; }  // its end, which has the last losses, is missing

 private:
  struct Unpacker;
  // Splits bytes into records; joins those that cross pieces.
  struct Stream {
    Stream();
    ~Stream();
    Stream(Stream&&) noexcept;
    Stream& operator=(Stream&&) noexcept;
    std::string name;           // of its file; empty: the only one
    std::vector<uint8_t> part;  // of a record
    uint64_t skip = 0;          // bytes outside of records
    uint64_t offset = 0;        // of what was fed so far
    bool stays = false;         // fed bytes stay valid until the end
    bool unpacked = false;      // from compressed records
    uint64_t youngest_ns = 0;   // of its records so far
    std::unique_ptr<Unpacker> unpacker;
  };

  Result<bool> read_magic(Bytes head);  // whether it is a pipe
  Status finish(Status done);
  Status read_file(Bytes file);
  Status read_pipe(Input& input);
  void warn_of_missing_parts();
  Status read_parts();
  void end_stream(const Stream& stream);
  Status feed(Stream& stream, Bytes bytes);
  Status handle(Stream& stream, Bytes record, bool stays, uint64_t offset);
  Status handle_own(Stream& stream, uint32_t type, Bytes record, uint64_t offset);
  Status unpack_record(Stream& stream, Bytes packed, uint64_t offset);
  std::string place_of(Bytes record) const;
  void handle_attr(Bytes record);
  void handle_update(Bytes record);
  void handle_kernel_map(const MmapEvent& map);
  bool find_event(Bytes record, uint32_t type, uint32_t& event) const;
  uint64_t time_of_record(Bytes record, uint32_t type, const PerfDataEvent& event) const;
  void prepare_events();
  void give(const PerfDataWindow::Entry& entry);
  void give_sample(Bytes record, uint32_t event);
  void give_group(const PerfSample& parsed, uint32_t event);
  void add_to_batch(const RawSample& sample);
  void give_side(Bytes record, uint32_t event);
  void flush();
  void note_malformed(const std::string& place);
  Error bad_record(const Stream& stream, uint64_t offset, const std::string& what) const;

  RawSink& sink_;
  std::function<void(Bytes)> release_;
  PerfDataInfo info_;
  PerfDataTotals totals_;
  std::vector<std::string> warnings_;
  std::vector<PerfDataPart> files_;  // in memory
  bool is_folder_ = false;
  PerfDataWindow window_;
  RawBatch batch_;
  EndedTasks ended_tasks_;
  std::unordered_map<uint64_t, uint64_t> counters_;  // by ID: value in the last sample of its group
  std::vector<uint64_t> untimed_;                    // a record in this machine's byte order
  bool prepared_ = false;                            // layouts have the CPU
  bool incomplete_ = false;
};

}  // namespace wick
