// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// OpenTelemetry profiles in protobuf. Field 3 identifies the layout (otlp_tables.h): a time of 8 bytes since 1.9, a list of
// locations before; without it, field 2 of the first sample decides.

#include <algorithm>
#include <optional>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <vector>

#include "import/proto/otlp_tables.h"
#include "import/proto/pprof.h"
#include "import/proto/proto_scan.h"

namespace wick {
namespace {

using protozero::pbf_reader;
using protozero::tag_and_type;
using wire::kBytes;
using wire::kFixed64;
using wire::kVarint;

std::string text_of(pbf_reader& message) {
  protozero::data_view view = message.get_view();
  return std::string(view.data(), view.size());
}

// A repeated number, packed or not.
template <typename Number>
bool take_numbers(pbf_reader& message, std::vector<Number>& out) {
  switch (message.wire_type()) {
    case kVarint: out.push_back(static_cast<Number>(message.get_int64())); return true;
    case kFixed64: out.push_back(static_cast<Number>(message.get_fixed64())); return true;
    case kBytes:
      for (int64_t number : message.get_packed_int64()) { out.push_back(static_cast<Number>(number)); }
      return true;
    default: message.skip(); return false;
  }
}

class OtlpImport {
 public:
  OtlpImport(Bytes bytes, const ImportOptions& options)
      : data_(reinterpret_cast<const char*>(bytes.data()), bytes.size()), tables_(options, bytes.size()) {}

  Result<Profile> run() {
    bool any = false;
    for (pbf_reader data = data_; next_field(data);) {
      if (data.tag_and_type() == tag_and_type(2, kBytes)) {
        read_dictionary(data.get_message());
      } else {
        any = any || data.tag() == 1;
        data.skip();
      }
    }
    if (!any) { return Error("no resource profiles; expected field 1 of ProfilesData").with_code(Errc::kBadInput); }
    bool has_times = false;
    each_profile([&](pbf_reader profile) { has_times = has_times || profile_has_times(profile); });
    tables_.begin(has_times, kOtlpReader.what);
    each_profile([&](pbf_reader profile) { read_profile(profile); });
    return tables_.finish();
  }

  // The offset of the last field read, in the whole file.
  size_t offset() const { return offset_; }

 private:
  bool next_field(pbf_reader& data) {
    offset_ = data_.length() - data.length();
    return data.next();
  }

  template <typename Use>
  void each_profile(Use use) {
    for (pbf_reader data = data_; next_field(data);) {
      if (data.tag_and_type() != tag_and_type(1, kBytes)) {
        data.skip();
        continue;
      }
      pbf_reader resource = data.get_message();
      tables_.begin_resource();
      for (pbf_reader fields = resource; fields.next();) {
        if (fields.tag_and_type() == tag_and_type(1, kBytes)) {
          read_resource(fields.get_message());
        } else {
          fields.skip();
        }
      }
      while (resource.next()) {
        if (resource.tag_and_type() != tag_and_type(2, kBytes)) {
          resource.skip();
          continue;
        }
        pbf_reader scope = resource.get_message();
        while (scope.next()) {
          if (scope.tag_and_type() == tag_and_type(2, kBytes)) {
            use(scope.get_message());
          } else {
            scope.skip();
          }
        }
      }
    }
  }

  void read_resource(pbf_reader message) {
    while (message.next()) {
      if (message.tag_and_type() == tag_and_type(1, kBytes)) {
        tables_.use_resource_attribute(read_attribute(message.get_message()));
      } else {
        message.skip();
      }
    }
  }

  // KeyValue (the key is text), or KeyValueAndUnit (the key is a row of the strings).
  OtlpTables::Attribute read_attribute(pbf_reader message) const {
    OtlpTables::Attribute out;
    while (message.next()) {
      switch (message.tag_and_type()) {
        case tag_and_type(1, kBytes): out.key = text_of(message); break;
        case tag_and_type(1, kVarint): {
          int64_t row = message.get_int64();
          if (row >= 0 && static_cast<uint64_t>(row) < tables_.strings.size()) {
            out.key = tables_.strings[static_cast<size_t>(row)];
          }
          break;
        }
        case tag_and_type(2, kBytes): {
          pbf_reader value = message.get_message();
          while (value.next()) {
            switch (value.tag_and_type()) {
              case tag_and_type(1, kBytes): out.text = text_of(value); break;
              case tag_and_type(3, kVarint): out.number = value.get_int64(); break;
              default: value.skip();
            }
          }
          break;
        }
        default: message.skip();
      }
    }
    return out;
  }

  void read_dictionary(pbf_reader message) {
    for (pbf_reader strings = message; strings.next();) {
      if (strings.tag_and_type() == tag_and_type(5, kBytes)) {
        tables_.strings.push_back(text_of(strings));
      } else {
        strings.skip();
      }
    }
    while (message.next()) {
      switch (message.tag_and_type()) {
        case tag_and_type(1, kBytes): read_mapping(message.get_message()); break;
        case tag_and_type(2, kBytes): read_location(message.get_message()); break;
        case tag_and_type(3, kBytes): read_function(message.get_message()); break;
        case tag_and_type(6, kBytes): tables_.attributes.push_back(read_attribute(message.get_message())); break;
        case tag_and_type(7, kBytes): {
          std::vector<int64_t> stack;
          pbf_reader row = message.get_message();
          while (row.next()) {
            if (row.tag() == 1) {
              take_numbers(row, stack);
            } else {
              row.skip();
            }
          }
          tables_.stacks.push_back(std::move(stack));
          break;
        }
        default: message.skip();
      }
    }
  }

  void read_mapping(pbf_reader message) {
    OtlpTables::Mapping row;
    while (message.next()) {
      switch (message.tag_and_type()) {
        case tag_and_type(1, kVarint): row.start = message.get_uint64(); break;
        case tag_and_type(3, kVarint): row.offset = message.get_uint64(); break;
        case tag_and_type(4, kVarint): row.file = message.get_int64(); break;
        default:
          if (message.tag() == 5) {
            take_numbers(message, row.attributes);
          } else {
            message.skip();
          }
      }
    }
    tables_.mappings.push_back(std::move(row));
  }

  void read_location(pbf_reader message) {
    OtlpTables::Location row;
    while (message.next()) {
      switch (message.tag_and_type()) {
        case tag_and_type(1, kVarint): row.mapping = message.get_int64(); break;
        case tag_and_type(2, kVarint): row.address = message.get_uint64(); break;
        case tag_and_type(3, kBytes): {
          OtlpTables::Line line;
          pbf_reader fields = message.get_message();
          while (fields.next()) {
            switch (fields.tag_and_type()) {
              case tag_and_type(1, kVarint): line.function = fields.get_int64(); break;
              case tag_and_type(2, kVarint): line.line = fields.get_int64(); break;
              case tag_and_type(3, kVarint): line.column = fields.get_int64(); break;
              default: fields.skip();
            }
          }
          row.lines.push_back(line);
          break;
        }
        default: message.skip();
      }
    }
    tables_.locations.push_back(std::move(row));
  }

  void read_function(pbf_reader message) {
    OtlpTables::Function row;
    while (message.next()) {
      switch (message.tag_and_type()) {
        case tag_and_type(1, kVarint): row.name = message.get_int64(); break;
        case tag_and_type(2, kVarint): row.system_name = message.get_int64(); break;
        case tag_and_type(3, kVarint): row.file = message.get_int64(); break;
        default: message.skip();
      }
    }
    tables_.functions.push_back(row);
  }

  static bool has_stack_table_layout(pbf_reader profile) {
    std::optional<bool> by_sample;
    while (profile.next()) {
      if (profile.tag_and_type() == tag_and_type(3, kFixed64)) { return true; }
      if (profile.tag_and_type() == tag_and_type(3, kBytes)) { return false; }
      if (profile.tag_and_type() == tag_and_type(2, kBytes) && !by_sample) {
        pbf_reader sample = profile.get_message();
        while (sample.next()) {
          if (sample.tag() == 2) { by_sample = sample.wire_type() == kBytes; }
          if (sample.tag() == 4 && sample.wire_type() == kBytes && !by_sample) { by_sample = true; }
          sample.skip();
        }
      } else {
        profile.skip();
      }
    }
    return by_sample.value_or(true);
  }

  static bool profile_has_times(pbf_reader profile) {
    uint32_t field = has_stack_table_layout(profile) ? 5 : 6;
    while (profile.next()) {
      if (profile.tag_and_type() != tag_and_type(2, kBytes)) {
        profile.skip();
        continue;
      }
      pbf_reader sample = profile.get_message();
      while (sample.next()) {
        if (sample.tag() == field) { return true; }
        sample.skip();
      }
      return false;  // one sample is enough
    }
    return false;
  }

  void read_profile(pbf_reader profile) {
    bool stacks = has_stack_table_layout(profile);
    OtlpTables::ValueType type;
    std::vector<int64_t> slices;  // samples of the older layout are slices of this
    std::vector<uint64_t> start, duration;
    for (pbf_reader fields = profile; fields.next();) {
      if (fields.tag_and_type() == tag_and_type(1, kBytes)) {
        pbf_reader message = fields.get_message();
        while (message.next()) {
          switch (message.tag_and_type()) {
            case tag_and_type(1, kVarint): type.type = message.get_int64(); break;
            case tag_and_type(2, kVarint): type.unit = message.get_int64(); break;
            default: message.skip();
          }
        }
      } else if (fields.tag() == 3 && !stacks) {
        take_numbers(fields, slices);
      } else if (fields.tag() == (stacks ? 3u : 4u)) {
        take_numbers(fields, start);
      } else if (fields.tag() == (stacks ? 4u : 5u)) {
        take_numbers(fields, duration);
      } else {
        fields.skip();
      }
    }
    tables_.cover(start.empty() ? 0 : start.back(), duration.empty() ? 0 : duration.back());
    tables_.begin_profile(type);
    while (profile.next()) {
      if (profile.tag_and_type() == tag_and_type(2, kBytes)) {
        read_sample(profile.get_message(), stacks, slices);
      } else {
        profile.skip();
      }
    }
  }

  void read_sample(pbf_reader message, bool stacks, const std::vector<int64_t>& slices) {
    uint64_t number = sample_number_++;
    OtlpTables::Sample sample;
    int64_t first = 0, second = 0;
    const uint32_t values = stacks ? 4 : 3, attributes = stacks ? 2 : 4, times = stacks ? 5 : 6;
    while (message.next()) {
      uint32_t tag = message.tag();
      if (message.tag_and_type() == tag_and_type(1, kVarint)) {
        first = message.get_int64();
      } else if (!stacks && message.tag_and_type() == tag_and_type(2, kVarint)) {
        second = message.get_int64();
      } else if (tag == values) {
        take_numbers(message, sample.values);
      } else if (tag == attributes) {
        take_numbers(message, sample.attributes);
      } else if (tag == times && stacks && message.wire_type() == kBytes) {
        for (uint64_t time : message.get_packed_fixed64()) { sample.times_ns.push_back(time); }
      } else if (tag == times) {
        take_numbers(message, sample.times_ns);
      } else {
        message.skip();
      }
    }
    if (stacks) {
      if (first < 0 || static_cast<uint64_t>(first) >= tables_.stacks.size()) {
        return tables_.leave_out(number, "its stack is not in the table");
      }
      const std::vector<int64_t>& stack = tables_.stacks[static_cast<size_t>(first)];
      sample.locations = stack.data();
      sample.location_count = stack.size();
    } else {
      if (first < 0 || second < 0 || static_cast<uint64_t>(first) > slices.size() ||
          static_cast<uint64_t>(second) > slices.size() - static_cast<uint64_t>(first)) {
        return tables_.leave_out(number, "its locations are out of range");
      }
      sample.locations = slices.data() + first;
      sample.location_count = static_cast<size_t>(second);
    }
    tables_.add_sample(sample, number);
  }

  pbf_reader data_;
  size_t offset_ = 0;
  OtlpTables tables_;
  uint64_t sample_number_ = 0;
};

}  // namespace

// ProfilesData has two fields, both messages; the first begins with a resource or scopes.
bool is_otlp(const Head& head) {
  ProtoScan scan(head.text);
  bool resource = false;
  while (std::optional<ProtoScan::Field> field = scan.next()) {
    if (field->number > 2 || field->wire_type != kBytes || (head.is_all && !field->whole)) { return false; }
    size_t known = 0;
    ProtoScan inner(field->bytes);
    while (std::optional<ProtoScan::Field> part = inner.next()) {
      uint32_t most = field->number == 1 ? 3 : 7;
      if (part->number > most || part->wire_type != kBytes) { return false; }
      ++known;
    }
    if (inner.broken()) { return false; }
    resource = resource || (field->number == 1 && known > 0);
    // A dictionary comes first and is longer than the head.
    resource = resource || (field->number == 2 && !field->whole && known >= 8);
  }
  return !scan.broken() && resource;
}

Result<Profile> read_otlp(Input& input, const ImportOptions& options) {
  WICK_LET(WholeInput whole, read_whole(input));
  OtlpImport import(whole.bytes, options);
  try {
    return import.run();
  } catch (const protozero::exception& e) { return proto_error(import.offset(), "ProfilesData", e.what()); }
}

}  // namespace wick
