// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// OpenTelemetry profiles in protobuf's JSON form: the same names in camel case, 64-bit numbers as text.

#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "import/json/json_formats.h"
#include "import/proto/otlp_tables.h"

namespace wick {
namespace {

int64_t number_of(JsonValue value) {
  if (value.is_number()) { return value.integer().value_or(0); }
  std::string text = value.text();
  return scale_decimal(text, 0).value_or(0);
}
uint64_t unsigned_of(JsonValue value) {
  std::string text = value.text();
  return value.is_string() ? parse_u64(text).value_or(0) : time_of(number_of(value));
}
std::vector<int64_t> numbers_of(JsonValue array) {
  std::vector<int64_t> out;
  JsonValue item;
  for (JsonValue::Walk walk = array.items(); walk.next(item);) { out.push_back(number_of(item)); }
  return out;
}

class OtlpJsonImport {
 public:
  OtlpJsonImport(const JsonDocument& document, const ImportOptions& options, size_t bytes)
      : root_(document.root()), tables_(options, bytes) {}

  Result<Profile> run() {
    if (!root_["resourceProfiles"].is_array()) {
      return Error("expected an array \"resourceProfiles\"").with_code(Errc::kBadInput);
    }
    read_dictionary(root_["dictionary"]);
    bool has_times = false;
    each_profile([&](JsonValue profile) {
      JsonValue sample;
      JsonValue::Walk walk = samples_of(profile).items();
      if (walk.next(sample)) { has_times = has_times || sample["timestampsUnixNano"].is_array(); }
    });
    tables_.begin(has_times, kOtlpJsonReader.what);
    each_profile([&](JsonValue profile) { read_profile(profile); });
    return tables_.finish();
  }

 private:
  static JsonValue samples_of(JsonValue profile) {
    JsonValue samples = profile["samples"];
    return samples.present() ? samples : profile["sample"];
  }

  template <typename Use>
  void each_profile(Use use) {
    JsonValue resource, scope, profile, attribute;
    for (JsonValue::Walk walk = root_["resourceProfiles"].items(); walk.next(resource);) {
      tables_.begin_resource();
      for (JsonValue::Walk in = resource["resource"]["attributes"].items(); in.next(attribute);) {
        tables_.use_resource_attribute(attribute_of(attribute));
      }
      for (JsonValue::Walk in = resource["scopeProfiles"].items(); in.next(scope);) {
        for (JsonValue::Walk last = scope["profiles"].items(); last.next(profile);) { use(profile); }
      }
    }
  }

  OtlpTables::Attribute attribute_of(JsonValue attribute) const {
    OtlpTables::Attribute out;
    out.key = attribute["key"].text();
    int64_t row = number_of(attribute["keyStrindex"]);
    if (row > 0 && static_cast<uint64_t>(row) < tables_.strings.size()) { out.key = tables_.strings[static_cast<size_t>(row)]; }
    out.text = attribute["value"]["stringValue"].text();
    out.number = number_of(attribute["value"]["intValue"]);
    return out;
  }

  void read_dictionary(JsonValue dictionary) {
    JsonValue row, inner;
    for (JsonValue::Walk walk = dictionary["stringTable"].items(); walk.next(row);) { tables_.strings.push_back(row.text()); }
    for (JsonValue::Walk walk = dictionary["attributeTable"].items(); walk.next(row);) {
      tables_.attributes.push_back(attribute_of(row));
    }
    for (JsonValue::Walk walk = dictionary["mappingTable"].items(); walk.next(row);) {
      tables_.mappings.push_back({unsigned_of(row["memoryStart"]), unsigned_of(row["fileOffset"]),
                                  number_of(row["filenameStrindex"]), numbers_of(row["attributeIndices"])});
    }
    for (JsonValue::Walk walk = dictionary["functionTable"].items(); walk.next(row);) {
      tables_.functions.push_back(
          {number_of(row["nameStrindex"]), number_of(row["systemNameStrindex"]), number_of(row["filenameStrindex"])});
    }
    for (JsonValue::Walk walk = dictionary["locationTable"].items(); walk.next(row);) {
      OtlpTables::Location location{number_of(row["mappingIndex"]), unsigned_of(row["address"]), {}};
      JsonValue lines = row["lines"].present() ? row["lines"] : row["line"];
      for (JsonValue::Walk in = lines.items(); in.next(inner);) {
        location.lines.push_back({number_of(inner["functionIndex"]), number_of(inner["line"]), number_of(inner["column"])});
      }
      tables_.locations.push_back(std::move(location));
    }
    for (JsonValue::Walk walk = dictionary["stackTable"].items(); walk.next(row);) {
      tables_.stacks.push_back(numbers_of(row["locationIndices"]));
    }
  }

  void read_profile(JsonValue profile) {
    JsonValue type = profile["sampleType"];
    if (type.is_array()) {
      JsonValue first;
      JsonValue::Walk walk = type.items();
      type = walk.next(first) ? first : JsonValue();
    }
    tables_.begin_profile({number_of(type["typeStrindex"]), number_of(type["unitStrindex"])});
    auto either = [&](const char* now, const char* before) {
      return unsigned_of(profile[now].present() ? profile[now] : profile[before]);
    };
    tables_.cover(either("timeUnixNano", "timeNanos"), either("durationNano", "durationNanos"));
    std::vector<int64_t> slices = numbers_of(profile["locationIndices"]);
    JsonValue row, time;
    for (JsonValue::Walk walk = samples_of(profile).items(); walk.next(row);) {
      uint64_t number = sample_number_++;
      OtlpTables::Sample sample;
      sample.values = numbers_of(row["values"].present() ? row["values"] : row["value"]);
      sample.attributes = numbers_of(row["attributeIndices"]);
      for (JsonValue::Walk in = row["timestampsUnixNano"].items(); in.next(time);) {
        sample.times_ns.push_back(unsigned_of(time));
      }
      if (row["locationsLength"].present()) {
        int64_t first = number_of(row["locationsStartIndex"]), length = number_of(row["locationsLength"]);
        if (first < 0 || length < 0 || static_cast<uint64_t>(first) > slices.size() ||
            static_cast<uint64_t>(length) > slices.size() - static_cast<uint64_t>(first)) {
          tables_.leave_out(number, "its locations are out of range");
          continue;
        }
        sample.locations = slices.data() + first;
        sample.location_count = static_cast<size_t>(length);
      } else {
        int64_t stack = number_of(row["stackIndex"]);
        if (stack < 0 || static_cast<uint64_t>(stack) >= tables_.stacks.size()) {
          tables_.leave_out(number, "its stack is not in the table");
          continue;
        }
        sample.locations = tables_.stacks[static_cast<size_t>(stack)].data();
        sample.location_count = tables_.stacks[static_cast<size_t>(stack)].size();
      }
      tables_.add_sample(sample, number);
    }
  }

  JsonValue root_;
  OtlpTables tables_;
  uint64_t sample_number_ = 0;
};

}  // namespace

Result<Profile> import_otlp_json(const JsonDocument& document, const ImportOptions& options) {
  return OtlpJsonImport(document, options, document.size()).run();
}

}  // namespace wick
