// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Java stacks in text: jstack, IBM java cores, exceptions in logs.

#include "import/common/reader.h"

namespace wick {

class StackImport;

// "java.lang.Thread.sleep(java.base@17.0.15/Native Method)", "J.main(J.java:9)", with or without "at " before.
void push_java_frame(StackImport& import, std::string_view text);

bool is_jstack(const Head& head);
Result<Profile> read_jstack(Input& input, const ImportOptions& options);
constexpr Reader kJstackReader = {"jstack", "Java thread dumps", is_jstack, read_jstack};

bool is_javacore(const Head& head);
Result<Profile> read_javacore(Input& input, const ImportOptions& options);
constexpr Reader kJavacoreReader = {"ibmjava", "an IBM java core", is_javacore, read_javacore};

bool is_java_exceptions(const Head& head);
Result<Profile> read_java_exceptions(Input& input, const ImportOptions& options);
constexpr Reader kJavaExceptionsReader = {"java-exceptions", "Java exceptions in a log", is_java_exceptions,
                                          read_java_exceptions};

}  // namespace wick
