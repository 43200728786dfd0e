// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Requirements for all text readers, on the samples of the golden cases. hostile_test.cc covers bad input.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/text.h"
#include "import/import.h"
#include "import/text/text_formats_test.h"
#include "model/profile_builder.h"

namespace wick {
namespace {

namespace fs = std::filesystem;

constexpr char kPerfScript[] =
    "app 100/101 [000] 10.000100:     250000 cpu-clock:u: \n"
    "\tffffffff821d049d __schedule+0x5cd ([kernel.kallsyms])\n"
    "\t          146f2c main+0x12 (/opt/app/app)\n\n"
    "app 100/101 [000] 10.000200:     250000 cpu-clock:u: \n"
    "\t          146f2c main+0x12 (/opt/app/app)\n\n";

struct TextSample {
  std::string name, text;
};

std::vector<TextSample> text_samples() {
  std::vector<TextSample> samples;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(WICK_SOURCE_DIR) / "tests/golden")) {
    std::string folder = entry.path().filename();
    if (!folder.starts_with("import_") || find_reader(folder.substr(7)) == nullptr) { continue; }
    for (const fs::directory_entry& file : fs::directory_iterator(entry.path())) {
      std::string name = file.path().filename();
      if (name == "cmd" || name == "expected") { continue; }
      std::ifstream in(file.path(), std::ios::binary);
      samples.push_back({folder.substr(7), std::string((std::istreambuf_iterator<char>(in)), {})});
    }
  }
  samples.push_back({"folded", "app;main;work 12\napp;main;rest 3\n"});
  return samples;
}

Head head_of_text(std::string_view text) { return head_of({reinterpret_cast<const uint8_t*>(text.data()), text.size()}); }

TEST(TextFormats, EachIsDetectedByItsOwnReader) {
  std::vector<TextSample> samples = text_samples();
  ASSERT_GE(samples.size(), 24u);
  for (const TextSample& sample : samples) {
    for (const Reader& reader : readers()) {
      bool own = reader.name == sample.name && reader.name != "perf-sched";  // never detected
      bool perf = reader.name.starts_with("perf") && sample.name == "perf-sched";
      // The reader of folded stacks would accept rows of numbers: it comes last.
      if (perf || (reader.name == "folded" && sample.name != "folded")) { continue; }
      EXPECT_EQ(reader.detect(head_of_text(sample.text)), own) << sample.name << " by " << reader.name;
    }
    if (sample.name == "perf-sched") { continue; }
    const Reader* found = detect_reader(head_of_text(sample.text));
    ASSERT_NE(found, nullptr) << sample.name;
    EXPECT_EQ(found->name, sample.name);
  }
}

TEST(TextFormats, OtherTextIsNotDetected) {
  constexpr const char* kOthers[] = {
      kPerfScript,
      "#include <stdio.h>\nint main(void) {\n  return puts(\"x\") < 0;\n}\n",
      "# Notes\n\n- one\n- two: `code`\n\n    12\n\n1. first (see above)\n2. second\n",
      "name,count,share\nalpha,12,50.0%\nbeta,12,50.0%\n",
      "name\tcount\nalpha\t12\n",
      "{\"a\": [1, 2, {\"Samples:\": 3}]}\n",
      "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"><g/></svg>\n",
      "2026-11-16 10:00:00 INFO started (pid 12)\n2026-11-16 10:00:01 WARN slow: 12 ms\n",
      "total 12\n-rw-r--r-- 1 root root 12 Nov 16 10:00 a\n",
      "Thread of thought\n(12 of them)\n",
      "@@ -1,2 +1,2 @@\n-a\n+b\n",
      "\n\n\n",
      "12\n13\n14\n",
  };
  for (const char* text : kOthers) {
    for (const Reader& reader : readers()) {
      if (reader.name == "folded" || reader.name.starts_with("perf")) { continue; }
      EXPECT_FALSE(reader.detect(head_of_text(text))) << text << " by " << reader.name;
    }
  }
}

TEST(TextFormats, CarriageReturnsAndTheLastNewlineDoNotMatter) {
  for (const TextSample& sample : text_samples()) {
    if (sample.name == "folded") { continue; }
    std::string wanted = describe_import(sample.name, sample.text);
    EXPECT_FALSE(wanted.starts_with("error")) << sample.name << ": " << wanted;
    std::string crlf;
    for (char c : sample.text) { crlf += c == '\n' ? std::string("\r\n") : std::string(1, c); }
    EXPECT_TRUE(describe_import(sample.name, crlf) == wanted) << sample.name;
    if (sample.name != "perf-sched") { EXPECT_EQ(detect_reader(head_of_text(crlf)), find_reader(sample.name)) << sample.name; }
    std::string_view cut = sample.text;
    while (cut.ends_with('\n')) { cut.remove_suffix(1); }
    EXPECT_TRUE(describe_import(sample.name, std::string(cut)) == wanted) << sample.name;
  }
}

// Samples merged while reading have the same totals.
TEST(TextFormats, MergingKeepsTheTotals) {
  auto totals = [](const std::string& name, const std::string& text, bool merge) {
    Result<Profile> p = import_text(name, text, {.merge = merge});
    int64_t weight = 0;
    uint64_t count = 0;
    for (const Sample& s : p->samples()) {
      weight += s.weight;
      count += s.count;
    }
    return std::pair(weight, count);
  };
  for (const TextSample& sample : text_samples()) {
    if (sample.name == "folded") { continue; }
    EXPECT_EQ(totals(sample.name, sample.text, true), totals(sample.name, sample.text, false)) << sample.name;
  }
}

TEST(TextFormats, WrongFormatErrorsSayWhatWasExpected) {
  for (const TextSample& sample : text_samples()) {
    if (sample.name == "folded") { continue; }
    Result<Profile> p = import_text(sample.name, "these are\nno stacks\nof any kind\n");
    ASSERT_FALSE(p.ok()) << sample.name;
    EXPECT_NE(p.error().message().find("expected"), std::string::npos) << sample.name << ": " << p.error().message();
    EXPECT_FALSE(import_text(sample.name, "").ok()) << sample.name;
  }
}

TEST(TextFormats, SkipsAbsurdCounts) {
  std::string text =
      " app`f\n 99999999999999999999999999\n app`f\n 18446744073709551615\n app`f\n 9007199254740992\n app`g\n 5\n";
  EXPECT_EQ(describe_import("dtrace", text),
            "samples/samples 9007199254740992 x9007199254740992 []: app`f@app\n"
            "samples/samples 5 x5 []: app`g@app\n"
            "warning: skipped 2 unreadable lines (first: line 2)\n");
}

}  // namespace
}  // namespace wick
