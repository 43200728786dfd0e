// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Numbers of the `.wick` format; docs/file-format.md has the layouts. Once used, a number never changes its meaning.

#include <array>
#include <cstddef>
#include <cstdint>

namespace wick::capture {

// Like PNG's: a non-ASCII byte, and line endings that a copy in text mode would change.
inline constexpr std::array<uint8_t, 8> kWickMagic = {0x89, 'W', 'I', 'C', 'K', '\r', '\n', 0x1a};
inline constexpr uint16_t kFormatMajor = 1;  // readers reject a greater one
inline constexpr uint16_t kFormatMinor = 6;  // grows with additions that older readers may skip

inline constexpr size_t kFileHeaderSize = 16;   // magic, major, minor, checksum of these 12 bytes
inline constexpr size_t kBlockHeaderSize = 20;  // checksum of the rest of the block, kind, flags, stored size, raw size

enum class BlockKind : uint16_t {
  kInfo = 1,
  kTables = 2,
  kSamples = 3,
  kSymbols = 4,
  kCounters = 5,
  kEnd = 6,
  kTimeline = 7,
  kCode = 8
};
// Other kinds are from a later version and are skipped.
constexpr bool is_known_block(uint16_t kind) {
  return kind >= static_cast<uint16_t>(BlockKind::kInfo) && kind <= static_cast<uint16_t>(BlockKind::kCode);
}
inline constexpr uint16_t kBlockZstd = 1;  // flag: the payload is one zstd frame

// Limits of one block. Writers stay far below; readers reject more before allocating.
inline constexpr uint32_t kMaxBlockBytes = 64u << 20;
inline constexpr uint32_t kMaxTableRows = 4u << 20;
inline constexpr size_t kMaxTextBytes = 1u << 20;

// A payload is a sequence of tables, a table a sequence of columns. Both are numbered, so that unknown ones can be skipped.
enum class TableId : uint8_t {
  kKeys = 1,
  kModules = 2,
  kFrames = 3,
  kStacks = 4,
  kThreads = 5,
  kThreadUpdates = 6,
  kSeries = 7,
  kSamples = 8,
  kStrings = 9,
  kChains = 10,
  kChainFrames = 11,
  kCounters = 12,
  kTotals = 13,
  kMarkers = 14,
  kTracks = 15,
  kTrackValues = 16,
  kCode = 17,
  kSources = 18,
  kCauses = 19,
  kWaits = 20,
};

namespace column {
enum Keys : uint8_t { kKey = 1, kValue = 2 };
enum Modules : uint8_t { kModuleKind = 1, kModulePath = 2, kModuleBuildId = 3 };
enum Frames : uint8_t { kFrameModule = 1, kFrameAddress = 2 };
enum Stacks : uint8_t { kStackFrame = 1, kStackCaller = 2 };
enum Threads : uint8_t {
  kPid = 1,
  kTid = 2,
  kParentPid = 3,
  kProcess = 4,
  kThreadName = 5,
  kStart = 6,
  kEnd = 7,
  kThreadRow = 8,
  kCounted = 9,
  kTail = 10,
  kReady = 11,
  kBlocked = 12,
};
enum Series : uint8_t { kSeriesThread = 1, kSeriesEvent = 2, kSeriesPeriod = 3 };
enum Samples : uint8_t { kSampleSeries = 1, kTime = 2, kStack = 3, kCpu = 4, kWeight = 5, kQuality = 6, kSampleWait = 7 };
enum Causes : uint8_t { kCauseKind = 1, kCauseObject = 2 };
enum Waits : uint8_t { kWaitCause = 1, kWaitLength = 2, kWaitGoesOn = 3 };
enum Strings : uint8_t { kString = 1 };
enum Chains : uint8_t { kChainFrame = 1, kChainLength = 2 };
enum ChainFrames : uint8_t { kFunction = 1, kFile = 2, kLine = 3, kColumn = 4 };
enum Counters : uint8_t { kCounterName = 1, kCounterValue = 2 };
enum Totals : uint8_t { kTotalSamples = 1, kTotalMarkers = 2, kTotalValues = 3 };
enum Markers : uint8_t { kMarkerName = 1, kMarkerText = 2, kMarkerThread = 3, kMarkerStart = 4, kMarkerLength = 5 };
enum Tracks : uint8_t { kTrackName = 1, kTrackUnit = 2, kTrackThread = 3 };
enum TrackValues : uint8_t { kValueTrack = 1, kValueTime = 2, kTrackValue = 3 };
enum Code : uint8_t { kCodeModule = 1, kCodeAddress = 2, kCodeBytes = 3, kCodeFrames = 4 };
enum Sources : uint8_t { kSourceFile = 1, kSourceText = 2 };
}  // namespace column

}  // namespace wick::capture
