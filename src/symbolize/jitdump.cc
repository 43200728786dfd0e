// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "symbolize/jitdump.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/byte_reader.h"
#include "base/text.h"
#include "base/utf8.h"

namespace wick {
namespace {

constexpr uint32_t kMagic = 0x4a695444;  // "JiTD" in the writer's byte order
constexpr uint32_t kVersion = 1;
constexpr uint64_t kHeaderBytes = 40, kRecordBytes = 16, kLoadBytes = 40, kMoveBytes = 48;
constexpr uint64_t kFlagCpuTime = 1;  // timestamps are from a CPU counter and not comparable with those of samples
constexpr uint64_t kMaxDebugBytes = 16 << 20;
constexpr size_t kMaxMoves = 1 << 20;

enum Id : uint32_t { kLoad = 0, kMove = 1, kDebugInfo = 2, kClose = 3 };

// V8 counts line offsets from 64 bytes before the function, where the ELF file made from it would start. Only a word in the
// header identifies its files.
constexpr uint32_t kV8Mark = 0xdeadbeef;
constexpr uint64_t kV8Shift = 64;

bool is_sound_name(std::string_view text) { return !text.empty() && printable(text) == text; }

}  // namespace

// Reads numbers in the writer's byte order.
class JitDumpReader::Fields {
 public:
  Fields(Bytes bytes, bool swapped) : reader_(bytes), swapped_(swapped) {}
  uint32_t u32() { return swapped_ ? __builtin_bswap32(reader_.u32()) : reader_.u32(); }
  uint64_t u64() { return swapped_ ? __builtin_bswap64(reader_.u64()) : reader_.u64(); }
  ByteReader& reader() { return reader_; }

 private:
  ByteReader reader_;
  bool swapped_;
};

void JitDumpReader::start(Part part, uint64_t size) {
  part_ = part;
  wanted_bytes_ = size;
  buffer_.clear();
}

void JitDumpReader::stop(std::string_view why) {
  start(Part::kEnd, 0);
  trouble_ = why;
}

void JitDumpReader::feed(Bytes piece) {
  while (!piece.empty() && part_ != Part::kEnd) {
    if (skip_ > 0) {
      size_t n = static_cast<size_t>(std::min<uint64_t>(skip_, piece.size()));
      skip_ -= n;
      position_ += n;
      piece = piece.subspan(n);
      continue;
    }
    size_t n = static_cast<size_t>(std::min<uint64_t>(wanted_bytes_ - buffer_.size(), piece.size()));
    buffer_.insert(buffer_.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(n));
    piece = piece.subspan(n);
    position_ += n;
    if (buffer_.size() == wanted_bytes_) { step(); }
  }
}

bool JitDumpReader::begin_again() {
  if (moves_.empty() || again_) { return false; }
  again_ = true;
  skip_ = position_ = 0;
  debug_.clear();
  trouble_.clear();
  start(Part::kHeader, kHeaderBytes);
  return true;
}

void JitDumpReader::step() {
  switch (part_) {
    case Part::kHeader: return on_header();
    case Part::kRecord: return on_record();
    case Part::kBody:
      skip_ = rest_ - wanted_bytes_;
      if (id_ == kLoad) { on_load(); }
      if (id_ == kMove) { on_move(); }
      if (id_ == kDebugInfo) { debug_ = std::move(buffer_); }
      return start(Part::kRecord, kRecordBytes);
    case Part::kEnd: return;
  }
}

void JitDumpReader::on_header() {
  Fields plain(buffer_, false);
  uint32_t magic = plain.u32();
  swapped_ = magic == __builtin_bswap32(kMagic);
  if (magic != kMagic && !swapped_) { return stop("not a jitdump file"); }
  Fields f(buffer_, swapped_);
  f.u32();
  uint32_t version = f.u32(), size = f.u32();
  f.u32();  // machine
  from_v8_ = f.u32() == kV8Mark;
  f.u32();  // pid
  f.u64();  // timestamp
  timed_ = (f.u64() & kFlagCpuTime) == 0;
  if (version > kVersion) { return stop(strf("jitdump of version %u", version)); }
  if (size < kHeaderBytes) { return stop("a damaged jitdump header"); }
  skip_ = size - kHeaderBytes;
  start(Part::kRecord, kRecordBytes);
}

void JitDumpReader::on_record() {
  Fields f(buffer_, swapped_);
  id_ = f.u32();
  uint64_t size = f.u32();
  time_ns_ = f.u64();
  if (!timed_) { time_ns_ = 0; }
  if (size < kRecordBytes) { return stop("a damaged jitdump record"); }
  if (id_ == kClose) { return start(Part::kEnd, 0); }
  rest_ = size - kRecordBytes;
  uint64_t useful = 0;
  if (id_ == kLoad && rest_ >= kLoadBytes) { useful = std::min(rest_, kLoadBytes + CodeNames::kMaxNameBytes + 1); }
  if (id_ == kMove && rest_ >= kMoveBytes) { useful = kMoveBytes; }
  if (id_ == kDebugInfo && rest_ <= kMaxDebugBytes) { useful = rest_; }
  if (useful > 0) { return start(Part::kBody, useful); }
  skip_ = rest_;
  start(Part::kRecord, kRecordBytes);
}

void JitDumpReader::on_load() {
  Fields f(buffer_, swapped_);
  f.u64();  // pid and tid
  f.u64();  // linked address
  uint64_t address = f.u64(), size = f.u64(), number = f.u64();
  std::string_view name = f.reader().cstring();
  // The code follows the name. Code that has moved may have been changed for its new place, which no record shows.
  uint64_t code_offset = 0;
  if (f.reader().ok() && size <= rest_ - kLoadBytes - name.size() - 1) {
    code_offset = position_ - buffer_.size() + kLoadBytes + name.size() + 1;
  }
  if (!f.reader().ok()) {  // longer than the longest kept name, or truncated
    name = {reinterpret_cast<const char*>(buffer_.data()) + kLoadBytes, buffer_.size() - kLoadBytes};
  }
  std::vector<uint8_t> lines = std::exchange(debug_, {});
  auto moved = moves_.find(number);
  bool wanted = !again_ && names_.wants(address, size);
  if (name.empty() || (!wanted && (!again_ || moved == moves_.end()))) { return; }
  GeneratedFunction function{address, size, time_ns_, std::string(name), {}, {}, code_offset, log_};
  if (!read_lines(lines, function)) {
    function.lines.clear();
    function.files.clear();
  }
  if (wanted) { names_.add(function); }
  if (!again_ || moved == moves_.end()) { return; }
  for (const Move& move : moved->second) {
    function.start = move.address;
    function.size = move.size;
    function.time_ns = move.time_ns;
    function.code_offset = 0;
    names_.add(function);
  }
}

void JitDumpReader::on_move() {
  Fields f(buffer_, swapped_);
  f.u64();
  f.u64();
  f.u64();  // old address
  Move move;
  move.address = f.u64();
  move.size = f.u64();
  move.time_ns = time_ns_;
  uint64_t number = f.u64();
  if (again_ || move_count_ >= kMaxMoves || !names_.wants(move.address, move.size)) { return; }
  moves_[number].push_back(move);
  ++move_count_;
}

// All or nothing: some writers emit garbage (V8 of Node.js 20 writes names from freed memory), and one implausible line casts
// doubt on the others.
bool JitDumpReader::read_lines(Bytes debug, GeneratedFunction& out) const {
  Fields f(debug, swapped_);
  ByteReader& r = f.reader();
  uint64_t of = f.u64(), count = f.u64();
  constexpr uint64_t kLeastEntryBytes = 17;
  if (!r.ok() || of != out.start || count > r.left() / kLeastEntryBytes) { return false; }
  uint64_t shift = from_v8_ ? kV8Shift : 0;
  for (uint64_t i = 0; i < count; ++i) {
    CodeLine line;
    line.offset = f.u64() - out.start - shift;
    line.line = f.u32();
    line.column = f.u32();
    std::string_view file = r.cstring();
    bool same = file == "\xff";  // same as the previous entry
    bool sound = r.ok() && line.offset <= out.size && line.line <= INT32_MAX && line.column <= INT32_MAX &&
                 (same ? !out.files.empty() : is_sound_name(file)) &&
                 (out.lines.empty() || line.offset >= out.lines.back().offset);
    if (!sound) { return false; }
    if (!same && (out.files.empty() || out.files.back() != file)) { out.files.emplace_back(file); }
    line.file = static_cast<uint32_t>(out.files.size() - 1);
    out.lines.push_back(line);
  }
  return r.left() < 8;  // records may be padded
}

}  // namespace wick
