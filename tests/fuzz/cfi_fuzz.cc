// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Call frame information of a hostile file: found, interpreted, compiled, and its expressions evaluated. Input: a byte of flags
// (1: aarch64, 2: .debug_frame), two bytes with the size of .eh_frame_hdr, that header, the section.

#include <cstddef>
#include <cstdint>

#include "base/result.h"
#include "elf/dwarf_expression.h"
#include "elf/unwind_table.h"

namespace {

constexpr uint64_t kHeaderSvma = 0x1000, kSectionSvma = 0x10000;

class AnyInput final : public wick::elf::ExpressionInput {
 public:
  bool register_value(uint64_t reg, uint64_t& value) override {
    value = reg * 0x1111;
    return reg != 3;
  }
  bool memory(uint64_t address, unsigned, uint64_t& value) override {
    value = address ^ 0x55;
    return address % 7 != 0;
  }
};

void use_row(const wick::elf::FrameRow& row) {
  using Kind = wick::elf::RegisterRule::Kind;
  AnyInput input;
  if (row.cfa.kind == wick::elf::CfaRule::Kind::kExpression) {
    (void)wick::elf::evaluate_expression(row.cfa.expression(), input, {});
  }
  for (const wick::elf::RegisterRule& rule : row.registers) {
    if (rule.kind == Kind::kAtExpression || rule.kind == Kind::kExpression) {
      (void)wick::elf::evaluate_expression(rule.expression(), input, 4096);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wick;
  using namespace wick::elf;
  if (size < 3) { return 0; }
  Bytes input(data, size);
  Arch arch = input[0] & 1 ? Arch::kAarch64 : Arch::kX86_64;
  bool debug = input[0] & 2;
  size_t header_size = std::min<size_t>(input[1] | input[2] << 8, size - 3);
  LoadedBytes header{kHeaderSvma, input.subspan(3, header_size)};
  CfiSection section;
  section.bytes = input.subspan(3 + header_size);
  section.svma = kSectionSvma;
  section.loaded = {{kSectionSvma, section.bytes}};
  Cfi cfi(arch, debug ? CfiSection() : section, header, debug ? section : CfiSection());

  std::vector<uint8_t> blob = UnwindTable::compile(cfi);
  Result<UnwindTable> table = UnwindTable::open(blob);
  WICK_ASSERT(blob.empty() || table.ok(), "what was compiled can be opened");
  size_t budget = 1000;
  for (const Cfi::Entry& entry : cfi.list_entries()) {
    cfi.visit_rows(entry, [&](const FrameRow& row) {
      WICK_ASSERT(row.begin < row.end, "rows are not empty");
      use_row(row);
      return --budget > 0;
    });
    FrameRow row;
    for (uint64_t svma : {entry.begin - 1, entry.begin, entry.begin + 5, entry.begin + 300}) {
      if (cfi.find_row(svma, row)) {
        WICK_ASSERT(svma >= row.begin && svma < row.end, "the row is that of the address");
        use_row(row);
      }
      if (table.ok()) { (void)table->find(svma); }
    }
    if (budget == 0 || --budget == 0) { break; }
  }
  return 0;
}
