// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// perf.data, as perf record writes it to a file or into a pipe -> the same batches of raw samples and side events that a
// recording engine gives. Unwinding and names come behind it (pipeline/load_perf_data.h): this reader alone makes no Profile.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

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
  uint64_t malformed = 0;                       // records that do not fit their event
  std::string first_malformed;                  // where the first of them is
  uint64_t unknown_event = 0;                   // samples of events that the file does not describe
  uint64_t aux_records = 0, aux_bytes = 0;      // hardware traces
  uint64_t unwalked = 0;                        // copied stacks of a CPU that there is no unwinder for
  uint64_t deferred = 0;                        // user stacks that came apart from their samples
  uint64_t guest = 0;                           // samples in virtual machines
  uint64_t overflowing = 0;                     // samples whose counts do not fit into a sum with the others'
};

// One file of a folder beside its head: records, without a header.
struct PerfDataPart {
  std::string name;
  Bytes bytes;
};

class PerfDataReader {
 public:
  // `release`: bytes of an input in memory that will not be looked at any more (not before that would be wrong, only slow).
  explicit PerfDataReader(RawSink& sink, std::function<void(Bytes)> release = {});
  ~PerfDataReader();
  PerfDataReader(const PerfDataReader&) = delete;
  PerfDataReader& operator=(const PerfDataReader&) = delete;

  // Fails where nothing of it makes sense; what stands before a damage is given.
  Status read(Input& input);
  // The same of a folder that perf record --threads has made; the bytes stay until this object is gone. Damage of one part ends
  // only that part.
  Status read_folder(Bytes head, std::vector<PerfDataPart> parts);

  const PerfDataInfo& info() const { return info_; }  // complete enough whenever a batch with samples is given
  const PerfDataTotals& totals() const { return totals_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  bool is_incomplete() const { return incomplete_; }  // its end is missing, where the last losses are told

 private:
  struct Unpacker;
  // Cuts a run of bytes into records; one that goes over pieces is put together.
  struct Stream {
    Stream();
    ~Stream();
    Stream(Stream&&) noexcept;
    Stream& operator=(Stream&&) noexcept;
    std::string name;           // of its file; empty: there is but one
    std::vector<uint8_t> part;  // of a record
    uint64_t skip = 0;          // bytes that belong to no record
    uint64_t offset = 0;        // of what was fed so far
    bool stays = false;         // what is fed stays where it is until the end
    bool unpacked = false;      // from compressed records
    uint64_t youngest_ns = 0;   // of its records so far
    std::unique_ptr<Unpacker> unpacker;
  };

  Result<bool> read_magic(Bytes head);  // whether it was written into a pipe
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
  std::vector<PerfDataPart> files_;  // that are in memory
  bool is_folder_ = false;
  PerfDataWindow window_;
  RawBatch batch_;
  std::unordered_map<uint64_t, uint64_t> counters_;  // by id: what the last sample of its group said
  std::vector<uint64_t> untimed_;                    // a record in this machine's order
  bool prepared_ = false;                            // layouts know the CPU
  bool incomplete_ = false;
};

}  // namespace wick
