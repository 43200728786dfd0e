// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/code_ranges.h"

#include <algorithm>

namespace wick::elf {

void join_ranges(std::vector<AddressRange>& ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const AddressRange& a, const AddressRange& b) { return a.begin < b.begin; });
  size_t kept = 0;
  for (const AddressRange& range : ranges) {
    if (kept > 0 && range.begin <= ranges[kept - 1].end) {
      ranges[kept - 1].end = std::max(ranges[kept - 1].end, range.end);
    } else {
      ranges[kept++] = range;
    }
  }
  ranges.resize(kept);
}

namespace {

std::vector<AddressRange> find_code(const Image& image) {
  constexpr uint32_t kLoad = 1, kExecutable = 1;
  std::vector<AddressRange> ranges;
  for (const Segment& segment : image.segments()) {
    if (segment.type == kLoad && (segment.flags & kExecutable) && segment.mem_size > 0 &&
        segment.vaddr < UINT64_MAX - segment.mem_size) {
      ranges.push_back({segment.vaddr, segment.vaddr + segment.mem_size});
    }
  }
  join_ranges(ranges);
  return ranges;
}

// A separate debug file has the addresses of the code but not its bytes; the size of its debug info bounds the code size.
uint64_t code_size(const std::vector<AddressRange>& ranges, const Image& image) {
  uint64_t size = 0, most = 2 * uint64_t{image.bytes().size()};
  for (const AddressRange& range : ranges) { size += std::min(range.end - range.begin, most - size); }
  return size;
}

constexpr uint64_t kFew = 1 << 16;

}  // namespace

CodeRanges::CodeRanges(const Image& image) : CodeRanges(find_code(image), image) {}
CodeRanges::CodeRanges(std::vector<AddressRange> ranges, const Image& image) : CodeRanges(ranges, code_size(ranges, image)) {}

// Compilers emit a line for every four to eight bytes of code, and far fewer functions; linkers that fold identical functions
// keep the lines of each.
CodeRanges::CodeRanges(std::vector<AddressRange> ranges, uint64_t size)
    : ranges_(std::move(ranges)), rows_(2 * size + kFew), nodes_(size + kFew), pieces_(2 * size + kFew) {}

// A file starts with its header, so there is no code at 0.
bool CodeRanges::contains(uint64_t svma) const {
  if (svma == 0) { return false; }
  auto after =
      std::upper_bound(ranges_.begin(), ranges_.end(), svma, [](uint64_t at, const AddressRange& r) { return at < r.begin; });
  return after != ranges_.begin() && svma < (after - 1)->end;
}

}  // namespace wick::elf
