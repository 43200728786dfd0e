// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/dwarf_line.h"

#include <algorithm>
#include <array>
#include <optional>

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

// Runs a line program. Its loop keeps everything in local variables and uses plain pointers: it sees every byte of the section.
class Program {
 public:
  Program(const Header& header, const CodeRanges& code, const WantedAddresses* wanted, LineTable& table)
      : h_(header), code_(code), wanted_(wanted), most_rows_(code.rows().left()), table_(table) {
    for (unsigned opcode = h_.opcode_base; opcode < 256; ++opcode) {
      unsigned adjusted = opcode - h_.opcode_base;
      operations_[opcode] = static_cast<uint8_t>(adjusted / h_.line_range);
      lines_[opcode] = h_.line_base + static_cast<int>(adjusted % h_.line_range);
    }
    if (wanted_ != nullptr) { make_steps(); }
  }

  void run(Bytes program) {
    const uint8_t *at = program.data(), *const end = at + program.size();
    while (at != end) {
      if (wanted_ != nullptr) {
        Sequence found;
        const uint8_t* next = at;
        bool is_whole = find_range(next, end, found);
        bool is_wanted = found.lowest < found.end && wanted_->any_in(found.lowest, found.end);
        if (is_whole && !is_wanted) {
          at = next;
          continue;
        }
      }
      Sequence found;
      first_ = table_.rows.size();
      if (!run_sequence(at, end, found)) { return; }
      end_sequence(found);
    }
  }

 private:
  struct Sequence {
    uint64_t lowest = UINT64_MAX, end = 0;
    bool is_sorted = true;
  };

  // Bits beyond 64 are dropped. Returns false at the end of the program.
  static bool read_leb(const uint8_t*& at, const uint8_t* end, bool is_signed, uint64_t& value) {
    value = 0;
    for (unsigned shift = 0; at != end && shift < 70;) {
      uint8_t byte = *at++;
      if (shift < 64) { value |= uint64_t{byte & 0x7fu} << shift; }
      shift += 7;
      if (byte < 0x80) {
        if (is_signed && shift < 64 && (byte & 0x40) != 0) { value |= ~uint64_t{0} << shift; }
        return true;
      }
    }
    return false;
  }
  static bool read_uleb(const uint8_t*& at, const uint8_t* end, uint64_t& value) {
    if (at != end && *at < 0x80) {
      value = *at++;
      return true;
    }
    return read_leb(at, end, false, value);
  }

  // What an opcode does to the address.
  struct Step {
    bool is_simple = false;
    int8_t no_row = -1;     // 0: adds a row
    uint8_t operand = 0;    // 1: has an operand that does not affect the address
    uint8_t continued = 0;  // the bit of the operand that announces another byte
    uint32_t advance = 0;
  };
  void make_steps() {
    auto simple = [&](unsigned opcode, bool adds_row, bool has_operand, unsigned operations) {
      steps_[opcode] = {true, static_cast<int8_t>(adds_row ? 0 : -1), static_cast<uint8_t>(has_operand ? 1 : 0),
                        static_cast<uint8_t>(has_operand ? 0x80 : 0), operations * h_.min_instruction};
    };
    // Special opcodes come last: they replace standard ones that the header does not have.
    for (uint8_t opcode : {kNegateStmt, kSetBasicBlock, kSetPrologueEnd, kSetEpilogueBegin}) { simple(opcode, false, false, 0); }
    for (uint8_t opcode : {kAdvanceLine, kSetFile, kSetColumn}) { simple(opcode, false, true, 0); }
    simple(kConstAddPc, false, false, operations_[255]);
    simple(kCopy, true, false, 0);
    for (unsigned opcode = h_.opcode_base; opcode < 256; ++opcode) { simple(opcode, true, false, operations_[opcode]); }
  }

  // Finds only the range of a sequence, several times as fast as its rows. Returns false if run_sequence() has to decide.
  bool find_range(const uint8_t*& position, const uint8_t* const end, Sequence& found) const {
    if (h_.max_operations != 1) { return false; }
    const uint8_t* at = position;
    uint64_t address = 0, lowest = UINT64_MAX, value = 0;
    while (end - at >= 2) {
      const uint8_t opcode = *at++;
      const Step step = steps_[opcode];
      if (step.is_simple) {
        address += step.advance;
        lowest = std::min(lowest, address | static_cast<uint64_t>(int64_t{step.no_row}));
        at += step.operand;
        if ((at[-1] & step.continued) != 0 && !read_uleb(at, end, value)) { return false; }
        continue;
      }
      switch (opcode) {
        case 0: {
          std::optional<ByteReader> r = read_extended(at, end);
          if (!r) { return false; }
          switch (r->u8()) {
            case kEndSequence:
              found = {lowest, address};
              position = at;
              return true;
            case kSetAddress: address = read_address(*r); break;
            case kDefineFile: return false;
            default: break;
          }
          break;
        }
        case kAdvancePc:
          if (!read_uleb(at, end, value)) { return false; }
          address += value * h_.min_instruction;
          break;
        case kFixedAdvancePc:
          if (end - at < 2) { return false; }
          address += static_cast<uint64_t>(at[0] | at[1] << 8);
          at += 2;
          break;
        default:
          if (!skip_operands(opcode, at, end)) { return false; }
          break;
      }
    }
    return false;
  }

  // The opcode and operands of an extended operation; without an opcode, it reads as 0, which does nothing.
  static std::optional<ByteReader> read_extended(const uint8_t*& at, const uint8_t* const end) {
    uint64_t size = 0;
    if (!read_uleb(at, end, size) || size > static_cast<uint64_t>(end - at)) { return std::nullopt; }
    ByteReader r({at, static_cast<size_t>(size)});
    at += size;
    return r;
  }
  static uint64_t read_address(ByteReader& r) { return r.left() == 4 ? r.u32() : r.left() == 8 ? r.u64() : 0; }
  bool skip_operands(uint8_t opcode, const uint8_t*& at, const uint8_t* const end) const {
    uint64_t value = 0;
    for (unsigned i = 0; i < h_.operand_counts[opcode]; ++i) {
      if (!read_uleb(at, end, value)) { return false; }
    }
    return true;
  }

  // Adds the rows of a sequence. Returns false if the program ends or is damaged before the sequence ends.
  bool run_sequence(const uint8_t*& position, const uint8_t* const end, Sequence& found) {
    const uint8_t* at = position;
    LineRow row{0, 1, 1, 0};
    uint64_t operation = 0, value = 0;
    const uint64_t min_instruction = h_.min_instruction, max_operations = h_.max_operations;
    auto advance = [&](uint64_t by) {
      if (max_operations == 1) {
        row.address += by * min_instruction;
        return;
      }
      uint64_t operations = operation + by;
      row.address += min_instruction * (operations / max_operations);
      operation = operations % max_operations;
    };
    while (at != end) {
      uint8_t opcode = *at++;
      if (opcode >= h_.opcode_base) {
        advance(operations_[opcode]);
        row.line += static_cast<uint32_t>(lines_[opcode]);
        if (!add_row(row, found)) { return false; }
        continue;
      }
      switch (opcode) {
        case 0: {
          std::optional<ByteReader> r = read_extended(at, end);
          if (!r) { return false; }
          switch (r->u8()) {
            case kEndSequence:
              found.end = row.address;
              position = at;
              return true;
            case kSetAddress:
              row.address = read_address(*r);
              operation = 0;
              break;
            case kDefineFile: read_file_row(*r, table_); break;
            default: break;
          }
          break;
        }
        case kCopy:
          if (!add_row(row, found)) { return false; }
          break;
        case kAdvancePc:
          if (!read_uleb(at, end, value)) { return false; }
          advance(value);
          break;
        case kAdvanceLine:
          if (!read_leb(at, end, true, value)) { return false; }
          row.line += static_cast<uint32_t>(value);
          break;
        case kSetFile:
          if (!read_uleb(at, end, value)) { return false; }
          row.file = static_cast<uint32_t>(std::min<uint64_t>(value, UINT32_MAX));
          break;
        case kSetColumn:
          if (!read_uleb(at, end, value)) { return false; }
          row.column = static_cast<uint32_t>(std::min<uint64_t>(value, UINT16_MAX));
          break;
        case kConstAddPc: advance(operations_[255]); break;
        case kFixedAdvancePc: {
          if (end - at < 2) { return false; }
          row.address += static_cast<uint64_t>(at[0] | at[1] << 8);
          at += 2;
          operation = 0;
          break;
        }
        case kNegateStmt:
        case kSetBasicBlock:
        case kSetPrologueEnd:
        case kSetEpilogueBegin: break;
        default:
          if (!skip_operands(opcode, at, end)) { return false; }
          break;
      }
    }
    return false;
  }

  // Of several rows at one address, the last one wins. Returns false if there are too many rows.
  bool add_row(const LineRow& row, Sequence& found) {
    std::vector<LineRow>& rows = table_.rows;
    if (rows.size() > first_) {
      if (rows.back().address == row.address) {
        rows.back() = row;
        return true;
      }
      found.is_sorted &= rows.back().address < row.address;
    }
    rows.push_back(row);
    return rows.size() <= most_rows_;
  }

  void end_sequence(const Sequence& found) {
    std::vector<LineRow>& rows = table_.rows;
    if (!found.is_sorted) {
      std::stable_sort(rows.begin() + static_cast<std::ptrdiff_t>(first_), rows.end(),
                       [](const LineRow& a, const LineRow& b) { return a.address < b.address; });
    }
    bool is_kept = rows.size() > first_ && rows[first_].address < found.end && code_.contains(rows[first_].address) &&
                   (wanted_ == nullptr || wanted_->any_in(rows[first_].address, found.end));
    if (is_kept) {
      table_.sequences.push_back({rows[first_].address, found.end, first_, rows.size() - first_});
    } else {
      rows.resize(first_);
    }
  }

  const Header& h_;
  const CodeRanges& code_;
  const WantedAddresses* wanted_;
  uint64_t most_rows_;
  LineTable& table_;
  std::array<uint8_t, 256> operations_{};  // by special opcode
  std::array<int, 256> lines_{};
  std::array<Step, 256> steps_{};
  size_t first_ = 0;  // row of the sequence
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
  if (header.program > header.end) { return; }
  Program(header, code, wanted, table)
      .run(section.first(static_cast<size_t>(header.end)).subspan(static_cast<size_t>(header.program)));
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
