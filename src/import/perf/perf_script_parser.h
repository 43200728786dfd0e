// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One worker's part of reading `perf script` text: it takes chunks of whole samples and keeps tables of its own, which are put
// together at the end. Text repeats: the same frame comes thousands of times, and so do the callers of a leaf. Therefore a line
// is parsed once and found again by its hash (128 bits: no two lines of a file will ever have the same), and the lines below the
// first of a sample, which is the one that differs most, are found again all at once.

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
  std::string name{};  // empty: not said
  bool has_period = false;
};

// A sample, or all of one thread, event and stack.
struct PerfScriptRow {
  uint64_t order = 0;  // the byte at which it (the first of them) begins
  uint64_t time_ns = 0;
  uint32_t thread = 0, event = 0, stack = UINT32_MAX /* invalid: no frames */, cpu = 0;
  int64_t weight = 0;
  uint64_t count = 1;
};

// What a chunk had beside samples.
struct PerfScriptChunk {
  uint64_t lines = 0;
  uint64_t skipped = 0, first_skipped = 0;      // lines that are none of perf's; the number of the first within the chunk, from 1
  uint64_t overflowing = 0;                     // samples whose period is too large
  uint64_t lost = 0;                            // samples that perf says were lost
  bool has_times = false, lacks_times = false;  // samples with and without
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
  // Frames and stacks; functions have the names of the file. One without a name is "[module]" and has its text as raw name.
  ProfileBuilder tables;

 private:
  struct Key {
    uint64_t low, high;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const { return key.low; }
  };
  struct Plain {
    size_t operator()(uint64_t key) const { return hash_pair(key, 0); }
  };
  // A frame's line and, where there is one, the line below it with its place in the source.
  struct FrameText {
    const char *begin, *frame_end, *end;
  };
  static bool is_damaged(const FrameText& text) {
    return is_damaged_frame({text.begin, static_cast<size_t>(text.frame_end - text.begin)});
  }
  struct Callers {
    StackId stack{};
    ModuleId module{};  // of the innermost function that is not inlined: those inlined into it are of it too
    uint32_t bad = 0;   // lines that are no frames
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
  std::vector<FrameText> frames_;  // of the sample that is being read, innermost first
  struct KnownFrame {
    FrameId frame{};
    ModuleId module{};
  };
  tsl::robin_map<Key, KnownFrame, KeyHash> known_frames_;
  tsl::robin_map<Key, Callers, KeyHash> known_callers_;
  tsl::robin_map<uint64_t, uint32_t> thread_ids_, event_ids_;  // by hash
  tsl::robin_map<uint64_t, uint32_t, Plain> pair_ids_, merged_;
  uint32_t last_thread_ = UINT32_MAX, last_event_ = UINT32_MAX;
};

// Where the first chunk may end behind a line that begins at or behind `from` and before `limit`: that line is blank; or before
// it: a sample begins there. The end of the text if there is none.
size_t find_chunk_end(std::string_view text, size_t from, size_t limit = SIZE_MAX);
// The last such place of lines that are whole and begin behind the newline at or after `from`; 0 if there is none.
size_t find_last_chunk_end(std::string_view text, size_t from);

}  // namespace wick
