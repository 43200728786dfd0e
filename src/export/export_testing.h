// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests only: profiles with everything that a format may carry, and the output of writers.

#include <string>
#include <vector>

#include "export/formats.h"
#include "export/writers.h"
#include "model/profile_builder.h"

namespace wick::testing_export {

using Write = void (*)(const ExportView&, const Sink&);

inline std::string written(Write write, const Profile& profile, const Filter& filter = {}, bool all_events = false) {
  ExportView view{profile, filter, {*select_samples(profile, filter)}};
  for (uint32_t i = 0; all_events && i < profile.events().size(); ++i) {
    if (EventId{i} != view.first().event) { view.selections.push_back(*select_samples(profile, filter, EventId{i})); }
  }
  std::string out;
  write(view, [&](std::string_view piece) {
    out += piece;
    return true;
  });
  return out;
}

// Two threads, two modules, one of them the kernel; an inlined function; recursion; two events; a sample each millisecond.
inline Profile small_profile() {
  ProfileBuilder b;
  b.set_command({"./app", "-x"});
  b.set_start(1'000'000'000, 1'700'000'000'000'000'000);
  EventId clock = b.event("cpu-clock", "ns", 1000), faults = b.event("page-faults", "faults");
  ProcessId process = b.add_process(100, "app");
  ThreadId main_thread = b.add_thread(process, 100, "app"), worker = b.add_thread(process, 101, "worker");
  ModuleId app = b.module("/usr/bin/app", "0011223344556677889900aabbccddeeff001122");
  ModuleId kernel = b.module({.name = b.string("[kernel]"), .path = b.string("[kernel]"), .kernel = true});
  StringId main_c = b.string("/src/main.c"), step_h = b.string("/src/step.h");
  auto frame = [&](const char* name, ModuleId module, uint64_t address, StringId file, uint32_t line, bool inlined = false) {
    FunctionId f = b.function(name, name, module);
    return b.frame({.function = f, .address = address, .file = file, .line = line, .column = line % 10, .inlined = inlined});
  };
  StackId root = b.stack(frame("main", app, 0x1010, main_c, 11), {});
  StackId work = b.stack(frame("work", app, 0x1020, main_c, 22), root);
  StackId step = b.stack(frame("step", app, 0x1020, step_h, 5, true), work);
  StackId again = b.stack(frame("work", app, 0x1024, main_c, 23), work);
  StackId kernel_leaf = b.stack(frame("do_fault", kernel, 0xffffffff81001000, {}, 0), again);
  uint64_t time_ns = 1'000'000'000;
  auto sample = [&](ThreadId thread, StackId stack, EventId event, int64_t weight, uint32_t cpu) {
    time_ns += 1'000'000;
    b.add_sample({.time_ns = time_ns, .thread = thread, .stack = stack, .event = event, .cpu = cpu, .weight = weight});
  };
  sample(main_thread, step, clock, 1'000'000, 0);
  sample(main_thread, step, clock, 1'000'000, 0);
  sample(worker, kernel_leaf, clock, 1'000'000, 3);
  sample(worker, kernel_leaf, faults, 1, 3);
  sample(main_thread, again, clock, 1'000'500, 0);
  return std::move(b).build();
}

// Names with arbitrary bytes.
inline Profile odd_profile() {
  ProfileBuilder b;
  b.set_command({"./\xff\n", "\"]]>"});
  EventId e = b.event("e v;e\"nt", "ns");
  ThreadId t = b.add_thread(b.add_process(1, "p\x01"), 2, "t\xc3\x28;\n\"");
  StackId s;
  for (std::string name : {"f\"\\\x02</script>", "g\xff\xfe;\n", "h\u2028,\r", ""}) {
    s = b.stack(b.frame({.function = b.function(name, "", b.module("/a\n\"b/m\xf0.so")),
                         .address = UINT64_MAX,
                         .file = b.string("/\x7f\xff.c"),
                         .line = 1}),
                s);
  }
  b.add_sample({.time_ns = 5, .thread = t, .stack = s, .event = e, .weight = 7});
  return std::move(b).build();
}

// As read from folded stacks: no times, no threads, decimal counts, rows of many samples.
inline Profile timeless_profile(std::string_view root_name = "root", int64_t leaf_weight = 3'000'000) {
  ProfileBuilder b;
  b.set_imported("folded stacks", false);
  EventId e = b.event("samples", "samples", 0, 1'000'000);
  ThreadId t = b.add_thread(b.add_process(0, ""), 0, "");
  StackId root = b.stack(b.frame({.function = b.function(root_name, {}, {})}), {});
  StackId leaf = b.stack(b.frame({.function = b.function("leaf", {}, {})}), root);
  b.add_sample({.thread = t, .stack = leaf, .event = e, .weight = leaf_weight, .count = 3});
  b.add_sample({.thread = t, .stack = root, .event = e, .weight = 2'000'000, .count = 2});
  return std::move(b).build();
}

}  // namespace wick::testing_export
