// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The files behind a process, each opened once and shared by unwinding and symbolization.

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/fd.h"
#include "base/mapped_file.h"
#include "elf/image.h"
#include "module/unwind_info.h"

namespace wick {

// A mapped ELF file. `image` is empty if the file could not be read (`trouble` says why). Not named "Module", since wick::Module
// is the row of a profile.
class LoadedModule {
 public:
  enum class Kind : uint8_t { kFile, kVdso, kAnonymous };

  Kind kind = Kind::kFile;
  std::string path;      // as the process sees it
  std::string build_id;  // hex, or empty
  std::string trouble;
  std::optional<elf::Image> image;
  std::unique_ptr<UnwindInfo> unwind;  // null without an image
  uint32_t index = 0;                  // in the store, for parallel tables

  // The linked address for a file offset.
  std::optional<uint64_t> svma(uint64_t file_offset) const {
    return image ? image->svma_of_file_offset(file_offset) : std::nullopt;
  }

  MappedFile file;     // backs `image`
  std::string memory;  // backs `image` if there is no file (vDSO)
};

// Identifies the build: its build ID, or a checksum of its code ("text-…") if it has none, so that no symbols come from another
// program with the same path. Computing the checksum reads all of the code.
std::string identity_of(const LoadedModule& module);
// False for such a checksum, which only wick uses.
bool is_build_id(std::string_view identity);

// How to find the file of a mapping.
struct ModuleRequest {
  uint32_t pid = 0;  // to open the file as the process sees it (/proc/PID/root) while it is alive
  std::string path;
  uint64_t device = 0, inode = 0;  // as from makedev() and stat(); inode 0: unknown and not checked
  std::string root = {};           // prefix for the path; the module is identified by the path alone
  std::string file = {};           // path to open instead; the module is identified by the path alone
};

// Opens the mapped file as the process sees it or by its path; invalid if another file is there.
Fd open_mapped(const ModuleRequest& request);

// All modules of a recording. Thread-safe; a module lives as long as the store.
class ModuleStore {
 public:
  // `cache_dir` holds compiled unwind tables; empty for none.
  explicit ModuleStore(std::string cache_dir = "") : cache_dir_(std::move(cache_dir)) {}

  // Never null: a file that cannot be opened becomes a module without an image.
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
  std::unordered_map<std::string, unsigned> tries_;  // failed attempts: another process may see the file
};

}  // namespace wick
