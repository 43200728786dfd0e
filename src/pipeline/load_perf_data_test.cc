// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/load_perf_data.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "capture/perf_registers.h"
#include "import/import.h"
#include "import/perf/perf_data_testing.h"
#include "unwind/replay_testing.h"

namespace wick {
namespace {

using Maker = PerfDataMaker;
namespace fs = std::filesystem;

struct Folder {
  Folder() {
    std::string name = ::testing::TempDir() + "wick-perf-data-XXXXXX";
    path = ::mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path); }
  void write(const std::string& file, const std::vector<uint8_t>& bytes) const {
    fs::path to = path + file;
    fs::create_directories(to.parent_path());
    std::ofstream(to, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  std::string path;
};

Result<Profile> load(const std::vector<uint8_t>& bytes, const LoadOptions& options = {}) {
  Input input(make_memory_pieces(bytes));
  return load_perf_data(input, options);
}

// Names from the outermost to the innermost.
std::vector<std::string> names_of(const Profile& profile, const Sample& sample) {
  std::vector<std::string> out;
  for (StackId s = sample.stack; s.valid(); s = profile[s].caller) {
    out.emplace(out.begin(), profile.text(profile[profile[profile[s].frame].function].name));
  }
  return out;
}

uint64_t kernel_register_of(Arch arch, unsigned bit) {
  for (unsigned i = 0; i < Registers::kCount; ++i) {
    std::vector<uint64_t> value = {1};
    if (decode_perf_registers(arch, uint64_t{1} << bit, value).has(i)) { return i; }
  }
  return Registers::kCount;
}

// Copied stacks of either CPU, on any machine, with the files below another root.
class CopiedStacks : public ::testing::TestWithParam<Arch> {};

TEST_P(CopiedStacks, AreUnwoundAndSymbolized) {
  const Arch arch = GetParam();
  std::string from = std::string(WICK_SOURCE_DIR) + "/tests/data/unwind/" + arch_name(arch) + "/";
  std::vector<uint8_t> text = replay::load_xz(from + "stacks.txt.xz");
  std::vector<replay::Case> cases = replay::parse_cases({reinterpret_cast<const char*>(text.data()), text.size()});
  Folder root;
  Maker m;
  Maker::Attr attr;
  attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
  attr.registers = perf_register_mask(arch);
  m.add_attr(attr);
  m.set_text(6, arch_name(arch));
  std::map<uint32_t, const replay::Case*> by_pid;
  uint32_t pid = 100;
  for (const replay::Case& c : cases) {
    // Only stacks that are one run of bytes and fit into a record; signal handlers return through code of the machine.
    bool plain = c.stacks.size() == 1 && c.stacks[0].bytes.size() < 60000 && c.code.empty();
    if (!plain) { continue; }
    by_pid[++pid] = &c;
    m.add_comm(pid, "dump_stack", 0);
    for (const replay::MapLine& line : c.maps) {
      bool file = !line.name.starts_with("//") && !line.name.starts_with("[");
      if (file && !fs::exists(root.path + "/opt/" + line.name)) {
        root.write("/opt/" + line.name, replay::load_xz(from + line.name + ".xz"));
      }
      m.add_mmap(pid, line.start, line.end - line.start, line.offset, (file ? "/opt/" : "") + line.name, 0);
    }
    auto w = m.sample(1, c.regs.value[register_numbers(arch).pc], pid, pid, 1000 + pid, 1);
    w.w64(PERF_SAMPLE_REGS_ABI_64);
    for (unsigned bit = 0; bit < 64; ++bit) {
      if (attr.registers >> bit & 1) { w.w64(c.regs.value[kernel_register_of(arch, bit)]); }
    }
    std::vector<uint8_t> stack = c.stacks[0].bytes;
    stack.resize((stack.size() + 7) / 8 * 8);
    ASSERT_EQ(c.stacks[0].address, c.regs.value[register_numbers(arch).sp]) << c.name;
    w.w64(stack.size()), w.bytes(stack), w.w64(c.stacks[0].bytes.size());
    m.add_sample(w);
  }
  ASSERT_GT(by_pid.size(), 15u);
  LoadOptions options;
  options.sources.debug.symfs = root.path;
  for (bool pipe : {false, true}) {
    Result<Profile> profile = load(pipe ? m.pipe() : m.file(), options);
    ASSERT_TRUE(profile.ok()) << profile.error().message();
    ASSERT_EQ(profile->samples().size(), by_pid.size());
    for (const Sample& sample : profile->samples()) {
      const replay::Case& c = *by_pid.at((*profile)[(*profile)[sample.thread].process].pid);
      std::vector<std::string> names = names_of(*profile, sample);
      std::reverse(names.begin(), names.end());
      // Every expected function appears, in this order.
      size_t at = 0;
      for (const std::string& name : names) {
        at += at < c.expect.size() && (name == c.expect[at] || (c.expect[at] == "?" && name == "[anon]"));
      }
      EXPECT_EQ(at, c.expect.size()) << c.name << ": " << ::testing::PrintToString(names);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(BothCpus, CopiedStacks, ::testing::Values(Arch::kX86_64, Arch::kAarch64),
                         [](const auto& test) { return std::string(arch_name(test.param)); });

Maker two_events() {
  Maker m;
  Maker::Attr clock, faults, dummy;
  dummy.config = PERF_COUNT_SW_DUMMY;
  dummy.ids = {5};
  dummy.name = "dummy:HG";
  clock.ids = {1};
  faults.config = PERF_COUNT_SW_PAGE_FAULTS;
  faults.ids = {2};
  faults.name = "page-faults";
  m.add_attr(dummy);
  m.add_attr(clock);
  m.add_attr(faults);
  m.set_text(3, "elsewhere.example");
  m.add_comm(10, "app", 0);
  for (uint64_t i = 0; i < 10; ++i) { m.add_sample(m.sample(i < 7 ? 1 : 2, 0x400000, 10, 10, 100 + i, 50)); }
  auto lost = m.writer();
  lost.w64(1), lost.w64(4);
  m.trailer(lost, 105, 1);
  m.add(PERF_RECORD_LOST, 0, lost);
  return m;
}

TEST(LoadPerfData, EventsLossesAndTimes) {
  Result<Profile> profile = load(two_events().file());
  ASSERT_TRUE(profile.ok());
  ASSERT_EQ(profile->events().size(), 2u);  // without the dummy event, which has no samples
  EXPECT_EQ(profile->text(profile->events()[0].name), "cpu-clock");
  EXPECT_EQ(profile->text(profile->events()[0].unit), "ns");
  EXPECT_EQ(profile->text(profile->events()[1].name), "page-faults");
  EXPECT_EQ(profile->imported_from(), "perf.data");
  EXPECT_TRUE(profile->has_times());
  EXPECT_EQ(profile->start_ns(), 100u);
  uint64_t lost = 0, count[2] = {}, weight = 0;
  for (const Loss& loss : profile->losses()) { lost += loss.samples ? loss.count : 0; }
  for (const Sample& s : profile->samples()) {
    count[s.event.value] += s.count;
    weight += static_cast<uint64_t>(s.weight);
  }
  EXPECT_EQ(lost, 4u);
  EXPECT_EQ(count[0], 7u);
  EXPECT_EQ(count[1], 3u);
  EXPECT_EQ(weight, 500u);
}

// perf record --per-thread: times of exit records count from the machine's boot.
TEST(LoadPerfData, WithoutTimesThereIsNoLength) {
  Maker m;
  Maker::Attr attr;
  attr.sample_type = Maker::kType & ~uint64_t{PERF_SAMPLE_TIME};
  m.add_attr(attr);
  auto sample = m.writer();  // id, ip, pid, tid, cpu, period
  sample.w64(1), sample.w64(0x400000), sample.w32(10), sample.w32(10), sample.w32(0), sample.w32(0), sample.w64(50);
  m.add(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, sample);
  auto end = m.writer();
  end.w32(10), end.w32(1), end.w32(10), end.w32(1), end.w64(50'000'000'000'000);
  end.w32(0), end.w32(0), end.w32(0), end.w32(0), end.w64(1);  // ids, without a time
  m.add(PERF_RECORD_EXIT, 0, end);
  Result<Profile> profile = load(m.file());
  ASSERT_TRUE(profile.ok());
  ASSERT_EQ(profile->samples().size(), 1u);
  EXPECT_FALSE(profile->has_times());
  EXPECT_EQ(profile->start_ns(), 0u);
  for (const Thread& thread : profile->threads()) { EXPECT_EQ(thread.end_ns, 0u); }
}

TEST(LoadPerfData, AddsUpSamplesIfTimesDoNotMatter) {
  LoadOptions options;
  options.import.merge = true;
  Result<Profile> profile = load(two_events().file(), options);
  ASSERT_TRUE(profile.ok());
  ASSERT_EQ(profile->samples().size(), 2u);
  EXPECT_FALSE(profile->has_times());
  EXPECT_EQ(profile->samples()[0].count, 7u);
  EXPECT_EQ(profile->samples()[0].weight, 350);
  EXPECT_EQ(profile->samples()[1].count, 3u);
}

TEST(LoadPerfData, IgnoresAFileOfAnotherBuild) {
  Folder root;
  Maker m;
  Maker::Attr attr;
  attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
  m.add_attr(attr);
  std::string self = fs::read_symlink("/proc/self/exe");
  m.add_comm(10, "app", 0);
  m.add_mmap(10, 0x400000, 0x100000, 0, self, 0, std::vector<uint8_t>(20, 0x11));
  auto w = m.sample(1, 0x401000, 10, 10, 5, 1);
  w.w64(2), w.w64(static_cast<uint64_t>(PERF_CONTEXT_USER)), w.w64(0x401000);
  m.add_sample(w);
  Result<Profile> profile = load(m.file());
  ASSERT_TRUE(profile.ok());
  ASSERT_EQ(profile->warnings().size(), 1u);
  EXPECT_NE(profile->warnings()[0].find("has changed since it was recorded"), std::string::npos);
  EXPECT_EQ(names_of(*profile, profile->samples()[0]), std::vector<std::string>{"[" + fs::path(self).filename().string() + "]"});
}

// A local program of this name may be a different one.
TEST(LoadPerfData, UsesFilesOfAnotherMachineOnlyIfProven) {
  std::string self = fs::read_symlink("/proc/self/exe");
  Maker m;
  m.add_attr({});
  m.set_text(3, "elsewhere.example");
  m.add_comm(10, "app", 0);
  m.add_mmap(10, 0x400000, 0x4000000, 0, self, 0);
  m.add_sample(m.sample(1, 0x401000, 10, 10, 5, 1));
  Result<Profile> profile = load(m.file());
  ASSERT_TRUE(profile.ok());
  ASSERT_EQ(profile->warnings().size(), 1u);
  EXPECT_NE(profile->warnings()[0].find("another machine"), std::string::npos);
  LoadOptions taken;
  taken.sources.debug.symfs = "/";
  profile = load(m.file(), taken);
  ASSERT_TRUE(profile.ok());
  EXPECT_TRUE(profile->warnings().empty());
}

__attribute__((noinline)) uint64_t some_work(uint64_t n) {
  volatile uint64_t sum = n;
  for (int i = 0; i < 10; ++i) { sum = sum * 31 + 7; }
  return sum;
}

// If only functions matter, all addresses of a function share a frame; names and costs do not change.
TEST(LoadPerfData, AddressesOfAFunctionShareAFrame) {
  EXPECT_NE(some_work(3), 3u);
  auto address = reinterpret_cast<uint64_t>(&some_work);
  char host[256] = {};
  ASSERT_EQ(::gethostname(host, sizeof host - 1), 0);
  Maker m;
  m.add_attr({});
  m.set_text(3, host);
  m.add_comm(10, "app", 0);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uint64_t start = 0, end = 0, offset = 0;
    char rights[5] = {};
    if (std::sscanf(line.c_str(), "%lx-%lx %4s %lx", &start, &end, rights, &offset) != 4 || rights[2] != 'x') { continue; }
    if (address >= start && address < end) {
      m.add_mmap(10, start, end - start, offset, fs::read_symlink("/proc/self/exe").string(), 0);
    }
  }
  for (uint64_t i = 0; i < 8; ++i) { m.add_sample(m.sample(1, address + i, 10, 10, 5 + i, 1)); }
  for (bool functions_only : {false, true}) {
    LoadOptions options;
    options.import.functions_only = functions_only;
    Result<Profile> profile = load(m.file(), options);
    ASSERT_TRUE(profile.ok());
    std::set<uint32_t> frames;
    ASSERT_EQ(profile->samples().size(), 8u);
    for (const Sample& sample : profile->samples()) {
      std::vector<std::string> names = names_of(*profile, sample);
      ASSERT_FALSE(names.empty());
      EXPECT_NE(names[0].find("some_work"), std::string::npos) << names[0];
      frames.insert((*profile)[sample.stack].frame.value);
    }
    EXPECT_EQ(frames.size(), functions_only ? 1u : 8u);
  }
}

TEST(LoadPerfData, KernelOfAnotherMachineHasNoSymbols) {
  Maker m;
  m.add_attr({});
  m.set_text(3, "elsewhere.example");
  auto ksymbol = m.writer();
  ksymbol.w64(0xffffffffc0000000), ksymbol.w32(0x100), ksymbol.w16(1), ksymbol.w16(0), ksymbol.name("bpf_prog_abc");
  m.trailer(ksymbol, 1, 1);
  m.add(PERF_RECORD_KSYMBOL, 0, ksymbol);
  m.add_sample(m.sample(1, 0xffffffff81000100, 10, 10, 5, 1), PERF_RECORD_MISC_KERNEL);
  m.add_sample(m.sample(1, 0xffffffffc0000010, 10, 10, 6, 1), PERF_RECORD_MISC_KERNEL);
  Result<Profile> profile = load(m.file());
  ASSERT_TRUE(profile.ok());
  EXPECT_EQ(names_of(*profile, profile->samples()[0]), std::vector<std::string>{"[kernel]"});
  EXPECT_EQ(names_of(*profile, profile->samples()[1]), std::vector<std::string>{"bpf_prog_abc"});
}

TEST(LoadPerfData, SurvivesTruncationAndBitFlips) {
  std::vector<uint8_t> whole = two_events().file();
  uint64_t seed = 3;
  for (int i = 0; i < 400; ++i) {
    std::vector<uint8_t> damaged = whole;
    for (int k = 0; k < 3; ++k) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      damaged[(seed >> 20) % damaged.size()] ^= static_cast<uint8_t>(1u << (seed >> 60 & 7));
    }
    if (i % 2) { damaged.resize((seed >> 8) % damaged.size()); }
    Result<Profile> profile = load(damaged);
    if (profile.ok()) { EXPECT_LE(profile->samples().size(), 10u); }
  }
}

TEST(LoadPerfData, ShowsEventsWithoutPrecisionModifiers) {
  Maker m;
  Maker::Attr clock, cycles, precise;
  clock.name = "cpu-clock:pppH";
  cycles.name = "cycles:p";
  cycles.ids = {2};
  precise.name = "cycles:pp";
  precise.ids = {3};
  for (const Maker::Attr& attr : {clock, cycles, precise}) { m.add_attr(attr); }
  for (uint64_t id : {1, 2, 3}) { m.add_sample(m.sample(id, 0x1000, 5, 5, 10 + id, 1)); }
  Result<Profile> p = load(m.file());
  ASSERT_TRUE(p.ok()) << p.error().message();
  std::vector<std::string> names;
  for (const Event& event : p->events()) { names.emplace_back(p->text(event.name)); }
  EXPECT_EQ(names, (std::vector<std::string>{"cpu-clock", "cycles:p", "cycles:pp"}));
}

TEST(LoadPerfData, HeadOfADirectoryIsNotAnEmptyRecording) {
  Maker m;
  m.add_attr({});
  m.add_comm(5, "app", 0);
  ASSERT_TRUE(load(m.file()).ok());
  m.set_text(24, "");  // perf record --threads
  Result<Profile> p = load(m.file());
  ASSERT_FALSE(p.ok());
  EXPECT_NE(p.error().message().find("perf record --threads"), std::string::npos) << p.error().message();
}

// The directory of perf record --threads, with two rings of three samples each.
struct PerfFolderMaker {
  Folder root;
  PerfFolderMaker() {
    Maker head;
    Maker::Attr attr;
    attr.ids = {1, 2};
    head.add_attr(attr);
    head.set_text(24, "");
    head.add_comm(5, "app", 0);
    root.write("/data", head.file());
    for (uint64_t ring : {0, 1}) { root.write("/data." + std::to_string(ring), ring_bytes(ring)); }
  }
  static std::vector<uint8_t> ring_bytes(uint64_t ring) {
    Maker m;
    for (uint64_t i = 1; i <= 3; ++i) { m.add_sample(m.sample(1 + ring, 0x1000 * ring, 5, 5, 10 * i + ring, 1)); }
    return m.records();
  }
  std::string file(const std::string& name) const { return root.path + "/" + name; }
  // The number of samples and the warnings, or the error without the directory's name.
  std::string loaded() const {
    Result<Profile> p = load_profile(root.path);
    std::string out = p.ok() ? std::to_string(p->samples().size()) + " samples" : p.error().message();
    if (p.ok()) {
      for (const std::string& warning : p->warnings()) { out += "; " + warning; }
      if (!p->losses_known()) { out += "; losses unknown"; }
    }
    if (size_t at = out.find(root.path); at != out.npos) { out.replace(at, root.path.size(), "FOLDER"); }
    return out;
  }
};

TEST(LoadPerfFolder, MergesAllFilesByTime) {
  PerfFolderMaker made;
  EXPECT_EQ(made.loaded(), "6 samples");
  Result<Profile> p = load_profile(made.root.path + "/");
  ASSERT_TRUE(p.ok());
  std::vector<uint64_t> times;
  for (const Sample& s : p->samples()) { times.push_back(s.time_ns); }
  EXPECT_EQ(times, (std::vector<uint64_t>{10, 11, 20, 21, 30, 31}));
  EXPECT_EQ(p->imported_from(), "perf.data");
}

TEST(LoadPerfFolder, WarnsOfMissingAndForeignFiles) {
  PerfFolderMaker made;
  made.root.write("/notes.txt", {'x'});
  EXPECT_EQ(made.loaded(), "6 samples") << "files with other names are ignored";
  made.root.write("/data.old", {'x'});
  EXPECT_EQ(made.loaded(), "6 samples; 1 file in the directory is not part of the recording (first: data.old); losses unknown");
  fs::remove(made.file("data.old"));
  std::vector<uint8_t> ring = PerfFolderMaker::ring_bytes(1);
  ring.resize(ring.size() - 9);
  made.root.write("/data.1", ring);
  EXPECT_EQ(made.loaded(), "5 samples; data.1: the last record is truncated; losses unknown");
  fs::rename(made.file("data.1"), made.file("data.3"));
  EXPECT_NE(made.loaded().find("; 2 files are missing from the directory (first: data.1); samples are lost"), std::string::npos)
      << made.loaded();
  fs::remove(made.file("data.3"));
  fs::remove(made.file("data.0"));
  EXPECT_EQ(made.loaded(),
            "cannot read FOLDER: as perf.data: its samples are missing: expected files data.0, data.1, … next to data");
}

TEST(LoadPerfFolder, OpensOnlyRegularFiles) {
  PerfFolderMaker made;
  fs::rename(made.file("data.1"), made.file("elsewhere"));
  fs::create_symlink("elsewhere", made.file("data.1"));
  EXPECT_EQ(made.loaded(),
            "3 samples; 1 file in the directory cannot be read: data.1 is a symbolic link, not a regular file; losses unknown");
  fs::remove(made.file("data.1"));
  ASSERT_EQ(::mkfifo(made.file("data.1").c_str(), 0600), 0);
  EXPECT_EQ(made.loaded(),
            "3 samples; 1 file in the directory cannot be read: data.1 is a fifo, not a regular file; losses unknown");
  fs::remove(made.file("data.1"));
  fs::create_directory(made.file("data.1"));
  EXPECT_NE(made.loaded().find("data.1 is a directory"), std::string::npos);
  fs::rename(made.file("data"), made.file("head"));
  EXPECT_EQ(made.loaded().substr(0, 60),
            std::string("cannot read FOLDER: its file \"data\" is missing, which describes").substr(0, 60));
  fs::create_symlink("head", made.file("data"));
  EXPECT_EQ(made.loaded(), "cannot read FOLDER: data is a symbolic link, not a regular file");
  fs::remove(made.file("data"));
  made.root.write("/data", {});
  EXPECT_NE(made.loaded().find("cannot read FOLDER: as perf.data: data: byte 0: expected"), std::string::npos) << made.loaded();
}

TEST(LoadPerfFolder, OtherDirectoriesAndALoneHeadAreErrors) {
  Folder empty;
  Result<Profile> p = load_profile(empty.path);
  ASSERT_FALSE(p.ok());
  EXPECT_NE(p.error().message().find("it is a directory, not a profile"), std::string::npos) << p.error().message();
  PerfFolderMaker made;
  p = load_profile(made.file("data"));
  ASSERT_FALSE(p.ok());
  EXPECT_EQ(p.error().hint(), "wick report " + made.root.path);
  LoadOptions folded;
  folded.reader = find_reader("folded");
  p = load_profile(made.root.path, folded);
  ASSERT_FALSE(p.ok());
  EXPECT_NE(p.error().message().find("it is a directory, not folded stacks"), std::string::npos);
}

}  // namespace
}  // namespace wick
