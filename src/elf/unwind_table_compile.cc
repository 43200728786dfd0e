// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// One pass over all entries by address. Where two overlap (.debug_frame next to .eh_frame, damaged files), the one that starts
// later wins; of those with the same start, the first, as in a search by start address.

#include <algorithm>
#include <cstring>
#include <memory>

#include "elf/cfi_program.h"
#include "elf/unwind_table.h"
#include "elf/unwind_table_format.h"

namespace wick::elf {
namespace {

constexpr uint64_t kMaxDistance = uint64_t{1} << 32;  // no file has more code

// The rules that a compact row needs.
struct SmallRow {
  CfaRule cfa;
  RegisterRule ra, fp, data;
  uint64_t ra_register = 0, fp_register = 0;

  RegisterRule* rule(uint64_t reg) {
    return reg == ra_register ? &ra : reg == fp_register ? &fp : reg == kExceptionRegister ? &data : nullptr;
  }
};

class Compiler {
 public:
  explicit Compiler(const Cfi& cfi) : cfi_(cfi) {
    add_rule({});
    add_rule({.kind = CompactRule::Kind::kAsk});
  }

  std::vector<uint8_t> run() {
    std::vector<Cfi::Entry> entries = cfi_.list_entries();
    if (entries.empty()) { return {}; }
    base_ = entries.front().begin & ~uint64_t{0xffff};
    if (entries.back().begin - base_ >= kMaxDistance) { return {}; }
    end_ = base_;
    rows_.reserve(entries.size() * 4);
    for (size_t i = 0; i < entries.size(); ++i) {
      if (i > 0 && entries[i].begin == entries[i - 1].begin) { continue; }
      size_t next = i + 1;
      while (next < entries.size() && entries[next].begin == entries[i].begin) { ++next; }
      add_function(entries[i], next < entries.size() ? entries[next].begin : UINT64_MAX);
    }
    add_row(end_, 0);
    return encode();
  }

 private:
  // A CIE and the row after its instructions.
  struct Start {
    Start(const CfiSection& bytes, Arch arch) : program(bytes, cie, arch) {}
    uint64_t offset = 0;
    uint8_t section = 0;
    bool good = false;
    Cie cie;
    SmallRow row;
    CfiProgram<SmallRow> program;
  };

  Start& find_start(const Cfi::Entry& entry, uint64_t cie_offset) {
    auto is_it = [&](const Start& s) { return s.offset == cie_offset && s.section == entry.section; };
    if (last_ != nullptr && is_it(*last_)) { return *last_; }
    // Newest first, and limited: a malicious file may have a CIE per function.
    size_t oldest = starts_.size() > 16 ? starts_.size() - 16 : 0;
    for (size_t i = starts_.size(); i-- > oldest;) {
      if (is_it(*starts_[i])) {
        last_ = starts_[i].get();
        return *last_;
      }
    }
    auto start = std::make_unique<Start>(cfi_.section(entry.section), cfi_.arch());
    start->offset = cie_offset;
    start->section = entry.section;
    start->good = read_cie(cfi_.section(entry.section), cie_offset, start->cie);
    start->row.ra_register = start->cie.return_register;
    start->row.fp_register = register_numbers(cfi_.arch()).fp;
    if (start->good) { start->good = start->cie.return_register < Registers::kCount && start->program.run_initial(start->row); }
    if (starts_.size() >= 64) { starts_.erase(starts_.begin(), starts_.begin() + 32); }
    starts_.push_back(std::move(start));
    last_ = starts_.back().get();
    return *last_;
  }

  void add_function(const Cfi::Entry& entry, uint64_t limit) {
    const CfiSection& section = cfi_.section(entry.section);
    CfiEntryHead head;
    Fde fde;
    if (read_head(section, entry.offset, head) != HeadKind::kEntry) { return; }
    Start& start = find_start(entry, head.cie_offset);
    if (!start.good || !read_fde(section, head, start.cie, fde)) { return; }
    fde.end = std::min(fde.end, limit);
    // Even a gap of a few bytes may be a function without an entry, for which the previous rule would be wrong. (Rows for the
    // padding between functions make tables 20 to 40 % larger.)
    if (fde.begin != end_ || rows_.empty()) { add_row(end_, 0); }
    end_ = fde.begin;
    start.program.run_function(fde, start.row, row_, [&](uint64_t from, uint64_t to) {
      add_row(from,
              rule_number(compact_rule(cfi_.arch(), row_.cfa, row_.ra, row_.fp, start.cie.signal_frame || is_saved(row_.data))));
      end_ = to;
      return true;
    });
    if (end_ < fde.end) {  // malformed instructions: the rest is unknown
      add_row(end_, 0);
      end_ = fde.end;
    }
  }

  void add_row(uint64_t svma, uint32_t rule) {
    uint64_t distance = svma - base_;
    if (distance >= kMaxDistance) { return; }
    if (!rows_.empty() && row_rule(rows_.back()) == rule) { return; }
    if (!rows_.empty() && row_distance(rows_.back()) == distance) {
      rows_.pop_back();
      if (!rows_.empty() && row_rule(rows_.back()) == rule) { return; }
    }
    rows_.push_back(distance << 16 | rule);
  }

  uint32_t rule_number(const CompactRule& rule) {
    if (rule == rules_[last_rule_]) { return last_rule_; }
    uint32_t& slot = slot_of(rule);
    if (slot != UINT32_MAX) { return last_rule_ = slot; }
    if (rules_.size() >= 65536) { return 1; }
    uint32_t number = slot = static_cast<uint32_t>(rules_.size());
    add_rule(rule);
    if (rules_.size() > slots_.size() / 2) { grow_slots(); }
    return number;
  }
  // Where the number of this rule is, or belongs.
  uint32_t& slot_of(const CompactRule& rule) {
    uint64_t words[2];
    std::memcpy(words, &rule, sizeof rule);
    for (uint64_t slot = hash_pair(words[0], words[1]);; ++slot) {
      uint32_t& number = slots_[slot & (slots_.size() - 1)];
      if (number == UINT32_MAX || rules_[number] == rule) { return number; }
    }
  }
  void grow_slots() {
    slots_.assign(slots_.size() * 4, UINT32_MAX);
    for (uint32_t number = 2; number < rules_.size(); ++number) { slot_of(rules_[number]) = number; }
  }
  void add_rule(const CompactRule& rule) { rules_.push_back(rule); }

  std::vector<uint8_t> encode() const {
    UnwindTableHeader header;
    std::memcpy(header.magic, kUnwindTableMagic, sizeof header.magic);
    header.version = UnwindTable::kVersion;
    header.arch = static_cast<uint32_t>(cfi_.arch());
    header.base = base_;
    constexpr unsigned kBits = UnwindTable::kBucketBits;
    uint64_t buckets = rows_.empty() ? 0 : (row_distance(rows_.back()) >> kBits) + 1;
    header.bucket_count = static_cast<uint32_t>(buckets);
    header.row_count = static_cast<uint32_t>(rows_.size());
    header.rule_count = static_cast<uint32_t>(rules_.size());

    size_t rules_at = sizeof header, index_at = rules_at + rules_.size() * sizeof(CompactRule),
           rows_at = index_at + (buckets + 1) * 4;
    std::vector<uint8_t> blob(rows_at + rows_.size() * 4);
    std::memcpy(blob.data() + rules_at, rules_.data(), rules_.size() * sizeof(CompactRule));
    auto put = [&](size_t at, uint32_t value) { std::memcpy(blob.data() + at, &value, 4); };
    uint64_t bucket = 0;
    for (size_t i = 0; i < rows_.size(); ++i) {
      for (uint64_t last = row_distance(rows_[i]) >> kBits; bucket <= last; ++bucket) {
        put(index_at + bucket * 4, static_cast<uint32_t>(i));
      }
      put(rows_at + i * 4, static_cast<uint32_t>(rows_[i]));
    }
    put(index_at + buckets * 4, static_cast<uint32_t>(rows_.size()));
    std::memcpy(blob.data(), &header, sizeof header);
    header.checksum = unwind_table_checksum(blob);
    std::memcpy(blob.data(), &header, sizeof header);
    return blob;
  }

  // While compiling, a row is the distance from the base and a 16-bit rule number; its lower half is the row of the table.
  static uint64_t row_distance(uint64_t row) { return row >> 16; }
  static uint32_t row_rule(uint64_t row) { return static_cast<uint32_t>(row & 0xffff); }

  const Cfi& cfi_;
  uint64_t base_ = 0, end_ = 0;
  SmallRow row_;
  std::vector<uint64_t> rows_;
  std::vector<CompactRule> rules_;
  std::vector<uint32_t> slots_ = std::vector<uint32_t>(1 << 11, UINT32_MAX);  // rules by their hash
  uint32_t last_rule_ = 0;
  std::vector<std::unique_ptr<Start>> starts_;
  Start* last_ = nullptr;
};

}  // namespace

std::vector<uint8_t> UnwindTable::compile(const Cfi& cfi) {
  if (cfi.empty() || (cfi.arch() != Arch::kX86_64 && cfi.arch() != Arch::kAarch64)) { return {}; }
  return Compiler(cfi).run();
}

}  // namespace wick::elf
