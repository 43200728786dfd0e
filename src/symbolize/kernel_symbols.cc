// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "symbolize/kernel_symbols.h"

#include <algorithm>
#include <cstring>

#include "base/fd.h"

namespace wick {
namespace {

constexpr size_t kMaxNameBytes = 1024;
// Sizes are not given. No function is so long; what lies further behind a symbol is not of it (the space between modules).
constexpr uint64_t kMaxFunctionBytes = 1 << 20;

int hex_digit(char c) {
  if (c >= '0' && c <= '9') { return c - '0'; }
  if (c >= 'a' && c <= 'f') { return c - 'a' + 10; }
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

struct Line {
  uint64_t address = 0;
  char type = 0;
  std::string_view name, module;
};

bool parse_line(std::string_view text, Line& line) {
  size_t i = 0;
  uint64_t address = 0;
  for (int digit; i < text.size() && i < 16 && (digit = hex_digit(text[i])) >= 0; ++i) {
    address = address << 4 | static_cast<uint64_t>(digit);
  }
  if (i == 0 || i + 3 >= text.size() || text[i] != ' ' || text[i + 2] != ' ') { return false; }
  line.address = address;
  line.type = text[i + 1];
  std::string_view rest = text.substr(i + 3);
  size_t tab = rest.find_first_of(std::string_view("\t \0", 3));
  line.name = rest.substr(0, std::min(tab, kMaxNameBytes));
  line.module = {};
  if (tab != std::string_view::npos) {
    size_t open = rest.find('[', tab), close = rest.find(']', tab);
    if (open != std::string_view::npos && close != std::string_view::npos && close > open) {
      line.module = rest.substr(open, std::min(close - open + 1, kMaxNameBytes));
    }
  }
  return !line.name.empty();
}

bool is_function(const Line& line) { return line.type == 't' || line.type == 'T' || line.type == 'w' || line.type == 'W'; }

bool is_end_mark(std::string_view name) {
  return name == "_etext" || name == "_einittext" || name == "__init_end" || name == "_end";
}

}  // namespace

Result<std::unique_ptr<KernelSymbols>> KernelSymbols::parse(std::string_view text) {
  auto out = std::make_unique<KernelSymbols>();
  bool any_address = false, any_function = false;
  out->functions_.reserve(text.size() / 48);
  while (!text.empty()) {
    const void* end = std::memchr(text.data(), '\n', text.size());
    size_t length = end == nullptr ? text.size() : static_cast<size_t>(static_cast<const char*>(end) - text.data());
    Line line;
    bool good = parse_line(text.substr(0, length), line);
    text.remove_prefix(std::min(length + 1, text.size()));
    if (!good) { continue; }
    any_address |= line.address != 0;
    bool function = is_function(line) && line.address != 0;
    any_function |= function;
    bool has_room = out->names_.size() < kNoName - 4 * kMaxNameBytes;
    if (!function || is_end_mark(line.name) || !has_room) {
      out->functions_.push_back({line.address, kNoName});
      continue;
    }
    out->functions_.push_back({line.address, static_cast<uint32_t>(out->names_.size())});
    out->names_.append(line.name);
    if (!line.module.empty()) { out->names_.append(" ").append(line.module); }
    out->names_.push_back('\0');
  }
  if (!any_address) {
    return Error("the kernel hides the addresses of its functions (kptr_restrict)")
        .with_code(Errc::kPermission)
        .with_hint("sudo sysctl kernel.kptr_restrict=0");
  }
  if (!any_function) { return Error("no functions in /proc/kallsyms").with_code(Errc::kBadInput); }
  // Most of it is in order already. Of several at one address the first name counts, a named one before a bare mark.
  auto before = [](const Row& a, const Row& b) { return a.address != b.address ? a.address < b.address : a.name < b.name; };
  if (!std::is_sorted(out->functions_.begin(), out->functions_.end(), before)) {
    std::sort(out->functions_.begin(), out->functions_.end(), before);
  }
  auto same = [](const Row& a, const Row& b) { return a.address == b.address; };
  out->functions_.erase(std::unique(out->functions_.begin(), out->functions_.end(), same), out->functions_.end());
  return out;
}

void KernelSymbols::find(uint64_t address, std::vector<SymbolizedFrame>& chain) const {
  chain.clear();
  auto after =
      std::upper_bound(functions_.begin(), functions_.end(), address, [](uint64_t a, const Row& r) { return a < r.address; });
  if (after == functions_.begin()) { return; }
  const Row& row = *(after - 1);
  if (row.name == kNoName || address - row.address > kMaxFunctionBytes) { return; }
  chain.push_back({names_.c_str() + row.name, {}, 0, 0});
}

Result<std::unique_ptr<FileSymbols>> load_kernel_symbols() {
  WICK_LET(std::string text, read_file("/proc/kallsyms", size_t{512} << 20));
  WICK_LET(std::unique_ptr<KernelSymbols> symbols, KernelSymbols::parse(text));
  return std::unique_ptr<FileSymbols>(std::move(symbols));
}

}  // namespace wick
