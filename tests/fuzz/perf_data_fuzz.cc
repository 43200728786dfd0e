// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// perf.data of any content: the reader, and the pipeline behind it.

#include <cstddef>
#include <cstdint>

#include "import/perf/perf_data.h"
#include "pipeline/load_perf_data.h"

namespace {

struct Counter : wick::RawSink {
  uint64_t samples = 0, sum = 0;
  void consume(wick::RawBatch& batch) override {
    samples += batch.samples.size();
    for (const wick::RawSample& s : batch.samples) {
      for (uint8_t byte : s.stack) { sum += byte; }
      for (uint64_t address : s.kernel_chain) { sum += address; }
      for (uint64_t address : s.user_chain) { sum += address; }
    }
    for (const wick::SideEvent& side : batch.side) { sum += wick::time_of(side); }
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // Beside the plain reader, each input goes one way: a folder's, the pipeline's, or none.
  size_t choice = (size + (size > 0 ? data[size - 1] : 0)) % 4;
  Counter counter;
  wick::PerfDataReader reader(counter);
  wick::Input input(wick::make_memory_pieces({data, size}));
  bool ok = reader.read(input).ok();
  if (ok && counter.samples != reader.totals().samples) { __builtin_trap(); }
  volatile uint64_t keep = counter.sum;
  static_cast<void>(keep);
  // As the head of a folder, with records beside it: those of a file with one event begin there.
  constexpr size_t kFirstRecord = 256;
  if (choice == 1 && size > kFirstRecord) {
    Counter of_folder;
    wick::PerfDataReader folder(of_folder);
    wick::Bytes bytes(data, size), records = bytes.subspan(kFirstRecord);
    wick::Status done = folder.read_folder(bytes, {{"data.0", records}, {"data.1", records.subspan(records.size() / 2)}});
    if (done.ok() && of_folder.samples != folder.totals().samples) { __builtin_trap(); }
  }
  if (choice % 2 != 0) { return 0; }
  wick::LoadOptions options;
  options.import.threads = 1;
  wick::Input again(wick::make_memory_pieces({data, size}));
  wick::Result<wick::Profile> profile = wick::load_perf_data(again, options);
  if (profile.ok() != ok) { __builtin_trap(); }
  if (profile.ok() && profile->samples().size() != counter.samples) { __builtin_trap(); }
  return 0;
}
