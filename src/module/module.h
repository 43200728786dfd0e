// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The files behind a process, each opened once and shared by unwinding and naming.

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/fd.h"
#include "elf/image.h"
#include "module/unwind_info.h"

namespace wick {

// An ELF file that was mapped. `image` is empty when the file could not be read (then `trouble` says why). Not just "Module":
// wick::Module is the row of a profile.
class LoadedModule {
 public:
  enum class Kind : uint8_t { kFile, kVdso, kAnonymous };

  Kind kind = Kind::kFile;
  std::string path;      // as the process sees it
  std::string build_id;  // hex, or empty
  std::string trouble;
  std::optional<elf::Image> image;
  std::unique_ptr<UnwindInfo> unwind;  // null when there is no image
  uint32_t index = 0;                  // in the store, for tables beside it

  // Address as linked for an address in the file's mapping.
  std::optional<uint64_t> svma(uint64_t file_offset) const {
    return image ? image->svma_of_file_offset(file_offset) : std::nullopt;
  }

  MappedFile file;     // what `image` views
  std::string memory;  // the same for what is no file (vDSO)
};

// What tells this build from others: its build-id, or a checksum of its code ("text-…") where the linker gave it none, so that no
// name is taken from a program that merely has the same path. Reads all of the code in the latter case.
std::string identity_of(const LoadedModule& module);
// False for such a checksum, which nobody but us knows.
bool is_build_id(std::string_view identity);

// Where to look for the file of a mapping.
struct ModuleRequest {
  uint32_t pid = 0;  // to see the file as the process does (/proc/PID/root), while it lives
  std::string path;
  uint64_t device = 0, inode = 0;  // as makedev() and stat() have them; inode 0: not known, so not checked
  std::string root = {};           // the path is looked for below this; the module is known by the path alone
  std::string file = {};           // where it is instead; the module is known by the path alone
};

// The file of a mapping itself, seen as the process sees it or by its path; not valid when what is there is another one.
Fd open_mapped(const ModuleRequest& request);

// All modules of a recording. Thread-safe; a module lives as long as the store.
class ModuleStore {
 public:
  // `cache_dir`: where compiled unwind tables are kept; empty for none.
  explicit ModuleStore(std::string cache_dir = "") : cache_dir_(std::move(cache_dir)) {}

  // Never null: what cannot be opened becomes a module without image.
  const LoadedModule* load(const ModuleRequest& request);
  const LoadedModule* vdso();  // this kernel's, read from our own memory
  const LoadedModule* anonymous(const std::string& name);
  std::vector<const LoadedModule*> all() const;

 private:
  const LoadedModule* add(const std::string& key, std::unique_ptr<LoadedModule> module);
  std::unique_ptr<LoadedModule> open(const ModuleRequest& request, const std::string& path) const;
  void attach_image(LoadedModule& module, Bytes bytes) const;

  mutable std::mutex mutex_;
  std::string cache_dir_;
  std::vector<std::unique_ptr<LoadedModule>> modules_;
  std::unordered_map<std::string, LoadedModule*> by_key_;
  std::unordered_map<std::string, unsigned> tries_;  // of what could not be opened: another process may see the file
};

}  // namespace wick
