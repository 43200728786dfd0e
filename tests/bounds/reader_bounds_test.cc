// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Limits on memory and work of a reader for any input: a constant plus a multiple of the input's size (docs/formats.md lists
// them), and twice the input costs at most two and a half times as much. Memory is counted in operator new. Work is the number of
// executed basic blocks, if the compiler can count them (clang, in the build with the address sanitizer). Other load on the
// machine affects neither. A separate program, since it replaces operator new.
//
// WICK_BOUNDS_PRINT=1 prints the worst case of each format.

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstdlib>
#include <functional>
#include <map>
#include <new>
#include <string>
#include <vector>

#include "base/text.h"
#include "import/common/format_samples.h"
#include "import/import.h"
#include "import/perf/perf_data.h"
#include "import/perf/perf_data_testing.h"

namespace {
std::atomic<size_t> live_bytes, peak_bytes, all_bytes;
size_t steps;  // readers get one thread here

void* allocate(size_t size) {
  void* p = std::malloc(size);
  if (p == nullptr) { std::abort(); }
  size_t bytes = ::malloc_usable_size(p), now = live_bytes += bytes;
  all_bytes += bytes;
  size_t peak = peak_bytes;
  while (now > peak && !peak_bytes.compare_exchange_weak(peak, now)) {}
  return p;
}
void release(void* p) {
  if (p != nullptr) { live_bytes -= ::malloc_usable_size(p); }
  std::free(p);
}
}  // namespace

void* operator new(size_t size) { return allocate(size); }
void* operator new[](size_t size) { return allocate(size); }
void* operator new(size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new[](size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void operator delete(void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, size_t) noexcept { release(p); }
void operator delete[](void* p, size_t) noexcept { release(p); }

extern "C" void __sanitizer_cov_trace_pc_guard(uint32_t*) { ++steps; }
extern "C" void __sanitizer_cov_trace_pc_guard_init(uint32_t*, uint32_t*) {}

namespace wick {
namespace {

using testing_import::format_samples;
using testing_import::FormatSample;

// As listed in docs/formats.md.
constexpr size_t kConstant = size_t{1} << 20, kFactor = 250;
// Higher limits for some inputs: a constant, and per byte.
struct Extra {
  size_t bytes = 0, steps = 0, steps_per_byte = 0;
};
constexpr Extra kNothingMore{};
constexpr Extra kCallGraph{.bytes = size_t{64} << 20, .steps = 1'200'000'000};  // is expanded to at most 200,000 nodes
constexpr Extra kReferences{.steps_per_byte = 5000};  // samples may have 16 frames per byte, and are read twice
constexpr double kGrowth = 2.5;
constexpr size_t kConstantSteps = 20'000, kStepsPerByte = 1000;
constexpr size_t kSmall = size_t{6} << 10, kNoise = size_t{64} << 10;

struct Cost {
  size_t peak = 0, all = 0, steps = 0;
};
template <typename Run>
Cost cost_of(const Run& run) {
  size_t before = live_bytes, all = all_bytes;
  peak_bytes = before;
  steps = 0;
  run();
  return {peak_bytes - before, all_bytes - all, steps};
}

using Make = std::function<std::string(size_t bytes)>;
using Read = std::function<void(const std::string& input)>;

struct Worst {
  size_t peak = 0, bytes = 0;
  std::string what;
  double steps_per_byte = 0;
  std::string slowest;
};
std::map<std::string, Worst>& worst() {
  static std::map<std::string, Worst> all;
  return all;
}

void check(const std::string& format, const std::string& what, const Make& make, const Read& read, Extra extra = kNothingMore) {
  std::string once = make(kSmall), twice = make(2 * kSmall);
  Cost one = cost_of([&] { read(once); }), two = cost_of([&] { read(twice); });
  for (const auto& [cost, input] : {std::pair(one, &once), std::pair(two, &twice)}) {
    EXPECT_LE(cost.peak, kConstant + extra.bytes + kFactor * input->size())
        << format << ", " << what << ", " << input->size() << " bytes";
    EXPECT_LE(cost.steps, kConstantSteps + extra.steps + (kStepsPerByte + extra.steps_per_byte) * input->size())
        << format << ", " << what << ", " << input->size() << " bytes";
  }
  double size_growth = static_cast<double>(twice.size()) / static_cast<double>(once.size());
  EXPECT_LE(static_cast<double>(two.all),
            kGrowth / 2 * size_growth * static_cast<double>(one.all) + static_cast<double>(kNoise + 2 * extra.bytes))
      << format << ", " << what << ": " << one.all << " bytes were allocated for " << once.size() << ", " << two.all << " for "
      << twice.size();
  EXPECT_LE(static_cast<double>(two.steps),
            kGrowth / 2 * size_growth * static_cast<double>(one.steps) + static_cast<double>(kConstantSteps + extra.steps))
      << format << ", " << what << ": " << one.steps << " steps for " << once.size() << " bytes, " << two.steps << " for "
      << twice.size();
  Worst& w = worst()[format];
  if (two.peak > w.peak) { w.peak = two.peak, w.bytes = twice.size(), w.what = what; }
  double per_byte = static_cast<double>(two.steps) / static_cast<double>(twice.size());
  if (per_byte > w.steps_per_byte) { w.steps_per_byte = per_byte, w.slowest = what; }
}

void read_with(const Reader& reader, const std::string& text) {
  for (bool merge : {false, true}) {
    Input input(make_memory_pieces({reinterpret_cast<const uint8_t*>(text.data()), text.size()}));
    (void)import_profile(input, reader, {.merge = merge, .threads = 1});
  }
}

std::string repeat(std::string_view part, size_t bytes) {
  std::string out;
  while (out.size() < bytes && !part.empty()) { out += part; }
  return out;
}

std::string replace_numbers(std::string_view line, size_t number) {
  std::string out;
  for (size_t i = 0; i < line.size();) {
    if (std::isdigit(static_cast<unsigned char>(line[i])) == 0) {
      out += line[i++];
      continue;
    }
    out += std::to_string(number);
    while (i < line.size() && std::isdigit(static_cast<unsigned char>(line[i])) != 0) { ++i; }
  }
  return out;
}

TEST(ReaderBounds, LinesOfText) {
  for (const FormatSample& sample : format_samples()) {
    bool is_json = sample.text.starts_with('{') || sample.text.starts_with('[');
    if (!sample.is_text || is_json) { continue; }
    std::string format(sample.reader->name);
    auto check_text = [&](const std::string& what, const Make& make) {
      check(format, what, make, [&](const std::string& text) { read_with(*sample.reader, text); });
    };
    check_text("the file again and again", [&](size_t bytes) { return repeat(sample.text + "\n", bytes); });
    std::vector<std::string_view> lines = split(sample.text, '\n');
    constexpr size_t kMostLines = 12;
    for (size_t i = 0; i < lines.size() && i < kMostLines; ++i) {
      std::string_view line = lines[i];
      if (trim(line).empty()) { continue; }
      size_t begin = static_cast<size_t>(line.data() - sample.text.data());
      std::string before = sample.text.substr(0, begin), after = sample.text.substr(begin + line.size());
      std::string place = strf("line %zu", i + 1);
      auto with = [&](const std::string& what, const std::function<std::string(size_t)>& nth) {
        check_text(place + what, [&](size_t bytes) {
          std::string text = before;
          for (size_t k = 0; text.size() < bytes; ++k) { text += nth(k) + "\n"; }
          return text + std::string(line) + after;
        });
      };
      with(" repeated", [&](size_t) { return std::string(line); });
      with(" with other numbers", [&](size_t k) { return replace_numbers(line, k); });
      with(" deeper each time", [&](size_t k) { return std::string(k, ' ') + std::string(line); });
      with(" with huge numbers", [&](size_t) { return replace_numbers(line, 4'000'000'000'000'000); });
      for (char c : {'a', '(', ';', '\t'}) {
        check_text(place + strf(" with a tail of '%c'", c),
                   [&](size_t bytes) { return before + std::string(line) + std::string(bytes, c) + after; });
      }
    }
  }
}

// Each list of a JSON file with its first element repeated; and nested brackets.
TEST(ReaderBounds, ListsOfJson) {
  for (const FormatSample& sample : format_samples()) {
    if (sample.text.find_first_not_of(" \n") == std::string::npos || (sample.text[0] != '{' && sample.text[0] != '[')) {
      continue;
    }
    std::string format(sample.reader->name);
    auto check_text = [&](const std::string& what, const Make& make) {
      check(format, what, make, [&](const std::string& text) { read_with(*sample.reader, text); });
    };
    size_t lists = 0;
    for (size_t at = 0; (at = sample.text.find('[', at)) != std::string::npos && ++lists < 60; ++at) {
      size_t depth = 0, end = at + 1;
      bool quoted = false;
      for (; end < sample.text.size(); ++end) {
        char c = sample.text[end];
        if (c == '\\' && quoted) {
          ++end;
        } else if (c == '"') {
          quoted = !quoted;
        } else if (!quoted && (c == '[' || c == '{')) {
          ++depth;
        } else if (!quoted && ((c == ',' && depth == 0) || ((c == ']' || c == '}') && depth-- == 0))) {
          break;
        }
      }
      std::string element = sample.text.substr(at + 1, end - at - 1);
      if (trim(element).empty()) { continue; }
      std::string place = strf("the list at byte %zu", at);
      auto with = [&](const std::string& what, const std::function<std::string(size_t)>& nth) {
        check_text(place + what, [&](size_t bytes) {
          std::string text = sample.text.substr(0, at + 1);
          for (size_t k = 0; text.size() < bytes; ++k) { text += nth(k) + ","; }
          return text + sample.text.substr(at + 1);
        });
      };
      with(" repeated", [&](size_t) { return element; });
      with(" with other numbers", [&](size_t k) { return replace_numbers(element, k); });
    }
    for (std::string_view part : {"[", "{\"a\":", "\"\\u0041", "[[],", "{\"nodes\":["}) {
      check_text("nested " + std::string(part), [&](size_t bytes) { return repeat(part, bytes); });
    }
  }
}

class Proto {
 public:
  Proto& varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) { out_ += static_cast<char>(value | 0x80); }
    out_ += static_cast<char>(value);
    return *this;
  }
  Proto& number(unsigned field, uint64_t value) { return varint(field << 3).varint(value); }
  Proto& bytes(unsigned field, std::string_view text) {
    varint(field << 3 | 2).varint(text.size());
    out_ += text;
    return *this;
  }
  const std::string& text() const { return out_; }

 private:
  std::string out_;
};

// Every field of a file repeated, including nested ones; and tables whose references make a few bytes expand to a lot.
TEST(ReaderBounds, FieldsOfProtobuf) {
  auto take_varint = [](std::string_view text, size_t& at) {
    uint64_t value = 0;
    for (unsigned shift = 0; at < text.size() && shift < 64; shift += 7) {
      auto byte = static_cast<uint8_t>(text[at++]);
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) { break; }
    }
    return value;
  };
  for (const FormatSample& sample : format_samples()) {
    if (sample.is_text) { continue; }
    std::string format(sample.reader->name);
    Read reader = [&](const std::string& text) { read_with(*sample.reader, text); };
    for (size_t at = 0, fields = 0; at < sample.text.size() && fields < 40; ++fields) {
      size_t begin = at;
      uint64_t tag = take_varint(sample.text, at), value = take_varint(sample.text, at);
      if ((tag & 7) == 2) { at += std::min<size_t>(value, sample.text.size() - at); }
      std::string field = sample.text.substr(begin, at - begin);
      check(
          format, strf("the field at byte %zu repeated", begin), [&](size_t bytes) { return sample.text + repeat(field, bytes); },
          reader);
    }
    check(
        format, "lengths that are huge", [&](size_t bytes) { return sample.text + repeat("\x12\xff\xff\xff\xff\x0f", bytes); },
        reader);
  }
  // One location with many inlined functions, and many samples that contain it many times.
  check(
      "pprof", "a location of many lines in many samples",
      [](size_t bytes) {
        Proto file, location;
        file.bytes(1, Proto().number(1, 1).number(2, 2).text());
        for (std::string_view text : {"", "samples", "count", "f"}) { file.bytes(6, text); }
        file.bytes(5, Proto().number(1, 1).number(2, 3).text());
        location.number(1, 1);
        for (size_t i = 0; location.text().size() < bytes / 2; ++i) {
          location.bytes(4, Proto().number(1, 1).number(2, i).text());
        }
        file.bytes(4, location.text());
        while (file.text().size() < bytes) { file.bytes(2, Proto().bytes(1, std::string(100, '\1')).bytes(2, "\1").text()); }
        return file.text();
      },
      [](const std::string& text) { read_with(*find_reader("pprof"), text); }, kReferences);
}

// The same in text: locations with many lines, and a call graph with more stacks than bytes.
TEST(ReaderBounds, WhatRefersToMuch) {
  check(
      "go", "a location of many lines in many samples",
      [](size_t bytes) {
        std::string samples = "Samples:\nsamples/count\n", locations = "Locations\n";
        while (samples.size() < bytes / 2) { samples += "1: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n"; }
        for (int i = 0; locations.size() < bytes / 2; ++i) {
          locations += i == 0 ? "1: 0x1 M=1 f a.go:1:0 s=1\n" : strf("        f%d a.go:1:0 s=1\n", i);
        }
        return samples + locations;
      },
      [](const std::string& text) { read_with(*find_reader("go"), text); }, kReferences);
  check(
      "callgrind", "two ways to the next function, again and again",
      [](size_t bytes) {
        std::string text = "events: Ir\n";
        for (int i = 0; text.size() < bytes; ++i) {
          text += strf("fn=f%d\n1 1\ncfn=g%d\ncalls=1 1\n1 1000\ncfn=h%d\ncalls=1 1\n1 1000\n", i, i, i);
          text += strf("fn=g%d\n1 1\ncfn=f%d\ncalls=1 1\n1 1000\nfn=h%d\n1 1\ncfn=f%d\ncalls=1 1\n1 1000\n", i, i + 1, i, i + 1);
        }
        return text;
      },
      [](const std::string& text) { read_with(*find_reader("callgrind"), text); }, kCallGraph);
  Read read_folded_text = [](const std::string& text) { read_with(*find_reader("folded"), text); };
  check("folded", "one stack of many frames", [](size_t bytes) { return repeat("a;b;", bytes) + "c 1\n"; }, read_folded_text);
  check(
      "folded", "names of two bytes",
      [](size_t bytes) {
        std::string text;
        for (size_t i = 0; text.size() < bytes; ++i) {
          text += {static_cast<char>('a' + i % 26), static_cast<char>('A' + i / 26 % 26), ' ', '1', '\n'};
        }
        return text;
      },
      read_folded_text);
  check(
      "java-exceptions", "causes that have the frames of the one before",
      [](size_t bytes) {
        std::string text = "E\n";
        for (int i = 0; text.size() < bytes / 2; ++i) { text += strf("\tat A.f%d(A.java:1)\n", i); }
        int more = static_cast<int>(bytes / 2 / 24);
        for (int i = 0; text.size() < bytes; ++i) { text += strf("Caused by: E\n\tat A.g(A.java:%d)\n\t... %d more\n", i, more); }
        return text;
      },
      [](const std::string& text) { read_with(*find_reader("java-exceptions"), text); });
  check(
      "xctrace", "a backtrace of many frames in many rows",
      [](size_t bytes) {
        std::string text = "<trace-query-result><node><schema name=\"x\"/><row><backtrace id=\"1\">";
        for (int i = 2; text.size() < bytes / 2; ++i) { text += strf("<frame id=\"%d\" name=\"f%d\"/>", i, i); }
        text += "</backtrace></row>";
        while (text.size() < bytes) { text += "<row><backtrace ref=\"1\"/></row>"; }
        return text + "</node></trace-query-result>";
      },
      [](const std::string& text) { read_with(*find_reader("xctrace"), text); });
}

struct Dropped : RawSink {
  void consume(RawBatch&) override {}
};

TEST(ReaderBounds, RecordsOfPerfData) {
  using Maker = PerfDataMaker;
  Read read = [](const std::string& text) {
    Dropped sink;
    PerfDataReader reader(sink);
    Input input(make_memory_pieces({reinterpret_cast<const uint8_t*>(text.data()), text.size()}));
    (void)reader.read(input);
  };
  auto with = [&](const std::string& what, const std::function<void(Maker&, size_t)>& add, bool packed = false) {
    for (bool pipe : {false, true}) {
      check(
          "perf-data", what + (pipe ? ", in a pipe" : ""),
          [&](size_t bytes) {
            Maker m;
            m.add_attr({});
            for (size_t i = 0; m.records().size() < bytes; ++i) { add(m, i); }
            if (packed) { m.compress(1000); }
            std::vector<uint8_t> out = pipe ? m.pipe() : m.file();
            return std::string(out.begin(), out.end());
          },
          read);
    }
  };
  with("samples", [](Maker& m, size_t i) { m.add_sample(m.sample(1, i, 5, 5, i, 1)); });
  with("samples backwards in time", [](Maker& m, size_t i) { m.add_sample(m.sample(1, i, 5, 5, 1'000'000 - i, 1)); });
  with("names", [](Maker& m, size_t i) { m.add_comm(static_cast<uint32_t>(i), "app", i); });
  with("mappings", [](Maker& m, size_t i) { m.add_mmap(5, i << 12, 4096, 0, "/bin/app", i); });
  with("build-ids", [](Maker& m, size_t) {
    Maker::Writer w = m.writer();
    w.w32(0), w.bytes(std::vector<uint8_t>(24, 1)), w.name("/bin/app");
    m.add(67, PERF_RECORD_MISC_USER, w);
  });
  with("symbols of the kernel", [](Maker& m, size_t i) {
    Maker::Writer w = m.writer();
    w.w64(i), w.w32(1), w.w16(0), w.w16(0), w.name("f");
    m.add(PERF_RECORD_KSYMBOL, 0, w);
  });
  with("headers alone", [](Maker& m, size_t i) { m.add(static_cast<uint32_t>(i % 100), 0, m.writer()); });
  with("features of many words", [](Maker& m, size_t) {
    Maker::Writer w = m.writer();
    w.w64(11), w.w32(UINT32_MAX);
    for (int i = 0; i < 200; ++i) { w.w32(0); }
    m.add(80, 0, w);
  });
  with("attributes", [](Maker& m, size_t i) {
    Maker::Writer w = m.writer();
    w.w32(1), w.w32(64);
    for (size_t k = 0; k < 7; ++k) { w.w64(i); }
    for (size_t k = 0; k < 100; ++k) { w.w64(i * 100 + k); }
    m.add(64, 0, w);
  });
}

TEST(ReaderBounds, StepsAreCounted) {
  if (steps == 0) { GTEST_SKIP() << "this compiler or build does not count basic blocks"; }
}

TEST(ReaderBounds, Print) {
  if (std::getenv("WICK_BOUNDS_PRINT") == nullptr) { GTEST_SKIP() << "WICK_BOUNDS_PRINT=1 prints the worst of each format"; }
  for (const auto& [format, w] : worst()) {
    std::printf("%-16s %6.0f times %6zu bytes: %s; %.0f steps per byte: %s\n", format.c_str(),
                static_cast<double>(w.peak) / static_cast<double>(w.bytes), w.bytes, w.what.c_str(), w.steps_per_byte,
                w.slowest.c_str());
  }
}

}  // namespace
}  // namespace wick
