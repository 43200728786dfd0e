// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "symbolize/generated_symbols.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <map>
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

void read_dump(const Fd& fd, uint32_t number, CodeNames& names) {
  JitDumpReader reader(names, number);
  feed_file(fd, reader);
  if (reader.begin_again()) { feed_file(fd, reader); }
}

void read_map(const Fd& fd, CodeNames& names) {
  PerfMapReader reader(names);
  feed_file(fd, reader);
  reader.finish();
}

std::string read_code(const Fd& fd, const GeneratedFunction& function) {
  std::string bytes(static_cast<size_t>(function.size), '\0');
  for (size_t at = 0; at < bytes.size();) {
    ssize_t n = ::pread(fd.get(), bytes.data() + at, bytes.size() - at, static_cast<off_t>(function.code_offset + at));
    if (n < 0 && errno == EINTR) { continue; }
    if (n <= 0) { return {}; }
    at += static_cast<size_t>(n);
  }
  return bytes;
}

// `rows`: of the wanted addresses, by index of `found`.
void read_bodies(const std::vector<Fd>& dumps, const std::vector<CodeNames::Name>& found, const std::vector<uint32_t>& rows,
                 const GeneratedCodeWish& wish, std::vector<GeneratedBody>& bodies) {
  std::map<const GeneratedFunction*, GeneratedBody> by_function;
  for (size_t i = 0; i < found.size(); ++i) {
    const GeneratedFunction* code = found[i].code;
    if (code == nullptr || code->code_offset == 0 || code->size > wish.most_bytes) { continue; }
    GeneratedBody& body = by_function[code];
    body.address = code->start;
    body.weight += wish.weights[rows[i]];
    body.rows.push_back(rows[i]);
  }
  for (auto& [code, body] : by_function) {
    if (body.weight == 0 || body.weight < wish.least_weight) { continue; }
    body.bytes = read_code(dumps[code->log], *code);
    if (!body.bytes.empty()) { bodies.push_back(std::move(body)); }
  }
}

// Symbolizes the addresses without a name so far. `use`: called with what was found and the rows of `wanted`.
template <typename Read, typename Use>
void fill(const std::vector<CodeAddress>& wanted, std::vector<GeneratedName>& out, const Read& read, const Use& use) {
  std::vector<CodeAddress> missing;
  std::vector<uint32_t> rows;
  for (uint32_t i = 0; i < wanted.size(); ++i) {
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
  use(found, rows);
}

}  // namespace

std::vector<GeneratedName> name_generated_code(const JitFiles& files, std::vector<CodeAddress> wanted) {
  std::vector<GeneratedBody> none;
  return name_generated_code(files, std::move(wanted), {}, none);
}

std::vector<GeneratedName> name_generated_code(const JitFiles& files, std::vector<CodeAddress> wanted,
                                               const GeneratedCodeWish& wish, std::vector<GeneratedBody>& bodies) {
  using Found = std::vector<CodeNames::Name>;
  using Rows = std::vector<uint32_t>;
  std::vector<GeneratedName> out(wanted.size());
  const JitFiles* of = &files;
  for (unsigned i = 0; i < kMaxParents && of != nullptr; ++i, of = of->parent()) {
    std::vector<Fd> dumps = of->open_dumps();
    if (!dumps.empty()) {
      auto read = [&](CodeNames& names) {
        for (uint32_t k = 0; k < dumps.size(); ++k) { read_dump(dumps[k], k, names); }
      };
      fill(wanted, out, read, [&](const Found& found, const Rows& rows) {
        if (!wish.weights.empty()) { read_bodies(dumps, found, rows, wish, bodies); }
      });
    }
    if (Fd map = of->open_map()) {
      fill(wanted, out, [&](CodeNames& names) { read_map(map, names); }, [](const Found&, const Rows&) {});
    }
  }
  return out;
}

}  // namespace wick
