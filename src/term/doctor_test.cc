// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "term/doctor.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "base/utf8.h"

namespace wick {
namespace {

Diagnosis sample() {
  return {"wick doctor: this machine",
          "host, Linux 6.1",
          {{"a", "your programs", Verdict::kYes, "events open", ""},
           {"b", "kernel side", Verdict::kNo, "perf_event_paranoid is 2, needs 1 or CAP_PERFMON",
            "sudo sysctl kernel.perf_event_paranoid=1"},
           {"c", "cache", Verdict::kInfo, "", ""}},
          {"It works.", "Build with:\n  -g\n  no strip"}};
}

TEST(Doctor, RendersPlainText) {
  EXPECT_EQ(render_diagnosis(sample(), Style{}),
            "wick doctor: this machine\n"
            "  host, Linux 6.1\n"
            "  your programs  yes      events open\n"
            "  kernel side    no       perf_event_paranoid is 2, needs 1 or CAP_PERFMON\n"
            "                          $ sudo sysctl kernel.perf_event_paranoid=1\n"
            "  cache\n"
            "\n"
            "  It works.\n"
            "\n"
            "  Build with:\n"
            "    -g\n"
            "    no strip\n");
}

TEST(Doctor, FitsWidthExceptForCommands) {
  Style style;
  style.width = 60;
  std::string text = render_diagnosis(sample(), style);
  size_t lines = 0;
  for (std::string_view line : split(text, '\n')) {
    ++lines;
    if (line.find("$ ") == std::string_view::npos) { EXPECT_LE(display_width(line), 60) << line; }
  }
  EXPECT_GT(lines, 13u) << "the long reason is wrapped";
  EXPECT_NE(text.find("$ sudo sysctl kernel.perf_event_paranoid=1\n"), std::string::npos);
}

TEST(Doctor, UsesColorsOnlyWhenEnabled) {
  EXPECT_EQ(render_diagnosis(sample(), Style{}).find('\x1b'), std::string::npos);
  Style style;
  style.color = true;
  EXPECT_NE(render_diagnosis(sample(), style).find('\x1b'), std::string::npos);
}

TEST(Doctor, EscapesControlCharacters) {
  Diagnosis d;
  d.title = "wick doctor: a\x1b[2Jb";
  d.findings.push_back({"x", "language", Verdict::kInfo, "C (evil\x1b]0;title\x07 compiler)", "run \x1b[31m"});
  std::string text = render_diagnosis(d, Style{});
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\x07'), std::string::npos);
}

}  // namespace
}  // namespace wick
