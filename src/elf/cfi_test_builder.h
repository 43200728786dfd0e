// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Test helper: writes .eh_frame and .debug_frame sections byte by byte.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/byte_writer.h"
#include "elf/cfi.h"

namespace wick::elf::test {

class CfiBuilder {
 public:
  static constexpr uint64_t kSectionSvma = 0x100000, kTextSvma = 0x200, kDataSvma = 0x400;

  explicit CfiBuilder(bool eh = true, Arch arch = Arch::kX86_64) : eh_(eh), arch_(arch) {}

  // Returns the CIE's offset. `encoding` applies to the pointers of its FDEs.
  size_t add_cie(const std::string& augmentation, uint8_t encoding, const std::vector<uint8_t>& program,
                 uint8_t return_register = 16, uint8_t code_align = 1) {
    encodings_[out_.size()] = {augmentation.empty() ? uint8_t{0} : encoding, !augmentation.empty() && augmentation[0] == 'z'};
    ByteWriter body;
    body.u32(eh_ ? 0 : UINT32_MAX);
    body.u8(1);
    for (char c : augmentation) { body.u8(static_cast<uint8_t>(c)); }
    body.u8(0);
    body.uleb(code_align);
    body.u8(0x78);  // data alignment -8
    body.u8(return_register);
    if (!augmentation.empty() && augmentation[0] == 'z') {
      ByteWriter data;
      for (char c : augmentation) {
        if (c == 'R') { data.u8(encoding); }
        if (c == 'L') { data.u8(0x1b); }
        if (c == 'P') {
          data.u8(0x9b);
          data.u32(0x1234);
        }
      }
      body.uleb(data.size());
      body.bytes(data.data());
    }
    body.bytes(program);
    return finish(body);
  }

  void add_fde(size_t cie, uint64_t begin, uint64_t size, const std::vector<uint8_t>& program) {
    auto [encoding, augmented] = encodings_[cie];
    size_t at = out_.size() + 4;  // of the id
    entries_.push_back({begin, out_.size()});
    ByteWriter body;
    body.u32(static_cast<uint32_t>(eh_ ? at - cie : cie));
    uint64_t place = kSectionSvma + at + 4, value = begin;
    if (encoding == 0x50) {
      while ((kSectionSvma + at + body.size()) % 8 != 0) { body.u8(0); }
      body.u64(begin);
      body.u64(size);
    } else {
      if ((encoding & 0x70) == 0x10) { value -= place; }
      if ((encoding & 0x70) == 0x20) { value -= kTextSvma; }
      if ((encoding & 0x70) == 0x30) { value -= kDataSvma; }
      number(body, encoding & 0x0f, value);
      number(body, encoding & 0x07, size);
    }
    if (augmented) { body.u8(0); }
    body.bytes(program);
    finish(body);
  }

  CfiSection section() const {
    CfiSection s;
    s.bytes = out_.data();
    s.svma = kSectionSvma;
    s.eh = eh_;
    s.text_svma = kTextSvma;
    s.data_svma = kDataSvma;
    return s;
  }
  Cfi make() const { return eh_ ? Cfi(arch_, section(), {}, {}) : Cfi(arch_, {}, {}, section()); }
  Bytes bytes() const { return out_.data(); }

  uint64_t header_svma() const { return kSectionSvma - 0x10000; }
  std::vector<uint8_t> make_header() const {
    ByteWriter h;
    h.u8(1), h.u8(0x1b), h.u8(0x03), h.u8(0x3b);
    h.u32(static_cast<uint32_t>(kSectionSvma - (header_svma() + 4)));
    h.u32(static_cast<uint32_t>(entries_.size()));
    for (auto [begin, offset] : entries_) {
      h.u32(static_cast<uint32_t>(begin - header_svma()));
      h.u32(static_cast<uint32_t>(kSectionSvma + offset - header_svma()));
    }
    return h.take();
  }

 private:
  static void number(ByteWriter& out, uint8_t format, uint64_t value) {
    switch (format) {
      case 0x01: out.uleb(value); break;
      case 0x02:
      case 0x0a: out.u16(static_cast<uint16_t>(value)); break;
      case 0x03:
      case 0x0b: out.u32(static_cast<uint32_t>(value)); break;
      default: out.u64(value); break;
    }
  }
  size_t finish(const ByteWriter& body) {
    size_t offset = out_.size();
    out_.u32(static_cast<uint32_t>(body.size()));
    out_.bytes(body.data());
    return offset;
  }

  bool eh_;
  Arch arch_;
  ByteWriter out_;
  std::map<size_t, std::pair<uint8_t, bool>> encodings_;
  std::vector<std::pair<uint64_t, size_t>> entries_;
};

}  // namespace wick::elf::test
