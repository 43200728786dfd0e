// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "symbolize/generated_symbols.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "symbolize/jitdump.h"
#include "symbolize/perf_map.h"

namespace wick {
namespace {

constexpr unsigned kMaxParents = 16;
constexpr size_t kPieceBytes = 1 << 20;

// Reads from the start to the current end (the file may still grow); ignores a read error.
template <typename Reader>
void feed_file(const Fd& fd, Reader& reader) {
  struct stat info{};
  if (::fstat(fd.get(), &info) != 0) { return; }
  std::vector<uint8_t> piece(kPieceBytes);
  for (off_t at = 0; at < info.st_size;) {
    ssize_t n = ::pread(fd.get(), piece.data(), piece.size(), at);
    if (n < 0 && errno == EINTR) { continue; }
    if (n <= 0) { return; }
    at += n;
    reader.feed({piece.data(), static_cast<size_t>(n)});
  }
}

void read_dump(const Fd& fd, CodeNames& names) {
  JitDumpReader reader(names);
  feed_file(fd, reader);
  if (reader.begin_again()) { feed_file(fd, reader); }
}

void read_map(const Fd& fd, CodeNames& names) {
  PerfMapReader reader(names);
  feed_file(fd, reader);
  reader.finish();
}

// Symbolizes the addresses without a name so far.
template <typename Read>
void fill(const std::vector<CodeAddress>& wanted, std::vector<GeneratedName>& out, const Read& read) {
  std::vector<CodeAddress> missing;
  std::vector<size_t> rows;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (!out[i].function.empty()) { continue; }
    missing.push_back(wanted[i]);
    rows.push_back(i);
  }
  if (missing.empty()) { return; }
  CodeNames names(std::move(missing));
  read(names);
  std::vector<CodeNames::Name> found = names.names();
  for (size_t i = 0; i < found.size(); ++i) {
    out[rows[i]] = {std::string(found[i].function), std::string(found[i].file), found[i].line, found[i].column};
  }
}

}  // namespace

std::vector<GeneratedName> name_generated_code(const JitFiles& files, std::vector<CodeAddress> wanted) {
  std::vector<GeneratedName> out(wanted.size());
  const JitFiles* of = &files;
  for (unsigned i = 0; i < kMaxParents && of != nullptr; ++i, of = of->parent()) {
    std::vector<Fd> dumps = of->open_dumps();
    if (!dumps.empty()) {
      fill(wanted, out, [&](CodeNames& names) {
        for (const Fd& dump : dumps) { read_dump(dump, names); }
      });
    }
    if (Fd map = of->open_map()) {
      fill(wanted, out, [&](CodeNames& names) { read_map(map, names); });
    }
  }
  return out;
}

}  // namespace wick
