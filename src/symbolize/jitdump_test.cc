// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "symbolize/jitdump.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace wick {
namespace {

// Builds a jitdump file in either byte order.
class DumpBuilder {
 public:
  explicit DumpBuilder(bool swapped = false, uint32_t mark = 0, uint64_t flags = 0) : swapped_(swapped) {
    u32(bytes_, 0x4a695444);
    u32(bytes_, 1);
    u32(bytes_, 40);
    u32(bytes_, 62);
    u32(bytes_, mark);
    u32(bytes_, 4711);
    u64(bytes_, 1);
    u64(bytes_, flags);
  }

  struct Entry {
    uint64_t address;
    uint32_t line, column;
    std::string file;
  };

  void load(uint64_t time, uint64_t address, uint64_t size, uint64_t number, const std::string& name) {
    load(time, address, size, number, name, std::string(std::min<uint64_t>(size, 4096), '\x90'));
  }
  void load(uint64_t time, uint64_t address, uint64_t size, uint64_t number, const std::string& name, const std::string& code) {
    std::vector<uint8_t> body;
    u32(body, 4711);
    u32(body, 4711);
    for (uint64_t value : {address, address, size, number}) { u64(body, value); }
    text(body, name);
    body.insert(body.end(), code.begin(), code.end());
    record(0, time, body);
  }
  void move(uint64_t time, uint64_t from, uint64_t to, uint64_t size, uint64_t number) {
    std::vector<uint8_t> body;
    u32(body, 4711);
    u32(body, 4711);
    for (uint64_t value : {to, from, to, size, number}) { u64(body, value); }
    record(1, time, body);
  }
  void lines(uint64_t time, uint64_t address, const std::vector<Entry>& entries, size_t more = 0) {
    std::vector<uint8_t> body;
    u64(body, address);
    u64(body, entries.size() + more);
    for (const Entry& e : entries) {
      u64(body, e.address);
      u32(body, e.line);
      u32(body, e.column);
      text(body, e.file);
    }
    record(2, time, body);
  }
  void record(uint32_t id, uint64_t time, const std::vector<uint8_t>& body) {
    u32(bytes_, id);
    u32(bytes_, static_cast<uint32_t>(16 + body.size()));
    u64(bytes_, time);
    bytes_.insert(bytes_.end(), body.begin(), body.end());
  }
  const std::vector<uint8_t>& bytes() const { return bytes_; }

 private:
  void number(std::vector<uint8_t>& out, uint64_t value, size_t size) const {
    for (size_t i = 0; i < size; ++i) { out.push_back(static_cast<uint8_t>(value >> 8 * (swapped_ ? size - 1 - i : i))); }
  }
  void u32(std::vector<uint8_t>& out, uint32_t value) const { number(out, value, 4); }
  void u64(std::vector<uint8_t>& out, uint64_t value) const { number(out, value, 8); }
  static void text(std::vector<uint8_t>& out, const std::string& value) {
    out.insert(out.end(), value.begin(), value.end());
    out.push_back(0);
  }

  bool swapped_;
  std::vector<uint8_t> bytes_;
};

struct Found {
  std::string function, file;
  uint32_t line = 0, column = 0;
  friend bool operator==(const Found&, const Found&) = default;
  friend void PrintTo(const Found& f, std::ostream* out) {
    *out << f.function << " " << f.file << ":" << f.line << ":" << f.column;
  }
};

std::vector<Found> read(Bytes bytes, std::vector<CodeAddress> wanted, size_t piece = 1 << 20, std::string* trouble = nullptr) {
  CodeNames names(std::move(wanted));
  JitDumpReader reader(names);
  auto feed = [&] {
    for (size_t at = 0; at < bytes.size(); at += piece) { reader.feed(bytes.subspan(at, std::min(piece, bytes.size() - at))); }
  };
  feed();
  if (reader.begin_again()) { feed(); }
  EXPECT_FALSE(reader.begin_again()) << "two passes suffice";
  if (trouble != nullptr) { *trouble = reader.trouble(); }
  std::vector<Found> out;
  for (const CodeNames::Name& n : names.names()) {
    out.push_back({std::string(n.function), std::string(n.file), n.line, n.column});
  }
  return out;
}

TEST(JitDump, ReadsNamesAndLinesInEitherByteOrder) {
  for (bool swapped : {false, true}) {
    DumpBuilder dump(swapped);
    dump.record(4, 5, std::vector<uint8_t>(33));  // unwind information
    dump.lines(9, 0x1000, {{0x1000, 3, 0, "a.lua"}, {0x1008, 4, 1, "\xff"}, {0x1010, 1, 0, "b.lua"}});
    dump.load(10, 0x1000, 0x20, 1, "f one");
    dump.load(11, 0x2000, 0x20, 2, "g");
    for (size_t piece : {1, 13, 1 << 20}) {
      EXPECT_EQ(read(dump.bytes(), {{0x2001, 20}, {0x1000, 20}, {0x100f, 20}, {0x1010, 20}, {0x1020, 20}}, piece),
                (std::vector<Found>{
                    {"g", "", 0, 0}, {"f one", "a.lua", 3, 0}, {"f one", "a.lua", 4, 1}, {"f one", "b.lua", 1, 0}, {}}));
    }
  }
}

TEST(JitDump, ChoosesCodeAtSameAddressByTime) {
  DumpBuilder dump;
  dump.load(100, 0x1000, 0x20, 1, "old");
  dump.load(200, 0x1000, 0x20, 2, "new");
  EXPECT_EQ(read(dump.bytes(), {{0x1000, 150}, {0x1000, 200}}), (std::vector<Found>{{"old", "", 0, 0}, {"new", "", 0, 0}}));
}

// The bytes that follow the name; "-" if unknown.
std::vector<std::string> code_of(const DumpBuilder& dump, std::vector<CodeAddress> wanted, size_t piece) {
  CodeNames names(std::move(wanted));
  JitDumpReader reader(names, 7);
  Bytes bytes = dump.bytes();
  auto feed = [&] {
    for (size_t at = 0; at < bytes.size(); at += piece) { reader.feed(bytes.subspan(at, std::min(piece, bytes.size() - at))); }
  };
  feed();
  if (reader.begin_again()) { feed(); }
  std::vector<std::string> out;
  for (const CodeNames::Name& n : names.names()) {
    bool is_known = n.code != nullptr && n.code->code_offset != 0;
    if (is_known) { EXPECT_EQ(n.code->log, 7u); }
    const char* at = reinterpret_cast<const char*>(bytes.data()) + (is_known ? n.code->code_offset : 0);
    out.push_back(is_known ? std::string(at, static_cast<size_t>(n.code->size)) : "-");
  }
  return out;
}

TEST(JitDump, KnowsWhereTheCodeIs) {
  for (bool swapped : {false, true}) {
    DumpBuilder dump(swapped);
    dump.load(10, 0x1000, 4, 1, "f", "ffff");
    dump.lines(15, 0x1000, {{0x1000, 3, 0, "a.js"}});
    dump.load(20, 0x1000, 6, 2, "a longer name", "gggggg");
    dump.load(30, 0x3000, 4, 3, "moved", "mmmm");
    dump.move(40, 0x3000, 0x4000, 4, 3);
    dump.load(50, 0x5000, 100, 4, "longer than its record", "short");
    dump.load(60, 0x6000, 2, 5, std::string(5000, 'n'), "nn");
    for (size_t piece : {1, 13, 1 << 20}) {
      EXPECT_EQ(code_of(dump, {{0x1001, 15}, {0x1001, 25}, {0x3001, 35}, {0x4001, 45}, {0x5001, 55}, {0x6001, 65}}, piece),
                (std::vector<std::string>{"ffff", "gggggg", "mmmm", "-", "-", "-"}))
          << "the function of that time; not where code was moved, is incomplete, or has a name that is not read";
    }
  }
}

TEST(JitDump, IgnoresCpuCounterTimes) {
  DumpBuilder dump(false, 0, 1);
  dump.load(1'000'000, 0x1000, 0x20, 1, "old");
  dump.load(2'000'000, 0x1000, 0x20, 2, "new");
  EXPECT_EQ(read(dump.bytes(), {{0x1000, 150}})[0].function, "new");
}

TEST(JitDump, MovedCodeKeepsNameAndLines) {
  DumpBuilder dump;
  dump.lines(9, 0x1000, {{0x1000, 3, 0, "a.lua"}, {0x1008, 4, 0, "a.lua"}});
  dump.load(10, 0x1000, 0x20, 7, "f");
  dump.load(11, 0x9000, 0x20, 8, "before");
  dump.move(20, 0x1000, 0x9000, 0x20, 7);
  EXPECT_EQ(read(dump.bytes(), {{0x9008, 30}, {0x9008, 15}}), (std::vector<Found>{{"f", "a.lua", 4, 0}, {"before", "", 0, 0}}));
}

TEST(JitDump, ShiftsLinesOfV8) {
  DumpBuilder dump(false, 0xdeadbeef);
  dump.lines(9, 0x1000, {{0x1040, 3, 5, "a.js"}, {0x1048, 4, 6, "a.js"}});
  dump.load(10, 0x1000, 0x20, 1, "f");
  EXPECT_EQ(read(dump.bytes(), {{0x1000, 20}, {0x1008, 20}}), (std::vector<Found>{{"f", "a.js", 3, 5}, {"f", "a.js", 4, 6}}));
}

TEST(JitDump, RejectsImplausibleLines) {
  const std::vector<std::vector<DumpBuilder::Entry>> wrong = {
      {{0x1000, 3, 0, "a"}, {0x2000, 4, 0, "a"}},        // outside the function
      {{0x0fff, 3, 0, "a"}},                             // before the function
      {{0x1008, 3, 0, "a"}, {0x1000, 4, 0, "a"}},        // backwards
      {{0x1000, 3, 0, "\x01\x02"}},                      // invalid file name
      {{0x1000, 3, 0, "\xff"}},                          // same as the previous entry, but there is none
      {{0x1000, 0x80000000, 0, "a"}},                    // a negative line
      {{0x1000, 3, 0, std::string("a\0bcdefghi", 10)}},  // more than the record declares
  };
  for (const std::vector<DumpBuilder::Entry>& entries : wrong) {
    DumpBuilder dump;
    dump.lines(9, 0x1000, entries);
    dump.load(10, 0x1000, 0x20, 1, "f");
    EXPECT_EQ(read(dump.bytes(), {{0x1000, 20}}), (std::vector<Found>{{"f", "", 0, 0}}));
  }
  DumpBuilder dump;
  dump.lines(9, 0x1000, {{0x1000, 3, 0, "a"}}, 1'000'000'000);  // fewer than the record declares
  dump.load(10, 0x1000, 0x20, 1, "f");
  dump.lines(11, 0x3000, {{0x2000, 3, 0, "a"}});  // of another function
  dump.load(12, 0x2000, 0x20, 2, "g");
  EXPECT_EQ(read(dump.bytes(), {{0x1000, 20}, {0x2000, 20}}), (std::vector<Found>{{"f", "", 0, 0}, {"g", "", 0, 0}}));
}

TEST(JitDump, StopsAtMalformedRecord) {
  std::string trouble;
  DumpBuilder good;
  good.load(10, 0x1000, 0x20, 1, "f");
  std::vector<uint8_t> bytes = good.bytes();
  bytes.resize(bytes.size() + 16);  // a record of size 0
  bytes.insert(bytes.end(), good.bytes().begin() + 40, good.bytes().end());
  EXPECT_EQ(read(bytes, {{0x1000, 20}}, 7, &trouble)[0].function, "f");
  EXPECT_EQ(trouble, "a damaged jitdump record");
  EXPECT_EQ(read(Bytes(bytes).first(39), {{0x1000, 20}}, 7, &trouble)[0].function, "");
  bytes[0] = 'x';
  EXPECT_EQ(read(bytes, {{0x1000, 20}}, 7, &trouble)[0].function, "");
  EXPECT_EQ(trouble, "not a jitdump file");
}

TEST(JitDump, StopsAtCloseRecord) {
  DumpBuilder dump;
  dump.record(3, 1, {});
  dump.load(10, 0x1000, 0x20, 1, "f");
  EXPECT_EQ(read(dump.bytes(), {{0x1000, 20}})[0].function, "");
}

}  // namespace
}  // namespace wick
