// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One worker's part of reading `perf script` text: it parses chunks of complete samples into its own tables, which are combined
// at the end. Text repeats: the same frame appears thousands of times, and so do the callers of a leaf. So a line is parsed once
// and found again by its hash (128 bits, so collisions do not occur), and the lines below the first frame of a sample, which
// differs most, are found again as a whole.

#include <tsl/robin_map.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "import/common/reader.h"
#include "import/perf/perf_script_line.h"
#include "model/profile_builder.h"

namespace wick {

struct PerfScriptThread {
  std::string comm{};
  std::optional<uint32_t> pid{}, tid{};
};
struct PerfScriptEvent {
  std::string name{};  // empty: unknown
  bool has_period = false;
};

// A sample, or all of one thread, event and stack.
struct PerfScriptRow {
  uint64_t order = 0;  // byte offset of its (first) sample
  uint64_t time_ns = 0;
  uint32_t thread = 0, event = 0, stack = UINT32_MAX /* invalid: no frames */, cpu = 0;
  int64_t weight = 0;
  uint64_t count = 1;
};

// What a chunk contains besides samples.
struct PerfScriptChunk {
  uint64_t lines = 0;
  uint64_t skipped = 0, first_skipped = 0;      // lines that perf does not print; the first, counted from 1 within the chunk
  uint64_t overflowing = 0;                     // samples whose period is too large
  uint64_t lost = 0;                            // samples that perf reports as lost
  bool has_times = false, lacks_times = false;  // some samples have, or lack, times
};

class PerfScriptParser {
 public:
  explicit PerfScriptParser(const ImportOptions& options)
      : merge_(options.merge), functions_only_(options.functions_only), as_inferno_(options.rules == Rules::kInferno) {}

  // `offset`: where the chunk begins in the file. It begins and ends between samples (find_chunk_end).
  PerfScriptChunk parse(std::string_view chunk, uint64_t offset);

  std::vector<PerfScriptThread> threads;
  std::vector<PerfScriptEvent> events;
  std::vector<PerfScriptRow> rows;
  // Frames and stacks; functions have the names of the file. Without a symbol the name is "[module]", and the raw name is the
  // text.
  ProfileBuilder tables;

 private:
  struct Key {
    uint64_t low, high;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const { return key.low; }
  };
  // A frame's line and, if present, the source line below it.
  struct FrameText {
    const char *begin, *frame_end, *end;
  };
  static bool is_damaged(const FrameText& text) {
    return is_damaged_frame({text.begin, static_cast<size_t>(text.frame_end - text.begin)});
  }
  struct Callers {
    StackId stack{};
    ModuleId module{};  // of the innermost function that is not inlined; applies to those inlined into it
    uint32_t bad = 0;   // lines that are not frames
  };

  static Key hash_of(const char* begin, const char* end);
  static Key hash_without_address(std::string_view line);
  std::string_view take_line();
  void skip_line();
  void read_frames();
  StackId build_stack(uint32_t& bad);
  void skip_frames(uint32_t count, uint64_t first_line, std::string_view first);
  FrameId frame_of(const FrameText& text, ModuleId& module);
  FrameId parse_frame(const FrameText& text, ModuleId& module);
  void add_row(const PerfScriptHeader& header, StackId stack, uint64_t order);
  uint32_t thread_of(const PerfScriptHeader& header);
  uint32_t event_of(const PerfScriptHeader& header);

  bool merge_, functions_only_, as_inferno_;
  const char *at_ = nullptr, *end_ = nullptr;  // in the chunk
  PerfScriptChunk chunk_;
  std::vector<FrameText> frames_;  // of the current sample, innermost first
  struct KnownFrame {
    FrameId frame{};
    ModuleId module{};
  };
  tsl::robin_map<Key, KnownFrame, KeyHash> known_frames_;
  tsl::robin_map<Key, Callers, KeyHash> known_callers_;
  tsl::robin_map<uint64_t, uint32_t> thread_ids_, event_ids_;  // by hash
  tsl::robin_map<uint64_t, uint32_t, NumberHash> pair_ids_, merged_;
  uint32_t last_thread_ = UINT32_MAX, last_event_ = UINT32_MAX;
};

// Where the first chunk may end, after a line that begins in [from, limit): after a blank line, or before a sample. The end of
// the text if there is none.
size_t find_chunk_end(std::string_view text, size_t from, size_t limit = SIZE_MAX);
// The last such position among complete lines that begin after the newline at or after `from`; 0 if there is none.
size_t find_last_chunk_end(std::string_view text, size_t from);

}  // namespace wick
