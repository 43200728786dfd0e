// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/symbol_index.h"

#include <algorithm>
#include <cstring>

#include "base/byte_reader.h"
#include "base/hash.h"

namespace wick::elf {
namespace {

constexpr uint64_t kMagic = 0x34786564'6b636977;  // "wickdex4"
constexpr size_t kHeaderSize = 8 * 10;

// Hashes the header except for its magic and its hash.
uint64_t hash_header(const uint64_t (&header)[kHeaderSize / 8]) {
  return hash_bytes({reinterpret_cast<const uint8_t*>(header + 2), sizeof header - 16});
}

template <typename Row>
std::vector<uint32_t> pages_of(std::span<const Row> rows, unsigned page_bits) {
  std::vector<uint32_t> pages;
  if (rows.empty()) { return pages; }
  pages.reserve((rows.back().begin >> page_bits) + 2);
  size_t row = 0;
  for (uint64_t page = 0; page <= (rows.back().begin >> page_bits) + 1; ++page) {
    while (row + 1 < rows.size() && rows[row + 1].begin <= page << page_bits) { ++row; }
    pages.push_back(static_cast<uint32_t>(row));
  }
  return pages;
}

// Index of the last row that begins at or before `at`, or kNothing.
template <typename Row>
uint32_t find_row(std::span<const Row> rows, std::span<const uint32_t> pages, unsigned page_bits, uint32_t at) {
  if (rows.empty() || at < rows.front().begin) { return SymbolIndex::kNothing; }
  size_t page = std::min<size_t>(at >> page_bits, pages.size() - 1), last = std::min(page + 1, pages.size() - 1);
  auto begin = rows.begin() + pages[page], end = rows.begin() + pages[last] + 1;
  if (page == last) { end = rows.end(); }
  auto after = std::upper_bound(begin, end, at, [](uint32_t a, const Row& row) { return a < row.begin; });
  return static_cast<uint32_t>(after - rows.begin()) - 1;
}

// Pads to 8 bytes, so that the next table is aligned.
template <typename Row>
void append_rows(std::vector<Bytes>& parts, uint64_t& hash, std::span<const Row> rows) {
  static constexpr uint8_t kZeros[8] = {};
  parts.push_back({reinterpret_cast<const uint8_t*>(rows.data()), rows.size_bytes()});
  hash = hash_pair(hash, hash_bytes(parts.back()));
  if (rows.size_bytes() % 8 != 0) { parts.push_back({kZeros, 8 - rows.size_bytes() % 8}); }
}

template <typename Row>
bool take_rows(ByteReader& r, uint64_t count, uint64_t& hash, std::span<const Row>& out) {
  uint64_t size = 0;
  if (__builtin_mul_overflow(count, sizeof(Row), &size)) { return false; }
  Bytes bytes = r.bytes(size);
  if (!r.ok()) { return false; }
  hash = hash_pair(hash, hash_bytes(bytes));
  out = {reinterpret_cast<const Row*>(bytes.data()), static_cast<size_t>(count)};
  Bytes padding = r.bytes((8 - size % 8) % 8);
  return r.ok() && std::all_of(padding.begin(), padding.end(), [](uint8_t byte) { return byte == 0; });
}

bool are_within(std::span<const IndexText> texts, size_t size) {
  return std::all_of(texts.begin(), texts.end(),
                     [&](const IndexText& t) { return t.offset <= size && t.size <= size - t.offset; });
}

template <typename Row>
bool is_sorted(std::span<const Row> rows) {
  return std::is_sorted(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.begin < b.begin; });
}

}  // namespace

SymbolIndex::SymbolIndex(const SymbolIndexTables& t)
    : base_(t.base),
      segments_(t.segments),
      nodes_(t.nodes),
      lines_(t.lines),
      functions_(t.functions),
      files_(t.files),
      strings_(t.strings) {
  make_pages();
}

void SymbolIndex::make_pages() {
  segment_pages_ = pages_of(segments_, kPageBits);
  line_pages_ = pages_of(lines_, kPageBits);
}

size_t SymbolIndex::size_bytes() const {
  return segments_.size_bytes() + nodes_.size_bytes() + lines_.size_bytes() + functions_.size_bytes() + files_.size_bytes() +
         strings_.size();
}

SymbolIndex::Place SymbolIndex::find_place(uint64_t svma) const {
  if (svma < base_ || svma - base_ > UINT32_MAX) { return {}; }
  auto at = static_cast<uint32_t>(svma - base_);
  uint32_t segment = find_row(segments_, segment_pages_, kPageBits, at);
  return {segment == kNothing ? kNothing : segments_[segment].node, find_row(lines_, line_pages_, kPageBits, at)};
}

SymbolIndex::Frame SymbolIndex::read_line(const Place& place) const {
  if (place.line >= lines_.size() || lines_[place.line].file == kNothing) { return {}; }
  const IndexLine& line = lines_[place.line];
  return {{}, text(files_, line.file), line.line, line.column};
}

void SymbolIndex::read_chain(const Place& place, std::vector<Frame>& chain) const {
  chain.clear();
  Frame here = read_line(place);
  uint32_t id = place.node;
  if (id >= nodes_.size()) {
    if (!here.file.empty()) { chain.push_back(here); }
    return;
  }
  for (unsigned depth = 0; id < nodes_.size() && depth < kMaxDepth; ++depth) {
    const IndexNode& node = nodes_[id];
    here.function = text(functions_, node.function);
    chain.push_back(here);
    here = {{}, text(files_, node.call_file), node.call_line, node.call_column};
    id = node.parent;
  }
}

std::vector<Bytes> SymbolIndex::parts(std::string& header) const {
  std::vector<Bytes> out(1);
  uint64_t hash = 0, size = kHeaderSize;
  append_rows(out, hash, segments_);
  append_rows(out, hash, nodes_);
  append_rows(out, hash, lines_);
  append_rows(out, hash, functions_);
  append_rows(out, hash, files_);
  append_rows(out, hash, std::span<const char>(strings_));
  for (Bytes part : out) { size += part.size(); }
  uint64_t words[kHeaderSize / 8] = {kMagic,           hash,           size,          base_,
                                     segments_.size(), nodes_.size(),  lines_.size(), functions_.size(),
                                     files_.size(),    strings_.size()};
  words[1] ^= hash_header(words);
  header.assign(reinterpret_cast<const char*>(words), sizeof words);
  out[0] = as_bytes(header);
  return out;
}

Result<SymbolIndex> SymbolIndex::parse(Bytes bytes) {
  ByteReader r(bytes);
  uint64_t header[kHeaderSize / 8], hash = 0;
  for (uint64_t& word : header) { word = r.u64(); }
  if (!r.ok() || header[0] != kMagic || header[2] != bytes.size()) { return Error("not a symbol index of this version"); }
  SymbolIndex index;
  index.base_ = header[3];
  std::span<const char> strings;
  bool good = take_rows(r, header[4], hash, index.segments_) && take_rows(r, header[5], hash, index.nodes_) &&
              take_rows(r, header[6], hash, index.lines_) && take_rows(r, header[7], hash, index.functions_) &&
              take_rows(r, header[8], hash, index.files_) && take_rows(r, header[9], hash, strings);
  if (!good || header[1] != (hash ^ hash_header(header)) || !is_sorted(index.segments_) || !is_sorted(index.lines_) ||
      !are_within(index.functions_, strings.size()) || !are_within(index.files_, strings.size())) {
    return Error("a damaged symbol index");
  }
  index.strings_ = {strings.data(), strings.size()};
  index.make_pages();
  return index;
}

}  // namespace wick::elf
