// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The options and the output of binutils' addr2line, so that a script changes only the program's name.

#include <tsl/robin_map.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <charconv>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <unordered_map>

#include "base/fd.h"
#include "base/hash.h"
#include "cli/command.h"
#include "cli/profile_options.h"
#include "cli/symbol_options.h"
#include "export/json_writer.h"
#include "symbolize/demangle.h"
#include "symbolize/symbolizer.h"

namespace wick {
namespace {

struct Options {
  std::string executable = "a.out", section, target;
  bool functions = false, inlines = false, demangle = false, addresses = false, pretty = false, basenames = false, json = false;
  std::vector<std::string> given;
  SymbolSourceOptions symbols;
};

// Answers as text; one for each thread.
class Formatter {
 public:
  Formatter(const Options& options, const FileSymbols& symbols, uint64_t base)
      : options_(options), symbols_(symbols), base_(base) {}

  // Lines of addresses, with or without an end of the last.
  void append_all(std::string_view lines) {
    while (!lines.empty()) {
      size_t end = std::min(lines.find('\n'), lines.size());
      append(lines.substr(0, end));
      lines.remove_prefix(std::min(end + 1, lines.size()));
    }
  }

  // One address as people write it: hexadecimal, 0x or not.
  void append(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) { text.remove_prefix(1); }
    if (text.starts_with("0x") || text.starts_with("0X")) { text.remove_prefix(2); }
    uint64_t address = 0;
    std::from_chars(text.data(), text.data() + text.size(), address, 16);
    FileSymbols::Place place = symbols_.place(address + base_);
    if (options_.json || place == FileSymbols::Place()) {
      symbols_.find(address + base_, chain_);
      if (chain_.empty()) { chain_.push_back({}); }
      if (options_.json) {
        print_json(address);
      } else {
        append_address(address);
        append_chain();
      }
    } else {
      append_address(address);
      append_place_text(place, address);
    }
  }

  std::string& text() { return out_; }

 private:
  void append_number(uint64_t value) {
    char digits[20];
    out_.append(digits, static_cast<size_t>(std::to_chars(digits, digits + sizeof digits, value).ptr - digits));
  }

  std::string_view name_of(const SymbolizedFrame& frame) {
    if (frame.function.empty()) { return "??"; }
    if (!options_.demangle) { return frame.function; }
    auto [found, fresh] = demangled_.try_emplace(frame.function);
    if (fresh) { found->second = wick::demangle(frame.function, ReturnTypes::kKeep); }
    return found->second;
  }
  std::string_view file_of(const SymbolizedFrame& frame) const {
    if (frame.file.empty()) { return "??"; }
    return options_.basenames ? frame.file.substr(frame.file.rfind('/') + 1) : frame.file;
  }

  void append_place(const SymbolizedFrame& frame) {
    out_.append(file_of(frame)).push_back(':');
    if (frame.line != 0) {
      append_number(frame.line);
    } else {
      out_.push_back(frame.file.empty() ? '0' : '?');
    }
    out_.push_back('\n');
  }

  void append_address(uint64_t address) {
    if (!options_.addresses) { return; }
    char digits[16];
    size_t count = static_cast<size_t>(std::to_chars(digits, digits + sizeof digits, address, 16).ptr - digits);
    out_.append("0x").append(16 - count, '0').append(digits, count).append(options_.pretty ? ": " : "\n");
  }

  // The text of a place is made once; programs ask for the same ones again and again.
  void append_place_text(const FileSymbols::Place& place, uint64_t address) {
    auto found = texts_.find(place);
    if (found != texts_.end()) {
      out_.append(made_, found->second.first, found->second.second);
      return;
    }
    symbols_.find(address + base_, chain_);
    if (chain_.empty()) { chain_.push_back({}); }
    size_t begin = out_.size();
    append_chain();
    if (made_.size() < kMostMade) {
      texts_.emplace(place, std::pair{made_.size(), out_.size() - begin});
      made_.append(out_, begin);
    }
  }

  void append_chain() {
    size_t count = options_.inlines ? chain_.size() : 1;
    for (size_t i = 0; i < count; ++i) {
      if (options_.pretty && i > 0) { out_.append(" (inlined by) "); }
      if (options_.functions) { out_.append(name_of(chain_[i])).append(options_.pretty ? " at " : "\n"); }
      append_place(chain_[i]);
    }
  }

  void print_json(uint64_t address) {
    JsonWriter json(out_);
    json.begin_object().key("address").value(address).key("frames").begin_array();
    bool known = !chain_[0].function.empty() || !chain_[0].file.empty();
    size_t count = !known ? 0 : options_.inlines ? chain_.size() : 1;
    for (size_t i = 0; i < count; ++i) {
      const SymbolizedFrame& frame = chain_[i];
      json.begin_object();
      if (!frame.function.empty()) { json.key("function").value(name_of(frame)); }
      if (!frame.file.empty()) { json.key("file").value(file_of(frame)); }
      if (frame.line != 0 || frame.column != 0) { json.key("line").value(frame.line).key("column").value(frame.column); }
      json.key("inlined").value(i + 1 < chain_.size()).end_object();
    }
    json.end_array().end_object();
    out_.push_back('\n');
  }

  static constexpr size_t kMostMade = size_t{32} << 20;
  struct PlaceHash {
    size_t operator()(const FileSymbols::Place& p) const { return hash_pair(uint64_t{p.segment} << 32 | p.line, p.symbol); }
  };

  const Options& options_;
  const FileSymbols& symbols_;
  uint64_t base_;
  tsl::robin_map<FileSymbols::Place, std::pair<size_t, size_t>, PlaceHash> texts_;
  std::string made_;
  std::vector<SymbolizedFrame> chain_;
  std::unordered_map<std::string_view, std::string> demangled_;
  std::string out_;
};

// Reads addresses as they come and writes the answers in the same order, so that a program may ask and wait. Much that comes at
// once is cut into slices for several threads; no thread goes far ahead of what has been written.
class Conversation {
 public:
  explicit Conversation(std::vector<Formatter>& formatters) : formatters_(formatters) {}

  Status run() {
    std::string pending(kMostRead, '\0');
    size_t filled = 0;
    for (;;) {
      if (filled == pending.size()) { pending.resize(pending.size() * 2); }
      ssize_t n = ::read(STDIN_FILENO, pending.data() + filled, pending.size() - filled);
      if (n < 0 && errno == EINTR) { continue; }
      if (n < 0) { return Error::from_errno(errno, "cannot read standard input"); }
      filled += static_cast<size_t>(n);
      std::string_view all(pending.data(), filled);
      size_t whole = n == 0 ? filled : all.rfind('\n') + 1;  // no end of a line: 0
      WICK_OK(answer(all.substr(0, whole)));
      if (n == 0) { return ok_status(); }
      std::memmove(pending.data(), all.data() + whole, filled - whole);
      filled -= whole;
    }
  }

 private:
  static constexpr size_t kMostRead = size_t{1} << 20, kSlice = size_t{1} << 13, kAhead = 4;

  Status answer(std::string_view lines) {
    if (lines.size() <= 2 * kSlice || formatters_.size() == 1) {
      Formatter& formatter = formatters_[0];
      formatter.text().clear();
      formatter.append_all(lines);
      return write_all(STDOUT_FILENO, as_bytes(formatter.text()), "standard output");
    }
    std::vector<std::string_view> slices;
    while (!lines.empty()) {
      size_t end = std::min(lines.find('\n', std::min(kSlice, lines.size() - 1)), lines.size() - 1) + 1;
      slices.push_back(lines.substr(0, end));
      lines.remove_prefix(end);
    }
    return answer_together(slices);
  }

  Status answer_together(const std::vector<std::string_view>& slices) {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<std::optional<std::string>> texts(slices.size());
    size_t next = 0, written = 0;
    auto work = [&](Formatter& formatter) {
      std::unique_lock lock(mutex);
      for (;;) {
        changed.wait(lock, [&] { return next >= slices.size() || next < written + kAhead * formatters_.size(); });
        if (next >= slices.size()) { return; }
        size_t mine = next++;
        lock.unlock();
        formatter.text().clear();
        formatter.append_all(slices[mine]);
        lock.lock();
        texts[mine] = std::move(formatter.text());
        changed.notify_all();
      }
    };
    std::vector<std::jthread> threads;
    Status status = ok_status();
    try {
      for (Formatter& formatter : formatters_) { threads.emplace_back(work, std::ref(formatter)); }
    } catch (const std::system_error&) {
      // No more threads to be had (a limit of processes): those that are there do it all.
    }
    if (threads.empty()) {
      while (formatters_.size() > 1) { formatters_.pop_back(); }
      for (std::string_view slice : slices) { WICK_OK(answer(slice)); }
      return status;
    }
    std::unique_lock lock(mutex);
    for (size_t i = 0; i < slices.size(); ++i) {
      changed.wait(lock, [&] { return texts[i].has_value(); });
      std::string text = *std::move(texts[i]);
      lock.unlock();
      if (status.ok()) { status = write_all(STDOUT_FILENO, as_bytes(text), "standard output"); }
      lock.lock();
      written = i + 1;
      if (!status.ok()) { next = slices.size(); }
      changed.notify_all();
      if (!status.ok()) { break; }
    }
    return status;
  }

  std::vector<Formatter>& formatters_;
};

int run_addr2line(const Options& options) {
  Result<SymbolSources> sources = find_symbol_sources(options.symbols, Fetching::kNever);
  if (!sources.ok()) { return fail(sources.error(), exit_code(sources.error())); }
  ModuleStore store;
  char* absolute = ::realpath(options.executable.c_str(), nullptr);
  if (absolute == nullptr) { return fail(Error::from_errno(errno, "cannot open %s", options.executable.c_str())); }
  const LoadedModule* module = store.load({0, absolute, 0, 0});
  std::free(absolute);
  if (!module->image) {
    return fail(Error("cannot read %s: %s", options.executable.c_str(), module->trouble.c_str())
                    .with_hint("wick addr2line -e PROGRAM ADDRESS…"));
  }
  uint64_t base = 0;
  if (!options.section.empty()) {
    const elf::Section* section = module->image->find_section(options.section);
    if (section == nullptr) {
      return fail(Error("%s has no section \"%s\"", options.executable.c_str(), options.section.c_str()));
    }
    base = section->vaddr;
  }
  std::unique_ptr<FileSymbols> symbols = load_file_symbols(*module, *sources);
  std::vector<Formatter> formatters;
  formatters.emplace_back(options, *symbols, base);
  if (!options.given.empty()) {
    for (const std::string& address : options.given) { formatters[0].append(address); }
    return finish_output(write_all(STDOUT_FILENO, as_bytes(formatters[0].text()), "standard output"));
  }
  while (formatters.size() < std::min(std::thread::hardware_concurrency(), 8u)) {
    formatters.emplace_back(options, *symbols, base);
  }
  return finish_output(Conversation(formatters).run());
}

}  // namespace

Run add_addr2line_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("-e,--exe", options->executable, "the program or library (default a.out)")->type_name("FILE");
  app.add_flag("-f,--functions", options->functions, "show names of functions");
  app.add_flag("-i,--inlines", options->inlines, "show also what a function was inlined into");
  app.add_flag("-C,--demangle", options->demangle, "names as people write them");
  app.add_flag("-a,--addresses", options->addresses, "show the address");
  app.add_flag("-p,--pretty-print", options->pretty, "one line for each function");
  app.add_flag("-s,--basenames", options->basenames, "files without their folders");
  app.add_option("-j,--section", options->section, "addresses count from the beginning of this section")->type_name("NAME");
  app.add_option("-b,--target", options->target, "accepted and ignored: the file says what it is")->type_name("FORMAT");
  app.add_flag("--json", options->json, "one JSON object for each address");
  add_symbol_options(app, options->symbols);
  app.add_option("address", options->given, "hexadecimal addresses as linked; without any they are read from standard input")
      ->type_name("ADDRESS");
  app.footer(
      "Takes the place of binutils' addr2line: the same options and the same output.\n\n"
      "Examples:\n"
      "  wick addr2line -e ./app -f -i -C 0x4011d6\n"
      "  wick addr2line -e ./app -fip < addresses");
  return [options] { return run_addr2line(*options); };
}

}  // namespace wick
