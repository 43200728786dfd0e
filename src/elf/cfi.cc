// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/cfi.h"

#include <elf.h>

#include <algorithm>
#include <mutex>

#include "elf/cfi_program.h"
#include "elf/decompress.h"

namespace wick::elf {
namespace {

constexpr uint64_t kMaxDebugFrame = uint64_t{256} << 20;
constexpr uint8_t kSearchableEncoding = 0x3b;  // datarel, signed 4 bytes: used by all linkers

}  // namespace

struct Cfi::Lists {
  std::array<std::once_flag, 2> once;
  std::array<std::vector<Entry>, 2> entries;
};

Cfi::~Cfi() = default;

Cfi::Cfi(Arch arch, CfiSection eh_frame, LoadedBytes hdr, CfiSection debug_frame)
    : arch_(arch), lists_(std::make_unique<Lists>()) {
  sections_[0] = std::move(eh_frame);
  sections_[1] = std::move(debug_frame);
  sections_[0].eh = true;
  sections_[1].eh = false;
  header_ = hdr;
  read_header(hdr);
}

Cfi::Cfi(const Image& image) : arch_(image.arch()), lists_(std::make_unique<Lists>()) {
  CfiSection& eh = sections_[0];
  CfiSection& debug = sections_[1];
  debug.eh = false;
  for (const Segment& s : image.segments()) {
    if (s.type == PT_LOAD) { eh.loaded.push_back({s.vaddr, image.segment_bytes(s)}); }
  }
  if (const Section* text = image.find_section(".text")) { eh.text_svma = text->vaddr; }
  if (const Section* got = image.find_section(".got")) { eh.data_svma = got->vaddr; }
  if (const Section* found = image.find_section(".eh_frame")) {
    eh.bytes = image.section_bytes(*found);
    eh.svma = found->vaddr;
  }
  for (const Segment& s : image.segments()) {
    if (s.type == PT_GNU_EH_FRAME) { header_ = {s.vaddr, image.segment_bytes(s)}; }
  }
  read_header(header_);
  const Section* found = image.find_section(".debug_frame");
  if (found == nullptr) { found = image.find_section(".zdebug_frame"); }
  if (found != nullptr) {
    // Rare next to .eh_frame, so it is decompressed right away; Go programs have nothing else.
    if (Result<SectionContents> contents = section_contents(image, *found, kMaxDebugFrame); contents.ok() && !contents->cut) {
      debug.bytes = contents->bytes;
      decompressed_ = std::move(contents->owned);
    }
  }
  // Entry offsets are stored in 32 bits.
  for (CfiSection& section : sections_) {
    if (section.bytes.size() > UINT32_MAX) { section.bytes = {}; }
  }
}

void Cfi::read_header(const LoadedBytes& hdr) {
  CfiSection view;
  view.bytes = hdr.bytes;
  view.svma = hdr.svma;
  view.data_svma = hdr.svma;
  view.loaded = sections_[0].loaded;
  ByteReader reader(hdr.bytes);
  uint8_t version = reader.u8(), frame_encoding = reader.u8(), count_encoding = reader.u8(), table_encoding = reader.u8();
  uint64_t frame = 0, count = 0;
  if (!reader.ok() || version != 1) { return; }
  if (!read_pointer(view, reader, frame_encoding, 0, frame)) { return; }
  CfiSection& eh = sections_[0];
  if (eh.bytes.empty()) {  // no section headers: use the segment
    for (const LoadedBytes& part : eh.loaded) {
      if (frame >= part.svma && frame - part.svma < part.bytes.size()) {
        eh.bytes = part.bytes.subspan(static_cast<size_t>(frame - part.svma));
        eh.svma = frame;
        eh.sized = false;
      }
    }
  }
  if (!read_pointer(view, reader, count_encoding, 0, count) || table_encoding != kSearchableEncoding) { return; }
  if (count == 0 || count > reader.left() / 8) { return; }
  search_table_ = reader.bytes(count * 8);
}

bool Cfi::search_header(uint64_t svma, size_t& offset) const {
  auto word = [&](size_t index) {
    int32_t value = 0;
    std::memcpy(&value, search_table_.data() + index * 4, 4);
    return header_.svma + static_cast<uint64_t>(int64_t{value});
  };
  size_t low = 0, high = search_table_.size() / 8;  // the last entry that begins at or before svma is in [low, high)
  if (high == 0 || word(0) > svma) { return false; }
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (word(middle * 2) <= svma) {
      low = middle;
    } else {
      high = middle;
    }
  }
  uint64_t entry = word(low * 2 + 1) - sections_[0].svma;
  if (entry >= sections_[0].bytes.size()) { return false; }
  offset = static_cast<size_t>(entry);
  return true;
}

void Cfi::append_entries(unsigned index, std::vector<Entry>& out) const {
  const CfiSection& section = sections_[index];
  // The entries of a file mostly share a few CIEs, most likely that of the previous entry.
  struct Known {
    uint64_t offset;
    bool good;
    Cie cie;
  };
  std::vector<Known> known;
  size_t last = 0;
  auto find_cie = [&](uint64_t offset) -> const Known* {
    if (last < known.size() && known[last].offset == offset) { return &known[last]; }
    size_t first_kept = known.size() > 16 ? known.size() - 16 : 0;
    for (last = first_kept; last < known.size(); ++last) {
      if (known[last].offset == offset) { return &known[last]; }
    }
    Known made{offset, false, {}};
    made.good = read_cie(section, offset, made.cie);
    known.push_back(made);
    return &known.back();
  };
  size_t at = 0;
  while (at < section.bytes.size()) {
    CfiEntryHead head;
    HeadKind kind = read_head(section, at, head);
    if (kind == HeadKind::kBad || (kind == HeadKind::kZero && !section.sized)) { break; }
    at = head.next;
    if (kind == HeadKind::kZero || head.is_cie) { continue; }
    const Known* cie = find_cie(head.cie_offset);
    Fde fde;
    if (!cie->good || !read_fde(section, head, cie->cie, fde)) { continue; }
    out.push_back({fde.begin, static_cast<uint32_t>(head.offset), static_cast<uint8_t>(index)});
  }
}

std::vector<Cfi::Entry> Cfi::list_entries() const {
  std::vector<Entry> out;
  out.reserve(search_table_.size() / 8);
  append_entries(0, out);
  append_entries(1, out);
  auto before = [](const Entry& a, const Entry& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.section != b.section ? a.section < b.section : a.offset < b.offset;
  };
  if (!std::is_sorted(out.begin(), out.end(), before)) { std::sort(out.begin(), out.end(), before); }
  return out;
}

bool Cfi::find_entry(unsigned index, uint64_t svma, size_t& offset) const {
  if (sections_[index].bytes.empty()) { return false; }
  if (index == 0 && !search_table_.empty()) { return search_header(svma, offset); }
  std::call_once(lists_->once[index], [&] {
    append_entries(index, lists_->entries[index]);
    std::stable_sort(lists_->entries[index].begin(), lists_->entries[index].end(),
                     [](const Entry& a, const Entry& b) { return a.begin < b.begin; });
  });
  const std::vector<Entry>& entries = lists_->entries[index];
  auto after =
      std::upper_bound(entries.begin(), entries.end(), svma, [](uint64_t address, const Entry& e) { return address < e.begin; });
  if (after == entries.begin()) { return false; }
  // Of entries with the same start, the first wins, as in the compiled table.
  const Entry* found = &*(after - 1);
  while (found != entries.data() && found[-1].begin == found->begin) { --found; }
  offset = found->offset;
  return true;
}

// Reads the entry if it covers `svma`.
bool Cfi::read_entry(unsigned index, size_t offset, uint64_t svma, Cie& cie, Fde& fde) const {
  const CfiSection& section = sections_[index];
  CfiEntryHead head;
  if (read_head(section, offset, head) != HeadKind::kEntry || head.is_cie) { return false; }
  if (!read_cie(section, head.cie_offset, cie) || !read_fde(section, head, cie, fde)) { return false; }
  return svma >= fde.begin && svma < fde.end;
}

template <typename Visit>
bool Cfi::run_entry(unsigned index, size_t offset, uint64_t svma, FrameRow& row, Visit&& visit) const {
  Cie cie;
  Fde fde;
  if (!read_entry(index, offset, svma, cie, fde)) { return false; }
  CfiProgram<FrameRow> program(sections_[index], cie, arch_);
  FrameRow initial;
  initial.return_register = static_cast<unsigned>(std::min<uint64_t>(cie.return_register, UINT32_MAX));
  initial.signal_frame = cie.signal_frame;
  if (!program.run_initial(initial)) { return false; }
  return program.run_function(fde, initial, row, [&](uint64_t from, uint64_t to) {
    row.begin = from;
    row.end = to;
    return visit();
  });
}

bool Cfi::row_in_entry(unsigned index, size_t offset, uint64_t svma, FrameRow& row) const {
  bool found = false;
  run_entry(index, offset, svma, row, [&] {
    found = svma >= row.begin && svma < row.end;
    return !found;
  });
  return found;
}

bool Cfi::visit_rows(const Entry& entry, const std::function<bool(const FrameRow&)>& visit) const {
  FrameRow row;
  return run_entry(entry.section, entry.offset, entry.begin, row, [&] { return visit(row); });
}

bool Cfi::find_row(uint64_t svma, FrameRow& row) const {
  for (unsigned index = 0; index < 2; ++index) {
    size_t offset = 0;
    if (find_entry(index, svma, offset) && row_in_entry(index, offset, svma, row)) { return true; }
  }
  return false;
}

bool Cfi::find_function(uint64_t svma, uint64_t& begin) const {
  for (unsigned index = 0; index < 2; ++index) {
    size_t offset = 0;
    Cie cie;
    Fde fde;
    if (!find_entry(index, svma, offset) || !read_entry(index, offset, svma, cie, fde)) { continue; }
    begin = fde.begin;
    return true;
  }
  return false;
}

bool Cfi::find_function_before(uint64_t svma, uint64_t& begin, uint64_t& end) const {
  const CfiSection& section = sections_[0];
  size_t offset = 0;
  CfiEntryHead head;
  Cie cie;
  Fde fde;
  if (!find_entry(0, svma, offset) || read_head(section, offset, head) != HeadKind::kEntry || head.is_cie) { return false; }
  if (!read_cie(section, head.cie_offset, cie) || !read_fde(section, head, cie, fde) || svma < fde.begin) { return false; }
  begin = fde.begin;
  end = fde.end;
  return true;
}

}  // namespace wick::elf
