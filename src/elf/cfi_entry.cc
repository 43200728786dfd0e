// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/cfi_entry.h"

#include <string_view>

namespace wick::elf {
namespace {

enum PointerEncoding : uint8_t {
  kAbsolute = 0x00,
  kUleb = 0x01,
  kUdata2 = 0x02,
  kUdata4 = 0x03,
  kUdata8 = 0x04,
  kSigned = 0x08,
  kSleb = 0x09,
  kSdata2 = 0x0a,
  kSdata4 = 0x0b,
  kSdata8 = 0x0c,
  kPcrel = 0x10,
  kTextrel = 0x20,
  kDatarel = 0x30,
  kFuncrel = 0x40,
  kAligned = 0x50,
  kIndirect = 0x80,
  kOmit = 0xff,
};

// Compilers put a handful of instructions into a CIE. The limit keeps the time linear for a malicious file in which every FDE
// refers to a long CIE.
constexpr size_t kMaxCieProgram = 1024;
// Limit for one function; the largest in Debian have about 100 kB.
constexpr size_t kMaxFdeProgram = size_t{4} << 20;

bool read_number(ByteReader& reader, uint8_t format, uint64_t& value) {
  switch (format) {
    case kAbsolute:
    case kSigned:
    case kUdata8:
    case kSdata8: value = reader.u64(); break;
    case kUleb: value = reader.uleb(); break;
    case kUdata2: value = reader.u16(); break;
    case kUdata4: value = reader.u32(); break;
    case kSleb: value = static_cast<uint64_t>(reader.sleb()); break;
    case kSdata2: value = static_cast<uint64_t>(int64_t{reader.i16()}); break;
    case kSdata4: value = static_cast<uint64_t>(int64_t{reader.i32()}); break;
    default: return false;
  }
  return reader.ok();
}

bool load_word(const CfiSection& section, uint64_t svma, uint64_t& value) {
  for (const LoadedBytes& part : section.loaded) {
    if (svma >= part.svma && svma - part.svma < part.bytes.size()) {
      ByteReader reader(part.bytes, static_cast<size_t>(svma - part.svma));
      value = reader.u64();
      return reader.ok();
    }
  }
  return false;
}

}  // namespace

bool read_pointer(const CfiSection& section, ByteReader& reader, uint8_t encoding, uint64_t function_svma, uint64_t& value) {
  if (encoding == kOmit) { return false; }
  if (encoding == kAligned) {
    reader.skip((0 - (section.svma + reader.pos())) & 7);
    value = reader.u64();
    return reader.ok();
  }
  uint64_t place = section.svma + reader.pos();
  if (!read_number(reader, encoding & 0x0f, value)) { return false; }
  if (value == 0) { return true; }  // null, whatever its base
  switch (encoding & 0x70) {
    case kAbsolute: break;
    case kPcrel: value += place; break;
    case kTextrel: value += section.text_svma; break;
    case kDatarel: value += section.data_svma; break;
    case kFuncrel: value += function_svma; break;
    default: return false;
  }
  return (encoding & kIndirect) == 0 || load_word(section, value, value);
}

HeadKind read_head(const CfiSection& section, size_t offset, CfiEntryHead& head) {
  ByteReader reader(section.bytes, offset);
  uint64_t length = reader.u32();
  if (!reader.ok()) { return HeadKind::kBad; }
  if (length == 0) {
    head.next = offset + 4;
    return HeadKind::kZero;
  }
  bool wide = length == 0xffffffff;
  if (wide) { length = reader.u64(); }
  if (!reader.ok() || length > reader.left()) { return HeadKind::kBad; }
  head.offset = offset;
  head.next = reader.pos() + static_cast<size_t>(length);
  size_t id_place = reader.pos();
  // .eh_frame counts back from the id field to the CIE, and the field has 4 bytes even in the 64-bit format.
  uint64_t id = wide && !section.eh ? reader.u64() : reader.u32();
  if (!reader.ok() || reader.pos() > head.next) { return HeadKind::kBad; }
  head.body = reader.pos();
  if (section.eh) {
    head.is_cie = id == 0;
    if (!head.is_cie && id > id_place) { return HeadKind::kBad; }
    head.cie_offset = id_place - id;
  } else {
    head.is_cie = id == (wide ? UINT64_MAX : UINT32_MAX);
    head.cie_offset = id;
  }
  return HeadKind::kEntry;
}

bool read_cie(const CfiSection& section, uint64_t offset, Cie& cie) {
  CfiEntryHead head;
  if (offset >= section.bytes.size() || read_head(section, static_cast<size_t>(offset), head) != HeadKind::kEntry ||
      !head.is_cie) {
    return false;
  }
  ByteReader reader(section.bytes.first(head.next), head.body);
  uint8_t version = reader.u8();
  std::string_view augmentation = reader.cstring();
  if (!reader.ok() || (version != 1 && version != 3 && version != 4)) { return false; }
  cie = Cie{};
  if (augmentation == "eh") {
    reader.u64();  // a pointer to exception data, written by very old compilers
    augmentation = {};
  }
  if (version == 4) {
    uint8_t address_size = reader.u8(), selector_size = reader.u8();
    if (address_size != 8 || selector_size != 0) { return false; }
  }
  cie.code_align = reader.uleb();
  cie.data_align = reader.sleb();
  cie.return_register = version == 1 ? reader.u8() : reader.uleb();
  if (!augmentation.empty()) {
    if (augmentation[0] != 'z') { return false; }  // without the length, nothing after it can be located
    cie.has_augmentation_data = true;
    uint64_t size = reader.uleb();
    size_t end = reader.pos() + static_cast<size_t>(size);
    if (!reader.ok() || size > reader.left()) { return false; }
    for (char letter : augmentation.substr(1)) {
      uint64_t ignored = 0;
      if (letter == 'R') {
        cie.pointer_encoding = reader.u8();
      } else if (letter == 'L') {
        reader.u8();
      } else if (letter == 'P') {
        // The personality routine: skipped, since only its length matters.
        uint8_t encoding = reader.u8();
        if (encoding != kOmit && !read_pointer(section, reader, encoding & 0x7f, 0, ignored)) { return false; }
      } else if (letter == 'S') {
        cie.signal_frame = true;
      } else if (letter != 'B' && letter != 'G') {
        break;
      }  // B: signed with the other key; G: tagged memory. Neither has data.
    }
    if (!reader.ok()) { return false; }
    reader.seek(end);
  }
  if (!reader.ok()) { return false; }
  cie.program_begin = reader.pos();
  cie.program_end = head.next;
  return cie.program_end - cie.program_begin <= kMaxCieProgram;
}

bool read_fde(const CfiSection& section, const CfiEntryHead& head, const Cie& cie, Fde& fde) {
  ByteReader reader(section.bytes.first(head.next), head.body);
  uint64_t size = 0;
  if (!read_pointer(section, reader, cie.pointer_encoding, 0, fde.begin)) { return false; }
  // The size is a plain number in the same format.
  if (!read_number(reader, cie.pointer_encoding == kAligned ? uint8_t{kAbsolute} : cie.pointer_encoding & 0x07, size)) {
    return false;
  }
  if (cie.has_augmentation_data) { reader.skip(reader.uleb()); }
  fde.end = fde.begin + size;
  fde.program_begin = reader.pos();
  fde.program_end = head.next;
  return reader.ok() && fde.begin != 0 && fde.end > fde.begin && fde.program_end - fde.program_begin <= kMaxFdeProgram;
}

}  // namespace wick::elf
