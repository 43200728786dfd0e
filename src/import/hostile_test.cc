// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Bad input for every reader, on one small sample of each format: a valid profile, with a warning if something was skipped, or an
// error that states what was expected and where.

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "base/text.h"
#include "import/common/foreign.h"
#include "import/common/format_samples.h"
#include "import/common/import_testing.h"
#include "import/common/testing.h"
#include "import/import.h"
#include "import/perf/perf_data.h"

namespace wick {
namespace {

namespace fs = std::filesystem;
using testing_import::format_samples;
using testing_import::FormatSample;
using testing_import::gzip;
using testing_import::kFolderOf;
using testing_import::read;
using testing_import::warnings;

// Requirements for every profile or error.
void expect_sound(const FormatSample& sample, const Result<Profile>& profile, const std::string& how) {
  if (profile.ok()) {
    check_profile(*profile);
    EXPECT_FALSE(profile->samples().empty() && !profile->warnings().empty()) << sample.reader->name << " " << how;
    for (const std::string& warning : profile->warnings()) {
      EXPECT_NE(warning.find_first_of("0123456789"), std::string::npos) << sample.reader->name << ": " << warning;
    }
    return;
  }
  const std::string& message = profile.error().message();
  EXPECT_NE(message.find("expected"), std::string::npos) << sample.reader->name << " " << how << ": " << message;
  EXPECT_TRUE(message.starts_with("as " + std::string(sample.reader->what))) << message;
}

bool tells_a_place(const std::string& message) {
  for (const char* place : {"line ", "byte ", "row ", "sample ", "lines", "array", "member", "field", "events", "profile "}) {
    if (message.find(place) != std::string::npos) { return true; }
  }
  return false;
}

TEST(Hostile, EveryReaderHasAFuzzTargetWithACorpus) {
  for (const Reader& reader : readers()) {
    auto folder = kFolderOf.find(std::string(reader.name));
    ASSERT_NE(folder, kFolderOf.end()) << reader.name;
    fs::path fuzz = fs::path(WICK_SOURCE_DIR) / "tests/fuzz";
    EXPECT_TRUE(fs::exists(fuzz / (folder->second + "_fuzz.cc"))) << reader.name;
    EXPECT_FALSE(fs::is_empty(fuzz / "corpus" / folder->second)) << reader.name;
  }
  EXPECT_EQ(format_samples().size() + 1, readers().size()) << "each corpus has a file that is a profile";
}

TEST(Hostile, TruncatedAtEveryByte) {
  for (const FormatSample& sample : format_samples()) {
    for (size_t size = 1; size < sample.text.size(); ++size) {
      Result<Profile> profile = read(*sample.reader, std::string_view(sample.text).substr(0, size));
      expect_sound(sample, profile, strf("cut at byte %zu", size));
      if (!profile.ok()) { EXPECT_TRUE(tells_a_place(profile.error().message())) << profile.error().message(); }
    }
  }
}

TEST(Hostile, RandomFlips) {
  std::mt19937 random(7);
  for (const FormatSample& sample : format_samples()) {
    for (int round = 0; round < 50; ++round) {
      std::string text = sample.text;
      for (unsigned k = 0; k < 1 + random() % 8; ++k) { text[random() % text.size()] = static_cast<char>(random()); }
      expect_sound(sample, read(*sample.reader, text), "flipped");
      (void)testing_import::detected(text);
    }
  }
}

TEST(Hostile, EmptyAndBlank) {
  for (const FormatSample& sample : format_samples()) {
    for (std::string_view text : {"", "\n", " ", "\r\n\r\n", "#\n"}) {
      Result<Profile> profile = read(*sample.reader, text);
      expect_sound(sample, profile, "blank");
      if (profile.ok()) { EXPECT_TRUE(profile->samples().empty()) << sample.reader->name; }
    }
  }
}

TEST(Hostile, WrongFormatIsAnErrorOrAWarning) {
  // These are similar: one contains the other.
  auto alike = [](std::string_view as, std::string_view what) {
    constexpr std::pair<std::string_view, std::string_view> kAlike[] = {{"dtrace", "stap"},
                                                                        {"gdb", "elfutils"},
                                                                        {"java-exceptions", "jstack"},
                                                                        {"perf-script", "perf-sched"},
                                                                        {"perf-script", "stap"}};
    for (auto [a, b] : kAlike) {
      if ((as == a && what == b) || (as == b && what == a)) { return true; }
    }
    return as == "json";
  };
  for (const FormatSample& as : format_samples()) {
    for (const FormatSample& what : format_samples()) {
      if (as.reader == what.reader || alike(as.reader->name, what.reader->name)) { continue; }
      if (as.reader->name == "cpuprofile" && what.reader->name == "json") { continue; }  // its first file is one
      Result<Profile> profile = read(*as.reader, what.text);
      expect_sound(as, profile, "which is " + std::string(what.reader->name));
      if (profile.ok()) { EXPECT_NE(warnings(*profile), "") << what.reader->name << " as " << as.reader->name; }
    }
  }
}

// About forty numbers of the text, in turn, are replaced by one that does not fit. The sums of the rest must not overflow.
TEST(Hostile, AbsurdNumbers) {
  for (const FormatSample& sample : format_samples()) {
    if (!sample.is_text) { continue; }
    for (std::string_view number : {"-5", "9223372036854775807", "1e308"}) {
      constexpr std::string_view digits = "0123456789";
      size_t step = sample.text.size() / 40;
      for (size_t at = 0; (at = sample.text.find_first_of(digits, at)) != std::string::npos;) {
        size_t end = std::min(sample.text.find_first_not_of(digits, at), sample.text.size());
        std::string text = sample.text.substr(0, at) + std::string(number) + sample.text.substr(end);
        expect_sound(sample, read(*sample.reader, text), std::string(number));
        at = end + step;
      }
    }
  }
}

TEST(Hostile, LineOfMegabytesAfterGoodData) {
  for (const FormatSample& sample : format_samples()) {
    if (!sample.is_text) { continue; }
    for (char c : {'(', '1'}) {
      std::string text = sample.text + "\n" + std::string(size_t{1100} << 10, c);
      expect_sound(sample, read(*sample.reader, text), "with a long line");
    }
  }
}

TEST(Hostile, Nested) {
  for (const FormatSample& sample : format_samples()) {
    if (!sample.is_text) { continue; }
    for (std::string_view part : {"[", "{\"a\":", "<a>", "(", "\"", " a\n", "  @[\n"}) {
      std::string deep;
      while (deep.size() < 3'000) { deep += part; }
      expect_sound(sample, read(*sample.reader, deep), "nested");
      expect_sound(sample, read(*sample.reader, sample.text + deep), "nested at the end");
      std::string inside = sample.text;
      inside.insert(inside.size() / 2, deep);
      expect_sound(sample, read(*sample.reader, inside), "nested inside");
    }
  }
}

// Looking up events must not be slow.
TEST(Hostile, ManyMapsOfBpftrace) {
  std::string text;
  constexpr int kMaps = ProfileBuilder::kMostEvents + 1000;
  for (int i = 0; i < kMaps; ++i) { text += strf("@m%d[\n    f+1\n]: 1\n", i); }
  Profile p = testing_import::good(*find_reader("bpftrace"), text);
  EXPECT_EQ(p.samples().size(), kMaps);
  EXPECT_EQ(p.events().size(), ProfileBuilder::kMostEvents + 1);
  ASSERT_EQ(p.warnings().size(), 1u);
  EXPECT_NE(p.warnings()[0].find("more than 4096 events"), std::string::npos) << p.warnings()[0];
}

// A chain of calls in a graph too large to unfold: the result must not be quadratic.
TEST(Hostile, LongChainInCallgrind) {
  std::string text = "events: Ir\n";
  constexpr int kFunctions = 6'000;
  for (int i = 0; i < kFunctions; ++i) { text += strf("fn=f%d\n1 1\ncfn=f%d\ncalls=1 1\n1 %d\n", i, i + 1, kFunctions - i); }
  Profile p = testing_import::good(*find_reader("callgrind"), text);
  EXPECT_LT(p.stacks().size(), size_t{5'000'000});
  int64_t all = 0;
  for (const Sample& s : p.samples()) { all += s.weight; }
  EXPECT_EQ(all, kFunctions);
}

Result<Profile> read_packed(const Reader& reader, const std::string& packed) {
  Input input = *unpack(Input(make_memory_pieces({reinterpret_cast<const uint8_t*>(packed.data()), packed.size()})));
  return import_profile(input, reader, {});
}

// Without the last byte of the checksum, all data is there, with a warning.
TEST(Hostile, TruncatedGzipGivesAPartialProfile) {
  for (const FormatSample& sample : format_samples()) {
    std::string packed = gzip(sample.text);
    Result<Profile> whole = read_packed(*sample.reader, packed),
                    cut = read_packed(*sample.reader, packed.substr(0, packed.size() - 1));
    ASSERT_TRUE(whole.ok() && cut.ok()) << sample.reader->name;
    EXPECT_EQ(whole->samples().size(), cut->samples().size()) << sample.reader->name;
    EXPECT_EQ(cut->warnings().size(), whole->warnings().size() + 1) << sample.reader->name;
    EXPECT_NE(warnings(*cut).find("the gzip file is truncated at byte " + std::to_string(packed.size() - 1)), std::string::npos);
    for (size_t size : {size_t{11}, packed.size() / 2}) {
      Result<Profile> half = read_packed(*sample.reader, packed.substr(0, size));
      std::string message = half.ok() ? warnings(*half) : half.error().message();
      EXPECT_NE(message.find("the gzip file is truncated at byte " + std::to_string(size)), std::string::npos)
          << sample.reader->name << ": " << message;
    }
  }
}

TEST(Hostile, ByteOrderMarksAloneAreEmpty) {
  for (const FormatSample& sample : format_samples()) {
    if (!sample.is_text || sample.reader->name == "perf-sched" || sample.reader->name == "json") { continue; }
    Result<Profile> plain = read(*sample.reader, sample.text);
    std::string little = "\xff\xfe", big = "\xfe\xff";
    bool ascii = true;
    for (char c : sample.text) {
      ascii = ascii && static_cast<unsigned char>(c) < 0x80;
      little += c;
      little += '\0';
      big += '\0';
      big += c;
    }
    std::vector<std::string> forms = {"\xef\xbb\xbf" + sample.text};
    if (ascii) { forms.insert(forms.end(), {little, big}); }
    for (const std::string& form : forms) {
      Input input = *unpack(Input(make_memory_pieces({reinterpret_cast<const uint8_t*>(form.data()), form.size()})));
      const Reader* detected = detect_reader(head_of(*input.peek(kHeadBytes + 1)));
      EXPECT_EQ(detected, sample.reader) << sample.reader->name;
      Result<Profile> profile = import_profile(input, *sample.reader, {});
      ASSERT_TRUE(profile.ok()) << sample.reader->name << ": " << profile.error().message();
      EXPECT_EQ(testing_import::lines_of(*profile), testing_import::lines_of(*plain)) << sample.reader->name;
    }
  }
}

}  // namespace
}  // namespace wick
