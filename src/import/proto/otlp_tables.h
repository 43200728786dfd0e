// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// OpenTelemetry profiles (v1development): a dictionary of tables shared by all profiles of the file. Row 0 of a table means
// "none". There are two layouts: up to 1.8 a sample is a slice of a profile's list of locations, since 1.9 stacks are a table.
// Used by the binary and the JSON form.

#include <tsl/robin_map.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "import/common/foreign.h"

namespace wick {

class OtlpTables {
 public:
  explicit OtlpTables(const ImportOptions& options, size_t file_bytes);

  struct Attribute {
    std::string key, text;
    int64_t number = 0;
  };
  struct Mapping {
    uint64_t start = 0, offset = 0;
    int64_t file = 0;
    std::vector<int64_t> attributes{};
  };
  struct Function {
    int64_t name = 0, system_name = 0, file = 0;
  };
  struct Line {
    int64_t function = 0, line = 0, column = 0;
  };
  struct Location {
    int64_t mapping = 0;
    uint64_t address = 0;
    std::vector<Line> lines{};
  };
  struct ValueType {
    int64_t type = 0, unit = 0;
  };
  struct Sample {
    const int64_t* locations = nullptr;  // leaf first
    size_t location_count = 0;
    std::vector<int64_t> values{}, attributes{};
    std::vector<uint64_t> times_ns{};  // since 1970
  };

  std::vector<std::string> strings;
  std::vector<Attribute> attributes;
  std::vector<Mapping> mappings;
  std::vector<Function> functions;
  std::vector<Location> locations;
  std::vector<std::vector<int64_t>> stacks;  // locations, leaf first

  // After the tables are filled: whether samples have times.
  void begin(bool has_times, std::string_view what);
  void begin_resource() { resource_ = {}; }
  void use_resource_attribute(const Attribute& attribute) { use(attribute, resource_); }
  void begin_profile(const ValueType& type);
  // The profile's own start and duration; 0 if unknown.
  void cover(uint64_t start_ns, uint64_t duration_ns);
  void add_sample(const Sample& sample, uint64_t number);
  void leave_out(uint64_t sample, const char* why);
  Result<Profile> finish();

 private:
  std::string_view text(int64_t row) const;
  static void use(const Attribute& attribute, ThreadTable::Key& key);
  const std::vector<FrameId>& frames_of(size_t location);
  ModuleId module_of(size_t mapping);
  const NamedFunction& function_of(size_t function, ModuleId module);
  // Nullopt, skipping the sample, if it is invalid.
  std::optional<StackId> stack_of(const Sample& sample, uint64_t number);

  const ImportOptions& options_;
  ProfileBuilder b_;
  ThreadTable threads_;
  ThreadTable::Key resource_;
  EventId event_;
  ForeignUnit unit_;
  bool counts_ = false, has_times_ = false;
  struct SliceHash {
    size_t operator()(const std::pair<const int64_t*, size_t>& slice) const {
      return hash_pair(reinterpret_cast<uintptr_t>(slice.first), slice.second);
    }
  };
  // By locations of the current profile: samples share them, and they may be long.
  tsl::robin_map<std::pair<const int64_t*, size_t>, StackId, SliceHash> stack_of_slice_;
  std::vector<std::vector<FrameId>> frames_;      // by location, outermost first; empty: not built yet
  std::vector<std::optional<ModuleId>> modules_;  // by mapping
  std::vector<NamedFunction> functions_;
  uint64_t start_ns_ = UINT64_MAX, budget_ = 0;
  uint64_t covered_from_ns_ = UINT64_MAX, covered_to_ns_ = 0, longest_ns_ = 0;
  std::vector<wick::Sample> timed_;  // until the first time is known
  SkippedRows skipped_{"samples"};
};

}  // namespace wick
