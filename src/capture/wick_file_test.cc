// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Writer and reader together: everything written is read back, and all damage is detected. In one file, since most tests take the
// same random recordings apart.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "base/hash.h"
#include "capture/block.h"
#include "capture/columns.h"
#include "capture/replace_symbols.h"
#include "capture/wick_reader.h"
#include "capture/wick_writer.h"

namespace wick::capture {
namespace {

using File = std::vector<uint8_t>;
using Random = std::mt19937_64;

void append(File& file, const std::vector<uint8_t>& bytes) { file.insert(file.end(), bytes.begin(), bytes.end()); }

Info some_info() {
  Info info;
  info.wick_version = "0.1.0";
  info.engine = "perf";
  info.unwind = "dwarf";
  info.host = "myhost";
  info.kernel = "6.1.0";
  info.cpu_model = "a CPU";
  info.arch = Arch::kAarch64;
  info.cpu_count = 8;
  info.command = {"./app", "--with space", "", std::string("nul\0inside", 10)};
  info.start_wall_ns = 1'700'000'000'000'000'000u;
  info.start_ns = 123'456'789'012u;
  info.events = {{"cpu-clock", "ns", 997}, {"instructions", "instructions", 0}, {"waiting", "ns", 0, SampleKind::kOffCpu}};
  info.notes = {"no hardware counters here: using cpu-clock"};
  return info;
}

uint64_t any_number(Random& random) { return random() >> (random() % 64); }

// Rows of all kinds with extreme values, in an order that a recorder could use. `want` is the expected capture.
File random_file(uint64_t seed, size_t steps, Capture& want) {
  Random random(seed);
  WickWriter writer;
  want.info = some_info();
  File file = writer.begin(want.info);
  auto text = [&] { return std::string(random() % 20, static_cast<char>(random())); };
  auto pick = [&](size_t count) { return static_cast<uint32_t>(random() % count); };
  for (size_t step = 0; step < steps; ++step) {
    switch (random() % 19) {
      case 0: {
        Module module{static_cast<ModuleKind>(random() % 5), text(), text()};
        EXPECT_EQ(writer.add_module(module).value, want.modules.size());
        want.modules.push_back(module);
        break;
      }
      case 1:
      case 2: {
        Frame frame{{}, any_number(random)};
        if (!want.modules.empty() && random() % 8 != 0) { frame.module = ModuleId{pick(want.modules.size())}; }
        EXPECT_EQ(writer.add_frame(frame).value, want.frames.size());
        want.frames.push_back(frame);
        break;
      }
      case 3:
      case 4: {
        if (want.frames.empty()) { break; }
        Stack stack{FrameId{pick(want.frames.size())}, {}};
        if (!want.stacks.empty() && random() % 4 != 0) { stack.caller = StackId{pick(want.stacks.size())}; }
        EXPECT_EQ(writer.add_stack(stack).value, want.stacks.size());
        want.stacks.push_back(stack);
        break;
      }
      case 5:
      case 6: {
        Thread thread;
        thread.pid = static_cast<uint32_t>(any_number(random));
        thread.tid = static_cast<uint32_t>(any_number(random));
        thread.parent_pid = static_cast<uint32_t>(any_number(random));
        uint32_t own = static_cast<uint32_t>(want.threads.size());
        bool update = own > 0 && random() % 2 == 0;
        if (update) { own = pick(own); }
        if (random() % 8 != 0) { thread.process = ThreadId{pick(own + 1)}; }
        thread.name = text();
        thread.start_ns = any_number(random);
        thread.end_ns = random() % 2 ? any_number(random) : 0;
        if (random() % 2) { thread.ready = any_number(random) >> 1; }
        if (random() % 2) { thread.blocked = any_number(random) >> 1; }
        if (update) {
          writer.update_thread(ThreadId{own}, thread);
          want.threads[own] = thread;
        } else {
          EXPECT_EQ(writer.add_thread(thread).value, own);
          want.threads.push_back(thread);
        }
        break;
      }
      case 7:
      case 8:
      case 9: {
        if (want.threads.empty()) { break; }
        Sample sample;
        sample.time_ns = any_number(random);
        sample.thread = ThreadId{pick(want.threads.size())};
        if (!want.stacks.empty() && random() % 8 != 0) { sample.stack = StackId{pick(want.stacks.size())}; }
        sample.event = pick(want.info.events.size());
        sample.cpu = static_cast<uint32_t>(any_number(random));
        sample.weight = any_number(random);
        sample.quality = static_cast<StackQuality>(random());
        if (!want.waits.empty() && random() % 2) { sample.wait = WaitId{pick(want.waits.size())}; }
        writer.add_sample(sample);
        want.samples.push_back(sample);
        break;
      }
      case 10: {
        if (want.frames.empty()) { break; }
        FrameSymbols symbols{FrameId{pick(want.frames.size())}, {}};
        for (size_t n = random() % 4; n > 0; --n) {
          auto number = [&] { return static_cast<uint32_t>(any_number(random)); };
          symbols.chain.push_back({text(), text(), number(), number()});
        }
        writer.add_symbols(symbols);
        want.symbols.push_back(symbols);
        break;
      }
      case 11: {
        Counter counter{"counter." + std::to_string(random() % 5), any_number(random)};
        writer.set_counter(counter.name, counter.value);
        auto same = [&](const Counter& c) { return c.name == counter.name; };
        auto found = std::find_if(want.counters.begin(), want.counters.end(), same);
        if (found != want.counters.end()) {
          *found = counter;
        } else {
          want.counters.push_back(counter);
        }
        break;
      }
      case 12: {
        Marker marker{text(), text(), {}, any_number(random), 0};
        marker.end_ns = marker.start_ns + random() % 2 * std::min(any_number(random), UINT64_MAX - marker.start_ns);
        if (!want.threads.empty() && random() % 4 != 0) { marker.thread = ThreadId{pick(want.threads.size())}; }
        writer.add_marker(marker);
        want.markers.push_back(marker);
        break;
      }
      case 13: {
        if (want.tracks.empty() || random() % 4 == 0) {
          Track track{text(), text(), {}};
          if (!want.threads.empty() && random() % 2 == 0) { track.thread = ThreadId{pick(want.threads.size())}; }
          EXPECT_EQ(writer.add_track(track).value, want.tracks.size());
          want.tracks.push_back(track);
        }
        break;
      }
      case 14: {
        if (want.tracks.empty()) { break; }
        TrackValue value{TrackId{pick(want.tracks.size())}, any_number(random), static_cast<int64_t>(any_number(random))};
        writer.add_value(value);
        want.values.push_back(value);
        break;
      }
      case 15: {
        if (want.modules.empty()) { break; }
        CodeBody body{ModuleId{pick(want.modules.size())}, any_number(random), {}};
        size_t size = std::min<uint64_t>(random() % 300, UINT64_MAX - body.address);
        while (body.bytes.size() < size) { body.bytes += static_cast<char>(random()); }
        uint32_t row = 0;
        while (!want.frames.empty() && random() % 3 != 0 && (row += random() % 9) < want.frames.size()) {
          body.frames.push_back(FrameId{row});
        }
        writer.add_code(body);
        want.code.push_back(body);
        break;
      }
      case 17: {
        WaitCause cause{static_cast<WaitKind>(random() % kWaitKindNames.size()), text()};
        EXPECT_EQ(writer.add_cause(cause).value, want.causes.size());
        want.causes.push_back(cause);
        break;
      }
      case 18: {
        if (want.causes.empty()) { break; }
        Wait wait{CauseId{pick(want.causes.size())}, any_number(random), random() % 2 == 0};
        EXPECT_EQ(writer.add_wait(wait).value, want.waits.size());
        want.waits.push_back(wait);
        break;
      }
      case 16: {
        SourceText source{text(), text() + "\n"};
        writer.add_source(source);
        want.sources.push_back(source);
        break;
      }
    }
    if (random() % 50 == 0) { append(file, writer.encode_pending()); }
  }
  append(file, writer.finish());
  auto earlier = [](const Sample& a, const Sample& b) { return a.time_ns < b.time_ns; };
  std::stable_sort(want.samples.begin(), want.samples.end(), earlier);
  std::stable_sort(want.markers.begin(), want.markers.end(),
                   [](const Marker& a, const Marker& b) { return a.start_ns < b.start_ns; });
  std::stable_sort(want.values.begin(), want.values.end(),
                   [](const TrackValue& a, const TrackValue& b) { return a.time_ns < b.time_ns; });
  want.complete = true;
  return file;
}

void sort_counters(Capture& capture) {
  std::sort(capture.counters.begin(), capture.counters.end(), [](const Counter& a, const Counter& b) { return a.name < b.name; });
}

void expect_same(Capture& got, Capture& want) {
  sort_counters(got);
  sort_counters(want);
  EXPECT_TRUE(got.info == want.info);
  EXPECT_TRUE(got.modules == want.modules);
  EXPECT_TRUE(got.frames == want.frames);
  EXPECT_TRUE(got.stacks == want.stacks);
  EXPECT_TRUE(got.threads == want.threads);
  EXPECT_TRUE(got.causes == want.causes);
  EXPECT_TRUE(got.waits == want.waits);
  EXPECT_TRUE(got.samples == want.samples);
  EXPECT_TRUE(got.symbols == want.symbols);
  EXPECT_TRUE(got.counters == want.counters);
  EXPECT_TRUE(got.markers == want.markers);
  EXPECT_TRUE(got.tracks == want.tracks);
  EXPECT_TRUE(got.values == want.values);
  EXPECT_TRUE(got.code == want.code);
  EXPECT_TRUE(got.sources == want.sources);
  EXPECT_EQ(got.complete, want.complete);
  EXPECT_EQ(got.damage, want.damage);
}

// The file with another block appended, with a valid checksum.
File with_block(File file, uint16_t kind, uint16_t flags, const std::vector<uint8_t>& stored, uint32_t raw_size) {
  ByteWriter rest;
  rest.u16(kind);
  rest.u16(flags);
  rest.u32(static_cast<uint32_t>(stored.size()));
  rest.u32(raw_size);
  rest.bytes(stored);
  ByteWriter checksum;
  checksum.u64(hash_bytes(rest.data()));
  file.insert(file.end(), checksum.data().begin(), checksum.data().end());
  file.insert(file.end(), rest.data().begin(), rest.data().end());
  return file;
}

File with_payload(File file, BlockKind kind, const ByteWriter& payload) {
  std::vector<uint8_t> stored(payload.data().begin(), payload.data().end());
  return with_block(std::move(file), static_cast<uint16_t>(kind), 0, stored, static_cast<uint32_t>(stored.size()));
}

File with_header(File file, uint16_t major, uint16_t minor) {
  std::memcpy(file.data() + 8, &major, 2);
  std::memcpy(file.data() + 10, &minor, 2);
  uint32_t check = static_cast<uint32_t>(hash_bytes(std::span(file).first(12)));
  std::memcpy(file.data() + 12, &check, 4);
  return file;
}

// A payload with one table that has one column of numbers.
ByteWriter one_column(TableId id, uint64_t first_row, uint8_t column, std::vector<uint64_t> values) {
  TableWriter table(id, first_row, values.size());
  table.numbers(column, values);
  ByteWriter payload;
  table.append_to(payload);
  return payload;
}

// Header, info, one module, thread, frame, stack and sample; no end mark.
File small_file(WickWriter& writer) {
  File file = writer.begin(some_info());
  writer.add_module({ModuleKind::kFile, "/usr/bin/app", "abcdef"});
  writer.add_frame({ModuleId{0}, 0x1000});
  writer.add_stack({FrameId{0}, {}});
  writer.add_thread({1, 1, 0, ThreadId{0}, "app", 5, 0});
  writer.add_sample({100, ThreadId{0}, StackId{0}, 0, 3, 1000, StackQuality::kCut});
  writer.add_symbols({FrameId{0}, {{"inner", "a.c", 3, 4}, {"outer", "b.c", 5, 6}}});
  writer.set_counter("lost.ring_full", 7);
  append(file, writer.encode_pending());
  return file;
}

TEST(WickFile, RandomRecordingsRoundTrip) {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    Capture want;
    File file = random_file(seed, seed * 10, want);
    Result<Capture> got = read_wick(file);
    ASSERT_TRUE(got.ok()) << got.error().message();
    expect_same(*got, want);
    if (HasFailure()) { FAIL() << "seed " << seed; }
  }
}

TEST(WickFile, ManyRowsAreSplitIntoBlocks) {
  WickWriter writer;
  Capture want;
  want.info = some_info();
  File file = writer.begin(want.info);
  Random random(3);
  for (uint32_t i = 0; i < 3000; ++i) {
    want.modules.push_back({ModuleKind::kFile, std::string(random() % 4096, 'p'), "00"});
    writer.add_module(want.modules.back());
    want.threads.push_back({i, i, 0, ThreadId{i}, "t" + std::to_string(i), i, i});
    writer.add_thread(want.threads.back());
  }
  for (uint32_t i = 0; i < 70'000; ++i) {
    want.frames.push_back({ModuleId{i % 3000}, random() % 100'000'000});
    writer.add_frame(want.frames.back());
    want.stacks.push_back({FrameId{i}, i % 50 == 0 ? StackId{} : StackId{i - 1}});
    writer.add_stack(want.stacks.back());
    want.samples.push_back({i * 1000u, ThreadId{i % 3000}, StackId{i}, i % 2, i % 8, 1'000'000, StackQuality::kWhole});
    writer.add_sample(want.samples.back());
    want.symbols.push_back({FrameId{i}, {{"function_" + std::to_string(i), "a_file_with_a_long_name.cc", i, 0}}});
    writer.add_symbols(want.symbols.back());
  }
  append(file, writer.finish());
  want.complete = true;
  Result<Capture> got = read_wick(file);
  ASSERT_TRUE(got.ok()) << got.error().message();
  expect_same(*got, want);
}

TEST(WickFile, UpdatesApplyToThreadsAlreadyWritten) {
  WickWriter writer;
  File file = small_file(writer);
  Thread renamed{1, 1, 0, ThreadId{0}, "renamed", 5, 99};
  writer.update_thread(ThreadId{0}, renamed);
  append(file, writer.finish());
  Result<Capture> got = read_wick(file);
  ASSERT_TRUE(got.ok());
  EXPECT_TRUE(got->threads.at(0) == renamed);
}

TEST(WickFile, LaterInfoReplacesTheFirst) {
  WickWriter writer;
  File file = small_file(writer);
  Info info = some_info();
  info.notes.push_back("told at the end");
  writer.set_info(info);
  append(file, writer.finish());
  Result<Capture> got = read_wick(file);
  ASSERT_TRUE(got.ok());
  EXPECT_TRUE(got->info == info);
  EXPECT_TRUE(got->complete);
}

TEST(WickFile, DetectsAMissingBlockOfMarkersOrValues) {
  for (bool of_markers : {true, false}) {
    WickWriter writer;
    File file = small_file(writer);
    TrackId track = writer.add_track({"memory", "bytes", {}});
    append(file, writer.encode_pending());
    if (of_markers) {
      writer.add_marker({"begin", "", {}, 5, 5});
    } else {
      writer.add_value({track, 5, 1000});
    }
    writer.encode_pending();  // never reaches the file
    append(file, writer.finish());
    Result<Capture> got = read_wick(file);
    ASSERT_TRUE(got.ok());
    EXPECT_FALSE(got->complete);
    EXPECT_NE(got->damage.find("wrong marker or value count"), std::string::npos) << got->damage;
    EXPECT_EQ(got->samples.size(), 1u);
  }
}

TEST(WickFile, LongMarkersAreSplitIntoBlocks) {
  WickWriter writer;
  File file = small_file(writer);
  Capture want;
  for (uint32_t i = 0; i < 40; ++i) {
    want.markers.push_back({"request", std::string(400'000, static_cast<char>('a' + i % 26)) + std::to_string(i), {}, i, i + 1});
    writer.add_marker(want.markers.back());
  }
  append(file, writer.finish());
  Result<Capture> got = read_wick(file);
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(got->damage, "");
  EXPECT_TRUE(got->markers == want.markers);
}

TEST(WickFile, LongSourcesAreSplitAtLines) {
  std::string line(99, 'x'), text;
  line += '\n';
  while (text.size() < 3 * kMaxTextBytes) { text += line; }
  WickWriter writer;
  File file = writer.begin({});
  writer.add_source({"a.c", text});
  append(file, writer.finish());
  Result<Capture> got = read_wick(file);
  ASSERT_TRUE(got.ok() && got->damage.empty()) << got->damage;
  ASSERT_GT(got->sources.size(), 3u);
  std::string all;
  for (const SourceText& part : got->sources) {
    EXPECT_EQ(part.file, "a.c");
    EXPECT_TRUE(part.text.ends_with('\n'));
    all += part.text;
  }
  EXPECT_TRUE(all == text);
}

TEST(WickFile, UnchangedCountersAreNotWrittenAgain) {
  WickWriter writer;
  File file = small_file(writer);
  writer.set_counter("lost.ring_full", 7);
  EXPECT_TRUE(writer.encode_pending().empty());
  writer.set_counter("lost.ring_full", 8);
  append(file, writer.finish());
  Result<Capture> got = read_wick(file);
  ASSERT_TRUE(got.ok());
  ASSERT_EQ(got->counters.size(), 1u);
  EXPECT_EQ(got->counters[0].value, 8u);
}

TEST(WickFile, SamplesAreSortedByTimeAcrossBlocks) {
  WickWriter writer;
  File file = small_file(writer);
  for (uint64_t time : {50u, 70u, 60u, 100u}) {
    writer.add_sample({time, ThreadId{0}, StackId{0}, 1, 0, 1, StackQuality::kWhole});
  }
  append(file, writer.finish());
  Result<Capture> got = read_wick(file);
  ASSERT_TRUE(got.ok());
  std::vector<uint64_t> times;
  for (const Sample& s : got->samples) { times.push_back(s.time_ns); }
  EXPECT_EQ(times, (std::vector<uint64_t>{50, 60, 70, 100, 100}));
  EXPECT_EQ(got->samples[3].event, 0u);  // from the earlier block
}

TEST(WickFile, EveryPrefixOpensOrReportsTheError) {
  Capture want;
  File file = random_file(7, 150, want);
  size_t opened = 0, cut = 0, whole_blocks = 0;
  size_t samples = 0;
  for (size_t size = 0; size <= file.size(); ++size) {
    File prefix(file.begin(), file.begin() + static_cast<ptrdiff_t>(size));
    Result<Capture> got = read_wick(prefix);
    if (!got.ok()) {
      EXPECT_FALSE(got.error().message().empty());
      EXPECT_EQ(opened, 0u);
      continue;
    }
    ++opened;
    EXPECT_EQ(got->complete, size == file.size());
    if (size < file.size()) { got->damage.empty() ? ++whole_blocks : ++cut; }
    EXPECT_GE(got->samples.size(), samples) << "a longer prefix has less";
    samples = got->samples.size();
  }
  EXPECT_EQ(samples, want.samples.size());
  EXPECT_GT(cut, file.size() / 2);
  EXPECT_GT(whole_blocks, 3u);
}

TEST(WickFile, DetectsEveryFlippedByte) {
  Capture want;
  File file = random_file(11, 60, want);
  for (size_t at = 0; at < file.size(); ++at) {
    for (uint8_t flip : {0x01, 0x80, 0xff}) {
      File changed = file;
      changed[at] ^= flip;
      Result<Capture> got = read_wick(changed);
      bool seen = !got.ok() || (!got->damage.empty() && !got->complete);
      EXPECT_TRUE(seen) << "byte " << at << " of " << file.size();
    }
  }
}

TEST(WickFile, DetectsAMissingBlock) {
  WickWriter writer;
  File file = small_file(writer);
  File without = file;
  for (int i = 0; i < 3; ++i) {
    writer.add_sample({200, ThreadId{0}, StackId{0}, 0, 0, 1, StackQuality::kWhole});
    std::vector<uint8_t> block = writer.encode_pending();
    if (i != 1) { append(without, block); }
  }
  append(without, writer.finish());
  Result<Capture> got = read_wick(without);
  ASSERT_TRUE(got.ok());
  EXPECT_NE(got->damage.find("out of order"), std::string::npos) << got->damage;
  EXPECT_FALSE(got->complete);
  EXPECT_EQ(got->samples.size(), 2u);
}

TEST(WickFile, SkipsUnknownBlocksTablesAndColumns) {
  WickWriter writer;
  File file = with_header(small_file(writer), kFormatMajor, kFormatMinor + 1);
  file = with_block(file, 200, 0x8000, {1, 2, 3, 4, 5}, 99);  // unknown compression
  ByteWriter payload = one_column(static_cast<TableId>(99), 0, 5, {1, 2, 3});
  TableWriter modules(TableId::kModules, 1, 1);
  std::vector<std::string_view> path = {"/lib/more"};
  std::vector<uint64_t> unknown = {17}, kind = {250};
  modules.texts(column::kModulePath, path);
  modules.numbers(column::kModuleKind, kind);
  modules.numbers(77, unknown);
  modules.append_to(payload);
  file = with_payload(file, BlockKind::kTables, payload);
  append(file, writer.finish());
  Result<Capture> got = read_wick(file);
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(got->damage, "");
  EXPECT_TRUE(got->complete);
  ASSERT_EQ(got->modules.size(), 2u);
  EXPECT_EQ(got->modules[1].path, "/lib/more");
  EXPECT_EQ(got->modules[1].kind, ModuleKind::kUnknown);
}

// Unknown kinds of samples do not count as CPU time; unknown tables of a known block are skipped.
TEST(WickFile, SkipsNewKindsOfSamplesAndRecords) {
  WickWriter writer;
  File file = with_header(small_file(writer), kFormatMajor, kFormatMinor + 1);
  TableWriter keys(TableId::kKeys, 0, 9);
  std::vector<std::string_view> key = {"event",      "event.unit", "event",      "event.kind", "event",
                                       "event.kind", "event",      "event.kind", "new"};
  std::vector<std::string_view> value = {"cpu-clock", "ns", "dreams", "dreaming", "waiting", "off-cpu", "cycles", "on-cpu", "x"};
  keys.texts(column::kKey, key);
  keys.texts(column::kValue, value);
  ByteWriter payload;
  keys.append_to(payload);
  file = with_payload(file, BlockKind::kInfo, payload);
  ByteWriter timeline = one_column(static_cast<TableId>(98), 0, 5, {1, 2, 3});
  TableWriter markers(TableId::kMarkers, 0, 1);
  std::vector<uint64_t> start = {zigzag(70)}, unknown = {17};
  markers.numbers(column::kMarkerStart, start);
  markers.numbers(77, unknown);
  markers.append_to(timeline);
  file = with_payload(file, BlockKind::kTimeline, timeline);
  file = with_payload(file, static_cast<BlockKind>(static_cast<uint16_t>(BlockKind::kCode) + 1),
                      one_column(TableId::kStacks, 9, 1, {9}));
  writer.add_sample({200, ThreadId{0}, StackId{0}, 0, 0, 1, StackQuality::kWhole});
  append(file, writer.encode_pending());
  Result<Capture> got = read_wick(file);
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(got->damage, "");
  EXPECT_EQ(got->samples.size(), 2u);
  ASSERT_EQ(got->info.events.size(), 4u);
  EXPECT_EQ(got->info.events[0].kind, SampleKind::kOnCpu);
  EXPECT_EQ(got->info.events[1].kind, SampleKind::kOther);
  EXPECT_EQ(got->info.events[2].kind, SampleKind::kOffCpu);
  EXPECT_EQ(got->info.events[3].kind, SampleKind::kOnCpu);
  ASSERT_EQ(got->markers.size(), 1u);
  EXPECT_EQ(got->markers[0].start_ns, 70u);
}

TEST(WickFile, RejectsANewerMajorVersion) {
  WickWriter writer;
  File file = with_header(small_file(writer), 2, 3);
  Result<Capture> got = read_wick(file);
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.error().message(), "written by a newer wick (format 2.3; this one reads 1.x)");
  EXPECT_FALSE(got.error().hint().empty());
  EXPECT_EQ(got.error().code(), Errc::kBadInput);
}

TEST(WickFile, RejectsOtherFiles) {
  auto message = [](std::vector<uint8_t> bytes) {
    Result<Capture> got = read_wick(bytes);
    return got.ok() ? std::string("read") : got.error().message();
  };
  EXPECT_EQ(message({}), "the file is empty, not a wick profile");
  EXPECT_EQ(message({'h', 'e', 'l', 'l', 'o'}), "not a wick profile");
  EXPECT_NE(message({0x89, 'W', 'I', 'C', 'K', '\n', 0x1a, 1, 0, 0, 0, 0, 0, 0, 0, 0}).find("line endings"), std::string::npos);
  EXPECT_NE(message({0x89, 'W'}).find("truncated"), std::string::npos);
  File header;
  append_file_header(header);
  EXPECT_NE(message(header).find("contains no recording"), std::string::npos);
  EXPECT_TRUE(looks_like_wick(header));
  EXPECT_FALSE(looks_like_wick(std::span(header).first(7)));
}

// Blocks with a valid checksum and malicious content.
TEST(WickFile, MaliciousBlocksEndReading) {
  WickWriter writer;
  const File good = small_file(writer);
  struct Case {
    const char* what;
    File file;
  };
  std::vector<Case> cases;
  auto tables = [&](const char* what, const ByteWriter& payload) {
    cases.push_back({what, with_payload(good, BlockKind::kTables, payload)});
  };
  tables("refers", one_column(TableId::kFrames, 1, column::kFrameModule, {0, 2}));
  tables("refers", one_column(TableId::kStacks, 1, column::kStackFrame, {2}));
  tables("refers", one_column(TableId::kCode, 0, column::kCodeModule, {0, 1000}));
  tables("refers", one_column(TableId::kStacks, 1, column::kStackFrame, {1, 0}));  // one past the end
  tables("refers", one_column(TableId::kStacks, 1, column::kStackCaller, {1, 3}));
  tables("out of order", one_column(TableId::kStacks, 5, column::kStackCaller, {0}));
  tables("refers", one_column(TableId::kThreads, 1, column::kProcess, {3}));
  tables("refers", one_column(TableId::kThreadUpdates, 0, column::kThreadRow, {1}));
  tables("refers", one_column(TableId::kSeries, 0, column::kSeriesThread, {1}));
  tables("refers", one_column(TableId::kSeries, 0, column::kSeriesEvent, {3}));
  tables("refers", one_column(TableId::kSamples, 1, column::kSampleSeries, {0}));  // no series in this block
  tables("refers", one_column(TableId::kChains, 0, column::kChainFrame, {2}));
  tables("refers", one_column(TableId::kChainFrames, 0, column::kFunction, {1}));
  tables("count", one_column(TableId::kTotals, 0, column::kTotalSamples, {2}));
  tables("refers", one_column(TableId::kWaits, 0, column::kWaitCause, {0}));
  tables("out of order", one_column(TableId::kCauses, 1, column::kCauseKind, {0}));
  TableWriter one_series(TableId::kSeries, 0, 1), waiting(TableId::kSamples, 1, 1);
  std::vector<uint64_t> none = {0}, first_wait = {1};
  one_series.numbers(column::kSeriesThread, none);
  waiting.numbers(column::kSampleWait, first_wait);
  ByteWriter no_such_wait;
  one_series.append_to(no_such_wait);
  waiting.append_to(no_such_wait);
  tables("refers", no_such_wait);
  tables("refers", one_column(TableId::kMarkers, 0, column::kMarkerName, {1}));
  tables("refers", one_column(TableId::kMarkers, 0, column::kMarkerText, {1}));
  tables("refers", one_column(TableId::kMarkers, 0, column::kMarkerThread, {2}));
  tables("out of order", one_column(TableId::kMarkers, 1, column::kMarkerStart, {2}));
  tables("refers", one_column(TableId::kTracks, 0, column::kTrackThread, {2}));
  tables("out of order", one_column(TableId::kTracks, 1, column::kTrackThread, {0}));
  tables("refers", one_column(TableId::kTrackValues, 0, column::kTrackValue, {1}));
  TableWriter backwards(TableId::kMarkers, 0, 1);
  std::vector<uint64_t> last_moment = {zigzag(UINT64_MAX)}, length_of_it = {1};
  backwards.numbers(column::kMarkerStart, last_moment);
  backwards.numbers(column::kMarkerLength, length_of_it);
  ByteWriter past_the_end;
  backwards.append_to(past_the_end);
  tables("malformed", past_the_end);
  ByteWriter events = one_column(TableId::kKeys, 0, 9, {1});
  tables("refers", events);  // info without events

  ByteWriter rows;  // a table of 2^40 rows without columns
  rows.u8(static_cast<uint8_t>(TableId::kStacks));
  ByteWriter head;
  head.uleb(1);
  head.uleb(uint64_t{1} << 40);
  head.uleb(0);
  rows.uleb(head.size());
  rows.bytes(head.data());
  tables("malformed", rows);
  ByteWriter length;  // a table longer than the payload
  length.u8(static_cast<uint8_t>(TableId::kStacks));
  length.uleb(100);
  tables("malformed", length);

  cases.push_back({"too large", with_block(good, 2, kBlockZstd, {1, 2, 3}, 0xffffffff)});
  cases.push_back({"inconsistent sizes", with_block(good, 2, kBlockZstd, {1, 2, 3}, 100)});
  cases.push_back({"inconsistent sizes", with_block(good, 2, 0, {1, 2, 3}, 100)});
  cases.push_back({"unknown compression", with_block(good, 2, 0x40, {1, 2, 3}, 3)});
  for (const Case& c : cases) {
    Result<Capture> got = read_wick(c.file);
    ASSERT_TRUE(got.ok()) << c.what;
    EXPECT_NE(got->damage.find(c.what), std::string::npos) << got->damage << ", should say " << c.what;
    EXPECT_NE(got->damage.find("at byte " + std::to_string(good.size())), std::string::npos) << got->damage;
    EXPECT_EQ(got->samples.size(), 1u);
    EXPECT_EQ(got->counters.size(), 1u);
  }
}

// Two busy threads for a minute, as measured on a real machine: ticks at 997 Hz that are late by some 100 ns, sometimes by
// microseconds or a few ticks; 60 hot addresses under a few callers; sometimes a new stack; one block per second.
TEST(WickFile, SamplesTakeFewBytes) {
  Random random(5);
  WickWriter writer;
  size_t size = writer.begin(some_info()).size();
  writer.add_module({ModuleKind::kFile, "/usr/bin/app", "abcdef"});
  for (uint32_t t = 0; t < 2; ++t) { writer.add_thread({1, t + 1, 0, ThreadId{0}, "app", 5, 0}); }
  uint32_t frames = 0, stacks = 0;
  auto new_stack = [&] {
    writer.add_frame({ModuleId{0}, 0x1000 + random() % 100'000});
    StackId caller = stacks == 0 ? StackId{} : StackId{static_cast<uint32_t>(random() % std::min(stacks, 12u))};
    writer.add_stack({FrameId{frames++}, caller});
    ++stacks;
  };
  for (int i = 0; i < 60; ++i) { new_stack(); }
  std::geometric_distribution<uint64_t> usual(0.004), late(0.0002);
  const uint64_t period = 1'000'000'000 / 997;
  uint64_t due[2] = {1'000'000'000, 1'000'400'000};
  size_t samples = 0;
  for (int tick = 0; tick < 60 * 997; ++tick) {
    for (uint32_t t = 0; t < 2; ++t) {
      due[t] += period * (random() % 200 == 0 ? 1 + random() % 4 : 1);
      if (random() % 100 == 0) { new_stack(); }
      uint64_t time = due[t] + (random() % 8 == 0 ? late(random) : usual(random));
      uint32_t cpu = random() % 50 == 0 ? 1 - t : t;
      auto hot = static_cast<uint32_t>(std::min(random() % 60, random() % 60));
      StackId stack{random() % 10 == 0 ? stacks - 1 : hot};
      writer.add_sample({time, ThreadId{t}, stack, 0, cpu, period, StackQuality::kWhole});
      ++samples;
    }
    if (tick % 997 == 996) { size += writer.encode_pending().size(); }
  }
  size += writer.finish().size();
  double bytes = static_cast<double>(size) / static_cast<double>(samples);
  RecordProperty("bytes_a_sample", std::to_string(bytes));
  EXPECT_LT(bytes, 4.0);
  EXPECT_GT(bytes, 1.0);  // less would mean that something is missing
}

// A few bytes that expand to millions of rows, repeatedly: the size of the file limits what it may expand to.
TEST(WickFile, StopsDecompressionBombs) {
  WickWriter writer;
  File file = small_file(writer);
  uint64_t rows = 1;
  for (int i = 0; i < 10; ++i) {
    ByteWriter payload = one_column(TableId::kSeries, 0, column::kSeriesPeriod, {1});
    ByteWriter head;
    head.uleb(rows);
    head.uleb(kMaxTableRows);
    head.uleb(0);  // no columns: all values are zero
    payload.u8(static_cast<uint8_t>(TableId::kSamples));
    payload.uleb(head.size());
    payload.bytes(head.data());
    file = with_payload(file, BlockKind::kSamples, payload);
    rows += kMaxTableRows;
  }
  Result<Capture> got = read_wick(file);
  ASSERT_TRUE(got.ok());
  EXPECT_NE(got->damage.find("too much for a file of this size"), std::string::npos) << got->damage;
  EXPECT_GT(got->samples.size(), 1u);
  EXPECT_LT(got->samples.size() * sizeof(Sample), size_t{300} << 20);
}

// One long string that many markers refer to.
TEST(WickFile, StopsBombsOfMarkers) {
  WickWriter writer;
  File file = small_file(writer);
  std::string text(kMaxTextBytes, 'x');
  std::vector<std::string_view> strings = {text};
  std::vector<uint64_t> first(100'000, 1);
  ByteWriter payload;
  TableWriter string_table(TableId::kStrings, 0, 1);
  string_table.texts(column::kString, strings);
  string_table.append_to(payload);
  TableWriter markers(TableId::kMarkers, 0, first.size());
  markers.numbers(column::kMarkerText, first);
  markers.append_to(payload);
  file = with_payload(file, BlockKind::kTimeline, payload);
  Result<Capture> got = read_wick(file);
  ASSERT_TRUE(got.ok());
  EXPECT_NE(got->damage.find("too much for a file of this size"), std::string::npos) << got->damage;
  EXPECT_TRUE(got->markers.empty());
}

TEST(ReplaceSymbols, KeepsEverythingElse) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    Capture want;
    File file = random_file(seed, seed * 15, want);
    Result<Capture> before = read_wick(file);
    ASSERT_TRUE(before.ok());
    Result<File> same = replace_symbols(file, *before, before->symbols);
    ASSERT_TRUE(same.ok()) << same.error().message();
    Result<Capture> again = read_wick(*same);
    ASSERT_TRUE(again.ok());
    expect_same(*again, want);

    want.symbols.clear();
    if (!want.frames.empty()) { want.symbols.push_back({FrameId{0}, {{"new", "new.c", 1, 2}}}); }
    Result<File> other = replace_symbols(file, *before, want.symbols);
    ASSERT_TRUE(other.ok());
    again = read_wick(*other);
    ASSERT_TRUE(again.ok());
    expect_same(*again, want);
    if (HasFailure()) { FAIL() << "seed " << seed; }
  }
}

TEST(ReplaceSymbols, KeepsBlocksOfLaterVersions) {
  WickWriter writer;
  File file = with_header(small_file(writer), kFormatMajor, kFormatMinor + 1);
  ByteWriter future;
  future.text("something new");
  file = with_payload(std::move(file), static_cast<BlockKind>(99), future);
  append(file, writer.finish());
  Result<Capture> read = read_wick(file);
  ASSERT_TRUE(read.ok());
  Result<File> out = replace_symbols(file, *read, {});
  ASSERT_TRUE(out.ok());
  Result<BlockReader> blocks = BlockReader::open(*out);
  ASSERT_TRUE(blocks.ok());
  std::vector<uint16_t> kinds;
  while (blocks->next()) { kinds.push_back(blocks->kind()); }
  EXPECT_EQ(kinds, (std::vector<uint16_t>{1, 2, 3, 5, 99, 6}));
  EXPECT_TRUE(std::equal(out->begin(), out->begin() + kFileHeaderSize, file.begin()));
}

TEST(ReplaceSymbols, KeepsTheIntactPartOfADamagedFile) {
  WickWriter writer;
  File file = small_file(writer);
  File unfinished = file;
  size_t whole = file.size();
  writer.add_sample({200, ThreadId{0}, StackId{0}, 0, 3, 1000, StackQuality::kWhole});
  append(file, writer.finish());
  std::vector<FrameSymbols> names = {{FrameId{0}, {{"other", "", 0, 0}}}};
  for (size_t size = whole; size < file.size(); ++size) {
    File cut(file.begin(), file.begin() + static_cast<ptrdiff_t>(size));
    Result<Capture> read = read_wick(cut);
    ASSERT_TRUE(read.ok());
    Result<File> out = replace_symbols(cut, *read, names);
    ASSERT_TRUE(out.ok());
    Result<Capture> again = read_wick(*out);
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again->damage, "");
    EXPECT_FALSE(again->complete);
    EXPECT_EQ(again->samples.size(), read->samples.size());
    EXPECT_TRUE(again->symbols == names);
  }
  // An end mark in the middle does not cover later blocks; garbage after the last block does no harm.
  File appended = file;
  appended.push_back('x');
  Result<Capture> read = read_wick(appended);
  ASSERT_TRUE(read.ok());
  EXPECT_FALSE(read->complete);
  Result<File> out = replace_symbols(appended, *read, names);
  ASSERT_TRUE(out.ok());
  EXPECT_TRUE(read_wick(*out)->complete);
  File more = with_payload(file, BlockKind::kCounters, ByteWriter());
  read = read_wick(more);
  ASSERT_TRUE(read.ok() && !read->complete && read->damage.empty());
  out = replace_symbols(more, *read, names);
  ASSERT_TRUE(out.ok());
  EXPECT_FALSE(read_wick(*out)->complete);
}

}  // namespace
}  // namespace wick::capture
