// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Read back field by field, by profile.proto's numbers.

#include <gtest/gtest.h>

#include <map>
#include <protozero/pbf_reader.hpp>

#include "base/utf8.h"
#include "export/export_testing.h"

namespace wick {
namespace {

using testing_export::odd_profile;
using testing_export::small_profile;
using testing_export::timeless_profile;
using testing_export::written;

struct Read {
  std::vector<std::string> strings;
  std::vector<std::string> types;    // "cpu/nanoseconds"
  std::vector<std::string> samples;  // "0x1020,0x1010 = 1,2 pid:100"
  std::map<uint64_t, std::string> locations, functions, mappings;
  int64_t default_type = 0;
};

using protozero::pbf_reader;

std::string type_text(const Read& r, pbf_reader m) {
  int64_t type = 0, unit = 0;
  while (m.next()) { (m.tag() == 1 ? type : unit) = m.get_int64(); }
  return r.strings[type] + "/" + r.strings[unit];
}

Read read(const std::string& bytes) {
  Read r;
  for (pbf_reader m(bytes); m.next(6);) { r.strings.push_back(m.get_string()); }
  for (pbf_reader m(bytes); m.next(5);) {
    pbf_reader f = m.get_message();
    uint64_t id = 0;
    int64_t name = 0, file = 0;
    while (f.next()) {
      if (f.tag() == 1) {
        id = f.get_uint64();
        continue;
      }
      int64_t v = f.get_int64();
      if (f.tag() == 2) { name = v; }
      if (f.tag() == 4) { file = v; }
    }
    r.functions[id] = r.strings[name] + "@" + r.strings[file];
  }
  for (pbf_reader m(bytes); m.next(3);) {
    pbf_reader f = m.get_message();
    uint64_t id = 0;
    std::string text;
    while (f.next()) {
      if (f.tag() == 1) {
        id = f.get_uint64();
        continue;
      }
      uint64_t v = f.get_uint64();
      if (f.tag() == 5 || f.tag() == 6) { text += r.strings[v] + " "; }
    }
    r.mappings[id] = text;
  }
  for (pbf_reader m(bytes); m.next(4);) {
    pbf_reader f = m.get_message();
    uint64_t id = 0, mapping = 0;
    std::string text;
    while (f.next()) {
      if (f.tag() == 4) {
        pbf_reader line = f.get_message();
        while (line.next()) {
          uint64_t v = line.get_uint64();
          text += line.tag() == 1 ? " " + r.functions[v] : ":" + std::to_string(v);
        }
        continue;
      }
      uint64_t v = f.get_uint64();
      if (f.tag() == 1) { id = v; }
      if (f.tag() == 2) { mapping = v; }
    }
    r.locations[id] = r.mappings[mapping] + text;
  }
  for (pbf_reader m(bytes); m.next();) {
    if (m.tag() == 1) {
      r.types.push_back(type_text(r, m.get_message()));
    } else if (m.tag() == 14) {
      r.default_type = m.get_int64();
    } else if (m.tag() == 2) {
      pbf_reader s = m.get_message();
      std::string text;
      while (s.next()) {
        if (s.tag() == 1) {
          for (uint64_t id : s.get_packed_uint64()) { text += std::to_string(id) + ","; }
        } else if (s.tag() == 2) {
          text += " =";
          for (int64_t v : s.get_packed_int64()) { text += " " + std::to_string(v); }
        } else {
          pbf_reader label = s.get_message();
          while (label.next()) {
            int64_t v = label.get_int64();
            text += label.tag() == 1 ? " " + r.strings[v] : label.tag() == 2 ? ":" + r.strings[v] : ":" + std::to_string(v);
          }
        }
      }
      r.samples.push_back(text);
    } else {
      m.skip();
    }
  }
  return r;
}

TEST(Pprof, SamplesLocationsAndLabels) {
  Read r = read(written(write_pprof, small_profile(), {}, true));
  EXPECT_EQ(r.strings.at(0), "");
  EXPECT_EQ(r.types, (std::vector<std::string>{"samples/count", "cpu/nanoseconds", "page-faults/faults"}));
  EXPECT_EQ(r.strings.at(r.default_type), "cpu");
  EXPECT_EQ(r.samples,
            (std::vector<std::string>{"1,2, = 2 2000000 0 process:app pid:100 thread:app tid:100 event:cpu-clock",
                                      "3,4,5,2, = 1 1000000 0 process:app pid:100 thread:worker tid:101 event:cpu-clock",
                                      "4,5,2, = 1 1000500 0 process:app pid:100 thread:app tid:100 event:cpu-clock",
                                      "3,4,5,2, = 1 0 1 process:app pid:100 thread:worker tid:101 event:page-faults"}));
  std::string app = "/usr/bin/app 0011223344556677889900aabbccddeeff001122 ";
  EXPECT_EQ(r.mappings[1], app) << "the program comes first";
  EXPECT_EQ(r.locations[1], app + " step@/src/step.h:5:5 work@/src/main.c:22:2") << "an inlined function";
  EXPECT_EQ(r.locations[5], app + " work@/src/main.c:22:2") << "the same place without it";
  EXPECT_EQ(r.locations[3], "[kernel]   do_fault@");
}

// Two kinds of CPU time, and two events with sample counts only: one column each.
TEST(Pprof, EventsAreSeparate) {
  ProfileBuilder b;
  ThreadId t = b.add_thread(b.add_process(1, "p"), 1, "t");
  StackId stack = b.stack(b.frame({.function = b.function("f", "", {})}), {});
  int64_t weight = 10;
  for (const char* name : {"task-clock", "cpu-clock"}) {
    b.add_sample({.thread = t, .stack = stack, .event = b.event(name, "ns"), .weight = weight++});
  }
  for (const char* name : {"before", "after"}) {
    b.add_sample({.thread = t, .stack = stack, .event = b.event(name, "samples"), .weight = 1});
  }
  Read r = read(written(write_pprof, std::move(b).build(), {}, true));
  EXPECT_EQ(r.types, (std::vector<std::string>{"samples/count", "cpu/nanoseconds", "cpu-clock/nanoseconds", "before/samples",
                                               "after/samples"}));
  std::string who = " process:p pid:1 thread:t tid:1 event:";
  EXPECT_EQ(r.samples, (std::vector<std::string>{"1, = 1 10 0 0 0" + who + "task-clock", "1, = 1 0 11 0 0" + who + "cpu-clock",
                                                 "1, = 1 0 0 1 0" + who + "before", "1, = 1 0 0 0 1" + who + "after"}));
}

TEST(Pprof, SingleEventHasNoLabel) {
  Read r = read(written(write_pprof, timeless_profile()));
  EXPECT_EQ(r.types, std::vector<std::string>{"samples/count"});
  EXPECT_EQ(r.samples, (std::vector<std::string>{"1,2, = 3", "2, = 2"}));
}

TEST(Pprof, TextIsUtf8) {
  for (const std::string& text : read(written(write_pprof, odd_profile())).strings) {
    for (std::string_view rest = text; !rest.empty();) {
      CodePoint c = decode_utf8(rest);
      EXPECT_TRUE(c.valid);
      rest.remove_prefix(c.size);
    }
  }
}

}  // namespace
}  // namespace wick
