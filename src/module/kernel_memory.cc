// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "module/kernel_memory.h"

#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "elf/image.h"

namespace wick {
namespace {

// Machines with much memory in many parts have some hundred.
constexpr uint64_t kMostHeaderBytes = 1 << 20;

std::string read_at(const Fd& file, uint64_t offset, size_t size) {
  std::string out(size, '\0');
  for (size_t at = 0; at < size;) {
    ssize_t n = ::pread(file.get(), out.data() + at, size - at, static_cast<off_t>(offset + at));
    if (n < 0 && errno == EINTR) { continue; }
    if (n <= 0) { return {}; }
    at += static_cast<size_t>(n);
  }
  return out;
}

}  // namespace

Result<KernelMemory> KernelMemory::open(const std::string& path) {
  WICK_LET(Fd file, open_read(path));
  // The headers alone: memory follows them.
  std::string head = read_at(file, 0, sizeof(Elf64_Ehdr));
  Elf64_Ehdr header{};
  if (head.size() == sizeof header) { std::memcpy(&header, head.data(), sizeof header); }
  uint64_t end = 0;
  bool is_sound = !__builtin_add_overflow(header.e_phoff, uint64_t{header.e_phnum} * header.e_phentsize, &end) &&
                  end >= sizeof header && end <= kMostHeaderBytes;
  head = is_sound ? read_at(file, 0, static_cast<size_t>(end)) : std::string();
  Result<elf::Image> image = elf::Image::parse(as_bytes(head));
  Error not_memory = Error("%s is not this kernel's memory", path.c_str()).with_code(Errc::kBadInput);
  if (!image.ok() || image->type() != ET_CORE || image->arch() != host_arch()) { return not_memory; }
  std::vector<Part> parts;
  for (const elf::Segment& s : image->segments()) {
    uint64_t size = std::min(s.file_size, s.mem_size);
    bool overflows = s.vaddr > UINT64_MAX - size || s.offset > INT64_MAX || size > INT64_MAX - s.offset;
    if (s.type == PT_LOAD && size > 0 && !overflows) { parts.push_back({s.vaddr, size, s.offset}); }
  }
  if (parts.empty()) { return not_memory; }
  return KernelMemory(std::move(file), std::move(parts));
}

std::string KernelMemory::read(uint64_t address, size_t size) const {
  auto part = std::find_if(parts_.begin(), parts_.end(), [&](const Part& p) {
    return address >= p.address && address - p.address < p.size && size <= p.size - (address - p.address);
  });
  if (part == parts_.end()) { return {}; }
  std::string bytes = read_at(file_, part->offset + (address - part->address), size);
  bool is_zero = std::all_of(bytes.begin(), bytes.end(), [](char c) { return c == 0; });
  return is_zero ? std::string() : bytes;
}

}  // namespace wick
