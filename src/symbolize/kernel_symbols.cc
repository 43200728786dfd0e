// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "symbolize/kernel_symbols.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "base/byte_reader.h"
#include "base/fd.h"
#include "base/hash.h"
#include "base/mapped_file.h"
#include "base/text.h"
#include "module/cache.h"
#include "symbolize/vmlinux.h"

namespace wick {
namespace {

constexpr size_t kMaxNameBytes = 1024;
// kallsyms has no sizes. No function is this long; addresses farther after a symbol do not belong to it (gaps between modules).
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

Result<std::unique_ptr<KernelSymbols>> KernelSymbols::parse(std::string_view text, std::span<const CodeRange> bpf) {
  std::unordered_map<uint64_t, uint64_t> bpf_ends;
  for (const CodeRange& range : bpf) { bpf_ends[range.begin] = range.end; }
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
    if (line.module.empty() && line.name == "_stext") { out->core_begin_ = line.address; }
    if (line.module.empty() && line.name == "_etext") { out->core_end_ = line.address; }
    bool function = is_function(line) && line.address != 0;
    any_function |= function;
    bool has_room = out->names_.size() < kNoName - 4 * kMaxNameBytes;
    // BPF programs are loaded and unloaded next to each other: the code after one may have been another's at the time of the
    // sample.
    bool has_end = true;
    if (line.module == "[bpf]") {
      auto known = bpf_ends.find(line.address);
      has_end = known != bpf_ends.end();
      if (has_end) { out->functions_.push_back({known->second, kNoName}); }
    }
    if (!function || is_end_mark(line.name) || !has_room || !has_end) {
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
  // Mostly sorted already. Of several symbols at one address the first name wins, and a named one before an end marker.
  auto before = [](const Row& a, const Row& b) { return a.address != b.address ? a.address < b.address : a.name < b.name; };
  if (!std::is_sorted(out->functions_.begin(), out->functions_.end(), before)) {
    std::sort(out->functions_.begin(), out->functions_.end(), before);
  }
  auto same = [](const Row& a, const Row& b) { return a.address == b.address; };
  out->functions_.erase(std::unique(out->functions_.begin(), out->functions_.end(), same), out->functions_.end());
  return out;
}

Result<std::unique_ptr<KernelSymbols>> KernelSymbols::read() {
  WICK_LET(std::string text, read_file("/proc/kallsyms", size_t{512} << 20));
  return parse(text, find_all_bpf_code());
}

const KernelSymbols* KernelSymbols::table_for(uint64_t address) const {
  if (!is_partial_ || is_core(address)) { return this; }
  std::call_once(rest_read_, [this] {
    if (auto all = read(); all.ok()) { rest_ = *std::move(all); }
  });
  return rest_.get();
}

const KernelSymbols::Row* KernelSymbols::find_row(uint64_t address) const {
  auto after =
      std::upper_bound(functions_.begin(), functions_.end(), address, [](uint64_t a, const Row& r) { return a < r.address; });
  if (after == functions_.begin()) { return nullptr; }
  const Row& row = *(after - 1);
  return row.name == kNoName || address - row.address > kMaxFunctionBytes ? nullptr : &row;
}

void KernelSymbols::find(uint64_t address, std::vector<SymbolizedFrame>& chain) const {
  chain.clear();
  const KernelSymbols* table = table_for(address);
  const Row* row = table != nullptr ? table->find_row(address) : nullptr;
  if (row != nullptr) { chain.push_back({table->names_.c_str() + row->name, {}, 0, 0}); }
}

std::optional<elf::AddressRange> KernelSymbols::function_range(uint64_t address) const {
  const KernelSymbols* table = table_for(address);
  const Row* row = table != nullptr ? table->find_row(address) : nullptr;
  if (row == nullptr || row == &table->functions_.back()) { return std::nullopt; }
  uint64_t end = (row + 1)->address;
  if (end - row->address > kMaxFunctionBytes) { return std::nullopt; }
  return elf::AddressRange{row->address, end};
}

namespace {

// The cache file for one boot: this header, the rows, the names.
struct CoreHeader {
  uint64_t magic = 0x316c6c61'6b636977;  // "wickall1"
  uint64_t hash = 0, begin = 0, end = 0, row_count = 0, name_bytes = 0;
};
static_assert(sizeof(CoreHeader) == 48);

uint64_t hash_core(const CoreHeader& head, Bytes rows, Bytes names) {
  return hash_pair(hash_pair(head.begin, head.end), hash_pair(hash_bytes(rows), hash_bytes(names)));
}

}  // namespace

std::vector<Bytes> KernelSymbols::core_parts(std::string& header, std::string& rows) const {
  if (core_begin_ == 0 || core_end_ <= core_begin_) { return {}; }
  CoreHeader head;
  head.begin = core_begin_;
  head.end = core_end_;
  head.name_bytes = names_.size();
  for (const Row& row : functions_) {
    if (!is_core(row.address)) { continue; }
    rows.append(reinterpret_cast<const char*>(&row.address), 8).append(reinterpret_cast<const char*>(&row.name), 4);
    ++head.row_count;
  }
  head.hash = hash_core(head, as_bytes(rows), as_bytes(names_));
  header.assign(reinterpret_cast<const char*>(&head), sizeof head);
  return {as_bytes(header), as_bytes(rows), as_bytes(names_)};
}

Result<std::unique_ptr<KernelSymbols>> KernelSymbols::parse_core(Bytes bytes) {
  CoreHeader head;
  const uint64_t magic = head.magic;
  ByteReader r(bytes);
  Bytes first = r.bytes(sizeof head);
  if (!r.ok()) { return Error("not the symbols of a kernel"); }
  std::memcpy(&head, first.data(), sizeof head);
  Bytes rows = r.bytes(head.row_count <= UINT32_MAX ? head.row_count * 12 : UINT64_MAX), names = r.bytes(head.name_bytes);
  bool good = r.ok() && r.at_end() && head.magic == magic && head.hash == hash_core(head, rows, names) && !names.empty() &&
              names.back() == 0;
  if (!good) { return Error("damaged symbols of a kernel"); }
  auto out = std::make_unique<KernelSymbols>();
  out->is_partial_ = true;
  out->core_begin_ = head.begin;
  out->core_end_ = head.end;
  out->names_.assign(reinterpret_cast<const char*>(names.data()), names.size());
  out->functions_.reserve(static_cast<size_t>(head.row_count));
  for (ByteReader row(rows); !row.at_end();) {
    uint64_t address = row.u64();
    uint32_t name = row.u32();
    out->functions_.push_back({address, name < names.size() ? name : kNoName});
  }
  return out;
}

namespace {

constexpr char kKind[] = "kernel";

std::unique_ptr<KernelSymbols> load_core(const Cache& cache, const std::string& name) {
  if (name.empty()) { return nullptr; }
  std::optional<MappedFile> file = cache.load(kKind, name);
  if (!file) { return nullptr; }
  Result<std::unique_ptr<KernelSymbols>> core = KernelSymbols::parse_core(file->bytes());
  return core.ok() ? *std::move(core) : nullptr;
}

// Removes the files of other boots.
void store_core(const Cache& cache, const std::string& name, const KernelSymbols& symbols) {
  std::string header, rows;
  std::vector<Bytes> parts = symbols.core_parts(header, rows);
  if (name.empty() || parts.empty()) { return; }
  cache.remove_others(kKind, name);
  cache.store(kKind, name, parts);
}

}  // namespace

Result<std::unique_ptr<FileSymbols>> load_kernel_symbols(const SymbolSources& sources) {
  Cache cache(sources.cache_dir);
  std::string boot = load_boot_id();
  if (std::unique_ptr<KernelSymbols> core = load_core(cache, boot)) { return add_vmlinux(std::move(core), sources); }
  WICK_LET(std::unique_ptr<KernelSymbols> symbols, KernelSymbols::read());
  store_core(cache, boot, *symbols);
  return add_vmlinux(std::move(symbols), sources);
}

std::optional<uint64_t> find_kernel_symbol(std::string_view text, std::string_view symbol) {
  std::string wanted = " " + std::string(symbol) + "\n";
  for (size_t at = 0; (at = text.find(wanted, at)) != text.npos; ++at) {
    size_t begin = text.rfind('\n', at);
    begin = begin == text.npos ? 0 : begin + 1;
    std::string_view line = text.substr(begin, at - begin);  // "ffffffff81000000 T"
    if (std::optional<uint64_t> address = parse_u64(line.substr(0, line.find(' ')), 16); address && *address != 0) {
      return address;
    }
  }
  return std::nullopt;
}

std::optional<uint64_t> load_kernel_symbol(std::string_view symbol) {
  Result<Fd> file = open_read("/proc/kallsyms");
  if (!file.ok()) { return std::nullopt; }
  constexpr size_t kMost = 4 << 20;
  std::string text;
  std::vector<char> piece(64 << 10);
  while (text.size() < kMost) {
    ssize_t n = ::read(file->get(), piece.data(), piece.size());
    if (n <= 0) { break; }
    size_t from = text.size() < 256 ? 0 : text.size() - 256;
    text.append(piece.data(), static_cast<size_t>(n));
    std::string_view added = std::string_view(text).substr(from);
    if (std::optional<uint64_t> here = find_kernel_symbol(added, symbol)) { return here; }
    if (added.find(" " + std::string(symbol) + "\n") != added.npos) { break; }  // hidden
  }
  return std::nullopt;
}

}  // namespace wick
