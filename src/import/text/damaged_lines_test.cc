// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Damaged lines are never dropped silently. Each line of each sample is replaced in turn by an invalid one: the result is the
// same, or there is a warning, or the line is visible as a frame, if the format accepts any line.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "base/text.h"
#include "import/import.h"
#include "import/text/text_formats_test.h"
#include "model/profile_builder.h"

namespace wick {
namespace {

namespace fs = std::filesystem;

struct TextSample {
  std::string name, file, text;
};

std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(in)), {});
}

const std::vector<TextSample>& text_samples() {
  static const std::vector<TextSample> all = [] {
    std::vector<TextSample> samples;
    for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(WICK_SOURCE_DIR) / "tests/golden")) {
      std::string folder = entry.path().filename();
      const Reader* reader = folder.starts_with("import_") ? find_reader(folder.substr(7)) : nullptr;
      if (reader == nullptr) { continue; }
      for (const fs::directory_entry& file : fs::directory_iterator(entry.path())) {
        std::string name = file.path().filename(), text = contents(file.path());
        bool is_sample = name != "cmd" && name != "expected" && text.find('\0') == text.npos && !text.starts_with('{');
        if (is_sample) { samples.push_back({folder.substr(7), name, text}); }
      }
    }
    samples.push_back({"callgrind", "out", "events: Ir\nfl=a.c\nfn=main\n1 5\ncfn=work\ncalls=1 10\n2 30\nfn=work\n10 30\n"});
    samples.push_back({"folded", "stacks", "app;main;work 12\napp;main;rest 3\n"});
    samples.push_back({"perf-script", "text",
                       "app 100/101 [000] 10.000100:     250000 cpu-clock:u: \n"
                       "\tffffffff821d049d __schedule+0x5cd ([kernel.kallsyms])\n"
                       "\t          146f2c main+0x12 (/opt/app/app)\n\n"
                       "app 100/101 [000] 10.000200:     250000 cpu-clock:u: \n"
                       "\t          146f2c main+0x12 (/opt/app/app)\n\n"});
    return samples;
  }();
  return all;
}

// Without locations and addresses, which damage elsewhere in the line may remove.
std::string stacks_of(const Profile& p) {
  std::string out;
  for (const Sample& s : p.samples()) {
    std::string stack;
    for (StackId id = s.stack; id.valid(); id = p[id].caller) {
      stack = std::string(p.text(p[p[p[id].frame].function].name)) + ";" + stack;
    }
    out += strf("%s %lld [%s] ", std::string(p.text(p[s.event].name)).c_str(), static_cast<long long>(s.weight),
                std::string(p.text(p[s.thread].name)).c_str()) +
           stack + "\n";
  }
  return out;
}

struct Outcome {
  std::string stacks;
  std::vector<std::string> warnings;
  bool failed = false;
};
Outcome outcome_of(const std::string& name, const std::string& text) {
  Result<Profile> p = import_text(name, text);
  if (!p.ok()) { return {{}, {}, true}; }
  return {stacks_of(*p), p->warnings()};
}

constexpr std::string_view kDamage = "~~damaged~~";

TEST(DamagedLines, AreReportedByEveryReader) {
  std::set<std::string> seen;
  for (const TextSample& sample : text_samples()) {
    Outcome good = outcome_of(sample.name, sample.text);
    ASSERT_FALSE(good.failed) << sample.name;
    seen.insert(sample.name);
    std::vector<std::string_view> lines = split(sample.text, '\n');
    for (size_t i = 0; i < lines.size(); ++i) {
      if (trim(lines[i]).empty() || lines[i].starts_with('#')) { continue; }
      std::string text;
      for (size_t k = 0; k < lines.size(); ++k) {
        std::string_view indent = lines[k].substr(0, lines[k].find_first_not_of(" \t"));
        text += k == i ? std::string(indent) + std::string(kDamage) : std::string(lines[k]);
        if (k + 1 < lines.size()) { text += '\n'; }
      }
      Outcome damaged = outcome_of(sample.name, text);
      bool is_noticed = damaged.failed || damaged.warnings != good.warnings || damaged.stacks == good.stacks ||
                        damaged.stacks.find(kDamage) != std::string::npos;
      EXPECT_TRUE(is_noticed) << sample.name << "/" << sample.file << ", line " << i + 1 << ": " << lines[i] << "\n"
                              << damaged.stacks;
    }
  }
  for (const Reader& reader : readers()) {
    bool is_text = std::string_view(reader.name) != "pprof" && reader.name != "otlp" && reader.read != nullptr;
    for (std::string_view other : {"firefox", "gecko", "speedscope", "cpuprofile", "chrome-trace", "dhat", "otlp-json", "json"}) {
      is_text = is_text && reader.name != other;
    }
    EXPECT_EQ(seen.count(std::string(reader.name)) > 0, is_text) << reader.name << ": each reader of text has a sample";
  }
}

struct Damaged {
  const char *format, *what, *text, *warning;
};
constexpr const char* kTwoOfThree = "skipped 1 unreadable line (first: line 3)";
const Damaged kDamaged[] = {
    {"vtune", "a row truncated before its cost", "Function Stack,Module,CPU Time:Self\nmain,app,1.5\n work,app\n", kTwoOfThree},
    {"vtune", "a row whose quote is open", "Function Stack,CPU Time:Self\nmain,1.5\n \"work,0.5\n", kTwoOfThree},
    {"vtune", "a caller without a cost", "Function;Function Stack;CPU Time\nf;;5s\n;main\n", kTwoOfThree},
    {"vtune", "a cost that is not a number", "Function Stack,CPU Time:Self\nmain,1.5\n work,1.x\n", kTwoOfThree},
    {"sample", "a call graph that ends early", "Call graph:\n    9 Thread_1\n    + 9 main  (in app)\n    +   5 work  (in app)\n",
     "the call graph is truncated at line 4"},
    {"vsprof", "a share that is not a number",
     "Level,Function Name,Number of Calls,Elapsed Exclusive Time %\n0,main,1,50.00\n1,work,1,x\n", kTwoOfThree},
    {"wcp", "frames without a heading", "50.0% ==== (2 samples)\n  1: f\n\nx (1 samples)\n  1: g\n",
     "skipped 1 unreadable line (first: line 5)"},
    {"jstack", "a thread without a state",
     "\"a\" #1 prio=5\n   java.lang.Thread.State: RUNNABLE\n\tat A.f(A.java:1)\n\n"
     "\"b\" #2 prio=5\n\tat A.g(A.java:1)\n",
     "(first: line 5)"},
    {"ibmjava", "a frame of no thread",
     "3XMTHREADINFO \"a\" J9VMThread:0x1, state:R, prio=5\n4XESTACKTRACE at a/A.f(A.java:1)\n"
     "3XMTHREADINFO \"b\n4XESTACKTRACE at a/A.g(A.java:1)\n",
     "skipped 2 unreadable lines (first: line 3)"},
    {"java-exceptions", "a first frame", "java.lang.Error: x\n\txx A.f(A.java:1)\n\tat A.g(A.java:2)\n", "(first: line 2)"},
    {"java-exceptions", "how many frames are the same", "E\n\tat A.f(A.java:1)\nCaused by: F\n\tat A.g(A.java:2)\n\t... x more\n",
     "(first: line 5)"},
    {"gdb", "a missing number", "#0  0x1 in f () at a.c:1\n#2  0x3 in main () at a.c:3\n", "(first: line 2)"},
    {"gdb", "a line with a malformed number", "#0  0x1 in f () at a.c:1\n#x  0x3 in main () at a.c:3\n", "(first: line 2)"},
    {"elfutils", "a missing number", "TID 1:\n#0  0x1 f\n#2  0x3 main\n", kTwoOfThree},
    {"faulthandler", "frames without a heading",
     "Stack (most recent call first):\n  File \"a.py\", line 1 in f\n\n  File \"a.py\", line 2 in g\n", "(first: line 4)"},
    {"ljp", "a stack of another depth", "5 2 A.f(A.java:1)\n  A.g(A.java:2)\n3 2 A.h(A.java:1)\n", kTwoOfThree},
    {"bpftrace", "the end of an entry that never began", "@[\n    f+1\n]: 2\nx[\n    g+1\n]: 3\n", "(first: line 6)"},
    {"dtrace", "a stack without a count", " app`f\n 5\n app`g\ndtrace: x\n", kTwoOfThree},
    {"go-traces", "a rule between two stacks", "-----------+-------\n      10ms   f\n             g\n      20ms   h\n",
     kTwoOfThree},
    {"callgrind", "an unknown key", "events: Ir\nfn=f\n1 5\nxx: y\n", "line 4: unknown key \"xx:\""},
    {"xdebug", "a second trace that never began",
     "TRACE START [x]\n1\t0\t0\t0.1\t1\tf\t1\t\ta.php\t1\n1\t0\t1\t0.2\t1\n"
     "TRACE END [x]\n1\t0\t0\t0.1\t1\tf\t1\t\ta.php\t1\n",
     "(first: line 5)"},
};

TEST(DamagedLines, SpecialCases) {
  for (const Damaged& d : kDamaged) {
    Result<Profile> p = import_text(d.format, d.text);
    ASSERT_TRUE(p.ok()) << d.format << ", " << d.what << ": " << p.error().message();
    std::string all;
    for (const std::string& warning : p->warnings()) { all += warning + "\n"; }
    EXPECT_NE(all.find(d.warning), std::string::npos) << d.format << ", " << d.what << ": " << all << describe(*p);
  }
}

// A blank line, or following text, shows that the graph is complete.
TEST(DamagedLines, CompleteCallGraphHasNoWarning) {
  EXPECT_EQ(describe_import("sample", "Call graph:\n    9 Thread_1\n    + 9 main  (in app)\n\n").find("warning"),
            std::string::npos);
}

}  // namespace
}  // namespace wick
