// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// disassemble FILE < RANGES: wick's disassembly of address ranges of an ELF file, for compare_disassembly.py. A range is a line
// "BEGIN END" (hexadecimal, as linked). Prints "ADDRESS SIZE KIND TARGET TEXT" per instruction; "-" for no target.

#include <cstdio>
#include <optional>

#include "base/mapped_file.h"
#include "elf/disassemble.h"
#include "elf/image.h"

namespace {

const char* kind_name(wick::elf::Instruction::Kind kind) {
  using Kind = wick::elf::Instruction::Kind;
  return kind == Kind::kJump ? "jump" : kind == Kind::kCall ? "call" : kind == Kind::kReturn ? "return" : "other";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: disassemble FILE < RANGES\n");
    return 2;
  }
  wick::Result<wick::MappedFile> file = wick::MappedFile::open(argv[1]);
  if (!file.ok()) {
    std::fprintf(stderr, "disassemble: %s\n", file.error().message().c_str());
    return 1;
  }
  wick::Result<wick::elf::Image> image = wick::elf::Image::parse(file->bytes());
  if (!image.ok()) {
    std::fprintf(stderr, "disassemble: %s\n", image.error().message().c_str());
    return 1;
  }
  unsigned long long begin = 0, end = 0;
  while (std::scanf("%llx %llx", &begin, &end) == 2) {
    wick::Bytes bytes = image->bytes_at_svma(begin);
    if (end < begin || bytes.size() < end - begin) { continue; }
    for (const wick::elf::Instruction& i : wick::elf::disassemble(image->arch(), bytes.first(end - begin), begin)) {
      std::printf("%llx %u %s ", static_cast<unsigned long long>(i.address), i.size, kind_name(i.kind));
      i.target ? std::printf("%llx", static_cast<unsigned long long>(*i.target)) : std::printf("-");
      std::printf(" %s\n", i.text.c_str());
    }
  }
  return 0;
}
