// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/module_names.h"

#include <gtest/gtest.h>

namespace wick {
namespace {

using capture::ModuleKind;

TEST(ModuleNames, OneSpelling) {
  EXPECT_EQ(shown_module({ModuleKind::kAnonymous, "//anon", ""}, false), "[anon]");
  EXPECT_EQ(shown_module({ModuleKind::kAnonymous, "", ""}, false), "[anon]");
  EXPECT_EQ(shown_module({ModuleKind::kAnonymous, "//anon", ""}, true), "[jit]");
  EXPECT_EQ(shown_module({ModuleKind::kAnonymous, "/memfd:jit (deleted)", ""}, true), "[jit]");
  EXPECT_EQ(shown_module({ModuleKind::kVdso, "[vdso]", ""}, true), "[vdso]");
  EXPECT_EQ(shown_module({ModuleKind::kKernel, "[kernel.kallsyms]", ""}, true), "[kernel]");
  EXPECT_EQ(shown_module({ModuleKind::kFile, "/opt/app (deleted)", ""}, true), "app");
  EXPECT_EQ(nameless_function({ModuleKind::kVdso, "[vdso]", ""}), "[vdso]");
}

}  // namespace
}  // namespace wick
