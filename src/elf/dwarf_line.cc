// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/dwarf_line.h"

#include <algorithm>
#include <array>

namespace wick::elf {
namespace {

constexpr size_t kMaxFiles = 1 << 20, kMaxFormats = 64;

enum StandardOpcode : uint8_t {
  kCopy = 1,
  kAdvancePc,
  kAdvanceLine,
  kSetFile,
  kSetColumn,
  kNegateStmt,
  kSetBasicBlock,
  kConstAddPc,
  kFixedAdvancePc,
  kSetPrologueEnd,
  kSetEpilogueBegin,
  kSetIsa
};
enum ExtendedOpcode : uint8_t { kEndSequence = 1, kSetAddress = 2, kDefineFile = 3 };

struct Header {
  uint64_t end = 0, program = 0;
  uint16_t version = 0;
  uint8_t address_size = 8, offset_size = 4;
  uint8_t min_instruction = 1, max_operations = 1, line_range = 1, opcode_base = 1;
  int8_t line_base = 0;
  std::array<uint8_t, 256> operand_counts{};
};

// Reads version 5's directories or files: a description of the columns, then the rows.
bool read_entries(ByteReader& r, const DwarfUnit& unit, std::vector<LineTable::File>& out) {
  std::vector<std::pair<uint16_t, uint16_t>> formats(r.u8());
  for (auto& [content, form] : formats) {
    content = static_cast<uint16_t>(std::min<uint64_t>(r.uleb(), UINT16_MAX));
    form = static_cast<uint16_t>(std::min<uint64_t>(r.uleb(), UINT16_MAX));
  }
  uint64_t count = r.uleb();
  if (!r.ok() || formats.size() > kMaxFormats || count > kMaxFiles || count > r.left() || (formats.empty() && count > 0)) {
    return false;
  }
  for (uint64_t i = 0; i < count; ++i) {
    LineTable::File file;
    for (auto [content, form] : formats) {
      AttributeValue value;
      if (!read_attribute(r, unit, {0, form, 0}, value)) { return false; }
      if (content == dw::kLnctPath) { file.name = value.text; }
      if (content == dw::kLnctDirectoryIndex) { file.directory = value.number; }
    }
    out.push_back(file);
  }
  return r.ok();
}

bool read_file_row(ByteReader& r, LineTable& table) {
  std::string_view name = r.cstring();
  if (!r.ok() || name.empty()) { return false; }
  uint64_t directory = r.uleb();
  r.uleb();
  r.uleb();
  if (table.files.size() < kMaxFiles) { table.files.push_back({name, directory}); }
  return r.ok();
}

bool read_lengths(ByteReader& r, const DwarfUnit& unit, Header& h) {
  uint64_t length = r.u32();
  if (length == 0xffffffff) {
    length = r.u64();
    h.offset_size = 8;
  }
  if (!r.ok() || length > r.left()) { return false; }
  h.end = r.pos() + length;
  h.version = r.u16();
  h.address_size = unit.address_size;
  if (h.version < 2 || h.version > 5) { return false; }
  if (h.version >= 5) {
    h.address_size = r.u8();
    r.u8();  // segment selector size
  }
  uint64_t header_length = h.offset_size == 8 ? r.u64() : r.u32();
  if (!r.ok() || header_length > r.left()) { return false; }
  h.program = r.pos() + header_length;
  return true;
}

bool read_header(ByteReader& r, const DwarfUnit& unit, Header& h, LineTable& table) {
  if (!read_lengths(r, unit, h)) { return false; }
  h.min_instruction = r.u8();
  if (h.version >= 4) { h.max_operations = std::max<uint8_t>(r.u8(), 1); }
  r.u8();  // default is_stmt
  h.line_base = r.i8();
  h.line_range = r.u8();
  h.opcode_base = r.u8();
  for (unsigned i = 1; i < h.opcode_base; ++i) { h.operand_counts[i] = r.u8(); }
  table.version = h.version;
  if (h.version >= 5) {
    // Its forms use the table's version and sizes, not the unit's.
    DwarfUnit own = unit;
    own.version = h.version;
    own.offset_size = h.offset_size;
    own.address_size = h.address_size;
    std::vector<LineTable::File> directories;
    if (!read_entries(r, own, directories) || !read_entries(r, own, table.files)) { return false; }
    for (const LineTable::File& d : directories) { table.directories.push_back(d.name); }
  } else {
    table.directories.push_back({});  // 0: the unit's directory
    while (r.ok()) {
      std::string_view name = r.cstring();
      if (name.empty() || table.directories.size() >= kMaxFiles) { break; }
      table.directories.push_back(name);
    }
    table.files.push_back({});  // numbers start at 1
    while (read_file_row(r, table)) {}
  }
  return r.ok() && h.line_range != 0;
}

class Program {
 public:
  Program(const Header& header, const CodeRanges& code, const WantedAddresses* wanted, LineTable& table)
      : h_(header), code_(code), wanted_(wanted), most_rows_(code.rows().left()), table_(table) {}

  void run(ByteReader& r) {
    begin_sequence();
    while (r.ok() && !r.at_end() && table_.rows.size() <= most_rows_) {
      uint8_t opcode = r.u8();
      if (opcode >= h_.opcode_base) {
        uint8_t adjusted = static_cast<uint8_t>(opcode - h_.opcode_base);
        advance(adjusted / h_.line_range);
        row_.line += static_cast<uint32_t>(h_.line_base + adjusted % h_.line_range);
        emit();
        continue;
      }
      switch (opcode) {
        case 0: extended(r); break;
        case kCopy: emit(); break;
        case kAdvancePc: advance(r.uleb()); break;
        case kAdvanceLine: row_.line += static_cast<uint32_t>(r.sleb()); break;
        case kSetFile: row_.file = static_cast<uint32_t>(std::min<uint64_t>(r.uleb(), UINT32_MAX)); break;
        case kSetColumn: row_.column = static_cast<uint32_t>(std::min<uint64_t>(r.uleb(), UINT16_MAX)); break;
        case kConstAddPc: advance(static_cast<uint64_t>((255 - h_.opcode_base) / h_.line_range)); break;
        case kFixedAdvancePc:
          row_.address += r.u16();
          operation_ = 0;
          break;
        case kNegateStmt:
        case kSetBasicBlock:
        case kSetPrologueEnd:
        case kSetEpilogueBegin: break;
        default:
          for (unsigned i = 0; i < h_.operand_counts[opcode]; ++i) { r.uleb(); }
          break;
      }
    }
  }

 private:
  void begin_sequence() {
    row_ = {0, 1, 1, 0};
    operation_ = 0;
    first_ = table_.rows.size();
    sorted_ = true;
  }

  void advance(uint64_t by) {
    if (h_.max_operations == 1) {
      row_.address += by * h_.min_instruction;
      return;
    }
    uint64_t operations = operation_ + by;
    row_.address += h_.min_instruction * (operations / h_.max_operations);
    operation_ = operations % h_.max_operations;
  }

  // Of several rows at one address, the last one wins.
  void emit() {
    std::vector<LineRow>& rows = table_.rows;
    if (rows.size() > first_ && rows.back().address == row_.address) {
      rows.back() = row_;
      return;
    }
    sorted_ &= rows.size() == first_ || rows.back().address < row_.address;
    rows.push_back(row_);
  }

  void end_sequence() {
    std::vector<LineRow>& rows = table_.rows;
    if (!sorted_) {
      std::stable_sort(rows.begin() + static_cast<std::ptrdiff_t>(first_), rows.end(),
                       [](const LineRow& a, const LineRow& b) { return a.address < b.address; });
    }
    bool is_kept = rows.size() > first_ && rows[first_].address < row_.address && code_.contains(rows[first_].address) &&
                   (wanted_ == nullptr || wanted_->any_in(rows[first_].address, row_.address));
    if (is_kept) {
      table_.sequences.push_back({rows[first_].address, row_.address, first_, rows.size() - first_});
    } else {
      rows.resize(first_);
    }
    begin_sequence();
  }

  void extended(ByteReader& r) {
    uint64_t length = r.uleb();
    if (!r.ok() || length > r.left()) {
      r.fail();
      return;
    }
    if (length == 0) { return; }
    size_t end = r.pos() + static_cast<size_t>(length);
    switch (r.u8()) {
      case kEndSequence: end_sequence(); break;
      case kSetAddress:
        row_.address = length - 1 == 4 ? r.u32() : length - 1 == 8 ? r.u64() : 0;
        operation_ = 0;
        break;
      case kDefineFile: read_file_row(r, table_); break;
      default: break;
    }
    r.seek(end);
  }

  const Header& h_;
  const CodeRanges& code_;
  const WantedAddresses* wanted_;
  uint64_t most_rows_;
  LineTable& table_;
  LineRow row_;
  uint64_t operation_ = 0;
  size_t first_ = 0;
  bool sorted_ = true;
};

bool is_absolute(std::string_view path) { return !path.empty() && path[0] == '/'; }

}  // namespace

void LineTable::clear() {
  version = 0;
  comp_dir = {};
  directories.clear();
  files.clear();
  rows.clear();
  sequences.clear();
}

void read_line_table(const DwarfUnit& unit, const CodeRanges& code, const WantedAddresses* wanted, LineTable& table) {
  table.clear();
  const DwarfUnit& place = unit.skeleton != nullptr ? *unit.skeleton : unit;
  table.comp_dir = place.comp_dir.empty() ? unit.comp_dir : place.comp_dir;
  if (!place.has_lines) { return; }
  Bytes section = place.file->sections().line;
  const ReadBudget& budget = place.file->line_bytes();  // several units may refer to the same table
  ByteReader r(section);
  r.seek(place.stmt_list);
  Header header;
  if (budget.left() == 0) { return; }
  bool good = read_header(r, place, header, table);
  budget.take(header.end > place.stmt_list ? header.end - place.stmt_list : 0);
  if (!good) { return; }
  ByteReader program(section.first(static_cast<size_t>(header.end)), static_cast<size_t>(header.program));
  Program(header, code, wanted, table).run(program);
  code.rows().take(table.rows.size());
  std::sort(table.sequences.begin(), table.sequences.end(), [](const LineSequence& a, const LineSequence& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.first < b.first;
  });
}

bool has_empty_line_table(const DwarfUnit& unit) {
  if (!unit.has_lines) { return false; }
  ByteReader r(unit.file->sections().line);
  r.seek(unit.stmt_list);
  Header header;
  return read_lengths(r, unit, header) && header.program == header.end;
}

std::string LineTable::path(uint64_t file) const {
  if (file >= files.size() || files[static_cast<size_t>(file)].name.empty()) { return {}; }
  const File& f = files[static_cast<size_t>(file)];
  if (is_absolute(f.name)) { return std::string(f.name); }
  std::string_view directory =
      f.directory < directories.size() ? directories[static_cast<size_t>(f.directory)] : std::string_view();
  std::string out;
  if (!is_absolute(directory) && !comp_dir.empty()) {
    out = comp_dir;
    if (out.back() != '/') { out += '/'; }
  }
  if (!directory.empty()) {
    out += directory;
    if (out.back() != '/') { out += '/'; }
  }
  return out.append(f.name);
}

}  // namespace wick::elf
