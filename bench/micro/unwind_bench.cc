// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The cost of unwinding: a table lookup, a frame of a walk (hot, cold, by the entries), finishing a deep stack from a live
// process, and compiling tables. All walks are of one copy of this program's own stack.

#include <benchmark/benchmark.h>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <random>

#include "base/mapped_file.h"
#include "elf/unwind_table.h"
#include "unwind/self_test_util.h"
#include "unwind/stack_unwinder.h"

namespace wick {
namespace {

#define NOINLINE __attribute__((noinline, noclone))

volatile uint64_t sink;
test::Snapshot taken;

NOINLINE void take_it() {
  ucontext_t context;
  ::getcontext(&context);
  taken = test::take_snapshot(context, 4 << 20);
  sink = sink + 1;
}
// Different functions, so that a walk uses different rules.
template <int kFrom>
NOINLINE void descend(int n) {
  volatile char pad[16 + kFrom % 5 * 16];
  pad[0] = static_cast<char>(n);
  if (n == 0) {
    take_it();
  } else if constexpr (kFrom < 40) {
    descend<kFrom + 1>(n - 1);
  } else {
    descend<0>(n - 1);
  }
  sink = sink + static_cast<uint64_t>(pad[0]);
}

// The stack of a program some 40 (or `depth`) frames deep, with its address space.
struct Scene {
  explicit Scene(int depth, bool compiled) : space(test::load_own_space(store)) {
    if (compiled) {
      for (const LoadedModule* module : store.all()) {
        if (module->unwind) { module->unwind->prepare(); }
      }
    }
    descend<0>(depth);
    shot = taken;
  }
  ModuleStore store;
  std::shared_ptr<const AddressSpace> space;
  test::Snapshot shot;
};

void BM_Walk(benchmark::State& state) {
  Scene scene(static_cast<int>(state.range(0)), true);
  Walker walker(WalkOptions{});
  std::vector<WalkedFrame> frames;
  for (auto _ : state) {
    CopiedStack memory(scene.shot.sp, scene.shot.stack);
    if (walker.walk(scene.shot.regs, *scene.space, memory, frames) != capture::StackQuality::kWhole) {
      state.SkipWithError("not whole");
    }
  }
  state.counters["ns_per_frame"] = benchmark::Counter(
      static_cast<double>(frames.size()), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(BM_Walk)->Arg(10)->Arg(40)->Arg(1000)->Arg(10000);

// Every lookup misses the walker's cache, as with a new address space each time.
void BM_WalkWithoutCache(benchmark::State& state) {
  Scene scene(static_cast<int>(state.range(0)), state.range(1) != 0);
  std::vector<std::shared_ptr<const AddressSpace>> spaces;
  for (int i = 0; i < 16; ++i) { spaces.push_back(scene.space->without(0, 0)); }
  Walker walker(WalkOptions{});
  std::vector<WalkedFrame> frames;
  size_t next = 0;
  for (auto _ : state) {
    CopiedStack memory(scene.shot.sp, scene.shot.stack);
    walker.walk(scene.shot.regs, *spaces[next++ % spaces.size()], memory, frames);
  }
  state.counters["ns_per_frame"] = benchmark::Counter(
      static_cast<double>(frames.size()), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(BM_WalkWithoutCache)->ArgNames({"depth", "compiled"})->Args({40, 1})->Args({40, 0});

class OwnMemory final : public ThreadMemory {
 public:
  size_t read(uint64_t address, std::span<uint8_t> out) override {
    iovec local{out.data(), out.size()}, remote{reinterpret_cast<void*>(address), out.size()};
    ssize_t n = ::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0);
    return n > 0 ? static_cast<size_t>(n) : 0;
  }
  void let_go() override {}
};

// The cost of a deep stack: a copy of 4 kB, the rest read from the memory of the stopped thread.
void BM_FinishFromStopped(benchmark::State& state) {
  ModuleStore store;
  std::shared_ptr<const AddressSpace> space = test::load_own_space(store);
  for (const LoadedModule* module : store.all()) {
    if (module->unwind) { module->unwind->prepare(); }
  }
  size_t depth = 0;
  static std::function<void()> inside;
  inside = [&] {
    ucontext_t context;
    ::getcontext(&context);
    test::Snapshot shot = test::take_snapshot(context, 4096);
    StackUnwinder unwinder(WalkOptions{});
    RawSample sample;
    sample.pid = static_cast<uint32_t>(::getpid());
    sample.tid = static_cast<uint32_t>(::gettid());
    sample.user = shot.regs;
    sample.stack = shot.stack;
    OwnMemory memory;
    sample.memory = &memory;
    std::vector<WalkedFrame> frames;
    for (auto _ : state) {
      capture::StackQuality quality = unwinder.unwind(sample, *space, frames);
      if (!capture::is_whole(quality)) { state.SkipWithError("truncated"); }
    }
    depth = frames.size();
  };
  struct Deep {
    static NOINLINE void go(int64_t n) {
      volatile char pad[48];
      pad[0] = 1;
      if (n > 0) {
        go(n - 1);
      } else {
        inside();
      }
      sink = sink + static_cast<uint64_t>(pad[0]);
    }
  };
  Deep::go(state.range(0));
  state.counters["frames"] = static_cast<double>(depth);
}
BENCHMARK(BM_FinishFromStopped)->Arg(100)->Arg(1000)->Arg(10000);

struct File {
  explicit File(const char* path) : file(*MappedFile::open(path)), image(*elf::Image::parse(file.bytes())), cfi(image) {}
  MappedFile file;
  elf::Image image;
  elf::Cfi cfi;
};

constexpr const char* kLibc =
    host_arch() == Arch::kX86_64 ? "/lib/x86_64-linux-gnu/libc.so.6" : "/lib/aarch64-linux-gnu/libc.so.6";
constexpr const char* kLibstdcxx =
    host_arch() == Arch::kX86_64 ? "/usr/lib/x86_64-linux-gnu/libstdc++.so.6" : "/usr/lib/aarch64-linux-gnu/libstdc++.so.6";

void BM_TableLookup(benchmark::State& state) {
  File file(kLibc);
  std::vector<uint8_t> blob = elf::UnwindTable::compile(file.cfi);
  elf::UnwindTable table = *elf::UnwindTable::open(blob);
  std::vector<elf::Cfi::Entry> entries = file.cfi.list_entries();
  std::mt19937 random(1);
  std::vector<uint64_t> addresses;
  for (int i = 0; i < 4096; ++i) { addresses.push_back(entries[random() % entries.size()].begin + random() % 64); }
  size_t at = 0;
  for (auto _ : state) { benchmark::DoNotOptimize(table.find(addresses[at++ & 4095]).kind); }
}
BENCHMARK(BM_TableLookup);

void BM_EntryLookup(benchmark::State& state) {
  File file(kLibc);
  std::vector<elf::Cfi::Entry> entries = file.cfi.list_entries();
  std::mt19937 random(1);
  elf::FrameRow row;
  for (auto _ : state) {
    benchmark::DoNotOptimize(file.cfi.find_row(entries[random() % entries.size()].begin + random() % 64, row));
  }
}
BENCHMARK(BM_EntryLookup);

void BM_Compile(benchmark::State& state, const char* path) {
  File file(path);
  for (auto _ : state) { benchmark::DoNotOptimize(elf::UnwindTable::compile(file.cfi)); }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * file.cfi.size_bytes()));
}
BENCHMARK_CAPTURE(BM_Compile, libc, kLibc);
BENCHMARK_CAPTURE(BM_Compile, libstdcxx, kLibstdcxx);

void BM_OpenTable(benchmark::State& state) {
  File file(kLibstdcxx);
  std::vector<uint8_t> blob = elf::UnwindTable::compile(file.cfi);
  for (auto _ : state) { benchmark::DoNotOptimize(elf::UnwindTable::open(blob).ok()); }
}
BENCHMARK(BM_OpenTable);

}  // namespace
}  // namespace wick
