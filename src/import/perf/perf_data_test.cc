// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/perf/perf_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>

#include "capture/perf_registers.h"
#include "import/common/testing.h"
#include "import/perf/perf_data_testing.h"

namespace wick {
namespace {

using Maker = PerfDataMaker;

// Copies of everything received.
struct Collected : RawSink {
  struct Row {
    RawSample sample;
    std::vector<uint64_t> kernel, user;
    std::vector<uint8_t> stack;
  };
  std::vector<Row> samples;
  std::vector<SideEvent> side;
  std::vector<std::string> order;  // 's' and the time, or the side event's

  void consume(RawBatch& batch) override {
    size_t next = 0;
    auto apply = [&] { order.push_back("e" + std::to_string(time_of(batch.side[next++]))); };
    for (const RawSample& s : batch.samples) {
      while (next < batch.side.size() && time_of(batch.side[next]) <= s.time_ns) { apply(); }
      samples.push_back({s,
                         {s.kernel_chain.begin(), s.kernel_chain.end()},
                         {s.user_chain.begin(), s.user_chain.end()},
                         {s.stack.begin(), s.stack.end()}});
      order.push_back("s" + std::to_string(s.time_ns));
    }
    while (next < batch.side.size()) { apply(); }
    side.insert(side.end(), batch.side.begin(), batch.side.end());
  }
};

struct Read {
  Collected got;
  std::unique_ptr<PerfDataReader> reader;
  Status status = ok_status();
};
std::unique_ptr<Read> read(Bytes bytes, size_t piece = 0) {
  auto out = std::make_unique<Read>();
  out->reader = std::make_unique<PerfDataReader>(out->got);
  Input input(piece == 0 ? make_memory_pieces(bytes) : std::make_unique<testing_import::PiecesOf>(bytes, piece));
  out->status = out->reader->read(input);
  return out;
}

Maker small_file(bool swapped) {
  Maker m(swapped);
  Maker::Attr clock, faults;
  clock.sample_type |= PERF_SAMPLE_CALLCHAIN;
  clock.ids = {1, 2};
  faults.config = PERF_COUNT_SW_PAGE_FAULTS;
  faults.sample_type |= PERF_SAMPLE_CALLCHAIN;
  faults.ids = {7};
  faults.name = "page-faults:u";
  m.add_attr(clock);
  m.add_attr(faults);
  m.set_text(3, "somewhere");
  m.set_text(4, "6.1.0");
  m.set_text(6, swapped ? "s390x" : "x86_64");
  m.add_build_id("/usr/bin/app", std::vector<uint8_t>(20, 0xab), false);
  m.add_comm(10, "app", 0);
  m.add_mmap(10, 0x400000, 0x1000, 0, "/usr/bin/app", 100, {1, 2, 3, 4});
  auto chain = [&](Maker::Writer w, std::vector<uint64_t> words) {
    w.w64(words.size());
    for (uint64_t word : words) { w.w64(word); }
    return w;
  };
  constexpr auto kKernel = static_cast<uint64_t>(PERF_CONTEXT_KERNEL), kUser = static_cast<uint64_t>(PERF_CONTEXT_USER);
  m.add_sample(
      chain(m.sample(2, 0xffffffff81000010, 10, 11, 300, 5000), {kKernel, 0xffffffff81000010, kUser, 0x400010, 0x400020}),
      PERF_RECORD_MISC_KERNEL);
  m.add_sample(chain(m.sample(7, 0x400030, 10, 10, 200, 1), {kUser, 0x400030}));
  m.end_round();
  Maker::Writer lost = m.writer();
  lost.w64(1), lost.w64(17);
  m.trailer(lost, 250, 1);
  m.add(PERF_RECORD_LOST, 0, lost);
  m.add_sample(chain(m.sample(1, 0x400040, 10, 10, 400, 5000), {kUser, 0x400040}));
  m.end_round();
  return m;
}

void expect_small(const Read& r, bool swapped, const std::string& what) {
  SCOPED_TRACE(what);
  ASSERT_TRUE(r.status.ok()) << r.status.error().message();
  EXPECT_TRUE(r.reader->warnings().empty()) << r.reader->warnings()[0];
  const PerfDataInfo& info = r.reader->info();
  EXPECT_EQ(info.host, "somewhere");
  EXPECT_EQ(info.kernel, "6.1.0");
  EXPECT_EQ(perf_data_arch(info), swapped ? Arch::kUnknown : Arch::kX86_64);
  ASSERT_EQ(info.events.size(), 2u);
  EXPECT_EQ(info.events[0].name, "cpu-clock");
  EXPECT_EQ(info.events[0].unit, "ns");
  EXPECT_EQ(info.events[0].rate_hz, 997u);
  EXPECT_EQ(info.events[1].name, "page-faults:u");
  EXPECT_EQ(info.events[1].unit, "page-faults");
  ASSERT_EQ(info.build_ids.size(), 1u);
  EXPECT_EQ(info.build_ids[0].path, "/usr/bin/app");
  EXPECT_EQ(info.build_ids[0].id.substr(0, 6), "ababab");
  EXPECT_EQ(r.got.order, (std::vector<std::string>{"e0", "e100", "s200", "s300", "s400"}));
  const Collected::Row& in_kernel = r.got.samples[1];
  EXPECT_TRUE(in_kernel.sample.in_kernel);
  EXPECT_EQ(in_kernel.sample.pid, 10u);
  EXPECT_EQ(in_kernel.sample.tid, 11u);
  EXPECT_EQ(in_kernel.sample.cpu, 3u);
  EXPECT_EQ(in_kernel.sample.event, 0u);
  EXPECT_EQ(in_kernel.sample.weight, 5000u);
  EXPECT_EQ(in_kernel.kernel, std::vector<uint64_t>{0xffffffff81000010});
  EXPECT_EQ(in_kernel.user, (std::vector<uint64_t>{0x400010, 0x400020}));
  EXPECT_EQ(r.got.samples[0].sample.event, 1u);
  const MmapEvent& map = std::get<MmapEvent>(r.got.side[1]);
  EXPECT_EQ(map.path, "/usr/bin/app");
  EXPECT_EQ(map.build_id, "01020304");
  EXPECT_EQ(map.start, 0x400000u);
  EXPECT_EQ(r.reader->totals().lost_records, 17u);
  EXPECT_EQ(r.reader->totals().event_samples, (std::vector<uint64_t>{2, 1}));
}

// The kernel has taken the ID of an exiting task away and samples it still (perf record -a).
TEST(PerfData, SamplesOfExitingTasksGetTheirThread) {
  for (bool swapped : {false, true}) {
    Maker m(swapped);
    m.add_attr({});
    m.add_comm(10, "app", 0);
    m.add_exit(10, 12, 100, 2);
    m.add_exit(10, 11, 200, 3);
    m.add_sample(m.sample(1, 0x400010, 10, UINT32_MAX, 250, 5));
    m.add_exit(20, 20, 300, 3);
    m.add_sample(m.sample(1, 0x400010, UINT32_MAX, UINT32_MAX, 350, 5));
    m.add_sample(m.sample(1, 0x400010, 10, UINT32_MAX, 360, 5));
    m.end_round();
    std::unique_ptr<Read> r = read(m.file());
    ASSERT_TRUE(r->status.ok());
    ASSERT_EQ(r->got.samples.size(), 3u);
    EXPECT_EQ(r->got.samples[0].sample.tid, 11u) << "the other exit was on another CPU";
    EXPECT_EQ(r->got.samples[1].sample.pid, 20u);
    EXPECT_EQ(r->got.samples[1].sample.tid, 20u);
    EXPECT_EQ(r->got.samples[2].sample.tid, UINT32_MAX) << "the last exit was of another process";
  }
}

TEST(PerfData, ReadsFilesAndPipesOfBothByteOrders) {
  for (bool swapped : {false, true}) {
    Maker m = small_file(swapped);
    std::vector<uint8_t> file = m.file(), pipe = m.pipe();
    std::string order = swapped ? "swapped " : "native ";
    expect_small(*read(file), swapped, order + "file");
    expect_small(*read(file, 100), swapped, order + "file through a pipe");
    for (size_t piece : {1u, 7u, 8u, 64u, 1u << 20}) {
      expect_small(*read(pipe, piece), swapped, order + "pipe in pieces of " + std::to_string(piece));
    }
  }
}

TEST(PerfData, DecompressesRecords) {
  for (bool swapped : {false, true}) {
    for (size_t piece : {3u, 50u, 60000u}) {
      Maker m = small_file(swapped);
      m.compress(piece);
      expect_small(*read(m.file()), swapped, "pieces of " + std::to_string(piece));
      expect_small(*read(m.pipe(), 33), swapped, "pipe, pieces of " + std::to_string(piece));
    }
  }
}

TEST(PerfData, SkipsOtherFieldsOfSamples) {
  Maker m;
  Maker::Attr a;
  a.sample_type |= PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER |
                   PERF_SAMPLE_STACK_USER | PERF_SAMPLE_DATA_SRC;
  a.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED;
  a.branch_type = 1 << 17;
  a.registers = perf_register_mask(Arch::kAarch64);
  m.add_attr(a);
  auto w = m.sample(1, 0x1000, 5, 5, 10, 77);
  w.w64(2), w.w64(999);                      // group of two, time
  w.w64(1), w.w64(11), w.w64(2), w.w64(22);  // values and ids
  w.w64(2), w.w64(static_cast<uint64_t>(PERF_CONTEXT_USER)), w.w64(0x1000);
  w.w32(12), w.w32(1), w.w64(2);                     // raw
  w.w64(1), w.w64(0), w.w64(3), w.w64(4), w.w64(5);  // one branch, with its index
  w.w64(PERF_SAMPLE_REGS_ABI_64);
  for (int i = 0; i < std::popcount(a.registers); ++i) { w.w64(0x100 + static_cast<uint64_t>(i)); }
  w.w64(16), w.w64(0xaa), w.w64(0xbb), w.w64(8);
  w.w64(0);  // data source
  m.add_sample(w);
  auto r = read(m.file());
  ASSERT_TRUE(r->status.ok());
  ASSERT_EQ(r->got.samples.size(), 1u);
  const Collected::Row& row = r->got.samples[0];
  EXPECT_EQ(row.user, std::vector<uint64_t>{0x1000});
  EXPECT_EQ(row.stack.size(), 8u);
  EXPECT_EQ(row.sample.user.value[arm::kPc], 0x100u + 32);  // without a CPU name, the registers decide
  EXPECT_EQ(row.sample.weight, 77u);
}

// perf record -e '{cpu-clock,page-faults}:S': only the leader samples, with the counters of all.
TEST(PerfData, GroupMembersGetSamplesOfTheirCounts) {
  for (bool swapped : {false, true}) {
    Maker m(swapped);
    Maker::Attr leader, member;
    leader.sample_type |= PERF_SAMPLE_READ;
    leader.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
    member = leader;
    member.config = PERF_COUNT_SW_PAGE_FAULTS;
    member.name = "page-faults";
    member.ids = {7};
    m.add_attr(leader);
    m.add_attr(member);
    for (auto [time, clock, faults] : {std::array<uint64_t, 3>{10, 100, 3}, {20, 250, 3}, {30, 300, 8}}) {
      auto w = m.sample(1, 0x1000, 5, 5, time, 99);
      w.w64(3), w.w64(clock), w.w64(1), w.w64(faults), w.w64(7), w.w64(5), w.w64(1234);  // the last is of an unknown event
      m.add_sample(w);
    }
    auto r = read(m.file());
    ASSERT_TRUE(r->status.ok());
    std::vector<std::array<uint64_t, 3>> got;
    for (const Collected::Row& row : r->got.samples) { got.push_back({row.sample.time_ns, row.sample.event, row.sample.weight}); }
    std::vector<std::array<uint64_t, 3>> expected = {{10, 0, 100}, {10, 1, 3}, {20, 0, 150}, {30, 0, 50}, {30, 1, 5}};
    EXPECT_EQ(got, expected);
    EXPECT_EQ(r->reader->totals().event_samples, (std::vector<uint64_t>{3, 2}));
  }
}

// A thousand events that all refer to the same IDs: limited by the size of the file.
TEST(PerfData, LimitsIdsToTheFileSize) {
  Maker m;
  Maker::Attr many;
  many.ids.assign(4000, 1);
  m.add_attr(many);
  for (int i = 0; i < 500; ++i) { m.add_attr({}); }
  std::vector<uint8_t> file = m.file();
  uint64_t attrs_at = 0, first_ids[2] = {};
  std::memcpy(&attrs_at, file.data() + 24, 8);
  std::memcpy(first_ids, file.data() + attrs_at + 128, 16);
  for (size_t i = 1; i <= 500; ++i) { std::memcpy(file.data() + attrs_at + i * 144 + 128, first_ids, 16); }
  auto r = read(file);
  size_t ids = 0;
  for (const PerfDataEvent& event : r->reader->info().events) { ids += event.ids.size(); }
  EXPECT_EQ(r->reader->info().events.size(), 501u);
  EXPECT_LE(ids, file.size() / 8);
  EXPECT_GE(ids, 4000u);
}

TEST(PerfData, SortsRecordsOfSeveralCpus) {
  Maker m;
  m.add_attr({});
  uint64_t seed = 7;
  std::vector<uint64_t> times;
  // Rounds of four rings: a ring is sorted, and a round begins before the youngest record of the previous round, but not before
  // its oldest.
  for (uint64_t round = 0; round < 50; ++round) {
    for (int cpu = 0; cpu < 4; ++cpu) {
      std::vector<uint64_t> ring;
      for (int i = 0; i < 20; ++i) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        ring.push_back(1000 * round + 1 + (seed >> 33) % 1500);
      }
      std::sort(ring.begin(), ring.end());
      for (uint64_t time : ring) { m.add_sample(m.sample(1, 0x1000, 5, 5, time, 1)); }
      times.insert(times.end(), ring.begin(), ring.end());
    }
    m.end_round();
  }
  std::sort(times.begin(), times.end());
  for (auto bytes : {m.file(), m.pipe()}) {
    auto r = read(bytes);
    ASSERT_TRUE(r->status.ok());
    ASSERT_EQ(r->got.samples.size(), times.size());
    size_t wrong = 0;
    for (size_t i = 0; i < times.size(); ++i) { wrong += r->got.samples[i].sample.time_ns != times[i]; }
    EXPECT_EQ(wrong, 0u);
  }
}

TEST(PerfData, SkipsAndCountsTraces) {
  Maker m;
  m.add_attr({});
  auto aux = m.writer();
  aux.w64(1000), aux.w64(0), aux.w64(0), aux.w32(0), aux.w32(0), aux.w32(0), aux.w32(0);
  m.add(71, 0, aux);
  m.add_bytes(std::vector<uint8_t>(1000, 0xff));
  auto tracing = m.writer();
  tracing.w32(20);
  m.add(66, 0, tracing);  // 12 bytes: the next record is not aligned
  m.add_bytes(std::vector<uint8_t>(24, 0xff));
  m.add_sample(m.sample(1, 0x1000, 5, 5, 10, 1));
  auto r = read(m.file());
  ASSERT_TRUE(r->status.ok());
  EXPECT_EQ(r->got.samples.size(), 1u);
  EXPECT_EQ(r->reader->totals().aux_bytes, 1000u);
}

TEST(PerfData, ReadsTheFileOfAKilledRecorder) {
  Maker m = small_file(false);
  auto r = read(m.file(false));
  ASSERT_TRUE(r->status.ok());
  EXPECT_EQ(r->got.samples.size(), 3u);
  ASSERT_EQ(r->reader->warnings().size(), 1u);
  EXPECT_NE(r->reader->warnings()[0].find("did not finish"), std::string::npos);
}

TEST(PerfData, CountsSamplesOfUnknownEvents) {
  Maker m = small_file(false);
  m.add_sample(m.sample(99, 0x1000, 5, 5, 10, 1));
  auto r = read(m.file());
  ASSERT_TRUE(r->status.ok());
  EXPECT_EQ(r->reader->totals().unknown_event, 1u);
  EXPECT_EQ(r->got.samples.size(), 3u);
}

TEST(PerfData, SkipsCountsThatOverflow) {
  Maker m;
  m.add_attr({});
  m.add_sample(m.sample(1, 0x1000, 5, 5, 10, uint64_t{1} << 62));
  m.add_sample(m.sample(1, 0x1000, 5, 5, 11, uint64_t{1} << 62));
  m.add_sample(m.sample(1, 0x1000, 5, 5, 12, UINT64_MAX));
  m.add_sample(m.sample(1, 0x1000, 5, 5, 13, 5));
  auto r = read(m.file());
  ASSERT_TRUE(r->status.ok());
  EXPECT_EQ(r->reader->totals().overflowing, 2u);
  EXPECT_EQ(r->reader->totals().samples, 2u);
  EXPECT_EQ(r->got.samples.size(), 2u);
}

TEST(PerfData, Errors) {
  auto message = [](const std::vector<uint8_t>& bytes) {
    auto r = read(bytes);
    return r->status.ok() ? std::string("no error") : r->status.error().message();
  };
  Maker m;
  m.add_attr({});
  m.add_bytes(std::vector<uint8_t>(8));  // a record of no bytes
  EXPECT_EQ(message(m.file()), "byte 256: a record of 0 bytes: expected at least 8");
  std::vector<uint8_t> file = small_file(false).file();
  EXPECT_EQ(message({file.begin(), file.begin() + 50}), "truncated header: expected 104 bytes");
  std::vector<uint8_t> far = file;
  far[47] = 0x7f;  // where the data is
  EXPECT_EQ(message(far), "byte 40: the data begins after the end of the file");
  std::vector<uint8_t> attrs = file;
  attrs[31] = 0xff;
  EXPECT_EQ(message(attrs), "byte 24: the attribute section is empty or outside the file");
  std::vector<uint8_t> old = file;
  std::copy_n("PERFFILE", 8, old.begin());
  EXPECT_NE(message(old).find("older than"), std::string::npos);
  // Damage after samples keeps them.
  Maker late = small_file(false);
  late.add_bytes(std::vector<uint8_t>(8));
  auto r = read(late.file());
  ASSERT_TRUE(r->status.ok());
  EXPECT_EQ(r->got.samples.size(), 3u);
  ASSERT_EQ(r->reader->warnings().size(), 1u);
  EXPECT_NE(r->reader->warnings()[0].find("the file is damaged"), std::string::npos);
}

// As perf record --threads writes: a head, and the records of each ring sorted by time.
struct FolderMaker {
  Maker head;
  std::vector<Maker> rings;
  explicit FolderMaker(size_t count, bool swapped = false) : head(swapped), rings(count, Maker(swapped)) {
    Maker::Attr attr;
    attr.ids = {1, 2};
    head.add_attr(attr);
    head.set_text(24, "");  // the records are in other files
    head.add_comm(10, "app", 0);
  }
  void add_sample(size_t ring, uint64_t time_ns) { rings[ring].add_sample(rings[ring].sample(1, 0x1000, 10, 10, time_ns, 1)); }
  std::unique_ptr<Read> read(size_t cut_of_last = 0) const {
    auto out = std::make_unique<Read>();
    out->reader = std::make_unique<PerfDataReader>(out->got);
    std::vector<uint8_t> file = head.file();
    std::vector<PerfDataPart> parts;
    for (size_t i = 0; i < rings.size(); ++i) {
      Bytes bytes = rings[i].records();
      if (i + 1 == rings.size()) { bytes = bytes.first(bytes.size() - cut_of_last); }
      parts.push_back({"data." + std::to_string(i), bytes});
    }
    out->status = out->reader->read_folder(file, std::move(parts));
    return out;
  }
};

std::vector<uint64_t> times_of(const Collected& got) {
  std::vector<uint64_t> times;
  for (const Collected::Row& row : got.samples) { times.push_back(row.sample.time_ns); }
  return times;
}

TEST(PerfDataFolder, MergesAllFilesByTime) {
  for (bool packed : {false, true}) {
    // Several pieces each; one file is empty, one begins late, one ends early.
    FolderMaker m(4, packed);
    constexpr uint64_t kEach = 40'000;
    for (uint64_t i = 1; i <= kEach; ++i) {
      m.add_sample(0, 10 * i);
      if (i < kEach / 50) { m.add_sample(1, 10 * i + 3); }
      if (i > kEach / 2) { m.add_sample(3, 10 * i + 5); }
    }
    if (packed) {
      for (Maker& ring : m.rings) { ring.compress(60'000); }
    }
    auto r = m.read();
    ASSERT_TRUE(r->status.ok()) << r->status.error().message();
    std::vector<uint64_t> times = times_of(r->got);
    EXPECT_EQ(times.size(), kEach + kEach / 50 - 1 + kEach / 2);
    EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
    EXPECT_EQ(r->got.side.size(), 1u);
    EXPECT_TRUE(r->reader->warnings().empty()) << r->reader->warnings()[0];
    EXPECT_FALSE(r->reader->is_incomplete());
  }
}

TEST(PerfDataFolder, DamageInOneFileKeepsTheOthers) {
  FolderMaker cut(2);
  for (uint64_t time : {10, 20, 30}) { cut.add_sample(0, time), cut.add_sample(1, time + 5); }
  auto r = cut.read(4);
  ASSERT_TRUE(r->status.ok());
  EXPECT_EQ(times_of(r->got), (std::vector<uint64_t>{10, 15, 20, 25, 30}));
  ASSERT_EQ(r->reader->warnings().size(), 1u);
  EXPECT_EQ(r->reader->warnings()[0], "data.1: the last record is truncated");
  EXPECT_TRUE(r->reader->is_incomplete());

  FolderMaker bad = cut;
  bad.rings[0].add_bytes(std::vector<uint8_t>(8));
  bad.add_sample(0, 40);
  r = bad.read();
  ASSERT_TRUE(r->status.ok());
  EXPECT_EQ(times_of(r->got), (std::vector<uint64_t>{10, 15, 20, 25, 30, 35}));
  ASSERT_EQ(r->reader->warnings().size(), 1u);
  EXPECT_NE(r->reader->warnings()[0].find("data.0 is damaged: byte 168: a record of 0 bytes"), std::string::npos)
      << r->reader->warnings()[0];

  FolderMaker packed = cut;
  for (Maker& ring : packed.rings) { ring.compress(30); }
  r = packed.read(20);
  ASSERT_TRUE(r->status.ok());
  EXPECT_LT(r->got.samples.size(), 6u);
  EXPECT_FALSE(r->reader->warnings().empty());
}

TEST(PerfDataFolder, MalformedRecordsNameTheirFile) {
  FolderMaker m(2);
  m.add_sample(0, 10);
  m.rings[1].add(PERF_RECORD_SAMPLE, 0, m.head.writer());
  auto r = m.read();
  ASSERT_TRUE(r->status.ok());
  EXPECT_EQ(r->reader->totals().malformed, 1u);
  EXPECT_EQ(r->reader->totals().first_malformed, "at byte 0 of data.1");
}

TEST(PerfDataFolder, MissingFilesAreReported) {
  FolderMaker none(0);
  auto r = none.read();
  ASSERT_FALSE(r->status.ok());
  EXPECT_NE(r->status.error().message().find("expected files data.0"), std::string::npos) << r->status.error().message();
  FolderMaker one(1);
  one.add_sample(0, 10);
  one.head.set_cpu_count(2);
  r = one.read();
  ASSERT_TRUE(r->status.ok());
  ASSERT_EQ(r->reader->warnings().size(), 1u);
  EXPECT_EQ(r->reader->warnings()[0], "only 1 data file for 2 CPUs: samples of the other CPUs are missing");
  // The head alone, as a file.
  std::vector<uint8_t> head = one.head.file();
  auto alone = read(head);
  ASSERT_FALSE(alone->status.ok());
  EXPECT_NE(alone->status.error().message().find("expected the directory"), std::string::npos);
}

TEST(PerfDataFolder, SurvivesTruncationAndBitFlips) {
  FolderMaker m(2);
  for (uint64_t time : {10, 20, 30}) { m.add_sample(0, time), m.add_sample(1, time + 5); }
  for (bool packed : {false, true}) {
    if (packed) {
      for (Maker& ring : m.rings) { ring.compress(40); }
    }
    std::vector<uint8_t> head = m.head.file(), part = m.rings[0].records();
    uint64_t seed = 1;
    for (size_t i = 0; i < 2000; ++i) {
      std::vector<uint8_t> a = head, b = part;
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      std::vector<uint8_t>& changed = i % 4 == 0 ? a : b;
      changed[(seed >> 20) % changed.size()] ^= static_cast<uint8_t>(1u << (seed >> 60 & 7));
      if (i % 3 == 0) { changed.resize((seed >> 30) % changed.size()); }
      Collected got;
      PerfDataReader reader(got);
      Status status = reader.read_folder(a, {{"data.0", b}, {"data.1", m.rings[1].records()}});
      EXPECT_TRUE(status.ok() || !status.error().message().empty());
      EXPECT_EQ(reader.totals().samples, got.samples.size());
    }
  }
}

TEST(PerfData, SurvivesTruncationAndBitFlips) {
  for (bool swapped : {false, true}) {
    for (bool packed : {false, true}) {
      Maker m = small_file(swapped);
      if (packed) { m.compress(40); }
      for (const std::vector<uint8_t>& whole : {m.file(), m.pipe()}) {
        for (size_t size = 0; size < whole.size(); ++size) {
          std::vector<uint8_t> cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
          EXPECT_LE(read(cut)->got.samples.size(), 3u);
        }
        uint64_t seed = 1;
        for (int i = 0; i < 500; ++i) {
          std::vector<uint8_t> flipped = whole;
          for (int k = 0; k < 4; ++k) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            flipped[(seed >> 20) % flipped.size()] ^= static_cast<uint8_t>(1u << (seed >> 60 & 7));
          }
          auto r = read(flipped);
          EXPECT_TRUE(r->status.ok() || !r->status.error().message().empty());
        }
      }
    }
  }
}

}  // namespace
}  // namespace wick
