// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Addresses -> rows of the capture's module, frame and stack tables, without duplicates.
//
// An address in a file means the same in every process. Other memory has different code in each process, so such a module has one
// row per process.

#include <tsl/robin_map.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/hash.h"
#include "capture/capture.h"
#include "capture/rows.h"
#include "pipeline/alike_frames.h"
#include "pipeline/process_table.h"

namespace wick {

class StackTable {
 public:
  // `alike`: merges frames; null: each address is a frame.
  explicit StackTable(capture::RowSink& writer, AlikeFrames* alike = nullptr) : writer_(writer), alike_(alike) {}

  // Addresses from the root; those after the first `user` are the kernel's. Invalid if there are none.
  capture::StackId add(ThreadLife& thread, const AddressSpace& space, std::span<const uint64_t> addresses, size_t user,
                       uint64_t time_ns);

  const std::vector<capture::Module>& modules() const { return module_rows_; }
  const std::vector<capture::Frame>& frames() const { return frame_rows_; }
  const std::vector<const LoadedModule*>& opened() const { return opened_; }  // parallel to modules(); null without a file
  // Where the symbols of a module's code may be, parallel to modules(); null for files and if unknown.
  const std::vector<std::shared_ptr<const JitFiles>>& generated() const { return generated_; }
  uint64_t last_seen_ns(capture::FrameId frame) const { return last_seen_ns_[frame.value]; }
  capture::FrameId innermost(capture::StackId stack) const { return stack_frames_[stack.value]; }

 private:
  capture::FrameId add_frame(const ProcessLife& process, const AddressSpace& space, uint64_t address, bool kernel);
  capture::FrameId find_frame(const ProcessLife& process, const AddressSpace& space, uint64_t address, bool kernel);
  capture::ModuleId add_module(const ProcessLife& process, const LoadedModule* module);
  capture::ModuleId add_row(capture::Module row, const LoadedModule* module);
  capture::StackId add_node(capture::FrameId frame, capture::StackId caller);

  struct PairHash {
    size_t operator()(const std::pair<uint64_t, uint64_t>& key) const { return hash_pair(key.first, key.second); }
  };
  using Pairs = tsl::robin_map<std::pair<uint64_t, uint64_t>, uint32_t, PairHash>;

  // (frame, caller) -> stack. Searched for every new frame of every sample, and far larger than a CPU's cache: so entries are
  // adjacent and 16 bytes each.
  class NodeTable {
   public:
    // The value of the key; `fresh` if it is new.
    uint32_t find_or_add(uint64_t key, uint32_t fresh);

   private:
    struct Entry {
      uint64_t key = 0;
      uint32_t value = UINT32_MAX;  // UINT32_MAX: free
    };
    void grow();
    std::vector<Entry> entries_;
    size_t count_ = 0;
  };
  // Recently used frames: most samples have few new addresses.
  struct RecentFrame {
    uint64_t address = 0, serial = 0;
    uint32_t process = 0;
    capture::FrameId frame;
  };
  static constexpr size_t kRecentFrames = 8192;

  capture::RowSink& writer_;
  AlikeFrames* alike_;
  std::vector<capture::ModuleId> module_ids_;  // by LoadedModule::index
  Pairs own_module_ids_;                       // by LoadedModule::index and process, for modules without an image
  capture::ModuleId kernel_, unknown_;
  std::vector<capture::Module> module_rows_;
  std::vector<const LoadedModule*> opened_;
  std::vector<std::shared_ptr<const JitFiles>> generated_;
  std::vector<capture::Frame> frame_rows_;
  std::vector<uint64_t> last_seen_ns_;  // by frame
  std::vector<capture::FrameId> stack_frames_;
  Pairs frame_ids_;
  NodeTable stack_ids_;
  std::vector<RecentFrame> recent_ = std::vector<RecentFrame>(kRecentFrames);
};

}  // namespace wick
