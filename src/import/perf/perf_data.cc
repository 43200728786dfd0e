// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Files are read in place; pipes and compressed data piece by piece. A record is at most 64 kB, and only records about code and
// its callers are passed on, through a window that sorts them by time.
//
// Lengths are trusted as far as there are bytes. A record too short for its header ends reading: the next one cannot be found.
// Rejected: searching for the next record by its shape, which finds samples in copied stacks.
//
// perf record --threads writes a directory: a head with facts about the machine, and a file per ring, whose records are sorted by
// time. They are read in parallel, always from the one furthest behind, so that records older than the youngest of each can be
// passed on.

#include "import/perf/perf_data.h"

#include <linux/perf_event.h>
#include <zstd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <utility>

#include "base/text.h"
#include "import/perf/perf_data_swap.h"

namespace wick {
namespace {

// Records of perf, not of the kernel.
enum OwnRecord : uint32_t {
  kFirstOwn = 64,
  kAttr = 64,
  kTracingData = 66,
  kBuildId = 67,
  kFinishedRound = 68,
  kAuxTrace = 71,
  kEventUpdate = 78,
  kFeature = 80,
  kCompressed = 81,
  kCompressed2 = 83,
};
constexpr uint32_t kCallchainDeferred = 22;  // of the kernel, too new for most headers

constexpr size_t kHeaderBytes = 8, kBatchSamples = 256;             // samples and their derived data stay in the CPU's cache
constexpr size_t kPieceBytes = 8 << 20, kReleaseBytes = 128 << 20;  // for mapped files
constexpr size_t kMostKernelSymbols = 1 << 20;
// Copied stacks are mostly zeros: real ones compress to a two-hundredth. Memory is bounded without this limit, but not time.
constexpr uint64_t kMostRatio = 2000, kRatioMatters = uint64_t{256} << 20;

unsigned long long ull(uint64_t value) { return value; }

uint16_t cpu_mode(uint16_t misc) { return misc & PERF_RECORD_MISC_CPUMODE_MASK; }

}  // namespace

bool is_perf_data(const Head& head) {
  return head.text.starts_with(kPerfDataMagic) || head.text.starts_with(kPerfDataMagicSwapped) ||
         head.text.starts_with(kPerfDataMagicOld);
}

// One zstd stream per file.
struct PerfDataReader::Unpacker {
  ZSTD_DStream* state = ZSTD_createDStream();
  std::vector<uint8_t> out = std::vector<uint8_t>(size_t{256} << 10);
  uint64_t packed_bytes = 0, unpacked_bytes = 0;
  Stream records;
  ~Unpacker() { ZSTD_freeDStream(state); }
};

PerfDataReader::Stream::Stream() = default;
PerfDataReader::Stream::~Stream() = default;
PerfDataReader::Stream::Stream(Stream&&) noexcept = default;
PerfDataReader::Stream& PerfDataReader::Stream::operator=(Stream&&) noexcept = default;

PerfDataReader::PerfDataReader(RawSink& sink, std::function<void(Bytes)> release)
    : sink_(sink), release_(std::move(release)), window_([this](const PerfDataWindow::Entry& entry) { give(entry); }) {}

PerfDataReader::~PerfDataReader() = default;

Error PerfDataReader::bad_record(const Stream& stream, uint64_t offset, const std::string& what) const {
  Error error("%s %llu: %s", stream.unpacked ? "decompressed byte" : "byte", ull(offset), what.c_str());
  return std::move(error).with_code(Errc::kBadInput);
}

void PerfDataReader::note_malformed(const std::string& place) {
  if (totals_.malformed++ == 0) { totals_.first_malformed = place; }
}

Result<bool> PerfDataReader::read_magic(Bytes head) {
  std::string_view magic(reinterpret_cast<const char*>(head.data()), std::min<size_t>(head.size(), 8));
  if (magic == kPerfDataMagicOld) { return Error("it was written by a perf older than Linux 3.0").with_code(Errc::kBadInput); }
  if (magic != kPerfDataMagic && magic != kPerfDataMagicSwapped) {
    return Error("byte 0: expected \"PERFILE2\"").with_code(Errc::kBadInput);
  }
  if (head.size() < kPerfPipeHeaderBytes) {
    return Error("byte %zu: truncated header: expected %zu bytes", head.size(), size_t{kPerfPipeHeaderBytes})
        .with_code(Errc::kBadInput);
  }
  info_.swapped = magic == kPerfDataMagicSwapped;
  return OrderedReader(head, info_.swapped, 8).u64() == kPerfPipeHeaderBytes;
}

Status PerfDataReader::read(Input& input) {
  WICK_LET(Bytes head, input.peek(kPerfPipeHeaderBytes));
  WICK_LET(bool is_pipe, read_magic(head));
  if (is_pipe) { return finish(read_pipe(input)); }
  // Sections after the records are needed to read them.
  WICK_LET(WholeInput whole, read_whole(input));
  Status done = read_file(whole.bytes);
  window_.end();  // while the bytes are valid
  files_.clear();
  return finish(std::move(done));
}

Status PerfDataReader::read_folder(Bytes head, std::vector<PerfDataPart> parts) {
  is_folder_ = true;
  Result<bool> is_pipe = read_magic(head.first(std::min(head.size(), kPerfPipeHeaderBytes)));
  if (!is_pipe.ok()) { return std::move(is_pipe).error().context("data"); }
  if (*is_pipe) { return Error("data: byte 8: expected the header of a file, not of a pipe").with_code(Errc::kBadInput); }
  // Has what perf saw before it started; its threads write the other files.
  Status done = read_file(head);
  if (!done.ok() && info_.events.empty()) { return std::move(done).error().context("data"); }
  files_.insert(files_.end(), std::make_move_iterator(parts.begin()), std::make_move_iterator(parts.end()));
  if (done.ok()) {
    warn_of_missing_parts();
    done = read_parts();
  }
  return finish(std::move(done));
}

// The number of parts is not recorded. A recording of one program has a ring per CPU, and as many IDs per event.
void PerfDataReader::warn_of_missing_parts() {
  size_t parts = files_.size() - 1, ids = info_.events.empty() ? 0 : info_.events[0].ids.size();
  if (parts == 0 || parts >= ids || ids != info_.cpu_count) { return; }
  warnings_.push_back(
      strf("only %zu data %s for %zu CPUs: samples of the other CPUs are missing", parts, parts == 1 ? "file" : "files", ids));
  incomplete_ = true;
}

Status PerfDataReader::finish(Status done) {
  window_.end();
  if (!done.ok()) {
    if (totals_.samples == 0) { return done; }
    incomplete_ = true;
    warnings_.push_back("the file is damaged: " + done.error().message() + "; showing what precedes it");
  }
  if (info_.events.empty()) { return Error("it describes no events; expected at least one").with_code(Errc::kBadInput); }
  bool is_alone = files_.size() <= 1;
  if (info_.is_head_of_folder && is_alone && totals_.samples == 0) {
    const char* what = is_folder_ ? "its samples are missing: expected files data.0, data.1, … next to data"
                                  : "its samples are in the files next to it (perf record --threads); expected the directory";
    return Error("%s", what).with_code(Errc::kBadInput);
  }
  return ok_status();
}

Status PerfDataReader::read_file(Bytes file) {
  std::vector<std::string> troubles;
  WICK_LET(PerfFileLayout layout, parse_perf_file(file, info_, troubles));
  for (std::string& trouble : troubles) { warnings_.push_back(std::move(trouble)); }
  incomplete_ = layout.unfinished || layout.cut;
  if (layout.unfinished) {
    warnings_.push_back("perf record did not finish: build IDs and host name are missing, and some samples may be missing");
  }
  files_.push_back({{}, file});
  Stream stream;
  stream.stays = true;
  stream.offset = layout.data.offset;
  size_t at = static_cast<size_t>(layout.data.offset), end = at + static_cast<size_t>(layout.data.size);
  while (at < end) {
    size_t size = std::min(end - at, kPieceBytes);
    WICK_OK(feed(stream, file.subspan(at, size)));
    at += size;
    // Including what the window may have read again.
    size_t behind = static_cast<size_t>(std::max<uint64_t>(kReleaseBytes, 2 * window_.waiting_bytes()));
    if (release_) { release_(file.first(at).subspan(at - std::min(at, behind))); }
  }
  end_stream(stream);
  return ok_status();
}

// The rest is not a complete record.
void PerfDataReader::end_stream(const Stream& stream) {
  std::string of = stream.name.empty() ? "" : stream.name + ": ";
  bool cut = !stream.part.empty() || stream.skip > 0;
  if (cut && (!incomplete_ || is_folder_)) { warnings_.push_back(of + "the last record is truncated"); }
  if (stream.unpacker != nullptr && !stream.unpacker->records.part.empty()) {
    warnings_.push_back(of + "the last compressed record is truncated");
    cut = true;
  }
  incomplete_ |= cut;
}

Status PerfDataReader::read_parts() {
  struct Reading {
    const PerfDataPart* part;
    size_t at = 0;
    Stream stream;
  };
  std::vector<Reading> open;
  for (const PerfDataPart& part : std::span(files_).subspan(1)) {
    if (part.bytes.empty()) { continue; }
    Reading& reading = open.emplace_back();
    reading.part = &part;
    reading.stream.name = part.name;
    reading.stream.stays = true;
  }
  // Records are at most 64 kB; all pieces together stay well below the window's limit.
  const size_t piece_bytes = std::clamp<size_t>((size_t{64} << 20) / std::max<size_t>(open.size(), 1), 16 << 10, 1 << 20);
  uint64_t last_round_ns = 0;
  size_t in_round = 0;
  while (!open.empty()) {
    auto last = std::min_element(open.begin(), open.end(),
                                 [](const Reading& a, const Reading& b) { return a.stream.youngest_ns < b.stream.youngest_ns; });
    // One round late: the kernel may write a record slightly after a younger one.
    if (++in_round >= open.size()) {
      window_.give_until(std::exchange(last_round_ns, last->stream.youngest_ns));
      in_round = 0;
    }
    Bytes bytes = last->part->bytes;
    size_t size = std::min(bytes.size() - last->at, piece_bytes);
    Status fed = feed(last->stream, bytes.subspan(last->at, size));
    last->at += size;
    constexpr size_t kBehind = 4;  // pieces that the window may have read again
    if (release_) { release_(bytes.first(last->at).subspan(last->at - std::min(last->at, kBehind * piece_bytes))); }
    if (fed.ok() && last->at < bytes.size()) { continue; }
    if (!fed.ok()) {
      incomplete_ = true;
      warnings_.push_back(last->part->name + " is damaged: " + fed.error().message() + "; showing what precedes it");
    } else {
      end_stream(last->stream);
    }
    if (last + 1 != open.end()) { std::swap(*last, open.back()); }
    open.pop_back();
  }
  return ok_status();
}

Status PerfDataReader::read_pipe(Input& input) {
  Stream stream;
  stream.skip = kPerfPipeHeaderBytes;
  for (;;) {
    Result<Bytes> piece = input.next();
    if (!piece.ok()) { return std::move(piece).error(); }
    if (piece->empty()) { break; }
    WICK_OK(feed(stream, *piece));
  }
  end_stream(stream);
  return ok_status();
}

Status PerfDataReader::feed(Stream& stream, Bytes bytes) {
  auto size_of = [&](Bytes record) { return size_t{OrderedReader(record, info_.swapped, 6).u16()}; };
  auto too_short = [&](size_t size) {
    return bad_record(stream, stream.offset, strf("a record of %zu bytes: expected at least %zu", size, kHeaderBytes));
  };
  while (!bytes.empty()) {
    if (stream.skip > 0) {
      size_t count = static_cast<size_t>(std::min<uint64_t>(stream.skip, bytes.size()));
      bytes = bytes.subspan(count);
      stream.skip -= count;
      stream.offset += count;
      continue;
    }
    if (stream.part.empty() && bytes.size() >= kHeaderBytes) {
      size_t size = size_of(bytes);
      if (size < kHeaderBytes) { return too_short(size); }
      if (size <= bytes.size()) {
        uint64_t offset = std::exchange(stream.offset, stream.offset + size);
        Bytes record = bytes.first(size);
        bytes = bytes.subspan(size);
        WICK_OK(handle(stream, record, stream.stays, offset));
        continue;
      }
    }
    size_t wanted = stream.part.size() < kHeaderBytes ? kHeaderBytes : size_of(stream.part);
    size_t count = std::min(wanted - stream.part.size(), bytes.size());
    stream.part.insert(stream.part.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count));
    bytes = bytes.subspan(count);
    if (stream.part.size() < kHeaderBytes) { break; }
    size_t size = size_of(stream.part);
    if (size < kHeaderBytes) { return too_short(size); }
    if (stream.part.size() < size) { continue; }
    uint64_t offset = std::exchange(stream.offset, stream.offset + size);
    std::vector<uint8_t> record = std::exchange(stream.part, {});
    WICK_OK(handle(stream, record, false, offset));
    record.clear();
    if (stream.part.empty()) { stream.part = std::move(record); }  // reuses its memory
  }
  return ok_status();
}

// The event of a record. With several events, all have the ID at the same position.
bool PerfDataReader::find_event(Bytes record, uint32_t type, uint32_t& event) const {
  event = 0;
  if (info_.events.empty()) { return false; }
  if (info_.events.size() == 1) { return true; }
  const PerfDataEvent& first = info_.events[0];
  uint64_t sample_type = first.layout.sample_type;
  auto count = [&](uint64_t bits) { return static_cast<size_t>(std::popcount(sample_type & bits)); };
  size_t at = 0;
  if (type == PERF_RECORD_SAMPLE) {
    at = kHeaderBytes;
    if (!(sample_type & PERF_SAMPLE_IDENTIFIER)) {
      if (!(sample_type & PERF_SAMPLE_ID)) { return true; }
      at += 8 * count(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR);
    }
  } else {
    if (!first.sample_id_all) { return true; }
    size_t behind = 8;
    if (!(sample_type & PERF_SAMPLE_IDENTIFIER)) {
      if (!(sample_type & PERF_SAMPLE_ID)) { return true; }
      behind += 8 * count(PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU);
    }
    if (record.size() < kHeaderBytes + behind) { return true; }
    at = record.size() - behind;
  }
  OrderedReader r(record, info_.swapped, at);
  uint64_t id = r.u64();
  if (!r.ok()) { return false; }
  auto found = info_.event_of_id.find(id);
  if (found == info_.event_of_id.end()) { return type != PERF_RECORD_SAMPLE; }  // synthesized records have 0
  event = found->second;
  return true;
}

// In the byte order of the file. 0: unknown.
uint64_t PerfDataReader::time_of_record(Bytes record, uint32_t type, const PerfDataEvent& event) const {
  uint64_t sample_type = event.layout.sample_type;
  if (!(sample_type & PERF_SAMPLE_TIME)) { return 0; }
  auto count = [&](uint64_t bits) { return static_cast<size_t>(std::popcount(sample_type & bits)); };
  size_t at = 0;
  if (type == PERF_RECORD_SAMPLE) {
    at = kHeaderBytes + 8 * count(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID);
  } else {
    if (!event.sample_id_all) { return 0; }
    size_t behind = 8 + 8 * count(PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER);
    if (record.size() < kHeaderBytes + behind) { return 0; }
    at = record.size() - behind;
  }
  uint64_t time = OrderedReader(record, info_.swapped, at).u64();
  return time == UINT64_MAX ? 0 : time;
}

// Before the first kernel record, everything about the machine has been read.
void PerfDataReader::prepare_events() {
  prepared_ = true;
  Arch arch = perf_data_arch(info_);
  for (PerfDataEvent& event : info_.events) { event.layout.arch = arch; }
  totals_.event_samples.resize(info_.events.size());
  totals_.event_weight.resize(info_.events.size());
}

Status PerfDataReader::handle(Stream& stream, Bytes record, bool stays, uint64_t offset) {
  uint32_t type = OrderedReader(record, info_.swapped).u32();
  if (type >= kFirstOwn) { return handle_own(stream, type, record, offset); }
  if (!prepared_) { prepare_events(); }
  uint32_t event = 0;
  if (!find_event(record, type, event)) {
    if (type == PERF_RECORD_SAMPLE) { ++totals_.unknown_event; }
    return ok_status();
  }
  const PerfDataEvent& of = info_.events[event];
  bool is_timed = type == PERF_RECORD_SAMPLE || type == PERF_RECORD_MMAP || type == PERF_RECORD_MMAP2 ||
                  type == PERF_RECORD_COMM || type == PERF_RECORD_FORK || type == PERF_RECORD_EXIT;
  bool is_wanted = is_timed || type == PERF_RECORD_LOST || type == PERF_RECORD_LOST_SAMPLES || type == PERF_RECORD_KSYMBOL;
  if (!is_wanted) {
    totals_.throttled += type == PERF_RECORD_THROTTLE;
    totals_.deferred += type == kCallchainDeferred;
    return ok_status();
  }
  uint64_t time_ns = time_of_record(record, type, of);
  bool copied = !stays || info_.swapped || reinterpret_cast<uintptr_t>(record.data()) % 8 != 0;
  if (copied) {
    if (!is_timed) { untimed_.resize((record.size() + 7) / 8); }
    std::span<uint8_t> copy =
        is_timed ? window_.make_room(record.size()) : std::span(reinterpret_cast<uint8_t*>(untimed_.data()), record.size());
    std::memcpy(copy.data(), record.data(), record.size());
    if (info_.swapped) {
      PerfLayout trailer = of.layout;
      if (type != PERF_RECORD_SAMPLE && !of.sample_id_all) { trailer.sample_type = 0; }
      swap_perf_record(copy, trailer);
    }
    record = copy;
  }
  stream.youngest_ns = std::max(stream.youngest_ns, time_ns);
  if (is_timed) {
    window_.add(time_ns, record.data(), record.size(), event, copied);
    return ok_status();
  }
  if (std::optional<PerfLost> lost = parse_perf_lost(record)) {
    (type == PERF_RECORD_LOST ? totals_.lost_records : totals_.lost_samples) += lost->count;
  } else if (type == PERF_RECORD_KSYMBOL && info_.kernel_symbols.size() < kMostKernelSymbols) {
    ByteReader r(record, kHeaderBytes);
    PerfDataInfo::KernelSymbol symbol{r.u64(), r.u32(), {}};
    r.u16();
    constexpr uint16_t kGone = 1;
    uint16_t flags = r.u16();
    symbol.name = r.cstring();
    if (r.ok() && !(flags & kGone) && symbol.length > 0) { info_.kernel_symbols.push_back(std::move(symbol)); }
  }
  return ok_status();
}

Status PerfDataReader::handle_own(Stream& stream, uint32_t type, Bytes record, uint64_t offset) {
  OrderedReader r(record, info_.swapped, kHeaderBytes);
  switch (type) {
    case kAttr: handle_attr(record); break;
    case kEventUpdate: handle_update(record); break;
    case kFeature: {
      uint64_t feature = r.u64();
      Bytes rest = r.bytes(r.left());
      if (!r.ok() || !parse_perf_feature(feature, rest, info_)) { note_malformed(strf("at byte %llu", ull(offset))); }
      break;
    }
    case kBuildId:
      if (auto entry = parse_perf_build_id(record, info_.swapped)) { info_.build_ids.push_back(*std::move(entry)); }
      break;
    case kFinishedRound:
      if (!is_folder_) { window_.end_round(); }
      break;
    case kTracingData: stream.skip = (uint64_t{r.u32()} + 7) & ~uint64_t{7}; break;
    case kAuxTrace: {
      stream.skip = r.u64();
      ++totals_.aux_records;
      totals_.aux_bytes += std::min(stream.skip, UINT64_MAX - totals_.aux_bytes);
      break;
    }
    case kCompressed:
    case kCompressed2: {
      if (stream.unpacked) { return bad_record(stream, offset, "nested compressed records"); }
      uint64_t size = type == kCompressed2 ? r.u64() : r.left();
      if (!r.ok() || size > r.left()) {
        note_malformed(strf("at byte %llu", ull(offset)));
        break;
      }
      return unpack_record(stream, r.bytes(size), offset);
    }
    default: break;
  }
  return ok_status();
}

// All compressed records of a file form one stream. Records cross their boundaries.
Status PerfDataReader::unpack_record(Stream& stream, Bytes packed, uint64_t offset) {
  if (stream.unpacker == nullptr) {
    stream.unpacker = std::make_unique<Unpacker>();
    stream.unpacker->records.unpacked = true;
  }
  Unpacker& u = *stream.unpacker;
  if (u.state == nullptr) { return Error("not enough memory to decompress zstd"); }
  u.packed_bytes += packed.size();
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  for (;;) {
    ZSTD_outBuffer out{u.out.data(), u.out.size(), 0};
    size_t before = in.pos;
    size_t code = ZSTD_decompressStream(u.state, &out, &in);
    if (ZSTD_isError(code)) { return Error("byte %llu: a compressed record is damaged", ull(offset)).with_code(Errc::kBadInput); }
    u.unpacked_bytes += out.pos;
    if (u.unpacked_bytes > kRatioMatters && u.unpacked_bytes / kMostRatio > u.packed_bytes) {
      return Error("byte %llu: records decompress to more than %d times their size", ull(offset), static_cast<int>(kMostRatio))
          .with_code(Errc::kBadInput);
    }
    WICK_OK(feed(u.records, {u.out.data(), out.pos}));
    stream.youngest_ns = std::max(stream.youngest_ns, u.records.youngest_ns);
    bool is_done = in.pos == in.size && out.pos < out.size;
    if (is_done || (in.pos == before && out.pos == 0)) { return ok_status(); }
  }
}

void PerfDataReader::handle_attr(Bytes record) {
  constexpr size_t kOldAttrBytes = 64;
  Bytes rest = record.subspan(kHeaderBytes);
  size_t size = OrderedReader(rest, info_.swapped, std::min<size_t>(4, rest.size())).u32();
  if (size == 0) { size = kOldAttrBytes; }
  std::optional<PerfDataEvent> event = size <= rest.size() ? parse_perf_attr(rest.first(size), info_.swapped) : std::nullopt;
  if (!event || prepared_) { return; }
  OrderedReader ids(rest, info_.swapped, size);
  while (ids.left() >= 8) { event->ids.push_back(ids.u64()); }
  add_perf_event(info_, *std::move(event));
}

void PerfDataReader::handle_update(Bytes record) {
  constexpr uint64_t kName = 2;
  OrderedReader r(record, info_.swapped, kHeaderBytes);
  uint64_t kind = r.u64(), id = r.u64();
  Bytes rest = r.bytes(r.left());
  std::string_view text(reinterpret_cast<const char*>(rest.data()), rest.size());
  auto found = info_.event_of_id.find(id);
  if (r.ok() && kind == kName && found != info_.event_of_id.end()) {
    info_.events[found->second].name = text.substr(0, text.find('\0'));
  }
}

void PerfDataReader::give(const PerfDataWindow::Entry& entry) {
  if (entry.record == nullptr) { return flush(); }
  uint16_t size = 0;
  std::memcpy(&size, entry.record + 6, 2);
  Bytes record(entry.record, size);
  uint32_t type = ByteReader(record).u32();
  if (type == PERF_RECORD_SAMPLE) {
    give_sample(record, entry.event);
  } else {
    give_side(record, entry.event);
  }
}

std::string PerfDataReader::place_of(Bytes record) const {
  for (const PerfDataPart& file : files_) {
    if (record.data() < file.bytes.data() || record.data() >= file.bytes.data() + file.bytes.size()) { continue; }
    std::string of = file.name.empty() ? "" : " of " + file.name;
    return strf("at byte %llu", ull(static_cast<uint64_t>(record.data() - file.bytes.data()))) + of;
  }
  return strf("after sample %llu", ull(totals_.samples));
}

void PerfDataReader::give_sample(Bytes record, uint32_t event) {
  const PerfDataEvent& of = info_.events[event];
  std::optional<PerfSample> parsed = parse_perf_sample(record, of.layout);
  if (!parsed) { return note_malformed(totals_.malformed == 0 ? place_of(record) : std::string()); }
  RawSample& sample = parsed->raw;
  static_cast<void>(ended_tasks_.name(sample));  // without evidence, it remains thread -1, as in perf
  sample.event = event;
  sample.weight = of.layout.sample_type & PERF_SAMPLE_PERIOD ? parsed->period : of.fixed_period != 0 ? of.fixed_period : 1;
  uint16_t misc = ByteReader(record, 4).u16();
  uint16_t mode = cpu_mode(misc);
  if (mode == PERF_RECORD_MISC_GUEST_KERNEL || mode == PERF_RECORD_MISC_GUEST_USER) {
    ++totals_.guest;
    sample.ip = 0;
    sample.user_chain = {};
  }
  if (!of.copies_stack) {
    sample.user.valid = 0;
  } else if (of.layout.arch == Arch::kUnknown && !sample.stack.empty()) {
    ++totals_.unwalked;
  }
  if (parsed->counters.empty() || info_.event_of_id.empty()) { return add_to_batch(sample); }
  give_group(*parsed, event);
}

// For each member that has counted since the group was last read, one sample of that count.
void PerfDataReader::give_group(const PerfSample& parsed, uint32_t event) {
  bool has_own = false;
  for (size_t i = 0; i + parsed.counter_words <= parsed.counters.size(); i += parsed.counter_words) {
    uint64_t value = parsed.counters[i], id = parsed.counters[i + 1];
    auto member = info_.event_of_id.find(id);
    if (member == info_.event_of_id.end()) { continue; }
    uint64_t before = std::exchange(counters_[id], value);
    has_own |= member->second == event;
    if (value <= before) { continue; }
    RawSample sample = parsed.raw;
    sample.event = member->second;
    sample.weight = value - before;
    add_to_batch(sample);
  }
  if (!has_own) { add_to_batch(parsed.raw); }
}

void PerfDataReader::add_to_batch(const RawSample& sample) {
  uint64_t& sum = totals_.event_weight[sample.event];
  if (sample.weight > INT64_MAX - sum) {
    ++totals_.overflowing;
    return;
  }
  sum += sample.weight;
  bool out_of_order = !batch_.side.empty() && time_of(batch_.side.back()) > sample.time_ns;
  if (out_of_order || batch_.samples.size() >= kBatchSamples) { flush(); }
  batch_.samples.push_back(sample);
  ++totals_.samples;
  ++totals_.event_samples[sample.event];
}

void PerfDataReader::give_side(Bytes record, uint32_t event) {
  const PerfDataEvent& of = info_.events[event];
  uint16_t misc = ByteReader(record, 4).u16();
  uint64_t trailer = of.sample_id_all ? of.layout.sample_type : 0;
  std::optional<SideEvent> side = parse_perf_side(record, trailer);
  if (!side) { return; }  // data mapping, or damaged
  if (const auto* exit = std::get_if<ExitEvent>(&*side)) {
    if (std::optional<uint32_t> cpu = parse_perf_cpu(record, trailer)) { ended_tasks_.on_exit(*cpu, *exit); }
  }
  if (auto* map = std::get_if<MmapEvent>(&*side)) {
    if (cpu_mode(misc) == PERF_RECORD_MISC_KERNEL) { return handle_kernel_map(*map); }
    if (cpu_mode(misc) != PERF_RECORD_MISC_USER && cpu_mode(misc) != PERF_RECORD_MISC_CPUMODE_UNKNOWN) { return; }
  }
  ++totals_.side;
  if (!batch_.samples.empty() && time_of(*side) <= batch_.samples.back().time_ns) { flush(); }
  batch_.side.push_back(*std::move(side));
}

// "[kernel.kallsyms]_text": the address of that symbol. Kernel modules are mapped the same way under other names.
void PerfDataReader::handle_kernel_map(const MmapEvent& map) {
  size_t end = map.path.find(']');
  if (!map.path.starts_with("[kernel") || end == std::string::npos || !info_.kernel_symbol.empty()) { return; }
  std::string symbol = map.path.substr(end + 1);
  if (symbol != "_text" && symbol != "_stext") { return; }
  info_.kernel_symbol = symbol;
  info_.kernel_address = map.file_offset;
}

void PerfDataReader::flush() {
  if (batch_.samples.empty() && batch_.side.empty()) { return; }
  sink_.consume(batch_);
  if (!batch_.samples.empty()) { ended_tasks_.forget_until(batch_.samples.back().time_ns); }
  batch_.samples.clear();
  batch_.side.clear();
}

}  // namespace wick
