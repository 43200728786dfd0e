// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/conversation.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <thread>

#include "base/fd.h"
#include "base/text.h"

namespace wick {
namespace {

// Each address has its own line; 16 share a node, whose outer function has a very long name or a short one.
class FakeSymbols : public FileSymbols {
 public:
  Place place(uint64_t svma) const override {
    if (svma < 0x1000) { return {}; }
    auto at = static_cast<uint32_t>(svma);
    return {at / 16, svma % 16 == 0 ? UINT32_MAX : at, at / 256};
  }
  SymbolizedFrame line_of(const Place& at) const override {
    return at.line == UINT32_MAX ? SymbolizedFrame() : SymbolizedFrame{{}, "in.c", at.line, 0};
  }
  using FileSymbols::find;
  void find(uint64_t svma, std::vector<SymbolizedFrame>& chain) const override {
    chain.clear();
    if (svma < 0x1000) { return; }
    SymbolizedFrame inner = line_of(place(svma));
    inner.function = svma / 16 % 2 == 0 ? "even" : "odd";
    chain.push_back(inner);
    chain.push_back({svma / 256 % 2 == 0 ? std::string_view(long_name) : "short", "out.c", static_cast<uint32_t>(svma / 16), 1});
  }
  bool has_symbols() const override { return true; }

  std::string long_name = std::string(3000, 'n');
};

std::string expected(const FakeSymbols& symbols, uint64_t address) {
  if (address < 0x1000) { return "??\n??:0\n"; }
  std::string out;
  for (const SymbolizedFrame& f : symbols.find(address)) {
    std::string file = f.file.empty() ? "??" : std::string(f.file), line = f.line != 0 ? strf("%u", f.line) : "0";
    out += std::string(f.function) + "\n" + file + ":" + line + "\n";
  }
  return out;
}

std::vector<AnswerWriter> make_writers(const AnswerOptions& options, const FileSymbols& symbols, size_t count) {
  std::vector<AnswerWriter> writers;
  while (writers.size() < count) { writers.emplace_back(options, symbols, 0); }
  return writers;
}

TEST(Conversation, ManyAddressesInOrder) {
  FakeSymbols symbols;
  AnswerOptions options;
  options.functions = options.inlines = true;
  std::string lines, text;
  for (uint64_t i = 0; i < 40000; ++i) {
    uint64_t address = i * 7919 % 0x9000;
    lines += strf("0x%llx\n", static_cast<unsigned long long>(address));
    text += expected(symbols, address);
  }
  char in_name[] = "/tmp/wick-in-XXXXXX", out_name[] = "/tmp/wick-out-XXXXXX";
  Fd in(::mkstemp(in_name)), out(::mkstemp(out_name));
  ASSERT_TRUE(write_all(in.get(), as_bytes(lines), in_name).ok());
  for (size_t threads : {1u, 3u}) {
    for (off_t begin : {0, 12345}) {  // keeps earlier content of the file
      ASSERT_EQ(::ftruncate(out.get(), begin), 0);
      ::lseek(in.get(), 0, SEEK_SET);
      ::lseek(out.get(), begin, SEEK_SET);
      std::vector<AnswerWriter> writers = make_writers(options, symbols, threads);
      ASSERT_TRUE(converse(writers, in.get(), out.get()).ok());
      Result<std::string> got = read_file(out_name, size_t{1} << 30);
      ASSERT_TRUE(got.ok());
      EXPECT_TRUE(got->substr(static_cast<size_t>(begin)) == text) << threads << " " << got->size() << " " << text.size();
    }
  }
  ::unlink(in_name);
  ::unlink(out_name);
}

TEST(Conversation, AnswersBeforeTheNextQuery) {
  FakeSymbols symbols;
  AnswerOptions options;
  options.functions = true;
  int in[2], out[2];
  ASSERT_EQ(::pipe2(in, O_CLOEXEC), 0);
  ASSERT_EQ(::pipe2(out, O_CLOEXEC), 0);
  std::vector<AnswerWriter> writers = make_writers(options, symbols, 2);
  std::jthread asked([&] {
    EXPECT_TRUE(converse(writers, in[0], out[1]).ok());
    ::close(out[1]);
  });
  for (const char* question : {"0x1011\n", "  1021\n"}) {
    ASSERT_GT(::write(in[1], question, std::strlen(question)), 0);
    std::string got;
    while (std::count(got.begin(), got.end(), '\n') < 2) {
      char part[64];
      ssize_t n = ::read(out[0], part, sizeof part);
      ASSERT_GT(n, 0);
      got.append(part, static_cast<size_t>(n));
    }
    EXPECT_EQ(got, question[0] == '0' ? "odd\nin.c:4113\n" : "even\nin.c:4129\n");
  }
  ASSERT_GT(::write(in[1], "1", 1), 0);  // without a newline, then end of file
  ::close(in[1]);
  char part[64];
  ASSERT_EQ(::read(out[0], part, sizeof part), 8);
  EXPECT_EQ(std::string(part, 8), "??\n??:0\n");
  EXPECT_EQ(::read(out[0], part, sizeof part), 0);
  ::close(out[0]);
  ::close(in[0]);
}

TEST(Conversation, ReaderClosesThePipe) {
  FakeSymbols symbols;
  AnswerOptions options;
  std::signal(SIGPIPE, SIG_IGN);
  int in[2], out[2];
  ASSERT_EQ(::pipe2(in, O_CLOEXEC), 0);
  ASSERT_EQ(::pipe2(out, O_CLOEXEC), 0);
  ::close(out[0]);
  std::string lines;
  for (int i = 0; i < 6000; ++i) { lines += "0x1234\n"; }
  std::jthread asking([&] {
    (void)write_all(in[1], as_bytes(lines), "pipe").ok();
    ::close(in[1]);
  });
  std::vector<AnswerWriter> writers = make_writers(options, symbols, 2);
  Status status = converse(writers, in[0], out[1]);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message().find("standard output"), std::string::npos);
  ::close(in[0]);
  ::close(out[1]);
}

}  // namespace
}  // namespace wick
